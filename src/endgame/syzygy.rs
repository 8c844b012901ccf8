//! Syzygy tables through `pyrrhic-rs`: win, draw or loss in the tree, distances to the next capture or pawn move at the
//! root.
//!
//! The library keeps its tables in one place for the whole process, believes that every table is there, and trusts the
//! files. So this adapter looks at the files itself first (name, size, magic number) and asks only for positions whose
//! table, and every table that a capture or promotion can lead to, was found whole.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TBError, TableBases, WdlProbeResult};

use super::ending::Ending;
use crate::base::{Color, Error, Move};
use crate::chess::{Bitboard, Board, ChessMove, PieceKind, Position, Square, attacks};

/// What the library asks the engine: where pieces attack.
#[derive(Clone)]
struct Attacks;

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = Color::from_bool(color == pyrrhic_rs::Color::White);
        attacks::pawn(color, Square::new(square as u8)).0
    }

    fn knight_attacks(square: u64) -> u64 {
        attacks::knight(Square::new(square as u8)).0
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        attacks::bishop(Square::new(square as u8), Bitboard(occupied)).0
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        attacks::rook(Square::new(square as u8), Bitboard(occupied)).0
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        attacks::queen(Square::new(square as u8), Bitboard(occupied)).0
    }

    fn king_attacks(square: u64) -> u64 {
        attacks::king(Square::new(square as u8)).0
    }
}

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

impl From<WdlProbeResult> for Wdl {
    fn from(result: WdlProbeResult) -> Wdl {
        match result {
            WdlProbeResult::Loss => Wdl::Loss,
            WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
            WdlProbeResult::Draw => Wdl::Draw,
            WdlProbeResult::CursedWin => Wdl::CursedWin,
            WdlProbeResult::Win => Wdl::Win,
        }
    }
}

/// The tables of one search path.
pub struct Syzygy {
    tables: TableBases<Attacks>,
    /// Endings that may be asked for in the tree: with all they lead to by captures, the WDL tables are there.
    wdl: HashSet<Ending>,
    /// Endings that may be asked for at the root: promotions and DTZ tables, too.
    dtz: HashSet<Ending>,
    most_men: usize,
    /// The library's root probe is for one thread at a time.
    root: Mutex<()>,
}

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

/// Searches that ended a moment ago may still hold the old tables.
const PATIENCE: Duration = Duration::from_secs(2);

