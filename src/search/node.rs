//! One node of the main search: principal variation search with everything that decides how deep to look.

use super::deepen::TALKATIVE_AFTER;
use super::extend::Singular;
use super::history::{Setting, Tried, TriedMoves};
use super::picker::Picker;
use super::prune::{self, MoveFacts, NodeView};
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

        self.enter_frame::<PV>(&probe, excluded, ply);
        let eval = self.judge(in_check, excluded, &probe, ply);
        let improving = !in_check && self.stack.improving(ply);
        if !in_check && excluded.is_none() {
            depth += self.second_thought(depth, ply);
        }
        if !PV && !in_check && excluded.is_none() {
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
        let window = Window { alpha, beta, depth, ply, cut_node, improving, in_check, pv: PV };
        self.search_moves::<PV>(shared, window, &probe, excluded)
    }

    /// Gets the stack ready for a node.
    fn enter_frame<const PV: bool>(&mut self, probe: &Probe, excluded: Move, ply: usize) {
        self.stack.at_mut(ply + 1).killers = [Move::NONE; 2];
        self.stack.at_mut(ply + 2).cutoffs = 0;
        if excluded.is_none() {
            let setting = Setting::new(&self.game, self.stack.continuations(ply));
            let frame = self.stack.at_mut(ply);
            frame.was_pv = PV || probe.entry.pv;
            frame.setting = setting;
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

    /// The evaluation itself tells whether the quiet move that led here was good: did it change for the better?
    fn reward_by_evaluation(&mut self, ply: usize) {
        let (before, now) = (self.stack.back(ply, 1), self.stack.at(ply).static_eval);
        if let Some(view) = before.view.filter(|view| !view.tactical)
            && before.static_eval != Score::NONE
        {
            let change = -(before.static_eval.value() + now.value());
            let limit = params::eval_history_limit();
            let bonus = (params::eval_history_factor() * change).clamp(-limit, limit);
            self.history.push_butterfly(!self.game.side_to_move(), &view, bonus);
        }
    }

    /// The move that led here was reduced on a guess. If the evaluation does not bear the guess out the node gets a
    /// ply more, if it does so more than enough a ply less.
    fn second_thought(&self, depth: i32, ply: usize) -> i32 {
        let before = self.stack.back(ply, 1);
        let (reduction, now) = (before.reduction, self.stack.at(ply).static_eval);
        if reduction >= 3 && !self.stack.opponent_worsening(ply) {
            return 1;
        }
        let sure = before.static_eval != Score::NONE
            && now.value() + before.static_eval.value() > params::second_thought_margin();
        -i32::from(reduction >= 1 && depth >= 2 && sure)
    }

    /// A table cutoff teaches too: its quiet move was good (or not) once more.
    fn reward_table_move(&mut self, probe: &Probe, depth: i32, ply: usize, fails_high: bool) {
        let mv = probe.entry.mv;
        if mv.is_some() && fails_high && !self.game.is_tactical(mv) {
            let setting = Setting::new(&self.game, self.stack.continuations(ply));
            self.history.push_quiet(&setting, &self.game.view(mv), super::history::bonus(depth));
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
        let setting = self.stack.at(ply).setting;
        let killers = self.stack.at(ply).killers;
        let refutations = [killers[0], killers[1], self.history.counter(setting.before[0])];
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
            if ply == 0 && self.id == 0 && self.deadline.elapsed() > TALKATIVE_AFTER {
                self.reporter.current_move(self.root_depth, mv, progress.number + self.pv_index);
            }
            let view = self.game.view(mv);
            let history =
                if view.tactical { self.history.capture(&view) } else { self.history.quiet(&setting, &view) };
            if ply > 0
                && can_prune
                && !progress.best.is_proven_loss()
                && progress.best != -Score::INFINITE
                && self.skip_move(&window, mv, &view, history, progress.number, &mut picker)
            {
                continue;
            }
            let mut extension = 0;
            if self.is_singular_candidate(probe, mv, depth, ply) {
                match self.singular::<PV>(shared, probe, &window) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return score,
                }
            }
            if self.stopped {
                return Score::DRAW;
            }
            let nodes_before = self.nodes;
            self.make(shared, mv, &view, ply);
            let gives_check = self.game.in_check();
            let late = LateMove {
                base: self.reductions.base(view.tactical, depth, progress.number),
                pv: PV,
                was_pv: self.stack.at(ply).was_pv,
                cut_node: window.cut_node,
                improving: window.improving,
                gives_check,
                refutation: refutations.contains(&mv),
                table_move_tactical: table_move_tactical && !view.tactical,
                many_cutoffs: self.stack.at(ply + 1).cutoffs > 2,
                history,
            };
            let doubles = self.stack.at(ply).double_extensions + i32::from(extension >= 2);
            self.stack.at_mut(ply + 1).double_extensions = doubles;
            let child = Child {
                late,
                new_depth: depth - 1 + extension,
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
                }
            }
            progress.tried.push(Tried { mv, view });
        }

        if progress.number == 0 {
            return if excluded.is_some() { window.alpha } else { self.game.no_moves_score(ply) };
        }
        if progress.best_move.is_none() {
            if excluded.is_none() {
                self.learn_from_fail_low(&window);
            }
        } else if progress.best >= beta && !progress.best.is_proven() && !beta.is_proven() {
            // A cutoff says how good the move is only as far as it was searched.
            let best = progress.best.value() * depth + beta.value();
            progress.best = Score::new(best / (depth + 1));
        }
        if excluded.is_none() && (ply > 0 || self.pv_index == 0 && !self.restricted_root) {
            let bound = bound_of::<PV>(progress.best, original_alpha, beta);
            let Frame { raw_eval: eval, was_pv: pv, .. } = *self.stack.at(ply);
            self.store(
                shared,
                ply,
                Entry { mv: progress.best_move, score: progress.best, eval, depth, bound, pv },
            );
            self.learn_correction(&window, &progress, bound);
        }
        progress.best
    }

    /// Compares the value found with the evaluation, where the bound tells that the evaluation was wrong. A capture
    /// changes what is evaluated and says nothing about it.
    fn learn_correction(&mut self, window: &Window, progress: &Progress, bound: Bound) {
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

    /// No move was good enough: the opponent's quiet move that led here was.
    fn learn_from_fail_low(&mut self, window: &Window) {
        let ply = window.ply;
        if ply == 0 {
            return;
        }
        if window.depth > 3 && self.stack.back(ply, 1).was_pv {
            self.stack.at_mut(ply).was_pv = true;
        }
        if let Some(view) = self.stack.back(ply, 1).view.filter(|view| !view.tactical) {
            let setting = self.stack.back(ply, 1).setting;
            let bonus = super::history::bonus(window.depth) * params::fail_low_bonus() / 16;
            self.history.push_quiet(&setting, &view, bonus);
        }
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
        if depth >= 2 && number > 1 + usize::from(PV) {
            let reduced = (new_depth - reduction(&late)).clamp(1, new_depth.max(1));
            self.stack.at_mut(ply).reduction = new_depth - reduced;
            score = -self.search::<false>(shared, -alpha - 1, -alpha, reduced, ply + 1, true);
            self.stack.at_mut(ply).reduction = 0;
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

    /// A move caused a cutoff: remember it.
    fn learn_from_cutoff(&mut self, window: &Window, tried: &TriedMoves, best: Tried) {
        if !best.view.tactical {
            self.stack.add_killer(window.ply, best.mv);
        }
        let setting = self.stack.at(window.ply).setting;
        self.history.reward(&setting, &best, tried, window.depth);
    }

    /// The next move to search. At the root the last iteration has put them in order; those of better lines are left
    /// out there.
    fn next_move(&self, picker: &mut Picker, ply: usize, searched: usize) -> Option<Move> {
        if ply == 0 {
            return self.root_moves.get(self.pv_index + searched).map(|root| root.mv);
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
