//! Joining several books into one, entry by entry in the order of keys: nothing is held in memory but one position.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::iter::Peekable;

use super::{Book, BookWriter, Entry};
use crate::base::Error;

/// What all books together have as the weight of a position that several of them know.
const WHOLE: u64 = 65_535 * 65_535;

/// Writes everything the books hold. A position that one book knows keeps its weights. Where several know it each book
/// has the same say, whatever the scale of its weights: the shares of a move are added up.
pub fn merge(books: &[Book], writer: &mut BookWriter) -> Result<(), Error> {
    // A book that cannot be read to its end ends the work, not its own part of it.
    let fault = RefCell::new(None);
    let sound = |entry: Result<Entry, Error>| entry.map_err(|error| fault.replace(Some(error))).ok();
    let mut streams: Vec<_> = books.iter().map(|book| book.entries().map_while(sound).peekable()).collect();
    while let Some(key) = streams.iter_mut().filter_map(|entries| Some(entries.peek()?.key)).min() {
        let mut positions: Vec<Vec<(u16, u64)>> =
            streams.iter_mut().map(|entries| take(entries, key)).collect();
        positions.retain(|moves| moves.iter().any(|&(_, weight)| weight > 0));
        match positions.as_mut_slice() {
            [] => {}
            [alone] => writer.write(key, alone)?,
            several => writer.write(key, &mut add_shares(several))?,
        }
    }
    drop(streams);
    fault.into_inner().map_or(Ok(()), Err)
}

/// The moves that one book has for a key.
fn take(entries: &mut Peekable<impl Iterator<Item = Entry>>, key: u64) -> Vec<(u16, u64)> {
    std::iter::from_fn(|| entries.next_if(|entry| entry.key == key))
        .map(|entry| (entry.code, u64::from(entry.weight)))
        .collect()
}

/// The moves of all books, each book's weights made to add up to the same.
fn add_shares(books: &[Vec<(u16, u64)>]) -> Vec<(u16, u64)> {
    let mut shares: BTreeMap<u16, u64> = BTreeMap::new();
    for moves in books {
        let total: u64 = moves.iter().map(|&(_, weight)| weight).sum();
        for &(code, weight) in moves {
            *shares.entry(code).or_default() += WHOLE / total.max(1) * weight;
        }
    }
    // Back to the scale of weights.
    let heaviest = shares.values().copied().max().unwrap_or(0).max(1);
    let most = u128::from(u16::MAX);
    shares
        .into_iter()
        .map(|(code, share)| (code, (u128::from(share) * most / u128::from(heaviest)) as u64))
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn book(entries: &[(u64, u16, u16)]) -> Book {
        let bytes = |&(key, code, weight): &(u64, u16, u16)| Entry { key, code, weight, learn: 5 }.to_bytes();
        Book::from_bytes(entries.iter().map(bytes).collect::<Vec<_>>().concat()).unwrap()
    }

    #[test]
    fn books_have_the_same_say() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("merged.bin");
        let first = book(&[(1, 10, 3), (2, 20, 1), (2, 21, 1), (9, 90, 0)]);
        let second = book(&[(2, 21, 40_000), (3, 30, 7), (9, 91, 5)]);
        let mut writer = BookWriter::create(&path).unwrap();
        merge(&[first, second], &mut writer).unwrap();
        writer.finish().unwrap();
        let merged = Book::open(&path).unwrap();
        let found: Vec<_> = merged.entries().flatten().map(|e| (e.key, e.code, e.weight)).collect();
        // One half and all of it against one half: three to one.
        assert_eq!(found, [(1, 10, 3), (2, 21, 65_535), (2, 20, 21_845), (3, 30, 7), (9, 91, 5)]);
    }
}
