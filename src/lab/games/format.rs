//! The bytes of a game file. Reader and writer are built on this; nobody else sees it.
//!
//! ```text
//! file:    "ROSADAGM"  version u16 (3)  size of the note u16      12 bytes, once
//!          CRC-32 u32 of the other bytes of the header            4 bytes
//!          game, 16 bytes, ASCII, filled up with zeros            "chess" or a variant
//!          note, UTF-8: how the games were made
//!          game, game, ...                                        to the end of the file
//! game:    plies u16   result u8 (0 Black won, 1 draw, 2 White won)   size of the start position u8
//!          start position
//!          plies, each: move u16, score i16, in Behemoth chess u8: the Behemoth's move, or 255 if it made none
//!          checksum u32: CRC-32 of all bytes of the game before it
//! ```
//! Numbers are little endian. In chess the size of the start position is written as 0 and always 32, see
//! `chess::packed`; a game of `n` plies has 40 + 4n bytes. In a variant the start position is a FEN. The start has the
//! clock of the fifty-move rule and the moves tell how it goes on.
//!
//! Versions 1 (chess) and 2 (variants) have no note, and their scores had faded as the fifty-move rule came nearer.
//! Their header is 16 bytes: name, version, zeros; in version 2 the variant follows. They are read, not continued.

use std::io::{ErrorKind, Read};

use super::{GameRecord, GameResult, Ply, Recorded};
use crate::base::error::quote;
use crate::base::{Error, Move, Score};
use crate::chess::packed::PACKED_BYTES;
use crate::fairy::{Rules, variants};

/// How every game file begins.
const MAGIC: [u8; 8] = *b"ROSADAGM";
/// To be raised whenever the meaning of any byte changes, the sixteen bits of a move included.
const VERSION: u16 = 3;
const CHESS_VERSION_1: u16 = 1;
const VARIANT_VERSION_2: u16 = 2;
/// The part of the header that every file has.
pub(super) const HEADER_BYTES: usize = 16;
/// The part that names the game.
pub(super) const NAME_BYTES: usize = 16;
/// The longest note.
const MAX_NOTE_BYTES: usize = 4096;

/// The part of a game that tells its size.
pub(super) const PREFIX_BYTES: usize = 4;
const CHECKSUM_BYTES: usize = 4;
/// Where the Behemoth has not moved.
const NO_CHANCE: u8 = u8::MAX;

/// The longest game there is room for: far longer than any that was ever played, yet short enough that a broken count
/// is noticed at once.
pub const MAX_PLIES: usize = 4096;

/// The largest game in bytes: an interrupted write leaves less than this behind.
pub(super) fn largest_game(rules: &Rules) -> usize {
    let start = if rules.is_chess() { PACKED_BYTES } else { usize::from(u8::MAX) };
    PREFIX_BYTES + start + MAX_PLIES * ply_bytes(rules) + CHECKSUM_BYTES
}

fn ply_bytes(rules: &Rules) -> usize {
    if rules.variant.behemoth { 5 } else { 4 }
}

/// What stands at the beginning of a file.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// The rules by which its games are played.
    pub rules: &'static Rules,
    /// How its games were made; nothing in old files.
    pub note: String,
    /// Its size.
    pub bytes: usize,
    /// Whether scores had faded when they were recorded.
    pub faded: bool,
}

/// The header of a new file. A note that is too long is cut.
pub(super) fn header(rules: &Rules, note: &str) -> Vec<u8> {
    let mut end = note.len().min(MAX_NOTE_BYTES);
    while !note.is_char_boundary(end) {
        end -= 1;
    }
    let note = &note[..end];
    let mut rest: Vec<u8> = rules.variant.name.bytes().take(NAME_BYTES).collect();
    rest.resize(NAME_BYTES, 0);
    rest.extend_from_slice(note.as_bytes());
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(note.len() as u16).to_le_bytes());
    let checksum = crc32fast::hash(&[&bytes[..], &rest].concat());
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(&rest);
    bytes
}

