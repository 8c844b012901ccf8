//! Standard output and the log file, shared by all threads: whole lines, flushed at once.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::base::Error;
use crate::base::error::quote;

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

    /// Writes one line. When nobody reads any more, the program ends quietly: there is no one left to talk to.
    pub fn line(&self, line: &str) {
        let mut log = self.log();
        if let Some(file) = log.as_mut() {
            let _ = writeln!(file, "<< {line}");
        }
        let bytes = format!("{line}\n");
        let mut out = io::stdout().lock();
        if out.write_all(bytes.as_bytes()).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
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

    /// Copies all lines to a file from now on, or to none. A file that cannot be opened leaves things as they were.
    pub fn set_log(&self, path: Option<&Path>) -> Result<(), Error> {
        let file = match path {
            None => None,
            Some(path) => Some(File::options().create(true).append(true).open(path).map_err(|error| {
                Error::new(format!("cannot open the log file {}: {error}", quote(&path.to_string_lossy())))
            })?),
        };
        *self.log() = file;
        Ok(())
    }
}
