//! The safety of kings: the pawns before them and the pieces around them.

use super::numbers::DANGER_FLOOR;
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
    let hunted = &scene.singles.hunted;
    let exits = hunted[(safe.count() as usize).min(hunted.len() - 1)];
    let loose = scene.board.color(!color) - hunters.all;
    Pair::new(exits, exits) - scene.weights.loose_hunter * loose.count() as i32
}

/// Own pawns before the king, enemy pawns that come near.
fn shelter(scene: &Scene, color: Color, king: Square) -> Pair {
    let (board, tables, us) = (scene.board, scene.tables, color.index());
    let (shelter, storm) = (&scene.singles.shelter, &scene.singles.storm);
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
        let own = nearest(board.pieces(color, Kind::Pawn), shelter.len() - 1).min(shelter.len() - 1);
        let enemy = nearest(board.pieces(!color, Kind::Pawn), storm.len() - 1).min(storm.len() - 1);
        // The king's own file counts double.
        let weight = if file == king.file() { 3 } else { 2 };
        value += (shelter[own] * weight + storm[enemy] * 2) / 2;
    }
    Pair::new(value, 0)
}

/// What threatens the king of a side. Grows with the square of the attackers' effort.
fn danger(scene: &Scene, color: Color, king: Square) -> Pair {
    let (ours, theirs) = (&scene.attacks[color.index()], &scene.attacks[(!color).index()]);
    let (occupied, singles) = (scene.board.occupied(), scene.singles);
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
        + singles.ring_attack * theirs.king_hits
        + singles.ring_weak * (ring & weak).count() as i32;
    for ((line, reach), weight) in checks.into_iter().zip(singles.safe_checks) {
        let count = (line & reach & safe).count() as i32;
        // More than one such square is hardly worse than one.
        danger += if count > 0 { weight + weight * (count - 1).min(2) / 8 } else { 0 };
    }
    if !scene.has_heavy(!color) {
        danger -= singles.without_heavy;
    }
    if danger <= DANGER_FLOOR {
        return Pair::ZERO;
    }
    let danger = danger.min(3500);
    Pair::new(danger * danger / 8192, danger / 20)
}
