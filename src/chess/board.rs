//! The placement of the pieces with everything that is kept up to date beside it.
//!
//! A [`Board`] is small and plain: making a move copies it first, so taking back is restoring the copy.
//! What never changes within a game (castling geometry) and what grows with it (history) live in
//! [`super::Position`].

use super::{Bitboard, Castling, Piece, PieceKind, Square, attacks, zobrist};
use crate::base::Color;

/// Incremental hash keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Keys {
    /// The whole position.
    pub full: u64,
    /// The pawns alone.
    pub pawn: u64,
    /// The pieces of each side without its pawns.
    pub non_pawn: [u64; 2],
}

/// Pieces, side to move, rights and what follows from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Board {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) squares: [Option<Piece>; 64],
    pub(super) keys: Keys,
    /// Enemy pieces that give check.
    pub(super) checkers: Bitboard,
    /// Diagonals on which a piece of the side to move is pinned, from the king to the pinner.
    pub(super) diagonal_pins: Bitboard,
    /// The same for files and ranks.
    pub(super) straight_pins: Bitboard,
    /// Moves since the last capture or pawn move, in plies.
    pub(super) halfmove_clock: u16,
    /// Plies since the last move that cannot be repeated, null moves included.
    pub(super) reversible_plies: u16,
    pub(super) side: Color,
    pub(super) rights: u8,
    /// The square behind a pawn that can be captured en passant, legally, by the side to move.
    pub(super) en_passant: Option<Square>,
}

impl Board {
    /// An empty board, White to move.
    pub(super) const EMPTY: Board = Board {
        kinds: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
        squares: [None; 64],
        keys: Keys { full: 0, pawn: 0, non_pawn: [0; 2] },
        checkers: Bitboard::EMPTY,
        diagonal_pins: Bitboard::EMPTY,
        straight_pins: Bitboard::EMPTY,
        halfmove_clock: 0,
        reversible_plies: 0,
        side: Color::White,
        rights: 0,
        en_passant: None,
    };

