//! The values of the classical evaluation; what each means stands in `weights.rs`.
//!
//! Written by `rosada tune`: the next fit replaces what is changed here by hand.
//!
//! Fitted to 388,415 positions and validated on
//! 41,372 of other games, 7,889 games in all;
//! lambda 0.6, 150.1 centipawns per logistic unit.
//! Logistic loss at the start: training 0.510386, validation 0.515804.
//! After 20 epochs: training 0.500178, validation 0.507468.

use super::pair::Pair;
use super::weights::{Danger, Initiative, Weights};

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// What having the move is worth.
pub const TEMPO: i32 = 18;

/// The weights in use.
#[rustfmt::skip]
pub static W: Weights = Weights {
    material: [p(68, 186), p(359, 603), p(378, 639), p(441, 1013), p(1323, 1605)],
    bishop_pair: p(11, 77),
    pawn_squares: [
        p(0, 0), p(0, 0), p(0, 0), p(0, 0),
        p(-16, -1), p(3, 3), p(11, 9), p(6, 12),
        p(-15, -11), p(-9, -4), p(-4, 0), p(9, -3),
        p(-12, 1), p(-3, 3), p(4, -9), p(10, -11),
        p(2, 16), p(11, 6), p(-4, -4), p(20, -6),
        p(22, 28), p(0, 36), p(-7, 1), p(49, 19),
        p(4, 24), p(1, -2), p(-1, 18), p(17, 29),
        p(0, 0), p(0, 0), p(0, 0), p(0, 0),
    ],
    knight_squares: [
        p(-53, -53), p(-37, -32), p(-39, -27), p(-16, -15),
        p(-30, -24), p(-27, -14), p(-9, -26), p(-12, -5),
        p(-18, -15), p(1, -27), p(-6, 0), p(-7, 17),
        p(-3, -30), p(8, -1), p(10, 24), p(7, 17),
        p(19, -17), p(11, -3), p(15, 9), p(19, 21),
        p(-2, -15), p(18, -4), p(20, -2), p(38, 17),
        p(-11, -24), p(-3, -8), p(38, -21), p(42, 3),
        p(-145, -57), p(-57, -38), p(-46, -18), p(-14, -8),
    ],
    bishop_squares: [
        p(-24, -31), p(5, -7), p(-12, -25), p(-16, -6),
        p(15, -12), p(0, -18), p(15, -12), p(-3, -2),
        p(10, -7), p(19, -4), p(-6, -12), p(8, 8),
        p(-6, -6), p(15, 3), p(18, -3), p(28, 10),
        p(-6, 1), p(4, 7), p(12, 4), p(23, 7),
        p(-8, -9), p(4, 6), p(-3, -3), p(21, 7),
        p(-25, 4), p(-33, -11), p(-4, 6), p(-2, 3),
        p(-22, -11), p(-13, -6), p(-27, -14), p(-21, 6),
    ],
    rook_squares: [
        p(-17, -18), p(-9, -16), p(-10, -12), p(8, -26),
        p(-40, -6), p(-12, -16), p(-10, -1), p(-18, 1),
        p(-29, -3), p(-18, -5), p(-7, 0), p(-6, -7),
        p(-14, 5), p(-11, 7), p(8, 8), p(7, 3),
        p(-13, 22), p(1, 9), p(10, 10), p(7, 4),
        p(-4, 11), p(13, 18), p(3, 5), p(24, 1),
        p(-5, 3), p(-2, -3), p(10, -11), p(26, -7),
        p(15, 23), p(14, 26), p(7, 22), p(11, 18),
    ],
    queen_squares: [
        p(-3, -45), p(-8, -49), p(-11, -34), p(-5, -40),
        p(-14, -27), p(-8, -28), p(7, -26), p(8, -21),
        p(-1, -29), p(11, -5), p(8, -10), p(5, 16),
        p(-4, -8), p(8, 3), p(8, 22), p(-7, 27),
        p(-1, -14), p(12, 11), p(-4, 13), p(-6, 27),
        p(-2, -14), p(9, -1), p(7, 8), p(0, 17),
        p(0, -4), p(-13, -2), p(6, 4), p(-1, 7),
        p(0, -22), p(5, -14), p(11, -2), p(0, -6),
    ],
    king_squares: [
        p(45, -68), p(54, -24), p(47, -24), p(15, -16),
        p(31, -18), p(16, -8), p(28, 6), p(1, 9),
        p(11, -14), p(25, 1), p(1, 24), p(-10, 25),
        p(-4, 0), p(16, 19), p(-7, 35), p(-54, 44),
        p(-10, 11), p(-3, 43), p(-37, 58), p(-59, 59),
        p(-26, -1), p(-7, 64), p(-31, 66), p(-53, 65),
        p(-43, -23), p(-21, 33), p(-35, 47), p(-51, 23),
        p(-52, -81), p(-27, 0), p(-42, 2), p(-65, -4),
    ],
    knight_mobility: [
        p(-23, -29), p(-13, -59), p(-10, -8), p(-5, 4), p(-1, 10), p(-1, 21), p(4, 19), p(11, 14), p(12, 5),
    ],
    bishop_mobility: [
        p(-19, -34), p(-13, -26), p(4, -13), p(4, 3), p(10, 10), p(13, 21), p(14, 26), p(14, 28), p(12, 35),
        p(17, 35), p(33, 24), p(15, 24), p(40, 26), p(19, 23),
    ],
    rook_mobility: [
        p(-36, -48), p(-9, -51), p(-3, -8), p(1, -2), p(-3, 19), p(-1, 30), p(0, 39), p(3, 46), p(9, 51),
        p(10, 55), p(14, 57), p(15, 66), p(19, 68), p(19, 65), p(63, 44),
    ],
    queen_mobility: [
        p(-16, -38), p(3, -23), p(-5, -15), p(-2, -10), p(8, -6), p(11, 5), p(10, 10), p(13, 14), p(14, 16),
        p(11, 28), p(20, 34), p(21, 47), p(22, 52), p(19, 70), p(20, 71), p(21, 70), p(23, 81), p(22, 80),
        p(27, 74), p(26, 70), p(30, 55), p(34, 22), p(40, 56), p(39, 31), p(48, 68), p(39, 37), p(50, 76),
        p(51, 67),
    ],
    doubled: p(-7, -20),
    isolated: p(-3, -13),
    isolated_unopposed: p(-9, -11),
    backward: p(1, -5),
    backward_unopposed: p(-4, -15),
    weak_lever: p(-1, -22),
    phalanx: [p(0, 0), p(6, -3), p(4, 8), p(10, 9), p(24, 37), p(53, 63), p(83, 93), p(0, 0)],
    supported: [p(0, 0), p(0, 0), p(19, 13), p(11, 9), p(14, 24), p(49, 65), p(52, 80), p(0, 0)],
    candidate: [p(0, 0), p(-2, 1), p(0, -5), p(0, 24), p(-4, 19), p(29, 57), p(0, 0), p(0, 0)],
    passed: [p(0, 0), p(-3, 12), p(-12, 19), p(16, 59), p(31, 67), p(77, 126), p(154, 172), p(0, 0)],
    passed_file: [p(7, 13), p(-6, 19), p(-4, 11), p(-12, -8)],
    passed_own_king: [p(0, 0), p(0, 0), p(0, 0), p(-3, -19), p(-4, -24), p(-11, -33), p(-9, -28), p(0, 0)],
    passed_enemy_king: [p(0, 0), p(0, 0), p(0, 0), p(-3, 15), p(-3, 35), p(1, 49), p(1, 69), p(0, 0)],
    passed_blocked: [p(0, 0), p(0, 0), p(0, 0), p(0, -3), p(-6, 4), p(0, -4), p(-40, -50), p(0, 0)],
    passed_safe_stop: [p(0, 0), p(0, 0), p(0, 0), p(-3, 13), p(-1, 15), p(9, 50), p(50, 80), p(0, 0)],
    passed_safe_path: [p(0, 0), p(0, 0), p(0, 0), p(-7, 34), p(24, 52), p(52, 90), p(116, 122), p(0, 0)],
    passed_defended_stop: [p(0, 0), p(0, 0), p(0, 0), p(2, 12), p(6, 33), p(23, 32), p(33, 78), p(0, 0)],
    passed_rook_behind: p(9, 13),
    passed_enemy_rook_behind: p(-19, -23),
    passed_unstoppable: p(0, 207),
    shelter: [
        [p(-9, 19), p(39, -22), p(49, -21), p(25, -10), p(26, -10), p(17, 12), p(17, 4)],
        [p(-35, 12), p(27, -12), p(26, -18), p(-7, -3), p(-33, 3), p(-8, 6), p(-9, 3)],
        [p(-5, 4), p(28, 5), p(6, -10), p(2, 4), p(3, -5), p(3, -6), p(-13, 4)],
        [p(-26, -5), p(-8, 1), p(-16, 5), p(-21, 10), p(-14, 8), p(-38, 4), p(-30, 6)],
    ],
    storm: [
        [p(-33, 3), p(48, 2), p(1, -3), p(-36, 18), p(-10, -6), p(1, -1), p(-21, -6)],
        [p(-18, 2), p(12, 4), p(-39, -1), p(-21, 2), p(-7, 6), p(-1, -4), p(-2, -11)],
        [p(2, 1), p(-12, 7), p(-120, 12), p(-25, 9), p(-4, 9), p(2, -4), p(4, -8)],
        [p(-3, 10), p(1, -4), p(-36, 4), p(-6, -2), p(-5, -4), p(5, 6), p(1, -4)],
    ],
    storm_blocked: [p(0, 0), p(0, 0), p(-45, -13), p(-6, -12), p(7, -17), p(-2, -12), p(-15, -12)],
    king_pawn_distance: p(-3, -4),
    king_bare_flank: p(-13, -86),
    king_flank_attack: p(0, 0),
    knight_outpost: p(24, 22),
    knight_reaches_outpost: p(19, 16),
    bishop_outpost: p(19, 22),
    knight_behind_pawn: p(0, 17),
    bishop_behind_pawn: p(5, 7),
    knight_king_distance: p(-2, -2),
    bishop_king_distance: p(-3, -1),
    bishop_pawns: p(-1, -5),
    bishop_long_diagonal: p(20, 24),
    bishop_bites_pawns: p(-4, -5),
    rook_open_file: p(26, 6),
    rook_half_open_file: p(14, 4),
    rook_closed_file: p(-3, 0),
    rook_seventh: p(4, 33),
    rook_trapped: p(-14, -13),
    rook_trapped_for_good: p(-8, -28),
    queen_exposed: p(-13, 0),
    queen_infiltration: p(10, 42),
    threat_by_minor: [p(3, 25), p(15, 39), p(34, 33), p(59, 25), p(34, 53)],
    threat_by_rook: [p(3, 23), p(14, 34), p(29, 24), p(-8, 17), p(23, 20)],
    threat_by_king: p(17, 37),
    hanging: p(14, 34),
    queen_protects_weak: p(0, 24),
    restricted: p(4, -2),
    threat_by_pawn: p(56, 51),
    threat_by_push: p(15, 13),
    knight_hits_queen: p(9, -5),
    slider_hits_queen: p(13, 16),
    space_64ths: p(71, -8),
};

/// The king danger in use.
#[rustfmt::skip]
pub static DANGER: Danger = Danger {
    attacker: [0, 42, 26, 20, 22, 0],
    adjacent_attack: 44,
    weak_ring: 68,
    safe_check: [
        [0, 0],
        [461, 374],
        [308, 408],
        [517, 763],
        [338, 551],
        [0, 0],
    ],
    unsafe_check: 109,
    pinned: 71,
    flank_attack_64ths: 57,
    flank_defense: -2,
    no_queen: -465,
    knight_guard: -80,
    shelter_64ths: -101,
    mobility_64ths: 95,
    base: 45,
};

/// The initiative in use.
#[rustfmt::skip]
pub static INITIATIVE: Initiative = Initiative {
    passed: 14,
    pawn: 10,
    outflanking: 1,
    both_flanks: 60,
    infiltration: -20,
    pawn_endgame: 57,
    almost_unwinnable: -10,
    base: -157,
    middlegame_relief: 11,
};
