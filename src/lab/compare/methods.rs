//! The search methods that are compared, from the textbook to the engine, each as short as it can be.
//!
//! Minimax, alpha-beta and principal variation search value a position alike; they differ in how little they need to
//! look at. With quiescence the value is another one: captures are played out before a position is judged. The full
//! search is the engine's. `mod.rs` runs them side by side.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::{Error, Move, MoveList, Score};
use crate::chess::Position;
use crate::eval::Classical;
use crate::game::{Evaluator, Game, Stage};
use crate::search::Worker;
use crate::time::Limits;
use crate::tt::Table;

/// A search method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every move, every answer.
    Minimax,
    /// The same without lines that cannot change the result.
    AlphaBeta,
    /// Depth by depth, the best move of the last depth first, all others only asked whether they are better.
    PrincipalVariation,
    /// The same with captures played out at the leaves.
    WithQuiescence,
    /// The engine with everything it has.
    Full,
}

impl Method {
    /// All, the simplest first.
    pub const ALL: [Method; 5] = [
        Method::Minimax,
        Method::AlphaBeta,
        Method::PrincipalVariation,
        Method::WithQuiescence,
        Method::Full,
    ];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Method::Minimax => "minimax",
            Method::AlphaBeta => "alpha-beta",
            Method::PrincipalVariation => "PVS, deepening",
            Method::WithQuiescence => "PVS, quiescence",
            Method::Full => "full search",
        }
    }
}

/// What a search has found and what it took.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// The value for the side to move.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// The best move, if the method names one and there is one.
    pub best: Move,
}

/// Runs the methods; keeps the memory of the engine's search.
pub struct Bench {
    plain: Plain,
    worker: Worker<Position, Classical>,
    table: Arc<Table>,
}

/// Megabytes for the engine's table.
const TABLE_MB: usize = 16;

impl Bench {
    /// Fails if there is no memory for the table.
    pub fn new() -> Result<Bench, Error> {
        let worker = Worker::new(0, Position::start(), Classical::new());
        Ok(Bench { plain: Plain::new(), worker, table: Arc::new(Table::with_megabytes(TABLE_MB)?) })
    }

    /// Forgets all searches before; [`Bench::search`] begins with what was left.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.worker.clear();
    }

    /// Searches a position to a depth.
    pub fn search(&mut self, method: Method, position: &Position, depth: u32) -> Finding {
        if method == Method::Full {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let (outcome, nodes) = self.worker.think(position, limits, &self.table);
            let best = outcome.root_moves.first();
            return Finding {
                score: best.map_or_else(|| position.no_moves_score(0), |root| root.known_score()),
                nodes,
                best: best.map_or(Move::NONE, |root| root.mv),
            };
        }
        self.plain.search(method, position, depth)
    }
}

/// The textbook methods.
struct Plain {
    game: Position,
    evaluator: Classical,
    /// The best moves of the iteration before.
    best_moves: HashMap<u64, Move>,
    quiescence: bool,
    nodes: u64,
}

impl Plain {
    fn new() -> Plain {
        Plain {
            game: Position::start(),
            evaluator: Classical::new(),
            best_moves: HashMap::new(),
            quiescence: false,
            nodes: 0,
        }
    }

    fn search(&mut self, method: Method, position: &Position, depth: u32) -> Finding {
        self.game = position.clone();
        self.nodes = 0;
        self.best_moves.clear();
        self.quiescence = method == Method::WithQuiescence;
        let (low, high) = (-Score::INFINITE, Score::INFINITE);
        let score = match method {
            Method::Minimax => self.minimax(depth, 0),
            Method::AlphaBeta => self.alpha_beta(depth, 0, low, high),
            _ => (1..=depth).fold(Score::DRAW, |_, depth| self.principal_variation(depth, 0, low, high)),
        };
        let best = self.best_moves.get(&position.key()).copied().unwrap_or(Move::NONE);
        Finding { score, nodes: self.nodes, best }
    }

    /// Counts a node; the value if the game or the search ends here.
    fn enter(&mut self, depth: u32, ply: usize) -> Option<Score> {
        self.nodes += 1;
        if ply > 0 && self.game.is_draw(ply) {
            return Some(Score::DRAW);
        }
        if !self.game.has_legal_move() {
            return Some(self.game.no_moves_score(ply));
        }
        (depth == 0 && !self.quiescence).then(|| self.evaluator.evaluate(&self.game))
    }

    fn minimax(&mut self, depth: u32, ply: usize) -> Score {
        if let Some(score) = self.enter(depth, ply) {
            return score;
        }
        let mut best = -Score::INFINITE;
        for mv in self.game.legal_moves() {
            self.game.make(mv);
            best = best.max(-self.minimax(depth - 1, ply + 1));
            self.game.unmake();
        }
        best
    }

