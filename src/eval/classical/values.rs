//! The values of the classical evaluation; what each means stands in `weights.rs`.
//!
//! Written by `rosada tune`: the next fit replaces what is changed here by hand.
//!
//! Fitted to 89,194 positions and validated on
//! 8,412 of other games, 1,795 games in all;
//! lambda 0.6, 169.6 centipawns per logistic unit.
//! Logistic loss at the start: training 0.488409, validation 0.480450.
//! After 50 epochs: training 0.473275, validation 0.469907.

use super::pair::Pair;
use super::weights::{Danger, Initiative, Weights};

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// What having the move is worth.
pub const TEMPO: i32 = 23;

/// The weights in use.
#[rustfmt::skip]
pub static W: Weights = Weights {
    material: [p(84, 149), p(451, 370), p(473, 432), p(597, 674), p(1361, 1283)],
    bishop_pair: p(19, 67),
    pawn_squares: [
        p(0, 0), p(0, 0), p(0, 0), p(0, 0),
        p(-20, 12), p(4, 5), p(-2, 14), p(7, 10),
        p(-7, -10), p(-3, 6), p(4, -4), p(12, -10),
        p(-5, 3), p(-17, 2), p(3, -10), p(16, -16),
        p(-7, 12), p(9, 3), p(8, -16), p(16, -12),
        p(14, 25), p(8, 17), p(12, 6), p(41, 15),
        p(2, 19), p(4, 3), p(2, 15), p(7, 19),
        p(0, 0), p(0, 0), p(0, 0), p(0, 0),
    ],
    knight_squares: [
        p(-99, -42), p(-47, -33), p(-25, -18), p(-37, -20),
        p(-47, -33), p(-28, -19), p(-2, -30), p(-9, 5),
        p(-27, -30), p(-7, -12), p(8, -5), p(10, 10),
        p(-4, -28), p(5, 3), p(18, 13), p(23, 11),
        p(-8, -12), p(21, -6), p(27, 9), p(33, 17),
        p(-2, -19), p(5, -19), p(46, 4), p(46, 14),
        p(-36, -39), p(-29, -27), p(28, -24), p(21, 6),
        p(-163, -76), p(-50, -43), p(-41, -32), p(-23, -11),
    ],
    bishop_squares: [
        p(-40, -27), p(1, -15), p(-21, -25), p(-8, -10),
        p(-5, -10), p(20, -18), p(11, -3), p(-4, 5),
        p(6, -11), p(16, 7), p(5, -1), p(15, 9),
        p(-11, -6), p(4, -2), p(11, -10), p(39, 6),
        p(6, -2), p(7, 0), p(6, -2), p(23, 11),
        p(-2, -3), p(1, 2), p(4, 6), p(4, 4),
        p(-32, -12), p(-14, -2), p(-8, 1), p(-3, -1),
        p(-19, -15), p(-14, -20), p(-23, -19), p(-22, -4),
    ],
    rook_squares: [
        p(-15, -15), p(0, -9), p(-14, -1), p(1, -13),
        p(-32, -2), p(-19, -12), p(-5, -4), p(-5, -5),
        p(-9, -4), p(-10, -11), p(-4, -2), p(-10, -2),
        p(-4, 15), p(-10, 1), p(-7, -3), p(5, 7),
        p(-12, 0), p(-1, 4), p(7, 5), p(5, 4),
        p(-3, 14), p(9, 17), p(5, 4), p(17, 7),
        p(-7, 4), p(7, 2), p(17, 3), p(17, -7),
        p(-3, 13), p(6, 23), p(1, 6), p(8, 12),
    ],
    queen_squares: [
        p(0, -31), p(-18, -40), p(-3, -27), p(7, -31),
        p(-14, -35), p(-1, -26), p(10, -19), p(-4, -16),
        p(-7, -23), p(18, -6), p(0, -3), p(5, 10),
        p(-3, -10), p(-5, 1), p(0, 13), p(2, 23),
        p(5, -4), p(1, 6), p(-2, 12), p(1, 26),
        p(9, -12), p(5, -7), p(6, 4), p(6, 20),
        p(-8, -18), p(-12, -4), p(7, 4), p(2, 10),
        p(-2, -24), p(2, -13), p(3, -9), p(0, -5),
    ],
    king_squares: [
        p(61, -65), p(82, -34), p(59, -16), p(2, 0),
        p(58, -10), p(35, -3), p(37, 11), p(-2, 16),
        p(28, 5), p(39, 1), p(-4, 28), p(-16, 27),
        p(-1, 2), p(9, 18), p(-15, 33), p(-48, 43),
        p(-13, 7), p(-4, 38), p(-35, 58), p(-56, 30),
        p(-23, 3), p(-11, 42), p(-35, 44), p(-55, 41),
        p(-39, -16), p(-27, 13), p(-51, 19), p(-60, 23),
        p(-49, -49), p(-38, -15), p(-57, -8), p(-74, -7),
    ],
    knight_mobility: [
        p(-36, -42), p(-29, -50), p(-12, -27), p(0, -11), p(3, 8), p(7, 15), p(16, 18), p(20, 13), p(31, 1),
    ],
    bishop_mobility: [
        p(-22, -33), p(-11, -43), p(-4, -15), p(1, -6), p(10, 9), p(12, 22), p(20, 21), p(24, 25), p(24, 29),
        p(29, 26), p(25, 26), p(46, 23), p(42, 30), p(44, 32),
    ],
    rook_mobility: [
        p(-43, -54), p(-14, -44), p(-1, -14), p(-2, 11), p(-1, 22), p(1, 34), p(4, 37), p(2, 36), p(12, 50),
        p(15, 48), p(20, 50), p(26, 60), p(25, 56), p(32, 68), p(63, 27),
    ],
    queen_mobility: [
        p(-25, -46), p(-14, -31), p(0, -19), p(-9, -13), p(-3, -5), p(14, 5), p(8, 7), p(16, 11), p(15, 26),
        p(14, 23), p(15, 32), p(21, 50), p(23, 52), p(19, 51), p(20, 65), p(33, 49), p(34, 66), p(39, 65),
        p(32, 70), p(35, 73), p(30, 65), p(31, 56), p(45, 75), p(47, 65), p(51, 79), p(51, 65), p(57, 90),
        p(58, 89),
    ],
    doubled: p(-29, -32),
    isolated: p(-3, -5),
    isolated_unopposed: p(-10, -11),
    backward: p(-1, -10),
    backward_unopposed: p(-24, -7),
    weak_lever: p(-1, -27),
    phalanx: [p(0, 0), p(9, -3), p(11, 6), p(17, 6), p(16, 22), p(48, 60), p(80, 82), p(0, 0)],
    supported: [p(0, 0), p(0, 0), p(18, 5), p(19, 0), p(33, 9), p(48, 58), p(78, 89), p(0, 0)],
    candidate: [p(0, 0), p(8, -1), p(-7, 1), p(-5, 24), p(-4, 23), p(28, 52), p(0, 0), p(0, 0)],
    passed: [p(0, 0), p(-9, 18), p(2, 8), p(12, 39), p(38, 41), p(71, 118), p(121, 134), p(0, 0)],
    passed_file: [p(5, -3), p(-13, 4), p(-10, 1), p(-1, 0)],
    passed_own_king: [p(0, 0), p(0, 0), p(0, 0), p(-4, -13), p(3, -21), p(-8, -26), p(-9, -28), p(0, 0)],
    passed_enemy_king: [p(0, 0), p(0, 0), p(0, 0), p(-2, 12), p(-10, 30), p(5, 35), p(9, 59), p(0, 0)],
    passed_blocked: [p(0, 0), p(0, 0), p(0, 0), p(3, -2), p(-13, -7), p(-11, -19), p(-29, -51), p(0, 0)],
    passed_safe_stop: [p(0, 0), p(0, 0), p(0, 0), p(4, 10), p(6, 17), p(24, 30), p(50, 80), p(0, 0)],
    passed_safe_path: [p(0, 0), p(0, 0), p(0, 0), p(7, 18), p(29, 41), p(51, 69), p(108, 129), p(0, 0)],
    passed_defended_stop: [p(0, 0), p(0, 0), p(0, 0), p(8, 12), p(25, 27), p(23, 31), p(30, 42), p(0, 0)],
    passed_rook_behind: p(7, 16),
    passed_enemy_rook_behind: p(-8, -28),
    passed_unstoppable: p(0, 353),
    shelter: [
        [p(-1, 18), p(51, -13), p(53, -10), p(23, 0), p(42, 0), p(10, -2), p(16, 0)],
        [p(-38, 1), p(43, 0), p(27, -9), p(3, 8), p(-23, 0), p(-16, -2), p(-22, -3)],
        [p(6, 6), p(42, 2), p(0, -7), p(-5, -1), p(5, -5), p(7, 3), p(-21, 1)],
        [p(-37, -6), p(-10, -5), p(-35, -1), p(-25, 3), p(-5, 8), p(-29, 3), p(-53, 4)],
    ],
    storm: [
        [p(-30, 5), p(76, 7), p(30, -3), p(-52, 12), p(-24, -7), p(-11, -6), p(-32, -2)],
        [p(-39, 8), p(6, -1), p(-62, 4), p(-14, -2), p(-7, -1), p(3, 7), p(3, -14)],
        [p(11, 0), p(-16, 3), p(-114, -7), p(-30, -3), p(-8, -2), p(7, 11), p(7, 3)],
        [p(15, 5), p(3, -4), p(-41, -2), p(-1, -2), p(-7, -3), p(4, 4), p(11, 3)],
    ],
    storm_blocked: [p(0, 0), p(0, 0), p(-65, -35), p(3, -22), p(6, 1), p(-3, -6), p(-3, -4)],
    king_pawn_distance: p(-7, -1),
    king_bare_flank: p(-9, -65),
    king_flank_attack: p(-2, 0),
    knight_outpost: p(37, 14),
    knight_reaches_outpost: p(27, 15),
    bishop_outpost: p(24, 4),
    knight_behind_pawn: p(4, 12),
    bishop_behind_pawn: p(3, 8),
    knight_king_distance: p(-3, 3),
    bishop_king_distance: p(-2, -5),
    bishop_pawns: p(-1, -5),
    bishop_long_diagonal: p(24, 13),
    bishop_bites_pawns: p(-11, -2),
    rook_open_file: p(38, 5),
    rook_half_open_file: p(11, 11),
    rook_closed_file: p(-9, 9),
    rook_seventh: p(1, 16),
    rook_trapped: p(-16, -2),
    rook_trapped_for_good: p(-39, -8),
    queen_exposed: p(-26, -13),
    queen_infiltration: p(16, 26),
    threat_by_minor: [p(14, 15), p(21, 27), p(39, 29), p(73, 39), p(39, 73)],
    threat_by_rook: [p(9, 26), p(17, 24), p(16, 26), p(-2, 18), p(40, 25)],
    threat_by_king: p(6, 37),
    hanging: p(15, 32),
    queen_protects_weak: p(7, 9),
    restricted: p(5, 0),
    threat_by_pawn: p(89, 39),
    threat_by_push: p(31, 13),
    knight_hits_queen: p(9, 10),
    slider_hits_queen: p(18, 17),
    space_64ths: p(79, 0),
};

/// The king danger in use.
#[rustfmt::skip]
pub static DANGER: Danger = Danger {
    attacker: [0, 58, 45, 36, 18, 0],
    adjacent_attack: 56,
    weak_ring: 125,
    safe_check: [
        [0, 0],
        [652, 795],
        [519, 809],
        [765, 1189],
        [523, 767],
        [0, 0],
    ],
    unsafe_check: 124,
    pinned: 84,
    flank_attack_64ths: 26,
    flank_defense: -12,
    no_queen: -1221,
    knight_guard: -97,
    shelter_64ths: -90,
    mobility_64ths: 71,
    base: 25,
};

/// The initiative in use.
#[rustfmt::skip]
pub static INITIATIVE: Initiative = Initiative {
    passed: 18,
    pawn: 9,
    outflanking: -3,
    both_flanks: 24,
    infiltration: -16,
    pawn_endgame: 28,
    almost_unwinnable: -21,
    base: -87,
    middlegame_relief: 0,
};
