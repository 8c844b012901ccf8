//! Everything that is fitted, as one flat list of reals.
//!
//! First the linear weights, each with its middlegame and its endgame half, then the tempo, king danger and
//! initiative. The model reads the list by the places named here, the optimizer moves it, `source` writes it back.

use std::mem::{offset_of, size_of};

use once_cell::sync::Lazy;

use crate::eval::classical::numbers::{Field, Group};
use crate::eval::classical::weights::{self, Danger, Initiative, Weights};

/// How many linear weights there are; their halves are the first numbers of the list.
pub const PAIRS: usize = Weights::COUNT;
/// Where the tempo stands.
pub const TEMPO: usize = 2 * PAIRS;
/// Where king danger starts.
pub const DANGER: usize = TEMPO + 1;
/// Where the initiative starts.
pub const INITIATIVE: usize = DANGER + Danger::COUNT;
/// How many numbers there are.
pub const COUNT: usize = INITIATIVE + Initiative::COUNT;

/// Where the shelter's share in king danger stands among the numbers of the danger.
pub const DANGER_SHELTER: usize = offset_of!(Danger, shelter_64ths) / size_of::<i32>();
/// The same for the mobility's share.
pub const DANGER_MOBILITY: usize = offset_of!(Danger, mobility_64ths) / size_of::<i32>();
/// Where the relief of the middlegame stands among the numbers of the initiative.
pub const RELIEF: usize = offset_of!(Initiative, middlegame_relief) / size_of::<i32>();

/// The smallest step of each number: the engine knows whole numbers only, but those whose name says so count in 64ths.
pub static GRAINS: Lazy<Vec<f64>> =
    Lazy::new(|| names().iter().map(|name| if name.contains("_64ths") { 1.0 / 64.0 } else { 1.0 }).collect());

/// The values this binary was built with.
pub fn built_in() -> Vec<f64> {
    let mut written = Vec::with_capacity(COUNT);
    for pair in weights::W.cells() {
        written.extend([pair.middlegame(), pair.endgame()]);
    }
    written.push(weights::TEMPO);
    written.extend(weights::DANGER.cells());
    written.extend(weights::INITIATIVE.cells());
    written.iter().zip(GRAINS.iter()).map(|(&number, grain)| number as f64 * grain).collect()
}

/// The numbers as the source holds them: whole, in their own units.
pub fn as_written(values: &[f64]) -> Vec<i32> {
    values.iter().zip(GRAINS.iter()).map(|(value, grain)| (value / grain).round() as i32).collect()
}

/// The numbers as the engine can use them.
pub fn rounded(values: &[f64], grains: &[f64]) -> Vec<f64> {
    values.iter().zip(grains).map(|(value, grain)| (value / grain).round() * grain).collect()
}

/// How far from its start each number may be expected: `spread` of its smallest steps and a quarter of the start, since
/// large numbers are known less exactly than small ones.
pub fn spreads(start: &[f64], spread: f64, grains: &[f64]) -> Vec<f64> {
    start.iter().zip(grains).map(|(value, grain)| spread * grain + value.abs() / 4.0).collect()
}

/// What each number is called in a report.
pub fn names() -> Vec<String> {
    let mut names = Vec::with_capacity(COUNT);
    for name in cell_names("", &Weights::fields()) {
        names.extend([format!("{name} middlegame"), format!("{name} endgame")]);
    }
    names.push("tempo".to_string());
    names.extend(cell_names("danger ", &Danger::fields()));
    names.extend(cell_names("initiative ", &Initiative::fields()));
    names
}

/// The names of all numbers of a group, with their places in arrays: `storm[2][3]`.
pub fn cell_names(group: &str, fields: &[Field]) -> Vec<String> {
    let mut names = Vec::new();
    for field in fields {
        let mut places = vec![String::new()];
        for &length in &field.lengths {
            let deeper = |place: &String| (0..length).map(|i| format!("{place}[{i}]")).collect::<Vec<_>>();
            places = places.iter().flat_map(deeper).collect();
        }
        names.extend(places.into_iter().map(|place| format!("{group}{}{place}", field.name)));
    }
    names
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_and_names_agree() {
        let (values, names) = (built_in(), names());
        assert_eq!((values.len(), names.len()), (COUNT, COUNT));
        let written = as_written(&values);
        let value = |name: &str| written[names.iter().position(|n| n == name).unwrap()];
        assert_eq!(value("storm[3][2] middlegame"), weights::W.storm[3][2].middlegame());
        assert_eq!(value("space_64ths middlegame"), weights::W.space_64ths.middlegame());
        assert_eq!(value("tempo"), weights::TEMPO);
        assert_eq!(value("danger safe_check[3][1]"), weights::DANGER.safe_check[3][1]);
        assert_eq!(names[DANGER + DANGER_SHELTER], "danger shelter_64ths");
        assert_eq!(names[DANGER + DANGER_MOBILITY], "danger mobility_64ths");
        assert_eq!(names[INITIATIVE + RELIEF], "initiative middlegame_relief");
        assert_eq!(values[DANGER + DANGER_SHELTER] * 64.0, weights::DANGER.shelter_64ths as f64);
        assert_eq!(rounded(&values, &GRAINS), values);
    }
}
