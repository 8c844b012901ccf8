//! Opening books in the Polyglot format that every GUI reads, and the names of openings.
//!
//! Reading: [`Book`] finds the moves of a position, [`choose`] picks one. Writing: [`build`] counts the moves of games
//! and lists, [`merge`] joins books, both through [`BookWriter`]. [`embedded`] is the book that comes with the engine.
//! The engine plays from books; `rosada book` makes and shows them.
//!
//! This room knows the rules of chess and nothing of search: the book that the engine grows by its own analysis is
//! grown in `lab`.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod build;
mod choice;
mod embedded;
mod entry;
mod key;
mod merge;
mod names;
mod numbers;
mod reader;
mod writer;

pub use choice::{Choice, choose, share};
pub use embedded::embedded;
pub use entry::{ENTRY_BYTES, Entry, decode, encode};
pub use key::{key, key_of, keys};
pub use merge::merge;
pub use names::{Opening, name_of, opening_of, openings};
pub use reader::{Book, BookMove};
pub use writer::{BookWriter, Written};
