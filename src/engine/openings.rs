//! Random openings: varied start positions that are not decided yet, for self-play in chess and in the variants.
//!
//! OpenBench asks for them with `genfens N seed S book <None|path>`, the data generator for one a game; the same seed
//! gives the same positions.

use std::path::Path;
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::searcher::{Searcher, quick_value};
use crate::base::error::quote;
use crate::base::{Error, Move, Score, files};
use crate::fairy::{Rules, shuffle};
use crate::game::SelfPlay;
use crate::tt::Table;
use crate::{chess, fairy};

/// Random plies after the start position; after a position out of a book fewer are enough.
const PLIES_FROM_START: usize = 8;
const PLIES_FROM_BOOK: usize = 4;
/// A start that a short search values beyond this is already decided. In chess games are mostly for training, and a
/// network must see what is nearly won as well.
const DECIDED_CP_CHESS: i32 = 800;
const DECIDED_CP_VARIANTS: i32 = 250;
/// Nodes of that search.
const SEARCH_NODES: u64 = 1_000;
const MAX_TRIES: usize = 1_000;
/// Larger files of positions are refused.
const MAX_BOOK_BYTES: u64 = 1 << 30;

/// A source of random openings.
#[derive(Clone)]
pub struct Openings<G> {
    random: StdRng,
    starts: Arc<[G]>,
    plies: usize,
    decided_cp: i32,
    /// The share of openings that begin with one of the arrays of Chess960, and these.
    chess960: f64,
    arrays: Arc<[G]>,
}

/// Gives the next opening as FEN; whoever draws from it need not know which game it is.
pub type NextFen = Box<dyn FnMut() -> Result<String, Error> + Send>;

/// Openings of chess.
pub type ChessOpenings = Openings<chess::Position>;
/// Openings of a variant.
pub type VariantOpenings = Openings<fairy::Position>;

impl ChessOpenings {
    /// Openings from a seed and the positions of a book, an EPD or FEN file; from the start position without one.
    pub fn of_chess(seed: u64, book: Option<&str>) -> Result<ChessOpenings, Error> {
        let starts = || vec![chess::Position::start()];
        Openings::new(seed, book, DECIDED_CP_CHESS, starts, chess::Position::from_fen)
    }

    /// Openings of Chess960: without a book, each begins with one of its 960 arrays.
    pub fn of_chess960(seed: u64, book: Option<&str>) -> Result<ChessOpenings, Error> {
        Openings::new(seed, book, DECIDED_CP_CHESS, chess960_arrays, chess960_position)
    }

    /// Lets this share of the openings begin with an array of Chess960.
    pub fn with_chess960(self, share: f64) -> ChessOpenings {
        let arrays = if share > 0.0 { chess960_arrays().into() } else { Arc::default() };
        ChessOpenings { chess960: share, arrays, ..self }
    }
}

fn chess960_position(fen: &str) -> Result<chess::Position, Error> {
    let mut position = chess::Position::from_fen(fen)?;
    position.set_chess960(true);
    Ok(position)
}

fn chess960_arrays() -> Vec<chess::Position> {
    let arrays = (0..chess::shuffle::ARRAYS).map(chess::shuffle::array);
    arrays.filter_map(|array| chess960_position(&chess::shuffle::start_fen(&array)).ok()).collect()
}

impl VariantOpenings {
    /// Openings of a variant; where the start position is drawn by lot, it is drawn for each opening.
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
        Openings::new(seed, book, DECIDED_CP_VARIANTS, starts, position)
    }
}

impl<G: SelfPlay> Openings<G> {
    fn new(
        seed: u64,
        book: Option<&str>,
        decided_cp: i32,
        starts: impl FnOnce() -> Vec<G>,
        position: impl Fn(&str) -> Result<G, Error>,
    ) -> Result<Openings<G>, Error> {
        let (starts, plies) = match book {
            Some(path) => (read_book(path, position)?, PLIES_FROM_BOOK),
            None => (starts(), PLIES_FROM_START),
        };
        let random = StdRng::seed_from_u64(seed);
        let starts = starts.into();
        Ok(Openings { random, starts, plies, decided_cp, chess960: 0.0, arrays: Arc::default() })
    }

    /// Begins with these positions instead, which need fewer random moves; fails if there are none.
    pub fn from_positions(self, starts: Vec<G>) -> Result<Openings<G>, Error> {
        if starts.is_empty() {
            return Err(Error::new("there is no position to start from"));
        }
        Ok(Openings { starts: starts.into(), plies: PLIES_FROM_BOOK, ..self })
    }

