//! The file of an ending, `KQvKR.dtm`: a header, where each block begins, and the blocks.
//!
//! ```text
//! bytes  0..8    "RosadaDT"
//!        8..10   version of the format
//!       10..12   placements in a block, as a power of two
//!       12..28   the ending's name, zeros behind it
//!       28..36   placements for each side to move
//!       36..44   length of what follows the header
//!       44..48   CRC-32 of what follows the header
//!       48..52   CRC-32 of the bytes before this
//! then          where each block begins, counted from the header's end, and where the last one ends: 4 bytes each,
//!               first the blocks with White to move, then those with Black to move
//! then          the blocks: each a raw deflate stream of its codes, one byte a placement
//! ```
//! All numbers are little-endian. Placements that are no legal position repeat the code before them, which packs best.
//! A file is checked as a whole when it is opened, so what is served later is what was written.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use miniz_oxide::{deflate, inflate};

use super::ending::Ending;
use super::index::Layout;
use super::parallel::{Crew, Stage};
use super::solved::Solved;
use crate::base::content::Content;
use crate::base::{Color, Error};

/// How the names of table files end.
pub const EXTENSION: &str = "dtm";

const MAGIC: &[u8; 8] = b"RosadaDT";
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 52;
const BLOCK_BITS: u16 = 12;

/// Placements in a block.
pub const BLOCK: usize = 1 << BLOCK_BITS;

/// The effort of packing: little is gained beyond.
const PACKING_LEVEL: u8 = 8;

/// A table on the disk or in the binary: blocks are unpacked when they are asked for.
pub struct Table {
    layout: Layout,
    content: Content,
}

fn number<const N: usize>(bytes: &[u8], start: usize) -> Option<[u8; N]> {
    bytes.get(start..start + N)?.try_into().ok()
}

fn read_u32(bytes: &[u8], start: usize) -> Option<u32> {
    number(bytes, start).map(u32::from_le_bytes)
}

/// Blocks for each side to move.
fn blocks_per_side(layout: &Layout) -> usize {
    layout.size().div_ceil(BLOCK)
}

impl Table {
    /// Opens a file and checks all of it.
    pub fn open(path: &Path) -> Result<Table, Error> {
        let table = Table::new(Content::open(path)?)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if Ending::parse(&name).ok() != Some(table.layout.ending()) {
            return Err(Error::new(format!("the file holds {}", table.layout.ending())));
        }
        Ok(table)
    }

    /// A table in the binary.
    pub fn embedded(bytes: &'static [u8]) -> Result<Table, Error> {
        Table::new(Content::Memory(bytes.into()))
    }

    fn new(content: Content) -> Result<Table, Error> {
        let header = content.part(0, HEADER_BYTES.min(content.bytes() as usize))?;
        if !header.starts_with(MAGIC) {
            return Err(Error::new("this is no endgame table of Rosada"));
        }
        let cut = || Error::new("the file is cut off");
        let version = number(&header, 8).map(u16::from_le_bytes).ok_or_else(cut)?;
        if version != VERSION {
            return Err(Error::new(format!(
                "the format has version {version}, this program reads {VERSION}"
            )));
        }
        let header_sum = read_u32(&header, HEADER_BYTES - 4).ok_or_else(cut)?;
        if crc32fast::hash(&header[..HEADER_BYTES - 4]) != header_sum {
            return Err(Error::new("the header is damaged"));
        }
        let length = number(&header, 36).map(u64::from_le_bytes).ok_or_else(cut)?;
        match (content.bytes() - HEADER_BYTES as u64).cmp(&length) {
            std::cmp::Ordering::Less => return Err(cut()),
            std::cmp::Ordering::Greater => return Err(Error::new("there is something behind the end")),
            std::cmp::Ordering::Equal => {}
        }
        let mut sum = crc32fast::Hasher::new();
        content.scan(HEADER_BYTES as u64, |chunk| {
            sum.update(chunk);
            Ok(())
        })?;
        if Some(sum.finalize()) != read_u32(&header, 44) {
            return Err(Error::new("the content is damaged: its checksum is wrong"));
        }
        let name = String::from_utf8_lossy(&header[12..28]).trim_end_matches('\0').to_string();
        let layout = Layout::new(Ending::parse(&name)?);
        let sizes =
            (number(&header, 28).map(u64::from_le_bytes), number(&header, 10).map(u16::from_le_bytes));
        if sizes != (Some(layout.size() as u64), Some(BLOCK_BITS)) {
            return Err(Error::new("the header contradicts itself"));
        }
        Ok(Table { layout, content })
    }

