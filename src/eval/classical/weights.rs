//! Every number of the classical evaluation, in centipawns as (middlegame, endgame).
//!
//! The linear weights are fields of one static, [`W`], laid out like a flat list of pairs: a tuner reads how often
//! each was counted from [`super::trace::Recorder`] and replaces them here. What enters the evaluation other than
//! as a plain multiple (king danger, initiative) stands below as named constants.

use std::mem::size_of;

use super::pair::Pair;

/// Shorthand for the tables below.
const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// Values for half a board, a-file to d-file, first rank first; the other half is its mirror image.
pub type HalfBoard = [Pair; 32];

/// Declares the weights: the struct, its one value, and the list of names with their sizes.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $value:expr;)*) => {
        /// All weights that enter the evaluation linearly; nothing but pairs inside.
        #[repr(C)]
        pub struct Weights {
            $($(#[$doc])* pub $name: $kind,)*
        }

        /// The weights in use.
        pub static W: Weights = Weights { $($name: $value,)* };

        /// Each weight's name and how many pairs it holds, in the order of the flat list.
        pub const WEIGHT_NAMES: &[(&str, usize)] =
            &[$((stringify!($name), size_of::<$kind>() / size_of::<Pair>()),)*];
    };
}

/// How many pairs there are.
pub const WEIGHT_COUNT: usize = size_of::<Weights>() / size_of::<Pair>();

/// The place of a weight in the flat list. It must be a part of [`W`].
pub fn index_of(weight: &'static Pair) -> usize {
    let offset = std::ptr::from_ref(weight).addr().wrapping_sub(std::ptr::from_ref(&W).addr());
    debug_assert!(offset < size_of::<Weights>(), "a weight from outside the list");
    offset / size_of::<Pair>()
}

