//! Correction history: where the evaluation is wrong in a way that repeats, the search learns by how much.
//!
//! After a node has been searched, the difference between its value and its static evaluation is remembered under
//! what the position shares with many others: its pawns, the pieces of each side, the last two moves. The next
//! evaluation of such a position is moved by what was learned. `node.rs` and `quiesce.rs` call this.

use super::history::{HISTORY_LIMIT, push_towards};
use super::params;
use crate::base::{Color, Score};
use crate::game::Game;

/// Positions that share these bits of a key share a slot; a few collisions do no harm.
const SLOTS: usize = 1 << 14;

/// The slots that concern one position.
#[derive(Clone, Copy)]
pub struct Place {
    pawns: usize,
    pieces: [usize; 2],
    moves: usize,
}

/// What was learned about the evaluation's errors; each slot is kept apart by side to move.
pub struct Corrections {
    pawns: Vec<i16>,
    pieces: [Vec<i16>; 2],
    moves: Vec<i16>,
}

impl Corrections {
    /// Nothing learned yet.
    pub fn new() -> Corrections {
        let table = || vec![0; 2 * SLOTS];
        Corrections { pawns: table(), pieces: [table(), table()], moves: table() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.pawns.fill(0);
        self.pieces.iter_mut().for_each(|table| table.fill(0));
        self.moves.fill(0);
    }

    /// The slots of a position that was reached by two moves, given as continuation indices, the last one first.
    #[inline(always)]
    pub fn place<G: Game>(game: &G, last: [usize; 2]) -> Place {
        let side = game.side_to_move().index() * SLOTS;
        let slot = |key: u64| side + key as usize % SLOTS;
        Place {
            pawns: slot(game.pawn_key()),
            pieces: Color::ALL.map(|color| slot(game.non_pawn_key(color))),
            // A prime apart, so that few pairs of moves meet; the mover's piece tells the side.
            moves: (last[1] * 97 + last[0] * 4099) % (2 * SLOTS),
        }
    }

    /// What to add to the static evaluation, in centipawns.
    #[inline(always)]
    pub fn value(&self, place: &Place) -> i32 {
        let of = |table: &[i16], slot: usize| i32::from(table[slot]);
        let sum = params::correction_pawns() * of(&self.pawns, place.pawns)
            + params::correction_pieces() * of(&self.pieces[0], place.pieces[0])
            + params::correction_pieces() * of(&self.pieces[1], place.pieces[1])
            + params::correction_moves() * of(&self.moves, place.moves);
        sum / (HISTORY_LIMIT * 16)
    }

    /// The search found `value` where the evaluation had said `static_eval`.
    pub fn learn(&mut self, place: &Place, static_eval: Score, value: Score, depth: i32) {
        let error = (value - static_eval) * depth * params::correction_rate();
        let bonus = error.clamp(-HISTORY_LIMIT / 4, HISTORY_LIMIT / 4);
        push_towards(&mut self.pawns[place.pawns], bonus);
        for (table, &slot) in self.pieces.iter_mut().zip(&place.pieces) {
            push_towards(&mut table[slot], bonus);
        }
        push_towards(&mut self.moves[place.moves], bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn repeated_errors_are_learned_and_fade_when_they_stop() {
        let mut corrections = Corrections::new();
        let place = Corrections::place(&Position::start(), [3, 5]);
        assert_eq!(corrections.value(&place), 0);
        for _ in 0..50 {
            corrections.learn(&place, Score::new(10), Score::new(60), 8);
        }
        let learned = corrections.value(&place);
        assert!(learned > 10, "{learned}");
        for _ in 0..50 {
            corrections.learn(&place, Score::new(10), Score::new(-40), 8);
        }
        assert!(corrections.value(&place) < -10);
        corrections.clear();
        assert_eq!(corrections.value(&place), 0);
    }
}
