//! Quiescence: captures are played out before a position is judged.

use super::history::Setting;
use super::picker::Picker;
use super::{Probe, Shared, Worker, bound_of, params};
use crate::base::{Move, Score};
use crate::game::{Evaluator, Game};
use crate::tt::{Bound, Entry};

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// The value of a position once captures that do not lose material are exhausted. In check, all moves count.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        shared: &Shared,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        if PV {
            self.pv.clear(ply);
        }
        if !self.enter_node(shared, ply) || self.game.is_draw(ply) {
            return Score::DRAW;
        }
        if let Some(score) = self.game.decided(ply) {
            return score;
        }
        let in_check = self.game.in_check();
        if Self::is_too_deep(ply) {
            return if in_check { Score::DRAW } else { self.evaluate() };
        }
        let probe = self.probe(shared, ply);
        if !PV && let Some(score) = probe.cutoff(alpha, beta) {
            return score;
        }

        if let Some(score) = self.table_score(0, ply) {
            return score;
        }

        let (raw_eval, static_eval, mut best) = self.stand_pat(in_check, &probe, ply);
        if best >= beta {
            best = temper(best, beta);
            if !probe.hit {
                let (mv, bound) = (Move::NONE, Bound::Lower);
                self.store(shared, ply, Entry { mv, score: best, eval: raw_eval, depth: 0, bound, pv: PV });
            }
            return best;
        }
        let original_alpha = alpha;
        alpha = alpha.max(best);
        // A capture must lift the evaluation to alpha; a bit of play is allowed for.
        let futility_base = if in_check { Score::NONE } else { static_eval + params::delta_margin() };

        let arrived = self.stack.back(ply, 1).view.map(|view| view.to);
        let mut best_move = Move::NONE;
        let mut tried = 0;
        let mut picker = self.quiescence_picker(in_check, probe.entry.mv, ply);
        while let Some(mv) = picker.next(&self.game, &self.history) {
            tried += 1;
            let view = self.game.view(mv);
            self.prefetch(shared, mv, &view);
            if !in_check && !best.is_proven_loss() {
                let reach = futility_base + i32::from(view.gain) * params::delta_gain() / 16;
                let recapture = Some(view.to) == arrived;
                // After the best captures only recaptures are worth the effort.
                let late = tried > params::quiesce_moves();
                if !recapture && (reach <= alpha || late) && !self.game.gives_check(mv) {
                    if reach <= alpha {
                        best = best.max(reach);
                    }
                    continue;
                }
            }
            // One quiet way out of check is enough to see that there is one.
            if in_check && best != -Score::INFINITE && !best.is_proven_loss() {
                picker.skip_quiets();
            }
            self.make(mv, &view, ply);
            let score = -self.quiesce::<PV>(shared, -beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && tried == 0 {
            return self.game.no_moves_score(ply);
        }
        if best >= beta {
            best = temper(best, beta);
        }
        let bound = bound_of::<PV>(best, original_alpha, beta);
        let pv = PV || probe.entry.pv;
        self.store(shared, ply, Entry { mv: best_move, score: best, eval: raw_eval, depth: 0, bound, pv });
        best
    }

    /// The evaluator's value, the corrected one, and the value of not capturing at all. In check there is none of it.
    fn stand_pat(&mut self, in_check: bool, probe: &Probe, ply: usize) -> (Score, Score, Score) {
        if in_check {
            return (Score::NONE, Score::NONE, -Score::INFINITE);
        }
        let (raw, corrected) = self.corrected_eval(probe.entry.eval, ply);
        (raw, corrected, probe.refine(corrected))
    }

    /// Captures and promotions that do not lose material; in check, every move.
    fn quiescence_picker(&self, in_check: bool, table_move: Move, ply: usize) -> Picker {
        if in_check {
            let setting = Setting::new(&self.game, self.stack.continuations(ply));
            return Picker::new(table_move, [Move::NONE; 3], setting);
        }
        Picker::tactical::<G>(if self.game.is_tactical(table_move) { table_move } else { Move::NONE }, 0)
    }
}

/// A value above beta that only captures stand behind is taken halfway.
fn temper(best: Score, beta: Score) -> Score {
    if best.is_proven() || beta.is_proven() { best } else { Score::new((best.value() + beta.value()) / 2) }
}
