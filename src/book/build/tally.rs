//! Counting moves of positions in bounded memory: what does not fit is sorted and put aside in temporary files, and in
//! the end all sorted parts are read side by side.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::base::Error;

/// How often a move was played in a position, and what came of it for the side that played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    /// Polyglot's key of the position.
    pub key: u64,
    /// The move in Polyglot's bits.
    pub code: u16,
    /// Games won.
    pub wins: u32,
    /// Games drawn, or with an unknown end.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Count {
    /// Games in which the move was played.
    pub fn games(&self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    fn place(&self) -> (u64, u16) {
        (self.key, self.code)
    }

    fn add(&mut self, other: &Count) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }

    fn to_bytes(self) -> [u8; COUNT_BYTES] {
        let mut bytes = [0; COUNT_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.code.to_le_bytes());
        for (index, number) in [self.wins, self.draws, self.losses].into_iter().enumerate() {
            bytes[10 + 4 * index..14 + 4 * index].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: [u8; COUNT_BYTES]) -> Count {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let [k0, k1, k2, k3, k4, k5, k6, k7, c0, c1, ..] = bytes;
        Count {
            key: u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            code: u16::from_le_bytes([c0, c1]),
            wins: number(10),
            draws: number(14),
            losses: number(18),
        }
    }
}

/// A count in a temporary file.
const COUNT_BYTES: usize = 22;

/// So many parts are read side by side; before there are more, they are made one.
const MOST_PARTS: usize = 32;

/// Reading ahead in each part.
const BUFFER_BYTES: usize = 64 << 10;

/// Counts that grow.
pub struct Tally {
    counts: Vec<Count>,
    most_counts: usize,
    /// Sorted parts that did not fit.
    parts: Vec<File>,
    /// Where temporary files are made.
    folder: PathBuf,
}

impl Tally {
    /// An empty tally that keeps at most this much in memory and the rest in nameless files of a folder.
    pub fn new(memory_bytes: usize, folder: &Path) -> Tally {
        let most_counts = (memory_bytes / size_of::<Count>()).max(1024);
        Tally { counts: Vec::new(), most_counts, parts: Vec::new(), folder: folder.to_path_buf() }
    }

    /// Adds to the count of a move.
    pub fn add(&mut self, count: Count) -> Result<(), Error> {
        if self.counts.len() == self.most_counts {
            compact(&mut self.counts);
            // If hardly anything was said twice it would soon be full again.
            if self.counts.len() > self.most_counts / 2 {
                self.put_aside()?;
            }
        } else if self.counts.len() == self.counts.capacity() {
            // Doubling, but never beyond what is allowed.
            let more = self.counts.len().max(1024).min(self.most_counts - self.counts.len());
            self.counts.reserve_exact(more);
        }
        self.counts.push(count);
        Ok(())
    }

    /// Writes the sorted counts to a part of their own.
    fn put_aside(&mut self) -> Result<(), Error> {
        if self.parts.len() == MOST_PARTS {
            let parts = std::mem::take(&mut self.parts);
            let merged = write_part(&self.folder, Counts::new(parts, Vec::new())?)?;
            self.parts.push(merged);
        }
        self.parts.push(write_part(&self.folder, self.counts.iter().copied().map(Ok))?);
        self.counts.clear();
        Ok(())
    }

    /// All counts, sorted by position and move, each move of a position once.
    pub fn finish(mut self) -> Result<Counts, Error> {
        compact(&mut self.counts);
        Counts::new(self.parts, self.counts)
    }
}

/// Sorts, and adds up what belongs together.
fn compact(counts: &mut Vec<Count>) {
    counts.sort_unstable_by_key(Count::place);
    counts.dedup_by(|next, kept| {
        let same = next.place() == kept.place();
        if same {
            kept.add(next);
        }
        same
    });
}

