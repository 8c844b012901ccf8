//! Pruning: what need not be searched. One function a rule, each with its idea and its guard.

use super::picker::Picker;
use super::stack::Frame;
use super::{Probe, Shared, Worker, params};
use crate::base::{Move, Score};
use crate::game::{Evaluator, Game};
use crate::tt::{Bound, Entry};

/// What the rules want to know about a node. None of them is asked in check, on the principal variation or in a
/// singular search.
pub struct NodeView {
    /// Depth left.
    pub depth: i32,
    /// Lower end of the window.
    pub alpha: Score,
    /// Upper end of the window.
    pub beta: Score,
    /// Plies from the root.
    pub ply: usize,
    /// Best guess at the value: evaluation refined by the table.
    pub eval: Score,
    /// The side to move stands better than two plies ago.
    pub improving: bool,
    /// The opponent stands worse than before its last move.
    pub worsening: bool,
    /// A node expected to fail high.
    pub cut_node: bool,
}

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// All rules that may end a node before its first move.
    pub(super) fn prune_node(&mut self, shared: &Shared, node: &NodeView, probe: &Probe) -> Option<Score> {
        self.reverse_futility(node)
            .or_else(|| self.razoring(shared, node))
            .or_else(|| self.null_move(shared, node))
            .or_else(|| self.prob_cut(shared, node, probe))
    }

    /// Reverse futility: so far above beta at low depth that one quiet move of the opponent will not change it. Not
    /// where a principal variation once ran: there the details count.
    fn reverse_futility(&self, node: &NodeView) -> Option<Score> {
        let expected = node.depth - i32::from(node.improving);
        let margin = params::rfp_margin() * expected - params::rfp_worsening() * i32::from(node.worsening);
        let margin = margin.max(params::rfp_least());
        let applies = node.depth <= params::rfp_depth()
            && node.eval - margin >= node.beta
            && !node.beta.is_proven_loss()
            && !self.stack.at(node.ply).was_pv;
        // Between beta and the evaluation: the margin says how sure we are.
        (applies && !node.eval.is_proven_win())
            .then(|| Score::new((node.eval.value() + 2 * node.beta.value()) / 3))
    }

    /// Razoring: so far below alpha at low depth that only captures could help; quiescence checks whether they do.
    fn razoring(&mut self, shared: &Shared, node: &NodeView) -> Option<Score> {
        if node.depth > params::razor_depth() || node.eval + params::razor_margin() * node.depth >= node.alpha
        {
            return None;
        }
        let score = self.quiesce::<false>(shared, node.alpha, node.alpha + 1, node.ply);
        (score <= node.alpha).then_some(score)
    }

    /// Null move: if passing still beats beta after a reduced search, a real move will too. Unsafe in zugzwang, so
    /// not with king and pawns alone, not twice in a row, and a deep cutoff is verified by a search without
    /// null moves.
    fn null_move(&mut self, shared: &Shared, node: &NodeView) -> Option<Score> {
        let NodeView { depth, beta, ply, eval, .. } = *node;
        let static_eval = self.stack.at(ply).static_eval;
        if depth < params::nmp_depth()
            || eval < beta
            || static_eval < beta - params::nmp_static_factor() * depth - params::nmp_static_margin()
            || beta.is_proven_loss()
            || self.stack.back(ply, 1).mv.is_none()
            || ply < self.nmp_min_ply
            || !self.game.has_pieces(self.game.side_to_move())
        {
            return None;
        }
        let reduction = params::nmp_base()
            + depth / params::nmp_depth_divisor()
            + ((eval - beta) / params::nmp_eval_divisor()).min(3);
        self.make_null(shared, ply);
        let score =
            -self.search::<false>(shared, -beta, -beta + 1, depth - reduction, ply + 1, !node.cut_node);
        self.unmake_null();
        if self.stopped || score < beta {
            return None;
        }
        // A mate found after passing is not a proven one.
        let score = if score.is_proven_win() { beta } else { score };
        if depth < params::nmp_verify_depth() || self.nmp_min_ply > 0 {
            return Some(score);
        }
        self.nmp_min_ply = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let verified = self.search::<false>(shared, beta - 1, beta, depth - reduction, ply, false);
        self.nmp_min_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut: if a capture beats beta by a margin in a shallow search, a deep one will most likely beat beta. Unsafe
    /// near mates; and where the table knows better, it is not tried.
    fn prob_cut(&mut self, shared: &Shared, node: &NodeView, probe: &Probe) -> Option<Score> {
        let NodeView { depth, beta, ply, cut_node, .. } = *node;
        let bar = beta + params::probcut_margin() - params::probcut_improving() * i32::from(node.improving);
        let shallow = depth - 4;
        let table_denies = probe.entry.depth > shallow && probe.entry.score < bar;
        if self.stopped || depth < params::probcut_depth() || beta.is_proven() || table_denies {
            return None;
        }
        let table_move = if self.game.is_tactical(probe.entry.mv) { probe.entry.mv } else { Move::NONE };
        let mut picker = Picker::tactical::<G>(table_move, bar - self.stack.at(ply).static_eval);
        while let Some(mv) = picker.next(&self.game, &self.history) {
            let view = self.game.view(mv);
            self.prefetch(shared, mv, &view);
            self.make(mv, &view, ply);
            let mut score = -self.quiesce::<false>(shared, -bar, -bar + 1, ply + 1);
            if score >= bar && shallow > 0 {
                score = -self.search::<false>(shared, -bar, -bar + 1, shallow, ply + 1, !cut_node);
            }
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= bar {
                let Frame { raw_eval: eval, was_pv: pv, .. } = *self.stack.at(ply);
                let entry = Entry { mv, score, eval, depth: shallow + 1, bound: Bound::Lower, pv };
                self.store(shared, ply, entry);
                return Some(if score.is_proven() { score } else { score - (bar - beta) });
            }
        }
        None
    }
}

