//! A line of the console as a command: pure, so that it can be fuzzed. What is no command is taken for a move.

use std::path::PathBuf;
use std::time::Duration;

use super::clock::TimeControl;
use super::level::Level;
use super::style::Look;
use crate::base::Error;
use crate::base::error::quote;

/// Who sits at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Seats {
    /// The person has White.
    White,
    /// The person has Black.
    Black,
    /// Two people.
    Both,
    /// The engine plays against itself.
    #[value(name = "none")]
    Nobody,
}

/// What a person can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// All commands, or one.
    Help(Option<String>),
    /// A new game, perhaps from a FEN.
    New(Option<String>),
    /// Who sits where; none asks.
    Color(Option<Seats>),
    /// How strong the engine plays; none asks.
    Level(Option<Level>),
    /// A clock for both, none of them, or what it shows.
    Clock(ClockWish),
    /// Another game; none lists them.
    Variant(Option<String>),
    /// So many moves back, in plies; none means up to one's own last move.
    Back(Option<usize>),
    /// So many plies forward again.
    Forward(Option<usize>),
    /// What the engine would play.
    Hint,
    /// How far the mate is, as tables know it.
    Todo,
    /// The evaluation term by term.
    Eval,
    /// The board from the other side.
    Flip,
    /// The moves so far.
    History,
    /// Writes the game to a file.
    Save(PathBuf),
    /// Reads a game from a file: which one, from 1.
    Load(PathBuf, usize),
    /// Shows the game from its beginning, with a pause after each move.
    Replay(Duration),
    /// Gives up.
    Resign,
    /// Offers a draw.
    Draw,
    /// Ends the program.
    Exit,
    /// The moves of a piece, or all.
    Moves(Option<String>),
    /// The engine moves, whoever's turn it is.
    Go,
    /// Draws the board again.
    Board,
    /// How the board is drawn; none asks.
    Style(Option<Look>),
    /// The position as FEN.
    Fen,
    /// What else was typed: a move.
    Move(String),
}

/// What to do with the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockWish {
    /// Tell what it shows.
    Show,
    /// No clock.
    Off,
    /// A new one.
    On(TimeControl),
}

/// Name, arguments and what it does, for `help` and completion.
pub const COMMANDS: [(&str, &str, &str); 25] = [
    ("help", "[COMMAND]", "this list, or one command"),
    ("new", "[FEN]", "a new game, from the start position or the one given"),
    (
        "color",
        "[white | black | both | none]",
        "what you play; both: two people, none: the engine against itself",
    ),
    (
        "level",
        "[time SECONDS | depth N | nodes N | elo N | clock]",
        "how the engine plays: time for each move, depth, nodes, a rating, or as the clock allows",
    ),
    ("clock", "[MINUTES[+SECONDS] | off]", "a chess clock for both sides, with seconds added for each move"),
    ("variant", "[NAME]", "another game; without a name: which there are"),
    ("back", "[PLIES]", "takes moves back, to your own last one or so many"),
    ("forward", "[PLIES]", "plays moves again that were taken back"),
    ("hint", "", "a move the engine would play; five times in an endgame study"),
    ("todo", "", "how many moves are left to the mate, as endgame tables know it"),
    ("eval", "", "what the position is worth, term by term"),
    ("moves", "[SQUARE]", "where the piece on a square may go, or all legal moves"),
    ("go", "", "the engine moves, whoever's turn it is; with color none the game goes on"),
    ("flip", "", "turns the board around"),
    ("board", "", "draws the board again"),
    ("style", "[unicode | ascii | color | plain]", "how the board is drawn"),
    ("history", "", "the moves so far"),
    ("fen", "", "the position as text"),
    ("save", "FILE", "writes the game as PGN, finished or not"),
    ("load", "FILE [NUMBER]", "reads a game from a PGN file, the first one or another"),
    ("replay", "[SECONDS]", "shows the game from its beginning, with a pause after each move"),
    ("resign", "", "gives the game up"),
    ("draw", "", "offers a draw"),
    ("exit", "", "ends the program (quit does, too); nothing is saved"),
    ("<move>", "", "Nf3, nf3, e4, g1f3, g1 f3, e2-e4, exd5, O-O, e8=Q or e7e8q"),
];

