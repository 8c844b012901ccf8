//! From a placement of men to a number and back.
//!
//! Without pawns a board can be turned and mirrored in eight ways, with pawns only left to right. The white king is
//! brought into the triangle a1-d1-d4 (with pawns: to the files a to d). A king on the diagonal a1-d4 leaves one mirror
//! open: then the black king goes below the diagonal, and if it stands on the diagonal as well, the smaller of the two
//! numbers counts. So each position has exactly one number, and some numbers stand for no position.
//!
//! Kings that touch get no number: 462 pairs remain, 1,806 with pawns. Each further man adds a digit of 64 (a pawn: 48),
//! several equal men one digit for the set of their squares.

use arrayvec::ArrayVec;
use once_cell::sync::Lazy;

use super::ending::{Ending, MOST_MEN};
use crate::base::Color;
use crate::chess::{PieceKind, Square, attacks};

/// Squares in the order of a layout's men; places behind the last man are not looked at.
pub type Squares = [Square; MOST_MEN];

const A1: Square = Square::new(0);

/// The eight symmetries: bit 0 mirrors left to right, bit 1 top to bottom, bit 2 then along the diagonal a1-h8.
static SYMMETRIES: [[Square; 64]; 8] = {
    let mut table = [[A1; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0u8;
        while square < 64 {
            let file = if symmetry & 1 != 0 { 7 - (square & 7) } else { square & 7 };
            let rank = if symmetry & 2 != 0 { 7 - (square >> 3) } else { square >> 3 };
            table[symmetry][square as usize] =
                if symmetry & 4 != 0 { Square::at(rank, file) } else { Square::at(file, rank) };
            square += 1;
        }
        symmetry += 1;
    }
    table
};

/// How a pair of kings is numbered.
#[derive(Clone, Copy)]
struct KingPair {
    /// The number; meaningless for kings that touch.
    number: u16,
    /// What brings the kings to their places.
    symmetry: u8,
    /// Both stand on the diagonal: mirroring along it leaves them where they are.
    both_on_diagonal: bool,
}

/// The numbering of king pairs, with or without pawns on the board.
struct KingPairs {
    find: [KingPair; 4096],
    pairs: Vec<(Square, Square)>,
}

impl KingPairs {
    fn new(symmetries: &[u8], is_home: impl Fn(Square, Square) -> bool) -> KingPairs {
        let unnumbered = KingPair { number: 0, symmetry: 0, both_on_diagonal: false };
        let mut table = KingPairs { find: [unnumbered; 4096], pairs: Vec::new() };
        let apart = |white: Square, black: Square| white.distance(black) > 1;
        let place = |(white, black): (Square, Square)| white.index() * 64 + black.index();
        let mut numbers = [None; 4096];
        for white in Square::all() {
            for black in Square::all().filter(|&black| apart(white, black) && is_home(white, black)) {
                numbers[place((white, black))] = Some(table.pairs.len() as u16);
                table.pairs.push((white, black));
            }
        }
        for white in Square::all() {
            for black in Square::all().filter(|&black| apart(white, black)) {
                for &symmetry in symmetries {
                    let map = &SYMMETRIES[usize::from(symmetry)];
                    let home = (map[white.index()], map[black.index()]);
                    let Some(number) = numbers[place(home)] else { continue };
                    let diagonal = |square: Square| square.file() == square.rank();
                    table.find[place((white, black))] = KingPair {
                        number,
                        symmetry,
                        both_on_diagonal: symmetries.len() == 8 && diagonal(home.0) && diagonal(home.1),
                    };
                    break;
                }
            }
        }
        table
    }
}

static WITHOUT_PAWNS: Lazy<KingPairs> = Lazy::new(|| {
    KingPairs::new(&[0, 1, 2, 3, 4, 5, 6, 7], |white, black| {
        let in_triangle = white.file() < 4 && white.rank() <= white.file();
        in_triangle && (white.rank() < white.file() || black.rank() <= black.file())
    })
});

static WITH_PAWNS: Lazy<KingPairs> = Lazy::new(|| KingPairs::new(&[0, 1], |white, _| white.file() < 4));

/// Sets of two and three squares, in colexicographic order: the number of a set does not depend on how many squares
/// the board has.
static PAIRS: Lazy<Vec<[Square; 3]>> = Lazy::new(|| {
    let squares = || Square::all();
    squares().flat_map(|b| squares().take_while(move |&a| a < b).map(move |a| [a, b, A1])).collect()
});
static TRIPLES: Lazy<Vec<[Square; 3]>> = Lazy::new(|| {
    let below = |limit: Square| PAIRS.iter().take_while(move |pair| pair[1] < limit);
    Square::all().flat_map(|c| below(c).map(move |&[a, b, _]| [a, b, c])).collect()
});

/// Men of one kind and color: one digit of the number.
#[derive(Clone)]
struct Group {
    /// The place of the first among the men.
    start: usize,
    count: usize,
    /// The lowest square a man of the kind can stand on: a1, or a2 for pawns.
    lowest: u8,
    /// How many sets of squares there are.
    size: usize,
    /// The sets by their number, when there are several men.
    sets: &'static [[Square; 3]],
}

/// One man of an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Whose.
    pub color: Color,
    /// What.
    pub kind: PieceKind,
}

