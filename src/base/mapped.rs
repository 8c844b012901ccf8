//! Files read through the memory map of the system: opening costs nothing, and only what is looked at is read.
//!
//! Used for opening books and endgame tables. It lives here because mapping is `unsafe` to name, which they need not do.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use super::Error;

/// A file in memory. Others may replace it while it is open; if they shorten or lengthen it, it is refused from then on.
#[derive(Debug)]
pub struct MappedFile {
    file: File,
    map: Mmap,
}

impl MappedFile {
    /// Maps a file, which may not be empty.
    pub fn open(path: &Path) -> Result<MappedFile, Error> {
        let file = File::open(path)?;
        let data = file.metadata()?;
        if data.is_dir() {
            return Err(Error::new("is a folder, not a file"));
        }
        if data.len() == 0 {
            return Err(Error::new("the file is empty"));
        }
        // SAFETY: the map is read-only and handed out only by `bytes`, which first sees to it that the file still has
        // its length, so that no page behind its end is touched; users copy what they read and trust none of it.
        let map = unsafe { Mmap::map(&file)? };
        Ok(MappedFile { file, map })
    }

    /// The bytes of the file, or that it is not the file any more that was opened.
    pub fn bytes(&self) -> Result<&[u8], Error> {
        if self.file.metadata()?.len() != self.map.len() as u64 {
            return Err(Error::new("the file has changed its size since it was opened"));
        }
        Ok(&self.map)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_shrinks_is_refused() {
        let path = std::env::temp_dir().join(format!("rosada-mapped-{}", std::process::id()));
        std::fs::write(&path, b"sixteen bytes...").unwrap();
        let mapped = MappedFile::open(&path).unwrap();
        assert_eq!(mapped.bytes().unwrap(), b"sixteen bytes...");
        std::fs::write(&path, b"short").unwrap();
        assert!(mapped.bytes().unwrap_err().to_string().contains("changed its size"));
        std::fs::write(&path, b"").unwrap();
        assert!(MappedFile::open(&path).unwrap_err().to_string().contains("empty"));
        std::fs::remove_file(&path).unwrap();
        assert!(MappedFile::open(&path).is_err());
    }
}
