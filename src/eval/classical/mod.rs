//! The classical evaluation: chess knowledge in hand-made terms.
//!
//! Each term has a middlegame and an endgame value between which the phase of the game blends. The value is computed
//! from scratch at every call; only what the pawns decide is remembered. The engine uses it when no network is
//! loaded, the `eval` command prints it term by term, and `lab/tune` reads how often each weight counted.
//!
//! Order matters in one place: [`pieces`] enters who attacks what, and everything after it reads that.
#![forbid(unsafe_code)]

mod context;
mod endgame;
mod king;
mod material;
pub mod numbers;
pub mod pair;
mod passed;
mod pawns;
mod pieces;
mod table;
#[cfg(test)]
mod tests;
mod threats;
pub mod trace;
mod values;
pub mod weights;

use context::{Context, QUEEN_WING};
pub use material::FULL_PHASE;
pub use pair::Pair;
use pawns::{PawnEntry, PawnTable};
pub use table::table;
use trace::{NoTrace, Term, Trace};
use weights::{INITIATIVE, TEMPO};

use crate::base::{Color, Score};
use crate::chess::{Board, PieceKind, Position};
use crate::game::{Changes, Evaluator};

/// The evaluator of one searching thread; all it keeps is the pawn table.
pub struct Classical {
    pawns: PawnTable,
}

impl Classical {
    /// With an empty pawn table.
    pub fn new() -> Classical {
        Classical { pawns: PawnTable::new() }
    }
}

impl Default for Classical {
    fn default() -> Classical {
        Classical::new()
    }
}

impl Evaluator<Position> for Classical {
    const NEEDS_CHANGES: bool = false;

    fn reset(&mut self, _: &Position) {}

    #[inline(always)]
    fn make(&mut self, _: &Changes) {}

    #[inline(always)]
    fn unmake(&mut self) {}

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let board = position.board();
        let verdict = judge(board, self.pawns.probe(board), &mut NoTrace);
        verdict.for_side(board.side_to_move())
    }
}

/// What the evaluation found, from White's point of view.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// Both halves before blending.
    pub score: Pair,
    /// From 0, pawn endgame, to 24, all pieces.
    pub phase: i32,
    /// How much of the endgame half counts, in 64ths.
    pub scale: i32,
}

impl Verdict {
    /// The blended value for White, without tempo.
    #[inline(always)]
    fn blend(self) -> i32 {
        let endgame = self.score.endgame() * self.scale / weights::endgame::NORMAL;
        (self.score.middlegame() * self.phase + endgame * (FULL_PHASE - self.phase)) / FULL_PHASE
    }

    /// The value for the side to move.
    #[inline(always)]
    pub fn for_side(self, side: Color) -> Score {
        let value = self.blend();
        Score::new(if side.is_white() { value } else { -value } + TEMPO).clamp_eval()
    }
}

/// Values a position without any memory, telling `trace` about every term.
pub fn judge_afresh<T: Trace>(board: &Board, trace: &mut T) -> Verdict {
    let pawns = PawnEntry::new(board, trace);
    judge(board, &pawns, trace)
}

/// Adds up all terms.
fn judge<T: Trace>(board: &Board, pawns: &PawnEntry, trace: &mut T) -> Verdict {
    let mut context = Context::new(board, pawns);
    let mut score = pawns.score + pawns.shelter[0] - pawns.shelter[1];
    score += material::material::<T, true>(&context, trace) - material::material::<T, false>(&context, trace);
    score += pieces::pieces::<T, true>(&mut context, trace);
    score -= pieces::pieces::<T, false>(&mut context, trace);
    let context = &context;
    score += king::king::<T, true>(context, trace) - king::king::<T, false>(context, trace);
    score += threats::threats::<T, true>(context, trace) - threats::threats::<T, false>(context, trace);
    score += passed::passed::<T, true>(context, trace) - passed::passed::<T, false>(context, trace);
    let phase = material::phase(board);
    if phase >= FULL_PHASE / 2 {
        score += threats::space::<T, true>(context, trace) - threats::space::<T, false>(context, trace);
    }
    score += initiative(context, score, trace);
    score += mating::<T>(board, trace);
    let strong = Color::from_bool(score.endgame() > 0);
    let scale = |strong: Color| endgame::scale(board, strong, pawns.passed[strong.index()]);
    trace.scales(|| Color::ALL.map(scale));
    Verdict { score, phase, scale: scale(strong) }
}

/// The bonus of a side that only has to mate.
#[inline(always)]
fn mating<T: Trace>(board: &Board, trace: &mut T) -> Pair {
    for strong in Color::ALL {
        if let Some(value) = endgame::mating_drive(board, strong) {
            let value = Pair::new(value, value);
            trace.value(Term::Mating, strong, value);
            return if strong.is_white() { value } else { -value };
        }
    }
    Pair::ZERO
}

/// A correction for positions in which an advantage is hard to use: few pawns, all on one flank, kings that block
/// each other. It takes from the better side, never more than that side has.
#[inline(always)]
fn initiative<T: Trace>(context: &Context, score: Pair, trace: &mut T) -> Pair {
    let board = context.board;
    let (white, black) = (board.king(Color::White), board.king(Color::Black));
    let pawns = board.kind(PieceKind::Pawn);
    let men = pawns | board.kind(PieceKind::King);
    // Kings that have walked past each other or stand on different wings do not hold each other off.
    let outflanking = white.file().abs_diff(black.file()) as i32 + white.rank() as i32 - black.rank() as i32;
    let both_flanks = (pawns & QUEEN_WING).exists() && (pawns - QUEEN_WING).exists();
    let infiltration = white.rank() > 3 || black.rank() < 4;
    let unwinnable = outflanking < 0 && !both_flanks;
    let passed = context.pawns.passed[0] | context.pawns.passed[1];
    let mut tally = |number, times| trace.tally_initiative(number, times);
    let complexity = tally(&INITIATIVE.base, 1)
        + tally(&INITIATIVE.passed, passed.count() as i32)
        + tally(&INITIATIVE.pawn, pawns.count() as i32)
        + tally(&INITIATIVE.outflanking, outflanking)
        + tally(&INITIATIVE.both_flanks, both_flanks as i32)
        + tally(&INITIATIVE.infiltration, infiltration as i32)
        + tally(&INITIATIVE.pawn_endgame, (board.occupied() == men) as i32)
        + tally(&INITIATIVE.almost_unwinnable, unwinnable as i32);
    let relief = tally(&INITIATIVE.middlegame_relief, 1);

    let (middlegame, endgame) = (score.middlegame(), score.endgame());
    let in_middlegame = (complexity + relief).min(0).max(-middlegame.abs());
    let correction =
        Pair::new(middlegame.signum() * in_middlegame, endgame.signum() * complexity.max(-endgame.abs()));
    trace.value(Term::Initiative, Color::White, correction);
    correction
}
