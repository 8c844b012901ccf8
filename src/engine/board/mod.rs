//! A position of whatever game is played, for people: moves read as they are typed, written as they are read, refused
//! with the reason, and the board square by square.
//!
//! Front ends that play games (the console) and tools that read them (`rosada analyse`) hold an [`AnyBoard`] beside the
//! engine, which searches. This is the second place, after `any`, that asks which game it is.

mod entry;
mod men;
mod reason;
#[cfg(test)]
mod tests;

pub use men::{Man, Men};
use rand::Rng;

use super::any::VARIANTS;
use crate::base::error::quote;
use crate::base::san::Facts;
use crate::base::{Cell, Color, Error, Move};
use crate::book::{Opening, opening_of};
use crate::endgame::tables::Tables;
use crate::endgame::{Ending, Value};
use crate::fairy::{behemoth, shuffle, variants};
use crate::{chess, fairy};

/// Chess with a shuffled first rank, which is no `UCI_Variant` but an option of its own.
pub const CHESS960: &str = "chess960";

/// A position with the way it came about.
#[derive(Clone)]
pub enum AnyBoard {
    /// Chess and Chess960.
    Chess(Box<chess::Position>),
    /// A variant.
    Fairy(Box<fairy::Position>),
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who has won; none for a draw.
    pub winner: Option<Color>,
    /// By which rule, in words.
    pub rule: String,
}

/// What the neutral piece of Behemoth chess has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raid {
    /// Direction and length, such as `se4`.
    pub text: String,
    /// Where it has come to stand.
    pub to: Cell,
    /// What it took, and where.
    pub taken: Vec<(Man, Cell)>,
}

/// The same for either kind of board.
macro_rules! with {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            AnyBoard::Chess($position) => $body,
            AnyBoard::Fairy($position) => $body,
        }
    };
}

/// The names of the games, chess first.
pub fn games() -> impl Iterator<Item = &'static str> {
    let variants = VARIANTS.iter().copied().filter(|name| !["chess", "standard"].contains(name));
    ["chess", CHESS960].into_iter().chain(variants)
}

/// The game that a name means, as `Variant` tags and people write it.
pub fn game_named(name: &str) -> Result<&'static str, Error> {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = letters.to_ascii_lowercase();
    let plain = match plain.as_str() {
        "standard" | "normal" | "fromposition" | "" => "chess",
        "fischerandom" | "fischerrandom" | "960" => CHESS960,
        "capablancarandom" => "caparandom",
        other => other,
    };
    games().find(|game| *game == plain).ok_or_else(|| {
        let known: Vec<&str> = games().collect();
        Error::new(format!("{} is no game I know; I know {}", quote(name), known.join(", ")))
    })
}

impl AnyBoard {
    /// The start position of a game; for one that shuffles, any of them.
    pub fn start(game: &str, random: &mut impl Rng) -> Result<AnyBoard, Error> {
        match game {
            CHESS960 => {
                let array = chess::shuffle::array(random.random_range(0..chess::shuffle::ARRAYS));
                AnyBoard::from_fen(game, &chess::shuffle::start_fen(&array))
            }
            "caparandom" => {
                let arrays = shuffle::arrays(shuffle::Arrays::All);
                let array = &arrays[random.random_range(0..arrays.len())];
                AnyBoard::from_fen(game, &shuffle::start_fen(array))
            }
            _ => AnyBoard::from_fen(game, AnyBoard::start_fen(game)?),
        }
    }

