//! `rosada mate`: the shortest mate of a problem, proven, or the proof that there is none.

use crate::base::{Error, Move};
use crate::chess::Position;
use crate::search::mate::{MateSearch, Verdict};

/// What `rosada mate` can be told on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The position; the side to move mates
    pub fen: String,
    /// Most moves the mate may take
    #[arg(long = "in", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub moves: u32,
    /// Show every first move that mates as fast, not only one
    #[arg(long)]
    pub all: bool,
    /// Give up after this many positions
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    pub nodes: u64,
    /// Megabytes of memory for what was found
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: u32,
    /// Any mate in so many moves will do: do not look for shorter ones first
    #[arg(long)]
    pub any: bool,
}

/// Solves and returns the lines to print.
pub fn run(arguments: &Arguments) -> Result<Vec<String>, Error> {
    let position = Position::from_fen(&arguments.fen).map_err(|error| error.within("FEN"))?;
    let mut search = MateSearch::new(position.clone(), arguments.hash as usize);
    let first = if arguments.any { arguments.moves } else { 1 };
    for moves in first..=arguments.moves {
        let left = arguments.nodes.saturating_sub(search.nodes());
        match search.ask(moves, left) {
            Verdict::NoMate => {}
            Verdict::Unknown => {
                // With `--any` nobody has asked about shorter ones.
                let known = if moves > first { format!("no mate in {}, ", moves - 1) } else { String::new() };
                return Ok(vec![format!("unknown: {known}{} nodes", search.nodes())]);
            }
            Verdict::Mate(moves, line) => {
                return Ok(solution(arguments, &position, &mut search, moves, &line));
            }
        }
    }
    Ok(vec![format!("no mate in {}, {} nodes", arguments.moves, search.nodes())])
}

fn solution(
    arguments: &Arguments,
    position: &Position,
    search: &mut MateSearch<Position>,
    moves: u32,
    line: &[Move],
) -> Vec<String> {
    let mut after = position.clone();
    let mut text = String::new();
    for &mv in line {
        text.push(' ');
        text.push_str(&after.san(mv));
        after.make(mv);
    }
    let mut lines = vec![format!("mate in {moves}:{text}"), format!("{} nodes", search.nodes())];
    if arguments.all {
        let left = arguments.nodes.saturating_sub(search.nodes());
        lines.push(match search.solutions(moves, left) {
            Some(all) => format!(
                "first moves: {}",
                all.iter().map(|&mv| position.san(mv)).collect::<Vec<_>>().join(" ")
            ),
            None => "first moves: not all known".to_string(),
        });
    }
    lines
}
