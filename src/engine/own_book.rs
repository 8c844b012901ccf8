//! Playing from an opening book, if the user wants that.
//!
//! A move of the book goes the way of every other move: the search is asked for a glance at that move alone. So there
//! is a score and a line before the best move, as GUIs expect, and often a move to ponder on.

use std::path::Path;

use super::Listener;
use super::options::{BOOK_CHOICES, Options};
use super::report::Report;
use super::session::Request;
use crate::base::Error;
use crate::book::{self, Book, Choice};
use crate::chess::Position;
use crate::time::Limits;

/// The glance at a book move: some milliseconds on one thread.
const GLANCE_DEPTH: u32 = 6;
const GLANCE_NODES: u64 = 4_000;

/// The book of a user, or the one that comes with the engine.
#[derive(Default)]
pub struct OwnBook {
    file: Option<Book>,
}

impl OwnBook {
    /// Opens a file, or goes back to the embedded book. After an error the book is the one before.
    pub fn open(&mut self, path: Option<&Path>) -> Result<(), Error> {
        self.file = path.map(Book::open).transpose()?;
        Ok(())
    }

    /// Turns a request to think into one to play by the book, if there is to be a book move: in play, not in analysis.
    pub fn advise(
        &self,
        request: Request,
        options: &Options,
        position: Option<&Position>,
        listener: &Listener,
    ) -> Request {
        let Limits { ponder, infinite, mate, .. } = request.limits;
        let analysis = options.analyse_mode || infinite || mate.is_some() || options.multi_pv > 1;
        let is_free = !ponder && request.search_moves.is_empty();
        let Some(position) = position.filter(|_| options.own_book && !analysis && is_free) else {
            return request;
        };
        match self.choose(position, options) {
            Ok(Some((mv, text))) => {
                listener(Report::Text(text));
                let limits =
                    Limits { depth: Some(GLANCE_DEPTH), nodes: Some(GLANCE_NODES), ..Limits::default() };
                Request { limits, search_moves: vec![mv], handicap: None, ..request }
            }
            Ok(None) => request,
            Err(error) => {
                listener(Report::Text(format!("error: {error}")));
                request
            }
        }
    }

    /// A move of the book, and what to say about it.
    fn choose(&self, position: &Position, options: &Options) -> Result<Option<(String, String)>, Error> {
        if position.fullmove() > options.book_depth {
            return Ok(None);
        }
        let moves = match &self.file {
            Some(book) => book.moves(position)?,
            None => book::embedded()?.moves(position)?,
        };
        let choice = if options.book_choice == BOOK_CHOICES[1] { Choice::Best } else { Choice::Weighted };
        let Some(found) = book::choose(&moves, choice, &mut rand::rng()) else { return Ok(None) };
        let mut after = position.clone();
        after.make(found.mv);
        // A book does not know how often a position has been there: no draws by rule from it.
        if after.outcome().is_some() {
            return Ok(None);
        }
        let mv = position.uci(found.mv);
        let share = 100.0 * book::share(found, &moves);
        let count = moves.len();
        let opening = book::opening_of(&after).map(|opening| format!(", {opening}")).unwrap_or_default();
        let text = format!("book move {mv}, share {share:.1} % among {count}{opening}");
        Ok(Some((mv, text)))
    }
}
