//! Making a book out of games and lists of openings.
//!
//! [`Builder::add_file`] reads a file of any size, packed or not, game by game (`pgn`, `lists`, `way`) and
//! counts the moves of its first plies in bounded memory (`tally`); [`Builder::finish`] weighs them and writes the book.

mod lists;
mod pgn;
mod tally;
mod way;

use std::io::Read;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use super::writer::{BookWriter, Written, folder_of};
use super::{encode, key};
use crate::base::error::quote;
use crate::base::{Color, Error, Move};
use crate::chess::{ChessMove, MoveKind, Position};
use crate::pgn::input::{self, Input};
use crate::pgn::split::{GameText, Splitter};
use tally::{Count, Tally};

/// What goes into a book.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Plies of each game that are counted.
    pub max_ply: usize,
    /// A move must have been played in so many games.
    pub min_games: u64,
    /// Both players must be rated at least this; zero lets in those without a rating too.
    pub min_elo: u32,
    /// Only moves of this side.
    pub side: Option<Color>,
    /// What the counts may take in memory; more goes to temporary files.
    pub memory_bytes: usize,
}

/// What became of the games so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games or lines of lists that were read.
    pub games: u64,
    /// Those whose moves were counted.
    pub used: u64,
    /// Those that could not be understood.
    pub broken: u64,
    /// Those of players who are rated too low.
    pub weak: u64,
    /// Those of other variants of chess.
    pub other_variants: u64,
    /// Those without moves.
    pub without_moves: u64,
    /// Moves that were counted.
    pub plies: u64,
}

/// Hears how the building goes.
pub trait Watcher {
    /// A game is left out: where it is and what is wrong with it.
    fn broken(&mut self, place: &str, why: &Error);
    /// So far, with so many bytes of the present file read.
    fn progress(&mut self, totals: &Totals, bytes: u64);
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// With a win.
    Win(Color),
    /// Drawn.
    Draw,
    /// Nobody knows.
    #[default]
    Unknown,
}

impl Ending {
    fn from_text(text: &str) -> Ending {
        match text.trim() {
            "1-0" => Ending::Win(Color::White),
            "0-1" => Ending::Win(Color::Black),
            "1/2-1/2" | "1/2" => Ending::Draw,
            _ => Ending::Unknown,
        }
    }
}

/// A game as far as a book is concerned; all moves are legal.
#[derive(Clone, Debug)]
struct Line {
    start: Position,
    moves: Vec<Move>,
    ending: Ending,
    elo: [Option<u32>; 2],
}

/// Counts games.
pub struct Builder {
    settings: Settings,
    tally: Tally,
    totals: Totals,
}

impl Builder {
    /// A builder that keeps what does not fit into memory in the folder of the book that it is for.
    pub fn new(settings: Settings, book: &Path) -> Builder {
        let tally = Tally::new(settings.memory_bytes, folder_of(book));
        Builder { settings, tally, totals: Totals::default() }
    }

    /// What was read so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Counts the games of a file. Its name tells what it is, apart from `.gz`, `.bz2` or `.zst`: `.tsv` and `.epd` are lists,
    /// anything else is PGN.
    pub fn add_file(&mut self, path: &Path, watcher: &mut dyn Watcher) -> Result<(), Error> {
        let name = path.to_string_lossy();
        let added = Input::open(path).and_then(|input| self.add_input(input, &name, watcher));
        added.map_err(|error| error.within(&quote(&name)))
    }

    /// Counts what a stream holds as if it came from a file of that name.
    pub fn add_stream(
        &mut self,
        name: &str,
        stream: Box<dyn Read>,
        watcher: &mut dyn Watcher,
    ) -> Result<(), Error> {
        let added = Input::new(stream).and_then(|input| self.add_input(input, name, watcher));
        added.map_err(|error| error.within(&quote(name)))
    }

