//! `rosada perft`: the move tree counted at the terminal.

use std::time::Instant;

use crate::base::Error;
pub use crate::chess::START_FEN;

use crate::chess::Position;

/// Counts to `depth` and returns the lines to print: each first move, the total, the speed.
pub fn run(depth: u32, fen: &str, chess960: bool) -> Result<Vec<String>, Error> {
    let mut position = Position::from_fen(fen)?;
    position.set_chess960(chess960);
    let start = Instant::now();
    let counts = if depth == 0 { Vec::new() } else { position.divide(depth) };
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let total = if depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum::<u64>() };
    let mut lines: Vec<String> =
        counts.iter().map(|&(mv, nodes)| format!("{}: {nodes}", position.uci(mv))).collect();
    lines.push(format!("Nodes searched: {total}"));
    lines.push(format!("{:.3} s, {:.0} nodes per second", seconds, total as f64 / seconds));
    Ok(lines)
}
