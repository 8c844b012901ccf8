//! What the person who waits for the games sees. Used by `generate`.

use std::time::Duration;

use indicatif::{FormattedDuration, HumanCount};

use super::{Settings, Target, Totals};
use crate::base::error::quote;
use crate::lab::display::Display;
use crate::lab::games::Found;

/// The display of one run.
pub(super) struct Progress {
    display: Display,
    course: Course,
    stopping: bool,
}

impl Progress {
    /// Says what begins.
    pub(super) fn begin(settings: &Settings, found: &Found) -> Progress {
        let course = Course { target: settings.target, games: found.games, positions: found.plies };
        let display = Display::new(settings.quiet, course.end(), course.done(&Totals::default()));
        introduction(settings, found).iter().for_each(|line| display.say(line));
        Progress { display, course, stopping: false }
    }

    /// Shows how far the run has come.
    pub(super) fn show(&mut self, made: &Totals) {
        self.display.show(self.course.done(made), |time| self.course.status(made, time));
    }

    /// Says, once, that the run is about to end.
    pub(super) fn stopping(&mut self) {
        if !self.stopping {
            self.stopping = true;
            self.display.say("finishing the games in progress; Ctrl-C again ends at once");
        }
    }
}

/// What is to be known before the first game.
fn introduction(settings: &Settings, found: &Found) -> Vec<String> {
    let game = settings.rules.variant.name;
    let mut lines = vec![format!("{game}, {}, {} thread(s)", settings.description(), settings.threads)];
    let name = quote(&settings.output.to_string_lossy());
    if let Some(repair) = &found.repair {
        lines.push(format!("{name} was damaged at its end: {repair}"));
    }
    if found.games > 0 {
        lines.push(format!("{name} is continued after game {}", HumanCount(found.games)));
    }
    lines
}

/// Where a run began and where it leads.
struct Course {
    target: Target,
    /// Games and positions that were there before.
    games: u64,
    positions: u64,
}

impl Course {
    /// How far it has come, in games or positions as the target counts them.
    fn done(&self, made: &Totals) -> u64 {
        match self.target {
            Target::Games(_) => self.games + made.games,
            Target::Positions(_) => self.positions + made.positions,
        }
    }

    fn end(&self) -> u64 {
        let (Target::Games(end) | Target::Positions(end)) = self.target;
        end
    }

    /// The state after `time` in one line.
    fn status(&self, made: &Totals, time: Duration) -> String {
        let (games, positions) =
            (HumanCount(self.games + made.games), HumanCount(self.positions + made.positions));
        let counts = match self.target {
            Target::Games(end) => format!("{games} of {} games, {positions} positions", HumanCount(end)),
            Target::Positions(end) => format!("{games} games, {positions} of {} positions", HumanCount(end)),
        };
        let speed = HumanCount((made.positions as f64 / time.as_secs_f64().max(1e-9)) as u64);
        match self.time_left(made, time) {
            Some(left) => format!("{counts}, {speed} a second, {} left", FormattedDuration(left)),
            None => counts,
        }
    }

    /// How long the rest takes if it goes on like this; unknown before the first game.
    fn time_left(&self, made: &Totals, time: Duration) -> Option<Duration> {
        let done = self.done(made);
        let new = done - self.done(&Totals::default());
        let seconds = time.as_secs_f64() * self.end().saturating_sub(done) as f64 / new as f64;
        // Whole seconds are all that is shown.
        Duration::try_from_secs_f64(seconds.round()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_counts_what_was_there_but_not_for_the_speed() {
        let made = Totals { games: 100, positions: 8_000, ..Totals::default() };
        let mut course = Course { target: Target::Games(10_100), games: 9_000, positions: 900_000 };
        assert_eq!(
            course.status(&made, Duration::from_secs(20)),
            "9,100 of 10,100 games, 908,000 positions, 400 a second, 00:03:20 left"
        );
        course.target = Target::Positions(909_000);
        assert_eq!(
            course.status(&made, Duration::from_secs(20)),
            "9,100 games, 908,000 of 909,000 positions, 400 a second, 00:00:03 left"
        );
        assert_eq!(
            course.status(&Totals::default(), Duration::from_secs(1)),
            "9,000 games, 900,000 of 909,000 positions"
        );
    }
}
