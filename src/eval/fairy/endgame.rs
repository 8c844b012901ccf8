//! Endgames that material alone misjudges: wins that need guidance and advantages that cannot be won.

use super::FULL_SCALE;
use super::pawns::distance;
use super::pieces::Scene;
use crate::base::Color;
use crate::eval::classical::Pair;
use crate::fairy::{Kind, Set};

/// What a bare king is worth to the side that can mate it, before anything about its place.
const KNOWN_WIN: i32 = 500;
const EDGE_STEP: i32 = 50;
const KINGS_STEP: i32 = 30;

/// When `strong` can mate a bare king: a bonus that grows as the king is driven to the edge and as the kings come
/// together. Otherwise nothing.
pub fn guidance(scene: &Scene, strong: Color) -> Pair {
    let (Some(hunter), Some(prey)) = (scene.king(strong), scene.king(!strong)) else { return Pair::ZERO };
    // Where pieces fall at random there is nothing to plan; a lone Maharajah is never bare.
    let bare = scene.board.color(!strong) == Set::of(prey);
    let is_king = scene.rules.variant.royals[(!strong).index()] == Some(Kind::King);
    if !bare || !is_king || !can_mate(scene, strong) {
        return Pair::ZERO;
    }
    let off_center = |index: u8, length: u8| (2 * i32::from(index) - (i32::from(length) - 1)).abs();
    let edge = off_center(prey.file(), scene.rules.variant.files)
        + off_center(prey.rank(), scene.rules.variant.ranks);
    let value = KNOWN_WIN + EDGE_STEP * edge / 2 + KINGS_STEP * (9 - distance(hunter, prey));
    Pair::new(value, value)
}

/// Whether the pieces of a side can force mate against a bare king.
fn can_mate(scene: &Scene, strong: Color) -> bool {
    let board = scene.board;
    let count = |kind: Kind| board.pieces(strong, kind).count();
    let bishops = board.pieces(strong, Kind::Bishop);
    let both_colors = (bishops & Set::DARK).exists() && (bishops - Set::DARK).exists();
    scene.has_heavy(strong)
        || scene.rules.variant.royals[strong.index()] == Some(Kind::Amazon)
        || count(Kind::Rook) > 0
        || both_colors
        || (bishops.exists() && count(Kind::Knight) > 0)
        || count(Kind::Knight) > 2
}

/// How much of an endgame advantage of `strong` can be turned into a win: 0 to [`FULL_SCALE`].
pub fn scale(scene: &Scene, strong: Color) -> i32 {
    let board = scene.board;
    let royals = scene.rules.variant.royals;
    if royals != [Some(Kind::King); 2] {
        return FULL_SCALE;
    }
    let lead = scene.strength[strong.index()] - scene.strength[(!strong).index()];
    let pawns = board.pieces(strong, Kind::Pawn).count();
    if pawns == 0 && (lead <= scene.tables.plain_worth[Kind::Bishop.index()] || !can_mate(scene, strong)) {
        // Without pawns a minor piece more does not win, nor does a rook against a minor piece, nor do two knights.
        return if scene.strength[(!strong).index()] == 0 { 0 } else { 10 };
    }
    let bishops = Color::ALL.map(|color| board.pieces(color, Kind::Bishop));
    let only_bishops = Color::ALL.into_iter().all(|color| {
        bishops[color.index()].count() == 1
            && scene.strength[color.index()] == scene.tables.plain_worth[Kind::Bishop.index()]
    });
    let both = bishops[0] | bishops[1];
    if only_bishops && (both & Set::DARK).exists() && (both - Set::DARK).exists() {
        return FULL_SCALE / 2;
    }
    if pawns == 1 { FULL_SCALE * 3 / 4 } else { FULL_SCALE }
}
