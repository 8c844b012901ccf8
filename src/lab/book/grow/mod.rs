//! `rosada book grow`: a book by the engine's own analysis, from the start position outwards.
//!
//! The position that a game by the book reaches most likely is analyzed next: several lines with a fixed number of
//! nodes and empty memories, so that what is found depends on the position alone. Every move within a margin of the
//! best one is followed. Values of later positions are carried back to the moves that lead to them, and weights come from
//! these values.
//!
//! Positions are chosen in rounds of a fixed size, so any number of threads grows the same book. Every analysis is noted
//! in a journal beside the book; the same command, or one that wants more positions, reads it and goes on.

mod analyst;
mod journal;
mod tree;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::value_parser;
use crossbeam_channel::{Receiver, Sender, unbounded};
use indicatif::{FormattedDuration, HumanCount};

use super::describe;
use crate::base::Error;
use crate::book::{BookWriter, Written};
use crate::chess::packed::PACKED_BYTES;
use crate::engine::STACK_BYTES;
use crate::engine::evaluation::Evaluation;
use crate::lab::display::Display;
use crate::lab::evaluation::EvaluationArguments;
use crate::lab::interrupt::stop_flag;
use crate::lab::processors;
use analyst::Analyst;
use journal::Journal;
use tree::Tree;

/// Positions that are analyzed before the next ones are chosen. Fixed, so that the book does not depend on the number
/// of threads; large enough to keep many busy.
const ROUND: usize = 64;

/// The command line of `rosada book grow`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// File for the book; BOOK.journal beside it remembers the analyses
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    /// Stop with so many positions
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = value_parser!(u64).range(1..=10_000_000))]
    positions: u64,
    /// Analyze positions up to this ply
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = value_parser!(u32).range(1..=200))]
    max_ply: u32,
    /// Nodes of each analysis
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Moves that are compared in each analysis
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=64))]
    lines: u32,
    /// Keep moves that are at most this much worse than the best one
    #[arg(long, value_name = "CP", default_value_t = 25)]
    margin: u16,
    /// Keep no move but the best one that leaves its side this much behind
    #[arg(long, value_name = "CP", default_value_t = 60)]
    behind: u16,
    /// Positions analyzed at the same time
    #[arg(long, value_name = "N", default_value_t = processors(), value_parser = value_parser!(u32).range(1..=512))]
    threads: u32,
    /// Megabytes of hash table for each thread
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// How a book is grown.
#[derive(Clone, Debug)]
pub struct Settings {
    /// File for the book.
    pub out: PathBuf,
    /// Positions it shall have.
    pub positions: usize,
    /// Positions this many plies from the start are not analyzed.
    pub max_ply: u32,
    /// Nodes of each analysis.
    pub nodes: u64,
    /// Moves compared in each analysis.
    pub lines: usize,
    /// What a move may cost.
    pub margin_cp: i32,
    /// What a side may be behind after a move that is not the best.
    pub behind_cp: i32,
    /// Positions analyzed at the same time.
    pub threads: usize,
    /// Hash table of each thread.
    pub hash_mb: usize,
    /// What positions are judged by.
    pub evaluation: Evaluation,
    /// Show no progress.
    pub quiet: bool,
}

/// A move of an analyzed position in Polyglot's bits, and its value for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub code: u16,
    /// Its value.
    pub score_cp: i32,
}

/// What a run has done.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What the book holds.
    pub written: Written,
    /// Analyses that were made.
    pub analyzed: u64,
    /// Analyses that the journal had.
    pub remembered: u64,
    /// Plies of the longest line, the last move included.
    pub plies: u32,
    /// Whether the book is as large as it shall be, or cannot grow any more.
    pub complete: bool,
    /// How long that took.
    pub time: Duration,
}

/// Carries out the command and returns what to print at the end.
pub fn run(arguments: &Arguments) -> Result<String, Error> {
    let settings = Settings {
        out: arguments.out.clone(),
        positions: arguments.positions as usize,
        max_ply: arguments.max_ply,
        nodes: arguments.nodes,
        lines: arguments.lines as usize,
        margin_cp: i32::from(arguments.margin),
        behind_cp: i32::from(arguments.behind),
        threads: arguments.threads as usize,
        hash_mb: arguments.hash as usize,
        evaluation: arguments.evaluation.choose()?,
        quiet: arguments.quiet,
    };
    let stop = stop_flag()?;
    let summary = grow(&settings, &stop)?;
    let mut text = format!(
        "{} analyses in {}, {} more from the journal; lines of up to {} plies\n{}",
        HumanCount(summary.analyzed),
        FormattedDuration(summary.time),
        HumanCount(summary.remembered),
        summary.plies,
        describe(&settings.out.to_string_lossy(), &summary.written)
    );
    if !summary.complete {
        text.push_str("\nThe same command goes on from here.");
    }
    Ok(text)
}

