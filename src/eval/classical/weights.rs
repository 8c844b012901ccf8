//! What every number of the classical evaluation means, in centipawns unless its name says otherwise.
//!
//! The numbers themselves stand in `values.rs`, which `rosada tune` writes: pairs of (middlegame, endgame) that count
//! as plain multiples, and what adds up to king danger and initiative. What is not fitted but set by hand (where
//! danger starts and ends to matter, endgames that are won or drawn) stands below as constants.

use super::numbers::{Field, Group, Numbers, group};
use super::pair::Pair;
pub use super::values::{DANGER, INITIATIVE, TEMPO, W};

/// Values for half a board, a-file to d-file, first rank first; the other half is its mirror image.
pub type HalfBoard = [Pair; 32];

group! {
    /// All weights that enter the evaluation linearly.
    Weights of Pair {
        /// What a piece is worth by itself, pawn to queen.
        material: [Pair; 5],
        /// Two bishops see squares of both colors.
        bishop_pair: Pair,

        /// Where pawns stand well.
        pawn_squares: HalfBoard,
        /// Where knights stand well.
        knight_squares: HalfBoard,
        /// Where bishops stand well.
        bishop_squares: HalfBoard,
        /// Where rooks stand well.
        rook_squares: HalfBoard,
        /// Where queens stand well.
        queen_squares: HalfBoard,
        /// Where the king stands well: in its corner first, in the center later.
        king_squares: HalfBoard,

        /// By how many useful squares a knight reaches.
        knight_mobility: [Pair; 9],
        /// By how many useful squares a bishop reaches.
        bishop_mobility: [Pair; 14],
        /// By how many useful squares a rook reaches.
        rook_mobility: [Pair; 15],
        /// By how many useful squares a queen reaches.
        queen_mobility: [Pair; 28],

        /// A pawn with another of its color ahead on the file.
        doubled: Pair,
        /// A pawn without neighbors on the adjacent files.
        isolated: Pair,
        /// On top, when no enemy pawn on the file hides it from rooks.
        isolated_unopposed: Pair,
        /// A pawn that its neighbors have left behind and that cannot step forward safely.
        backward: Pair,
        /// On top, when no enemy pawn on the file hides it from rooks.
        backward_unopposed: Pair,
        /// A pawn without support that two enemy pawns attack.
        weak_lever: Pair,
        /// Pawns side by side, by rank.
        phalanx: [Pair; 8],
        /// A pawn that another pawn protects, by rank.
        supported: [Pair; 8],
        /// A pawn that can become passed with the help of its neighbors, by rank.
        candidate: [Pair; 8],

        /// A pawn that no enemy pawn can stop, by rank.
        passed: [Pair; 8],
        /// By the pawn's distance from the edge: outside passed pawns lure the enemy away.
        passed_file: [Pair; 4],
        /// Per step of our king from the square ahead of the pawn, by the pawn's rank.
        passed_own_king: [Pair; 8],
        /// Per step of the enemy king from the square ahead of the pawn, by the pawn's rank.
        passed_enemy_king: [Pair; 8],
        /// A piece stands in the way, by rank.
        passed_blocked: [Pair; 8],
        /// The next step is safe, though a later one is not, by rank.
        passed_safe_stop: [Pair; 8],
        /// Every step to promotion is safe, by rank.
        passed_safe_path: [Pair; 8],
        /// We defend the next step, by rank.
        passed_defended_stop: [Pair; 8],
        /// A rook of ours behind the pawn pushes it.
        passed_rook_behind: Pair,
        /// An enemy rook behind the pawn holds it.
        passed_enemy_rook_behind: Pair,
        /// The enemy has only king and pawns, and the king is outside the square of the pawn.
        passed_unstoppable: Pair,

        /// Our foremost cover on a file near the king, by distance of the file from the edge and rank of the pawn (0: none).
        shelter: [[Pair; 7]; 4],
        /// The nearest enemy pawn on a file near the king, when it can still advance, indexed alike.
        storm: [[Pair; 7]; 4],
        /// The nearest enemy pawn, when our pawn blocks it, by its rank.
        storm_blocked: [Pair; 7],
        /// Per step of the king from the nearest own pawn.
        king_pawn_distance: Pair,
        /// No pawn of either side on the king's flank.
        king_bare_flank: Pair,
        /// Per square of the king's flank that the enemy attacks.
        king_flank_attack: Pair,

        /// A knight on a square that no enemy pawn can attack, protected by a pawn.
        knight_outpost: Pair,
        /// Such a square is one jump away.
        knight_reaches_outpost: Pair,
        /// A bishop on such a square.
        bishop_outpost: Pair,
        /// A minor piece right behind a pawn is sheltered.
        knight_behind_pawn: Pair,
        /// The same for a bishop.
        bishop_behind_pawn: Pair,
        /// Per step of a knight from its king.
        knight_king_distance: Pair,
        /// Per step of a bishop from its king.
        bishop_king_distance: Pair,
        /// Per own pawn on the bishop's color, more with a blocked center.
        bishop_pawns: Pair,
        /// A bishop that looks along a diagonal through the center.
        bishop_long_diagonal: Pair,
        /// Per enemy pawn on the bishop's lines.
        bishop_bites_pawns: Pair,

        /// A rook on a file without pawns.
        rook_open_file: Pair,
        /// A rook on a file without own pawns.
        rook_half_open_file: Pair,
        /// A rook behind an own pawn that cannot move.
        rook_closed_file: Pair,
        /// A rook on the seventh with pawns to eat or a king to cut off.
        rook_seventh: Pair,
        /// A rook shut in by its own king.
        rook_trapped: Pair,
        /// On top, when castling can no longer free it.
        rook_trapped_for_good: Pair,

        /// A queen with one piece between it and an enemy slider.
        queen_exposed: Pair,
        /// A queen in the enemy camp where no pawn can ever attack it.
        queen_infiltration: Pair,

        /// What a knight or bishop attacks, by kind of the target.
        threat_by_minor: [Pair; 5],
        /// What a rook attacks that is not well protected, by kind of the target.
        threat_by_rook: [Pair; 5],
        /// The king attacks something that is not well protected.
        threat_by_king: Pair,
        /// Attacked and not protected at all, or attacked twice.
        hanging: Pair,
        /// Protected by the queen alone, which is then tied down.
        queen_protects_weak: Pair,
        /// Squares the enemy attacks that we contest.
        restricted: Pair,
        /// A safe pawn attacks a piece.
        threat_by_pawn: Pair,
        /// A safe pawn push would attack a piece.
        threat_by_push: Pair,
        /// A knight can attack the queen with its next jump.
        knight_hits_queen: Pair,
        /// A slider can attack the queen with its next move.
        slider_hits_queen: Pair,

        /// Safe squares behind our center pawns while many pieces are on the board.
        space_64ths: Pair,
    }
}

