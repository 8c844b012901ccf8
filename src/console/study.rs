//! Studying an ending: a hard position from our own tables, to be won or to be held, and a judge who knows every
//! position. `session` asks it after each move.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use clap::ValueEnum;
use rand::Rng;
use rand::seq::IndexedRandom;
use tempfile::TempDir;

use super::leave;
use crate::base::cpu::processors;
use crate::base::{Color, Error};
use crate::endgame::build::{Observer, build, file_of, memory_needed, plan};
use crate::endgame::parallel::{Crew, Stage};
use crate::endgame::tables::Tables;
use crate::endgame::{Ending, Value};
use crate::engine::board::AnyBoard;

/// What the person is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Task {
    /// Win with the stronger side.
    Win,
    /// Hold the draw with the weaker side.
    Hold,
    /// Either, by chance.
    Any,
}

/// Hints in a study.
pub const HINTS: u32 = 5;

/// Random positions of which the hardest are chosen from.
const SAMPLES: usize = 4_000;
/// The hardest so many are all hard.
const HARDEST: usize = 40;
/// Draws are rarer, and each takes a look at every move.
const DRAWS: usize = 400;

/// An ending and its tables.
pub struct Study {
    ending: Ending,
    tables: Arc<Tables>,
    folder: PathBuf,
    /// Keeps tables that were built for this session alone.
    _temporary: Option<TempDir>,
}

/// A position to play.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// As FEN.
    pub fen: String,
    /// Whom the person plays; to move.
    pub side: Color,
    /// To win or to hold.
    pub task: Task,
    /// What the tables say.
    pub value: Value,
}

/// Where tables are built: who stops the work and who hears of it.
pub struct Workshop<'a> {
    /// Set to end the work.
    pub stop: &'a AtomicBool,
    /// Hears what is worth a line.
    pub say: &'a (dyn Fn(&str) + Sync),
    /// Hears how it goes, every moment; nothing clears the line.
    pub status: &'a (dyn Fn(&str) + Sync),
}

/// Tells how the building of tables goes on.
struct Builder<'a> {
    workshop: &'a Workshop<'a>,
    /// The ending in work.
    ending: Mutex<Ending>,
}

impl Builder<'_> {
    fn show(&self, stage: Stage, done: usize, of: usize) {
        let ending = *self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        (self.workshop.status)(&format!("{ending}: {stage}, {} %", 100 * done / of.max(1)));
    }
}

impl Observer for Builder<'_> {
    fn begin(&self, ending: Ending, _: usize) {
        *self.ending.lock().unwrap_or_else(PoisonError::into_inner) = ending;
    }

    fn done(&self, ending: Ending, bytes: Option<usize>) {
        if bytes.is_some() {
            (self.workshop.status)("");
            (self.workshop.say)(&format!("{ending} is solved"));
        }
    }

    fn refused(&self, path: &Path, reason: &Error) {
        (self.workshop.status)("");
        (self.workshop.say)(&format!("{} is built again: {reason}", path.display()));
    }
}

/// Builds the tables of an ending and of all it leads to, as far as they are not there or damaged.
fn build_missing(ending: Ending, folder: &Path, keep: &str, workshop: &Workshop<'_>) -> Result<(), Error> {
    let plan = plan(&[ending]);
    if plan.iter().any(|&needed| !file_of(folder, needed).is_file()) {
        let megabytes = memory_needed(&plan).div_ceil(1 << 20);
        let told = format!("building the tables of {ending} with at most {megabytes} MB of memory{keep}");
        (workshop.say)(&told);
    }
    let builder = Builder { workshop, ending: Mutex::new(ending) };
    let progress = |stage, done, of| builder.show(stage, done, of);
    let crew = Crew { threads: processors() as usize, stop: workshop.stop, progress: &progress };
    build(folder, &plan, &crew, &builder)?;
    (workshop.status)("");
    Ok(())
}

