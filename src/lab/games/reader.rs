//! Reading game records, one game at a time. Used by `tune`, `train`, `datagen --info`, and by the writer to find the
//! end of a file it continues.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

use super::GameRecord;
use super::format::{self, HEADER_BYTES, PREFIX_BYTES};
use crate::base::Error;
use crate::base::error::quote;

/// Read ahead this much: files are large and read from front to back.
const BUFFER_BYTES: usize = 1 << 18;

/// An iterator over the games of a file. It ends at the end of the file or at the first damage; [`GameReader::damage`]
/// tells which.
pub struct GameReader<R: Read = BufReader<File>> {
    input: R,
    games: u64,
    bytes: u64,
    damage: Option<String>,
    ended: bool,
    game: Vec<u8>,
}

impl GameReader {
    /// Opens a file; fails if it cannot be read or is no file of game records.
    pub fn open(path: &Path) -> Result<GameReader, Error> {
        let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
        let file = File::open(path).map_err(|error| named(error.into()))?;
        GameReader::new(BufReader::with_capacity(BUFFER_BYTES, file)).map_err(named)
    }
}

impl<R: Read> GameReader<R> {
    /// Reads from anything that gives bytes; it should be buffered.
    pub fn new(mut input: R) -> Result<GameReader<R>, Error> {
        let mut header = [0; HEADER_BYTES];
        input.read_exact(&mut header).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Error::new("not a file of game records: it is too short"),
            _ => error.into(),
        })?;
        format::check_header(&header)?;
        let bytes = HEADER_BYTES as u64;
        Ok(GameReader { input, games: 0, bytes, damage: None, ended: false, game: Vec::new() })
    }

    /// Where and why reading ended early; `None` if it went on to the end of the file or has not ended yet. Everything
    /// before the damage has been read, nothing after it.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Bytes read so far, those of whole and sound games and of the header.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next game, or none at the end of the file.
    fn read_game(&mut self) -> Result<Option<GameRecord>, Error> {
        self.game.clear();
        if self.read_more(PREFIX_BYTES)? == 0 {
            return Ok(None);
        }
        let cut_off = || Error::new("the file ends in the middle of it");
        let prefix = self.game.first_chunk().ok_or_else(cut_off)?;
        let rest = format::rest_bytes(prefix)?;
        if self.read_more(rest)? < rest {
            return Err(cut_off());
        }
        format::decode(&self.game).map(Some)
    }

    /// Reads `count` more bytes of the game, or as many as there are.
    fn read_more(&mut self, count: usize) -> Result<usize, Error> {
        Ok(self.input.by_ref().take(count as u64).read_to_end(&mut self.game)?)
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = GameRecord;

    fn next(&mut self) -> Option<GameRecord> {
        if self.ended {
            return None;
        }
        match self.read_game() {
            Ok(Some(game)) => {
                self.games += 1;
                self.bytes += self.game.len() as u64;
                return Some(game);
            }
            Ok(None) => {}
            Err(error) => {
                self.damage = Some(format!("game {}, at byte {}: {error}", self.games + 1, self.bytes));
            }
        }
        self.ended = true;
        None
    }
}
