//! An ending: which men are on the board. The stronger side is White, so KQvKR stands for KRvKQ too.
//!
//! Endings name tables and files, say which smaller endings they lead to, and are read off a board by the probe.

use std::fmt;

use crate::base::error::quote;
use crate::base::{Color, Error};
use crate::chess::{Board, PieceKind};

/// The most men, both kings included, that tables are built for.
pub const MOST_MEN: usize = 5;

/// The kinds besides the king, strongest first: the order of names.
const STRONGEST_FIRST: [PieceKind; 5] =
    [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Pawn];

/// What a pawn may turn into.
pub const PROMOTIONS: [PieceKind; 4] =
    [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

/// How many men of each kind each side has, kings aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ending {
    counts: [[u8; 5]; 2],
}

impl Ending {
    /// Bare kings.
    pub const KINGS: Ending = Ending { counts: [[0; 5]; 2] };

    /// The men on a board.
    #[inline]
    pub fn of(board: &Board) -> Ending {
        let mut ending = Ending::KINGS;
        for color in Color::ALL {
            for kind in STRONGEST_FIRST {
                ending.counts[color.index()][kind.index()] = board.pieces(color, kind).count() as u8;
            }
        }
        ending
    }

    /// How many men of a kind a side has; no kings.
    #[inline(always)]
    pub fn count(&self, color: Color, kind: PieceKind) -> usize {
        usize::from(self.counts[color.index()].get(kind.index()).copied().unwrap_or(0))
    }

