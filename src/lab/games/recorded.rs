//! What a game must offer to be recorded: its start position as bytes, and a look at whether its plies can be played.
//!
//! `format` and `reader` know games only through [`Recorded`]. Chess keeps its compact start and its fast board; the
//! variants write their start as FEN, which every board size and the Behemoth fit into.

use super::Ply;
use crate::base::Error;
use crate::chess::packed::PACKED_BYTES;
use crate::fairy::{Rules, variants};
use crate::game::SelfPlay;
use crate::{chess, fairy};

/// A game that can be recorded.
pub trait Recorded: SelfPlay {
    /// Whether this board plays games by these rules.
    fn knows(rules: &Rules) -> bool;
    /// The rules of this game.
    fn played_by(&self) -> &'static Rules;
    /// The position without its history, in bytes that [`Recorded::unpack_start`] understands.
    fn pack_start(&self) -> Result<Vec<u8>, Error>;
    /// The position that bytes describe; whatever FEN would refuse is refused here too.
    fn unpack_start(rules: &'static Rules, bytes: &[u8]) -> Result<Self, Error>;
    /// What is wrong with the first of these plies that cannot be played from here.
    fn first_fault(&self, plies: &[Ply]) -> Option<String>;
    /// Plays a ply for good, what chance did included.
    fn replay(&mut self, ply: &Ply) {
        self.play(ply.mv);
        if let Some(outcome) = ply.chance {
            self.strike(outcome);
        }
    }
}

impl Recorded for chess::Position {
    fn knows(rules: &Rules) -> bool {
        rules.is_chess()
    }

    fn played_by(&self) -> &'static Rules {
        variants::chess()
    }

    fn pack_start(&self) -> Result<Vec<u8>, Error> {
        self.pack().map(|bytes| bytes.to_vec())
    }

    fn unpack_start(_: &'static Rules, bytes: &[u8]) -> Result<chess::Position, Error> {
        let bytes: &[u8; PACKED_BYTES] =
            bytes.try_into().map_err(|_| Error::new(format!("{} bytes", bytes.len())))?;
        chess::Position::unpack(bytes)
    }

    fn first_fault(&self, plies: &[Ply]) -> Option<String> {
        let mut board = *self.board();
        for (number, ply) in (1..).zip(plies) {
            if !board.is_legal(ply.mv, self.castling()) {
                return Some(illegal(number));
            }
            board.play(ply.mv, self.castling());
        }
        None
    }
}

impl Recorded for fairy::Position {
    fn knows(rules: &Rules) -> bool {
        !rules.is_chess()
    }

    fn played_by(&self) -> &'static Rules {
        self.rules()
    }

    fn pack_start(&self) -> Result<Vec<u8>, Error> {
        Ok(self.fen().into_bytes())
    }

    fn unpack_start(rules: &'static Rules, bytes: &[u8]) -> Result<fairy::Position, Error> {
        let fen = std::str::from_utf8(bytes).map_err(|_| Error::new("not a text"))?;
        fairy::Position::from_fen(rules, fen)
    }

    fn first_fault(&self, plies: &[Ply]) -> Option<String> {
        let mut position = self.clone();
        for (number, ply) in (1..).zip(plies) {
            if !position.is_legal(ply.mv) {
                return Some(illegal(number));
            }
            position.play(ply.mv);
            match (position.strikes(), ply.chance) {
                (0, None) => {}
                (0, Some(_)) => {
                    return Some(format!("ply {number} ends the game, but chance strikes after it"));
                }
                (strikes, Some(outcome)) if outcome < strikes => position.strike(outcome),
                (_, Some(outcome)) => {
                    return Some(format!("chance strikes in no way {outcome} in ply {number}"));
                }
                (_, None) => return Some(format!("what chance did in ply {number} is missing")),
            }
        }
        None
    }
}

fn illegal(number: usize) -> String {
    format!("ply {number} is an illegal move")
}
