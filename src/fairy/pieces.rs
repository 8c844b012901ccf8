//! What pieces there are: each is a sum of simple movements.
//!
//! A movement is a leap (king, knight) or a ride (along diagonals, along files and ranks). The number of a [`Kind`] is
//! the set of its movements, one bit each, so that the board keeps one set of squares a movement and needs none a
//! kind: an archbishop is in the set of the knights and in that of the bishops. What letter stands for a kind is the
//! variant's business.

use crate::base::Color;

/// Rides along diagonals.
pub const DIAGONAL: u8 = 1;
/// Rides along files and ranks.
pub const STRAIGHT: u8 = 2;
/// Leaps like a knight.
pub const KNIGHT: u8 = 4;
/// Leaps like a king.
pub const KING: u8 = 8;

/// The kinds of pieces. The pawn, which moves and captures differently, has no movement of this sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Pawn = 0,
    Bishop = DIAGONAL,
    Rook = STRAIGHT,
    Queen = DIAGONAL | STRAIGHT,
    Knight = KNIGHT,
    /// Bishop and knight; the Janus of Janus chess.
    Archbishop = DIAGONAL | KNIGHT,
    /// Rook and knight.
    Chancellor = STRAIGHT | KNIGHT,
    /// Queen and knight; the Maharajah is a royal one.
    Amazon = DIAGONAL | STRAIGHT | KNIGHT,
    King = KING,
}

impl Kind {
    /// How many kinds there are.
    pub const COUNT: usize = 9;

    /// All kinds by number.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::Pawn,
        Kind::Bishop,
        Kind::Rook,
        Kind::Queen,
        Kind::Knight,
        Kind::Archbishop,
        Kind::Chancellor,
        Kind::Amazon,
        Kind::King,
    ];

    /// All kinds, the cheapest first.
    pub const BY_VALUE: [Kind; Kind::COUNT] = [
        Kind::Pawn,
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Archbishop,
        Kind::Chancellor,
        Kind::Queen,
        Kind::Amazon,
        Kind::King,
    ];

    /// The number as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with a number below [`Kind::COUNT`]; the pawn for any other.
    #[inline(always)]
    pub const fn from_number(number: u8) -> Kind {
        match number {
            1 => Kind::Bishop,
            2 => Kind::Rook,
            3 => Kind::Queen,
            4 => Kind::Knight,
            5 => Kind::Archbishop,
            6 => Kind::Chancellor,
            7 => Kind::Amazon,
            8 => Kind::King,
            _ => Kind::Pawn,
        }
    }

    /// Whether one of its movements is `movement`.
    #[inline(always)]
    pub const fn has(self, movement: u8) -> bool {
        self as u8 & movement != 0
    }
}

/// A piece of a side in one byte; the lowest bit is the color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    /// How many pieces there are, both colors together.
    pub const COUNT: usize = 2 * Kind::COUNT;

    /// The mark of an empty square.
    pub(super) const NONE: Piece = Piece(255);

    /// The piece of a side and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: Kind) -> Piece {
        Piece((kind as u8) << 1 | color as u8)
    }

    /// Its kind.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        Kind::from_number(self.0 >> 1)
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn color(self) -> Color {
        Color::from_bool(self.0 & 1 == 0)
    }

    /// Its place in tables of pieces, below [`Piece::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The same as a byte.
    #[inline(always)]
    pub const fn raw(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_kinds_agree() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!((kind.index(), Kind::from_number(number as u8)), (number, kind));
            for color in Color::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.kind(), piece.color()), (kind, color));
                assert!(piece.index() < Piece::COUNT);
            }
        }
    }
}
