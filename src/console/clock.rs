//! The chess clock of the console: how much each side has, what is left of it, and times as people write them.

use std::time::Duration;

use crate::base::Error;
use crate::base::error::quote;

/// Nobody sits longer than a day.
const LONGEST_MINUTES: f64 = 1440.0;
const LONGEST_INCREMENT_SECONDS: f64 = 3600.0;

/// Time for the whole game and for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// At the beginning; where it is zero, the first move has its increment in advance.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl TimeControl {
    /// Reads `5`, `5+3` or `0.5+1`: minutes and seconds.
    pub fn parse(text: &str) -> Result<TimeControl, Error> {
        let fault = || {
            Error::new(format!("{} is no clock; 5+3 is five minutes and three seconds a move", quote(text)))
        };
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let minutes = minutes.trim().parse::<f64>().ok().filter(|m| (0.0..=LONGEST_MINUTES).contains(m));
        let seconds =
            seconds.trim().parse::<f64>().ok().filter(|s| (0.0..=LONGEST_INCREMENT_SECONDS).contains(s));
        let (minutes, seconds) = minutes.zip(seconds).ok_or_else(fault)?;
        if minutes + seconds <= 0.0 {
            return Err(fault());
        }
        Ok(TimeControl {
            base: Duration::from_secs_f64(minutes * 60.0),
            increment: Duration::from_secs_f64(seconds),
        })
    }

    /// The value of PGN's tag `TimeControl`: seconds.
    pub fn tag(&self) -> String {
        let seconds = |time: Duration| format!("{}", (time.as_secs_f64() * 10.0).round() / 10.0);
        match self.increment.is_zero() {
            true => seconds(self.base),
            false => format!("{}+{}", seconds(self.base), seconds(self.increment)),
        }
    }

    /// Reads what [`TimeControl::tag`] writes; none for anything else, such as `40/7200`.
    pub fn from_tag(text: &str) -> Option<TimeControl> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let minutes = base.trim().parse::<f64>().ok()? / 60.0;
        TimeControl::parse(&format!("{minutes}+{}", increment.trim())).ok()
    }

    /// What is left to a side that has spent this on its moves so far; none if it has run out.
    pub fn left(&self, moves: u32, spent: Duration) -> Option<Duration> {
        let start = if self.base.is_zero() { self.increment } else { self.base };
        (start + self.increment * moves).checked_sub(spent)
    }
}

/// Hours, minutes and seconds: `0:04:59`.
pub fn text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The same with tenths, as a command in a PGN comment has it.
pub fn exact_text(time: Duration) -> String {
    format!("{}.{}", text(time), time.subsec_millis() / 100)
}

/// Reads hours, minutes and seconds.
pub fn parse(text: &str) -> Option<Duration> {
    let mut parts = text.trim().split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds: f64 = seconds.parse().ok().filter(|seconds| (0.0..60.0).contains(seconds))?;
    let whole = u64::from(hours.min(1000)) * 3600 + u64::from(minutes.min(60)) * 60;
    parts.next().is_none().then(|| Duration::from_secs(whole) + Duration::from_secs_f64(seconds))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written() {
        let blitz = TimeControl::parse("5+3").unwrap();
        assert_eq!((blitz.base.as_secs(), blitz.increment.as_secs()), (300, 3));
        assert_eq!(blitz.tag(), "300+3");
        for text in ["5+3", "90", "0.5+1", "0+2"] {
            let control = TimeControl::parse(text).unwrap();
            assert_eq!(TimeControl::from_tag(&control.tag()), Some(control), "{text}");
        }
        for bad in ["", "x", "-1", "0", "NaN", "inf", "5+", "5+x", "1e9", "+", "5+3+1"] {
            assert!(TimeControl::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(TimeControl::from_tag("40/7200"), None);
    }

    #[test]
    fn what_is_left() {
        let blitz = TimeControl::parse("1+2").unwrap();
        assert_eq!(blitz.left(3, Duration::from_secs(10)), Some(Duration::from_secs(56)));
        assert_eq!(blitz.left(0, Duration::from_secs(61)), None);
        let bare = TimeControl::parse("0+2").unwrap();
        assert_eq!(bare.left(0, Duration::from_secs(1)), Some(Duration::from_secs(1)));
        assert_eq!(bare.left(1, Duration::from_secs(1)), Some(Duration::from_secs(3)));
        assert_eq!(text(Duration::from_millis(3_725_900)), "1:02:05");
        assert_eq!(exact_text(Duration::from_millis(5_940)), "0:00:05.9");
        assert_eq!(parse("0:00:05.9"), Some(Duration::from_millis(5_900)));
        for bad in ["", "5", "1:2", "a:b:c", "0:0:61", "0:0:NaN", "0:0:1:1"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
