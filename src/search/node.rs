//! One node of the main search: principal variation search with everything that decides how deep to look.

use super::deepen::TALKATIVE_AFTER;
use super::history::{Tried, TriedMoves};
use super::picker::Picker;
use super::prune::{self, MoveFacts, NodeView};
use super::reduce::{LateMove, reduction};
use super::{Probe, RootMove, Shared, Worker, bound_of, params};
use crate::base::{Move, Score};
use crate::game::{Evaluator, Game, MoveView};
use crate::tt::{Bound, Entry};

/// The window and depth of a node while its moves are searched.
struct Window {
    alpha: Score,
    beta: Score,
    depth: i32,
    ply: usize,
    cut_node: bool,
    improving: bool,
    in_check: bool,
    pv: bool,
}

/// What the moves searched so far have shown.
struct Progress {
    best: Score,
    best_move: Move,
    number: usize,
    tried: TriedMoves,
}

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

        let eval = self.judge(in_check, excluded, &probe, ply);
        let improving = !in_check && self.stack.improving(ply);
        self.stack.at_mut(ply + 1).killers = [Move::NONE; 2];
        if !PV && !in_check && excluded.is_none() {
            let node = NodeView { depth, alpha, beta, ply, eval, improving, cut_node };
            if let Some(score) = self.prune_node(shared, &node) {
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
        let window = Window { alpha, beta, depth, ply, cut_node, improving, in_check, pv: PV };
        self.search_moves::<PV>(shared, window, &probe, excluded)
    }

    /// Sets the static evaluation of the ply and returns the best guess at the value.
    fn judge(&mut self, in_check: bool, excluded: Move, probe: &Probe, ply: usize) -> Score {
        if excluded.is_some() {
            return self.stack.at(ply).static_eval;
        }
        if in_check {
            self.stack.at_mut(ply).static_eval = Score::NONE;
            return Score::NONE;
        }
        let eval = if probe.entry.eval != Score::NONE { probe.entry.eval } else { self.evaluate() };
        self.stack.at_mut(ply).static_eval = eval;
        probe.refine(eval)
    }

    /// A table cutoff teaches too: its quiet move was good (or not) once more.
    fn reward_table_move(&mut self, probe: &Probe, depth: i32, ply: usize, fails_high: bool) {
        let mv = probe.entry.mv;
        if mv.is_some() && fails_high && !self.game.is_tactical(mv) {
            let before = self.stack.continuations(ply);
            let view = self.game.view(mv);
            let side = self.game.side_to_move();
            self.history.push_quiet(side, &view, &before, super::history::bonus(depth));
        }
    }

    /// The move loop.
    fn search_moves<const PV: bool>(
        &mut self,
        shared: &Shared,
        mut window: Window,
        probe: &Probe,
        excluded: Move,
    ) -> Score {
        let Window { beta, depth, ply, .. } = window;
        let original_alpha = window.alpha;
        let before = self.stack.continuations(ply);
        let side = self.game.side_to_move();
        let killers = self.stack.at(ply).killers;
        let refutations = [killers[0], killers[1], self.history.counter(before[0])];
        let table_move_tactical = probe.entry.mv.is_some() && self.game.is_tactical(probe.entry.mv);
        let mut picker = Picker::new(probe.entry.mv, refutations, before);
        // With king and pawns alone single moves decide.
        let can_prune = self.game.has_pieces(side);
        let mut progress = Progress {
            best: -Score::INFINITE,
            best_move: Move::NONE,
            number: 0,
            tried: TriedMoves::default(),
        };

        while let Some(mv) = picker.next(&self.game, &self.history) {
            if mv == excluded || ply == 0 && !self.is_wanted_at_root(mv) {
                continue;
            }
            progress.number += 1;
            if ply == 0 && self.id == 0 && self.deadline.elapsed() > TALKATIVE_AFTER {
                self.reporter.current_move(self.root_depth, mv, progress.number + self.pv_index);
            }
            let view = self.game.view(mv);
            let history = if view.tactical {
                self.history.capture(&view)
            } else {
                self.history.quiet(side, &view, &before)
            };
            if ply > 0
                && can_prune
                && !progress.best.is_proven_loss()
                && progress.best != -Score::INFINITE
                && self.skip_move(&window, mv, &view, history, progress.number, &mut picker)
            {
                continue;
            }
            let extension = if self.is_singular_candidate(probe, mv, depth, ply) {
                self.singular_extension(shared, probe, depth, ply, window.cut_node)
            } else {
                0
            };
            if self.stopped {
                return Score::DRAW;
            }
            let nodes_before = self.nodes;
            self.make(shared, mv, &view, ply);
            let gives_check = self.game.in_check();
            let extension = extension.max(i32::from(gives_check && self.check_deserves_extension(ply)));
            let late = LateMove {
                base: self.reductions.base(view.tactical, depth, progress.number),
                pv: PV,
                cut_node: window.cut_node,
                improving: window.improving,
                gives_check,
                refutation: refutations.contains(&mv),
                table_move_tactical: table_move_tactical && !view.tactical,
                history,
            };
            let score =
                self.search_child::<PV>(shared, &window, &late, depth - 1 + extension, progress.number);
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
                        self.learn_from_cutoff(&window, &progress.tried, Tried { mv, view }, &before);
                        break;
                    }
                    window.alpha = score;
                }
            }
            progress.tried.push(Tried { mv, view });
        }

        if progress.number == 0 {
            return if excluded.is_some() { window.alpha } else { self.game.no_moves_score(ply) };
        }
        if excluded.is_none() && (ply > 0 || self.pv_index == 0 && !self.restricted_root) {
            let bound = bound_of::<PV>(progress.best, original_alpha, beta);
            let eval = self.stack.at(ply).static_eval;
            let entry = Entry { mv: progress.best_move, score: progress.best, eval, depth, bound, pv: PV };
            self.store(shared, ply, entry);
        }
        progress.best
    }

    /// Searches the move just made: with a null window first unless it is the first of a PV node, reduced if late.
    fn search_child<const PV: bool>(
        &mut self,
        shared: &Shared,
        window: &Window,
        late: &LateMove,
        new_depth: i32,
        number: usize,
    ) -> Score {
        let Window { alpha, beta, depth, ply, cut_node, .. } = *window;
        let mut score = Score::DRAW;
        if depth >= 2 && number > 1 + usize::from(PV) {
            let reduced = (new_depth - reduction(late)).clamp(1, new_depth.max(1));
            score = -self.search::<false>(shared, -alpha - 1, -alpha, reduced, ply + 1, true);
            if score > alpha && reduced < new_depth && !self.stopped {
                score = -self.search::<false>(shared, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
            }
        } else if !PV || number > 1 {
            score = -self.search::<false>(shared, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
        }
        if PV && !self.stopped && (number == 1 || score > alpha) {
            score = -self.search::<true>(shared, -beta, -alpha, new_depth, ply + 1, false);
        }
        score
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
        let reduced = window.depth - self.reductions.base(view.tactical, window.depth, number) / 1024;
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

    /// Checks are extended while the line is not already twice as deep as planned.
    fn check_deserves_extension(&self, ply: usize) -> bool {
        ply < 2 * self.root_depth as usize && self.root_depth > 4
    }

    /// A move caused a cutoff: remember it.
    fn learn_from_cutoff(&mut self, window: &Window, tried: &TriedMoves, best: Tried, before: &[usize; 3]) {
        if !best.view.tactical {
            self.stack.add_killer(window.ply, best.mv);
        }
        let side = self.game.side_to_move();
        self.history.reward(side, &best, tried, before, window.depth);
    }

    /// Whether a root move belongs to the line being looked for.
    fn is_wanted_at_root(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv)
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
