//! `rosada book show` and `rosada book info`: what is in a book.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use indicatif::{HumanBytes, HumanCount};

use crate::base::Error;
use crate::base::error::quote;
use crate::book::{Book, embedded, key_of, name_of, opening_of, share};
use crate::chess::{Position, START_FEN};

/// The command line of `rosada book show`.
#[derive(Clone, Debug, clap::Args)]
pub struct ShowArguments {
    /// The book; the embedded one if none is given
    book: Option<PathBuf>,
    /// The position
    #[arg(long, default_value = START_FEN)]
    fen: String,
    /// Moves from there, in either notation
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
}

/// How far the way through a book is followed.
const MOST_REACHED: usize = 200_000;

/// Opens a book, or the embedded one, and hands it on.
fn with_book<T>(path: Option<&Path>, look: impl FnOnce(&Book) -> Result<T, Error>) -> Result<T, Error> {
    match path {
        Some(path) => look(&Book::open(path)?),
        None => look(embedded()?),
    }
}

/// The moves of a position with weights, shares and the openings they lead to.
pub fn show(arguments: &ShowArguments) -> Result<String, Error> {
    let mut position = Position::from_fen(&arguments.fen).map_err(|error| error.within("FEN"))?;
    for word in arguments.moves.split_whitespace() {
        let mv = position.parse_uci(word).or_else(|_| position.parse_san(word))?;
        position.make(mv);
    }
    let moves = with_book(arguments.book.as_deref(), |book| book.moves(&position))?;
    let mut text = format!("{}\nKey {:016x}\n", position.fen(), key_of(&position));
    if let Some(opening) = opening_of(&position) {
        let _ = writeln!(text, "{opening}");
    }
    if moves.is_empty() {
        text.push_str("The book has no move for this position.");
        return Ok(text);
    }
    text.push_str("\nmove    uci    weight    share\n");
    for found in &moves {
        let mut after = position.clone();
        after.make(found.mv);
        let line = format!(
            "{:<7} {:<6} {:>6} {:>6.1} %  {}",
            position.san(found.mv),
            position.uci(found.mv),
            found.weight,
            100.0 * share(found, &moves),
            name_of(&after).map(|opening| opening.to_string()).unwrap_or_default()
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    Ok(text)
}

/// Positions, moves, size, and how far one gets from the start position.
pub fn info(path: Option<&Path>) -> Result<String, Error> {
    let name = path.map_or("the embedded book".to_string(), |path| quote(&path.to_string_lossy()));
    with_book(path, |book| {
        let (mut positions, mut entries, mut last) = (0u64, 0u64, None);
        for entry in book.entries() {
            let entry = entry?;
            entries += 1;
            positions += u64::from(last != Some(entry.key));
            last = Some(entry.key);
        }
        let reached = reach(book)?;
        let more = if reached.complete { "" } else { "more than " };
        Ok(format!(
            "{name}\nsize       {} ({} bytes)\npositions  {}\nmoves      {} ({:.2} a position)\n\
             reached    {more}{} positions from the start position, at most {} plies away\nillegal    {} of their moves",
            HumanBytes(book.bytes()),
            HumanCount(book.bytes()),
            HumanCount(positions),
            HumanCount(entries),
            entries as f64 / positions.max(1) as f64,
            HumanCount(reached.positions),
            reached.plies,
            HumanCount(reached.illegal)
        ))
    })
}

/// What can be reached from the start position with moves of a book.
struct Reached {
    positions: u64,
    /// The longest of the shortest ways to them, the last book move included.
    plies: usize,
    /// Entries of these positions that are no legal moves.
    illegal: u64,
    complete: bool,
}

/// Follows all moves of a book, ply by ply.
fn reach(book: &Book) -> Result<Reached, Error> {
    let mut reached = Reached { positions: 0, plies: 0, illegal: 0, complete: true };
    let mut seen: HashSet<u64> = HashSet::new();
    let mut level = vec![Position::start()];
    while !level.is_empty() {
        let mut next = Vec::new();
        let mut in_book = false;
        for mut position in level {
            let moves = book.moves(&position)?;
            reached.illegal += book.entries_of(&position)? - moves.len() as u64;
            if moves.is_empty() {
                continue;
            }
            in_book = true;
            reached.positions += 1;
            for found in moves {
                position.make(found.mv);
                if seen.len() >= MOST_REACHED {
                    reached.complete = false;
                } else if seen.insert(position.board().keys().full) {
                    next.push(Position::unpack(&position.pack()?)?);
                }
                position.unmake();
            }
        }
        reached.plies += usize::from(in_book);
        level = next;
    }
    Ok(reached)
}
