//! The table of terms that the `eval` command prints.

use super::trace::{Recorder, Term};
use super::weights::{TEMPO, endgame};
use super::{Pair, judge_afresh};
use crate::base::Color;
use crate::chess::Position;

/// The evaluation of a position, term by term, in pawns: what each side gets, the difference, how it is blended, and
/// the value from White's point of view. It also answers for positions in check, which the search never values.
pub fn table(position: &Position) -> String {
    let board = position.board();
    let mut recorder = Recorder::new();
    let verdict = judge_afresh(board, &mut recorder);
    let rule = "---------------+---------------+---------------+---------------\n";
    let mut text = String::from("          Term |     White     |     Black     |     Total     \n");
    text.push_str("               |    MG     EG  |    MG     EG  |    MG     EG  \n");
    text.push_str(rule);
    for term in Term::ALL {
        let (white, black) = (recorder.term(term, Color::White), recorder.term(term, Color::Black));
        // Initiative belongs to neither side.
        let sides = if term == Term::Initiative {
            format!("{0} | {0}", "   --     -- ")
        } else {
            format!("{} | {}", halves(white), halves(black))
        };
        text.push_str(&format!("{:>14} | {sides} | {}\n", term.name(), halves(white - black)));
    }
    text.push_str(rule);
    let total = format!("{0:13} | {0:13} | {1}", "", halves(verdict.score));
    text.push_str(&format!("{:>14} | {total}\n\n", "Total"));
    text.push_str(&format!("Phase: {} of {}\n", verdict.phase, super::FULL_PHASE));
    text.push_str(&format!("Scale: {} of {}\n", verdict.scale, endgame::NORMAL));
    text.push_str(&format!("Tempo: {}\n", pawns(TEMPO)));
    let value = verdict.for_side(board.side_to_move());
    let for_white = if board.side_to_move().is_white() { value } else { -value };
    text.push_str(&format!("Evaluation: {} (White)", pawns(for_white.value())));
    if position.in_check() {
        text.push_str(" - in check, the search would look further");
    }
    text.push('\n');
    text
}

/// Both halves in pawns.
fn halves(pair: Pair) -> String {
    format!("{:>6} {:>6}", pawns(pair.middlegame()), pawns(pair.endgame()))
}

/// Centipawns as pawns with a sign.
fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", centipawns as f64 / 100.0)
}
