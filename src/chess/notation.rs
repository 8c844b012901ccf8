//! Moves as text: UCI coordinates and standard algebraic notation.

use super::{CastlingSide, ChessMove, PieceKind, Position, Square};
use crate::base::error::quote;
use crate::base::san::{self, Castling, Facts, Wanted, Wing};
use crate::base::{Cell, Color, Error, Move};

impl CastlingSide {
    /// Its name in notation.
    pub fn wing(self) -> Wing {
        match self {
            CastlingSide::King => Wing::Short,
            CastlingSide::Queen => Wing::Long,
        }
    }
}

impl Position {
    /// Whether king and rooks castle from where they stand in standard chess.
    fn castles_classically(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            CastlingSide::ALL.into_iter().all(|side| match self.castling.rook(color, side) {
                Some(rook) => {
                    let file = if side == CastlingSide::King { 7 } else { 0 };
                    // The king's way is e1-g1 or e1-c1 exactly when it starts on the e-file.
                    rook.file() == file && self.castling.king_path(color, side).count() == 3
                }
                None => true,
            })
        })
    }

    /// Writes a move as UCI does: `e2e4`, `a7a8q`; castling as `e1g1`, or as king takes rook in Chess960.
    pub fn uci(&self, mv: Move) -> String {
        let mut to = mv.to();
        if mv.is_castling() && !self.chess960 && self.castles_classically() {
            to = mv.castling_side().king_target(self.board.side);
        }
        let promotion = mv.promotion().map(|kind| kind.letter().to_string()).unwrap_or_default();
        format!("{}{to}{promotion}", mv.from())
    }

    /// Reads a UCI move that must be legal. Castling may come in either form where that is not ambiguous.
    pub fn parse_uci(&self, text: &str) -> Result<Move, Error> {
        let malformed = || Error::new(format!("{} is not a move", quote(text)));
        let (Some(from), Some(to)) = (text.get(0..2), text.get(2..4)) else { return Err(malformed()) };
        let (Some(from), Some(to)) = (Square::parse(from), Square::parse(to)) else {
            return Err(malformed());
        };
        let mut rest = text[4..].chars();
        let promotion = match (rest.next(), rest.next()) {
            (None, _) => None,
            (Some(letter), None) => Some(PieceKind::from_letter(letter).ok_or_else(malformed)?),
            _ => return Err(malformed()),
        };
        let moves = self.legal_moves();
        let plain = moves.iter().find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion);
        let castling = || {
            moves.iter().find(|mv| {
                mv.is_castling()
                    && mv.from() == from
                    && promotion.is_none()
                    && mv.castling_side().king_target(self.board.side) == to
            })
        };
        plain.or_else(castling).copied().ok_or_else(|| {
            let needs_piece =
                promotion.is_none() && moves.iter().any(|mv| mv.from() == from && mv.to() == to);
            let why = if needs_piece { "lacks the piece to promote to" } else { "is not legal" };
            Error::new(format!("{text} {why} in {}", self.fen()))
        })
    }

    /// Writes a legal move in standard algebraic notation, with `+` or `#`.
    pub fn san(&self, mv: Move) -> String {
        let all: Vec<Facts> = self.legal_moves().into_iter().map(|mv| self.facts(mv)).collect();
        let mut text = san::write(&self.facts(mv), &all);
        let mut after = self.clone();
        after.make(mv);
        if after.in_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    /// What notation needs to know of a legal move.
    pub fn facts(&self, mv: Move) -> Facts {
        let cell = |square: Square| Cell { file: square.file(), rank: square.rank() };
        let kind = self.board.piece_on(mv.from()).map_or(PieceKind::Pawn, |piece| piece.kind());
        Facts {
            piece: kind.letter().to_ascii_uppercase(),
            from: cell(mv.from()),
            to: cell(mv.to()),
            promotion: mv.promotion().map(|kind| kind.letter().to_ascii_uppercase()),
            captures: mv.is_capture(),
            castling: mv.is_castling().then(|| Castling {
                wing: mv.castling_side().wing(),
                king_target: cell(mv.castling_side().king_target(self.board.side)),
                as_step: false,
            }),
        }
    }

    /// Reads standard algebraic notation as people and programs write it: suffixes are optional, `0-0` is castling,
    /// more disambiguation than needed is fine.
    pub fn parse_san(&self, text: &str) -> Result<Move, Error> {
        let Some(wanted) = Wanted::parse(text, PIECES) else {
            return Err(Error::new(format!("{} is not a move", quote(text))));
        };
        let moves = self.legal_moves();
        let legal: Vec<(Move, Facts)> = moves.into_iter().map(|mv| (mv, self.facts(mv))).collect();
        match wanted.choose(&legal)[..] {
            [mv] => Ok(mv),
            [_, _, ..] => Err(Error::new(format!("{} is ambiguous", quote(text)))),
            [] if matches!(wanted, Wanted::Castling(_)) => {
                Err(Error::new(format!("{} is not possible now", quote(text))))
            }
            [] => Err(Error::new(format!("{} is not legal in {}", quote(text), self.fen()))),
        }
    }
}

