//! `rosada analyse`: games from a PGN file with evaluations, better lines, symbols for mistakes and accuracy, as PGN that
//! GUIs read, and a picture of each.
//!
//! `story` reads a game and writes it back, `judge` says what a move cost, `picture` draws. Here the positions are shared
//! out to threads, each with an engine of its own and an empty memory for every position, so that the result does not
//! depend on how many there are. `main` calls [`run`].
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod judge;
mod picture;
mod story;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use story::{Finding, Judged, Story};

use super::display::Display;
use super::{interrupt, processors};
use crate::base::files::{self, Draft};
use crate::base::{Color, Error};
use crate::engine::thinker::Thinker;
use crate::pgn::input::Input;
use crate::pgn::split::Splitter;
use crate::pgn::{Game, read, write};
use crate::time::Limits;

/// What `rosada analyse` can be told on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// PGN file, plain or packed with gzip, bzip2 or zstd
    pub file: PathBuf,
    /// File for the annotated games; usually the name of the first with `-analysed.pgn`
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// File for the picture, numbered if there are several games; usually beside the annotated games
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Positions to look at for each move
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Milliseconds for each move, instead of nodes
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Threads, each of them at another position
    #[arg(long, value_name = "N", default_value_t = processors(), value_parser = clap::value_parser!(u32).range(1..=512))]
    pub threads: u32,
    /// Megabytes for the hash table of each thread
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hash: u32,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

/// Positions that are looked at before the games they belong to are written: enough to keep many threads busy, few
/// enough to keep in memory.
const PORTION: usize = 4096;

/// A game that can be played through.
struct Entry {
    /// Its number in the file, from 1.
    number: usize,
    game: Game,
    /// Positions to look at.
    positions: usize,
}

/// Analyzes and returns what to print: a table of the games.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    let (out, svg) = targets(arguments)?;
    let (entries, faults) = read_games(&arguments.file)?;
    if entries.is_empty() {
        let why = faults.first().cloned().unwrap_or_else(|| Error::new("there is no game in it"));
        return Err(why.within(&arguments.file.display().to_string()));
    }
    let several = entries.len() + faults.len() > 1;
    let picture_of = |number| if several { numbered(&svg, number) } else { svg.clone() };
    [&out, &picture_of(entries[0].number)].into_iter().try_for_each(|path| check_writable(path))?;
    if entries.iter().any(|entry| is_same_file(&picture_of(entry.number), &arguments.file)) {
        return Err(Error::new("a picture would take the place of the file that is read"));
    }
    let stop = interrupt::stop_flag()?;
    let positions = entries.iter().map(|entry| entry.positions as u64).sum();
    let progress = Mutex::new(Progress {
        display: Display::new(arguments.quiet, positions, 0),
        done: 0,
        all: positions,
    });
    let mut text = Output::begin(&out)?;
    let (mut report, mut pictures) = (String::from(TABLE_HEAD), Vec::new());
    let mut waiting = entries.into_iter().peekable();
    while waiting.peek().is_some() && !stop.load(Relaxed) {
        let portion = next_portion(&mut waiting)?;
        for (number, game) in analyze(portion, arguments, &stop, &progress)? {
            text.append(&write::write(&game.annotated()))?;
            let path = picture_of(number);
            files::replace(&path, picture::svg(&game).as_bytes())?;
            pictures.push(path);
            add_rows(&mut report, number, &game);
        }
    }
    drop(progress);
    let Some(first) = pictures.first() else {
        return Err(Error::new("interrupted before the first game was through; nothing is written"));
    };
    text.finish()?;
    faults.iter().for_each(|fault| report.push_str(&format!("left out: {fault}\n")));
    if stop.load(Relaxed) {
        report.push_str("interrupted: the games after these are missing\n");
    }
    let more = if pictures.len() > 1 { format!(" and {} more", pictures.len() - 1) } else { String::new() };
    report.push_str(&format!("written: {}, {}{more}\n", out.display(), first.display()));
    Ok(report)
}

/// The next games, played through, so many that they have about [`PORTION`] positions.
fn next_portion(waiting: &mut impl Iterator<Item = Entry>) -> Result<Vec<(usize, Story)>, Error> {
    let (mut portion, mut positions) = (Vec::new(), 0);
    while positions < PORTION
        && let Some(entry) = waiting.next()
    {
        positions += entry.positions;
        portion.push((entry.number, Story::new(entry.game)?));
    }
    Ok(portion)
}

/// The file of annotated games, which appears when it is complete.
struct Output<'a> {
    path: &'a Path,
    draft: Draft,
}

impl Output<'_> {
    fn begin(path: &Path) -> Result<Output<'_>, Error> {
        let draft =
            Draft::of(path).map_err(|error| Error::from(error).within(&path.display().to_string()))?;
        Ok(Output { path, draft })
    }

    fn append(&mut self, text: &str) -> Result<(), Error> {
        let written = self.draft.write_all(text.as_bytes());
        written.map_err(|error| Error::from(error).within(&self.path.display().to_string()))
    }

    fn finish(self) -> Result<(), Error> {
        self.draft.finish().map_err(|error| Error::from(error).within(&self.path.display().to_string()))
    }
}

/// How far the work has come.
struct Progress {
    display: Display,
    done: u64,
    all: u64,
}

impl Progress {
    fn step(&mut self) {
        self.done += 1;
        let (done, all) = (self.done, self.all);
        self.display.show(done, |time| format!("{done} of {all} positions, {:.0} s", time.as_secs_f64()));
    }
}

