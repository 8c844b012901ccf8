//! An engine to wait for: it is given the moves of a game and limits, and returns when it has a best move.
//!
//! Front ends that must hear other things meanwhile hold an [`Engine`] themselves; the console and `rosada analyse`
//! have nothing else to do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::Engine;
use super::board::CHESS960;
use super::report::{Info, Report};
use crate::base::Error;
use crate::time::Limits;

/// How soon a wish to stop is noticed.
const POLL: Duration = Duration::from_millis(20);

enum Event {
    Report(Report),
    Done,
}

/// What came of thinking.
#[derive(Debug, Default)]
pub struct Thought {
    /// The move, as UCI writes it; none if there is none.
    pub best: Option<String>,
    /// The last line that was found.
    pub info: Option<Info>,
    /// What the engine had to say besides, such as that it plays from its book.
    pub remarks: Vec<String>,
}

/// The engine.
pub struct Thinker {
    engine: Engine,
    events: Receiver<Event>,
    sender: Sender<Event>,
    game: &'static str,
}

impl Thinker {
    /// An engine with these options set.
    pub fn new(options: &[(&str, String)]) -> Result<Thinker, Error> {
        let (sender, events) = unbounded();
        let reports = sender.clone();
        let engine = Engine::new(Arc::new(move |report| {
            // Nobody listens any more at the end of the program.
            let _ = reports.send(Event::Report(report));
        }))?;
        let mut thinker = Thinker { engine, events, sender, game: "chess" };
        for (name, value) in options {
            thinker.set(name, value)?;
        }
        Ok(thinker)
    }

    /// Sets an option; what the engine says to it is returned.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Vec<String>, Error> {
        self.engine.set_option(name, Some(value))?;
        let said = self.events.try_iter().filter_map(|event| match event {
            Event::Report(Report::Text(text)) => Some(text),
            _ => None,
        });
        Ok(said.collect())
    }

    /// A new game: whatever it remembers of the last one is of no use.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Puts a position of a game before the engine: where it began, unless at the usual place, and the moves since.
    pub fn look_at(
        &mut self,
        game: &'static str,
        start: Option<&str>,
        moves: &[String],
    ) -> Result<(), Error> {
        if game != self.game {
            let variant = if game == CHESS960 { "chess" } else { game };
            self.set("UCI_Variant", variant)?;
            self.set("UCI_Chess960", if game == CHESS960 { "true" } else { "false" })?;
            self.game = game;
        }
        self.engine.set_position(start, moves)
    }

    /// The evaluation of the position term by term.
    pub fn evaluation(&self) -> Result<String, Error> {
        self.engine.evaluation()
    }

    /// Thinks until a limit is reached or `enough` says so; `show` hears how it goes.
    pub fn think(
        &mut self,
        limits: Limits,
        enough: impl Fn() -> bool,
        mut show: impl FnMut(&Info),
    ) -> Thought {
        self.events.try_iter().for_each(drop);
        let sender = self.sender.clone();
        let done = Box::new(move || {
            let _ = sender.send(Event::Done);
        });
        self.engine.go(limits, Vec::new(), Instant::now(), done);
        let mut thought = Thought::default();
        let mut stopped = false;
        loop {
            if !stopped && enough() {
                stopped = true;
                self.engine.stop();
            }
            match self.events.recv_timeout(POLL) {
                Ok(Event::Report(Report::Info(info))) => {
                    show(&info);
                    thought.info = Some(info);
                }
                Ok(Event::Report(Report::Text(text))) => thought.remarks.push(text),
                Ok(Event::Report(Report::BestMove { best, .. })) => thought.best = best,
                Ok(Event::Report(Report::CurrentMove { .. })) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Event::Done) | Err(RecvTimeoutError::Disconnected) => return thought,
            }
        }
    }
}
