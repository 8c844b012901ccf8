//! Play at the terminal: a game against the engine, between two people or of the engine against itself, and the study of
//! endings.
//!
//! [`run`] sets a session up from the command line. `command` reads a line, `actions` carries it out, `session` makes the
//! moves; `record` is the game, `portable` its PGN, `archive` the file, `partner` the engine, `study` the judge of endings;
//! `screen` and `words` make what is seen, `input` and `interrupt` bring what is typed, `leave` is the way out.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod actions;
mod archive;
mod clock;
pub mod command;
mod input;
mod interrupt;
mod leave;
mod level;
mod partner;
pub mod portable;
pub mod record;
mod screen;
mod session;
mod study;
mod style;
mod words;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::base::Error;
use crate::endgame::tables::Tables;
use crate::engine::board::game_named;
use clock::TimeControl;
use command::{ClockWish, Seats};
use input::Input;
use interrupt::Interrupt;
use level::Level;
use partner::Partner;
use record::Record;
use session::{Exam, Session, say, status};
use study::{Study, Task, Workshop};
use style::{Look, Style};

/// What `rosada play` can be told on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// What you play; both: two people, none: the engine against itself
    #[arg(long, value_enum, default_value_t = Seats::White)]
    color: Seats,
    /// How the engine plays: "time 2" (seconds a move), "depth 8", "nodes 50000", "elo 1800"
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// A chess clock, minutes and seconds a move: 5+3
    #[arg(long, value_name = "M+S")]
    clock: Option<String>,
    /// The game: chess, chess960, maharajah, janus, embassy, amazon, grand, caparandom, behemoth, capablanca, gothic
    #[arg(long, value_name = "NAME", default_value = "chess")]
    variant: String,
    /// Position to start from
    #[arg(long, conflicts_with = "endgame")]
    fen: Option<String>,
    /// Game to go on with, a PGN file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["endgame", "fen"])]
    load: Option<PathBuf>,
    /// Study an ending such as KQvKR: a hard position, to be won or held
    #[arg(long, value_name = "NAME")]
    endgame: Option<String>,
    /// What to do in a study
    #[arg(long, value_enum, default_value_t = Task::Any, requires = "endgame")]
    task: Task,
    /// Folder with endgame tables; a study builds what is missing there
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Letters instead of chess figures
    #[arg(long)]
    ascii: bool,
    /// Chess figures, whatever the terminal says about itself
    #[arg(long, conflicts_with = "ascii")]
    unicode: bool,
    /// No colors
    #[arg(long)]
    plain: bool,
    /// No opening book
    #[arg(long)]
    no_book: bool,
    /// Searching threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: u32,
    /// Megabytes for the hash table
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Seed of everything that happens by chance: start positions, the Behemoth's die, exercises
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Plays until someone has had enough.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let level = arguments.level.as_deref().map(Level::parse).transpose()?.unwrap_or(level::DEFAULT);
    let control = arguments.clock.as_deref().map(TimeControl::parse).transpose()?;
    if level == Level::Clock && control.is_none() {
        return Err(Error::new("level clock needs --clock"));
    }
    let mut random = StdRng::seed_from_u64(arguments.seed.unwrap_or_else(rand::random));
    let game = game_named(&arguments.variant)?;
    if arguments.endgame.is_some() && game != "chess" {
        return Err(Error::new("endings are studied in chess only"));
    }
    let record = match &arguments.fen {
        Some(fen) => Record::from_fen(game, fen)?,
        None => Record::new(game, &mut random)?,
    };
    let mut partner = Partner::new(arguments.threads, arguments.hash, !arguments.no_book)?;
    let interrupt = Interrupt::watch()?;
    let (tables, exam) = prepare(arguments, &mut partner, &interrupt, &mut random)?;
    let mut session = Session {
        record,
        partner,
        input: Input::standard()?,
        interrupt,
        random,
        style: style(arguments),
        flipped: arguments.color == Seats::Black,
        seats: arguments.color,
        level,
        control: None,
        tables,
        study: None,
        paused: false,
        since: Instant::now(),
        home: None,
    };
    say("Rosada at the terminal; help lists the commands, exit ends.");
    if let Some(path) = &arguments.load {
        session.load(path, 1)?;
    }
    if let Some(control) = control {
        session.set_clock(ClockWish::On(control));
    }
    if let Some(exam) = exam {
        session.enter(exam)?;
    }
    session.run()
}

/// Opens the endgame tables, and the study that was asked for.
fn prepare(
    arguments: &Arguments,
    partner: &mut Partner,
    interrupt: &Interrupt,
    random: &mut StdRng,
) -> Result<(Arc<Tables>, Option<Exam>), Error> {
    if let Some(name) = &arguments.endgame {
        let live = std::io::stdout().is_terminal();
        let workshop = Workshop {
            stop: interrupt.flag(),
            say: &|line| say(line),
            status: &|line| {
                if live {
                    status(line);
                }
            },
        };
        interrupt.begin();
        let study = Study::open(name, arguments.dir.as_deref(), &workshop);
        interrupt.end();
        let study = study?;
        if let Some(folder) = study.folder() {
            partner.use_tables(&folder)?;
        }
        let tables = Arc::clone(study.tables());
        return Ok((tables, Some(Exam::new(study, arguments.task, random)?)));
    }
    let Some(folder) = &arguments.dir else { return Ok((Arc::new(Tables::embedded()), None)) };
    let found = Tables::in_folders(std::slice::from_ref(folder))?;
    partner.use_tables(&folder.to_string_lossy())?.iter().for_each(|line| say(line));
    Ok((Arc::new(found.tables), None))
}

fn style(arguments: &Arguments) -> Style {
    let mut style = Style::detect();
    for (wanted, look) in
        [(arguments.ascii, Look::Ascii), (arguments.unicode, Look::Unicode), (arguments.plain, Look::Plain)]
    {
        style = if wanted { style.with(look) } else { style };
    }
    style
}
