//! A square of the 8x8 board: a1 = 0, b1 = 1, ..., h8 = 63.

use std::fmt;

use crate::base::Color;

/// One of the 64 squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index; only the low six bits count.
    #[inline(always)]
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on `file` and `rank`, both 0 to 7.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square::new(rank * 8 + file)
    }

    /// 0 to 63. The mask lets the compiler drop bounds checks on tables of 64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The index as it is packed into moves.
    #[inline(always)]
    pub const fn raw(self) -> u8 {
        self.0
    }

    /// 0 for the a-file, 7 for the h-file.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank, 7 for the eighth.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The rank as `color` counts it: 0 is its own back rank.
    #[inline(always)]
    pub const fn rank_for(self, color: Color) -> u8 {
        self.for_color(color).rank()
    }

    /// The square as `color` sees it: unchanged for White, mirrored top to bottom for Black.
    #[inline(always)]
    pub const fn for_color(self, color: Color) -> Square {
        Square(self.0 ^ (56 * color as u8))
    }

    /// One step forward for `color`; wraps at the edge, so callers ask only where a step exists.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Square {
        Square::new(if color.is_white() { self.0.wrapping_add(8) } else { self.0.wrapping_sub(8) })
    }

    /// King distance.
    #[inline(always)]
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// All squares, a1 first.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// Reads `e4`.
    pub fn parse(text: &str) -> Option<Square> {
        let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *text.as_bytes() else { return None };
        Some(Square::at(file - b'a', rank - b'1'))
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
    fn text_round_trip() {
        for square in Square::all() {
            assert_eq!(Square::parse(&square.to_string()), Some(square));
        }
        for bad in ["", "e", "e9", "i1", "e44", "é4"] {
            assert_eq!(Square::parse(bad), None, "{bad}");
        }
    }
}
