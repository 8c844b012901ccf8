//! Pieces: their worth, what they attack, and whom they threaten.

use super::numbers::{PHASE, Singles, Weights};
use super::tables::Tables;
use crate::base::Color;
use crate::eval::classical::Pair;
use crate::fairy::pieces::{DIAGONAL, KING, KNIGHT, STRAIGHT};
use crate::fairy::{Board, Kind, Rules, Set, Square, rays};

/// What one side attacks.
#[derive(Clone, Copy)]
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
    /// How many pieces attack squares around the enemy king.
    pub king_attackers: i32,
    /// How much danger they stand for.
    pub king_weight: i32,
    /// How many attacks on squares around the enemy king there are.
    pub king_hits: i32,
    /// Threats of minor pieces and rooks against more valuable ones.
    pub upward: Pair,
}

impl Attacks {
    /// What pawns attack on either side.
    fn of_pawns(west: Set, east: Set) -> Attacks {
        let pawns = west | east;
        Attacks {
            pawns,
            all: pawns,
            twice: west & east,
            of_knights: Set::EMPTY,
            of_diagonals: Set::EMPTY,
            of_straights: Set::EMPTY,
            of_commoners: pawns,
            king_attackers: 0,
            king_weight: 0,
            king_hits: 0,
            upward: Pair::ZERO,
        }
    }
}

/// A position while it is judged.
pub struct Scene<'a> {
    pub board: &'a Board,
    pub rules: &'a Rules,
    pub tables: &'a Tables,
    pub weights: &'a Weights,
    pub singles: &'a Singles,
    pub attacks: [Attacks; 2],
    /// The squares around each king, its own included.
    pub rings: [Set; 2],
    /// Phase weights of what is on the board.
    pub phase: i32,
    /// Worth of the pieces of a side without pawns.
    pub strength: [i32; 2],
    /// Everything of a side but the piece whose safety counts.
    commoners: [Set; 2],
    /// Rooks of both sides.
    rooks: Set,
    /// Pieces of two movements or more.
    compounds: Set,
    occupied: Set,
}

impl<'a> Scene<'a> {
    /// A scene that knows what pawns and royal pieces attack.
    pub fn new(board: &'a Board, rules: &'a Rules, tables: &'a Tables) -> Scene<'a> {
        let mut scene = Scene {
            board,
            rules,
            tables,
            weights: &tables.numbers.weights,
            singles: &tables.numbers.singles,
            attacks: [Attacks::of_pawns(Set::EMPTY, Set::EMPTY); 2],
            rings: [Set::EMPTY; 2],
            phase: 0,
            strength: [0; 2],
            commoners: Color::ALL.map(|color| board.color(color)),
            rooks: board.kind(Kind::Rook),
            compounds: board.compounds(),
            occupied: board.occupied(),
        };
        for color in Color::ALL {
            let pawns = board.color(color) & board.pawns();
            let ahead = pawns.forward(color.is_white());
            let (west, east) = (ahead.west() & rules.board, ahead.east() & rules.board);
            let mut attacks = Attacks::of_pawns(west, east);
            if let Some(king) = scene.king(color) {
                scene.commoners[color.index()] = board.color(color) - Set::of(king);
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

    /// Enters what the pieces of a side attack. Their worth, pawns aside, and their mobility.
    pub fn enter_pieces(&mut self, color: Color) -> (Pair, Pair) {
        let (board, tables, us) = (self.board, self.tables, color.index());
        let (weights, singles) = (self.weights, self.singles);
        let (mut worth, mut mobility) = (Pair::ZERO, Pair::ZERO);
        let king = self.king(color);
        let enemy_ring = self.rings[(!color).index()];
        let free = self.rules.board - board.color(color) - self.attacks[(!color).index()].pawns;
        let own_pawns = board.color(color) & board.pawns();
        let mut attacks = self.attacks[us];
        let enemies = self.commoners[(!color).index()];
        let more_than_rook = enemies & self.compounds;
        let rook_or_more = more_than_rook | enemies & self.rooks;
        (board.color(color) - own_pawns).each(|square| {
            let Some(piece) = board.piece_on(square) else { return };
            let kind = piece.kind();
            worth += tables.worth[piece.index()][square.index()];
            if king == Some(square) {
                return;
            }
            self.phase += PHASE[kind.index()];
            self.strength[us] += tables.plain_worth[kind.index()];
            let reach = rays::piece(kind, square, self.occupied) & self.rules.board;
            attacks.twice |= attacks.all & reach;
            attacks.all |= reach;
            attacks.of_commoners |= reach;
            // The reach or nothing, without a branch.
            let part = |movement: u8| Set(reach.0 & u128::from(kind.has(movement)).wrapping_neg());
            attacks.of_knights |= part(KNIGHT);
            attacks.of_diagonals |= part(DIAGONAL);
            attacks.of_straights |= part(STRAIGHT);
            attacks.upward += match kind {
                Kind::Knight | Kind::Bishop => weights.minor_threat * (reach & rook_or_more).count() as i32,
                Kind::Rook => weights.rook_threat * (reach & more_than_rook).count() as i32,
                _ => Pair::ZERO,
            };
            mobility += tables.mobility[kind.index()][(reach & free).count() as usize];
            let hits = (reach & enemy_ring).count() as i32;
            if hits > 0 {
                attacks.king_attackers += 1;
                attacks.king_weight += singles.attacker[kind.index()];
                attacks.king_hits += hits;
            }
            if kind.has(STRAIGHT)
                && !kind.has(DIAGONAL | KING)
                && (tables.ahead[us][square.index()] & own_pawns).is_empty()
            {
                let enemy_pawns = board.pawns() & tables.ahead[us][square.index()];
                mobility += if enemy_pawns.is_empty() { weights.open_file } else { weights.semi_open_file };
            }
        });
        self.attacks[us] = attacks;
        let bishops = board.pieces(color, Kind::Bishop);
        if (bishops & Set::DARK).exists() && (bishops - Set::DARK).exists() {
            worth += weights.bishop_pair;
        }
        (worth, mobility)
    }

    /// What a side threatens to win.
    pub fn threats(&self, color: Color) -> Pair {
        let (ours, theirs) = (&self.attacks[color.index()], &self.attacks[(!color).index()]);
        let enemies = self.commoners[(!color).index()];
        let by_pawns =
            self.weights.pawn_threat * (ours.pawns & (enemies - self.board.pawns())).count() as i32;
        let hanging = self.weights.hanging * (enemies & (ours.all - theirs.all)).count() as i32;
        by_pawns + hanging + ours.upward
    }

    /// Whether a side has pieces of two movements or more.
    pub fn has_heavy(&self, color: Color) -> bool {
        (self.compounds & self.commoners[color.index()]).exists()
    }
}