impl Study {
    /// Opens the tables of an ending, or builds them: into the folder, or without one for this session only.
    pub fn open(name: &str, folder: Option<&Path>, workshop: &Workshop<'_>) -> Result<Study, Error> {
        let ending = Ending::parse(name)?;
        let mut temporary = None;
        let folder = match folder {
            Some(folder) => folder.to_path_buf(),
            None if Tables::embedded().has(ending) => PathBuf::new(),
            None => {
                let made = TempDir::with_prefix("rosada-").map_err(Error::from)?;
                leave::take_along(made.path());
                temporary.insert(made).path().to_path_buf()
            }
        };
        if !Tables::embedded().has(ending) {
            let keep = if temporary.is_some() { "; --dir DIR would keep them" } else { "" };
            build_missing(ending, &folder, keep, workshop)?;
        }
        // What is in the binary needs no folder.
        let folders: Vec<PathBuf> =
            Some(folder.clone()).filter(|folder| folder.is_dir()).into_iter().collect();
        let found = Tables::in_folders(&folders)?;
        found.faults.iter().for_each(|fault| (workshop.say)(&format!("refused: {fault}")));
        if !found.tables.has(ending) {
            return Err(Error::new(format!("there is no table of {ending}")));
        }
        Ok(Study { ending, tables: Arc::new(found.tables), folder, _temporary: temporary })
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.ending.to_string()
    }

    /// The tables.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Where the tables are; none if they are in the binary.
    pub fn folder(&self) -> Option<String> {
        self.folder.is_dir().then(|| self.folder.to_string_lossy().into_owned())
    }

    /// A hard position: a long win, or a draw that few moves hold.
    pub fn exercise(&self, task: Task, random: &mut impl Rng) -> Result<Exercise, Error> {
        let order = match task {
            Task::Any if random.random() => [Task::Win, Task::Hold],
            Task::Any => [Task::Hold, Task::Win],
            task => [task, task],
        };
        let found = order.into_iter().find_map(|task| self.hardest(task, random));
        found.ok_or_else(|| {
            let what = match task {
                Task::Win => "won by the stronger side",
                Task::Hold => "that the weaker side must fight to hold",
                Task::Any => "worth a study",
            };
            Error::new(format!("no position of {} was found {what}", self.ending))
        })
    }

    fn hardest(&self, task: Task, random: &mut impl Rng) -> Option<Exercise> {
        let side = if task == Task::Win { Color::White } else { Color::Black };
        let mut found: Vec<(u32, Exercise)> = Vec::new();
        for _ in 0..SAMPLES {
            let fen = self.placement(side, random);
            let Ok(board) = AnyBoard::from_fen("chess", &fen) else { continue };
            let Some(value) = board.table_value(&self.tables) else { continue };
            let hardness = match (task, value) {
                (Task::Win, Value::Win(plies)) => plies,
                (Task::Hold, Value::Draw) => self.hardness_of_draw(&board)?,
                _ => 0,
            };
            if hardness > 0 {
                found.push((hardness, Exercise { fen, side, task, value }));
            }
            if task == Task::Hold && found.len() >= DRAWS {
                break;
            }
        }
        found.sort_by_key(|(hardness, _)| std::cmp::Reverse(*hardness));
        let hardest = found.first()?.0;
        // Of draws only those that are as hard as any; of wins the longest ones.
        found.truncate(HARDEST);
        if task == Task::Hold {
            found.retain(|(hardness, _)| *hardness == hardest);
        }
        let place = (0..found.len()).collect::<Vec<_>>().choose(random).copied()?;
        Some(found.swap_remove(place).1)
    }

    /// How many moves lose for each that holds; zero where nothing can go wrong.
    fn hardness_of_draw(&self, board: &AnyBoard) -> Option<u32> {
        let moves = board.table_moves(&self.tables)?;
        let losing = moves.iter().filter(|(_, value)| matches!(value, Value::Loss(_))).count();
        let holding = moves.len() - losing;
        Some(if holding == 0 { 0 } else { (100 * losing / (holding * holding)) as u32 })
    }

    /// The men anywhere, as FEN.
    fn placement(&self, side: Color, random: &mut impl Rng) -> String {
        let mut squares = [' '; 64];
        let name = self.ending.to_string();
        let (white, black) = name.split_once('v').unwrap_or((&name, ""));
        let men = white.chars().chain(black.chars().map(|letter| letter.to_ascii_lowercase()));
        for man in men {
            loop {
                let square = random.random_range(0..64);
                let on_edge = !(8..56).contains(&square);
                if squares[square] == ' ' && !(on_edge && man.eq_ignore_ascii_case(&'p')) {
                    squares[square] = man;
                    break;
                }
            }
        }
        let rank = |rank: &[char]| {
            let mut text = String::new();
            let mut empty = 0;
            for &man in rank {
                if man == ' ' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(man);
            }
            if empty > 0 { text + &empty.to_string() } else { text }
        };
        let ranks: Vec<String> = squares.chunks(8).map(rank).collect();
        format!("{} {} - - 0 1", ranks.join("/"), if side.is_white() { "w" } else { "b" })
    }

