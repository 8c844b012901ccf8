//! The names of the well-known openings with their ECO codes, for `d`, the console and `rosada book show`.
//!
//! The table is `openings.tsv` beside this file: code, name, moves. A position has the name of the line that leads to
//! it, whatever the order of moves; a game has the name of its last position that has one.

use std::collections::HashMap;
use std::fmt;

use once_cell::sync::Lazy;

use crate::chess::Position;

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the Encyclopedia of Chess Openings.
    pub eco: &'static str,
    /// Its name, the family first: `Sicilian Defense: Najdorf Variation`.
    pub name: &'static str,
    /// The moves that lead to it.
    pub moves: &'static str,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// All named openings.
pub fn openings() -> impl Iterator<Item = Opening> {
    include_str!("openings.tsv").lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        Some(Opening { eco: columns.next()?, name: columns.next()?, moves: columns.next()? })
    })
}

/// Openings by the keys of their last positions.
static BY_KEY: Lazy<HashMap<u64, Opening>> = Lazy::new(|| {
    let key = |opening: &Opening| {
        let mut position = Position::start();
        for san in opening.moves.split_whitespace() {
            position.make(position.parse_san(san).ok()?);
        }
        Some(position.board().keys().full)
    };
    openings().filter_map(|opening| Some((key(&opening)?, opening))).collect()
});

/// The opening that a position is, apart from how it came about.
pub fn name_of(position: &Position) -> Option<Opening> {
    BY_KEY.get(&position.board().keys().full).copied()
}

/// The opening that a game went through last.
pub fn opening_of(position: &Position) -> Option<Opening> {
    let earlier = || position.past_keys().iter().rev().find_map(|key| BY_KEY.get(key).copied());
    name_of(position).or_else(earlier)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        for san in moves.split_whitespace() {
            position.make(position.parse_san(san).unwrap());
        }
        position
    }

    #[test]
    fn the_table_is_sound() {
        let all: Vec<Opening> = openings().collect();
        assert!(all.len() >= 200, "{}", all.len());
        // Every line can be played, and no two end in the same position.
        assert_eq!(BY_KEY.len(), all.len());
        assert!(all.is_sorted_by_key(|opening| opening.eco));
        for opening in all {
            let (letter, number) = opening.eco.split_at(1);
            assert!(
                "ABCDE".contains(letter) && number.len() == 2 && number.parse::<u8>().is_ok(),
                "{opening}"
            );
            assert_eq!(name_of(&after(opening.moves)), Some(opening));
        }
    }

    #[test]
    fn games_keep_the_name_of_their_last_named_position() {
        let name = |moves| opening_of(&after(moves)).map(|opening| opening.to_string());
        assert_eq!(name(""), None);
        assert_eq!(name("e4 c5"), Some("B20 Sicilian Defense".to_string()));
        let najdorf = Some("B90 Sicilian Defense: Najdorf Variation".to_string());
        assert_eq!(name("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), najdorf);
        assert_eq!(name("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 a4 h5 h4"), najdorf);
        // Another order of moves, the same opening.
        assert_eq!(name("Nf3 d5 d4 Nf6 c4 e6 Nc3"), name("d4 d5 c4 e6 Nf3 Nf6 Nc3"));
        assert_eq!(name("c4 Nf6 d4 e6 Nc3 Bb4"), Some("E20 Nimzo-Indian Defense".to_string()));
    }
}
