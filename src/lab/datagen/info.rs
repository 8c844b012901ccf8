//! `rosada datagen --info FILE`: what a file of games holds, for people who want to know what they train on.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use indicatif::{HumanBytes, HumanCount};

use super::Totals;
use super::repeats::Repeats;
use super::totals::percent;
use crate::base::{Error, Score};
use crate::lab::games::{Damage, GameReader, GameRecord, GameResult, Recorded, rules_of};
use crate::{chess, fairy};

/// Scores are counted in bands between these, up and down from level, in centipawns; beyond the last are proven wins.
const BAND_EDGES: [i16; 8] = [20, 50, 100, 200, 500, 1_000, 2_000, Score::TABLE_BOUND.value() as i16];
const BANDS: usize = 2 * BAND_EDGES.len() + 1;
const LEVEL_BAND: usize = BAND_EDGES.len();

/// The longest bar of the score histogram.
const BAR_WIDTH: f64 = 40.0;

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Info {
    /// The game that was played: chess or a variant.
    pub variant: &'static str,
    /// Games, positions, results.
    pub totals: Totals,
    /// Readable bytes.
    pub bytes: u64,
    /// Plies of the shortest and the longest game.
    pub lengths: (usize, usize),
    /// How games ended, as far as the last position tells, with their number.
    pub endings: BTreeMap<String, u64>,
    /// Positions by score, from White's view; the best for Black first.
    pub scores: [u64; BANDS],
    /// The share of positions that had come before in the file, by their keys.
    pub repeated_positions: f64,
    /// The share of games that had come before, move by move.
    pub repeated_games: f64,
    /// How the games were made.
    pub note: String,
    /// What cannot be read of the file.
    pub damage: Option<Damage>,
}

/// Reads a whole file.
pub fn read(path: &Path) -> Result<Info, Error> {
    if rules_of(path)?.is_chess() {
        read_games(GameReader::<chess::Position>::open(path)?)
    } else {
        read_games(GameReader::<fairy::Position>::open(path)?)
    }
}

fn read_games<G: Recorded>(mut reader: GameReader<G>) -> Result<Info, Error> {
    let mut info = Info {
        variant: reader.rules().variant.name,
        totals: Totals::default(),
        bytes: 0,
        lengths: (usize::MAX, 0),
        endings: BTreeMap::new(),
        scores: [0; BANDS],
        repeated_positions: 0.0,
        repeated_games: 0.0,
        note: reader.note().to_string(),
        damage: None,
    };
    let (mut positions, mut games) = (Repeats::default(), Repeats::default());
    for game in reader.by_ref() {
        info.add(&game, &mut positions);
        games.add(game_key(&game));
    }
    info.bytes = reader.bytes();
    info.lengths.0 = info.lengths.0.min(info.lengths.1);
    info.repeated_positions = positions.share();
    info.repeated_games = games.share();
    info.damage = reader.damage().cloned();
    Ok(info)
}

impl Info {
    /// Counts a game and its positions.
    fn add<G: Recorded>(&mut self, game: &GameRecord<G>, positions: &mut Repeats) {
        self.totals.add(game);
        let length = game.plies.len();
        self.lengths = (self.lengths.0.min(length), self.lengths.1.max(length));
        let mut position = game.start.clone();
        for ply in &game.plies {
            positions.add(position.key());
            let white = position.side_to_move().is_white();
            self.scores[band(if white { ply.score } else { -ply.score })] += 1;
            position.replay(ply);
        }
        let ending = match (position.ending(), game.result) {
            (Some(ending), _) => ending.rule,
            (None, GameResult::Draw) => "draw by adjudication".to_string(),
            (None, _) => "win by adjudication".to_string(),
        };
        *self.endings.entry(ending).or_default() += 1;
    }
}

/// A key for start and moves of a game.
fn game_key<G: Recorded>(game: &GameRecord<G>) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.start.key().hash(&mut hasher);
    game.plies.iter().for_each(|ply| (ply.mv, ply.chance).hash(&mut hasher));
    hasher.finish()
}

