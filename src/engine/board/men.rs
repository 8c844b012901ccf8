//! The men of any game, square by square: what the console draws and what the reasons for illegal moves are found on.
//!
//! Nothing here is fast, and nothing decides about a move: the board cores do that. Attacks are found by walking.

use crate::base::san::Wing;
use crate::base::{Cell, Color};
use crate::chess::{self, PieceKind};
use crate::fairy::pieces::{DIAGONAL, KING, KNIGHT, STRAIGHT};
use crate::fairy::{self, Kind};

/// A man on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Its letter, upper case; `*` for the Behemoth.
    pub letter: char,
    /// Whose it is; nobody's for the Behemoth.
    pub side: Option<Color>,
    /// It must not be lost.
    pub royal: bool,
    /// The movements it is made of; none for a pawn.
    pub(super) movements: u8,
}

impl Man {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match (self.letter, self.movements) {
            ('*', _) => "Behemoth",
            ('J', _) => "Janus",
            ('M', _) => "Maharajah",
            (_, 0) => "pawn",
            (_, KNIGHT) => "knight",
            (_, DIAGONAL) => "bishop",
            (_, STRAIGHT) => "rook",
            (_, KING) => "king",
            (_, movements) if movements == DIAGONAL | STRAIGHT => "queen",
            (_, movements) if movements == DIAGONAL | KNIGHT => "archbishop",
            (_, movements) if movements == STRAIGHT | KNIGHT => "chancellor",
            _ => "amazon",
        }
    }

    /// Whether it is a pawn.
    pub fn is_pawn(&self) -> bool {
        self.movements == 0 && self.side.is_some()
    }
}

/// A way to castle for which the side to move still has the right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    pub wing: Wing,
    pub king: Cell,
    pub rook: Cell,
    pub king_target: Cell,
    pub rook_target: Cell,
}

/// Everything that stands on a board.
#[derive(Clone, Debug)]
pub struct Men {
    /// Width of the board.
    pub files: u8,
    /// Height of the board.
    pub ranks: u8,
    squares: Vec<Option<Man>>,
    pub(super) side: Color,
    pub(super) en_passant: Option<Cell>,
    pub(super) routes: Vec<Route>,
    /// The rank, as White counts, from which pawns may step twice.
    pub(super) double_step_rank: u8,
    /// A pawn could become something on the last rank, or need not.
    pub(super) may_promote: bool,
}

impl Men {
    fn new(files: u8, ranks: u8, side: Color, man_on: impl Fn(Cell) -> Option<Man>) -> Men {
        let mut men = Men {
            files,
            ranks,
            squares: Vec::new(),
            side,
            en_passant: None,
            routes: Vec::new(),
            double_step_rank: 1,
            may_promote: true,
        };
        men.squares = men.cells().map(man_on).collect();
        men
    }

    pub(super) fn of_chess(position: &chess::Position) -> Men {
        let (board, side) = (position.board(), position.side_to_move());
        let square = |cell: Cell| chess::Square::at(cell.file, cell.rank);
        let cell = |square: chess::Square| Cell { file: square.file(), rank: square.rank() };
        let mut men = Men::new(8, 8, side, |cell| {
            let piece = board.piece_on(square(cell))?;
            Some(Man {
                letter: piece.kind().letter().to_ascii_uppercase(),
                side: Some(piece.color()),
                royal: piece.kind() == PieceKind::King,
                movements: match piece.kind() {
                    PieceKind::Pawn => 0,
                    PieceKind::Knight => KNIGHT,
                    PieceKind::Bishop => DIAGONAL,
                    PieceKind::Rook => STRAIGHT,
                    PieceKind::Queen => DIAGONAL | STRAIGHT,
                    PieceKind::King => KING,
                },
            })
        });
        men.en_passant = board.en_passant().map(cell);
        for castled in chess::CastlingSide::ALL {
            let has_right = board.castling_rights() & chess::castling::right(side, castled) != 0;
            let Some(rook) = position.castling().rook(side, castled).filter(|_| has_right) else { continue };
            men.routes.push(Route {
                wing: castled.wing(),
                king: cell(board.king(side)),
                rook: cell(rook),
                king_target: cell(castled.king_target(side)),
                rook_target: cell(castled.rook_target(side)),
            });
        }
        men
    }

