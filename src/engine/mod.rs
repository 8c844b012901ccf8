//! The engine without a front end: it takes positions and limits, and answers with reports.
//!
//! [`Engine`] is what front ends hold. It never prints; whoever creates it passes a [`Listener`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod any;
pub mod bench;
pub mod board;
mod display;
mod endgames;
pub mod evaluation;
pub mod openings;
pub mod options;
mod own_book;
mod pool;
pub mod report;
pub mod searcher;
mod session;
mod strength;
pub mod thinker;
mod voice;
pub mod wdl;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::base::Error;
use crate::endgame::Endgames;
use crate::eval::nnue::Network;
use crate::game::Game;
use crate::search::control::Control;
use crate::search::params;
use crate::time::Limits;
use crate::tt::Table;
use any::AnySession;
use evaluation::Evaluation;
use openings::NextFen;
use options::{Change, Options, Tunable};
use own_book::OwnBook;
pub use pool::STACK_BYTES;
use report::Report;
use session::Request;
use strength::Handicap;

/// Who hears the engine: called from the searching thread and from the front end's.
pub type Listener = Arc<dyn Fn(Report) + Send + Sync>;

/// Called when a search has reported its best move.
pub type Done = Box<dyn FnOnce() + Send>;

/// The whole engine.
pub struct Engine {
    options: Options,
    session: AnySession,
    control: Arc<Control>,
    listener: Listener,
    endgames: Endgames,
    own_book: OwnBook,
    evaluation: Evaluation,
    /// The network of a file; the embedded one if there is none.
    network: Option<Arc<Network>>,
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
        // A tree whose architecture has changed has no embedded network yet, and should run nevertheless.
        let evaluation = Evaluation::choose(&options.evaluation, None).unwrap_or_else(|error| {
            listener(Report::Text(format!("error: {error}; the classical evaluation is used")));
            options.evaluation = evaluation::EVALUATIONS[1].to_string();
            Evaluation::Classical
        });
        let mut session =
            AnySession::new(&options.variant, threads, table, Arc::clone(&control), &evaluation)?;
        let endgames = Endgames::embedded();
        session.set_tables(Some(&endgames));
        let own_book = OwnBook::default();
        Ok(Engine { options, session, control, listener, endgames, own_book, evaluation, network: None })
    }

    /// The options as they are set.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether setting this option must wait until no search runs.
    pub fn option_needs_idle(name: &str) -> bool {
        let name = name.split_whitespace().collect::<String>().to_ascii_lowercase();
        ["hash", "clearhash", "threads", "uci_variant", "endgamepath", "evaluation", "evalfile"]
            .contains(&name.as_str())
            || name.starts_with("syzygy")
    }

    /// Sets an option. After an error everything is as before. The change is returned for what concerns the
    /// front end.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Change, Error> {
        let before = self.options.clone();
        let change = self.options.set(name, value)?;
        match self.apply(&change, &before) {
            Ok(()) => Ok(change),
            Err(error) => {
                self.options = before;
                Err(error)
            }
        }
    }

    fn apply(&mut self, change: &Change, before: &Options) -> Result<(), Error> {
        match change {
            // GUIs like to send what is already so; that must not cost the table its content.
            &Change::Hash(megabytes) if megabytes as usize == self.session.table().megabytes() => {}
            &Change::Threads(threads) if threads as usize == self.session.threads() => {}
            &Change::Hash(megabytes) => {
                self.session.set_table(Arc::new(Table::with_megabytes(megabytes as usize)?));
            }
            Change::ClearHash => self.session.clear_table(),
            &Change::Threads(threads) => self.session.set_threads(threads as usize, &self.evaluation)?,
            Change::EndgamePath(path) if *path == before.endgame_path && self.has_own_tables() => {}
            Change::SyzygyPath(path) if *path == before.syzygy_path && self.endgames.syzygy.is_some() => {}
            Change::EndgamePath(path) => self.open_endgames(path)?,
            Change::SyzygyPath(path) => self.open_syzygy(path)?,
            Change::SyzygyUse => self.use_endgames(),
            &Change::Chess960(chess960) => {
                if let Some(position) = self.session.chess_mut().and_then(|session| session.position_mut()) {
                    position.set_chess960(chess960);
                }
            }
            Change::Variant(name) => self.enter(name)?,
            &Change::Tunable { name, value } => set_param(name, value),
            Change::BookFile(path) => self.own_book.open(path.as_deref())?,
            Change::Evaluation => self.use_evaluation()?,
            Change::EvalFile(path) => self.open_network(path.as_deref())?,
            Change::Stored | Change::LogFile(_) => {}
        }
        Ok(())
    }

    /// Plays another variant from now on, with threads of its own and the table that is there.
    fn enter(&mut self, variant: &str) -> Result<(), Error> {
        if !self.session.plays(variant) {
            let (threads, table) = (self.session.threads(), Arc::clone(self.session.table()));
            self.session =
                AnySession::new(variant, threads, table, Arc::clone(&self.control), &self.evaluation)?;
            self.session.set_tables(Some(&self.endgames));
            // What was stored belongs to positions of another game.
            self.session.clear_table();
        }
        (self.listener)(Report::Text(self.session.description()));
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
        self.session.set_position(fen, moves, self.options.chess960)
    }

    /// There is no position until a good one comes.
    pub fn forget_position(&mut self) {
        self.session.forget_position();
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
            // Analysis is never weakened, and what mates a king alone everybody knows.
            handicap: handicap.filter(|_| !options.analyse_mode && !self.knows_by_heart()),
        };
        let request = self.own_book.advise(request, options, self.session.chess_position(), &self.listener);
        self.session.search(request, &self.listener, done);
    }

    /// Whether the tables in the binary have the position.
    fn knows_by_heart(&self) -> bool {
        const MEN_IN_THE_BINARY: u32 = 3;
        self.session.chess_position().is_some_and(|position| position.men() <= MEN_IN_THE_BINARY)
    }

    /// Ends the running search, if any.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The opponent made the expected move.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Random openings of the game that is played, from a seed and the positions of a book or else the start position.
    pub fn openings(&self, seed: u64, book: Option<&str>) -> Result<NextFen, Error> {
        self.session.openings(seed, book, self.options.chess960, &self.evaluation)
    }

    /// The board as people read it, with everything about the position.
    pub fn display(&self) -> Result<String, Error> {
        self.session.display()
    }

    /// What the evaluation says about the position, in detail.
    pub fn evaluation(&self) -> Result<String, Error> {
        let table = self.session.evaluation(&self.evaluation)?;
        if !self.session.plays_chess() {
            return Ok(table);
        }
        let pawn = wdl::MODEL.pawn() / 100.0;
        Ok(format!("{}\nSearches report {pawn:.2} of these as one pawn.\n", table.trim_end()))
    }

    /// Exchanges the colors on the board.
    pub fn flip(&mut self) -> Result<(), Error> {
        self.session.flip()
    }

    /// Starts counting the leaves of the move tree on a thread of its own. `each` hears every first move with its
    /// count, `end` the total; a stop ends the count early.
    pub fn perft(
        &self,
        depth: u32,
        each: impl Fn(String, u64) + Send + 'static,
        end: impl FnOnce(u64) + Send + 'static,
    ) -> Result<(), Error> {
        let branches = self.session.branches(depth)?;
        self.control.begin(false);
        let control = Arc::clone(&self.control);
        let work = move || {
            if depth == 0 {
                return end(1);
            }
            let mut total = 0;
            for branch in branches.into_iter().take_while(|_| !control.is_stopped()) {
                let nodes = (branch.count)();
                each(branch.text, nodes);
                total += nodes;
            }
            end(total);
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
