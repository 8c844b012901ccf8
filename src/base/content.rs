//! Bytes of a file or in memory, read by part: what books and endgame tables stand on.

use std::borrow::Cow;
use std::path::Path;

use super::Error;
use super::paged::PagedFile;

/// So much is read at a time where everything is read.
const CHUNK_BYTES: usize = 1 << 16;

/// Bytes that do not change, unless somebody changes the file they are in.
#[derive(Debug)]
pub enum Content {
    /// In a file.
    File(PagedFile),
    /// In memory.
    Memory(Cow<'static, [u8]>),
}

impl Content {
    /// The bytes of a file, which may not be empty.
    pub fn open(path: &Path) -> Result<Content, Error> {
        let file = PagedFile::open(path)?;
        if file.bytes() == 0 {
            return Err(Error::new("the file is empty"));
        }
        Ok(Content::File(file))
    }

    /// How many there are.
    pub fn bytes(&self) -> u64 {
        match self {
            Content::File(file) => file.bytes(),
            Content::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Fills `buffer` with the bytes from `offset` on. Fails if there are not so many, or if the file is seen to have
    /// changed.
    #[inline]
    pub fn read(&self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        match self {
            Content::File(file) => Ok(file.read(buffer, offset)?),
            Content::Memory(bytes) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                let found = bytes.get(start..).and_then(|rest| rest.get(..buffer.len()));
                buffer.copy_from_slice(found.ok_or_else(|| Error::new("there are not so many bytes"))?);
                Ok(())
            }
        }
    }

    /// Fails if the bytes are in a file that has another size now.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        match self {
            Content::File(file) => Ok(file.check_unchanged()?),
            Content::Memory(_) => Ok(()),
        }
    }

    /// The bytes from `offset` on, so many of them.
    pub fn part(&self, offset: u64, count: usize) -> Result<Vec<u8>, Error> {
        // A count that is read from a damaged file must not take all memory.
        if offset.saturating_add(count as u64) > self.bytes() {
            return Err(Error::new("there are not so many bytes"));
        }
        let mut part = vec![0; count];
        self.read(&mut part, offset)?;
        Ok(part)
    }

    /// Hands over all bytes from `offset` on, a chunk at a time; chunks are of one size but for the last.
    pub fn scan(&self, offset: u64, mut hear: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut at = offset;
        while at < self.bytes() {
            let count = (self.bytes() - at).min(CHUNK_BYTES as u64) as usize;
            hear(&self.part(at, count)?)?;
            at += count as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_and_memory_read_alike() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let bytes: Vec<u8> = (0..2 * CHUNK_BYTES + 5).map(|number| (number % 253) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        for content in [Content::open(&path).unwrap(), Content::Memory(bytes.clone().into())] {
            assert_eq!(content.bytes(), bytes.len() as u64);
            let mut all = Vec::new();
            let collect = |chunk: &[u8]| {
                all.extend_from_slice(chunk);
                Ok(())
            };
            content.scan(3, collect).unwrap();
            assert!(all == bytes[3..]);
            assert_eq!(content.part(100, 7).unwrap(), bytes[100..107]);
            assert!(content.part(bytes.len() as u64, 1).is_err());
            assert!(content.part(u64::MAX, 1).is_err());
            assert!(content.part(0, usize::MAX).is_err());
        }
        std::fs::write(&path, b"").unwrap();
        assert!(Content::open(&path).unwrap_err().to_string().contains("empty"));
    }

    #[test]
    fn a_file_that_shrinks_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [1; 100_000]).unwrap();
        let content = Content::open(&path).unwrap();
        std::fs::write(&path, b"short").unwrap();
        assert!(content.part(90_000, 4).unwrap_err().to_string().contains("changed its size"));
    }
}
