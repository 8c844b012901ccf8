//! Games of chance: the search weighs what may happen as brute force does, and reckoning with the Behemoth pays.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::{Color, Move, MoveList, Score};
use rosada::eval::Fairy;
use rosada::fairy::{Outcome, Position, behemoth, variants};
use rosada::game::{Changes, Evaluator, Game, MoveView, Stage};
use rosada::search::Worker;
use rosada::time::Limits;
use rosada::tt::Table;

/// A random tree: moves and chance take turns, and what the leaves are worth follows from the way to them.
#[derive(Clone)]
struct Toy {
    seed: u64,
    path: Vec<u64>,
    plies: usize,
    chance_is_due: bool,
}

const MOVES: u16 = 4;
const CHANCES: usize = 5;
const PLIES: usize = 3;

impl Toy {
    fn hash(&self) -> u64 {
        self.path.iter().fold(self.seed, |hash, step| {
            (hash ^ step).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23) ^ hash >> 7
        })
    }

    /// The exact value for the side to move, every branch looked at.
    fn brute_force(&mut self) -> i32 {
        if self.chances() > 0 {
            let mut sum = 0;
            for outcome in 0..CHANCES {
                self.make_chance(outcome);
                sum += self.brute_force();
                self.unmake_chance();
            }
            return (f64::from(sum) / CHANCES as f64).round() as i32;
        }
        if let Some(score) = self.decided(0) {
            return score.value();
        }
        let mut best = i32::MIN;
        for bits in 1..=MOVES {
            self.make(Move::from_bits(bits));
            best = best.max(-self.brute_force());
            self.unmake();
        }
        best
    }
}

impl Game for Toy {
    const PIECES: usize = 1;
    const SQUARES: usize = 8;

    fn side_to_move(&self) -> Color {
        Color::from_bool(self.plies.is_multiple_of(2))
    }
    fn key(&self) -> u64 {
        self.hash()
    }
    fn key_after(&self, _: Move) -> u64 {
        0
    }
    fn pawn_key(&self) -> u64 {
        0
    }
    fn non_pawn_key(&self, _: Color) -> u64 {
        0
    }
    /// In check nothing is left to an evaluation.
    fn in_check(&self) -> bool {
        true
    }
    fn has_pieces(&self, _: Color) -> bool {
        false
    }
    fn attacked(&self) -> u128 {
        0
    }
    fn halfmove_clock(&self) -> u32 {
        0
    }
    fn generate(&self, stage: Stage, list: &mut MoveList) {
        if stage != Stage::Quiet {
            list.extend((1..=MOVES).map(Move::from_bits));
        }
    }
    fn is_legal(&self, mv: Move) -> bool {
        (1..=MOVES).contains(&mv.bits())
    }
    fn view(&self, mv: Move) -> MoveView {
        MoveView { piece: 0, from: 0, to: mv.bits() as u8, victim: Some(0), tactical: true, gain: 100 }
    }
    fn is_tactical(&self, _: Move) -> bool {
        true
    }
    fn gives_check(&self, _: Move) -> bool {
        true
    }
    fn see_at_least(&self, _: Move, _: i32) -> bool {
        true
    }
    fn changes(&self, _: Move) -> Changes {
        Changes::default()
    }
    fn is_draw(&self, _: usize) -> bool {
        false
    }
    fn can_repeat(&self, _: usize) -> bool {
        false
    }
    fn no_moves_score(&self, _: usize) -> Score {
        Score::DRAW
    }
    fn decided(&self, _: usize) -> Option<Score> {
        let value = self.hash() % 4001;
        (self.plies == PLIES).then(|| Score::new(value as i32 - 2000))
    }
    fn has_chance(&self) -> bool {
        true
    }
    fn chances(&self) -> usize {
        if self.chance_is_due { CHANCES } else { 0 }
    }
    fn make_chance(&mut self, outcome: usize) {
        self.path.push(100 + outcome as u64);
        self.chance_is_due = false;
    }
    fn unmake_chance(&mut self) {
        self.path.pop();
        self.chance_is_due = true;
    }
    fn make(&mut self, mv: Move) {
        self.path.push(u64::from(mv.bits()));
        self.plies += 1;
        self.chance_is_due = self.plies < PLIES;
    }
    fn unmake(&mut self) {
        self.path.pop();
        self.plies -= 1;
        // A quiescence search moves on without waiting for chance.
        self.chance_is_due = self.path.last().is_some_and(|&step| step < 100);
    }
    fn make_null(&mut self) {}
    fn unmake_null(&mut self) {}
}

struct NoEvaluation;

impl Evaluator<Toy> for NoEvaluation {
    const NEEDS_CHANGES: bool = false;
    fn reset(&mut self, _: &Toy) {}
    fn make(&mut self, _: &Changes) {}
    fn unmake(&mut self) {}
    fn evaluate(&mut self, _: &Toy) -> Score {
        Score::DRAW
    }
}

fn table() -> Arc<Table> {
    Arc::new(Table::with_megabytes(4).expect("memory"))
}