    /// The numbering.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.content.bytes()
    }

    /// Unpacks the codes of a block; none if there is no such block, or the file is not any more what it was when
    /// it was opened.
    pub fn unpack(&self, side: Color, block: usize, codes: &mut [u8; BLOCK]) -> Option<()> {
        self.content.check_unchanged().ok()?;
        let place = side.index() * blocks_per_side(&self.layout) + block;
        let mut ends = [0; 8];
        self.content.read(&mut ends, (HEADER_BYTES + 4 * place) as u64).ok()?;
        let (start, end) = (read_u32(&ends, 0)?, read_u32(&ends, 4)?);
        let packed = (HEADER_BYTES as u64 + u64::from(start), end.checked_sub(start)? as usize);
        let packed = self.content.part(packed.0, packed.1).ok()?;
        let codes_in_block = BLOCK.min(self.layout.size().checked_sub(block * BLOCK)?);
        let target = &mut codes[..codes_in_block];
        let unpacked =
            inflate::decompress_slice_iter_to_slice(target, std::iter::once(&packed[..]), false, true);
        (unpacked.ok()? == codes_in_block).then_some(())
    }

    /// All values, unpacked.
    pub fn load(&self, crew: &Crew<'_>) -> Result<Solved, Error> {
        let solved = Solved::empty(self.layout.ending())?;
        let blocks = blocks_per_side(&self.layout);
        let damaged = Mutex::new(false);
        crew.run(Stage::Reading, 2 * blocks, |portion| {
            let (side, block) = (Color::from_bool(portion < blocks), portion % blocks);
            let mut codes = [0; BLOCK];
            if self.unpack(side, block, &mut codes).is_none() {
                *damaged.lock().unwrap_or_else(PoisonError::into_inner) = true;
                return;
            }
            for (place, code) in solved.codes(side).iter().skip(block * BLOCK).zip(codes) {
                place.store(code, std::sync::atomic::Ordering::Relaxed);
            }
        })?;
        if damaged.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(Error::new(format!("{}: a block cannot be unpacked", self.layout.ending())));
        }
        Ok(solved)
    }
}

/// The content of a table file.
pub fn pack(solved: &Solved, crew: &Crew<'_>) -> Result<Vec<u8>, Error> {
    let layout = solved.layout();
    let blocks = blocks_per_side(layout);
    let packed: Vec<Mutex<Vec<u8>>> = (0..2 * blocks).map(|_| Mutex::default()).collect();
    crew.run(Stage::Packing, 2 * blocks, |portion| {
        let (side, block) = (Color::from_bool(portion < blocks), portion % blocks);
        let stream = deflate::compress_to_vec(&block_codes(solved, side, block), PACKING_LEVEL);
        *packed[portion].lock().unwrap_or_else(PoisonError::into_inner) = stream;
    })?;
    let packed: Vec<Vec<u8>> = packed
        .into_iter()
        .map(|stream| stream.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect();
    let mut body = Vec::new();
    let mut start = 4 * (2 * blocks + 1);
    for length in std::iter::once(0).chain(packed.iter().map(Vec::len)) {
        start += length;
        let start = u32::try_from(start).map_err(|_| Error::new("the table is too large for its format"))?;
        body.extend_from_slice(&start.to_le_bytes());
    }
    packed.iter().for_each(|stream| body.extend_from_slice(stream));
    let mut bytes = header(layout, &body);
    bytes.append(&mut body);
    Ok(bytes)
}

/// The codes of a block as they are packed.
fn block_codes(solved: &Solved, side: Color, block: usize) -> Vec<u8> {
    let layout = solved.layout();
    let mut last = 0;
    let numbers = block * BLOCK..((block + 1) * BLOCK).min(layout.size());
    numbers
        .map(|number| {
            if solved.is_legal(side, number) {
                last = solved.code(side, number).0;
            }
            last
        })
        .collect()
}

fn header(layout: &Layout, body: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER_BYTES);
    header.extend_from_slice(MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&BLOCK_BITS.to_le_bytes());
    let mut name = [0; 16];
    let text = layout.ending().to_string();
    name[..text.len()].copy_from_slice(text.as_bytes());
    header.extend_from_slice(&name);
    header.extend_from_slice(&(layout.size() as u64).to_le_bytes());
    header.extend_from_slice(&(body.len() as u64).to_le_bytes());
    header.extend_from_slice(&crc32fast::hash(body).to_le_bytes());
    header.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
    header
}
