//! How the evaluation can be watched while it works.
//!
//! Every term passes through a [`Trace`]. In play it is [`NoTrace`], which the compiler removes; [`Recorder`] keeps
//! what each term gave each side, for the `eval` table, and how often each number was counted, for tests and for the
//! tuner. All of them run the very same code.

use super::numbers::Group;
use super::pair::Pair;
use super::weights::{DANGER, Danger, INITIATIVE, Initiative, W, Weights};
use crate::base::Color;

/// The lines of the `eval` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Term {
    Material,
    Squares,
    Pawns,
    Passed,
    Knights,
    Bishops,
    Rooks,
    Queens,
    Mobility,
    Shelter,
    KingAttack,
    Threats,
    Space,
    Mating,
    Initiative,
}

impl Term {
    /// How many terms there are.
    pub const COUNT: usize = Term::ALL.len();

    /// All terms in the order of the table.
    pub const ALL: [Term; 15] = [
        Term::Material,
        Term::Squares,
        Term::Pawns,
        Term::Passed,
        Term::Knights,
        Term::Bishops,
        Term::Rooks,
        Term::Queens,
        Term::Mobility,
        Term::Shelter,
        Term::KingAttack,
        Term::Threats,
        Term::Space,
        Term::Mating,
        Term::Initiative,
    ];

    /// The name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "Material",
            Term::Squares => "Piece squares",
            Term::Pawns => "Pawn structure",
            Term::Passed => "Passed pawns",
            Term::Knights => "Knights",
            Term::Bishops => "Bishops",
            Term::Rooks => "Rooks",
            Term::Queens => "Queens",
            Term::Mobility => "Mobility",
            Term::Shelter => "King shelter",
            Term::KingAttack => "King danger",
            Term::Threats => "Threats",
            Term::Space => "Space",
            Term::Mating => "Mating drive",
            Term::Initiative => "Initiative",
        }
    }
}

/// Listens to the evaluation.
pub trait Trace {
    /// `weight` counts `times` times for `color`.
    fn count(&mut self, color: Color, weight: &'static Pair, times: i32);

    /// A term is worth `value` more for `color`.
    fn value(&mut self, term: Term, color: Color, value: Pair);

    /// A number of [`DANGER`] counts `times` times for the danger of this color's king.
    fn count_danger(&mut self, king: Color, number: &'static i32, times: i32);

    /// What has counted for the danger of this color's king so far counts `times` times.
    fn repeat_danger(&mut self, king: Color, times: i32);

    /// A number of [`INITIATIVE`] counts `times` times.
    fn count_initiative(&mut self, number: &'static i32, times: i32);

    /// How much of the endgame half would count if White, or if Black, were the better side.
    fn scales(&mut self, scales: impl FnOnce() -> [i32; 2]);

    /// Reports `times` times `weight` and returns the product.
    #[inline(always)]
    fn tally(&mut self, term: Term, color: Color, weight: &'static Pair, times: i32) -> Pair {
        let value = *weight * times;
        self.count(color, weight, times);
        self.value(term, color, value);
        value
    }

    /// The same for a weight in 64ths of a centipawn.
    #[inline(always)]
    fn tally_64ths(&mut self, term: Term, color: Color, weight: &'static Pair, times: i32) -> Pair {
        let value = Pair::new(weight.middlegame() * times / 64, weight.endgame() * times / 64);
        self.count(color, weight, times);
        self.value(term, color, value);
        value
    }

    /// The same for king danger.
    #[inline(always)]
    fn tally_danger(&mut self, king: Color, number: &'static i32, times: i32) -> i32 {
        self.count_danger(king, number, times);
        *number * times
    }

    /// The same for the initiative.
    #[inline(always)]
    fn tally_initiative(&mut self, number: &'static i32, times: i32) -> i32 {
        self.count_initiative(number, times);
        *number * times
    }
}

/// Nobody listens.
pub struct NoTrace;

impl Trace for NoTrace {
    #[inline(always)]
    fn count(&mut self, _: Color, _: &'static Pair, _: i32) {}

    #[inline(always)]
    fn value(&mut self, _: Term, _: Color, _: Pair) {}

    #[inline(always)]
    fn count_danger(&mut self, _: Color, _: &'static i32, _: i32) {}

    #[inline(always)]
    fn repeat_danger(&mut self, _: Color, _: i32) {}

    #[inline(always)]
    fn count_initiative(&mut self, _: &'static i32, _: i32) {}

    #[inline(always)]
    fn scales(&mut self, _: impl FnOnce() -> [i32; 2]) {}
}

/// Remembers everything about one evaluation.
pub struct Recorder {
    terms: [[Pair; 2]; Term::COUNT],
    counts: [[i32; 2]; Weights::COUNT],
    danger: [[i32; Danger::COUNT]; 2],
    initiative: [i32; Initiative::COUNT],
    scales: [i32; 2],
}

impl Recorder {
    /// Nothing heard yet.
    pub fn new() -> Recorder {
        Recorder {
            terms: [[Pair::ZERO; 2]; Term::COUNT],
            counts: [[0; 2]; Weights::COUNT],
            danger: [[0; Danger::COUNT]; 2],
            initiative: [0; Initiative::COUNT],
            scales: [0; 2],
        }
    }

    /// What a term gave a side.
    pub fn term(&self, term: Term, color: Color) -> Pair {
        self.terms[term as usize][color.index()]
    }

    /// How often each weight counted for White and for Black, in the order of the weights.
    pub fn counts(&self) -> &[[i32; 2]] {
        &self.counts
    }

    /// How often one weight counted for White and for Black.
    pub fn times(&self, weight: &'static Pair) -> [i32; 2] {
        self.counts[W.index_of(weight)]
    }

    /// How often each number counted for the danger of this color's king, in the order of the group.
    pub fn danger(&self, king: Color) -> &[i32; Danger::COUNT] {
        &self.danger[king.index()]
    }

    /// How often each number counted for the initiative, in the order of the group.
    pub fn initiative(&self) -> &[i32; Initiative::COUNT] {
        &self.initiative
    }

    /// How much of the endgame half counts, in 64ths, if the better side is this color.
    pub fn scale(&self, better: Color) -> i32 {
        self.scales[better.index()]
    }
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder::new()
    }
}

impl Trace for Recorder {
    fn count(&mut self, color: Color, weight: &'static Pair, times: i32) {
        self.counts[W.index_of(weight)][color.index()] += times;
    }

    fn value(&mut self, term: Term, color: Color, value: Pair) {
        self.terms[term as usize][color.index()] += value;
    }

    fn count_danger(&mut self, king: Color, number: &'static i32, times: i32) {
        self.danger[king.index()][DANGER.index_of(number)] += times;
    }

    fn repeat_danger(&mut self, king: Color, times: i32) {
        self.danger[king.index()].iter_mut().for_each(|count| *count *= times);
    }

    fn count_initiative(&mut self, number: &'static i32, times: i32) {
        self.initiative[INITIATIVE.index_of(number)] += times;
    }

    fn scales(&mut self, scales: impl FnOnce() -> [i32; 2]) {
        self.scales = scales();
    }
}
