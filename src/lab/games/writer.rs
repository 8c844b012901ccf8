//! Writing game records, to a new file or to the end of one that is there. Used by `datagen`.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use super::format;
use super::{GameReader, GameRecord, Recorded, rules_of};
use crate::base::Error;
use crate::base::error::quote;
use crate::fairy::Rules;

/// Writes games one after the other. They are safe in the file after [`GameWriter::flush`].
pub struct GameWriter<W: Write = BufWriter<File>> {
    output: W,
    rules: &'static Rules,
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
    /// Begins a new file for games by these rules; one of that name is overwritten.
    pub fn create(path: &Path, rules: &'static Rules) -> Result<GameWriter, Error> {
        let named = named(path);
        let file = File::create(path).map_err(|error| named(error.into()))?;
        GameWriter::new(BufWriter::new(file), rules).map_err(named)
    }

    /// Continues a file, or begins it if there is none yet. A last game that is cut off or damaged is cut away, and
    /// [`Found::repair`] says so. If more than a game can be is unreadable, the file is left alone and the error says
    /// why: no interrupted write does that, and what lies behind the damage may be worth keeping. A file of other games
    /// is left alone, too.
    pub fn append<G: Recorded>(path: &Path, rules: &'static Rules) -> Result<(GameWriter, Found), Error> {
        if std::fs::metadata(path).map_or(true, |data| data.len() == 0) {
            return GameWriter::create(path, rules).map(|writer| (writer, Found::default()));
        }
        let (there, wanted) = (rules_of(path)?.variant.name, rules.variant.name);
        if there != wanted {
            let why = format!("a file of {there} games cannot be continued with games of {wanted}");
            return Err(named(path)(Error::new(why)));
        }
        let found = inspect::<G>(path)?;
        let end = || -> std::io::Result<File> {
            let mut file = File::options().write(true).open(path)?;
            file.set_len(found.bytes)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = end().map_err(|error| named(path)(error.into()))?;
        Ok((GameWriter { output: BufWriter::new(file), rules, game: Vec::new() }, found))
    }
}

impl<W: Write> GameWriter<W> {
    /// Writes games by these rules to anything that takes bytes, from its beginning.
    pub fn new(mut output: W, rules: &'static Rules) -> Result<GameWriter<W>, Error> {
        output.write_all(&format::header(rules))?;
        output.flush()?;
        Ok(GameWriter { output, rules, game: Vec::new() })
    }

    /// Writes a game. Its moves must be legal; a reader stops at one that is not.
    pub fn write<G: Recorded>(&mut self, game: &GameRecord<G>) -> Result<(), Error> {
        self.game.clear();
        format::encode(game, self.rules, &mut self.game)?;
        Ok(self.output.write_all(&self.game)?)
    }

    /// Hands everything written so far to the system.
    pub fn flush(&mut self) -> Result<(), Error> {
        Ok(self.output.flush()?)
    }
}

/// Reads a file to its end or to its damage.
fn inspect<G: Recorded>(path: &Path) -> Result<Found, Error> {
    let mut reader = GameReader::<G>::open(path)?;
    let plies = reader.by_ref().map(|game| game.plies.len() as u64).sum();
    let size = std::fs::metadata(path).map_err(|error| named(path)(error.into()))?.len();
    let lost = size.saturating_sub(reader.bytes());
    let repair = match reader.damage() {
        None => None,
        Some(why) if lost <= format::largest_game(reader.rules()) as u64 => {
            Some(format!("{lost} bytes were cut away ({why})"))
        }
        Some(why) => {
            return Err(named(path)(Error::new(format!(
                "{why}, and {lost} bytes from there on cannot be read. To give them up and go on, cut the file to {} \
                 bytes",
                reader.bytes()
            ))));
        }
    };
    Ok(Found { games: reader.games(), plies, bytes: reader.bytes(), repair })
}

/// Puts the name of the file in front of an error.
fn named(path: &Path) -> impl Fn(Error) -> Error {
    let name = quote(&path.to_string_lossy());
    move |error| error.within(&name)
}
