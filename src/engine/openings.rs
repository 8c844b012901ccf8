//! Random openings: varied start positions that are not decided yet, for self-play.
//!
//! OpenBench asks for them with `genfens N seed S book <None|path>`, the data generator for one a game; the same seed
//! gives the same positions.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::base::Error;
use crate::base::error::quote;
use crate::chess::Position;
use crate::eval::Classical;
use crate::search::Worker;
use crate::time::Limits;
use crate::tt::Table;

/// Random plies after the start position; after a position out of a book fewer are enough.
const PLIES_FROM_START: usize = 8;
const PLIES_FROM_BOOK: usize = 4;
/// A start that a short search values beyond this is already decided.
const DECIDED_CP: i32 = 250;
const SEARCH_NODES: u64 = 2_000;
const MOST_TRIES: usize = 1_000;

/// A source of random openings.
pub struct Openings {
    random: StdRng,
    book: Arc<[Position]>,
    from_start: bool,
    worker: Worker<Position, Classical>,
    table: Arc<Table>,
}

impl Openings {
    /// Openings from a seed and the positions of a book, an EPD or FEN file; from the start position without one.
    pub fn new(seed: u64, book: Option<&str>) -> Result<Openings, Error> {
        let positions = book.map_or_else(|| Ok(vec![Position::start()]), read_book)?;
        Openings::with_book(StdRng::seed_from_u64(seed), positions.into(), book.is_none())
    }

    /// Another source on the same book, for another thread.
    pub fn fork(&self) -> Result<Openings, Error> {
        Openings::with_book(self.random.clone(), Arc::clone(&self.book), self.from_start)
    }

    fn with_book(random: StdRng, book: Arc<[Position]>, from_start: bool) -> Result<Openings, Error> {
        let worker = Worker::new(0, Position::start(), Classical::new());
        let table = Arc::new(Table::with_megabytes(1)?);
        Ok(Openings { random, book, from_start, worker, table })
    }

    /// Begins stream `stream` of a seed: what comes next depends on these two numbers and on nothing before.
    pub fn restart(&mut self, seed: u64, stream: u64) {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&stream.to_le_bytes());
        self.random = StdRng::from_seed(key);
    }

    /// The next opening: legal, not over, and not decided. Fails if the book hardly leads to such a one.
    pub fn next_opening(&mut self) -> Result<Position, Error> {
        for _ in 0..MOST_TRIES {
            let index = self.random.random_range(0..self.book.len());
            let plies = if self.from_start { PLIES_FROM_START } else { PLIES_FROM_BOOK };
            // Both sides get to be the one to move.
            let plies = plies + self.random.random_range(0..2);
            if let Some(position) = self.play_randomly(self.book[index].clone(), plies)
                && self.is_open(&position)
            {
                return Ok(position);
            }
        }
        Err(Error::new(format!("no undecided opening was found in {MOST_TRIES} tries")))
    }

    fn play_randomly(&mut self, mut position: Position, plies: usize) -> Option<Position> {
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            position.make(moves[self.random.random_range(0..moves.len())]);
        }
        position.outcome().is_none().then_some(position)
    }

    /// Whether a short search finds neither side winning.
    fn is_open(&mut self, position: &Position) -> bool {
        self.table.clear(1);
        self.worker.clear();
        let limits = Limits { nodes: Some(SEARCH_NODES), ..Limits::default() };
        let (outcome, _) = self.worker.think(position, limits, &self.table);
        outcome.root_moves.first().is_some_and(|root| root.known_score().value().abs() <= DECIDED_CP)
    }
}

/// The positions of a file with a FEN or EPD in each line.
fn read_book(path: &str) -> Result<Vec<Position>, Error> {
    let fault = |why: String| Error::new(format!("book {}: {why}", quote(path)));
    let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        // An EPD has four fields and then operations.
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let position = Position::from_fen(&fields.join(" "));
        positions.push(position.map_err(|error| fault(format!("line {}: {error}", number + 1)))?);
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
            let mut openings = Openings::new(seed, None).unwrap();
            (0..5).map(|_| openings.next_opening().unwrap().fen()).collect()
        };
        assert_eq!(fens(7), fens(7));
        assert_ne!(fens(7), fens(8));
    }

    #[test]
    fn streams_depend_on_their_numbers_alone() {
        let mut first = Openings::new(7, None).unwrap();
        let mut second = first.fork().unwrap();
        let opening = |openings: &mut Openings, stream| {
            openings.restart(3, stream);
            openings.next_opening().unwrap().fen()
        };
        let (zero, one) = (opening(&mut first, 0), opening(&mut first, 1));
        assert_ne!(zero, one);
        assert_eq!((opening(&mut second, 1), opening(&mut second, 0)), (one, zero));
    }

    #[test]
    fn a_missing_book_is_named() {
        let error = Openings::new(1, Some("/no/such/book.epd")).err().unwrap().to_string();
        assert!(error.contains("/no/such/book.epd"), "{error}");
    }
}
