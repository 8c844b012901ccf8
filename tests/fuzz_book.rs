//! Anything may be in a book, a PGN file or a list of openings: nothing panics, nothing illegal comes out, and a broken
//! game takes none of its neighbors with it.
//!
//! `ROSADA_FUZZ_CASES=1000000 cargo test --release --test fuzz_book` runs a million cases of each property.

mod common;

use std::io::Cursor;
use std::path::Path;

use once_cell::sync::Lazy;
use proptest::prelude::*;
use proptest::sample::Index;
use rand::SeedableRng;
use rand::rngs::StdRng;

use rosada::base::Error;
use rosada::book::build::{Builder, Settings, Totals, Watcher};
use rosada::book::{self, Book, Choice, Entry};
use rosada::chess::Position;

fn cases() -> u32 {
    std::env::var("ROSADA_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

/// Positions of random games, rare rules and Chess960 included, and a book with moves for all of them.
static SAMPLE: Lazy<(Vec<Position>, Vec<u8>)> = Lazy::new(|| {
    let mut positions = Vec::new();
    let mut random = StdRng::seed_from_u64(9);
    common::random_games(24, 20, &mut random, |position, _| positions.push(position.clone()));
    let mut entries = Vec::new();
    for position in &positions {
        for mv in position.legal_moves().into_iter().take(4) {
            entries.push(Entry { key: book::key_of(position), code: book::encode(mv), weight: 7, learn: 0 });
        }
    }
    entries.sort_by_key(|entry| (entry.key, entry.code));
    entries.dedup();
    let bytes = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    (positions, bytes)
});

/// Looks every sample position up: what is found is legal and can be chosen.
fn look_up(bytes: Vec<u8>) {
    let Ok(book) = Book::from_bytes(bytes) else { return };
    let mut random = StdRng::seed_from_u64(1);
    for position in &SAMPLE.0 {
        let moves = book.moves(position).expect("a book in memory");
        assert!(moves.len() as u64 <= book.entries_of(position).expect("a book in memory"));
        for found in &moves {
            assert!(position.is_legal(found.mv));
        }
        for choice in [Choice::Best, Choice::Weighted] {
            let chosen = book::choose(&moves, choice, &mut random);
            assert_eq!(chosen.is_some(), moves.iter().any(|found| found.weight > 0));
        }
    }
}

/// Changes bytes, inserts some, removes some, cuts off the end.
fn damage(bytes: &mut Vec<u8>, steps: &[(u8, u8, Index)]) {
    for (kind, byte, at) in steps {
        if bytes.is_empty() {
            return;
        }
        let at = at.index(bytes.len());
        match kind {
            0 | 1 => bytes[at] ^= (*byte).max(1),
            2 => bytes.insert(at, *byte),
            3 => drop(bytes.remove(at)),
            _ => bytes.truncate(at),
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<(u8, u8, Index)>> {
    prop::collection::vec((0u8..5, any::<u8>(), any::<Index>()), 1..5)
}

struct Deaf(u64);

impl Watcher for Deaf {
    fn broken(&mut self, place: &str, why: &Error) {
        assert!(!place.is_empty() && !why.to_string().is_empty());
        self.0 += 1;
    }

    fn progress(&mut self, _: &Totals, _: u64) {}
}

/// Reads a file of this name and content.
fn read(name: &str, bytes: Vec<u8>) -> Totals {
    let settings = Settings { max_ply: 28, min_games: 1, min_elo: 0, side: None, memory_bytes: 1 << 20 };
    let mut builder = Builder::new(settings, Path::new("book.bin"));
    let mut watcher = Deaf(0);
    // A packed stream may be damaged beyond reading, which is an error in words.
    let _ = builder.add_stream(name, Box::new(Cursor::new(bytes)), &mut watcher);
    let totals = *builder.totals();
    let Totals { games, used, broken, weak, other_variants, without_moves, .. } = totals;
    assert_eq!(games, used + broken + weak + other_variants + without_moves);
    assert_eq!(broken, watcher.0);
    totals
}

const GAMES: &str = "[Event \"a\"]\n[Result \"1-0\"]\n[WhiteElo \"2500\"]\n\n1. e4 {best} e5 2. Nf3 (2. f4 exf4) Nc6 \
    3. Bb5 $1 a6 4. Bxc6 dxc6 5. O-O f6 1-0\n\n[Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Ke7 \
    ; a comment\n2. Rf5 *\n\n[Event \"c\"]\n\n1. d4 d5 2. c4 dxc4 3. e4 b5 4. a4 c6 5. axb5 cxb5 1/2-1/2\n";

/// A game that must be found behind whatever comes before it.
const LAST: &str = "\n\n[Event \"last\"]\n\n1. c4 e5 2. Nc3 Nf6 0-1\n";

const TABLE: &str = "eco\tname\tpgn\nC60\tRuy Lopez\t1. e4 e5 2. Nf3 Nc6 3. Bb5\nB20\tSicilian\t1. e4 c5\n";

const LIST: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; id \"x\";\n\
    r3k2r/8/8/8/8/8/8/R3K2R w KQkq - pv O-O O-O-O; c0 \"y\";\n";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn damaged_books(steps in steps()) {
        let mut bytes = SAMPLE.1.clone();
        damage(&mut bytes, &steps);
        look_up(bytes);
    }

    /// Sorted nonsense under the keys of real positions gets past the door.
    #[test]
    fn nonsense_under_real_keys(codes in prop::collection::vec((any::<Index>(), any::<u16>(), any::<u16>()), 1..40)) {
        let positions = &SAMPLE.0;
        let mut entries: Vec<Entry> = codes
            .into_iter()
            .map(|(at, code, weight)| Entry { key: book::key_of(at.get(positions)), code, weight, learn: 1 })
            .collect();
        entries.sort_by_key(|entry| entry.key);
        look_up(entries.iter().flat_map(|entry| entry.to_bytes()).collect());
    }

    #[test]
    fn any_bytes_as_a_book(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        look_up(bytes);
    }

    #[test]
    fn damaged_games_leave_their_neighbors_alone(steps in steps()) {
        let mut bytes = GAMES.as_bytes().to_vec();
        damage(&mut bytes, &steps);
        let alone = read("games.pgn", bytes.clone());
        bytes.extend_from_slice(LAST.as_bytes());
        let with_last = read("games.pgn", bytes);
        // The last game is found whole; a comment that was left open before it ends there.
        assert_eq!(with_last.used, alone.used + 1);
    }

    #[test]
    fn any_text_as_games(text in "[\\[\\]\\(\\){};%.*$!?+#=\"a-hNBRQKOx0-9 \n-]{0,200}") {
        read("games.pgn", text.into_bytes());
    }

    #[test]
    fn any_bytes_as_games_and_lists(bytes in prop::collection::vec(any::<u8>(), 0..300), sign in 0usize..4) {
        let packed: [&[u8]; 4] = [b"", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"\xef\xbb\xbf"];
        let bytes = [packed[sign], &bytes].concat();
        for name in ["games.pgn", "list.tsv", "list.epd"] {
            read(name, bytes.clone());
        }
    }

    #[test]
    fn damaged_lists(steps in steps()) {
        for (name, text) in [("list.tsv", TABLE), ("list.epd", LIST)] {
            let mut bytes = text.as_bytes().to_vec();
            damage(&mut bytes, &steps);
            read(name, bytes);
        }
    }
}
