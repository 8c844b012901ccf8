//! Games come back as they were written; what is damaged is named and costs no game before it.
#![allow(clippy::unwrap_used)]

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::format::{HEADER_BYTES, largest_game};
use super::*;
use crate::fairy;
use crate::fairy::variants;
use crate::game::SelfPlay;

const STARTS: [&str; 3] = [
    crate::chess::START_FEN,
    "1rkr4/8/8/8/8/8/8/1R1K1R1R w FBdb - 3 40",
    "rnb1kb1r/pp3ppp/1q1p1n2/2pPp3/4PP2/2N5/P1PB2PP/R2QKBNR w KQkq e6 0 8",
];

fn random_game(seed: u64) -> GameRecord {
    let mut random = StdRng::seed_from_u64(seed);
    let start = Position::from_fen(STARTS[seed as usize % STARTS.len()]).unwrap();
    let mut position = start.clone();
    let mut plies = Vec::new();
    for _ in 0..random.random_range(0..120) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.random_range(0..moves.len())];
        plies.push(Ply { mv, score: random.random_range(-32_000..=32_000), chance: None });
        position.make(mv);
    }
    let results = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];
    GameRecord { start, result: results[random.random_range(0..3)], plies }
}

fn games(count: u64) -> Vec<GameRecord> {
    (0..count).map(random_game).collect()
}

fn file_of(games: &[GameRecord]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes, variants::chess()).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    writer.flush().unwrap();
    bytes
}

fn assert_same(left: &GameRecord, right: &GameRecord) {
    assert_eq!(left.start.fen(), right.start.fen());
    assert_eq!((left.result, &left.plies), (right.result, &right.plies));
}

#[test]
fn games_come_back_as_they_were_written() {
    let written = games(20);
    let bytes = file_of(&written);
    let mut reader = GameReader::<Position, _>::new(&bytes[..]).unwrap();
    let read: Vec<GameRecord> = reader.by_ref().collect();
    assert_eq!((read.len(), reader.games(), reader.damage()), (20, 20, None));
    assert_eq!(reader.bytes(), bytes.len() as u64);
    written.iter().zip(&read).for_each(|(left, right)| assert_same(left, right));
    let plies: usize = written.iter().map(|game| game.plies.len()).sum();
    assert_eq!(bytes.len(), HEADER_BYTES + 20 * 40 + plies * 4);
}

#[test]
fn a_cut_off_file_loses_only_its_last_game() {
    let bytes = file_of(&games(4));
    let last = bytes.len() - (40 + 4 * random_game(3).plies.len());
    for end in last + 1..bytes.len() {
        let mut reader = GameReader::<Position, _>::new(&bytes[..end]).unwrap();
        assert_eq!(reader.by_ref().count(), 3);
        let damage = reader.damage().unwrap();
        assert!(damage.starts_with(&format!("game 4, at byte {last}: ")), "{damage}");
        assert!(damage.contains("ends in the middle"), "{damage}");
    }
    let mut reader = GameReader::<Position, _>::new(&bytes[..last]).unwrap();
    assert_eq!((reader.by_ref().count(), reader.damage()), (3, None));
}

#[test]
fn each_damage_has_its_own_words() {
    let game = random_game(0);
    let with_score = |score| GameRecord { plies: vec![Ply { score, ..game.plies[0] }], ..game.clone() };
    let illegal =
        GameRecord { plies: vec![Ply { mv: Move::from_bits(0x1234), ..game.plies[0] }], ..game.clone() };
    for (game, word) in [(with_score(32_001), "more than a mate"), (illegal, "ply 1 is an illegal move")] {
        let bytes = file_of(&[random_game(1), game]);
        let mut reader = GameReader::<Position, _>::new(&bytes[..]).unwrap();
        assert_eq!(reader.by_ref().count(), 1);
        assert!(reader.damage().unwrap().contains(word), "{:?}", reader.damage());
    }
    let mut bytes = file_of(&[game]);
    bytes[HEADER_BYTES + 50] ^= 1;
    let mut reader = GameReader::<Position, _>::new(&bytes[..]).unwrap();
    assert!(reader.next().is_none() && reader.damage().unwrap().contains("checksum"));
    assert!(reader.next().is_none());
}

#[test]
fn other_files_are_refused() {
    for (bytes, word) in [
        (b"".to_vec(), "too short"),
        (b"ROSADAGM".to_vec(), "too short"),
        (b"[Event \"a PGN file\"]".to_vec(), "not a file of game records"),
        (b"ROSADAGM\x03\0\0\0\0\0\0\0".to_vec(), "version 3"),
        (b"ROSADAGM\x02\0\0\0\0\0\0\0janus".to_vec(), "too short"),
        (b"ROSADAGM\x02\0\0\0\0\0\0\0checkers\0\0\0\0\0\0\0\0".to_vec(), "unknown variant, \"checkers\""),
        (b"ROSADAGM\x02\0\0\0\0\0\0\0chess\0\0\0\0\0\0\0\0\0\0\0".to_vec(), "unknown variant"),
        (
            b"ROSADAGM\x02\0\0\0\0\0\0\0janus\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
            "a file of janus games, where games of chess",
        ),
    ] {
        let error = GameReader::<Position, _>::new(&bytes[..]).err().unwrap().to_string();
        assert!(error.contains(word), "{error}");
    }
    let error =
        GameReader::<Position>::open(std::path::Path::new("/no/such/file")).err().unwrap().to_string();
    assert!(error.contains("/no/such/file"), "{error}");
}

