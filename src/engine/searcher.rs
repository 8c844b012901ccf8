//! Searching alone and in silence, whatever the game and the evaluation: what self-play and random openings need.

use std::sync::Arc;

use crate::base::Score;
use crate::chess;
use crate::engine::evaluation::Mind;
use crate::game::{Evaluator, Game};
use crate::search::{Outcome, Worker};
use crate::time::Limits;
use crate::tt::Table;

/// Searches positions of a game.
pub trait Searcher<G>: Send {
    /// A new game: forget what the last one taught.
    fn clear(&mut self);
    /// Searches a position. Returns what was found and the nodes it took.
    fn think(&mut self, game: &G, limits: Limits, table: &Arc<Table>) -> (Outcome, u64);
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Worker<G, E> {
    fn clear(&mut self) {
        Worker::clear(self);
    }

    fn think(&mut self, game: &G, limits: Limits, table: &Arc<Table>) -> (Outcome, u64) {
        Worker::think(self, game, limits, table)
    }
}

impl Searcher<chess::Position> for Mind {
    fn clear(&mut self) {
        Mind::clear(self);
    }

    fn think(&mut self, game: &chess::Position, limits: Limits, table: &Arc<Table>) -> (Outcome, u64) {
        Mind::think(self, game, limits, table)
    }
}

/// What a search of so many nodes says about a position; nothing if it has no moves.
pub fn quick_value<G>(
    searcher: &mut dyn Searcher<G>,
    table: &Arc<Table>,
    position: &G,
    nodes: u64,
) -> Option<Score> {
    table.new_search();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (outcome, _) = searcher.think(position, limits, table);
    outcome.root_moves.first().map(|root| root.known_score())
}
