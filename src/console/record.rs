//! The game at the console: where it began, its moves, and which of them is on the board.

use std::time::Duration;

use rand::Rng;

use crate::base::{Cell, Color, Error, Move};
use crate::engine::board::{AnyBoard, Raid, Verdict};
use crate::pgn::Glyph;

/// What is said of a side whose clock has run out; PGN files know such endings by another name.
pub const OUT_OF_TIME: &str = "has run out of time";

/// A move that was played.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// In algebraic notation.
    pub san: String,
    /// As the engine takes it, with what the Behemoth did.
    pub uci: String,
    /// Where it began.
    pub from: Cell,
    /// Where it ended.
    pub to: Cell,
    /// What the Behemoth did after it.
    pub raid: Option<Raid>,
    /// What it cost on the clock.
    pub spent: Duration,
    /// What a loaded game said about it.
    pub notes: Notes,
}

/// Remarks on a move that come from a file and go back there.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Signs such as `!?`.
    pub glyphs: Vec<Glyph>,
    /// In words.
    pub comment: String,
    /// Other lines in place of the move.
    pub variations: Vec<String>,
}

/// A game and a place in it.
pub struct Record {
    start: AnyBoard,
    /// Not the start position of the game, or one of many.
    is_setup: bool,
    plies: Vec<Ply>,
    /// How many of them are on the board.
    shown: usize,
    board: AnyBoard,
    /// An end that the board does not show: given up, agreed, out of time.
    agreed: Option<Verdict>,
    /// The first ply that the clock has seen.
    timed_from: usize,
    /// What a loaded game said about itself.
    pub tags: Vec<(String, String)>,
    /// And before its first move.
    pub comment: String,
}

impl Record {
    /// A new game from its start position, or one of its start positions.
    pub fn new(game: &str, random: &mut impl Rng) -> Result<Record, Error> {
        let start = AnyBoard::start(game, random)?;
        let is_setup = start.fen() != AnyBoard::start_fen(game)?;
        Ok(Record::at(start, is_setup))
    }

    /// A new game from a position.
    pub fn from_fen(game: &str, fen: &str) -> Result<Record, Error> {
        let start = AnyBoard::from_fen(game, fen)?;
        let is_setup = start.fen() != AnyBoard::start_fen(game)?;
        Ok(Record::at(start, is_setup))
    }

    fn at(start: AnyBoard, is_setup: bool) -> Record {
        let board = start.clone();
        Record {
            start,
            is_setup,
            plies: Vec::new(),
            shown: 0,
            board,
            agreed: None,
            timed_from: 0,
            tags: Vec::new(),
            comment: String::new(),
        }
    }

    /// The position on the board.
    pub fn board(&self) -> &AnyBoard {
        &self.board
    }

    /// Where the game began.
    pub fn start(&self) -> &AnyBoard {
        &self.start
    }

    /// The start position as FEN, unless it is the usual one.
    pub fn setup(&self) -> Option<String> {
        self.is_setup.then(|| self.start.fen())
    }

    /// All moves, those that were taken back included.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves that are on the board.
    pub fn played(&self) -> &[Ply] {
        &self.plies[..self.shown]
    }

    /// The move that was made last.
    pub fn last(&self) -> Option<&Ply> {
        self.played().last()
    }

    /// The moves as the engine takes them.
    pub fn uci(&self) -> Vec<String> {
        self.played().iter().map(|ply| ply.uci.clone()).collect()
    }

