//! A set of squares in 128 bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::Square;
use super::square::FRAME;

/// A set of squares; bit `n` is the square with index `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Set(pub u128);

impl Set {
    /// No square.
    pub const EMPTY: Set = Set(0);
    /// Every bit, squares or not.
    pub const ALL: Set = Set(!0);
    /// The ten by ten squares of the frame.
    pub const FRAME: Set = Set((1 << Square::COUNT) - 1);
    /// The a-file of the frame.
    pub const FILE_A: Set = Set::column(0);
    /// The j-file of the frame.
    pub const FILE_J: Set = Set::column(FRAME - 1);
    /// a1, c1, ..., the dark squares.
    pub const DARK: Set = Set::dark();

    const fn column(file: u8) -> Set {
        let mut set = 0;
        let mut rank = 0;
        while rank < FRAME {
            set |= 1 << (rank * FRAME + file);
            rank += 1;
        }
        Set(set)
    }

    const fn dark() -> Set {
        let mut set = 0;
        let mut square = 0;
        while square < Square::COUNT {
            if (square % FRAME as usize + square / FRAME as usize).is_multiple_of(2) {
                set |= 1 << square;
            }
            square += 1;
        }
        Set(set)
    }

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Set {
        Set(1 << square.raw())
    }

    /// A file of the frame, from 0.
    #[inline(always)]
    pub const fn file(file: u8) -> Set {
        Set(Set::FILE_A.0 << file)
    }

    /// A rank of the frame, from 0.
    #[inline(always)]
    pub const fn rank(rank: u8) -> Set {
        Set(((1 << FRAME) - 1) << (rank * FRAME))
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any square is in the set.
    #[inline(always)]
    pub const fn exists(self) -> bool {
        self.0 != 0
    }

    /// Whether two or more squares are in the set.
    #[inline(always)]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares are in the set.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` is in the set.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.raw() & 1 != 0
    }

    /// The lowest square; a1 for an empty set, so callers check first.
    #[inline(always)]
    pub const fn first(self) -> Square {
        Square::new((self.0.trailing_zeros() & 127) as u8)
    }

    /// The highest square; callers check for an empty set first.
    #[inline(always)]
    pub const fn last(self) -> Square {
        Square::new((127 - (self.0.leading_zeros() & 127)) as u8)
    }

    /// All squares one rank further in the direction of a color's pawns; bits may leave the board.
    #[inline(always)]
    pub const fn forward(self, white: bool) -> Set {
        Set(if white { self.0 << FRAME } else { self.0 >> FRAME })
    }

    /// All squares one file towards a.
    #[inline(always)]
    pub const fn west(self) -> Set {
        Set((self.0 & !Set::FILE_A.0) >> 1)
    }

    /// All squares one file towards j.
    #[inline(always)]
    pub const fn east(self) -> Set {
        Set((self.0 & !Set::FILE_J.0) << 1)
    }

    /// All squares that pawns of a color on these squares attack.
    #[inline(always)]
    pub const fn pawn_attacks(self, white: bool) -> Set {
        let ahead = self.forward(white);
        Set(ahead.west().0 | ahead.east().0)
    }

    /// Calls `visit` with every square, lowest first. Two loops over 64 bits each are quicker than one over 128.
    #[inline(always)]
    pub fn each(self, mut visit: impl FnMut(Square)) {
        let (mut low, mut high) = (self.0 as u64, (self.0 >> 64) as u64);
        while low != 0 {
            visit(Square::new(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        while high != 0 {
            visit(Square::new(64 + high.trailing_zeros() as u8));
            high &= high - 1;
        }
    }
}

/// The squares, lowest first.
impl Iterator for Set {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        let square = self.first();
        self.0 &= self.0 - 1;
        Some(square)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $op:tt) => {
        impl $trait for Set {
            type Output = Set;

            #[inline(always)]
            fn $method(self, other: Set) -> Set {
                Set(self.0 $op other.0)
            }
        }

        impl $assign_trait for Set {
            #[inline(always)]
            fn $assign(&mut self, other: Set) {
                *self = *self $op other;
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for Set {
    type Output = Set;

    #[inline(always)]
    fn not(self) -> Set {
        Set(!self.0)
    }
}

/// The squares of the one set that are not in the other.
impl Sub for Set {
    type Output = Set;

    #[inline(always)]
    fn sub(self, other: Set) -> Set {
        Set(self.0 & !other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_visiting_agree() {
        let set = Set::rank(0) | Set::file(7) | Set::of(Square::at(9, 9));
        let mut visited = Vec::new();
        set.each(|square| visited.push(square));
        assert_eq!(visited, set.collect::<Vec<_>>());
        assert_eq!((visited.len() as u32, set.last()), (set.count(), Square::at(9, 9)));
    }

    #[test]
    fn steps_stay_in_the_frame() {
        assert_eq!(Set::file(0).west(), Set::EMPTY);
        assert_eq!(Set::file(9).east(), Set::EMPTY);
        assert_eq!((Set::rank(0).pawn_attacks(true)).count(), 10);
        assert_eq!(Set::DARK.count(), 50);
    }
}
