//! Iterative deepening: depth by depth, each iteration inside a window around the last value.

use super::mate::{Hunted, MateHunt};
use super::{BoxedReporter, Job, LineReport, Outcome, RootMove, Shared, Silent, Worker, params};
use crate::base::score::MAX_PLY;
use crate::base::{Move, Score};
use crate::game::{Evaluator, Game};
use crate::tt::Bound;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Lines that leave their window and root moves are reported only after this much time.
const TALKATIVE_AFTER: Duration = Duration::from_secs(3);
/// No machine needs so much time for fewer nodes; short searches never look at the clock.
const TALKATIVE_NODES: u64 = 10_000;

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// Searches until a limit is reached or the search is stopped. The reporter comes back with the result.
    pub fn run(
        &mut self,
        job: &Job<G>,
        shared: &Shared,
        reporter: BoxedReporter,
    ) -> (Outcome, BoxedReporter) {
        self.prepare(job, shared);
        self.reporter = reporter;
        if !self.root_moves.is_empty() {
            self.deepen(job, shared);
        }
        let reporter = std::mem::replace(&mut self.reporter, Box::new(Silent));
        // Whoever takes the tables away must not find them held by a thread that does nothing.
        self.tables = None;
        let outcome = Outcome {
            root_moves: std::mem::take(&mut self.root_moves),
            depth: self.completed_depth,
            table_hits: shared.table_hits.load(Relaxed),
        };
        (outcome, reporter)
    }

    /// Iteration after iteration.
    fn deepen(&mut self, job: &Job<G>, shared: &Shared) {
        let lines = job.multipv.clamp(1, self.root_moves.len());
        let deepest = job.limits.depth.map_or(MAX_PLY as i32 - 6, |d| d.clamp(1, MAX_PLY as u32 - 6) as i32);
        let mut settled = Settled::default();
        let mut finished = Vec::new();
        // Where chance has a hand in it no mate can be proven.
        let alone = self.id == 0 && !self.restricted_root && !self.game.has_chance();
        let wanted = job.limits.mate.filter(|_| alone);
        let mut hunt = wanted.map(|moves| MateHunt::new(job.game.clone(), moves));
        for depth in 1..=deepest {
            // Every second helper starts a ply deeper, so that the threads do not all do the same work.
            self.root_depth = depth + i32::from(self.id % 2 == 1 && depth < deepest);
            self.iterate(shared, lines);
            self.tell_counts(shared);
            if self.stopped {
                self.discard_unfinished(&finished);
                break;
            }
            self.completed_depth = self.root_depth;
            finished = self.root_moves[..lines].to_vec();
            if self.id == 0 {
                self.report_lines(shared, lines);
                settled.update(&self.root_moves[0]);
                if self.knows_all(lines) || self.is_done(job, shared, &settled) {
                    break;
                }
                if let Some(hunt) = &mut hunt {
                    let hunted = self.hunt(hunt, shared);
                    if hunted == Hunted::NoMate {
                        self.reporter.no_mate(hunt.moves());
                    }
                    if hunted != Hunted::Open {
                        self.report_lines(shared, 1);
                        break;
                    }
                }
            }
        }
    }

    /// An interrupted iteration counts only where it found a move better than the old one: that the old one looks
    /// worse is no result as long as the others have not been tried. Several lines stay as they were finished, since
    /// values of two iterations cannot be compared.
    fn discard_unfinished(&mut self, finished: &[RootMove]) {
        let best = &self.root_moves[0];
        let improved =
            best.score != -Score::INFINITE && best.bound != Bound::Upper && !best.score.is_proven_loss();
        if improved && finished.len() == 1 {
            return;
        }
        self.root_moves.retain(|root| finished.iter().all(|line| line.mv != root.mv));
        self.root_moves.splice(0..0, finished.iter().cloned());
    }

    /// One iteration: the best line, then the next best among the other moves, and so on.
    fn iterate(&mut self, shared: &Shared, lines: usize) {
        for root in &mut self.root_moves {
            root.previous_score = root.known_score();
            root.score = -Score::INFINITE;
        }
        for rank in 0..lines {
            self.pv_index = rank;
            self.selective_depth = 0;
            self.aspirate(shared);
            // The lines found so far may have changed places.
            self.root_moves[..=rank].sort_by_key(|root| std::cmp::Reverse((root.rank, root.known_score())));
            if self.stopped {
                return;
            }
        }
    }

    /// Searches one line with a narrow window, widening it where the value falls outside.
    fn aspirate(&mut self, shared: &Shared) {
        let expected = self.root_moves[self.pv_index].previous_score;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if self.root_depth >= params::aspiration_depth()
            && expected.value().abs() < Score::TABLE_BOUND.value()
        {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut less_deep = 0;
        loop {
            let depth = (self.root_depth - less_deep).max(1);
            let score = self.search::<true>(shared, alpha, beta, depth, 0, false);
            // Stable: of the moves without a value those that were best before stay in front.
            self.root_moves[self.pv_index..].sort_by_key(|root| std::cmp::Reverse((root.rank, root.score)));
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = Score::new((alpha.value() + beta.value()) / 2);
                alpha = (score - delta).max(-Score::INFINITE);
                less_deep = 0;
            } else if score >= beta {
                beta = (score + delta).min(Score::INFINITE);
                less_deep = (less_deep + 1).min(3);
            } else {
                return;
            }
            if self.id == 0 && self.pv_index == 0 && self.is_talkative() {
                self.tell_counts(shared);
                self.report_line(shared, 0);
            }
            delta += delta / 2;
            if delta > 600 || score.is_proven() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Whether the search has gone on for so long that people want to see what it looks at.
    pub(super) fn is_talkative(&self) -> bool {
        self.nodes > TALKATIVE_NODES && self.deadline.elapsed() > TALKATIVE_AFTER
    }

    fn report_lines(&mut self, shared: &Shared, lines: usize) {
        for rank in 0..lines {
            self.report_line(shared, rank);
        }
    }

    fn report_line(&mut self, shared: &Shared, rank: usize) {
        let root = &self.root_moves[rank];
        self.reporter.line(&LineReport {
            depth: self.root_depth,
            rank,
            score: root.told_score(),
            bound: root.told_bound(),
            selective_depth: root.selective_depth,
            pv: &root.pv,
            nodes: shared.nodes(),
            table_hits: shared.table_hits.load(Relaxed),
        });
    }

    /// Whether endgame tables know the mate in every line that is looked for: deeper search finds nothing new.
    fn knows_all(&self, lines: usize) -> bool {
        self.root_moves[..lines].iter().all(|root| root.table_score.is_some_and(Score::is_mate))
    }

    /// Whether another iteration is not worth its time.
    fn is_done(&mut self, job: &Job<G>, shared: &Shared, settled: &Settled) -> bool {
        let best = &self.root_moves[0];
        if let (Some(wanted), Some(found)) = (job.limits.mate, best.score.moves_to_mate())
            && found > 0
            && found as u32 <= wanted
        {
            return true;
        }
        if job.limits.soft_nodes.is_some_and(|enough| shared.nodes() >= enough) {
            return true;
        }
        // What endgame tables rank lower is no choice.
        let choices = self.root_moves.iter().take_while(|root| root.rank == best.rank).count();
        let only_move = choices == 1 && self.completed_depth >= 6;
        let scale = if only_move { 0.05 } else { settled.scale(best, self.nodes) };
        let enough = self.deadline.soft_passed(scale);
        self.move_on_ponder_hit = enough;
        enough && !shared.control.is_pondering()
    }
}

/// How sure the search is of its move: the basis for spending more or less time.
#[derive(Default)]
struct Settled {
    best: Move,
    /// Iterations since the best move changed.
    unchanged: u32,
    /// Values of the last iterations, newest last.
    scores: Vec<i32>,
}

impl Settled {
    fn update(&mut self, best: &RootMove) {
        self.unchanged = if best.mv == self.best { self.unchanged + 1 } else { 0 };
        self.best = best.mv;
        self.scores.push(best.score.value());
    }

    /// The factor on the soft limit.
    fn scale(&self, best: &RootMove, nodes: u64) -> f64 {
        const BY_STABILITY: [f64; 6] = [1.8, 1.35, 1.1, 0.95, 0.85, 0.8];
        let stability = BY_STABILITY[(self.unchanged as usize).min(BY_STABILITY.len() - 1)];
        // If nearly all effort goes into the best move, the others are refuted quickly.
        let share = best.nodes as f64 / nodes.max(1) as f64;
        let effort = (1.5 - share) * 1.35;
        let trend = match self.scores[..] {
            [.., earlier, _, _, now] => (1.0 + f64::from(earlier - now) * 0.006).clamp(0.8, 1.5),
            _ => 1.0,
        };
        stability * effort * trend
    }
}
