//! The session of whatever game is played. This is the one place where the engine asks which game it is: once a command,
//! never in the search.

use std::sync::Arc;

use super::evaluation::{Evaluation, Mind};
use super::openings::{ChessOpenings, NextFen, VariantOpenings};
use super::session::{Request, Session};
use super::{Done, Listener, display};
use crate::base::{Error, Move, MoveList};
use crate::endgame::Endgames;
use crate::eval::{Classical, Fairy, Nnue, fairy as fairy_eval};
use crate::game::{Notation, Stage};
use crate::search::Worker;
use crate::search::control::Control;
use crate::tt::Table;
use crate::{chess, fairy};

/// The names of `UCI_Variant`, the default first. `standard` is what Cute Chess calls chess.
pub const VARIANTS: &[&str] = &[
    "chess",
    "standard",
    "maharajah",
    "janus",
    "embassy",
    "amazon",
    "grand",
    "caparandom",
    "behemoth",
    "capablanca",
    "gothic",
];

/// A game that can be played: chess on its own core, or a variant.
#[derive(Clone, Copy)]
enum Choice {
    Chess,
    Variant(&'static fairy::Rules),
}

impl Choice {
    /// The game with this name.
    fn find(name: &str) -> Result<Choice, Error> {
        if ["chess", "standard"].contains(&name) {
            return Ok(Choice::Chess);
        }
        fairy::variants::find(name)
            .map(Choice::Variant)
            .ok_or_else(|| Error::new(format!("unknown variant {name}")))
    }
}

/// What the engine shows people about a position of any game.
pub trait Exhibit: Notation {
    /// The board and everything about it.
    fn display(&self) -> String;
    /// Colors exchanged; fails where the sides are not alike.
    fn flipped(&self) -> Result<Self, Error>;
    /// Leaves of the move tree.
    fn count_leaves(&self, depth: u32) -> u64;
    /// Plays a move for good, as perft does: nothing else happens.
    fn advance(&mut self, mv: Move);
}

impl Exhibit for chess::Position {
    fn display(&self) -> String {
        display::board(self)
    }

    fn flipped(&self) -> Result<chess::Position, Error> {
        Ok(self.mirrored())
    }

    fn count_leaves(&self, depth: u32) -> u64 {
        self.perft(depth)
    }

    fn advance(&mut self, mv: Move) {
        self.make(mv);
    }
}

impl Exhibit for fairy::Position {
    fn display(&self) -> String {
        display::fairy_board(self)
    }

    fn flipped(&self) -> Result<fairy::Position, Error> {
        let name = self.rules().variant.name;
        self.mirrored().map_err(|error| error.within(&format!("{name} cannot be flipped")))
    }

    fn count_leaves(&self, depth: u32) -> u64 {
        self.perft(depth)
    }

    fn advance(&mut self, mv: Move) {
        self.make(mv);
    }
}

/// The session of a game.
pub enum AnySession {
    /// Chess and Chess960.
    Chess(Box<Session<chess::Position>>),
    /// A variant.
    Fairy(Box<Session<fairy::Position>>, &'static fairy::Rules),
}

/// The same for either kind of session.
macro_rules! with {
    ($any:expr, $session:ident => $body:expr) => {
        match $any {
            AnySession::Chess($session) => $body,
            AnySession::Fairy($session, _) => $body,
        }
    };
}

impl AnySession {
    /// A session of the game with this name, at its start position, with parked threads.
    pub fn new(
        name: &str,
        threads: usize,
        table: Arc<Table>,
        control: Arc<Control>,
        evaluation: &Evaluation,
    ) -> Result<AnySession, Error> {
        Ok(match Choice::find(name)? {
            Choice::Chess => {
                let start = chess::Position::start();
                AnySession::Chess(Box::new(match evaluation {
                    Evaluation::Classical => Session::new(start, threads, Classical::new, table, control)?,
                    Evaluation::Network(network) => {
                        let evaluator = || Nnue::new(Arc::clone(network));
                        Session::new(start, threads, evaluator, table, control)?
                    }
                }))
            }
            Choice::Variant(rules) => {
                let start = fairy::Position::start(rules);
                let session = Session::new(start, threads, Fairy::new, table, control)?;
                AnySession::Fairy(Box::new(session), rules)
            }
        })
    }

