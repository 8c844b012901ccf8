//! `rosada helpmate`: both sides work together so that one of them is mated.
//!
//! Trying all lines grows with the order of the moves as well. Here first the mating pictures are put together that each
//! side has the moves for (`pictures`, by the lower bounds of `distance`), then only lines are searched that can still
//! end in one of them (`paths`). `main` calls [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod distance;
mod paths;
mod pictures;
#[cfg(test)]
mod tests;

use indicatif::HumanCount;
use paths::Paths;
use pictures::Company;

use crate::base::{Color, Error, Move};
use crate::chess::Position;

/// What `rosada helpmate` can be told on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The position. The mated side usually begins; if the mating side is to move, the other one has a move less
    pub fen: String,
    /// Moves of the mating side
    #[arg(long = "in", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=12))]
    pub moves: u8,
    /// The side that is mated
    #[arg(long, default_value = "black", value_parser = ["black", "white"])]
    pub mated: String,
    /// Stop after this many solutions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub solutions: u32,
    /// Search every line instead of the ways to mating pictures
    #[arg(long)]
    pub brute: bool,
}

/// What a search for helpmates has found.
pub struct Found {
    /// The lines, each in the order of the moves.
    pub solutions: Vec<Vec<Move>>,
    /// Positions looked at.
    pub nodes: u64,
    /// Mating pictures that the lines had to lead to.
    pub pictures: usize,
}

/// Solves and returns the lines to print.
pub fn run(arguments: &Arguments) -> Result<Vec<String>, Error> {
    let position = Position::from_fen(&arguments.fen).map_err(|error| error.within("FEN"))?;
    let mated = Color::from_bool(arguments.mated == "white");
    let most = arguments.solutions as usize;
    let found = solve(&position, mated, arguments.moves, most, arguments.brute);
    let mut lines: Vec<String> =
        found.solutions.iter().map(|solution| notation(&position, mated, solution)).collect();
    let count = found.solutions.len();
    let plural = if count == 1 { "" } else { "s" };
    lines.push(match count {
        0 => format!("no helpmate in {}", arguments.moves),
        _ if count >= most => format!("{count} solution{plural}, stopped there"),
        _ => format!("{count} solution{plural}"),
    });
    let pictures = if arguments.brute {
        "all lines".to_string()
    } else {
        format!("{} mating pictures", HumanCount(found.pictures as u64))
    };
    lines.push(format!("{pictures}, {} positions", HumanCount(found.nodes)));
    Ok(lines)
}

/// All ways to mate `mated` in exactly `moves` moves of the other side, at most `most` of them.
pub fn solve(position: &Position, mated: Color, moves: u8, most: usize, brute: bool) -> Found {
    let mut left = [moves; 2];
    if position.side_to_move() != mated {
        left[mated.index()] -= 1;
    }
    let company = Company::of(position);
    let pictures = if brute { None } else { Some(pictures::pictures(position, &company, mated, left)) };
    let mut paths = Paths::new(pictures.as_deref(), mated, most);
    paths.search(position, &company, left);
    Found {
        solutions: paths.solutions,
        nodes: paths.nodes,
        pictures: pictures.map_or(0, |pictures| pictures.len()),
    }
}

/// A line as problemists write it: the mated side's move first in each pair.
fn notation(position: &Position, mated: Color, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    let mut number = 0;
    for &mv in line {
        let helper = position.side_to_move() == mated;
        if helper || number == 0 {
            number += 1;
            text.push_str(&format!("{}{number}.", if number > 1 { " " } else { "" }));
            text.push_str(if helper { "" } else { ".." });
        } else {
            text.push(' ');
        }
        text.push_str(&position.san(mv));
        position.make(mv);
    }
    text
}