    /// The start position of a game that does not shuffle; for one that does, the usual one.
    pub fn start_fen(game: &str) -> Result<&'static str, Error> {
        Ok(match rules(game)? {
            None => chess::START_FEN,
            Some(rules) => rules.variant.start,
        })
    }

    /// The position of a FEN.
    pub fn from_fen(game: &str, fen: &str) -> Result<AnyBoard, Error> {
        let within = |error: Error| error.within("FEN");
        Ok(match rules(game)? {
            None => {
                let mut position = chess::Position::from_fen(fen).map_err(within)?;
                position.set_chess960(game == CHESS960);
                AnyBoard::Chess(Box::new(position))
            }
            Some(rules) => AnyBoard::Fairy(Box::new(fairy::Position::from_fen(rules, fen).map_err(within)?)),
        })
    }

    /// The name of the game.
    pub fn game(&self) -> &'static str {
        match self {
            AnyBoard::Chess(position) if position.is_chess960() => CHESS960,
            AnyBoard::Chess(_) => "chess",
            AnyBoard::Fairy(position) => position.rules().variant.name,
        }
    }

    /// Files and ranks.
    pub fn size(&self) -> (u8, u8) {
        match self {
            AnyBoard::Chess(_) => (8, 8),
            AnyBoard::Fairy(position) => {
                let variant = position.rules().variant;
                (variant.files, variant.ranks)
            }
        }
    }

    /// The letters of the pieces, upper case.
    pub fn letters(&self) -> String {
        match self {
            AnyBoard::Chess(_) => chess::PIECES.to_string(),
            AnyBoard::Fairy(position) => {
                position.rules().variant.letters.iter().map(|&(letter, _)| letter).collect()
            }
        }
    }

    /// Whose turn it is.
    pub fn side(&self) -> Color {
        with!(self, position => position.side_to_move())
    }

    /// The move number as FEN counts it.
    pub fn fullmove(&self) -> u32 {
        with!(self, position => position.fullmove())
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        with!(self, position => position.fen())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        with!(self, position => position.in_check())
    }

    /// Every legal move with what notation needs to know of it.
    pub fn legal(&self) -> Vec<(Move, Facts)> {
        with!(self, position => {
            position.legal_moves().into_iter().map(|mv| (mv, position.facts(mv))).collect()
        })
    }

    /// Where a legal move ends; for castling, where the king does.
    pub fn target(&self, mv: Move) -> Cell {
        let facts = with!(self, position => position.facts(mv));
        facts.castling.map_or(facts.to, |castling| castling.king_target)
    }

    /// A legal move as UCI writes it.
    pub fn uci(&self, mv: Move) -> String {
        with!(self, position => position.uci(mv))
    }

    /// A legal move in standard algebraic notation.
    pub fn san(&self, mv: Move) -> String {
        with!(self, position => position.san(mv))
    }

    /// The move that UCI writes so.
    pub fn parse_uci(&self, text: &str) -> Result<Move, Error> {
        with!(self, position => position.parse_uci(text))
    }

    /// A line of UCI moves in standard algebraic notation, as far as they can be played.
    pub fn san_line(&self, line: &[String]) -> Vec<String> {
        let mut board = self.clone();
        let mut text = Vec::new();
        for word in line {
            let Ok(mv) = board.parse_uci(word) else { break };
            text.push(board.san(mv));
            board.play(mv);
        }
        text
    }

    /// Plays a legal move for good.
    pub fn play(&mut self, mv: Move) {
        with!(self, position => {
            position.make(mv);
            position.forget_undo();
        });
    }

    /// Whether a neutral piece moves after each move of a player.
    pub fn has_raids(&self) -> bool {
        matches!(self, AnyBoard::Fairy(position) if position.rules().variant.behemoth)
    }

    /// Whether the neutral piece moves now that a player has moved: always, unless a king was captured.
    pub fn awaits_raid(&self) -> bool {
        self.has_raids() && self.verdict().is_none_or(|verdict| verdict.winner.is_none())
    }

    /// Throws the die for the neutral piece.
    pub fn roll(&self, random: &mut impl Rng) -> String {
        behemoth::text(random.random_range(0..behemoth::OUTCOMES))
    }

    /// Lets the neutral piece move as `text` says.
    pub fn raid(&mut self, text: &str) -> Result<Raid, Error> {
        let outcome = behemoth::parse(text)?;
        let before = self.men();
        match self {
            AnyBoard::Fairy(position) if position.rules().variant.behemoth => position.raid(outcome),
            _ => return Err(Error::new("there is no Behemoth in this game")),
        }
        let after = self.men();
        let taken = |&cell: &Cell| {
            let man = before.at(cell).filter(|man| man.side.is_some())?;
            (after.at(cell) != Some(man)).then_some((man, cell))
        };
        let to = after.cells().find(|&cell| after.at(cell).is_some_and(|man| man.side.is_none()));
        Ok(Raid {
            text: text.to_ascii_lowercase(),
            to: to.unwrap_or(Cell { file: 0, rank: 0 }),
            taken: before.cells().collect::<Vec<_>>().iter().filter_map(taken).collect(),
        })
    }

    /// Plays a move as games are written: algebraic notation or coordinates, with what the Behemoth did behind a comma.
    /// Returns the move as the engine takes it; after an error nothing has changed.
    pub fn play_text(&mut self, text: &str) -> Result<String, Error> {
        let (word, raid) = text.split_once(',').map_or((text, None), |(word, raid)| (word, Some(raid)));
        let mv = self.read_move(word)?;
        let mut uci = self.uci(mv);
        let mut after = self.clone();
        after.play(mv);
        if let Some(raid) = raid {
            if self.has_raids() && !after.awaits_raid() {
                return Err(Error::new(format!("{word} ends the game, the Behemoth does not move")));
            }
            uci = format!("{uci},{}", after.raid(raid)?.text);
        }
        *self = after;
        Ok(uci)
    }

    /// How the game has ended, if it has.
    pub fn verdict(&self) -> Option<Verdict> {
        let mover = self.side();
        let (winner, rule) = match self {
            AnyBoard::Chess(position) => {
                let outcome = position.outcome()?;
                ((outcome == chess::Outcome::Checkmate).then_some(!mover), outcome.to_string())
            }
            AnyBoard::Fairy(position) => {
                let outcome = position.outcome()?;
                let winner = match outcome {
                    fairy::Outcome::Checkmate => Some(!mover),
                    fairy::Outcome::KingLost(color) => Some(!color),
                    _ => None,
                };
                (winner, outcome.to_string())
            }
        };
        Some(Verdict { winner, rule })
    }

    /// The opening that the game went through last, where it is chess from the start position.
    pub fn opening(&self) -> Option<Opening> {
        match self {
            AnyBoard::Chess(position) => opening_of(position),
            AnyBoard::Fairy(_) => None,
        }
    }

    /// The ending on the board, where it is chess.
    pub fn ending(&self) -> Option<Ending> {
        match self {
            AnyBoard::Chess(position) => Some(Ending::of(position.board()).canonical().0),
            AnyBoard::Fairy(_) => None,
        }
    }

    /// What tables of endings know about the position.
    pub fn table_value(&self, tables: &Tables) -> Option<Value> {
        match self {
            AnyBoard::Chess(position) => tables.probe(position),
            AnyBoard::Fairy(_) => None,
        }
    }

    /// What they know about every legal move, the best first.
    pub fn table_moves(&self, tables: &Tables) -> Option<Vec<(Move, Value)>> {
        match self {
            AnyBoard::Chess(position) => tables.moves(position),
            AnyBoard::Fairy(_) => None,
        }
    }

    /// The board square by square.
    pub fn men(&self) -> Men {
        match self {
            AnyBoard::Chess(position) => Men::of_chess(position),
            AnyBoard::Fairy(position) => Men::of_variant(position),
        }
    }

    /// The squares between which a legal move goes, castling both ways it is written.
    fn ways(&self, mv: Move, facts: &Facts) -> Vec<(Cell, Cell)> {
        match facts.castling {
            Some(_) => vec![(facts.from, facts.to), (facts.from, self.target(mv))],
            None => vec![(facts.from, facts.to)],
        }
    }
}

/// The rules of a variant; none for chess.
fn rules(game: &str) -> Result<Option<&'static fairy::Rules>, Error> {
    if ["chess", CHESS960].contains(&game) {
        return Ok(None);
    }
    let unknown = || Error::new(format!("unknown variant {}", quote(game)));
    variants::find(game).map(Some).ok_or_else(unknown)
}
