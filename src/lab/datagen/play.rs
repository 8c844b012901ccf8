//! One game of the engine against itself. Each thread of `generate` has a [`Player`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::Settings;
use super::adjudicate::Adjudicator;
use crate::base::{Error, Move, Score};
use crate::chess::{Outcome, Position};
use crate::engine::evaluation::Mind;
use crate::engine::openings::Openings;
use crate::lab::games::{GameRecord, GameResult, Ply};
use crate::time::Limits;
use crate::tt::Table;

/// An iteration may run on to so many times the soft node limit: few need to, and none may hold up a game.
const HARD_NODES_FACTOR: u64 = 8;

/// Plays both sides with one mind.
pub(super) struct Player {
    mind: Mind,
    table: Arc<Table>,
    openings: Openings,
    seed: u64,
    limits: Limits,
}

impl Player {
    /// Fails if there is no memory for the hash table.
    pub(super) fn new(settings: &Settings, openings: Openings) -> Result<Player, Error> {
        let hard_nodes = settings.nodes.saturating_mul(HARD_NODES_FACTOR);
        let limits =
            Limits { soft_nodes: Some(settings.nodes), nodes: Some(hard_nodes), ..Limits::default() };
        Ok(Player {
            mind: Mind::new(&settings.evaluation),
            table: Arc::new(Table::with_megabytes(settings.hash_mb)?),
            openings,
            seed: settings.seed,
            limits,
        })
    }

    /// Plays the game with this number, which depends on nothing that was played before; none if it is told to abandon
    /// it.
    pub(super) fn play(&mut self, number: u64, abandon: &AtomicBool) -> Result<Option<GameRecord>, Error> {
        self.table.clear(1);
        self.mind.clear();
        self.openings.restart(self.seed, number);
        // The record does not keep how the opening came about, so the game must not know either: it could repeat a
        // position that nobody can see in the file.
        let start = Position::unpack(&self.openings.next_opening()?.pack()?)?;
        let mut position = start.clone();
        let mut adjudicator = Adjudicator::default();
        let mut plies = Vec::new();
        while !abandon.load(Relaxed) {
            let (mv, score) = self.think(&position)?;
            adjudicator.hear(position.side_to_move(), score.value());
            plies.push(Ply::new(mv, score));
            position.make(mv);
            position.forget_undo();
            if let Some(result) = result_by_rule(&position).or_else(|| adjudicator.verdict()) {
                return Ok(Some(GameRecord { start, result, plies }));
            }
        }
        Ok(None)
    }

    /// The best move of a position that has moves, and what it is worth.
    fn think(&mut self, position: &Position) -> Result<(Move, Score), Error> {
        self.table.new_search();
        let (outcome, _) = self.mind.think(position, self.limits.clone(), &self.table);
        let best = outcome.root_moves.first();
        best.map(|root| (root.mv, root.known_score()))
            .ok_or_else(|| Error::new(format!("the search has found no move in {position}")))
    }
}

/// The result of a game that is over by the rules.
fn result_by_rule(position: &Position) -> Option<GameResult> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Checkmate => GameResult::win_for(!position.side_to_move()),
        _ => GameResult::Draw,
    })
}