    /// Whether this is a session of the game with this name.
    pub fn plays(&self, name: &str) -> bool {
        match (self, Choice::find(name)) {
            (AnySession::Chess(_), Ok(Choice::Chess)) => true,
            (AnySession::Fairy(_, ours), Ok(Choice::Variant(rules))) => std::ptr::eq(*ours, rules),
            _ => false,
        }
    }

    /// Whether it is chess.
    pub fn plays_chess(&self) -> bool {
        matches!(self, AnySession::Chess(_))
    }

    /// What front ends that know many games want to hear about this one.
    pub fn description(&self) -> String {
        let (name, files, ranks, template, start) = match self {
            AnySession::Chess(_) => ("chess", 8, 8, "chess", chess::START_FEN),
            AnySession::Fairy(_, rules) => {
                let variant = rules.variant;
                (variant.name, variant.files, variant.ranks, "fairy", variant.start)
            }
        };
        format!("variant {name} files {files} ranks {ranks} pocket 0 template {template} startpos {start}")
    }

    /// The position on the board, where chess is played.
    pub fn chess_position(&self) -> Option<&chess::Position> {
        match self {
            AnySession::Chess(session) => session.position(),
            AnySession::Fairy(..) => None,
        }
    }

    /// The session of chess, where chess is played.
    pub fn chess_mut(&mut self) -> Option<&mut Session<chess::Position>> {
        match self {
            AnySession::Chess(session) => Some(session),
            AnySession::Fairy(..) => None,
        }
    }

    /// Builds the position that a FEN (or the start) and moves lead to and puts it on the board. After an error the old
    /// one is still there.
    pub fn set_position(&mut self, fen: Option<&str>, moves: &[String], chess960: bool) -> Result<(), Error> {
        let within = |error: Error| error.within("FEN");
        match self {
            AnySession::Chess(session) => {
                let mut position = match fen {
                    Some(fen) => chess::Position::from_fen(fen).map_err(within)?,
                    None => chess::Position::start(),
                };
                position.set_chess960(chess960);
                play_all(&mut position, moves, chess::Position::forget_undo)?;
                session.set_position(Some(position));
            }
            AnySession::Fairy(session, rules) => {
                let mut position = match fen {
                    Some(fen) => fairy::Position::from_fen(rules, fen).map_err(within)?,
                    None => fairy::Position::start(rules),
                };
                play_all(&mut position, moves, fairy::Position::forget_undo)?;
                session.set_position(Some(position));
            }
        }
        Ok(())
    }

    /// There is no position until a good one comes.
    pub fn forget_position(&mut self) {
        with!(self, session => session.set_position(None));
    }

    /// Replaces the threads; those of chess judge by this evaluation.
    pub fn set_threads(&mut self, threads: usize, evaluation: &Evaluation) -> Result<(), Error> {
        match self {
            AnySession::Chess(session) => {
                let start = chess::Position::start();
                match evaluation {
                    Evaluation::Classical => session.set_threads(threads, &start, Classical::new),
                    Evaluation::Network(network) => {
                        session.set_threads(threads, &start, || Nnue::new(Arc::clone(network)))
                    }
                }
            }
            AnySession::Fairy(session, rules) => {
                session.set_threads(threads, &fairy::Position::start(rules), Fairy::new)
            }
        }
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        with!(self, session => session.threads())
    }

    /// The table of the search.
    pub fn table(&self) -> &Arc<Table> {
        with!(self, session => session.table())
    }

    /// Replaces the table.
    pub fn set_table(&mut self, table: Arc<Table>) {
        with!(self, session => session.set_table(table));
    }

