//! Moves as text: UCI coordinates and standard algebraic notation on boards of any size.

use super::castling::Route;
use super::{FairyMove, Kind, Position, Rules, Square};
use crate::base::error::quote;
use crate::base::san::{self, Facts, Wing};
use crate::base::{Cell, Error, Move};

/// A king that walks less than this could be making an ordinary step: castling is then not written as one.
const CASTLING_WALK: u8 = 2;

impl Route {
    /// Whether the king's start and target tell that it castles.
    fn is_no_step(&self) -> bool {
        self.king.file().abs_diff(self.king_target.file()) >= CASTLING_WALK
    }
}

impl Rules {
    /// What notation calls a way of castling.
    pub fn wing(&self, route: &Route) -> Wing {
        let towards_high_files = route.rook.file() > route.king.file();
        if towards_high_files != self.variant.castling_as_step { Wing::Short } else { Wing::Long }
    }
}

impl Position {
    /// Writes a move as UCI does: `e2e4`, `a9a10q`; castling by the king's target or, where the variant says so, as
    /// king takes rook.
    pub fn uci(&self, mv: Move) -> String {
        let mut to = mv.to(self.board.side);
        if let Some(route) = self.route_of(mv)
            && !self.rules.variant.king_takes_rook
            && route.is_no_step()
        {
            to = route.king_target;
        }
        let letter = mv.promotion().map(|kind| self.rules.letter(kind).to_ascii_lowercase());
        format!("{}{to}{}", mv.from(), letter.map_or(String::new(), String::from))
    }

    /// The way a castling move goes.
    fn route_of(&self, mv: Move) -> Option<&Route> {
        mv.is_castling().then(|| self.castling.route_of(self.board.side, mv.to(self.board.side)))?
    }

