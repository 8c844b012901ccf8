//! The variants as the search sees them: [`Position`] behind the [`Game`] trait.

use super::behemoth::OUTCOMES;
use super::see::gain;
use super::{FairyMove, Kind, Outcome, Piece, Position, Square, movegen, zobrist};
use crate::base::{Color, Error, Move, MoveList, Score};
use crate::game::{ChanceList, Changes, Ending, Game, MoveView, Notation, Odds, PieceAt, SelfPlay, Stage};

impl Game for Position {
    const PIECES: usize = Piece::COUNT;
    const SQUARES: usize = Square::COUNT;

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
        let to = mv.to(self.board.side);
        let mut key = self.board.keys.full ^ zobrist::black_to_move();
        if let Some(piece) = self.board.piece_on(mv.from()) {
            key ^= zobrist::piece(piece, mv.from()) ^ zobrist::piece(piece, to);
        }
        if let Some(victim) = self.board.piece_on(to) {
            key ^= zobrist::piece(victim, to);
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
        // Passing and cutting corners are no good where anything may be gone next move.
        self.board.has_pieces(color) && !self.roams
    }

    fn attacked(&self) -> u128 {
        self.board.attacked_by(!self.board.side).0
    }

    #[inline(always)]
    fn halfmove_clock(&self) -> u32 {
        u32::from(self.board.halfmove_clock)
    }

    fn generate(&self, stage: Stage, list: &mut MoveList) {
        movegen::generate(&self.board, self.law(), stage, list);
    }

    fn is_legal(&self, mv: Move) -> bool {
        Position::is_legal(self, mv)
    }

    #[inline]
    fn view(&self, mv: Move) -> MoveView {
        let victim = self.board.victim(mv).map(|(piece, _)| piece);
        MoveView {
            piece: self.board.piece_on(mv.from()).map_or(0, Piece::raw),
            from: mv.from().raw(),
            to: mv.to(self.board.side).raw(),
            victim: victim.map(Piece::raw),
            tactical: victim.is_some() || mv.promotion().is_some(),
            gain: gain(victim, mv) as i16,
        }
    }

    #[inline(always)]
    fn is_tactical(&self, mv: Move) -> bool {
        self.board.is_tactical(mv)
    }

    fn gives_check(&self, mv: Move) -> bool {
        self.board.gives_check(mv, self.law())
    }

    fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        self.board.see_at_least(mv, self.law(), threshold)
    }

    fn changes(&self, mv: Move) -> Changes {
        let mut changes = Changes::default();
        let us = self.board.side;
        let Some(piece) = self.board.piece_on(mv.from()) else { return changes };
        let at = |piece: Piece, square: Square| PieceAt {
            piece: piece.index() as u8,
            square: square.index() as u8,
        };
        changes.removed.push(at(piece, mv.from()));
        if mv.is_castling() {
            let Some(route) = self.castling.route_of(us, mv.to(us)) else { return changes };
            let rook = Piece::new(us, Kind::Rook);
            changes.removed.push(at(rook, route.rook));
            changes.added.push(at(piece, route.king_target));
            changes.added.push(at(rook, route.rook_target));
            return changes;
        }
        if let Some((victim, square)) = self.board.victim(mv) {
            changes.removed.push(at(victim, square));
        }
        let arrived = mv.promotion().map_or(piece, |kind| Piece::new(us, kind));
        changes.added.push(at(arrived, mv.to(us)));
        changes
    }

    fn is_draw(&self, ply: usize) -> bool {
        self.is_repetition(ply) || self.is_fifty_moves() || self.is_dead()
    }

    fn can_repeat(&self, ply: usize) -> bool {
        !self.roams && self.can_repeat_within(ply)
    }

    fn no_moves_score(&self, ply: usize) -> Score {
        if self.in_check() { Score::mated_in(ply) } else { Score::DRAW }
    }

    #[inline]
    fn decided(&self, ply: usize) -> Option<Score> {
        if !self.board.is_decided(self.rules) {
            return None;
        }
        let kings = self.kings_left();
        let us = self.board.side.index();
        Some(match (kings[us], kings[1 - us]) {
            (false, false) => Score::DRAW,
            (true, _) => Score::mate_in(ply),
            (false, true) => Score::mated_in(ply),
        })
    }

    #[inline(always)]
    fn has_chance(&self) -> bool {
        self.roams
    }

    #[inline(always)]
    fn chance_is_due(&self) -> bool {
        self.is_restless()
    }

    fn chances(&self) -> ChanceList {
        self.raids()
    }

    fn odds(&self) -> Odds {
        self.raid_odds()
    }

    #[inline(always)]
    fn chance_is_predictable(&self) -> bool {
        self.roams
    }

    fn make_chance(&mut self, outcome: usize) {
        self.make_raid(outcome);
    }

    fn unmake_chance(&mut self) {
        self.unmake_raid();
    }

    #[inline]
    fn make(&mut self, mv: Move) {
        self.make_in_search(mv);
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
    const HAS_WDL_MODEL: bool = false;

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

    fn play_text(&mut self, text: &str) -> Result<(), Error> {
        self.play_with_raid(text)
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

    fn strikes(&self) -> u8 {
        if self.rules.variant.behemoth && !self.board.is_decided(self.rules) { OUTCOMES as u8 } else { 0 }
    }

    fn strike(&mut self, outcome: u8) {
        self.raid(usize::from(outcome));
    }

    fn ending(&self) -> Option<Ending> {
        self.outcome().map(|outcome| Ending {
            winner: match outcome {
                Outcome::Checkmate => Some(!self.board.side),
                Outcome::KingLost(color) => Some(!color),
                _ => None,
            },
            rule: outcome.to_string(),
        })
    }

    fn is_even(&self) -> bool {
        let [white, black] = self.rules.army;
        white == black
    }
}
