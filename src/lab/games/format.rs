//! The bytes of a game file. Reader and writer are built on this; nobody else sees it.
//!
//! ```text
//! file:    "ROSADAGM"  version u16  6 bytes of room, zero          16 bytes, once
//!          variant, 16 bytes, ASCII, filled up with zeros          only in version 2
//!          game, game, ...                                         to the end of the file
//! game:    plies u16   result u8 (0 Black won, 1 draw, 2 White won)   size of the start position u8
//!          start position
//!          plies, each: move u16, score i16, in Behemoth chess u8: the Behemoth's move, or 255 if it made none
//!          checksum u32: CRC-32 of all bytes of the game before it
//! ```
//! Numbers are little endian. Version 1 is chess: the size is written as 0 and always 32, see `chess::packed`; a game
//! of `n` plies has 40 + 4n bytes. Version 2 is any variant: the start position is a FEN.

use super::{GameRecord, GameResult, Ply, Recorded};
use crate::base::error::quote;
use crate::base::{Error, Move, Score};
use crate::chess::packed::PACKED_BYTES;
use crate::fairy::{Rules, variants};

/// How every game file begins.
const MAGIC: [u8; 8] = *b"ROSADAGM";
/// To be raised whenever the meaning of any byte changes, the sixteen bits of a move included.
const CHESS_VERSION: u16 = 1;
const VARIANT_VERSION: u16 = 2;
/// The part of the header that every file has.
pub(super) const HEADER_BYTES: usize = 16;
/// The part that names the variant.
pub(super) const NAME_BYTES: usize = 16;

/// The part of a game that tells its size.
pub(super) const PREFIX_BYTES: usize = 4;
const CHECKSUM_BYTES: usize = 4;
/// Where the Behemoth has not moved.
const NO_CHANCE: u8 = u8::MAX;

/// The longest game there is room for: far longer than any that was ever played, yet short enough that a broken count
/// is noticed at once.
pub const MOST_PLIES: usize = 4096;

/// The largest game in bytes: an interrupted write leaves less than this behind.
pub(super) fn largest_game(rules: &Rules) -> usize {
    let start = if rules.is_chess() { PACKED_BYTES } else { usize::from(u8::MAX) };
    PREFIX_BYTES + start + MOST_PLIES * ply_bytes(rules) + CHECKSUM_BYTES
}

fn ply_bytes(rules: &Rules) -> usize {
    if rules.variant.behemoth { 5 } else { 4 }
}

/// The first bytes of a file.
pub(super) fn header(rules: &Rules) -> Vec<u8> {
    let version = if rules.is_chess() { CHESS_VERSION } else { VARIANT_VERSION };
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.resize(HEADER_BYTES, 0);
    if version == VARIANT_VERSION {
        bytes.extend(rules.variant.name.bytes().take(NAME_BYTES));
        bytes.resize(HEADER_BYTES + NAME_BYTES, 0);
    }
    bytes
}

/// Whether the name of a variant follows the first bytes of a file; fails if such a file cannot be read.
pub(super) fn has_name(bytes: &[u8; HEADER_BYTES]) -> Result<bool, Error> {
    if bytes[..8] != MAGIC {
        return Err(Error::new("not a file of game records"));
    }
    match u16::from_le_bytes([bytes[8], bytes[9]]) {
        CHESS_VERSION => Ok(false),
        VARIANT_VERSION => Ok(true),
        other => Err(Error::new(format!(
            "format version {other}, this program reads versions {CHESS_VERSION} and {VARIANT_VERSION}"
        ))),
    }
}

/// The rules by which the games of a file are played: those of chess if it names no variant.
pub(super) fn named_rules(name: Option<[u8; NAME_BYTES]>) -> Result<&'static Rules, Error> {
    let Some(bytes) = name else { return Ok(variants::chess()) };
    let name = String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default());
    // Only what `header` writes; files of chess have no name.
    let known = variants::all().iter().find(|rules| rules.variant.name == name && !rules.is_chess());
    known.ok_or_else(|| Error::new(format!("its games are of an unknown variant, {}", quote(&name))))
}

