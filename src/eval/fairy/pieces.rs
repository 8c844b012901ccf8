//! Pieces: their worth, what they attack, and whom they threaten.

use super::numbers::{
    BISHOP_PAIR, HANGING, KING_ATTACKER, MINOR_THREAT, OPEN_FILE, PAWN_THREAT, PHASE, ROOK_THREAT,
    SEMI_OPEN_FILE,
};
use super::tables::Tables;
use crate::base::Color;
use crate::eval::classical::Pair;
use crate::fairy::pieces::{DIAGONAL, KING, KNIGHT, STRAIGHT};
use crate::fairy::{Board, Kind, Rules, Set, Square, rays};

/// What one side attacks.
#[derive(Clone, Copy, Default)]
pub struct Attacks {
    /// By pawns.
    pub pawns: Set,
    /// By anything.
    pub all: Set,
    /// By two things or more.
    pub twice: Set,
    /// By pieces that leap like a knight, with all their movements.
    pub of_knights: Set,
    /// By pieces that ride along diagonals, with all their movements.
    pub of_diagonals: Set,
    /// By pieces that ride along files and ranks, with all their movements.
    pub of_straights: Set,
    /// By anything but the royal piece.
    pub of_commoners: Set,
    /// Pieces that attack squares around the enemy king, and how much danger they stand for.
    pub king_attackers: i32,
    /// The sum of their weights.
    pub king_weight: i32,
    /// How many attacks on squares around the enemy king there are.
    pub king_hits: i32,
}

/// A position while it is judged.
pub struct Scene<'a> {
    pub board: &'a Board,
    pub rules: &'a Rules,
    pub tables: &'a Tables,
    pub attacks: [Attacks; 2],
    /// The squares around each king, its own included.
    pub rings: [Set; 2],
    /// Phase weights of what is on the board.
    pub phase: i32,
    /// Worth of the pieces of a side without pawns.
    pub strength: [i32; 2],
    occupied: Set,
}

