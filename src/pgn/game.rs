//! A game as PGN tells it: tags, moves as words, comments, result.

use crate::base::Color;

/// The tags that every game has, in the order in which they are written, with what stands for "not known".
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// How games end, as text; the last one is for those that have not.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The numbers that PGN has for remarks on moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph(pub u8);

impl Glyph {
    /// `!`.
    pub const GOOD: Glyph = Glyph(1);
    /// `?`.
    pub const MISTAKE: Glyph = Glyph(2);
    /// `??`.
    pub const BLUNDER: Glyph = Glyph(4);
    /// `?!`.
    pub const DUBIOUS: Glyph = Glyph(6);

    /// The remark that people put behind a move.
    pub fn from_suffix(suffix: &str) -> Option<Glyph> {
        let known = ["!", "?", "!!", "??", "!?", "?!"];
        let number = known.iter().position(|known| *known == suffix)?;
        Some(Glyph(number as u8 + 1))
    }
}

/// A move with what was said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// The move as it was written, without remarks.
    pub text: String,
    /// The line of the file it stands on; 0 for one that comes from no file.
    pub line: u64,
    /// Remarks.
    pub glyphs: Vec<Glyph>,
    /// Comments, joined.
    pub comment: String,
    /// Other lines in place of this move, as they were written, without parentheses.
    pub variations: Vec<String>,
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The line of the file it begins on; 0 for one that comes from no file.
    pub line: u64,
    /// Names and values.
    pub tags: Vec<(String, String)>,
    /// What is said before the first move.
    pub comment: String,
    /// The moves.
    pub plies: Vec<Ply>,
    /// The word behind the last move, one of [`RESULTS`]; none if there is no such word.
    pub result: Option<&'static str>,
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag in place of its old value, or behind the others.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_string(), value)),
        }
    }

    /// The number of the first move and whose it is, as the start position says.
    pub fn beginning(&self) -> (u32, Color) {
        let fields: Vec<&str> = self.tag("FEN").unwrap_or_default().split_whitespace().collect();
        let side = Color::from_bool(fields.get(1) != Some(&"b"));
        let number = fields.get(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        (number, side)
    }

    /// How the game ended: what stands behind the moves, or else what the tag says, one of [`RESULTS`].
    pub fn ending(&self) -> &'static str {
        let by_tag = || RESULTS.into_iter().find(|result| Some(*result) == self.tag("Result"));
        self.result.filter(|result| *result != "*").or_else(by_tag).unwrap_or("*")
    }
}