    /// All men, both kings included.
    pub fn men(&self) -> usize {
        2 + self.counts.iter().flatten().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// Whether there are pawns.
    pub fn has_pawns(&self) -> bool {
        self.counts.iter().any(|side| side[PieceKind::Pawn.index()] > 0)
    }

    /// Whether both sides have pawns, so that pawns can be captured en passant.
    pub fn has_en_passant(&self) -> bool {
        self.counts.iter().all(|side| side[PieceKind::Pawn.index()] > 0)
    }

    /// The same with the colors exchanged.
    pub fn flipped(&self) -> Ending {
        Ending { counts: [self.counts[1], self.counts[0]] }
    }

    /// How strong a side is: more men first, then better ones.
    fn strength(&self, color: Color) -> (u8, [u8; 5]) {
        let side = self.counts[color.index()];
        (side.iter().sum(), STRONGEST_FIRST.map(|kind| side[kind.index()]))
    }

    /// Whether White is the stronger side, or both are equal.
    pub fn is_canonical(&self) -> bool {
        self.strength(Color::White) >= self.strength(Color::Black)
    }

    /// The ending with the stronger side as White, and whether the colors had to be exchanged for it.
    #[inline]
    pub fn canonical(&self) -> (Ending, bool) {
        if self.is_canonical() { (*self, false) } else { (self.flipped(), true) }
    }

    /// The ending without one man.
    pub fn without(&self, color: Color, kind: PieceKind) -> Ending {
        let mut ending = *self;
        if let Some(count) = ending.counts[color.index()].get_mut(kind.index()) {
            *count = count.saturating_sub(1);
        }
        ending
    }

    /// The ending with a pawn turned into something else.
    pub fn promoted(&self, color: Color, kind: PieceKind) -> Ending {
        let mut ending = self.without(color, PieceKind::Pawn);
        if let Some(count) = ending.counts[color.index()].get_mut(kind.index()) {
            *count += 1;
        }
        ending
    }

    /// The kinds a side has, each once.
    fn kinds(&self, color: Color) -> impl Iterator<Item = PieceKind> + use<> {
        let side = self.counts[color.index()];
        STRONGEST_FIRST.into_iter().filter(move |kind| side[kind.index()] > 0)
    }

    /// The endings that a single capture, promotion or both lead to, canonical, without bare kings.
    pub fn successors(&self) -> Vec<Ending> {
        let mut found = Vec::new();
        for color in Color::ALL {
            found.extend(self.kinds(!color).map(|victim| self.without(!color, victim)));
            if self.count(color, PieceKind::Pawn) > 0 {
                for kind in PROMOTIONS {
                    let promoted = self.promoted(color, kind);
                    found.push(promoted);
                    // A pawn stands where no capture on the last rank can take it.
                    let victims = promoted.kinds(!color).filter(|&victim| victim != PieceKind::Pawn);
                    found.extend(victims.map(|victim| promoted.without(!color, victim)));
                }
            }
        }
        found.iter_mut().for_each(|ending| *ending = ending.canonical().0);
        found.retain(|ending| *ending != Ending::KINGS);
        found.sort();
        found.dedup();
        found
    }

    /// Every ending with so many men, canonical, in the order of names.
    pub fn with_men(men: usize) -> Vec<Ending> {
        let mut found = vec![Ending::KINGS];
        for _ in 2..men {
            let larger = found.iter().flat_map(|ending| {
                Color::ALL.into_iter().flat_map(move |color| {
                    STRONGEST_FIRST.into_iter().map(move |kind| {
                        let mut larger = *ending;
                        larger.counts[color.index()][kind.index()] += 1;
                        larger.canonical().0
                    })
                })
            });
            found = larger.collect();
            found.sort();
            found.dedup();
        }
        found.sort_by_key(|ending| {
            std::cmp::Reverse((ending.strength(Color::White), ending.strength(Color::Black)))
        });
        found
    }

    /// Reads a name such as `KQvKR` of an ending that tables can be built for, in either case and with the sides in
    /// either order.
    pub fn parse(name: &str) -> Result<Ending, Error> {
        let ending = Ending::parse_any(name)?;
        if !(3..=MOST_MEN).contains(&ending.men()) {
            let why = format!("tables have 3 to {MOST_MEN} men, not {}", ending.men());
            return Err(Error::new(format!("ending {}: {why}", quote(name))));
        }
        Ok(ending)
    }

    /// Reads a name such as `KQvKR` with any number of men.
    pub fn parse_any(name: &str) -> Result<Ending, Error> {
        let fault = |why: String| Error::new(format!("ending {}: {why}", quote(name)));
        let upper = name.trim().to_ascii_uppercase();
        let Some((white, black)) = upper.split_once('V') else {
            return Err(fault("a name looks like KQvKR".to_string()));
        };
        let mut ending = Ending::KINGS;
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            let Some(others) = letters.strip_prefix('K') else {
                return Err(fault("each side begins with its king, as in KQvKR".to_string()));
            };
            for letter in others.chars() {
                match PieceKind::from_letter(letter) {
                    Some(PieceKind::King) => return Err(fault("a side has one king".to_string())),
                    Some(kind) => {
                        let count = &mut ending.counts[color.index()][kind.index()];
                        *count = count.saturating_add(1);
                    }
                    None => return Err(fault(format!("{letter:?} is no piece"))),
                }
            }
        }
        Ok(ending.canonical().0)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            f.write_str(if color.is_white() { "K" } else { "vK" })?;
            for kind in STRONGEST_FIRST {
                for _ in 0..self.count(color, kind) {
                    write!(f, "{}", kind.letter().to_ascii_uppercase())?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (text, name) in [("KQvKR", "KQvKR"), ("krvkq", "KQvKR"), ("KPvKRB", "KRBvKP"), ("KNBVK", "KBNvK")]
        {
            assert_eq!(Ending::parse(text).map(|ending| ending.to_string()), Ok(name.to_string()));
        }
        for text in ["", "KQ", "QvK", "KvK", "KXvK", "KKvK", "KQQQvKR", "KQvKRv", "KéV"] {
            assert!(Ending::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn there_are_as_many_endings_as_are_known() {
        assert_eq!([3, 4, 5].map(|men| Ending::with_men(men).len()), [5, 30, 110]);
        assert_eq!(Ending::with_men(3)[0].to_string(), "KQvK");
    }

    #[test]
    fn captures_and_promotions_lead_to_smaller_tables() {
        let names = |name: &str| -> Vec<String> {
            let mut names: Vec<String> =
                Ending::parse(name).unwrap().successors().iter().map(Ending::to_string).collect();
            names.sort();
            names
        };
        assert_eq!(names("KQvKR"), ["KQvK", "KRvK"]);
        assert_eq!(
            names("KRvKP"),
            ["KBvK", "KNvK", "KPvK", "KQvK", "KQvKR", "KRvK", "KRvKB", "KRvKN", "KRvKR"]
        );
    }
}
