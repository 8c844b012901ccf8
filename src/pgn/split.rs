//! Cutting a PGN stream into games, one text each, with the line it begins at.
//!
//! `pgn-reader` could read the whole stream, but it knows no line numbers, and a game whose end cannot be made out would
//! take its neighbors with it.

use std::io::BufRead;

use super::input::read_line;
use crate::base::Error;

/// Longer games are refused: no annotated game needs more, and memory is finite.
pub const LONGEST_GAME: usize = 1 << 20;

/// Cuts games out of a stream.
pub struct Splitter<S: BufRead> {
    stream: S,
    /// The line read last, which may belong to the next game, and its number.
    line: Vec<u8>,
    line_number: u64,
    /// The line read last is still to be looked at.
    pending: bool,
    game: GameText,
}

/// The text of one game, without blank lines outside of comments.
#[derive(Clone, Debug, Default)]
pub struct GameText {
    /// The number of its first line, from 1.
    pub line: u64,
    /// Tags and moves.
    pub bytes: Vec<u8>,
    /// The number, in the file, of each line of the text.
    pub lines: Vec<u64>,
    /// Where the moves begin.
    pub moves_at: usize,
    /// There was more than [`LONGEST_GAME`]; it was thrown away.
    pub too_long: bool,
}

impl GameText {
    fn push(&mut self, line: &[u8], number: u64) {
        if self.bytes.len() + line.len() + 1 > LONGEST_GAME {
            self.too_long = true;
        } else {
            self.bytes.extend_from_slice(line);
            self.bytes.push(b'\n');
            self.lines.push(number);
        }
    }
}

/// Where in a game a line is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Nothing,
    Tags,
    Moves,
}

impl<S: BufRead> Splitter<S> {
    /// Begins at the beginning of a stream.
    pub fn new(stream: S) -> Splitter<S> {
        Splitter { stream, line: Vec::new(), line_number: 0, pending: false, game: GameText::default() }
    }

    /// The next game; none at the end of the stream.
    pub fn next_game(&mut self) -> Result<Option<&GameText>, Error> {
        self.game.bytes.clear();
        self.game.lines.clear();
        (self.game.moves_at, self.game.too_long) = (0, false);
        let mut part = Part::Nothing;
        let mut in_comment = false;
        let mut after_blank = true;
        while self.pending || self.read_line()? {
            self.pending = false;
            let line = self.line.trim_ascii();
            if line.is_empty() || line[0] == b'%' && !in_comment {
                after_blank = true;
                continue;
            }
            if begins_game(line, part, in_comment, after_blank) {
                self.pending = true;
                return Ok(Some(&self.game));
            }
            after_blank = false;
            if part == Part::Nothing {
                self.game.line = self.line_number;
            }
            if line[0] == b'[' && !in_comment && part != Part::Moves {
                part = Part::Tags;
            } else {
                if part != Part::Moves {
                    part = Part::Moves;
                    self.game.moves_at = self.game.bytes.len();
                }
                in_comment = is_comment_open(line, in_comment);
            }
            self.game.push(line, self.line_number);
        }
        if part == Part::Tags {
            self.game.moves_at = self.game.bytes.len();
        }
        Ok((part != Part::Nothing).then_some(&self.game))
    }

    fn read_line(&mut self) -> Result<bool, Error> {
        // One byte more than fits shows that there was more.
        let more = read_line(&mut self.stream, LONGEST_GAME + 1, &mut self.line)?;
        self.line_number += 1;
        if self.line_number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(more)
    }
}

/// Whether a line is the first of another game than the one whose `part` came before it.
fn begins_game(line: &[u8], part: Part, in_comment: bool, after_blank: bool) -> bool {
    let first_tag = after_blank && line.starts_with(b"[Event ");
    match part {
        Part::Nothing => false,
        Part::Tags => first_tag,
        // A comment that is never closed must not swallow all that follows.
        Part::Moves if in_comment => first_tag,
        Part::Moves => line[0] == b'[' || after_blank && line.starts_with(b"1."),
    }
}

/// Whether a comment in braces is open at the end of a line.
fn is_comment_open(line: &[u8], mut open: bool) -> bool {
    for &byte in line {
        match byte {
            b'}' => open = false,
            b'{' => open = true,
            b';' if !open => break,
            _ => {}
        }
    }
    open
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(u64, String, String)> {
        let mut splitter = Splitter::new(text.as_bytes());
        let mut games = Vec::new();
        while let Some(game) = splitter.next_game().unwrap() {
            let (tags, moves) = game.bytes.split_at(game.moves_at);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().replace('\n', "|");
            games.push((game.line, text(tags), text(moves)));
        }
        games
    }

    #[test]
    fn games_are_cut_where_they_begin() {
        let text = "\u{feff}[Event \"a\"]\r\n[White \"w\"]\r\n\r\n1. e4 e5\r\n2. Nf3 1-0\r\n\r\n\r\n[Event \"b\"]\n\n1. d4 *\n[Site \"c\"]\n1. c4 *";
        let expected = [
            (1, "[Event \"a\"]|[White \"w\"]", "1. e4 e5|2. Nf3 1-0"),
            (8, "[Event \"b\"]", "1. d4 *"),
            (11, "[Site \"c\"]", "1. c4 *"),
        ];
        assert_eq!(
            split(text),
            expected.map(|(line, tags, moves)| (line, tags.to_string(), moves.to_string()))
        );
    }

    #[test]
    fn comments_may_hold_anything_but_the_first_tag_after_a_blank_line() {
        let one = "1. e4 { a\n\n[%clk 1]\n1. d4 } e5 ; { not open\n2. Nf3 *";
        assert_eq!(split(one).len(), 1);
        let open = "1. e4 { never closed\n\n[Event \"b\"]\n\n1. d4 *";
        let games = split(open);
        assert_eq!(games.len(), 2);
        assert_eq!((games[1].0, games[1].2.as_str()), (3, "1. d4 *"));
    }

    #[test]
    fn games_need_neither_tags_nor_moves() {
        assert_eq!(split("1. e4 *\n\n1. d4 *\n").len(), 2);
        assert_eq!(split("[Event \"a\"]\n\n[Event \"b\"]\n\n*\n").len(), 2);
        assert_eq!(split("% nothing\n\n \n"), []);
        let trailing = split("1. e4\n\n2. d4 *\n");
        assert_eq!((trailing.len(), trailing[0].2.as_str()), (1, "1. e4|2. d4 *"));
    }

    #[test]
    fn a_giant_does_not_fill_the_memory() {
        let giant = format!(
            "[Event \"a\"]\n\n1. e4 {{{}}}\n\n[Event \"b\"]\n\n1. d4 *\n",
            "x".repeat(3 * LONGEST_GAME)
        );
        let mut splitter = Splitter::new(giant.as_bytes());
        let game = splitter.next_game().unwrap().unwrap();
        assert!(game.too_long && game.bytes.len() <= LONGEST_GAME);
        assert!(splitter.line.capacity() <= 4 * LONGEST_GAME);
        let next = splitter.next_game().unwrap().unwrap();
        assert!(!next.too_long && next.line == 5);
    }
}
