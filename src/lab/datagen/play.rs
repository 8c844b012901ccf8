//! One game of the engine against itself. Each thread of `generate` has a [`Player`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::Settings;
use super::adjudicate::Adjudicator;
use crate::base::Error;
use crate::engine::openings::Openings;
use crate::engine::searcher::Searcher;
use crate::lab::games::{GameRecord, Ply, Recorded};
use crate::search::{RootMove, value_before_fade};
use crate::time::Limits;
use crate::tt::Table;

/// An iteration may run on to so many times the soft node limit: few need to, and none may hold up a game.
const HARD_NODES_FACTOR: u64 = 8;

/// Plays both sides with one searcher.
pub(super) struct Player<G: Recorded> {
    searcher: Box<dyn Searcher<G>>,
    table: Arc<Table>,
    openings: Openings<G>,
    seed: u64,
    limits: Limits,
}

impl<G: Recorded> Player<G> {
    /// Fails if there is no memory for the hash table.
    pub(super) fn new(
        settings: &Settings,
        openings: Openings<G>,
        searcher: Box<dyn Searcher<G>>,
    ) -> Result<Player<G>, Error> {
        let hard_nodes = settings.nodes.saturating_mul(HARD_NODES_FACTOR);
        let limits =
            Limits { soft_nodes: Some(settings.nodes), nodes: Some(hard_nodes), ..Limits::default() };
        let table = Arc::new(Table::with_megabytes(settings.hash_mb)?);
        Ok(Player { searcher, table, openings, seed: settings.seed, limits })
    }

    /// Plays the game with this number, which depends on nothing that was played before; none if it is told to abandon
    /// it.
    pub(super) fn play(&mut self, number: u64, abandon: &AtomicBool) -> Result<Option<GameRecord<G>>, Error> {
        self.table.clear(1);
        self.searcher.clear();
        self.openings.restart(self.seed, number);
        // The record does not keep how the opening came about, so the game must not know either: it could repeat a
        // position that nobody can see in the file.
        let opening = self.openings.next_opening(&mut *self.searcher, &self.table)?;
        let start = G::unpack_start(opening.played_by(), &opening.pack_start()?)?;
        let mut position = start.clone();
        let mut adjudicator = Adjudicator::new(&start);
        let mut plies = Vec::new();
        while !abandon.load(Relaxed) {
            let best = self.think(&position)?;
            adjudicator.hear(position.side_to_move(), best.known_score().value());
            let ply = Ply::new(best.mv, value_before_fade(&position, &best));
            let chance = self.openings.play(&mut position, best.mv);
            plies.push(Ply { chance, ..ply });
            let by_rule = position.ending().map(|ending| ending.winner.into());
            if let Some(result) = by_rule.or_else(|| adjudicator.verdict()) {
                return Ok(Some(GameRecord { start, result, plies }));
            }
        }
        Ok(None)
    }

    /// The best move of a position that has moves.
    fn think(&mut self, position: &G) -> Result<RootMove, Error> {
        self.table.new_search();
        let (outcome, _) = self.searcher.think(position, self.limits.clone(), &self.table);
        let best = outcome.root_moves.into_iter().next();
        best.ok_or_else(|| Error::new(format!("the search has found no move in {position}")))
    }
}