/// The letters of the pieces.
pub const PIECES: &str = "PNBRQK";

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn san_and_uci_round_trip_for_every_legal_move() {
        for fen in [
            super::super::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "Q3Q3/8/8/8/Q7/8/7k/K7 w - - 0 1",
        ] {
            let position = position(fen);
            for mv in position.legal_moves() {
                assert_eq!(position.parse_san(&position.san(mv)), Ok(mv), "{}", position.san(mv));
                assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            }
        }
    }

    #[test]
    fn castling_in_both_forms() {
        let mut p = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let castle = p.parse_uci("e1g1").unwrap();
        assert_eq!(p.parse_uci("e1h1"), Ok(castle));
        assert_eq!(p.uci(castle), "e1g1");
        p.set_chess960(true);
        assert_eq!(p.uci(castle), "e1h1");
        assert_eq!(p.parse_san("0-0"), Ok(castle));
        assert_eq!(p.parse_san("Kg1"), Ok(castle));
    }

    #[test]
    fn a_king_step_wins_over_castling_in_chess960() {
        let p = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
        assert!(!p.parse_uci("f1g1").unwrap().is_castling());
        assert!(p.parse_uci("f1h1").unwrap().is_castling());
        assert!(!p.parse_san("Kg1").unwrap().is_castling());
        assert!(p.parse_san("O-O").unwrap().is_castling());
    }

    #[test]
    fn bad_moves_are_named() {
        let p = Position::start();
        for (text, word) in [
            ("e2e5", "not legal"),
            ("xyz", "not a move"),
            ("e2e4e6", "not a move"),
            ("", "not a move"),
            ("é2e4", "not a move"),
        ] {
            assert!(p.parse_uci(text).unwrap_err().to_string().contains(word), "{text}");
        }
        let promotion = position("8/P7/8/8/8/8/k6K/8 w - - 0 1");
        assert!(promotion.parse_uci("a7a8").unwrap_err().to_string().contains("promote"));
        assert!(promotion.parse_uci("a7a8Q").is_ok());
        assert!(p.parse_san("Nd2").is_err());
        assert!(p.parse_san("\u{2658}f3").is_err());
    }

    #[test]
    fn san_tells_rivals_apart() {
        let p = position("Q3Q3/8/8/8/Q7/8/7k/K7 w - - 0 1");
        let sans: Vec<String> = p.legal_moves().iter().map(|&mv| p.san(mv)).collect();
        // The queen in the corner shares a file with one rival and a rank with the other.
        for san in ["Qa8e4", "Qee4", "Q4e4"] {
            assert!(sans.iter().any(|text| text == san), "{san} not in {sans:?}");
        }
        assert!(p.parse_san("Qe4").is_err());
    }
}
