//! Reading a Polyglot book: sorted entries, found by binary search in the file.
//!
//! A file is looked through once when it is opened, so that a damaged one is refused then and not in the middle of a
//! game. Entries that name no legal move are passed over when their position is looked up.

use std::borrow::Cow;
use std::path::Path;

use super::entry::{self, ENTRY_BYTES, Entry};
use super::key;
use crate::base::content::Content;
use crate::base::error::quote;
use crate::base::{Error, Move};
use crate::chess::Position;

/// An open book.
#[derive(Debug)]
pub struct Book {
    content: Content,
    /// How many entries at the beginning are a header and no moves.
    header: u64,
}

/// An entry as the file has it.
type Record = [u8; ENTRY_BYTES];

/// A legal move that a book proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its weight beside the others of the position.
    pub weight: u16,
    /// What a learning program has noted.
    pub learn: u32,
}

impl Book {
    /// Opens a file, or says what is wrong with it.
    pub fn open(path: &Path) -> Result<Book, Error> {
        let named = |error: Error| error.within(&format!("book {}", quote(&path.to_string_lossy())));
        Content::open(path).and_then(Book::checked).map_err(named)
    }

    /// A book in memory.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book, Error> {
        Book::checked(Content::Memory(bytes.into()))
    }

    fn checked(content: Content) -> Result<Book, Error> {
        let header = check(&content)?;
        Ok(Book { content, header })
    }

    /// The size in bytes.
    pub fn bytes(&self) -> u64 {
        self.content.bytes()
    }

    /// All entries in the order of their keys.
    pub fn entries(&self) -> impl Iterator<Item = Result<Entry, Error>> {
        (0..self.count()).map(|number| self.record(number).map(|record| Entry::from_bytes(&record)))
    }

    /// Every legal move the book has for a position, as it is ordered there: the best first in nearly every book.
    pub fn moves(&self, position: &Position) -> Result<Vec<BookMove>, Error> {
        let mut moves = Vec::new();
        for key in key::keys(position) {
            let entries = self.find(key)?;
            moves.extend(entries.iter().filter_map(|record| {
                let Entry { code, weight, learn, .. } = Entry::from_bytes(record);
                entry::decode(position, code).map(|mv| BookMove { mv, weight, learn })
            }));
        }
        Ok(moves)
    }

    /// How many entries the book has for a position, legal or not.
    pub fn entries_of(&self, position: &Position) -> Result<u64, Error> {
        key::keys(position).map(|key| Ok(self.find(key)?.len() as u64)).sum()
    }

    /// The entries with this key.
    fn find(&self, key: u64) -> Result<Vec<Record>, Error> {
        self.content.check_unchanged()?;
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low + (high - low) / 2;
            if Entry::from_bytes(&self.record(middle)?).key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        for number in low..self.count() {
            let record = self.record(number)?;
            if Entry::from_bytes(&record).key != key {
                break;
            }
            found.push(record);
        }
        Ok(found)
    }

    /// How many entries there are.
    fn count(&self) -> u64 {
        self.content.bytes() / ENTRY_BYTES as u64 - self.header
    }

    fn record(&self, number: u64) -> Result<Record, Error> {
        let mut record = [0; ENTRY_BYTES];
        self.content.read(&mut record, (self.header + number) * ENTRY_BYTES as u64)?;
        Ok(record)
    }
}

/// Looks through a whole file; the number of entries that are a header.
fn check(content: &Content) -> Result<u64, Error> {
    if content.bytes() == 0 {
        return Err(Error::new("the file is empty"));
    }
    let beginning = content.part(0, content.bytes().min(256) as usize)?;
    if let Some(what) = recognize(&beginning) {
        return Err(Error::new(format!("not a Polyglot book but {what}")));
    }
    if !content.bytes().is_multiple_of(ENTRY_BYTES as u64) {
        return Err(Error::new(format!(
            "not a Polyglot book, or cut off: {} bytes are not a whole number of {ENTRY_BYTES}-byte entries",
            content.bytes()
        )));
    }
    // Some books begin with entries of key zero that hold a text, which says so at its start.
    let mut in_header = beginning.starts_with(b"\0\0\0\0\0\0\0\0@PG@");
    let (mut number, mut header, mut last) = (0u64, 0, 0);
    let all = content.bytes() / ENTRY_BYTES as u64;
    content.scan(0, |chunk| {
        for record in chunk.as_chunks::<ENTRY_BYTES>().0 {
            number += 1;
            let key = Entry::from_bytes(record).key;
            if key < last {
                return Err(Error::new(format!(
                    "not a Polyglot book, or damaged: entry {number} of {all} is out of order (key {key:016x} after \
                     {last:016x})"
                )));
            }
            in_header &= key == 0;
            header += u64::from(in_header);
            last = key;
        }
        Ok(())
    })?;
    if header == all {
        return Err(Error::new("the book has a header but no entries"));
    }
    Ok(header)
}

