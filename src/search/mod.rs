//! Principal variation search over any [`Game`] with any [`Evaluator`].
//!
//! A [`Worker`] is one searching thread's mind. The engine gives it a [`Job`] and what all workers share; it
//! deepens until a limit, a stop or the end of the tree. It never prints: whoever wants to follow passes a
//! [`Reporter`].
#![forbid(unsafe_code)]

mod chance;
pub mod control;
mod correct;
mod deepen;
mod extend;
mod fade;
pub mod history;
mod learn;
pub mod mate;
mod moves;
mod node;
pub mod params;
mod picker;
mod prune;
mod pv;
mod quiesce;
mod reduce;
mod stack;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::base::score::MAX_PLY;
use crate::base::{Move, Score};
use crate::game::{EndgameTables, Evaluator, Game, MoveView, RankedMove, RootKnowledge};
use crate::time::{Deadline, Limits};
use crate::tt::{Bound, Entry, Table};
pub use chance::chance_key;
use control::Control;
use correct::Corrections;
pub use fade::{faded, value_before_fade};
use history::{History, Setting, continuation_index, no_continuation};
use picker::Picker;
use pv::PvTable;
use reduce::Reductions;
use stack::Stack;

/// What to search.
#[derive(Clone)]
pub struct Job<G> {
    /// The root.
    pub game: G,
    /// How long.
    pub limits: Limits,
    /// The same in terms of the clock.
    pub deadline: Deadline,
    /// Root moves to consider; all if empty.
    pub search_moves: Vec<Move>,
    /// How many lines to find.
    pub multipv: usize,
    /// Endgame tables to ask in the tree.
    pub tables: Option<Arc<dyn EndgameTables<G>>>,
    /// What they say about the root moves; nothing if they do not know the root.
    pub ranked: Vec<RankedMove>,
}

/// What the workers of one search share.
pub struct Shared {
    /// The transposition table.
    pub table: Arc<Table>,
    /// Stop and ponder flags.
    pub control: Arc<Control>,
    /// Nodes of each worker, written by it now and then.
    pub counters: Vec<AtomicU64>,
    /// Positions that endgame tables knew, told now and then.
    pub table_hits: AtomicU64,
    /// Nodes that may still be searched by anyone.
    budget: AtomicU64,
    /// Nodes a worker takes from the budget at a time.
    portion: u64,
}

/// The largest portion of the node budget; the clock is looked at once a portion.
const LARGEST_PORTION: u64 = 256;

impl Shared {
    /// For `threads` workers and at most `nodes` nodes.
    pub fn new(table: Arc<Table>, control: Arc<Control>, threads: usize, nodes: Option<u64>) -> Shared {
        let counters = (0..threads).map(|_| AtomicU64::new(0)).collect();
        let budget = nodes.unwrap_or(u64::MAX);
        // A small budget is shared out in small portions, so that no worker takes it all.
        let portion = (budget / (8 * threads.max(1) as u64)).clamp(1, LARGEST_PORTION);
        Shared {
            table,
            control,
            counters,
            table_hits: AtomicU64::new(0),
            budget: AtomicU64::new(budget),
            portion,
        }
    }

    /// Nodes searched by all workers, as far as they have told.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.load(Relaxed)).sum()
    }

    /// Takes a portion of the budget; zero when it is used up.
    fn take_nodes(&self) -> u64 {
        let take = |left: u64| Some(left - left.min(self.portion));
        match self.budget.fetch_update(Relaxed, Relaxed, take) {
            Ok(left) | Err(left) => left.min(self.portion),
        }
    }
}

/// A move at the root and what became of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its value in this iteration; minus infinity if it was not found best.
    pub score: Score,
    /// What that value says about the true one.
    pub bound: Bound,
    /// Its value in the iteration before.
    pub previous_score: Score,
    /// The line it begins.
    pub pv: Vec<Move>,
    /// Nodes spent below it in this search.
    pub nodes: u64,
    /// The deepest ply of its line.
    pub selective_depth: usize,
    /// Its rank by endgame tables: a higher one comes first whatever the search thinks.
    pub rank: i32,
    /// Its score by endgame tables.
    pub table_score: Option<Score>,
}

