//! The value kept up to date equals the value from scratch, on every path; both sides see alike; files survive the round
//! trip and nothing else does.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::architecture::{
    HIDDEN, INPUT_LIMIT, INPUTS, OUTPUT_BIAS_LIMIT, OUTPUT_BUCKETS, OUTPUT_LIMIT, UNIT,
};
use super::network::{Origin, Row};
use super::*;
use crate::chess::ChessMove;

const STARTS: [&str; 5] = [
    crate::chess::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// A network of random numbers, some at their limits: no trained one would find an error as soon.
pub(super) fn random_network(seed: u64) -> Network {
    let mut random = StdRng::seed_from_u64(seed);
    let mut row = |limit: i16, usual: i16| {
        Row(std::array::from_fn(|_| match random.random_range(0..64) {
            0 => limit,
            1 => -limit,
            _ => random.random_range(-usual..=usual),
        }))
    };
    let inputs = (0..INPUTS).map(|_| row(INPUT_LIMIT, 60)).collect();
    let bias = row(INPUT_LIMIT, UNIT);
    let outputs = std::array::from_fn(|_| [row(OUTPUT_LIMIT, 20), row(OUTPUT_LIMIT, 20)]);
    let output_bias = std::array::from_fn(|bucket| 1000 * bucket as i32 - 3000);
    let origin = Origin { positions: 1, epochs: 2, validation_loss: 0.5 };
    Network::new(inputs, bias, outputs, output_bias, 200, origin)
}

fn evaluators(network: &Arc<Network>) -> Vec<(Path, Nnue)> {
    Path::all().into_iter().map(|path| (path, Nnue::with_path(Arc::clone(network), path))).collect()
}

/// Plays at random, now and then a pass or some moves back, and compares wherever `look` says so.
fn walk(seed: u64, network: &Arc<Network>, look: u32) -> usize {
    let mut random = StdRng::seed_from_u64(seed);
    let mut position = Position::from_fen(STARTS[seed as usize % STARTS.len()]).unwrap();
    let mut evaluators = evaluators(network);
    evaluators.iter_mut().for_each(|(_, evaluator)| evaluator.reset(&position));
    let (mut depth, mut compared) = (0, 0);
    for _ in 0..150 {
        let moves = position.legal_moves();
        if depth > 0 && (moves.is_empty() || random.random_ratio(1, 6)) {
            for _ in 0..random.random_range(1..=depth.min(5)) {
                position.unmake();
                evaluators.iter_mut().for_each(|(_, evaluator)| evaluator.unmake());
                depth -= 1;
            }
        } else if !position.in_check() && random.random_ratio(1, 12) {
            evaluators.iter_mut().for_each(|(_, evaluator)| evaluator.make(&Changes::default()));
            position.make_null();
            depth += 1;
        } else if !moves.is_empty() {
            // Kings move often: they are what turns the view.
            let kings: Vec<_> = moves
                .iter()
                .filter(|mv| position.board().king(position.side_to_move()) == mv.from())
                .collect();
            let mv = match kings.len() {
                0 => moves[random.random_range(0..moves.len())],
                count if random.random_ratio(1, 3) => *kings[random.random_range(0..count)],
                _ => moves[random.random_range(0..moves.len())],
            };
            let changes = position.changes(mv);
            evaluators.iter_mut().for_each(|(_, evaluator)| evaluator.make(&changes));
            position.make(mv);
            depth += 1;
        }
        if random.random_ratio(1, look) {
            let right = with_bare_king(position.board()).unwrap_or(network.evaluate(position.board()));
            for (path, evaluator) in &mut evaluators {
                assert_eq!(evaluator.evaluate(&position), right, "{path}: {position}");
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn random_games_are_valued_as_from_scratch_on_every_path() {
    let network = Arc::new(random_network(1));
    let compared: usize = (0..40).map(|seed| walk(seed, &network, 1 + seed as u32 % 4)).sum();
    assert!(compared > 2_000, "only {compared} positions");
}

#[test]
fn an_evaluator_serves_many_lines() {
    let network = Arc::new(random_network(2));
    let mut evaluator = Nnue::new(Arc::clone(&network));
    for _ in 0..3 {
        for fen in STARTS {
            let position = Position::from_fen(fen).unwrap();
            evaluator.reset(&position);
            assert_eq!(evaluator.evaluate(&position), network.evaluate(position.board()));
        }
    }
}

#[test]
fn both_colors_see_the_same_and_so_does_the_mirrored_board() {
    let network = random_network(3);
    let mut random = StdRng::seed_from_u64(9);
    let mut mirrored = 0;
    for fen in STARTS {
        let mut position = Position::from_fen(fen).unwrap();
        for _ in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.random_range(0..moves.len())]);
            let value = network.evaluate(position.board());
            assert_eq!(network.evaluate(position.mirrored().board()), value, "{position}");
            // Left and right exchanged, where castling does not forbid it.
            let text = position.fen();
            let fields: Vec<&str> = text.split(' ').collect();
            if fields[2] == "-" && fields[3] == "-" {
                let ranks: Vec<String> =
                    fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
                let fen = format!("{} {} - - 0 1", ranks.join("/"), fields[1]);
                assert_eq!(network.evaluate(Position::from_fen(&fen).unwrap().board()), value, "{fen}");
                mirrored += 1;
            }
        }
    }
    assert!(mirrored > 100, "{mirrored}");
}

#[test]
fn the_view_tells_value_output_and_men() {
    let network = random_network(4);
    let position = Position::from_fen(STARTS[1]).unwrap();
    let text = table(&position, &network);
    let value = network.evaluate(position.board()).value();
    assert!(
        text.contains(&format!("Evaluation: {:+.2} (White), by NNUE", f64::from(value) / 100.0)),
        "{text}"
    );
    assert_eq!(text.matches("counts here").count(), 1);
    assert_eq!(text.matches("  output ").count(), OUTPUT_BUCKETS);
    // Every man but the kings has a number: a sign and two decimals in a cell of the board.
    let cells = text.lines().filter(|line| line.starts_with("  |")).flat_map(|line| line.split('|'));
    assert_eq!(cells.filter(|cell| cell.contains('.')).count(), 30, "{text}");
    let flipped = table(&position.mirrored(), &network);
    assert!(flipped.contains(&format!("Evaluation: {:+.2} (White), by NNUE", f64::from(-value) / 100.0)));
    assert!(!text.contains("in check"));
}

#[test]
fn files_survive_the_round_trip() {
    let network = random_network(5);
    let bytes = file::encode(&network);
    assert_eq!(bytes.len(), file::FILE_BYTES);
    assert_eq!(file::decode(&bytes).unwrap(), network);
    let facts = file::facts(&network);
    assert!(facts.contains(&file::name(&network)) && facts.contains(&format!("-> {HIDDEN}) x 2")), "{facts}");
}

#[test]
fn each_damage_has_its_own_words() {
    let network = random_network(6);
    let sound = file::encode(&network);
    let fault = |bytes: &[u8]| file::decode(bytes).unwrap_err().to_string();
    assert!(fault(b"").contains("not a network"));
    assert!(fault(b"ROSADAGM and more of a file of games").contains("not a network"));
    for length in [8, 63, 64, 65, 1000, sound.len() - 1] {
        let message = fault(&sound[..length]);
        assert!(message.contains("cut off") && message.contains(&length.to_string()), "{message}");
    }
    assert!(fault(&[&sound[..], b"x"].concat()).contains("longer"));
    let changed = |place: usize, value: u8| {
        let mut bytes = sound.clone();
        bytes[place] = value;
        fault(&bytes)
    };
    assert!(changed(8, 9).contains("format 9"));
    for place in [10, 12, 14, 16, 18, 20] {
        let message = changed(place, 3);
        assert!(
            message.contains("another architecture") && message.contains("this program computes"),
            "{message}"
        );
    }
    assert!(changed(24, sound[24] ^ 1).contains("king squares"));
    for place in [22, 28, 33, 44, 60, 64, 5000, sound.len() - 1] {
        assert!(changed(place, sound[place] ^ 16).contains("checksum"), "{place}");
    }
}

#[test]
fn numbers_beyond_their_limits_are_refused() {
    let spoiled: [fn(&mut Network); 5] = [
        |network| network.inputs[7].0[3] = INPUT_LIMIT + 1,
        |network| network.bias.0[0] = -INPUT_LIMIT - 1,
        |network| network.outputs[2][1].0[9] = OUTPUT_LIMIT + 1,
        |network| network.output_bias[7] = OUTPUT_BIAS_LIMIT + 1,
        |network| network.scale_cp = 0,
    ];
    for spoil in spoiled {
        let mut network = random_network(7);
        spoil(&mut network);
        let message = file::decode(&file::encode(&network)).unwrap_err().to_string();
        assert!(message.contains("limits"), "{message}");
    }
}

#[test]
fn the_embedded_network_is_sound_and_knows_what_pieces_are_worth() {
    let network = embedded().unwrap();
    let value = |fen: &str| network.evaluate(Position::from_fen(fen).unwrap().board()).value();
    assert!(value(crate::chess::START_FEN).abs() < 150);
    for (without, least) in [
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 300),
        ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 150),
        ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 100),
    ] {
        assert!(value(without) > least, "{without}: {}", value(without));
    }
    assert!(network.origin().positions > 0);
}

#[test]
fn a_bare_king_is_left_to_the_classical_evaluation() {
    let mut evaluator = Nnue::new(Arc::new(random_network(3)));
    let mut value = |fen: &str| evaluator.evaluate(&Position::from_fen(fen).unwrap()).value();
    let (corner, middle) = ("k7/8/2K5/8/8/8/8/1NB5 w - - 0 1", "8/8/8/3k4/8/8/8/1NB1K3 w - - 0 1");
    assert!(value(middle) > 500 && value(corner) != value(middle));
    // Two knights win nothing.
    assert!(value("8/8/8/3k4/8/8/8/1NN1K3 b - - 0 1").abs() < 100);
    let with_pawn = Position::from_fen("8/p7/8/3k4/8/8/8/1NB1K3 w - - 0 1").unwrap();
    assert_eq!(with_bare_king(with_pawn.board()), None);
}
