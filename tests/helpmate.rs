//! Ten helpmates, h#2 to h#5: solved by way of the mating pictures, each line checked, and confirmed by trying every line
//! where that can finish.

use std::time::Instant;

use rosada::base::Color;
use rosada::chess::Position;
use rosada::lab::helpmate::{Found, solve};

/// Moves, position with Black to begin, how many solutions there are. None of them has a shorter one.
const PROBLEMS: [(u8, &str, usize); 10] = [
    (2, "4K3/8/k6B/8/8/p7/4B3/5r2 b - - 0 1", 1),
    (2, "8/8/N5p1/2p3R1/7k/8/5K2/8 b - - 0 1", 2),
    (2, "8/4p3/2K5/5p2/8/k7/N6R/8 b - - 0 1", 2),
    (3, "8/3k4/7p/8/8/1Q6/2K5/8 b - - 0 1", 1),
    (3, "8/3B4/8/3k2r1/2p5/4K3/3B4/8 b - - 0 1", 1),
    (4, "8/8/8/8/p7/8/k7/2KN4 b - - 0 1", 1),
    (4, "8/7k/3Pp3/8/8/3K4/1p6/8 b - - 0 1", 2),
    (4, "8/8/8/8/7P/5K2/7k/8 b - - 0 1", 4),
    (5, "8/8/8/8/4P3/8/2K5/k7 b - - 0 1", 18),
    (5, "8/8/8/6P1/8/8/6K1/3k4 b - - 0 1", 47),
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn solved(moves: u8, fen: &str, brute: bool) -> Found {
    solve(&position(fen), Color::Black, moves, usize::MAX, brute)
}

/// Solves a problem and checks each line: legal, of the right length, mate at its end.
fn check(moves: u8, fen: &str, solutions: usize) -> Found {
    let found = solved(moves, fen, false);
    assert_eq!(found.solutions.len(), solutions, "h#{moves} {fen}");
    for line in &found.solutions {
        assert_eq!(line.len(), 2 * usize::from(moves), "h#{moves} {fen}");
        let mut game = position(fen);
        for &mv in line {
            assert!(game.is_legal(mv), "h#{moves} {fen}");
            game.make(mv);
        }
        assert!(game.in_check() && game.legal_moves().is_empty(), "h#{moves} {fen}");
    }
    for shorter in 1..moves {
        assert!(solved(shorter, fen, false).solutions.is_empty(), "{fen} has a helpmate in {shorter}");
    }
    found
}

/// Compares with trying every line; returns the positions that either way looked at.
fn confirm(moves: u8, fen: &str, solutions: usize) -> (u64, u64) {
    let (found, clock) = (check(moves, fen, solutions), Instant::now());
    let led = solved(moves, fen, false);
    let led_time = clock.elapsed();
    let clock = Instant::now();
    let brute = solved(moves, fen, true);
    assert_eq!(led.solutions, brute.solutions, "h#{moves} {fen}");
    println!(
        "h#{moves} {fen}: {} solutions, {} mating pictures; {} positions in {:.2?} beside {} in {:.2?}",
        found.solutions.len(),
        found.pictures,
        led.nodes,
        led_time,
        brute.nodes,
        clock.elapsed()
    );
    (led.nodes, brute.nodes)
}

#[test]
fn ten_helpmates_are_solved() {
    for (moves, fen, solutions) in PROBLEMS {
        check(moves, fen, solutions);
    }
}

#[test]
fn short_ones_are_confirmed_by_trying_everything() {
    let (mut led, mut brute) = (0, 0);
    for (moves, fen, solutions) in PROBLEMS.into_iter().filter(|&(moves, _, _)| moves <= 2) {
        let looked = confirm(moves, fen, solutions);
        led += looked.0;
        brute += looked.1;
    }
    assert!(led * 4 < brute, "{led} of {brute}");
}

#[test]
#[ignore = "minutes: trying every line of a h#5"]
fn all_ten_are_confirmed_by_trying_everything() {
    for (moves, fen, solutions) in PROBLEMS {
        confirm(moves, fen, solutions);
    }
}
