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

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use story::{Finding, Judged, Story};

use super::display::Display;
use super::{interrupt, processors};
use crate::base::{Color, Error};
use crate::engine::thinker::Thinker;
use crate::pgn::input::Input;
use crate::pgn::split::Splitter;
use crate::pgn::{read, write};
use crate::time::Limits;

/// What `rosada analyse` can be told on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// PGN file, plain or packed with gzip or zstd
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

/// Analyzes and returns what to print: a table of the games.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    let (out, svg) = targets(arguments)?;
    let (stories, faults) = read_games(&arguments.file)?;
    if stories.is_empty() {
        let why = faults.first().cloned().unwrap_or_else(|| Error::new("there is no game in it"));
        return Err(why.within(&arguments.file.display().to_string()));
    }
    let stop = interrupt::stop_flag()?;
    let games = analyze(stories, arguments, &stop)?;
    if games.is_empty() {
        return Err(Error::new("interrupted before the first game was through; nothing is written"));
    }
    let text: String = games.iter().map(|game| write::write(&game.annotated())).collect();
    write_file(&out, &text)?;
    let mut pictures = Vec::new();
    for (place, game) in games.iter().enumerate() {
        let path = if games.len() == 1 { svg.clone() } else { numbered(&svg, place + 1) };
        write_file(&path, &picture::svg(game))?;
        pictures.push(path);
    }
    let mut report = table(&games);
    faults.iter().for_each(|fault| report.push_str(&format!("left out: {fault}\n")));
    if stop.load(Relaxed) {
        report.push_str("interrupted: the games after these are missing\n");
    }
    let first = pictures.first().map_or(String::new(), |path| path.display().to_string());
    let more = if pictures.len() > 1 { format!(" and {} more", pictures.len() - 1) } else { String::new() };
    report.push_str(&format!("written: {}, {first}{more}\n", out.display()));
    Ok(report)
}

/// The files to write. The one that is read is never among them.
fn targets(arguments: &Arguments) -> Result<(PathBuf, PathBuf), Error> {
    let stem = arguments.file.file_stem().map_or("game".into(), |stem| stem.to_string_lossy().into_owned());
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| arguments.file.with_file_name(format!("{stem}-analysed.pgn")));
    let svg = arguments.svg.clone().unwrap_or_else(|| out.with_extension("svg"));
    let same = |a: &Path, b: &Path| {
        a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
    };
    if same(&out, &arguments.file) || same(&svg, &arguments.file) || same(&out, &svg) {
        return Err(Error::new("the file that is read, --out and --svg must be different files"));
    }
    Ok((out, svg))
}

/// All games that can be played through, and what is wrong with the others.
fn read_games(path: &Path) -> Result<(Vec<Story>, Vec<Error>), Error> {
    let within = |error: Error| error.within(&path.display().to_string());
    let input = Input::open(path).map_err(within)?;
    let mut splitter = Splitter::new(input.stream);
    let (mut stories, mut faults) = (Vec::new(), Vec::new());
    while let Some(text) = splitter.next_game().map_err(within)? {
        match read::read(text).and_then(Story::new) {
            Ok(story) => stories.push(story),
            Err(error) => faults.push(error),
        }
    }
    Ok((stories, faults))
}

fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|error| Error::from(error).within(&path.display().to_string()))
}

/// The name of the picture of one game among several.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    path.with_file_name(format!("{stem}-{number}.svg"))
}

/// Looks at every position of every game. After an interruption only the games that are through are returned.
fn analyze(stories: Vec<Story>, arguments: &Arguments, stop: &AtomicBool) -> Result<Vec<Judged>, Error> {
    let jobs: Vec<(usize, usize)> = stories
        .iter()
        .enumerate()
        .flat_map(|(game, story)| (0..story.boards.len()).map(move |ply| (game, ply)))
        .collect();
    let next = AtomicUsize::new(0);
    let findings: Vec<Mutex<Option<Finding>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let display = Mutex::new((Display::new(arguments.quiet, jobs.len() as u64, 0), 0u64));
    let work = || -> Result<(), Error> {
        let mut thinker =
            Thinker::new(&[("Hash", arguments.hash.to_string()), ("UCI_AnalyseMode", "true".to_string())])?;
        while !stop.load(Relaxed) {
            let job = next.fetch_add(1, Relaxed);
            let Some(&(game, ply)) = jobs.get(job) else { break };
            let finding = look(&mut thinker, &stories[game], ply, arguments, stop)?;
            *findings[job].lock().unwrap_or_else(PoisonError::into_inner) = finding;
            let mut shown = display.lock().unwrap_or_else(PoisonError::into_inner);
            shown.1 += 1;
            let done = shown.1;
            shown.0.show(done, |time| {
                format!("{done} of {} positions, {:.0} s", jobs.len(), time.as_secs_f64())
            });
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
    for story in stories {
        let own: Option<Vec<Finding>> =
            findings.by_ref().take(story.boards.len()).collect::<Vec<_>>().into_iter().collect();
        games.extend(own.map(|findings| story.judge(findings)));
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

/// The games in a table, in Markdown.
fn table(games: &[Judged]) -> String {
    let mut text = String::from(
        "| game | player | moves | accuracy | loss a move | ?! | ? | ?? |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for (place, game) in games.iter().enumerate() {
        for side in Color::ALL {
            let summary = &game.summaries[side.index()];
            let [dubious, mistakes, blunders] = summary.mistakes;
            let accuracy = summary.accuracy.map_or("-".to_string(), |accuracy| format!("{accuracy:.1} %"));
            let name = game.names()[side.index()].replace('|', "/");
            text.push_str(&format!(
                "| {} | {side}: {name} | {} | {accuracy} | {:.2} | {dubious} | {mistakes} | {blunders} |\n",
                place + 1,
                summary.moves,
                summary.mean_loss_cp / 100.0,
            ));
        }
    }
    text
}
