//! What the search remembers of each ply of the line it is looking at.

use super::history::{Continuations, Setting, no_continuation};
use crate::base::score::MAX_PLY;
use crate::base::{Move, Score};
use crate::game::{Game, MoveView};

/// One ply.
#[derive(Clone, Copy)]
pub struct Frame {
    /// What the evaluator says, [`Score::NONE`] in check.
    pub raw_eval: Score,
    /// The same, corrected by experience.
    pub static_eval: Score,
    /// The node is or was once part of a principal variation.
    pub was_pv: bool,
    /// The move made here, none for a pass.
    pub mv: Move,
    /// What it is about; nothing for a pass and before the root.
    pub view: Option<MoveView>,
    /// What quiet moves are judged by here.
    pub setting: Setting,
    /// Its number among the moves of the node.
    pub number: usize,
    /// Its index in the continuation tables.
    pub continuation: usize,
    /// How many times the line so far was extended by more than a ply.
    pub double_extensions: i32,
    /// Cutoffs among the children of the node before, since it was entered.
    pub cutoffs: u32,
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
            raw_eval: Score::NONE,
            static_eval: Score::NONE,
            was_pv: false,
            mv: Move::NONE,
            view: None,
            number: 0,
            setting: Setting::nothing::<G>(),
            double_extensions: 0,
            cutoffs: 0,
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

    /// Whether the opponent stands worse than it thought before its last move.
    pub fn opponent_worsening(&self, ply: usize) -> bool {
        let (now, before) = (self.at(ply).static_eval, self.back(ply, 1).static_eval);
        now != Score::NONE && before != Score::NONE && now > -before
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
