//! Rosada beside two other libraries, which share no code with it: the same legal moves, FENs and endings in a hundred
//! thousand positions from random play.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use rand::SeedableRng;
use rand::rngs::StdRng;
use rosada::base::Move;
use rosada::chess::{Outcome, Position};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

const POSITIONS: usize = 100_000;

#[test]
fn random_play_agrees_with_cozy_chess_and_shakmaty() {
    let seeds: Vec<u64> = (0..8).collect();
    let ends = AtomicUsize::new(0);
    common::for_each_in_parallel(&seeds, |&seed| {
        let mut random = StdRng::seed_from_u64(seed);
        let mut left = POSITIONS / seeds.len();
        while left > 0 {
            common::random_games(36, 250, &mut random, |position, mv| {
                compare(position, mv);
                left = left.saturating_sub(1);
                ends.fetch_add(mv.is_none() as usize, Ordering::Relaxed);
            });
        }
    });
    let ends = ends.into_inner();
    assert!(ends > 30, "only {ends} games ended in mate or stalemate");
}

/// Compares in Chess960 notation, where castling is king takes rook for all three; then plays `mv` with both.
fn compare(position: &Position, mv: Option<Move>) {
    let mut position = position.clone();
    position.set_chess960(true);
    let fen = position.fen();
    let mut ours: Vec<String> = position.legal_moves().iter().map(|&mv| position.uci(mv)).collect();
    ours.sort();

    let board = cozy_chess::Board::from_fen(&fen, true).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut theirs = Vec::new();
    board.generate_moves(|moves| {
        theirs.extend(moves.into_iter().map(|mv| mv.to_string()));
        false
    });
    theirs.sort();
    assert_eq!(ours, theirs, "cozy-chess in {fen}");
    assert_eq!(position.board().checkers().0, board.checkers().0, "checkers in {fen}");
    let pinned = board.pinned() & board.colors(board.side_to_move());
    assert_eq!(position.board().pinned().0, pinned.0, "pinned pieces in {fen}");
    assert_eq!(fen, format!("{board:#}"), "cozy-chess writes the FEN differently");

    let setup: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut chess: Chess =
        setup.into_position(CastlingMode::Chess960).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut theirs: Vec<String> =
        chess.legal_moves().iter().map(|mv| mv.to_uci(CastlingMode::Chess960).to_string()).collect();
    theirs.sort();
    assert_eq!(ours, theirs, "shakmaty in {fen}");
    assert_eq!(position.board().is_insufficient_material(), chess.is_insufficient_material(), "{fen}");
    if ours.is_empty() {
        let expected = if chess.is_checkmate() { Outcome::Checkmate } else { Outcome::Stalemate };
        assert_eq!(position.outcome(), Some(expected), "{fen}");
    }

    let again = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.board().keys(), position.board().keys(), "{fen}");

    let Some(mv) = mv else { return };
    let text = position.uci(mv);
    let uci: shakmaty::uci::UciMove = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    chess.play_unchecked(uci.to_move(&chess).unwrap_or_else(|error| panic!("{text} in {fen}: {error}")));
    position.make(mv);
    position.set_chess960(false);
    let theirs = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
    assert_eq!(position.fen(), theirs, "after {text} in {fen}");
}
