//! What a kind is worth on a square, and its mobility: tables made by formula for any board.

use super::numbers::{MOBILITY, PHASE, WORTHS};
use crate::base::Color;
use crate::eval::classical::Pair;
use crate::fairy::{Kind, Piece, Rules, Set, Square, rays};

/// More squares than any piece attacks.
const MOST_MOVES: usize = 48;

/// Everything about a variant that the evaluation looks up.
pub struct Tables {
    /// Material and square by piece and square.
    pub worth: [[Pair; Square::COUNT]; Piece::COUNT],
    /// By kind and number of squares.
    pub mobility: [[Pair; MOST_MOVES]; Kind::COUNT],
    /// The phase weights of both armies at the start.
    pub full_phase: i32,
    /// By color and square, everything ahead on the file.
    pub ahead: [[Set; Square::COUNT]; 2],
    /// By color and square, everything ahead on the files beside.
    pub ahead_beside: [[Set; Square::COUNT]; 2],
    /// By square, the files beside.
    pub beside: [Set; Square::COUNT],
    /// The values of single pieces, both halves averaged.
    pub plain_worth: [i32; Kind::COUNT],
}

impl Tables {
    /// The tables of a variant.
    pub fn new(rules: &Rules) -> Tables {
        let fits = |names: &[&str]| names.is_empty() || names.contains(&rules.variant.name);
        let row = WORTHS.iter().find(|row| fits(row.variants));
        let values = row.map_or([Pair::ZERO; Kind::COUNT], |row| row.values);
        let mut tables = Tables {
            worth: [[Pair::ZERO; Square::COUNT]; Piece::COUNT],
            mobility: [[Pair::ZERO; MOST_MOVES]; Kind::COUNT],
            full_phase: 0,
            ahead: [[Set::EMPTY; Square::COUNT]; 2],
            ahead_beside: [[Set::EMPTY; Square::COUNT]; 2],
            beside: [Set::EMPTY; Square::COUNT],
            plain_worth: values.map(|pair| (pair.middlegame() + pair.endgame()) / 2),
        };
        for color in Color::ALL {
            for kind in Kind::ALL {
                let royal = rules.is_royal(color, kind);
                let value = if royal { Pair::ZERO } else { values[kind.index()] };
                for square in rules.board {
                    tables.worth[Piece::new(color, kind).index()][square.index()] =
                        value + place(rules, color, kind, square);
                }
                if !royal {
                    let count = i32::from(rules.army[color.index()][kind.index()]);
                    tables.full_phase += PHASE[kind.index()] * count;
                }
            }
            for square in rules.board {
                tables.enter_spans(rules, color, square);
            }
        }
        for (kind, (usual, step)) in MOBILITY.into_iter().enumerate() {
            for (count, value) in tables.mobility[kind].iter_mut().enumerate() {
                let roots = (count as f64).sqrt() - f64::from(usual).sqrt();
                let half = |step: i32| (f64::from(step) * roots).round() as i32;
                *value = Pair::new(half(step.middlegame()), half(step.endgame()));
            }
        }
        tables
    }

    fn enter_spans(&mut self, rules: &Rules, color: Color, square: Square) {
        let mut ahead = Set::EMPTY;
        let mut step = Set::of(square).forward(color.is_white()) & rules.board;
        while step.exists() {
            ahead |= step;
            step = step.forward(color.is_white()) & rules.board;
        }
        self.ahead[color.index()][square.index()] = ahead;
        self.ahead_beside[color.index()][square.index()] = ahead.west() | ahead.east();
        let file = Set::file(square.file()) & rules.board;
        self.beside[square.index()] = file.west() | file.east();
    }
}

/// Steps from the middle of a line of squares, doubled so that it is whole: 1, 3, 5, ... or 0, 2, 4, ...
fn off_center(index: u8, length: u8) -> i32 {
    (2 * i32::from(index) - (i32::from(length) - 1)).abs()
}

/// What standing on a square is worth, whatever else is on the board.
fn place(rules: &Rules, color: Color, kind: Kind, square: Square) -> Pair {
    let (files, ranks) = (rules.variant.files, rules.variant.ranks);
    let rank = i32::from(rules.rank_for(square, color));
    let (file_off, rank_off) = (off_center(square.file(), files), off_center(square.rank(), ranks));
    // From about +1 in the middle to about -1 in a corner, in 16ths.
    let reach = i32::from(files + ranks) - 2;
    let center = 16 - 32 * (file_off + rank_off) / reach;
    let of = |middlegame: i32, endgame: i32| Pair::new(center * middlegame / 16, center * endgame / 16);
    match kind {
        Kind::Pawn => pawn_place(rules, rank, file_off),
        Kind::Knight => of(34, 30) + back_rank(rank, -10),
        Kind::Bishop => of(12, 10) + back_rank(rank, -14),
        Kind::Rook => {
            let seventh = rank == i32::from(ranks) - 2;
            Pair::new(center.max(0) / 4, 0) + if seventh { Pair::new(12, 18) } else { Pair::ZERO }
        }
        Kind::Queen => of(6, 16),
        Kind::Archbishop => of(18, 20) + back_rank(rank, -12),
        Kind::Chancellor => of(12, 18),
        Kind::Amazon if rules.is_royal(color, kind) => {
            // Hunted in a corner, free in the middle.
            let exits = rays::piece(kind, square, !rules.board) & rules.board;
            Pair::new(exits.count() as i32, 2 * exits.count() as i32)
        }
        Kind::Amazon => of(10, 18),
        Kind::King => king_place(rules, color, center, rank, file_off),
    }
}

/// A developed piece has left the first rank.
fn back_rank(rank: i32, penalty: i32) -> Pair {
    if rank == 0 { Pair::new(penalty, penalty / 2) } else { Pair::ZERO }
}

/// Pawns go forward, those in the middle first.
fn pawn_place(rules: &Rules, rank: i32, file_off: i32) -> Pair {
    let steps = (rank - i32::from(rules.variant.double_step_rank)).max(0);
    let middle = (i32::from(rules.variant.files) - 1 - file_off) / 2;
    if rules.variant.promotion.is_none() {
        return Pair::new(steps.min(4) * middle, 0);
    }
    Pair::new(steps.min(3) * (2 * middle - 3) + steps, steps * steps + 2 * steps)
}

/// A king hides on a wing of its back rank while there are many pieces, and comes to the middle when there are few.
fn king_place(rules: &Rules, color: Color, center: i32, rank: i32, file_off: i32) -> Pair {
    if rules.variant.royals[(!color).index()] == Some(Kind::Amazon) {
        return Pair::new(-center.abs() / 4, center);
    }
    let hidden = match rank {
        0 => 20 + 3 * file_off,
        1 => 6 + file_off,
        _ => -14 * rank,
    };
    let endgame = center * 42 / 16;
    if rules.variant.behemoth { Pair::new(hidden / 4, endgame / 4) } else { Pair::new(hidden, endgame) }
}
