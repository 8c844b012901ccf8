//! A line of UCI, read into a [`Command`]. Pure: no state, no output.
//!
//! Lines are normalised first: every kind of blank becomes a space, the ends are trimmed, and the first known
//! word decides. `vampirc-uci` reads what it reads safely, always one message at a time and only through
//! `parse_strict`; its `go` loses and mangles limits and panics on some, so `go` has a reader of its own. Where the
//! crate refuses legal text (short FENs, Shredder-FEN, variants, odd option names) a splitter of ours takes over.

use vampirc_uci::{UciMessage, parse_strict};

use super::go;
use crate::base::Error;
use crate::base::error::quote;
use crate::time::Limits;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `uci`: say who you are.
    Uci,
    /// `isready`: answer when everything before it has taken effect.
    IsReady,
    /// `ucinewgame`: what comes next has nothing to do with what was.
    NewGame,
    /// `stop`: end the search.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `register ...`: nothing needs registering here.
    Register,
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// The name with its blanks collapsed, case as it came.
        name: String,
        /// The value without blanks at its ends; `<empty>` and nothing at all are the empty text. `None` when there
        /// is no word `value`.
        value: Option<String>,
    },
    /// `position ...`: neither the FEN nor the moves are checked yet.
    Position {
        /// Where the game starts.
        start: Start,
        /// The moves played since.
        moves: Vec<String>,
    },
    /// `go ...`.
    Go(Go),
    /// `go perft <depth>`.
    Perft(u32),
    /// `d`: show the board.
    Display,
    /// `eval`: show the terms of the evaluation.
    Eval,
    /// `flip`: exchange the colors.
    Flip,
    /// `bench [depth]`.
    Bench {
        /// Another depth than the usual one.
        depth: Option<u32>,
    },
    /// `genfens`: print random openings, as OpenBench asks for them.
    GenFens {
        /// How many.
        count: u32,
        /// The same seed gives the same openings.
        seed: u64,
        /// A file of positions to start from.
        book: Option<String>,
    },
    /// `help`: list the commands.
    Help,
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// The start position of the game.
    Initial,
    /// A FEN of at least four fields, one blank between them, not looked at.
    Fen(String),
    /// Neither, for this reason.
    Unreadable(Error),
}

/// A search as asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Go {
    /// When to end it. With no limit at all, `infinite` is set.
    pub limits: Limits,
    /// Only these root moves; all of them when empty. Not checked yet.
    pub search_moves: Vec<String>,
}

/// The deepest `bench` that makes sense.
const MAX_BENCH_DEPTH: u32 = 64;

/// Reads one line. `Ok(None)` is a blank one; an error says what is wrong with it.
pub fn parse(line: &str) -> Result<Option<Command>, Error> {
    let line = normalise(line);
    let line = line.trim_matches(is_padding);
    let mut text = line;
    while let Some((word, rest)) = split_word(text) {
        let word = word.to_ascii_lowercase();
        let extension = if text.len() == line.len() { parse_extension(&word, rest) } else { None };
        if let Some(command) = extension.or_else(|| parse_standard(&word, rest)) {
            return command.map(Some);
        }
        text = rest;
    }
    if line.is_empty() { Ok(None) } else { Err(Error::new(format!("unknown command {}", quote(line)))) }
}

/// Tabs, line ends and NUL become spaces, so that "blank" means one thing from here on.
fn normalise(line: &str) -> String {
    line.chars().map(|c| if c.is_ascii_whitespace() || c == '\u{b}' || c == '\0' { ' ' } else { c }).collect()
}

