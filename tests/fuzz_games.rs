//! Any damage may happen to a file of games: nothing before it is lost, nothing wrong comes out, nothing panics.
//!
//! `ROSADA_FUZZ_CASES=1000000 cargo test --release --test fuzz_games` runs a million cases of each property.

mod common;

use once_cell::sync::Lazy;
use proptest::prelude::*;
use proptest::sample::Index;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use rosada::fairy::shuffle::{Arrays, arrays, start_fen};
use rosada::fairy::{Rules, variants};
use rosada::lab::games::{GameReader, GameRecord, GameResult, GameWriter, Ply, Recorded};
use rosada::{chess, fairy};

fn cases() -> u32 {
    std::env::var("ROSADA_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(5_000)
}

/// A file of random games.
struct Sample<G: Recorded> {
    games: Vec<GameRecord<G>>,
    bytes: Vec<u8>,
    /// Where the header ends, then where each game does.
    ends: Vec<usize>,
}

/// From all kinds of starts, Chess960 included.
static CHESS: Lazy<Sample<chess::Position>> = Lazy::new(|| {
    let mut random = StdRng::seed_from_u64(5);
    let rare = common::RARE_RULES.iter().map(|fen| chess::Position::from_fen(fen).expect(fen));
    let mut starts: Vec<chess::Position> = rare.collect();
    starts.extend((0..4).map(|_| common::random_chess960_start(&mut random)));
    sample(variants::chess(), starts, &mut random)
});

/// A file for each variant; in Capablanca Random every game starts from another array.
static VARIANTS: Lazy<Vec<Sample<fairy::Position>>> = Lazy::new(|| {
    let mut random = StdRng::seed_from_u64(6);
    let arrays = arrays(Arrays::All);
    let of_rules = |rules: &'static Rules| {
        let starts = (0..6).map(|_| match rules.variant.name {
            "caparandom" => {
                let array = &arrays[random.random_range(0..arrays.len())];
                fairy::Position::from_fen(rules, &start_fen(array)).expect(array)
            }
            _ => fairy::Position::start(rules),
        });
        let starts = starts.collect();
        sample(rules, starts, &mut random)
    };
    variants::all().iter().filter(|rules| !rules.is_chess()).map(of_rules).collect()
});

fn sample<G: Recorded>(rules: &'static Rules, starts: Vec<G>, random: &mut StdRng) -> Sample<G> {
    let games: Vec<GameRecord<G>> = starts.into_iter().map(|start| random_game(start, random)).collect();
    let file_of = |games: &[GameRecord<G>]| {
        let mut bytes = Vec::new();
        let mut writer = GameWriter::new(&mut bytes, rules, "random moves").expect("memory");
        games.iter().for_each(|game| writer.write(game).expect("memory"));
        bytes
    };
    let ends = (0..=games.len()).map(|count| file_of(&games[..count]).len()).collect();
    Sample { bytes: file_of(&games), ends, games }
}

fn random_game<G: Recorded>(start: G, random: &mut StdRng) -> GameRecord<G> {
    let mut position = start.clone();
    let mut plies = Vec::new();
    for _ in 0..random.random_range(0..40) {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.random_range(0..moves.len())];
        position.play(mv);
        let chance = (position.strikes() > 0).then(|| random.random_range(0..position.strikes()));
        chance.into_iter().for_each(|outcome| position.strike(outcome));
        plies.push(Ply { mv, score: random.random_range(-32_000..=32_000), chance });
    }
    let results = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];
    GameRecord { start, result: results[random.random_range(0..3)], plies }
}

/// Reads what can be read; what comes out can be replayed.
fn read<G: Recorded>(bytes: &[u8]) -> (Vec<GameRecord<G>>, bool) {
    let Ok(mut reader) = GameReader::<G, _>::new(bytes) else { return (Vec::new(), true) };
    let games: Vec<GameRecord<G>> = reader.by_ref().collect();
    for game in &games {
        let mut position = game.start.clone();
        for ply in &game.plies {
            assert!(position.is_legal(ply.mv));
            position.replay(ply);
        }
    }
    (games, reader.damage().is_some())
}

/// One damage: a byte changed, inserted or removed, or everything from there on cut off.
type Damage = (u8, u8, Index);

