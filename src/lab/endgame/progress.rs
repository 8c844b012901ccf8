//! What the person who waits for tables sees, on standard error only: two bars at a terminal, the whole build and the
//! ending in work; a line for each table in a log.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use indicatif::{HumanBytes, MultiProgress, ProgressBar, ProgressStyle};

use crate::base::Error;
use crate::endgame::build::Observer;
use crate::endgame::ending::Ending;
use crate::endgame::index::Layout;
use crate::endgame::parallel::Stage;

enum Display {
    Nothing,
    Lines,
    Bars { all: MultiProgress, whole: ProgressBar, ending: ProgressBar },
}

/// The display of one build.
pub(super) struct Progress {
    display: Display,
    /// The size of each ending of the plan: they weigh that much in the whole.
    sizes: Vec<u64>,
    started: Mutex<Instant>,
}

impl Progress {
    /// Nothing done yet.
    pub(super) fn begin(plan: &[Ending], quiet: bool) -> Progress {
        let sizes: Vec<u64> = plan.iter().map(|&ending| Layout::new(ending).size() as u64).collect();
        let display = if quiet {
            Display::Nothing
        } else if std::io::stderr().is_terminal() {
            let all = MultiProgress::new();
            let whole = all.add(bar(sizes.iter().sum(), "all tables {elapsed} [{wide_bar}] {percent} %"));
            let ending = all.add(bar(100, "{msg} [{wide_bar}]"));
            Display::Bars { all, whole, ending }
        } else {
            Display::Lines
        };
        Progress { display, sizes, started: Mutex::new(Instant::now()) }
    }

    /// Says something between the bars.
    pub(super) fn say(&self, line: &str) {
        match &self.display {
            Display::Nothing => {}
            // Nobody may be listening any more, which is no reason to end.
            Display::Lines => drop(writeln!(std::io::stderr(), "{line}")),
            Display::Bars { all, .. } => drop(all.println(line)),
        }
    }

    /// How far a stage of the ending in work has come.
    pub(super) fn show(&self, stage: Stage, done: usize, of: usize) {
        let Display::Bars { ending, .. } = &self.display else { return };
        ending.set_message(format!("{}: {stage}", ending.prefix()));
        ending.set_length(of.max(1) as u64);
        ending.set_position(done as u64);
    }

    /// Takes the bars away.
    pub(super) fn end(&self) {
        if let Display::Bars { all, .. } = &self.display {
            let _ = all.clear();
        }
    }
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style.progress_chars("=> "))
}

impl Observer for Progress {
    fn begin(&self, ending: Ending, number: usize) {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if let Display::Bars { whole, ending: bar, .. } = &self.display {
            whole.set_position(self.sizes[..number].iter().sum());
            bar.set_prefix(ending.to_string());
        }
    }

    fn done(&self, ending: Ending, bytes: Option<usize>) {
        let seconds = self.started.lock().unwrap_or_else(PoisonError::into_inner).elapsed().as_secs_f64();
        match bytes {
            Some(bytes) => self.say(&format!("{ending}: {}, {seconds:.1} s", HumanBytes(bytes as u64))),
            None => self.say(&format!("{ending}: there already")),
        }
    }

    fn refused(&self, path: &Path, reason: &Error) {
        self.say(&format!("{} is built again: {reason}", path.display()));
    }
}
