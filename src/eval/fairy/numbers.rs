//! The numbers of the evaluation, in centipawns: middlegame and endgame halves.

use super::super::classical::Pair;
use crate::fairy::Kind;

const fn pair(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// What the pieces of a variant are worth, by number of the kind: pawn, bishop, rook, queen, knight, archbishop,
/// chancellor, amazon, king. Royal pieces count nothing.
pub struct Worth {
    /// The variants these values are for; the last row serves all others.
    pub variants: &'static [&'static str],
    /// The values.
    pub values: [Pair; Kind::COUNT],
}

/// Material values. On wider boards leapers lose and riders gain; the compounds of knight and rider are worth more
/// than their parts.
pub const WORTHS: [Worth; 3] = [
    Worth {
        variants: &["grand"],
        values: [
            pair(85, 105),
            pair(345, 355),
            pair(480, 560),
            pair(1020, 1080),
            pair(285, 275),
            pair(840, 850),
            pair(900, 940),
            pair(1300, 1350),
            Pair::ZERO,
        ],
    },
    Worth {
        variants: &["janus", "embassy", "caparandom", "capablanca", "gothic"],
        values: [
            pair(85, 110),
            pair(345, 350),
            pair(470, 540),
            pair(980, 1030),
            pair(300, 285),
            pair(840, 840),
            pair(890, 920),
            pair(1270, 1320),
            Pair::ZERO,
        ],
    },
    Worth {
        variants: &[],
        values: [
            pair(85, 115),
            pair(345, 345),
            pair(470, 550),
            pair(980, 1010),
            pair(325, 310),
            pair(830, 820),
            pair(880, 900),
            pair(1260, 1300),
            Pair::ZERO,
        ],
    },
];

/// How much of the middlegame a piece stands for.
pub const PHASE: [i32; Kind::COUNT] = [0, 1, 2, 4, 1, 3, 4, 5, 0];

/// Mobility of a kind: squares it usually has, and what the square root of one more is worth.
pub const MOBILITY: [(i32, Pair); Kind::COUNT] = [
    (0, Pair::ZERO),
    (6, pair(18, 18)),
    (7, pair(10, 22)),
    (13, pair(8, 16)),
    (4, pair(22, 20)),
    (11, pair(14, 16)),
    (12, pair(12, 18)),
    (18, pair(10, 14)),
    (0, Pair::ZERO),
];

/// The side to move.
pub const TEMPO: i32 = 18;
/// Bishops on both colors.
pub const BISHOP_PAIR: Pair = pair(28, 45);
/// A rook or chancellor on a file without own pawns before it.
pub const SEMI_OPEN_FILE: Pair = pair(12, 8);
/// The same without any pawns before it.
pub const OPEN_FILE: Pair = pair(28, 14);

/// Pawns without neighbors.
pub const ISOLATED: Pair = pair(-8, -14);
/// Pawns behind another of their own.
pub const DOUBLED: Pair = pair(-8, -24);
/// Pawns that no neighbor can support and that cannot advance safely.
pub const BACKWARD: Pair = pair(-8, -14);
/// Pawns side by side or supported, for each rank they have advanced.
pub const CONNECTED: Pair = pair(4, 4);

/// A passed pawn, by the steps it has left to promote: one, two, ...
pub const PASSED: [Pair; 7] =
    [pair(150, 220), pair(85, 140), pair(40, 75), pair(18, 40), pair(8, 20), pair(4, 12), pair(2, 8)];
/// For each step the enemy king is further from a passed pawn than the own one, in the endgame.
pub const PASSED_KINGS: i32 = 7;

/// A pawn attacks a piece.
pub const PAWN_THREAT: Pair = pair(55, 35);
/// A minor piece attacks a rook or more.
pub const MINOR_THREAT: Pair = pair(38, 30);
/// A rook attacks more than a rook.
pub const ROOK_THREAT: Pair = pair(35, 22);
/// An enemy piece is attacked and not defended.
pub const HANGING: Pair = pair(28, 22);

/// How much a kind adds to the danger of a king near which it attacks squares.
pub const KING_ATTACKER: [i32; Kind::COUNT] = [0, 45, 45, 40, 65, 80, 80, 90, 0];
/// Danger of each attacked square around the king.
pub const RING_ATTACK: i32 = 50;
/// Danger of each such square that only the king defends.
pub const RING_WEAK: i32 = 120;
/// Danger of safe checks: by leap, along diagonals, along files and ranks.
pub const SAFE_CHECKS: [i32; 3] = [480, 420, 620];
/// Danger that is taken off when the enemy has no piece of two movements.
pub const WITHOUT_HEAVY: i32 = 600;
/// Danger below this is none.
pub const DANGER_FLOOR: i32 = 80;
/// What the nearest own pawn before the king is worth, by its distance; the last stands for none.
pub const SHELTER: [i32; 6] = [0, 28, 16, 2, -10, -24];
/// An enemy pawn that comes near the king's file, by its distance.
pub const STORM: [i32; 6] = [0, -14, -18, -10, -3, 0];

/// Safe squares of a lone royal piece: what it is worth to have so many.
pub const HUNTED: [i32; 16] =
    [-700, -480, -340, -250, -180, -130, -95, -70, -50, -32, -18, -6, 4, 12, 20, 26];
/// A piece of the hunters that nobody defends.
pub const LOOSE_HUNTER: Pair = pair(-14, -14);

/// Where chance strikes, no material is worth more than this; a won game counts some more.
pub const MOST_BY_MATERIAL: i32 = 2_500;
