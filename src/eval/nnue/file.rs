//! Network files: bytes in, network out, and back. The engine loads them (`EvalFile`), the trainer writes them, the
//! embedded network is one.
//!
//! ```text
//! bytes  0..8    "ROSADANN"
//!        8..10   version of the format
//!       10..22   the architecture: inputs of a set, sets for king squares, neurons of a side, outputs, unit, output unit
//!       22..24   centipawns in an output of 1
//!       24..28   CRC-32 of the map from king squares to sets
//!       28..32   CRC-32 of the whole file without these four bytes
//!       32..40   positions learned from        40..44  epochs       44..48  validation loss, a float
//!       48..64   zero
//!       64..     input weights, biases (i16), output weights of each output (i16), output biases (i32)
//! ```
//! Numbers are little endian. Whatever is not exactly as it should be is refused in words.

use std::cmp::Ordering;
use std::fmt;
use std::path::Path;

use super::architecture::{
    HIDDEN, INPUT_LIMIT, INPUTS, KING_BUCKET_OF, KING_BUCKETS, MEN_INPUTS, OUTPUT_BIAS_LIMIT, OUTPUT_BUCKETS,
    OUTPUT_LIMIT, OUTPUT_UNIT, UNIT,
};
use super::network::{Network, Origin, Row};
use crate::base::Error;
use crate::base::error::quote;

const MAGIC: [u8; 8] = *b"ROSADANN";
/// To be raised whenever the meaning of any byte changes.
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 64;
const CHECKSUM: std::ops::Range<usize> = 28..32;

/// The shape of a network as its header tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape([u16; 6]);

impl Shape {
    /// The one shape that this program computes.
    const OURS: Shape = Shape([
        MEN_INPUTS as u16,
        KING_BUCKETS as u16,
        HIDDEN as u16,
        OUTPUT_BUCKETS as u16,
        UNIT as u16,
        OUTPUT_UNIT as u16,
    ]);

    /// The shape in a header.
    fn of(header: &[u8; HEADER_BYTES]) -> Shape {
        Shape(std::array::from_fn(|field| {
            u16::from_le_bytes([header[10 + 2 * field], header[11 + 2 * field]])
        }))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [inputs, kings, hidden, outputs, unit, output_unit] = self.0;
        write!(f, "({kings} x {inputs} -> {hidden}) x 2 -> {outputs}, units {unit} and {output_unit}")
    }
}

/// In what a network may be smaller than ours and still be what ours can begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    /// Neurons of a side.
    hidden: usize,
    /// Sets of input weights for king squares.
    sets: usize,
}

impl Size {
    const OURS: Size = Size { hidden: HIDDEN, sets: KING_BUCKETS };

    /// The shape of a network of this size.
    fn shape(self) -> Shape {
        let mut shape = Shape::OURS;
        (shape.0[1], shape.0[2]) = (self.sets as u16, self.hidden as u16);
        shape
    }

    /// The size that a header tells, if ours can be made of it: not more neurons, and as many sets or a single one.
    fn of_smaller(header: &[u8; HEADER_BYTES]) -> Option<Size> {
        let [_, sets, hidden, ..] = Shape::of(header).0.map(usize::from);
        let smaller = hidden <= HIDDEN && (sets == 1 || sets == KING_BUCKETS);
        smaller.then_some(Size { hidden, sets })
    }

    /// The map from king squares to sets.
    fn sets_of_kings(self) -> [u8; 32] {
        if self.sets == KING_BUCKETS { KING_BUCKET_OF } else { [0; 32] }
    }

    /// Bytes of the file.
    const fn file_bytes(self) -> usize {
        let rows = self.sets * MEN_INPUTS + 1 + 2 * OUTPUT_BUCKETS;
        HEADER_BYTES + 2 * self.hidden * rows + 4 * OUTPUT_BUCKETS
    }
}

/// The size of a network file in bytes.
pub const FILE_BYTES: usize = Size::OURS.file_bytes();

/// The network in a file.
pub fn load(path: &Path) -> Result<Network, Error> {
    let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
    let size = std::fs::metadata(path).map_err(|error| named(error.into()))?;
    if size.is_dir() {
        return Err(named(Error::new("is a folder, not a network")));
    }
    // Nothing of another size is a network, so nothing larger is read; the beginning tells what it is instead.
    let mut bytes = Vec::new();
    let read = |bytes: &mut Vec<u8>| -> std::io::Result<usize> {
        use std::io::Read;
        std::fs::File::open(path)?.take(FILE_BYTES as u64 + 1).read_to_end(bytes)
    };
    read(&mut bytes).map_err(|error| named(error.into()))?;
    decode(&bytes).map_err(named)
}

/// By what people tell networks apart: the checksum of the file.
pub fn name(network: &Network) -> String {
    format!("{:08x}", checksum(&encode(network)))
}