/// Other words for commands.
const ALIASES: [(&str, &str); 10] = [
    ("?", "help"),
    ("quit", "exit"),
    ("undo", "back"),
    ("takeback", "back"),
    ("redo", "forward"),
    ("show", "board"),
    ("list", "history"),
    ("colour", "color"),
    ("evaluate", "eval"),
    ("write", "save"),
];

/// More plies than any game has.
const MOST_PLIES: usize = 100_000;
/// Nobody waits longer between two moves of a replay.
const LONGEST_PAUSE_SECONDS: f64 = 60.0;

/// Reads a line.
pub fn parse(line: &str) -> Result<Command, Error> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let lower = first.to_ascii_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == lower).map(|&(_, name)| name);
    let name = alias.unwrap_or(&lower);
    let rest = rest.trim();
    let word = || (!rest.is_empty()).then(|| rest.to_string());
    let plain = |command: Command| match rest {
        "" => Ok(command),
        _ => Err(usage(name, &format!("{name} takes nothing behind it"))),
    };
    match name {
        "" => Ok(Command::Nothing),
        "help" => Ok(Command::Help(word())),
        "new" => Ok(Command::New(word())),
        "color" => seats(rest).map(Command::Color),
        "level" if rest.is_empty() => Ok(Command::Level(None)),
        "level" => Level::parse(rest).map(|level| Command::Level(Some(level))),
        "clock" => clock(rest).map(Command::Clock),
        "variant" => Ok(Command::Variant(word())),
        "back" => plies(name, rest).map(Command::Back),
        "forward" => plies(name, rest).map(Command::Forward),
        "hint" => plain(Command::Hint),
        "todo" => plain(Command::Todo),
        "eval" => plain(Command::Eval),
        "flip" => plain(Command::Flip),
        "history" => plain(Command::History),
        "save" => file(name, rest).map(|path| Command::Save(path.into())),
        "load" => load(rest),
        "replay" => replay(rest),
        "resign" => plain(Command::Resign),
        "draw" => plain(Command::Draw),
        "exit" => plain(Command::Exit),
        "moves" => Ok(Command::Moves(word())),
        "go" => plain(Command::Go),
        "board" => plain(Command::Board),
        "style" if rest.is_empty() => Ok(Command::Style(None)),
        "style" => Look::parse(rest).map(|look| Command::Style(Some(look))),
        "fen" => plain(Command::Fen),
        _ => Ok(Command::Move(line.to_string())),
    }
}

/// An error that shows how a command is written.
fn usage(name: &str, why: &str) -> Error {
    let form = COMMANDS.iter().find(|(known, _, _)| *known == name);
    let arguments = form.map_or("", |(_, arguments, _)| arguments);
    Error::new(format!("{why}; it is written: {}", format!("{name} {arguments}").trim_end()))
}

fn seats(rest: &str) -> Result<Option<Seats>, Error> {
    Ok(Some(match rest.to_ascii_lowercase().as_str() {
        "" => return Ok(None),
        "white" | "w" => Seats::White,
        "black" | "b" => Seats::Black,
        "both" | "humans" => Seats::Both,
        "none" | "nobody" | "engine" => Seats::Nobody,
        _ => return Err(usage("color", &format!("{} is no color", quote(rest)))),
    }))
}

fn clock(rest: &str) -> Result<ClockWish, Error> {
    Ok(match rest {
        "" => ClockWish::Show,
        "off" => ClockWish::Off,
        _ => ClockWish::On(TimeControl::parse(rest)?),
    })
}

fn plies(name: &str, rest: &str) -> Result<Option<usize>, Error> {
    if rest.is_empty() {
        return Ok(None);
    }
    let number = rest.parse::<usize>().ok().filter(|number| (1..=MOST_PLIES).contains(number));
    number.map(Some).ok_or_else(|| usage(name, &format!("{} is no number of moves", quote(rest))))
}

