//! Perft: the rules are exact when every tree has the right number of leaves.

mod common;

use std::cell::RefCell;

use rosada::chess::Position;

/// FEN, depth, leaves; counted with Stockfish 15.1.
const POSITIONS: [(&str, u32, u64); 19] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
    // Promotions on both sides.
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3_605_103),
    // Castling and losing the right to it.
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 5, 7_594_526),
    ("1k6/1b6/8/8/7R/8/8/4K2R b K - 0 1", 5, 1_063_513),
    // En passant would uncover the king on its rank, or leave a diagonal.
    ("8/8/8/8/k1Pp3R/8/8/3K4 b - c3 0 1", 6, 845_748),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
    ("2r5/3pk3/8/2P5/8/2K5/8/8 w - - 0 1", 6, 3_245_821),
    // Very many moves.
    ("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 3, 4_072),
    // Chess960: kings and rooks off their usual squares, a rook that shields the castled king, kings that do not
    // move when they castle.
    ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", 4, 272_627),
    ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", 4, 201_143),
    ("rkr5/8/8/8/8/8/8/5KRR b ca - 0 1", 4, 177_809),
    ("2r1kr2/8/8/8/8/8/8/1R2K1R1 w GBfc - 0 1", 5, 6_236_222),
    ("4k3/8/8/8/8/8/8/qR3K1R w HB - 0 1", 5, 3_118_045),
    ("1rk1r3/p1p1pppp/8/8/3Pp3/8/PPP2PPP/RK3R2 b FAeb d3 0 1", 4, 361_197),
];

const FILES: [&str; 7] = [
    "perft/standard.epd",
    "perft/fischer.epd",
    "perft/marcel.epd",
    "perft/special.epd",
    "perft/tricky.epd",
    "perft/double_check.epd",
    "perft/enpassant.epd",
];

#[test]
fn known_positions() {
    common::for_each_in_parallel(&POSITIONS, |&(fen, depth, leaves)| {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.perft(depth), leaves, "{fen} depth {depth}");
    });
}

#[test]
fn divide_adds_up() {
    for (fen, _, _) in POSITIONS {
        let position = Position::from_fen(fen).unwrap();
        let parts: u64 = position.divide(3).iter().map(|&(_, count)| count).sum();
        assert_eq!(parts, position.perft(3), "{fen}");
        assert_eq!(position.divide(1).len() as u64, position.perft(1), "{fen}");
        assert_eq!(position.perft(0), 1);
    }
}

#[test]
fn shared_files_to_three_million_leaves_a_line() {
    check_files(3_000_000);
}

#[test]
#[ignore = "the whole depth of every line: 2.4 trillion leaves, many minutes on two cores"]
fn shared_files_to_full_depth() {
    for file in FILES {
        let start = std::time::Instant::now();
        common::for_each_in_parallel(&common::shared_lines(file), |line| check_to_full_depth(file, line));
        eprintln!("{file}: {:.0} s", start.elapsed().as_secs_f64());
    }
}

/// Subtrees counted before, by key and depth: the full depths are out of reach without. A wrong key would show as
/// a wrong count.
struct Memory {
    slots: Vec<(u64, u64)>,
    /// Different for each line, so that nothing of another line is taken for this one's.
    salt: u64,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::new(Memory { slots: vec![(0, 0); Memory::SLOTS], salt: 0 });
}

impl Memory {
    const SLOTS: usize = 1 << 23;

    fn perft(&mut self, position: &mut Position, depth: u32) -> u64 {
        if depth <= 1 {
            return position.perft(depth);
        }
        let salt = (self.salt * 16 + u64::from(depth)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let key = position.board().keys().full ^ salt;
        let slot = (key >> 32) as usize % Memory::SLOTS;
        if self.slots[slot].0 == key {
            return self.slots[slot].1;
        }
        let mut leaves = 0;
        for mv in position.legal_moves() {
            position.make(mv);
            leaves += self.perft(position, depth - 1);
            position.unmake();
        }
        self.slots[slot] = (key, leaves);
        leaves
    }
}

fn check_to_full_depth(file: &str, line: &str) {
    let (mut position, counts) = read_line(file, line);
    let Some(&(depth, leaves)) = counts.last() else { panic!("{file}: no counts in {line}") };
    let counted = MEMORY.with_borrow_mut(|memory| {
        memory.salt += 1;
        memory.perft(&mut position, depth)
    });
    assert_eq!(counted, leaves, "{file}: {line} depth {depth}");
}

/// Checks in each line the deepest count that is not above `most`.
fn check_files(most: u64) {
    for file in FILES {
        common::for_each_in_parallel(&common::shared_lines(file), |line| check_line(file, line, most));
    }
}

fn check_line(file: &str, line: &str, most: u64) {
    let (position, counts) = read_line(file, line);
    // A line whose only count is too big is still worth its smallest depth.
    let chosen = counts.iter().filter(|&&(_, count)| count <= most).max().or(counts.first());
    let &(depth, count) = chosen.unwrap_or_else(|| panic!("{file}: no counts in {line}"));
    assert_eq!(position.perft(depth), count, "{file}: {line} depth {depth}");
}

/// The position of a line and its counts by depth.
fn read_line(file: &str, line: &str) -> (Position, Vec<(u32, u64)>) {
    let mut parts = line.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    // One line has more queens than a game can have.
    let position = Position::from_setup(fen).unwrap_or_else(|error| panic!("{file}: {line}: {error}"));
    let counts = parts.filter(|part| !part.is_empty()).map(|part| {
        let (depth, count) = part.split_once(' ').unwrap_or_else(|| panic!("{file}: {line}"));
        let depth: u32 = depth.trim_start_matches('D').parse().unwrap_or_else(|_| panic!("{file}: {line}"));
        let count: u64 = count.trim().parse().unwrap_or_else(|_| panic!("{file}: {line}"));
        (depth, count)
    });
    (position, counts.collect())
}
