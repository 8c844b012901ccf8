//! The ways to the pictures: every line of legal moves in which each side can still bring its men where a picture wants
//! them, and at whose end it is mate.

use super::pictures::{Cast, Company};
use crate::base::{Color, Move};
use crate::chess::{ChessMove, PieceKind, Position, Square};

/// Searches helpmates.
pub struct Paths<'a> {
    /// None: every line is searched, whatever it leads to.
    pictures: Option<&'a [Cast]>,
    mated: Color,
    /// Stop after so many solutions.
    most: usize,
    /// Positions looked at.
    pub nodes: u64,
    /// What was found.
    pub solutions: Vec<Vec<Move>>,
}

impl<'a> Paths<'a> {
    /// Ways that lead to one of the pictures, or all ways.
    pub fn new(pictures: Option<&'a [Cast]>, mated: Color, most: usize) -> Paths<'a> {
        Paths { pictures, mated, most, nodes: 0, solutions: Vec::new() }
    }

    /// Finds all mates after exactly so many moves of each side, White first.
    pub fn search(&mut self, position: &Position, company: &Company, left: [u8; 2]) {
        let all: Vec<u32> = (0..self.pictures.map_or(0, <[Cast]>::len) as u32).collect();
        self.follow(&mut position.clone(), company, &all, left, &mut Vec::new());
    }

    fn follow(
        &mut self,
        position: &mut Position,
        company: &Company,
        alive: &[u32],
        left: [u8; 2],
        line: &mut Vec<Move>,
    ) {
        let side = position.side_to_move();
        let mut left = left;
        left[side.index()] -= 1;
        let last = left == [0; 2];
        for mv in position.legal_moves() {
            if self.solutions.len() >= self.most {
                return;
            }
            let mut next = company.clone();
            next.play(position, mv);
            self.nodes += 1;
            let captures = mv.is_capture();
            position.make(mv);
            let reachable =
                self.still_reachable(position, &next, alive, left, captures.then_some(!side), side);
            if self.pictures.is_none() || !reachable.is_empty() {
                line.push(mv);
                if !last {
                    self.follow(position, &next, &reachable, left, line);
                } else if position.in_check() && side != self.mated && position.legal_moves().is_empty() {
                    self.solutions.push(line.clone());
                }
                line.pop();
            }
            position.unmake();
        }
    }

    /// The pictures that a side, and the other one if it has lost a man, can still bring about.
    fn still_reachable(
        &self,
        position: &Position,
        company: &Company,
        alive: &[u32],
        left: [u8; 2],
        robbed: Option<Color>,
        side: Color,
    ) -> Vec<u32> {
        let Some(pictures) = self.pictures else { return Vec::new() };
        let is_reachable = |&&number: &&u32| {
            let cast = &pictures[number as usize];
            needed(position, company, cast, side) <= u32::from(left[side.index()])
                && robbed.is_none_or(|color| {
                    needed(position, company, cast, color) <= u32::from(left[color.index()])
                })
        };
        alive.iter().filter(is_reachable).copied().collect()
    }
}

/// Moves that a side needs for its part of a picture.
fn needed(position: &Position, company: &Company, cast: &Cast, side: Color) -> u32 {
    cast.iter()
        .map(|&(number, goal)| match company.men[usize::from(number)] {
            Some(man) if man.color != side => 0,
            _ => u32::from(company.moves_to(position, number, goal)),
        })
        .sum()
}

impl Company {
    /// Follows a legal move of the position, which has not been made yet.
    fn play(&mut self, position: &Position, mv: Move) {
        let side = position.side_to_move();
        if mv.is_castling() {
            let castled = mv.castling_side();
            let (king, rook) = (self.number_on(mv.from()), self.number_on(mv.to()));
            self.place(king, castled.king_target(side), None);
            self.place(rook, castled.rook_target(side), None);
            return;
        }
        let victim = if mv.is_en_passant() { mv.to().forward(!side) } else { mv.to() };
        if let Some(victim) = self.number_on(victim) {
            self.men[victim] = None;
        }
        let mover = self.number_on(mv.from());
        self.place(mover, mv.to(), mv.promotion());
    }

    fn number_on(&self, square: Square) -> Option<usize> {
        self.men.iter().position(|man| man.is_some_and(|man| man.square == square))
    }

    fn place(&mut self, number: Option<usize>, square: Square, promoted: Option<PieceKind>) {
        if let Some(man) = number.and_then(|number| self.men[number].as_mut()) {
            man.square = square;
            man.kind = promoted.unwrap_or(man.kind);
        }
    }
}
