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
use std::io::Read;
use std::path::Path;

use super::architecture::{
    HIDDEN, INPUT_LIMIT, INPUTS, KING_BUCKET_OF, KING_BUCKETS, MEN_INPUTS, OUTPUT_BIAS_LIMIT, OUTPUT_BUCKETS,
    OUTPUT_LIMIT, OUTPUT_UNIT, UNIT,
};
use super::network::{Network, Origin, Row};
use crate::base::Error;
use crate::base::error::quote;
use crate::base::files;

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

/// The size of a network file in bytes.
pub const FILE_BYTES: usize =
    HEADER_BYTES + 2 * HIDDEN * (INPUTS + 1 + 2 * OUTPUT_BUCKETS) + 4 * OUTPUT_BUCKETS;

/// The network in a file.
pub fn load(path: &Path) -> Result<Network, Error> {
    let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
    // Nothing of another size is a network, so nothing larger is read; the beginning tells what it is instead.
    let mut bytes = Vec::new();
    files::open(path)
        .and_then(|file| Ok(file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?))
        .map_err(named)?;
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
    let header = check_header(bytes)?;
    let mut numbers = Numbers(&bytes[HEADER_BYTES..]);
    let inputs = (0..INPUTS).map(|_| numbers.row()).collect();
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

/// The header, if the bytes are a sound file of our architecture.
fn check_header(bytes: &[u8]) -> Result<&[u8; HEADER_BYTES], Error> {
    let foreign = || Error::new("not a network of Rosada");
    if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
        return Err(foreign());
    }
    let cut = || Error::new(format!("the file is cut off: {} bytes instead of {FILE_BYTES}", bytes.len()));
    let header = bytes.first_chunk::<HEADER_BYTES>().ok_or_else(cut)?;
    let number = |place: usize| u16::from_le_bytes([header[place], header[place + 1]]);
    if number(8) != VERSION {
        return Err(Error::new(format!("network format {}, this program reads format {VERSION}", number(8))));
    }
    let shape = Shape::of(header);
    if shape != Shape::OURS {
        return Err(Error::new(format!(
            "a network of another architecture: {shape}; this program computes {}",
            Shape::OURS
        )));
    }
    if header[24..28] != crc32fast::hash(&KING_BUCKET_OF).to_le_bytes() {
        return Err(Error::new("a network with other sets of king squares"));
    }
    match bytes.len().cmp(&FILE_BYTES) {
        Ordering::Equal => {}
        Ordering::Less => return Err(cut()),
        Ordering::Greater => {
            return Err(Error::new(format!("the file is longer than the {FILE_BYTES} bytes of a network")));
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
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk::<N>().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *taken
    }

    fn row(&mut self) -> Row {
        Row(std::array::from_fn(|_| i16::from_le_bytes(self.take())))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::nnue::tests::random_network;

    #[test]
    fn networks_come_back_and_others_are_refused() {
        let network = random_network(9);
        let bytes = encode(&network);
        assert_eq!(bytes.len(), FILE_BYTES);
        assert!(decode(&bytes).unwrap() == network);
        let mut smaller = bytes.clone();
        smaller[14..16].copy_from_slice(&(HIDDEN as u16 / 2).to_le_bytes());
        let refused = decode(&smaller).unwrap_err().to_string();
        assert!(refused.contains(&format!("-> {})", HIDDEN / 2)), "{refused}");
        assert!(refused.contains("another architecture"), "{refused}");
        for length in [0, 20, HEADER_BYTES, bytes.len() - 1] {
            assert!(decode(&bytes[..length]).is_err(), "{length}");
        }
        let mut flipped = bytes;
        flipped[HEADER_BYTES + 7] ^= 4;
        assert!(decode(&flipped).unwrap_err().to_string().contains("checksum"));
    }
}
