//! Syzygy tables through `shakmaty-syzygy`: win, draw or loss in the tree, distances to the next capture or pawn move at
//! the root.
//!
//! The library reads through [`PagedFile`] and checks what it reads. A position is looked up only if its table, and every
//! table that a capture or promotion can lead to, was found. A table that turns out to be damaged is told once and never
//! asked again.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use shakmaty::{ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{SyzygyError, Tablebase};

use super::ending::Ending;
use crate::base::files::check_regular;
use crate::base::paged::PagedFile;
use crate::base::{Color, Error, Move};
use crate::chess::{Board, ChessMove, PieceKind, Position};

/// The result of a position for the side to move; a cursed win and a blessed loss are draws by the fifty-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// Lost.
    Loss = -2,
    /// Lost, but not within fifty moves.
    BlessedLoss = -1,
    /// Drawn.
    Draw = 0,
    /// Won, but not within fifty moves.
    CursedWin = 1,
    /// Won.
    Win = 2,
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(result: shakmaty_syzygy::Wdl) -> Wdl {
        match result {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        }
    }
}

/// Hears, once for each ending, that its tables cannot be read.
pub type DamageListener = Box<dyn Fn(String) + Send + Sync>;

/// The tables of one search path.
pub struct Syzygy {
    tables: Tablebase<Chess>,
    /// Endings that may be asked for in the tree: with all they lead to by captures, the WDL tables are there.
    wdl: HashMap<Ending, Usable>,
    /// Endings that may be asked for at the root: promotions and DTZ tables, too.
    dtz: HashMap<Ending, Usable>,
    max_men: usize,
    listener: DamageListener,
}

/// Whether the tables of an ending could be read so far.
struct Usable(AtomicBool);

/// What was found on a search path.
pub struct Found {
    /// The tables; none if there is not one.
    pub tables: Option<Syzygy>,
    /// How many endings have a WDL and how many a DTZ table.
    pub counts: [usize; 2],
    /// Files that were refused, with the reason.
    pub faults: Vec<String>,
}

const SUFFIXES: [(&str, [u8; 4]); 2] =
    [("rtbw", [0x71, 0xE8, 0x23, 0x5D]), ("rtbz", [0xD7, 0x66, 0x0C, 0xA5])];

impl Syzygy {
    /// Opens the tables in some folders.
    pub fn in_folders(folders: &[PathBuf], listener: DamageListener) -> Result<Found, Error> {
        let mut found = Found { tables: None, counts: [0; 2], faults: Vec::new() };
        let mut tables = Tablebase::with_filesystem(Arc::new(Files));
        let mut whole: [HashSet<Ending>; 2] = Default::default();
        let mut refused: HashSet<Ending> = HashSet::new();
        for folder in folders {
            for (ending, kind, path) in table_files(folder)? {
                // The first folder that has a table serves it, whole or not.
                if whole[kind].contains(&ending) || refused.contains(&ending) {
                    continue;
                }
                let added =
                    check(&path, SUFFIXES[kind].1).and_then(|()| tables.add_file(&path).map_err(Error::from));
                match added {
                    Ok(()) => {
                        whole[kind].insert(ending);
                    }
                    Err(error) => {
                        refused.insert(ending);
                        found.faults.push(format!("{}: {error}", path.display()));
                    }
                }
            }
        }
        whole.iter_mut().for_each(|set| set.retain(|ending| !refused.contains(ending)));
        found.counts = [whole[0].len(), whole[1].len()];
        if whole[0].is_empty() {
            return Ok(found);
        }
        let wdl = closed_under(&whole[0], captures);
        let dtz: HashSet<Ending> = closed_under(&whole[0], Ending::successors);
        let dtz: HashSet<Ending> = dtz.intersection(&whole[1]).copied().collect();
        let max_men = wdl.iter().map(Ending::men).max().unwrap_or(0);
        let usable = |set: HashSet<Ending>| {
            set.into_iter().map(|ending| (ending, Usable(AtomicBool::new(true)))).collect()
        };
        found.tables = Some(Syzygy { tables, wdl: usable(wdl), dtz: usable(dtz), max_men, listener });
        Ok(found)
    }

    /// The most men of any table.
    pub fn max_men(&self) -> usize {
        self.max_men
    }

    /// The result of a position whose clock of the fifty-move rule stands at zero; none if no table knows it.
    pub fn probe(&self, board: &Board) -> Option<Wdl> {
        if board.castling_rights() != 0 || board.occupied().count() as usize > self.max_men {
            return None;
        }
        let ending = Ending::of(board).canonical().0;
        if ending == Ending::KINGS {
            return Some(Wdl::Draw);
        }
        let usable = self.wdl.get(&ending).filter(|usable| usable.0.load(Relaxed))?;
        let result = self.tables.probe_wdl_after_zeroing(&chess(board)?);
        result.map(Wdl::from).map_err(|error| self.give_up(ending, usable, &error)).ok()
    }

