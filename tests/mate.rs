//! The mate search: against brute force on random positions, on problems of our own, on the shared ones, and as
//! `go mate` and `rosada mate` answer.

mod common;

use std::process::Command;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::Move;
use rosada::chess::Position;
use rosada::search::mate::{MateSearch, Verdict};

const ENOUGH: u64 = 50_000_000;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Whether the side to move mates within `moves` moves, by trying everything.
fn mates_by_force(game: &mut Position, moves: u32) -> bool {
    moves > 0
        && game.legal_moves().into_iter().any(|mv| {
            game.make(mv);
            let mates = is_lost(game, moves - 1);
            game.unmake();
            mates
        })
}

fn is_lost(game: &mut Position, moves: u32) -> bool {
    let answers = game.legal_moves();
    if answers.is_empty() {
        return game.in_check();
    }
    moves > 0
        && answers.into_iter().all(|mv| {
            game.make(mv);
            let mates = mates_by_force(game, moves);
            game.unmake();
            mates
        })
}

/// Checks that a line is legal and ends in mate.
fn assert_mates(start: &Position, line: &[Move], moves: u32) {
    assert_eq!(line.len() as u32, 2 * moves - 1, "{start}");
    let mut game = start.clone();
    for &mv in line {
        assert!(game.is_legal(mv), "{start}");
        game.make(mv);
    }
    assert!(game.in_check() && game.legal_moves().is_empty(), "{start}");
}

/// Random positions with few men, in which mates are near and brute force can follow.
fn random_positions(count: usize) -> Vec<Position> {
    let mut random = StdRng::seed_from_u64(5);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = [['.'; 8]; 8];
        for piece in ["Kk", "QR", "RN", "Bp", "Pn"].map(|pair| pair.as_bytes()) {
            let letters = if piece[0] == b'K' {
                vec!['K', 'k']
            } else {
                vec![piece[random.random_range(0..2)] as char]
            };
            for letter in letters {
                let (rank, file) = (random.random_range(0..8), random.random_range(0..8));
                board[rank][file] = letter;
            }
        }
        let ranks: Vec<String> = board.iter().map(rank_text).collect();
        let side = if random.random() { 'w' } else { 'b' };
        positions.extend(Position::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))).ok());
    }
    positions
}

/// A rank as a FEN has it.
fn rank_text(rank: &[char; 8]) -> String {
    let dots = rank.iter().collect::<String>();
    (1..=8).rev().fold(dots, |text, count| text.replace(&".".repeat(count), &count.to_string()))
}

#[test]
fn random_positions_agree_with_brute_force() {
    let mut counts = [0; 4];
    for start in random_positions(400) {
        for moves in 1..=3 {
            let expected = mates_by_force(&mut start.clone(), moves);
            let mut search = MateSearch::new(start.clone(), 16);
            match search.ask(moves, ENOUGH) {
                Verdict::Mate(needed, line) => {
                    assert!(expected, "{start}: no mate in {moves}");
                    assert!(needed <= moves, "{start}");
                    assert_mates(&start, &line, needed);
                }
                Verdict::NoMate => assert!(!expected, "{start}: mate in {moves}"),
                Verdict::Unknown => panic!("{start}: given up"),
            }
            if expected {
                counts[moves as usize] += 1;
                break;
            }
        }
    }
    // The test would say nothing if there were no mates of each length.
    assert!(counts[1] > 3 && counts[2] > 3 && counts[3] > 3, "{counts:?}");
}

#[test]
fn all_solutions_are_those_of_brute_force() {
    for start in random_positions(60) {
        let mut game = start.clone();
        let mut expected = Vec::new();
        for mv in start.legal_moves() {
            game.make(mv);
            if is_lost(&mut game, 1) {
                expected.push(mv);
            }
            game.unmake();
        }
        let found = MateSearch::new(start.clone(), 16).solutions(2, ENOUGH);
        assert_eq!(found.as_deref(), Some(&expected[..]), "{start}");
    }
}

#[test]
fn the_fifty_move_rule_ends_the_hunt() {
    // Mate in two, but the hundredth ply comes first; mate on the hundredth ply itself counts.
    let two = |clock: u32| position(&format!("7k/8/5K2/8/8/8/8/6R1 w - - {clock} 90"));
    let ask = |clock: u32| MateSearch::new(two(clock), 1).ask(2, ENOUGH);
    assert!(matches!(ask(0), Verdict::Mate(2, _)));
    assert!(matches!(ask(97), Verdict::Mate(2, _)));
    assert_eq!(ask(98), Verdict::NoMate);
}

#[test]
fn a_paused_search_goes_on() {
    let start = position("kB6/2Q5/1p1K2p1/7b/3p2r1/3p4/3p2n1/r7 w - - 0 1");
    let mut search = MateSearch::new(start.clone(), 16);
    let mut asked = 0;
    let (moves, line) = loop {
        asked += 1;
        if let Verdict::Mate(moves, line) = search.ask(2, 40) {
            break (moves, line);
        }
        assert!(asked < 1000, "no progress");
    };
    assert!(asked > 1);
    assert_mates(&start, &line, moves);
}

fn rosada(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_rosada")).args(arguments).output().expect("the engine");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn the_command_answers_for_people() {
    let problem = "kB6/2Q5/1p1K2p1/7b/3p2r1/3p4/3p2n1/r7 w - - 0 1";
    let (good, text) = rosada(&["mate", problem, "--in", "4", "--all"]);
    assert!(good && text.starts_with("mate in 2: Ba7 "), "{text}");
    assert!(text.contains("first moves: Ba7\n"), "{text}");
    let (good, text) = rosada(&["mate", problem, "--in", "1"]);
    assert!(good && text.starts_with("no mate in 1"), "{text}");
    let (good, text) = rosada(&["mate", problem, "--in", "4", "--nodes", "50"]);
    assert!(good && text.starts_with("unknown"), "{text}");
    let (good, text) = rosada(&["mate", "8/8/8/8 w - - 0 1", "--in", "2"]);
    assert!(!good && text.contains("FEN"), "{text}");
}

#[test]
fn go_mate_finds_mates_and_ends_when_there_is_none() {
    let forced = "position fen 6k1/5ppp/8/8/8/8/5PPP/1R1R2K1 w - - 0 1";
    let (_, text) = rosada(&[forced, "go mate 2"]);
    assert!(text.contains("score mate 1") && text.contains("bestmove"), "{text}");
    let (_, text) = rosada(&["position fen 8/8/8/p7/P7/1k6/8/K6R w - - 0 1", "go mate 2"]);
    assert!(text.contains("bestmove") && !text.contains("score mate"), "{text}");
    // With three men the tables know that the only mate is a longer one.
    let (_, text) = rosada(&["position fen 8/8/8/8/8/1k6/8/K6R w - - 0 1", "go mate 2"]);
    assert!(text.contains("score mate 10 ") && text.contains("bestmove"), "{text}");
}

#[test]
fn shared_mates_in_two_are_proven() {
    let lines = common::shared_lines("mate/mate_in_2.epd");
    for line in lines.iter().step_by(4) {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let start = position(&format!("{} 0 1", fields.join(" ")));
        let mut search = MateSearch::new(start.clone(), 16);
        assert_eq!(search.ask(1, ENOUGH), Verdict::NoMate, "{line}");
        match search.ask(2, ENOUGH) {
            Verdict::Mate(2, moves) => assert_mates(&start, &moves, 2),
            other => panic!("{other:?}: {line}"),
        }
    }
}
