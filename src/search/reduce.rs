//! Late move reductions: moves far down a well-ordered list are first searched less deeply.

use super::params;

const SIZE: usize = 64;

/// Base reductions in 1/1024 plies by depth and move number, quiet moves and captures apart.
pub struct Reductions {
    quiet: Vec<i32>,
    capture: Vec<i32>,
}

impl Reductions {
    /// Computes the tables from the parameters.
    pub fn new() -> Reductions {
        let table = |base: i32, factor: i32| {
            let entry = |index: usize| {
                let (depth, number) = ((index / SIZE) as f64, (index % SIZE) as f64);
                if depth < 1.0 || number < 1.0 {
                    0
                } else {
                    base + (depth.ln() * number.ln() * f64::from(factor)) as i32
                }
            };
            (0..SIZE * SIZE).map(entry).collect()
        };
        Reductions {
            quiet: table(params::lmr_quiet_base(), params::lmr_quiet_factor()),
            capture: table(params::lmr_capture_base(), params::lmr_capture_factor()),
        }
    }

    /// The base reduction in 1/1024 plies.
    pub fn base(&self, tactical: bool, depth: i32, move_number: usize) -> i32 {
        let index = depth.clamp(0, SIZE as i32 - 1) as usize * SIZE + move_number.min(SIZE - 1);
        if tactical { self.capture[index] } else { self.quiet[index] }
    }
}

/// What is known about a move when its reduction is decided.
pub struct LateMove {
    /// Base reduction in 1/1024 plies.
    pub base: i32,
    /// On the principal variation errors are dear.
    pub pv: bool,
    /// The node was once part of a principal variation.
    pub was_pv: bool,
    /// A node expected to fail high: the first moves should do it.
    pub cut_node: bool,
    /// The side to move stands better than two plies ago.
    pub improving: bool,
    /// The move gives check.
    pub gives_check: bool,
    /// Killer or counter move.
    pub refutation: bool,
    /// The table's move is a capture: quiet moves are less likely to be best.
    pub table_move_tactical: bool,
    /// The answers fail high again and again: this node will most likely fail low.
    pub many_cutoffs: bool,
    /// A capture or promotion.
    pub tactical: bool,
    /// Its history.
    pub history: i32,
}

/// The reduction in plies.
pub fn reduction(late: &LateMove) -> i32 {
    let mut r = late.base;
    r += params::lmr_cut_node() * i32::from(late.cut_node);
    r += params::lmr_not_improving() * i32::from(!late.improving);
    r += params::lmr_tactical_table_move() * i32::from(late.table_move_tactical);
    r += params::lmr_many_cutoffs() * i32::from(late.many_cutoffs);
    r -= params::lmr_was_pv() * i32::from(late.was_pv);
    r -= params::lmr_pv() * i32::from(late.pv);
    r -= params::lmr_check() * i32::from(late.gives_check);
    r -= params::lmr_refutation() * i32::from(late.refutation);
    r -= late.history * 1024
        / if late.tactical { params::lmr_capture_history() } else { params::lmr_history_divisor() };
    r / 1024
}
