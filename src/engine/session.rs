//! One game being played or analyzed: the position, the searching threads and the table they share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Listener;
use super::pool::Pool;
use super::report::Report;
use super::strength::Handicap;
use super::voice::Voice;
use crate::base::{Error, Move};
use crate::game::{EndgameTables, Evaluator, Notation};
use crate::search::Job;
use crate::search::control::Control;
use crate::time::{Deadline, Limits};
use crate::tt::Table;

/// A `go` with everything that shapes it.
#[derive(Clone)]
pub struct Request {
    /// How long to search.
    pub limits: Limits,
    /// Root moves to consider, as text; all if empty.
    pub search_moves: Vec<String>,
    /// When the command arrived: the clock runs since then.
    pub arrived: Instant,
    /// Time that gets lost between engine and GUI.
    pub overhead: Duration,
    /// Lines wanted.
    pub multipv: usize,
    /// Whether to report chances.
    pub show_wdl: bool,
    /// Playing weaker on purpose.
    pub handicap: Option<Handicap>,
}

/// A game of one kind.
pub struct Session<G: Notation> {
    /// None after a `position` that could not be understood.
    position: Option<G>,
    pool: Pool<G>,
    table: Arc<Table>,
    tables: Option<Arc<dyn EndgameTables<G>>>,
    control: Arc<Control>,
}

impl<G: Notation> Session<G> {
    /// A session with parked threads.
    pub fn new<E: Evaluator<G>>(
        start: G,
        threads: usize,
        evaluator: impl Fn() -> E,
        table: Arc<Table>,
        control: Arc<Control>,
    ) -> Result<Session<G>, Error> {
        let pool = Pool::new(threads, &start, evaluator, Arc::clone(&control))?;
        Ok(Session { position: Some(start), pool, table, tables: None, control })
    }

    /// The position on the board.
    pub fn position(&self) -> Option<&G> {
        self.position.as_ref()
    }

    /// The position on the board, to change.
    pub fn position_mut(&mut self) -> Option<&mut G> {
        self.position.as_mut()
    }

    /// Puts a position on the board; none means that nobody knows what to search.
    pub fn set_position(&mut self, position: Option<G>) {
        self.position = position;
    }

    /// Replaces the threads.
    pub fn set_threads<E: Evaluator<G>>(
        &mut self,
        threads: usize,
        start: &G,
        evaluator: impl Fn() -> E,
    ) -> Result<(), Error> {
        self.pool = Pool::new(threads, start, evaluator, Arc::clone(&self.control))?;
        Ok(())
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The table.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Replaces the table.
    pub fn set_table(&mut self, table: Arc<Table>) {
        self.table = table;
    }

    /// Replaces the endgame tables.
    pub fn set_tables(&mut self, tables: Option<Arc<dyn EndgameTables<G>>>) {
        self.tables = tables;
    }

    /// Forgets the last game.
    pub fn clear(&self) {
        self.table.clear(self.pool.threads());
        self.pool.clear();
    }

    /// Forgets what the table knows.
    pub fn clear_table(&self) {
        self.table.clear(self.pool.threads());
    }

    /// Starts a search and returns at once. `done` is called after the best move was reported.
    pub fn search(&self, request: Request, listener: &Listener, done: Box<dyn FnOnce() + Send>) {
        let Some(game) = self.position.clone() else {
            listener(Report::Text("there is no position to search: the last one was refused".to_string()));
            listener(Report::BestMove { best: None, ponder: None });
            return done();
        };
        let mut limits = request.limits;
        let search_moves = read_search_moves(&game, &request.search_moves, listener);
        if search_moves.is_empty() && !request.search_moves.is_empty() {
            listener(Report::BestMove { best: None, ponder: None });
            return done();
        }
        let mut multipv = request.multipv;
        if let Some(handicap) = request.handicap {
            limits.nodes = Some(limits.nodes.map_or(handicap.nodes, |nodes| nodes.min(handicap.nodes)));
            multipv = multipv.max(handicap.candidates);
        }
        // A weakened engine does not know endings by heart.
        let tables = self.tables.clone().filter(|_| request.handicap.is_none());
        let ranked = tables.as_ref().map_or(Vec::new(), |tables| tables.rank_moves(&game));
        let deadline = Deadline::new(&limits, game.side_to_move(), request.overhead, request.arrived);
        let voice = Voice {
            game: game.clone(),
            listener: Arc::clone(listener),
            table: Arc::clone(&self.table),
            tables: tables.clone(),
            deadline,
            lines: request.multipv,
            show_wdl: request.show_wdl,
            handicap: request.handicap,
            last_line: None,
            done: Some(done),
        };
        self.table.new_search();
        let job = Job { game, limits, deadline, search_moves, multipv, tables, ranked };
        self.pool.search(job, Arc::clone(&self.table), Box::new(voice));
    }
}

/// The root moves a `go searchmoves` names. Names that are no legal moves are told and left out.
fn read_search_moves<G: Notation>(game: &G, names: &[String], listener: &Listener) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut first_fault = None;
    for name in names {
        match game.parse_move(name) {
            Ok(mv) => moves.push(mv),
            Err(error) => first_fault = first_fault.or(Some(error)),
        }
    }
    if let Some(error) = first_fault {
        listener(Report::Text(format!("error: searchmoves: {error}")));
    }
    moves
}
