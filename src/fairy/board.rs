//! The placement of the pieces with everything that is kept up to date beside it.
//!
//! A [`Board`] is plain: making a move copies it first, so taking back is restoring the copy. What never changes within
//! a game (rules, castling geometry) and what grows with it (history) live in [`super::Position`].

use super::castling::Route;
use super::spec::bit;
use super::{Kind, Piece, Rules, Set, Square, pieces, rays, zobrist};
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
pub struct Board {
    pub(super) colors: [Set; 2],
    pub(super) pawns: Set,
    /// Whatever rides along diagonals.
    pub(super) diagonal: Set,
    /// Whatever rides along files and ranks.
    pub(super) straight: Set,
    /// Whatever leaps like a knight.
    pub(super) knights: Set,
    /// Whatever leaps like a king.
    pub(super) kings: Set,
    /// Squares on which nobody can stand: those outside the board, and the Behemoth's.
    pub(super) wall: Set,
    /// Enemy pieces that give check.
    pub(super) checkers: Set,
    /// Diagonals on which a piece of the side to move is pinned, from the royal piece to the pinner.
    pub(super) diagonal_pins: Set,
    /// The same for files and ranks.
    pub(super) straight_pins: Set,
    pub(super) keys: Keys,
    pub(super) squares: [Piece; Square::COUNT],
    /// The royal pieces by side, or [`NO_ROYAL`].
    pub(super) royals: [Square; 2],
    /// Moves since the last capture or pawn move, in plies.
    pub(super) halfmove_clock: u16,
    /// Plies since the last move that cannot be repeated, null moves included.
    pub(super) reversible_plies: u16,
    pub(super) side: Color,
    /// The Behemoth moves before the next player does.
    pub(super) restless: bool,
    pub(super) rights: u8,
    /// The square behind a pawn that can be captured en passant, legally, by the side to move.
    pub(super) en_passant: Option<Square>,
}

/// Where the royal piece stands in variants without one.
pub(super) const NO_ROYAL: Square = Square::new(127);

impl Board {
    /// An empty board of a variant, White to move.
    pub(super) fn empty(rules: &Rules) -> Board {
        Board {
            colors: [Set::EMPTY; 2],
            pawns: Set::EMPTY,
            diagonal: Set::EMPTY,
            straight: Set::EMPTY,
            knights: Set::EMPTY,
            kings: Set::EMPTY,
            wall: !rules.board,
            checkers: Set::EMPTY,
            diagonal_pins: Set::EMPTY,
            straight_pins: Set::EMPTY,
            keys: Keys::default(),
            squares: [Piece::NONE; Square::COUNT],
            royals: [NO_ROYAL; 2],
            halfmove_clock: 0,
            reversible_plies: 0,
            side: Color::White,
            restless: false,
            rights: 0,
            en_passant: None,
        }
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// What stands on `square`.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Some(self.squares[square.index()]).filter(|&piece| piece != Piece::NONE)
    }

    /// Wherever a rider must stop: pieces, walls and what is outside the board.
    #[inline(always)]
    pub fn occupied(&self) -> Set {
        self.colors[0] | self.colors[1] | self.wall
    }

    /// All pieces of both sides.
    #[inline(always)]
    pub fn men(&self) -> Set {
        self.colors[0] | self.colors[1]
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Set {
        self.colors[color.index()]
    }

    /// All pieces of a kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Set {
        if kind == Kind::Pawn {
            return self.pawns;
        }
        let part = |set: Set, movement: u8| if kind.has(movement) { set } else { !set };
        part(self.diagonal, pieces::DIAGONAL)
            & part(self.straight, pieces::STRAIGHT)
            & part(self.knights, pieces::KNIGHT)
            & part(self.kings, pieces::KING)
            & self.men()
            & !self.pawns
    }