weights! {
    /// What a piece is worth by itself, pawn to queen.
    material: [Pair; 5] = [p(84, 116), p(372, 384), p(388, 408), p(532, 652), p(1100, 1300)];
    /// Two bishops see squares of both colors.
    bishop_pair: Pair = p(24, 48);

    /// Where pawns stand well.
    pawn_squares: HalfBoard = [
        p(0, 0), p(0, 0), p(0, 0), p(0, 0),
        p(-8, 4), p(0, 2), p(0, 6), p(2, 6),
        p(-6, -2), p(-2, -4), p(6, -4), p(10, -4),
        p(-8, 2), p(-4, -2), p(6, -8), p(18, -10),
        p(-4, 8), p(2, 4), p(6, -4), p(16, -8),
        p(0, 14), p(6, 16), p(14, 10), p(18, 6),
        p(0, 20), p(4, 16), p(6, 14), p(8, 10),
        p(0, 0), p(0, 0), p(0, 0), p(0, 0),
    ];
    /// Where knights stand well.
    knight_squares: HalfBoard = [
        p(-95, -50), p(-35, -35), p(-30, -25), p(-25, -15),
        p(-35, -35), p(-25, -22), p(-10, -15), p(-2, -3),
        p(-28, -28), p(-5, -14), p(6, -3), p(12, 14),
        p(-18, -20), p(4, -2), p(16, 9), p(22, 20),
        p(-12, -22), p(8, -6), p(24, 10), p(30, 20),
        p(-8, -28), p(16, -16), p(34, 0), p(38, 10),
        p(-40, -36), p(-15, -24), p(14, -20), p(22, 8),
        p(-120, -60), p(-50, -42), p(-35, -28), p(-20, -10),
    ];
    /// Where bishops stand well.
    bishop_squares: HalfBoard = [
        p(-22, -20), p(-6, -14), p(-10, -16), p(-14, -6),
        p(-6, -16), p(12, -12), p(10, -8), p(2, 0),
        p(0, -8), p(12, -2), p(8, 0), p(8, 6),
        p(-4, -8), p(4, -2), p(8, 2), p(18, 8),
        p(-8, -6), p(8, 0), p(10, 0), p(20, 10),
        p(-6, -6), p(4, 2), p(6, 2), p(8, 4),
        p(-20, -10), p(-12, -6), p(-6, -2), p(-4, 0),
        p(-30, -18), p(-10, -14), p(-18, -12), p(-22, -8),
    ];
    /// Where rooks stand well.
    rook_squares: HalfBoard = [
        p(-16, -6), p(-10, -6), p(-4, -4), p(2, -6),
        p(-22, -8), p(-10, -8), p(-6, -4), p(-2, -4),
        p(-20, -2), p(-8, -4), p(-6, -4), p(-4, -4),
        p(-14, 2), p(-6, 2), p(-4, 2), p(-2, 0),
        p(-10, 4), p(-2, 4), p(2, 4), p(4, 2),
        p(-4, 6), p(6, 4), p(8, 4), p(12, 4),
        p(0, 10), p(8, 12), p(14, 12), p(18, 10),
        p(-4, 10), p(-4, 8), p(0, 10), p(6, 8),
    ];
    /// Where queens stand well.
    queen_squares: HalfBoard = [
        p(-4, -36), p(-6, -32), p(-4, -26), p(4, -22),
        p(-6, -28), p(0, -20), p(6, -18), p(8, -8),
        p(-4, -20), p(4, -8), p(4, 0), p(2, 4),
        p(-2, -10), p(2, 4), p(4, 10), p(2, 20),
        p(-4, -6), p(4, 8), p(4, 14), p(2, 24),
        p(0, -16), p(6, -6), p(6, 2), p(6, 14),
        p(-8, -20), p(-14, -6), p(2, 2), p(4, 12),
        p(0, -24), p(0, -16), p(2, -10), p(0, -6),
    ];
    /// Where the king stands well: in its corner first, in the center later.
    king_squares: HalfBoard = [
        p(60, -40), p(72, -20), p(38, -6), p(16, -10),
        p(58, -18), p(62, 0), p(26, 14), p(4, 16),
        p(22, 0), p(36, 16), p(0, 30), p(-22, 32),
        p(0, 6), p(10, 24), p(-16, 34), p(-40, 36),
        p(-14, 4), p(-4, 28), p(-32, 42), p(-52, 42),
        p(-24, 2), p(-14, 30), p(-40, 38), p(-58, 38),
        p(-38, -16), p(-30, 10), p(-50, 12), p(-66, 14),
        p(-50, -44), p(-40, -18), p(-60, -10), p(-76, -8),
    ];

    /// By how many useful squares a knight reaches.
    knight_mobility: [Pair; 9] = [
        p(-50, -60), p(-34, -42), p(-12, -24), p(-3, -10), p(3, 2), p(10, 10), p(17, 14), p(23, 16), p(28, 16),
    ];
    /// By how many useful squares a bishop reaches.
    bishop_mobility: [Pair; 14] = [
        p(-40, -52), p(-24, -34), p(-6, -16), p(2, -6), p(10, 2), p(18, 12), p(24, 20), p(28, 26),
        p(30, 30), p(33, 33), p(37, 34), p(42, 36), p(46, 38), p(50, 42),
    ];
    /// By how many useful squares a rook reaches.
    rook_mobility: [Pair; 15] = [
        p(-46, -60), p(-22, -36), p(-6, -12), p(-2, 4), p(0, 14), p(3, 24), p(6, 32), p(10, 40),
        p(15, 46), p(20, 50), p(23, 54), p(26, 58), p(29, 62), p(33, 64), p(36, 66),
    ];
    /// By how many useful squares a queen reaches.
    queen_mobility: [Pair; 28] = [
        p(-26, -46), p(-14, -32), p(-8, -20), p(-4, -12), p(0, -4), p(4, 4), p(8, 10), p(11, 16), p(14, 22),
        p(17, 28), p(19, 33), p(21, 38), p(23, 43), p(25, 47), p(27, 51), p(29, 55), p(31, 58), p(33, 61),
        p(35, 64), p(37, 67), p(39, 70), p(42, 73), p(45, 76), p(48, 79), p(51, 82), p(54, 86), p(57, 90),
        p(60, 94),
    ];

    /// A pawn with another of its color ahead on the file.
    doubled: Pair = p(-8, -26);
    /// A pawn without neighbors on the adjacent files.
    isolated: Pair = p(-4, -10);
    /// On top, when no enemy pawn on the file hides it from rooks.
    isolated_unopposed: Pair = p(-9, -12);
    /// A pawn that its neighbors have left behind and that cannot step forward safely.
    backward: Pair = p(-6, -13);
    /// On top, when no enemy pawn on the file hides it from rooks.
    backward_unopposed: Pair = p(-9, -12);
    /// A pawn without support that two enemy pawns attack.
    weak_lever: Pair = p(0, -26);
    /// Pawns side by side, by rank.
    phalanx: [Pair; 8] =
        [p(0, 0), p(4, -2), p(8, 4), p(12, 10), p(22, 22), p(48, 50), p(80, 80), p(0, 0)];
    /// A pawn that another pawn protects, by rank.
    supported: [Pair; 8] =
        [p(0, 0), p(0, 0), p(12, 8), p(10, 10), p(18, 18), p(42, 44), p(70, 74), p(0, 0)];
    /// A pawn that can become passed with the help of its neighbors, by rank.
    candidate: [Pair; 8] =
        [p(0, 0), p(0, 4), p(0, 6), p(8, 16), p(16, 32), p(30, 60), p(0, 0), p(0, 0)];

    /// A pawn that no enemy pawn can stop, by rank.
    passed: [Pair; 8] =
        [p(0, 0), p(4, 16), p(6, 20), p(8, 26), p(30, 46), p(86, 100), p(146, 150), p(0, 0)];
    /// By the pawn's distance from the edge: outside passed pawns lure the enemy away.
    passed_file: [Pair; 4] = [p(4, 4), p(0, 2), p(-5, -2), p(-8, -4)];
    /// Per step of our king from the square ahead of the pawn, by the pawn's rank.
    passed_own_king: [Pair; 8] =
        [p(0, 0), p(0, 0), p(0, 0), p(0, -2), p(0, -7), p(0, -12), p(0, -16), p(0, 0)];
    /// Per step of the enemy king from the square ahead of the pawn, by the pawn's rank.
    passed_enemy_king: [Pair; 8] =
        [p(0, 0), p(0, 0), p(0, 0), p(0, 5), p(0, 15), p(0, 27), p(0, 38), p(0, 0)];
    /// A piece stands in the way, by rank.
    passed_blocked: [Pair; 8] =
        [p(0, 0), p(0, 0), p(0, 0), p(-2, -6), p(-6, -12), p(-14, -26), p(-26, -50), p(0, 0)];
    /// The next step is safe, though a later one is not, by rank.
    passed_safe_stop: [Pair; 8] =
        [p(0, 0), p(0, 0), p(0, 0), p(3, 6), p(12, 18), p(26, 40), p(50, 80), p(0, 0)];
    /// Every step to promotion is safe, by rank.
    passed_safe_path: [Pair; 8] =
        [p(0, 0), p(0, 0), p(0, 0), p(8, 16), p(32, 50), p(64, 90), p(110, 150), p(0, 0)];
    /// We defend the next step, by rank.
    passed_defended_stop: [Pair; 8] =
        [p(0, 0), p(0, 0), p(0, 0), p(3, 4), p(9, 12), p(16, 20), p(24, 30), p(0, 0)];
    /// A rook of ours behind the pawn pushes it.
    passed_rook_behind: Pair = p(6, 18);
    /// An enemy rook behind the pawn holds it.
    passed_enemy_rook_behind: Pair = p(-6, -16);
    /// The enemy has only king and pawns, and the king is outside the square of the pawn.
    passed_unstoppable: Pair = p(0, 380);

    /// Our foremost cover on a file near the king, by distance of the file from the edge and rank of the pawn (0: none).
    shelter: [[Pair; 7]; 4] = [
        [p(-4, 0), p(46, 0), p(52, 0), p(28, 0), p(20, 0), p(14, 0), p(14, 0)],
        [p(-26, 0), p(38, 0), p(20, 0), p(-26, 0), p(-16, 0), p(-10, 0), p(-26, 0)],
        [p(-8, 0), p(44, 0), p(14, 0), p(-4, 0), p(12, 0), p(4, 0), p(-20, 0)],
        [p(-24, 0), p(-6, 0), p(-16, 0), p(-28, 0), p(-26, 0), p(-36, 0), p(-70, 0)],
    ];
    /// The nearest enemy pawn on a file near the king, when it can still advance, indexed alike.
    storm: [[Pair; 7]; 4] = [
        [p(-40, 0), p(60, 0), p(40, 0), p(-50, 0), p(-26, 0), p(-22, 0), p(-22, 0)],
        [p(-22, 0), p(10, 0), p(-62, 0), p(-26, 0), p(-16, 0), p(2, 0), p(-10, 0)],
        [p(2, 0), p(-26, 0), p(-84, 0), p(-20, 0), p(0, 0), p(6, 0), p(4, 0)],
        [p(6, 0), p(4, 0), p(-52, 0), p(-4, 0), p(-4, 0), p(6, 0), p(12, 0)],
    ];
    /// The nearest enemy pawn, when our pawn blocks it, by its rank.
    storm_blocked: [Pair; 7] = [p(0, 0), p(0, 0), p(-40, -42), p(4, -6), p(2, -5), p(0, -3), p(0, 0)];
    /// Per step of the king from the nearest own pawn.
    king_pawn_distance: Pair = p(0, -8);
    /// No pawn of either side on the king's flank.
    king_bare_flank: Pair = p(-9, -46);
    /// Per square of the king's flank that the enemy attacks.
    king_flank_attack: Pair = p(-4, 0);

    /// A knight on a square that no enemy pawn can attack, protected by a pawn.
    knight_outpost: Pair = p(30, 20);
    /// Such a square is one jump away.
    knight_reaches_outpost: Pair = p(16, 10);
    /// A bishop on such a square.
    bishop_outpost: Pair = p(18, 12);
    /// A minor piece right behind a pawn is sheltered.
    knight_behind_pawn: Pair = p(8, 2);
    /// The same for a bishop.
    bishop_behind_pawn: Pair = p(8, 2);
    /// Per step of a knight from its king.
    knight_king_distance: Pair = p(-4, -4);
    /// Per step of a bishop from its king.
    bishop_king_distance: Pair = p(-3, -4);
    /// Per own pawn on the bishop's color, more with a blocked center.
    bishop_pawns: Pair = p(-2, -4);
    /// A bishop that looks along a diagonal through the center.
    bishop_long_diagonal: Pair = p(22, 0);
    /// Per enemy pawn on the bishop's lines.
    bishop_bites_pawns: Pair = p(-2, -3);

    /// A rook on a file without pawns.
    rook_open_file: Pair = p(24, 14);
    /// A rook on a file without own pawns.
    rook_half_open_file: Pair = p(10, 6);
    /// A rook behind an own pawn that cannot move.
    rook_closed_file: Pair = p(-5, -3);
    /// A rook on the seventh with pawns to eat or a king to cut off.
    rook_seventh: Pair = p(4, 18);
    /// A rook shut in by its own king.
    rook_trapped: Pair = p(-30, -6);
    /// On top, when castling can no longer free it.
    rook_trapped_for_good: Pair = p(-28, -6);

    /// A queen with one piece between it and an enemy slider.
    queen_exposed: Pair = p(-28, -8);
    /// A queen in the enemy camp where no pawn can ever attack it.
    queen_infiltration: Pair = p(-1, 8);

    /// What a knight or bishop attacks, by kind of the target.
    threat_by_minor: [Pair; 5] = [p(3, 16), p(30, 21), p(40, 28), p(46, 60), p(42, 80)];
    /// What a rook attacks that is not well protected, by kind of the target.
    threat_by_rook: [Pair; 5] = [p(2, 22), p(20, 34), p(22, 30), p(0, 20), p(32, 24)];
    /// The king attacks something that is not well protected.
    threat_by_king: Pair = p(12, 44);
    /// Attacked and not protected at all, or attacked twice.
    hanging: Pair = p(36, 18);
    /// Protected by the queen alone, which is then tied down.
    queen_protects_weak: Pair = p(8, 0);
    /// Squares the enemy attacks that we contest.
    restricted: Pair = p(4, 4);
    /// A safe pawn attacks a piece.
    threat_by_pawn: Pair = p(90, 48);
    /// A safe pawn push would attack a piece.
    threat_by_push: Pair = p(25, 20);
    /// A knight can attack the queen with its next jump.
    knight_hits_queen: Pair = p(8, 6);
    /// A slider can attack the queen with its next move.
    slider_hits_queen: Pair = p(32, 10);

    /// Safe squares behind our center pawns while many pieces are on the board.
    space: Pair = p(1, 0);
}