impl RootMove {
    fn new(mv: Move, ranked: Option<&RankedMove>) -> RootMove {
        RootMove {
            mv,
            rank: ranked.map_or(0, |ranked| ranked.rank),
            table_score: ranked.and_then(|ranked| ranked.score),
            score: -Score::INFINITE,
            bound: Bound::None,
            previous_score: -Score::INFINITE,
            pv: vec![mv],
            nodes: 0,
            selective_depth: 0,
        }
    }

    /// The newest value there is.
    pub fn known_score(&self) -> Score {
        if self.score == -Score::INFINITE { self.previous_score } else { self.score }
    }

    /// What the value to tell says about the true one.
    pub fn told_bound(&self) -> Bound {
        if self.table_score.is_some() { Bound::Exact } else { self.bound }
    }

    /// The value to tell: what tables are certain of, unless the search knows the very mate behind their win.
    pub fn told_score(&self) -> Score {
        match self.table_score {
            Some(score) if score.is_mate() || !self.known_score().is_mate() => score,
            _ => self.known_score(),
        }
    }
}

/// A line of search, for whoever listens.
pub struct LineReport<'a> {
    /// Depth of the iteration.
    pub depth: i32,
    /// Rank of the line, from 0.
    pub rank: usize,
    /// Value.
    pub score: Score,
    /// Kind of value.
    pub bound: Bound,
    /// The deepest ply.
    pub selective_depth: usize,
    /// The moves.
    pub pv: &'a [Move],
    /// Nodes of all workers.
    pub nodes: u64,
    /// Positions that endgame tables knew.
    pub table_hits: u64,
}

/// Listens to a search.
pub trait Reporter {
    /// A line is finished, or has left its window.
    fn line(&mut self, line: &LineReport<'_>);
    /// A root move is about to be searched.
    fn current_move(&mut self, depth: i32, mv: Move, number: usize);
    /// It is proven that there is no mate in so many moves.
    fn no_mate(&mut self, moves: u32);
    /// The search is over: this is what all workers together found, in so many nodes.
    fn finished(&mut self, outcome: &Outcome, nodes: u64);
}

/// A reporter that can travel to a worker's thread.
pub type BoxedReporter = Box<dyn Reporter + Send>;

/// Listens to nothing.
pub struct Silent;

impl Reporter for Silent {
    fn line(&mut self, _: &LineReport<'_>) {}
    fn current_move(&mut self, _: i32, _: Move, _: usize) {}
    fn no_mate(&mut self, _: u32) {}
    fn finished(&mut self, _: &Outcome, _: u64) {}
}

/// What a worker found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Root moves, best first; empty if there is no legal move.
    pub root_moves: Vec<RootMove>,
    /// The last finished depth.
    pub depth: i32,
    /// Positions that endgame tables knew, as far as it was told.
    pub table_hits: u64,
}

/// One searching mind: its own board, memories and stack.
pub struct Worker<G: Game, E: Evaluator<G>> {
    id: usize,
    game: G,
    evaluator: E,
    history: History,
    corrections: Corrections,
    stack: Stack,
    pv: PvTable,
    reductions: Reductions,
    root_moves: Vec<RootMove>,
    /// The line of a multi-line search that is being looked for.
    pv_index: usize,
    root_depth: i32,
    completed_depth: i32,
    selective_depth: usize,
    nodes: u64,
    /// Nodes left of the portion taken from the shared budget.
    portion: u64,
    stopped: bool,
    /// Null moves are forbidden up to this ply while a null-move cutoff is verified.
    nmp_min_ply: usize,
    deadline: Deadline,
    /// Enough has been thought on the opponent's time: move as soon as ours begins.
    move_on_ponder_hit: bool,
    /// Not all legal moves are searched at the root.
    restricted_root: bool,
    tables: Option<Arc<dyn EndgameTables<G>>>,
    /// Positions with more men are in no table; zero without tables.
    table_men: u32,
    /// Hits not told yet.
    table_hits: u64,
    root_knowledge: RootKnowledge,
    reporter: BoxedReporter,
}

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// A worker with empty memories.
    pub fn new(id: usize, game: G, evaluator: E) -> Worker<G, E> {
        Worker {
            id,
            game,
            evaluator,
            history: History::new::<G>(),
            corrections: Corrections::new(),
            stack: Stack::new::<G>(),
            pv: PvTable::new(),
            reductions: Reductions::new(),
            root_moves: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            selective_depth: 0,
            nodes: 0,
            portion: 0,
            stopped: false,
            nmp_min_ply: 0,
            deadline: Deadline::none(),
            move_on_ponder_hit: false,
            restricted_root: false,
            tables: None,
            table_men: 0,
            table_hits: 0,
            root_knowledge: RootKnowledge::Unknown,
            reporter: Box::new(Silent),
        }
    }

