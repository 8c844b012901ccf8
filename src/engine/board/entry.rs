//! Moves as people type them: `Nf3`, `nf3`, `e4`, `g1f3`, `e2 e4`, `e2-e4`, `e7 e8 q`, `0-0`. What cannot be played is
//! answered with the reason.

use super::AnyBoard;
use crate::base::error::quote;
use crate::base::san::{Facts, PAWN, Wanted};
use crate::base::{Cell, Error, Move};

impl AnyBoard {
    /// The legal move that a person means.
    pub fn read_move(&self, text: &str) -> Result<Move, Error> {
        let text = text.trim();
        // Nobody needs to be told that a pawn is taken in passing.
        let text =
            ["e.p.", "e.p", "ep"].iter().find_map(|sign| text.strip_suffix(sign)).unwrap_or(text).trim();
        let legal = self.legal();
        // Draws by rule end no game by themselves: players may go on, and games that were played may have gone on.
        if let Some(verdict) = self.verdict().filter(|_| legal.is_empty()) {
            return Err(Error::new(format!("the game is over: {}", verdict.rule)));
        }
        if let Some((from, to, promotion)) = coordinates(text) {
            return self.read_coordinates(text, &legal, (from, to), promotion);
        }
        let letters = self.letters();
        let readings = readings(text, &letters);
        let Some(first) = readings.first() else {
            return Err(Error::new(format!("{} is neither a move nor a command", quote(text))));
        };
        for wanted in &readings {
            let found = wanted.choose(&legal);
            match found[..] {
                [] => {}
                [mv] => return Ok(mv),
                _ => {
                    let choices: Vec<String> = found.iter().map(|&mv| self.san(mv)).collect();
                    return Err(Error::new(format!(
                        "{} is ambiguous: {}",
                        quote(text),
                        choices.join(" or ")
                    )));
                }
            }
        }
        let meant = readings.iter().find(|wanted| self.has_piece(wanted)).unwrap_or(first);
        Err(Error::new(self.refusal(text, meant, &legal)))
    }

    fn read_coordinates(
        &self,
        text: &str,
        legal: &[(Move, Facts)],
        way: (Cell, Cell),
        promotion: Option<char>,
    ) -> Result<Move, Error> {
        // A king's step comes before castling that is written the same way.
        let fits = |castling: bool| {
            let same = |(mv, facts): &&(Move, Facts)| {
                facts.castling.is_some() == castling && self.ways(*mv, facts).contains(&way)
            };
            legal.iter().filter(same).collect::<Vec<_>>()
        };
        let mut found = fits(false);
        if found.is_empty() {
            found = fits(true);
        }
        if let Some((mv, _)) = found.iter().find(|(_, facts)| facts.promotion == promotion) {
            return Ok(*mv);
        }
        let kinds: String = found.iter().filter_map(|(_, facts)| facts.promotion).collect();
        Err(Error::new(match (found.is_empty(), promotion) {
            (true, _) => {
                let why = self.men().fault(way.0, way.1);
                format!("{text} is not legal: {}", why.unwrap_or_else(|| "the rules forbid it".to_string()))
            }
            (false, Some(letter)) if kinds.is_empty() => {
                format!("{text} is not legal: nothing becomes {letter} here")
            }
            (false, _) => promotion_needed(text, &kinds),
        }))
    }

    /// Why nothing on the board does what a text asks for.
    fn refusal(&self, text: &str, wanted: &Wanted, legal: &[(Move, Facts)]) -> String {
        let men = self.men();
        let text = quote(text);
        let (piece, file, rank, to) = match *wanted {
            Wanted::Castling(wing) => {
                let why = men.castling_fault_of(wing);
                let why = why.unwrap_or_else(|| "the rules forbid it".to_string());
                return format!("{text} is not legal: {why}");
            }
            Wanted::Step { piece, file, rank, to, .. } => (piece, file, rank, to),
        };
        let stands = |cell: &Cell| {
            file.is_none_or(|file| file == cell.file) && rank.is_none_or(|rank| rank == cell.rank)
        };
        let goes =
            |(_, facts): &&(Move, Facts)| facts.piece == piece && facts.to == to && stands(&facts.from);
        let kinds: String = legal.iter().filter(goes).filter_map(|(_, facts)| facts.promotion).collect();
        if !kinds.is_empty() {
            return promotion_needed(&text, &kinds);
        }
        let is_own = |cell: &Cell| {
            men.at(*cell).is_some_and(|man| man.letter == piece && man.side == Some(self.side()))
        };
        let candidates: Vec<Cell> = men.cells().filter(|cell| is_own(cell) && stands(cell)).collect();
        let name = |cells: &[Cell]| cells.first().and_then(|&cell| men.at(cell)).map(|man| man.name());
        // The piece that comes closest is the one that is meant.
        let near: Vec<Cell> = candidates.iter().copied().filter(|&cell| self.could_mean(cell, to)).collect();
        let why = match (near.is_empty(), name(&candidates)) {
            (_, None) => format!("{} has no such piece there", self.side()),
            (true, Some("pawn")) => format!("no pawn can go to {to}"),
            (true, Some(name)) => format!("no {name} moves to {to} from where it stands"),
            (false, _) => {
                let why = near.iter().find_map(|&cell| men.fault(cell, to));
                why.unwrap_or_else(|| "the rules forbid it".to_string())
            }
        };
        format!("{text} is not legal: {why}")
    }

