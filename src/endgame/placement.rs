//! The rules of chess on a handful of men, forwards and backwards, as the generator needs them: no clocks, no castling,
//! every move as "this man goes there".
//!
//! The board of `chess` would do as well, but building one costs more than all that is asked of it here.

use super::index::{Layout, Numbered, Squares};
use crate::base::Color;
use crate::chess::{Bitboard, PieceKind, Square, attacks};

/// Men on squares.
#[derive(Clone, Copy)]
pub struct Placement<'a> {
    layout: &'a Layout,
    /// Where each man of the layout stands.
    pub squares: Squares,
    occupied: Bitboard,
    colors: [Bitboard; 2],
}

/// A move, forwards or backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which man of the layout moves.
    pub man: usize,
    /// Where it goes.
    pub to: Square,
    /// Which man it captures.
    pub captured: Option<usize>,
    /// What it turns into.
    pub promotion: Option<PieceKind>,
}

impl Step {
    fn quiet(man: usize, to: Square) -> Step {
        Step { man, to, captured: None, promotion: None }
    }
}

/// The first and the last rank.
const PROMOTION_RANKS: Bitboard = Bitboard(0xFF00_0000_0000_00FF);

impl<'a> Placement<'a> {
    /// Men on squares, each on its own.
    #[inline]
    pub fn new(layout: &'a Layout, squares: Squares) -> Placement<'a> {
        let mut colors = [Bitboard::EMPTY; 2];
        for (man, &square) in layout.men().iter().zip(&squares) {
            colors[man.color.index()] |= Bitboard::of(square);
        }
        Placement { layout, squares, occupied: colors[0] | colors[1], colors }
    }

    /// The number of the placement.
    #[inline]
    pub fn numbered(&self) -> Numbered {
        self.layout.numbered(&self.squares)
    }

    /// The number of the placement after a step.
    #[inline(always)]
    pub fn number_after(&self, here: &Numbered, step: Step) -> usize {
        self.layout.neighbor(here, &self.squares, step.man, step.to)
    }

    /// The men of a side with their places in the layout.
    #[inline(always)]
    fn men_of(&self, color: Color) -> impl Iterator<Item = (usize, PieceKind, Square)> + '_ {
        let mine = self.layout.men().iter().zip(self.squares).enumerate();
        mine.filter(move |(_, (man, _))| man.color == color)
            .map(|(place, (man, square))| (place, man.kind, square))
    }

    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        self.squares[color.index()]
    }

    /// Whether a man of `by`, other than `except`, attacks a square through `occupied`.
    #[inline(always)]
    fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard, except: Option<usize>) -> bool {
        self.men_of(by).any(|(place, kind, from)| {
            Some(place) != except
                && match kind {
                    PieceKind::Pawn => attacks::pawn(by, from).has(square),
                    kind => attacks::piece(kind, from, occupied).has(square),
                }
        })
    }

    /// Whether a side's king is attacked.
    #[inline]
    pub fn in_check(&self, side: Color) -> bool {
        self.is_attacked(self.king(side), !side, self.occupied, None)
    }

    /// Whether it can be `side`'s turn: the opponent, who has just moved, is not in check.
    #[inline]
    pub fn is_legal(&self, side: Color) -> bool {
        !self.in_check(!side)
    }

    /// Whether a side's king is safe after its step.
    #[inline]
    fn is_safe(&self, side: Color, step: Step) -> bool {
        let after = (self.occupied ^ Bitboard::of(self.squares[step.man])) | Bitboard::of(step.to);
        let king = if step.man == side.index() { step.to } else { self.king(side) };
        !self.is_attacked(king, !side, after, step.captured)
    }

    /// The placement after a quiet step.
    #[inline]
    pub fn after(&self, step: Step) -> Placement<'a> {
        let mut next = *self;
        next.squares[step.man] = step.to;
        let moved = Bitboard::of(self.squares[step.man]) | Bitboard::of(step.to);
        next.occupied ^= moved;
        next.colors[self.layout.men()[step.man].color.index()] ^= moved;
        next
    }

    /// Calls `visit` with every legal step that changes no material, until it says false. Captures en passant are
    /// none of these.
    #[inline]
    pub fn each_quiet(&self, side: Color, mut visit: impl FnMut(Step) -> bool) -> bool {
        let free = self.free_men(side);
        for (place, kind, from) in self.men_of(side) {
            let targets = match kind {
                PieceKind::Pawn => self.pushes(side, from) - PROMOTION_RANKS,
                kind => attacks::piece(kind, from, self.occupied) - self.occupied,
            };
            for to in targets {
                let step = Step::quiet(place, to);
                if (free.has(from) || self.is_safe(side, step)) && !visit(step) {
                    return false;
                }
            }
        }
        true
    }

    /// Calls `visit` with every step that changes no material, until it says false, whether it leaves the king attacked
    /// or not; but kings do not touch.
    #[inline]
    pub fn each_quiet_try(&self, side: Color, mut visit: impl FnMut(Step) -> bool) -> bool {
        for (place, kind, from) in self.men_of(side) {
            let targets = match kind {
                PieceKind::Pawn => self.pushes(side, from) - PROMOTION_RANKS,
                PieceKind::King => attacks::king(from) - self.occupied - attacks::king(self.king(!side)),
                kind => attacks::piece(kind, from, self.occupied) - self.occupied,
            };
            for to in targets {
                if !visit(Step::quiet(place, to)) {
                    return false;
                }
            }
        }
        true
    }

    /// The men of a side, not its king, that may go anywhere: the king is not in check, and they stand on no line
    /// between it and an enemy.
    #[inline]
    fn free_men(&self, side: Color) -> Bitboard {
        let king = self.king(side);
        if self.in_check(side) {
            return Bitboard::EMPTY;
        }
        let mut bound = Bitboard::of(king);
        for (_, _, enemy) in self.men_of(!side) {
            bound |= attacks::between(king, enemy);
        }
        self.colors[side.index()] - bound
    }

    /// Where a pawn can step, one or two squares.
    #[inline]
    fn pushes(&self, side: Color, from: Square) -> Bitboard {
        let single = Bitboard::of(from).forward(side) - self.occupied;
        let double = (single & Bitboard::rank_for(2, side)).forward(side) - self.occupied;
        single | double
    }

    /// Calls `visit` with every legal capture and promotion, captures en passant aside.
    #[inline]
    pub fn each_conversion(&self, side: Color, mut visit: impl FnMut(Step)) {
        let enemy = self.colors[(!side).index()];
        for (man, kind, from) in self.men_of(side) {
            let reach = match kind {
                PieceKind::Pawn => {
                    attacks::pawn(side, from) & enemy | self.pushes(side, from) & PROMOTION_RANKS
                }
                kind => attacks::piece(kind, from, self.occupied) & enemy,
            };
            for to in reach {
                let captured = if enemy.has(to) { self.man_on(to) } else { None };
                let step = Step { man, to, captured, promotion: None };
                // A king cannot be captured where positions are legal; ask for the others.
                if captured == Some((!side).index()) || !self.is_safe(side, step) {
                    continue;
                }
                if kind == PieceKind::Pawn && PROMOTION_RANKS.has(to) {
                    for kind in super::ending::PROMOTIONS {
                        visit(Step { promotion: Some(kind), ..step });
                    }
                } else {
                    visit(step);
                }
            }
        }
    }

    fn man_on(&self, square: Square) -> Option<usize> {
        let men = self.layout.men().len();
        self.squares[..men].iter().position(|&other| other == square)
    }

    /// Calls `visit` with every step backwards by which `side`, which has just moved, may have come here without
    /// changing the material: `to` is where the man came from. The placements before may be illegal,
    /// but their kings do not touch.
    #[inline]
    pub fn each_retreat(&self, side: Color, mut visit: impl FnMut(Step)) {
        for (place, kind, now) in self.men_of(side) {
            let origins = match kind {
                PieceKind::Pawn => self.pawn_origins(side, now),
                PieceKind::King => attacks::king(now) - self.occupied - attacks::king(self.king(!side)),
                kind => attacks::piece(kind, now, self.occupied) - self.occupied,
            };
            for from in origins {
                visit(Step::quiet(place, from));
            }
        }
    }

    /// Where a pawn may have come from by a step straight ahead.
    #[inline]
    fn pawn_origins(&self, side: Color, now: Square) -> Bitboard {
        let single = Bitboard::of(now).forward(!side) - self.occupied - PROMOTION_RANKS;
        let double = (single & Bitboard::rank_for(2, side)).forward(!side) - self.occupied;
        single | double
    }

    /// Whether a man's way between two squares is a pawn's double step.
    #[inline(always)]
    pub fn is_double_step(&self, step: Step) -> bool {
        self.layout.men()[step.man].kind == PieceKind::Pawn
            && self.squares[step.man].rank().abs_diff(step.to.rank()) == 2
    }

    /// Calls `visit` with every legal capture en passant by `side` of the pawn `stepped` that has just made a double
    /// step: the capturing man and where it goes.
    pub fn each_en_passant(&self, side: Color, stepped: usize, mut visit: impl FnMut(Step)) {
        let target = self.squares[stepped].forward(side);
        let neighbors = attacks::pawn(!side, target);
        for (man, kind, from) in self.men_of(side) {
            if kind != PieceKind::Pawn || !neighbors.has(from) {
                continue;
            }
            let victim = Bitboard::of(self.squares[stepped]);
            let after = (self.occupied ^ Bitboard::of(from) ^ victim) | Bitboard::of(target);
            if !self.is_attacked(self.king(side), !side, after, Some(stepped)) {
                visit(Step { man, to: target, captured: Some(stepped), promotion: None });
            }
        }
    }

    /// Whether `side` has any legal move, captures en passant aside.
    #[inline]
    pub fn has_move(&self, side: Color) -> bool {
        let mut conversion = false;
        !self.each_quiet(side, |_| false) || {
            self.each_conversion(side, |_| conversion = true);
            conversion
        }
    }
}