    /// A new game: forget what the last one taught.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }

    /// Searches a position alone and in silence. Returns what was found and the nodes it took.
    pub fn think(&mut self, game: &G, limits: Limits, table: &Arc<Table>) -> (Outcome, u64) {
        self.compare(game, 1, limits, table)
    }

    /// The same for the best moves, so many of them.
    pub fn compare(&mut self, game: &G, lines: usize, limits: Limits, table: &Arc<Table>) -> (Outcome, u64) {
        let shared = Shared::new(Arc::clone(table), Arc::new(Control::new()), 1, limits.nodes);
        let deadline = Deadline::new(&limits, game.side_to_move(), Duration::ZERO, Instant::now());
        let job = Job {
            game: game.clone(),
            limits,
            deadline,
            search_moves: Vec::new(),
            multipv: lines,
            tables: None,
            ranked: Vec::new(),
        };
        let (outcome, _) = self.run(&job, &shared, Box::new(Silent));
        (outcome, shared.nodes())
    }

    /// Gets ready for a job.
    fn prepare(&mut self, job: &Job<G>, shared: &Shared) {
        self.game = job.game.clone();
        self.evaluator.reset(&self.game);
        self.stack.reset::<G>();
        let wanted = |mv: &Move| job.search_moves.is_empty() || job.search_moves.contains(mv);
        let ranked = |mv: Move| job.ranked.iter().find(|ranked| ranked.mv == mv);
        self.root_moves =
            self.promising_first(shared).filter(wanted).map(|mv| RootMove::new(mv, ranked(mv))).collect();
        self.root_moves.sort_by_key(|root| std::cmp::Reverse(root.rank));
        self.take_tables(job);
        (self.pv_index, self.root_depth, self.completed_depth) = (0, 0, 0);
        (self.nodes, self.portion, self.stopped, self.nmp_min_ply) = (0, 0, false, 0);
        self.deadline = job.deadline;
        self.move_on_ponder_hit = false;
        self.restricted_root = !job.search_moves.is_empty();
        if cfg!(feature = "tune") {
            self.reductions = Reductions::new();
        }
        // Until it has been searched, a move is worth what the position is.
        let eval = if self.game.in_check() { Score::DRAW } else { self.evaluate() };
        self.root_moves.iter_mut().for_each(|root| root.previous_score = eval);
    }

    /// Gets ready to ask the tables of a job.
    fn take_tables(&mut self, job: &Job<G>) {
        self.tables = job.tables.clone();
        self.table_men = self.tables.as_ref().map_or(0, |tables| tables.most_men());
        self.table_hits = 0;
        self.root_knowledge = match self.root_moves.first() {
            Some(best) if !job.ranked.is_empty() && best.table_score == Some(Score::DRAW) => {
                RootKnowledge::Drawn
            }
            Some(_) if !job.ranked.is_empty() => RootKnowledge::Decided,
            _ => RootKnowledge::Unknown,
        };
    }

    /// The score of the position on the board by endgame tables. Costs nothing while there are more men than they know.
    #[inline(always)]
    fn table_score(&mut self, depth: i32, ply: usize) -> Option<Score> {
        if self.game.men() > self.table_men { None } else { self.ask_tables(depth, ply) }
    }

    #[inline(never)]
    fn ask_tables(&mut self, depth: i32, ply: usize) -> Option<Score> {
        let score = self.tables.as_ref()?.probe(&self.game, depth, self.root_knowledge)?;
        self.table_hits += 1;
        Some(score.from_table(ply))
    }

