//! Files of games and lists as streams of lines, packed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bzip2::bufread::MultiBzDecoder;
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

    /// Reads from anywhere. Gzip, bzip2 and zstd are recognized by their first bytes and unpacked.
    pub fn new(source: Box<dyn Read>) -> Result<Input, Error> {
        let read = Arc::new(AtomicU64::new(0));
        let counted = Counted { source, read: Arc::clone(&read) };
        let stream = unpacked(counted)?;
        Ok(Input { stream, read })
    }
}

/// The bytes of a source, unpacked if they are packed.
pub(super) fn unpacked<'a, R: Read + 'a>(source: R) -> Result<Box<dyn BufRead + 'a>, Error> {
    let mut packed = BufReader::with_capacity(BUFFER_BYTES, source);
    let beginning = packed.fill_buf()?;
    if beginning.starts_with(b"\x1f\x8b") {
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(packed))));
    }
    if beginning.starts_with(b"BZh") {
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiBzDecoder::new(packed))));
    }
    if beginning.starts_with(b"\x28\xb5\x2f\xfd") {
        let frames = Frames { packed, decoder: FrameDecoder::new(), inside: false, damage: None };
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, frames)));
    }
    for (sign, name) in [(&b"PK\x03\x04"[..], "zip"), (b"7z\xbc\xaf\x27\x1c", "7z"), (b"\xfd7zXZ\0", "xz")] {
        if beginning.starts_with(sign) {
            return Err(Error::new(format!(
                "a {name} archive; unpack it first (gzip, bzip2 and zstd are read as they are)"
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
    /// What is wrong with the present frame, to be told when all that came before has been read.
    damage: Option<io::Error>,
}

/// An empty last block of a frame, with room for a checksum behind it.
const END_OF_FRAME: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

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

    /// Unpacks blocks until there is something to read. The decoder keeps back what later blocks may refer to, which can
    /// be many megabytes: where a block is damaged, it is told that the frame ends, to have what came before.
    fn decode(&mut self) -> io::Result<()> {
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            let one = BlockDecodingStrategy::UptoBlocks(1);
            if let Err(error) = self.decoder.decode_blocks(&mut self.packed, one) {
                self.damage = Some(io::Error::other(error));
                let all = BlockDecodingStrategy::All;
                self.decoder.decode_blocks(&END_OF_FRAME[..], all).map_err(io::Error::other)?;
            }
        }
        Ok(())
    }

    /// Fails if the frame that has been read is damaged.
    fn end(&mut self) -> io::Result<()> {
        self.inside = false;
        if let Some(damage) = self.damage.take() {
            return Err(damage);
        }
        match self.decoder.get_checksum_from_data() {
            Some(checksum) if self.decoder.get_calculated_checksum() != Some(checksum) => {
                Err(io::Error::other("damaged: the checksum is wrong"))
            }
            _ => Ok(()),
        }
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
            self.decode()?;
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.end()?;
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::{Cursor, Write};

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    /// Lines that do not repeat themselves much: some hundred kilobytes.
    fn lines() -> String {
        let mut state = 1u64;
        let mut line = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            format!("{} and {state:x}\n", state >> 40)
        };
        (0..20_000).map(|_| line()).collect()
    }

    /// What can be read of a packed text, and the error at its end.
    fn unpack(bytes: &[u8]) -> (String, Option<String>) {
        let mut text = Vec::new();
        let error = match Input::new(Box::new(Cursor::new(bytes.to_vec()))) {
            Ok(mut input) => input.stream.read_to_end(&mut text).err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        (String::from_utf8(text).unwrap(), error)
    }

    fn zstd(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    fn bzip2(text: &str) -> Vec<u8> {
        let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn packed_texts_are_unpacked_and_may_follow_each_other() {
        let text = lines();
        for pack in [zstd, gzip, bzip2] {
            assert_eq!(unpack(&pack(&text)), (text.clone(), None));
            assert_eq!(unpack(&[pack("one\n"), pack("two\n")].concat()), ("one\ntwo\n".to_string(), None));
        }
    }

    #[test]
    fn what_comes_before_damage_is_read() {
        let text = lines();
        for pack in [zstd, gzip, bzip2] {
            let whole = pack(&text);
            for cut in [whole.len() / 2, whole.len() - 1] {
                let (read, error) = unpack(&whole[..cut]);
                assert!(error.is_some() && text.starts_with(&read), "{cut} of {}", whole.len());
                // Each of them packs by blocks.
                assert!(read.len() > text.len() * cut / whole.len() / 2, "{} of {cut}", read.len());
            }
        }
    }

    #[test]
    fn a_flipped_bit_is_an_error() {
        for pack in [zstd, gzip, bzip2] {
            let mut bytes = pack("a short text about nothing at all");
            let length = bytes.len();
            let faults = (length / 3..length).filter(|&place| {
                bytes[place] ^= 4;
                let (_, error) = unpack(&bytes);
                bytes[place] ^= 4;
                error.is_none()
            });
            assert_eq!(faults.collect::<Vec<_>>(), Vec::<usize>::new());
        }
    }

    #[test]
    fn other_archives_are_refused() {
        for (sign, name) in [(&b"PK\x03\x04"[..], "zip"), (b"\xfd7zXZ\0", "xz")] {
            let (_, error) = unpack(sign);
            assert!(error.is_some_and(|error| error.contains(name)));
        }
    }
}
