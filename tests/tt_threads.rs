//! The shared table under fire: many threads, one table, no lock. Also run under Miri (see README.md).

use rosada::base::{Move, Score};
use rosada::tt::{Bound, Entry, Table};

/// A key that several threads will fight over, and the entry that belongs to it.
fn pair(index: u64) -> (u64, Entry) {
    let key = (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let bits = (key >> 20) as u16;
    let entry = Entry {
        mv: Move::from_bits(bits),
        score: Score::new(i32::from(bits as i16) / 2),
        eval: Score::new(i32::from(bits as i16) / 4),
        depth: i32::from(bits % 60),
        bound: Bound::Exact,
        pv: bits & 1 == 1,
    };
    (key, entry)
}

/// A megabyte; much less for Miri, which takes its time over every word.
fn small_table() -> Table {
    Table::with_bytes(if cfg!(miri) { 4096 } else { 1 << 20 }).expect("a little memory")
}

#[test]
fn threads_share_a_table_without_inventing_entries() {
    // Miri is some thousand times slower.
    let (threads, keys, rounds) = if cfg!(miri) { (3, 40, 3) } else { (4, 40_000, 20) };
    let table = small_table();
    let collisions = std::sync::atomic::AtomicU64::new(0);
    let hits = std::sync::atomic::AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (table, collisions, hits) = (&table, &collisions, &hits);
            scope.spawn(move || {
                for round in 0..rounds {
                    for index in 0..keys {
                        let (key, entry) = pair((index * 7 + thread * 13 + round) % keys);
                        table.store(key, entry);
                        if let Some(found) = table.probe(key) {
                            hits.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                            if found != entry {
                                collisions.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                            }
                        }
                    }
                    if thread == 0 {
                        table.new_search();
                    }
                }
            });
        }
    });
    let (collisions, hits) = (collisions.into_inner(), hits.into_inner());
    assert!(hits > threads * rounds * keys / 2, "only {hits} entries were found again");
    // Sixteen-bit keys and races between key and data may mix entries up, but only rarely.
    assert!(collisions * 100 <= hits, "{collisions} of {hits} entries were not the ones stored");
}

#[test]
fn clearing_with_several_threads_leaves_nothing() {
    let table = small_table();
    let keys = if cfg!(miri) { 20 } else { 20_000 };
    for index in 0..keys {
        let (key, entry) = pair(index);
        table.store(key, entry);
    }
    table.clear(3);
    assert!((0..keys).all(|index| table.probe(pair(index).0).is_none()));
    assert_eq!(table.permille_full(), 0);
}