    /// Tells the others what this worker has counted.
    fn tell_counts(&mut self, shared: &Shared) {
        shared.counters[self.id].store(self.nodes, Relaxed);
        shared.table_hits.fetch_add(std::mem::take(&mut self.table_hits), Relaxed);
    }

    /// All moves of the root in the order any node would try them.
    fn promising_first(&self, shared: &Shared) -> impl Iterator<Item = Move> {
        let setting = Setting::new(&self.game, self.stack.continuations(0));
        let mut picker = Picker::new(self.probe(shared, 0).entry.mv, [Move::NONE; 3], setting);
        std::iter::from_fn(move || picker.next(&self.game, &self.history))
    }

    /// Counts a node and looks at the limits. False: the search is over, unwind.
    #[inline]
    fn enter_node(&mut self, shared: &Shared, ply: usize) -> bool {
        if self.portion == 0 {
            self.portion = shared.take_nodes();
            if self.portion == 0 {
                self.stopped = true;
                shared.control.stop();
                return false;
            }
            self.look_at_clock(shared);
        }
        if shared.control.is_stopped() && !self.must_go_on() {
            self.stopped = true;
            return false;
        }
        self.portion -= 1;
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        true
    }

    /// The first iteration is finished even when the stop came early, unless it is absurdly large.
    fn must_go_on(&self) -> bool {
        const FIRST_ITERATION_NODES: u64 = 4096;
        self.completed_depth == 0 && self.nodes < FIRST_ITERATION_NODES
    }

    /// Tells the node count and, on the first worker, ends the search when its time is up.
    fn look_at_clock(&mut self, shared: &Shared) {
        self.tell_counts(shared);
        if self.id == 0 {
            let hit = self.move_on_ponder_hit && !shared.control.is_pondering();
            if hit || self.deadline.hard_passed(&*shared.control) {
                shared.control.stop();
            }
        }
    }

    /// Fetches what the table knows about the position after a move, which may be made soon: memory is slow.
    #[inline(always)]
    fn prefetch(&self, shared: &Shared, mv: Move, view: &MoveView) {
        let clock = if view.tactical { 0 } else { self.game.halfmove_clock() + 1 };
        shared.table.prefetch(self.game.key_after(mv) ^ clock_key(clock));
    }

    /// Makes a move on board, evaluator and stack.
    #[inline]
    fn make(&mut self, mv: Move, view: &MoveView, ply: usize) {
        let frame = self.stack.at_mut(ply);
        frame.mv = mv;
        frame.view = Some(*view);
        frame.continuation = continuation_index::<G>(view);
        if E::NEEDS_CHANGES {
            self.evaluator.make(&self.game.changes(mv));
        }
        self.game.make(mv);
    }

    #[inline]
    fn unmake(&mut self) {
        self.game.unmake();
        if E::NEEDS_CHANGES {
            self.evaluator.unmake();
        }
    }

    fn make_null(&mut self, shared: &Shared, ply: usize) {
        shared.table.prefetch(self.game.key_after_null() ^ clock_key(self.game.halfmove_clock() + 1));
        let doubles = self.stack.at(ply).double_extensions;
        self.stack.at_mut(ply + 1).double_extensions = doubles;
        let frame = self.stack.at_mut(ply);
        frame.mv = Move::NONE;
        frame.view = None;
        frame.continuation = no_continuation::<G>();
        if E::NEEDS_CHANGES {
            self.evaluator.make(&crate::game::Changes::default());
        }
        self.game.make_null();
    }

    fn unmake_null(&mut self) {
        self.game.unmake_null();
        if E::NEEDS_CHANGES {
            self.evaluator.unmake();
        }
    }

    /// What the table knows about the position on the board, with a legal move or none.
    #[inline]
    fn probe(&self, shared: &Shared, ply: usize) -> Probe {
        match shared.table.probe(table_key(&self.game)) {
            None => Probe::MISS,
            Some(entry) => {
                let mv =
                    if entry.mv.is_some() && self.game.is_legal(entry.mv) { entry.mv } else { Move::NONE };
                let trusted = self.is_within_fifty_moves(entry.score);
                let score = if trusted { entry.score.from_table(ply) } else { Score::NONE };
                let bound = if trusted { entry.bound } else { Bound::None };
                Probe { hit: true, entry: Entry { mv, score, bound, ..entry } }
            }
        }
    }