    pub(super) fn of_variant(position: &fairy::Position) -> Men {
        let (board, rules, side) = (position.board(), position.rules(), position.side_to_move());
        let variant = rules.variant;
        let square = |cell: Cell| fairy::Square::at(cell.file, cell.rank);
        let cell = |square: fairy::Square| Cell { file: square.file(), rank: square.rank() };
        let mut men = Men::new(variant.files, variant.ranks, side, |cell| {
            let Some(piece) = board.piece_on(square(cell)) else {
                let roams = board.behemoth(rules) == Some(square(cell));
                return roams.then_some(Man { letter: '*', side: None, royal: false, movements: 0 });
            };
            Some(Man {
                letter: rules.letter(piece.kind()),
                side: Some(piece.color()),
                royal: rules.is_royal(piece.color(), piece.kind()),
                movements: piece.kind() as u8,
            })
        });
        men.en_passant = board.en_passant().map(cell);
        men.double_step_rank = variant.double_step_rank;
        for castled in fairy::CastlingSide::ALL {
            let has_right = board.castling_rights() & fairy::castling::right(side, castled) != 0;
            let Some(route) = position.law().castling.route(side, castled).filter(|_| has_right) else {
                continue;
            };
            men.routes.push(Route {
                wing: rules.wing(route),
                king: cell(route.king),
                rook: cell(route.rook),
                king_target: cell(route.king_target),
                rook_target: cell(route.rook_target),
            });
        }
        let is_missing = |kind: &Kind| {
            board.pieces(side, *kind).count() < u32::from(rules.army[side.index()][kind.index()])
        };
        men.may_promote = variant
            .promotion
            .as_ref()
            .is_none_or(|promotion| !promotion.captured_only || promotion.to.iter().any(is_missing));
        men
    }

    /// All squares, a1 first.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let files = self.files;
        (0..self.ranks).flat_map(move |rank| (0..files).map(move |file| Cell { file, rank }))
    }

    /// Whether a square is on the board.
    pub fn has(&self, cell: Cell) -> bool {
        cell.file < self.files && cell.rank < self.ranks
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        self.has(cell).then(|| usize::from(cell.rank) * usize::from(self.files) + usize::from(cell.file))
    }

    /// What stands on a square.
    pub fn at(&self, cell: Cell) -> Option<Man> {
        self.index(cell).and_then(|index| self.squares.get(index).copied().flatten())
    }

    /// Puts a man, or nothing, on a square.
    pub(super) fn put(&mut self, cell: Cell, man: Option<Man>) {
        if let Some(place) = self.index(cell).and_then(|index| self.squares.get_mut(index)) {
            *place = man;
        }
    }

    /// The piece a side must not lose.
    pub fn royal(&self, side: Color) -> Option<Cell> {
        self.cells().find(|&cell| self.at(cell).is_some_and(|man| man.royal && man.side == Some(side)))
    }

    /// How far a rank is from a side's own first one.
    pub(super) fn rank_for(&self, cell: Cell, side: Color) -> u8 {
        if side.is_white() { cell.rank } else { self.ranks - 1 - cell.rank }
    }

    /// Whether a man has the movement for a way, whatever stands between; a pawn's capture included.
    pub(super) fn aims(&self, from: Cell, to: Cell) -> bool {
        let Some(man) = self.at(from).filter(|_| from != to) else { return false };
        let (files, ranks) = (from.file.abs_diff(to.file), from.rank.abs_diff(to.rank));
        if man.is_pawn() {
            let ahead = if man.side == Some(Color::White) { 1 } else { -1 };
            return files == 1 && from.step(0, ahead).is_some_and(|step| step.rank == to.rank);
        }
        let has = |movement: u8| man.movements & movement != 0;
        has(DIAGONAL) && files == ranks
            || has(STRAIGHT) && (files == 0 || ranks == 0)
            || has(KNIGHT) && files.min(ranks) == 1 && files.max(ranks) == 2
            || has(KING) && files.max(ranks) == 1
    }

    /// The first man that stands between two squares on one line.
    pub(super) fn obstacle(&self, from: Cell, to: Cell) -> Option<(Man, Cell)> {
        let (files, ranks) =
            (i16::from(to.file) - i16::from(from.file), i16::from(to.rank) - i16::from(from.rank));
        if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
            return None;
        }
        let mut here = from;
        loop {
            here = here.step(files.signum() as i8, ranks.signum() as i8)?;
            if here == to || !self.has(here) {
                return None;
            }
            if let Some(man) = self.at(here) {
                return Some((man, here));
            }
        }
    }

    /// Where the men of a side stand that attack a square.
    pub fn attackers(&self, target: Cell, by: Color) -> Vec<Cell> {
        let attacks = |&cell: &Cell| {
            self.at(cell).is_some_and(|man| man.side == Some(by))
                && self.aims(cell, target)
                && self.obstacle(cell, target).is_none()
        };
        self.cells().filter(attacks).collect()
    }
}