/// Writes counts to a nameless file that vanishes with its last user.
fn write_part(folder: &Path, counts: impl Iterator<Item = Result<Count, Error>>) -> Result<File, Error> {
    let fault = |error: std::io::Error| Error::from(error).within("temporary file");
    let mut output = BufWriter::new(tempfile::tempfile_in(folder).map_err(fault)?);
    for count in counts {
        output.write_all(&count?.to_bytes()).map_err(fault)?;
    }
    let mut file = output.into_inner().map_err(|error| fault(error.into_error()))?;
    file.seek(SeekFrom::Start(0)).map_err(fault)?;
    Ok(file)
}

/// Sorted counts, read from all parts side by side.
pub struct Counts {
    parts: Vec<BufReader<File>>,
    memory: std::vec::IntoIter<Count>,
    /// The next count of each part, and of the memory, whose number comes after the parts'.
    heads: BinaryHeap<Reverse<(Count, usize)>>,
}

impl Counts {
    fn new(parts: Vec<File>, memory: Vec<Count>) -> Result<Counts, Error> {
        let parts: Vec<_> =
            parts.into_iter().map(|file| BufReader::with_capacity(BUFFER_BYTES, file)).collect();
        let mut counts = Counts { parts, memory: memory.into_iter(), heads: BinaryHeap::new() };
        for number in 0..=counts.parts.len() {
            counts.advance(number)?;
        }
        Ok(counts)
    }

    /// Brings up the next count of a part.
    fn advance(&mut self, number: usize) -> Result<(), Error> {
        let next = match self.parts.get_mut(number) {
            Some(part) => read_count(part)?,
            None => self.memory.next(),
        };
        self.heads.extend(next.map(|count| Reverse((count, number))));
        Ok(())
    }

    fn take_first(&mut self) -> Result<Option<Count>, Error> {
        let Some(Reverse((count, number))) = self.heads.pop() else { return Ok(None) };
        self.advance(number)?;
        Ok(Some(count))
    }

    fn take_next(&mut self) -> Result<Option<Count>, Error> {
        let Some(mut count) = self.take_first()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|Reverse((next, _))| next.place() == count.place()) {
            if let Some(more) = self.take_first()? {
                count.add(&more);
            }
        }
        Ok(Some(count))
    }
}

impl Iterator for Counts {
    type Item = Result<Count, Error>;

    fn next(&mut self) -> Option<Result<Count, Error>> {
        self.take_next().transpose()
    }
}

fn read_count(part: &mut BufReader<File>) -> Result<Option<Count>, Error> {
    let mut bytes = [0; COUNT_BYTES];
    match part.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Count::from_bytes(bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(Error::from(error).within("temporary file")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeMap;

    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn the_counts_are_the_same_in_any_memory() {
        let folder = tempfile::tempdir().unwrap();
        // The smallest tally holds 1,024 counts: what does not repeat is put aside in many parts, which are made one.
        let cases = [(0, 40_000, true), (0, 100, false), (1 << 20, 40_000, true), (64 << 20, 40_000, false)];
        for (memory, range, in_parts) in cases {
            let mut random = StdRng::seed_from_u64(memory as u64);
            let mut expected: BTreeMap<(u64, u16), Count> = BTreeMap::new();
            let mut tally = Tally::new(memory, folder.path());
            for _ in 0..100_000 {
                let (key, code) = (random.random_range(0..range), random.random_range(0..3));
                let result = random.random_range(0..3);
                let count = Count {
                    key,
                    code,
                    wins: u32::from(result == 0),
                    draws: u32::from(result == 1),
                    losses: u32::from(result == 2),
                };
                expected.entry((key, code)).and_modify(|sum| sum.add(&count)).or_insert(count);
                tally.add(count).unwrap();
                assert!(tally.counts.capacity() <= tally.most_counts && tally.parts.len() <= MOST_PARTS);
            }
            assert_eq!(!tally.parts.is_empty(), in_parts);
            let found: Vec<Count> = tally.finish().unwrap().map(Result::unwrap).collect();
            assert!(found.iter().eq(expected.values()), "{memory} bytes");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn bytes_keep_every_part() {
        let count = Count { key: u64::MAX - 1, code: 0x7ABC, wins: 1, draws: u32::MAX, losses: 3 << 20 };
        assert_eq!(Count::from_bytes(count.to_bytes()), count);
    }
}