    /// Gives the search of chess endgame tables to ask, or none; variants have no tables.
    pub fn set_tables(&mut self, tables: Option<&Endgames>) {
        if let AnySession::Chess(session) = self {
            session.set_tables(tables.map(|tables| Arc::new(tables.clone()) as _));
        }
    }

    /// Forgets the last game.
    pub fn clear(&self) {
        with!(self, session => session.clear());
    }

    /// Forgets what the table knows.
    pub fn clear_table(&self) {
        with!(self, session => session.clear_table());
    }

    /// Starts a search and returns at once.
    pub fn search(&self, request: Request, listener: &Listener, done: Done) {
        with!(self, session => session.search(request, listener, done));
    }

    /// Random openings of the game, from a seed and the positions of a book or else the start position. Those of chess
    /// are judged by `of_chess`.
    pub fn openings(
        &self,
        seed: u64,
        book: Option<&str>,
        chess960: bool,
        of_chess: &Evaluation,
    ) -> Result<NextFen, Error> {
        match self {
            AnySession::Chess(_) => {
                let openings = if chess960 { ChessOpenings::of_chess960 } else { ChessOpenings::of_chess };
                openings(seed, book)?.into_fens(Box::new(Mind::new(of_chess)))
            }
            AnySession::Fairy(_, rules) => {
                let worker = Worker::new(0, fairy::Position::start(rules), Fairy::new());
                VariantOpenings::of_variant(rules, seed, book)?.into_fens(Box::new(worker))
            }
        }
    }

    /// The board as people read it.
    pub fn display(&self) -> Result<String, Error> {
        with!(self, session => on_board(session).map(Exhibit::display))
    }

    /// What the evaluation of the game says about the position; that of chess can be chosen.
    pub fn evaluation(&self, of_chess: &Evaluation) -> Result<String, Error> {
        match self {
            AnySession::Chess(session) => on_board(session).map(|position| of_chess.table(position)),
            AnySession::Fairy(session, _) => on_board(session).map(fairy_eval::table),
        }
    }

    /// Exchanges the colors on the board.
    pub fn flip(&mut self) -> Result<(), Error> {
        with!(self, session => {
            let flipped = on_board(session)?.flipped()?;
            session.set_position(Some(flipped));
            Ok(())
        })
    }

    /// The first moves of the position, each as text and with a way to count the leaves behind it.
    pub fn branches(&self, depth: u32) -> Result<Vec<Branch>, Error> {
        with!(self, session => on_board(session).map(|position| branches(position, depth)))
    }
}

/// A first move and how to count what comes after it.
pub struct Branch {
    /// The move.
    pub text: String,
    /// Counts the leaves.
    pub count: Box<dyn FnOnce() -> u64 + Send>,
}

fn branches<G: Exhibit>(position: &G, depth: u32) -> Vec<Branch> {
    let mut moves = MoveList::new();
    position.generate(Stage::All, &mut moves);
    let branch = |mv: Move| {
        let mut after = position.clone();
        after.advance(mv);
        let count = move || after.count_leaves(depth.saturating_sub(1));
        Branch { text: position.move_text(mv), count: Box::new(count) }
    };
    moves.into_iter().map(branch).collect()
}

/// The position of a session.
fn on_board<G: Notation>(session: &Session<G>) -> Result<&G, Error> {
    session.position().ok_or_else(|| Error::new("there is no position: the last one was refused"))
}

/// Plays the moves of a game so far.
fn play_all<G: Notation>(position: &mut G, moves: &[String], forget_undo: fn(&mut G)) -> Result<(), Error> {
    for (index, text) in moves.iter().enumerate() {
        position.play_text(text).map_err(|error| error.within(&format!("move {}", index + 1)))?;
        forget_undo(position);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_game() {
        for name in VARIANTS {
            assert!(Choice::find(name).is_ok(), "{name}");
        }
        assert!(Choice::find("xiangqi").is_err());
    }
}