    /// Reads a UCI move that must be legal. Castling may come in either form where that is not ambiguous.
    pub fn parse_uci(&self, text: &str) -> Result<Move, Error> {
        let malformed = || {
            let zero = text.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1] == b'0');
            let why = if zero { ": no rank begins with 0" } else { "" };
            Error::new(format!("{} is not a move{why}", quote(text)))
        };
        let (from, rest) = Square::split_from(text).ok_or_else(malformed)?;
        let (to, rest) = Square::split_from(rest).ok_or_else(malformed)?;
        let mut letters = rest.chars();
        let promotion = match (letters.next(), letters.next()) {
            (None, _) => None,
            (Some(letter), None) if letter.is_ascii_alphabetic() => {
                let unknown =
                    || format!("{text}: no piece is called {letter} in {}", self.rules.variant.name);
                Some(self.rules.kind(letter).ok_or_else(|| Error::new(unknown()))?)
            }
            _ => return Err(malformed()),
        };
        let side = self.board.side;
        let moves = self.legal_moves();
        let squares = |mv: &&Move| mv.from() == from && mv.to(side) == to;
        let plain = moves.iter().find(|mv| squares(mv) && mv.promotion() == promotion);
        let castling = || {
            moves.iter().find(|mv| {
                let target = self.route_of(**mv).map(|route| route.king_target);
                mv.from() == from && promotion.is_none() && target == Some(to)
            })
        };
        plain.or_else(castling).copied().ok_or_else(|| {
            let needs_piece = promotion.is_none() && moves.iter().any(|mv| squares(&mv));
            let why = if needs_piece { "lacks the piece to promote to" } else { "is not legal" };
            Error::new(format!("{text} {why} in {}", self.fen()))
        })
    }

    /// Writes a legal move in standard algebraic notation, with `+` or `#`. Castling is `O-O` or `O-O-O` or, where the
    /// variant says so, a step of the king to its target.
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
        let kind = self.board.piece_on(mv.from()).map_or(Kind::Pawn, |piece| piece.kind());
        let castling = |route: &Route| san::Castling {
            wing: self.rules.wing(route),
            king_target: cell(route.king_target),
            as_step: self.rules.variant.castling_as_step && route.is_no_step(),
        };
        Facts {
            piece: self.rules.letter(kind),
            from: cell(mv.from()),
            to: cell(mv.to(self.board.side)),
            promotion: mv.promotion().map(|kind| self.rules.letter(kind)),
            captures: self.board.victim(mv).is_some(),
            castling: self.route_of(mv).map(castling),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::variants;
    use super::*;

    fn position(variant: &str, fen: &str) -> Position {
        Position::from_fen(variants::find(variant).unwrap(), fen).unwrap()
    }

    #[test]
    fn castling_is_written_as_the_variant_wants_it() {
        for (variant, fen, texts) in [
            ("janus", "r3k4r/10/10/10/10/10/10/R3K4R w KQkq - 0 1", ["e1i1", "e1b1"]),
            ("embassy", "r3k4r/10/10/10/10/10/10/R3K4R b KQkq - 0 1", ["e8h8", "e8b8"]),
            ("amazon", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["e1g1", "e1c1"]),
            ("maharajah", "r3k2r/8/8/8/8/8/8/6M1 b kq - 0 1", ["e8c8", "e8c8"]),
            ("caparandom", "r4k3r/10/10/10/10/10/10/R4K3R w JAja - 0 1", ["f1j1", "f1a1"]),
            ("capablanca", "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1", ["f1i1", "f1c1"]),
        ] {
            let position = position(variant, fen);
            let written: Vec<String> = position.legal_moves().iter().map(|&mv| position.uci(mv)).collect();
            for text in texts {
                assert!(written.iter().any(|uci| uci == text), "{variant}: {text} not in {written:?}");
                assert!(position.parse_uci(text).unwrap().is_castling(), "{variant} {text}");
            }
        }
        let random = position("caparandom", "r4k3r/10/10/10/10/10/10/R4K3R w JAja - 0 1");
        assert_eq!(random.parse_uci("f1i1"), random.parse_uci("f1j1"));
    }

    #[test]
    fn notation_names_every_legal_move_once() {
        for (variant, fen) in [
            ("grand", "10/P2k6/10/1c8/10/4A5/10/10/4K5/R8R w - - 0 1"),
            ("janus", "r3k4r/8P1/10/10/2J3J3/10/10/R3K4R w KQkq - 0 1"),
            ("caparandom", "r4k3r/10/10/10/10/10/1PPP6/R4K3R w JAja - 0 1"),
            ("behemoth", "rnbqkbnr/pppppppp/8/8/3*4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ] {
            let position = position(variant, fen);
            let mut written: Vec<String> =
                position.legal_moves().iter().map(|&mv| position.san(mv)).collect();
            let count = written.len();
            written.sort();
            written.dedup();
            assert_eq!(written.len(), count, "{variant}: {written:?}");
        }
        let janus = position("janus", "r3k4r/8P1/10/10/2J3J3/10/10/R3K4R w KQkq - 0 1");
        let written: Vec<String> = janus.legal_moves().iter().map(|&mv| janus.san(mv)).collect();
        for text in ["Kb1", "Ki1", "i8=J", "Jce6", "Jge6", "Rj7", "Rxj8"] {
            assert!(written.iter().any(|san| san.trim_end_matches('+') == text), "{text}: {written:?}");
        }
    }

    #[test]
    fn castling_in_notation_is_that_of_cute_chess() {
        let written = |variant: &str, fen: &str, castling: [&str; 2]| {
            let position = position(variant, fen);
            castling.map(|text| position.san(position.parse_uci(text).unwrap()))
        };
        let (both, e1) = ("r3k4r/10/10/10/10/10/10/R3K4R w KQkq - 0 1", ["e1b1", "e1i1"]);
        assert_eq!(written("janus", both, e1), ["Kb1", "Ki1"]);
        assert_eq!(written("janus", &both.replace(" w ", " b "), ["e8b8", "e8i8"]), ["Kb8", "Ki8"]);
        assert_eq!(written("embassy", both, ["e1b1", "e1h1"]), ["O-O-O", "O-O"]);
        let checks = "2k7/10/10/10/10/10/10/R3K4R w KQ - 0 1";
        assert_eq!(written("janus", checks, e1), ["Kb1+", "Ki1"]);
        // A king beside its target steps there; castling needs its name.
        let near = "4k5/10/10/10/10/10/10/R6K1R w J - 0 1";
        assert_eq!(written("janus", near, ["h1i1", "h1j1"]), ["Ki1", "O-O-O"]);
    }

    #[test]
    fn promotions_and_tall_boards() {
        let grand = position("grand", "10/P3k5/10/10/10/10/10/10/4K5/R9 w - - 0 1");
        assert!(grand.parse_uci("a9a10q").is_ok() && grand.parse_uci("a9a10Q").is_ok());
        assert!(grand.parse_uci("a9a10").unwrap_err().to_string().contains("promote"));
        assert!(grand.parse_uci("a1a8").is_ok() && grand.parse_uci("a1a9").is_err());
        let janus = position("janus", "4k5/8P1/10/10/10/10/10/4K5 w - - 0 1");
        assert!(janus.parse_uci("i7i8j").is_ok() && janus.parse_uci("i7i8a").is_err());
        for text in ["e01e02", "e1e02", "e0e2"] {
            let error = janus.parse_uci(text).unwrap_err().to_string();
            assert!(error.ends_with("is not a move: no rank begins with 0"), "{error}");
        }
        for text in ["", "a", "a1", "a1a", "i7i8jj", "i7i8x", "e1e11", "é1e2", "e1e2 "] {
            assert!(janus.parse_uci(text).is_err(), "{text}");
        }
    }
}
