//! The loop of the front end: lines in, engine, lines out.
//!
//! A thread reads standard input and sends lines through a channel; searches send a note when they are done. The
//! loop answers each event at once, so it is never busy when a `stop` or an `isready` arrives. Commands that need
//! the searchers while they work wait in a queue.

use std::collections::VecDeque;
use std::io::{BufRead, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::command::{self, Command, Go, Start};
use super::output::Output;
use super::{help, print};
use crate::base::Error;
use crate::engine::bench;
use crate::engine::openings::NextFen;
use crate::engine::options::Change;
use crate::engine::report::Report;
use crate::engine::{Done, Engine, Listener, in_background};

/// What the loop waits for.
enum Event {
    Line { text: String, arrived: Instant },
    TooLong,
    EndOfInput,
    SearchDone,
}

/// Longer lines are refused: no position needs them, and memory is finite.
const LONGEST_LINE: usize = 16 << 20;

/// Speaks UCI on standard input and output until `quit` or the end of input.
pub fn run() -> Result<(), Error> {
    let (sender, events) = unbounded();
    let mut front = FrontEnd::new(sender.clone())?;
    if std::io::stdin().is_terminal() {
        front.output.line(&format!("{} by {}; help lists the commands", print::NAME, print::AUTHOR));
    }
    std::thread::Builder::new()
        .name("input".to_string())
        .spawn(move || read_lines(std::io::stdin().lock(), &sender))
        .map_err(|error| Error::new(format!("cannot start the input thread: {error}")))?;
    front.serve(&events);
    Ok(())
}

/// Whether every argument is a line of UCI.
pub fn are_commands(lines: &[String]) -> bool {
    lines.iter().all(|line| matches!(command::parse(line), Ok(Some(_))))
}

/// Carries out each line in order, waiting for every search, then returns.
pub fn run_lines(lines: &[String]) -> Result<(), Error> {
    let (sender, events) = unbounded();
    let mut front = FrontEnd::new(sender)?;
    for line in lines {
        if !front.handle_line(line, Instant::now()) {
            break;
        }
        // An open-ended search goes on until a later line, or the last one, ends it.
        while front.activity == Activity::Limited || front.stopping {
            front.await_search(&events);
        }
    }
    front.end_open_search();
    while front.is_busy() {
        front.await_search(&events);
    }
    Ok(())
}

/// Sends every line of the input through the channel, and its end.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match read_line(&mut input, &mut bytes) {
            Ok(Line::Whole) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let _ = events.send(Event::Line { text, arrived: Instant::now() });
            }
            Ok(Line::TooLong) => {
                let _ = events.send(Event::TooLong);
            }
            Ok(Line::End) | Err(_) => break,
        }
    }
    let _ = events.send(Event::EndOfInput);
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads up to the next line end; what exceeds the longest line is thrown away.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> std::io::Result<Line> {
    let mut too_long = false;
    let mut anything = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(chunk.len(), |index| index + 1);
        anything |= taken > 0;
        too_long |= bytes.len() + taken > LONGEST_LINE;
        if !too_long {
            bytes.extend_from_slice(&chunk[..taken]);
        }
        input.consume(taken);
        if end.is_some() || taken == 0 {
            return Ok(match (anything, too_long) {
                (false, _) => Line::End,
                (_, true) => Line::TooLong,
                _ => Line::Whole,
            });
        }
    }
}

/// What the searchers are doing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    Idle,
    /// Ends by itself.
    Limited,
    /// Ends by itself once the opponent has made the expected move.
    Pondering,
    /// Ends only when told.
    OpenEnded,
}

struct FrontEnd {
    engine: Engine,
    output: Output,
    events: Sender<Event>,
    activity: Activity,
    /// The running search has been told to end.
    stopping: bool,
    /// The running search has told its best move: it is about to end.
    answered: Arc<AtomicBool>,
    /// Commands that wait for the running search, in order.
    waiting: VecDeque<(Command, Instant)>,
}

impl FrontEnd {
    fn new(events: Sender<Event>) -> Result<FrontEnd, Error> {
        let output = Output::new();
        let voice = output.clone();
        let answered = Arc::new(AtomicBool::new(false));
        let answers = Arc::clone(&answered);
        let listener: Listener = Arc::new(move |report| {
            // Whoever has read the best move finds the flag set.
            answers.fetch_or(matches!(report, Report::BestMove { .. }), Ordering::SeqCst);
            voice.line(&print::report(&report));
        });
        let engine = Engine::new(listener)?;
        Ok(FrontEnd {
            engine,
            output,
            events,
            activity: Activity::Idle,
            stopping: false,
            answered,
            waiting: VecDeque::new(),
        })
    }