group! {
    /// King danger: how the pieces that aim at the king add up before the sum is squared. About 100 units are a small
    /// nuisance, 2,000 a lost king.
    Danger of i32 {
        /// By kind of the attacking piece, pawn to king, times the number of attackers.
        attacker: [i32; 6],
        /// Per square next to the king that is attacked, once for each attacker.
        adjacent_attack: i32,
        /// Per square of the ring that only king or queen defend.
        weak_ring: i32,
        /// Safe checks by kind of the checking piece, for one such square and for several.
        safe_check: [[i32; 2]; 6],
        /// Per square from which a check is possible, though not safe.
        unsafe_check: i32,
        /// Per piece that is pinned to the king or may open a line to it.
        pinned: i32,
        /// Times the squared number of attacks on the king's flank.
        flank_attack_64ths: i32,
        /// Per square of the king's flank that is defended.
        flank_defense: i32,
        /// The attacker has no queen.
        no_queen: i32,
        /// A knight stands guard next to the king.
        knight_guard: i32,
        /// Per centipawn of shelter.
        shelter_64ths: i32,
        /// Per centipawn by which the attacker is more mobile.
        mobility_64ths: i32,
        /// Every king is in some danger.
        base: i32,
    }
}

/// How danger becomes centipawns.
pub mod danger {
    /// Danger up to this is ignored.
    pub const THRESHOLD: i32 = 100;
    /// More danger than this does not count: the king is lost anyhow.
    pub const CEILING: i32 = 3000;
    /// The squared danger is divided by this for the middlegame.
    pub const MIDDLEGAME_DIVISOR: i32 = 8000;
    /// The danger is divided by this for the endgame.
    pub const ENDGAME_DIVISOR: i32 = 34;
}

group! {
    /// Initiative: whether the better side can still make something of it.
    Initiative of i32 {
        /// Per passed pawn.
        passed: i32,
        /// Per pawn.
        pawn: i32,
        /// Per file that the kings are apart more than ranks.
        outflanking: i32,
        /// Pawns on both flanks.
        both_flanks: i32,
        /// A king has crossed the middle.
        infiltration: i32,
        /// Only kings and pawns are left.
        pawn_endgame: i32,
        /// Pawns on one flank and kings that face each other.
        almost_unwinnable: i32,
        /// What everything starts from.
        base: i32,
        /// The middlegame suffers this much less.
        middlegame_relief: i32,
    }
}

/// Endgames that are won or nearly drawn.
pub mod endgame {
    /// The enemy has a bare king and we have what it takes to mate.
    pub const KNOWN_WIN: i32 = 600;
    /// Per step of the bare king from the center.
    pub const EDGE_STEP: i32 = 100;
    /// Per step of the kings towards each other.
    pub const KINGS_STEP: i32 = 60;
    /// Per step of the bare king towards a corner where bishop and knight can mate.
    pub const CORNER_STEP: i32 = 160;
    /// The scale of a normal position.
    pub const NORMAL: i32 = 64;
    /// The scale of what is almost surely drawn.
    pub const DRAWISH: i32 = 4;
    /// The scale of a small advantage without pawns.
    pub const NO_PAWNS: i32 = 14;
}
