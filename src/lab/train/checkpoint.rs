//! The whole state of a training run in a file, so that it can go on as if it had never ended.
//!
//! ```text
//! "ROSADACK"  version u16  neurons u16  rows u32  settings u32  epoch u32  steps u64
//! points u32, each: epochs f64, training f64, validation f64, quantized f64
//! weights, means, squares: f32, rows within bands (see `model`)
//! CRC-32 of everything before
//! ```
//! Numbers are little endian. `settings` is a checksum of everything that shapes a run: another run is refused.

use std::path::Path;

use super::adam::Adam;
use super::model::{ROWS, Rows};
use crate::base::Error;
use crate::base::error::quote;
use crate::base::files;
use crate::eval::nnue::architecture::HIDDEN;

const MAGIC: [u8; 8] = *b"ROSADACK";
const VERSION: u16 = 4;
/// The largest file there can be, points included.
pub const MAX_BYTES: u64 = 1 << 30;
/// More than anybody will ever measure; a broken count is noticed by it.
const MAX_POINTS: u32 = 1_000_000;

/// How far the losses have come at some time of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Epochs done, with the part of the last one.
    pub epochs: f64,
    /// Mean loss while learning, since the point before.
    pub training: f64,
    /// Mean loss on positions of other games, now.
    pub validation: f64,
    /// Mean loss on positions of other games of the network in whole numbers.
    pub quantized: f64,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The model.
    pub weights: Rows,
    /// The optimizer.
    pub adam: Adam,
    /// Epochs done.
    pub epoch: u32,
    /// The losses so far.
    pub curve: Vec<Point>,
}

impl State {
    /// A run that begins with these weights.
    pub fn new(weights: Rows) -> State {
        State { weights, adam: Adam::new(), epoch: 0, curve: Vec::new() }
    }

    /// The bytes of the file.
    pub fn encode(&self, settings: u32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 + self.curve.len() * 32 + 3 * ROWS * HIDDEN * size_of::<f32>());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(HIDDEN as u16).to_le_bytes());
        for number in [ROWS as u32, settings, self.epoch] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.adam.steps.to_le_bytes());
        bytes.extend_from_slice(&(self.curve.len() as u32).to_le_bytes());
        for point in &self.curve {
            let numbers = [point.epochs, point.training, point.validation, point.quantized];
            numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        for rows in [&self.weights, &self.adam.means, &self.adam.squares] {
            let numbers = rows.0.iter().flat_map(|row| &row.0);
            numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The state in these bytes and the checksum of its settings.
    pub fn decode(bytes: &[u8]) -> Result<(State, u32), Error> {
        if !is_checkpoint(bytes) {
            return Err(Error::new("not a checkpoint of a training run"));
        }
        let damaged = || Error::new("the checkpoint is cut off or damaged");
        let (content, checksum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(damaged());
        }
        let mut rest = Rest(&content[MAGIC.len()..]);
        let version = u16::from_le_bytes(rest.take()?);
        let neurons = u16::from_le_bytes(rest.take()?);
        let rows = u32::from_le_bytes(rest.take()?);
        if version != VERSION || usize::from(neurons) != HIDDEN || rows as usize != ROWS {
            return Err(Error::new(format!(
                "a checkpoint of format {version} with {rows} rows of {neurons} neurons; this program trains format \
                 {VERSION} with {ROWS} rows of {HIDDEN}"
            )));
        }
        let settings = u32::from_le_bytes(rest.take()?);
        let epoch = u32::from_le_bytes(rest.take()?);
        let steps = u64::from_le_bytes(rest.take()?);
        let points = u32::from_le_bytes(rest.take()?);
        let mut curve = Vec::new();
        for _ in 0..points.min(MAX_POINTS) {
            let mut number = || rest.take().map(f64::from_le_bytes);
            let (epochs, training, validation) = (number()?, number()?, number()?);
            curve.push(Point { epochs, training, validation, quantized: number()? });
        }
        let (weights, means, squares) = (rest.rows()?, rest.rows()?, rest.rows()?);
        Ok((State { weights, adam: Adam { means, squares, steps }, epoch, curve }, settings))
    }

    /// Reads a file; it must belong to a run with these settings.
    pub fn read(path: &Path, settings: u32) -> Result<State, Error> {
        let named = |error: Error| error.within(&quote(&path.to_string_lossy()));
        let bytes = files::read(path, MAX_BYTES).map_err(named)?;
        let (state, of_file) = State::decode(&bytes).map_err(named)?;
        if of_file != settings {
            return Err(named(Error::new(
                "the run it belongs to had other settings or files; give the command of that run, or begin a new one \
                 from its weights with --start",
            )));
        }
        Ok(state)
    }
}

/// Whether a file that begins like this is a checkpoint.
pub fn is_checkpoint(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// What has not been read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let short = || Error::new("the checkpoint is too short");
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or_else(short)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn rows(&mut self) -> Result<Rows, Error> {
        let mut rows = Rows::zero();
        for number in rows.0.iter_mut().flat_map(|row| &mut row.0) {
            *number = f32::from_le_bytes(self.take()?);
        }
        Ok(rows)
    }
}