#[test]
fn a_game_too_long_is_not_written() {
    let game = random_game(0);
    let plies = vec![game.plies[0]; MOST_PLIES + 1];
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes, variants::chess()).unwrap();
    assert!(writer.write(&GameRecord { plies, ..game }).is_err());
    assert_eq!(bytes.len(), HEADER_BYTES);
}

#[test]
fn a_file_in_parts_equals_a_file_in_one_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    let all = games(5);
    for (number, game) in (0..).zip(&all) {
        let (mut writer, found) = GameWriter::append::<Position>(&path, variants::chess()).unwrap();
        assert_eq!((found.games, found.repair), (number, None));
        writer.write(game).unwrap();
    }
    assert_eq!(std::fs::read(&path).unwrap(), file_of(&all));
}

#[test]
fn a_damaged_tail_is_cut_away_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    let whole = file_of(&games(3));
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let (mut writer, found) = GameWriter::append::<Position>(&path, variants::chess()).unwrap();
    assert_eq!(found.games, 2);
    assert!(found.repair.unwrap().contains("game 3"));
    writer.write(&random_game(2)).unwrap();
    drop(writer);
    assert_eq!(std::fs::read(&path).unwrap(), whole);
}

#[test]
fn much_data_behind_a_damage_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    let mut bytes = file_of(&games(200));
    assert!(bytes.len() > 2 * largest_game(variants::chess()));
    bytes[100] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let error = GameWriter::append::<Position>(&path, variants::chess()).err().unwrap().to_string();
    assert!(error.contains("game 1, at byte 16") && error.contains("cut the file to 16 bytes"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

/// A game of the Behemoth that ends with the capture of a king.
fn behemoth_game() -> GameRecord<fairy::Position> {
    let rules = variants::find("behemoth").unwrap();
    let start = fairy::Position::from_fen(rules, "4k3/8/8/8/8/8/3*4/R3K3 w - - 0 1").unwrap();
    let mut position = start.clone();
    let mut plies = Vec::new();
    for (text, chance) in [("a1a8", Some(4)), ("e8e7", Some(31)), ("a8b8", Some(0)), ("e7e6", Some(4))] {
        plies.push(Ply { mv: position.parse_uci(text).unwrap(), score: 7, chance });
        position.replay(&plies[plies.len() - 1]);
    }
    assert_eq!(position.ending(), None);
    GameRecord { start, result: GameResult::WhiteWins, plies }
}

fn variant_file(games: &[GameRecord<fairy::Position>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes, games[0].start.rules()).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    bytes
}

#[test]
fn what_chance_did_comes_back() {
    let game = behemoth_game();
    let bytes = variant_file(&[game.clone(), game.clone()]);
    let mut reader = GameReader::<fairy::Position, _>::new(&bytes[..]).unwrap();
    for read in reader.by_ref() {
        assert_eq!(read.start.fen(), game.start.fen());
        assert_eq!((read.result, &read.plies), (game.result, &game.plies));
    }
    assert_eq!((reader.games(), reader.damage(), reader.bytes()), (2, None, bytes.len() as u64));
    let size = 4 + game.start.fen().len() + 5 * game.plies.len() + 4;
    assert_eq!(bytes.len(), 2 * HEADER_BYTES + 2 * size);

    let with_chance = |chance| {
        let mut game = game.clone();
        game.plies[1].chance = chance;
        game
    };
    for (chance, word) in [(None, "what chance did in ply 2 is missing"), (Some(32), "no way 32 in ply 2")] {
        let bytes = variant_file(&[with_chance(chance)]);
        let mut reader = GameReader::<fairy::Position, _>::new(&bytes[..]).unwrap();
        assert!(reader.next().is_none() && reader.damage().unwrap().contains(word), "{:?}", reader.damage());
    }
}

#[test]
fn games_of_different_kinds_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    let (janus, grand) = (variants::find("janus").unwrap(), variants::find("grand").unwrap());
    let game = |rules| GameRecord {
        start: fairy::Position::start(rules),
        result: GameResult::Draw,
        plies: Vec::new(),
    };
    let (mut writer, _) = GameWriter::append::<fairy::Position>(&path, janus).unwrap();
    writer.write(&game(janus)).unwrap();
    assert!(writer.write(&game(grand)).unwrap_err().to_string().contains("not a game of janus"));
    assert!(writer.write(&random_game(0)).is_err());
    drop(writer);
    let before = std::fs::read(&path).unwrap();
    let complaints = [
        GameWriter::append::<fairy::Position>(&path, grand).err(),
        GameWriter::append::<Position>(&path, variants::chess()).err(),
    ];
    for complaint in complaints.map(|error| error.unwrap().to_string()) {
        assert!(complaint.contains("a file of janus games cannot be continued"), "{complaint}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let (_, found) = GameWriter::append::<fairy::Position>(&path, janus).unwrap();
    assert_eq!((found.games, rules_of(&path).unwrap().variant.name), (1, "janus"));
    let chess = file_of(&games(1));
    let error = GameReader::<fairy::Position, _>::new(&chess[..]).err().unwrap().to_string();
    assert!(error.contains("a file of chess games, where games of a variant are needed"), "{error}");
}