    fn add_input(&mut self, input: Input, name: &str, watcher: &mut dyn Watcher) -> Result<(), Error> {
        let plain = name.trim_end_matches(".gz").trim_end_matches(".bz2").trim_end_matches(".zst");
        match plain.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
            Some("tsv") => {
                let mut table = lists::Table::default();
                self.add_list(input, name, watcher, |line| Ok(table.read(line)?.into_iter().collect()))
            }
            Some("epd" | "fen") => self.add_list(input, name, watcher, lists::read_epd),
            _ => self.add_games(input, name, watcher),
        }
    }

    fn add_games(&mut self, input: Input, name: &str, watcher: &mut dyn Watcher) -> Result<(), Error> {
        let mut splitter = Splitter::new(input.stream);
        let mut number = 0u64;
        while let Some(game) = splitter.next_game()? {
            number += 1;
            self.add_game(game, number, name, watcher)?;
            watcher.progress(&self.totals, input.read.load(Relaxed));
        }
        Ok(())
    }

    fn add_game(
        &mut self,
        game: &GameText,
        number: u64,
        name: &str,
        watcher: &mut dyn Watcher,
    ) -> Result<(), Error> {
        self.totals.games += 1;
        match pgn::read(game) {
            Ok(Some(line)) => self.add(&line),
            Ok(None) => {
                self.totals.other_variants += 1;
                Ok(())
            }
            Err(why) => {
                self.totals.broken += 1;
                watcher.broken(&format!("{name}:{}: game {number}", game.line), &why);
                Ok(())
            }
        }
    }

    /// Counts the lines of a list as `read` understands them.
    fn add_list(
        &mut self,
        mut input: Input,
        name: &str,
        watcher: &mut dyn Watcher,
        mut read: impl FnMut(&str) -> Result<Vec<Line>, Error>,
    ) -> Result<(), Error> {
        let mut bytes = Vec::new();
        let mut number = 0u64;
        while input::read_line(&mut input.stream, lists::LONGEST_LINE, &mut bytes)? {
            number += 1;
            let text = String::from_utf8_lossy(&bytes);
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            match read(text.trim_start_matches('\u{feff}').trim_end()) {
                Ok(lines) => {
                    for line in lines {
                        self.totals.games += 1;
                        self.add(&line)?;
                    }
                }
                Err(why) => {
                    self.totals.games += 1;
                    self.totals.broken += 1;
                    watcher.broken(&format!("{name}:{number}"), &why);
                }
            }
            watcher.progress(&self.totals, input.read.load(Relaxed));
        }
        Ok(())
    }

    /// Counts the moves of a game.
    fn add(&mut self, line: &Line) -> Result<(), Error> {
        let Settings { max_ply, min_elo, side, .. } = self.settings;
        if line.moves.is_empty() {
            self.totals.without_moves += 1;
            return Ok(());
        }
        if min_elo > 0 && line.elo.iter().any(|elo| elo.is_none_or(|elo| elo < min_elo)) {
            self.totals.weak += 1;
            return Ok(());
        }
        self.totals.used += 1;
        let mut position = line.start.clone();
        let mut passed = position.board().en_passant();
        for &mv in line.moves.iter().take(max_ply) {
            let mover = position.side_to_move();
            if side.is_none_or(|side| side == mover) {
                self.totals.plies += 1;
                self.tally.add(Count {
                    key: key(position.board(), passed),
                    code: encode(mv),
                    wins: u32::from(line.ending == Ending::Win(mover)),
                    draws: u32::from(matches!(line.ending, Ending::Draw | Ending::Unknown)),
                    losses: u32::from(line.ending == Ending::Win(!mover)),
                })?;
            }
            passed = (mv.code() == MoveKind::DoublePush as u16).then(|| mv.from().forward(mover));
            position.make(mv);
            position.forget_undo();
        }
        Ok(())
    }

    /// Writes the book. A move weighs two for each game won with it and one for each drawn, so that both how often it
    /// is played and how well it does count; a move that only lost is left out.
    pub fn finish(self, path: &Path) -> Result<Written, Error> {
        let mut writer = BookWriter::create(path)?;
        let mut counts = self.tally.finish()?.peekable();
        let mut moves: Vec<(u16, u64)> = Vec::new();
        while let Some(count) = counts.next().transpose()? {
            if count.games() >= self.settings.min_games {
                moves.push((count.code, 2 * u64::from(count.wins) + u64::from(count.draws)));
            }
            let position_goes_on = matches!(counts.peek(), Some(Ok(next)) if next.key == count.key);
            if !position_goes_on {
                writer.write(count.key, &mut moves)?;
                moves.clear();
            }
        }
        writer.finish()
    }
}
