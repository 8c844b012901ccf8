//! The moves of a node: which are searched, how deep, and what the best of them says. `node.rs` calls this when nothing
//! has settled the node before.

use super::extend::Singular;
use super::history::{HISTORY_LIMIT, Tried, TriedMoves};
use super::picker::Picker;
use super::prune::{self, MoveFacts};
use super::reduce::{LateMove, reduction};
use super::stack::Frame;
use super::{Probe, RootMove, Shared, Worker, bound_of, params};
use crate::base::{Move, Score};
use crate::game::{Evaluator, Game, MoveView};
use crate::tt::{Bound, Entry};

/// A move about to be searched.
struct Child {
    late: LateMove,
    new_depth: i32,
    number: usize,
    /// The best value so far.
    best: Score,
}

/// The window and depth of a node while its moves are searched.
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    pub cut_node: bool,
    pub improving: bool,
    pub in_check: bool,
    pub pv: bool,
}

/// What the moves searched so far have shown.
pub(super) struct Progress {
    pub best: Score,
    pub best_move: Move,
    number: usize,
    tried: TriedMoves,
}

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// Searches the moves one after the other until one is too good for the opponent to allow.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        shared: &Shared,
        mut window: Window,
        probe: &Probe,
        excluded: Move,
    ) -> Score {
        let Window { beta, ply, .. } = window;
        let original_alpha = window.alpha;
        let setting = self.stack.at(ply).setting;
        let killers = self.stack.at(ply).killers;
        let refutations = [killers[0], killers[1], self.history.counter(setting.before[0])];
        let deep_entry = params::lmr_deep_entry() * i32::from(probe.entry.depth >= window.depth);
        let table_move_tactical = probe.entry.mv.is_some() && self.game.is_tactical(probe.entry.mv);
        let mut picker = Picker::new(probe.entry.mv, refutations, setting);
        // With king and pawns alone single moves decide.
        let can_prune = self.game.has_pieces(setting.side);
        let mut progress = Progress {
            best: -Score::INFINITE,
            best_move: Move::NONE,
            number: 0,
            tried: TriedMoves::default(),
        };

        while let Some(mv) = self.next_move(&mut picker, ply, progress.number) {
            if mv == excluded {
                continue;
            }
            progress.number += 1;
            if ply == 0 && self.id == 0 && self.is_talkative() {
                self.reporter.current_move(self.root_depth, mv, progress.number + self.pv_index);
            }
            let view = self.game.view(mv);
            self.prefetch(shared, mv, &view);
            let history = if view.tactical {
                self.history.capture(&view)
            } else {
                self.history.quiet::<G>(&setting, &view)
            };
            if ply > 0
                && can_prune
                && !progress.best.is_proven_loss()
                && progress.best != -Score::INFINITE
                && self.skip_move(&window, mv, &view, history, progress.number, &mut picker)
            {
                continue;
            }
            let mut extension = 0;
            if self.is_singular_candidate(probe, mv, window.depth, ply) {
                match self.singular::<PV>(shared, probe, &window) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return score,
                }
            }
            if self.stopped {
                return Score::DRAW;
            }
            let nodes_before = self.nodes;
            self.make(mv, &view, ply);
            self.stack.at_mut(ply).number = progress.number;
            let gives_check = self.game.in_check();
            let late = LateMove {
                base: self.reductions.base(view.tactical, window.depth, progress.number) - deep_entry,
                pv: PV,
                was_pv: self.stack.at(ply).was_pv,
                cut_node: window.cut_node,
                improving: window.improving,
                gives_check,
                refutation: refutations.contains(&mv),
                table_move_tactical: table_move_tactical && !view.tactical,
                many_cutoffs: self.stack.at(ply + 1).cutoffs > 2,
                tactical: view.tactical,
                history,
            };
            let doubles = self.stack.at(ply).double_extensions + i32::from(extension >= 2);
            self.stack.at_mut(ply + 1).double_extensions = doubles;
            let child = Child {
                late,
                new_depth: window.depth - 1 + extension,
                number: progress.number,
                best: progress.best,
            };
            let score = self.search_child::<PV>(shared, &window, child, &view);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if ply == 0 {
                self.record_root_move(mv, score, &window, progress.number, self.nodes - nodes_before);
            }
            if score > progress.best {
                progress.best = score;
                if score > window.alpha {
                    progress.best_move = mv;
                    if PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        self.stack.at_mut(ply).cutoffs += 1;
                        self.learn_from_cutoff(&window, &progress.tried, Tried { mv, view });
                        break;
                    }
                    window.alpha = score;
                    // The others have to beat a good move now: less depth will show whether they can.
                    if (3..=params::raised_depth()).contains(&window.depth)
                        && !score.is_proven()
                        && !self.game.has_chance()
                    {
                        window.depth -= params::raised_less();
                    }
                }
            }
            progress.tried.push(Tried { mv, view });
        }

        self.conclude::<PV>(shared, &window, progress, original_alpha)
    }

    /// What the moves together say about the node: its value, for the parent, the table and the memories.
    fn conclude<const PV: bool>(
        &mut self,
        shared: &Shared,
        window: &Window,
        mut progress: Progress,
        original_alpha: Score,
    ) -> Score {
        let Window { alpha, beta, depth, ply, .. } = *window;
        let Frame { excluded, raw_eval: eval, .. } = *self.stack.at(ply);
        if progress.number == 0 {
            return if excluded.is_some() { alpha } else { self.game.no_moves_score(ply) };
        }
        if progress.best_move.is_some()
            && progress.best >= beta
            && !progress.best.is_proven()
            && !beta.is_proven()
        {
            // A cutoff says how good the move is only as far as it was searched.
            let best = progress.best.value() * depth + beta.value();
            progress.best = Score::new(best / (depth + 1));
        }
        if excluded.is_some() {
            return progress.best;
        }
        if progress.best_move.is_none() {
            self.learn_from_fail_low(window);
        }
        if ply > 0 || self.pv_index == 0 && !self.restricted_root {
            let bound = bound_of::<PV>(progress.best, original_alpha, beta);
            let (mv, score, pv) = (progress.best_move, progress.best, self.stack.at(ply).was_pv);
            self.store(shared, ply, Entry { mv, score, eval, depth, bound, pv });
            self.learn_correction(window, &progress, bound);
        }
        progress.best
    }

    /// Searches the move just made: with a null window first unless it is the first of a PV node, reduced if late.
    fn search_child<const PV: bool>(
        &mut self,
        shared: &Shared,
        window: &Window,
        child: Child,
        view: &MoveView,
    ) -> Score {
        let Window { alpha, beta, depth, ply, cut_node, .. } = *window;
        let Child { late, mut new_depth, number, best } = child;
        let mut score = Score::DRAW;
        if self.game.has_chance() {
            if number > 1 || !PV {
                score = self.search_before_chance(shared, window, new_depth, number, view);
            }
        } else if depth >= 2 && number > 1 + usize::from(PV) {
            let reduced = (new_depth - reduction(&late)).clamp(1, new_depth.max(1));
            score = -self.search::<false>(shared, -alpha - 1, -alpha, reduced, ply + 1, true);
            if score > alpha && reduced < new_depth && !self.stopped {
                // How clearly it failed high decides how deep it is looked at again.
                new_depth += i32::from(score > best + params::deeper_margin() + 2 * new_depth);
                new_depth -= i32::from(score < best + new_depth);
                if reduced < new_depth {
                    score = -self.search::<false>(shared, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
                }
                if !view.tactical {
                    let bonus = super::history::bonus(new_depth);
                    let before = self.stack.at(ply).setting.before;
                    self.history.push_continuations(
                        view,
                        &before,
                        if score > alpha { bonus } else { -bonus },
                    );
                }
            }
        } else if !PV || number > 1 {
            score = -self.search::<false>(shared, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
        }
        if PV && !self.stopped && (number == 1 || score > alpha) {
            score = -self.search::<true>(shared, -beta, -alpha, new_depth, ply + 1, false);
        }
        score
    }

    /// Whether the move just made, after which chance strikes, is better than alpha. There is less to go by than in
    /// other games, so only late quiet moves are reduced, and by a single ply.
    fn search_before_chance(
        &mut self,
        shared: &Shared,
        window: &Window,
        new_depth: i32,
        number: usize,
        view: &MoveView,
    ) -> Score {
        let Window { alpha, ply, cut_node, .. } = *window;
        let is_late = !view.tactical && number as i32 > params::chance_lmr_moves();
        if is_late && new_depth > 0 && self.game.chance_is_predictable() {
            let score = -self.search::<false>(shared, -alpha - 1, -alpha, new_depth - 1, ply + 1, true);
            if score <= alpha || self.stopped {
                return score;
            }
        }
        -self.search::<false>(shared, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node)
    }

    /// Whether a move is pruned before it is made.
    fn skip_move(
        &self,
        window: &Window,
        mv: Move,
        view: &MoveView,
        history: i32,
        number: usize,
        picker: &mut Picker,
    ) -> bool {
        let mut reduction = self.reductions.base(view.tactical, window.depth, number);
        if !view.tactical {
            reduction += params::prune_not_improving() * i32::from(!window.improving);
            reduction -= history * params::prune_history() / HISTORY_LIMIT;
        }
        let reduced = window.depth - reduction / 1024;
        let facts = MoveFacts {
            depth: window.depth,
            reduced_depth: reduced,
            number,
            alpha: window.alpha,
            static_eval: self.stack.at(window.ply).static_eval,
            improving: window.improving,
            history,
        };
        if !view.tactical && !picker.skips_quiets() && !window.in_check {
            let late = prune::is_late(&facts);
            if late && !window.pv {
                picker.skip_quiets();
            }
            // Checks are worth a look: what they lead to no evaluation can tell.
            let hopeless = late && window.pv || prune::is_futile(&facts);
            if prune::has_bad_history(&facts) || hopeless && !self.game.gives_check(mv) {
                return true;
            }
        }
        window.depth <= params::see_prune_depth()
            && !self.game.see_at_least(mv, prune::exchange_margin(&facts, view.tactical))
    }

    /// The next move to search. At the root the last iteration has put them in order; those of better lines are left
    /// out there.
    fn next_move(&self, picker: &mut Picker, ply: usize, searched: usize) -> Option<Move> {
        if ply == 0 {
            // What endgame tables rank lower is no rival.
            let rank = self.root_moves.get(self.pv_index).map(|root| root.rank);
            let next = self.root_moves.get(self.pv_index + searched);
            return next.filter(|root| Some(root.rank) == rank).map(|root| root.mv);
        }
        picker.next(&self.game, &self.history)
    }

    /// Keeps what a root move brought. Only the first move and improvements have a value; the others are just
    /// "not better".
    fn record_root_move(&mut self, mv: Move, score: Score, window: &Window, number: usize, nodes: u64) {
        let line = self.pv.line(1);
        let selective_depth = self.selective_depth;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if number > 1 && score <= window.alpha {
            root.score = -Score::INFINITE;
            return;
        }
        *root = RootMove {
            score,
            bound: if score >= window.beta {
                Bound::Lower
            } else if score <= window.alpha {
                Bound::Upper
            } else {
                Bound::Exact
            },
            selective_depth,
            pv: std::mem::take(&mut root.pv),
            ..*root
        };
        root.pv.clear();
        root.pv.push(mv);
        root.pv.extend_from_slice(line);
    }
}
