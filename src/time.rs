//! Limits of a search, and how much of the clock a move may use.
#![forbid(unsafe_code)]

use std::time::{Duration, Instant};

use crate::base::Color;

/// What a `go` command allows. Several limits may be given: the first one reached ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on each clock, White first.
    pub remaining: [Option<Duration>; 2],
    /// Time added after each move, White first.
    pub increment: [Duration; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Exactly this much time.
    pub move_time: Option<Duration>,
    /// No deeper than this.
    pub depth: Option<u32>,
    /// No more nodes than this.
    pub nodes: Option<u64>,
    /// No new iteration after this many nodes; the one in progress is finished.
    pub soft_nodes: Option<u64>,
    /// Find a mate in this many moves.
    pub mate: Option<u32>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
}

/// When a search should and when it must end.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    start: Instant,
    /// A new iteration is not begun after this much time, scaled by how settled the search is.
    soft: Option<Duration>,
    /// The search is broken off after this much time on our own clock.
    hard: Option<Duration>,
    /// The clock began to run at `ponderhit`, not at `go`.
    ponder: bool,
}

impl Deadline {
    /// No deadline; the clock starts now.
    pub fn none() -> Deadline {
        Deadline { start: Instant::now(), soft: None, hard: None, ponder: false }
    }

    /// The deadline of a `go` that arrived at `start`, for the side `us`.
    pub fn new(limits: &Limits, us: Color, overhead: Duration, start: Instant) -> Deadline {
        let (mut soft, mut hard) = (None, None);
        // A GUI that tells only the other clock leaves ours to guess: about the same.
        let own = limits.remaining[us.index()].or(limits.remaining[(!us).index()]);
        if let Some(remaining) = own.filter(|_| !limits.infinite) {
            let (s, h) =
                share_of_clock(remaining, limits.increment[us.index()], limits.moves_to_go, overhead);
            (soft, hard) = (Some(s), Some(h));
        }
        if let Some(time) = limits.move_time.filter(|_| !limits.infinite) {
            let time = time.saturating_sub(overhead.min(time / 2)).max(SHORTEST);
            hard = Some(hard.map_or(time, |h| h.min(time)));
        }
        Deadline { start, soft, hard, ponder: limits.ponder }
    }

    /// Time since `go`.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must break off. Never while the opponent's clock runs.
    pub fn hard_passed(&self, control: &dyn PonderClock) -> bool {
        let Some(hard) = self.hard else { return false };
        !control.is_pondering() && self.own_time(control) >= hard
    }

    /// Whether enough has been thought. `scale` is above one for an unsettled search. Thinking done while the
    /// opponent's clock ran counts here: it need not be done again.
    pub fn soft_passed(&self, scale: f64) -> bool {
        let Some(soft) = self.soft else { return false };
        self.elapsed() >= soft.mul_f64(scale.clamp(0.05, 20.0))
    }

    /// How long our own clock has been running.
    fn own_time(&self, control: &dyn PonderClock) -> Duration {
        if self.ponder { control.ponder_hit_time().elapsed() } else { self.elapsed() }
    }
}

/// What a deadline must know about pondering.
pub trait PonderClock {
    /// Whether the opponent's clock is running.
    fn is_pondering(&self) -> bool;
    /// When ours began to run.
    fn ponder_hit_time(&self) -> Instant;
}

/// No search is given less than this.
const SHORTEST: Duration = Duration::from_millis(1);

/// Part of the clock that is never planned with: a busy machine pauses a program for some hundredths of a second, and
/// several times in a row.
const RESERVE_SHARE: u32 = 2;
const LARGEST_RESERVE: Duration = Duration::from_millis(100);

/// Soft and hard time for one move out of a clock.
fn share_of_clock(
    remaining: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    overhead: Duration,
) -> (Duration, Duration) {
    let lost = overhead + (remaining / RESERVE_SHARE).min(LARGEST_RESERVE);
    let usable = remaining.saturating_sub(lost.min(remaining / 2)).max(SHORTEST);
    // Iterations end some time after the soft limit. With two fifths of the increment put aside the clock settles where
    // it still holds the reserve and about ten increments.
    let (moves, cap) = match moves_to_go {
        // The last move before the control may use nearly everything, others leave enough for the rest.
        Some(moves) if moves <= 1 => (1, 0.8),
        Some(moves) => (moves.min(60), 0.5),
        None => (24, 0.25),
    };
    let fair = usable / moves + increment * 3 / 5;
    let hard = fair.mul_f64(3.0).min(usable.mul_f64(cap)).max(SHORTEST);
    (fair.mul_f64(0.7).clamp(SHORTEST, hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocked(ms: u64, increment: u64, moves_to_go: Option<u32>) -> Deadline {
        let limits = Limits {
            remaining: [Some(Duration::from_millis(ms)), None],
            increment: [Duration::from_millis(increment), Duration::ZERO],
            moves_to_go,
            ..Limits::default()
        };
        Deadline::new(&limits, Color::White, Duration::from_millis(10), Instant::now())
    }

    #[test]
    fn hard_never_exceeds_what_is_left() {
        for ms in [0, 1, 2, 5, 11, 50, 1000, 60_000, u64::MAX / 4] {
            for increment in [0, 10, 5000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let deadline = clocked(ms, increment, moves);
                    let (soft, hard) = (deadline.soft.unwrap(), deadline.hard.unwrap());
                    assert!(soft <= hard, "{ms} {increment} {moves:?}");
                    assert!(
                        hard <= Duration::from_millis(ms).max(SHORTEST),
                        "{ms} {increment} {moves:?}: {hard:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_last_move_of_a_control_leaves_the_overhead() {
        let hard = clocked(1000, 0, Some(1)).hard.unwrap();
        assert!(hard > Duration::from_millis(500) && hard < Duration::from_millis(990));
    }

    #[test]
    fn a_missing_clock_is_taken_to_be_like_the_other() {
        let limits = Limits { remaining: [None, Some(Duration::from_secs(9))], ..Limits::default() };
        let deadline = Deadline::new(&limits, Color::White, Duration::ZERO, Instant::now());
        assert!(deadline.hard.is_some_and(|hard| hard < Duration::from_secs(9)));
    }

    #[test]
    fn infinite_has_no_deadline() {
        let limits = Limits { infinite: true, move_time: Some(SHORTEST), ..Limits::default() };
        assert!(Deadline::new(&limits, Color::White, Duration::ZERO, Instant::now()).hard.is_none());
    }
}
