//! Random openings: varied start positions that are not decided yet, for self-play in chess and in the variants.
//!
//! OpenBench asks for them with `genfens N seed S book <None|path>`, the data generator for one a game; the same seed
//! gives the same positions.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::base::error::quote;
use crate::base::{Error, Move, Score};
use crate::eval::{Classical, Fairy};
use crate::fairy::{Rules, shuffle};
use crate::game::{Evaluator, SelfPlay};
use crate::search::Worker;
use crate::time::Limits;
use crate::tt::Table;
use crate::{chess, fairy};

/// Random plies after the start position; after a position out of a book fewer are enough.
const PLIES_FROM_START: usize = 8;
const PLIES_FROM_BOOK: usize = 4;
/// A start that a short search values beyond this is already decided.
const DECIDED_CP: i32 = 250;
const SEARCH_NODES: u64 = 2_000;
const MOST_TRIES: usize = 1_000;

/// A source of random openings, which an evaluation judges.
pub struct Openings<G: SelfPlay, E: Evaluator<G>> {
    random: StdRng,
    starts: Arc<[G]>,
    plies: usize,
    worker: Worker<G, E>,
    table: Arc<Table>,
}

/// Gives the next opening as FEN; whoever draws from it need not know which game it is.
pub type NextFen = Box<dyn FnMut() -> Result<String, Error> + Send>;

/// Openings of chess.
pub type ChessOpenings = Openings<chess::Position, Classical>;
/// Openings of a variant.
pub type VariantOpenings = Openings<fairy::Position, Fairy>;

impl ChessOpenings {
    /// Openings from a seed and the positions of a book, an EPD or FEN file; from the start position without one.
    pub fn of_chess(seed: u64, book: Option<&str>) -> Result<ChessOpenings, Error> {
        Openings::new(seed, book, || vec![chess::Position::start()], chess::Position::from_fen)
    }

    /// The same for Chess960: without a book, each begins with one of its 960 arrays.
    pub fn of_chess960(seed: u64, book: Option<&str>) -> Result<ChessOpenings, Error> {
        let position = |fen: &str| {
            let mut position = chess::Position::from_fen(fen)?;
            position.set_chess960(true);
            Ok(position)
        };
        let arrays = (0..chess::shuffle::ARRAYS).map(chess::shuffle::array);
        let starts =
            || arrays.filter_map(|array| position(&chess::shuffle::start_fen(&array)).ok()).collect();
        Openings::new(seed, book, starts, position)
    }
}

impl VariantOpenings {
    /// The same for a variant; where the start position is drawn by lot, it is drawn for each opening.
    pub fn of_variant(
        rules: &'static Rules,
        seed: u64,
        book: Option<&str>,
    ) -> Result<VariantOpenings, Error> {
        let position = |fen: &str| fairy::Position::from_fen(rules, fen);
        let starts = || match rules.variant.name {
            "caparandom" => {
                let arrays = shuffle::arrays(shuffle::Arrays::All);
                arrays.iter().filter_map(|array| position(&shuffle::start_fen(array)).ok()).collect()
            }
            _ => vec![fairy::Position::start(rules)],
        };
        Openings::new(seed, book, starts, position)
    }
}

impl<G: SelfPlay, E: Evaluator<G> + Default> Openings<G, E> {
    fn new(
        seed: u64,
        book: Option<&str>,
        starts: impl FnOnce() -> Vec<G>,
        position: impl Fn(&str) -> Result<G, Error>,
    ) -> Result<Openings<G, E>, Error> {
        match book {
            Some(path) => Openings::of_positions(seed, read_book(path, position)?),
            None => Openings::with_starts(StdRng::seed_from_u64(seed), starts().into(), PLIES_FROM_START),
        }
    }

    /// Openings from a seed and positions to begin with; fails if there are none.
    pub fn of_positions(seed: u64, starts: Vec<G>) -> Result<Openings<G, E>, Error> {
        Openings::with_starts(StdRng::seed_from_u64(seed), starts.into(), PLIES_FROM_BOOK)
    }

    /// Another source on the same start positions, for another thread.
    pub fn fork(&self) -> Result<Openings<G, E>, Error> {
        Openings::with_starts(self.random.clone(), Arc::clone(&self.starts), self.plies)
    }

    fn with_starts(random: StdRng, starts: Arc<[G]>, plies: usize) -> Result<Openings<G, E>, Error> {
        let any = starts.first().ok_or_else(|| Error::new("there is no position to start from"))?;
        let worker = Worker::new(0, any.clone(), E::default());
        let table = Arc::new(Table::with_megabytes(1)?);
        Ok(Openings { random, starts, plies, worker, table })
    }

