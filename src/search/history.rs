//! Memories of which moves were good: the basis of move ordering, pruning and reduction.
//!
//! All tables use the same gravity rule: the larger a value already is, the less a bonus adds, so values stay
//! within bounds and old lessons fade.

use std::marker::PhantomData;

use arrayvec::ArrayVec;

use super::params;
use crate::base::{Color, Move};
use crate::game::{Game, MoveView};

/// Values stay below this.
pub const HISTORY_LIMIT: i32 = 16_384;

/// Moves a bonus to or from a value.
#[inline(always)]
pub fn push_towards(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// The bonus for a move that was best at this depth.
pub fn bonus(depth: i32) -> i32 {
    (params::history_bonus_factor() * depth - 80).clamp(0, params::history_bonus_limit())
}

/// The place in the continuation tables that stands for "no move": after a null move and before the root.
pub fn no_continuation<G: Game>() -> usize {
    G::PIECES * G::SQUARES
}

/// The index of a piece arriving on a square.
#[inline(always)]
pub fn continuation_index<G: Game>(view: &MoveView) -> usize {
    usize::from(view.piece) * G::SQUARES + usize::from(view.to)
}

/// The moves made one, two and four plies ago, as continuation indices.
pub type Continuations = [usize; 3];

/// A move can flee, walk into danger, do both or neither.
const PERILS: usize = 4;

/// Pawn structures that share these bits of their key share what was learned.
const STRUCTURES: usize = 512;

/// What a quiet move is judged by besides itself.
#[derive(Clone, Copy)]
pub struct Setting {
    /// Who moves.
    pub side: Color,
    /// The moves before.
    pub before: Continuations,
    /// The pawns, as a place in the table.
    pub pawns: usize,
    /// The squares that the opponent attacks, a bit each.
    attacked: u128,
}

impl Setting {
    /// The setting of the position on the board.
    #[inline(always)]
    pub fn new<G: Game>(game: &G, before: Continuations) -> Setting {
        Setting {
            side: game.side_to_move(),
            before,
            pawns: game.pawn_key() as usize % STRUCTURES,
            attacked: game.attacked(),
        }
    }

    /// Before any move.
    pub fn nothing<G: Game>() -> Setting {
        Setting { side: Color::White, before: [no_continuation::<G>(); 3], pawns: 0, attacked: 0 }
    }

    /// Whether a move leaves an attacked square and whether it goes to one, as a number below [`PERILS`].
    #[inline(always)]
    fn peril(&self, view: &MoveView) -> usize {
        let attacked = |square: u8| (self.attacked >> square & 1) as usize;
        2 * attacked(view.from) + attacked(view.to)
    }
}

/// All memories of one thread.
pub struct History {
    /// Quiet moves by side, what is attacked of origin and target, and these two themselves.
    butterfly: Vec<i16>,
    /// Captures by piece, target and victim.
    capture: Vec<i16>,
    /// Quiet moves by an earlier move and this one.
    continuation: Vec<i16>,
    /// Quiet moves by the pawn structure.
    structure: Vec<i16>,
    /// The quiet answer that refuted a move.
    counter: Vec<Move>,
    squares: usize,
    pieces: usize,
}

impl History {
    /// Empty memories for a game.
    pub fn new<G: Game>() -> History {
        let arrivals = G::PIECES * G::SQUARES;
        History {
            butterfly: vec![0; 2 * PERILS * G::SQUARES * G::SQUARES],
            capture: vec![0; arrivals * (G::PIECES + 1)],
            continuation: vec![0; (arrivals + 1) * arrivals],
            structure: vec![0; STRUCTURES * arrivals],
            counter: vec![Move::NONE; arrivals + 1],
            squares: G::SQUARES,
            pieces: G::PIECES,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.structure.fill(0);
        self.counter.fill(Move::NONE);
    }

    #[inline(always)]
    fn arrival(&self, view: &MoveView) -> usize {
        usize::from(view.piece) * self.squares + usize::from(view.to)
    }

    #[inline(always)]
    fn butterfly_index(&self, setting: &Setting, view: &MoveView) -> usize {
        let table = setting.side.index() * PERILS + setting.peril(view);
        (table * self.squares + usize::from(view.from)) * self.squares + usize::from(view.to)
    }

    #[inline(always)]
    fn capture_index(&self, view: &MoveView) -> usize {
        self.arrival(view) * (self.pieces + 1) + view.victim.map_or(self.pieces, usize::from)
    }

    #[inline(always)]
    fn continuation_place(&self, before: usize, view: &MoveView) -> usize {
        before * (self.pieces * self.squares) + self.arrival(view)
    }

    /// How well a capture did.
    #[inline(always)]
    pub fn capture(&self, view: &MoveView) -> i32 {
        i32::from(self.capture[self.capture_index(view)])
    }

    /// How well a quiet move did, alone and in its setting.
    #[inline(always)]
    pub fn quiet<G: Game>(&self, setting: &Setting, view: &MoveView) -> i32 {
        self.quiet_judge::<G>(setting).value(view)
    }

    /// The parts of the tables that judge the quiet moves of one node.
    #[inline(always)]
    pub fn quiet_judge<G: Game>(&self, setting: &Setting) -> QuietJudge<'_, G> {
        let (own, arrivals) = (PERILS * G::SQUARES * G::SQUARES, G::PIECES * G::SQUARES);
        QuietJudge {
            setting: *setting,
            butterfly: &self.butterfly[setting.side.index() * own..][..own],
            after: setting.before.map(|earlier| &self.continuation[earlier * arrivals..][..arrivals]),
            structure: &self.structure[setting.pawns * arrivals..][..arrivals],
            game: PhantomData,
        }
    }

    /// The answer that refuted the move with this continuation index.
    #[inline(always)]
    pub fn counter(&self, before: usize) -> Move {
        self.counter[before]
    }

    /// A move caused a cutoff: it gains, the moves tried before it lose.
    pub fn reward(&mut self, setting: &Setting, best: &Tried, tried: &TriedMoves, depth: i32) {
        let bonus = bonus(depth);
        if best.view.tactical {
            self.push_capture(&best.view, bonus);
        } else {
            self.counter[setting.before[0]] = best.mv;
            // A quick cutoff by the first quiet move at low depth teaches little.
            if depth > 3 || !tried.quiets.is_empty() {
                self.push_quiet(setting, &best.view, bonus);
            }
            for other in tried.quiets.iter().filter(|other| other.mv != best.mv) {
                self.push_quiet(setting, &other.view, -bonus);
            }
        }
        for other in tried.captures.iter().filter(|other| other.mv != best.mv) {
            self.push_capture(&other.view, -bonus);
        }
    }

    /// Changes the value of a capture.
    fn push_capture(&mut self, view: &MoveView, bonus: i32) {
        let index = self.capture_index(view);
        push_towards(&mut self.capture[index], bonus);
    }

    /// Changes the values of a quiet move, alone and in its setting.
    pub fn push_quiet(&mut self, setting: &Setting, view: &MoveView, bonus: i32) {
        self.push_butterfly(setting, view, bonus);
        self.push_continuations(view, &setting.before, bonus);
        let index = self.continuation_place(setting.pawns, view);
        push_towards(&mut self.structure[index], bonus);
    }

    /// Changes the value of a quiet move by itself.
    pub fn push_butterfly(&mut self, setting: &Setting, view: &MoveView, bonus: i32) {
        let index = self.butterfly_index(setting, view);
        push_towards(&mut self.butterfly[index], bonus);
    }

    /// Changes the values of a quiet move after the moves before it.
    pub fn push_continuations(&mut self, view: &MoveView, before: &Continuations, bonus: i32) {
        for &earlier in before {
            let index = self.continuation_place(earlier, view);
            push_towards(&mut self.continuation[index], bonus);
        }
    }
}

/// What the memories know about the quiet moves of one node.
pub struct QuietJudge<'a, G> {
    setting: Setting,
    butterfly: &'a [i16],
    after: [&'a [i16]; 3],
    structure: &'a [i16],
    game: PhantomData<G>,
}

impl<G: Game> QuietJudge<'_, G> {
    /// How well a quiet move did, alone and in its setting.
    #[inline(always)]
    pub fn value(&self, view: &MoveView) -> i32 {
        let to = usize::from(view.to);
        let arrival = usize::from(view.piece) * G::SQUARES + to;
        let board = self.setting.peril(view) * G::SQUARES;
        let own = i32::from(self.butterfly[(board + usize::from(view.from)) * G::SQUARES + to]);
        let after = self.after.map(|table| i32::from(table[arrival]));
        own + after[0] + after[1] + after[2] / 2 + i32::from(self.structure[arrival])
    }
}

/// A move that was searched.
#[derive(Clone, Copy)]
pub struct Tried {
    /// The move.
    pub mv: Move,
    /// What it was about.
    pub view: MoveView,
}

/// The moves a node has searched, for punishing them when a later one is best. The first ones matter; the rest
/// are not recorded.
#[derive(Default)]
pub struct TriedMoves {
    /// Quiet moves.
    pub quiets: ArrayVec<Tried, 64>,
    /// Captures and promotions.
    pub captures: ArrayVec<Tried, 32>,
}

impl TriedMoves {
    /// Records a searched move.
    pub fn push(&mut self, tried: Tried) {
        let _ = if tried.view.tactical { self.captures.try_push(tried) } else { self.quiets.try_push(tried) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_values_within_bounds() {
        let mut value = 0i16;
        for _ in 0..10_000 {
            push_towards(&mut value, 1600);
            assert!(i32::from(value) <= HISTORY_LIMIT);
        }
        assert!(value > 14_000);
        for _ in 0..10_000 {
            push_towards(&mut value, -1600);
            assert!(i32::from(value) >= -HISTORY_LIMIT);
        }
        assert!(value < -14_000);
    }
}
