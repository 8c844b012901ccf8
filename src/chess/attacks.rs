//! Where each piece attacks from each square.
//!
//! Leapers come from tables of 64. Sliders are looked up by the blockers on their lines: with PEXT where the
//! binary is compiled for it, otherwise by magic multiplication. All tables are built by the compiler, so a
//! lookup never asks whether its table exists yet.

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::{Bitboard, PieceKind, Square};
use crate::base::Color;

/// The four ways of a rook as (file, rank) steps.
pub const ROOK_DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// The four ways of a bishop.
pub const BISHOP_DIRECTIONS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// What a slider on `square` attacks among the blockers `occupied`, by walking. Slow: it serves the search for magics
/// and is what the lookups are tested against.
pub const fn walk(square: u8, occupied: u64, directions: &[(i8, i8); 4]) -> u64 {
    let mut attacks = 0;
    let mut d = 0;
    while d < 4 {
        let (file_step, rank_step) = directions[d];
        let (mut file, mut rank) = ((square & 7) as i8 + file_step, (square >> 3) as i8 + rank_step);
        while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            let bit = 1u64 << (rank * 8 + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += file_step;
            rank += rank_step;
        }
        d += 1;
    }
    attacks
}

/// The two lines through `square`, without the square itself, that a slider with these ways moves on.
const fn lines_through(square: u8, directions: &[(i8, i8); 4]) -> [u64; 2] {
    let [a, b, back_a, back_b] = *directions;
    [walk(square, 0, &[a, a, back_a, back_a]), walk(square, 0, &[b, b, back_b, back_b])]
}

