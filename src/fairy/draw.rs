//! Draws by rule, as Cute Chess counts them, and how games end.

use std::fmt;

use once_cell::sync::Lazy;

use super::{Board, Kind, Piece, Position, Set, Square, rays, zobrist};
use crate::base::Color;

impl Board {
    /// Whether there is too little on the board: at most one minor piece, or only bishops on squares of one color.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.pawns | self.straight | self.diagonal & self.knights;
        if heavy.exists() {
            return false;
        }
        if self.men().count() <= 3 {
            return true;
        }
        self.knights.is_empty()
            && ((self.diagonal & Set::DARK).is_empty() || (self.diagonal - Set::DARK).is_empty())
    }
}

impl Position {
    /// How often the position on the board has stood there before.
    pub fn earlier_occurrences(&self) -> usize {
        self.repetition_distances().count()
    }

    /// The distances, in plies, to the earlier occurrences of this position, nearest first.
    fn repetition_distances(&self) -> impl Iterator<Item = usize> + '_ {
        let reach = (self.board.reversible_plies as usize).min(self.past_keys.len());
        let key = self.board.keys.full;
        let newest_first = self.past_keys[self.past_keys.len() - reach..].iter().rev();
        // The same side is to move every second ply, and no position comes back before the fourth.
        newest_first
            .enumerate()
            .skip(3)
            .step_by(2)
            .filter(move |&(_, &past)| past == key)
            .map(|(index, _)| index + 1)
    }

    /// Whether the position is drawn by repetition for a search that is `ply` plies deep: once within the search
    /// or twice altogether.
    pub(super) fn is_repetition(&self, ply: usize) -> bool {
        if self.board.reversible_plies < 4 {
            return false;
        }
        let mut seen_before_root = false;
        for distance in self.repetition_distances() {
            if distance < ply || seen_before_root {
                return true;
            }
            seen_before_root = true;
        }
        false
    }

    /// Whether fifty moves have passed without capture or pawn move. Mate on the last of them counts.
    pub(super) fn is_fifty_moves(&self) -> bool {
        self.board.halfmove_clock >= 100 && (self.board.checkers.is_empty() || self.has_legal_move())
    }

    /// Whether there is too little on the board to win with. Not where the Behemoth can still kill a king.
    pub(super) fn is_dead(&self) -> bool {
        !self.rules.variant.behemoth && self.board.is_insufficient_material()
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// Whether the side to move can reach an earlier position of the search with its next move.
    pub(super) fn can_repeat_within(&self, ply: usize) -> bool {
        let reach = (self.board.reversible_plies as usize).min(self.past_keys.len());
        if reach < 3 {
            return false;
        }
        let newest = self.past_keys.len();
        let key = self.board.keys.full;
        // An odd distance back the other side was to move: one reversible move of ours leads there if the two
        // positions differ by exactly that move.
        (3..=reach.min(ply.saturating_sub(1))).step_by(2).any(|distance| {
            let difference = key ^ self.past_keys[newest - distance] ^ zobrist::black_to_move();
            cycle_move(difference).is_some_and(|(a, b)| {
                let (from, to) = if self.board.color(self.board.side).has(a) { (a, b) } else { (b, a) };
                // The way may be closed, the piece pinned or the king in check.
                self.is_legal(super::FairyMove::plain(from, to))
            })
        })
    }

    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.king_loss() {
            return Some(outcome);
        }
        if !self.has_legal_move() {
            return Some(if self.in_check() { Outcome::Checkmate } else { Outcome::Stalemate });
        }
        if self.is_dead() {
            return Some(Outcome::InsufficientMaterial);
        }
        if self.board.halfmove_clock >= 100 {
            return Some(Outcome::FiftyMoves);
        }
        (self.earlier_occurrences() >= 2).then_some(Outcome::ThreefoldRepetition)
    }

    /// Where kings are captured: whose is gone.
    fn king_loss(&self) -> Option<Outcome> {
        if !self.board.is_decided(self.rules) {
            return None;
        }
        Some(match self.kings_left() {
            [false, false] => Outcome::BothKingsLost,
            [false, true] => Outcome::KingLost(Color::White),
            _ => Outcome::KingLost(Color::Black),
        })
    }
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Nobody can mate any more.
    InsufficientMaterial,
    /// A hundred plies without capture or pawn move.
    FiftyMoves,
    /// The same position for the third time.
    ThreefoldRepetition,
    /// The king of this side was captured.
    KingLost(Color),
    /// Both kings were captured at once: a draw.
    BothKingsLost,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Checkmate => f.write_str("checkmate"),
            Outcome::Stalemate => f.write_str("stalemate"),
            Outcome::InsufficientMaterial => f.write_str("insufficient material"),
            Outcome::FiftyMoves => f.write_str("fifty moves without capture or pawn move"),
            Outcome::ThreefoldRepetition => f.write_str("threefold repetition"),
            Outcome::KingLost(color) => write!(f, "{color} has lost its king"),
            Outcome::BothKingsLost => f.write_str("both kings are lost, a draw"),
        }
    }
}

/// Reversible moves by the change they make to the key: two squares between which one piece travels. A cuckoo
/// hash, as M. Dupuis and others describe it: each key lives in one of two places.
struct CycleTable {
    keys: Vec<u64>,
    squares: Vec<(Square, Square)>,
}

const CYCLE_SLOTS: usize = 1 << 16;

fn cycle_slots(key: u64) -> (usize, usize) {
    (key as usize % CYCLE_SLOTS, (key >> 16) as usize % CYCLE_SLOTS)
}

static CYCLES: Lazy<CycleTable> = Lazy::new(|| {
    let start = (Square::new(0), Square::new(0));
    let mut table = CycleTable { keys: vec![0; CYCLE_SLOTS], squares: vec![start; CYCLE_SLOTS] };
    let travelers = Kind::ALL.into_iter().filter(|&kind| kind != Kind::Pawn);
    for piece in travelers.flat_map(|kind| Color::ALL.map(|color| Piece::new(color, kind))) {
        for a in Set::FRAME {
            for b in rays::piece(piece.kind(), a, Set::EMPTY).filter(|&b| a < b) {
                let mut entry = (zobrist::piece(piece, a) ^ zobrist::piece(piece, b), (a, b));
                let mut slot = cycle_slots(entry.0).0;
                loop {
                    std::mem::swap(&mut table.keys[slot], &mut entry.0);
                    std::mem::swap(&mut table.squares[slot], &mut entry.1);
                    if entry.0 == 0 {
                        break;
                    }
                    let (first, second) = cycle_slots(entry.0);
                    slot = if slot == first { second } else { first };
                }
            }
        }
    }
    table
});

/// The two squares of the reversible move that changes a key by `difference`, if there is one.
fn cycle_move(difference: u64) -> Option<(Square, Square)> {
    let table = &*CYCLES;
    let (first, second) = cycle_slots(difference);
    [first, second].into_iter().find(|&slot| table.keys[slot] == difference).map(|slot| table.squares[slot])
}
