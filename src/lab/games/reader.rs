//! Reading game records, one game at a time. Used by `tune`, `train`, `datagen --info`, and by the writer to find the
//! end of a file it continues.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::marker::PhantomData;
use std::path::Path;

use indicatif::HumanCount;

use super::format::{self, Header, PREFIX_BYTES};
use super::{GameRecord, Recorded};
use crate::base::error::quote;
use crate::base::{Error, files};
use crate::chess::Position;
use crate::fairy::Rules;

/// Read ahead this much: files are large and read from front to back.
const BUFFER_BYTES: usize = 1 << 18;

/// What cannot be read of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The first fault and where it is.
    pub first: String,
    /// How many places are damaged.
    pub places: u64,
    /// Bytes that belong to no sound game.
    pub lost_bytes: u64,
    /// Sound games that were read behind the first fault.
    pub games_behind: u64,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {} bytes lost", self.first, HumanCount(self.lost_bytes))?;
        if self.places > 1 {
            write!(f, " in {} places", HumanCount(self.places))?;
        }
        match self.games_behind {
            0 => write!(f, ", nothing behind it can be read"),
            games => write!(f, ", {} games behind it are sound", HumanCount(games)),
        }
    }
}

/// An iterator over the sound games of a file. What lies between them is skipped; [`GameReader::damage`] tells of it.
pub struct GameReader<G: Recorded = Position, R: Read = BufReader<File>> {
    input: R,
    header: Header,
    games: u64,
    /// Bytes of the header and of sound games.
    sound_bytes: u64,
    damage: Option<Damage>,
    /// Whether the bytes at hand follow a damage.
    astray: bool,
    ended: bool,
    /// Bytes that are read but belong to no game yet.
    buffer: Vec<u8>,
    kind: PhantomData<G>,
}

/// The rules by which the games of a file are played.
pub fn rules_of(path: &Path) -> Result<&'static Rules, Error> {
    let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
    let mut file = files::open(path).map_err(named)?;
    format::read_header(&mut file).map_err(named).map(|header| header.rules)
}

impl<G: Recorded> GameReader<G> {
    /// Opens a file; fails if it cannot be read, is no file of game records or holds games of another kind.
    pub fn open(path: &Path) -> Result<GameReader<G>, Error> {
        let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
        let file = files::open(path).map_err(named)?;
        GameReader::new(BufReader::with_capacity(BUFFER_BYTES, file)).map_err(named)
    }
}

impl<G: Recorded, R: Read> GameReader<G, R> {
    /// Reads from anything that gives bytes; it should be buffered.
    pub fn new(mut input: R) -> Result<GameReader<G, R>, Error> {
        let header = format::read_header(&mut input)?;
        if !G::knows(header.rules) {
            let wanted = if header.rules.is_chess() { "a variant" } else { "chess" };
            let name = header.rules.variant.name;
            return Err(Error::new(format!("a file of {name} games, where games of {wanted} are needed")));
        }
        Ok(GameReader {
            input,
            games: 0,
            sound_bytes: header.bytes as u64,
            header,
            damage: None,
            astray: false,
            ended: false,
            buffer: Vec::new(),
            kind: PhantomData,
        })
    }

    /// The rules by which the games are played.
    pub fn rules(&self) -> &'static Rules {
        self.header.rules
    }

    /// How the games were made, as the writer of the file noted it.
    pub fn note(&self) -> &str {
        &self.header.note
    }

    /// Whether scores had faded with the fifty-move clock when they were recorded, as in files of old versions.
    pub fn faded(&self) -> bool {
        self.header.faded
    }

    /// What could not be read so far.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Sound games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Their bytes and those of the header.
    pub fn bytes(&self) -> u64 {
        self.sound_bytes
    }

    /// The game at the front of the buffer with its size, or none at the end of the file.
    fn read_game(&mut self) -> Result<Option<(GameRecord<G>, usize)>, Error> {
        let Some(size) = self.next_size()? else { return Ok(None) };
        format::decode(&self.buffer[..size], self.header.rules).map(|game| Some((game, size)))
    }

    /// Reads the bytes of the next game and tells how many they are; none at the end of the file.
    fn next_size(&mut self) -> Result<Option<usize>, Error> {
        let cut_off = || Error::new("the file ends in the middle of it");
        self.fill(PREFIX_BYTES)?;
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let prefix = self.buffer.first_chunk().ok_or_else(cut_off)?;
        let size = format::game_bytes(prefix, self.header.rules)?;
        self.fill(size)?;
        if self.buffer.len() < size { Err(cut_off()) } else { Ok(Some(size)) }
    }

    /// The next game whose number, from 0, is wanted. Of the others only the checksum is looked at.
    pub fn next_where(&mut self, wanted: impl Fn(u64) -> bool) -> Option<GameRecord<G>> {
        loop {
            while !wanted(self.games) && !self.astray {
                match self.sound_size() {
                    Ok(Some(size)) => self.take_bytes(size),
                    // The usual way tells what is wrong.
                    Ok(None) | Err(_) => break,
                }
            }
            let game = self.next()?;
            if wanted(self.games - 1) {
                return Some(game);
            }
        }
    }

    /// The size of the game at the front of the buffer if its checksum is right; none at the end of the file.
    fn sound_size(&mut self) -> Result<Option<usize>, Error> {
        let Some(size) = self.next_size()? else { return Ok(None) };
        format::check(&self.buffer[..size]).map(|_| Some(size))
    }

    /// Steps over a game at the front of the buffer.
    fn take_bytes(&mut self, size: usize) {
        self.games += 1;
        self.sound_bytes += size as u64;
        self.buffer.drain(..size);
        self.astray = false;
        if let Some(damage) = &mut self.damage {
            damage.games_behind += 1;
        }
    }

    /// Reads until the buffer holds so many bytes, or all there are.
    fn fill(&mut self, count: usize) -> Result<(), Error> {
        let missing = count.saturating_sub(self.buffer.len());
        if missing > 0 {
            self.input.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
        }
        Ok(())
    }

    /// Takes note of a byte at which no sound game begins.
    fn skip_byte(&mut self, error: &Error) {
        let (number, at) = (self.games + 1, self.sound_bytes);
        let damage = self.damage.get_or_insert_with(|| Damage {
            first: format!("game {number}, at byte {at}: {error}"),
            places: 0,
            lost_bytes: 0,
            games_behind: 0,
        });
        damage.places += u64::from(!self.astray);
        damage.lost_bytes += 1;
        self.astray = true;
        self.buffer.drain(..1);
    }
}

impl<G: Recorded, R: Read> Iterator for GameReader<G, R> {
    type Item = GameRecord<G>;

    fn next(&mut self) -> Option<GameRecord<G>> {
        while !self.ended {
            match self.read_game() {
                Ok(Some((game, size))) => {
                    self.take_bytes(size);
                    return Some(game);
                }
                Ok(None) => self.ended = true,
                Err(error) if self.buffer.is_empty() => {
                    // The system cannot read any further.
                    self.ended = true;
                    self.damage.get_or_insert(Damage {
                        first: error.to_string(),
                        places: 1,
                        lost_bytes: 0,
                        games_behind: 0,
                    });
                }
                Err(error) => self.skip_byte(&error),
            }
        }
        None
    }
}