    /// The pieces of a side and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: Kind) -> Set {
        self.color(color) & self.kind(kind)
    }

    /// All pieces of two movements or more.
    #[inline]
    pub fn compounds(&self) -> Set {
        self.diagonal & (self.straight | self.knights) | self.straight & self.knights
    }

    /// All pawns.
    #[inline(always)]
    pub fn pawns(&self) -> Set {
        self.pawns
    }

    /// Where the royal piece of a side stands, if it has one.
    #[inline(always)]
    pub fn royal(&self, color: Color) -> Option<Square> {
        Some(self.royals[color.index()]).filter(|&square| square != NO_ROYAL)
    }

    /// The set of the royal piece of a side.
    #[inline(always)]
    pub(super) fn royal_set(&self, color: Color) -> Set {
        Set::of(self.royals[color.index()])
    }

    /// Where the Behemoth stands, if there is one.
    pub fn behemoth(&self, rules: &Rules) -> Option<Square> {
        let wall = self.wall & rules.board;
        wall.exists().then(|| wall.first())
    }

    /// Enemy pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Set {
        self.checkers
    }

    /// Pieces of the side to move that are pinned to their royal piece.
    #[inline(always)]
    pub fn pinned(&self) -> Set {
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
    pub fn attackers_to(&self, square: Square, occupied: Set) -> Set {
        let here = Set::of(square);
        here.pawn_attacks(false) & self.pawns & self.colors[0]
            | here.pawn_attacks(true) & self.pawns & self.colors[1]
            | rays::knight(square) & self.knights
            | rays::king(square) & self.kings
            | rays::diagonal(square, occupied) & self.diagonal
            | rays::straight(square, occupied) & self.straight
    }

    /// Whether any piece of `by` attacks `square` through `occupied`.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Set) -> bool {
        let enemy = self.color(by);
        let leapers = Set::of(square).pawn_attacks(!by.is_white()) & self.pawns
            | rays::knight(square) & self.knights
            | rays::king(square) & self.kings;
        (leapers & enemy).exists() || self.is_attacked_by_rider(square, enemy, occupied)
    }

    /// All squares that a side attacks.
    pub fn attacked_by(&self, color: Color) -> Set {
        let (own, occupied) = (self.color(color), self.occupied());
        let mut attacked = (own & self.pawns).pawn_attacks(color.is_white());
        (own & self.knights).each(|square| attacked |= rays::knight(square));
        (own & self.kings).each(|square| attacked |= rays::king(square));
        (own & self.diagonal).each(|square| attacked |= rays::diagonal(square, occupied));
        (own & self.straight).each(|square| attacked |= rays::straight(square, occupied));
        attacked
    }

    /// Whether a rider among `enemy` attacks `square` through `occupied`.
    #[inline(always)]
    pub(super) fn is_attacked_by_rider(&self, square: Square, enemy: Set, occupied: Set) -> bool {
        let (diagonal, straight) = (self.diagonal & enemy, self.straight & enemy);
        (rays::diagonal_lines(square) & diagonal).exists()
            && (rays::diagonal(square, occupied) & diagonal).exists()
            || (rays::straight_lines(square) & straight).exists()
                && (rays::straight(square, occupied) & straight).exists()
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.squares[square.index()] = piece;
        self.toggle(piece, Set::of(square), zobrist::piece(piece, square));
    }

    /// Takes a piece off its square.
    #[inline(always)]
    pub(super) fn remove(&mut self, piece: Piece, square: Square) {
        self.squares[square.index()] = Piece::NONE;
        self.toggle(piece, Set::of(square), zobrist::piece(piece, square));
    }

    /// Flips squares of a piece in the sets, and a key in the keys.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, squares: Set, key: u64) {
        let (kind, color) = (piece.kind() as u8, piece.color().index());
        // All bits of the squares or none, without a branch.
        let part = |movement: u8| Set(squares.0 & u128::from(kind & movement != 0).wrapping_neg());
        self.colors[color] ^= squares;
        self.keys.full ^= key;
        if kind == Kind::Pawn as u8 {
            self.pawns ^= squares;
            self.keys.pawn ^= key;
            return;
        }
        self.diagonal ^= part(pieces::DIAGONAL);
        self.straight ^= part(pieces::STRAIGHT);
        self.knights ^= part(pieces::KNIGHT);
        self.kings ^= part(pieces::KING);
        self.keys.non_pawn[color] ^= key;
    }

    /// Finds the checkers and pins of the side to move.
    #[inline(always)]
    pub(super) fn update_checks<const WHITE: bool>(&mut self) {
        let us = Color::from_bool(WHITE);
        let royal = self.royals[us.index()];
        (self.checkers, self.diagonal_pins, self.straight_pins) = (Set::EMPTY, Set::EMPTY, Set::EMPTY);
        if royal == NO_ROYAL {
            return;
        }
        let (enemy, occupied) = (self.color(!us), self.occupied());
        self.checkers =
            (rays::knight(royal) & self.knights | Set::of(royal).pawn_attacks(WHITE) & self.pawns) & enemy;
        for sniper in rays::diagonal_lines(royal) & self.diagonal & enemy {
            let gap = rays::between(royal, sniper);
            let blockers = gap & occupied;
            if blockers.is_empty() {
                self.checkers |= Set::of(sniper);
            } else if !blockers.several() {
                self.diagonal_pins |= gap | Set::of(sniper);
            }
        }
        for sniper in rays::straight_lines(royal) & self.straight & enemy {
            let gap = rays::between(royal, sniper);
            let blockers = gap & occupied;
            if blockers.is_empty() {
                self.checkers |= Set::of(sniper);
            } else if !blockers.several() {
                self.straight_pins |= gap | Set::of(sniper);
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
    pub fn fresh_keys(&self, rules: &Rules) -> Keys {
        let mut keys = Keys {
            full: zobrist::side(self.side)
                ^ zobrist::castling(self.rights)
                ^ self.en_passant.map_or(0, |square| zobrist::en_passant(square.file()))
                ^ self.behemoth(rules).map_or(0, zobrist::wall)
                ^ if self.restless { zobrist::restless() } else { 0 },
            ..Keys::default()
        };
        for square in self.men() {
            let Some(piece) = self.piece_on(square) else { continue };
            let key = zobrist::piece(piece, square);
            keys.full ^= key;
            if piece.kind() == Kind::Pawn {
                keys.pawn ^= key;
            } else {
                keys.non_pawn[piece.color().index()] ^= key;
            }
        }
        keys
    }

    /// Whether the pawn of `us` on `from` may capture en passant on `target`: the royal piece must be safe once both
    /// pawns have left their squares.
    pub(super) fn en_passant_is_safe(&self, us: Color, from: Square, target: Square) -> bool {
        let Some(royal) = self.royal(us) else { return true };
        let victim = target.forward(!us.is_white());
        let after = (self.occupied() ^ Set::of(from) ^ Set::of(victim)) | Set::of(target);
        let enemy = self.color(!us) ^ Set::of(victim);
        let leapers =
            rays::knight(royal) & self.knights | Set::of(royal).pawn_attacks(us.is_white()) & self.pawns;
        (leapers & enemy).is_empty() && !self.is_attacked_by_rider(royal, enemy, after)
    }

    /// Whether castling on this route, for which there is a right, is possible now: empty squares and, where kings can
    /// be in check, a king that neither stands in, crosses nor reaches an attacked square.
    #[inline]
    pub(super) fn can_castle(&self, route: &Route) -> bool {
        let us = self.side;
        if self.checkers.exists() || (route.empty & self.occupied()).exists() {
            return false;
        }
        let Some(king) = self.royal(us) else { return true };
        // The king's own square is not attacked; a rider behind the king sees through it on the way.
        let occupied = self.occupied() ^ Set::of(king);
        if { route.path }.any(|square| self.is_attacked(square, !us, occupied)) {
            return false;
        }
        // The rook may have shielded the king's target from a rider on the back rank.
        let after = (occupied - Set::of(route.rook)) | Set::of(route.rook_target);
        (rays::straight(route.king_target, after) & self.straight & self.color(!us)).is_empty()
    }

    /// The kinds a pawn of `us` may become now.
    #[inline]
    pub(super) fn allowed_promotions(&self, rules: &Rules, us: Color) -> u16 {
        if rules.variant.promotion.as_ref().is_none_or(|promotion| !promotion.captured_only) {
            return rules.promotes_to;
        }
        let is_missing =
            |kind: &&Kind| self.pieces(us, **kind).count() < u32::from(rules.army[us.index()][kind.index()]);
        let kinds = rules.variant.promotion.iter().flat_map(|promotion| promotion.to);
        kinds.filter(is_missing).fold(0, |set, &kind| set | bit(kind))
    }
}
