//! Extensions: lines that deserve a closer look.

use super::moves::Window;
use super::{Probe, Shared, Worker, params};
use crate::base::{Move, Score};
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
    /// good one and is searched deeper: a ply, two if the others are far behind. If another move beats beta as well,
    /// the node fails high whichever is played (multi-cut). If the table's move alone seemed to beat beta but is not
    /// singular, less is at stake and it is searched less deeply.
    /// Unsafe when the table's score is shallow or a mate, which the candidate test rules out; the number of double
    /// extensions in a line is limited, so that they cannot feed themselves.
    pub(super) fn singular<const PV: bool>(
        &mut self,
        shared: &Shared,
        probe: &Probe,
        window: &Window,
    ) -> Singular {
        let Window { beta, depth, ply, cut_node, .. } = *window;
        let table_score = probe.entry.score;
        let singular_beta = table_score - params::singular_margin() * depth / 16;
        self.stack.at_mut(ply).excluded = probe.entry.mv;
        let score =
            self.search::<false>(shared, singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
        self.stack.at_mut(ply).excluded = Move::NONE;
        if self.stopped {
            return Singular::Extend(0);
        }
        if score < singular_beta {
            let far_behind = !PV
                && score < singular_beta - params::double_margin()
                && self.stack.at(ply).double_extensions < params::double_limit();
            return Singular::Extend(1 + i32::from(far_behind));
        }
        if score >= beta && !score.is_proven() && !PV {
            return Singular::Cut(score);
        }
        Singular::Extend(if table_score >= beta {
            -2 - i32::from(!PV)
        } else if cut_node {
            -2
        } else {
            -i32::from(table_score <= score)
        })
    }
}

/// What the search without the table's move says.
pub(super) enum Singular {
    /// Search the table's move so much deeper.
    Extend(i32),
    /// The node fails high without it, too.
    Cut(Score),
}