    fn serve(&mut self, events: &Receiver<Event>) {
        for event in events {
            match event {
                Event::Line { text, arrived } => {
                    if !self.handle_line(&text, arrived) {
                        break;
                    }
                }
                Event::TooLong => {
                    self.complain(&Error::new(format!(
                        "a line of more than {LONGEST_LINE} bytes was ignored"
                    )));
                }
                Event::SearchDone => self.search_done(),
                Event::EndOfInput => break,
            }
        }
        self.waiting.clear();
        self.engine.stop();
    }

    /// Waits for the running search.
    fn await_search(&mut self, events: &Receiver<Event>) {
        if let Ok(Event::SearchDone) = events.recv() {
            self.search_done();
        }
    }

    fn is_busy(&self) -> bool {
        self.activity != Activity::Idle
    }

    fn complain(&self, error: &Error) {
        self.output.line(&print::error(error));
    }

    /// Reads a line and carries it out or queues it. False: the program shall end.
    fn handle_line(&mut self, text: &str, arrived: Instant) -> bool {
        self.output.log_input(text);
        match command::parse(text) {
            Ok(None) => true,
            Ok(Some(Command::Quit)) => false,
            Ok(Some(command)) => {
                self.accept(command, arrived);
                true
            }
            Err(error) => {
                self.complain(&error);
                true
            }
        }
    }

    /// Carries a command out now if it can be, otherwise after the running search.
    fn accept(&mut self, command: Command, arrived: Instant) {
        let in_order = matches!(command, Command::Stop | Command::PonderHit);
        if in_order {
            // Meant for the search that runs; and, if searches are queued, for the last of them too.
            self.interrupt(&command);
            if self.waiting.iter().any(|(waiting, _)| matches!(waiting, Command::Go(_))) {
                self.waiting.push_back((command, arrived));
            }
            return;
        }
        // A search that is ending is waited for, so that `readyok` means that the options before it hold.
        let ending = self.stopping || self.answered.load(Ordering::SeqCst);
        let keeps_order = changes_state(&command) || ending && command == Command::IsReady;
        let must_wait = self.is_busy() && needs_idle(&command) || !self.waiting.is_empty() && keeps_order;
        if !must_wait {
            return self.execute(command, arrived);
        }
        self.waiting.push_back((command, arrived));
        self.end_open_search();
    }

    /// Something waits for the searchers: the GUI has moved on, and an open-ended search would never end by itself.
    fn end_open_search(&mut self) {
        if matches!(self.activity, Activity::OpenEnded | Activity::Pondering) {
            self.stop();
        }
    }

    fn stop(&mut self) {
        self.stopping = true;
        self.engine.stop();
    }

    fn interrupt(&mut self, command: &Command) {
        if !self.is_busy() {
            return;
        }
        match command {
            Command::Stop => self.stop(),
            _ => {
                self.engine.ponder_hit();
                if self.activity == Activity::Pondering {
                    self.activity = Activity::Limited;
                }
            }
        }
    }

    /// A search has reported its best move: go on with what waited for it.
    fn search_done(&mut self) {
        self.activity = Activity::Idle;
        self.stopping = false;
        self.answered.store(false, Ordering::SeqCst);
        while let Some((command, arrived)) = self.waiting.pop_front() {
            match command {
                Command::Stop | Command::PonderHit => self.interrupt(&command),
                command if self.is_busy() && needs_idle(&command) => {
                    self.waiting.push_front((command, arrived));
                    return self.end_open_search();
                }
                command => self.execute(command, arrived),
            }
        }
    }

    fn execute(&mut self, command: Command, arrived: Instant) {
        if let Err(error) = self.try_execute(command, arrived) {
            self.complain(&error);
        }
    }

