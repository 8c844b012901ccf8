//! Mating pictures: where the mated king may stand, who checks it there, who guards the squares around it and who blocks
//! them, as far as each side's moves suffice to get everyone there.
//!
//! A picture names only who is needed; all others may stand anywhere. Lines are taken as open, which they may turn out not
//! to be: there are more pictures than mates, but no mate without its picture. `paths` searches the ways to them.

use arrayvec::ArrayVec;

use super::distance::{FAR, Goal, Man, PROMOTIONS, moves_to, moves_to_castling};
use crate::base::Color;
use crate::chess::castling::right;
use crate::chess::{Bitboard, CastlingSide, PieceKind, Position, Square, attacks};

/// With more pictures than this around one square only king and checker are asked for: less to remember, more to search.
const MOST_FOR_A_SQUARE: usize = 300_000;

/// The men a picture needs: king, checker, one for each square around the king.
pub type Cast = ArrayVec<(u8, Goal), 10>;

/// The men of a position, each with a number that it keeps wherever it goes; none once it was captured.
#[derive(Clone)]
pub struct Company {
    /// By number.
    pub men: ArrayVec<Option<Man>, 32>,
}

impl Company {
    /// The men of a position. Positions with more than 32 men have no helpmates worth solving.
    pub fn of(position: &Position) -> Company {
        let board = position.board();
        let man = |square: Square| {
            board.piece_on(square).map(|piece| Man { color: piece.color(), kind: piece.kind(), square })
        };
        Company { men: board.occupied().take(32).map(man).collect() }
    }

    /// Moves that a man needs for a goal in this position; a captured one never gets there.
    pub fn moves_to(&self, position: &Position, number: u8, goal: Goal) -> u8 {
        let Some(man) = &self.men[usize::from(number)] else { return FAR };
        let plain = moves_to(man, goal);
        let rights = position.board().castling_rights();
        let castled = CastlingSide::ALL
            .into_iter()
            .filter(|&side| rights & right(man.color, side) != 0)
            .map(|side| moves_to_castling(man, goal, position.castling(), side));
        castled.fold(plain, u8::min)
    }
}

/// Someone who could help, and what it costs.
#[derive(Clone, Copy)]
struct Candidate {
    number: u8,
    goal: Goal,
    cost: u8,
    /// What it attacks (the mating side) or blocks (the other side) of king and surroundings.
    serves: Bitboard,
}

/// All pictures of a position in which `mated` is mated and the sides have so many moves left, White first.
pub fn pictures(position: &Position, company: &Company, mated: Color, moves: [u8; 2]) -> Vec<Cast> {
    let king = (0u8..)
        .zip(&company.men)
        .find(|(_, man)| man.is_some_and(|man| man.color == mated && man.kind == PieceKind::King));
    let Some((king, _)) = king else { return Vec::new() };
    let mut all = Vec::new();
    for square in Square::all() {
        let goal = Goal { kind: PieceKind::King, square: square.raw() };
        let cost = company.moves_to(position, king, goal);
        if cost <= moves[mated.index()] {
            let mut left = moves;
            left[mated.index()] -= cost;
            all.extend(Scene::new(position, company, mated, square, left).casts((king, goal)));
        }
    }
    all
}

/// The surroundings of one square on which the king may be mated.
struct Scene {
    mated: Color,
    king: Square,
    checkers_and_guards: Vec<Candidate>,
    blockers: Vec<Candidate>,
    left: [u8; 2],
}

/// A cast that is being put together.
#[derive(Clone)]
struct Draft {
    cast: Cast,
    used: u32,
    taken: Bitboard,
    /// Squares that need no one any more.
    served: Bitboard,
    left: [u8; 2],
}

