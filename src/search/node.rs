//! One node of the main search before its moves: the draws, the table, the evaluation, and whether the moves need be
//! looked at. `deepen.rs` calls it for the root, `moves.rs` for every move.

use super::history::Setting;
use super::moves::Window;
use super::prune::NodeView;
use super::{Probe, Shared, Worker, params};
use crate::base::{Move, Score};
use crate::game::{Evaluator, Game};

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// The value of the position on the board, searched `depth` plies deep within a window. `PV` nodes have an open
    /// window; the others only answer "at least beta or not".
    pub(super) fn search<const PV: bool>(
        &mut self,
        shared: &Shared,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if self.game.chance_is_due() {
            return self.weigh_chances(shared, alpha, beta, depth, ply);
        }
        if depth <= 0 {
            return self.quiesce::<PV>(shared, alpha, beta, ply);
        }
        if PV {
            self.pv.clear(ply);
        }
        if !self.enter_node(shared, ply) {
            return Score::DRAW;
        }
        let in_check = self.game.in_check();
        let excluded = self.stack.at(ply).excluded;
        if let Some(score) = self.game.decided(ply) {
            return score;
        }
        if ply > 0 {
            if excluded.is_none() && self.game.is_draw(ply) {
                return Score::DRAW;
            }
            if Self::is_too_deep(ply) {
                return if in_check { Score::DRAW } else { self.evaluate() };
            }
            // No line from here can be better than mating next move or worse than being mated now.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            // The side to move can at least repeat.
            if alpha < Score::DRAW && self.game.can_repeat(ply) {
                alpha = Score::DRAW;
            }
            if alpha >= beta {
                return alpha;
            }
        }

        let probe = if excluded.is_some() { Probe::MISS } else { self.probe(shared, ply) };
        if !PV
            && probe.entry.depth >= depth
            && self.game.halfmove_clock() < params::table_trust_clock() as u32
            && let Some(score) = probe.cutoff(alpha, beta)
        {
            self.reward_table_move(&probe, depth, ply, score >= beta);
            return score;
        }

        if ply > 0
            && excluded.is_none()
            && let Some(score) = self.table_score(depth, ply)
        {
            return score;
        }

        self.enter_frame::<PV>(&probe, excluded, ply);
        let eval = self.judge(in_check, excluded, &probe, ply);
        let improving = !in_check && self.stack.improving(ply);
        if !PV && !in_check && excluded.is_none() && !self.game.has_chance() {
            let worsening = self.stack.opponent_worsening(ply);
            let node = NodeView { depth, alpha, beta, ply, eval, improving, worsening, cut_node };
            if let Some(score) = self.prune_node(shared, &node, &probe) {
                return score;
            }
            if self.stopped {
                return Score::DRAW;
            }
        }
        // Without a move to try first the node is searched less deeply: it fills the table for the next visit.
        if depth >= params::iir_depth() && probe.entry.mv.is_none() && (PV || cut_node) && excluded.is_none()
        {
            depth -= 1;
        }
        if excluded.is_none() {
            self.stack.at_mut(ply).setting = Setting::new(&self.game, self.stack.continuations(ply));
        }
        let window = Window { alpha, beta, depth, ply, cut_node, improving, in_check, pv: PV };
        self.search_moves::<PV>(shared, window, &probe, excluded)
    }

    /// Gets the stack ready for a node.
    fn enter_frame<const PV: bool>(&mut self, probe: &Probe, excluded: Move, ply: usize) {
        self.stack.at_mut(ply + 1).killers = [Move::NONE; 2];
        self.stack.at_mut(ply + 2).cutoffs = 0;
        if excluded.is_none() {
            self.stack.at_mut(ply).was_pv = PV || probe.entry.pv;
        }
    }

    /// Sets the static evaluation of the ply and returns the best guess at the value.
    fn judge(&mut self, in_check: bool, excluded: Move, probe: &Probe, ply: usize) -> Score {
        if excluded.is_some() {
            return self.stack.at(ply).static_eval;
        }
        let (raw, corrected) =
            if in_check { (Score::NONE, Score::NONE) } else { self.corrected_eval(probe.entry.eval, ply) };
        let frame = self.stack.at_mut(ply);
        (frame.raw_eval, frame.static_eval) = (raw, corrected);
        if in_check {
            return Score::NONE;
        }
        self.reward_by_evaluation(ply);
        probe.refine(corrected)
    }
}