    fn alpha_beta(&mut self, depth: u32, ply: usize, mut alpha: Score, beta: Score) -> Score {
        if let Some(score) = self.enter(depth, ply) {
            return score;
        }
        let mut best = -Score::INFINITE;
        for mv in self.ordered(Stage::All) {
            self.game.make(mv);
            let score = -self.alpha_beta(depth - 1, ply + 1, -beta, -alpha);
            self.game.unmake();
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn principal_variation(&mut self, depth: u32, ply: usize, mut alpha: Score, beta: Score) -> Score {
        if depth == 0 && self.quiescence {
            return self.quiesce(ply, alpha, beta);
        }
        if let Some(score) = self.enter(depth, ply) {
            return score;
        }
        let key = self.game.key();
        let mut best = -Score::INFINITE;
        for (index, mv) in self.ordered(Stage::All).into_iter().enumerate() {
            self.game.make(mv);
            let mut score = Score::DRAW;
            // All moves but the first are only asked whether they are better; if one is, it is searched again.
            let asked = index > 0;
            if asked {
                score = -self.principal_variation(depth - 1, ply + 1, -alpha - 1, -alpha);
            }
            if !asked || score > alpha && score < beta {
                score = -self.principal_variation(depth - 1, ply + 1, -beta, -alpha);
            }
            self.game.unmake();
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.best_moves.insert(key, mv);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Plays captures out; in check, every move.
    fn quiesce(&mut self, ply: usize, mut alpha: Score, beta: Score) -> Score {
        if let Some(score) = self.enter(0, ply) {
            return score;
        }
        let in_check = self.game.in_check();
        let mut best = if in_check { -Score::INFINITE } else { self.evaluator.evaluate(&self.game) };
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
        for mv in self.ordered(if in_check { Stage::All } else { Stage::Tactical }) {
            self.game.make(mv);
            let score = -self.quiesce(ply + 1, -beta, -alpha);
            self.game.unmake();
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The moves of a stage: the best one of the iteration before, then by what they win.
    fn ordered(&self, stage: Stage) -> MoveList {
        let mut list = MoveList::new();
        self.game.generate(stage, &mut list);
        let first = self.best_moves.get(&self.game.key()).copied().unwrap_or(Move::NONE);
        list.sort_by_key(|&mv| (mv != first, std::cmp::Reverse(self.game.view(mv).gain)));
        list
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;

    /// Openings, middlegames, endings, mates and stalemates near, checks, promotions.
    const POSITIONS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
        "7k/5Q2/8/6K1/8/8/8/8 b - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/8/8/5k2/8/4p1K1/8 w - - 4 60",
    ];

    #[test]
    fn methods_that_must_agree_do() {
        let mut bench = Bench::new().expect("memory for the table");
        for fen in POSITIONS {
            let position = Position::from_fen(fen).expect("a good FEN");
            for depth in 1..=3 {
                let [minimax, alpha_beta, principal] =
                    [Method::Minimax, Method::AlphaBeta, Method::PrincipalVariation]
                        .map(|method| bench.search(method, &position, depth));
                assert_eq!(minimax.score, alpha_beta.score, "{fen} at depth {depth}");
                assert_eq!(minimax.score, principal.score, "{fen} at depth {depth}");
                assert!(alpha_beta.nodes <= minimax.nodes, "{fen} at depth {depth}");
            }
        }
    }

    /// Minimax over quiescence without any window: what principal variation search with quiescence must find.
    fn plain_quiescence(plain: &mut Plain, depth: u32, ply: usize) -> Score {
        if depth == 0 {
            return plain.quiesce(ply, -Score::INFINITE, Score::INFINITE);
        }
        if let Some(score) = plain.enter(depth, ply) {
            return score;
        }
        let mut best = -Score::INFINITE;
        for mv in plain.game.legal_moves() {
            plain.game.make(mv);
            best = best.max(-plain_quiescence(plain, depth - 1, ply + 1));
            plain.game.unmake();
        }
        best
    }

    #[test]
    fn quiescence_agrees_with_minimax_over_quiescence() {
        let mut plain = Plain::new();
        for fen in POSITIONS {
            let position = Position::from_fen(fen).expect("a good FEN");
            for depth in 1..=2 {
                let found = plain.search(Method::WithQuiescence, &position, depth).score;
                plain.game = position.clone();
                plain.best_moves.clear();
                assert_eq!(found, plain_quiescence(&mut plain, depth, 0), "{fen} at depth {depth}");
            }
        }
    }

    #[test]
    fn a_mate_in_one_is_found_by_all() {
        let mut bench = Bench::new().expect("memory for the table");
        let position = Position::from_fen(POSITIONS[5]).expect("a good FEN");
        for method in Method::ALL {
            assert_eq!(bench.search(method, &position, 2).score, Score::mate_in(1), "{method:?}");
        }
    }
}
