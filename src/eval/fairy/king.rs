//! The safety of kings: the pawns before them and the pieces around them.

use super::numbers::{
    DANGER_FLOOR, HUNTED, LOOSE_HUNTER, RING_ATTACK, RING_WEAK, SAFE_CHECKS, SHELTER, STORM, WITHOUT_HEAVY,
};
use super::pieces::Scene;
use crate::base::Color;
use crate::eval::classical::Pair;
use crate::fairy::{Kind, Set, Square, rays};

/// How safe the king of a side is.
pub fn safety(scene: &Scene, color: Color) -> Pair {
    let Some(king) = scene.king(color) else { return Pair::ZERO };
    match scene.rules.variant.royals[color.index()] {
        Some(kind) if kind != Kind::King => hunted(scene, color, king),
        Some(_) => shelter(scene, color, king) - danger(scene, color, king),
        // Where there is no check the attackers need not hurry, and the Behemoth strikes where it likes.
        None => {
            let danger = danger(scene, color, king);
            Pair::new(-danger.middlegame() / 2, -danger.endgame() / 2)
        }
    }
}

/// A royal piece alone against an army lives by the squares it can go to.
fn hunted(scene: &Scene, color: Color, king: Square) -> Pair {
    let hunters = &scene.attacks[(!color).index()];
    let safe = scene.royal_reach(color, king) - hunters.all - scene.board.color(color);
    let exits = HUNTED[(safe.count() as usize).min(HUNTED.len() - 1)];
    let loose = scene.board.color(!color) - hunters.all;
    Pair::new(exits, exits) - LOOSE_HUNTER * loose.count() as i32
}

/// Own pawns before the king, enemy pawns that come near.
fn shelter(scene: &Scene, color: Color, king: Square) -> Pair {
    let (board, tables, us) = (scene.board, scene.tables, color.index());
    let mut value = 0;
    let last_file = scene.rules.variant.files - 1;
    for file in king.file().saturating_sub(1)..=(king.file() + 1).min(last_file) {
        let base = Square::at(file, king.rank());
        let ahead = tables.ahead[us][base.index()] | Set::of(base);
        let nearest = |pawns: Set, longest: usize| {
            let set = pawns & ahead;
            let square = if color.is_white() { set.first() } else { set.last() };
            if set.is_empty() { longest } else { usize::from(square.rank().abs_diff(king.rank())) }
        };
        let own = nearest(board.pieces(color, Kind::Pawn), SHELTER.len() - 1).min(SHELTER.len() - 1);
        let enemy = nearest(board.pieces(!color, Kind::Pawn), STORM.len() - 1).min(STORM.len() - 1);
        // The king's own file counts double.
        let weight = if file == king.file() { 3 } else { 2 };
        value += (SHELTER[own] * weight + STORM[enemy] * 2) / 2;
    }
    Pair::new(value, 0)
}

/// What threatens the king of a side. Grows with the square of the attackers' effort.
fn danger(scene: &Scene, color: Color, king: Square) -> Pair {
    let (ours, theirs) = (&scene.attacks[color.index()], &scene.attacks[(!color).index()]);
    let occupied = scene.board.occupied();
    let ring = scene.rings[color.index()];
    // Squares the enemy attacks and nobody but the king defends.
    let weak = theirs.all - (ours.twice | ours.of_commoners);
    let safe = scene.rules.board
        - scene.board.color(!color)
        - (ours.of_commoners | (rays::king(king) - theirs.twice));
    let checks = [
        (rays::knight(king), theirs.of_knights),
        (rays::diagonal(king, occupied), theirs.of_diagonals),
        (rays::straight(king, occupied), theirs.of_straights),
    ];
    let mut danger = theirs.king_attackers * theirs.king_weight
        + RING_ATTACK * theirs.king_hits
        + RING_WEAK * (ring & weak).count() as i32;
    for ((line, reach), weight) in checks.into_iter().zip(SAFE_CHECKS) {
        let count = (line & reach & safe).count() as i32;
        // More than one such square is hardly worse than one.
        danger += if count > 0 { weight + weight * (count - 1).min(2) / 8 } else { 0 };
    }
    if !scene.has_heavy(!color) {
        danger -= WITHOUT_HEAVY;
    }
    if danger <= DANGER_FLOOR {
        return Pair::ZERO;
    }
    let danger = danger.min(3500);
    Pair::new(danger * danger / 8192, danger / 20)
}
