//! Reading game records, one game at a time. Used by `tune`, `train`, `datagen --info`, and by the writer to find the
//! end of a file it continues.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::marker::PhantomData;
use std::path::Path;

use super::format::{self, HEADER_BYTES, NAME_BYTES, PREFIX_BYTES};
use super::{GameRecord, Recorded};
use crate::base::Error;
use crate::base::error::quote;
use crate::chess::Position;
use crate::fairy::Rules;

/// Read ahead this much: files are large and read from front to back.
const BUFFER_BYTES: usize = 1 << 18;

/// An iterator over the games of a file. It ends at the end of the file or at the first damage; [`GameReader::damage`]
/// tells which.
pub struct GameReader<G: Recorded = Position, R: Read = BufReader<File>> {
    input: R,
    rules: &'static Rules,
    games: u64,
    bytes: u64,
    damage: Option<String>,
    ended: bool,
    /// The bytes of the game that is read.
    buffer: Vec<u8>,
    kind: PhantomData<G>,
}

/// The rules by which the games of a file are played.
pub fn rules_of(path: &Path) -> Result<&'static Rules, Error> {
    let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
    let mut file = File::open(path).map_err(|error| named(error.into()))?;
    read_header(&mut file).map_err(named).map(|(rules, _)| rules)
}

impl<G: Recorded> GameReader<G> {
    /// Opens a file; fails if it cannot be read, is no file of game records or holds games of another kind.
    pub fn open(path: &Path) -> Result<GameReader<G>, Error> {
        let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
        let file = File::open(path).map_err(|error| named(error.into()))?;
        GameReader::new(BufReader::with_capacity(BUFFER_BYTES, file)).map_err(named)
    }
}

impl<G: Recorded, R: Read> GameReader<G, R> {
    /// Reads from anything that gives bytes; it should be buffered.
    pub fn new(mut input: R) -> Result<GameReader<G, R>, Error> {
        let (rules, bytes) = read_header(&mut input)?;
        if !G::knows(rules) {
            let wanted = if rules.is_chess() { "a variant" } else { "chess" };
            let name = rules.variant.name;
            return Err(Error::new(format!("a file of {name} games, where games of {wanted} are needed")));
        }
        let buffer = Vec::new();
        Ok(GameReader {
            input,
            rules,
            games: 0,
            bytes,
            damage: None,
            ended: false,
            buffer,
            kind: PhantomData,
        })
    }

    /// The rules by which the games are played.
    pub fn rules(&self) -> &'static Rules {
        self.rules
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
    fn read_game(&mut self) -> Result<Option<GameRecord<G>>, Error> {
        self.buffer.clear();
        if self.read_more(PREFIX_BYTES)? == 0 {
            return Ok(None);
        }
        let cut_off = || Error::new("the file ends in the middle of it");
        let prefix = self.buffer.first_chunk().ok_or_else(cut_off)?;
        let rest = format::rest_bytes(prefix, self.rules)?;
        if self.read_more(rest)? < rest {
            return Err(cut_off());
        }
        format::decode(&self.buffer, self.rules).map(Some)
    }

    /// Reads `count` more bytes of the game, or as many as there are.
    fn read_more(&mut self, count: usize) -> Result<usize, Error> {
        Ok(self.input.by_ref().take(count as u64).read_to_end(&mut self.buffer)?)
    }
}

impl<G: Recorded, R: Read> Iterator for GameReader<G, R> {
    type Item = GameRecord<G>;

    fn next(&mut self) -> Option<GameRecord<G>> {
        if self.ended {
            return None;
        }
        match self.read_game() {
            Ok(Some(game)) => {
                self.games += 1;
                self.bytes += self.buffer.len() as u64;
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

/// Reads the first bytes of a file: the rules of its games, and how many bytes these were.
fn read_header(input: &mut impl Read) -> Result<(&'static Rules, u64), Error> {
    let header: [u8; HEADER_BYTES] = read_bytes(input)?;
    let name: Option<[u8; NAME_BYTES]> = format::has_name(&header)?.then(|| read_bytes(input)).transpose()?;
    let rules = format::named_rules(name)?;
    Ok((rules, format::header(rules).len() as u64))
}

fn read_bytes<const COUNT: usize>(input: &mut impl Read) -> Result<[u8; COUNT], Error> {
    let mut bytes = [0; COUNT];
    input.read_exact(&mut bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => Error::new("not a file of game records: it is too short"),
        _ => error.into(),
    })?;
    Ok(bytes)
}