impl Draft {
    fn with(&self, candidate: &Candidate, color: Color) -> Option<Draft> {
        let square = Square::new(candidate.goal.square);
        let free = self.used & 1 << candidate.number == 0 && !self.taken.has(square);
        if !free || candidate.cost > self.left[color.index()] {
            return None;
        }
        let mut next = self.clone();
        next.cast.try_push((candidate.number, candidate.goal)).ok()?;
        next.used |= 1 << candidate.number;
        next.taken |= Bitboard::of(square);
        next.served |= candidate.serves;
        next.left[color.index()] -= candidate.cost;
        Some(next)
    }
}

impl Scene {
    fn new(position: &Position, company: &Company, mated: Color, king: Square, left: [u8; 2]) -> Scene {
        let around = attacks::king(king);
        let mut scene = Scene { mated, king, checkers_and_guards: Vec::new(), blockers: Vec::new(), left };
        for (number, man) in (0u8..).zip(&company.men) {
            let Some(man) = man else { continue };
            for kind in kinds(man.kind) {
                for square in Square::all().filter(|&square| square != king) {
                    let goal = Goal { kind, square: square.raw() };
                    let serves = if man.color == mated {
                        if kind == PieceKind::King {
                            continue;
                        }
                        around & Bitboard::of(square)
                    } else {
                        attacked(kind, man.color, square) & (around | Bitboard::of(king))
                    };
                    let cost = if serves.exists() { company.moves_to(position, number, goal) } else { FAR };
                    if cost <= left[man.color.index()] {
                        let candidate = Candidate { number, goal, cost, serves };
                        let list = if man.color == mated {
                            &mut scene.blockers
                        } else {
                            &mut scene.checkers_and_guards
                        };
                        list.push(candidate);
                    }
                }
            }
        }
        scene
    }

    /// Everyone who makes it mate, checker first, then whoever deals with the first open square, and so on.
    fn casts(&self, king: (u8, Goal)) -> Vec<Cast> {
        let draft = Draft {
            cast: [king].into_iter().collect(),
            used: 1 << king.0,
            taken: Bitboard::of(self.king),
            served: Bitboard::EMPTY,
            left: self.left,
        };
        let checks = |candidate: &&Candidate| candidate.serves.has(self.king);
        let checked: Vec<Draft> = self
            .checkers_and_guards
            .iter()
            .filter(checks)
            .filter_map(|checker| draft.with(checker, !self.mated))
            .collect();
        let mut casts = Vec::new();
        for draft in &checked {
            self.complete(draft, &mut casts);
            if casts.len() > MOST_FOR_A_SQUARE {
                return checked.into_iter().map(|draft| draft.cast).collect();
            }
        }
        casts.iter_mut().for_each(|cast| cast.sort_unstable());
        casts.sort_unstable();
        casts.dedup();
        casts
    }

    fn complete(&self, draft: &Draft, casts: &mut Vec<Cast>) {
        let open = attacks::king(self.king) - draft.served;
        if open.is_empty() {
            casts.push(draft.cast.clone());
            return;
        }
        if casts.len() > MOST_FOR_A_SQUARE {
            return;
        }
        let square = open.first();
        let groups = [(&self.checkers_and_guards, !self.mated), (&self.blockers, self.mated)];
        for (candidates, color) in groups {
            for candidate in candidates.iter().filter(|candidate| candidate.serves.has(square)) {
                if let Some(next) = draft.with(candidate, color) {
                    self.complete(&next, casts);
                }
            }
        }
    }
}

/// What a man can be in the end.
fn kinds(kind: PieceKind) -> impl Iterator<Item = PieceKind> {
    let promotions = if kind == PieceKind::Pawn { &PROMOTIONS[..] } else { &[] };
    std::iter::once(kind).chain(promotions.iter().copied())
}

/// What a man attacks if nothing is in its way.
fn attacked(kind: PieceKind, color: Color, square: Square) -> Bitboard {
    match kind {
        PieceKind::Pawn => attacks::pawn(color, square),
        _ => attacks::piece(kind, square, Bitboard::EMPTY),
    }
}
