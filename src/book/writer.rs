//! Writing a Polyglot book: positions in the order of their keys, the heaviest move first.
//!
//! The file appears under its name only when it is complete, so a book that is being read, or one that shall be
//! replaced, is never seen half written.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Entry;
use crate::base::Error;
use crate::base::error::quote;
use crate::base::files::Draft;

/// A book in the making.
pub struct BookWriter {
    path: PathBuf,
    output: BufWriter<Draft>,
    written: Written,
    last_key: Option<u64>,
}

/// What a finished book holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Positions.
    pub positions: u64,
    /// Their moves.
    pub entries: u64,
}

impl BookWriter {
    /// Begins a book, beside the place where it will be.
    pub fn create(path: &Path) -> Result<BookWriter, Error> {
        let file = Draft::of(path).map_err(|error| named(path)(error.into()))?;
        let output = BufWriter::new(file);
        Ok(BookWriter { path: path.to_path_buf(), output, written: Written::default(), last_key: None })
    }

    /// Writes the moves of a position, each with its weight. Positions come in the order of their keys; moves that
    /// weigh nothing are left out, and a position that has no others too.
    pub fn write(&mut self, key: u64, moves: &mut [(u16, u64)]) -> Result<(), Error> {
        if self.last_key.is_some_and(|last| last >= key) {
            return Err(Error::new(format!("key {key:016x} comes too late for a sorted book")));
        }
        moves.sort_by_key(|&(code, weight)| (std::cmp::Reverse(weight), code));
        let heaviest = moves.first().map_or(0, |&(_, weight)| weight);
        let mut entries = 0;
        for &(code, weight) in moves.iter().filter(|(_, weight)| *weight > 0) {
            let entry = Entry { key, code, weight: scale(weight, heaviest), learn: 0 };
            self.output.write_all(&entry.to_bytes()).map_err(|error| named(&self.path)(error.into()))?;
            entries += 1;
        }
        if entries > 0 {
            self.last_key = Some(key);
            self.written.entries += entries;
            self.written.positions += 1;
        }
        Ok(())
    }

    /// Puts the finished book in its place. A book without a single move is none: what was there before stays.
    pub fn finish(self) -> Result<Written, Error> {
        let named = named(&self.path);
        if self.written.entries == 0 {
            return Err(named(Error::new("not written: the book would be empty")));
        }
        let file = self.output.into_inner().map_err(|error| named(error.into_error().into()))?;
        file.finish().map_err(|error| named(error.into()))?;
        Ok(self.written)
    }
}

/// A weight in sixteen bits, if the heaviest does not fit in proportion to it. No move that counts falls to zero.
fn scale(weight: u64, heaviest: u64) -> u16 {
    let most = u64::from(u16::MAX);
    let scaled = if heaviest <= most {
        weight
    } else {
        (u128::from(weight) * u128::from(most) / u128::from(heaviest)) as u64
    };
    scaled.clamp(1, most) as u16
}

/// The folder a file lies in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Puts the name of the book in front of an error.
fn named(path: &Path) -> impl Fn(Error) -> Error + use<> {
    let name = quote(&path.to_string_lossy());
    move |error| error.within(&format!("book {name}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::book::Book;

    #[test]
    fn books_are_sorted_scaled_and_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        let mut writer = BookWriter::create(&path).unwrap();
        writer.write(1, &mut [(7, 3), (5, 9), (6, 0), (4, 3)]).unwrap();
        writer.write(2, &mut [(7, 0)]).unwrap();
        writer.write(3, &mut [(1, 1), (2, 131_070), (3, 65_535)]).unwrap();
        assert!(writer.write(3, &mut [(1, 1)]).is_err());
        assert!(!path.exists());
        assert_eq!(writer.finish().unwrap(), Written { positions: 2, entries: 6 });
        let book = Book::open(&path).unwrap();
        let found: Vec<_> = book.entries().flatten().map(|e| (e.key, e.code, e.weight)).collect();
        let expected = [(1, 5, 9), (1, 4, 3), (1, 7, 3), (3, 2, 65_535), (3, 3, 32_767), (3, 1, 1)];
        assert_eq!(found, expected);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_empty_book_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        std::fs::write(&path, "old").unwrap();
        let error = BookWriter::create(&path).unwrap().finish().unwrap_err();
        assert!(error.to_string().contains("empty"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert!(BookWriter::create(&folder.path().join("no/such/book.bin")).is_err());
    }
}
