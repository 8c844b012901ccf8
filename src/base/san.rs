//! Standard algebraic notation for boards of any size: `Nf3`, `exd5`, `O-O`, `a10=C`, and `Ki1` for castling in Janus
//! chess.
//!
//! Both board cores tell the [`Facts`] of their legal moves; writing and reading are the same for all. Suffixes for check
//! and mate are the business of whoever can make the move.

use super::cell::{Cell, file_letter};

/// The letter that stands for a pawn, which notation leaves out.
pub const PAWN: char = 'P';

/// Which way castling goes, by its name in notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wing {
    /// `O-O`: towards the high files, except in Janus chess.
    Short,
    /// `O-O-O`: the other way.
    Long,
}

/// What notation needs to know of castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Castling {
    /// Which way it goes.
    pub wing: Wing,
    /// Where the king ends.
    pub king_target: Cell,
    /// It is written as a step of the king to its target, not by the name of its wing.
    pub as_step: bool,
}

/// What notation needs to know of a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The letter of the piece, upper case.
    pub piece: char,
    /// Where it stands.
    pub from: Cell,
    /// Where it goes; for castling, where the rook stands.
    pub to: Cell,
    /// The letter of what it becomes, upper case.
    pub promotion: Option<char>,
    /// It takes something.
    pub captures: bool,
    /// It is castling.
    pub castling: Option<Castling>,
}

/// Writes a move. `all` are the legal moves, itself included: they decide how much must be said.
pub fn write(mv: &Facts, all: &[Facts]) -> String {
    if let Some(castling) = mv.castling {
        return match castling.wing {
            _ if castling.as_step => format!("{}{}", mv.piece, castling.king_target),
            Wing::Short => "O-O".to_string(),
            Wing::Long => "O-O-O".to_string(),
        };
    }
    let takes = if mv.captures { "x" } else { "" };
    let promotion = mv.promotion.map_or(String::new(), |letter| format!("={letter}"));
    if mv.piece == PAWN {
        let file = if mv.captures { file_letter(mv.from.file).to_string() } else { String::new() };
        return format!("{file}{takes}{}{promotion}", mv.to);
    }
    format!("{}{}{takes}{}{promotion}", mv.piece, disambiguation(mv, all), mv.to)
}

/// The file, rank or square that tells pieces apart which could make the same move.
fn disambiguation(mv: &Facts, all: &[Facts]) -> String {
    let is_rival = |other: &&Facts| {
        (other.piece, other.to, other.castling) == (mv.piece, mv.to, None) && other.from != mv.from
    };
    let rivals: Vec<&Facts> = all.iter().filter(is_rival).collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.from.file != mv.from.file) {
        file_letter(mv.from.file).to_string()
    } else if rivals.iter().all(|rival| rival.from.rank != mv.from.rank) {
        (mv.from.rank + 1).to_string()
    } else {
        mv.from.to_string()
    }
}

/// What a text asks for; it may fit several legal moves or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Castling.
    Castling(Wing),
    /// A piece goes to a square.
    Step {
        /// The letter of the piece, upper case.
        piece: char,
        /// Where it must stand, as far as the text tells.
        file: Option<u8>,
        /// The same.
        rank: Option<u8>,
        /// Where it goes.
        to: Cell,
        /// The letter of what it becomes, upper case.
        promotion: Option<char>,
    },
}

impl Wanted {
    /// Reads notation as people and programs write it: suffixes are optional, `0-0` is castling, more than is needed may be
    /// said. `letters` are those of the pieces, upper case. None if it is no notation at all.
    pub fn parse(text: &str, letters: &str) -> Option<Wanted> {
        let bare = text.trim().trim_end_matches(['+', '#', '!', '?']);
        match bare.replace('0', "O").to_ascii_uppercase().as_str() {
            "O-O" => return Some(Wanted::Castling(Wing::Short)),
            "O-O-O" => return Some(Wanted::Castling(Wing::Long)),
            _ => {}
        }
        let (body, promotion) = split_promotion(bare, letters);
        let (piece, body) = match body.chars().next() {
            Some(letter) if letters.contains(letter) => (letter, &body[letter.len_utf8()..]),
            _ => (PAWN, body),
        };
        let body: String = body.chars().filter(|c| !matches!(c, 'x' | '-' | ':')).collect();
        let target = body.rfind(|c: char| c.is_ascii_lowercase())?;
        let to = Cell::parse(&body[target..])?;
        let mut hint = &body[..target];
        let file = hint.bytes().next().filter(u8::is_ascii_lowercase).map(|letter| letter - b'a');
        hint = &hint[usize::from(file.is_some())..];
        let rank = match hint {
            "" => None,
            "10" => Some(9),
            digit => match digit.as_bytes() {
                [digit @ b'1'..=b'9'] => Some(digit - b'1'),
                _ => return None,
            },
        };
        Some(Wanted::Step { piece, file, rank, to, promotion })
    }

