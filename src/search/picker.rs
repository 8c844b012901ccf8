//! Moves one at a time, most promising first, generated only when they are needed.
//!
//! The order: the table's move, captures that do not lose material, killers and the counter move, other quiet
//! moves by history, captures that lose material. A cutoff early in this list spares the rest of the work.

use arrayvec::ArrayVec;

use super::history::{History, Setting};
use crate::base::moves::MAX_MOVES;
use crate::base::{Move, MoveList};
use crate::game::{Game, Stage};

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    TableMove,
    GenerateTactical,
    GoodTactical,
    Refutations,
    GenerateQuiet,
    Quiet,
    BadTactical,
    Done,
}

/// Hands out the moves of one node.
pub struct Picker {
    step: Step,
    table_move: Move,
    /// Killers and counter move.
    refutations: [Move; 3],
    next_refutation: usize,
    setting: Setting,
    moves: ArrayVec<Scored, MAX_MOVES>,
    current: usize,
    /// Losing captures are collected at the front of the list.
    bad_end: usize,
    /// Captures must win at least this to count as good; quiescence takes no others.
    threshold: i32,
    tactical_only: bool,
    skip_quiets: bool,
}

impl Picker {
    /// All moves of a node of the main search. `table_move` must be legal or none.
    pub fn new(table_move: Move, refutations: [Move; 3], setting: Setting) -> Picker {
        Picker {
            step: Step::TableMove,
            table_move,
            refutations,
            next_refutation: 0,
            setting,
            moves: ArrayVec::new(),
            current: 0,
            bad_end: 0,
            threshold: 0,
            tactical_only: false,
            skip_quiets: false,
        }
    }

    /// Only captures and promotions whose exchange wins at least `threshold`.
    pub fn tactical<G: Game>(table_move: Move, threshold: i32) -> Picker {
        Picker {
            threshold,
            tactical_only: true,
            ..Picker::new(table_move, [Move::NONE; 3], Setting::nothing::<G>())
        }
    }

    /// No more quiet moves are wanted.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether quiet moves are no longer handed out.
    pub fn skips_quiets(&self) -> bool {
        self.skip_quiets
    }

    /// The next move, or none when all have been handed out.
    pub fn next<G: Game>(&mut self, game: &G, history: &History) -> Option<Move> {
        loop {
            match self.step {
                Step::TableMove => {
                    self.step = Step::GenerateTactical;
                    if self.table_move.is_some() {
                        return Some(self.table_move);
                    }
                }
                Step::GenerateTactical => {
                    self.generate_tactical(game, history);
                    self.step = Step::GoodTactical;
                }
                Step::GoodTactical => match self.next_good_tactical(game) {
                    Some(mv) => return Some(mv),
                    None if self.tactical_only => self.step = Step::Done,
                    None => self.step = Step::Refutations,
                },
                Step::Refutations => match self.next_refutation(game) {
                    Some(mv) => return Some(mv),
                    None => self.step = Step::GenerateQuiet,
                },
                Step::GenerateQuiet => {
                    self.moves.truncate(self.bad_end);
                    self.current = self.bad_end;
                    if !self.skip_quiets {
                        self.generate_quiet(game, history);
                    }
                    self.step = Step::Quiet;
                }
                Step::Quiet => {
                    if !self.skip_quiets
                        && let Some(best) = self.take_best()
                    {
                        return Some(best.mv);
                    }
                    self.current = 0;
                    self.step = Step::BadTactical;
                }
                Step::BadTactical => {
                    if self.current < self.bad_end {
                        self.current += 1;
                        return Some(self.moves[self.current - 1].mv);
                    }
                    self.step = Step::Done;
                }
                Step::Done => return None,
            }
        }
    }

    /// Swaps the best remaining move to the front and takes it.
    #[inline]
    fn take_best(&mut self) -> Option<Scored> {
        let rest = &mut self.moves[self.current..];
        let (mut best, mut best_score) = (0, rest.first()?.score);
        for (index, scored) in rest.iter().enumerate().skip(1) {
            // Without a branch: which move is best cannot be guessed.
            let better = scored.score > best_score;
            best = std::hint::select_unpredictable(better, index, best);
            best_score = std::hint::select_unpredictable(better, scored.score, best_score);
        }
        rest.swap(0, best);
        self.current += 1;
        Some(rest[0])
    }

    fn generate_tactical<G: Game>(&mut self, game: &G, history: &History) {
        let mut list = MoveList::new();
        game.generate(Stage::Tactical, &mut list);
        for &mv in list.iter().filter(|&&mv| mv != self.table_move) {
            let view = game.view(mv);
            // The victim's value decides, experience refines.
            self.moves.push(Scored { mv, score: i32::from(view.gain) * 16 + history.capture(&view) });
        }
    }

    fn next_good_tactical<G: Game>(&mut self, game: &G) -> Option<Move> {
        while let Some(best) = self.take_best() {
            if game.see_at_least(best.mv, self.threshold) {
                return Some(best.mv);
            }
            self.moves[self.bad_end] = best;
            self.bad_end += 1;
        }
        None
    }

    fn next_refutation<G: Game>(&mut self, game: &G) -> Option<Move> {
        while self.next_refutation < self.refutations.len() && !self.skip_quiets {
            let index = self.next_refutation;
            let mv = self.refutations[index];
            self.next_refutation += 1;
            let repeated = mv == self.table_move || self.refutations[..index].contains(&mv);
            if mv.is_some() && !repeated && game.is_legal(mv) && !game.is_tactical(mv) {
                return Some(mv);
            }
        }
        None
    }

    fn generate_quiet<G: Game>(&mut self, game: &G, history: &History) {
        let judge = history.quiet_judge::<G>(&self.setting);
        let mut list = MoveList::new();
        game.generate(Stage::Quiet, &mut list);
        for &mv in &list {
            if mv != self.table_move && !self.refutations.contains(&mv) {
                self.moves.push(Scored { mv, score: judge.value(&game.view(mv)) });
            }
        }
    }
}