    /// What to say about a move of the person: whether it gave something away, and what would not have.
    pub fn judge(&self, before: &AnyBoard, after: &AnyBoard) -> Option<String> {
        let moves = before.table_moves(&self.tables)?;
        let &(best, could) = moves.first()?;
        let has = match after.verdict() {
            Some(verdict) if verdict.winner.is_none() => Value::Draw,
            _ => after.table_value(&self.tables)?.before(),
        };
        let best = before.san(best);
        Some(match (could, has) {
            (Value::Win(could), Value::Win(has)) if has > could => {
                format!("Mate in {} now; {best} would have been mate in {}.", moves_of(has), moves_of(could))
            }
            (Value::Win(could), Value::Draw) => {
                format!(
                    "That gives the win away: it is a draw now. {best} was mate in {}. back takes it back.",
                    moves_of(could)
                )
            }
            (Value::Win(could), Value::Loss(has)) => format!(
                "That gives the win away and loses: you are mated in {}. {best} was mate in {}. back takes it back.",
                has / 2,
                moves_of(could)
            ),
            (Value::Draw, Value::Loss(has)) => {
                format!("That loses: you are mated in {}. {best} held the draw. back takes it back.", has / 2)
            }
            _ => return None,
        })
    }
}

/// Moves of the side that mates.
pub fn moves_of(plies: u32) -> u32 {
    plies.div_ceil(2)
}

/// What tables say, in words, for the side to move.
pub fn describe(value: Value, side: Color) -> String {
    match value {
        Value::Win(plies) => format!("{side} mates in {}", moves_of(plies)),
        Value::Draw => "a draw".to_string(),
        Value::Loss(0) => format!("{side} is mated"),
        Value::Loss(plies) => format!("{} mates in {}", !side, plies / 2),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    fn open(name: &str) -> Result<Study, Error> {
        let stop = AtomicBool::new(false);
        Study::open(name, None, &Workshop { stop: &stop, say: &|_| {}, status: &|_| {} })
    }

    #[test]
    fn hard_positions_of_three_men_come_from_the_binary() {
        let study = open("krvk").unwrap();
        assert_eq!((study.name().as_str(), study.folder()), ("KRvK", None));
        let mut random = StdRng::seed_from_u64(5);
        let exercise = study.exercise(Task::Win, &mut random).unwrap();
        assert!(matches!(exercise.value, Value::Win(plies) if plies >= 27), "{:?}", exercise.value);
        let pawn = open("KPvK").unwrap();
        let held = pawn.exercise(Task::Hold, &mut random).unwrap();
        assert_eq!((held.side, held.value), (Color::Black, Value::Draw));
        let board = AnyBoard::from_fen("chess", &held.fen).unwrap();
        let holding = board.table_moves(pawn.tables()).unwrap();
        assert_eq!(holding.iter().filter(|(_, value)| *value == Value::Draw).count(), 1, "{}", held.fen);
        let knight = open("KNvK").unwrap();
        assert!(knight.exercise(Task::Any, &mut random).is_err());
        assert!(open("KXvK").is_err());
    }

    #[test]
    fn a_lost_win_and_a_lost_draw_are_noticed() {
        let study = open("KQvK").unwrap();
        let before = AnyBoard::from_fen("chess", "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1").unwrap();
        let after = |text: &str| {
            let mut after = before.clone();
            after.play(before.read_move(text).unwrap());
            study.judge(&before, &after)
        };
        assert_eq!(after("Qg8#"), None);
        assert!(after("Qc5").unwrap().contains("would have been mate in 1"));
        assert!(after("Qg6").is_some());
        let stalemate = AnyBoard::from_fen("chess", "k7/5Q2/1K6/8/8/8/8/8 w - - 0 1").unwrap();
        let mut drawn = stalemate.clone();
        drawn.play(stalemate.read_move("Qc7").unwrap());
        assert!(study.judge(&stalemate, &drawn).unwrap().contains("gives the win away"));
        let pawn = open("KPvK").unwrap();
        let held = AnyBoard::from_fen("chess", "4k3/8/4P3/4K3/8/8/8/8 b - - 0 1").unwrap();
        let mut lost = held.clone();
        lost.play(held.read_move("Kd8").unwrap());
        assert!(pawn.judge(&held, &lost).unwrap().contains("Ke7 held the draw"));
    }
}
