//! Castling rights and where king and rooks started.

use super::{Rules, Set, Square, rays};
use crate::base::Color;

/// Towards the high files or towards the a-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the last file.
    King = 0,
    /// Towards the a-file.
    Queen = 1,
}

impl CastlingSide {
    /// Both sides, king side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];
}

/// The bit of one right in a set of four.
#[inline(always)]
pub const fn right(color: Color, side: CastlingSide) -> u8 {
    1 << (color.index() * 2 + side as usize)
}

/// One way of castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Where the king starts.
    pub king: Square,
    /// Where the rook starts.
    pub rook: Square,
    /// Where the king lands.
    pub king_target: Square,
    /// Where the rook lands.
    pub rook_target: Square,
    /// The squares that must be empty apart from king and rook.
    pub empty: Set,
    /// The squares of the king's way, both ends included.
    pub path: Set,
}

/// Where castling starts: fixed for a game, so it is kept apart from the board that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Castling {
    routes: [[Option<Route>; 2]; 2],
    /// For each square, the rights that survive a move from or to it.
    kept: [u8; Square::COUNT],
}

impl Castling {
    /// No castling.
    pub const NONE: Castling = Castling { routes: [[None; 2]; 2], kept: [15; Square::COUNT] };

    /// Adds the right of the king on `king` with the rook on `rook`; nothing where the variant has no castling.
    pub fn allow(&mut self, rules: &Rules, color: Color, side: CastlingSide, king: Square, rook: Square) {
        let Some((king_target, rook_target)) = rules.castling_targets(color, side) else { return };
        let path = inclusive(king, king_target);
        let movers = Set::of(king) | Set::of(rook);
        let empty = (path | inclusive(rook, rook_target)) - movers;
        self.kept[king.index()] &= !right(color, side);
        self.kept[rook.index()] &= !right(color, side);
        self.routes[color.index()][side as usize] =
            Some(Route { king, rook, king_target, rook_target, empty, path });
    }

    /// The way of a right, if that right ever existed.
    #[inline(always)]
    pub fn route(&self, color: Color, side: CastlingSide) -> Option<&Route> {
        self.routes[color.index()][side as usize].as_ref()
    }

    /// The way that starts with this rook.
    #[inline(always)]
    pub fn route_of(&self, color: Color, rook: Square) -> Option<&Route> {
        self.routes[color.index()].iter().flatten().find(|route| route.rook == rook)
    }

    /// The rights that survive a move from or to `square`.
    #[inline(always)]
    pub fn kept(&self, square: Square) -> u8 {
        self.kept[square.index()]
    }
}

/// Both squares and everything between them on one rank.
fn inclusive(a: Square, b: Square) -> Set {
    rays::between(a, b) | Set::of(a) | Set::of(b)
}
