//! Forsyth-Edwards notation: X-FEN and Shredder-FEN, four to six fields, every fault named.

use std::fmt;
use std::str::FromStr;

use super::castling::right;
use super::{Bitboard, Board, CastlingSide, Piece, PieceKind, Position, Square};
use crate::base::error::quote;
use crate::base::{Color, Error};

/// The start position of chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Position {
    /// The start position of chess.
    pub fn start() -> Position {
        Position::from_fen(START_FEN).unwrap_or_else(|_| Position::from_board(Board::EMPTY))
    }

    /// Reads a FEN with four, five or six fields and refuses whatever is not a possible chess position.
    pub fn from_fen(fen: &str) -> Result<Position, Error> {
        let position = Position::from_setup(fen)?;
        position.check_material()?;
        Ok(position)
    }

    /// Reads a FEN as [`Position::from_fen`] does, but lets each side have any number of men: for composed positions
    /// to which the rules of movement still apply.
    pub fn from_setup(fen: &str) -> Result<Position, Error> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        if !(4..=6).contains(&fields.len()) {
            return Err(Error::new(format!("a FEN has 4 to 6 fields, this one has {}", fields.len())));
        }
        let mut position = Position::from_board(parse_placement(fields[0])?);
        position.board.side = match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(Error::new(format!("side to move must be w or b, not {}", quote(other)))),
        };
        position.check_placement()?;
        position.parse_castling(fields[2])?;
        position.board.refresh_checks();
        position.check_checks()?;
        let double_step = position.parse_en_passant(fields[3])?;
        position.board.halfmove_clock = parse_number(fields.get(4), 0, "halfmove clock")?;
        position.board.reversible_plies = position.board.halfmove_clock;
        position.fullmove = parse_number::<u32>(fields.get(5), 1, "move number")?.max(1);
        if let Some(square) = double_step {
            position.board.offer_en_passant(square);
            position.check_double_step(square)?;
        }
        position.board.keys = position.board.fresh_keys();
        Ok(position)
    }

    /// The FEN of the position: X-FEN, or Shredder-FEN in Chess960 mode.
    pub fn fen(&self) -> String {
        let en_passant = self.board.en_passant.map_or("-".to_string(), |square| square.to_string());
        let side = if self.board.side.is_white() { 'w' } else { 'b' };
        format!(
            "{} {side} {} {en_passant} {} {}",
            self.placement(),
            self.castling_field(),
            self.board.halfmove_clock,
            self.fullmove
        )
    }

    fn placement(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.board.piece_on(Square::at(file, rank)) {
                    Some(piece) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    fn castling_field(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = self.castling.rook(color, side) else { continue };
                if self.board.rights & right(color, side) == 0 {
                    continue;
                }
                let king_letter = if side == CastlingSide::King { 'K' } else { 'Q' };
                let plain = !self.chess960 && self.outermost_rook(color, side) == Some(rook);
                let letter = if plain { king_letter } else { (b'A' + rook.file()) as char };
                text.push(if color.is_white() { letter } else { letter.to_ascii_lowercase() });
            }
        }
        if text.is_empty() { "-".to_string() } else { text }
    }

    /// The rook that a plain `K` or `Q` means: the outermost one on that side of the king.
    fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.board.king(color);
        let rooks = self.board.pieces(color, PieceKind::Rook) & Bitboard::rank(king.rank());
        let beside = { rooks }
            .filter(|rook| (rook.file() > king.file()) == (side == CastlingSide::King))
            .fold(Bitboard::EMPTY, |set, rook| set | Bitboard::of(rook));
        if beside.is_empty() {
            return None;
        }
        Some(if side == CastlingSide::King { beside.last() } else { beside.first() })
    }

    fn parse_castling(&mut self, field: &str) -> Result<(), Error> {
        if field == "-" {
            return Ok(());
        }
        for letter in field.chars() {
            let named = |error: Error| error.within(&format!("castling right {letter:?}"));
            let color = Color::from_bool(letter.is_ascii_uppercase());
            let king = self.board.king(color);
            let (side, rook) = match letter.to_ascii_uppercase() {
                'K' => (CastlingSide::King, self.outermost_rook(color, CastlingSide::King)),
                'Q' => (CastlingSide::Queen, self.outermost_rook(color, CastlingSide::Queen)),
                file @ 'A'..='H' => {
                    let square = Square::at(file as u8 - b'A', king.rank());
                    let rook = self.board.pieces(color, PieceKind::Rook).has(square).then_some(square);
                    (if square > king { CastlingSide::King } else { CastlingSide::Queen }, rook)
                }
                _ => return Err(named(Error::new("not one of KQkq, A-H or a-h"))),
            };
            self.grant_castling(color, side, rook).map_err(named)?;
        }
        Ok(())
    }

    /// The square a pawn has just stepped over, if the field names a possible one.
    fn parse_en_passant(&self, field: &str) -> Result<Option<Square>, Error> {
        if field == "-" {
            return Ok(None);
        }
        let named = |error: Error| error.within(&format!("en-passant square {}", quote(field)));
        let square = Square::parse(field).ok_or_else(|| named(Error::new("not a square")))?;
        self.check_passed_square(square).map_err(named)?;
        Ok(Some(square))
    }
}

