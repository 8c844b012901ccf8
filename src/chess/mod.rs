//! Standard chess and Chess960 on 64-bit boards: rules, notation and nothing else.
//!
//! The board knows no search, no evaluation and no thread. [`Position`] implements [`crate::game::Game`],
//! the door through which the search plays.
#![forbid(unsafe_code)]

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
mod draw;
mod fen;
mod game;
mod legal;
pub mod magics;
mod makemove;
pub mod movegen;
pub mod moves;
mod notation;
pub mod packed;
mod perft;
pub mod piece;
pub mod position;
mod see;
pub mod shuffle;
pub mod square;
mod validate;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use board::Board;
pub use castling::{Castling, CastlingSide};
pub use draw::Outcome;
pub use fen::START_FEN;
pub use moves::{ChessMove, MoveKind};
pub use notation::PIECES;
pub use piece::{Piece, PieceKind};
pub use position::Position;
pub use square::Square;
