//! Chess as the search sees it: [`Position`] behind the [`Game`] trait.

use super::{ChessMove, MoveKind, Outcome, Piece, PieceKind, Position, zobrist};
use crate::base::{Color, Error, Move, MoveList, Score};
use crate::game::{Changes, Ending, Game, MoveView, Notation, PieceAt, SelfPlay, Stage};

impl Position {
    /// The square of the piece that `mv` captures.
    fn victim_square(&self, mv: Move) -> super::Square {
        if mv.is_en_passant() { mv.to().forward(!self.board.side) } else { mv.to() }
    }
}

impl Game for Position {
    const PIECES: usize = Piece::COUNT;
    const SQUARES: usize = 64;

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.board.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.board.keys.full
    }

    #[inline(always)]
    fn key_after(&self, mv: Move) -> u64 {
        let mut key = self.board.keys.full ^ zobrist::black_to_move();
        if let Some(piece) = self.board.piece_on(mv.from()) {
            key ^= zobrist::piece(piece, mv.from()) ^ zobrist::piece(piece, mv.to());
        }
        if let Some(victim) = self.board.piece_on(mv.to()) {
            key ^= zobrist::piece(victim, mv.to());
        }
        key
    }

    #[inline(always)]
    fn key_after_null(&self) -> u64 {
        // En passant lapses.
        let lapsed = self.board.en_passant.map_or(0, |square| zobrist::en_passant(square.file()));
        self.board.keys.full ^ zobrist::black_to_move() ^ lapsed
    }

    #[inline(always)]
    fn pawn_key(&self) -> u64 {
        self.board.keys.pawn
    }

    #[inline(always)]
    fn non_pawn_key(&self, color: Color) -> u64 {
        self.board.keys.non_pawn[color.index()]
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.board.checkers.exists()
    }

    #[inline(always)]
    fn has_pieces(&self, color: Color) -> bool {
        self.board.has_pieces(color)
    }

    #[inline]
    fn attacked(&self) -> u128 {
        u128::from(super::movegen::attacked_by(&self.board, !self.board.side).0)
    }

    #[inline(always)]
    fn halfmove_clock(&self) -> u32 {
        self.board.halfmove_clock as u32
    }

    #[inline(always)]
    fn men(&self) -> u32 {
        self.board.occupied().count()
    }

    fn generate(&self, stage: Stage, list: &mut MoveList) {
        super::movegen::generate(&self.board, &self.castling, stage, list);
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(mv, &self.castling)
    }

    #[inline]
    fn view(&self, mv: Move) -> MoveView {
        let piece = self.board.piece_on(mv.from()).map_or(0, |piece| piece as u8);
        let victim = if mv.is_capture() { self.board.piece_on(self.victim_square(mv)) } else { None };
        MoveView {
            piece,
            from: mv.from().raw(),
            to: mv.to().raw(),
            victim: victim.map(|piece| piece as u8),
            tactical: mv.is_tactical(),
            gain: self.board.immediate_gain(mv) as i16,
        }
    }

    #[inline(always)]
    fn is_tactical(&self, mv: Move) -> bool {
        mv.is_tactical()
    }

    fn gives_check(&self, mv: Move) -> bool {
        self.board.gives_check(mv)
    }

    fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        self.board.see_at_least(mv, threshold)
    }

    fn changes(&self, mv: Move) -> Changes {
        let mut changes = Changes::default();
        let us = self.board.side;
        let Some(piece) = self.board.piece_on(mv.from()) else { return changes };
        let at = |piece: Piece, square: super::Square| PieceAt { piece: piece as u8, square: square.raw() };
        changes.removed.push(at(piece, mv.from()));
        if mv.is_castling() {
            let side = mv.castling_side();
            let rook = Piece::new(us, PieceKind::Rook);
            changes.removed.push(at(rook, mv.to()));
            changes.added.push(at(piece, side.king_target(us)));
            changes.added.push(at(rook, side.rook_target(us)));
            return changes;
        }
        if mv.is_capture()
            && let Some(victim) = self.board.piece_on(self.victim_square(mv))
        {
            changes.removed.push(at(victim, self.victim_square(mv)));
        }
        let arrived = mv.promotion().map_or(piece, |kind| Piece::new(us, kind));
        changes.added.push(at(arrived, mv.to()));
        changes
    }

    fn is_draw(&self, ply: usize) -> bool {
        self.is_repetition(ply) || self.is_fifty_moves() || self.board.is_insufficient_material()
    }

    fn can_repeat(&self, ply: usize) -> bool {
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
            super::draw::cycle_move(difference).is_some_and(|(a, b)| {
                let (from, to) = if self.board.color(self.board.side).has(a) { (a, b) } else { (b, a) };
                // The way may be closed, the piece pinned or the king in check.
                self.board.is_legal(Move::pack(from, to, MoveKind::Quiet), &self.castling)
            })
        })
    }

    fn no_moves_score(&self, ply: usize) -> Score {
        if self.in_check() { Score::mated_in(ply) } else { Score::DRAW }
    }

    #[inline]
    fn make(&mut self, mv: Move) {
        Position::make(self, mv);
    }

    #[inline]
    fn unmake(&mut self) {
        Position::unmake(self);
    }

    fn make_null(&mut self) {
        Position::make_null(self);
    }

    fn unmake_null(&mut self) {
        Position::unmake(self);
    }
}

impl Notation for Position {
    const HAS_WDL_MODEL: bool = true;

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        self.parse_uci(text)
    }

    fn move_text(&self, mv: Move) -> String {
        self.uci(mv)
    }

    fn fullmove(&self) -> u32 {
        self.fullmove
    }

    fn ending_rule(&self) -> Option<String> {
        self.outcome().map(|outcome| outcome.to_string())
    }
}

impl SelfPlay for Position {
    fn moves(&self) -> MoveList {
        self.legal_moves()
    }

    fn play(&mut self, mv: Move) {
        Position::make(self, mv);
        self.forget_undo();
    }

    fn ending(&self) -> Option<Ending> {
        self.outcome().map(|outcome| Ending {
            winner: (outcome == Outcome::Checkmate).then_some(!self.board.side),
            rule: outcome.to_string(),
        })
    }
}