/// What the rules want to know about a move before it is made. None of them is asked before a move that does not
/// lose has been found.
pub struct MoveFacts {
    /// Depth left at the node.
    pub depth: i32,
    /// Depth after the expected reduction.
    pub reduced_depth: i32,
    /// Number of the move, from 1.
    pub number: usize,
    /// Lower end of the window.
    pub alpha: Score,
    /// Static evaluation, [`Score::NONE`] in check.
    pub static_eval: Score,
    /// The side to move stands better than two plies ago.
    pub improving: bool,
    /// Its history.
    pub history: i32,
}

/// Late move pruning: after enough moves at low depth the remaining quiet ones will not do better.
pub fn is_late(facts: &MoveFacts) -> bool {
    let limit = (params::lmp_base() + facts.depth * facts.depth) / if facts.improving { 1 } else { 2 };
    facts.depth <= params::lmp_depth() && facts.number as i32 > limit
}

/// Futility: a quiet move cannot make up for an evaluation this far below alpha. Not in check, where there is no
/// evaluation to go by.
pub fn is_futile(facts: &MoveFacts) -> bool {
    facts.static_eval != Score::NONE
        && facts.reduced_depth <= params::futility_depth()
        && facts.static_eval
            + params::futility_base()
            + params::futility_margin() * facts.reduced_depth.max(0)
            <= facts.alpha
}

/// History pruning: a quiet move that has failed often is not tried at low depth.
pub fn has_bad_history(facts: &MoveFacts) -> bool {
    facts.reduced_depth <= params::history_prune_depth()
        && facts.history < -params::history_prune_margin() * facts.reduced_depth.max(1)
}

/// Exchange pruning: the loss a move may make, deeper nodes allowing more.
pub fn exchange_margin(facts: &MoveFacts, tactical: bool) -> i32 {
    if tactical {
        -params::see_capture_margin() * facts.depth
    } else {
        let depth = facts.reduced_depth.max(0);
        -params::see_quiet_margin() * depth * depth
    }
}