impl<'a> Scene<'a> {
    /// A scene that knows what pawns and royal pieces attack.
    pub fn new(board: &'a Board, rules: &'a Rules, tables: &'a Tables) -> Scene<'a> {
        let mut scene = Scene {
            board,
            rules,
            tables,
            attacks: [Attacks::default(); 2],
            rings: [Set::EMPTY; 2],
            phase: 0,
            strength: [0; 2],
            occupied: board.occupied(),
        };
        for color in Color::ALL {
            let pawns = board.color(color) & board.pawns();
            let ahead = pawns.forward(color.is_white());
            let (west, east) = (ahead.west() & rules.board, ahead.east() & rules.board);
            let mut attacks =
                Attacks { pawns: west | east, all: west | east, twice: west & east, ..Attacks::default() };
            attacks.of_commoners = attacks.all;
            if let Some(king) = scene.king(color) {
                scene.rings[color.index()] = (rays::king(king) | Set::of(king)) & rules.board;
                let reach = scene.royal_reach(color, king);
                attacks.twice |= attacks.all & reach;
                attacks.all |= reach;
            }
            scene.attacks[color.index()] = attacks;
        }
        scene
    }

    /// The piece whose safety counts: the royal one, or the king where kings are captured.
    pub fn king(&self, color: Color) -> Option<Square> {
        let kings = || self.board.pieces(color, Kind::King);
        self.board.royal(color).or_else(|| kings().exists().then(|| kings().first()))
    }

    /// Everything the piece whose safety counts attacks.
    pub fn royal_reach(&self, color: Color, square: Square) -> Set {
        let kind = self.rules.variant.royals[color.index()].unwrap_or(Kind::King);
        rays::piece(kind, square, self.occupied) & self.rules.board
    }

    /// Enters what the pieces of a side attack. Their worth, pawns included, and their mobility.
    pub fn enter_pieces(&mut self, color: Color) -> (Pair, Pair) {
        let (board, tables, us) = (self.board, self.tables, color.index());
        let (mut worth, mut mobility) = (Pair::ZERO, Pair::ZERO);
        let king = self.king(color);
        let enemy_ring = self.rings[(!color).index()];
        let free = self.rules.board - board.color(color) - self.attacks[(!color).index()].pawns;
        let own_pawns = board.color(color) & board.pawns();
        let mut attacks = self.attacks[us];
        for square in board.color(color) {
            let Some(piece) = board.piece_on(square) else { continue };
            let kind = piece.kind();
            worth += tables.worth[piece.index()][square.index()];
            if kind == Kind::Pawn || king == Some(square) {
                continue;
            }
            self.phase += PHASE[kind.index()];
            self.strength[us] += tables.plain_worth[kind.index()];
            let reach = rays::piece(kind, square, self.occupied) & self.rules.board;
            attacks.twice |= attacks.all & reach;
            attacks.all |= reach;
            attacks.of_commoners |= reach;
            for (movement, set) in [
                (KNIGHT, &mut attacks.of_knights),
                (DIAGONAL, &mut attacks.of_diagonals),
                (STRAIGHT, &mut attacks.of_straights),
            ] {
                if kind.has(movement) {
                    *set |= reach;
                }
            }
            mobility += tables.mobility[kind.index()][(reach & free).count() as usize];
            let hits = (reach & enemy_ring).count() as i32;
            if hits > 0 {
                attacks.king_attackers += 1;
                attacks.king_weight += KING_ATTACKER[kind.index()];
                attacks.king_hits += hits;
            }
            if kind.has(STRAIGHT)
                && !kind.has(DIAGONAL | KING)
                && (tables.ahead[us][square.index()] & own_pawns).is_empty()
            {
                let enemy_pawns = board.pawns() & tables.ahead[us][square.index()];
                mobility += if enemy_pawns.is_empty() { OPEN_FILE } else { SEMI_OPEN_FILE };
            }
        }
        self.attacks[us] = attacks;
        let bishops = board.pieces(color, Kind::Bishop);
        if (bishops & Set::DARK).exists() && (bishops - Set::DARK).exists() {
            worth += BISHOP_PAIR;
        }
        (worth, mobility)
    }

    /// What a side threatens to win.
    pub fn threats(&self, color: Color) -> Pair {
        let board = self.board;
        let (ours, theirs) = (&self.attacks[color.index()], &self.attacks[(!color).index()]);
        let royal = self.king(!color).map_or(Set::EMPTY, Set::of);
        let enemies = board.color(!color) - royal;
        let pieces = enemies - board.pawns();
        let riders = self.riders();
        let more_than_rook = pieces & riders.compound;
        let rook_or_more = more_than_rook | pieces & riders.rooks;
        let mut threats = PAWN_THREAT * (ours.pawns & pieces).count() as i32;
        for square in board.color(color) & riders.minors {
            let Some(piece) = board.piece_on(square) else { continue };
            let reach = rays::piece(piece.kind(), square, self.occupied);
            threats += MINOR_THREAT * (reach & rook_or_more).count() as i32;
        }
        for square in board.color(color) & riders.rooks {
            threats += ROOK_THREAT * (rays::straight(square, self.occupied) & more_than_rook).count() as i32;
        }
        threats + HANGING * (enemies & (ours.all - theirs.all)).count() as i32
    }

    /// The pieces of both sides by how many movements they have.
    fn riders(&self) -> Riders {
        let board = self.board;
        let (knights, bishops, rooks) =
            (board.kind(Kind::Knight), board.kind(Kind::Bishop), board.kind(Kind::Rook));
        let minors = knights | bishops;
        let compound = board.men() - board.pawns() - minors - rooks - board.kind(Kind::King);
        Riders { minors, rooks, compound }
    }

    /// Whether a side has pieces of two movements or more.
    pub fn has_heavy(&self, color: Color) -> bool {
        let royal = self.king(color).map_or(Set::EMPTY, Set::of);
        (self.riders().compound & (self.board.color(color) - royal)).exists()
    }
}

/// Sets of pieces of both sides.
struct Riders {
    minors: Set,
    rooks: Set,
    compound: Set,
}