fn parse_placement(field: &str) -> Result<Board, Error> {
    let mut board = Board::EMPTY;
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        return Err(Error::new(format!("the board has 8 ranks, this FEN gives {}", ranks.len())));
    }
    for (rank, text) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        for c in text.chars() {
            if let Some(piece) = Piece::from_letter(c) {
                if file < 8 {
                    board.put(piece, Square::at(file, rank));
                }
                file += 1;
            } else if let Some(empty @ 1..=8) = c.to_digit(10) {
                file += empty as u8;
            } else {
                return Err(Error::new(format!(
                    "{c:?} on rank {} is no piece and no number of squares",
                    rank + 1
                )));
            }
            if file > 8 {
                return Err(Error::new(format!("rank {} has more than 8 squares", rank + 1)));
            }
        }
        if file < 8 {
            return Err(Error::new(format!("rank {} has only {file} squares", rank + 1)));
        }
    }
    Ok(board)
}

fn parse_number<T: FromStr>(field: Option<&&str>, default: T, name: &str) -> Result<T, Error> {
    match field {
        None => Ok(default),
        Some(text) => text
            .parse()
            .map_err(|_| Error::new(format!("{name} {} is not a number, or too large", quote(text)))),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fens_survive_the_round_trip() {
        for fen in [
            START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/8/8/8/k1Pp3R/8/8/3K4 b - - 12 34",
            "4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 2",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().fen(), fen);
        }
    }

    #[test]
    fn short_fens_get_defaults() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
        assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert!(Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 7").unwrap().fen().ends_with(" 7 1"));
    }

    #[test]
    fn an_inner_rook_is_named_by_its_file() {
        let fen = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1";
        assert_eq!(Position::from_fen(fen).unwrap().fen(), fen);
    }

    #[test]
    fn en_passant_is_kept_only_where_a_capture_is_legal() {
        let useless =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").unwrap();
        assert!(useless.fen().contains(" - 0 1"));
        let pinned = Position::from_fen("8/8/8/8/k1Pp3R/8/8/3K4 b - c3 0 1").unwrap();
        assert_eq!(pinned.board().en_passant(), None);
    }

    #[test]
    fn each_fault_has_its_own_words() {
        for (fen, word) in [
            ("", "fields"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 extra", "fields"),
            ("8/8/8/8/8/8/8 w - - 0 1", "8 ranks"),
            ("8/8/8/8/8/8/8/9 w - - 0 1", "no piece"),
            ("8/8/8/8/8/8/8/7 w - - 0 1", "only 7"),
            ("8/8/8/8/8/8/8/K7k w - - 0 1", "more than 8"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
            ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "White has 2 kings"),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn on the first or last rank"),
            ("4k3/8/8/8/8/8/PPPPPPPP/PPPPK3 w - - 0 1", "pawn"),
            ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "9 pawns"),
            ("4k3/8/8/8/8/NN6/PPPPPPPP/RNBQKBNR w - - 0 1", "18 pieces"),
            ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1 ", ""),
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "no such rook"),
            ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "back rank"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "twice"),
            ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "KQkq"),
            ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "wrong rank"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn"),
            ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "way was not free"),
            ("4k3/8/8/8/8/8/8/4K3 w - z9 0 1", "not a square"),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "move number"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "could capture the king"),
            ("4k3/8/3N1N2/8/8/8/4R3/4K3 b - - 0 1", "3 pieces"),
            ("4k3/8/8/8/4P3/8/8/K3R3 b - e3 0 1", ""),
            ("4k3/4R3/8/8/4P3/8/8/K7 b - e3 0 1", "cannot have given this check"),
        ] {
            match Position::from_fen(fen) {
                Err(error) => assert!(error.to_string().contains(word), "{fen}: {error}"),
                Ok(_) => assert!(word.is_empty(), "{fen} was accepted"),
            }
        }
    }
}
