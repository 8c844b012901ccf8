//! A game in progress: the board, the way it came about and how to take moves back.

use super::movegen::{self, Law};
use super::{Board, Castling, Rules, Square};
use crate::base::score::MAX_PLY;
use crate::base::{Color, Error, Move, MoveList};
use crate::game::Stage;

/// A position of a variant with its history.
#[derive(Debug)]
pub struct Position {
    pub(super) rules: &'static Rules,
    pub(super) board: Board,
    pub(super) castling: Castling,
    /// Boards before each move made, for taking back.
    pub(super) undo: Vec<Board>,
    /// Boards before each raid of the Behemoth, for taking back.
    pub(super) raid_undo: Vec<Board>,
    /// Keys of the earlier positions that can still be repeated, oldest first.
    pub(super) past_keys: Vec<u64>,
    /// The number of the move that White makes next or made last.
    pub(super) fullmove: u32,
    /// Whether a search reckons with the Behemoth.
    pub(super) roams: bool,
}

impl Position {
    /// The variant that is played.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What the game is played by.
    #[inline(always)]
    pub fn law(&self) -> Law<'_> {
        Law { rules: self.rules, castling: &self.castling }
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

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        movegen::generate(&self.board, self.law(), Stage::All, &mut list);
        list
    }

    /// Whether a code is a legal move.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(mv, self.law())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.board.checkers.exists()
    }

    /// Keeps the board as it is, for taking back.
    #[inline(always)]
    pub(super) fn remember(&mut self) {
        self.undo.push(self.board);
        self.past_keys.push(self.board.keys.full);
        self.fullmove = self.fullmove.saturating_add((self.board.side == Color::Black) as u32);
    }

    /// Plays a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "illegal move {mv:?} in {self}");
        self.remember();
        self.board.play(mv, &self.castling);
        debug_assert_eq!(
            *self.board.keys(),
            self.board.fresh_keys(self.rules),
            "keys after {mv:?} in {self}"
        );
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
        self.remember();
        self.board.play_null();
    }

    /// Makes the moves so far the unchangeable past: nothing before this can be taken back.
    pub fn forget_undo(&mut self) {
        self.undo.clear();
    }

    /// The position with colors and ranks exchanged: the same game seen from the other side. Fails where the sides are
    /// not alike.
    pub fn mirrored(&self) -> Result<Position, Error> {
        let swap_case =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let fen = self.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<String> =
            fields[0].split('/').rev().map(|rank| rank.chars().map(swap_case).collect()).collect();
        let side = if self.board.side.is_white() { "b" } else { "w" };
        let castling: String = fields[2].chars().map(swap_case).collect();
        let en_passant = self.board.en_passant.map_or("-".to_string(), |square| {
            Square::at(square.file(), self.rules.variant.ranks - 1 - square.rank()).to_string()
        });
        let counters = fields[4..].join(" ");
        let text = format!("{} {side} {castling} {en_passant} {counters}", ranks.join("/"));
        Position::from_setup(self.rules, &text)
    }

    /// A position without history.
    pub(super) fn from_board(rules: &'static Rules, board: Board) -> Position {
        Position {
            rules,
            board,
            castling: Castling::NONE,
            undo: Vec::new(),
            raid_undo: Vec::new(),
            past_keys: Vec::new(),
            fullmove: 1,
            roams: rules.variant.behemoth,
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
        let (castling, raid_undo) = (self.castling.clone(), self.raid_undo.clone());
        Position { castling, undo, raid_undo, past_keys, ..*self }
    }
}
