//! The way to a bare position: lists of openings often give positions without the moves that lead to them.
//!
//! A short way from the start position is looked for, longer and longer ones in turn. What makes it quick is a bound: a
//! move brings one man to its place, castling two, so a side that has more men elsewhere than moves left is on the
//! wrong way.

use crate::base::{Color, Move};
use crate::chess::{Board, ChessMove, Position};

/// Longer ways are not looked for.
const LONGEST_WAY: u32 = 20;

/// Positions looked at before giving up: some ten milliseconds.
const MOST_NODES: u64 = 50_000;

/// Moves from the start position to `target`, as few as possible; none if they are not found with reasonable effort.
pub fn find(target: &Position) -> Option<Vec<Move>> {
    let mut search = Search { target: target.board(), nodes: 0, way: Vec::new() };
    let mut position = Position::start();
    let parity = u32::from(target.side_to_move() == Color::Black);
    (0..=LONGEST_WAY).filter(|plies| plies % 2 == parity).find_map(|plies| {
        search.way.clear();
        search.goes_on(&mut position, plies).then(|| search.way.clone())
    })
}

struct Search<'a> {
    target: &'a Board,
    nodes: u64,
    way: Vec<Move>,
}

impl Search<'_> {
    /// Whether the target can be reached in exactly `plies` from here; then `way` leads there.
    fn goes_on(&mut self, position: &mut Position, plies: u32) -> bool {
        if plies == 0 {
            return position.board().keys().full == self.target.keys().full;
        }
        self.nodes += 1;
        if self.nodes > MOST_NODES || !self.is_possible(position.board(), plies) {
            return false;
        }
        let mut moves = position.legal_moves();
        // Moves that bring a man to its place come first.
        moves.sort_by_key(|&mv| self.target.piece_on(mv.to()) != position.board().piece_on(mv.from()));
        for mv in moves {
            position.make(mv);
            self.way.push(mv);
            let found = self.goes_on(position, plies - 1);
            position.unmake();
            if found {
                return true;
            }
            self.way.pop();
        }
        false
    }

    /// Whether both sides have moves enough for their men that are elsewhere and for capturing what is too much.
    fn is_possible(&self, board: &Board, plies: u32) -> bool {
        let rights = self.target.castling_rights();
        board.castling_rights() & rights == rights
            && Color::ALL.into_iter().all(|color| {
                let moves =
                    |of: Color| if of == board.side_to_move() { plies.div_ceil(2) } else { plies / 2 };
                let wanted = self.target.color(color);
                let elsewhere =
                    wanted.filter(|&square| board.piece_on(square) != self.target.piece_on(square));
                let castling = u32::from(board.king(color) != self.target.king(color));
                let captured = board.color(color).count().checked_sub(wanted.count());
                elsewhere.count() as u32 <= moves(color) + castling
                    && captured.is_some_and(|captured| captured <= moves(!color))
            })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The number of plies to the position that some moves lead to, which need not be the shortest way.
    fn plies_to(moves: &str) -> Option<usize> {
        let mut target = Position::start();
        for san in moves.split_whitespace() {
            target.make(target.parse_san(san).unwrap());
        }
        let way = find(&target)?;
        let mut position = Position::start();
        way.iter().for_each(|&mv| position.make(mv));
        assert_eq!(position.board().keys(), target.board().keys());
        Some(way.len())
    }

    #[test]
    fn short_ways_are_found() {
        for (moves, plies) in [
            ("", 0),
            ("e4", 1),
            ("e4 e5 Nf3 Nc6 Bb5", 5),
            ("e3 e5 e4 Nc6 Nf3", 5),
            ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6", 8),
        ] {
            let found = plies_to(moves).unwrap();
            assert!(found <= plies && found % 2 == plies % 2, "{moves}: {found}");
        }
    }

    #[test]
    fn impossible_positions_are_given_up() {
        for fen in
            ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1"]
        {
            assert_eq!(find(&Position::from_fen(fen).unwrap()), None, "{fen}");
        }
    }
}