/// A file name, which may stand in quotation marks.
fn file(name: &str, rest: &str) -> Result<String, Error> {
    let bare = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(rest);
    if bare.is_empty() {
        return Err(usage(name, &format!("{name} needs a file")));
    }
    Ok(bare.to_string())
}

fn load(rest: &str) -> Result<Command, Error> {
    // A number behind a blank is a number of a game, unless it is all there is.
    if let Some((path, number)) = rest.rsplit_once(char::is_whitespace)
        && let Ok(number) = number.parse::<usize>()
    {
        if number == 0 {
            return Err(usage("load", "games are counted from 1"));
        }
        return Ok(Command::Load(file("load", path.trim())?.into(), number));
    }
    Ok(Command::Load(file("load", rest)?.into(), 1))
}

fn replay(rest: &str) -> Result<Command, Error> {
    if rest.is_empty() {
        return Ok(Command::Replay(Duration::from_secs(1)));
    }
    let seconds = rest.parse::<f64>().ok().filter(|seconds| (0.0..=LONGEST_PAUSE_SECONDS).contains(seconds));
    let seconds = seconds.ok_or_else(|| usage("replay", &format!("{} is no pause", quote(rest))))?;
    Ok(Command::Replay(Duration::from_secs_f64(seconds)))
}

/// The list of commands, or what is known of one.
pub fn help(topic: Option<&str>) -> Result<String, Error> {
    let form = |name: &str, arguments: &str| format!("{name} {arguments}").trim_end().to_string();
    let Some(topic) = topic else {
        let lines = COMMANDS.iter().map(|(name, arguments, text)| match form(name, arguments) {
            short if short.len() < 34 => format!("  {short:<34}{text}"),
            long => format!("  {long}\n  {:<34}{text}", ""),
        });
        return Ok(lines.collect::<Vec<_>>().join("\n"));
    };
    let lower = topic.trim().to_ascii_lowercase();
    let name = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(lower.as_str(), |&(_, name)| name);
    let found = COMMANDS.iter().find(|(known, _, _)| *known == name);
    let (name, arguments, text) =
        found.ok_or_else(|| Error::new(format!("there is no command {}", quote(topic))))?;
    Ok(format!("  {}: {text}", form(name, arguments)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_commands() {
        let seconds = |seconds| Some(Level::Time(Duration::from_secs(seconds)));
        for (line, command) in [
            ("", Command::Nothing),
            (" HELP ", Command::Help(None)),
            ("? level", Command::Help(Some("level".into()))),
            ("color b", Command::Color(Some(Seats::Black))),
            ("level time 3", Command::Level(seconds(3))),
            ("undo 2", Command::Back(Some(2))),
            ("back", Command::Back(None)),
            ("save \"my game.pgn\"", Command::Save("my game.pgn".into())),
            ("save my game.pgn", Command::Save("my game.pgn".into())),
            ("load games.pgn 12", Command::Load("games.pgn".into(), 12)),
            ("load games.pgn", Command::Load("games.pgn".into(), 1)),
            ("load 12", Command::Load("12".into(), 1)),
            ("replay 0.5", Command::Replay(Duration::from_millis(500))),
            ("quit", Command::Exit),
            ("e2 e4", Command::Move("e2 e4".into())),
            ("clock off", Command::Clock(ClockWish::Off)),
        ] {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
        for bad in
            ["color red", "level", "level x", "back 0", "back -1", "save", "load", "load x 0", "replay -1"]
        {
            assert!(parse(bad).is_err() || bad == "level", "{bad}");
        }
        for bad in ["replay NaN", "replay 1e9", "exit now", "clock x", "style odd", "hint me"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_command_has_help_and_a_reader() {
        for (name, _, text) in COMMANDS {
            assert!(help(Some(name)).unwrap().contains(text));
            let is_move = matches!(parse(name), Ok(Command::Move(_)));
            assert_eq!(is_move, name == "<move>", "{name}");
        }
        for (alias, name) in ALIASES {
            assert!(COMMANDS.iter().any(|(known, _, _)| *known == name), "{alias}");
        }
        assert!(help(None).unwrap().lines().count() >= COMMANDS.len() && help(Some("x")).is_err());
    }
}
