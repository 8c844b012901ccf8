//! The board as text for people.

use std::fmt::Write;

use crate::book::opening_of;
use crate::chess::{Position, Square};
use crate::fairy;

/// The board with coordinates, then FEN, opening, key, checkers, legal moves and how the game stands.
pub fn board(position: &Position) -> String {
    let mut text = String::new();
    let rule = " +---+---+---+---+---+---+---+---+\n";
    for rank in (0..8).rev() {
        text.push_str(rule);
        for file in 0..8 {
            let piece = position.board().piece_on(Square::at(file, rank));
            let _ = write!(text, " | {}", piece.map_or(' ', |piece| piece.letter()));
        }
        let _ = writeln!(text, " | {}", rank + 1);
    }
    text.push_str(rule);
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let _ = writeln!(text, "Fen: {}", position.fen());
    if let Some(opening) = opening_of(position) {
        let _ = writeln!(text, "Opening: {opening}");
    }
    let _ = writeln!(text, "Key: {:016X}", position.board().keys().full);
    let checkers: Vec<String> = position.board().checkers().map(|square| square.to_string()).collect();
    let _ = writeln!(text, "Checkers: {}", checkers.join(" "));
    let moves: Vec<String> = position.legal_moves().iter().map(|&mv| position.san(mv)).collect();
    let _ = writeln!(text, "Legal moves ({}): {}", moves.len(), moves.join(" "));
    if let Some(outcome) = position.outcome() {
        let _ = writeln!(text, "The game is over: {outcome}");
    }
    text
}

/// The same for a variant, whose moves are written in coordinates.
pub fn fairy_board(position: &fairy::Position) -> String {
    let variant = position.rules().variant;
    let mut text = String::new();
    let rule = format!(" +{}\n", "---+".repeat(usize::from(variant.files)));
    for rank in (0..variant.ranks).rev() {
        text.push_str(&rule);
        for file in 0..variant.files {
            let letter = position.letter_on(fairy::Square::at(file, rank));
            let _ = write!(text, " | {}", letter.unwrap_or(' '));
        }
        let _ = writeln!(text, " | {}", rank + 1);
    }
    text.push_str(&rule);
    let files: Vec<String> = (0..variant.files).map(|file| ((b'a' + file) as char).to_string()).collect();
    let _ = writeln!(text, "   {}\n", files.join("   "));
    let _ = writeln!(text, "Variant: {}", variant.name);
    let _ = writeln!(text, "Fen: {position}");
    let _ = writeln!(text, "Key: {:016X}", position.board().keys().full);
    let checkers: Vec<String> = position.board().checkers().map(|square| square.to_string()).collect();
    let _ = writeln!(text, "Checkers: {}", checkers.join(" "));
    let moves: Vec<String> = position.legal_moves().iter().map(|&mv| position.uci(mv)).collect();
    let _ = writeln!(text, "Legal moves ({}): {}", moves.len(), moves.join(" "));
    if let Some(outcome) = position.outcome() {
        let _ = writeln!(text, "The game is over: {outcome}");
    }
    text
}
