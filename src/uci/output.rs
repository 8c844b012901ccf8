//! Standard output and the log file, shared by all threads: whole lines, flushed at once.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::base::error::quote;
use crate::base::{Error, files};

/// How the lines of a log begin: what was received, and what was sent.
const RECEIVED: &[u8] = b">> ";
const SENT: &[u8] = b"<< ";

/// Where lines go: standard output and, if one is set, a log. Clones write to the same place.
#[derive(Clone, Default)]
pub struct Output(Arc<Mutex<Option<File>>>);

impl Output {
    /// Standard output, without a log.
    pub fn new() -> Output {
        Output::default()
    }

    fn log(&self) -> MutexGuard<'_, Option<File>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one line. When nobody reads any more, the program ends quietly: there is no one left to talk to. When a line
    /// cannot be written for another reason, a full disk for one, it ends with an error.
    pub fn line(&self, line: &str) {
        let mut log = self.log();
        if let Some(file) = log.as_mut() {
            let _ = writeln!(file, "<< {line}");
        }
        let bytes = format!("{line}\n");
        let mut out = io::stdout().lock();
        if let Err(error) = out.write_all(bytes.as_bytes()).and_then(|()| out.flush()) {
            if error.kind() == ErrorKind::BrokenPipe {
                std::process::exit(0);
            }
            let _ = writeln!(io::stderr(), "rosada: cannot write: {error}");
            std::process::exit(1);
        }
    }

    /// Writes several lines for people.
    pub fn block(&self, text: &str) {
        text.trim_end().lines().for_each(|line| self.line(line));
    }

    /// Notes a line that came in.
    pub fn log_input(&self, line: &str) {
        if let Some(file) = self.log().as_mut() {
            let _ = writeln!(file, ">> {}", line.trim_end());
        }
    }

    /// Copies all lines to a file from now on, or to none. A file that cannot be opened, or that holds something else
    /// than a log, leaves things as they were.
    pub fn set_log(&self, path: Option<&Path>) -> Result<(), Error> {
        let file = match path {
            None => None,
            Some(path) => Some(open_log(path).map_err(|error| {
                Error::new(format!("cannot open the log file {}: {error}", quote(&path.to_string_lossy())))
            })?),
        };
        *self.log() = file;
        Ok(())
    }
}

/// Opens a file to write a log behind what is there, which must be nothing or another log of ours: a mistyped name must
/// not spoil a file.
fn open_log(path: &Path) -> Result<File, Error> {
    if path.exists() {
        let mut start = Vec::new();
        files::open(path)?.take(RECEIVED.len() as u64).read_to_end(&mut start)?;
        if !start.is_empty() && ![RECEIVED, SENT].contains(&start.as_slice()) {
            return Err(Error::new("it holds something else than a log"));
        }
    }
    Ok(File::options().create(true).append(true).open(path)?)
}
