//! Ctrl-C in a long job: the first one asks it to come to an end, the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use crate::base::Error;

/// What shells expect of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// A flag that the first Ctrl-C sets.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    let handler = move || {
        if interrupted.swap(true, SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Error::new(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(stop)
}
