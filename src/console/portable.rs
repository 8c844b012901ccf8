//! Games of the console as PGN: saved with all tags, finished or not, and loaded again.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::clock::{self, TimeControl};
use super::record::{Notes, OUT_OF_TIME, Record, notation};
use crate::base::{Color, Error};
use crate::engine::board::{AnyBoard, Verdict, game_named};
use crate::pgn::{self, Game, ROSTER};

/// Who plays, and on what clock.
pub struct Table<'a> {
    /// The name of White, then that of Black.
    pub names: [String; 2],
    /// The clock.
    pub control: Option<TimeControl>,
    /// The name of the event.
    pub event: &'a str,
}

/// The game as PGN.
pub fn write(record: &Record, table: &Table<'_>) -> String {
    let mut game = Game { tags: record.tags.clone(), comment: record.comment.clone(), ..Game::default() };
    let [white, black] = &table.names;
    for (name, value) in [
        ("Event", table.event.to_string()),
        ("Site", "Rosada console".to_string()),
        ("Date", today()),
        ("Round", "-".to_string()),
        ("White", white.clone()),
        ("Black", black.clone()),
    ] {
        // What a loaded game said about itself stays.
        if game.tag(name).is_none() {
            game.set_tag(name, value);
        }
    }
    game.set_tag("Result", record.result());
    let board = record.board();
    if board.game() != "chess" {
        game.set_tag("Variant", board.game());
    }
    if let Some(fen) = record.setup() {
        game.set_tag("SetUp", "1");
        game.set_tag("FEN", fen);
    }
    if let Some(control) = table.control {
        game.set_tag("TimeControl", control.tag());
    }
    if let Some(opening) = board.opening() {
        game.set_tag("ECO", opening.eco);
        game.set_tag("Opening", opening.name);
    }
    game.set_tag("PlyCount", record.played().len().to_string());
    game.set_tag("Termination", termination(record));
    for (place, ply) in record.played().iter().enumerate() {
        let clock = table.control.map_or(String::new(), |control| clock_comment(record, place, control));
        let Notes { glyphs, comment, variations } = ply.notes.clone();
        let comment = format!("{clock} {comment}").trim().to_string();
        game.plies.push(pgn::Ply { text: notation(ply), line: 0, glyphs, comment, variations });
    }
    if let (Some(verdict), Some(last)) = (record.verdict(), game.plies.last_mut())
        && !last.comment.ends_with(&verdict.rule)
    {
        last.comment = format!("{} {}", last.comment, verdict.rule).trim().to_string();
    }
    pgn::write::write(&game)
}

/// What the clock showed after a move, and what the move took.
fn clock_comment(record: &Record, place: usize, control: TimeControl) -> String {
    if !record.is_timed(place) {
        return String::new();
    }
    let (moves, spent) = record.spent_until(record.side_at(place), place + 1);
    let left = control.left(moves, spent).unwrap_or_default();
    let took = clock::exact_text(record.played()[place].spent);
    format!("[%clk {}] [%emt {took}]", clock::text(left))
}

fn termination(record: &Record) -> &'static str {
    match record.verdict() {
        None => "unterminated",
        Some(verdict) if verdict.rule.ends_with(OUT_OF_TIME) => "time forfeit",
        Some(_) => "normal",
    }
}

/// The date in Greenwich.
fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
    let (year, month, day) = date_of(days);
    format!("{year}.{month:02}.{day:02}")
}