    /// A stored mate is worth nothing if the fifty-move rule ends the game before it.
    fn is_within_fifty_moves(&self, score_from_node: Score) -> bool {
        match score_from_node.plies_to_mate() {
            Some(plies) => plies + self.game.halfmove_clock() as i32 <= 100,
            None => true,
        }
    }

    /// Stores what a node found out.
    fn store(&self, shared: &Shared, ply: usize, entry: Entry) {
        shared.table.store(table_key(&self.game), Entry { score: entry.score.to_table(ply), ..entry });
    }

    /// The evaluation of the position on the board, which is not in check.
    fn evaluate(&mut self) -> Score {
        let raw = self.evaluator.evaluate(&self.game);
        faded(raw, self.game.halfmove_clock())
    }

    /// The evaluator's value, which the table may keep whatever the clock says, and the same faded and corrected by
    /// experience, which is what the search goes by. `known` is the evaluator's value from the table, if it is there.
    #[inline]
    fn corrected_eval(&mut self, known: Score, ply: usize) -> (Score, Score) {
        let raw = if known != Score::NONE { known } else { self.evaluator.evaluate(&self.game) };
        let faded = faded(raw, self.game.halfmove_clock());
        // Where chance decides, a surprise says little about the evaluation.
        if self.game.has_chance() {
            return (raw, faded);
        }
        (raw, (faded + self.corrections.value(&self.correction_place(ply))).clamp_eval())
    }

    /// Where errors of the evaluation of the position on the board are remembered.
    #[inline]
    fn correction_place(&self, ply: usize) -> correct::Place {
        let last = [1, 2].map(|plies| self.stack.back(ply, plies).continuation);
        Corrections::place(&self.game, last)
    }

    /// Whether the stack has no room for another ply.
    fn is_too_deep(ply: usize) -> bool {
        ply >= MAX_PLY - 2
    }
}

/// The key under which the table knows a position. What was found early in a series of quiet moves is not what is true
/// late in it: values fade and draws come near, and a side that trusted the old values would walk in circles.
pub fn table_key<G: Game>(game: &G) -> u64 {
    game.key() ^ clock_key(game.halfmove_clock())
}

/// The part of the key that stands for the clock: nothing at first, then another number every few plies.
#[inline]
fn clock_key(clock: u32) -> u64 {
    const FIRST: u32 = 14;
    const STEP: u32 = 8;
    match clock.checked_sub(FIRST) {
        None => 0,
        Some(late) => u64::from(late / STEP + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15),
    }
}

/// What a node's best value says about its true one. Only a node with an open window can know it exactly.
fn bound_of<const PV: bool>(best: Score, alpha: Score, beta: Score) -> Bound {
    if best >= beta {
        Bound::Lower
    } else if PV && best > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// The result of a table probe; a miss has no move, no score and no evaluation.
#[derive(Clone, Copy)]
struct Probe {
    hit: bool,
    entry: Entry,
}

impl Probe {
    const MISS: Probe = Probe {
        hit: false,
        entry: Entry {
            mv: Move::NONE,
            score: Score::NONE,
            eval: Score::NONE,
            depth: i32::MIN / 2,
            bound: Bound::None,
            pv: false,
        },
    };

    /// A score that settles the question whether the value is at least `beta` or at most `alpha`.
    #[inline]
    fn cutoff(&self, alpha: Score, beta: Score) -> Option<Score> {
        let Entry { score, bound, .. } = self.entry;
        let settles = bound.is_lower() && score >= beta || bound.is_upper() && score <= alpha;
        settles.then_some(score)
    }

    /// A better guess at the value than the static evaluation, where the stored bound allows it.
    #[inline]
    fn refine(&self, eval: Score) -> Score {
        let Entry { score, bound, .. } = self.entry;
        let better = bound.is_lower() && score > eval || bound.is_upper() && score < eval;
        if better && !score.is_proven() { score } else { eval }
    }
}
