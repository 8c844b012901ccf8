//! What the mate search knows about positions: how much work is left, and what is settled for good.

/// Proof and disproof numbers of this size mean that the other outcome is certain.
pub const SETTLED: u32 = u32::MAX / 4;
/// No number of moves is known to be enough.
pub const NEVER: u8 = u8::MAX;

/// One position. What is settled holds for every number of moves: a mate that needs three also comes within four, and
/// one that does not come within four does not come within three.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    key: u64,
    /// Work left to prove the mate, for the number of moves asked last.
    pub proof: u32,
    /// Work left to refute it.
    pub disproof: u32,
    /// The mate is proven with so many moves or more.
    pub proven: u8,
    /// It is refuted with fewer moves than this.
    pub refuted_below: u8,
    /// How much work has gone into it, as a power of two.
    effort: u8,
}

impl Entry {
    /// Nothing known; `proof` and `disproof` are first guesses.
    pub fn guess(proof: u32, disproof: u32) -> Entry {
        Entry { key: 0, proof, disproof, proven: NEVER, refuted_below: 0, effort: 0 }
    }

    /// A mate that needs `moves` more moves.
    pub fn mate(moves: u8) -> Entry {
        Entry { proven: moves, ..Entry::guess(0, SETTLED) }
    }

    /// No mate with fewer moves than this.
    pub fn no_mate_below(moves: u8) -> Entry {
        Entry { refuted_below: moves, ..Entry::guess(SETTLED, 0) }
    }

    /// Whether the mate is certain with so many moves.
    pub fn is_proven(&self, moves: u8) -> bool {
        moves >= self.proven
    }

    /// Whether it is certain that there is none.
    pub fn is_refuted(&self, moves: u8) -> bool {
        moves < self.refuted_below
    }

    /// Proof and disproof number for so many moves.
    pub fn numbers(&self, moves: u8) -> (u32, u32) {
        if self.is_proven(moves) {
            (0, SETTLED)
        } else if self.is_refuted(moves) {
            (SETTLED, 0)
        } else if self.proof.max(self.disproof) >= SETTLED {
            // The numbers speak of another number of moves, for which all is settled.
            (1, 1)
        } else {
            (self.proof, self.disproof)
        }
    }
}

const WAYS: usize = 4;

/// A fixed number of entries; where they meet, the one with the least work behind it goes.
pub struct MateTable {
    entries: Vec<Entry>,
}

impl MateTable {
    /// A table of about this size.
    pub fn new(megabytes: usize) -> MateTable {
        let buckets = ((megabytes.max(1) << 20) / (WAYS * size_of::<Entry>())).max(1);
        MateTable { entries: vec![Entry::guess(1, 1); buckets * WAYS] }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = self.entries.len() / WAYS;
        ((u128::from(key) * buckets as u128) >> 64) as usize * WAYS
    }

    /// What is known about a position.
    pub fn get(&self, key: u64) -> Option<Entry> {
        let start = self.bucket(key);
        self.entries[start..start + WAYS].iter().find(|entry| entry.key == key).copied()
    }

    /// Remembers what `nodes` of work brought and returns it together with what was settled before. What was seen at a
    /// glance takes no room from what took work.
    pub fn put(&mut self, key: u64, new: Entry, nodes: u64) -> Entry {
        let start = self.bucket(key);
        let bucket = &mut self.entries[start..start + WAYS];
        let effort = (64 - nodes.leading_zeros()) as u8;
        let mut entry = Entry { key, effort, ..new };
        if let Some(old) = bucket.iter_mut().find(|old| old.key == key) {
            entry.proven = old.proven.min(new.proven);
            entry.refuted_below = old.refuted_below.max(new.refuted_below);
            entry.effort = old.effort.max(effort);
            *old = entry;
        } else if let Some(least) = bucket.iter_mut().min_by_key(|old| old.effort)
            && (nodes > 1 || least.effort <= effort)
        {
            *least = entry;
        }
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_settled_stays_settled() {
        let mut table = MateTable::new(1);
        table.put(7, Entry::no_mate_below(3), 10);
        table.put(7, Entry::mate(5), 10);
        table.put(7, Entry::guess(4, 6), 10);
        let entry = table.get(7).expect("just stored");
        assert!(entry.is_refuted(2) && !entry.is_refuted(3));
        assert!(entry.is_proven(5) && !entry.is_proven(4));
        assert_eq!(entry.numbers(2), (SETTLED, 0));
        assert_eq!(entry.numbers(4), (4, 6));
        assert_eq!(entry.numbers(9), (0, SETTLED));
        table.put(7, Entry::no_mate_below(4), 10);
        assert_eq!(table.get(7).expect("just stored").numbers(4), (1, 1));
    }

    #[test]
    fn little_work_makes_room_for_much() {
        let mut table = MateTable::new(1);
        let start = table.bucket(1 << 20);
        let keys: Vec<u64> = (1 << 20..).filter(|&key| table.bucket(key) == start).take(WAYS + 1).collect();
        for (&key, nodes) in keys.iter().zip([1000, 1, 1000, 1000, 1000]) {
            table.put(key, Entry::guess(2, 2), nodes);
        }
        let kept: Vec<bool> = keys.iter().map(|&key| table.get(key).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
    }
}
