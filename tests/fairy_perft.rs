//! Perft of the variants, and of chess played by the core of the variants.

mod common;

use rosada::chess;
use rosada::fairy::{Position, Rules, behemoth, variants};

/// A line of `tests/data`: variant, FEN, counts (`D1 22`, `B1 608`).
struct Line {
    rules: &'static Rules,
    fen: String,
    counts: Vec<(String, u64)>,
}

fn rules(name: &str) -> &'static Rules {
    variants::find(name).unwrap_or_else(|| panic!("unknown variant {name}"))
}

fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(';').map(str::trim);
        let rules = rules(fields.next().unwrap_or_default());
        let fen = fields.next().unwrap_or_default().to_string();
        let count = |field: &str| {
            let (name, count) = field.split_once(' ').unwrap_or_else(|| panic!("{line}"));
            (name.to_string(), count.parse().unwrap_or_else(|_| panic!("{line}")))
        };
        lines.push(Line { rules, fen, counts: fields.map(count).collect() });
    }
    lines
}

/// Checks all counts up to `most` whose name begins with D: players' moves alone.
fn check(text: &str, most: u64) {
    let lines = lines(text);
    assert!(lines.len() > 10);
    common::for_each_in_parallel(&lines, |line| {
        let name = line.rules.variant.name;
        let position = Position::from_fen(line.rules, &line.fen)
            .unwrap_or_else(|error| panic!("{name} {}: {error}", line.fen));
        for (depth, count) in line.counts.iter().filter(|(_, count)| *count <= most) {
            if let Some(depth) = depth.strip_prefix('D') {
                let depth = depth.parse().unwrap_or_else(|_| panic!("depth {depth}"));
                assert_eq!(position.perft(depth), *count, "{name} {} depth {depth}", line.fen);
            }
        }
        // Castling rights come as K and Q or as files; apart from that the FEN is written as it was read.
        let written = position.fen();
        let again =
            Position::from_fen(line.rules, &written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!((again.fen(), again.board()), (written, position.board()), "{name} {}", line.fen);
    });
}

const VARIANTS: &str = include_str!("data/variant-perft.epd");
const BEHEMOTH: &str = include_str!("data/behemoth-perft.epd");

#[test]
fn every_line_to_two_million_leaves() {
    check(VARIANTS, 2_000_000);
    check(BEHEMOTH, 2_000_000);
}

#[test]
#[ignore = "every line to its full depth: 1.9 billion leaves, half a minute"]
fn every_line_to_its_full_depth() {
    check(VARIANTS, u64::MAX);
    check(BEHEMOTH, u64::MAX);
}

#[test]
fn every_variant_starts_and_divide_adds_up() {
    for rules in variants::all() {
        let position = Position::start(rules);
        assert_eq!(position.fen(), Position::from_fen(rules, rules.variant.start).unwrap().fen());
        assert!(position.legal_moves().len() > 15, "{}", rules.variant.name);
        let parts: u64 = position.divide(3).iter().map(|&(_, count)| count).sum();
        assert_eq!(parts, position.perft(3), "{}", rules.variant.name);
        assert_eq!(position.perft(0), 1);
    }
}

/// Chess on the core of the variants has the tree of the chess core.
fn check_chess(file: &str, variant: &str, most: u64) {
    common::for_each_in_parallel(&common::shared_lines(file), |line| {
        let fen = line.split(';').next().unwrap_or_default().trim();
        let chess = chess::Position::from_setup(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let fairy =
            Position::from_setup(rules(variant), fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for depth in 1..=6 {
            let count = chess.perft(depth);
            if count > most && depth > 1 {
                break;
            }
            assert_eq!(fairy.perft(depth), count, "{file}: {fen} depth {depth}");
        }
    });
}

#[test]
fn chess_as_a_variant_equals_the_chess_core() {
    check_chess("perft/standard.epd", "chess", 300_000);
    check_chess("perft/fischer.epd", "chess960", 300_000);
}

#[test]
#[ignore = "chess and Chess960 on both cores to 200 million leaves a line: about half an hour"]
fn chess_as_a_variant_equals_the_chess_core_deeper() {
    check_chess("perft/standard.epd", "chess", 200_000_000);
    check_chess("perft/fischer.epd", "chess960", 200_000_000);
}

/// Sequences of players' moves and raids of the Behemoth; a finished game is one leaf.
fn count_with_raids(position: &Position, plies: u32) -> u64 {
    if plies == 0 || position.board().is_decided(position.rules()) {
        return 1;
    }
    let after_move = |mv| {
        let mut moved = position.clone();
        moved.make(mv);
        if moved.board().is_decided(position.rules()) {
            return 1;
        }
        let after_raid = |outcome| {
            let mut after = moved.clone();
            after.raid(outcome);
            count_with_raids(&after, plies - 1)
        };
        (0..behemoth::OUTCOMES).map(after_raid).sum::<u64>()
    };
    let moves = position.legal_moves();
    if moves.is_empty() { 1 } else { moves.into_iter().map(after_move).sum() }
}

#[test]
fn raids_of_the_behemoth() {
    common::for_each_in_parallel(&lines(BEHEMOTH), |line| {
        let position = Position::from_fen(line.rules, &line.fen).unwrap();
        for (name, count) in &line.counts {
            if let Some(plies) = name.strip_prefix('B') {
                let counted = count_with_raids(&position, plies.parse().unwrap());
                assert_eq!(counted, *count, "{} {name}", line.fen);
            }
        }
    });
}