/// What may surround a line: blanks of any alphabet and the mark some editors put before UTF-8 text.
fn is_padding(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// The first word and the text after it.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(' ');
    match text.split_once(' ') {
        Some(parts) => Some(parts),
        None if text.is_empty() => None,
        None => Some((text, "")),
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Our own commands, which count only at the start of a line.
fn parse_extension(word: &str, rest: &str) -> Option<Result<Command, Error>> {
    Some(match word {
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "flip" => Ok(Command::Flip),
        "help" => Ok(Command::Help),
        "bench" => parse_bench(rest),
        "genfens" => parse_gen_fens(rest),
        _ => return None,
    })
}

/// The commands of the protocol; `None` when `word` is not one.
fn parse_standard(word: &str, rest: &str) -> Option<Result<Command, Error>> {
    Some(match word {
        "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" => parse_verb(word),
        "debug" => parse_debug(rest),
        "register" => parse_register(rest),
        "setoption" => parse_set_option(rest),
        // A position that cannot be read is a command all the same: it takes the old one off the board.
        "position" => Ok(parse_position(rest).unwrap_or_else(|error| Command::Position {
            start: Start::Unreadable(error),
            moves: Vec::new(),
        })),
        "go" => go::parse(rest),
        _ => return None,
    })
}

/// One message of the crate, if it reads the text as exactly that. It panics only in reading `go` and messages from
/// engines, neither of which it is ever given.
fn read_by_crate(text: &str) -> Option<UciMessage> {
    let mut messages = parse_strict(text).ok()?;
    if messages.len() == 1 { messages.pop() } else { None }
}

fn parse_verb(word: &str) -> Result<Command, Error> {
    match read_by_crate(word) {
        Some(UciMessage::Uci) => Ok(Command::Uci),
        Some(UciMessage::IsReady) => Ok(Command::IsReady),
        Some(UciMessage::UciNewGame) => Ok(Command::NewGame),
        Some(UciMessage::Stop) => Ok(Command::Stop),
        Some(UciMessage::PonderHit) => Ok(Command::PonderHit),
        Some(UciMessage::Quit) => Ok(Command::Quit),
        _ => Err(Error::new(format!("unknown command {}", quote(word)))),
    }
}

fn parse_debug(rest: &str) -> Result<Command, Error> {
    let word = split_word(rest).map_or("", |(word, _)| word);
    match read_by_crate(&format!("debug {word}")) {
        Some(UciMessage::Debug(on)) => Ok(Command::Debug(on)),
        _ => Err(Error::new(format!("debug must be on or off, not {}", quote(word)))),
    }
}

fn parse_register(rest: &str) -> Result<Command, Error> {
    match read_by_crate(&format!("register {}", rest.trim_matches(' '))) {
        Some(UciMessage::Register { .. }) => Ok(Command::Register),
        _ => Err(Error::new("register needs \"later\" or \"name <name> code <code>\"")),
    }
}

/// `N seed S book <None|path>`; what OpenBench may add behind is not for us.
fn parse_gen_fens(rest: &str) -> Result<Command, Error> {
    let words: Vec<&str> = words(rest).collect();
    let after =
        |name: &str| words.iter().position(|&word| word == name).and_then(|at| words.get(at + 1)).copied();
    let count = words.first().and_then(|word| word.parse().ok());
    let (Some(count), Some(seed)) = (count, after("seed").and_then(|word| word.parse().ok())) else {
        return Err(Error::new("genfens needs a count and a seed: genfens N seed S book <None|path>"));
    };
    let book = after("book").filter(|book| !book.eq_ignore_ascii_case("none")).map(str::to_string);
    Ok(Command::GenFens { count, seed, book })
}

fn parse_bench(rest: &str) -> Result<Command, Error> {
    let mut words = words(rest);
    let Some(word) = words.next() else { return Ok(Command::Bench { depth: None }) };
    if words.next().is_some() {
        return Err(Error::new("bench takes one number, the depth"));
    }
    match word.parse() {
        Ok(depth @ 1..=MAX_BENCH_DEPTH) => Ok(Command::Bench { depth: Some(depth) }),
        _ => Err(Error::new(format!("bench depth must be from 1 to {MAX_BENCH_DEPTH}, not {}", quote(word)))),
    }
}

fn parse_set_option(rest: &str) -> Result<Command, Error> {
    let rest = rest.trim_matches(' ');
    let (name, value) = match read_by_crate(&format!("setoption {rest}")) {
        // It trims blanks of other alphabets off the name, which may leave nothing.
        Some(UciMessage::SetOption { name, value }) if !name.is_empty() => (name, value),
        _ => split_option(rest)?,
    };
    let name = words(&name).collect::<Vec<_>>().join(" ");
    let value = value.map(|value| match value.trim_matches(' ') {
        "<empty>" => String::new(),
        value => value.to_string(),
    });
    Ok(Command::SetOption { name, value })
}

/// Name and value by hand: the name ends at the first separate word `value`.
fn split_option(rest: &str) -> Result<(String, Option<String>), Error> {
    let missing = || Error::new("setoption needs \"name <name> [value <value>]\"");
    let (word, tail) = split_word(rest).ok_or_else(missing)?;
    if !word.eq_ignore_ascii_case("name") {
        return Err(missing());
    }
    let mut name = Vec::new();
    let mut value = None;
    let mut text = tail;
    while let Some((word, after)) = split_word(text) {
        if word.eq_ignore_ascii_case("value") {
            value = Some(after.to_string());
            break;
        }
        name.push(word);
        text = after;
    }
    if name.is_empty() { Err(missing()) } else { Ok((name.join(" "), value)) }
}

fn parse_position(rest: &str) -> Result<Command, Error> {
    let words: Vec<&str> = words(rest).collect();
    if let Some(command) = position_by_crate(&words) {
        return Ok(command);
    }
    let (head, moves) = split_moves(&words);
    let missing = |found: &str| Error::new(format!("position needs startpos or fen{found}"));
    let (&kind, fields) = head.split_first().ok_or_else(|| missing(""))?;
    let start = if kind.eq_ignore_ascii_case("startpos") {
        if let Some(word) = fields.first() {
            return Err(Error::new(format!("position startpos goes on with moves, not {}", quote(word))));
        }
        Start::Initial
    } else if kind.eq_ignore_ascii_case("fen") {
        if fields.len() < 4 {
            return Err(Error::new(format!("a FEN has at least 4 fields, this one has {}", fields.len())));
        }
        Start::Fen(fields.join(" "))
    } else {
        return Err(missing(&format!(", not {}", quote(kind))));
    };
    Ok(Command::Position { start, moves: moves.iter().map(|mv| mv.to_string()).collect() })
}

/// What stands before the word `moves`, and the moves.
fn split_moves<'a, 'b>(words: &'a [&'b str]) -> (&'a [&'b str], &'a [&'b str]) {
    match words.iter().position(|word| word.eq_ignore_ascii_case("moves")) {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[]),
    }
}

