//! What a searched node teaches: which moves were good, which were not, and where the evaluation was wrong. `node.rs` and
//! `moves.rs` call this.

use super::history::{Setting, Tried, TriedMoves, bonus};
use super::moves::{Progress, Window};
use super::{Probe, Worker, params};
use crate::base::Score;
use crate::game::{Evaluator, Game};
use crate::tt::Bound;

/// The moves of a node that were expected to be good.
const EARLY: usize = 2;

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// A move caused a cutoff: remember it.
    pub(super) fn learn_from_cutoff(&mut self, window: &Window, tried: &TriedMoves, best: Tried) {
        if !best.view.tactical {
            self.stack.add_killer(window.ply, best.mv);
        }
        let setting = self.stack.at(window.ply).setting;
        self.history.reward(&setting, &best, tried, window.depth);
        if window.ply > 0 {
            self.blame_previous(window.ply, window.depth);
        }
    }

    /// The quiet move that allowed this cutoff was tried early and is refuted: it was not that good.
    fn blame_previous(&mut self, ply: usize, depth: i32) {
        let before = self.stack.back(ply, 1);
        if before.number <= EARLY
            && let Some(view) = before.view.filter(|view| !view.tactical)
        {
            let setting = before.setting;
            self.history.push_continuations(&view, &setting.before, -bonus(depth) * params::blame() / 16);
        }
    }

    /// No move was good enough: the opponent's quiet move that led here was.
    pub(super) fn learn_from_fail_low(&mut self, window: &Window) {
        let ply = window.ply;
        if ply == 0 {
            return;
        }
        if window.depth > 3 && self.stack.back(ply, 1).was_pv {
            self.stack.at_mut(ply).was_pv = true;
        }
        if let Some(view) = self.stack.back(ply, 1).view.filter(|view| !view.tactical) {
            let setting = self.stack.back(ply, 1).setting;
            let part = bonus(window.depth) * params::fail_low_bonus() / 16;
            self.history.push_quiet(&setting, &view, part);
        }
    }

    /// A table cutoff teaches too: its quiet move was good (or not) once more.
    pub(super) fn reward_table_move(&mut self, probe: &Probe, depth: i32, ply: usize, fails_high: bool) {
        let mv = probe.entry.mv;
        if mv.is_some() && fails_high && !self.game.is_tactical(mv) {
            let setting = Setting::new(&self.game, self.stack.continuations(ply));
            self.history.push_quiet(&setting, &self.game.view(mv), bonus(depth));
        }
    }

    /// The evaluation itself tells whether the quiet move that led here was good: did it change for the better? Where
    /// chance has struck in between, it tells nothing.
    pub(super) fn reward_by_evaluation(&mut self, ply: usize) {
        if self.game.has_chance() {
            return;
        }
        let (before, now) = (self.stack.back(ply, 1), self.stack.at(ply).static_eval);
        if let Some(view) = before.view.filter(|view| !view.tactical)
            && before.static_eval != Score::NONE
        {
            let change = -(before.static_eval.value() + now.value());
            let limit = params::eval_history_limit();
            let bonus = (params::eval_history_factor() * change).clamp(-limit, limit);
            let setting = before.setting;
            self.history.push_butterfly(&setting, &view, bonus);
        }
    }

    /// Compares the value found with the evaluation, where the bound tells that the evaluation was wrong. A capture
    /// changes what is evaluated and says nothing about it, and so does chance.
    pub(super) fn learn_correction(&mut self, window: &Window, progress: &Progress, bound: Bound) {
        if self.game.has_chance() {
            return;
        }
        let static_eval = self.stack.at(window.ply).static_eval;
        let tells = match bound {
            Bound::Lower => progress.best > static_eval,
            Bound::Upper => progress.best < static_eval,
            _ => true,
        };
        let quiet = progress.best_move.is_none() || !self.game.is_tactical(progress.best_move);
        if tells && quiet && !window.in_check && !progress.best.is_proven() {
            let place = self.correction_place(window.ply);
            self.corrections.learn(&place, static_eval, progress.best, window.depth);
        }
    }
}
