//! What the model knows about a position: how often each number counts, in flat lists.
//!
//! [`FeatureStore`] listens to one evaluation of each position and keeps what it heard, some 400 bytes each, so that
//! millions fit into memory. `samples` fills it, `model` reads [`Features`] from it.

use once_cell::sync::Lazy;

use super::parameters::{DANGER_MOBILITY, DANGER_SHELTER, PAIRS};
use crate::base::Color;
use crate::chess::Board;
use crate::eval::classical::judge_afresh;
use crate::eval::classical::numbers::Group;
use crate::eval::classical::trace::{Recorder, Term};
use crate::eval::classical::weights::{Initiative, Weights};

/// A number that counts, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in its group.
    pub index: u16,
    /// How often it counts.
    pub times: i16,
}

/// The lists of a position, in the order in which they are stored. Shelter and mobility stand apart because they
/// enter king danger once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Linear weights, White minus Black, without those of the next three lists.
    Plain,
    /// Mobility, White minus Black.
    Mobility,
    /// The shelter of White's king.
    WhiteShelter,
    /// The shelter of Black's king.
    BlackShelter,
    /// What endangers White's king, shelter and mobility left out.
    WhiteDanger,
    /// What endangers Black's king, shelter and mobility left out.
    BlackDanger,
}

const LISTS: usize = 6;

/// The weights whose sum is a side's mobility.
const MOBILITY: [&str; 4] = ["knight_mobility", "bishop_mobility", "rook_mobility", "queen_mobility"];
/// The weights whose sum is the shelter of a king.
const SHELTER: [&str; 4] = ["shelter", "storm", "storm_blocked", "king_pawn_distance"];

/// What a linear weight is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Plain,
    Mobility,
    Shelter,
}

static PARTS: Lazy<Vec<Part>> = Lazy::new(|| {
    let mut parts = Vec::with_capacity(PAIRS);
    for field in Weights::fields() {
        let part = if MOBILITY.contains(&field.name) {
            Part::Mobility
        } else if SHELTER.contains(&field.name) {
            Part::Shelter
        } else {
            Part::Plain
        };
        parts.extend(vec![part; field.size()]);
    }
    parts
});

/// What is needed beside the lists.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// From 0, pawn endgame, to 24, all pieces.
    pub phase: u8,
    /// How much of the endgame half counts, in 64ths, if White, or if Black, is better.
    pub scales: [u8; 2],
    /// Whose turn it is.
    pub side: Color,
    /// The bonus of a side that only has to mate, for White; it is not fitted.
    pub mating: i16,
    /// How often each number counts for the initiative.
    pub initiative: [i8; Initiative::COUNT],
}

/// One position as the model sees it.
#[derive(Clone, Copy)]
pub struct Features<'a> {
    /// What is needed beside the lists.
    pub frame: &'a Frame,
    lengths: &'a [u8; LISTS],
    entries: &'a [Entry],
}

impl<'a> Features<'a> {
    /// One of the lists.
    #[inline(always)]
    pub fn list(&self, list: List) -> &'a [Entry] {
        let before = &self.lengths[..list as usize];
        let start = before.iter().map(|&length| length as usize).sum::<usize>();
        &self.entries[start..start + self.lengths[list as usize] as usize]
    }
}

/// The features of many positions.
#[derive(Default)]
pub struct FeatureStore {
    places: Vec<Place>,
    entries: Vec<Entry>,
}

struct Place {
    frame: Frame,
    lengths: [u8; LISTS],
    start: u32,
}

impl FeatureStore {
    /// How many positions are stored.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The features of one position.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Features<'_> {
        let place = &self.places[index];
        let length = place.lengths.iter().map(|&length| length as usize).sum::<usize>();
        let start = place.start as usize;
        Features {
            frame: &place.frame,
            lengths: &place.lengths,
            entries: &self.entries[start..start + length],
        }
    }

    /// Evaluates a position and stores what counted. False when that does not fit the compact form, which no
    /// position from play comes near to.
    pub fn push(&mut self, board: &Board) -> bool {
        let start = self.entries.len();
        let stored = self.try_push(board).is_some();
        if !stored {
            self.entries.truncate(start);
        }
        stored
    }

    fn try_push(&mut self, board: &Board) -> Option<()> {
        let mut recorder = Recorder::new();
        let verdict = judge_afresh(board, &mut recorder);
        let start = u32::try_from(self.entries.len()).ok()?;
        let lengths = [
            self.push_weights(&recorder, Part::Plain, |[white, black]| white - black)?,
            self.push_weights(&recorder, Part::Mobility, |[white, black]| white - black)?,
            self.push_weights(&recorder, Part::Shelter, |[white, _]| white)?,
            self.push_weights(&recorder, Part::Shelter, |[_, black]| black)?,
            self.push_danger(&recorder, Color::White)?,
            self.push_danger(&recorder, Color::Black)?,
        ];
        let mating = recorder.term(Term::Mating, Color::White) - recorder.term(Term::Mating, Color::Black);
        let frame = Frame {
            phase: u8::try_from(verdict.phase).ok()?,
            scales: [narrow(recorder.scale(Color::White))?, narrow(recorder.scale(Color::Black))?],
            side: board.side_to_move(),
            mating: narrow(mating.endgame())?,
            initiative: narrow_all(recorder.initiative())?,
        };
        self.places.push(Place { frame, lengths, start });
        Some(())
    }

    /// Appends the weights of one part that count, and returns how many there are.
    fn push_weights(
        &mut self,
        recorder: &Recorder,
        part: Part,
        times: impl Fn([i32; 2]) -> i32,
    ) -> Option<u8> {
        let counts = recorder.counts().iter().zip(PARTS.iter());
        let counts = counts.map(|(&count, &of)| if of == part { times(count) } else { 0 });
        self.push_list(counts)
    }

    fn push_danger(&mut self, recorder: &Recorder, king: Color) -> Option<u8> {
        let counts = recorder.danger(king).iter().enumerate();
        self.push_list(counts.map(|(index, &times)| {
            // The model computes these two itself, from the weights as they change.
            if index == DANGER_SHELTER || index == DANGER_MOBILITY { 0 } else { times }
        }))
    }

    fn push_list(&mut self, counts: impl Iterator<Item = i32>) -> Option<u8> {
        let before = self.entries.len();
        for (index, times) in counts.enumerate().filter(|&(_, times)| times != 0) {
            self.entries.push(Entry { index: narrow(index)?, times: narrow(times)? });
        }
        narrow(self.entries.len() - before)
    }
}

fn narrow<Wide, Narrow: TryFrom<Wide>>(value: Wide) -> Option<Narrow> {
    Narrow::try_from(value).ok()
}

fn narrow_all<const LENGTH: usize>(values: &[i32; LENGTH]) -> Option<[i8; LENGTH]> {
    let mut narrowed = [0; LENGTH];
    for (to, &from) in narrowed.iter_mut().zip(values) {
        *to = narrow(from)?;
    }
    Some(narrowed)
}