/// The band of a score, from 0 (Black has won) over [`LEVEL_BAND`] upwards.
fn band(score_cp: i16) -> usize {
    let steps = BAND_EDGES.iter().filter(|&&edge| score_cp.unsigned_abs() >= edge.unsigned_abs()).count();
    if score_cp < 0 { LEVEL_BAND - steps } else { LEVEL_BAND + steps }
}

/// What a band is called.
fn band_name(band: usize) -> String {
    let steps = band.abs_diff(LEVEL_BAND);
    let (winner, sign) = if band < LEVEL_BAND { ("Black", '-') } else { ("White", '+') };
    match (steps, BAND_EDGES.get(steps)) {
        (0, _) => "level".to_string(),
        (_, None) => format!("{winner} wins by force"),
        (_, Some(_)) if steps + 1 == BAND_EDGES.len() => format!("{sign}{} and more", BAND_EDGES[steps - 1]),
        (_, Some(edge)) => format!("{sign}{} to {sign}{}", BAND_EDGES[steps - 1], edge - 1),
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { games, positions, white_wins, draws, black_wins } = self.totals;
        let per_ply = self.bytes as f64 / positions.max(1) as f64;
        let average = positions as f64 / games.max(1) as f64;
        let (shortest, longest) = self.lengths;
        if self.variant != "chess" {
            writeln!(f, "{:<22}{:>14}", "variant", self.variant)?;
        }
        if !self.note.is_empty() {
            writeln!(f, "{}\n", self.note)?;
        }
        writeln!(f, "{:<22}{:>14}", "games", HumanCount(games).to_string())?;
        writeln!(f, "{:<22}{:>14}", "positions", HumanCount(positions).to_string())?;
        let size = HumanBytes(self.bytes);
        writeln!(f, "{:<22}{:>14}  {size}, {per_ply:.2} a ply", "bytes", HumanCount(self.bytes).to_string())?;
        writeln!(f, "{:<22}{average:>14.1}  shortest {shortest}, longest {longest}", "plies a game")?;
        writeln!(f, "{:<22}{:>14.2} %", "repeated positions", 100.0 * self.repeated_positions)?;
        writeln!(f, "{:<22}{:>14.2} %", "repeated games", 100.0 * self.repeated_games)?;
        writeln!(f, "\nresults")?;
        for (name, count) in [("White won", white_wins), ("drawn", draws), ("Black won", black_wins)] {
            count_line(f, name, count, games)?;
        }
        writeln!(f, "\nendings")?;
        let mut endings: Vec<(&String, &u64)> = self.endings.iter().collect();
        endings.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        for (name, &count) in endings {
            count_line(f, name, count, games)?;
        }
        writeln!(f, "\nscores from White's view, in centipawns")?;
        let most = self.scores.iter().copied().max().unwrap_or_default().max(1);
        for band in (0..BANDS).rev() {
            let count = self.scores[band];
            let bar = "#".repeat((BAR_WIDTH * count as f64 / most as f64).ceil() as usize);
            writeln!(f, "  {:<20}{:>6.2} %  {bar}", band_name(band), percent(count, positions))?;
        }
        match &self.damage {
            None => write!(f, "\nthe file is sound to its end"),
            Some(damage) => write!(f, "\nDAMAGED: {damage}"),
        }
    }
}

fn count_line(f: &mut fmt::Formatter<'_>, name: &str, count: u64, all: u64) -> fmt::Result {
    writeln!(f, "  {name:<42}{:>12}{:>7.1} %", HumanCount(count).to_string(), percent(count, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_its_band() {
        for (score, name) in [
            (0, "level"),
            (-19, "level"),
            (20, "+20 to +49"),
            (-49, "-20 to -49"),
            (1_999, "+1000 to +1999"),
            (-2_000, "-2000 and more"),
            (31_990, "White wins by force"),
            (-32_000, "Black wins by force"),
        ] {
            assert_eq!(band_name(band(score)), name, "{score}");
        }
        assert_eq!((band(i16::MIN), band(i16::MAX)), (0, BANDS - 1));
    }
}
