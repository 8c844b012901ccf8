//! Ctrl-C at the console: while the engine thinks or a game is shown it means "that is enough", otherwise it ends the
//! program, as it does anywhere. At a terminal's prompt the line editor takes it and nothing ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use super::leave::leave;
use crate::base::Error;

/// What shells expect of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// Whether someone has pressed Ctrl-C.
#[derive(Default)]
pub struct Interrupt {
    /// There is something that can be cut short.
    busy: AtomicBool,
    asked: AtomicBool,
}

impl Interrupt {
    /// Watches for Ctrl-C from now on.
    pub fn watch() -> Result<Arc<Interrupt>, Error> {
        let interrupt = Arc::new(Interrupt::default());
        let watched = Arc::clone(&interrupt);
        let handler = move || {
            if !watched.busy.load(SeqCst) || watched.asked.swap(true, SeqCst) {
                leave(INTERRUPTED);
            }
        };
        ctrlc::set_handler(handler)
            .map_err(|error| Error::new(format!("cannot watch for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    /// Something begins that can be cut short.
    pub fn begin(&self) {
        self.asked.store(false, SeqCst);
        self.busy.store(true, SeqCst);
    }

    /// Whether it shall be cut short.
    pub fn is_asked(&self) -> bool {
        self.asked.load(SeqCst)
    }

    /// Set when it shall be cut short.
    pub fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// It has ended; tells whether it was cut short.
    pub fn end(&self) -> bool {
        self.busy.store(false, SeqCst);
        self.asked.swap(false, SeqCst)
    }
}