/// The order of an ending's men and the numbering of their placements.
#[derive(Clone)]
pub struct Layout {
    ending: Ending,
    men: ArrayVec<Man, MOST_MEN>,
    groups: ArrayVec<Group, 3>,
    kings: &'static KingPairs,
    size: usize,
    /// For men that are alone of their kind: what one square adds to the number. Zero for the others.
    weights: [usize; MOST_MEN],
}

/// A placement's number, and how those of its neighbors follow from it.
#[derive(Clone, Copy)]
pub struct Numbered {
    /// The number.
    pub number: usize,
    /// What brought the men to their places.
    symmetry: u8,
    /// A second symmetry has to be looked at: neighbors are numbered from scratch.
    ambiguous: bool,
}

impl Layout {
    /// The layout of an ending of 3 to [`MOST_MEN`] men.
    pub fn new(ending: Ending) -> Layout {
        let kings: &KingPairs = if ending.has_pawns() { &WITH_PAWNS } else { &WITHOUT_PAWNS };
        let king = |color| Man { color, kind: PieceKind::King };
        let mut layout = Layout {
            ending,
            men: ArrayVec::from_iter([king(Color::White), king(Color::Black)]),
            groups: ArrayVec::new(),
            kings,
            size: kings.pairs.len(),
            weights: [0; MOST_MEN],
        };
        // Pawns first: positions that differ in them have the least in common.
        for kind in [PieceKind::Pawn, PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight]
        {
            for color in Color::ALL {
                layout.add_group(color, kind);
            }
        }
        let mut weight = 1;
        for group in layout.groups.iter().rev() {
            if group.count == 1 {
                layout.weights[group.start] = weight;
            }
            weight *= group.size;
        }
        layout
    }

    fn add_group(&mut self, color: Color, kind: PieceKind) {
        let count = self.ending.count(color, kind);
        let (lowest, squares) = if kind == PieceKind::Pawn { (8, 48) } else { (0, 64) };
        let (size, sets): (usize, &[[Square; 3]]) = match count {
            0 => return,
            1 => (squares, &[]),
            2 => (squares * (squares - 1) / 2, &PAIRS),
            _ => (squares * (squares - 1) * (squares - 2) / 6, &TRIPLES),
        };
        self.groups.push(Group { start: self.men.len(), count, lowest, size, sets });
        self.men.extend((0..count).map(|_| Man { color, kind }));
        self.size *= size;
    }

    /// The ending.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// The men: white king, black king, the others.
    #[inline(always)]
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// How many numbers there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of a placement whose kings do not touch and whose men stand on different squares.
    #[inline]
    pub fn number(&self, squares: &Squares) -> usize {
        let pair = self.kings.find[squares[0].index() * 64 + squares[1].index()];
        let number = self.number_with(pair, pair.symmetry, squares);
        if pair.both_on_diagonal {
            return number.min(self.number_with(pair, pair.symmetry ^ 4, squares));
        }
        number
    }

    /// The number with what is needed for [`Layout::neighbor`].
    #[inline]
    pub fn numbered(&self, squares: &Squares) -> Numbered {
        let pair = self.kings.find[squares[0].index() * 64 + squares[1].index()];
        Numbered { number: self.number(squares), symmetry: pair.symmetry, ambiguous: pair.both_on_diagonal }
    }

    /// The number after a man has gone from its square to an empty one.
    #[inline(always)]
    pub fn neighbor(&self, here: &Numbered, squares: &Squares, man: usize, to: Square) -> usize {
        let weight = self.weights[man];
        if weight != 0 && !here.ambiguous {
            let map = &SYMMETRIES[usize::from(here.symmetry & 7)];
            let (old, new) = (map[squares[man].index()].index(), map[to.index()].index());
            return here.number + weight * new - weight * old;
        }
        let mut squares = *squares;
        squares[man] = to;
        self.number(&squares)
    }

