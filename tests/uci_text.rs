//! The reader of UCI lines against real and malformed input from the shared data folder.

use std::fs;
use std::path::PathBuf;

use rosada::engine::options::Options;
use rosada::uci::command::{Command, Start, parse};

/// The shared test data beside the project; without it the tests say so and pass.
fn data(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    if !folder.is_dir() {
        eprintln!("SKIPPED: ../shared/data is missing, {name} was not tested");
        return None;
    }
    Some(folder.join(name))
}

/// Lines as the bytes of a pipe become them.
fn lossy(bytes: &[u8]) -> Vec<String> {
    bytes.split(|&byte| byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}

/// The lines that one line of the file stands for.
fn expand(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["@long_position", moves] => {
            let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
            let moves: Vec<&str> = shuffle.into_iter().cycle().take(moves.parse().unwrap()).collect();
            vec![format!("position startpos moves {}", moves.join(" "))]
        }
        ["@repeat", text, count] => vec![text.repeat(count.parse().unwrap())],
        ["@bytes", bytes @ ..] => {
            let bytes: Vec<u8> = bytes.iter().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
            lossy(&bytes)
        }
        ["@crlf", rest @ ..] => vec![format!("{}\r\n", rest.join(" "))],
        ["@eof"] => vec![],
        _ => vec![line.to_string()],
    }
}

#[test]
fn malformed_lines_are_read_or_refused() {
    let Some(path) = data("uci/malformed_uci.txt") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut options = Options::default();
    let mut read = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')).flat_map(expand) {
        read += 1;
        match parse(&line) {
            Ok(Some(Command::SetOption { name, value })) => {
                let before = options.clone();
                if options.set(&name, value.as_deref()).is_err() {
                    assert_eq!(options, before, "{line}");
                }
            }
            Ok(Some(Command::Position { moves, .. })) if line.len() > 1000 => assert_eq!(moves.len(), 600),
            Ok(_) => {}
            Err(error) => assert!(error.to_string().len() < 300, "{error}"),
        }
    }
    assert!(read > 150, "only {read} lines");
}

#[test]
fn each_malformed_line_gets_its_due() {
    for line in [
        "go movetime 0",
        "go movetime -1",
        "go depth 0",
        "go depth -3",
        "go depth 99999999999999999999",
        "go nodes 0",
        "go nodes 18446744073709551616",
        "go wtime -100 btime -100 winc -5 binc -5",
        "go wtime 0 btime 0 movestogo 0",
        "go wtime 0 btime 0 movestogo -5",
        "go movestogo 1",
        "go btime 885300",
        "go wtime 1000 wtime 2000 btime 1000",
        "go searchmoves",
        "go searchmoves zz99 depth 2",
        "go foo bar depth 2",
        "go ponder infinite",
        "   uci",
        "uci\r\n",
    ] {
        assert!(matches!(parse(line), Ok(Some(_))), "{line}");
    }
    for line in [
        "position",
        "position fen",
        "position fen startpos",
        "position fen rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR w",
        "go wtime btime winc binc",
        "go wtime abc btime 1000",
        "go mate 0",
        "go perft -1",
        "setoption",
        "setoption name",
        "setoption value 3 name Hash",
        "xboard",
        "debug maybe",
    ] {
        let refused = match parse(line) {
            Ok(Some(Command::Position { start, .. })) => matches!(start, Start::Unreadable(_)),
            other => other.is_err(),
        };
        assert!(refused, "{line}");
    }
}

#[test]
fn every_recorded_line_of_a_gui_is_understood() {
    let Some(folder) = data("uci/transcripts") else { return };
    let mut lines = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((time, sent)) = line.split_once(" > ") else { continue };
            if time.trim().parse::<u64>().is_err() || sent == "[GUI closed stdin]" {
                continue;
            }
            lines += 1;
            assert!(matches!(parse(sent), Ok(Some(_))), "{}: {sent}: {:?}", path.display(), parse(sent));
        }
    }
    assert!(lines > 3_000, "only {lines} lines");
}

#[test]
fn the_commands_of_the_stockfish_tests_are_understood() {
    let Some(path) = data("uci/stockfish_tests_commands.txt") else { return };
    for line in fs::read_to_string(path).unwrap().lines().filter(|line| !line.starts_with('#')) {
        let foreign = line.starts_with("bench ");
        assert_eq!(parse(line).is_err(), foreign, "{line}");
    }
}
