//! The transposition table: what is known about positions seen before, shared by all threads.
//!
//! A cluster is 32 bytes of four relaxed atomic words: three entries of one word each, and a word with their
//! sixteen-bit keys. Threads read and write without locks. An entry may therefore belong to another position
//! (sixteen bits collide) or be overwritten between key and data; whoever uses a move from here asks
//! `is_legal` first, and a wrong score now and then is the price every shared table pays.
//!
//! ```text
//! entry:  63    56 55    48 47      32 31      16 15       0
//!         [ depth ][ flags ][  eval   ][  score  ][  move   ]     flags: age 5, pv 1, bound 2
//! ```

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::base::memory::{Zeroable, ZeroedSlice};
use crate::base::{Error, Move, Score, bits};

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// No score is stored.
    None = 0,
    /// The true value is at most the score.
    Upper = 1,
    /// The true value is at least the score.
    Lower = 2,
    /// The score is the true value.
    Exact = 3,
}

impl Bound {
    /// Whether the true value is at least the score.
    #[inline(always)]
    pub fn is_lower(self) -> bool {
        self as u8 & Bound::Lower as u8 != 0
    }

    /// Whether the true value is at most the score.
    #[inline(always)]
    pub fn is_upper(self) -> bool {
        self as u8 & Bound::Upper as u8 != 0
    }

    #[inline(always)]
    fn from_bits(bits: u8) -> Bound {
        [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact][(bits & 3) as usize]
    }
}

/// A decoded entry. Scores count mates from the stored node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Best move, or none.
    pub mv: Move,
    /// Value, as far as `bound` says.
    pub score: Score,
    /// Static evaluation, or [`Score::NONE`].
    pub eval: Score,
    /// Depth of the search behind the score.
    pub depth: i32,
    /// Kind of the score.
    pub bound: Bound,
    /// Whether the node was ever part of a principal variation.
    pub pv: bool,
}

const AGE_MASK: u8 = 31;
const ENTRIES: usize = 3;
/// Depths are stored with this added, so that quiescence (depth 0 and below) fits.
const DEPTH_OFFSET: i32 = 8;

impl Entry {
    #[inline(always)]
    fn pack(&self, age: u8) -> u64 {
        let flags = age << 3 | (self.pv as u8) << 2 | self.bound as u8;
        u64::from(self.mv.bits())
            | u64::from(self.score.value() as u16) << 16
            | u64::from(self.eval.value() as u16) << 32
            | u64::from(flags) << 48
            | u64::from((self.depth + DEPTH_OFFSET).clamp(0, 255) as u8) << 56
    }

    #[inline(always)]
    fn unpack(word: u64) -> Entry {
        let flags = (word >> 48) as u8;
        Entry {
            mv: Move::from_bits(word as u16),
            score: Score::new(i32::from((word >> 16) as u16 as i16)),
            eval: Score::new(i32::from((word >> 32) as u16 as i16)),
            depth: i32::from((word >> 56) as u8) - DEPTH_OFFSET,
            bound: Bound::from_bits(flags),
            pv: flags & 4 != 0,
        }
    }
}

#[inline(always)]
fn age_of(word: u64) -> u8 {
    (word >> 51) as u8 & AGE_MASK
}

#[repr(C, align(32))]
struct Cluster {
    entries: [AtomicU64; ENTRIES],
    keys: AtomicU64,
}

const _: () = assert!(size_of::<Cluster>() == 32);

// SAFETY: four atomic words, for which zero is a value.
unsafe impl Zeroable for Cluster {}

/// The shared table.
pub struct Table {
    clusters: ZeroedSlice<Cluster>,
    age: AtomicU8,
}

impl Table {
    /// A cleared table of about `megabytes`; fails if the memory cannot be had.
    pub fn with_megabytes(megabytes: usize) -> Result<Table, Error> {
        let table = megabytes.checked_mul(1 << 20).and_then(Table::with_bytes);
        table.ok_or_else(|| Error::new(format!("cannot allocate {megabytes} MB for the hash table")))
    }

    /// A cleared table of at most so many bytes, if the memory can be had.
    pub fn with_bytes(bytes: usize) -> Option<Table> {
        let clusters = ZeroedSlice::new(bytes / size_of::<Cluster>())?;
        let table = Table { clusters, age: AtomicU8::new(0) };
        // Touched now, by all processors: a search that had to wait for each new page would crawl at first.
        table.clear(usize::MAX);
        Some(table)
    }

