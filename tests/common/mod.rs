//! What several test files share: the data folder beside the repository, random play, start positions.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod gui;

use std::io::Write;

use rand::Rng;
use rosada::base::Move;
use rosada::chess::Position;

/// The text of a file in the shared data folder. Says so loudly when it is not there: the data is not part of the
/// repository.
pub fn shared_data(name: &str) -> Option<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            // Written past the test harness, which would swallow it.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {}: {error}", path.display());
            None
        }
    }
}

/// The lines of a file in the shared data folder without comments and blank lines; none if it is missing.
pub fn shared_lines(name: &str) -> Vec<String> {
    let text = shared_data(name).unwrap_or_default();
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(String::from).collect()
}

/// Runs `check` for every item on all processors; a panic in one fails the test.
pub fn for_each_in_parallel<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    check(item);
                }
            });
        }
    });
}

/// A random Chess960 start position, the same for both sides or, half the time, another for each.
pub fn random_chess960_start(random: &mut impl Rng) -> Position {
    let white = random_back_rank(random);
    let black = if random.random() { random_back_rank(random) } else { white.clone() };
    let rooks = |rank: &str| -> String {
        let files =
            (0u8..).zip(rank.chars()).filter(|&(_, c)| c == 'R').map(|(file, _)| (b'A' + file) as char);
        files.collect::<Vec<_>>().into_iter().rev().collect()
    };
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {}{} - 0 1",
        black.to_lowercase(),
        rooks(&white),
        rooks(&black).to_lowercase()
    );
    let mut position = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    position.set_chess960(true);
    position
}

/// Bishops on both colors, the king between the rooks, the rest anywhere.
fn random_back_rank(random: &mut impl Rng) -> String {
    let mut rank = [' '; 8];
    rank[random.random_range(0..4) * 2] = 'B';
    rank[random.random_range(0..4) * 2 + 1] = 'B';
    let mut place = |piece, choices: usize| {
        let free: Vec<usize> = (0..8).filter(|&file| rank[file] == ' ').collect();
        let file = free[if choices == 1 { 0 } else { random.random_range(0..choices) }];
        rank[file] = piece;
    };
    place('Q', 6);
    place('N', 5);
    place('N', 4);
    for piece in ['R', 'K', 'R'] {
        place(piece, 1);
    }
    rank.iter().collect()
}

/// Positions in which rare rules meet often: promotions, en passant, castling, pins, checks, few pieces.
pub const RARE_RULES: [&str; 12] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/pppppppp/8/2k5/5K2/8/PPPPPPPP/8 w - - 0 1",
    "4k3/1q1b2r1/8/3n4/4N3/8/1R2B1Q1/4K3 w - - 0 1",
    "8/8/3k4/8/2B5/4N3/3K4/8 w - - 0 1",
    "8/5k2/8/8/3K4/8/4P3/8 w - - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "3r3k/8/8/1q1P4/b1K4r/8/3B1N2/3R4 w - - 0 1",
    "8/k7/8/KP1p1p1r/8/8/2P1P3/8 w - - 0 1",
];

/// A random legal move, or none at the end of the game.
pub fn random_move(position: &Position, random: &mut impl Rng) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() { None } else { Some(moves[random.random_range(0..moves.len())]) }
}

/// Plays `games` random games of at most `plies` plies, in turn from the start position, from Chess960 starts and
/// from [`RARE_RULES`], and shows every position before its move is made. A game ends with the fifty-move rule.
pub fn random_games(
    games: usize,
    plies: usize,
    random: &mut impl Rng,
    mut visit: impl FnMut(&mut Position, Option<Move>),
) {
    for game in 0..games {
        let mut position = match game % 3 {
            0 => Position::start(),
            1 => random_chess960_start(random),
            _ => {
                let fen = RARE_RULES[game / 3 % RARE_RULES.len()];
                Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
            }
        };
        for _ in 0..plies {
            let mv = random_move(&position, random);
            visit(&mut position, mv);
            let Some(mv) = mv.filter(|_| position.board().halfmove_clock() < 100) else { break };
            position.make(mv);
        }
    }
}

/// Applies what a move changes to the pieces of all squares.
pub fn apply(changes: &rosada::game::Changes, squares: &mut [Option<usize>]) {
    for at in changes.removed.iter() {
        assert_eq!(squares[usize::from(at.square)].take(), Some(usize::from(at.piece)), "{changes:?}");
    }
    for at in changes.added.iter() {
        assert_eq!(squares[usize::from(at.square)].replace(usize::from(at.piece)), None, "{changes:?}");
    }
}
