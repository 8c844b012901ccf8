//! What the person who waits for a long job sees, on standard error only: a bar at a terminal, a line now and then in a
//! log. Used by the tools of the workshop.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a log gets a line.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// How often a bar moves.
const BAR_EVERY: Duration = Duration::from_millis(100);

/// The display of one job.
pub struct Display {
    kind: Kind,
    start: Instant,
    /// When something new is due, counted from the start.
    due: Duration,
}

enum Kind {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

impl Display {
    /// A display for a job of so many steps, `done` of which are behind it; none at all if it shall be quiet.
    pub fn new(quiet: bool, steps: u64, done: u64) -> Display {
        let kind = if quiet {
            Kind::Nothing
        } else if std::io::stderr().is_terminal() {
            Kind::Bar(bar(steps).with_position(done))
        } else {
            Kind::Lines
        };
        let due = if matches!(kind, Kind::Bar(_)) { Duration::ZERO } else { LINE_EVERY };
        Display { kind, start: Instant::now(), due }
    }

    /// Shows how far the job has come, if it is time to. `status` makes a line of the time since its beginning.
    pub fn show(&mut self, done: u64, status: impl FnOnce(Duration) -> String) {
        let time = self.start.elapsed();
        if matches!(self.kind, Kind::Nothing) || time < self.due {
            return;
        }
        let status = status(time);
        if let Kind::Bar(bar) = &self.kind {
            self.due = time + BAR_EVERY;
            bar.set_message(status);
            bar.set_position(done);
        } else {
            self.due = time + LINE_EVERY;
            self.say(&status);
        }
    }

    /// Says something.
    pub fn say(&self, line: &str) {
        match &self.kind {
            Kind::Nothing => {}
            // Nobody may be listening any more, which is no reason to end.
            Kind::Lines => drop(writeln!(std::io::stderr(), "{line}")),
            Kind::Bar(bar) => bar.println(line),
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Kind::Bar(bar) = &self.kind {
            bar.finish_and_clear();
        }
    }
}

/// An empty bar.
fn bar(steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} [{wide_bar}]");
    ProgressBar::new(steps)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "))
}
