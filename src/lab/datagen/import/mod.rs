//! `rosada datagen FILE --import GAMES.pgn`: games with scores in their comments, which any engine may have played under
//! any program for matches, as records of ours.
//!
//! This is how games that OpenBench has generated come back: its archives are read as they are downloaded. `score` reads
//! comments, `game` makes a record of a game, `faults` counts what is left out. Here files are gone through game by game,
//! so that they may be of any size, and the records are written.

mod faults;
mod game;
mod score;

use std::fmt;
use std::fs::File;
use std::io::{BufRead, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::{FormattedDuration, HumanBytes, HumanCount};

use super::Totals;
use crate::base::Error;
use crate::base::error::quote;
use crate::fairy::variants;
use crate::lab::display::Display;
use crate::lab::games::GameWriter;
use crate::pgn::archive::for_each_text;
use crate::pgn::input::Input;
use crate::pgn::split::Splitter;
use faults::Fault;
pub use faults::LeftOut;

/// So many games that are left out, and so many damaged files, are named; the others are counted.
const MAX_NAMED: u64 = 20;

/// What to import.
#[derive(Clone, Debug)]
pub struct ImportSettings {
    /// File for the games; there must be none of this name.
    pub output: PathBuf,
    /// Files of games; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// What centipawns are multiplied by.
    pub scale: f64,
    /// Show no progress and do not name the games that are left out.
    pub quiet: bool,
}

impl ImportSettings {
    /// Where the games come from, in one line. It is noted in their file.
    pub fn description(&self) -> String {
        let name = |path: &PathBuf| match path.file_name() {
            Some(name) if name != "-" => {
                name.to_string_lossy().chars().map(|c| if c.is_control() { '?' } else { c }).collect()
            }
            _ => "standard input".to_string(),
        };
        let names: Vec<String> = self.files.iter().map(name).collect();
        let scale = if self.scale == 1.0 { String::new() } else { format!("scores times {}, ", self.scale) };
        format!("{scale}imported from {}", names.join(", "))
    }
}

/// Imports games until the files end. If none can be imported, or the work is interrupted by `stop`, that is an error,
/// and no file is left behind. Where a file cannot be read to its end, what came before is kept, and [`Imported::damage`]
/// tells.
pub fn import(settings: &ImportSettings, stop: &AtomicBool) -> Result<Imported, Error> {
    check_readable(&settings.files)?;
    let mut output = NewFile::create(&settings.output)?;
    let writer = GameWriter::create(&settings.output, variants::chess(), &settings.description())?;
    let mut importer = Importer::new(settings, writer, stop);
    settings.files.iter().try_for_each(|file| importer.add_file(file))?;
    let imported = importer.finish();
    if imported.totals.games == 0 {
        let why = match imported.to_string() {
            why if why.is_empty() => String::new(),
            why => format!("\n{why}"),
        };
        return Err(Error::new(format!("there was no game to be imported{why}")));
    }
    output.keep();
    Ok(imported)
}

/// Fails if a file cannot be opened: better before hours of work than after.
fn check_readable(files: &[PathBuf]) -> Result<(), Error> {
    for file in files.iter().filter(|file| *file != Path::new("-")) {
        File::open(file).map_err(|error| Error::from(error).within(&file.display().to_string()))?;
    }
    Ok(())
}

/// A file that was not there before and will not be there afterwards, unless it is to be kept.
struct NewFile<'a> {
    path: &'a Path,
    kept: bool,
}

impl NewFile<'_> {
    fn create(path: &Path) -> Result<NewFile<'_>, Error> {
        match File::create_new(path) {
            Ok(_) => Ok(NewFile { path, kept: false }),
            Err(error) => {
                let error = match error.kind() {
                    ErrorKind::AlreadyExists => {
                        Error::new("exists already; games are imported into a new file")
                    }
                    _ => error.into(),
                };
                Err(error.within(&path.display().to_string()))
            }
        }
    }

    fn keep(&mut self) {
        self.kept = true;
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if !self.kept {
            // Why the file is not wanted is told already.
            let _ = std::fs::remove_file(self.path);
        }
    }
}

/// Takes games out of files and writes their records.
struct Importer<'a> {
    settings: &'a ImportSettings,
    stop: &'a AtomicBool,
    writer: GameWriter,
    display: Display,
    begin: Instant,
    /// Bytes of the files that are through.
    bytes_before: u64,
    imported: Imported,
}

