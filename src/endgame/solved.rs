//! The values of all placements of an ending, in memory: what the generator makes and what larger endings look up.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::ending::{Ending, MOST_MEN, PROMOTIONS};
use super::index::Layout;
use super::placement::{Placement, Step};
use super::value::{Code, Value};
use crate::base::memory::ZeroedSlice;
use crate::base::{Color, Error};
use crate::chess::{PieceKind, Square};

/// A byte for every placement and side to move. Placements that are no legal position hold anything.
pub struct Solved {
    layout: Layout,
    values: [ZeroedSlice<AtomicU8>; 2],
    /// What is no legal position is marked with [`ILLEGAL`], and nothing else is.
    marked: bool,
}

/// Marks what is no legal position while an ending is solved: nothing is entered there any more. It is also the code of
/// the longest loss, so where there is one the mark alone says nothing.
pub const ILLEGAL: Code = Code(255);

/// Endings that are solved, by their names.
pub type Library = HashMap<Ending, Arc<Solved>>;

impl Solved {
    /// Room for an ending, with nothing known.
    pub fn empty(ending: Ending) -> Result<Solved, Error> {
        let layout = Layout::new(ending);
        let (Some(white), Some(black)) = (ZeroedSlice::new(layout.size()), ZeroedSlice::new(layout.size()))
        else {
            let megabytes = (2 * layout.size()) >> 20;
            return Err(Error::new(format!("{ending}: cannot allocate {megabytes} MB")));
        };
        Ok(Solved { layout, values: [white, black], marked: false })
    }

    /// The numbering.
    #[inline(always)]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What is known about a placement.
    #[inline(always)]
    pub fn code(&self, side: Color, number: usize) -> Code {
        Code(self.values[side.index()][number].load(Relaxed))
    }

    /// From now on [`ILLEGAL`] marks exactly what is no legal position.
    pub fn set_marked(&mut self) {
        self.marked = true;
    }

    /// Whether a number stands for a legal position.
    #[inline]
    pub fn is_legal(&self, side: Color, number: usize) -> bool {
        if self.marked {
            return self.code(side, number) != ILLEGAL;
        }
        let squares = self.layout.placement(number);
        self.layout.is_used(number, &squares) && Placement::new(&self.layout, squares).is_legal(side)
    }

    /// The values of a side.
    pub fn codes(&self, side: Color) -> &[AtomicU8] {
        &self.values[side.index()]
    }
}

/// Where a capture or a promotion leads: the smaller ending, and how its men follow from ours.
struct Door {
    /// None for bare kings, which draw.
    solved: Option<Arc<Solved>>,
    /// The colors change their roles.
    flip: bool,
    /// For each man of the smaller ending, its place in ours.
    places: [u8; MOST_MEN],
}

/// The ways out of an ending.
pub struct Doors {
    doors: Vec<Option<Door>>,
}

/// The place of a door: who is captured, who promotes, to what.
#[inline(always)]
fn door_place(captured: Option<usize>, promotion: Option<(usize, PieceKind)>) -> usize {
    let kind = |kind: PieceKind| kind.index() - PieceKind::Knight.index();
    let promoted = promotion.map_or(0, |(man, to)| 1 + man * PROMOTIONS.len() + kind(to));
    captured.map_or(0, |man| man + 1) * (1 + MOST_MEN * PROMOTIONS.len()) + promoted
}

impl Doors {
    /// The doors of an ending into endings of a library; fails if one is missing there.
    pub fn new(layout: &Layout, library: &Library) -> Result<Doors, Error> {
        let men = layout.men();
        let victims = || std::iter::once(None).chain((2..men.len()).map(Some));
        let mut doors = Doors { doors: Vec::new() };
        for captured in victims() {
            if captured.is_some() {
                doors.open(layout, library, captured, None)?;
            }
            for pawn in (2..men.len()).filter(|&place| men[place].kind == PieceKind::Pawn) {
                let taken = captured.map(|place| men[place]);
                if taken.is_some_and(|man| man.color == men[pawn].color || man.kind == PieceKind::Pawn) {
                    continue;
                }
                for kind in PROMOTIONS {
                    doors.open(layout, library, captured, Some((pawn, kind)))?;
                }
            }
        }
        Ok(doors)
    }

    fn open(
        &mut self,
        layout: &Layout,
        library: &Library,
        captured: Option<usize>,
        promotion: Option<(usize, PieceKind)>,
    ) -> Result<(), Error> {
        let men = layout.men();
        let mut ending = layout.ending();
        if let Some(place) = captured {
            ending = ending.without(men[place].color, men[place].kind);
        }
        if let Some((place, kind)) = promotion {
            ending = ending.promoted(men[place].color, kind);
        }
        let (ending, flip) = ending.canonical();
        let mut door = Door { solved: None, flip, places: [0; MOST_MEN] };
        if ending != Ending::KINGS {
            let missing = || Error::new(format!("{}: the table of {ending} is missing", layout.ending()));
            let solved = library.get(&ending).ok_or_else(missing)?;
            let mut used = [false; MOST_MEN];
            for (place, man) in solved.layout.men().iter().enumerate() {
                let color = if flip { !man.color } else { man.color };
                let kind_of = |ours: usize| match promotion {
                    Some((pawn, kind)) if pawn == ours => kind,
                    _ => men[ours].kind,
                };
                let fits = |&ours: &usize| {
                    !used[ours]
                        && Some(ours) != captured
                        && men[ours].color == color
                        && kind_of(ours) == man.kind
                };
                let ours = (0..men.len()).find(fits).unwrap_or_default();
                used[ours] = true;
                door.places[place] = ours as u8;
            }
            door.solved = Some(Arc::clone(solved));
        }
        let place = door_place(captured, promotion);
        if self.doors.len() <= place {
            self.doors.resize_with(place + 1, || None);
        }
        self.doors[place] = Some(door);
        Ok(())
    }

    /// The value of a capture or promotion for the side that makes it.
    #[inline]
    pub fn value(&self, placement: &Placement<'_>, side: Color, step: Step) -> Value {
        let place = door_place(step.captured, step.promotion.map(|kind| (step.man, kind)));
        let Some(Some(door)) = self.doors.get(place) else { return Value::Draw };
        let Some(solved) = &door.solved else { return Value::Draw };
        let mut squares = placement.squares;
        squares[step.man] = step.to;
        let mut there = [Square::new(0); MOST_MEN];
        for (square, &ours) in there.iter_mut().zip(&door.places) {
            *square =
                squares[usize::from(ours)].for_color(if door.flip { Color::Black } else { Color::White });
        }
        let opponent = if door.flip { side } else { !side };
        solved.code(opponent, solved.layout.number(&there)).value().before()
    }
}
