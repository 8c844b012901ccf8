//! What the engine judges positions of chess by: the network or the classical evaluation. Variants have their own.
//!
//! [`Evaluation`] is a choice; [`Mind`] is a searching worker that was made by it, for tools that search alone.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::Engine;
use super::report::Report;
use crate::base::Error;
use crate::chess::Position;
use crate::eval::nnue::{self, Network, file};
use crate::eval::{Classical, Nnue, classical};
use crate::search::{Outcome, Worker};
use crate::time::Limits;
use crate::tt::Table;

/// The names of the choices.
pub const EVALUATIONS: [&str; 2] = ["NNUE", "Classical"];

/// The choice of an engine that is told nothing.
pub const DEFAULT_EVALUATION: &str = EVALUATIONS[0];

/// What positions of chess are judged by.
#[derive(Clone)]
pub enum Evaluation {
    /// Chess knowledge in hand-made terms.
    Classical,
    /// A network.
    Network(Arc<Network>),
}

impl Evaluation {
    /// The evaluation with this name, in any case: by the network in a file, or by the embedded one.
    pub fn choose(name: &str, network: Option<&Path>) -> Result<Evaluation, Error> {
        if name.eq_ignore_ascii_case(EVALUATIONS[0]) {
            return match network {
                Some(path) => file::load(path).map(Arc::new),
                None => nnue::embedded(),
            }
            .map(Evaluation::Network);
        }
        if name.eq_ignore_ascii_case(EVALUATIONS[1]) {
            return Ok(Evaluation::Classical);
        }
        Err(Error::new(format!("the evaluation is one of {}, not {name}", EVALUATIONS.join(", "))))
    }

    /// What it says about a position, as text.
    pub fn table(&self, position: &Position) -> String {
        match self {
            Evaluation::Classical => classical::table(position),
            Evaluation::Network(network) => nnue::table(position, network),
        }
    }

    /// Whether both say the same about every position. A file may be read again and hold what it held before.
    fn is(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::Classical, Evaluation::Classical) => true,
            (Evaluation::Network(ours), Evaluation::Network(theirs)) => {
                Arc::ptr_eq(ours, theirs) || ours == theirs
            }
            _ => false,
        }
    }
}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Classical => f.write_str("the classical evaluation"),
            Evaluation::Network(network) => write!(f, "network {}", file::name(network)),
        }
    }
}

/// A worker that judges by one evaluation or the other.
pub enum Mind {
    /// By hand-made terms.
    Classical(Box<Worker<Position, Classical>>),
    /// By a network.
    Network(Box<Worker<Position, Nnue>>),
}

impl Mind {
    /// A mind with empty memories.
    pub fn new(evaluation: &Evaluation) -> Mind {
        let start = Position::start();
        match evaluation {
            Evaluation::Classical => Mind::Classical(Box::new(Worker::new(0, start, Classical::new()))),
            Evaluation::Network(network) => {
                Mind::Network(Box::new(Worker::new(0, start, Nnue::new(Arc::clone(network)))))
            }
        }
    }

    /// A new game: forget what the last one taught.
    pub fn clear(&mut self) {
        match self {
            Mind::Classical(worker) => worker.clear(),
            Mind::Network(worker) => worker.clear(),
        }
    }

    /// Searches a position alone and in silence. Returns what was found and the nodes it took.
    pub fn think(&mut self, game: &Position, limits: Limits, table: &Arc<Table>) -> (Outcome, u64) {
        self.compare(game, 1, limits, table)
    }

    /// The same for the best moves, so many of them.
    pub fn compare(
        &mut self,
        game: &Position,
        lines: usize,
        limits: Limits,
        table: &Arc<Table>,
    ) -> (Outcome, u64) {
        match self {
            Mind::Classical(worker) => worker.compare(game, lines, limits, table),
            Mind::Network(worker) => worker.compare(game, lines, limits, table),
        }
    }
}

impl Engine {
    /// What positions of chess are judged by.
    pub fn chosen_evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Loads the network of a file, or goes back to the embedded one, and judges by it if the options say so.
    pub(super) fn open_network(&mut self, path: Option<&Path>) -> Result<(), Error> {
        self.network = path.map(file::load).transpose()?.map(Arc::new);
        self.use_evaluation()?;
        if let (Some(network), Some(path)) = (&self.network, path) {
            let used = matches!(self.evaluation, Evaluation::Network(_));
            let rest = if used { "" } else { "; it is used when Evaluation is NNUE" };
            let text = format!("network {} from {}{rest}", file::name(network), path.display());
            (self.listener)(Report::Text(text));
        }
        Ok(())
    }

    /// Judges as the options say. What has been found by another evaluation is forgotten; if it is the same as before,
    /// nothing is.
    pub(super) fn use_evaluation(&mut self) -> Result<(), Error> {
        let chosen = match &self.network {
            Some(network) if self.options.evaluation == EVALUATIONS[0] => {
                Evaluation::Network(Arc::clone(network))
            }
            _ => Evaluation::choose(&self.options.evaluation, None)?,
        };
        if !chosen.is(&self.evaluation) {
            if self.session.plays_chess() {
                self.session.set_threads(self.session.threads(), &chosen)?;
                self.session.clear_table();
            }
            self.evaluation = chosen;
        }
        Ok(())
    }
}