    /// Whose turn it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// What stands on `square`.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All pieces of a kind.
    #[inline(always)]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of a side and kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// Bishops and queens.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen)
    }

    /// Rooks and queens.
    #[inline(always)]
    pub fn straight_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen)
    }

    /// Where the king of `color` stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).first()
    }

    /// Enemy pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Pieces of the side to move that are pinned to their king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        (self.diagonal_pins | self.straight_pins) & self.color(self.side)
    }

    /// The hash keys.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The castling rights as four bits (see [`super::castling::right`]).
    #[inline(always)]
    pub fn castling_rights(&self) -> u8 {
        self.rights
    }

    /// The target of a legal en-passant capture.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Every piece of either side that attacks `square` through `occupied`.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::pawn(Color::Black, square) & self.pieces(Color::White, PieceKind::Pawn)
            | attacks::pawn(Color::White, square) & self.pieces(Color::Black, PieceKind::Pawn)
            | attacks::knight(square) & self.kind(PieceKind::Knight)
            | attacks::king(square) & self.kind(PieceKind::King)
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.straight_sliders()
    }

    /// Whether any piece of `by` attacks `square` through `occupied`.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let enemy = self.color(by);
        (attacks::pawn(!by, square) & self.kind(PieceKind::Pawn)
            | attacks::knight(square) & self.kind(PieceKind::Knight)
            | attacks::king(square) & self.kind(PieceKind::King))
            & enemy
            != Bitboard::EMPTY
            || self.is_attacked_by_slider(square, enemy, occupied)
    }

    /// Whether a slider among `enemy` attacks `square` through `occupied`.
    #[inline(always)]
    pub(super) fn is_attacked_by_slider(&self, square: Square, enemy: Bitboard, occupied: Bitboard) -> bool {
        (attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.straight_sliders())
            & enemy
            != Bitboard::EMPTY
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.squares[square.index()] = Some(piece);
        self.toggle(piece, square);
    }

    /// Takes a piece off its square.
    #[inline(always)]
    pub(super) fn remove(&mut self, piece: Piece, square: Square) {
        self.squares[square.index()] = None;
        self.toggle(piece, square);
    }

    /// Flips a piece in the sets and keys.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.kinds[piece.kind().index()] ^= bit;
        self.colors[piece.color().index()] ^= bit;
        let key = zobrist::piece(piece, square);
        self.keys.full ^= key;
        if piece.kind() == PieceKind::Pawn {
            self.keys.pawn ^= key;
        } else {
            self.keys.non_pawn[piece.color().index()] ^= key;
        }
    }

    /// Finds the checkers and pins of the side to move.
    #[inline(always)]
    pub(super) fn update_checks<const WHITE: bool>(&mut self) {
        let us = Color::from_bool(WHITE);
        let (king, enemy, occupied) = (self.king(us), self.color(!us), self.occupied());
        self.checkers = (attacks::knight(king) & self.kind(PieceKind::Knight)
            | attacks::pawn(us, king) & self.kind(PieceKind::Pawn))
            & enemy;
        self.diagonal_pins = Bitboard::EMPTY;
        for sniper in attacks::bishop_lines(king) & self.diagonal_sliders() & enemy {
            let gap = attacks::between(king, sniper);
            let blockers = gap & occupied;
            if blockers.is_empty() {
                self.checkers |= Bitboard::of(sniper);
            } else if !blockers.several() {
                self.diagonal_pins |= gap | Bitboard::of(sniper);
            }
        }
        self.straight_pins = Bitboard::EMPTY;
        for sniper in attacks::rook_lines(king) & self.straight_sliders() & enemy {
            let gap = attacks::between(king, sniper);
            let blockers = gap & occupied;
            if blockers.is_empty() {
                self.checkers |= Bitboard::of(sniper);
            } else if !blockers.several() {
                self.straight_pins |= gap | Bitboard::of(sniper);
            }
        }
    }

    /// Finds the checkers and pins of whoever is to move.
    pub(super) fn refresh_checks(&mut self) {
        match self.side {
            Color::White => self.update_checks::<true>(),
            Color::Black => self.update_checks::<false>(),
        }
    }

    /// The keys computed from nothing; what the incremental ones must equal.
    pub fn fresh_keys(&self) -> Keys {
        let mut keys = Keys {
            full: zobrist::side(self.side)
                ^ zobrist::castling(self.rights)
                ^ self.en_passant.map_or(0, |square| zobrist::en_passant(square.file())),
            ..Keys::default()
        };
        for square in self.occupied() {
            let Some(piece) = self.piece_on(square) else { continue };
            let key = zobrist::piece(piece, square);
            keys.full ^= key;
            if piece.kind() == PieceKind::Pawn {
                keys.pawn ^= key;
            } else {
                keys.non_pawn[piece.color().index()] ^= key;
            }
        }
        keys
    }

    /// Whether the pawn of `us` on `from` may capture en passant on `target`: the king must be safe once both
    /// pawns have left their squares.
    pub fn en_passant_is_safe(&self, us: Color, from: Square, target: Square) -> bool {
        let victim = target.forward(!us);
        let after = (self.occupied() ^ Bitboard::of(from) ^ Bitboard::of(victim)) | Bitboard::of(target);
        let king = self.king(us);
        let enemy = self.color(!us) ^ Bitboard::of(victim);
        let leapers = attacks::knight(king) & self.kind(PieceKind::Knight)
            | attacks::pawn(us, king) & self.kind(PieceKind::Pawn);
        (leapers & enemy).is_empty() && !self.is_attacked_by_slider(king, enemy, after)
    }

    /// Whether castling is possible now: right, empty squares, a king that neither stands in, crosses nor
    /// reaches an attacked square.
    #[inline]
    pub(super) fn can_castle(&self, castling: &Castling, side: super::CastlingSide) -> bool {
        let us = self.side;
        if self.rights & super::castling::right(us, side) == 0
            || self.checkers.exists()
            || (castling.must_be_empty(us, side) & self.occupied()).exists()
        {
            return false;
        }
        let Some(rook) = castling.rook(us, side) else { return false };
        // The king's own square is not attacked; a slider behind the king sees through it on the way.
        let occupied = self.occupied() ^ Bitboard::of(self.king(us));
        if castling.king_path(us, side).any(|square| self.is_attacked(square, !us, occupied)) {
            return false;
        }
        // In Chess960 the rook may have shielded the king's target from a slider on the back rank.
        let target = side.king_target(us);
        let after = (occupied ^ Bitboard::of(rook)) | Bitboard::of(side.rook_target(us));
        (attacks::rook(target, after) & self.straight_sliders() & self.color(!us)).is_empty()
    }
}