#[test]
fn expected_values_equal_brute_force() {
    let table = table();
    let mut searched = 0;
    for seed in 0..60 {
        let mut game = Toy { seed, path: Vec::new(), plies: 0, chance_is_due: false };
        let exact = game.brute_force();
        table.clear(1);
        let mut worker = Worker::new(0, game.clone(), NoEvaluation);
        let limits = Limits { depth: Some(PLIES as u32 + 2), ..Limits::default() };
        let (outcome, nodes) = worker.think(&game, limits, &table);
        let found = outcome.root_moves[0].known_score().value();
        // Averages are rounded on the way.
        assert!((found - exact).abs() <= 3, "tree {seed}: {found}, exact {exact}");
        searched += nodes;
    }
    // Five iterations over trees of some 8,000 nodes each would be 40,000 a tree.
    assert!(searched < 60 * 30_000, "{searched} nodes: little was spared");
}

/// The worth of a position by looking at every move and every raid, `plies` deep, with kings and material alone.
fn king_odds(position: &Position, plies: u32) -> f64 {
    match position.outcome() {
        Some(Outcome::KingLost(color)) => return if color == position.side_to_move() { -1.0 } else { 1.0 },
        Some(_) => return 0.0,
        None if plies == 0 => return 0.0,
        None => {}
    }
    let mut best = -1.0f64;
    for mv in position.legal_moves() {
        let mut moved = position.clone();
        moved.make(mv);
        let value = if moved.outcome().is_some() {
            -king_odds(&moved, 0)
        } else {
            let after = |outcome| {
                let mut after = moved.clone();
                after.raid(outcome);
                -king_odds(&after, plies - 1)
            };
            (0..behemoth::OUTCOMES).map(after).sum::<f64>() / behemoth::OUTCOMES as f64
        };
        best = best.max(value);
    }
    best
}

/// Kings that can run from the Behemoth do, to a square where the odds are best.
#[test]
fn kings_run_from_the_behemoth() {
    let rules = variants::find("behemoth").expect("the variant");
    let mut worker = Worker::new(0, Position::start(rules), Fairy::new());
    let table = table();
    for fen in [
        "7k/8/8/8/8/3*4/8/4K3 w - - 0 1",
        "7k/8/8/8/8/8/2*5/K7 w - - 0 1",
        "k7/8/8/4*3/8/8/8/4K2R b - - 0 1",
        "6k1/8/6*1/8/8/8/8/1K4R1 b - - 0 1",
    ] {
        let position = Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        table.clear(1);
        worker.clear();
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let (outcome, _) = worker.think(&position, limits, &table);
        let mut chosen = position.clone();
        chosen.make(outcome.root_moves[0].mv);
        let odds = |position: &Position| -> f64 {
            let after = |outcome| {
                let mut after = position.clone();
                after.raid(outcome);
                -king_odds(&after, 0)
            };
            (0..behemoth::OUTCOMES).map(after).sum::<f64>() / behemoth::OUTCOMES as f64
        };
        let best = king_odds(&position, 1);
        assert!(odds(&chosen) >= best - 1.0 / 32.0 - 1e-9, "{fen}: {} of {best}", odds(&chosen));
    }
}

/// The score of a player that reckons with the Behemoth against one that does not, both at the same depth.
fn match_against_the_blind(games: u64, depth: u32) -> f64 {
    let rules = variants::find("behemoth").expect("the variant");
    let mut players = [(); 2].map(|()| Worker::new(0, Position::start(rules), Fairy::new()));
    let tables = [table(), table()];
    let mut score = 0.0;
    for game in 0..games {
        let mut random = StdRng::seed_from_u64(game / 2);
        let mut position = Position::start(rules);
        players.iter_mut().for_each(|player| player.clear());
        tables.iter().for_each(|table| table.clear(1));
        let aware = Color::from_bool(game % 2 == 0);
        let ending = loop {
            if let Some(ending) = position.outcome() {
                break ending;
            }
            let blind = usize::from(position.side_to_move() != aware);
            let mut view = position.clone();
            if blind == 1 {
                view.ignore_behemoth();
            }
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let (outcome, _) = players[blind].think(&view, limits, &tables[blind]);
            position.make(outcome.root_moves[0].mv);
            position.forget_undo();
            if position.outcome().is_none() {
                position.raid(random.random_range(0..behemoth::OUTCOMES));
            }
        };
        score += match ending {
            Outcome::KingLost(color) => f64::from(u8::from(color != aware)),
            _ => 0.5,
        };
    }
    score / games as f64
}

#[test]
fn reckoning_with_the_behemoth_does_not_hurt() {
    // Twenty games prove little, but a player that runs into the Behemoth would score far less.
    let score = match_against_the_blind(20, 1);
    assert!(score >= 0.4, "{score}");
}

#[test]
#[ignore = "100 games at depth 2: several minutes"]
fn reckoning_with_the_behemoth_pays() {
    let score = match_against_the_blind(100, 2);
    eprintln!("against a player that ignores the Behemoth, 100 games at depth 2: {:.1} %", 100.0 * score);
    assert!(score > 0.5, "{score}");
}
