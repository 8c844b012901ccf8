//! Draws by rule: repetition, fifty moves, too little material.

use std::fmt;

use once_cell::sync::Lazy;

use super::{Bitboard, Board, Piece, PieceKind, Position, Square, attacks, zobrist};
use crate::game::Stage;

impl Board {
    /// Whether no sequence of legal moves can lead to mate, as GUIs count it: bare kings, one minor piece, or only
    /// bishops that all stand on squares of one color.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.kind(PieceKind::Pawn) | self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen);
        if heavy.exists() {
            return false;
        }
        if self.occupied().count() <= 3 {
            return true;
        }
        let bishops = self.kind(PieceKind::Bishop);
        self.kind(PieceKind::Knight).is_empty()
            && ((bishops & Bitboard::DARK).is_empty() || (bishops - Bitboard::DARK).is_empty())
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

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut list = crate::base::MoveList::new();
        super::movegen::generate(&self.board, &self.castling, Stage::All, &mut list);
        !list.is_empty()
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
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Checkmate => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::InsufficientMaterial => "insufficient material",
            Outcome::FiftyMoves => "fifty moves without capture or pawn move",
            Outcome::ThreefoldRepetition => "threefold repetition",
        })
    }
}

impl Position {
    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.in_check() { Outcome::Checkmate } else { Outcome::Stalemate });
        }
        if self.board.is_insufficient_material() {
            return Some(Outcome::InsufficientMaterial);
        }
        if self.board.halfmove_clock >= 100 {
            return Some(Outcome::FiftyMoves);
        }
        (self.earlier_occurrences() >= 2).then_some(Outcome::ThreefoldRepetition)
    }
}

/// Reversible moves by the change they make to the key: two squares between which one piece travels. A cuckoo
/// hash, as M. Dupuis and others describe it: each key lives in one of two places.
struct CycleTable {
    keys: Vec<u64>,
    squares: Vec<(Square, Square)>,
}

const CYCLE_SLOTS: usize = 8192;

fn cycle_slots(key: u64) -> (usize, usize) {
    (key as usize % CYCLE_SLOTS, (key >> 16) as usize % CYCLE_SLOTS)
}

static CYCLES: Lazy<CycleTable> = Lazy::new(|| {
    let start = (Square::new(0), Square::new(0));
    let mut table = CycleTable { keys: vec![0; CYCLE_SLOTS], squares: vec![start; CYCLE_SLOTS] };
    for piece in Piece::ALL {
        for a in Square::all() {
            for b in attacks::piece(piece.kind(), a, Bitboard::EMPTY).filter(|&b| a < b) {
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
pub(super) fn cycle_move(difference: u64) -> Option<(Square, Square)> {
    let table = &*CYCLES;
    let (first, second) = cycle_slots(difference);
    [first, second].into_iter().find(|&slot| table.keys[slot] == difference).map(|slot| table.squares[slot])
}
