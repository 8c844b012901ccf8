//! All the tables at hand: those in the binary and those in folders. Asked by the engine and by `rosada endgame probe`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::cache::Cache;
use super::ending::{Ending, MOST_MEN};
use super::format::{BLOCK, EXTENSION, Table};
use super::index::{Layout, Squares};
use super::value::{Code, Value};
use crate::base::{Color, Error, Move};
use crate::chess::{Bitboard, Board, ChessMove, PieceKind, Position, Square};

/// All endings of three men, made by `rosada endgame build --men 3`.
static EMBEDDED: [&[u8]; 5] = [
    include_bytes!("embedded/KQvK.dtm"),
    include_bytes!("embedded/KRvK.dtm"),
    include_bytes!("embedded/KBvK.dtm"),
    include_bytes!("embedded/KNvK.dtm"),
    include_bytes!("embedded/KPvK.dtm"),
];

/// A set of tables with the memory of what was unpacked.
pub struct Tables {
    tables: Vec<Table>,
    find: HashMap<Ending, usize>,
    cache: Cache,
    most_men: usize,
}

/// What was found in folders.
pub struct Found {
    /// The tables, those in the binary included.
    pub tables: Tables,
    /// How many tables the folders have added.
    pub added: usize,
    /// Files that were refused, with the reason.
    pub faults: Vec<String>,
}

impl Tables {
    /// The tables in the binary.
    pub fn embedded() -> Tables {
        let mut tables =
            Tables { tables: Vec::new(), find: HashMap::new(), cache: Cache::new(), most_men: 2 };
        EMBEDDED
            .into_iter()
            .filter_map(|bytes| Table::embedded(bytes).ok())
            .for_each(|table| tables.add(table));
        tables
    }

    /// The tables in the binary and in folders. A folder that cannot be read is an error; a file that cannot be used is
    /// named, and the others serve.
    pub fn in_folders(folders: &[PathBuf]) -> Result<Found, Error> {
        let mut found = Found { tables: Tables::embedded(), added: 0, faults: Vec::new() };
        for folder in folders {
            for path in table_files(folder)? {
                match Table::open(&path) {
                    Ok(table) => {
                        found.added += 1;
                        found.tables.add(table);
                    }
                    Err(error) => found.faults.push(format!("{}: {error}", path.display())),
                }
            }
        }
        Ok(found)
    }

    fn add(&mut self, table: Table) {
        let ending = table.layout().ending();
        self.most_men = self.most_men.max(ending.men());
        self.find.entry(ending).or_insert(self.tables.len());
        self.tables.push(table);
    }

    /// The most men of any table.
    pub fn most_men(&self) -> usize {
        self.most_men
    }

    /// Whether there is a table for an ending.
    pub fn has(&self, ending: Ending) -> bool {
        self.find.contains_key(&ending.canonical().0)
    }

    /// The value of a position for the side to move, the fifty-move rule aside; none if no table knows it.
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let board = position.board();
        if board.occupied().count() as usize > self.most_men || board.castling_rights() != 0 {
            return None;
        }
        let value = self.look_up(board)?;
        if board.en_passant().is_none() {
            return Some(value);
        }
        self.with_en_passant(position, value)
    }

    /// The better of the table's value and a capture en passant; the capture's alone if it is the only move.
    fn with_en_passant(&self, position: &Position, value: Value) -> Option<Value> {
        let (captures, others): (Vec<Move>, Vec<Move>) =
            position.legal_moves().into_iter().partition(|mv| mv.is_en_passant());
        let mut best = if others.is_empty() { None } else { Some(value) };
        for mv in captures {
            let mut after = position.clone();
            after.make(mv);
            let value = self.probe(&after)?.before();
            best = Some(best.map_or(value, |best| best.or_better(value)));
        }
        best
    }

    /// The value of a position without the right to capture en passant.
    #[inline]
    fn look_up(&self, board: &Board) -> Option<Value> {
        let (ending, flip) = Ending::of(board).canonical();
        if ending == Ending::KINGS {
            return Some(Value::Draw);
        }
        let &id = self.find.get(&ending)?;
        let table = &self.tables[id];
        let number = table.layout().number(&squares_of(board, table.layout(), flip));
        let side = if flip { !board.side_to_move() } else { board.side_to_move() };
        let block = number / BLOCK;
        let key = (id as u64) << 40 | (side.index() as u64) << 39 | block as u64;
        let code = self.cache.code(key, number % BLOCK, |codes| table.unpack(side, block, codes))?;
        Some(Code(code).value())
    }

    /// Every legal move with its value, the best first; none if some position is not in the tables.
    pub fn moves(&self, position: &Position) -> Option<Vec<(Move, Value)>> {
        let value_of = |mv: Move| {
            let mut after = position.clone();
            after.make(mv);
            self.probe(&after).map(|value| (mv, value.before()))
        };
        let mut moves: Vec<(Move, Value)> =
            position.legal_moves().into_iter().map(value_of).collect::<Option<_>>()?;
        moves.sort_by_key(|(_, value)| std::cmp::Reverse(value.rank()));
        Some(moves)
    }
}

/// The files in a folder that look like tables, in the order of their names.
pub fn table_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let place = |error: std::io::Error| Error::from(error).within(&folder.display().to_string());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(place)? {
        let path = entry.map_err(place)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The squares of the men in the order of a layout.
#[inline]
fn squares_of(board: &Board, layout: &Layout, flip: bool) -> Squares {
    const A1: Square = Square::new(0);
    let mut squares = [A1; MOST_MEN];
    let view = if flip { Color::Black } else { Color::White };
    let mut last = None;
    let mut rest = Bitboard::EMPTY;
    for (square, man) in squares.iter_mut().zip(layout.men()) {
        if last != Some((man.color, man.kind)) {
            last = Some((man.color, man.kind));
            let color = if flip { !man.color } else { man.color };
            rest = board.pieces(color, man.kind);
        }
        *square = rest.next().unwrap_or(A1).for_color(view);
        debug_assert!(man.kind != PieceKind::King || rest.is_empty());
    }
    squares
}
