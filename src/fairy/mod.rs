//! Chess variants on boards of up to ten by ten squares: rules, notation and nothing else.
//!
//! One core plays them all. A variant is a row of data ([`variants`]); what the row says is turned into masks once
//! ([`spec::Rules`]). Pieces are sums of simple movements ([`pieces`]), boards are sets of squares in 128 bits
//! ([`set`]). [`Position`] implements [`crate::game::Game`], the door through which the search plays. Standard chess
//! runs here, too, as a cross-check; the engine plays it on the faster core in [`crate::chess`].
#![forbid(unsafe_code)]

pub mod behemoth;
pub mod board;
pub mod castling;
mod draw;
mod fen;
mod game;
mod legal;
mod makemove;
pub mod movegen;
pub mod moves;
mod notation;
mod perft;
pub mod pieces;
pub mod position;
pub mod rays;
mod see;
pub mod set;
pub mod shuffle;
pub mod spec;
pub mod square;
mod validate;
pub mod variants;
pub mod zobrist;

pub use board::Board;
pub use castling::{Castling, CastlingSide};
pub use draw::Outcome;
pub use moves::FairyMove;
pub use pieces::{Kind, Piece};
pub use position::Position;
pub use set::Set;
pub use spec::{Rules, Variant};
pub use square::Square;