    /// Begins stream `stream` of a seed: what comes next depends on these two numbers and on nothing before.
    pub fn restart(&mut self, seed: u64, stream: u64) {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&stream.to_le_bytes());
        self.random = StdRng::from_seed(key);
    }

    /// The next opening: legal, not over, and not decided. Fails if the book hardly leads to such a one.
    pub fn next_opening(&mut self) -> Result<G, Error> {
        for _ in 0..MOST_TRIES {
            let index = self.random.random_range(0..self.starts.len());
            // Both sides get to be the one to move.
            let plies = self.plies + self.random.random_range(0..2);
            if let Some(position) = self.play_randomly(index, plies)
                && self.is_open(&position)
            {
                return Ok(position);
            }
        }
        Err(Error::new(format!("no undecided opening was found in {MOST_TRIES} tries")))
    }

    /// The openings to come, as FENs.
    pub fn into_fens(mut self) -> NextFen {
        Box::new(move || self.next_opening().map(|position| position.to_string()))
    }

    /// A position after so many random moves that have not ended the game, decided or not.
    pub fn random_position(&mut self, plies: usize) -> Result<G, Error> {
        for _ in 0..MOST_TRIES {
            let index = self.random.random_range(0..self.starts.len());
            if let Some(position) = self.play_randomly(index, plies) {
                return Ok(position);
            }
        }
        Err(Error::new(format!("{plies} random moves end the game, {MOST_TRIES} times in a row")))
    }

    /// Plays a legal move for good and lets chance strike where it has a hand. Returns what it chose.
    pub fn play(&mut self, position: &mut G, mv: Move) -> Option<u8> {
        position.play(mv);
        let outcome = match position.strikes() {
            0 => return None,
            strikes => self.random.random_range(0..strikes),
        };
        position.strike(outcome);
        Some(outcome)
    }

    fn play_randomly(&mut self, start: usize, plies: usize) -> Option<G> {
        let mut position = self.starts[start].clone();
        for _ in 0..plies {
            let moves = position.moves();
            if moves.is_empty() {
                return None;
            }
            let mv = moves[self.random.random_range(0..moves.len())];
            self.play(&mut position, mv);
        }
        position.ending().is_none().then_some(position)
    }

    /// Whether a short search finds neither side winning. Where one side is stronger from the start, only what it has
    /// proven counts.
    fn is_open(&mut self, position: &G) -> bool {
        self.table.clear(1);
        self.worker.clear();
        let limits = Limits { nodes: Some(SEARCH_NODES), ..Limits::default() };
        let (outcome, _) = self.worker.think(position, limits, &self.table);
        let most = if position.is_even() { DECIDED_CP } else { Score::TABLE_BOUND.value() - 1 };
        outcome.root_moves.first().is_some_and(|root| root.known_score().value().abs() <= most)
    }
}

/// The positions of a file with a FEN or EPD in each line.
fn read_book<G>(path: &str, position: impl Fn(&str) -> Result<G, Error>) -> Result<Vec<G>, Error> {
    let fault = |why: String| Error::new(format!("book {}: {why}", quote(path)));
    let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        // An EPD has four fields and then operations.
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let read = position(&fields.join(" "));
        positions.push(read.map_err(|error| fault(format!("line {}: {error}", number + 1)))?);
    }
    if positions.is_empty() {
        return Err(fault("it holds no position".to_string()));
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_open_positions() {
        let fens = |seed| -> Vec<String> {
            let mut openings = ChessOpenings::of_chess(seed, None).unwrap();
            (0..5).map(|_| openings.next_opening().unwrap().fen()).collect()
        };
        assert_eq!(fens(7), fens(7));
        assert_ne!(fens(7), fens(8));
    }

    #[test]
    fn openings_of_chess960_begin_with_its_arrays() {
        let mut openings = ChessOpenings::of_chess960(7, None).unwrap();
        let fens: Vec<String> = (0..8).map(|_| openings.next_opening().unwrap().fen()).collect();
        // Rights are written as files, and hardly any king began on the e file.
        let rights = |fen: &String| fen.split(' ').nth(2).unwrap().to_string();
        assert!(fens.iter().all(|fen| !rights(fen).contains(['K', 'Q', 'k', 'q'])), "{fens:?}");
        let mut first: Vec<String> = fens.iter().map(rights).collect();
        first.sort();
        first.dedup();
        assert!(first.len() > 3, "{fens:?}");
    }

    #[test]
    fn streams_depend_on_their_numbers_alone() {
        let mut first = ChessOpenings::of_chess(7, None).unwrap();
        let mut second = first.fork().unwrap();
        let opening = |openings: &mut ChessOpenings, stream| {
            openings.restart(3, stream);
            openings.next_opening().unwrap().fen()
        };
        let (zero, one) = (opening(&mut first, 0), opening(&mut first, 1));
        assert_ne!(zero, one);
        assert_eq!((opening(&mut second, 1), opening(&mut second, 0)), (one, zero));
    }

    #[test]
    fn a_missing_book_is_named() {
        let error = ChessOpenings::of_chess(1, Some("/no/such/book.epd")).err().unwrap().to_string();
        assert!(error.contains("/no/such/book.epd"), "{error}");
    }

    #[test]
    fn every_variant_has_open_openings() {
        for rules in fairy::variants::all() {
            let mut openings = VariantOpenings::of_variant(rules, 7, None).unwrap();
            let mut fens: Vec<String> = (0..6).map(|_| openings.next_opening().unwrap().fen()).collect();
            fens.sort();
            fens.dedup();
            assert_eq!(fens.len(), 6, "{}", rules.variant.name);
            assert!(fens.iter().all(|fen| fairy::Position::from_fen(rules, fen).is_ok()));
        }
    }
}
