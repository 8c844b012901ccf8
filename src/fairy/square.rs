//! A square of the frame in which all boards lie: ten files by ten ranks.
//!
//! Smaller boards use its lower left corner. With one frame for all, moving up a rank is the same step in every
//! variant and the tables of [`super::rays`] serve them all.

use std::fmt;

/// Files, and ranks, of the frame.
pub const FRAME: u8 = 10;

/// A square; a1 is 0, b1 is 1, a2 is 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares the frame has.
    pub const COUNT: usize = FRAME as usize * FRAME as usize;

    /// The square with an index below 128; those from 100 on are on no board.
    #[inline(always)]
    pub const fn new(index: u8) -> Square {
        Square(index & 127)
    }

    /// The square on a file and rank, both from 0.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square(rank * FRAME + file)
    }

    /// The index as it goes into a move.
    #[inline(always)]
    pub const fn raw(self) -> u8 {
        self.0
    }

    /// The index into tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, a is 0.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 % FRAME
    }

    /// The rank, the first is 0.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 / FRAME
    }

    /// The square `steps` further in index; callers know that there is one.
    #[inline(always)]
    pub const fn offset(self, steps: i8) -> Square {
        Square(self.0.wrapping_add_signed(steps) & 127)
    }

    /// The next square in the direction a color's pawns walk.
    #[inline(always)]
    pub const fn forward(self, white: bool) -> Square {
        self.offset(if white { FRAME as i8 } else { -(FRAME as i8) })
    }

    /// The square that a text begins with, and the rest. The rank takes every digit it can get: `a10` is the tenth
    /// rank. It does not begin with 0: a square has one name.
    pub fn split_from(text: &str) -> Option<(Square, &str)> {
        let file = text.bytes().next().filter(|byte| (b'a'..=b'j').contains(byte))? - b'a';
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count().min(2);
        if text[1..].starts_with('0') {
            return None;
        }
        let rank: u8 = text[1..=digits].parse().ok()?;
        let square = (1..=FRAME).contains(&rank).then(|| Square::at(file, rank - 1))?;
        Some((square, &text[1 + digits..]))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_read_greedily() {
        assert_eq!(Square::split_from("a10a1"), Some((Square::at(0, 9), "a1")));
        assert_eq!(Square::split_from("j8j"), Some((Square::at(9, 7), "j")));
        for bad in ["", "a", "a0", "a01", "a010", "a11", "k1", "A1", "1a", "é1"] {
            assert_eq!(Square::split_from(bad), None, "{bad}");
        }
        assert_eq!(Square::at(9, 9).to_string(), "j10");
    }
}
