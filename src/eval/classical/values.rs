//! The values of the classical evaluation; what each means stands in `weights.rs`.
//!
//! Written by `rosada tune`: the next fit replaces what is changed here by hand.
//!
//! Set by hand, not fitted yet.

use super::pair::Pair;
use super::weights::{Danger, Initiative, Weights};

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// What having the move is worth.
pub const TEMPO: i32 = 16;

/// The weights in use.
#[rustfmt::skip]
pub static W: Weights = Weights {
    material: [p(84, 116), p(372, 384), p(388, 408), p(532, 652), p(1100, 1300)],
    bishop_pair: p(24, 48),
    pawn_squares: [
        p(0, 0), p(0, 0), p(0, 0), p(0, 0),
        p(-8, 4), p(0, 2), p(0, 6), p(2, 6),
        p(-6, -2), p(-2, -4), p(6, -4), p(10, -4),
        p(-8, 2), p(-4, -2), p(6, -8), p(18, -10),
        p(-4, 8), p(2, 4), p(6, -4), p(16, -8),
        p(0, 14), p(6, 16), p(14, 10), p(18, 6),
        p(0, 20), p(4, 16), p(6, 14), p(8, 10),
        p(0, 0), p(0, 0), p(0, 0), p(0, 0),
    ],
    knight_squares: [
        p(-95, -50), p(-35, -35), p(-30, -25), p(-25, -15),
        p(-35, -35), p(-25, -22), p(-10, -15), p(-2, -3),
        p(-28, -28), p(-5, -14), p(6, -3), p(12, 14),
        p(-18, -20), p(4, -2), p(16, 9), p(22, 20),
        p(-12, -22), p(8, -6), p(24, 10), p(30, 20),
        p(-8, -28), p(16, -16), p(34, 0), p(38, 10),
        p(-40, -36), p(-15, -24), p(14, -20), p(22, 8),
        p(-120, -60), p(-50, -42), p(-35, -28), p(-20, -10),
    ],
    bishop_squares: [
        p(-22, -20), p(-6, -14), p(-10, -16), p(-14, -6),
        p(-6, -16), p(12, -12), p(10, -8), p(2, 0),
        p(0, -8), p(12, -2), p(8, 0), p(8, 6),
        p(-4, -8), p(4, -2), p(8, 2), p(18, 8),
        p(-8, -6), p(8, 0), p(10, 0), p(20, 10),
        p(-6, -6), p(4, 2), p(6, 2), p(8, 4),
        p(-20, -10), p(-12, -6), p(-6, -2), p(-4, 0),
        p(-30, -18), p(-10, -14), p(-18, -12), p(-22, -8),
    ],
    rook_squares: [
        p(-16, -6), p(-10, -6), p(-4, -4), p(2, -6),
        p(-22, -8), p(-10, -8), p(-6, -4), p(-2, -4),
        p(-20, -2), p(-8, -4), p(-6, -4), p(-4, -4),
        p(-14, 2), p(-6, 2), p(-4, 2), p(-2, 0),
        p(-10, 4), p(-2, 4), p(2, 4), p(4, 2),
        p(-4, 6), p(6, 4), p(8, 4), p(12, 4),
        p(0, 10), p(8, 12), p(14, 12), p(18, 10),
        p(-4, 10), p(-4, 8), p(0, 10), p(6, 8),
    ],
    queen_squares: [
        p(-4, -36), p(-6, -32), p(-4, -26), p(4, -22),
        p(-6, -28), p(0, -20), p(6, -18), p(8, -8),
        p(-4, -20), p(4, -8), p(4, 0), p(2, 4),
        p(-2, -10), p(2, 4), p(4, 10), p(2, 20),
        p(-4, -6), p(4, 8), p(4, 14), p(2, 24),
        p(0, -16), p(6, -6), p(6, 2), p(6, 14),
        p(-8, -20), p(-14, -6), p(2, 2), p(4, 12),
        p(0, -24), p(0, -16), p(2, -10), p(0, -6),
    ],
    king_squares: [
        p(60, -40), p(72, -20), p(38, -6), p(16, -10),
        p(58, -18), p(62, 0), p(26, 14), p(4, 16),
        p(22, 0), p(36, 16), p(0, 30), p(-22, 32),
        p(0, 6), p(10, 24), p(-16, 34), p(-40, 36),
        p(-14, 4), p(-4, 28), p(-32, 42), p(-52, 42),
        p(-24, 2), p(-14, 30), p(-40, 38), p(-58, 38),
        p(-38, -16), p(-30, 10), p(-50, 12), p(-66, 14),
        p(-50, -44), p(-40, -18), p(-60, -10), p(-76, -8),
    ],
    knight_mobility: [
        p(-50, -60), p(-34, -42), p(-12, -24), p(-3, -10), p(3, 2), p(10, 10), p(17, 14), p(23, 16),
        p(28, 16),
    ],
    bishop_mobility: [
        p(-40, -52), p(-24, -34), p(-6, -16), p(2, -6), p(10, 2), p(18, 12), p(24, 20), p(28, 26), p(30, 30),
        p(33, 33), p(37, 34), p(42, 36), p(46, 38), p(50, 42),
    ],
    rook_mobility: [
        p(-46, -60), p(-22, -36), p(-6, -12), p(-2, 4), p(0, 14), p(3, 24), p(6, 32), p(10, 40), p(15, 46),
        p(20, 50), p(23, 54), p(26, 58), p(29, 62), p(33, 64), p(36, 66),
    ],
    queen_mobility: [
        p(-26, -46), p(-14, -32), p(-8, -20), p(-4, -12), p(0, -4), p(4, 4), p(8, 10), p(11, 16), p(14, 22),
        p(17, 28), p(19, 33), p(21, 38), p(23, 43), p(25, 47), p(27, 51), p(29, 55), p(31, 58), p(33, 61),
        p(35, 64), p(37, 67), p(39, 70), p(42, 73), p(45, 76), p(48, 79), p(51, 82), p(54, 86), p(57, 90),
        p(60, 94),
    ],
    doubled: p(-8, -26),
    isolated: p(-4, -10),
    isolated_unopposed: p(-9, -12),
    backward: p(-6, -13),
    backward_unopposed: p(-9, -12),
    weak_lever: p(0, -26),
    phalanx: [p(0, 0), p(4, -2), p(8, 4), p(12, 10), p(22, 22), p(48, 50), p(80, 80), p(0, 0)],
    supported: [p(0, 0), p(0, 0), p(12, 8), p(10, 10), p(18, 18), p(42, 44), p(70, 74), p(0, 0)],
    candidate: [p(0, 0), p(0, 4), p(0, 6), p(8, 16), p(16, 32), p(30, 60), p(0, 0), p(0, 0)],
    passed: [p(0, 0), p(4, 16), p(6, 20), p(8, 26), p(30, 46), p(86, 100), p(146, 150), p(0, 0)],
    passed_file: [p(4, 4), p(0, 2), p(-5, -2), p(-8, -4)],
    passed_own_king: [p(0, 0), p(0, 0), p(0, 0), p(0, -2), p(0, -7), p(0, -12), p(0, -16), p(0, 0)],
    passed_enemy_king: [p(0, 0), p(0, 0), p(0, 0), p(0, 5), p(0, 15), p(0, 27), p(0, 38), p(0, 0)],
    passed_blocked: [p(0, 0), p(0, 0), p(0, 0), p(-2, -6), p(-6, -12), p(-14, -26), p(-26, -50), p(0, 0)],
    passed_safe_stop: [p(0, 0), p(0, 0), p(0, 0), p(3, 6), p(12, 18), p(26, 40), p(50, 80), p(0, 0)],
    passed_safe_path: [p(0, 0), p(0, 0), p(0, 0), p(8, 16), p(32, 50), p(64, 90), p(110, 150), p(0, 0)],
    passed_defended_stop: [p(0, 0), p(0, 0), p(0, 0), p(3, 4), p(9, 12), p(16, 20), p(24, 30), p(0, 0)],
    passed_rook_behind: p(6, 18),
    passed_enemy_rook_behind: p(-6, -16),
    passed_unstoppable: p(0, 380),
    shelter: [
        [p(-4, 0), p(46, 0), p(52, 0), p(28, 0), p(20, 0), p(14, 0), p(14, 0)],
        [p(-26, 0), p(38, 0), p(20, 0), p(-26, 0), p(-16, 0), p(-10, 0), p(-26, 0)],
        [p(-8, 0), p(44, 0), p(14, 0), p(-4, 0), p(12, 0), p(4, 0), p(-20, 0)],
        [p(-24, 0), p(-6, 0), p(-16, 0), p(-28, 0), p(-26, 0), p(-36, 0), p(-70, 0)],
    ],
    storm: [
        [p(-40, 0), p(60, 0), p(40, 0), p(-50, 0), p(-26, 0), p(-22, 0), p(-22, 0)],
        [p(-22, 0), p(10, 0), p(-62, 0), p(-26, 0), p(-16, 0), p(2, 0), p(-10, 0)],
        [p(2, 0), p(-26, 0), p(-84, 0), p(-20, 0), p(0, 0), p(6, 0), p(4, 0)],
        [p(6, 0), p(4, 0), p(-52, 0), p(-4, 0), p(-4, 0), p(6, 0), p(12, 0)],
    ],
    storm_blocked: [p(0, 0), p(0, 0), p(-40, -42), p(4, -6), p(2, -5), p(0, -3), p(0, 0)],
    king_pawn_distance: p(0, -8),
    king_bare_flank: p(-9, -46),
    king_flank_attack: p(-4, 0),
    knight_outpost: p(30, 20),
    knight_reaches_outpost: p(16, 10),
    bishop_outpost: p(18, 12),
    knight_behind_pawn: p(8, 2),
    bishop_behind_pawn: p(8, 2),
    knight_king_distance: p(-4, -4),
    bishop_king_distance: p(-3, -4),
    bishop_pawns: p(-2, -4),
    bishop_long_diagonal: p(22, 0),
    bishop_bites_pawns: p(-2, -3),
    rook_open_file: p(24, 14),
    rook_half_open_file: p(10, 6),
    rook_closed_file: p(-5, -3),
    rook_seventh: p(4, 18),
    rook_trapped: p(-30, -6),
    rook_trapped_for_good: p(-28, -6),
    queen_exposed: p(-28, -8),
    queen_infiltration: p(-1, 8),
    threat_by_minor: [p(3, 16), p(30, 21), p(40, 28), p(46, 60), p(42, 80)],
    threat_by_rook: [p(2, 22), p(20, 34), p(22, 30), p(0, 20), p(32, 24)],
    threat_by_king: p(12, 44),
    hanging: p(36, 18),
    queen_protects_weak: p(8, 0),
    restricted: p(4, 4),
    threat_by_pawn: p(90, 48),
    threat_by_push: p(25, 20),
    knight_hits_queen: p(8, 6),
    slider_hits_queen: p(32, 10),
    space_64ths: p(64, 0),
};

/// The king danger in use.
#[rustfmt::skip]
pub static DANGER: Danger = Danger {
    attacker: [0, 80, 52, 46, 16, 0],
    adjacent_attack: 68,
    weak_ring: 180,
    safe_check: [
        [0, 0],
        [780, 1250],
        [640, 960],
        [1080, 1850],
        [760, 1120],
        [0, 0],
    ],
    unsafe_check: 145,
    pinned: 96,
    flank_attack_64ths: 24,
    flank_defense: -4,
    no_queen: -870,
    knight_guard: -96,
    shelter_64ths: -64,
    mobility_64ths: 64,
    base: 36,
};

/// The initiative in use.
#[rustfmt::skip]
pub static INITIATIVE: Initiative = Initiative {
    passed: 5,
    pawn: 6,
    outflanking: 5,
    both_flanks: 11,
    infiltration: 12,
    pawn_endgame: 26,
    almost_unwinnable: -22,
    base: -56,
    middlegame_relief: 26,
};
