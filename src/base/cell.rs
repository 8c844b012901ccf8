//! A square by file and rank, for text about boards of any size. The board cores have squares of their own.

use std::fmt;

/// The widest and tallest board there is.
pub const MOST_FILES: u8 = 10;

/// A square; both numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The file, a is 0.
    pub file: u8,
    /// The rank, the first is 0.
    pub rank: u8,
}

impl Cell {
    /// The square that a text begins with, and the rest. The rank takes every digit it can get: `a10` is the tenth rank.
    /// It does not begin with 0: a square has one name.
    pub fn split_from(text: &str) -> Option<(Cell, &str)> {
        let file = text.bytes().next()?.checked_sub(b'a').filter(|&file| file < MOST_FILES)?;
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count().min(2);
        if text[1..].starts_with('0') {
            return None;
        }
        let rank: u8 = text[1..=digits].parse().ok()?;
        (1..=MOST_FILES).contains(&rank).then(|| (Cell { file, rank: rank - 1 }, &text[1 + digits..]))
    }

    /// Reads a whole text.
    pub fn parse(text: &str) -> Option<Cell> {
        Cell::split_from(text).filter(|(_, rest)| rest.is_empty()).map(|(cell, _)| cell)
    }

    /// The square so many files and ranks further, if its numbers are not negative.
    pub fn step(self, files: i8, ranks: i8) -> Option<Cell> {
        Some(Cell { file: self.file.checked_add_signed(files)?, rank: self.rank.checked_add_signed(ranks)? })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", file_letter(self.file), u32::from(self.rank) + 1)
    }
}

/// The letter of a file.
pub fn file_letter(file: u8) -> char {
    (b'a' + file % 26) as char
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for (text, file, rank) in [("a1", 0, 0), ("j10", 9, 9), ("e4", 4, 3)] {
            assert_eq!(Cell::parse(text), Some(Cell { file, rank }));
            assert_eq!(Cell { file, rank }.to_string(), text);
        }
        assert_eq!(Cell::split_from("a10a1"), Some((Cell { file: 0, rank: 9 }, "a1")));
        for bad in ["", "a", "a0", "a01", "a010", "a11", "k1", "A1", "é1", "a1x"] {
            assert_eq!(Cell::parse(bad), None, "{bad}");
        }
    }
}
