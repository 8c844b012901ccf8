//! A game in progress: the board, the way it came about and how to take moves back.

use super::{Board, Castling, Square};
use crate::base::score::MAX_PLY;
use crate::base::{Color, Move, MoveList};
use crate::game::Stage;

/// A chess position with its history.
#[derive(Debug)]
pub struct Position {
    pub(super) board: Board,
    pub(super) castling: Castling,
    /// Boards before each move made, for taking back.
    pub(super) undo: Vec<Board>,
    /// Keys of the earlier positions, oldest first.
    pub(super) past_keys: Vec<u64>,
    /// The number of the move that White makes next or made last.
    pub(super) fullmove: u32,
    /// Whether moves and FENs are written the Chess960 way.
    pub(super) chess960: bool,
}

impl Position {
    /// The board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Where castling starts.
    pub fn castling(&self) -> &Castling {
        &self.castling
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.board.side
    }

    /// The move number as FEN counts it.
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// Whether castling is written as king takes rook.
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Chooses between `e1g1` (false) and `e1h1` (true) for castling.
    pub fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        super::movegen::generate(&self.board, &self.castling, Stage::All, &mut list);
        list
    }

    /// Whether a code is a legal move.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(mv, &self.castling)
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.board.checkers.exists()
    }

    /// Plays a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "illegal move {mv:?} in {self}");
        self.undo.extend_from_slice(std::slice::from_ref(&self.board));
        self.past_keys.push(self.board.keys.full);
        self.fullmove = self.fullmove.saturating_add((self.board.side == Color::Black) as u32);
        self.board.play(mv, &self.castling);
        debug_assert_eq!(*self.board.keys(), self.board.fresh_keys(), "keys after {mv:?} in {self}");
    }

    /// Takes the last move back; does nothing at the start of the history.
    #[inline]
    pub fn unmake(&mut self) {
        if let Some(board) = self.undo.pop() {
            self.board = board;
            self.past_keys.pop();
            self.fullmove -= (self.board.side == Color::Black) as u32;
        }
    }

    /// Passes the turn.
    #[inline]
    pub fn make_null(&mut self) {
        self.undo.extend_from_slice(std::slice::from_ref(&self.board));
        self.past_keys.push(self.board.keys.full);
        self.fullmove = self.fullmove.saturating_add((self.board.side == Color::Black) as u32);
        self.board.play_null();
    }

    /// Keys of the positions before this one, oldest first.
    pub fn past_keys(&self) -> &[u64] {
        &self.past_keys
    }

    /// Makes the moves so far the unchangeable past: nothing before this can be taken back.
    pub fn forget_undo(&mut self) {
        self.undo.clear();
    }

    /// The position with colors and ranks exchanged: the same game seen from the other side.
    pub fn mirrored(&self) -> Position {
        let mut board = Board::EMPTY;
        let mut castling = Castling::NONE;
        for square in self.board.occupied() {
            if let Some(piece) = self.board.piece_on(square) {
                board.put(super::Piece::new(!piece.color(), piece.kind()), flip(square));
            }
        }
        for color in Color::ALL {
            for side in super::CastlingSide::ALL {
                let right = super::castling::right(color, side);
                if let Some(rook) = self.castling.rook(color, side)
                    && self.board.rights & right != 0
                {
                    castling.allow(!color, side, flip(self.board.king(color)), flip(rook));
                    board.rights |= super::castling::right(!color, side);
                }
            }
        }
        board.side = !self.board.side;
        board.halfmove_clock = self.board.halfmove_clock;
        board.reversible_plies = self.board.reversible_plies;
        board.en_passant = self.board.en_passant.map(flip);
        board.keys = board.fresh_keys();
        board.refresh_checks();
        Position { castling, fullmove: self.fullmove, chess960: self.chess960, ..Position::from_board(board) }
    }

    /// A position without history.
    pub(super) fn from_board(board: Board) -> Position {
        Position {
            board,
            castling: Castling::NONE,
            undo: Vec::new(),
            past_keys: Vec::new(),
            fullmove: 1,
            chess960: false,
        }
    }
}

/// A copy has room for a whole search, so that making moves in the tree does not allocate.
impl Clone for Position {
    fn clone(&self) -> Position {
        let mut undo = Vec::with_capacity(self.undo.len() + MAX_PLY);
        undo.extend_from_slice(&self.undo);
        let mut past_keys = Vec::with_capacity(self.past_keys.len() + MAX_PLY);
        past_keys.extend_from_slice(&self.past_keys);
        let (castling, fullmove, chess960) = (self.castling.clone(), self.fullmove, self.chess960);
        Position { board: self.board, castling, undo, past_keys, fullmove, chess960 }
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

fn flip(square: Square) -> Square {
    square.for_color(Color::Black)
}
