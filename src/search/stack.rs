//! What the search remembers of each ply of the line it is looking at.

use super::history::{Continuations, no_continuation};
use crate::base::score::MAX_PLY;
use crate::base::{Move, Score};
use crate::game::Game;

/// One ply.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Static evaluation, [`Score::NONE`] in check.
    pub static_eval: Score,
    /// The move made here, none for a pass.
    pub mv: Move,
    /// Its index in the continuation tables.
    pub continuation: usize,
    /// A move the node must do without (singular search).
    pub excluded: Move,
    /// Quiet moves that caused cutoffs at this ply.
    pub killers: [Move; 2],
}

/// Frames before the root, so that looking four plies back needs no check.
const BEFORE_ROOT: usize = 4;

/// The line being searched.
pub struct Stack {
    frames: Vec<Frame>,
}

impl Stack {
    /// An empty stack.
    pub fn new<G: Game>() -> Stack {
        let frame = Frame {
            static_eval: Score::NONE,
            mv: Move::NONE,
            continuation: no_continuation::<G>(),
            excluded: Move::NONE,
            killers: [Move::NONE; 2],
        };
        Stack { frames: vec![frame; MAX_PLY + BEFORE_ROOT + 4] }
    }

    /// Back to the state before a search.
    pub fn reset<G: Game>(&mut self) {
        *self = Stack::new::<G>();
    }

    /// The frame of a ply.
    #[inline(always)]
    pub fn at(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT]
    }

    /// The frame of a ply, to change.
    #[inline(always)]
    pub fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The frame some plies before `ply`, even before the root.
    #[inline(always)]
    pub fn back(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - plies]
    }

    /// The moves one, two and four plies before `ply`.
    #[inline(always)]
    pub fn continuations(&self, ply: usize) -> Continuations {
        [1, 2, 4].map(|plies| self.back(ply, plies).continuation)
    }

    /// Whether the side to move stands better than at its last turn. Where that was in check, the turn before.
    pub fn improving(&self, ply: usize) -> bool {
        let now = self.at(ply).static_eval;
        [2, 4]
            .into_iter()
            .map(|plies| self.back(ply, plies).static_eval)
            .find(|&earlier| earlier != Score::NONE)
            .is_some_and(|earlier| now > earlier)
    }

    /// Remembers a quiet move that caused a cutoff.
    pub fn add_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.at_mut(ply).killers;
        if killers[0] != mv {
            killers[1] = killers[0];
            killers[0] = mv;
        }
    }
}