/// Appends the bytes of a game. Moves are not looked at: whoever records a game plays it first.
pub(super) fn encode<G: Recorded>(
    game: &GameRecord<G>,
    rules: &Rules,
    bytes: &mut Vec<u8>,
) -> Result<(), Error> {
    let plies = game.plies.len();
    if plies > MOST_PLIES {
        return Err(Error::new(format!("a game of {plies} plies, there is room for {MOST_PLIES}")));
    }
    if !std::ptr::eq(game.start.played_by(), rules) {
        return Err(Error::new(format!("not a game of {}", rules.variant.name)));
    }
    let start = game.start.pack_start().map_err(|error| error.within("start position"))?;
    let size = if rules.is_chess() { 0 } else { start.len() };
    let size = u8::try_from(size).map_err(|_| Error::new("a start position too long to be written"))?;
    let first = bytes.len();
    bytes.extend_from_slice(&(plies as u16).to_le_bytes());
    bytes.extend_from_slice(&[result_code(game.result), size]);
    bytes.extend_from_slice(&start);
    for ply in &game.plies {
        bytes.extend_from_slice(&ply.mv.bits().to_le_bytes());
        bytes.extend_from_slice(&ply.score.to_le_bytes());
        if rules.variant.behemoth {
            bytes.push(ply.chance.unwrap_or(NO_CHANCE));
        }
    }
    let checksum = crc32fast::hash(&bytes[first..]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    Ok(())
}

/// The sizes of the start position and of the plies that follow the prefix of a game.
fn part_bytes(prefix: &[u8; PREFIX_BYTES], rules: &Rules) -> Result<(usize, usize), Error> {
    let start = if rules.is_chess() { PACKED_BYTES } else { usize::from(prefix[3]) };
    match usize::from(u16::from_le_bytes([prefix[0], prefix[1]])) {
        plies @ 0..=MOST_PLIES => Ok((start, plies * ply_bytes(rules))),
        plies => Err(Error::new(format!("a game of {plies} plies, more than {MOST_PLIES}"))),
    }
}

/// How many bytes follow the prefix of a game.
pub(super) fn rest_bytes(prefix: &[u8; PREFIX_BYTES], rules: &Rules) -> Result<usize, Error> {
    part_bytes(prefix, rules).map(|(start, plies)| start + plies + CHECKSUM_BYTES)
}

/// The game in these bytes, checked in every respect: checksum, start position, scores, legality of each move.
pub(super) fn decode<G: Recorded>(bytes: &[u8], rules: &'static Rules) -> Result<GameRecord<G>, Error> {
    let short = || Error::new("too short");
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or_else(short)?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return Err(Error::new("its checksum is wrong"));
    }
    let (prefix, rest) = content.split_first_chunk::<PREFIX_BYTES>().ok_or_else(short)?;
    let (start, plies) = rest.split_at_checked(part_bytes(prefix, rules)?.0).ok_or_else(short)?;
    let start = G::unpack_start(rules, start).map_err(|error| error.within("start position"))?;
    let result = read_result(prefix[2])?;
    let plies = read_plies(plies, rules)?;
    match start.first_fault(&plies) {
        Some(fault) => Err(Error::new(fault)),
        None => Ok(GameRecord { start, result, plies }),
    }
}

fn read_plies(bytes: &[u8], rules: &Rules) -> Result<Vec<Ply>, Error> {
    let size = ply_bytes(rules);
    let mut plies = Vec::with_capacity(bytes.len() / size);
    for (number, chunk) in (1..).zip(bytes.chunks_exact(size)) {
        let (mv, score) =
            (u16::from_le_bytes([chunk[0], chunk[1]]), i16::from_le_bytes([chunk[2], chunk[3]]));
        if i32::from(score).abs() > Score::MATE.value() {
            return Err(Error::new(format!("the score of ply {number} is {score}, more than a mate")));
        }
        let chance = chunk.get(4).copied().filter(|&outcome| outcome != NO_CHANCE);
        plies.push(Ply { mv: Move::from_bits(mv), score, chance });
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