/// Year, month and day so many days after the first of January 1970.
fn date_of(days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

/// A loaded game and the clock it was played on.
pub struct Loaded {
    /// The game, its last move on the board.
    pub record: Record,
    /// The clock.
    pub control: Option<TimeControl>,
}

/// The game that PGN tells, every move checked.
pub fn read(game: &Game) -> Result<Loaded, Error> {
    let at = |line: u64, error: Error| error.within(&format!("line {line}"));
    let head = |error: Error| at(game.line, error);
    let variant = game_named(game.tag("Variant").unwrap_or("chess")).map_err(head)?;
    let mut record = match game.tag("FEN") {
        Some(fen) => Record::from_fen(variant, fen).map_err(head)?,
        None => Record::from_fen(variant, AnyBoard::start_fen(variant)?).map_err(head)?,
    };
    let control = game.tag("TimeControl").and_then(TimeControl::from_tag);
    for ply in &game.plies {
        let spent = time_spent(&ply.comment).or_else(|| clock_change(&record, &ply.comment, control?));
        let spent = spent.unwrap_or_default();
        let (text, raid) = ply.text.split_once(',').map_or((ply.text.as_str(), None), |(a, b)| (a, Some(b)));
        let played = record.board().read_move(text).and_then(|mv| record.play(mv, raid, spent).map(|_| ()));
        played.map_err(|error| {
            let board = record.board();
            let dots = if board.side().is_white() { "." } else { "..." };
            at(ply.line, error.within(&format!("move {}{dots}", board.fullmove())))
        })?;
        record.annotate(Notes {
            glyphs: ply.glyphs.clone(),
            // Times on a clock that we know are written anew.
            comment: if control.is_some() { without_times(&ply.comment) } else { ply.comment.clone() },
            variations: ply.variations.clone(),
        });
    }
    conclude(&mut record, game)?;
    let known =
        ["Result", "SetUp", "FEN", "Variant", "PlyCount", "Termination", "TimeControl", "ECO", "Opening"];
    record.tags = game.tags.iter().filter(|(name, _)| !known.contains(&name.as_str())).cloned().collect();
    // What it does not tell about itself is not known, and stays so.
    for (name, unknown) in ROSTER.iter().filter(|(name, _)| *name != "Result") {
        if game.tag(name).is_none() {
            record.tags.push((name.to_string(), unknown.to_string()));
        }
    }
    record.comment = game.comment.clone();
    Ok(Loaded { record, control })
}

/// Takes over a result that the board does not show.
fn conclude(record: &mut Record, game: &Game) -> Result<(), Error> {
    let result = game.ending();
    if result == "*" {
        return Ok(());
    }
    let shown = record.result();
    if shown == result {
        return Ok(());
    }
    // Mate and stalemate leave no choice; draws by rule may not have been noticed.
    if record.board().legal().is_empty() {
        let line = game.plies.last().map_or(game.line, |ply| ply.line);
        let why = format!("the result is given as {result}, but the board says {shown}");
        return Err(Error::new(why).within(&format!("line {line}")));
    }
    let winner = match result {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        _ => None,
    };
    let rule = match (game.tag("Termination"), winner) {
        (Some("time forfeit"), Some(winner)) => format!("{} {OUT_OF_TIME}", !winner),
        (_, Some(winner)) => format!("{} has given up", !winner),
        (_, None) => "draw agreed".to_string(),
    };
    record.agree(Verdict { winner, rule });
    Ok(())
}

/// What a comment says in a command such as `[%emt 0:00:05]`.
fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = comment.split_once(&format!("[%{name} "))?;
    Some(rest.split_once(']')?.0)
}

/// The time that a move took, as its comment tells.
fn time_spent(comment: &str) -> Option<Duration> {
    command(comment, "emt").and_then(clock::parse)
}

/// The same where the comment tells only what the clock showed after the move.
fn clock_change(record: &Record, comment: &str, control: TimeControl) -> Option<Duration> {
    let showed = command(comment, "clk").and_then(clock::parse)?;
    let (moves, spent) = record.spent(record.board().side());
    Some((control.left(moves, spent)? + control.increment).saturating_sub(showed))
}

