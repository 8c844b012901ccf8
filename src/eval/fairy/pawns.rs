//! Pawn structure, which is remembered, and passed pawns, which depend on the rest.

use super::pieces::Scene;
use super::tables::Tables;
use crate::base::Color;
use crate::eval::classical::Pair;
use crate::fairy::{Board, Kind, Piece, Rules, Set, Square};

/// What the pawns alone decide.
#[derive(Clone, Copy)]
pub struct PawnEntry {
    key: u64,
    /// What the pawns are worth where they stand, from White's point of view.
    pub worth: Pair,
    /// What their structure adds, likewise.
    pub score: Pair,
    /// By color.
    pub passed: [Set; 2],
}

impl PawnEntry {
    /// An entry for no pawns.
    fn new(key: u64) -> PawnEntry {
        PawnEntry { key, worth: Pair::ZERO, score: Pair::ZERO, passed: [Set::EMPTY; 2] }
    }
}

/// Remembers pawn structures.
pub struct PawnTable {
    entries: Vec<PawnEntry>,
}

const ENTRIES: usize = 1 << 13;

impl PawnTable {
    /// Nothing remembered; a position without pawns is.
    pub fn new() -> PawnTable {
        PawnTable { entries: vec![PawnEntry::new(0); ENTRIES] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = PawnTable::new();
    }

    /// The entry of the pawns on the board.
    pub fn probe(&mut self, board: &Board, rules: &Rules, tables: &Tables) -> PawnEntry {
        let key = board.keys().pawn;
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key {
            *entry = judge(board, rules, tables);
        }
        *entry
    }
}

/// Judges the pawns on the board without remembering anything.
pub fn judge(board: &Board, rules: &Rules, tables: &Tables) -> PawnEntry {
    let weights = &tables.numbers.weights;
    let mut entry = PawnEntry::new(board.keys().pawn);
    for color in Color::ALL {
        let us = color.index();
        let own = board.pieces(color, Kind::Pawn);
        let enemy = board.pieces(!color, Kind::Pawn);
        let enemy_attacks = enemy.pawn_attacks(!color.is_white());
        let own_attacks = own.pawn_attacks(color.is_white());
        let worth_on = &tables.worth[Piece::new(color, Kind::Pawn).index()];
        let (mut worth, mut score) = (Pair::ZERO, Pair::ZERO);
        for square in own {
            worth += worth_on[square.index()];
            let here = Set::of(square);
            let (ahead, ahead_beside) =
                (tables.ahead[us][square.index()], tables.ahead_beside[us][square.index()]);
            let neighbors = own & tables.beside[square.index()];
            let beside = here.west() | here.east();
            let doubled = (ahead & own).exists();
            if doubled {
                score += weights.doubled;
            }
            if neighbors.is_empty() {
                score += weights.isolated;
            } else if (own_attacks & here).exists() || (beside & own).exists() {
                let rank = i32::from(rules.rank_for(square, color));
                score += weights.connected * (rank - i32::from(rules.variant.double_step_rank) + 1).max(1);
            } else if (neighbors - ahead_beside).is_empty()
                && (here.forward(color.is_white()) & (enemy_attacks | enemy)).exists()
            {
                score += weights.backward;
            }
            if !doubled && ((ahead | ahead_beside) & enemy).is_empty() {
                entry.passed[us] |= here;
            }
        }
        let sign = if color.is_white() { 1 } else { -1 };
        entry.worth += worth * sign;
        entry.score += score * sign;
    }
    entry
}

/// The passed pawns of a side: how far they have come, what stands in their way, which king is nearer.
pub fn passed(scene: &Scene, pawns: Set, color: Color) -> Pair {
    if scene.rules.variant.promotion.is_none() {
        return Pair::ZERO;
    }
    let mut score = Pair::ZERO;
    for square in pawns {
        let steps = steps_to_promote(scene, square, color).clamp(1, scene.weights.passed.len() as i32);
        let mut value = scene.weights.passed[steps as usize - 1];
        let stop = square.forward(color.is_white());
        let theirs = &scene.attacks[(!color).index()];
        let blocked = scene.board.occupied().has(stop);
        if blocked {
            value = half(value);
        } else if theirs.all.has(stop) && !scene.attacks[color.index()].all.has(stop) {
            value = value - half(half(value));
        }
        let kings = Color::ALL.map(|side| scene.king(side).map_or(0, |king| distance(king, stop)));
        let nearer = kings[(!color).index()] - kings[color.index()];
        let urgency = (6 - steps).max(0);
        score += value + Pair::new(0, scene.singles.passed_kings * nearer * urgency / 4);
    }
    score
}

fn half(pair: Pair) -> Pair {
    Pair::new(pair.middlegame() / 2, pair.endgame() / 2)
}

/// Steps to the first rank of the promotion zone.
fn steps_to_promote(scene: &Scene, square: Square, color: Color) -> i32 {
    let depth = scene.rules.variant.promotion.as_ref().map_or(1, |promotion| promotion.ranks);
    let goal = i32::from(scene.rules.variant.ranks) - i32::from(depth);
    goal - i32::from(scene.rules.rank_for(square, color))
}

/// King steps between two squares.
pub fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}
