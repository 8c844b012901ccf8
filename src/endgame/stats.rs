//! What an ending is like in numbers: positions, mates, stalemates, distances. Counted over all positions, each mirror
//! image once.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use super::parallel::{Crew, Stage};
use super::placement::Placement;
use super::solved::Solved;
use super::value::Value;
use crate::base::{Color, Error};

/// The numbers for one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// Legal positions.
    pub legal: u64,
    /// The side to move is mated.
    pub mated: u64,
    /// The side to move has no move and is not in check.
    pub stalemated: u64,
    /// Won positions by plies.
    pub wins: Vec<u64>,
    /// Lost positions by plies; those mated included.
    pub losses: Vec<u64>,
}

impl Side {
    fn count(counts: &mut Vec<u64>, plies: u32) {
        let plies = plies as usize;
        if counts.len() <= plies {
            counts.resize(plies + 1, 0);
        }
        counts[plies] += 1;
    }

    fn add(&mut self, other: &Side) {
        self.legal += other.legal;
        self.mated += other.mated;
        self.stalemated += other.stalemated;
        for (mine, theirs) in [(&mut self.wins, &other.wins), (&mut self.losses, &other.losses)] {
            mine.resize(mine.len().max(theirs.len()), 0);
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
    }

    /// Positions nobody can win.
    pub fn draws(&self) -> u64 {
        self.legal - self.wins.iter().sum::<u64>() - self.losses.iter().sum::<u64>()
    }
}

/// The numbers of an ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Placements of the men on different squares with kings apart.
    pub placements: u64,
    /// White to move, Black to move.
    pub sides: [Side; 2],
}

const CHUNK: usize = 1 << 16;

/// Counts through an ending.
pub fn count(solved: &Solved, crew: &Crew<'_>) -> Result<Stats, Error> {
    let layout = solved.layout();
    let total = Mutex::new(Stats::default());
    crew.run(Stage::Reading, layout.size().div_ceil(CHUNK), |chunk| {
        let mut stats = Stats::default();
        for number in chunk * CHUNK..((chunk + 1) * CHUNK).min(layout.size()) {
            let squares = layout.placement(number);
            if !layout.is_used(number, &squares) {
                continue;
            }
            stats.placements += 1;
            let placement = Placement::new(layout, squares);
            for side in Color::ALL.into_iter().filter(|&side| placement.is_legal(side)) {
                let counts = &mut stats.sides[side.index()];
                counts.legal += 1;
                match solved.code(side, number).value() {
                    Value::Win(plies) => Side::count(&mut counts.wins, plies),
                    Value::Loss(plies) => Side::count(&mut counts.losses, plies),
                    Value::Draw if !placement.has_move(side) => counts.stalemated += 1,
                    Value::Draw => {}
                }
            }
        }
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        total.placements += stats.placements;
        total.sides.iter_mut().zip(&stats.sides).for_each(|(total, side)| total.add(side));
    })?;
    let mut stats = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    for side in &mut stats.sides {
        side.mated = side.losses.first().copied().unwrap_or(0);
    }
    Ok(stats)
}

impl Stats {
    /// As people read it.
    pub fn table(&self, name: &str) -> String {
        let mut text = format!("{name}: {} placements, mirror images counted once\n", self.placements);
        let _ = writeln!(text, "{:<22} {:>13} {:>13}", "", "White to move", "Black to move");
        let mut row = |name: &str, number: fn(&Side) -> u64| {
            let [white, black] = [number(&self.sides[0]), number(&self.sides[1])];
            let _ = writeln!(text, "{name:<22} {white:>13} {black:>13}");
        };
        row("legal", |side| side.legal);
        row("wins", |side| side.wins.iter().sum());
        row("draws", Side::draws);
        row("losses", |side| side.losses.iter().sum());
        row("mated", |side| side.mated);
        row("stalemated", |side| side.stalemated);
        let longest = self.sides.iter().map(|side| side.wins.len().max(side.losses.len())).max().unwrap_or(0);
        let _ = writeln!(text, "decided in so many plies, + won, - lost:");
        for plies in 0..longest {
            let cell = |side: &Side| {
                let (sign, counts) = if plies % 2 == 1 { ('+', &side.wins) } else { ('-', &side.losses) };
                counts
                    .get(plies)
                    .filter(|&&count| count > 0)
                    .map_or(String::new(), |count| format!("{sign}{count}"))
            };
            let (white, black) = (cell(&self.sides[0]), cell(&self.sides[1]));
            let _ = writeln!(text, "{plies:>22} {white:>13} {black:>13}");
        }
        text
    }
}
