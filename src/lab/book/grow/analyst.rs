//! One thread's analysis of one position after the other, each with empty memories.

use std::sync::Arc;

use super::{Candidate, Settings};
use crate::base::Error;
use crate::book::encode;
use crate::chess::Position;
use crate::chess::packed::PACKED_BYTES;
use crate::engine::evaluation::{Evaluation, Mind};
use crate::time::Limits;
use crate::tt::Table;

/// The search by whose nodes one engine is told from another.
const SIGNATURE_DEPTH: u32 = 9;

/// Finds the best moves of positions.
pub(super) struct Analyst {
    mind: Mind,
    table: Arc<Table>,
    nodes: u64,
    lines: usize,
}

impl Analyst {
    /// Fails if there is no memory for the hash table.
    pub(super) fn new(settings: &Settings) -> Result<Analyst, Error> {
        Ok(Analyst {
            mind: Mind::new(&settings.evaluation),
            table: Arc::new(Table::with_megabytes(settings.hash_mb)?),
            nodes: settings.nodes,
            lines: settings.lines,
        })
    }

    /// The best moves, the best one first; none if the game is over.
    pub(super) fn analyze(&mut self, position: &[u8; PACKED_BYTES]) -> Result<Vec<Candidate>, Error> {
        self.table.clear(1);
        self.mind.clear();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let position = Position::unpack(position)?;
        let (outcome, _) = self.mind.compare(&position, self.lines, limits, &self.table);
        let best = outcome.root_moves.iter().take(self.lines);
        Ok(best
            .map(|root| Candidate { code: encode(root.mv), score_cp: root.known_score().value() })
            .collect())
    }

    /// A number that changes when search or evaluation do.
    pub(super) fn signature(evaluation: &Evaluation) -> Result<u64, Error> {
        let limits = Limits { depth: Some(SIGNATURE_DEPTH), ..Limits::default() };
        let table = Arc::new(Table::with_megabytes(1)?);
        Ok(Mind::new(evaluation).think(&Position::start(), limits, &table).1)
    }
}
