//! The journal of a growing book: a heading, then a line for each analyzed position.
//!
//! ```text
//! rosada book journal: 200000 nodes, 5 lines, 16 MB, engine 4711 with network 6bf3fa9d
//! 463b96181691fc9c 796 31 731 28 405 27
//! ```
//! The key is Polyglot's, moves are Polyglot's bits and each is followed by its value in centipawns.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;

use super::Candidate;
use crate::base::Error;
use crate::base::error::quote;

/// An open journal.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    name: String,
}

impl Journal {
    /// Opens a journal, or begins it, and reads what it knows. One with another heading is refused: its analyses would
    /// not be the ones this run makes. A last line that was not finished is cut away.
    pub(super) fn open(path: &Path, heading: &str) -> Result<(Journal, HashMap<u64, Vec<Candidate>>), Error> {
        let name = format!("journal {}", quote(&path.to_string_lossy()));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Error::from(error).within(&name)),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let known = read(whole, heading).map_err(|error| error.within(&name))?;
        let begin = || -> std::io::Result<File> {
            let mut file = File::options().create(true).write(true).truncate(false).open(path)?;
            file.set_len(whole.len() as u64)?;
            file.seek(SeekFrom::End(0))?;
            if whole.is_empty() {
                writeln!(file, "{heading}")?;
            }
            Ok(file)
        };
        let file = begin().map_err(|error| Error::from(error).within(&name))?;
        Ok((Journal { file, name }, known))
    }

    /// Adds an analysis; it is in the file when this returns.
    pub(super) fn note(&mut self, key: u64, candidates: &[Candidate]) -> Result<(), Error> {
        let mut line = format!("{key:016x}");
        for Candidate { code, score_cp } in candidates {
            line.push_str(&format!(" {code} {score_cp}"));
        }
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(|error| Error::from(error).within(&self.name))
    }
}

/// All analyses of a journal.
fn read(text: &str, heading: &str) -> Result<HashMap<u64, Vec<Candidate>>, Error> {
    let mut lines = text.lines().enumerate();
    match lines.next() {
        None => return Ok(HashMap::new()),
        Some((_, found)) if found == heading => {}
        Some((_, found)) => {
            return Err(Error::new(format!(
                "was begun with other settings or another engine ({}, now {}); remove it to begin anew",
                quote(found),
                quote(heading)
            )));
        }
    }
    let mut known = HashMap::new();
    for (index, line) in lines {
        let (key, candidates) =
            read_line(line).ok_or_else(|| Error::new(format!("line {} is damaged", index + 1)))?;
        known.insert(key, candidates);
    }
    Ok(known)
}

fn read_line(line: &str) -> Option<(u64, Vec<Candidate>)> {
    let mut words = line.split(' ');
    let key = u64::from_str_radix(words.next()?, 16).ok()?;
    let mut candidates = Vec::new();
    while let Some(code) = words.next() {
        candidates.push(Candidate { code: code.parse().ok()?, score_cp: words.next()?.parse().ok()? });
    }
    Some((key, candidates))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn analyses_come_back_and_a_cut_line_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.journal");
        let first = [Candidate { code: 796, score_cp: 31 }, Candidate { code: 731, score_cp: -2 }];
        let (mut journal, known) = Journal::open(&path, "heading").unwrap();
        assert!(known.is_empty());
        journal.note(5, &first).unwrap();
        journal.note(6, &[]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}00000000000000")).unwrap();
        let (mut journal, known) = Journal::open(&path, "heading").unwrap();
        assert_eq!((known.len(), known[&5].as_slice(), known[&6].len()), (2, &first[..], 0));
        journal.note(7, &first).unwrap();
        assert_eq!(Journal::open(&path, "heading").unwrap().1.len(), 3);
        let error = Journal::open(&path, "another").unwrap_err().to_string();
        assert!(error.contains("other settings"), "{error}");
        std::fs::write(&path, "heading\nnonsense\n").unwrap();
        assert!(Journal::open(&path, "heading").unwrap_err().to_string().contains("line 2"));
    }
}
