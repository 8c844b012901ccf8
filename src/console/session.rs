//! A session at the terminal: lines in, moves made, boards out. What each command does is in `actions`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;

use super::clock::TimeControl;
use super::command::{self, Seats};
use super::input::{Entry, Input};
use super::interrupt::Interrupt;
use super::leave::leave;
use super::level::Level;
use super::partner::Partner;
use super::portable::Table;
use super::record::{OUT_OF_TIME, Record};
use super::screen::{self, View};
use super::study::{self, Exercise, HINTS, Study, Task};
use super::style::Style;
use super::words;
use crate::base::{Cell, Color, Error, Move};
use crate::endgame::tables::Tables;
use crate::engine::board::{AnyBoard, Verdict};
use crate::engine::report::Info;
use crate::engine::thinker::Thought;
use crate::time::Limits;

/// The name of whoever sits at the keyboard.
const PERSON: &str = "You";
const ENGINE: &str = "Rosada";
/// Wide enough to tell, narrow enough for any terminal.
const STATUS_WIDTH: usize = 78;

/// Everything about the session.
pub struct Session {
    pub(super) record: Record,
    pub(super) partner: Partner,
    pub(super) input: Input,
    pub(super) interrupt: Arc<Interrupt>,
    pub(super) random: StdRng,
    pub(super) style: Style,
    pub(super) flipped: bool,
    pub(super) seats: Seats,
    pub(super) level: Level,
    pub(super) control: Option<TimeControl>,
    /// Tables to ask for distances.
    pub(super) tables: Arc<Tables>,
    pub(super) study: Option<Exam>,
    /// The engine waits, although it is its turn: someone is looking at earlier positions.
    pub(super) paused: bool,
    /// When the turn began.
    pub(super) since: Instant,
    /// The file that holds this game, and its number there.
    pub(super) home: Option<(PathBuf, usize)>,
}

/// An endgame study in progress.
pub(super) struct Exam {
    pub study: Study,
    pub wanted: Task,
    pub exercise: Exercise,
    pub hints_left: u32,
}

/// What a line leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Stay,
    Leave,
}

/// Writes to standard output. When nobody reads any more, the program ends quietly.
pub(super) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    if written.is_err() {
        leave(0);
    }
}

impl Session {
    /// Plays until someone has had enough.
    pub fn run(&mut self) -> Result<(), Error> {
        self.show(&[]);
        loop {
            if self.is_engines_turn() {
                self.engine_moves()?;
                continue;
            }
            let prompt = self.prompt();
            let board = self.record.board();
            let moves = board.legal().iter().map(|&(mv, _)| board.san(mv)).collect();
            match self.input.next(&prompt, moves, say) {
                Entry::Line(line) => {
                    let done = command::parse(&line).and_then(|command| self.carry_out(command));
                    match done {
                        Ok(Next::Stay) => {}
                        Ok(Next::Leave) => return Ok(()),
                        Err(error) => say(&format!("{error}")),
                    }
                }
                Entry::Interrupted => say("exit ends the program"),
                Entry::End => return Ok(()),
            }
        }
    }

    fn prompt(&self) -> String {
        let board = self.record.board();
        match self.record.verdict() {
            Some(_) => "(game over)> ".to_string(),
            None => format!("{}{} ", board.fullmove(), if board.side().is_white() { "." } else { "..." }),
        }
    }

    /// Whether a side is played from the keyboard.
    pub(super) fn is_persons(&self, side: Color) -> bool {
        match self.seats {
            Seats::White => side.is_white(),
            Seats::Black => !side.is_white(),
            Seats::Both => true,
            Seats::Nobody => false,
        }
    }

    fn is_engines_turn(&self) -> bool {
        !self.paused && self.record.verdict().is_none() && !self.is_persons(self.record.board().side())
    }