impl<'a> Importer<'a> {
    fn new(settings: &'a ImportSettings, writer: GameWriter, stop: &'a AtomicBool) -> Importer<'a> {
        let sizes = settings.files.iter().filter_map(|file| file.metadata().ok());
        let display = Display::new(settings.quiet, sizes.map(|data| data.len()).sum(), 0);
        let imported = Imported {
            output: settings.output.clone(),
            totals: Totals::default(),
            left_out: LeftOut::default(),
            damage: Vec::new(),
            damaged: 0,
            time: Duration::ZERO,
        };
        Importer { settings, stop, writer, display, begin: Instant::now(), bytes_before: 0, imported }
    }

    /// Imports the games of a file, or of the files in it. Fails only if the work cannot go on.
    fn add_file(&mut self, path: &Path) -> Result<(), Error> {
        let name = path.display().to_string();
        let Input { stream, read } = match Input::open(path) {
            Ok(input) => input,
            Err(error) => {
                self.note_damage(&name, &error);
                return Ok(());
            }
        };
        for_each_text(stream, &mut |(member, text)| {
            let name = match member {
                Some(member) => format!("{name}, {}", quote(member)),
                None => name.clone(),
            };
            match text {
                Ok(text) => self.add_games(text, &name, &read),
                Err(error) => {
                    self.note_damage(&name, &error);
                    Ok(())
                }
            }
        })?;
        self.bytes_before += read.load(Relaxed);
        Ok(())
    }

    /// Imports the games of a text.
    fn add_games(
        &mut self,
        text: Box<dyn BufRead + '_>,
        name: &str,
        read: &Arc<AtomicU64>,
    ) -> Result<(), Error> {
        let mut splitter = Splitter::new(text);
        let mut number = 0u64;
        loop {
            if self.stop.load(Relaxed) {
                return Err(Error::new("interrupted; nothing is imported"));
            }
            let text = match splitter.next_game() {
                Ok(Some(text)) => text,
                Ok(None) => return Ok(()),
                Err(error) => {
                    let place = if number == 0 { String::new() } else { format!(", behind game {number}") };
                    self.note_damage(&format!("{name}{place}"), &error);
                    return Ok(());
                }
            };
            number += 1;
            match game::record(text, self.settings.scale) {
                Ok(record) => {
                    let written = self.writer.write(&record);
                    written.map_err(|error| error.within(&self.settings.output.display().to_string()))?;
                    self.imported.totals.add(&record);
                }
                Err(fault) => self.leave_out(name, number, &fault),
            }
            self.show_progress(self.bytes_before + read.load(Relaxed));
        }
    }

    /// Takes note of a file that cannot be read to its end.
    fn note_damage(&mut self, name: &str, error: &Error) {
        self.imported.damaged += 1;
        if self.imported.damaged <= MAX_NAMED {
            self.imported.damage.push(format!("{name}: {error}"));
        }
    }

    fn leave_out(&mut self, name: &str, number: u64, fault: &Fault) {
        self.imported.left_out.add(fault.reason);
        let games = self.imported.left_out.games();
        if games <= MAX_NAMED {
            self.display.say(&format!("left out: {name}, game {number}, {}", fault.error));
        }
        if games == MAX_NAMED + 1 {
            self.display.say("more games are left out; they will be counted at the end");
        }
    }

    fn show_progress(&mut self, bytes: u64) {
        let Totals { games, positions, .. } = self.imported.totals;
        self.display.show(bytes, |_| {
            let (games, positions) = (HumanCount(games), HumanCount(positions));
            format!("{games} games, {positions} positions, {} read", HumanBytes(bytes))
        });
    }

    fn finish(mut self) -> Imported {
        self.imported.time = self.begin.elapsed();
        self.imported
    }
}

/// What an import has done.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The new file.
    pub output: PathBuf,
    /// What it holds.
    pub totals: Totals,
    /// The games that are not in it.
    pub left_out: LeftOut,
    /// The first files that cannot be read to their end, with the reason.
    pub damage: Vec<String>,
    /// How many there are.
    pub damaged: u64,
    /// How long that took.
    pub time: Duration,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        let Totals { games, positions, .. } = self.totals;
        if games > 0 {
            let (games, positions) = (HumanCount(games), HumanCount(positions));
            let name = quote(&self.output.to_string_lossy());
            lines.push(format!("{games} games imported in {}", FormattedDuration(self.time)));
            lines.push(self.totals.to_string());
            lines.push(format!("{name} holds {games} games with {positions} positions"));
        }
        if self.left_out.games() > 0 {
            lines.push(self.left_out.to_string());
        }
        lines.extend(self.damage.iter().map(|damage| format!("cannot be read to its end: {damage}")));
        if self.damaged > MAX_NAMED {
            lines.push(format!("and {} more", HumanCount(self.damaged - MAX_NAMED)));
        }
        f.write_str(&lines.join("\n"))
    }
}
