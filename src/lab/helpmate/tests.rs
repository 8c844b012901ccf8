//! Helpmates: pictures against trying everything.

#![allow(clippy::unwrap_used, clippy::panic)]

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::*;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Both ways must find the same lines in the same order. Returns how many, and the positions each looked at.
fn compare(position: &Position, mated: Color, moves: u8) -> (usize, u64, u64) {
    let [all, led] = [true, false].map(|brute| solve(position, mated, moves, usize::MAX, brute));
    assert_eq!(all.solutions, led.solutions, "{position}, {mated} mated in {moves}");
    (all.solutions.len(), all.nodes, led.nodes)
}

/// A random position with the given men, the mated side to move.
fn random_position(random: &mut StdRng, men: &[char]) -> Position {
    loop {
        let mut board = vec!['1'; 64];
        for &man in men {
            board[random.random_range(0..64)] = man;
        }
        let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
        let dense = ranks.join("/");
        let fen = (2..=8).rev().fold(dense, |text, n| text.replace(&"1".repeat(n), &n.to_string()));
        if let Ok(position) = Position::from_fen(&format!("{fen} b - - 0 1")) {
            return position;
        }
    }
}

#[test]
fn random_positions_have_the_same_solutions_either_way() {
    let mut random = StdRng::seed_from_u64(11);
    let casts: [&[char]; 6] = [
        &['K', 'k', 'Q', 'p'],
        &['K', 'k', 'R', 'N', 'p', 'r'],
        &['K', 'k', 'P', 'P', 'b', 'n'],
        &['K', 'k', 'B', 'N', 'p', 'p'],
        &['K', 'k', 'P', 'p', 'R'],
        &['K', 'k', 'Q', 'q', 'r', 'P'],
    ];
    let (mut solutions, mut all, mut led) = (0, 0, 0);
    for round in 0..90 {
        let position = random_position(&mut random, casts[round % casts.len()]);
        let mated = Color::from_bool(round % 5 == 0);
        let found = compare(&position, mated, 2);
        solutions += found.0;
        all += found.1;
        led += found.2;
    }
    assert!(solutions > 50, "{solutions}");
    assert!(led * 2 < all, "{led} of {all}");
}

#[test]
fn rare_rules_are_part_of_the_pictures() {
    for fen in [
        // Castling, en passant, promotions on both sides, captures on the way.
        "r3k2r/8/8/8/8/8/7P/4K2R b Kkq - 0 1",
        "8/8/8/1k6/1Pp5/8/P7/K1R5 b - b3 0 1",
        "8/P7/8/8/8/1k6/p7/2K5 b - - 0 1",
        "4k3/3p1p2/8/8/8/8/3P1P2/4K2R b K - 0 1",
    ] {
        for moves in 1..=2 {
            compare(&position(fen), Color::Black, moves);
            compare(&position(fen), Color::White, moves);
        }
    }
}

#[test]
fn solutions_are_written_as_problemists_do() {
    let arguments = Arguments {
        fen: "8/8/8/8/8/1K6/7R/k7 b - - 0 1".to_string(),
        moves: 1,
        mated: "black".to_string(),
        solutions: 10,
        brute: false,
    };
    let lines = run(&arguments).unwrap();
    assert_eq!(lines[0], "1.Kb1 Rh1#");
    assert_eq!(lines[1], "1 solution");
    let none = run(&Arguments { fen: "8/8/8/8/8/1K6/8/k7 b - - 0 1".to_string(), ..arguments.clone() });
    assert_eq!(none.unwrap()[0], "no helpmate in 1");
    assert!(run(&Arguments { fen: "nonsense".to_string(), ..arguments }).is_err());
}
