//! The numbers of a row as one flat list of reals, and the rows as source: the text of `eval/fairy/values.rs`.
//!
//! First the pairs, each with its middlegame and its endgame half, then the single numbers. A test holds that [`text`]
//! gives back the file in the tree byte for byte.

use std::fmt::Write;

use super::super::parameters::cell_names;
use super::super::source::{pair_text, push_fields};
use crate::eval::classical::Pair;
use crate::eval::classical::numbers::Group;
use crate::eval::fairy::numbers::{ROWS, Singles, Values, Weights};

const HEAD: &str = "\
//! The values of the variants' evaluation; what each means stands in `numbers.rs`.
//!
//! Written by `rosada tune`: the next fit replaces what is changed here by hand, in the row that it fits.

use super::super::classical::Pair;
use super::numbers::{Row, Singles, Values, Weights};

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// The numbers in use, by variants; the last row serves all that no row names.
#[rustfmt::skip]
";
const MARGIN: &str = "                ";

/// All numbers of a row.
pub fn flat(numbers: &Values) -> Vec<f64> {
    let pairs = numbers.weights.cells().into_iter().flat_map(|pair| [pair.middlegame(), pair.endgame()]);
    pairs.chain(numbers.singles.cells()).map(f64::from).collect()
}

/// The row with these numbers, rounded.
pub fn values(numbers: &[f64]) -> Values {
    let written = as_written(numbers);
    let (pairs, singles) = written.split_at(2 * Weights::COUNT);
    let (pairs, _) = pairs.as_chunks::<2>();
    let pairs: Vec<Pair> =
        pairs.iter().map(|&[middlegame, endgame]| Pair::new(middlegame, endgame)).collect();
    let mut values = ROWS[0].numbers.clone();
    values.weights.fill(&pairs);
    values.singles.fill(singles);
    values
}

/// The numbers as the source holds them.
pub fn as_written(numbers: &[f64]) -> Vec<i32> {
    numbers.iter().map(|number| number.round() as i32).collect()
}

/// The smallest step of each number.
pub fn grains() -> Vec<f64> {
    vec![1.0; 2 * Weights::COUNT + Singles::COUNT]
}

/// What each number is called in a report.
pub fn names() -> Vec<String> {
    let halves = |name: String| [format!("{name} middlegame"), format!("{name} endgame")];
    let pairs = cell_names("", &Weights::fields()).into_iter().flat_map(halves);
    pairs.chain(cell_names("", &Singles::fields())).collect()
}

/// The source with these numbers in one row, whose origin is `origin`, and all others as they are.
pub fn text(row: usize, numbers: &[f64], origin: &str) -> String {
    let mut text = HEAD.to_string();
    let _ = writeln!(text, "pub static ROWS: [Row; {}] = [", ROWS.len());
    for (index, built_in) in ROWS.iter().enumerate() {
        let (numbers, origin) = match index == row {
            true => (numbers.to_vec(), origin),
            false => (flat(&built_in.numbers), built_in.origin),
        };
        let names: Vec<String> = built_in.variants.iter().map(|name| format!("\"{name}\"")).collect();
        let _ = writeln!(text, "    Row {{\n        variants: &[{}],", names.join(", "));
        let _ = writeln!(text, "        origin: \"{origin}\",\n        numbers: Values {{");
        let written = as_written(&numbers);
        let (pairs, singles) = written.split_at(2 * Weights::COUNT);
        let pairs: Vec<String> = pairs.as_chunks::<2>().0.iter().map(pair_text).collect();
        let singles: Vec<String> = singles.iter().map(i32::to_string).collect();
        text.push_str("            weights: Weights {\n");
        push_fields::<Weights>(&mut text, MARGIN, &pairs);
        text.push_str("            },\n            singles: Singles {\n");
        push_fields::<Singles>(&mut text, MARGIN, &singles);
        text.push_str("            },\n        },\n    },\n");
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN_TREE: &str = include_str!("../../../eval/fairy/values.rs");

    #[test]
    fn the_file_in_the_tree_is_what_is_written() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(text(index, &flat(&row.numbers), row.origin), IN_TREE);
        }
    }

    #[test]
    fn numbers_come_back_from_the_list_and_have_names() {
        for row in &ROWS {
            let list = flat(&row.numbers);
            assert_eq!(flat(&values(&list)), list);
            assert_eq!((names().len(), grains().len()), (list.len(), list.len()));
        }
        let mut list = flat(&ROWS[1].numbers);
        let place = |name: &str| names().iter().position(|other| other == name).unwrap_or(usize::MAX);
        list[place("material[5] endgame")] = 812.4;
        list[place("storm[2]")] = -3.6;
        let changed = values(&list);
        assert_eq!(changed.weights.material[5].endgame(), 812);
        assert_eq!(changed.singles.storm[2], -4);
        let source = text(1, &list, "a test");
        assert!(source.contains("origin: \"a test\"") && source.contains(", 812)"));
        assert_eq!(source.lines().count(), IN_TREE.lines().count());
    }
}
