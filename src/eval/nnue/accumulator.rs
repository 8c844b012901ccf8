//! The neurons of every position of the line being searched, brought up to date only where somebody asks.
//!
//! A move changes two to four inputs of some 30, so the neurons after it are those before it with a few rows added and
//! taken away. Moves are only noted when they are made; when a position is evaluated, the notes since the last computed
//! position are carried out. A king that changes how its side sees the board makes the notes worthless for that side:
//! its neurons are then brought from the last board that was seen the same way ([`Remembered`]), which is rarely far.

use arrayvec::ArrayVec;

use super::architecture::{VIEWS, View};
use super::network::{Network, Row};
use super::simd::Path;
use crate::base::Color;
use crate::base::score::MAX_PLY;
use crate::chess::{Board, Piece, PieceKind, Square};
use crate::game::{Changes, PieceAt};

/// What is known of one position. The neurons lie elsewhere, so that those of many plies fit into the cache together.
#[derive(Clone, Copy)]
struct Ply {
    /// What the move before did.
    changes: Changes,
    /// Whether the neurons are computed, for White and for Black.
    ready: [bool; 2],
    /// Whether the move before changed how the side sees the board.
    turned: [bool; 2],
}

impl Ply {
    const UNKNOWN: Ply = Ply { changes: Changes::NONE, ready: [false; 2], turned: [true; 2] };

    /// The position after a move.
    #[inline]
    fn after(changes: &Changes) -> Ply {
        let mut ply = Ply { changes: *changes, ready: [false; 2], turned: [false; 2] };
        if let (Some(to), Some(from)) = (changes.added.first(), changes.removed.first())
            && to.piece == from.piece
            && to.piece % PIECE_KINDS == PieceKind::King as u8
        {
            let side = Color::from_bool(to.piece < PIECE_KINDS);
            let view = |at: &PieceAt| View::new(side, Square::new(at.square));
            ply.turned[side.index()] = view(from) != view(to);
        }
        ply
    }
}

/// Pieces of one color; White's come first.
const PIECE_KINDS: u8 = Piece::COUNT as u8 / 2;

/// The last board that a side saw in one way, and its neurons then.
#[derive(Clone)]
struct Remembered {
    row: Row,
    /// For each piece, where it stood.
    men: [u64; Piece::COUNT],
}

/// The line.
pub(super) struct Line {
    plies: Vec<Ply>,
    /// For each ply the neurons of White and Black.
    rows: Vec<[Row; 2]>,
    /// The ply of the position on the board.
    last: usize,
    /// For each side and view.
    remembered: [[Remembered; VIEWS]; 2],
}

impl Line {
    /// A line that knows nothing yet.
    pub(super) fn new(network: &Network) -> Line {
        let nothing = Remembered { row: network.bias, men: [0; Piece::COUNT] };
        let remembered = std::array::from_fn(|_| std::array::from_fn(|_| nothing.clone()));
        let (plies, rows) = (vec![Ply::UNKNOWN; MAX_PLY + 1], vec![[Row::ZERO; 2]; MAX_PLY + 1]);
        Line { plies, rows, last: 0, remembered }
    }

    /// The next position is the first of a new line.
    pub(super) fn restart(&mut self) {
        self.last = 0;
        self.plies[0] = Ply::UNKNOWN;
    }

    /// A move is made.
    #[inline]
    pub(super) fn push(&mut self, changes: &Changes) {
        self.last += 1;
        if self.last == self.plies.len() {
            self.plies.push(Ply::UNKNOWN);
            self.rows.push([Row::ZERO; 2]);
        }
        self.plies[self.last] = Ply::after(changes);
    }

    /// It is taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        debug_assert!(self.last > 0, "nothing to take back");
        self.last = self.last.saturating_sub(1);
    }

    /// The neurons of White and Black for the position on the board, which is `board`.
    #[inline]
    pub(super) fn rows(&mut self, board: &Board, network: &Network, path: Path) -> &[Row; 2] {
        for side in Color::ALL {
            if !self.plies[self.last].ready[side.index()] {
                self.compute(side, board, network, path);
            }
        }
        &self.rows[self.last]
    }

    /// Computes the neurons of one side.
    fn compute(&mut self, side: Color, board: &Board, network: &Network, path: Path) {
        let view = View::of(board, side);
        let index = side.index();
        let mut known = self.last;
        while !self.plies[known].ready[index] {
            if self.plies[known].turned[index] {
                return self.recall(side, view, board, network, path);
            }
            known -= 1;
        }
        // No move since then changed the view, so the one of now holds for all of them.
        for number in known + 1..=self.last {
            let ply = &mut self.plies[number];
            ply.ready[index] = true;
            let input = |at: &PieceAt| view.input(Piece::ALL[usize::from(at.piece)], Square::new(at.square));
            let added: ArrayVec<u16, 2> = ply.changes.added.iter().map(input).collect();
            let removed: ArrayVec<u16, 4> = ply.changes.removed.iter().map(input).collect();
            let (before, after) = self.rows.split_at_mut(number);
            let (before, after) = (&before[number - 1][index], &mut after[0][index]);
            path.update(after, before, &network.inputs, [&added, &removed]);
        }
    }

    /// Computes the neurons of one side from the last board that it saw the same way.
    fn recall(&mut self, side: Color, view: View, board: &Board, network: &Network, path: Path) {
        let remembered = &mut self.remembered[side.index()][view.index()];
        let (mut added, mut removed) = (ArrayVec::<u16, 64>::new(), ArrayVec::<u16, 64>::new());
        for piece in Piece::ALL {
            let now = board.pieces(piece.color(), piece.kind());
            let then = crate::chess::Bitboard(remembered.men[piece.index()]);
            added.extend((now - then).map(|square| view.input(piece, square)));
            removed.extend((then - now).map(|square| view.input(piece, square)));
            remembered.men[piece.index()] = now.0;
        }
        path.update_in_place(&mut remembered.row, &network.inputs, [&added, &removed]);
        self.rows[self.last][side.index()] = remembered.row;
        self.plies[self.last].ready[side.index()] = true;
    }
}
