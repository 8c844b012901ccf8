//! The way out where the program must end at once: what was made for this session alone goes with it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A folder to remove at the end.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on this folder is removed when the program is left; whoever made it removes it otherwise.
pub fn take_along(folder: &Path) {
    *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.to_path_buf());
}

/// Ends the program.
pub fn leave(code: i32) -> ! {
    if let Some(folder) = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // Who is in a hurry is not told about a folder that stays.
        let _ = std::fs::remove_dir_all(folder);
    }
    std::process::exit(code)
}