    /// Begins stream `stream` of a seed: what comes next depends on these two numbers and on nothing before.
    pub fn restart(&mut self, seed: u64, stream: u64) {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&stream.to_le_bytes());
        self.random = StdRng::from_seed(key);
    }

    /// The next opening: legal, not over, and not decided as `searcher` sees it in a short search. Fails if the book
    /// hardly leads to such a one.
    pub fn next_opening(&mut self, searcher: &mut dyn Searcher<G>, table: &Arc<Table>) -> Result<G, Error> {
        for _ in 0..MAX_TRIES {
            // Both sides get to be the one to move.
            let more = self.random.random_range(0..2);
            if let Some(position) = self.play_randomly(self.plies + more)
                && self.is_open(&position, quick_value(searcher, table, &position, SEARCH_NODES))
            {
                return Ok(position);
            }
        }
        Err(Error::new(format!("no undecided opening was found in {MAX_TRIES} tries")))
    }

    /// The openings to come, as FENs.
    pub fn into_fens(mut self, mut searcher: Box<dyn Searcher<G>>) -> Result<NextFen, Error>
    where
        G: 'static,
    {
        let table = Arc::new(Table::with_megabytes(1)?);
        Ok(Box::new(move || {
            searcher.clear();
            table.clear(1);
            self.next_opening(&mut *searcher, &table).map(|position| position.to_string())
        }))
    }

    /// A position after so many random moves that have not ended the game, decided or not.
    pub fn random_position(&mut self, plies: usize) -> Result<G, Error> {
        for _ in 0..MAX_TRIES {
            if let Some(position) = self.play_randomly(plies) {
                return Ok(position);
            }
        }
        Err(Error::new(format!("{plies} random moves end the game, {MAX_TRIES} times in a row")))
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

    /// Plays random moves from a start that chance chooses; nothing if they end the game.
    fn play_randomly(&mut self, plies: usize) -> Option<G> {
        let shuffled = self.chess960 > 0.0 && self.random.random_bool(self.chess960);
        let starts = if shuffled { &self.arrays } else { &self.starts };
        let mut position = starts[self.random.random_range(0..starts.len())].clone();
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

    /// Whether neither side is winning at this value. Where one side is stronger from the start, only what is proven
    /// counts.
    fn is_open(&self, position: &G, value: Option<Score>) -> bool {
        let max_cp = if position.is_even() { self.decided_cp } else { Score::TABLE_BOUND.value() - 1 };
        value.is_some_and(|value| value.value().abs() <= max_cp)
    }
}

/// The positions of a file with a FEN or EPD in each line.
fn read_book<G>(path: &str, position: impl Fn(&str) -> Result<G, Error>) -> Result<Vec<G>, Error> {
    let fault = |why: String| Error::new(format!("book {}: {why}", quote(path)));
    let text = files::read_text(Path::new(path), MAX_BOOK_BYTES).map_err(|error| fault(error.to_string()))?;
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
    use crate::engine::evaluation::{Evaluation, Mind};
    use crate::eval::Fairy;
    use crate::search::Worker;

    /// The next openings of chess, so many of them.
    fn fens(openings: ChessOpenings, count: usize) -> Vec<String> {
        let mut next = openings.into_fens(Box::new(Mind::new(&Evaluation::Classical))).unwrap();
        (0..count).map(|_| next().unwrap()).collect()
    }

    /// The castling rights of positions.
    fn rights(fens: &[String]) -> Vec<String> {
        fens.iter().map(|fen| fen.split(' ').nth(2).unwrap().to_string()).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_open_positions() {
        let fens = |seed| fens(ChessOpenings::of_chess(seed, None).unwrap(), 5);
        assert_eq!(fens(7), fens(7));
        assert_ne!(fens(7), fens(8));
    }

    #[test]
    fn openings_of_chess960_begin_with_its_arrays() {
        // Rights are written as files, and hardly any king began on the e file.
        let mut rights = rights(&fens(ChessOpenings::of_chess960(7, None).unwrap(), 8));
        assert!(rights.iter().all(|rights| !rights.contains(['K', 'Q', 'k', 'q'])), "{rights:?}");
        rights.sort();
        rights.dedup();
        assert!(rights.len() > 3, "{rights:?}");
    }

    #[test]
    fn a_share_of_openings_is_of_chess960() {
        let openings = ChessOpenings::of_chess(7, None).unwrap().with_chess960(0.3);
        let rights = rights(&fens(openings, 60));
        let shuffled =
            rights.iter().filter(|rights| rights.contains(|file| ('A'..='H').contains(&file))).count();
        assert!((8..30).contains(&shuffled), "{shuffled} of 60");
    }

    #[test]
    fn streams_depend_on_their_numbers_alone() {
        let mut first = ChessOpenings::of_chess(7, None).unwrap();
        let mut second = first.clone();
        let opening = |openings: &mut ChessOpenings, stream| {
            openings.restart(3, stream);
            openings.random_position(8).unwrap().fen()
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
            let openings = VariantOpenings::of_variant(rules, 7, None).unwrap();
            let worker = Worker::new(0, fairy::Position::start(rules), Fairy::new());
            let mut next = openings.into_fens(Box::new(worker)).unwrap();
            let mut fens: Vec<String> = (0..6).map(|_| next().unwrap()).collect();
            fens.sort();
            fens.dedup();
            assert_eq!(fens.len(), 6, "{}", rules.variant.name);
            assert!(fens.iter().all(|fen| fairy::Position::from_fen(rules, fen).is_ok()));
        }
    }
}
