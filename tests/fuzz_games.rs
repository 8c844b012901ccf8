//! Any damage may happen to a file of games: nothing before it is lost, nothing wrong comes out, nothing panics.
//!
//! `ROSADA_FUZZ_CASES=1000000 cargo test --release --test fuzz_games` runs a million cases of each property.

mod common;

use once_cell::sync::Lazy;
use proptest::prelude::*;
use proptest::sample::Index;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use rosada::chess::Position;
use rosada::lab::games::{GameReader, GameRecord, GameResult, GameWriter, Ply};

const HEADER_BYTES: usize = 16;

fn cases() -> u32 {
    std::env::var("ROSADA_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(5_000)
}

/// Random games from all kinds of starts, Chess960 included, and the bytes of their file.
static SAMPLE: Lazy<(Vec<GameRecord>, Vec<u8>)> = Lazy::new(|| {
    let mut random = StdRng::seed_from_u64(5);
    let rare = common::RARE_RULES.iter().map(|fen| Position::from_fen(fen).expect(fen));
    let mut starts: Vec<Position> = rare.collect();
    starts.extend((0..4).map(|_| common::random_chess960_start(&mut random)));
    let games: Vec<GameRecord> = starts.into_iter().map(|start| random_game(start, &mut random)).collect();
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes).expect("memory");
    games.iter().for_each(|game| writer.write(game).expect("memory"));
    (games, bytes)
});

fn random_game(start: Position, random: &mut StdRng) -> GameRecord {
    let mut position = start.clone();
    let mut plies = Vec::new();
    for _ in 0..random.random_range(0..40) {
        let Some(mv) = common::random_move(&position, random) else { break };
        plies.push(Ply { mv, score: random.random_range(-32_000..=32_000) });
        position.make(mv);
    }
    let results = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];
    GameRecord { start, result: results[random.random_range(0..3)], plies }
}

/// The bytes of a game in a file.
fn size(game: &GameRecord) -> usize {
    40 + 4 * game.plies.len()
}

/// Reads what can be read; what comes out can be replayed.
fn read(bytes: &[u8]) -> (Vec<GameRecord>, bool) {
    let Ok(mut reader) = GameReader::new(bytes) else { return (Vec::new(), true) };
    let games: Vec<GameRecord> = reader.by_ref().collect();
    for game in &games {
        let mut position = game.start.clone();
        for ply in &game.plies {
            assert!(position.is_legal(ply.mv));
            position.make(ply.mv);
        }
    }
    (games, reader.damage().is_some())
}

/// One damage: a byte changed, inserted or removed, or everything from there on cut off. Returns where.
fn damage(bytes: &mut Vec<u8>, (kind, byte, at): (u8, u8, Index)) -> usize {
    if bytes.is_empty() {
        return 0;
    }
    let at = at.index(bytes.len());
    match kind {
        0 => bytes[at] ^= byte.max(1),
        1 => bytes.insert(at, byte),
        2 => drop(bytes.remove(at)),
        _ => bytes.truncate(at),
    }
    at
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn games_before_a_damage_come_back_and_no_others(
        steps in prop::collection::vec((0u8..4, any::<u8>(), any::<Index>()), 1..4),
    ) {
        let (games, whole) = &*SAMPLE;
        let mut bytes = whole.clone();
        let mut first = whole.len();
        for step in steps {
            first = first.min(damage(&mut bytes, step));
        }
        let (found, _) = read(&bytes);
        let mut end = HEADER_BYTES;
        let sound = games.iter().take_while(|game| { end += size(game); end <= first }).count();
        let header_hurt = first < HEADER_BYTES;
        assert!(found.len() >= sound || header_hurt, "{} of {sound} games", found.len());
        for (left, right) in games.iter().zip(&found) {
            assert_eq!(left.start.fen(), right.start.fen());
            assert_eq!((left.result, &left.plies), (right.result, &right.plies));
        }
    }

    /// A cut at any place keeps all games before it, and is noticed unless it falls between two games.
    #[test]
    fn cuts_are_noticed(at: Index) {
        let (games, whole) = &*SAMPLE;
        let at = HEADER_BYTES + at.index(whole.len() - HEADER_BYTES);
        let (found, damaged) = read(&whole[..at]);
        let end = HEADER_BYTES + games[..found.len()].iter().map(size).sum::<usize>();
        assert!(end <= at && at < end + size(&games[found.len()]));
        assert_eq!(damaged, end != at);
    }

    /// A forged checksum lets nonsense through to the checks behind it.
    #[test]
    fn nonsense_with_a_right_checksum_is_refused_in_words(
        choice: Index,
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6),
    ) {
        let (games, whole) = &*SAMPLE;
        let number = choice.index(games.len());
        let start = HEADER_BYTES + games[..number].iter().map(size).sum::<usize>();
        let mut bytes = whole[..start + size(&games[number])].to_vec();
        let checksum = bytes.len() - 4;
        for (at, byte) in changes {
            // The count of plies stays, so that the checksum is looked for where it is.
            let at = start + 2 + at.index(checksum - start - 2);
            bytes[at] = byte;
        }
        let sum = crc32fast::hash(&bytes[start..checksum]).to_le_bytes();
        bytes[checksum..].copy_from_slice(&sum);
        let (found, damaged) = read(&bytes);
        assert!(found.len() == number && damaged || found.len() == number + 1 && !damaged);
    }

    #[test]
    fn any_bytes_behind_a_header(tail in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut bytes = SAMPLE.1[..HEADER_BYTES].to_vec();
        bytes.extend(tail);
        let (found, damaged) = read(&bytes);
        assert!(found.is_empty() && damaged == (bytes.len() > HEADER_BYTES));
    }
}