    /// Every legal move with its distance in plies to the next capture or pawn move, positive if it wins, negative if it
    /// loses, zero if it draws; none if the tables do not know the position. Wins that take longer than fifty moves have
    /// distances above 100.
    pub fn root_moves(&self, position: &Position) -> Option<Vec<(Move, i32)>> {
        let board = position.board();
        let ending = Ending::of(board).canonical().0;
        let usable = self.dtz.get(&ending).filter(|usable| usable.0.load(Relaxed))?;
        if board.castling_rights() != 0 || !position.has_legal_move() {
            return None;
        }
        let mut distances = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.make(mv);
            let zeroing = mv.is_capture() || board.piece_on(mv.from())?.kind() == PieceKind::Pawn;
            match self.distance(&after, zeroing) {
                Ok(distance) => distances.push((mv, distance?)),
                Err(error) => {
                    self.give_up(ending, usable, &error);
                    return None;
                }
            }
        }
        Some(distances)
    }

    /// The distance of a move that led to this position, for the side that made it.
    fn distance(&self, after: &Position, zeroing: bool) -> Result<Option<i32>, SyzygyError> {
        let Some(position) = chess(after.board()) else { return Ok(None) };
        if after.in_check() && !after.has_legal_move() {
            return Ok(Some(1));
        }
        if !zeroing {
            let plies = -self.tables.probe_dtz(&position)?.ignore_rounding().0;
            return Ok(Some(plies + plies.signum()));
        }
        let result = Wdl::from(self.tables.probe_wdl_after_zeroing(&position)?);
        Ok(Some(match result {
            Wdl::Loss => 1,
            Wdl::BlessedLoss => 101,
            Wdl::Draw => 0,
            Wdl::CursedWin => -101,
            Wdl::Win => -1,
        }))
    }

    /// The tables of an ending are damaged, or have changed: they are not asked again.
    fn give_up(&self, ending: Ending, usable: &Usable, error: &SyzygyError) {
        if usable.0.swap(false, Relaxed) {
            let reason = match error {
                SyzygyError::ProbeFailed { metric, material, .. } => {
                    format!("the {metric} table of {material} cannot be read")
                }
                other => other.to_string(),
            };
            (self.listener)(format!("Syzygy: {reason}; {ending} is played without tables"));
        }
    }
}

/// The position of a board as the library has it; none if it would call it illegal.
fn chess(board: &Board) -> Option<Chess> {
    let kind = |kind: PieceKind| board.kind(kind).0.into();
    let by_role = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let by_color =
        ByColor { white: board.color(Color::White).0.into(), black: board.color(Color::Black).0.into() };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?;
    setup.turn = shakmaty::Color::from_white(board.side_to_move().is_white());
    setup.ep_square = board.en_passant().map(|square| shakmaty::Square::new(square.raw().into()));
    // Tables know positions that no game leads to.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

/// How the library comes to its files.
struct Files;

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        check_regular(path).map_err(io::Error::other)?;
        std::fs::metadata(path).map(|data| data.len())
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let file = PagedFile::open(path).map_err(io::Error::other)?;
        Ok(Box::new(TableFile(file)))
    }
}

struct TableFile(PagedFile);

impl RandomAccessFile for TableFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        self.0.read_some(buffer, offset)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<()> {
        self.0.read(buffer, offset)
    }
}

/// The endings that captures lead to, promotions aside.
fn captures(ending: &Ending) -> Vec<Ending> {
    let fewer = |smaller: &Ending| smaller.men() < ending.men();
    let without_promotion = |smaller: &Ending| {
        Color::ALL.into_iter().any(|color| {
            PieceKind::ALL.into_iter().any(|kind| {
                ending.count(color, kind) > 0 && ending.without(color, kind).canonical().0 == *smaller
            })
        })
    };
    ending.successors().into_iter().filter(fewer).filter(without_promotion).collect()
}

/// The endings of a set that lead only to endings of the same kind.
fn closed_under<L>(set: &HashSet<Ending>, leads_to: L) -> HashSet<Ending>
where
    L: Fn(&Ending) -> Vec<Ending>,
{
    let mut closed = set.clone();
    loop {
        let open: Vec<Ending> = closed
            .iter()
            .filter(|ending| leads_to(ending).iter().any(|next| !closed.contains(next)))
            .copied()
            .collect();
        if open.is_empty() {
            return closed;
        }
        open.iter().for_each(|ending| {
            closed.remove(ending);
        });
    }
}

/// The table files in a folder: ending, place of the kind in [`SUFFIXES`], path.
fn table_files(folder: &Path) -> Result<Vec<(Ending, usize, PathBuf)>, Error> {
    let place = |error: std::io::Error| Error::from(error).within(&folder.display().to_string());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(place)? {
        let path = entry.map_err(place)?.path();
        let kind =
            SUFFIXES.iter().position(|(suffix, _)| path.extension().is_some_and(|found| found == *suffix));
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let (Some(kind), Ok(ending)) = (kind, Ending::parse_any(&name))
            && ending.to_string() == name
        {
            files.push((ending, kind, path));
        }
    }
    files.sort();
    Ok(files)
}

/// A table has its magic number in front and the size that tables have: whole lines of 64 bytes and a checksum of 16.
fn check(path: &Path, magic: [u8; 4]) -> Result<(), Error> {
    let file = PagedFile::open(path)?;
    let mut start = [0; 4];
    if file.read(&mut start, 0).is_err() || start != magic {
        return Err(Error::new("this is no Syzygy table"));
    }
    if file.bytes() % 64 != 16 {
        return Err(Error::new("the file is cut off or damaged: tables have another size"));
    }
    Ok(())
}
