//! Could this placement of pieces be a chess position?

use super::{Bitboard, PieceKind, Position, attacks};
use crate::base::{Color, Error};

impl Position {
    /// Counts kings, pawns and pieces.
    pub(super) fn check_pieces(&self) -> Result<(), Error> {
        for color in Color::ALL {
            let fault = |what: String| Err(Error::new(format!("{color} has {what}")));
            match self.board.pieces(color, PieceKind::King).count() {
                0 => return fault("no king".to_string()),
                1 => {}
                kings => return fault(format!("{kings} kings")),
            }
            let pawns = self.board.pieces(color, PieceKind::Pawn);
            if (pawns & (Bitboard::rank(0) | Bitboard::rank(7))).exists() {
                return fault("a pawn on the first or last rank".to_string());
            }
            if pawns.count() > 8 {
                return fault(format!("{} pawns, more than 8", pawns.count()));
            }
            let pieces = self.board.color(color).count();
            if pieces > 16 {
                return fault(format!("{pieces} pieces, more than 16"));
            }
        }
        Ok(())
    }

    /// The side that is not to move must not be in check, and a check must be one that a move can give.
    pub(super) fn check_checks(&self) -> Result<(), Error> {
        let us = self.board.side;
        if self.board.is_attacked(self.board.king(!us), us, self.board.occupied()) {
            return Err(Error::new(format!("{us} is to move and could capture the king")));
        }
        let checkers = self.board.checkers;
        if checkers.count() > 2 {
            return Err(Error::new(format!("{} pieces give check at once", checkers.count())));
        }
        if checkers.count() == 2 && attacks::line(checkers.first(), checkers.last()).has(self.board.king(us))
        {
            return Err(Error::new("two pieces give check on one line"));
        }
        Ok(())
    }
}