    /// Whose move it was so many plies after the start.
    pub fn side_at(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.start.side() } else { !self.start.side() }
    }

    /// A clock starts: what was played before is not on it.
    pub fn start_clock(&mut self) {
        self.timed_from = self.shown;
    }

    /// How many moves a side has made on the clock, and what they cost.
    pub fn spent(&self, side: Color) -> (u32, Duration) {
        self.spent_until(side, self.shown)
    }

    /// The same up to a ply.
    pub fn spent_until(&self, side: Color, ply: usize) -> (u32, Duration) {
        let timed = self.plies[..ply.min(self.shown)].iter().enumerate().skip(self.timed_from);
        let own = timed.filter(|(place, _)| self.side_at(*place) == side);
        own.fold((0, Duration::ZERO), |(moves, time), (_, ply)| (moves + 1, time + ply.spent))
    }

    /// Whether a ply was played on the clock.
    pub fn is_timed(&self, ply: usize) -> bool {
        ply >= self.timed_from
    }

    /// Plays a legal move, and lets the Behemoth do as `raid` says. Moves that were taken back are forgotten.
    pub fn play(&mut self, mv: Move, raid: Option<&str>, spent: Duration) -> Result<&Ply, Error> {
        let facts = self.board.legal().into_iter().find(|(known, _)| *known == mv);
        let (_, facts) = facts.ok_or_else(|| Error::new("that move is not legal"))?;
        let (san, mut uci) = (self.board.san(mv), self.board.uci(mv));
        let to = self.board.target(mv);
        let mut after = self.board.clone();
        after.play(mv);
        let raid = match raid {
            Some(text) if after.has_raids() && !after.awaits_raid() => {
                return Err(Error::new(format!("{san} ends the game, the Behemoth does not move {text}")));
            }
            Some(text) => Some(after.raid(text)?),
            None => None,
        };
        if let Some(raid) = &raid {
            uci = format!("{uci},{}", raid.text);
        }
        self.plies.truncate(self.shown);
        let notes = Notes::default();
        self.plies.push(Ply { mv, san, uci, from: facts.from, to, raid, spent, notes });
        self.shown += 1;
        self.board = after;
        self.agreed = None;
        Ok(&self.plies[self.shown - 1])
    }

    /// Notes what a file says about the last move.
    pub fn annotate(&mut self, notes: Notes) {
        if let Some(last) = self.plies[..self.shown].last_mut() {
            last.notes = notes;
        }
    }

    /// Takes up to so many plies back; tells how many there were.
    pub fn back(&mut self, plies: usize) -> usize {
        self.agreed = None;
        self.go_to(self.shown.saturating_sub(plies))
    }

    /// Plays up to so many plies again; tells how many there were.
    pub fn forward(&mut self, plies: usize) -> usize {
        self.go_to(self.shown.saturating_add(plies).min(self.plies.len()))
    }

    /// Puts the position after so many plies on the board; tells how far that was.
    pub fn go_to(&mut self, ply: usize) -> usize {
        let ply = ply.min(self.plies.len());
        let distance = ply.abs_diff(self.shown);
        let mut board = self.start.clone();
        for played in &self.plies[..ply] {
            board.play(played.mv);
            if let Some(raid) = &played.raid {
                // It happened once, so it can happen again.
                let _ = board.raid(&raid.text);
            }
        }
        (self.board, self.shown) = (board, ply);
        distance
    }

    /// Ends the game by agreement. Moves that were taken back are forgotten.
    pub fn agree(&mut self, verdict: Verdict) {
        self.plies.truncate(self.shown);
        self.agreed = Some(verdict);
    }

    /// Whether the game has ended in a way that the board does not show.
    pub fn is_agreed(&self) -> bool {
        self.agreed.is_some()
    }

    /// How the game has ended, if the position on the board is its end.
    pub fn verdict(&self) -> Option<Verdict> {
        let agreed = self.agreed.clone().filter(|_| self.shown == self.plies.len());
        agreed.or_else(|| self.board.verdict())
    }

    /// The result as PGN writes it. A game whose last moves have been taken back has none.
    pub fn result(&self) -> &'static str {
        match self.verdict() {
            None => "*",
            Some(Verdict { winner: None, .. }) => "1/2-1/2",
            Some(Verdict { winner: Some(Color::White), .. }) => "1-0",
            Some(Verdict { winner: Some(Color::Black), .. }) => "0-1",
        }
    }

    /// The moves with their numbers, from one ply on.
    pub fn numbered(&self, first: usize) -> Vec<String> {
        let mut number = self.start.fullmove();
        let mut words = Vec::new();
        for (place, ply) in self.played().iter().enumerate() {
            let side = self.side_at(place);
            if place >= first {
                let head = match side.is_white() {
                    true => format!("{number}. "),
                    false if place == first => format!("{number}... "),
                    false => String::new(),
                };
                words.push(format!("{head}{}", notation(ply)));
            }
            number += u32::from(!side.is_white());
        }
        words
    }
}

/// A move with what the Behemoth did.
pub fn notation(ply: &Ply) -> String {
    match &ply.raid {
        Some(raid) => format!("{},{}", ply.san, raid.text),
        None => ply.san.clone(),
    }
}
