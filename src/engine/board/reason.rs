//! Why a move is not legal, in words: blocked, pinned, into check, not the way the piece moves.
//!
//! The answer is looked for on [`Men`], a second and slower account of the rules; a test holds that it finds a reason
//! exactly where the board core refuses a move.

use super::men::{Man, Men, Route};
use crate::base::san::Wing;
use crate::base::{Cell, Color};

impl Men {
    /// What is wrong with going from one square to another; nothing if it is legal.
    pub fn fault(&self, from: Cell, to: Cell) -> Option<String> {
        for cell in [from, to] {
            if !self.has(cell) {
                return Some(format!("there is no square {cell} on this board"));
            }
        }
        let Some(man) = self.at(from) else { return Some(format!("there is nothing on {from}")) };
        match man.side {
            None => return Some("the Behemoth belongs to nobody".to_string()),
            Some(side) if side != self.side => {
                return Some(format!(
                    "the {} on {from} is {side}'s, and {} is to move",
                    man.name(),
                    self.side
                ));
            }
            Some(_) => {}
        }
        let castles = |route: &&Route| route.king == from && (to == route.rook || to == route.king_target);
        let castling = self.routes.iter().find(castles).map(|route| self.castling_fault(route));
        if castling == Some(None) {
            return None;
        }
        self.step_fault(&man, from, to).map(|fault| match castling {
            // Where castling is meant, its own reason is the better one.
            Some(Some(better)) if from.file.abs_diff(to.file) > 1 || self.at(to).is_some() => better,
            _ => fault,
        })
    }

    /// What is wrong with castling to a side.
    pub fn castling_fault_of(&self, wing: Wing) -> Option<String> {
        match self.routes.iter().find(|route| route.wing == wing) {
            Some(route) => self.castling_fault(route),
            None => Some("there is no right to castle to that side (any more)".to_string()),
        }
    }

    fn castling_fault(&self, route: &Route) -> Option<String> {
        let way = |a: Cell, b: Cell| {
            let rank = a.rank;
            (a.file.min(b.file)..=a.file.max(b.file)).map(move |file| Cell { file, rank })
        };
        let movers = [route.king, route.rook];
        let crossed = way(route.king, route.king_target).chain(way(route.rook, route.rook_target));
        let in_the_way = |cell: &Cell| !movers.contains(cell) && self.at(*cell).is_some();
        if let Some(cell) = crossed.into_iter().find(in_the_way) {
            return Some(format!("castling is blocked by {}", self.describe(cell)));
        }
        let king = self.at(route.king).filter(|man| man.royal)?;
        let mut without_king = self.clone();
        without_king.put(route.king, None);
        for cell in way(route.king, route.king_target) {
            if let Some(&attacker) = without_king.attackers(cell, !self.side).first() {
                let what = match cell {
                    cell if cell == route.king => "the king is in check from".to_string(),
                    cell if cell == route.king_target => "the king would end in check from".to_string(),
                    cell => format!("the king would cross {cell}, which is attacked by"),
                };
                return Some(format!("{what} {}", self.describe(attacker)));
            }
        }
        let mut after = without_king;
        let rook = after.at(route.rook);
        after.put(route.rook, None);
        after.put(route.king_target, Some(king));
        after.put(route.rook_target, rook);
        let attacker = *after.attackers(route.king_target, !self.side).first()?;
        Some(format!("the king would end in check from {}", self.describe(attacker)))
    }

    /// What is wrong with a move that is not castling.
    fn step_fault(&self, man: &Man, from: Cell, to: Cell) -> Option<String> {
        if from == to {
            return Some(format!("the {} is on {to} already", man.name()));
        }
        match self.at(to) {
            Some(other) if other.side == Some(self.side) => {
                return Some(format!("{to} is taken by your own {}", other.name()));
            }
            Some(other) if other.side.is_none() => {
                return Some("nobody may enter the square of the Behemoth".to_string());
            }
            _ => {}
        }
        let geometry =
            if man.is_pawn() { self.pawn_fault(from, to) } else { self.piece_fault(man, from, to) };
        geometry.or_else(|| self.exposure(man, from, to))
    }

    fn piece_fault(&self, man: &Man, from: Cell, to: Cell) -> Option<String> {
        if !self.aims(from, to) {
            let wide = man.royal && from.rank == to.rank && from.file.abs_diff(to.file) > 1;
            let castling = if wide { ", and there is no right to castle there" } else { "" };
            let name = man.name();
            let article = if name.starts_with('a') { "an" } else { "a" };
            return Some(format!("{article} {name} does not move from {from} to {to}{castling}"));
        }
        let (_, cell) = self.obstacle(from, to)?;
        Some(format!("the way from {from} to {to} is blocked by {}", self.describe(cell)))
    }

    fn pawn_fault(&self, from: Cell, to: Cell) -> Option<String> {
        let ahead: i8 = if self.side.is_white() { 1 } else { -1 };
        let single = from.step(0, ahead);
        let double = single.and_then(|cell| cell.step(0, ahead));
        if self.aims(from, to) {
            if self.at(to).is_none() && self.en_passant != Some(to) {
                return Some(format!("a pawn goes diagonally only to capture, and there is nothing on {to}"));
            }
        } else if single == Some(to) || double == Some(to) {
            for cell in [single, double].into_iter().flatten() {
                if self.at(cell).is_some() {
                    return Some(format!("the pawn on {from} is blocked by {}", self.describe(cell)));
                }
                if cell == to {
                    break;
                }
            }
            if single != Some(to) && self.rank_for(from, self.side) != self.double_step_rank {
                return Some("a pawn goes two squares only from where it started".to_string());
            }
        } else {
            return Some(format!("a pawn does not move from {from} to {to}"));
        }
        let last = self.rank_for(to, self.side) == self.ranks - 1;
        (last && !self.may_promote)
            .then(|| "the pawn cannot promote: nothing that it could become has been captured".to_string())
    }

    /// Whether the move leaves the piece in danger that must not be lost.
    fn exposure(&self, man: &Man, from: Cell, to: Cell) -> Option<String> {
        let enemy = !self.side;
        let before = self.royal(self.side)?;
        let mut after = self.clone();
        after.put(from, None);
        if man.is_pawn() && self.en_passant == Some(to) && self.at(to).is_none() {
            after.put(Cell { file: to.file, rank: from.rank }, None);
        }
        after.put(to, Some(*man));
        let attacker = *after.attackers(after.royal(self.side)?, enemy).first()?;
        let royal = self.at(before).map_or("king", |man| man.name());
        let by = after.describe(attacker);
        if man.royal {
            return Some(format!("the {royal} would be in check from {by}"));
        }
        Some(match self.attackers(before, enemy).first() {
            Some(&checker) => {
                let checker = self.describe(checker);
                format!("the {royal} is in check from {checker}, and this does not end it")
            }
            None => format!("the {} on {from} is pinned: {by} would give check", man.name()),
        })
    }

    /// The man on a square in words: `the black pawn on e5`.
    pub fn describe(&self, cell: Cell) -> String {
        let Some(man) = self.at(cell) else { return format!("nothing on {cell}") };
        let color = match man.side {
            Some(Color::White) => "white ",
            Some(Color::Black) => "black ",
            None => "",
        };
        format!("the {color}{} on {cell}", man.name())
    }
}
