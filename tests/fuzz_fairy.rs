//! The readers of the variants meet nonsense: nothing panics, and whatever is accepted holds together.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use rosada::fairy::{Position, Rules, variants};
use rosada::game::{Game, Notation};

const SEEDS: &[&str] = &[
    "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1",
    "r1b1kc1bnr/2pp2p1p1/pp8/n6p1P/2aPPpP1C1/P4P1P2/1PP7/RNBQK2BNR b KQkq g3 0 15",
    "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1",
    "2q3n1b1/1n3P4/2Qbpk4/PA8/1N3p1p1r/p1P4P1P/P3K3p1/7RB1/2B5N1/R5C3 w - - 1 36",
    "nrabnqb1kr/ppppppppp1/4c4p/2N7/6P3/3A6/PPPPPP1PPP/NR1B1QBCKR b JBjb - 0 4",
    "r3k2r/8/8/8/8/1M6/p4p2/3p4 b kq - 0 1",
    "rnbqkbnr/pppppppp/8/8/3*4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkb1r/ppp1pppp/7n/3pP3/8/5*2/PPP2PPP/RNBQKBNR w KQkq d6 0 1",
];

const ALPHABET: &[u8] = b"pnbrqkacjmPNBRQKACJM*0123456789//  --wbKQkqABCDEFGHIJabcdefghij10x+";

fn cases() -> u32 {
    std::env::var("ROSADA_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(5_000)
}

/// What holds of every accepted position, and of the one after a move.
fn check(rules: &'static Rules, fen: &str, choice: Index, outcome: usize) {
    let Ok(mut position) = Position::from_fen(rules, fen) else { return };
    check_position(&position);
    let moves = position.legal_moves();
    assert!(moves.iter().all(|&mv| position.is_legal(mv)), "{fen}");
    assert_eq!(position.perft(1), moves.len() as u64, "{fen}");
    for &mv in &moves {
        assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv), "{fen}");
    }
    if moves.is_empty() {
        return;
    }
    let before = position.clone();
    position.make(*choice.get(&moves));
    if !position.board().is_decided(rules) {
        check_position(&position);
        position.raid(outcome);
        assert_eq!(*position.board().keys(), position.board().fresh_keys(rules), "{fen}");
        if position.board().is_decided(rules) {
            assert!(position.legal_moves().is_empty() && position.decided(0).is_some());
        } else {
            check_position(&position);
        }
    }
    position.unmake();
    assert_eq!((position.board(), position.fen()), (before.board(), before.fen()), "{fen}");
}

fn check_position(position: &Position) {
    assert_eq!(*position.board().keys(), position.board().fresh_keys(position.rules()), "{position}");
    let fen = position.fen();
    let again = Position::from_fen(position.rules(), &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!((again.fen(), again.board().keys()), (fen, position.board().keys()));
    assert_eq!(again.legal_moves(), position.legal_moves(), "{position}");
}

fn any_rules() -> impl Strategy<Value = &'static Rules> {
    (0..variants::all().len()).prop_map(|index| &variants::all()[index])
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
    fn any_bytes(rules in any_rules(), bytes in prop::collection::vec(any::<u8>(), 0..120), choice: Index) {
        check(rules, &String::from_utf8_lossy(&bytes), choice, 0);
    }

    #[test]
    fn damaged_positions(
        rules in any_rules(),
        seed in select(SEEDS),
        damage in prop::collection::vec((0u8..4, select(ALPHABET), any::<Index>(), any::<Index>()), 0..5),
        choice: Index,
        outcome in 0usize..32,
    ) {
        let mut text = seed.as_bytes().to_vec();
        damage.into_iter().for_each(|step| mutate(&mut text, step));
        check(rules, &String::from_utf8_lossy(&text), choice, outcome);
    }

    /// Well-formed fields of nonsense on boards of the right size.
    #[test]
    fn random_boards(
        rules in any_rules(),
        squares in prop::collection::vec(any::<Index>(), 100),
        royals in (any::<Index>(), any::<Index>(), any::<Index>()),
        crowd in 2usize..20,
        side in select(vec!["w", "b"]),
        castling in prop_oneof![4 => Just("-".to_string()), 1 => "[KQA-J]{0,2}[kqa-j]{0,2}"],
        en_passant in select(vec!["-", "-", "-", "a3", "d3", "h4", "a6", "e7", "h6", "j6"]),
        counters in (0u32..120, 0u32..300),
        choice: Index,
        outcome in 0usize..32,
    ) {
        let variant = rules.variant;
        let (files, ranks) = (usize::from(variant.files), usize::from(variant.ranks));
        let mut letters: Vec<char> = variant.letters.iter().map(|&(letter, _)| letter).collect();
        letters.extend(variant.letters.iter().map(|&(letter, _)| letter.to_ascii_lowercase()));
        let mut board: Vec<char> = squares[..files * ranks]
            .iter()
            .map(|index| letters.get(index.index(letters.len() * crowd)).copied().unwrap_or('1'))
            .map(|c| if is_royal(rules, c) { '1' } else { c })
            .collect();
        let royal = |color: usize| variant.royals[color].map_or('K', |kind| rules.letter(kind));
        board[royals.0.index(files * ranks)] = royal(0);
        board[royals.1.index(files * ranks)] = royal(1).to_ascii_lowercase();
        if variant.behemoth {
            board[royals.2.index(files * ranks)] = '*';
        }
        let text: Vec<String> = board
            .chunks(files)
            .map(|rank| rank.iter().collect::<String>())
            .map(|rank| if rank.chars().all(|c| c == '1') { files.to_string() } else { compact(&rank) })
            .collect();
        let fen = format!("{} {side} {castling} {en_passant} {} {}", text.join("/"), counters.0, counters.1);
        check(rules, &fen, choice, outcome);
    }

    #[test]
    fn any_move_text(rules in any_rules(), text in "[a-k0-9]{0,8}[qrbnajcm]?(,[nsew]{0,3}[0-9]{0,2})?") {
        let mut position = Position::start(rules);
        let before = position.fen();
        if position.play_text(&text).is_err() {
            assert_eq!(position.fen(), before, "{text}");
        }
    }
}

/// Whether a letter is that of a king or of another royal piece.
fn is_royal(rules: &Rules, letter: char) -> bool {
    let upper = letter.to_ascii_uppercase();
    upper == 'K' || rules.variant.royals.iter().flatten().any(|&kind| rules.letter(kind) == upper)
}

/// Runs of ones become numbers: `11` on a wide board would be read as eleven.
fn compact(rank: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for c in rank.chars().chain(std::iter::once('/')) {
        if c == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        if c != '/' {
            text.push(c);
        }
    }
    text
}
