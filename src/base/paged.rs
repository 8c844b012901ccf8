//! Files that are read a page at a time through a cache of bounded size: opening costs nothing, and only what is looked at
//! is read and kept.
//!
//! A memory map would do the same, but whoever shortens a mapped file ends the program that mapped it. Here a file that
//! shrinks or cannot be read is an error of the one read. Used for endgame tables and books.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use once_cell::sync::Lazy;

use super::{Error, files};

const PAGE_BYTES: usize = 4096;
/// Pages that may stand at one place of the cache.
const WAYS: usize = 4;
/// Places: 64 MB of pages in all.
const SETS: usize = 4096;

/// The pages of all files. Memory is taken as pages are read.
static CACHE: Lazy<Vec<Mutex<Set>>> = Lazy::new(|| (0..SETS).map(|_| Mutex::default()).collect());

/// Each opened file has a number of its own, so that its pages are told from those of others and of its former self.
static NEXT_FILE: AtomicU64 = AtomicU64::new(1);

/// The pages at one place of the cache.
#[derive(Default)]
struct Set {
    /// File and number of each page; a file of 0 is none.
    keys: [(u64, u64); WAYS],
    pages: [Vec<u8>; WAYS],
    /// The page to be replaced next.
    next: usize,
}

/// A file that is open for reading at any place, by many threads.
#[derive(Debug)]
pub struct PagedFile {
    file: File,
    number: u64,
    bytes: u64,
}

impl PagedFile {
    /// Opens a regular file. Folders, pipes and devices are refused at once.
    pub fn open(path: &Path) -> Result<PagedFile, Error> {
        let file = files::open(path)?;
        let bytes = file.metadata()?.len();
        Ok(PagedFile { file, number: NEXT_FILE.fetch_add(1, Relaxed), bytes })
    }

    /// The size of the file when it was opened.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Fails if the file has another size now: what was read of it before is worth nothing.
    pub fn check_unchanged(&self) -> io::Result<()> {
        if self.file.metadata()?.len() != self.bytes {
            return Err(io::Error::other("the file has changed its size since it was opened"));
        }
        Ok(())
    }

    /// Fills `buffer` with the bytes from `offset` on; fails if the file ends before. A change of the file is noticed where
    /// a page is not in the cache.
    pub fn read(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let mut done = 0;
        while done < buffer.len() {
            let at = offset + done as u64;
            let (page, start) = (at / PAGE_BYTES as u64, (at % PAGE_BYTES as u64) as usize);
            done += self.read_of_page(page, start, &mut buffer[done..])?;
        }
        Ok(())
    }

    /// Fills some of `buffer`, at least a byte, with the bytes from `offset` on; nothing at the end of the file.
    pub fn read_some(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let (page, start) = (offset / PAGE_BYTES as u64, (offset % PAGE_BYTES as u64) as usize);
        match self.read_of_page(page, start, buffer) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            result => result,
        }
    }

    /// Copies what a page has from `start` on, at least a byte; returns how much.
    fn read_of_page(&self, page: u64, start: usize, buffer: &mut [u8]) -> io::Result<usize> {
        let mut set = CACHE[self.set_of(page)].lock().unwrap_or_else(PoisonError::into_inner);
        let key = (self.number, page);
        let way = match set.keys.iter().position(|other| *other == key) {
            Some(way) => way,
            None => {
                let way = set.next;
                set.next = (way + 1) % WAYS;
                // Whatever goes wrong, a page that was read in part is no page.
                set.keys[way] = (0, 0);
                self.load(page, &mut set.pages[way])?;
                set.keys[way] = key;
                way
            }
        };
        let found = set.pages[way].get(start..).unwrap_or_default();
        if found.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let count = found.len().min(buffer.len());
        buffer[..count].copy_from_slice(&found[..count]);
        Ok(count)
    }

    /// Reads a page, or as much of it as there is.
    fn load(&self, page: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        self.check_unchanged()?;
        bytes.resize(PAGE_BYTES, 0);
        let mut length = 0;
        while length < PAGE_BYTES {
            let offset = page * PAGE_BYTES as u64 + length as u64;
            match read_at(&self.file, &mut bytes[length..], offset) {
                Ok(0) => break,
                Ok(count) => length += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(length);
        Ok(())
    }

    fn set_of(&self, page: u64) -> usize {
        let mixed = (page ^ self.number << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize % SETS
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|number| (number * 31 % 251) as u8).collect()
    }

    #[test]
    fn any_part_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let whole = bytes(3 * PAGE_BYTES + 100);
        std::fs::write(&path, &whole).unwrap();
        let file = PagedFile::open(&path).unwrap();
        assert_eq!(file.bytes(), whole.len() as u64);
        for (start, length) in [(0, 1), (0, whole.len()), (4000, 5000), (4095, 2), (8192, 4196), (12_387, 1)]
        {
            let mut buffer = vec![0; length];
            for _ in 0..2 {
                file.read(&mut buffer, start as u64).unwrap();
                assert_eq!(buffer, whole[start..start + length]);
            }
        }
        for (start, length) in [(whole.len(), 1), (whole.len() - 1, 2), (1 << 40, 1)] {
            let error = file.read(&mut vec![0; length], start as u64).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        }
    }

    #[test]
    fn files_that_change_are_errors_or_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, bytes(9 * PAGE_BYTES)).unwrap();
        let file = PagedFile::open(&path).unwrap();
        let mut byte = [0];
        file.read(&mut byte, 0).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(10).unwrap();
        assert!(file.read(&mut byte, 5 * PAGE_BYTES as u64).is_err());
        std::fs::write(&path, [200; 100]).unwrap();
        PagedFile::open(&path).unwrap().read(&mut byte, 0).unwrap();
        assert_eq!(byte, [200]);
        assert!(PagedFile::open(folder.path()).unwrap_err().to_string().contains("folder"));
    }

    #[test]
    fn many_threads_read_many_files_through_a_small_cache() {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<PagedFile> = (0..3)
            .map(|number| {
                let path = folder.path().join(number.to_string());
                std::fs::write(&path, vec![number; 2000 * PAGE_BYTES]).unwrap();
                PagedFile::open(&path).unwrap()
            })
            .collect();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let files = &files;
                scope.spawn(move || {
                    let mut state = thread + 1;
                    for _ in 0..20_000 {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let number = (state >> 33) as usize % files.len();
                        let mut buffer = [9; 3];
                        let end = files[number].bytes() - 3;
                        files[number].read(&mut buffer, (state >> 20) % end).unwrap();
                        assert_eq!(buffer, [number as u8; 3]);
                    }
                });
            }
        });
    }
}