    /// Whether the side to move has the piece that a text speaks of.
    fn has_piece(&self, wanted: &Wanted) -> bool {
        let men = self.men();
        let side = Some(self.side());
        let Wanted::Step { piece, file, rank, .. } = *wanted else { return true };
        men.cells().any(|cell| {
            men.at(cell).is_some_and(|man| man.letter == piece && man.side == side)
                && file.is_none_or(|file| file == cell.file)
                && rank.is_none_or(|rank| rank == cell.rank)
        })
    }

    /// Whether the man on a square has the movement for a way or the right to castle there, whatever hinders it.
    fn could_mean(&self, from: Cell, to: Cell) -> bool {
        let men = self.men();
        let Some(man) = men.at(from) else { return false };
        let ahead = from.file == to.file
            && men.rank_for(to, self.side()).checked_sub(men.rank_for(from, self.side())).is_some_and(
                |steps| steps == 1 || steps == 2 && men.rank_for(from, self.side()) == men.double_step_rank,
            );
        men.aims(from, to) && !(man.is_pawn() && men.at(to).is_none_or(|other| other.side == man.side))
            || man.is_pawn() && ahead
            || men.routes.iter().any(|route| (route.king, route.king_target) == (from, to))
    }
}

fn promotion_needed(text: &str, kinds: &str) -> String {
    let mut letters: Vec<char> = Vec::new();
    kinds.chars().filter(|letter| *letter != PAWN).for_each(|letter| {
        if !letters.contains(&letter) {
            letters.push(letter);
        }
    });
    let choices: Vec<String> = letters.iter().map(|letter| format!("={letter}")).collect();
    format!("{text}: say what the pawn becomes, {}", choices.join(", "))
}

/// Two squares and perhaps a piece, with anything people put between them.
fn coordinates(text: &str) -> Option<(Cell, Cell, Option<char>)> {
    let squeezed: String = text
        .trim_end_matches(['+', '#', '!', '?'])
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '=' | '(' | ')' | ':'))
        .collect();
    let lower = squeezed.to_ascii_lowercase();
    let (from, rest) = Cell::split_from(&lower)?;
    let (to, rest) = Cell::split_from(rest.trim_start_matches('x'))?;
    let mut letters = rest.chars();
    match (letters.next(), letters.next()) {
        (None, _) => Some((from, to, None)),
        (Some(letter), None) if letter.is_ascii_alphabetic() => {
            Some((from, to, Some(letter.to_ascii_uppercase())))
        }
        _ => None,
    }
}

/// What a text can mean in algebraic notation, the literal meaning first: small letters are pieces, too, where that
/// makes sense.
fn readings(text: &str, letters: &str) -> Vec<Wanted> {
    let squeezed: String = text.split_whitespace().collect();
    let mut readings: Vec<Wanted> = Wanted::parse(&squeezed, letters).into_iter().collect();
    let mut chars = squeezed.chars();
    if let Some(first) = chars.next().filter(char::is_ascii_lowercase) {
        let upper = format!("{}{}", first.to_ascii_uppercase(), chars.as_str());
        readings
            .extend(Wanted::parse(&upper, letters).filter(|_| letters.contains(first.to_ascii_uppercase())));
    }
    // `e8q` for `e8=Q`.
    if let Some(last) = squeezed.chars().last().filter(|last| last.is_ascii_lowercase()) {
        let upper = format!("{}{}", &squeezed[..squeezed.len() - 1], last.to_ascii_uppercase());
        readings.extend(Wanted::parse(&upper, letters));
    }
    readings
}
