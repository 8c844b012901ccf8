//! The flags through which the outside world ends a search.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::time::PonderClock;

/// Stop and ponder flags, shared by front end and workers. Workers read them at every node; only `begin`, which
/// the front end calls before it hands a search over, clears them.
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the opponent made the expected move, in microseconds after `epoch`.
    ponder_hit_us: AtomicU64,
    epoch: Instant,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// Nothing runs yet.
    pub fn new() -> Control {
        Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            ponder_hit_us: AtomicU64::new(0),
            epoch: Instant::now(),
            lock: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// A new search: earlier stops do not concern it.
    pub fn begin(&self, ponder: bool) {
        self.stop.store(false, Relaxed);
        self.pondering.store(ponder, Relaxed);
    }

    /// Ends the search.
    pub fn stop(&self) {
        let _guard = self.guard();
        self.stop.store(true, Relaxed);
        self.pondering.store(false, Relaxed);
        self.changed.notify_all();
    }

    /// The opponent made the expected move: from now on our clock runs.
    pub fn ponder_hit(&self) {
        let _guard = self.guard();
        if self.pondering.load(Relaxed) {
            self.ponder_hit_us.store(self.epoch.elapsed().as_micros() as u64, Relaxed);
            // Whoever sees the end of pondering sees its time too.
            self.pondering.store(false, Release);
        }
        self.changed.notify_all();
    }

    /// Whether the search must end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the opponent's clock is running.
    #[inline(always)]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Sleeps until a stop or, unless the search is `infinite`, a ponder hit.
    pub fn wait_for_release(&self, infinite: bool) {
        let mut guard = self.guard();
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn guard(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}

impl PonderClock for Control {
    fn is_pondering(&self) -> bool {
        Control::is_pondering(self)
    }

    fn ponder_hit_time(&self) -> Instant {
        self.epoch + Duration::from_micros(self.ponder_hit_us.load(Relaxed))
    }
}