/// What a slider attacks on one line, by the borrow of a subtraction running to the next blocker each way. The tables
/// are filled with this rather than by walking because it spares the compiler seconds.
const fn along(square: u8, occupied: u64, line: u64) -> u64 {
    let bit = 1u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(bit << 1);
    let down = blockers.reverse_bits().wrapping_sub(bit.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// The squares whose blockers matter to a slider on `square`: its lines without their last squares.
pub const fn relevant_blockers(square: u8, directions: &[(i8, i8); 4]) -> u64 {
    let file_edges = (Bitboard::FILE_A.0 | Bitboard::FILE_H.0) & !Bitboard::file(square & 7).0;
    let rank_edges = (Bitboard::rank(0).0 | Bitboard::rank(7).0) & !Bitboard::rank(square >> 3).0;
    walk(square, 0, directions) & !(file_edges | rank_edges)
}

/// Squares reached by single jumps from each square.
const fn leaper_table(jumps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < jumps.len() {
            let (file, rank) = ((square & 7) as i8 + jumps[i].0, (square >> 3) as i8 + jumps[i].1);
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    leaper_table(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] =
    leaper_table(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper_table(&[(-1, 1), (1, 1)]), leaper_table(&[(-1, -1), (1, -1)])];

/// Whole lines on an empty board.
const fn empty_board_table(directions: &[(i8, i8); 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(walk(square as u8, 0, directions));
        square += 1;
    }
    table
}

static ROOK_LINES: [Bitboard; 64] = empty_board_table(&ROOK_DIRECTIONS);
static BISHOP_LINES: [Bitboard; 64] = empty_board_table(&BISHOP_DIRECTIONS);

/// How to find a slider's attacks in the shared table.
#[derive(Clone, Copy)]
struct Lookup {
    mask: u64,
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    magic: u64,
    offset: u32,
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    shift: u32,
}

impl Lookup {
    /// The place in the table for these blockers.
    #[inline(always)]
    fn index(&self, occupied: u64) -> usize {
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        let local = crate::base::bits::extract_bits(occupied, self.mask);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        let local = ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize;
        (self.offset as usize + local) & (TABLE_SIZE - 1)
    }
}

/// 107,648 attack sets are needed; a power of two lets a mask replace the bounds check.
const TABLE_SIZE: usize = 1 << 17;

/// Offsets into the shared table, square by square, rooks first.
const fn lookups(directions: &[(i8, i8); 4], first_offset: u32, rook: bool) -> [Lookup; 64] {
    let mut table = [Lookup {
        mask: 0,
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        magic: 0,
        offset: 0,
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        shift: 0,
    }; 64];
    let mut offset = first_offset;
    let mut square = 0;
    while square < 64 {
        let mask = relevant_blockers(square as u8, directions);
        table[square].mask = mask;
        table[square].offset = offset;
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        {
            table[square].magic = if rook { ROOK_MAGICS[square] } else { BISHOP_MAGICS[square] };
            table[square].shift = 64 - mask.count_ones();
        }
        offset += 1 << mask.count_ones();
        square += 1;
    }
    let _ = rook;
    table
}

const ROOK_ENTRIES: u32 = 102_400;
static ROOK: [Lookup; 64] = lookups(&ROOK_DIRECTIONS, 0, true);
static BISHOP: [Lookup; 64] = lookups(&BISHOP_DIRECTIONS, ROOK_ENTRIES, false);

/// Enters the attacks of every square and blocker set. With magics, two blocker sets may share a place only
/// if they have the same attacks; a bad magic stops the build here.
const fn fill(table: &mut [Bitboard; TABLE_SIZE], lookups: &[Lookup; 64], directions: &[(i8, i8); 4]) {
    let mut square = 0;
    while square < 64 {
        let entry = lookups[square];
        let [first, second] = lines_through(square as u8, directions);
        let mut blockers = 0u64;
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        let mut count = 0usize;
        loop {
            // Subsets come in counting order, which is the order of PEXT's results.
            #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
            let local = count;
            #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
            let local = (blockers.wrapping_mul(entry.magic) >> entry.shift) as usize;
            let attacks = along(square as u8, blockers, first) | along(square as u8, blockers, second);
            let place = &mut table[entry.offset as usize + local];
            assert!(place.0 == 0 || place.0 == attacks, "a magic number maps two attack sets to one place");
            place.0 = attacks;
            #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
            {
                count += 1;
            }
            blockers = blockers.wrapping_sub(entry.mask) & entry.mask;
            if blockers == 0 {
                break;
            }
        }
        square += 1;
    }
}

const fn slider_table() -> [Bitboard; TABLE_SIZE] {
    let mut table = [Bitboard::EMPTY; TABLE_SIZE];
    fill(&mut table, &lookups(&ROOK_DIRECTIONS, 0, true), &ROOK_DIRECTIONS);
    fill(&mut table, &lookups(&BISHOP_DIRECTIONS, ROOK_ENTRIES, false), &BISHOP_DIRECTIONS);
    table
}

#[allow(long_running_const_eval)]
static SLIDERS: [Bitboard; TABLE_SIZE] = slider_table();

/// For each pair of squares on one line: the squares strictly between, or the whole line.
const fn pair_table(whole_line: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0u8;
    while a < 64 {
        let [file, rank] = lines_through(a, &ROOK_DIRECTIONS);
        let [diagonal, antidiagonal] = lines_through(a, &BISHOP_DIRECTIONS);
        let lines = [file, rank, diagonal, antidiagonal];
        let mut i = 0;
        while i < 4 {
            let (line, bit_a) = (lines[i], 1u64 << a);
            let mut others = line;
            while others != 0 {
                let b = others.trailing_zeros() as u8;
                let bit_b = others & others.wrapping_neg();
                table[a as usize][b as usize].0 = if whole_line {
                    line | bit_a
                } else {
                    along(a, bit_b, line) & along(b, bit_a, (line | bit_a) ^ bit_b)
                };
                others ^= bit_b;
            }
            i += 1;
        }
        a += 1;
    }
    table
}

#[allow(long_running_const_eval)]
static BETWEEN: [[Bitboard; 64]; 64] = pair_table(false);
#[allow(long_running_const_eval)]
static LINE: [[Bitboard; 64]; 64] = pair_table(true);

/// Squares a pawn of `color` on `square` attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Squares a knight on `square` attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares a king on `square` attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares a bishop on `square` attacks, the first blocker on each line included.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    SLIDERS[BISHOP[square.index()].index(occupied.0)]
}

/// Squares a rook on `square` attacks, the first blocker on each line included.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    SLIDERS[ROOK[square.index()].index(occupied.0)]
}

/// Squares a queen on `square` attacks.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// Attacks of a piece other than a pawn.
#[inline(always)]
pub fn piece(kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => knight(square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Queen => queen(square, occupied),
        PieceKind::King => king(square),
    }
}

/// A rook's lines from `square` on an empty board.
#[inline(always)]
pub fn rook_lines(square: Square) -> Bitboard {
    ROOK_LINES[square.index()]
}

/// A bishop's lines from `square` on an empty board.
#[inline(always)]
pub fn bishop_lines(square: Square) -> Bitboard {
    BISHOP_LINES[square.index()]
}

/// The squares strictly between two squares on one line; empty otherwise.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares; empty if they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::magics::{BISHOP_MAGICS, ROOK_MAGICS};

    /// A few thousand boards of pseudo-random blockers, from a plain multiplicative generator.
    fn boards() -> impl Iterator<Item = u64> {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        })
        .take(2000)
    }

    #[test]
    fn lookups_equal_walking() {
        for occupied in boards() {
            for square in Square::all() {
                let b = Bitboard(occupied);
                assert_eq!(rook(square, b).0, walk(square.raw(), occupied, &ROOK_DIRECTIONS));
                assert_eq!(bishop(square, b).0, walk(square.raw(), occupied, &BISHOP_DIRECTIONS));
            }
        }
    }

    #[test]
    fn magics_separate_all_blocker_sets() {
        for (magics, directions) in [(&ROOK_MAGICS, &ROOK_DIRECTIONS), (&BISHOP_MAGICS, &BISHOP_DIRECTIONS)] {
            for square in 0..64u8 {
                let mask = relevant_blockers(square, directions);
                let mut table = vec![0u64; 1 << mask.count_ones()];
                let mut blockers = 0u64;
                loop {
                    let index = blockers.wrapping_mul(magics[square as usize]) >> (64 - mask.count_ones());
                    let attacks = walk(square, blockers, directions);
                    let place = &mut table[index as usize];
                    assert!(*place == 0 || *place == attacks, "square {square}");
                    *place = attacks;
                    blockers = blockers.wrapping_sub(mask) & mask;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn lines_and_gaps() {
        let sq = |text| Square::parse(text).unwrap();
        assert_eq!(between(sq("a1"), sq("d4")), Bitboard::of(sq("b2")) | Bitboard::of(sq("c3")));
        assert_eq!(between(sq("a1"), sq("b3")), Bitboard::EMPTY);
        assert_eq!(line(sq("c1"), sq("c7")), Bitboard::file(2));
        assert!(between(sq("e4"), sq("e5")).is_empty());
    }
}
