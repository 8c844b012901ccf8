//! Could this placement of pieces be a chess position? Asked by whatever reads positions: FEN and the packed form.

use super::castling::right;
use super::{Bitboard, CastlingSide, Piece, PieceKind, Position, Square, attacks};
use crate::base::{Color, Error};

impl Position {
    /// One king each, no pawn where none can be.
    pub(super) fn check_placement(&self) -> Result<(), Error> {
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
        }
        Ok(())
    }

    /// No more men than the game starts with.
    pub(super) fn check_material(&self) -> Result<(), Error> {
        for color in Color::ALL {
            let fault = |what: String| Err(Error::new(format!("{color} has {what}")));
            let pawns = self.board.pieces(color, PieceKind::Pawn);
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

    /// Gives a castling right with the rook on `rook`, if king and rook stand where there can be one.
    pub(super) fn grant_castling(
        &mut self,
        color: Color,
        side: CastlingSide,
        rook: Option<Square>,
    ) -> Result<(), Error> {
        let king = self.board.king(color);
        if king.rank_for(color) != 0 {
            return Err(Error::new("the king is not on its back rank"));
        }
        let Some(rook) = rook else { return Err(Error::new("there is no such rook")) };
        if self.board.rights & right(color, side) != 0 {
            return Err(Error::new("given twice for one side"));
        }
        self.board.rights |= right(color, side);
        self.castling.allow(color, side, king, rook);
        Ok(())
    }

    /// A pawn of the side that is not to move may have stepped over `square` just now.
    pub(super) fn check_passed_square(&self, square: Square) -> Result<(), Error> {
        let us = self.board.side;
        if square.rank_for(us) != 5 {
            return Err(Error::new("on the wrong rank"));
        }
        if self.board.piece_on(square.forward(!us)) != Some(Piece::new(!us, PieceKind::Pawn)) {
            return Err(Error::new("no pawn has passed it"));
        }
        if self.board.occupied().has(square) || self.board.occupied().has(square.forward(us)) {
            return Err(Error::new("the pawn's way was not free"));
        }
        Ok(())
    }

    /// The side that is not to move must not be in check, and no move gives check with more than two pieces.
    /// Other checks that no move can give are let through: test suites and problems have them.
    pub(super) fn check_checks(&self) -> Result<(), Error> {
        let us = self.board.side;
        if self.board.is_attacked(self.board.king(!us), us, self.board.occupied()) {
            return Err(Error::new(format!("{us} is to move and could capture the king")));
        }
        let checkers = self.board.checkers.count();
        if checkers > 2 {
            return Err(Error::new(format!("{checkers} pieces give check at once")));
        }
        Ok(())
    }

    /// A double step over `square` as the last move must explain the check: the pawn gives it, or it came from a
    /// line that the pawn's start closed. Where a pawn stands ready to capture, the FEN is taken at its word all the
    /// same, since test suites ask about just that capture; an idle square that contradicts the board is refused.
    pub(super) fn check_double_step(&self, square: Square) -> Result<(), Error> {
        let us = self.board.side;
        if (attacks::pawn(!us, square) & self.board.pieces(us, PieceKind::Pawn)).exists() {
            return Ok(());
        }
        let (start, pawn) = (square.forward(us), square.forward(!us));
        let king = self.board.king(us);
        let mut unexplained = self.board.checkers - Bitboard::of(pawn);
        if unexplained.any(|checker| !attacks::between(king, checker).has(start)) {
            let why = format!("the pawn that passed {square} cannot have given this check");
            return Err(Error::new(why));
        }
        Ok(())
    }
}
