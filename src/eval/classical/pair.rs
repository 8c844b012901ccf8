//! A middlegame and an endgame value in one integer.
//!
//! Every term of the evaluation has two values between which the phase of the game blends. Kept in the two halves
//! of an `i32` they are added and multiplied with one instruction. All of the classical evaluation calls this.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two values of sixteen bits: the endgame one above, the middlegame one below. A negative lower half borrows from
/// the upper one, which [`Pair::endgame`] gives back.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair(i32);

impl Pair {
    /// Nothing.
    pub const ZERO: Pair = Pair(0);

    /// Both values; each must fit sixteen bits.
    #[inline(always)]
    pub const fn new(middlegame: i32, endgame: i32) -> Pair {
        Pair((endgame << 16).wrapping_add(middlegame))
    }

    /// The value while many pieces are on the board.
    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value when most pieces are gone.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        self.0.wrapping_add(0x8000) >> 16
    }
}

impl Add for Pair {
    type Output = Pair;

    #[inline(always)]
    fn add(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_add(other.0))
    }
}

impl Sub for Pair {
    type Output = Pair;

    #[inline(always)]
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Pair {
    type Output = Pair;

    #[inline(always)]
    fn neg(self) -> Pair {
        Pair(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;

    #[inline(always)]
    fn mul(self, times: i32) -> Pair {
        Pair(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [i32; 9] = [-15_000, -300, -2, -1, 0, 1, 7, 299, 15_000];

    #[test]
    fn halves_come_back() {
        for middlegame in VALUES {
            for endgame in VALUES {
                let pair = Pair::new(middlegame, endgame);
                assert_eq!((pair.middlegame(), pair.endgame()), (middlegame, endgame));
                assert_eq!(-pair, Pair::new(-middlegame, -endgame));
            }
        }
    }

    #[test]
    fn arithmetic_works_on_both_halves() {
        for a in VALUES {
            for b in VALUES {
                let (x, y) = (Pair::new(a, b), Pair::new(b, -a));
                assert_eq!(x + y, Pair::new(a + b, b - a));
                assert_eq!(x - y, Pair::new(a - b, b + a));
            }
        }
        for times in [-5, -1, 0, 1, 3] {
            assert_eq!(Pair::new(-20, 31) * times, Pair::new(-20 * times, 31 * times));
        }
    }
}