/// What having the move is worth.
pub const TEMPO: i32 = 16;

/// King danger: how the pieces that aim at the king add up before the sum is squared. About 100 units are a small
/// nuisance, 2,000 a lost king.
pub mod danger {
    /// By kind of the attacking piece, pawn to king.
    pub const ATTACKER: [i32; 6] = [0, 80, 52, 46, 16, 0];
    /// Per square next to the king that is attacked, once for each attacker.
    pub const ADJACENT_ATTACK: i32 = 68;
    /// Per square of the ring that only king or queen defend.
    pub const WEAK_RING: i32 = 180;
    /// Safe checks by kind of the checking piece, for one such square and for several.
    pub const SAFE_CHECK: [[i32; 2]; 6] =
        [[0, 0], [780, 1250], [640, 960], [1080, 1850], [760, 1120], [0, 0]];
    /// Per square from which a check is possible, though not safe.
    pub const UNSAFE_CHECK: i32 = 145;
    /// Per piece that is pinned to the king or may open a line to it.
    pub const PINNED: i32 = 96;
    /// Attacks on the king's flank are squared, times this, in eighths.
    pub const FLANK_ATTACK_EIGHTHS: i32 = 3;
    /// Per square of the king's flank that is defended.
    pub const FLANK_DEFENSE: i32 = -4;
    /// The attacker has no queen.
    pub const NO_QUEEN: i32 = -870;
    /// A knight stands guard next to the king.
    pub const KNIGHT_GUARD: i32 = -96;
    /// Per centipawn of shelter.
    pub const SHELTER: i32 = -1;
    /// Per centipawn by which the attacker is more mobile.
    pub const MOBILITY: i32 = 1;
    /// Every king is in some danger.
    pub const BASE: i32 = 36;
    /// Danger up to this is ignored.
    pub const THRESHOLD: i32 = 100;
    /// More danger than this does not count: the king is lost anyhow.
    pub const CEILING: i32 = 3000;
    /// The squared danger is divided by this for the middlegame.
    pub const MIDDLEGAME_DIVISOR: i32 = 8000;
    /// The danger is divided by this for the endgame.
    pub const ENDGAME_DIVISOR: i32 = 34;
}

