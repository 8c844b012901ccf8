//! Forsyth-Edwards notation of the variants: boards of any size, X-FEN and Shredder-FEN rights, four to six fields,
//! every fault named.

use std::fmt;
use std::str::FromStr;

use super::castling::right;
use super::{Board, CastlingSide, Kind, Piece, Position, Rules, Set, Square, zobrist};
use crate::base::error::quote;
use crate::base::{Color, Error};

impl Position {
    /// The start position of a variant.
    pub fn start(rules: &'static Rules) -> Position {
        Position::from_fen(rules, rules.variant.start)
            .unwrap_or_else(|_| Position::from_board(rules, Board::empty(rules)))
    }

    /// Reads a FEN with four, five or six fields and refuses whatever is not a possible position of the variant.
    pub fn from_fen(rules: &'static Rules, fen: &str) -> Result<Position, Error> {
        let position = Position::from_setup(rules, fen)?;
        position.check_material()?;
        Ok(position)
    }

    /// Reads a FEN as [`Position::from_fen`] does, but lets each side have any number of men.
    pub fn from_setup(rules: &'static Rules, fen: &str) -> Result<Position, Error> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        if !(4..=6).contains(&fields.len()) {
            return Err(Error::new(format!("a FEN has 4 to 6 fields, this one has {}", fields.len())));
        }
        let mut position = Position::from_board(rules, parse_placement(rules, fields[0])?);
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
        position.board.keys = position.board.fresh_keys(rules);
        Ok(position)
    }

    /// The FEN of the position.
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

    /// The character for a square of the board; none for an empty one.
    pub fn letter_on(&self, square: Square) -> Option<char> {
        if self.board.wall.has(square) {
            return Some('*');
        }
        self.board.piece_on(square).map(|piece| {
            let letter = self.rules.letter(piece.kind());
            if piece.color().is_white() { letter } else { letter.to_ascii_lowercase() }
        })
    }

    fn placement(&self) -> String {
        let mut text = String::new();
        for rank in (0..self.rules.variant.ranks).rev() {
            let mut empty = 0;
            for file in 0..self.rules.variant.files {
                match self.letter_on(Square::at(file, rank)) {
                    Some(letter) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push(letter);
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
                let Some(route) = self.castling.route(color, side) else { continue };
                if self.board.rights & right(color, side) == 0 {
                    continue;
                }
                let king_letter = if side == CastlingSide::King { 'K' } else { 'Q' };
                let outermost = self.outermost_rook(color, side, route.king) == Some(route.rook);
                let plain = !self.rules.variant.king_takes_rook && outermost;
                let letter = if plain { king_letter } else { (b'A' + route.rook.file()) as char };
                text.push(if color.is_white() { letter } else { letter.to_ascii_lowercase() });
            }
        }
        if text.is_empty() { "-".to_string() } else { text }
    }

    /// The rook that a plain `K` or `Q` means: the outermost one on that side of the king.
    fn outermost_rook(&self, color: Color, side: CastlingSide, king: Square) -> Option<Square> {
        let rooks = self.board.pieces(color, Kind::Rook) & Set::rank(king.rank());
        let beside = { rooks }
            .filter(|rook| (rook.file() > king.file()) == (side == CastlingSide::King))
            .fold(Set::EMPTY, |set, rook| set | Set::of(rook));
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
            let kings = self.board.pieces(color, Kind::King);
            if kings.is_empty() {
                return Err(named(Error::new("there is no king")));
            }
            let king = kings.first();
            let last_file = b'A' + self.rules.variant.files - 1;
            let (side, rook) = match letter.to_ascii_uppercase() {
                'K' => (CastlingSide::King, self.outermost_rook(color, CastlingSide::King, king)),
                'Q' => (CastlingSide::Queen, self.outermost_rook(color, CastlingSide::Queen, king)),
                file if (b'A'..=last_file).contains(&(file as u8)) && file.is_ascii() => {
                    let square = Square::at(file as u8 - b'A', king.rank());
                    let rook = self.board.pieces(color, Kind::Rook).has(square).then_some(square);
                    (if square > king { CastlingSide::King } else { CastlingSide::Queen }, rook)
                }
                _ => return Err(named(Error::new("neither one of KQkq nor the file of a rook"))),
            };
            self.grant_castling(color, side, king, rook).map_err(named)?;
        }
        Ok(())
    }

    /// The square a pawn has just stepped over, if the field names a possible one.
    fn parse_en_passant(&self, field: &str) -> Result<Option<Square>, Error> {
        if field == "-" {
            return Ok(None);
        }
        let named = |error: Error| error.within(&format!("en-passant square {}", quote(field)));
        let square = match Square::split_from(field) {
            Some((square, "")) if self.rules.board.has(square) => square,
            _ => return Err(named(Error::new("not a square"))),
        };
        self.check_passed_square(square).map_err(named)?;
        Ok(Some(square))
    }
}

fn parse_placement(rules: &Rules, field: &str) -> Result<Board, Error> {
    let variant = rules.variant;
    let mut board = Board::empty(rules);
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != usize::from(variant.ranks) {
        return Err(Error::new(format!(
            "the board has {} ranks, this FEN gives {}",
            variant.ranks,
            ranks.len()
        )));
    }
    for (rank, text) in (0..variant.ranks).rev().zip(ranks) {
        let within = |error: Error| error.within(&format!("rank {}", rank + 1));
        parse_rank(&mut board, rules, rank, text).map_err(within)?;
    }
    Ok(board)
}

/// Puts the pieces of one rank on the board.
fn parse_rank(board: &mut Board, rules: &Rules, rank: u8, text: &str) -> Result<(), Error> {
    let files = u32::from(rules.variant.files);
    let too_many = || Error::new(format!("more than {files} squares"));
    let (mut file, mut rest) = (0u32, text);
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let number = &rest[..digits];
            // Neither 0 nor 010: a position has one FEN.
            if c == '0' {
                return Err(Error::new(format!("{} is no number of squares", quote(number))));
            }
            let empty: u32 = number.parse().map_err(|_| too_many())?;
            file = file.saturating_add(empty);
            rest = &rest[digits..];
        } else {
            let kind = rules.kind(c);
            if kind.is_none() && !(c == '*' && rules.variant.behemoth) {
                return Err(Error::new(format!("{c:?} is no piece and no number of squares")));
            }
            if file < files {
                let square = Square::at(file as u8, rank);
                match kind {
                    Some(kind) => {
                        let color = Color::from_bool(c.is_ascii_uppercase());
                        board.put(Piece::new(color, kind), square);
                        if rules.is_royal(color, kind) {
                            board.royals[color.index()] = square;
                        }
                    }
                    None => {
                        board.wall |= Set::of(square);
                        board.keys.full ^= zobrist::wall(square);
                    }
                }
            }
            file += 1;
            rest = &rest[c.len_utf8()..];
        }
        if file > files {
            return Err(too_many());
        }
    }
    if file < files {
        return Err(Error::new(format!("only {file} squares")));
    }
    Ok(())
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
