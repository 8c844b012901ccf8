//! `rosada perft`: the move tree counted at the terminal.

use std::time::Instant;

use clap::Args;

use crate::base::error::quote;
use crate::base::{Error, Move};
use crate::{chess, fairy};

/// What to count.
#[derive(Args)]
pub struct Arguments {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// Position to start from; the start position of the game if there is none
    #[arg(long)]
    fen: Option<String>,
    /// The game: chess, or one of the variants that `uci` lists
    #[arg(long, default_value = "chess")]
    variant: String,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
}

/// The count after each first move, as text.
type Counts = Vec<(String, u64)>;

/// Counts and returns the lines to print: each first move, the total, the speed.
pub fn run(arguments: &Arguments) -> Result<Vec<String>, Error> {
    let depth = arguments.depth;
    let start = Instant::now();
    let counts = match arguments.variant.to_ascii_lowercase().as_str() {
        "chess" | "standard" => chess_counts(arguments)?,
        name if arguments.chess960 => {
            return Err(Error::new(format!("--chess960 belongs to chess, not to {}", quote(name))));
        }
        name => {
            let unknown = || Error::new(format!("unknown variant {}", quote(name)));
            variant_counts(arguments, fairy::variants::find(name).ok_or_else(unknown)?)?
        }
    };
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let total = if depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum::<u64>() };
    let mut lines: Vec<String> = counts.iter().map(|(mv, nodes)| format!("{mv}: {nodes}")).collect();
    lines.push(format!("Nodes searched: {total}"));
    lines.push(format!("{:.3} s, {:.0} nodes per second", seconds, total as f64 / seconds));
    Ok(lines)
}

fn chess_counts(arguments: &Arguments) -> Result<Counts, Error> {
    let mut position = chess::Position::from_fen(arguments.fen.as_deref().unwrap_or(chess::START_FEN))?;
    position.set_chess960(arguments.chess960);
    let named = |(mv, nodes): (Move, u64)| (position.uci(mv), nodes);
    let counts = if arguments.depth == 0 { Vec::new() } else { position.divide(arguments.depth) };
    Ok(counts.into_iter().map(named).collect())
}

fn variant_counts(arguments: &Arguments, rules: &'static fairy::Rules) -> Result<Counts, Error> {
    let fen = arguments.fen.as_deref().unwrap_or(rules.variant.start);
    let position = fairy::Position::from_fen(rules, fen)?;
    let named = |(mv, nodes): (Move, u64)| (position.uci(mv), nodes);
    let counts = if arguments.depth == 0 { Vec::new() } else { position.divide(arguments.depth) };
    Ok(counts.into_iter().map(named).collect())
}
