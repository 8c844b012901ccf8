//! One game of the engine against itself. Each thread of `generate` has a [`Player`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::Settings;
use super::adjudicate::Adjudicator;
use crate::base::{Error, Move, Score};
use crate::chess;
use crate::engine::evaluation::Mind;
use crate::engine::openings::Openings;
use crate::game::{Evaluator, Game};
use crate::lab::games::{GameRecord, Ply, Recorded};
use crate::search::{Outcome, Worker};
use crate::time::Limits;
use crate::tt::Table;

/// An iteration may run on to so many times the soft node limit: few need to, and none may hold up a game.
const HARD_NODES_FACTOR: u64 = 8;

/// Searches positions of a game.
pub(super) trait Searcher<G>: Send {
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

/// Plays both sides with one mind.
pub(super) struct Player<G: Recorded, E: Evaluator<G>> {
    mind: Box<dyn Searcher<G>>,
    table: Arc<Table>,
    openings: Openings<G, E>,
    seed: u64,
    limits: Limits,
}

impl<G: Recorded, E: Evaluator<G> + Default> Player<G, E> {
    /// Fails if there is no memory for the hash table.
    pub(super) fn new(
        settings: &Settings,
        openings: Openings<G, E>,
        mind: Box<dyn Searcher<G>>,
    ) -> Result<Player<G, E>, Error> {
        let hard_nodes = settings.nodes.saturating_mul(HARD_NODES_FACTOR);
        let limits =
            Limits { soft_nodes: Some(settings.nodes), nodes: Some(hard_nodes), ..Limits::default() };
        let table = Arc::new(Table::with_megabytes(settings.hash_mb)?);
        Ok(Player { mind, table, openings, seed: settings.seed, limits })
    }

    /// Plays the game with this number, which depends on nothing that was played before; none if it is told to abandon
    /// it.
    pub(super) fn play(&mut self, number: u64, abandon: &AtomicBool) -> Result<Option<GameRecord<G>>, Error> {
        self.table.clear(1);
        self.mind.clear();
        self.openings.restart(self.seed, number);
        // The record does not keep how the opening came about, so the game must not know either: it could repeat a
        // position that nobody can see in the file.
        let opening = self.openings.next_opening()?;
        let start = G::unpack_start(opening.played_by(), &opening.pack_start()?)?;
        let mut position = start.clone();
        let mut adjudicator = Adjudicator::new(&start);
        let mut plies = Vec::new();
        while !abandon.load(Relaxed) {
            let (mv, score) = self.think(&position)?;
            adjudicator.hear(position.side_to_move(), score.value());
            let chance = self.openings.play(&mut position, mv);
            plies.push(Ply { chance, ..Ply::new(mv, score) });
            let by_rule = position.ending().map(|ending| ending.winner.into());
            if let Some(result) = by_rule.or_else(|| adjudicator.verdict()) {
                return Ok(Some(GameRecord { start, result, plies }));
            }
        }
        Ok(None)
    }

    /// The best move of a position that has moves, and what it is worth.
    fn think(&mut self, position: &G) -> Result<(Move, Score), Error> {
        self.table.new_search();
        let (outcome, _) = self.mind.think(position, self.limits.clone(), &self.table);
        let best = outcome.root_moves.first();
        best.map(|root| (root.mv, root.known_score()))
            .ok_or_else(|| Error::new(format!("the search has found no move in {position}")))
    }
}
