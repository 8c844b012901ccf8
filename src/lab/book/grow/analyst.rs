//! One thread's analysis of one position after the other, each with empty memories.

use std::sync::Arc;

use super::{Candidate, Settings};
use crate::base::Error;
use crate::book::encode;
use crate::chess::Position;
use crate::chess::packed::PACKED_BYTES;
use crate::eval::Classical;
use crate::search::control::Control;
use crate::search::{Job, Shared, Silent, Worker};
use crate::time::{Deadline, Limits};
use crate::tt::Table;

/// The search by whose nodes one engine is told from another.
const SIGNATURE_DEPTH: u32 = 9;

/// Finds the best moves of positions.
pub(super) struct Analyst {
    worker: Worker<Position, Classical>,
    table: Arc<Table>,
    nodes: u64,
    lines: usize,
}

impl Analyst {
    /// Fails if there is no memory for the hash table.
    pub(super) fn new(settings: &Settings) -> Result<Analyst, Error> {
        Ok(Analyst {
            worker: Worker::new(0, Position::start(), Classical::new()),
            table: Arc::new(Table::with_megabytes(settings.hash_mb)?),
            nodes: settings.nodes,
            lines: settings.lines,
        })
    }

    /// The best moves, the best one first; none if the game is over.
    pub(super) fn analyze(&mut self, position: &[u8; PACKED_BYTES]) -> Result<Vec<Candidate>, Error> {
        self.table.clear(1);
        self.worker.clear();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let shared = Shared::new(Arc::clone(&self.table), Arc::new(Control::new()), 1, limits.nodes);
        let job = Job {
            game: Position::unpack(position)?,
            limits,
            deadline: Deadline::none(),
            search_moves: Vec::new(),
            multipv: self.lines,
            tables: None,
            ranked: Vec::new(),
        };
        let (outcome, _) = self.worker.run(&job, &shared, Box::new(Silent));
        let best = outcome.root_moves.iter().take(self.lines);
        Ok(best
            .map(|root| Candidate { code: encode(root.mv), score_cp: root.known_score().value() })
            .collect())
    }

    /// A number that changes when search or evaluation do.
    pub(super) fn signature() -> Result<u64, Error> {
        let mut worker = Worker::new(0, Position::start(), Classical::new());
        let limits = Limits { depth: Some(SIGNATURE_DEPTH), ..Limits::default() };
        Ok(worker.think(&Position::start(), limits, &Arc::new(Table::with_megabytes(1)?)).1)
    }
}