/// The checksum of a file, but for the place where it is written.
fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM.start.min(bytes.len())]);
    hasher.update(bytes.get(CHECKSUM.end..).unwrap_or_default());
    hasher.finalize()
}

/// The network in these bytes.
pub fn decode(bytes: &[u8]) -> Result<Network, Error> {
    decode_with(bytes, Size::OURS)
}

/// The network in these bytes, which may be smaller than ours. Where it has fewer neurons, the others have no inputs and
/// no say; where it has one set of input weights, every set is that one. For going on with the training of a network
/// that has become too small.
pub fn decode_widened(bytes: &[u8]) -> Result<Network, Error> {
    let size = bytes.first_chunk::<HEADER_BYTES>().and_then(Size::of_smaller);
    decode_with(bytes, size.unwrap_or(Size::OURS))
}

/// The network in these bytes, which has this size.
fn decode_with(bytes: &[u8], size: Size) -> Result<Network, Error> {
    let header = check_header(bytes, size)?;
    let mut numbers = Numbers { rest: &bytes[HEADER_BYTES..], hidden: size.hidden };
    let sets: Vec<Row> = (0..size.sets * MEN_INPUTS).map(|_| numbers.row()).collect();
    let inputs = sets.iter().copied().cycle().take(INPUTS).collect();
    let bias = numbers.row();
    let outputs = std::array::from_fn(|_| [numbers.row(), numbers.row()]);
    let output_bias = std::array::from_fn(|_| i32::from_le_bytes(numbers.take()));
    let number = |place: usize| u16::from_le_bytes([header[place], header[place + 1]]);
    let long = |place: usize| -> [u8; 4] { std::array::from_fn(|byte| header[place + byte]) };
    let origin = Origin {
        positions: u64::from_le_bytes(std::array::from_fn(|byte| header[32 + byte])),
        epochs: u32::from_le_bytes(long(40)),
        validation_loss: f32::from_le_bytes(long(44)),
    };
    let network = Network::new(inputs, bias, outputs, output_bias, number(22), origin);
    check(&network)?;
    Ok(network)
}

/// The header, if the bytes are a sound file of our architecture in this size.
fn check_header(bytes: &[u8], size: Size) -> Result<&[u8; HEADER_BYTES], Error> {
    let wanted = size.file_bytes();
    let foreign = || Error::new("not a network of Rosada");
    if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
        return Err(foreign());
    }
    let cut = || Error::new(format!("the file is cut off: {} bytes instead of {wanted}", bytes.len()));
    let header = bytes.first_chunk::<HEADER_BYTES>().ok_or_else(cut)?;
    let number = |place: usize| u16::from_le_bytes([header[place], header[place + 1]]);
    if number(8) != VERSION {
        return Err(Error::new(format!("network format {}, this program reads format {VERSION}", number(8))));
    }
    let shape = Shape::of(header);
    if shape != size.shape() {
        return Err(Error::new(format!(
            "a network of another architecture: {shape}; this program computes {}",
            Shape::OURS
        )));
    }
    if header[24..28] != crc32fast::hash(&size.sets_of_kings()).to_le_bytes() {
        return Err(Error::new("a network with other sets of king squares"));
    }
    match bytes.len().cmp(&wanted) {
        Ordering::Equal => {}
        Ordering::Less => return Err(cut()),
        Ordering::Greater => {
            return Err(Error::new(format!("the file is longer than the {wanted} bytes of a network")));
        }
    }
    if header[CHECKSUM] != checksum(bytes).to_le_bytes() {
        return Err(Error::new("the file is damaged: its checksum is wrong"));
    }
    Ok(header)
}

/// Whether all numbers of a network are within the limits that keep every sum from overflowing.
pub fn check(network: &Network) -> Result<(), Error> {
    let within = |row: &Row, limit: i16| row.0.iter().all(|weight| (-limit..=limit).contains(weight));
    let sound = within(&network.bias, INPUT_LIMIT)
        && network.inputs.iter().all(|row| within(row, INPUT_LIMIT))
        && network.outputs.iter().flatten().all(|row| within(row, OUTPUT_LIMIT))
        && network.output_bias.iter().all(|bias| (-OUTPUT_BIAS_LIMIT..=OUTPUT_BIAS_LIMIT).contains(bias))
        && network.inputs.len() == INPUTS
        && network.scale_cp > 0;
    if sound { Ok(()) } else { Err(Error::new("a network with numbers beyond their limits")) }
}