    #[inline(always)]
    fn number_with(&self, pair: KingPair, symmetry: u8, squares: &Squares) -> usize {
        let map = &SYMMETRIES[usize::from(symmetry & 7)];
        let mut number = usize::from(pair.number);
        for group in &self.groups {
            let at =
                |place: usize| usize::from(map[squares[group.start + place].index()].raw() - group.lowest);
            let digit = match group.count {
                1 => at(0),
                2 => pair_number(at(0), at(1)),
                _ => triple_number(at(0), at(1), at(2)),
            };
            number = number * group.size + digit;
        }
        number
    }

    /// The placement with a number below [`Layout::size`]. Men may share squares, and not every placement is the one
    /// that stands for its position: see [`Layout::is_used`].
    #[inline]
    pub fn placement(&self, mut number: usize) -> Squares {
        let mut squares = [A1; MOST_MEN];
        for group in self.groups.iter().rev() {
            let digit = number % group.size;
            number /= group.size;
            if group.count == 1 {
                squares[group.start] = Square::new(digit as u8 + group.lowest);
            } else {
                for (place, square) in group.sets[digit][..group.count].iter().enumerate() {
                    squares[group.start + place] = Square::new(square.raw() + group.lowest);
                }
            }
        }
        (squares[0], squares[1]) = self.kings.pairs[number];
        squares
    }

    /// Whether a number stands for a placement: men on different squares, and of two mirror images the one that counts.
    #[inline]
    pub fn is_used(&self, number: usize, squares: &Squares) -> bool {
        let men = self.men.len();
        let occupied = squares[..men].iter().fold(0u64, |set, square| set | 1 << square.raw());
        if occupied.count_ones() as usize != men {
            return false;
        }
        let pair = self.kings.find[squares[0].index() * 64 + squares[1].index()];
        !pair.both_on_diagonal || self.number(squares) == number
    }

    /// Whether the kings stand apart, as they must to have a number.
    #[inline]
    pub fn kings_apart(squares: &Squares) -> bool {
        !attacks::king(squares[0]).has(squares[1]) && squares[0] != squares[1]
    }
}

#[inline(always)]
fn pair_number(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * high.saturating_sub(1) / 2 + low
}

#[inline(always)]
fn triple_number(a: usize, b: usize, c: usize) -> usize {
    let highest = a.max(b).max(c);
    let (low, middle) = if a == highest {
        (b, c)
    } else if b == highest {
        (a, c)
    } else {
        (a, b)
    };
    highest * highest.saturating_sub(1) * highest.saturating_sub(2) / 6 + pair_number(low, middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(name: &str) -> Layout {
        Layout::new(Ending::parse(name).unwrap())
    }

    #[test]
    fn kings_have_the_known_numbers_of_pairs() {
        assert_eq!((WITHOUT_PAWNS.pairs.len(), WITH_PAWNS.pairs.len()), (462, 1806));
        assert_eq!(layout("KQvKR").size(), 462 * 64 * 64);
        assert_eq!(layout("KRRvK").size(), 462 * 2016);
        assert_eq!(layout("KPPvKP").size(), 1806 * 1128 * 48);
        assert_eq!(layout("KQQQvK").size(), 462 * 41_664);
    }

    #[test]
    fn numbers_and_placements_are_inverse() {
        for name in ["KQvK", "KPvK", "KQvKR", "KPPvK", "KPvKP", "KNNvK", "KRPvKR", "KBBBvK", "KPPPvK"] {
            let layout = layout(name);
            let step = (layout.size() / 50_000).max(1);
            for number in (0..layout.size()).step_by(step) {
                let squares = layout.placement(number);
                if layout.is_used(number, &squares) {
                    assert_eq!(layout.number(&squares), number, "{name}");
                }
            }
        }
    }

    #[test]
    fn symmetric_placements_share_their_number() {
        for (name, symmetries) in [("KQvKR", 8), ("KBBvK", 8), ("KRPvKR", 2), ("KPPvK", 2)] {
            let layout = layout(name);
            for number in (0..layout.size()).step_by(layout.size() / 5_000 + 7) {
                let squares = layout.placement(number);
                if !layout.is_used(number, &squares) {
                    continue;
                }
                for map in &SYMMETRIES[..symmetries] {
                    assert_eq!(layout.number(&squares.map(|square| map[square.index()])), number, "{name}");
                }
            }
        }
    }
}