/// What people confuse with a Polyglot book, by its first bytes.
fn recognize(beginning: &[u8]) -> Option<&'static str> {
    const SIGNS: [(&[u8], &str); 8] = [
        (b"\x1f\x8b", "a gzip file; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "a zstd file; unpack it first"),
        (b"PK\x03\x04", "a zip archive; unpack it first"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
        (b"\x03ABK", "a book of Arena (.abk)"),
        (b"SQLite format 3", "a database"),
        (b"\x7fELF", "a program"),
        (b"MZ\x90\0", "a program"),
    ];
    let known = SIGNS.iter().find(|(sign, _)| beginning.starts_with(sign)).map(|&(_, what)| what);
    let printable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n' | 0x80..);
    let is_text = beginning.len() >= ENTRY_BYTES
        && beginning.iter().all(printable)
        && beginning.iter().filter(|byte| byte.is_ascii()).count() * 4 >= beginning.len() * 3;
    known.or(is_text.then_some("a text file; `rosada book build` makes books from games and lists"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::book::key_of;

    fn record(key: u64, code: u16, weight: u16) -> [u8; 16] {
        Entry { key, code, weight, learn: 0 }.to_bytes()
    }

    fn refusal(bytes: &[u8]) -> String {
        Book::from_bytes(bytes.to_vec()).unwrap_err().to_string()
    }

    #[test]
    fn legal_entries_are_found_and_others_passed_over() {
        let start = Position::start();
        let key = key_of(&start);
        let codes = [0x031C, 0x02DB, 0x0724, 0x0000, 0x7FFF];
        let mut bytes = record(key - 1, 0x031C, 9).to_vec();
        codes.iter().zip(1..).for_each(|(&code, weight)| bytes.extend(record(key, code, weight)));
        bytes.extend(record(u64::MAX, 0x031C, 9));
        let book = Book::from_bytes(bytes).unwrap();
        let moves = book.moves(&start).unwrap();
        let found: Vec<(String, u16)> =
            moves.iter().map(|found| (start.uci(found.mv), found.weight)).collect();
        assert_eq!(found, [("e2e4".to_string(), 1), ("d2d4".to_string(), 2)]);
        assert_eq!(book.entries().count(), 7);
        let other = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(book.moves(&other).unwrap().is_empty());
    }

    #[test]
    fn each_fault_has_its_own_words() {
        let good = [record(1, 2, 3), record(4, 5, 6)].concat();
        assert!(Book::from_bytes(good.clone()).is_ok());
        assert!(refusal(b"").contains("empty"));
        assert!(refusal(&good[..31]).contains("31 bytes are not a whole number"));
        let unsorted = [record(4, 5, 6), record(1, 2, 3)].concat();
        assert!(refusal(&unsorted).contains("entry 2 of 2 is out of order"));
        for (bytes, word) in [
            (&b"[Event \"Hastings\"]\n[Site \"Hastings\"]\n"[..], "text"),
            (b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n", "text"),
            (b"\x1f\x8b\x08\0\0\0\0\0\0\0\0\0\0\0\0\0", "gzip"),
            (b"PK\x03\x04............", "zip"),
            (b"\x03ABK............", "Arena"),
        ] {
            assert!(refusal(bytes).contains(word), "{}", refusal(bytes));
        }
    }

    #[test]
    fn a_header_is_no_entry() {
        let mut bytes = b"\0\0\0\0\0\0\0\0@PG@\n1.0".to_vec();
        bytes.extend(b"\0\0\0\0\0\0\0\0\n1\nnorma");
        assert!(refusal(&bytes).contains("no entries"));
        bytes.extend(record(7, 0x031C, 1));
        let book = Book::from_bytes(bytes).unwrap();
        assert_eq!(book.entries().map(|entry| entry.unwrap().key).collect::<Vec<_>>(), [7]);
    }
}
