//! Any text may come as a FEN: it is refused in words or makes a position that holds together.
//!
//! `ROSADA_FUZZ_CASES=1000000 cargo test --release --test fuzz_fen` runs a million cases of each property.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use rosada::chess::Position;

/// Positions with castling, Chess960 castling, en passant, promotions and checks in them.
const SEEDS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnb1kb1r/pp3ppp/1q1p1n2/2pPp3/4PP2/2N5/P1PB2PP/R2QKBNR w KQkq e6 0 1",
    "8/8/8/8/k1Pp3R/8/8/3K4 b - c3 99 100",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
    "1rkr4/8/8/8/8/8/8/1R1K1R1R w FBdb - 3 40",
    "8/Pk6/8/8/8/8/6Kp/8 b - - 0 65535",
    "4k3/8/8/8/8/8/8/4K2R w K -",
    "3qN3/1pp2pkp/1p4p1/3PQ3/r6P/8/PP4P1/R4RK1 b - - 0 1",
];

const ALPHABET: &[u8] = b"pnbrqkPNBRQK12345678//  --wbKQkqABCDEFGHabcdefgh0912345x+";

fn cases() -> u32 {
    std::env::var("ROSADA_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(20_000)
}

/// What holds of every accepted position, and of the one after a move.
fn check(fen: &str, choice: Index) {
    let Ok(mut position) = Position::from_fen(fen) else { return };
    check_position(&position);
    let moves = position.legal_moves();
    assert!(moves.iter().all(|&mv| position.is_legal(mv)), "{fen}");
    for &mv in &moves {
        assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv), "{fen}");
    }
    if moves.is_empty() {
        return;
    }
    let before = position.clone();
    position.make(*choice.get(&moves));
    check_position(&position);
    position.unmake();
    assert_eq!(position.board(), before.board(), "{fen}");
    assert_eq!(position.fen(), before.fen());
}

/// The keys are those of a position read afresh, and the FEN leads back to the same board, in both notations.
fn check_position(position: &Position) {
    assert_eq!(*position.board().keys(), position.board().fresh_keys(), "{position}");
    let mut other = position.clone();
    for chess960 in [false, true] {
        other.set_chess960(chess960);
        let fen = other.fen();
        let mut again = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        again.set_chess960(chess960);
        assert_eq!(again.fen(), fen);
        assert_eq!(again.board().keys(), position.board().keys(), "{fen}");
        assert_eq!(again.legal_moves().len(), position.legal_moves().len(), "{fen}");
    }
}

/// One small damage: a byte replaced, inserted, removed, or two exchanged.
fn mutate(text: &mut Vec<u8>, (kind, byte, at, other): (u8, u8, Index, Index)) {
    if text.is_empty() {
        return;
    }
    let (at, other) = (at.index(text.len()), other.index(text.len()));
    match kind {
        0 => text[at] = byte,
        1 => text.insert(at, byte),
        2 => drop(text.remove(at)),
        _ => text.swap(at, other),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..90), choice: Index) {
        check(&String::from_utf8_lossy(&bytes), choice);
    }

    #[test]
    fn letters_of_a_fen(bytes in prop::collection::vec(select(ALPHABET), 0..90), choice: Index) {
        check(&String::from_utf8_lossy(&bytes), choice);
    }

    #[test]
    fn damaged_positions(
        seed in select(SEEDS),
        damage in prop::collection::vec((0u8..4, select(ALPHABET), any::<Index>(), any::<Index>()), 0..5),
        choice: Index,
    ) {
        let mut text = seed.as_bytes().to_vec();
        damage.into_iter().for_each(|step| mutate(&mut text, step));
        check(&String::from_utf8_lossy(&text), choice);
    }

    /// Well-formed fields of nonsense: any pieces anywhere, any rights, any en-passant square, any counters.
    #[test]
    fn random_boards(
        squares in prop::collection::vec(select(b"PNBRQpnbrq........................................".as_slice()), 64),
        kings in (0usize..64, 0usize..64),
        side in select(vec!["w", "b"]),
        castling in prop_oneof![4 => Just("-".to_string()), 1 => "[KQA-H]{0,2}[kqa-h]{0,2}"],
        en_passant in select(vec!["-", "-", "-", "-", "-", "-", "a3", "d3", "h3", "a6", "e6", "h6"]),
        counters in (prop_oneof![9 => 0u32..120, 1 => 65530u32..65540], prop_oneof![9 => 0u32..300, 1 => 65530u32..65540]),
        choice: Index,
    ) {
        let mut squares = squares;
        for back_rank in [0..8, 56..64] {
            squares[back_rank].iter_mut().filter(|piece| b"Pp".contains(piece)).for_each(|piece| *piece = b'.');
        }
        squares[kings.0] = b'K';
        squares[kings.1] = b'k';
        let ranks: Vec<String> =
            squares.chunks(8).map(|rank| String::from_utf8_lossy(rank).replace('.', "1")).collect();
        check(
            &format!("{} {side} {castling} {en_passant} {} {}", ranks.join("/"), counters.0, counters.1),
            choice,
        );
    }
}
