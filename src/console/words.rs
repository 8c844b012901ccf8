//! What the console says about a game: scores, captured men, the panel beside the board, how it ended.

use super::clock::{self, TimeControl};
use super::record::Record;
use super::screen::symbol;
use super::style::Style;
use crate::base::{Color, Score};
use crate::engine::board::{Man, Men, Raid, Verdict};
use crate::engine::report::Info;

/// As many characters of moves as fit beside the board.
const PANEL_WIDTH: usize = 44;
/// Lines of moves beside the board.
const MOVE_LINES: usize = 2;

/// A score from White's point of view: `+0.31`, `White mates in 3`.
pub fn score(score: Score, side: Color) -> String {
    let white = if side.is_white() { score } else { -score };
    match score.moves_to_mate() {
        Some(0) => format!("{side} is mated"),
        Some(moves) => {
            let winner = if moves > 0 { side } else { !side };
            format!("{winner} mates in {}", moves.abs())
        }
        None if score.is_proven() => format!("{} wins", if white > Score::DRAW { "White" } else { "Black" }),
        None => format!("{:+.2}", f64::from(white.value()) / 100.0),
    }
}

/// How a search goes: depth, score, line.
pub fn thinking(info: &Info, side: Color, line: &[String]) -> String {
    format!("depth {}, {}: {}", info.depth, score(info.score, side), line.join(" "))
}

/// How a game ended: `Checkmate: White wins, 1-0`.
pub fn ending(verdict: &Verdict, result: &str) -> String {
    let mut letters = verdict.rule.chars();
    let rule: String =
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect();
    match verdict.winner {
        Some(winner) => format!("{rule}: {winner} wins, {result}"),
        None if rule.contains("draw") || rule.contains("Draw") => format!("{rule}, {result}"),
        None => format!("{rule}: draw, {result}"),
    }
}

/// What the Behemoth did.
pub fn raid(raid: &Raid) -> String {
    let name = |man: &Man| match man.side {
        Some(side) => format!("the {} {}", side.to_string().to_ascii_lowercase(), man.name()),
        None => man.name().to_string(),
    };
    let taken: Vec<String> =
        raid.taken.iter().map(|(man, cell)| format!("{} on {cell}", name(man))).collect();
    let takes = if taken.is_empty() { "nothing".to_string() } else { taken.join(", ") };
    format!("The die says {}: the Behemoth goes to {} and takes {takes}.", raid.text, raid.to)
}

/// The men of a side that are gone, the strongest first.
fn captured(start: &Men, now: &Men, side: Color, style: Style) -> String {
    let men = |board: &Men| -> Vec<Man> {
        board.cells().filter_map(|cell| board.at(cell)).filter(|man| man.side == Some(side)).collect()
    };
    let mut gone = men(start);
    for man in men(now) {
        if let Some(place) = gone.iter().position(|other| other.letter == man.letter) {
            gone.swap_remove(place);
        }
    }
    let order = "KQACJMRBNP";
    gone.sort_by_key(|man| order.find(man.letter));
    gone.iter().map(|man| symbol(man, style)).collect()
}

/// What one side's clock shows; without a clock, what it has used.
pub fn time_of(record: &Record, side: Color, control: Option<TimeControl>) -> String {
    let (moves, spent) = record.spent(side);
    match control {
        Some(control) => clock::text(control.left(moves, spent).unwrap_or_default()),
        None => format!("{} used", clock::text(spent)),
    }
}

/// The lines beside the board.
pub fn panel(
    record: &Record,
    names: &[String; 2],
    control: Option<TimeControl>,
    style: Style,
) -> Vec<String> {
    let board = record.board();
    let mut lines = Vec::new();
    for side in Color::ALL {
        lines.push(format!("{side}: {}, {}", names[side.index()], time_of(record, side, control)));
    }
    let (start, now) = (record.start().men(), board.men());
    let [white, black] = Color::ALL.map(|side| captured(&start, &now, side, style));
    let taken: Vec<&str> =
        [black.as_str(), white.as_str()].into_iter().filter(|men| !men.is_empty()).collect();
    lines.push(if taken.is_empty() { String::new() } else { format!("Captured: {}", taken.join(" ")) });
    lines.push(board.opening().map_or(String::new(), |opening| opening.to_string()));
    lines.extend(recent_moves(record));
    lines.push(match record.verdict() {
        Some(verdict) => ending(&verdict, record.result()),
        None if board.in_check() => format!("{} to move, in check", board.side()),
        None => format!("{} to move", board.side()),
    });
    lines
}

/// The last moves, as many as fit.
fn recent_moves(record: &Record) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new(); MOVE_LINES];
    let mut rows: Vec<String> = Vec::new();
    let mut row = String::new();
    for word in record.numbered(0) {
        if !row.is_empty() && row.chars().count() + 1 + word.chars().count() > PANEL_WIDTH {
            rows.push(std::mem::take(&mut row));
        }
        row.push_str(if row.is_empty() { "" } else { " " });
        row.push_str(&word);
    }
    rows.push(row);
    let first = rows.len().saturating_sub(MOVE_LINES);
    lines.splice(..rows.len().min(MOVE_LINES), rows.into_iter().skip(first));
    lines
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn scores_are_told_from_whites_side() {
        assert_eq!(score(Score::new(31), Color::White), "+0.31");
        assert_eq!(score(Score::new(31), Color::Black), "-0.31");
        assert_eq!(score(Score::mate_in(5), Color::Black), "Black mates in 3");
        assert_eq!(score(Score::mated_in(4), Color::Black), "White mates in 2");
        assert_eq!(score(-Score::TABLE_WIN, Color::White), "Black wins");
        assert_eq!(score(Score::mate_in(0), Color::White), "White wins");
    }

    #[test]
    fn the_panel_tells_what_is_gone_and_where_we_are() {
        let mut record =
            Record::from_fen("chess", crate::engine::board::AnyBoard::start_fen("chess").unwrap()).unwrap();
        for text in ["e4", "d5", "exd5", "Qxd5", "Nc3"] {
            let mv = record.board().read_move(text).unwrap();
            record.play(mv, None, Duration::from_secs(2)).unwrap();
        }
        let style = Style { figures: false, colors: false };
        let names = ["You".to_string(), "Rosada".to_string()];
        let lines = panel(&record, &names, None, style);
        assert_eq!(lines[0], "White: You, 0:00:06 used");
        assert_eq!(lines[2], "Captured: p P");
        assert!(lines[3].contains("Scandinavian"), "{lines:?}");
        assert_eq!(lines[4], "1. e4 d5 2. exd5 Qxd5 3. Nc3");
        assert_eq!(lines[6], "Black to move");
        let control = TimeControl::parse("1+1").unwrap();
        assert!(panel(&record, &names, Some(control), style)[0].contains("0:00:57"));
    }
}
