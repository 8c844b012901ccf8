//! Files of games and lists as streams of lines, packed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::base::Error;

/// Reads this much at a time.
const BUFFER_BYTES: usize = 256 << 10;

/// An open file and how much of it, as it lies on the disk, has been read.
pub struct Input {
    /// Its unpacked bytes.
    pub stream: Box<dyn BufRead>,
    /// Bytes read so far.
    pub read: Arc<AtomicU64>,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path) -> Result<Input, Error> {
        if path == Path::new("-") {
            return Input::new(Box::new(io::stdin()));
        }
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(Error::new("is a folder, not a file"));
        }
        Input::new(Box::new(file))
    }

    /// Reads from anywhere. Gzip and zstd are recognized by their first bytes and unpacked.
    pub fn new(source: Box<dyn Read>) -> Result<Input, Error> {
        let read = Arc::new(AtomicU64::new(0));
        let counted = Counted { source, read: Arc::clone(&read) };
        let stream = unpack(BufReader::with_capacity(BUFFER_BYTES, counted))?;
        Ok(Input { stream, read })
    }
}

/// The unpacked bytes of a stream.
fn unpack<R: Read + 'static>(mut packed: BufReader<R>) -> Result<Box<dyn BufRead>, Error> {
    let beginning = packed.fill_buf()?;
    if beginning.starts_with(b"\x1f\x8b") {
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(packed))));
    }
    if beginning.starts_with(b"\x28\xb5\x2f\xfd") {
        let frames = Frames { packed, decoder: FrameDecoder::new(), inside: false };
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, frames)));
    }
    for (sign, name) in [(&b"PK\x03\x04"[..], "zip"), (b"7z\xbc\xaf\x27\x1c", "7z"), (b"BZh", "bzip2")] {
        if beginning.starts_with(sign) {
            return Err(Error::new(format!(
                "a {name} archive; unpack it first (gzip and zstd are read as they are)"
            )));
        }
    }
    Ok(Box::new(packed))
}

/// Counts what is read.
struct Counted {
    source: Box<dyn Read>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

/// A zstd file may be several frames one after the other, some of them there to be skipped.
struct Frames<R: Read> {
    packed: BufReader<R>,
    decoder: FrameDecoder,
    inside: bool,
}

impl<R: Read> Frames<R> {
    /// Reads the head of a frame.
    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.packed) {
            Ok(()) => self.inside = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                io::copy(&mut self.packed.by_ref().take(u64::from(length)), &mut io::sink())?;
            }
            Err(error) => return Err(io::Error::other(error)),
        }
        Ok(())
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.inside {
                if self.packed.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.begin()?;
                continue;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.packed, one).map_err(io::Error::other)?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.inside = false;
        }
    }
}

/// A line without its end, or what is left of it after `longest` bytes; the rest is thrown away. False at the end.
pub fn read_line(stream: &mut dyn BufRead, longest: usize, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut anything = false;
    loop {
        let chunk = match stream.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(chunk.len(), |index| index + 1);
        anything |= taken > 0;
        let text = &chunk[..end.unwrap_or(taken)];
        line.extend_from_slice(&text[..text.len().min(longest - line.len())]);
        stream.consume(taken);
        if end.is_some() || taken == 0 {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(anything);
        }
    }
}
