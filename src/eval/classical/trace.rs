//! How the evaluation can be watched while it works.
//!
//! Every term passes through a [`Trace`]. In play it is [`NoTrace`], which the compiler removes; [`Recorder`] keeps
//! what each term gave each side, for the `eval` table, and how often each weight was counted, for tests and for a
//! tuner. All of them run the very same code.

use super::pair::Pair;
use super::weights::{WEIGHT_COUNT, index_of};
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
    fn count(&mut self, term: Term, color: Color, weight: &'static Pair, times: i32);

    /// A value that is no multiple of one weight counts for `color`.
    fn value(&mut self, term: Term, color: Color, value: Pair);

    /// Reports `times` times `weight` and returns the product.
    #[inline(always)]
    fn tally(&mut self, term: Term, color: Color, weight: &'static Pair, times: i32) -> Pair {
        self.count(term, color, weight, times);
        *weight * times
    }
}

/// Nobody listens.
pub struct NoTrace;

impl Trace for NoTrace {
    #[inline(always)]
    fn count(&mut self, _: Term, _: Color, _: &'static Pair, _: i32) {}

    #[inline(always)]
    fn value(&mut self, _: Term, _: Color, _: Pair) {}
}

/// Remembers everything about one evaluation.
pub struct Recorder {
    terms: [[Pair; 2]; Term::COUNT],
    counts: Vec<[i32; 2]>,
}

impl Recorder {
    /// Nothing heard yet.
    pub fn new() -> Recorder {
        Recorder { terms: [[Pair::ZERO; 2]; Term::COUNT], counts: vec![[0; 2]; WEIGHT_COUNT] }
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
        self.counts[index_of(weight)]
    }
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder::new()
    }
}

impl Trace for Recorder {
    fn count(&mut self, term: Term, color: Color, weight: &'static Pair, times: i32) {
        self.counts[index_of(weight)][color.index()] += times;
        self.value(term, color, *weight * times);
    }

    fn value(&mut self, term: Term, color: Color, value: Pair) {
        self.terms[term as usize][color.index()] += value;
    }
}
