//! Blocks that were unpacked lately, shared by all searching threads.

use std::sync::{Mutex, PoisonError};

use super::format::BLOCK;

/// Locks, so that threads rarely wait for each other; each guards some slots.
const SHARDS: usize = 64;
/// Blocks behind each lock: 32 MB in all, taken as they are needed.
const SLOTS: usize = 128;

#[derive(Default)]
struct Slot {
    key: u64,
    codes: Option<Box<[u8; BLOCK]>>,
}

/// The memory of a set of tables. A block has one slot where it can be.
pub struct Cache {
    shards: Vec<Mutex<Vec<Slot>>>,
}

impl Cache {
    /// Nothing unpacked yet.
    pub fn new() -> Cache {
        let slots = || std::iter::repeat_with(Slot::default).take(SLOTS).collect();
        Cache { shards: (0..SHARDS).map(|_| Mutex::new(slots())).collect() }
    }

    /// A code of the block with this key, which `unpack` fetches if it is not here.
    pub fn code(
        &self,
        key: u64,
        place: usize,
        unpack: impl FnOnce(&mut [u8; BLOCK]) -> Option<()>,
    ) -> Option<u8> {
        let spread = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize;
        let mut shard = self.shards[spread % SHARDS].lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut shard[spread / SHARDS % SLOTS];
        match &mut slot.codes {
            Some(codes) if slot.key == key => return codes.get(place).copied(),
            Some(_) => {}
            empty => *empty = Some(Box::new([0; BLOCK])),
        }
        let codes = slot.codes.as_mut()?;
        // Until it is unpacked well the slot belongs to no block.
        slot.key = u64::MAX;
        unpack(codes)?;
        slot.key = key;
        codes.get(place).copied()
    }
}

impl Default for Cache {
    fn default() -> Cache {
        Cache::new()
    }
}
