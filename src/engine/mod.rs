//! The engine without a front end: it takes positions and limits, and answers with reports.
//!
//! [`Engine`] is what front ends hold. It never prints; whoever creates it passes a [`Listener`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod bench;
mod display;
pub mod openings;
pub mod options;
mod own_book;
mod pool;
pub mod report;
mod session;
mod strength;
mod voice;
mod wdl;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::base::{Error, Move};
use crate::chess::Position;
use crate::eval::Classical;
use crate::game::Notation;
use crate::search::control::Control;
use crate::search::params;
use crate::time::Limits;
use crate::tt::Table;
use options::{Change, Options, Tunable};
use own_book::OwnBook;
pub use pool::STACK_BYTES;
use report::Report;
use session::{Request, Session};
use strength::Handicap;

/// Who hears the engine: called from the searching thread and from the front end's.
pub type Listener = Arc<dyn Fn(Report) + Send + Sync>;

/// Called when a search has reported its best move.
pub type Done = Box<dyn FnOnce() + Send>;

/// The whole engine.
pub struct Engine {
    options: Options,
    session: Session<Position>,
    control: Arc<Control>,
    listener: Listener,
    own_book: OwnBook,
}

impl Engine {
    /// An engine with default options at the start position.
    pub fn new(listener: Listener) -> Result<Engine, Error> {
        let mut options = Options::default();
        if cfg!(feature = "tune") {
            options.tunables = params::ALL.iter().map(tunable).collect();
        }
        let control = Arc::new(Control::new());
        let table = Arc::new(Table::with_megabytes(options.hash_mb as usize)?);
        let threads = options.threads as usize;
        let session = Session::new(Position::start(), threads, Classical::new, table, Arc::clone(&control))?;
        Ok(Engine { options, session, control, listener, own_book: OwnBook::default() })
    }

    /// The options as they are set.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether setting this option must wait until no search runs.
    pub fn option_needs_idle(name: &str) -> bool {
        let name: String = name.split_whitespace().collect();
        ["hash", "clearhash", "threads"].iter().any(|heavy| name.eq_ignore_ascii_case(heavy))
    }