/// The files to write. The one that is read is never among them.
fn targets(arguments: &Arguments) -> Result<(PathBuf, PathBuf), Error> {
    let stem = arguments.file.file_stem().map_or("game".into(), |stem| stem.to_string_lossy().into_owned());
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| arguments.file.with_file_name(format!("{stem}-analysed.pgn")));
    let svg = arguments.svg.clone().unwrap_or_else(|| out.with_extension("svg"));
    let file = &arguments.file;
    if is_same_file(&out, file) || is_same_file(&svg, file) || is_same_file(&out, &svg) {
        return Err(Error::new("the file that is read, --out and --svg must be different files"));
    }
    Ok((out, svg))
}

/// Whether two paths lead to one file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// All games that can be played through, and what is wrong with the others.
fn read_games(path: &Path) -> Result<(Vec<Entry>, Vec<Error>), Error> {
    let within = |error: Error| error.within(&path.display().to_string());
    let input = Input::open(path).map_err(within)?;
    let mut splitter = Splitter::new(input.stream);
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    while let Some(text) = splitter.next_game().map_err(within)? {
        match read::read(text).and_then(Story::new) {
            // The positions are made again when it is their turn: of many games they would fill the memory.
            Ok(Story { game, boards, .. }) => {
                entries.push(Entry {
                    number: entries.len() + faults.len() + 1,
                    game,
                    positions: boards.len(),
                });
            }
            Err(error) => faults.push(error),
        }
    }
    Ok((entries, faults))
}

/// Whether a file can be written; better asked before hours of work. Nothing of it is changed.
fn check_writable(path: &Path) -> Result<(), Error> {
    let existed = path.exists();
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|error| Error::from(error).within(&path.display().to_string()))?;
    if !existed {
        // It was made only for this question.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// The name of the picture of one game among several.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    path.with_file_name(format!("{stem}-{number}.svg"))
}

/// Looks at every position of some games, each with its number. After an interruption only the games that are through
/// are returned.
fn analyze(
    portion: Vec<(usize, Story)>,
    arguments: &Arguments,
    stop: &AtomicBool,
    progress: &Mutex<Progress>,
) -> Result<Vec<(usize, Judged)>, Error> {
    let jobs: Vec<(usize, usize)> = portion
        .iter()
        .enumerate()
        .flat_map(|(game, (_, story))| (0..story.boards.len()).map(move |ply| (game, ply)))
        .collect();
    let next = AtomicUsize::new(0);
    let findings: Vec<Mutex<Option<Finding>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let work = || -> Result<(), Error> {
        let mut thinker =
            Thinker::new(&[("Hash", arguments.hash.to_string()), ("UCI_AnalyseMode", "true".to_string())])?;
        while !stop.load(Relaxed) {
            let job = next.fetch_add(1, Relaxed);
            let Some(&(game, ply)) = jobs.get(job) else { break };
            let finding = look(&mut thinker, &portion[game].1, ply, arguments, stop)?;
            *findings[job].lock().unwrap_or_else(PoisonError::into_inner) = finding;
            progress.lock().unwrap_or_else(PoisonError::into_inner).step();
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads = (arguments.threads as usize).min(jobs.len());
        let members: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        members
            .into_iter()
            .map(|member| member.join().unwrap_or(Ok(())))
            .chain([own])
            .collect::<Result<(), Error>>()
    })?;
    let mut findings =
        findings.into_iter().map(|finding| finding.into_inner().unwrap_or_else(PoisonError::into_inner));
    let mut games = Vec::new();
    for (number, story) in portion {
        let own: Option<Vec<Finding>> =
            findings.by_ref().take(story.boards.len()).collect::<Vec<_>>().into_iter().collect();
        games.extend(own.map(|findings| (number, story.judge(findings))));
    }
    Ok(games)
}

/// One position; none if the work was interrupted.
fn look(
    thinker: &mut Thinker,
    story: &Story,
    ply: usize,
    arguments: &Arguments,
    stop: &AtomicBool,
) -> Result<Option<Finding>, Error> {
    if story.is_over(ply) {
        return Ok(Some(story.finding(ply, None)));
    }
    let limits = Limits {
        nodes: arguments.movetime.is_none().then_some(arguments.nodes),
        move_time: arguments.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    thinker.look_at(story.variant, story.setup.as_deref(), &story.moves[..ply])?;
    thinker.new_game();
    let thought = thinker.think(limits, || stop.load(Relaxed), |_| {});
    Ok((!stop.load(Relaxed)).then(|| story.finding(ply, Some(thought))))
}

/// The head of the table of games, in Markdown.
const TABLE_HEAD: &str = "| game | player | moves | accuracy | loss a move | ?! | ? | ?? |\n\
                          |---|---|---:|---:|---:|---:|---:|---:|\n";

/// The lines of a game in the table, one for each side.
fn add_rows(text: &mut String, number: usize, game: &Judged) {
    for side in Color::ALL {
        let summary = &game.summaries[side.index()];
        let [dubious, mistakes, blunders] = summary.mistakes;
        let accuracy = summary.accuracy.map_or("-".to_string(), |accuracy| format!("{accuracy:.1} %"));
        let name = game.names()[side.index()].replace('|', "/");
        text.push_str(&format!(
            "| {number} | {side}: {name} | {} | {accuracy} | {:.2} | {dubious} | {mistakes} | {blunders} |\n",
            summary.moves,
            summary.mean_loss_cp / 100.0,
        ));
    }
}
