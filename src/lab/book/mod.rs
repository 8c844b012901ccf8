//! `rosada book`: making opening books and looking into them.
//!
//! `build` and `merge` put a face on what the room `book` can do; `grow` lets the engine analyze its way from the start
//! position; `show` and `info` look into a book.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod build;
pub mod grow;
mod look;

use std::path::PathBuf;

use indicatif::{HumanBytes, HumanCount};

use crate::base::Error;
use crate::base::error::quote;
use crate::book::{Book, BookWriter, Written, merge};

/// The tools for books.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Command {
    /// Make a book from games (PGN) and lists of openings (TSV, EPD), plain or packed with gzip, bzip2 or zstd
    Build(build::Arguments),
    /// Grow a book from the start position by the engine's own analysis; the same command goes on after an interruption
    Grow(grow::Arguments),
    /// Show the moves a book has for a position
    Show(look::ShowArguments),
    /// Say what a book holds
    Info {
        /// The book; the embedded one if none is given
        book: Option<PathBuf>,
    },
    /// Join books into one; where several know a position, each has the same say
    Merge {
        /// Books to join
        #[arg(required = true, num_args = 2..)]
        books: Vec<PathBuf>,
        /// File for the joined book
        #[arg(long, value_name = "BOOK")]
        out: PathBuf,
    },
}

/// Carries out a command and returns what to print at the end.
pub fn run(command: &Command) -> Result<String, Error> {
    match command {
        Command::Build(arguments) => build::run(arguments),
        Command::Grow(arguments) => grow::run(arguments),
        Command::Show(arguments) => look::show(arguments),
        Command::Info { book } => look::info(book.as_deref()),
        Command::Merge { books, out } => {
            let books: Result<Vec<Book>, Error> = books.iter().map(|path| Book::open(path)).collect();
            let mut writer = BookWriter::create(out)?;
            merge(&books?, &mut writer)?;
            Ok(describe(&out.to_string_lossy(), &writer.finish()?))
        }
    }
}

/// A book in one line.
fn describe(name: &str, written: &Written) -> String {
    let Written { positions, entries } = *written;
    let bytes = HumanBytes(entries * crate::book::ENTRY_BYTES as u64);
    format!("{}: {} positions, {} moves, {bytes}", quote(name), HumanCount(positions), HumanCount(entries))
}