/// Initiative: whether the better side can still make something of it.
pub mod initiative {
    /// Per passed pawn.
    pub const PASSED: i32 = 5;
    /// Per pawn.
    pub const PAWN: i32 = 6;
    /// Per file that the kings are apart more than ranks.
    pub const OUTFLANKING: i32 = 5;
    /// Pawns on both flanks.
    pub const BOTH_FLANKS: i32 = 11;
    /// A king has crossed the middle.
    pub const INFILTRATION: i32 = 12;
    /// Only kings and pawns are left.
    pub const PAWN_ENDGAME: i32 = 26;
    /// Pawns on one flank and kings that face each other.
    pub const ALMOST_UNWINNABLE: i32 = -22;
    /// What everything starts from.
    pub const BASE: i32 = -56;
    /// The middlegame suffers this much less.
    pub const MIDDLEGAME_RELIEF: i32 = 26;
}

/// Endgames that are won or nearly drawn.
pub mod endgame {
    /// The enemy has a bare king and we have what it takes to mate.
    pub const KNOWN_WIN: i32 = 600;
    /// Per step of the bare king from the center.
    pub const EDGE_STEP: i32 = 24;
    /// Per step of the kings towards each other.
    pub const KINGS_STEP: i32 = 12;
    /// Per step of the bare king towards a corner where bishop and knight can mate.
    pub const CORNER_STEP: i32 = 40;
    /// The scale of a normal position.
    pub const NORMAL: i32 = 64;
    /// The scale of what is almost surely drawn.
    pub const DRAWISH: i32 = 4;
    /// The scale of a small advantage without pawns.
    pub const NO_PAWNS: i32 = 14;
}
