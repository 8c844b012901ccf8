//! The console's readers meet nonsense: lines, moves and PGN files. Nothing panics, and what is accepted holds together.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use rosada::console::portable::{self, Table};
use rosada::console::{command, record::Record};
use rosada::engine::board::{AnyBoard, games};
use rosada::pgn::split::Splitter;
use rosada::pgn::{read, write};

fn cases() -> u32 {
    std::env::var("ROSADA_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

const GAMES: &[&str] = &[
    "[Event \"a\"]\n[White \"w \\\"x\\\"\"]\n[TimeControl \"300+3\"]\n[Result \"1-0\"]\n\n\
     {start} 1. e4 {[%clk 0:05:00] [%emt 0:00:01.5]} e5 $1 (1... c5 2. Nf3 (2. c3)) 2. Nf3!? Nc6 ; note\n\
     3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 1-0\n",
    "[Variant \"behemoth\"]\n[SetUp \"1\"]\n\n1. e4,se1 e5,n2 2. Nf3,w1 *\n",
    "[Variant \"Chess960\"]\n[FEN \"nrbkqrnb/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRNB w KQkq - 0 1\"]\n\n1. e4 e5 2. f4 1/2-1/2\n",
    "[Variant \"grand\"]\n\n1. f5 f6 2. Nc4 *\n\n[Event \"second\"]\n\n1. d4 d5 0-1\n",
];

const LINES: &[&str] = &[
    "help level",
    "new 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
    "color both",
    "level time 0.5",
    "clock 5+3",
    "back 3",
    "load x.pgn 2",
    "save \"a b.pgn\"",
    "replay 0.1",
    "moves e2",
    "e2 e4",
    "O-O-O",
    "Nbxd7+",
    "e7e8=Q",
    "style ascii",
    "variant janus",
];

const BYTES: &[u8] = b"abcdefghijKQRBNACJMPx12345678910-=+#!?(){}[]\"\\;%$.,*/ \n\t\0eO0";

fn change(text: &str, changes: Vec<(Index, u8, u8)>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (place, kind, byte) in changes {
        let index = place.index(bytes.len().max(1));
        match kind % 3 {
            0 if !bytes.is_empty() => bytes[index] = byte,
            1 if !bytes.is_empty() => drop(bytes.remove(index)),
            _ => bytes.insert(index.min(bytes.len()), byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn changes(most: usize) -> impl Strategy<Value = Vec<(Index, u8, u8)>> {
    prop::collection::vec((any::<Index>(), any::<u8>(), select(BYTES)), 0..most)
}

/// Reads every game of a text; what can be read is written and read again.
fn check_pgn(text: &str) {
    let mut splitter = Splitter::new(text.as_bytes());
    while let Ok(Some(game)) = splitter.next_game() {
        let game = match read::read(game) {
            Ok(game) => game,
            Err(error) => {
                assert!(error.to_string().starts_with("line "), "{error}");
                continue;
            }
        };
        let again = write::write(&game);
        let mut once_more = Splitter::new(again.as_bytes());
        let same = read::read(once_more.next_game().expect("text").expect("a game"))
            .unwrap_or_else(|error| panic!("{error}\n{again}\n{text:?}"));
        let words = |game: &rosada::pgn::Game| -> Vec<String> {
            game.plies.iter().map(|ply| ply.text.clone()).collect()
        };
        assert_eq!(words(&same), words(&game), "{again}");
        let Ok(loaded) = portable::read(&game) else { continue };
        let table =
            Table { names: ["a".to_string(), "b".to_string()], control: loaded.control, event: "fuzz" };
        let saved = portable::write(&loaded.record, &table);
        let mut reader = Splitter::new(saved.as_bytes());
        let reloaded = read::read(reader.next_game().expect("text").expect("a game"))
            .and_then(|game| portable::read(&game))
            .unwrap_or_else(|error| panic!("{error}\n{saved}"));
        assert_eq!(reloaded.record.uci(), loaded.record.uci(), "{saved}");
        assert_eq!(reloaded.record.result(), loaded.record.result(), "{saved}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_line_is_read_or_refused(line in any::<String>()) {
        let _ = command::parse(&line);
        let _ = command::help(Some(&line));
    }

    #[test]
    fn spoiled_lines_are_read_or_refused(line in select(LINES), changes in changes(6)) {
        let _ = command::parse(&change(line, changes));
    }

    #[test]
    fn any_move_text_is_played_or_refused(
        game in select(games().collect::<Vec<_>>()),
        text in "[a-jA-Z0-9x=+#!?, -]{0,8}|\\PC{0,6}",
    ) {
        let fen = AnyBoard::start_fen(game).expect("a game");
        let mut record = Record::from_fen(game, fen).expect("a start position");
        match record.board().read_move(&text) {
            Ok(mv) => {
                let uci = record.board().uci(mv);
                prop_assert!(record.play(mv, None, Default::default()).is_ok());
                prop_assert_eq!(record.uci(), vec![uci]);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn any_text_is_a_game_or_refused(text in any::<String>()) {
        check_pgn(&text);
    }

    #[test]
    fn spoiled_games_are_read_or_refused(game in select(GAMES), changes in changes(8)) {
        check_pgn(&change(game, changes));
    }
}

#[test]
fn the_games_are_sound_to_begin_with() {
    for text in GAMES {
        let mut splitter = Splitter::new(text.as_bytes());
        let game = read::read(splitter.next_game().expect("text").expect("a game")).expect("PGN");
        portable::read(&game).unwrap_or_else(|error| panic!("{error}\n{text}"));
        check_pgn(text);
    }
}