    /// The names of both sides, White first.
    pub(super) fn names(&self) -> [String; 2] {
        let tag = |name: &str| self.record.tags.iter().find(|(known, _)| known == name);
        Color::ALL.map(|side| match tag(&side.to_string()) {
            Some((_, name)) => name.clone(),
            None if self.is_persons(side) => PERSON.to_string(),
            None => format!("{ENGINE} ({})", self.level),
        })
    }

    /// What a saved game says about itself.
    pub(super) fn table(&self) -> Table<'static> {
        let names = Color::ALL.map(|side| match self.is_persons(side) {
            true => PERSON.to_string(),
            false => format!("{ENGINE} {} ({})", env!("CARGO_PKG_VERSION"), self.level),
        });
        let event = if self.study.is_some() { "Endgame study" } else { "Casual game" };
        Table { names, control: self.control, event }
    }

    /// Draws the board, with some squares pointed out.
    pub(super) fn show(&self, marks: &[Cell]) {
        let board = self.record.board();
        let men = board.men();
        let view = View {
            men: &men,
            flipped: self.flipped,
            last: self.record.last().map(|ply| (ply.from, ply.to)),
            check: men.royal(board.side()).filter(|_| board.in_check()),
            marks,
            panel: &words::panel(&self.record, &self.names(), self.control, self.style),
        };
        say(&format!("\n{}", screen::draw(&view, self.style).trim_end()));
    }

    /// A move of a person, as text.
    pub(super) fn person_moves(&mut self, text: &str) -> Result<(), Error> {
        if let Some(verdict) = self.record.verdict() {
            let why = format!("the game is over: {}; new begins another, back goes back", verdict.rule);
            return Err(Error::new(why));
        }
        let mv = self.record.board().read_move(text)?;
        let spent = self.since.elapsed();
        if self.runs_out_of_time(spent) {
            return Ok(());
        }
        let before = self.record.board().clone();
        self.make(mv, spent)?;
        if let Some(exam) = &self.study
            && before.side() == exam.exercise.side
            && let Some(told) = exam.study.judge(&before, self.record.board())
        {
            say(&told);
        }
        self.paused = false;
        // The answer comes at once, and the board with it.
        if !self.is_engines_turn() {
            self.show(&[]);
        }
        self.announce();
        Ok(())
    }

    /// Plays a move for good; in Behemoth chess the die is thrown.
    fn make(&mut self, mv: Move, spent: Duration) -> Result<(), Error> {
        let mut after = self.record.board().clone();
        after.play(mv);
        let raid = after.awaits_raid().then(|| after.roll(&mut self.random));
        // Without a clock there is no end to what a pipe has "thought": only terminals measure.
        let counted = if self.control.is_some() || self.input.is_terminal() { spent } else { Duration::ZERO };
        let ply = self.record.play(mv, raid.as_deref(), counted)?;
        if let Some(raid) = &ply.raid {
            say(&format!("{}. {}", ply.san, words::raid(raid)));
        }
        self.since = Instant::now();
        Ok(())
    }

    /// Whether the clock of the side to move has run out; if so, the game is over.
    fn runs_out_of_time(&mut self, spent: Duration) -> bool {
        let side = self.record.board().side();
        let (moves, before) = self.record.spent(side);
        let out = self.control.is_some_and(|control| control.left(moves, before + spent).is_none());
        if out {
            // A king alone can mate nobody, whatever the other side does.
            let men = self.record.board().men();
            let mut others =
                men.cells().filter_map(|cell| men.at(cell)).filter(|man| man.side == Some(!side));
            let alone = others.all(|man| man.letter == 'K');
            self.record.agree(match alone {
                false => Verdict { winner: Some(!side), rule: format!("{side} {OUT_OF_TIME}") },
                true => {
                    let rule = format!("{} has the king alone, and {side} {OUT_OF_TIME}", !side);
                    Verdict { winner: None, rule }
                }
            });
            self.announce();
        }
        out
    }

    /// Tells the end of the game, if it has come.
    pub(super) fn announce(&self) {
        let Some(verdict) = self.record.verdict() else { return };
        say(&words::ending(&verdict, self.record.result()));
        if let Some(exam) = &self.study {
            let person = exam.exercise.side;
            let done = match exam.exercise.task {
                Task::Hold => verdict.winner != Some(!person),
                _ => verdict.winner == Some(person),
            };
            let moves = self.record.played().len().div_ceil(2);
            let needed = study::describe(exam.exercise.value, person);
            let word = if done { "Done" } else { "Not this time" };
            say(&format!(
                "{word}, after {moves} moves; the table said: {needed}. new gives another position."
            ));
        }
    }

    /// The limits of the engine's next move.
    fn limits(&self) -> Limits {
        let mut limits = self.level.limits();
        if let Some(control) = self.control {
            for side in Color::ALL {
                let (moves, spent) = self.record.spent(side);
                limits.remaining[side.index()] = Some(control.left(moves, spent).unwrap_or_default());
                limits.increment[side.index()] = control.increment;
            }
        }
        limits
    }

    /// The engine thinks and moves.
    pub(super) fn engine_moves(&mut self) -> Result<(), Error> {
        let began = Instant::now();
        let (board, limits) = (self.record.board().clone(), self.limits());
        let side = board.side();
        let live = self.input.is_terminal() && std::io::stdout().is_terminal();
        let show = |info: &Info| {
            if live {
                status(&thinking(&board, info));
            }
        };
        let (thought, cut_short) =
            self.partner.play(&self.record, self.level, limits, &self.interrupt, show)?;
        if live {
            status("");
        }
        let Some(best) = &thought.best else { return Err(Error::new("the engine has found no move")) };
        let mv = board.parse_uci(best)?;
        self.report(&thought);
        if self.runs_out_of_time(began.elapsed()) {
            return Ok(());
        }
        let dots = if side.is_white() { "." } else { "..." };
        say(&format!("{ENGINE} plays {}{dots} {}", board.fullmove(), board.san(mv)));
        self.make(mv, began.elapsed())?;
        // Ctrl-C makes it move now; if it plays against itself, it also ends the show.
        self.paused = cut_short && self.seats == Seats::Nobody;
        self.show(&[]);
        self.announce();
        Ok(())
    }

    /// What the engine has thought.
    pub(super) fn report(&self, thought: &Thought) {
        thought.remarks.iter().for_each(|remark| say(&format!("({remark})")));
        if let Some(info) = &thought.info
            && thought.remarks.is_empty()
        {
            say(&format!("({})", thinking(self.record.board(), info)));
        }
    }
}

