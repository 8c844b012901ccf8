//! The network's view of a position as text: what each man adds to the value, the value by each output, and which of
//! them counts. Shown by the `eval` command.

use std::fmt::Write;

use super::architecture::{OUTPUT_BUCKETS, output_bucket};
use super::network::{Network, men_of};
use super::with_bare_king;
use crate::chess::{Board, PieceKind, Position, Square};

/// Everything from White's point of view, in pawns.
pub fn table(position: &Position, network: &Network) -> String {
    let board = position.board();
    let men = men_of(board);
    let bucket = output_bucket(men.len() as u32);
    let mut text = String::from("What each man adds to the value, for White, in pawns\n\n");
    draw(board, |square| worth(board, network, square), &mut text);
    text.push_str("\nThe value by each output; the number of men chooses\n\n");
    for output in 0..OUTPUT_BUCKETS {
        let value = for_white(board, network.value(board, &men, output));
        let mark = if output == bucket { "  <- counts here" } else { "" };
        let _ = writeln!(text, "  output {output}  {:+7.2}{mark}", f64::from(value) / 100.0);
    }
    let value = for_white(board, network.evaluate(board).value());
    let _ = writeln!(text, "\nEvaluation: {:+.2} (White), by NNUE", f64::from(value) / 100.0);
    if with_bare_king(board).is_some() {
        text.push_str("Against a king alone the search asks the classical evaluation.\n");
    }
    if position.in_check() {
        text.push_str("The side to move is in check: the search does not ask for this value.\n");
    }
    text
}

/// A value for the side to move, seen by White.
fn for_white(board: &Board, value: i32) -> i32 {
    if board.side_to_move().is_white() { value } else { -value }
}

/// What the man on a square adds: the value with it less the value without it, by the same output. A king cannot be
/// taken away.
fn worth(board: &Board, network: &Network, square: Square) -> Option<i32> {
    let piece = board.piece_on(square)?;
    if piece.kind() == PieceKind::King {
        return None;
    }
    let all = men_of(board);
    let others: Vec<_> = all.iter().copied().filter(|&(_, stands)| stands != square).collect();
    let bucket = output_bucket(all.len() as u32);
    let value = network.value(board, &all, bucket) - network.value(board, &others, bucket);
    Some(for_white(board, value))
}

/// The board with two lines for each rank: the men, and what they are worth.
fn draw(board: &Board, worth: impl Fn(Square) -> Option<i32>, text: &mut String) {
    let rule = format!("  +{}\n", "-------+".repeat(8));
    for rank in (0..8).rev() {
        text.push_str(&rule);
        let _ = write!(text, "{} |", rank + 1);
        for file in 0..8 {
            let letter = board.piece_on(Square::at(file, rank)).map_or(' ', |piece| piece.letter());
            let _ = write!(text, "   {letter}   |");
        }
        text.push_str("\n  |");
        for file in 0..8 {
            match worth(Square::at(file, rank)) {
                Some(value) => {
                    let _ = write!(text, "{:+6.2} |", f64::from(value) / 100.0);
                }
                None => text.push_str("       |"),
            }
        }
        text.push('\n');
    }
    text.push_str(&rule);
    let files: Vec<String> = ('a'..='h').map(|file| format!("    {file}   ")).collect();
    let _ = writeln!(text, "  {}", files.concat().trim_end());
}