/// Grows a book until it is large enough, or until `stop` is set and the analyses in progress are finished.
pub fn grow(settings: &Settings, stop: &AtomicBool) -> Result<Summary, Error> {
    let start = Instant::now();
    let (mut journal, known) = Journal::open(&journal_path(&settings.out), &heading(settings)?)?;
    let analysts =
        (0..settings.threads).map(|_| Analyst::new(settings)).collect::<Result<Vec<_>, Error>>()?;
    let mut growth = Growth {
        settings,
        stop,
        known,
        tree: Tree::new(settings)?,
        display: Display::new(settings.quiet, settings.positions as u64, 0),
        analyzed: 0,
    };
    let complete = with_analysts(analysts, |orders, reports| growth.run(orders, reports, &mut journal))?;
    let Growth { tree, analyzed, .. } = growth;
    let remembered = tree.analyzed() as u64 - analyzed;
    let mut writer = BookWriter::create(&settings.out)?;
    let plies = tree.write(&mut writer)?;
    let written = writer.finish()?;
    Ok(Summary { written, analyzed, remembered, plies, complete, time: start.elapsed() })
}

/// The journal of a book.
fn journal_path(book: &Path) -> PathBuf {
    let mut name = book.as_os_str().to_owned();
    name.push(".journal");
    PathBuf::from(name)
}

/// What analyses depend on beside the position: the settings, and the engine by the nodes it needs for a small search.
fn heading(settings: &Settings) -> Result<String, Error> {
    let Settings { nodes, lines, hash_mb, evaluation, .. } = settings;
    let signature = Analyst::signature(evaluation)?;
    Ok(format!(
        "rosada book journal: {nodes} nodes, {lines} lines, {hash_mb} MB, engine {signature} with {evaluation}"
    ))
}

/// A position to analyze and its number in the round.
type OrderToAnalyze = (usize, [u8; PACKED_BYTES]);
/// What was found.
type Report = (usize, Result<Vec<Candidate>, Error>);

/// Runs `work` while analysts carry out its orders; closing the channel of orders sends them home.
fn with_analysts<T>(
    analysts: Vec<Analyst>,
    work: impl FnOnce(Sender<OrderToAnalyze>, Receiver<Report>) -> Result<T, Error>,
) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let (orders, inbox) = unbounded::<OrderToAnalyze>();
        let (outbox, reports) = unbounded();
        for (number, mut analyst) in analysts.into_iter().enumerate() {
            let (inbox, outbox) = (inbox.clone(), outbox.clone());
            let serve = move || {
                for (index, position) in inbox {
                    let _ = outbox.send((index, analyst.analyze(&position)));
                }
            };
            let builder =
                std::thread::Builder::new().name(format!("analyst-{number}")).stack_size(STACK_BYTES);
            let started = builder.spawn_scoped(scope, serve);
            started.map_err(|error| Error::from(error).within("cannot start a thread"))?;
        }
        drop((inbox, outbox));
        work(orders, reports)
    })
}

/// A book in growth.
struct Growth<'a> {
    settings: &'a Settings,
    stop: &'a AtomicBool,
    /// What the journal knows.
    known: HashMap<u64, Vec<Candidate>>,
    tree: Tree,
    display: Display,
    analyzed: u64,
}

impl Growth<'_> {
    /// Round after round; true when the book is large enough or has nowhere to grow.
    fn run(
        &mut self,
        orders: Sender<OrderToAnalyze>,
        reports: Receiver<Report>,
        journal: &mut Journal,
    ) -> Result<bool, Error> {
        while !self.stop.load(Relaxed) {
            let wanted = self.settings.positions.saturating_sub(self.tree.analyzed());
            let round = self.tree.most_likely(ROUND.min(wanted))?;
            if round.is_empty() {
                return Ok(true);
            }
            let mut found: Vec<Option<Vec<Candidate>>> = Vec::new();
            for &node in &round {
                found.push(self.known.remove(&self.tree.key(node)));
            }
            // Orders are given as analysts become free, so that a wish to stop is heard soon.
            let mut unknown =
                (0..round.len()).filter(|&index| found[index].is_none()).collect::<Vec<_>>().into_iter();
            let mut under_way = 0;
            loop {
                while under_way < self.settings.threads && !self.stop.load(Relaxed) {
                    let Some(index) = unknown.next() else { break };
                    let _ = orders.send((index, *self.tree.position(round[index])));
                    under_way += 1;
                }
                if under_way == 0 {
                    break;
                }
                let Ok((index, candidates)) = reports.recv() else {
                    return Err(Error::new("an analyzing thread has died"));
                };
                under_way -= 1;
                let candidates = candidates?;
                journal.note(self.tree.key(round[index]), &candidates)?;
                found[index] = Some(candidates);
                self.analyzed += 1;
                self.show();
            }
            for (&node, candidates) in round.iter().zip(found) {
                if let Some(candidates) = candidates {
                    self.tree.note(node, &candidates);
                }
            }
            self.show();
        }
        Ok(false)
    }

    fn show(&mut self) {
        let (analyzed, total) = (self.analyzed, self.settings.positions);
        let done = self.tree.analyzed();
        self.display.show(done as u64, |time| {
            let speed = analyzed as f64 / time.as_secs_f64().max(1e-9);
            format!(
                "{} of {} positions, {speed:.1} a second",
                HumanCount(done as u64),
                HumanCount(total as u64)
            )
        });
    }
}