/// How the engine's thinking goes, in words of the game.
pub(super) fn thinking(board: &AnyBoard, info: &Info) -> String {
    const MOVES: usize = 8;
    let line = board.san_line(&info.pv[..info.pv.len().min(MOVES)]);
    words::thinking(info, board.side(), &line)
}

/// Writes over the line of the terminal that shows how the thinking goes.
pub(super) fn status(text: &str) {
    let short: String = text.chars().take(STATUS_WIDTH).collect();
    let mut out = std::io::stdout().lock();
    // A display that cannot be shown is no reason to end.
    let _ = write!(out, "\r\x1b[K{short}").and_then(|()| out.flush());
}

impl Exam {
    /// Opens a study with its first position.
    pub fn new(study: Study, wanted: Task, random: &mut StdRng) -> Result<Exam, Error> {
        let exercise = study.exercise(wanted, random)?;
        Ok(Exam { study, wanted, exercise, hints_left: HINTS })
    }

    /// What the person is to do.
    pub fn words(&self) -> String {
        let Exercise { side, task, value, .. } = &self.exercise;
        let what = match task {
            Task::Hold => "hold the draw".to_string(),
            _ => format!("win ({})", study::describe(*value, *side)),
        };
        format!(
            "{}: you play {side}; {what}. hint helps {} times, todo tells the distance.",
            self.study.name(),
            self.hints_left
        )
    }
}
