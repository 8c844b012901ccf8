//! The numbers as source: the text of `eval/classical/values.rs`.
//!
//! `run` writes it whenever a fit has found better numbers. A test holds that it gives back the file in the tree byte
//! for byte.

use std::fmt::Write;

use super::parameters::{DANGER, INITIATIVE, PAIRS, TEMPO, as_written};
use crate::eval::classical::numbers::{Field, Group};
use crate::eval::classical::weights::{Danger, Initiative, Weights};

/// The longest line.
const WIDTH: usize = 110;
/// Values of half a board are written as the board stands: four files a line.
const HALF_BOARD: usize = 32;

const HEAD: &str = "\
//! The values of the classical evaluation; what each means stands in `weights.rs`.
//!
//! Written by `rosada tune`: the next fit replaces what is changed here by hand.
//!
";

const IMPORTS: &str = "
use super::pair::Pair;
use super::weights::{Danger, Initiative, Weights};

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}
";

/// The source that holds `values`. `origin` says in a few lines where they come from.
pub fn text(values: &[f64], origin: &[String]) -> String {
    let mut text = HEAD.to_string();
    for line in origin {
        let _ = writeln!(text, "//! {line}");
    }
    text.push_str(IMPORTS);
    let numbers = as_written(values);
    let tempo = numbers[TEMPO];
    let _ = write!(text, "\n/// What having the move is worth.\npub const TEMPO: i32 = {tempo};\n");

    let (pairs, _) = numbers[..2 * PAIRS].as_chunks::<2>();
    let pairs = pairs.iter().map(pair_text);
    push_group::<Weights>(&mut text, "weights", "W: Weights = Weights", pairs.collect());
    let danger = numbers[DANGER..INITIATIVE].iter().map(i32::to_string).collect();
    push_group::<Danger>(&mut text, "king danger", "DANGER: Danger = Danger", danger);
    let initiative = numbers[INITIATIVE..].iter().map(i32::to_string).collect();
    push_group::<Initiative>(&mut text, "initiative", "INITIATIVE: Initiative = Initiative", initiative);
    text
}

/// Appends one group: `cells` are its numbers as they are written.
fn push_group<G: Group>(text: &mut String, what: &str, definition: &str, cells: Vec<String>) {
    let _ = write!(text, "\n/// The {what} in use.\n#[rustfmt::skip]\npub static {definition} {{\n");
    push_fields::<G>(text, "    ", &cells);
    text.push_str("};\n");
}

/// Appends the fields of a group, behind `margin`.
pub fn push_fields<G: Group>(text: &mut String, margin: &str, cells: &[String]) {
    let mut rest = cells;
    for field in G::fields() {
        let (own, others) = rest.split_at(field.size());
        rest = others;
        push_field(text, margin, &field, own);
    }
}

/// A pair as it is written.
pub fn pair_text([middlegame, endgame]: &[i32; 2]) -> String {
    format!("p({middlegame}, {endgame})")
}

fn push_field(text: &mut String, margin: &str, field: &Field, cells: &[String]) {
    let name = field.name;
    let joined = cells.join(", ");
    let single_line = match field.lengths[..] {
        [] => format!("{margin}{name}: {joined},"),
        _ => format!("{margin}{name}: [{joined}],"),
    };
    let rows: Vec<String> = match field.lengths[..] {
        [HALF_BOARD] => cells.chunks(4).map(|row| row.join(", ")).collect(),
        [_, inner] => cells.chunks(inner).map(|row| format!("[{}]", row.join(", "))).collect(),
        _ if single_line.len() > WIDTH => fill(cells, margin),
        _ => {
            let _ = writeln!(text, "{single_line}");
            return;
        }
    };
    let _ = writeln!(text, "{margin}{name}: [");
    for row in rows {
        let _ = writeln!(text, "{margin}    {row},");
    }
    let _ = writeln!(text, "{margin}],");
}

/// As many numbers on each line as fit.
fn fill(cells: &[String], margin: &str) -> Vec<String> {
    let room = WIDTH - margin.len() - "    ,".len();
    let mut rows: Vec<String> = Vec::new();
    for cell in cells {
        match rows.last_mut() {
            Some(row) if row.len() + ", ".len() + cell.len() <= room => {
                row.push_str(", ");
                row.push_str(cell);
            }
            _ => rows.push(cell.clone()),
        }
    }
    rows
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::parameters;
    use super::*;

    const IN_TREE: &str = include_str!("../../eval/classical/values.rs");

    /// The lines of the tree's file that say where its numbers come from.
    fn origin() -> Vec<String> {
        let comments = IN_TREE.lines().take_while(|line| line.starts_with("//!"));
        comments.skip(HEAD.lines().count()).map(|line| line.trim_start_matches("//! ").to_string()).collect()
    }

    /// Byte for byte: the generator knows every number, and the file is what the generator wrote.
    #[test]
    fn the_file_in_the_tree_is_what_is_written() {
        assert_eq!(text(&parameters::built_in(), &origin()), IN_TREE);
    }

    #[test]
    fn a_changed_number_is_written() {
        let mut values = parameters::built_in();
        values[0] += 1.4;
        values[DANGER + 1] = -3.6;
        let changed = text(&values, &origin());
        let differing: Vec<&str> =
            changed.lines().zip(IN_TREE.lines()).filter(|(a, b)| a != b).map(|(a, _)| a.trim()).collect();
        assert_eq!(differing.len(), 2, "{differing:?}");
        assert!(differing[0].starts_with(&format!("material: [p({},", values[0].round())), "{differing:?}");
        assert!(differing[1].starts_with("attacker: [0, -4,"), "{differing:?}");
    }
}
