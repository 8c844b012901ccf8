//! Games come back as they were written; what is damaged is named and costs no game before it.
#![allow(clippy::unwrap_used)]

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::format::largest_game;
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

const NOTE: &str = "random moves";
/// Magic, version, size of the note, checksum; the game; the note.
const HEADER_BYTES: usize = 16 + 16 + NOTE.len();

fn file_of(games: &[GameRecord]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes, variants::chess(), NOTE).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    bytes
}

/// The sound games of a file in memory, and what is wrong with it.
fn read_all(bytes: &[u8]) -> (Vec<GameRecord>, Option<Damage>) {
    let mut reader = GameReader::<Position, _>::new(bytes).unwrap();
    (reader.by_ref().collect(), reader.damage().cloned())
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
    assert_eq!((reader.note(), reader.faded()), (NOTE, false));
}

#[test]
fn files_of_version_1_are_read_and_not_continued() {
    let games = games(5);
    let mut bytes = b"ROSADAGM\x01\0\0\0\0\0\0\0".to_vec();
    bytes.extend_from_slice(&file_of(&games)[HEADER_BYTES..]);
    let mut reader = GameReader::<Position, _>::new(&bytes[..]).unwrap();
    games.iter().zip(reader.by_ref()).for_each(|(left, right)| assert_same(left, &right));
    assert_eq!((reader.games(), reader.damage(), reader.note(), reader.faded()), (5, None, "", true));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    std::fs::write(&path, &bytes).unwrap();
    let error = GameWriter::append::<Position>(&path, variants::chess(), NOTE).err().unwrap().to_string();
    assert!(error.contains("by an old version"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn games_behind_a_damage_are_read() {
    let games = games(12);
    let whole = file_of(&games);
    let ends: Vec<usize> = (0..=12).map(|count| file_of(&games[..count]).len()).collect();
    // A flipped bit, bytes that are missing, bytes too many: each costs the game it hits.
    let mut flipped = whole.clone();
    flipped[ends[3] + 45] ^= 4;
    let missing = [&whole[..ends[3] + 5], &whole[ends[3] + 12..]].concat();
    let inserted = [&whole[..ends[3] + 9], b"some words", &whole[ends[3] + 9..]].concat();
    for bytes in [flipped, missing, inserted] {
        let (found, damage) = read_all(&bytes);
        let damage = damage.unwrap();
        assert_eq!((found.len(), damage.places, damage.games_behind), (11, 1, 8));
        assert_eq!(damage.lost_bytes as usize, bytes.len() - (whole.len() - (ends[4] - ends[3])));
        assert!(damage.to_string().starts_with(&format!("game 4, at byte {}: ", ends[3])), "{damage}");
        let sound = games[..3].iter().chain(&games[4..]);
        sound.zip(&found).for_each(|(left, right)| assert_same(left, right));
    }
    // Bytes between two games cost none.
    let (found, damage) = read_all(&[&whole[..ends[5]], &[7; 100], &whole[ends[5]..]].concat());
    assert_eq!((found.len(), damage.unwrap().lost_bytes), (12, 100));
}

#[test]
fn a_cut_off_file_loses_only_its_last_game() {
    let bytes = file_of(&games(4));
    let last = bytes.len() - (40 + 4 * random_game(3).plies.len());
    for end in last + 1..bytes.len() {
        let (games, damage) = read_all(&bytes[..end]);
        assert_eq!(games.len(), 3);
        let damage = damage.unwrap();
        assert!(damage.first.starts_with(&format!("game 4, at byte {last}: ")), "{damage}");
        assert!(damage.first.contains("ends in the middle"), "{damage}");
        assert_eq!((damage.lost_bytes as usize, damage.games_behind), (end - last, 0));
    }
    let (games, damage) = read_all(&bytes[..last]);
    assert_eq!((games.len(), damage), (3, None));
}

#[test]
fn each_damage_has_its_own_words() {
    let game = random_game(0);
    let with_score = |score| GameRecord { plies: vec![Ply { score, ..game.plies[0] }], ..game.clone() };
    let illegal =
        GameRecord { plies: vec![Ply { mv: Move::from_bits(0x1234), ..game.plies[0] }], ..game.clone() };
    for (game, word) in [(with_score(32_001), "more than a mate"), (illegal, "ply 1 is an illegal move")] {
        let (games, damage) = read_all(&file_of(&[random_game(1), game]));
        assert_eq!(games.len(), 1);
        assert!(damage.as_ref().unwrap().first.contains(word), "{damage:?}");
    }
    let mut bytes = file_of(&[game]);
    bytes[HEADER_BYTES + 50] ^= 1;
    let (games, damage) = read_all(&bytes);
    assert!(games.is_empty() && damage.unwrap().first.contains("checksum"));
    for byte in [10, 13, 16, 20, HEADER_BYTES - 1] {
        let mut bytes = bytes.clone();
        bytes[byte] ^= 1;
        let error = GameReader::<Position, _>::new(&bytes[..]).err().unwrap().to_string();
        assert!(error.contains("header is damaged") || error.contains("too short"), "{byte}: {error}");
    }
}

#[test]
fn other_files_are_refused() {
    for (bytes, word) in [
        (b"".to_vec(), "too short"),
        (b"ROSADAGM".to_vec(), "too short"),
        (b"[Event \"a PGN file\"]".to_vec(), "not a file of game records"),
        (b"ROSADAGM\x04\0\0\0\0\0\0\0".to_vec(), "version 4"),
        (b"ROSADAGM\x03\0\0\0\0\0\0\0".to_vec(), "too short"),
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
    let plies = vec![game.plies[0]; MAX_PLIES + 1];
    let mut bytes = Vec::new();
    let mut writer = GameWriter::new(&mut bytes, variants::chess(), NOTE).unwrap();
    assert!(writer.write(&GameRecord { plies, ..game }).is_err());
    assert_eq!(bytes.len(), HEADER_BYTES);
}

#[test]
fn a_file_in_parts_equals_a_file_in_one_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    let all = games(5);
    for (number, game) in (0..).zip(&all) {
        let (mut writer, found) = GameWriter::append::<Position>(&path, variants::chess(), NOTE).unwrap();
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
    let (mut writer, found) = GameWriter::append::<Position>(&path, variants::chess(), NOTE).unwrap();
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
    let error = GameWriter::append::<Position>(&path, variants::chess(), NOTE).err().unwrap().to_string();
    assert!(error.contains(&format!("game 1, at byte {HEADER_BYTES}: ")), "{error}");
    assert!(error.contains("199 games behind it are sound") && error.contains("another seed"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn damage_without_games_behind_it_is_left_alone_if_it_is_large() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    let mut bytes = file_of(&games(3));
    let sound = bytes.len();
    bytes.resize(sound + 2 * largest_game(variants::chess()), 1);
    std::fs::write(&path, &bytes).unwrap();
    let error = GameWriter::append::<Position>(&path, variants::chess(), NOTE).err().unwrap().to_string();
    assert!(error.contains(&format!("cut the file to {sound} bytes")), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_header_that_was_interrupted_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    let header = file_of(&[]);
    for length in [0, 1, 12, 30, header.len() - 1, header.len()] {
        std::fs::write(&path, &header[..length]).unwrap();
        let (writer, found) = GameWriter::append::<Position>(&path, variants::chess(), NOTE).unwrap();
        assert_eq!((found.games, found.repair), (0, None), "{length}");
        drop(writer);
        assert_eq!(std::fs::read(&path).unwrap(), header);
    }
}

#[test]
fn games_made_in_another_way_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    std::fs::write(&path, file_of(&games(3))).unwrap();
    let error = GameWriter::append::<Position>(&path, variants::chess(), "others").err().unwrap().to_string();
    assert!(error.contains("random moves, not others"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), file_of(&games(3)));
}

#[test]
fn a_second_writer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin");
    let (mut writer, _) = GameWriter::append::<Position>(&path, variants::chess(), NOTE).unwrap();
    let second = || GameWriter::append::<Position>(&path, variants::chess(), NOTE);
    let error = second().err().unwrap().to_string();
    assert!(error.contains("another program is writing"), "{error}");
    assert!(GameWriter::create(&path, variants::chess(), NOTE).is_err());
    writer.write(&random_game(0)).unwrap();
    drop(writer);
    assert_eq!(second().unwrap().1.games, 1);
}

#[test]
fn what_cannot_be_written_whole_leaves_nothing() {
    /// Takes so many bytes and no more.
    struct Full(Vec<u8>, usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let taken = bytes.len().min(self.1 - self.0.len());
            self.0.extend_from_slice(&bytes[..taken]);
            Ok(taken)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl Output for &mut Full {
        fn cut(&mut self, bytes: u64) {
            self.0.truncate(bytes as usize);
        }
    }
    let all = games(4);
    let mut disk = Full(Vec::new(), file_of(&all).len() - 1);
    let mut writer = GameWriter::new(&mut disk, variants::chess(), NOTE).unwrap();
    all[..3].iter().for_each(|game| writer.write(game).unwrap());
    assert!(writer.write(&all[3]).is_err());
    assert_eq!(disk.0, file_of(&all[..3]));
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
    let mut writer = GameWriter::new(&mut bytes, games[0].start.rules(), NOTE).unwrap();
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
    assert_eq!(bytes.len(), HEADER_BYTES + 2 * size);

    let with_chance = |chance| {
        let mut game = game.clone();
        game.plies[1].chance = chance;
        game
    };
    for (chance, word) in [(None, "what chance did in ply 2 is missing"), (Some(32), "no way 32 in ply 2")] {
        let bytes = variant_file(&[with_chance(chance)]);
        let mut reader = GameReader::<fairy::Position, _>::new(&bytes[..]).unwrap();
        assert!(reader.next().is_none(), "{word}");
        assert!(reader.damage().unwrap().first.contains(word), "{:?}", reader.damage());
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
    let (mut writer, _) = GameWriter::append::<fairy::Position>(&path, janus, NOTE).unwrap();
    writer.write(&game(janus)).unwrap();
    assert!(writer.write(&game(grand)).unwrap_err().to_string().contains("not a game of janus"));
    assert!(writer.write(&random_game(0)).is_err());
    drop(writer);
    let before = std::fs::read(&path).unwrap();
    let complaints = [
        GameWriter::append::<fairy::Position>(&path, grand, NOTE).err(),
        GameWriter::append::<Position>(&path, variants::chess(), NOTE).err(),
    ];
    for complaint in complaints.map(|error| error.unwrap().to_string()) {
        assert!(complaint.contains("a file of janus games cannot be continued"), "{complaint}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let (_, found) = GameWriter::append::<fairy::Position>(&path, janus, NOTE).unwrap();
    assert_eq!((found.games, rules_of(&path).unwrap().variant.name), (1, "janus"));
    let chess = file_of(&games(1));
    let error = GameReader::<fairy::Position, _>::new(&chess[..]).err().unwrap().to_string();
    assert!(error.contains("a file of chess games, where games of a variant are needed"), "{error}");
}