/// A position of standard chess. The crate needs no blank before `moves` and between some of its parts; what it
/// returns counts only if it used every word.
fn position_by_crate(words: &[&str]) -> Option<Command> {
    let (head, move_words) = split_moves(words);
    let UciMessage::Position { startpos, fen, moves } =
        read_by_crate(&format!("position {}", words.join(" ")))?
    else {
        return None;
    };
    let start = match fen {
        None if startpos && head.len() == 1 => Start::Initial,
        Some(fen) if head.len() > 1 && fen.as_str() == head[1..].join(" ") => Start::Fen(fen.0),
        _ => return None,
    };
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let same = moves.len() == move_words.len()
        && moves.iter().zip(move_words).all(|(mv, word)| mv.eq_ignore_ascii_case(word));
    same.then_some(Command::Position { start, moves })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ok(line: &str) -> Command {
        parse(line).unwrap().unwrap()
    }

    fn fault(line: &str) -> String {
        match parse(line) {
            Err(error) | Ok(Some(Command::Position { start: Start::Unreadable(error), .. })) => {
                error.to_string()
            }
            other => panic!("{line} was read as {other:?}"),
        }
    }

    fn option(name: &str, value: Option<&str>) -> Command {
        Command::SetOption { name: name.to_string(), value: value.map(str::to_string) }
    }

    fn position(start: Start, moves: &[&str]) -> Command {
        Command::Position { start, moves: moves.iter().map(|mv| mv.to_string()).collect() }
    }

    #[test]
    fn blank_lines_say_nothing() {
        for line in ["", " ", "\r", "\t \r\n", "\u{feff}", "\0", "\0\0 ", "\u{a0}", "\u{feff} \r"] {
            assert_eq!(parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn verbs_in_any_dress() {
        for (line, command) in [
            ("uci", Command::Uci),
            ("\u{feff}uci\r\n", Command::Uci),
            ("   uci", Command::Uci),
            ("uci uci uci", Command::Uci),
            ("UCI", Command::Uci),
            ("\tisready\t", Command::IsReady),
            ("isready isready", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("stop\0", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit now", Command::Quit),
            ("joho debug on", Command::Debug(true)),
            ("debug\t OFF", Command::Debug(false)),
            ("register later", Command::Register),
            ("register name Stefan MK code 4359874324", Command::Register),
            ("d", Command::Display),
            ("eval", Command::Eval),
            ("flip", Command::Flip),
            ("help me", Command::Help),
            ("bench", Command::Bench { depth: None }),
            ("bench 9", Command::Bench { depth: Some(9) }),
            ("go perft 5", Command::Perft(5)),
        ] {
            assert_eq!(ok(line), command, "{line:?}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        assert_eq!(fault("xboard"), "unknown command \"xboard\"");
        assert_eq!(fault("please d"), "unknown command \"please d\"");
        assert_eq!(fault("ucix"), "unknown command \"ucix\"");
        assert_eq!(fault("\u{1}\u{2}"), "unknown command \"\\u{1}\\u{2}\"");
        assert!(fault(&"x".repeat(1 << 20)).len() < 100);
        assert_eq!(fault("debug"), "debug must be on or off, not \"\"");
        assert_eq!(fault("debug maybe"), "debug must be on or off, not \"maybe\"");
        assert!(fault("register").contains("later"));
        for line in ["bench x", "bench 0", "bench -1", "bench 65", "bench 128 1 8 default depth"] {
            assert!(fault(line).starts_with("bench"), "{line}");
        }
    }

    #[test]
    fn options_split_at_the_first_separate_value() {
        for (line, command) in [
            ("setoption name Hash value 16", option("Hash", Some("16"))),
            ("setoption  name \t Hash   value   16  ", option("Hash", Some("16"))),
            ("setoption name Clear  Hash", option("Clear Hash", None)),
            ("setoption name Hash value", option("Hash", Some(""))),
            ("setoption name Path value <empty>", option("Path", Some(""))),
            ("setoption name A B value C:\\My  Tables\\3 4 5", option("A B", Some("C:\\My  Tables\\3 4 5"))),
            ("setoption name A value b value c", option("A", Some("b value c"))),
            ("setoption name Piece Values value 3", option("Piece Values", Some("3"))),
            ("setoption name Values value 3", option("Values", Some("3"))),
            ("setoption name Hash Value 3", option("Hash", Some("3"))),
            ("setoption name \u{a0} value 3", option("\u{a0}", Some("3"))),
            ("setoption name Path value /šáň/ö", option("Path", Some("/šáň/ö"))),
        ] {
            assert_eq!(ok(line), command, "{line}");
        }
        for line in ["setoption", "setoption name", "setoption name value 3", "setoption value 3 name Hash"] {
            assert!(fault(line).starts_with("setoption needs"), "{line}");
        }
    }

    #[test]
    fn positions_are_split_but_not_judged() {
        let fen = |fen: &str| Start::Fen(fen.to_string());
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (line, command) in [
            ("position startpos", position(Start::Initial, &[])),
            ("position startpos moves", position(Start::Initial, &[])),
            ("position startpos  moves\te2e4   e7e5 ", position(Start::Initial, &["e2e4", "e7e5"])),
            ("position startpos moves e2e4 Nf6 xyz 0000", {
                position(Start::Initial, &["e2e4", "Nf6", "xyz", "0000"])
            }),
            ("position startpos moves e2e4moves e7e5", position(Start::Initial, &["e2e4moves", "e7e5"])),
            ("position startpos moves e2e4 moves e7e5", position(Start::Initial, &["e2e4", "moves", "e7e5"])),
            (&format!("position  fen  {start}"), position(fen(start), &[])),
            (&format!("position fen {start} moves e2e4"), position(fen(start), &["e2e4"])),
            ("position fen 4k3/8/8/8/8/8/8/4K2R w K -", position(fen("4k3/8/8/8/8/8/8/4K2R w K -"), &[])),
            ("position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1", {
                position(fen("4k3/8/8/8/8/8/8/4K2R w H - 0 1"), &["e1h1"])
            }),
            (
                "position fen rbncbqaknr/pppppppppp/10/10/10/10/PPPPPPPPPP/RBNCBQAKNR w JAja - 0 1 moves a2a4 j7j5",
                position(
                    fen("rbncbqaknr/pppppppppp/10/10/10/10/PPPPPPPPPP/RBNCBQAKNR w JAja - 0 1"),
                    &["a2a4", "j7j5"],
                ),
            ),
            ("position fen a b c d e f g", position(fen("a b c d e f g"), &[])),
            ("position fen 8/P7/8/8/8/8/k6K/8 w - - 0 1 moves a7a8Q", {
                position(fen("8/P7/8/8/8/8/k6K/8 w - - 0 1"), &["a7a8q"])
            }),
        ] {
            assert_eq!(ok(line), command, "{line}");
        }
        for line in [
            "position",
            "position starpos",
            "position startposmoves e2e4",
            "position moves e2e4",
            "position fen",
            "position fen startpos",
            "position fen moves e2e4",
            "position fen blah",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - moves e1e2",
            "position startpos e2e4",
            &format!("position {start}"),
        ] {
            fault(line);
        }
        assert!(fault("position starpos").contains("\"starpos\""));
    }

    #[test]
    fn a_very_long_game_is_read_whole() {
        let line = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(20_000));
        let Command::Position { moves, .. } = ok(&line) else { panic!("not a position") };
        assert_eq!(moves.len(), 80_000);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Where the crate reads an option, the splitter of ours reads the same.
        #[test]
        fn both_option_readers_agree(
            words in prop::collection::vec(prop::sample::select(vec!["name", "value", "Values", "Hash", "x", "16"]), 0..8)
        ) {
            let rest = words.join(" ");
            if let Some(UciMessage::SetOption { name, value }) = read_by_crate(&format!("setoption {rest}")) {
                prop_assert_eq!(split_option(&rest), Ok((name, value)));
            }
        }
    }
}
