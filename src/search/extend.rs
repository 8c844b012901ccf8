//! Extensions: lines that deserve a closer look.

use super::{Probe, Shared, Worker, params};
use crate::base::Move;
use crate::game::{Evaluator, Game};

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// Whether the table's move may be singular enough to ask for.
    pub(super) fn is_singular_candidate(&self, probe: &Probe, mv: Move, depth: i32, ply: usize) -> bool {
        ply > 0
            && depth >= params::singular_depth()
            && mv == probe.entry.mv
            && self.stack.at(ply).excluded.is_none()
            && probe.entry.depth >= depth - 3
            && probe.entry.bound.is_lower()
            && !probe.entry.score.is_proven()
            // Twice the nominal depth is enough: extensions must not feed themselves.
            && ply < 2 * self.root_depth as usize
    }

    /// Singular extension. If every other move fails clearly below the table's score, the table's move is the only
    /// good one and is searched a ply deeper. If the others too would beat beta, less is at stake and it is not.
    /// Unsafe when the table's score is shallow or a mate, which the candidate test rules out.
    pub(super) fn singular_extension(
        &mut self,
        shared: &Shared,
        probe: &Probe,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        let singular_beta = probe.entry.score - params::singular_margin() * depth;
        self.stack.at_mut(ply).excluded = probe.entry.mv;
        let score =
            self.search::<false>(shared, singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
        self.stack.at_mut(ply).excluded = Move::NONE;
        i32::from(!self.stopped && score < singular_beta)
    }
}
