//! Writing game records, to a new file or to the end of one that is there. Used by `datagen`.

use std::fs::{File, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::format;
use super::{GameReader, GameRecord, Recorded};
use crate::base::error::quote;
use crate::base::{Error, files};
use crate::fairy::Rules;

/// What games can be written to.
pub trait Output: Write {
    /// Forgets everything behind these bytes, as far as that can be done: what a write that failed has left there.
    fn cut(&mut self, bytes: u64);
}

impl Output for File {
    fn cut(&mut self, bytes: u64) {
        // The write before has failed already, and that is what will be told.
        let _ = self.set_len(bytes).and_then(|()| self.seek(SeekFrom::End(0)));
    }
}

impl Output for &mut Vec<u8> {
    fn cut(&mut self, bytes: u64) {
        self.truncate(bytes as usize);
    }
}

/// Writes games one after the other. Each is in the hands of the system as soon as it is written. A file is locked as
/// long as its writer lives.
pub struct GameWriter<W: Output = File> {
    output: W,
    rules: &'static Rules,
    /// What has been written whole.
    bytes: u64,
    game: Vec<u8>,
}

/// What a file that is continued holds already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Its games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// What was cut away at its end and why, if it was damaged there.
    pub repair: Option<String>,
}

impl GameWriter {
    /// Begins a new file for games by these rules; one of that name is overwritten. The note says how the games are
    /// made.
    pub fn create(path: &Path, rules: &'static Rules, note: &str) -> Result<GameWriter, Error> {
        let create = || GameWriter::new(emptied(open_locked(path)?)?, rules, note);
        create().map_err(named(path))
    }

    /// Continues a file, or begins it if there is none yet. A last game that is cut off or damaged is cut away, and
    /// [`Found::repair`] says so. If there are sound games behind the damage, or if more than a game can be is
    /// unreadable, the file is left alone and the error says why: no interrupted write does that. A file of other games,
    /// or of games that were made in another way, is left alone, too.
    pub fn append<G: Recorded>(
        path: &Path,
        rules: &'static Rules,
        note: &str,
    ) -> Result<(GameWriter, Found), Error> {
        GameWriter::append_to::<G>(path, rules, note).map_err(named(path))
    }

    fn append_to<G: Recorded>(
        path: &Path,
        rules: &'static Rules,
        note: &str,
    ) -> Result<(GameWriter, Found), Error> {
        let mut file = open_locked(path)?;
        if holds_no_game(&mut file, &format::header(rules, note))? {
            return GameWriter::new(emptied(file)?, rules, note).map(|writer| (writer, Found::default()));
        }
        let found = inspect::<G>(&file, rules, note)?;
        file.set_len(found.bytes)?;
        file.seek(SeekFrom::End(0))?;
        let bytes = found.bytes;
        Ok((GameWriter { output: file, rules, bytes, game: Vec::new() }, found))
    }
}

impl<W: Output> GameWriter<W> {
    /// Writes games by these rules to anything that takes bytes, from its beginning.
    pub fn new(mut output: W, rules: &'static Rules, note: &str) -> Result<GameWriter<W>, Error> {
        let header = format::header(rules, note);
        output.write_all(&header).inspect_err(|_| output.cut(0))?;
        Ok(GameWriter { output, rules, bytes: header.len() as u64, game: Vec::new() })
    }

    /// Writes a game. Its moves must be legal; a reader skips it if one is not. If it cannot be written whole, nothing
    /// of it stays.
    pub fn write<G: Recorded>(&mut self, game: &GameRecord<G>) -> Result<(), Error> {
        self.game.clear();
        format::encode(game, self.rules, &mut self.game)?;
        if let Err(error) = self.output.write_all(&self.game) {
            self.output.cut(self.bytes);
            return Err(error.into());
        }
        self.bytes += self.game.len() as u64;
        Ok(())
    }
}

/// Opens a file for writing, makes it if there is none, and keeps others from writing to it.
fn open_locked(path: &Path) -> Result<File, Error> {
    if path.exists() {
        files::check_regular(path)?;
    }
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::new("another program is writing games to it")),
        // Some network folders cannot lock; that is no reason to play no games.
        Err(TryLockError::Error(_)) => Ok(file),
    }
}

fn emptied(mut file: File) -> Result<File, Error> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// Whether a file is empty, or was interrupted while this header was written.
fn holds_no_game(file: &mut File, header: &[u8]) -> Result<bool, Error> {
    let mut first = Vec::new();
    (&*file).take(header.len() as u64).read_to_end(&mut first)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(first.len() < header.len() && header.starts_with(&first))
}

/// Reads a file, which is to be continued, to its end.
fn inspect<G: Recorded>(file: &File, rules: &Rules, note: &str) -> Result<Found, Error> {
    let mut input = BufReader::with_capacity(1 << 18, file);
    let there = format::read_header(&mut input)?;
    let (name, wanted) = (there.rules.variant.name, rules.variant.name);
    if name != wanted {
        return Err(Error::new(format!("a file of {name} games cannot be continued with games of {wanted}")));
    }
    if there.note != note {
        return Err(Error::new(format!(
            "its games were made in another way and cannot be continued: {}, not {}",
            if there.note.is_empty() { "by an old version" } else { &there.note },
            note
        )));
    }
    input.seek(SeekFrom::Start(0))?;
    let mut reader = GameReader::<G, _>::new(input)?;
    let plies = reader.by_ref().map(|game| game.plies.len() as u64).sum();
    let repair = match reader.damage() {
        None => None,
        Some(damage) if damage.games_behind > 0 => {
            return Err(Error::new(format!(
                "{damage}. It can be learned from as it is, but not continued: begin another file with another seed"
            )));
        }
        Some(damage) if damage.lost_bytes <= format::largest_game(rules) as u64 => {
            Some(format!("{} bytes were cut away ({})", damage.lost_bytes, damage.first))
        }
        Some(damage) => {
            return Err(Error::new(format!(
                "{damage}. To give them up and go on, cut the file to {} bytes",
                reader.bytes()
            )));
        }
    };
    Ok(Found { games: reader.games(), plies, bytes: reader.bytes(), repair })
}

/// Puts the name of the file in front of an error.
fn named(path: &Path) -> impl Fn(Error) -> Error {
    let name = quote(&path.to_string_lossy());
    move |error| error.within(&name)
}
