//! Retrograde analysis: the value of every placement of an ending, from the mates backwards.
//!
//! A first look at every placement finds the mates, and what captures and promotions are worth in smaller endings. Then,
//! ply by ply, the positions decided in exactly so many plies are taken up, and the moves that lead to them are taken
//! back:
//! - whoever can move to a position that is lost for the opponent in `n` plies wins in `n + 1`;
//! - whoever can only move to positions won for the opponent, the slowest in `n` plies, loses in `n + 1`. That is
//!   checked by looking at all moves, not counted down, so that symmetric placements need no special care.
//!
//! What a capture promises is entered at once, at its distance; it stands unless a faster win comes up before its turn.
//! What is never reached is a draw.
//!
//! Tables hold positions without the right to capture en passant. Where a double step gives that right, the position
//! behind it is worth the better of the table's value and the capture; such steps are kept in a list of their own.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::ending::Ending;
use super::index::Layout;
use super::parallel::{Crew, Stage};
use super::placement::Placement;
use super::solved::{Doors, ILLEGAL, Library, Solved};
use super::value::{Code, Value};
use crate::base::memory::ZeroedSlice;
use crate::base::{Color, Error};

/// Placements are dealt out to threads in chunks of so many.
const CHUNK: usize = 4096;

/// The plies of the loss that has the code of [`ILLEGAL`].
const LONGEST_LOSS: u32 = 254;

/// A double step after which the opponent may capture en passant.
struct Passing {
    /// Whose step.
    side: Color,
    /// The placement before.
    before: usize,
    /// The placement after.
    after: usize,
    /// What capturing en passant is worth for the opponent.
    capture: Value,
    /// The opponent has no other move.
    forced: bool,
}

/// A bit for every placement.
struct Flags(ZeroedSlice<AtomicU64>);

impl Flags {
    #[inline(always)]
    fn set(&self, number: usize) {
        self.0[number / 64].fetch_or(1 << (number % 64), Relaxed);
    }

    #[inline(always)]
    fn is_set(&self, number: usize) -> bool {
        self.0[number / 64].load(Relaxed) >> (number % 64) & 1 != 0
    }
}

struct Solver<'a> {
    solved: Solved,
    doors: Doors,
    crew: &'a Crew<'a>,
    /// For each side and chunk, which codes were ever entered there.
    entered: [Vec<[AtomicU64; 4]>; 2],
    /// For each side, positions with a capture or promotion that does not lose.
    never_lost: [Flags; 2],
    passing: Mutex<Vec<Passing>>,
    /// The largest distance entered so far.
    longest: AtomicU32,
    /// Whether some distance did not fit into a code.
    too_long: AtomicU32,
}

/// The bytes of memory that solving and packing an ending takes, the endings it leads to aside.
pub fn memory_for(ending: Ending) -> usize {
    let values = Layout::new(ending).size() * 2;
    let notes = values / 8 + values / CHUNK * 32;
    // Packed, it is held once more before it is written; hardly any block packs worse than to a half.
    values + notes.max(values / 2)
}

/// Solves an ending whose successors are in the library.
pub fn solve(ending: Ending, library: &Library, crew: &Crew<'_>) -> Result<Solved, Error> {
    let solved = Solved::empty(ending)?;
    let size = solved.layout().size();
    let flags = || {
        let words = ZeroedSlice::new(size.div_ceil(64));
        words.map(Flags).ok_or_else(|| Error::new(format!("{ending}: cannot allocate {} MB", size >> 23)))
    };
    let masks = || (0..size.div_ceil(CHUNK)).map(|_| Default::default()).collect();
    let solver = Solver {
        doors: Doors::new(solved.layout(), library)?,
        solved,
        crew,
        entered: [masks(), masks()],
        never_lost: [flags()?, flags()?],
        passing: Mutex::new(Vec::new()),
        longest: AtomicU32::new(0),
        too_long: AtomicU32::new(0),
    };
    solver.first_look()?;
    let mut plies = 0;
    while plies <= solver.longest.load(Relaxed) {
        solver.take_back(plies)?;
        plies += 1;
    }
    if solver.too_long.load(Relaxed) != 0 {
        return Err(Error::new(format!("{ending}: there are mates too long for the table format")));
    }
    let (longest, mut solved) = (solver.longest.into_inner(), solver.solved);
    if longest < LONGEST_LOSS {
        solved.set_marked();
    }
    Ok(solved)
}

