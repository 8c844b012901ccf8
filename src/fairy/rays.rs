//! Where pieces go: leaps from tables, rides by arithmetic on lines.
//!
//! All tables are those of the ten by ten frame. A smaller board is played in its corner with everything outside
//! marked as occupied: rides end there, and what is outside is cut off by the caller's set of targets.
//!
//! A ride is found with the "obstruction difference": of the pieces on a line the nearest on either side are found by
//! one subtraction, whatever the length of the line.

use super::square::FRAME;
use super::{Kind, Set, Square, pieces};

const SQUARES: usize = Square::COUNT;

const KNIGHT_LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_LEAPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// The four lines through a square, each by the step towards higher squares: file, rank, both diagonals.
const LINES: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

/// The square a step away from another, if there is one.
const fn step(square: usize, (file, rank): (i8, i8), times: i8) -> Option<usize> {
    let file = (square % FRAME as usize) as i8 + file * times;
    let rank = (square / FRAME as usize) as i8 + rank * times;
    if 0 <= file && file < FRAME as i8 && 0 <= rank && rank < FRAME as i8 {
        Some(rank as usize * FRAME as usize + file as usize)
    } else {
        None
    }
}

const fn leaper_table(leaps: &[(i8, i8); 8]) -> [Set; SQUARES] {
    let mut table = [Set::EMPTY; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut leap = 0;
        while leap < 8 {
            if let Some(target) = step(square, leaps[leap], 1) {
                table[square].0 |= 1 << target;
            }
            leap += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Set; SQUARES] = leaper_table(&KNIGHT_LEAPS);
static KING: [Set; SQUARES] = leaper_table(&KING_LEAPS);

/// One line through a square: what lies below and above the square.
#[derive(Clone, Copy)]
struct Line {
    lower: u128,
    upper: u128,
}

const fn line_table() -> [[Line; 4]; SQUARES] {
    let mut table = [[Line { lower: 0, upper: 0 }; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut line = 0;
        while line < 4 {
            let mut distance = 1;
            while distance < FRAME as i8 {
                if let Some(target) = step(square, LINES[line], distance) {
                    table[square][line].upper |= 1 << target;
                }
                if let Some(target) = step(square, LINES[line], -distance) {
                    table[square][line].lower |= 1 << target;
                }
                distance += 1;
            }
            line += 1;
        }
        square += 1;
    }
    table
}

static LINE_TABLE: [[Line; 4]; SQUARES] = line_table();

/// For each pair of squares on a common line, the squares between them.
const fn between_table() -> [[Set; SQUARES]; SQUARES] {
    let mut table = [[Set::EMPTY; SQUARES]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let mut gap = 0;
            let mut distance = 1;
            while let Some(target) = step(square, KING_LEAPS[direction], distance) {
                table[square][target] = Set(gap);
                gap |= 1 << target;
                distance += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    table
}

static BETWEEN: [[Set; SQUARES]; SQUARES] = between_table();

impl Line {
    /// The squares a rider reaches on the line, the first piece on either side included.
    #[inline(always)]
    fn attacks(&self, occupied: u128) -> u128 {
        let (below, above) = (self.lower & occupied, self.upper & occupied);
        // The nearest piece below is the highest bit; without one, the lowest bit of all serves.
        let nearest = 1 << (127 - (below | 1).leading_zeros());
        (self.lower | self.upper) & (above ^ above.wrapping_sub(nearest))
    }
}

/// A knight's leaps.
#[inline(always)]
pub fn knight(square: Square) -> Set {
    KNIGHT[square.index()]
}

/// A king's leaps.
#[inline(always)]
pub fn king(square: Square) -> Set {
    KING[square.index()]
}

/// Rides along files and ranks.
#[inline(always)]
pub fn straight(square: Square, occupied: Set) -> Set {
    let lines = &LINE_TABLE[square.index()];
    Set(lines[0].attacks(occupied.0) | lines[1].attacks(occupied.0))
}

/// Rides along diagonals.
#[inline(always)]
pub fn diagonal(square: Square, occupied: Set) -> Set {
    let lines = &LINE_TABLE[square.index()];
    Set(lines[2].attacks(occupied.0) | lines[3].attacks(occupied.0))
}

/// File and rank of a square without the square.
#[inline(always)]
pub fn straight_lines(square: Square) -> Set {
    let lines = &LINE_TABLE[square.index()];
    Set(lines[0].lower | lines[0].upper | lines[1].lower | lines[1].upper)
}

/// Both diagonals of a square without the square.
#[inline(always)]
pub fn diagonal_lines(square: Square) -> Set {
    let lines = &LINE_TABLE[square.index()];
    Set(lines[2].lower | lines[2].upper | lines[3].lower | lines[3].upper)
}

/// The squares between two squares of one line; nothing for others.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Set {
    BETWEEN[a.index()][b.index()]
}

/// Whether three squares lie on one line, in any order.
pub fn aligned(a: Square, b: Square, c: Square) -> bool {
    LINE_TABLE[a.index()].iter().any(|line| {
        let line = Set(line.lower | line.upper);
        line.has(b) && line.has(c)
    })
}

/// Everything a piece of this kind attacks; for pawns see [`Set::pawn_attacks`].
#[inline]
pub fn piece(kind: Kind, square: Square, occupied: Set) -> Set {
    let mut attacks = Set::EMPTY;
    if kind.has(pieces::KNIGHT) {
        attacks |= knight(square);
    }
    if kind.has(pieces::KING) {
        attacks |= king(square);
    }
    if kind.has(pieces::DIAGONAL) {
        attacks |= diagonal(square, occupied);
    }
    if kind.has(pieces::STRAIGHT) {
        attacks |= straight(square, occupied);
    }
    attacks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rides square by square.
    fn slow(square: usize, directions: &[(i8, i8)], occupied: Set) -> Set {
        let mut attacks = Set::EMPTY;
        for &direction in directions {
            for distance in 1.. {
                let Some(target) = step(square, direction, distance) else { break };
                attacks |= Set::of(Square::new(target as u8));
                if occupied.has(Square::new(target as u8)) {
                    break;
                }
            }
        }
        attacks
    }

    #[test]
    fn rides_equal_walking() {
        let mut state = 1u128;
        for round in 0..200 {
            // Any scattered bits will do.
            state = state.wrapping_mul(0xDA94_2042_E4DD_58B5_0000_0001_2345_6789).rotate_left(41) ^ round;
            let occupied = Set(state & state.rotate_left(17)) & Set::FRAME;
            for square in 0..SQUARES {
                let at = Square::new(square as u8);
                let straights = [(0, 1), (1, 0), (0, -1), (-1, 0)];
                let diagonals = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
                assert_eq!(straight(at, occupied), slow(square, &straights, occupied), "{at}");
                assert_eq!(diagonal(at, occupied), slow(square, &diagonals, occupied), "{at}");
            }
        }
    }

    #[test]
    fn lines_and_gaps() {
        let square = |text: &str| Square::split_from(text).map_or(Square::new(0), |(square, _)| square);
        assert_eq!(between(square("a1"), square("j10")).count(), 8);
        assert!(between(square("a1"), square("b3")).is_empty());
        assert!(aligned(square("a1"), square("c3"), square("j10")));
        assert!(aligned(square("c3"), square("a1"), square("j10")));
        assert!(!aligned(square("a1"), square("c3"), square("a9")));
        assert_eq!((knight(square("a1")).count(), king(square("j10")).count()), (2, 3));
    }
}