/// Reads the header of a file of this version or an older one.
pub(super) fn read_header(input: &mut impl Read) -> Result<Header, Error> {
    let first: [u8; HEADER_BYTES] = read_array(input)?;
    if first[..8] != MAGIC {
        return Err(Error::new("not a file of game records"));
    }
    match u16::from_le_bytes([first[8], first[9]]) {
        CHESS_VERSION_1 => {
            Ok(Header { rules: variants::chess(), note: String::new(), bytes: HEADER_BYTES, faded: true })
        }
        VARIANT_VERSION_2 => {
            let rules = named_rules(read_array(input)?)?;
            if rules.is_chess() {
                return Err(unknown_game("chess"));
            }
            Ok(Header { rules, note: String::new(), bytes: HEADER_BYTES + NAME_BYTES, faded: true })
        }
        VERSION => {
            let name: [u8; NAME_BYTES] = read_array(input)?;
            let note_bytes = usize::from(u16::from_le_bytes([first[10], first[11]]));
            let mut note = vec![0; note_bytes];
            read_exactly(input, &mut note)?;
            let checksum = crc32fast::hash(&[&first[..12], &name, &note].concat());
            if checksum.to_le_bytes() != first[12..] {
                return Err(Error::new("the header is damaged: its checksum is wrong"));
            }
            let note =
                String::from_utf8(note).map_err(|_| Error::new("the note in the header is no text"))?;
            let bytes = HEADER_BYTES + NAME_BYTES + note_bytes;
            Ok(Header { rules: named_rules(name)?, note, bytes, faded: false })
        }
        other => {
            Err(Error::new(format!("format version {other}, this program reads versions up to {VERSION}")))
        }
    }
}

fn read_array<const COUNT: usize>(input: &mut impl Read) -> Result<[u8; COUNT], Error> {
    let mut bytes = [0; COUNT];
    read_exactly(input, &mut bytes)?;
    Ok(bytes)
}

fn read_exactly(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), Error> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => Error::new("not a file of game records: it is too short"),
        _ => error.into(),
    })
}

/// The rules by which the games of a file are played that bears this name.
fn named_rules(bytes: [u8; NAME_BYTES]) -> Result<&'static Rules, Error> {
    let name = String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default());
    let known = variants::all().iter().find(|rules| rules.variant.name == name);
    known.ok_or_else(|| unknown_game(&name))
}

fn unknown_game(name: &str) -> Error {
    Error::new(format!("its games are of an unknown variant, {}", quote(name)))
}

/// Appends the bytes of a game. Moves are not looked at: whoever records a game plays it first.
pub(super) fn encode<G: Recorded>(
    game: &GameRecord<G>,
    rules: &Rules,
    bytes: &mut Vec<u8>,
) -> Result<(), Error> {
    let plies = game.plies.len();
    if plies > MAX_PLIES {
        return Err(Error::new(format!("a game of {plies} plies, there is room for {MAX_PLIES}")));
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
        plies @ 0..=MAX_PLIES => Ok((start, plies * ply_bytes(rules))),
        plies => Err(Error::new(format!("a game of {plies} plies, more than {MAX_PLIES}"))),
    }
}

/// The size of a game in bytes; fails if no game begins like this.
pub(super) fn game_bytes(prefix: &[u8; PREFIX_BYTES], rules: &Rules) -> Result<usize, Error> {
    read_result(prefix[2])?;
    if rules.is_chess() && prefix[3] != 0 {
        return Err(Error::new(format!("a start position of {} bytes", prefix[3])));
    }
    part_bytes(prefix, rules).map(|(start, plies)| PREFIX_BYTES + start + plies + CHECKSUM_BYTES)
}

/// What stands before the checksum, which must be right.
pub(super) fn check(game: &[u8]) -> Result<&[u8], Error> {
    match game.split_last_chunk::<CHECKSUM_BYTES>() {
        Some((content, checksum)) if crc32fast::hash(content).to_le_bytes() == *checksum => Ok(content),
        _ => Err(Error::new("its checksum is wrong")),
    }
}

/// The game in these bytes, checked in every respect: checksum, start position, scores, legality of each move.
pub(super) fn decode<G: Recorded>(bytes: &[u8], rules: &'static Rules) -> Result<GameRecord<G>, Error> {
    let short = || Error::new("too short");
    let content = check(bytes)?;
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