impl Syzygy {
    /// Opens the tables in some folders. There can be only one set of them at a time: `release` is called when it is clear
    /// that the new ones can be had, and lets the older ones go.
    pub fn in_folders(folders: &[PathBuf], release: impl FnOnce()) -> Result<Found, Error> {
        let mut found = Found { tables: None, counts: [0; 2], faults: Vec::new() };
        let mut whole: [HashSet<Ending>; 2] = Default::default();
        let mut refused: HashSet<Ending> = HashSet::new();
        for folder in folders {
            for (ending, kind, path) in table_files(folder)? {
                // The first folder that has a table serves it, whole or not.
                if whole[kind].contains(&ending) || refused.contains(&ending) {
                    continue;
                }
                match check(&path, SUFFIXES[kind].1) {
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
        let most_men = wdl.iter().map(Ending::men).max().unwrap_or(0);
        let names: Vec<&str> = folders.iter().filter_map(|folder| folder.to_str()).collect();
        release();
        let tables = open(&names.join(":"))?;
        found.tables = Some(Syzygy { tables, wdl, dtz, most_men, root: Mutex::new(()) });
        Ok(found)
    }

    /// The most men of any table.
    pub fn most_men(&self) -> usize {
        self.most_men
    }

    /// The result of a position whose clock of the fifty-move rule stands at zero; none if no table knows it.
    pub fn probe(&self, board: &Board) -> Option<Wdl> {
        if board.castling_rights() != 0 || board.occupied().count() as usize > self.most_men {
            return None;
        }
        let ending = Ending::of(board).canonical().0;
        if ending == Ending::KINGS {
            return Some(Wdl::Draw);
        }
        if !self.wdl.contains(&ending) {
            return None;
        }
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = bitboards(board);
        let (passed, white_to_move) = (passed_square(board), board.side_to_move().is_white());
        let result = self.tables.probe_wdl(
            white,
            black,
            kings,
            queens,
            rooks,
            bishops,
            knights,
            pawns,
            passed,
            white_to_move,
        );
        result.ok().map(Wdl::from)
    }

    /// Every legal move with its distance in plies to the next capture or pawn move, positive if it wins, negative if it
    /// loses, zero if it draws; none if the tables do not know the position. Wins that take longer than fifty moves have
    /// distances above 100.
    pub fn root_moves(&self, position: &Position) -> Option<Vec<(Move, i32)>> {
        let board = position.board();
        let ending = Ending::of(board).canonical().0;
        if board.castling_rights() != 0 || !self.dtz.contains(&ending) || !position.has_legal_move() {
            return None;
        }
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = bitboards(board);
        let (passed, white_to_move) = (passed_square(board), board.side_to_move().is_white());
        let _alone = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        // The clock is left to the caller: the library only mixes it into its verdicts.
        let clock = 0;
        let result = self.tables.probe_root(
            white,
            black,
            kings,
            queens,
            rooks,
            bishops,
            knights,
            pawns,
            clock,
            passed,
            white_to_move,
        );
        let result = result.ok()?;
        let mut distances = HashMap::new();
        for value in &result.moves[..result.num_moves] {
            let DtzProbeValue::DtzResult(result) = value else { return None };
            let sign = match Wdl::from(result.wdl) {
                Wdl::Loss | Wdl::BlessedLoss => -1,
                Wdl::Draw => 0,
                Wdl::CursedWin | Wdl::Win => 1,
            };
            let promotion = match result.promotion {
                pyrrhic_rs::Piece::Queen => Some(PieceKind::Queen),
                pyrrhic_rs::Piece::Rook => Some(PieceKind::Rook),
                pyrrhic_rs::Piece::Bishop => Some(PieceKind::Bishop),
                pyrrhic_rs::Piece::Knight => Some(PieceKind::Knight),
                _ => None,
            };
            distances.insert((result.from_square, result.to_square, promotion), sign * i32::from(result.dtz));
        }
        let distance = |mv: Move| {
            let place = (mv.from().raw(), mv.to().raw(), mv.promotion());
            distances.get(&place).map(|&distance| (mv, distance))
        };
        position.legal_moves().into_iter().map(distance).collect()
    }
}

/// The bitboards in the order the library wants them.
fn bitboards(board: &Board) -> [u64; 8] {
    let kind = |kind: PieceKind| board.kind(kind).0;
    [
        board.color(Color::White).0,
        board.color(Color::Black).0,
        kind(PieceKind::King),
        kind(PieceKind::Queen),
        kind(PieceKind::Rook),
        kind(PieceKind::Bishop),
        kind(PieceKind::Knight),
        kind(PieceKind::Pawn),
    ]
}

/// The square behind a pawn that can be captured en passant, zero if there is none.
fn passed_square(board: &Board) -> u32 {
    board.en_passant().map_or(0, |square| u32::from(square.raw()))
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

/// Hands the path to the library, waiting a moment for searches that still hold the last one. The library parts the path at
/// colons, so on Windows a folder has to be named without its drive.
fn open(path: &str) -> Result<TableBases<Attacks>, Error> {
    let start = Instant::now();
    loop {
        match TableBases::new(path) {
            Ok(tables) => return Ok(tables),
            Err(TBError::AlreadyInitialized) if start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(Error::new(format!("the tables cannot be opened: {error:?}"))),
        }
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
        // The library looks for exactly the names that we write.
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
    let mut file = File::open(path)?;
    let mut start = [0; 4];
    if file.read_exact(&mut start).is_err() || start != magic {
        return Err(Error::new("this is no Syzygy table"));
    }
    if file.metadata()?.len() % 64 != 16 {
        return Err(Error::new("the file is cut off or damaged: tables have another size"));
    }
    Ok(())
}
