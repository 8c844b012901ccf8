//! Could this placement of pieces be a position of the variant? Asked by whatever reads positions.

use super::castling::right;
use super::{CastlingSide, Kind, Piece, Position, Set, Square, rays};
use crate::base::{Color, Error};

impl Position {
    /// One royal piece each, no pawn where none can be, a Behemoth where there must be one.
    pub(super) fn check_placement(&self) -> Result<(), Error> {
        let (board, rules) = (&self.board, self.rules);
        for color in Color::ALL {
            let fault = |what: String| Err(Error::new(format!("{color} has {what}")));
            let royal = rules.variant.royals[color.index()].unwrap_or(Kind::King);
            match board.pieces(color, royal).count() {
                0 => return fault(format!("no {}, which it must not lose", rules.letter(royal))),
                1 => {}
                several => return fault(format!("{several} times {}, which is royal", rules.letter(royal))),
            }
            let misplaced = |square: Square| {
                rules.rank_for(square, color) < rules.variant.double_step_rank
                    || rules.last_rank[color.index()].has(square)
            };
            if let Some(square) = board.pieces(color, Kind::Pawn).find(|&square| misplaced(square)) {
                return fault(format!("a pawn on {square}, where none can be"));
            }
        }
        let behemoths = (board.wall & rules.board).count();
        if behemoths != u32::from(rules.variant.behemoth) {
            return Err(Error::new(format!("there must be one Behemoth (*), not {behemoths}")));
        }
        Ok(())
    }