/// The bytes of a network.
pub fn encode(network: &Network) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FILE_BYTES);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    Shape::OURS.0.iter().for_each(|field| bytes.extend_from_slice(&field.to_le_bytes()));
    bytes.extend_from_slice(&network.scale_cp.to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&KING_BUCKET_OF).to_le_bytes());
    bytes.extend_from_slice(&[0; CHECKSUM.end - CHECKSUM.start]);
    let Origin { positions, epochs, validation_loss } = network.origin;
    bytes.extend_from_slice(&positions.to_le_bytes());
    bytes.extend_from_slice(&epochs.to_le_bytes());
    bytes.extend_from_slice(&validation_loss.to_le_bytes());
    bytes.resize(HEADER_BYTES, 0);
    let rows =
        network.inputs.iter().chain(std::iter::once(&network.bias)).chain(network.outputs.iter().flatten());
    for row in rows {
        row.0.iter().for_each(|weight| bytes.extend_from_slice(&weight.to_le_bytes()));
    }
    network.output_bias.iter().for_each(|bias| bytes.extend_from_slice(&bias.to_le_bytes()));
    let checksum = checksum(&bytes).to_le_bytes();
    bytes[CHECKSUM].copy_from_slice(&checksum);
    bytes
}

/// What the header of a network says, for people.
pub fn facts(network: &Network) -> String {
    let Origin { positions, epochs, validation_loss } = network.origin;
    format!(
        "network {}\narchitecture     {}\ncentipawns       {} in an output of 1\npositions        {positions}\n\
         epochs           {epochs}\nvalidation loss  {validation_loss:.6}\nbytes            {FILE_BYTES}\n",
        name(network),
        Shape::OURS,
        network.scale_cp,
    )
}

/// Takes numbers off the front of bytes that are long enough.
struct Numbers<'a> {
    rest: &'a [u8],
    /// Numbers of a row; the other neurons get zeros.
    hidden: usize,
}

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.rest.split_first_chunk::<N>().unwrap_or((&[0; N], &[]));
        self.rest = rest;
        *taken
    }

    fn row(&mut self) -> Row {
        let mut row = Row::ZERO;
        row.0.iter_mut().take(self.hidden).for_each(|number| *number = i16::from_le_bytes(self.take()));
        row
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::eval::nnue::tests::random_network;

    /// The file of the first neurons of a network, with the first set of input weights.
    fn narrowed(network: &Network, hidden: usize) -> Vec<u8> {
        let whole = encode(network);
        let biases = FILE_BYTES - 4 * OUTPUT_BUCKETS;
        let mut bytes = whole[..HEADER_BYTES].to_vec();
        for (number, row) in whole[HEADER_BYTES..biases].chunks(2 * HIDDEN).enumerate() {
            if !(MEN_INPUTS..INPUTS).contains(&number) {
                bytes.extend_from_slice(&row[..2 * hidden]);
            }
        }
        bytes.extend_from_slice(&whole[biases..]);
        bytes[12..14].copy_from_slice(&1u16.to_le_bytes());
        bytes[14..16].copy_from_slice(&(hidden as u16).to_le_bytes());
        bytes[24..28].copy_from_slice(&crc32fast::hash(&[0; 32]).to_le_bytes());
        let checksum = checksum(&bytes).to_le_bytes();
        bytes[CHECKSUM].copy_from_slice(&checksum);
        bytes
    }

    #[test]
    fn a_smaller_network_is_widened_only_where_that_is_asked_for() {
        const FEWER: usize = HIDDEN / 2;
        let mut network = random_network(9);
        let (first, others) = network.inputs.split_at_mut(MEN_INPUTS);
        others.chunks_mut(MEN_INPUTS).for_each(|set| set.copy_from_slice(first));
        let bytes = narrowed(&network, FEWER);
        let refused = decode(&bytes).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("-> {FEWER})")) && refused.contains("another architecture"),
            "{refused}"
        );
        let widened = decode_widened(&bytes).unwrap();
        // The same network, every set like the first, but for the neurons it never had.
        let rows =
            network.inputs.iter_mut().chain([&mut network.bias]).chain(network.outputs.iter_mut().flatten());
        rows.for_each(|row| row.0[FEWER..].fill(0));
        assert!(widened == network);
        let board = *Position::start().board();
        assert_eq!(widened.evaluate(&board), network.evaluate(&board));
        // One of our own size stays as it is; a larger or damaged one is refused.
        let whole = encode(&random_network(9));
        assert!(decode_widened(&whole).unwrap() == random_network(9));
        let mut larger = whole.clone();
        larger[14..16].copy_from_slice(&(2 * HIDDEN as u16).to_le_bytes());
        assert!(decode_widened(&larger).unwrap_err().to_string().contains("another architecture"));
        for length in [0, 20, HEADER_BYTES, bytes.len() - 1] {
            assert!(decode_widened(&bytes[..length]).is_err(), "{length}");
        }
        let mut flipped = bytes;
        flipped[HEADER_BYTES + 7] ^= 4;
        assert!(decode_widened(&flipped).unwrap_err().to_string().contains("checksum"));
    }
}
