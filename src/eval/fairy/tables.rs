//! What a kind is worth on a square, and its mobility: tables made by formula for any board.

use super::numbers::{PHASE, USUAL_MOBILITY, Values, Weights};
use crate::base::Color;
use crate::eval::classical::Pair;
use crate::fairy::{Kind, Piece, Rules, Set, Square, rays};

/// More squares than any piece attacks.
const MOST_MOVES: usize = 48;

/// Everything about a variant that the evaluation looks up.
pub struct Tables {
    /// The variant.
    pub rules: &'static Rules,
    /// The numbers it is judged by.
    pub numbers: Values,
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
    /// The tables of a variant that is judged by these numbers.
    pub fn new(rules: &'static Rules, numbers: Values) -> Tables {
        let values = numbers.weights.material;
        let mut tables = Tables {
            rules,
            worth: [[Pair::ZERO; Square::COUNT]; Piece::COUNT],
            mobility: [[Pair::ZERO; MOST_MOVES]; Kind::COUNT],
            full_phase: 0,
            ahead: [[Set::EMPTY; Square::COUNT]; 2],
            ahead_beside: [[Set::EMPTY; Square::COUNT]; 2],
            beside: [Set::EMPTY; Square::COUNT],
            plain_worth: values.map(|pair| (pair.middlegame() + pair.endgame()) / 2),
            numbers,
        };
        for color in Color::ALL {
            for kind in Kind::ALL {
                let royal = rules.is_royal(color, kind);
                let value = if royal { Pair::ZERO } else { values[kind.index()] };
                for square in rules.board {
                    tables.worth[Piece::new(color, kind).index()][square.index()] =
                        value + place(rules, &tables.numbers.weights, color, kind, square);
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
        for (kind, usual) in USUAL_MOBILITY.into_iter().enumerate() {
            let step = tables.numbers.weights.mobility[kind];
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
fn place(rules: &Rules, weights: &Weights, color: Color, kind: Kind, square: Square) -> Pair {
    let (files, ranks) = (rules.variant.files, rules.variant.ranks);
    let rank = i32::from(rules.rank_for(square, color));
    let (file_off, rank_off) = (off_center(square.file(), files), off_center(square.rank(), ranks));
    // From about +1 in the middle to about -1 in a corner, in 16ths.
    let reach = i32::from(files + ranks) - 2;
    let center = 16 - 32 * (file_off + rank_off) / reach;
    let times = |center: i32| part(weights.center[kind.index()], center, 16);
    match kind {
        Kind::Pawn => pawn_place(rules, weights, rank, file_off),
        Kind::King if rules.variant.royals[(!color).index()] == Some(Kind::Amazon) => {
            Pair::new(-center.abs() / 4, center)
        }
        Kind::King => {
            let king = times(center) + king_home(weights, rank, file_off);
            if rules.variant.behemoth { part(king, 1, 4) } else { king }
        }
        Kind::Amazon if rules.is_royal(color, kind) => {
            // Hunted in a corner, free in the middle.
            let exits = rays::piece(kind, square, !rules.board) & rules.board;
            Pair::new(exits.count() as i32, 2 * exits.count() as i32)
        }
        _ => {
            let rook = kind == Kind::Rook;
            let seventh = rook && rank == i32::from(ranks) - 2;
            times(if rook { center.max(0) } else { center })
                + if rank == 0 { weights.back_rank[kind.index()] } else { Pair::ZERO }
                + if seventh { weights.rook_seventh } else { Pair::ZERO }
        }
    }
}

/// So many times a pair, divided.
fn part(pair: Pair, times: i32, divisor: i32) -> Pair {
    Pair::new(pair.middlegame() * times / divisor, pair.endgame() * times / divisor)
}

/// Pawns go forward, those in the middle first.
fn pawn_place(rules: &Rules, weights: &Weights, rank: i32, file_off: i32) -> Pair {
    let steps = (rank - i32::from(rules.variant.double_step_rank)).max(0);
    let middle = (i32::from(rules.variant.files) - 1 - file_off) / 2;
    if rules.variant.promotion.is_none() {
        return Pair::new(steps.min(4) * middle, 0);
    }
    let first_steps = steps.min(3);
    let sixteenths = weights.pawn_center_16ths * (first_steps * middle)
        + weights.pawn_first_steps_16ths * first_steps
        + weights.pawn_step_16ths * steps
        + weights.pawn_steps_squared_16ths * (steps * steps);
    part(sixteenths, 1, 16)
}

/// A king hides on a wing of its back rank while there are many pieces.
fn king_home(weights: &Weights, rank: i32, file_off: i32) -> Pair {
    match rank {
        0 | 1 => weights.king_home[rank as usize] + weights.king_wing[rank as usize] * file_off,
        _ => weights.king_forward * rank,
    }
}
