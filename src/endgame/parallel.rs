//! Work shared out to threads in small portions, with an eye on whoever wants it to stop.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crate::base::Error;

/// What a long piece of work reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Every placement is looked at once: mates, and what captures and promotions are worth.
    FirstLook,
    /// Positions that are decided in so many plies lead to those decided in one more.
    Plies(u32),
    /// The values are packed and written.
    Packing,
    /// The values of an ending found on the disk are unpacked.
    Reading,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stage::FirstLook => f.write_str("first look"),
            Stage::Plies(plies) => write!(f, "{plies} plies from mate"),
            Stage::Packing => f.write_str("packing"),
            Stage::Reading => f.write_str("reading smaller endings"),
        }
    }
}

/// How many threads work, who is told how far they are, and how they are stopped.
pub struct Crew<'a> {
    /// Threads.
    pub threads: usize,
    /// Set from outside to end the work.
    pub stop: &'a AtomicBool,
    /// Hears the stage and how much of it is done: so many portions of so many.
    pub progress: &'a (dyn Fn(Stage, usize, usize) + Sync),
}

/// The work was stopped from outside.
pub const INTERRUPTED: &str = "interrupted";

impl Crew<'_> {
    /// Calls `work` with every number below `portions`, on all threads.
    pub fn run(&self, stage: Stage, portions: usize, work: impl Fn(usize) + Sync) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let member = || {
            while !self.stop.load(Relaxed) {
                let portion = next.fetch_add(1, Relaxed);
                if portion >= portions {
                    return;
                }
                work(portion);
                if portion.is_multiple_of(PORTIONS_BETWEEN_REPORTS) {
                    (self.progress)(stage, portion, portions);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                // A system that refuses a thread gets the work done all the same.
                let _ = std::thread::Builder::new().spawn_scoped(scope, member);
            }
            member();
        });
        if self.stop.load(Relaxed) {
            return Err(Error::new(INTERRUPTED));
        }
        (self.progress)(stage, portions, portions);
        Ok(())
    }
}

const PORTIONS_BETWEEN_REPORTS: usize = 64;
