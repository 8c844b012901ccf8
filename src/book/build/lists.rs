//! Lists of openings instead of games: TSV with a column of moves, EPD with moves among its operations or none at all.
//!
//! A line of a list counts as one game that nobody has won.

use super::{Ending, Line, way};
use crate::base::error::quote;
use crate::base::{Error, Move};
use crate::chess::Position;

/// Longer lines are refused.
pub const LONGEST_LINE: usize = 64 << 10;

/// Heads of columns that hold moves.
const MOVE_COLUMNS: [&str; 3] = ["pgn", "moves", "uci"];

/// EPD operations that name moves, each of which could be played now.
const MOVE_OPERATIONS: [&str; 3] = ["bm", "pm", "sm"];

/// Reads lines of a table.
#[derive(Default)]
pub struct Table {
    /// The column with the moves; the last one, if no head tells.
    column: Option<usize>,
    begun: bool,
}

impl Table {
    /// The opening of a line; none for the heads of the columns.
    pub fn read(&mut self, line: &str) -> Result<Option<Line>, Error> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        if !std::mem::replace(&mut self.begun, true) {
            let is_head = |cell: &&str| MOVE_COLUMNS.iter().any(|head| head.eq_ignore_ascii_case(cell));
            self.column = cells.iter().position(is_head);
            if self.column.is_some() {
                return Ok(None);
            }
        }
        let column = self.column.unwrap_or(cells.len() - 1);
        let cell = cells.get(column).ok_or_else(|| Error::new(format!("has no column {}", column + 1)))?;
        let moves = read_moves(&Position::start(), cell)?;
        if moves.is_empty() {
            return Err(Error::new("names no moves"));
        }
        Ok(Some(Line { start: Position::start(), moves, ending: Ending::Unknown, elo: [None; 2] }))
    }
}

/// The lines of play that an EPD names: each best move alone, a variation as a whole; if it names none, the way there.
pub fn read_epd(text: &str) -> Result<Vec<Line>, Error> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let position = Position::from_fen(&words[..words.len().min(4)].join(" "))?;
    let operations = words.get(4..).unwrap_or_default().join(" ");
    let line = |moves: Vec<Move>| {
        let start = position.clone();
        Line { start, moves, ending: Ending::Unknown, elo: [None; 2] }
    };
    let mut lines = Vec::new();
    for operation in operations.split(';') {
        let (name, operands) = operation.trim().split_once(' ').unwrap_or_default();
        if name == "pv" {
            lines.push(line(read_moves(&position, operands)?));
        } else if MOVE_OPERATIONS.contains(&name) {
            for word in operands.split_whitespace() {
                lines.push(line(vec![read_move(&position, word)?]));
            }
        }
    }
    if lines.is_empty() {
        let start = Position::start();
        let moves = way::find(&position).ok_or_else(|| {
            Error::new(
                "names no moves (bm, pm, sm or pv), and no way there from the start position was found",
            )
        })?;
        lines.push(Line { start, moves, ending: Ending::Unknown, elo: [None; 2] });
    }
    Ok(lines)
}

/// Moves one after the other, with or without numbers, in either notation.
fn read_moves(start: &Position, text: &str) -> Result<Vec<Move>, Error> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let bare = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        // Castling may be written with zeros.
        let bare = if word.starts_with("0-0") { word } else { bare };
        if bare.is_empty() || bare == "*" {
            continue;
        }
        let mv = read_move(&position, bare)?;
        position.make(mv);
        position.forget_undo();
        moves.push(mv);
    }
    Ok(moves)
}

fn read_move(position: &Position, word: &str) -> Result<Move, Error> {
    let not_legal = |_| {
        let number = position.fullmove();
        let dots = if position.side_to_move().is_white() { "." } else { "..." };
        Error::new(format!("{number}{dots} {} is not legal", quote(word)))
    };
    position.parse_san(word).or_else(|_| position.parse_uci(word)).map_err(not_legal)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn tables_with_and_without_heads() {
        let mut table = Table::default();
        assert!(table.read("eco\tname\tpgn\tepd").unwrap().is_none());
        let line = table.read("B20\tSicilian\t1. e4 c5 2.Nf3 d6\t-").unwrap().unwrap();
        assert_eq!(line.moves.len(), 4);
        assert!(table.read("B20\tSicilian").err().unwrap().to_string().contains("column 3"));
        assert!(table.read("B20\tSicilian\t\t").err().unwrap().to_string().contains("no moves"));
        let error = table.read("B20\tSicilian\t1. e4 c5 2. Nf6").err().unwrap().to_string();
        assert_eq!(error, "2. \"Nf6\" is not legal");
        let mut bare = Table::default();
        assert_eq!(
            bare.read("Italian\te2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1").err().map(|e| e.to_string()),
            None
        );
        assert_eq!(bare.read("d4 d5").unwrap().unwrap().moves.len(), 2);
    }

    #[test]
    fn operations_of_an_epd() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let lengths = |text: &str| {
            let lines = read_epd(&format!("{start} {text}")).unwrap();
            lines.iter().map(|line| line.moves.len()).collect::<Vec<_>>()
        };
        assert_eq!(lengths("bm e4 d4; id \"start\";"), [1, 1]);
        assert_eq!(lengths("pm e2e4; pv e4 e5 Nf3"), [1, 3]);
        let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
        assert_eq!(read_epd(sicilian).unwrap()[0].moves.len(), 2);
        let bare = "4k3/8/8/8/8/8/8/4K3 w - -";
        for (text, word) in [(bare, "names no moves"), ("8/8 w - -", "8 ranks"), ("", "fields")] {
            let error = read_epd(text).err().unwrap().to_string();
            assert!(error.contains(word), "{error}");
        }
        assert!(read_epd(&format!("{start} bm Ke2;")).is_err());
    }
}