    /// Those of the legal moves that a text may mean. A step of the king to where castling would bring it means castling
    /// where no plain step of the king goes there: so Janus chess writes it, and elsewhere it can mean nothing else.
    pub fn choose<M: Copy>(&self, legal: &[(M, Facts)]) -> Vec<M> {
        let all = |fits: &dyn Fn(&Facts) -> bool| {
            legal.iter().filter(|(_, facts)| fits(facts)).map(|&(mv, _)| mv).collect::<Vec<M>>()
        };
        let wing = |facts: &Facts| facts.castling.map(|castling| castling.wing);
        let target = |facts: &Facts| facts.castling.map(|castling| castling.king_target);
        match *self {
            Wanted::Castling(wanted) => all(&|facts| wing(facts) == Some(wanted)),
            Wanted::Step { to, .. } => {
                let steps = all(&|facts| facts.castling.is_none() && facts.to == to && self.is_by(facts));
                if steps.is_empty() {
                    all(&|facts| target(facts) == Some(to) && self.is_by(facts))
                } else {
                    steps
                }
            }
        }
    }

    /// Whether a move is made by the piece that is asked for and turns it into what is asked for.
    fn is_by(&self, mv: &Facts) -> bool {
        let Wanted::Step { piece, file, rank, promotion, .. } = *self else { return false };
        (mv.piece, mv.promotion) == (piece, promotion)
            && file.is_none_or(|file| file == mv.from.file)
            && rank.is_none_or(|rank| rank == mv.from.rank)
    }
}

/// Splits `e8=Q`, `e8Q` or `e8(Q)` into target and piece.
fn split_promotion<'a>(text: &'a str, letters: &str) -> (&'a str, Option<char>) {
    let stripped = text.trim_end_matches(')');
    match stripped.chars().last() {
        Some(letter) if letters.contains(letter) && letter != PAWN && stripped.len() > 2 => {
            let body = stripped[..stripped.len() - letter.len_utf8()].trim_end_matches(['=', '(']);
            (body, Some(letter))
        }
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_no_notation() {
        for text in [
            "", "N", "e", "e9e", "Zf3", "Nf", "♘f3", "é4", "e4e5e6", "N1234f3", "N01f3", "Nf03", "=Q", "x",
            "Nf3f",
        ] {
            let wanted = Wanted::parse(text, "PNBRQK");
            assert!(wanted.is_none() || text == "e4e5e6", "{text}: {wanted:?}");
        }
    }

    #[test]
    fn all_that_is_said_is_read() {
        let to = |text| Cell::parse(text).unwrap();
        let step = |piece, file, rank, to, promotion| Some(Wanted::Step { piece, file, rank, to, promotion });
        assert_eq!(Wanted::parse("R1a10+", "PR"), step('R', None, Some(0), to("a10"), None));
        assert_eq!(Wanted::parse("Ra10xa1", "PR"), step('R', Some(0), Some(9), to("a1"), None));
        assert_eq!(Wanted::parse("bxc10=C#", "PCB"), step('P', Some(1), None, to("c10"), Some('C')));
        assert_eq!(Wanted::parse("Bc4", "PCB"), step('B', None, None, to("c4"), None));
        assert_eq!(Wanted::parse("e8(Q)", "PQ"), step('P', None, None, to("e8"), Some('Q')));
        assert_eq!(Wanted::parse("0-0-0!", "PQ"), Some(Wanted::Castling(Wing::Long)));
    }

    /// The king of e1 may castle to g1; from f1 it would step there as well.
    fn king_moves(file: u8) -> Vec<(&'static str, Facts)> {
        let cell = |text| Cell::parse(text).unwrap();
        let king_target = cell("g1");
        let from = Cell { file, rank: 0 };
        let plain = |to| Facts { piece: 'K', from, to, promotion: None, captures: false, castling: None };
        let castling = Some(Castling { wing: Wing::Short, king_target, as_step: false });
        let step = Cell { file: file + 1, rank: 0 };
        vec![("step", plain(step)), ("castling", Facts { castling, ..plain(cell("h1")) })]
    }

    #[test]
    fn a_step_to_the_castling_target_is_castling_unless_it_is_a_step() {
        let choose = |text, file| Wanted::parse(text, "PRK").unwrap().choose(&king_moves(file));
        assert_eq!(choose("Kg1", 4), ["castling"]);
        assert_eq!(choose("Keg1+", 4), ["castling"]);
        assert_eq!(choose("Kg1", 5), ["step"]);
        assert_eq!(choose("O-O", 5), ["castling"]);
        for text in ["Kh1", "Rg1", "g1", "Kdg1", "O-O-O"] {
            assert!(choose(text, 4).is_empty(), "{text}");
        }
    }

    #[test]
    fn castling_is_written_by_name_or_as_a_step() {
        let (_, mut castling) = king_moves(4)[1];
        assert_eq!(write(&castling, &[]), "O-O");
        castling.castling = castling.castling.map(|castling| Castling { as_step: true, ..castling });
        assert_eq!(write(&castling, &[]), "Kg1");
    }
}