    fn try_execute(&mut self, command: Command, arrived: Instant) -> Result<(), Error> {
        match command {
            Command::Uci => {
                let specs = self.engine.options().specs();
                print::identification(&specs).iter().for_each(|line| self.output.line(line));
            }
            Command::IsReady => self.output.line(&print::ready()),
            Command::NewGame => self.engine.new_game(),
            Command::SetOption { name, value } => {
                if let Change::LogFile(path) = self.engine.set_option(&name, value.as_deref())? {
                    self.output.set_log(path.as_deref())?;
                }
            }
            Command::Position { start, moves } => match start {
                Start::Initial => self.engine.set_position(None, &moves)?,
                Start::Fen(fen) => self.engine.set_position(Some(&fen), &moves)?,
                Start::Unreadable(error) => {
                    self.engine.forget_position();
                    return Err(error);
                }
            },
            Command::Go(go) => self.go(go, arrived),
            Command::Perft(depth) => self.perft(depth)?,
            Command::Bench { depth } => self.bench(depth)?,
            Command::Display => self.output.block(&self.engine.display()?),
            Command::Eval => self.output.block(&self.engine.evaluation()?),
            Command::Flip => self.engine.flip()?,
            Command::GenFens { count, seed, book } => {
                self.generate_openings(count, self.engine.openings(seed, book.as_deref())?)?;
            }
            Command::Help => self.output.block(help::TEXT),
            Command::Debug(_) | Command::Register | Command::Quit | Command::Stop | Command::PonderHit => {}
        }
        Ok(())
    }

    /// A note for the loop that the searchers are free again.
    fn done(&self) -> Done {
        let events = self.events.clone();
        Box::new(move || {
            let _ = events.send(Event::SearchDone);
        })
    }

    fn go(&mut self, go: Go, arrived: Instant) {
        let limits = &go.limits;
        // A mate that is not there is looked for until someone says stop.
        let endless_mate = limits.mate.is_some()
            && limits.depth.is_none()
            && limits.nodes.is_none()
            && limits.move_time.is_none()
            && limits.remaining == [None; 2];
        self.activity = if limits.infinite || endless_mate {
            Activity::OpenEnded
        } else if limits.ponder {
            Activity::Pondering
        } else {
            Activity::Limited
        };
        self.engine.go(go.limits, go.search_moves, arrived, self.done());
    }

    fn perft(&mut self, depth: u32) -> Result<(), Error> {
        let (each, last, done) = (self.output.clone(), self.output.clone(), self.done());
        let start = Instant::now();
        self.engine.perft(
            depth,
            move |mv, nodes| each.line(&format!("{mv}: {nodes}")),
            move |total| {
                let speed = total as f64 / start.elapsed().as_secs_f64().max(1e-9);
                last.line(&print::string(&format!("{:.0} nodes per second", speed)));
                last.line(&format!("Nodes searched: {total}"));
                done();
            },
        )?;
        self.activity = Activity::Limited;
        Ok(())
    }

    fn generate_openings(&mut self, count: u32, mut next_fen: NextFen) -> Result<(), Error> {
        let (output, done) = (self.output.clone(), self.done());
        let work = move || {
            for _ in 0..count {
                match next_fen() {
                    Ok(fen) => output.line(&print::string(&format!("genfens {fen}"))),
                    Err(error) => {
                        output.line(&print::error(&error));
                        break;
                    }
                }
            }
            done();
        };
        in_background("genfens", work)?;
        self.activity = Activity::Limited;
        Ok(())
    }

    fn bench(&mut self, depth: Option<u32>) -> Result<(), Error> {
        let evaluation = self.engine.chosen_evaluation().clone();
        let (output, done) = (self.output.clone(), self.done());
        let work = move || {
            let depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
            let report = bench::run(depth, &evaluation, |line| output.line(&print::string(line)));
            output.line(&report.summary());
            done();
        };
        in_background("bench", work)?;
        self.activity = Activity::Limited;
        Ok(())
    }
}

/// Whether a command cannot be carried out while a search runs.
fn needs_idle(command: &Command) -> bool {
    match command {
        Command::Go(_) | Command::Perft(_) | Command::Bench { .. } => true,
        Command::GenFens { .. } | Command::NewGame => true,
        Command::SetOption { name, .. } => Engine::option_needs_idle(name),
        _ => false,
    }
}

/// Whether a command must keep its place behind waiting ones.
fn changes_state(command: &Command) -> bool {
    needs_idle(command)
        || matches!(
            command,
            Command::Position { .. }
                | Command::SetOption { .. }
                | Command::Flip
                | Command::Display
                | Command::Eval
        )
}
