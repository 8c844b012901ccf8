//! Nothing a pipe can bring makes the reader of UCI lines panic or break its promises.
//!
//! `ROSADA_FUZZ_CASES=1000000 cargo test --release --test fuzz_uci` runs a million cases of each property.

use proptest::prelude::*;
use proptest::sample::select;

use rosada::engine::options::{OptionKind, Options};
use rosada::uci::command::{Command, Start, parse};
use rosada::uci::print;

/// Words that mean something to the reader, and some that almost do.
#[rustfmt::skip]
const VOCABULARY: &[&str] = &[
    "uci", "isready", "ucinewgame", "stop", "ponderhit", "quit", "debug", "on", "off", "register", "later", "code",
    "setoption", "name", "value", "Values", "Hash", "Clear", "Threads", "Ponder", "MultiPV", "UCI_Elo", "true",
    "<empty>", "Debug", "Log", "File", "position", "startpos", "startposmoves", "fen", "moves", "e2e4", "e7e8q",
    "E2E4", "a7a8Q", "j7j10", "P@e4", "0000", "Nf3", "go", "searchmoves", "ponder", "wtime", "btime", "winc", "binc",
    "movestogo", "depth", "nodes", "mate", "movetime", "infinite", "perft", "d", "eval", "flip", "bench", "help",
    "0", "1", "-1", "5", "16", "255", "256", "999", "1000", "18446744073709551616", "-99999999999999999999",
    "170141183460469231731687303715884105728", "1.5", "+3", "-", "x", "xboard", "info", "string", "bestmove",
    "id", "option", "type", "uciok", "readyok", "copyprotection", "registration", "score", "cp", "\u{feff}", "\0",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w", "KQkq", "HAha", "e3", "8/8/8/8/8/8/8/8", "🦀", "\u{a0}",
];

const COMMANDS: &[&str] =
    &["go", "position", "position fen", "setoption name", "setoption", "debug", "bench", ""];

const BLANKS: &[&str] = &[" ", " ", " ", "  ", "\t", " \r", "", "\n"];

fn cases() -> u32 {
    std::env::var("ROSADA_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(20_000)
}

/// What holds of every line, read or refused.
fn check(line: &str) {
    match parse(line) {
        Err(error) => {
            let text = print::error(&error);
            assert!(text.starts_with("info string error: ") && text.len() < 1000, "{text}");
            assert!(!text.contains(char::is_control), "{text:?}");
        }
        Ok(None) => assert!(!line.contains(|c: char| c.is_ascii_graphic()), "{line:?}"),
        Ok(Some(command)) => check_command(command),
    }
}

fn check_command(command: Command) {
    match command {
        Command::Go(go) => {
            let limits = &go.limits;
            assert_ne!(limits.depth, Some(0));
            assert_ne!(limits.nodes, Some(0));
            assert_ne!(limits.mate, Some(0));
            assert_ne!(limits.moves_to_go, Some(0));
            let clocks = limits.remaining.iter().flatten().chain(&limits.increment).chain(&limits.move_time);
            for &time in clocks {
                assert!(std::time::Instant::now().checked_add(time).is_some());
            }
            assert!(go.search_moves.iter().all(|mv| is_word(mv)));
        }
        Command::Position { start, moves } => {
            assert!(moves.iter().all(|mv| is_word(mv)));
            if let Start::Fen(fen) = start {
                assert!(fen.split(' ').count() >= 4 && fen.split(' ').all(is_word), "{fen:?}");
            }
        }
        Command::SetOption { name, value } => {
            assert!(!name.is_empty() && name.split(' ').all(is_word), "{name:?}");
            check_option(&name, value.as_deref());
        }
        Command::Perft(depth) => assert!(depth <= 20),
        Command::Bench { depth } => assert!(depth.is_none_or(|depth| (1..=64).contains(&depth))),
        _ => {}
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains([' ', '\t', '\n', '\r', '\0'])
}

/// A refused value changes nothing; an accepted one is within its limits.
fn check_option(name: &str, value: Option<&str>) {
    let mut options = Options::default();
    if let Err(error) = options.set(name, value) {
        assert_eq!(options, Options::default());
        assert!(!print::error(&error).contains(char::is_control));
        return;
    }
    // The reader parts words at ASCII blanks only; names are compared with blanks of any alphabet made equal.
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let spec = options.specs().into_iter().find(|spec| spec.name.eq_ignore_ascii_case(&name)).unwrap();
    if let OptionKind::Spin { min, max, .. } = spec.kind {
        let number: i64 = value.unwrap().trim().parse().unwrap();
        assert!((min..=max).contains(&number));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text_after_a_command(
        command in select(COMMANDS),
        text in prop::collection::vec(any::<char>(), 0..40),
    ) {
        check(&format!("{command} {}", text.into_iter().collect::<String>()));
    }

    #[test]
    fn word_soup(
        command in select(COMMANDS),
        soup in prop::collection::vec((select(BLANKS), select(VOCABULARY)), 0..24),
    ) {
        let soup: String = soup.into_iter().flat_map(|(blank, word)| [blank, word]).collect();
        check(&format!("{command}{soup}"));
    }

    /// More blanks of any kind do not change what a line means, except inside the value of an option.
    #[test]
    fn blanks_do_not_matter(
        command in select(COMMANDS),
        words in prop::collection::vec(select(VOCABULARY), 0..16),
    ) {
        let words: Vec<&str> = words.into_iter().filter(|word| is_word(word)).collect();
        let plain = parse(&format!("{command} {}", words.join(" ")));
        let wide = parse(&format!("\t {command} \r{}\n", words.join(" \t")));
        match (plain, wide) {
            (Ok(Some(Command::SetOption { name, .. })), Ok(Some(Command::SetOption { name: wide, .. }))) => {
                prop_assert_eq!(name, wide);
            }
            (Err(_), wide) => prop_assert!(wide.is_err()),
            (plain, wide) => prop_assert_eq!(plain, wide),
        }
    }
}