/// Does one damage. Returns where.
fn damage(bytes: &mut Vec<u8>, (kind, byte, at): Damage) -> usize {
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

impl<G: Recorded> Sample<G> {
    /// Each damage costs the games it hits, and no others.
    fn survives(&self, steps: &[Damage]) {
        let mut bytes = self.bytes.clone();
        let (mut first, mut cut) = (bytes.len(), false);
        for &step in steps {
            first = first.min(damage(&mut bytes, step));
            cut |= step.0 > 2;
        }
        if first < self.ends[0] {
            read::<G>(&bytes);
            return;
        }
        let (found, _) = read::<G>(&bytes);
        let before = self.ends[1..].iter().take_while(|&&end| end <= first).count();
        let sound = if cut { before } else { before.max(self.games.len().saturating_sub(steps.len())) };
        assert!(found.len() >= sound, "{} of {sound} games", found.len());
        // Nothing new, and in the same order.
        let mut rest = self.games.iter();
        for game in &found {
            let same = |other: &&GameRecord<G>| {
                (other.start.to_string(), other.result, &other.plies)
                    == (game.start.to_string(), game.result, &game.plies)
            };
            assert!(rest.by_ref().any(|other| same(&other)), "a game that was never written");
        }
    }

    /// A cut at any place keeps all games before it, and is noticed unless it falls between two games.
    fn notices_a_cut(&self, at: Index) {
        let at = self.ends[0] + at.index(self.bytes.len() - self.ends[0]);
        let (found, damaged) = read::<G>(&self.bytes[..at]);
        let end = self.ends[found.len()];
        assert!(end <= at && at < self.ends[found.len() + 1]);
        assert_eq!(damaged, end != at);
    }

    /// A forged checksum lets nonsense through to the checks behind it.
    fn refuses_nonsense(&self, choice: Index, changes: &[(Index, u8)]) {
        let number = choice.index(self.games.len());
        let start = self.ends[number];
        let mut bytes = self.bytes[..self.ends[number + 1]].to_vec();
        let checksum = bytes.len() - 4;
        // The counts of plies and of bytes of the start stay, so that the checksum is looked for where it is.
        for (at, byte) in changes {
            let at = start + 2 + at.index(checksum - start - 2);
            if at != start + 3 {
                bytes[at] = *byte;
            }
        }
        let sum = crc32fast::hash(&bytes[start..checksum]).to_le_bytes();
        bytes[checksum..].copy_from_slice(&sum);
        let (found, damaged) = read::<G>(&bytes);
        assert!(found.len() == number && damaged || found.len() == number + 1 && !damaged);
    }

    fn refuses_any_tail(&self, tail: &[u8]) {
        let bytes = [&self.bytes[..self.ends[0]], tail].concat();
        let (found, damaged) = read::<G>(&bytes);
        assert!(found.is_empty() && damaged != tail.is_empty());
    }
}

/// The file of one variant.
fn variant(choice: Index) -> &'static Sample<fairy::Position> {
    &VARIANTS[choice.index(VARIANTS.len())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn a_damage_costs_the_games_it_hits_and_no_others(
        choice: Index,
        steps in prop::collection::vec((0u8..4, any::<u8>(), any::<Index>()), 1..4),
    ) {
        CHESS.survives(&steps);
        variant(choice).survives(&steps);
    }

    #[test]
    fn cuts_are_noticed(choice: Index, at: Index) {
        CHESS.notices_a_cut(at);
        variant(choice).notices_a_cut(at);
    }

    #[test]
    fn nonsense_with_a_right_checksum_is_refused_in_words(
        file: Index,
        choice: Index,
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6),
    ) {
        CHESS.refuses_nonsense(choice, &changes);
        variant(file).refuses_nonsense(choice, &changes);
    }

    #[test]
    fn any_bytes_behind_a_header(choice: Index, tail in prop::collection::vec(any::<u8>(), 0..200)) {
        CHESS.refuses_any_tail(&tail);
        variant(choice).refuses_any_tail(&tail);
    }

    #[test]
    fn any_name_of_a_variant(name in prop::collection::vec(any::<u8>(), 16)) {
        let mut bytes = VARIANTS[0].bytes.clone();
        bytes[16..32].copy_from_slice(&name);
        let end = 32 + usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
        let checksum = crc32fast::hash(&[&bytes[..12], &bytes[16..end]].concat());
        bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
        read::<fairy::Position>(&bytes);
        read::<chess::Position>(&bytes);
    }
}