    /// The cluster of a key: the high bits choose it, the low sixteen tell entries apart.
    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Brings the cluster of a key into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        bits::prefetch(self.cluster(key));
    }

    /// What is known about a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        let keys = cluster.keys.load(Relaxed);
        (0..ENTRIES).find(|&i| (keys >> (16 * i)) as u16 == key as u16).and_then(|i| {
            let word = cluster.entries[i].load(Relaxed);
            (word != 0).then(|| Entry::unpack(word))
        })
    }

    /// Keeps what a search found out. The least valuable entry of the cluster makes room: old and shallow ones
    /// first. A deeper entry of this search for the same position stays, unless the new one is exact.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let cluster = self.cluster(key);
        let (keys, age) = (cluster.keys.load(Relaxed), self.age.load(Relaxed));
        let worth = |word: u64| {
            let years = age.wrapping_sub(age_of(word)) & AGE_MASK;
            if word == 0 { i32::MIN } else { (word >> 56) as i32 - 8 * i32::from(years) }
        };
        let mut place = 0;
        let mut least = i32::MAX;
        for i in 0..ENTRIES {
            let word = cluster.entries[i].load(Relaxed);
            if (keys >> (16 * i)) as u16 == key as u16 && word != 0 {
                let old = Entry::unpack(word);
                if entry.bound != Bound::Exact
                    && age_of(word) == age
                    && entry.depth + 4 + 2 * i32::from(entry.pv) <= old.depth
                {
                    return;
                }
                if entry.mv.is_none() {
                    entry.mv = old.mv;
                }
                place = i;
                break;
            }
            if worth(word) < least {
                least = worth(word);
                place = i;
            }
        }
        let shift = 16 * place;
        cluster.entries[place].store(entry.pack(age), Relaxed);
        cluster.keys.store(keys & !(0xFFFF << shift) | u64::from(key as u16) << shift, Relaxed);
    }

    /// A new search begins: what older ones stored may be replaced first.
    pub fn new_search(&self) {
        let age = self.age.load(Relaxed);
        self.age.store(age.wrapping_add(1) & AGE_MASK, Relaxed);
    }

    /// Forgets everything, with as many threads as are allowed to work.
    pub fn clear(&self, threads: usize) {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let share = self.clusters.len().div_ceil(threads.clamp(1, processors));
        let wipe = |part: &[Cluster]| {
            for cluster in part {
                cluster.entries.iter().for_each(|entry| entry.store(0, Relaxed));
                cluster.keys.store(0, Relaxed);
            }
        };
        std::thread::scope(|scope| {
            let mut parts = self.clusters.chunks(share);
            let own = parts.next();
            for part in parts {
                // A system that refuses a thread gets the work done all the same.
                if std::thread::Builder::new().spawn_scoped(scope, move || wipe(part)).is_err() {
                    wipe(part);
                }
            }
            own.iter().for_each(|part| wipe(part));
        });
        self.age.store(0, Relaxed);
    }

    /// How full the table is of entries of this search, in permille of a sample.
    pub fn permille_full(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.entries)
            .map(|entry| entry.load(Relaxed))
            .filter(|&word| word != 0 && age_of(word) == age)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }

    /// Its size in megabytes.
    pub fn megabytes(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, bits: u16) -> Entry {
        Entry {
            mv: Move::from_bits(bits),
            score: Score::new(-123),
            eval: Score::new(77),
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    fn small_table() -> Table {
        Table::with_bytes(1 << 14).unwrap()
    }

    #[test]
    fn entries_come_back_as_stored() {
        let table = small_table();
        assert_eq!(table.probe(42), None);
        for score in [Score::mate_in(3), Score::mated_in(200), Score::TABLE_WIN, Score::DRAW] {
            let stored = Entry { score, eval: Score::NONE, ..entry(30, 999) };
            let key = (score.value() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            table.store(key, stored);
            assert_eq!(table.probe(key), Some(stored));
        }
        table.clear(2);
        assert_eq!(table.probe((Score::mate_in(3).value() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)), None);
    }

    #[test]
    fn a_missing_move_does_not_erase_a_known_one() {
        let table = small_table();
        table.store(7, entry(3, 555));
        table.store(7, Entry { mv: Move::NONE, bound: Bound::Exact, ..entry(4, 0) });
        assert_eq!(table.probe(7).map(|e| (e.mv.bits(), e.depth)), Some((555, 4)));
    }

    #[test]
    fn deep_entries_of_this_search_stay() {
        let table = small_table();
        table.store(7, entry(20, 1));
        table.store(7, entry(3, 2));
        assert_eq!(table.probe(7).unwrap().depth, 20);
        table.new_search();
        table.store(7, entry(3, 2));
        assert_eq!(table.probe(7).unwrap().depth, 3);
    }

    #[test]
    fn old_entries_make_room_first() {
        let table = small_table();
        // Same cluster (high bits equal), different low sixteen bits.
        for low in 1..=3 {
            table.store(low, entry(10, low as u16));
        }
        table.new_search();
        table.store(1, entry(10, 1));
        table.store(2, entry(10, 2));
        table.store(9, entry(1, 9));
        assert!(table.probe(3).is_none() && table.probe(9).is_some() && table.probe(1).is_some());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends the program where a system would say no")]
    fn impossible_sizes_fail_politely() {
        assert!(Table::with_megabytes(usize::MAX).is_err());
        assert!(Table::with_megabytes(1 << 40).is_err());
    }
}
