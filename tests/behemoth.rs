//! Games of chance: the search weighs what may happen as brute force does, and reckoning with the Behemoth pays.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::{Color, Move, MoveList, Score};
use rosada::eval::Fairy;
use rosada::fairy::{Outcome, Position, behemoth, variants};
use rosada::game::{Chance, ChanceList, Changes, Evaluator, Game, MoveView, Odds, SelfPlay, Stage};
use rosada::search::{Worker, chance_key, params, table_key};
use rosada::time::Limits;
use rosada::tt::Table;

/// A random tree: moves and chance take turns, and what the leaves are worth follows from the way to them. Some outcomes
/// of chance are the same, and some end the game.
#[derive(Clone)]
struct Toy {
    seed: u64,
    path: Vec<u64>,
    plies: usize,
    chance_is_due: bool,
}

const MOVES: u16 = 4;
const CHANCES: usize = 8;
/// How many of the outcomes are different: the first three come twice.
const KINDS: usize = 5;
const PLIES: usize = 3;

impl Toy {
    fn hash(&self) -> u64 {
        self.path.iter().fold(self.seed, |hash, step| {
            (hash ^ step).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23) ^ hash >> 7
        })
    }

    /// The value of the game if chance has just ended it.
    fn sudden_end(&self) -> Option<Score> {
        let ends = self.path.last() == Some(&103) && self.hash().is_multiple_of(3);
        ends.then(|| if self.hash() & 8 == 0 { Score::mate_in(0) } else { Score::mated_in(0) })
    }

    /// The exact value for the side to move, every branch looked at.
    fn brute_force(&mut self) -> i32 {
        if self.chance_is_due {
            let mut sum = 0;
            for outcome in 0..CHANCES {
                self.make_chance(outcome);
                sum += match self.sudden_end() {
                    Some(score) => params::chance_win() * score.value().signum(),
                    None => self.brute_force(),
                };
                self.unmake_chance();
            }
            return (f64::from(sum) / CHANCES as f64 + 0.5).floor() as i32;
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

    fn key_after_null(&self) -> u64 {
        self.key()
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
    fn chance_is_due(&self) -> bool {
        self.chance_is_due
    }
    fn chances(&self) -> ChanceList {
        let mut after = self.clone();
        let chance = |outcome: usize| {
            after.make_chance(outcome);
            let (key, decided) = (after.hash(), after.sudden_end());
            after.unmake_chance();
            let weight = 1 + i32::from(outcome + KINDS < CHANCES);
            Chance { outcome, weight, key, halfmove_clock: 0, gain: 0, decided }
        };
        (0..KINDS).map(chance).collect()
    }
    fn make_chance(&mut self, outcome: usize) {
        self.path.push(100 + (outcome % KINDS) as u64);
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
        assert_eq!(found, exact, "tree {seed}");
        searched += nodes;
    }
    // Without looking at the same outcome twice, trees have some 1,700 nodes, which five iterations pass through.
    assert!(searched < 60 * 5 * 1_700, "{searched} nodes: little was spared");
}

/// Positions with everything that a raid may hit: kings, rights, pawns that can be captured en passant.
fn positions() -> Vec<Position> {
    let rules = variants::find("behemoth").expect("the variant");
    let mut positions: Vec<Position> = [
        "rnbqkbnr/pppp1ppp/8/8/3*p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/3*4/8/8/R3K2R w KQkq - 30 40",
        "4k3/8/8/3p*3/8/8/2P5/4K3 w - - 0 1",
        "8/8/2*k4/3K4/8/8/8/8 b - - 7 60",
    ]
    .map(|fen| Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
    .into();
    let mut random = StdRng::seed_from_u64(7);
    let mut game = Position::start(rules);
    while positions.len() < 30 {
        if game.outcome().is_some() {
            game = Position::start(rules);
        }
        positions.push(game.clone());
        let moves = game.legal_moves();
        game.make(moves[random.random_range(0..moves.len())]);
        game.forget_undo();
        game.raid(random.random_range(0..behemoth::OUTCOMES));
    }
    positions
}

/// What the side to move has more than the other, kings apart.
fn material(position: &Position) -> i32 {
    let worth = |piece: char| match piece.to_ascii_lowercase() {
        'p' => 100,
        'n' => 300,
        'b' => 330,
        'r' => 500,
        'q' => 950,
        _ => 0,
    };
    let sum =
        position.fen().split(' ').next().expect("a board").chars().fold(0, |sum, piece| {
            sum + if piece.is_ascii_uppercase() { worth(piece) } else { -worth(piece) }
        });
    if position.side_to_move().is_white() { sum } else { -sum }
}

/// Visits every raid after every move of every position.
fn for_all_raids(mut visit: impl FnMut(&Position, &[Position])) {
    for mut position in positions() {
        for mv in position.legal_moves() {
            Game::make(&mut position, mv);
            if position.chance_is_due() {
                let after = |outcome| {
                    let mut after = position.clone();
                    after.make_chance(outcome);
                    after
                };
                visit(&position, &(0..behemoth::OUTCOMES).map(after).collect::<Vec<_>>());
            }
            Game::unmake(&mut position);
        }
    }
}

/// What is told about raids before they happen is what happens, and those told as one do the same.
#[test]
fn raids_are_foreseen() {
    let mut merged = 0;
    for_all_raids(|position, raids| {
        let chances = position.chances();
        merged += behemoth::OUTCOMES - chances.len();
        assert_eq!(chances.iter().map(|chance| chance.weight).sum::<i32>(), raids.len() as i32, "{position}");
        for chance in &chances {
            let after = &raids[chance.outcome];
            assert_eq!(chance.key, after.key(), "{position}: {}", behemoth::text(chance.outcome));
            assert_eq!(chance.halfmove_clock, after.halfmove_clock());
            assert_eq!(chance.decided, after.decided(0));
            if chance.decided.is_none() {
                assert_eq!(chance.gain, material(after) - material(position));
            }
            let same = raids.iter().filter(|raid| raid.board() == after.board()).count();
            assert_eq!(same as i32, chance.weight, "{position}: {}", behemoth::text(chance.outcome));
        }
    });
    assert!(merged > 100, "{merged}");
}

/// What raids do on the whole is what they do one by one.
#[test]
fn odds_equal_brute_force() {
    let mut lost = 0;
    for_all_raids(|position, raids| {
        let mut odds = Odds { all: raids.len() as i32, goes_on: 0, wins: 0, gain: 0 };
        for after in raids {
            match after.decided(0) {
                Some(score) => odds.wins += score.value().signum(),
                None => {
                    odds.goes_on += 1;
                    odds.gain += material(after) - material(position);
                }
            }
        }
        lost += odds.all - odds.goes_on;
        assert_eq!(position.odds(), odds, "{position}");
    });
    assert!(lost > 1000, "{lost}");
}

/// Counts men and nothing else.
struct Material;

impl Evaluator<Position> for Material {
    const NEEDS_CHANGES: bool = false;
    fn reset(&mut self, _: &Position) {}
    fn make(&mut self, _: &Changes) {}
    fn unmake(&mut self) {}
    fn evaluate(&mut self, position: &Position) -> Score {
        Score::new(material(position))
    }
}

/// Where nothing can be captured, a move is worth the men and the kings that the raids after it leave. Both sides have
/// the same men: nothing fades.
#[test]
fn leaves_are_worth_what_raids_leave() {
    let rules = variants::find("behemoth").expect("the variant");
    let mut worker = Worker::new(0, Position::start(rules), Material);
    for fen in [
        "7k/8/8/8/8/3*4/8/4K3 w - - 0 1",
        "4k2n/8/4*3/8/8/2K5/8/N7 w - - 0 1",
        "k6n/1p6/8/2p1*3/8/8/1PP5/4K2N b - - 0 1",
    ] {
        let position = Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let value_of = |mv| {
            let mut moved = position.clone();
            moved.make(mv);
            let after = |outcome| {
                let mut after = moved.clone();
                after.raid(outcome);
                after.decided(0).map_or(material(&after), |end| params::chance_win() * end.value().signum())
            };
            let sum: i32 = (0..behemoth::OUTCOMES).map(after).sum();
            -(f64::from(sum) / behemoth::OUTCOMES as f64 + 0.5).floor() as i32
        };
        let best = position.legal_moves().into_iter().map(value_of).max().expect("a move");
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let (outcome, _) = worker.think(&position, limits, &table());
        assert_eq!(outcome.root_moves[0].known_score().value(), best, "{fen}");
    }
}

/// What quiescence stores about the board as it is must not be taken for an average over raids, nor the other way
/// round.
#[test]
fn averages_are_stored_apart() {
    let rules = variants::find("behemoth").expect("the variant");
    let position = Position::start(rules);
    let table = table();
    let mut worker = Worker::new(0, position.clone(), Fairy::new());
    worker.think(&position, Limits { depth: Some(2), ..Limits::default() }, &table);
    let (mut averages, mut leaves) = (0, 0);
    for mv in position.legal_moves() {
        let mut moved = position.clone();
        Game::make(&mut moved, mv);
        assert_ne!(chance_key(&moved), table_key(&moved));
        averages += i32::from(table.probe(chance_key(&moved)).is_some_and(|entry| entry.depth == 1));
        if let Some(entry) = table.probe(table_key(&moved)) {
            assert_eq!(entry.depth, 0);
            leaves += 1;
        }
    }
    assert!(averages > 0 && leaves > 0, "{averages} averages, {leaves} leaves");
}

/// Plays a move and throws the die for the Behemoth, which moves unless a king was captured: draws are judged after it.
fn play_and_raid(position: &mut Position, mv: Move, random: &mut StdRng) {
    position.play(mv);
    if position.strikes() > 0 {
        position.raid(random.random_range(0..behemoth::OUTCOMES));
    }
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
        let value = if moved.strikes() == 0 {
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

/// The hundredth ply without a capture draws only if the raid after it takes nothing.
#[test]
fn draws_are_judged_after_the_raid() {
    let rules = variants::find("behemoth").expect("the variant");
    let position = Position::from_fen(rules, "7k/6*1/8/8/8/8/8/K7 w - - 99 80").expect("a position");
    // Four of the 32 raids take the black king alone, and on b1 no raid takes the white one.
    assert_eq!(king_odds(&position, 1), 4.0 / 32.0);
    let mut moved = position.clone();
    play_and_raid(&mut moved, position.parse_uci("a1b1").expect("a move"), &mut StdRng::seed_from_u64(1));
    assert_ne!(moved.board().behemoth(rules), position.board().behemoth(rules));
    let mut won = Position::from_fen(rules, "4k3/8/8/8/8/8/3*4/4RK2 w - - 0 1").expect("a position");
    let before = won.board().behemoth(rules);
    let capture = won.parse_uci("e1e8").expect("a move");
    play_and_raid(&mut won, capture, &mut StdRng::seed_from_u64(1));
    assert_eq!(won.board().behemoth(rules), before);
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
            play_and_raid(&mut position, outcome.root_moves[0].mv, &mut random);
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
