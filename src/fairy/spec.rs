//! What a variant is: a row of data, and the masks that follow from it.

use arrayvec::ArrayVec;

use super::castling::CastlingSide;
use super::{Kind, Set, Square};
use crate::base::Color;

/// A variant. `variants.rs` has one row for each.
#[derive(Debug)]
pub struct Variant {
    /// The name as `UCI_Variant` takes it.
    pub name: &'static str,
    /// Width of the board.
    pub files: u8,
    /// Height of the board.
    pub ranks: u8,
    /// The start position; for a variant that shuffles, one of them.
    pub start: &'static str,
    /// What the letters of a FEN mean; upper case.
    pub letters: &'static [(char, Kind)],
    /// The kind that must not be lost, by side; none where kings are captured like other pieces.
    pub royals: [Option<Kind>; 2],
    /// How pawns promote; none where they do not.
    pub promotion: Option<Promotion>,
    /// The rank, as White counts from 0, from which pawns may step twice.
    pub double_step_rank: u8,
    /// Where king and rook land; none where there is no castling.
    pub castling: Option<CastlingFiles>,
    /// Castling is written as king takes rook, rights by the files of the rooks.
    pub king_takes_rook: bool,
    /// Algebraic notation writes castling as a step of the king to its target, and `O-O` is the way towards the a-file.
    pub castling_as_step: bool,
    /// A neutral piece roams the board after every move.
    pub behemoth: bool,
}

/// How pawns promote.
#[derive(Debug)]
pub struct Promotion {
    /// On how many ranks at the far end of the board. On the last one a pawn must promote, on the others it may.
    pub ranks: u8,
    /// To what, the usual choice first.
    pub to: &'static [Kind],
    /// Only to kinds of which the side has fewer than at the start of the game.
    pub captured_only: bool,
}

/// The files on which castling ends, a is 0: towards the high files first, then towards the a-file.
#[derive(Debug)]
pub struct CastlingFiles {
    /// Of the king.
    pub king: [u8; 2],
    /// Of the rook.
    pub rook: [u8; 2],
}

/// A variant with everything the core wants to know about it at hand.
#[derive(Debug)]
pub struct Rules {
    /// The row this comes from.
    pub variant: &'static Variant,
    /// The squares of the board.
    pub board: Set,
    /// Where pawns of a side may promote.
    pub zone: [Set; 2],
    /// Where pawns of a side must promote.
    pub last_rank: [Set; 2],
    /// Squares from which a pawn that has made a single step may go on.
    pub second_step: [Set; 2],
    /// How many pieces of each kind a side has at the start.
    pub army: [[u8; Kind::COUNT]; 2],
    /// The kinds a pawn may become, one bit each.
    pub promotes_to: u16,
}

impl Rules {
    /// Reads a row.
    pub fn new(variant: &'static Variant) -> Rules {
        let rank = |rank: u8, white: bool| Set::rank(if white { rank } else { variant.ranks - 1 - rank });
        let files = (0..variant.files).fold(Set::EMPTY, |set, file| set | Set::file(file));
        let board = files & (0..variant.ranks).fold(Set::EMPTY, |set, rank| set | Set::rank(rank));
        let sides = [true, false];
        let depth = variant.promotion.as_ref().map_or(0, |promotion| promotion.ranks);
        let zone = sides.map(|white| {
            let ranks = variant.ranks - depth..variant.ranks;
            board & ranks.fold(Set::EMPTY, |set, number| set | rank(number, white))
        });
        let last = |white| if depth > 0 { board & rank(variant.ranks - 1, white) } else { Set::EMPTY };
        Rules {
            variant,
            board,
            zone,
            last_rank: sides.map(last),
            second_step: sides.map(|white| board & rank(variant.double_step_rank + 1, white)),
            army: army(variant),
            promotes_to: variant.promotion.iter().flat_map(|p| p.to).fold(0, |set, &kind| set | bit(kind)),
        }
    }

    /// Whether this is chess itself, which is played on a core of its own.
    pub fn is_chess(&self) -> bool {
        self.variant.name == "chess"
    }

    /// The letter of a kind, upper case.
    pub fn letter(&self, kind: Kind) -> char {
        self.variant.letters.iter().find(|&&(_, k)| k == kind).map_or('?', |&(letter, _)| letter)
    }

    /// The kind a letter of either case stands for.
    pub fn kind(&self, letter: char) -> Option<Kind> {
        let upper = letter.to_ascii_uppercase();
        self.variant.letters.iter().find(|&&(l, _)| l == upper).map(|&(_, kind)| kind)
    }

    /// The back rank of a side.
    pub fn back_rank(&self, color: Color) -> u8 {
        if color.is_white() { 0 } else { self.variant.ranks - 1 }
    }

    /// A rank as a side counts it, both from 0.
    pub fn rank_for(&self, square: Square, color: Color) -> u8 {
        if color.is_white() { square.rank() } else { self.variant.ranks - 1 - square.rank() }
    }

    /// Where king and rook land when they castle; none where there is no castling.
    pub fn castling_targets(&self, color: Color, side: CastlingSide) -> Option<(Square, Square)> {
        let files = self.variant.castling.as_ref()?;
        let rank = self.back_rank(color);
        Some((Square::at(files.king[side as usize], rank), Square::at(files.rook[side as usize], rank)))
    }

    /// Whether this kind is the one a side must not lose.
    #[inline(always)]
    pub fn is_royal(&self, color: Color, kind: Kind) -> bool {
        self.variant.royals[color.index()] == Some(kind)
    }

    /// The kinds of a set of promotions, the usual choice first.
    pub fn promotions(&self, allowed: u16) -> ArrayVec<Kind, { Kind::COUNT }> {
        let all = self.variant.promotion.iter().flat_map(|promotion| promotion.to);
        all.copied().filter(|&kind| allowed & bit(kind) != 0).collect()
    }
}

/// The bit of a kind in a set of kinds.
#[inline(always)]
pub const fn bit(kind: Kind) -> u16 {
    1 << kind as u8
}

/// Counts the pieces of the start position.
fn army(variant: &Variant) -> [[u8; Kind::COUNT]; 2] {
    let mut army = [[0; Kind::COUNT]; 2];
    for c in variant.start.chars().take_while(|&c| c != ' ') {
        let kind = variant.letters.iter().find(|&&(letter, _)| letter == c.to_ascii_uppercase());
        if let Some(&(_, kind)) = kind {
            army[usize::from(c.is_ascii_lowercase())][kind.index()] += 1;
        }
    }
    army
}