/// A comment without what the clock said.
fn without_times(comment: &str) -> String {
    let mut rest = comment.to_string();
    for name in ["clk", "emt"] {
        while let Some(start) = rest.find(&format!("[%{name} ")) {
            let Some(length) = rest[start..].find(']') else { break };
            rest.replace_range(start..=start + length, "");
        }
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::engine::board::games;
    use crate::pgn::split::Splitter;

    fn table() -> Table<'static> {
        Table { names: ["You".to_string(), "Rosada \"x\"".to_string()], control: None, event: "Test" }
    }

    fn reload(text: &str) -> Result<Loaded, Error> {
        let mut splitter = Splitter::new(text.as_bytes());
        pgn::read::read(splitter.next_game().unwrap().unwrap()).and_then(|game| read(&game))
    }

    #[test]
    fn games_of_every_kind_load_as_they_were_saved() {
        let mut random = StdRng::seed_from_u64(3);
        for game in games() {
            for plies in [0, 1, 60] {
                let mut record = Record::new(game, &mut random).unwrap();
                for _ in 0..plies {
                    let legal = record.board().legal();
                    if record.verdict().is_some() {
                        break;
                    }
                    let mv = legal[random.random_range(0..legal.len())].0;
                    let mut after = record.board().clone();
                    after.play(mv);
                    let raid = after.awaits_raid().then(|| after.roll(&mut random));
                    record.play(mv, raid.as_deref(), Duration::from_millis(300)).unwrap();
                }
                let text = write(&record, &table());
                let again = reload(&text).unwrap_or_else(|error| panic!("{error} in\n{text}")).record;
                assert_eq!(again.board().fen(), record.board().fen(), "{text}");
                assert_eq!((again.uci(), again.result()), (record.uci(), record.result()), "{text}");
                assert_eq!(write(&again, &table()), text);
            }
        }
    }

    #[test]
    fn clocks_and_endings_come_back() {
        let mut record = Record::from_fen("chess", AnyBoard::start_fen("chess").unwrap()).unwrap();
        for (text, spent) in [("e4", 1_500), ("e5", 61_000), ("Nf3", 200)] {
            let mv = record.board().read_move(text).unwrap();
            record.play(mv, None, Duration::from_millis(spent)).unwrap();
        }
        let control = TimeControl::parse("3+2").unwrap();
        record.agree(Verdict { winner: Some(Color::White), rule: "Black has run out of time".to_string() });
        let text = write(&record, &Table { control: Some(control), ..table() });
        for word in ["[TimeControl \"180+2\"]", "[%clk 0:02:01]", "time forfeit", "1-0", "C40"] {
            assert!(text.contains(word), "{word} in\n{text}");
        }
        let again = reload(&text).unwrap();
        assert_eq!(again.control, Some(control));
        assert_eq!(again.record.spent(Color::Black), (1, Duration::from_secs(61)));
        assert_eq!(again.record.verdict(), record.verdict());
        assert_eq!(again.record.tags.iter().find(|(name, _)| name == "Black").unwrap().1, "Rosada \"x\"");
    }

    #[test]
    fn broken_games_are_refused_with_their_line() {
        for (text, fault) in [
            ("1. e4 e5\n2. Ke3 *", "line 2: move 2.: \"Ke3\" is not legal: no king moves to e3"),
            (
                "1. e4\ne5 2. Bb5 a6 3. Bxd7+ Kxd7\n4. O-O *",
                "line 3: move 4.: \"O-O\" is not legal: castling is blocked",
            ),
            ("[Variant \"Xiangqi\"]\n\n1. e4 *", "line 1: \"Xiangqi\" is no game"),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", "line 1: FEN: "),
            ("1. f3 e5 2. g4 Qh4# 1-0", "line 1: the result is given as 1-0, but the board says 0-1"),
            ("1. e4 -- 2. d4 *", "line 1: move 1...: \"--\" is neither"),
            ("1. f3 e5 2. g4 Qh4# 3. a3 0-1", "line 1: move 3.: the game is over: checkmate"),
            ("1. e4,n1 *", "line 1: move 1.: there is no Behemoth"),
        ] {
            let error = reload(text).err().unwrap().to_string();
            assert!(error.starts_with(fault), "{text}: {error}");
        }
    }

    #[test]
    fn days_become_dates() {
        assert_eq!(date_of(0), (1970, 1, 1));
        assert_eq!(date_of(11_016), (2000, 2, 29));
        assert_eq!(date_of(20_774), (2026, 11, 17));
    }
}
