//! The book that comes with the engine, grown by its own analysis with `rosada book grow`; README.md has the command.

use std::borrow::Cow;

use once_cell::sync::Lazy;

use super::Book;
use crate::base::Error;

static BYTES: &[u8] = include_bytes!("embedded.bin");

static BOOK: Lazy<Result<Book, Error>> = Lazy::new(|| Book::from_bytes(Cow::Borrowed(BYTES)));

/// The book inside the program.
pub fn embedded() -> Result<&'static Book, Error> {
    BOOK.as_ref().map_err(|error| error.clone().within("embedded book"))
}
