//! The bytes of a game file. Reader and writer are built on this; nobody else sees it.
//!
//! ```text
//! file:    "ROSADAGM"  version u16  6 bytes of room, zero          16 bytes, once
//!          game, game, ...                                         to the end of the file
//! game:    plies u16   result u8 (0 Black won, 1 draw, 2 White won)   1 byte, zero
//!          start position, 32 bytes, see `chess::packed`
//!          plies, each: move u16, score i16
//!          checksum u32: CRC-32 of all bytes of the game before it
//! ```
//! Numbers are little endian. A game of `n` plies has 40 + 4n bytes.

use super::{GameRecord, GameResult, Ply};
use crate::base::{Error, Move, Score};
use crate::chess::Position;
use crate::chess::packed::PACKED_BYTES;

/// How every game file begins.
const MAGIC: [u8; 8] = *b"ROSADAGM";
/// To be raised whenever the meaning of any byte changes, the sixteen bits of a move included.
const VERSION: u16 = 1;
pub(super) const HEADER_BYTES: usize = 16;

/// The part of a game before its plies, with the number of these.
pub(super) const PREFIX_BYTES: usize = 4 + PACKED_BYTES;
const PLY_BYTES: usize = 4;
const CHECKSUM_BYTES: usize = 4;

/// The longest game there is room for: far longer than any that was ever played, yet short enough that a broken count
/// is noticed at once.
pub const MOST_PLIES: usize = 4096;

/// The largest game in bytes: an interrupted write leaves less than this behind.
pub(super) const LARGEST_GAME: usize = PREFIX_BYTES + MOST_PLIES * PLY_BYTES + CHECKSUM_BYTES;

/// The first bytes of a file.
pub(super) fn header() -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes
}

/// Whether a file that begins like this can be read.
pub(super) fn check_header(bytes: &[u8; HEADER_BYTES]) -> Result<(), Error> {
    if bytes[..8] != MAGIC {
        return Err(Error::new("not a file of game records"));
    }
    match u16::from_le_bytes([bytes[8], bytes[9]]) {
        VERSION => Ok(()),
        other => Err(Error::new(format!("format version {other}, this program reads version {VERSION}"))),
    }
}

/// Appends the bytes of a game. Moves are not looked at: whoever records a game plays it first.
pub(super) fn encode(game: &GameRecord, bytes: &mut Vec<u8>) -> Result<(), Error> {
    let plies = game.plies.len();
    if plies > MOST_PLIES {
        return Err(Error::new(format!("a game of {plies} plies, there is room for {MOST_PLIES}")));
    }
    let start = game.start.pack().map_err(|error| error.within("start position"))?;
    let first = bytes.len();
    bytes.extend_from_slice(&(plies as u16).to_le_bytes());
    bytes.extend_from_slice(&[result_code(game.result), 0]);
    bytes.extend_from_slice(&start);
    for ply in &game.plies {
        bytes.extend_from_slice(&ply.mv.bits().to_le_bytes());
        bytes.extend_from_slice(&ply.score.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes[first..]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    Ok(())
}

/// How many bytes follow the prefix of a game.
pub(super) fn rest_bytes(prefix: &[u8; PREFIX_BYTES]) -> Result<usize, Error> {
    match usize::from(u16::from_le_bytes([prefix[0], prefix[1]])) {
        plies @ 0..=MOST_PLIES => Ok(plies * PLY_BYTES + CHECKSUM_BYTES),
        plies => Err(Error::new(format!("a game of {plies} plies, more than {MOST_PLIES}"))),
    }
}

/// The game in these bytes, checked in every respect: checksum, start position, scores, legality of each move.
pub(super) fn decode(bytes: &[u8]) -> Result<GameRecord, Error> {
    let short = || Error::new("too short");
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or_else(short)?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return Err(Error::new("its checksum is wrong"));
    }
    let (prefix, plies) = content.split_first_chunk::<PREFIX_BYTES>().ok_or_else(short)?;
    let [_, _, result, _, start @ ..] = prefix;
    let start = Position::unpack(start).map_err(|error| error.within("start position"))?;
    let result = read_result(*result)?;
    let plies = read_plies(&start, plies)?;
    Ok(GameRecord { start, result, plies })
}

fn read_plies(start: &Position, bytes: &[u8]) -> Result<Vec<Ply>, Error> {
    let mut board = *start.board();
    let mut plies = Vec::with_capacity(bytes.len() / PLY_BYTES);
    let (chunks, _) = bytes.as_chunks::<PLY_BYTES>();
    for (number, &[m0, m1, s0, s1]) in (1..).zip(chunks) {
        let (mv, score) = (Move::from_bits(u16::from_le_bytes([m0, m1])), i16::from_le_bytes([s0, s1]));
        if i32::from(score).abs() > Score::MATE.value() {
            return Err(Error::new(format!("the score of ply {number} is {score}, more than a mate")));
        }
        if !board.is_legal(mv, start.castling()) {
            return Err(Error::new(format!("ply {number} is an illegal move")));
        }
        board.play(mv, start.castling());
        plies.push(Ply { mv, score });
    }
    Ok(plies)
}

fn result_code(result: GameResult) -> u8 {
    match result {
        GameResult::BlackWins => 0,
        GameResult::Draw => 1,
        GameResult::WhiteWins => 2,
    }
}

fn read_result(code: u8) -> Result<GameResult, Error> {
    match code {
        0 => Ok(GameResult::BlackWins),
        1 => Ok(GameResult::Draw),
        2 => Ok(GameResult::WhiteWins),
        other => Err(Error::new(format!("{other} is no result"))),
    }
}
