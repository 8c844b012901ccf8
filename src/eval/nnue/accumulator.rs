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

/// A man and where it stands.
type Man = (Piece, Square);

/// The neurons of one position, for White and for Black.
struct Frame {
    rows: [Row; 2],
    /// Whether they are computed.
    ready: [bool; 2],
    /// Whether the move before changed how the side sees the board.
    turned: [bool; 2],
    removed: ArrayVec<Man, 4>,
    added: ArrayVec<Man, 2>,
}

impl Frame {
    fn new() -> Frame {
        Frame {
            rows: [Row::ZERO; 2],
            ready: [false; 2],
            turned: [true; 2],
            removed: ArrayVec::new(),
            added: ArrayVec::new(),
        }
    }

    /// Notes a move.
    fn note(&mut self, changes: &Changes) {
        let man = |at: &PieceAt| (Piece::ALL[at.piece], Square::new(at.square as u8));
        self.removed = changes.removed.iter().map(man).collect();
        self.added = changes.added.iter().map(man).collect();
        (self.ready, self.turned) = ([false; 2], [false; 2]);
        for &(piece, to) in self.added.iter().filter(|(piece, _)| piece.kind() == PieceKind::King) {
            let from = self.removed.iter().find(|(moved, _)| *moved == piece).map_or(to, |&(_, from)| from);
            let side = piece.color();
            self.turned[side.index()] = View::new(side, from) != View::new(side, to);
        }
    }
}

/// The last board that a side saw in one way, and its neurons then.
#[derive(Clone)]
struct Remembered {
    row: Row,
    /// For each piece, where it stood.
    men: [u64; Piece::COUNT],
}

/// The line.
pub(super) struct Line {
    frames: Vec<Frame>,
    /// The frame of the position on the board.
    last: usize,
    /// For each side and view.
    remembered: [[Remembered; VIEWS]; 2],
}

impl Line {
    /// A line that knows nothing yet.
    pub(super) fn new(network: &Network) -> Line {
        let nothing = Remembered { row: network.bias, men: [0; Piece::COUNT] };
        let frames = (0..=MAX_PLY).map(|_| Frame::new()).collect();
        let remembered = std::array::from_fn(|_| std::array::from_fn(|_| nothing.clone()));
        Line { frames, last: 0, remembered }
    }

    /// The next position is the first of a new line.
    pub(super) fn restart(&mut self) {
        self.last = 0;
        let first = &mut self.frames[0];
        (first.ready, first.turned) = ([false; 2], [true; 2]);
    }

    /// A move is made.
    #[inline]
    pub(super) fn push(&mut self, changes: &Changes) {
        self.last += 1;
        if self.last == self.frames.len() {
            self.frames.push(Frame::new());
        }
        self.frames[self.last].note(changes);
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
            if !self.frames[self.last].ready[side.index()] {
                self.compute(side, board, network, path);
            }
        }
        &self.frames[self.last].rows
    }

    /// Computes the neurons of one side.
    fn compute(&mut self, side: Color, board: &Board, network: &Network, path: Path) {
        let view = View::of(board, side);
        let index = side.index();
        let mut known = self.last;
        while !self.frames[known].ready[index] {
            if self.frames[known].turned[index] {
                return self.recall(side, view, board, network, path);
            }
            known -= 1;
        }
        // No move since then changed the view, so the one of now holds for all of them.
        for number in known + 1..=self.last {
            let (before, after) = self.frames.split_at_mut(number);
            let (before, after) = (&before[number - 1], &mut after[0]);
            let input = |&(piece, square): &Man| view.input(piece, square);
            let added: ArrayVec<u16, 2> = after.added.iter().map(input).collect();
            let removed: ArrayVec<u16, 4> = after.removed.iter().map(input).collect();
            path.update(&mut after.rows[index], &before.rows[index], &network.inputs, [&added, &removed]);
            after.ready[index] = true;
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
        let frame = &mut self.frames[self.last];
        frame.rows[side.index()] = remembered.row;
        frame.ready[side.index()] = true;
    }
}