impl Solver<'_> {
    /// Enters a value that is not a draw.
    #[inline]
    fn enter(&self, side: Color, number: usize, value: Value) {
        let (code, plies) = match value {
            Value::Win(plies) => (Code::win(plies), plies),
            Value::Loss(plies) => (Code::loss(plies), plies),
            Value::Draw => return,
        };
        let Some(Code(code)) = code else {
            self.too_long.store(plies, Relaxed);
            return;
        };
        self.solved.codes(side)[number].store(code, Relaxed);
        let word = &self.entered[side.index()][number / CHUNK][usize::from(code) / 64];
        let bit = 1u64 << (code % 64);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
            self.longest.fetch_max(plies, Relaxed);
        }
    }

    /// Looks at every placement once.
    fn first_look(&self) -> Result<(), Error> {
        let layout = self.solved.layout();
        self.crew.run(Stage::FirstLook, layout.size().div_ceil(CHUNK), |chunk| {
            let mut passing = Vec::new();
            for number in chunk * CHUNK..((chunk + 1) * CHUNK).min(layout.size()) {
                let squares = layout.placement(number);
                let used = layout.is_used(number, &squares);
                let placement = Placement::new(layout, squares);
                for side in Color::ALL {
                    if !used || !placement.is_legal(side) {
                        self.solved.codes(side)[number].store(ILLEGAL.0, Relaxed);
                        continue;
                    }
                    self.look_at(&placement, side, number);
                    if layout.ending().has_en_passant() {
                        self.find_passing(&placement, side, number, &mut passing);
                    }
                }
            }
            if !passing.is_empty() {
                self.passing.lock().unwrap_or_else(PoisonError::into_inner).append(&mut passing);
            }
        })
    }

    /// Enters what is clear from captures and promotions alone, and mates.
    fn look_at(&self, placement: &Placement<'_>, side: Color, number: usize) {
        let mut best = None::<Value>;
        placement.each_conversion(side, |step| {
            let value = self.doors.value(placement, side, step);
            best = Some(best.map_or(value, |best| best.or_better(value)));
        });
        match best {
            Some(win @ Value::Win(_)) => self.enter(side, number, win),
            Some(Value::Draw) => self.never_lost[side.index()].set(number),
            // Losing captures count only when there is nothing else.
            _ if !placement.each_quiet(side, |_| false) => {}
            Some(loss) => self.enter(side, number, loss),
            None if placement.in_check(side) => self.enter(side, number, Value::Loss(0)),
            None => {}
        }
    }

    /// Lists the double steps that allow a capture en passant.
    fn find_passing(&self, placement: &Placement<'_>, side: Color, before: usize, list: &mut Vec<Passing>) {
        placement.each_quiet(side, |step| {
            if placement.is_double_step(step) {
                let next = placement.after(step);
                if let Some(capture) = self.en_passant_value(&next, !side, step.man) {
                    let forced = !next.has_move(!side);
                    let passing = Passing { side, before, after: next.numbered().number, capture, forced };
                    if let Value::Win(plies) | Value::Loss(plies) = capture {
                        self.longest.fetch_max(plies, Relaxed);
                    }
                    list.push(passing);
                }
            }
            true
        });
    }

    /// What capturing the pawn that has just made a double step is worth for `side`; none if that is not legal.
    fn en_passant_value(&self, placement: &Placement<'_>, side: Color, stepped: usize) -> Option<Value> {
        let mut best = None::<Value>;
        placement.each_en_passant(side, stepped, |step| {
            let value = self.doors.value(placement, side, step);
            best = Some(best.map_or(value, |best| best.or_better(value)));
        });
        best
    }

    /// The value of a position behind a double step for the side that may capture, if it is decided within so many
    /// plies.
    fn passed_value(&self, code: Code, capture: Value, forced: bool, plies: u32) -> Option<Value> {
        let table = if forced { capture } else { code.value() };
        match (table, capture) {
            (Value::Win(a), Value::Win(b)) if a.min(b) <= plies => Some(Value::Win(a.min(b))),
            (Value::Win(a), _) | (_, Value::Win(a)) if a <= plies => Some(Value::Win(a)),
            (Value::Loss(a), Value::Loss(b)) if a.max(b) <= plies => Some(Value::Loss(a.max(b))),
            _ => None,
        }
    }

    /// From the positions decided in `plies` to those decided in one more.
    fn take_back(&self, plies: u32) -> Result<(), Error> {
        let layout = self.solved.layout();
        let lost = plies.is_multiple_of(2);
        let Some(Code(code)) = (if lost { Code::loss(plies) } else { Code::win(plies) }) else {
            return Ok(());
        };
        for side in Color::ALL {
            let has_code = |chunk: &usize| {
                let words = &self.entered[side.index()][*chunk];
                words[usize::from(code) / 64].load(Relaxed) >> (code % 64) & 1 != 0
            };
            let chunks: Vec<usize> = (0..layout.size().div_ceil(CHUNK)).filter(has_code).collect();
            let codes = self.solved.codes(side);
            self.crew.run(Stage::Plies(plies), chunks.len(), |portion| {
                let start = chunks[portion] * CHUNK;
                for (number, place) in codes.iter().enumerate().skip(start).take(CHUNK) {
                    if place.load(Relaxed) != code {
                        continue;
                    }
                    let squares = layout.placement(number);
                    let placement = Placement::new(layout, squares);
                    if code != ILLEGAL.0 || layout.is_used(number, &squares) && placement.is_legal(side) {
                        self.take_back_from(&placement, side, plies);
                    }
                }
            })?;
        }
        self.take_back_passing(plies);
        Ok(())
    }

    /// The positions before one in which `side` is to move and which is decided in `plies`.
    #[inline]
    fn take_back_from(&self, placement: &Placement<'_>, side: Color, plies: u32) {
        let en_passant = self.solved.layout().ending().has_en_passant();
        let here = placement.numbered();
        placement.each_retreat(!side, |step| {
            if en_passant
                && placement.is_double_step(step)
                && self.en_passant_value(placement, side, step.man).is_some()
            {
                return;
            }
            self.decide(placement.number_after(&here, step), !side, plies, || placement.after(step));
        });
    }

    fn take_back_passing(&self, plies: u32) {
        let passing = self.passing.lock().unwrap_or_else(PoisonError::into_inner);
        for &Passing { side, before, after, capture, forced } in passing.iter() {
            let decided = match self.passed_value(self.solved.code(!side, after), capture, forced, plies) {
                Some(Value::Win(decided) | Value::Loss(decided)) => decided,
                _ => continue,
            };
            if decided == plies {
                let layout = self.solved.layout();
                let placement = Placement::new(layout, layout.placement(before));
                self.decide(before, side, plies, || placement);
            }
        }
    }

    /// In the placement with this number `side` can move to a position that is decided in `plies`: lost for the
    /// opponent if that is even, else won.
    #[inline]
    fn decide<'a>(&self, number: usize, side: Color, plies: u32, placement: impl FnOnce() -> Placement<'a>) {
        let known = self.solved.code(side, number);
        if plies.is_multiple_of(2) {
            let faster = match known.value() {
                Value::Draw => true,
                Value::Win(known) => known > plies + 1,
                Value::Loss(_) => false,
            };
            if faster {
                self.enter(side, number, Value::Win(plies + 1));
            }
        } else if known == Code::DRAW && !self.never_lost[side.index()].is_set(number) {
            self.decide_loss(&placement(), side, number, plies);
        }
    }

    /// Enters a loss if every move leads to a position that the opponent wins within `plies`.
    fn decide_loss(&self, placement: &Placement<'_>, side: Color, number: usize, plies: u32) {
        let moves = plies.div_ceil(2) as u8;
        let en_passant = self.solved.layout().ending().has_en_passant();
        let here = placement.numbered();
        let all_lose = placement.each_quiet_try(side, |step| {
            let code = self.solved.code(!side, placement.number_after(&here, step));
            // Steps that leave the king attacked lead to what is no legal position.
            if code == ILLEGAL
                && !(self.longest.load(Relaxed) >= LONGEST_LOSS && placement.after(step).is_legal(!side))
            {
                return true;
            }
            if en_passant && placement.is_double_step(step) {
                let next = placement.after(step);
                if let Some(capture) = self.en_passant_value(&next, !side, step.man) {
                    let forced = !next.has_move(!side);
                    return matches!(self.passed_value(code, capture, forced, plies), Some(Value::Win(_)));
                }
            }
            code.is_win_within(moves)
        });
        if !all_lose {
            return;
        }
        let mut longest = plies + 1;
        placement.each_conversion(side, |step| {
            if let Value::Loss(plies) = self.doors.value(placement, side, step) {
                longest = longest.max(plies);
            }
        });
        self.enter(side, number, Value::Loss(longest));
    }
}