    /// Sets an option. After an error everything is as before. The change is returned for what concerns the
    /// front end.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Change, Error> {
        let before = self.options.clone();
        let change = self.options.set(name, value)?;
        self.apply(&change).inspect_err(|_| self.options = before)?;
        Ok(change)
    }

    fn apply(&mut self, change: &Change) -> Result<(), Error> {
        match *change {
            // GUIs like to send what is already so; that must not cost the table its content.
            Change::Hash(megabytes) if megabytes as usize == self.session.table_megabytes() => {}
            Change::Threads(threads) if threads as usize == self.session.threads() => {}
            Change::Hash(megabytes) => {
                self.session.set_table(Arc::new(Table::with_megabytes(megabytes as usize)?));
            }
            Change::ClearHash => self.session.clear_table(),
            Change::Threads(threads) => {
                self.session.set_threads(threads as usize, &Position::start(), Classical::new)?;
            }
            Change::Chess960(chess960) => {
                if let Some(position) = self.session.position_mut() {
                    position.set_chess960(chess960);
                }
            }
            Change::BookFile(ref path) => self.own_book.open(path.as_deref())?,
            Change::Tunable { name, value } => set_param(name, value),
            Change::Stored | Change::LogFile(_) => {}
        }
        Ok(())
    }

    /// A new game begins: forget the last one.
    pub fn new_game(&mut self) {
        self.session.clear();
    }

    /// Puts a position on the board: a FEN or the start position, and moves from there. It is built completely
    /// before it replaces the old one; after an error there is no position until a good one comes.
    pub fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), Error> {
        self.forget_position();
        let position = self.build_position(fen, moves)?;
        self.session.set_position(Some(position));
        Ok(())
    }

    fn build_position(&self, fen: Option<&str>, moves: &[String]) -> Result<Position, Error> {
        let mut position = match fen {
            Some(fen) => Position::from_text(fen).map_err(|error| error.within("FEN"))?,
            None => Position::start(),
        };
        position.set_chess960(self.options.chess960);
        for (index, text) in moves.iter().enumerate() {
            let mv =
                position.parse_move(text).map_err(|error| error.within(&format!("move {}", index + 1)))?;
            position.make(mv);
            position.forget_undo();
        }
        Ok(position)
    }

    /// There is no position until a good one comes.
    pub fn forget_position(&mut self) {
        self.session.set_position(None);
    }

    /// Starts a search and returns at once; `done` is called after the best move was reported.
    pub fn go(&mut self, limits: Limits, search_moves: Vec<String>, arrived: Instant, done: Done) {
        self.control.begin(limits.ponder);
        let options = &self.options;
        let handicap = if options.limit_strength {
            Some(Handicap::for_elo(options.elo))
        } else {
            Handicap::for_skill(options.skill_level)
        };
        let request = Request {
            limits,
            search_moves,
            arrived,
            overhead: Duration::from_millis(u64::from(options.move_overhead_ms)),
            multipv: options.multi_pv as usize,
            show_wdl: options.show_wdl,
            // Analysis is never weakened.
            handicap: handicap.filter(|_| !options.analyse_mode),
        };
        let request = self.own_book.advise(request, options, self.session.position(), &self.listener);
        self.session.search(request, &self.listener, done);
    }

    /// Ends the running search, if any.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The opponent made the expected move.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// The position on the board.
    pub fn position(&self) -> Result<&Position, Error> {
        self.session.position().ok_or_else(|| Error::new("there is no position: the last one was refused"))
    }

    /// The board as people read it, with everything about the position.
    pub fn display(&self) -> Result<String, Error> {
        self.position().map(display::board)
    }

    /// The evaluation term by term.
    pub fn evaluation(&self) -> Result<String, Error> {
        self.position().map(crate::eval::classical::table)
    }

    /// Exchanges the colors on the board.
    pub fn flip(&mut self) -> Result<(), Error> {
        let flipped = self.position()?.mirrored();
        self.session.set_position(Some(flipped));
        Ok(())
    }

    /// Starts counting the leaves of the move tree on a thread of its own. `each` hears every first move with its
    /// count, `end` the total; a stop ends the count early.
    pub fn perft(
        &self,
        depth: u32,
        each: impl Fn(String, u64) + Send + 'static,
        end: impl FnOnce(u64) + Send + 'static,
    ) -> Result<(), Error> {
        let position = self.position()?.clone();
        self.control.begin(false);
        let control = Arc::clone(&self.control);
        let count = move |mv: Move| {
            let mut after = position.clone();
            after.make(mv);
            let nodes = after.perft(depth.saturating_sub(1));
            each(position.uci(mv), nodes);
            nodes
        };
        let moves = if depth == 0 { Default::default() } else { self.position()?.legal_moves() };
        let work = move || {
            let total = moves.into_iter().take_while(|_| !control.is_stopped()).map(count).sum();
            end(if depth == 0 { 1 } else { total });
        };
        in_background("perft", work)
    }
}

/// Runs a long job beside the front end, with room for a search.
pub fn in_background(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    let builder = std::thread::Builder::new().name(name.to_string()).stack_size(STACK_BYTES);
    let spawned = builder.spawn(work);
    spawned.map(|_| ()).map_err(|error| Error::new(format!("cannot start a thread: {error}")))
}

/// A search parameter as an option.
fn tunable(param: &params::Param) -> Tunable {
    Tunable {
        name: param.name,
        default: i64::from(param.default),
        min: i64::from(param.min),
        max: i64::from(param.max),
        value: i64::from(param.default),
    }
}

#[cfg(feature = "tune")]
fn set_param(name: &str, value: i64) {
    params::set(name, value as i32);
}

#[cfg(not(feature = "tune"))]
fn set_param(_: &str, _: i64) {}
