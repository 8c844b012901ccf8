//! `rosada compare`: search methods side by side on the positions of a game, to see what each idea is worth.
//!
//! The game is the one the full search plays against itself from the start position (or the line given), so the
//! comparison needs no file and always gives the same nodes. `main` calls [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod methods;

use std::path::PathBuf;
use std::time::Instant;

use indicatif::{HumanCount, ProgressBar};
pub use methods::{Bench, Finding, Method};

use crate::base::Error;
use crate::base::files;
use crate::chess::Position;
use crate::lab::plot::{self, Plot, Scale, Series};

/// What `rosada compare` can be told on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Deepest search
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub depth: u32,
    /// Positions of the game, from its start
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub moves: u32,
    /// Position to start from
    #[arg(long, default_value = crate::chess::START_FEN)]
    pub fen: String,
    /// File for a picture of the nodes over the depth
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

/// What a method needed for a depth, mean over all positions.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The method.
    pub method: Method,
    /// Its depth.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: f64,
    /// Time.
    pub seconds: f64,
}

/// Compares and returns the table, in Markdown.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    let mut bench = Bench::new()?;
    let start = Position::from_fen(&arguments.fen).map_err(|error| error.within("FEN"))?;
    let game = play(&mut bench, start, arguments);
    if game.is_empty() {
        return Err(Error::new("the game is over in this position: there is nothing to search"));
    }
    let rows = measure(&mut bench, &game, arguments);
    if let Some(path) = &arguments.svg {
        files::replace(path, picture(&rows).as_bytes())?;
    }
    Ok(table(&rows, game.len()))
}

/// The positions of the game that the full search plays against itself.
fn play(bench: &mut Bench, start: Position, arguments: &Arguments) -> Vec<Position> {
    let mut position = start;
    let mut positions = Vec::new();
    while positions.len() < arguments.moves as usize && position.outcome().is_none() {
        positions.push(position.clone());
        bench.clear();
        let best = bench.search(Method::Full, &position, arguments.depth).best;
        position.make(best);
        position.forget_undo();
    }
    positions
}

fn measure(bench: &mut Bench, game: &[Position], arguments: &Arguments) -> Vec<Row> {
    let steps = Method::ALL.len() * arguments.depth as usize * game.len();
    let bar = if arguments.quiet { ProgressBar::hidden() } else { ProgressBar::new(steps as u64) };
    let mut rows = Vec::new();
    for method in Method::ALL {
        for depth in 1..=arguments.depth {
            let (mut nodes, mut seconds) = (0, 0.0);
            for position in game {
                bench.clear();
                let clock = Instant::now();
                nodes += bench.search(method, position, depth).nodes;
                seconds += clock.elapsed().as_secs_f64();
                bar.inc(1);
            }
            let count = game.len() as f64;
            rows.push(Row { method, depth, nodes: nodes as f64 / count, seconds: seconds / count });
        }
    }
    bar.finish_and_clear();
    rows
}

/// Nodes and time over depth, one line a method.
fn picture(rows: &[Row]) -> String {
    let series = |value: fn(&Row) -> f64| {
        let of_method = |method: Method| {
            let rows = rows.iter().filter(|row| row.method == method);
            let points = rows.map(|row| (f64::from(row.depth), value(row))).collect();
            Series { name: method.name().to_string(), points }
        };
        Method::ALL.into_iter().map(of_method).collect()
    };
    let plot = |title, scale, value| Plot { title, x_name: "depth", scale, series: series(value) };
    plot::svg(&[
        plot("positions looked at, mean of a search", Scale::Counts, |row| row.nodes),
        plot("time, mean of a search", Scale::Microseconds, |row| row.seconds * 1e6),
    ])
}

/// The table in Markdown: nodes and milliseconds of each method at each depth.
fn table(rows: &[Row], positions: usize) -> String {
    let depths = rows.iter().map(|row| row.depth).max().unwrap_or(0);
    let mut text = format!("Mean nodes (milliseconds) over {positions} positions\n\n| method |");
    (1..=depths).for_each(|depth| text.push_str(&format!(" depth {depth} |")));
    text.push_str("\n|---|");
    (1..=depths).for_each(|_| text.push_str("---:|"));
    for method in Method::ALL {
        text.push_str(&format!("\n| {} |", method.name()));
        for row in rows.iter().filter(|row| row.method == method) {
            let (nodes, time) = (HumanCount(row.nodes.round() as u64), row.seconds * 1000.0);
            text.push_str(&format!(" {nodes} ({time:.2}) |"));
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn arguments(svg: Option<PathBuf>) -> Arguments {
        Arguments { depth: 2, moves: 3, fen: crate::chess::START_FEN.to_string(), svg, quiet: true }
    }

    #[test]
    fn the_table_has_a_line_for_each_method() {
        let text = run(&arguments(None)).unwrap();
        assert_eq!(text.lines().count(), 4 + Method::ALL.len());
        // From the start position minimax sees the root, 20 moves and 400 answers.
        assert!(text.contains("over 3 positions"), "{text}");
        let one = run(&Arguments { moves: 1, ..arguments(None) }).unwrap();
        assert!(one.contains("| minimax | 21 ("), "{one}");
        assert!(one.contains(" 421 ("), "{one}");
    }

    #[test]
    fn every_method_has_its_line() {
        let row = |method, depth: u32| Row { method, depth, nodes: 30f64.powi(depth as i32), seconds: 0.1 };
        let rows: Vec<Row> =
            Method::ALL.into_iter().flat_map(|method| (1..=3).map(move |depth| row(method, depth))).collect();
        let picture = picture(&rows);
        assert_eq!((picture.matches("<polyline").count(), picture.matches("<circle").count()), (10, 30));
        assert!(Method::ALL.iter().all(|method| picture.contains(method.name())));
    }

    #[test]
    fn a_game_that_is_over_and_a_folder_that_is_not_there_are_told() {
        let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".to_string();
        let error = run(&Arguments { fen: mated, ..arguments(None) }).unwrap_err().to_string();
        assert!(error.contains("over"), "{error}");
        let error = run(&arguments(Some("/no/such/folder/x.svg".into()))).unwrap_err().to_string();
        assert!(error.contains("/no/such/folder"), "{error}");
    }
}