    /// No more men than the start position and promotions can give. It also keeps the number of legal moves within
    /// what a list of moves holds.
    pub(super) fn check_material(&self) -> Result<(), Error> {
        for color in Color::ALL {
            let fault = |what: String| Err(Error::new(format!("{color} has {what}")));
            let army = &self.rules.army[color.index()];
            let pawns = self.board.pieces(color, Kind::Pawn).count();
            let all_pawns = u32::from(army[Kind::Pawn.index()]);
            if pawns > all_pawns {
                return fault(format!("{pawns} pawns, more than {all_pawns}"));
            }
            let limited = self.rules.variant.promotion.as_ref().is_none_or(|p| p.captured_only);
            let mut promoted = 0;
            for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::Pawn) {
                let (count, at_start) =
                    (self.board.pieces(color, kind).count(), u32::from(army[kind.index()]));
                if count > at_start && (limited || self.rules.promotes_to & super::spec::bit(kind) == 0) {
                    return fault(format!("{count} times {}, more than {at_start}", self.rules.letter(kind)));
                }
                promoted += count.saturating_sub(at_start);
            }
            if promoted > all_pawns - pawns {
                return fault(format!("{promoted} promoted pieces, but misses {} pawns", all_pawns - pawns));
            }
        }
        Ok(())
    }

    /// Gives a castling right with the rook on `rook`, if king and rook stand where there can be one.
    pub(super) fn grant_castling(
        &mut self,
        color: Color,
        side: CastlingSide,
        king: Square,
        rook: Option<Square>,
    ) -> Result<(), Error> {
        if self.rules.variant.castling.is_none() {
            return Err(Error::new("there is no castling in this variant"));
        }
        if king.rank() != self.rules.back_rank(color) {
            return Err(Error::new("the king is not on its back rank"));
        }
        let Some(rook) = rook else { return Err(Error::new("there is no such rook")) };
        if self.board.rights & right(color, side) != 0 {
            return Err(Error::new("given twice for one side"));
        }
        self.board.rights |= right(color, side);
        self.castling.allow(self.rules, color, side, king, rook);
        Ok(())
    }

    /// A pawn of the side that is not to move may have stepped over `square` just now.
    pub(super) fn check_passed_square(&self, square: Square) -> Result<(), Error> {
        let us = self.board.side;
        if self.rules.rank_for(square, !us) != self.rules.variant.double_step_rank + 1 {
            return Err(Error::new("on the wrong rank"));
        }
        if self.board.piece_on(square.forward(!us.is_white())) != Some(Piece::new(!us, Kind::Pawn)) {
            return Err(Error::new("no pawn has passed it"));
        }
        // The Behemoth may have gone there since; then there is nothing to capture.
        let occupied = if self.rules.variant.behemoth { self.board.men() } else { self.board.occupied() };
        if occupied.has(square) || occupied.has(square.forward(us.is_white())) {
            return Err(Error::new("the pawn's way was not free"));
        }
        Ok(())
    }

    /// The side that is not to move must not be in check, and no move gives check with more than two pieces.
    pub(super) fn check_checks(&self) -> Result<(), Error> {
        let us = self.board.side;
        let Some(royal) = self.board.royal(!us) else { return Ok(()) };
        if self.board.is_attacked(royal, us, self.board.occupied()) {
            return Err(Error::new(format!("{us} is to move and could capture the royal piece")));
        }
        let checkers = self.board.checkers.count();
        if checkers > 2 {
            return Err(Error::new(format!("{checkers} pieces give check at once")));
        }
        Ok(())
    }

    /// A double step over `square` as the last move must explain the check: the pawn gives it, or it came from a
    /// line that the pawn's start closed. Where a pawn stands ready to capture, the FEN is taken at its word.
    pub(super) fn check_double_step(&self, square: Square) -> Result<(), Error> {
        let us = self.board.side;
        let takers = Set::of(square).pawn_attacks(!us.is_white()) & self.board.pieces(us, Kind::Pawn);
        let Some(royal) = self.board.royal(us).filter(|_| takers.is_empty()) else { return Ok(()) };
        let (start, pawn) = (square.forward(us.is_white()), square.forward(!us.is_white()));
        let mut unexplained = self.board.checkers - Set::of(pawn);
        if unexplained.any(|checker| !rays::between(royal, checker).has(start)) {
            let why = format!("the pawn that passed {square} cannot have given this check");
            return Err(Error::new(why));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::variants;
    use super::*;

    #[test]
    fn each_fault_has_its_own_words() {
        for (variant, fen, word) in [
            ("janus", "", "fields"),
            (
                "janus",
                "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP w KQkq - 0 1",
                "8 ranks, this FEN gives 7",
            ),
            ("grand", "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1", "10 ranks"),
            ("janus", "4k5/10/10/10/10/10/10/4K4 w - - 0 1", "rank 1: only 9 squares"),
            ("janus", "4k5/10/10/10/10/10/10/4K6 w - - 0 1", "more than 10 squares"),
            ("janus", "4k5/10/10/10/10/10/9999999999999/4K5 w - - 0 1", "more than 10 squares"),
            ("janus", "4k5/10/10/10/10/10/55/4K5 w - - 0 1", "more than 10 squares"),
            ("janus", "4k5/10/10/10/10/10/0P9/4K5 w - - 0 1", "\"0\" is no number"),
            ("janus", "4k5/010/10/10/10/10/10/4K5 w - - 0 1", "\"010\" is no number"),
            ("janus", "4k5/10/10/10/10/10/A9/4K5 w - - 0 1", "'A' is no piece"),
            ("janus", "4k5/10/10/10/10/10/*9/4K5 w - - 0 1", "'*' is no piece"),
            ("embassy", "4k5/10/10/10/10/10/J9/4K5 w - - 0 1", "'J' is no piece"),
            ("amazon", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'q' is no piece"),
            ("amazon", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
            ("amazon", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no K"),
            ("amazon", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "2 times K"),
            ("amazon", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn on h8"),
            ("grand", "10/4k5/10/10/10/10/10/10/P3K5/10 w - - 0 1", "a pawn on a2"),
            ("maharajah", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no M"),
            ("maharajah", "4k3/8/8/8/8/8/P7/3M4 w - - 0 1", "1 pawns, more than 0"),
            ("maharajah", "4k3/8/8/8/8/8/8/p2M4 w - - 0 1", ""),
            ("maharajah", "4k3/2qq4/8/8/8/8/8/5M2 w - - 0 1", "2 times Q, more than 1"),
            ("maharajah", "4k3/4m3/8/8/8/8/8/5M2 w - - 0 1", "1 times M, more than 0"),
            ("janus", "4k5/10/10/10/10/JJJ7/PPPPPPPPPP/4K5 w - - 0 1", "1 promoted pieces"),
            ("grand", "10/4k5/10/10/10/10/QQ8/10/4K5/10 w - - 0 1", "2 times Q, more than 1"),
            ("grand", "10/4k5/10/10/10/10/10/10/4K5/R9 w Q - 0 1", "no castling"),
            ("janus", "4k5/10/10/10/10/10/10/4K5 w K - 0 1", "no such rook"),
            ("janus", "4k5/10/10/10/10/10/4K5/9R w K - 0 1", "back rank"),
            ("janus", "4k5/10/10/10/10/10/10/4K4R w KJ - 0 1", "twice"),
            ("janus", "4k5/10/10/10/10/10/10/4K4R w X - 0 1", "KQkq"),
            ("maharajah", "4k3/8/8/8/8/8/8/3M4 w K - 0 1", "no king"),
            ("grand", "10/4k5/10/10/10/10/10/10/4K5/10 w - e6 0 1", "wrong rank"),
            ("grand", "10/4k5/10/10/10/10/10/10/4K5/10 w - e7 0 1", "no pawn"),
            ("grand", "10/4k5/10/10/10/10/10/10/4K5/10 w - k7 0 1", "not a square"),
            ("amazon", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "not a square"),
            ("amazon", "4k3/4A3/8/8/8/8/8/4K3 w - - 0 1", "could capture"),
            ("maharajah", "8/8/8/8/8/8/4k3/4M3 w - - 0 1", "could capture"),
            ("amazon", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock"),
            ("behemoth", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "one Behemoth"),
            ("behemoth", "4k3/8/8/8/8/8/3**3/4K3 w - - 0 1", "one Behemoth"),
            ("behemoth", "4k3/8/8/8/8/8/3*4/8 w - - 0 1", "White has no K"),
            ("behemoth", "8/8/8/8/8/8/3*4/3kK3 w - - 0 1", ""),
        ] {
            let rules = variants::find(variant).unwrap();
            match Position::from_fen(rules, fen) {
                Err(error) => {
                    assert!(!word.is_empty() && error.to_string().contains(word), "{variant} {fen}: {error}");
                }
                Ok(_) => assert!(word.is_empty(), "{variant} {fen} was accepted"),
            }
        }
    }
}
