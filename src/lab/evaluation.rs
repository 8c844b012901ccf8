//! The choice of an evaluation on the command line, the same for every tool that searches positions of chess.

use std::path::PathBuf;

use crate::base::Error;
use crate::engine::evaluation::{DEFAULT_EVALUATION, EVALUATIONS, Evaluation};

/// What to judge positions by.
#[derive(clap::Args, Clone, Debug)]
pub struct EvaluationArguments {
    /// What positions of chess are judged by
    #[arg(long, value_name = "NAME", default_value = DEFAULT_EVALUATION, ignore_case = true)]
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(EVALUATIONS))]
    evaluation: String,
    /// Network to judge by, instead of the embedded one; implies --evaluation nnue
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EvaluationArguments {
    /// Whether a network was named.
    pub fn names_file(&self) -> bool {
        self.eval_file.is_some()
    }

    /// The evaluation that was asked for.
    pub fn choose(&self) -> Result<Evaluation, Error> {
        let name = if self.eval_file.is_some() { EVALUATIONS[0] } else { &self.evaluation };
        Evaluation::choose(name, self.eval_file.as_deref())
    }
}
