//! How strong the engine plays at the console.

use std::fmt;
use std::time::Duration;

use crate::base::Error;
use crate::base::error::quote;
use crate::engine::options::ELO_RANGE;
use crate::time::Limits;

/// What bounds a move of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// So long for each move.
    Time(Duration),
    /// So deep.
    Depth(u32),
    /// So many positions.
    Nodes(u64),
    /// As a player of this rating.
    Elo(u32),
    /// As the clock allows.
    Clock,
}

/// What the engine plays at unless told otherwise.
pub const DEFAULT: Level = Level::Time(Duration::from_secs(1));

/// A rated engine looks at so few positions that this is never reached on a clock of any use.
const RATED_TIME: Duration = Duration::from_secs(10);

const LONGEST_SECONDS: f64 = 86_400.0;
const DEEPEST: u32 = 200;

impl Level {
    /// Reads `time 2`, `depth 8`, `nodes 50000`, `elo 1800` or `clock`.
    pub fn parse(text: &str) -> Result<Level, Error> {
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default().to_ascii_lowercase();
        let value = words.next().unwrap_or_default();
        let fault = |wanted: String| Error::new(format!("level {}: {wanted}", quote(text.trim())));
        if words.next().is_some() {
            return Err(fault("there is a word too many".to_string()));
        }
        match kind.as_str() {
            "time" => {
                let bare = value.trim_end_matches('s');
                let seconds = bare.parse::<f64>().ok().filter(|s| (0.001..=LONGEST_SECONDS).contains(s));
                let seconds =
                    seconds.ok_or_else(|| fault("seconds for each move, such as 2 or 0.5".to_string()))?;
                Ok(Level::Time(Duration::from_secs_f64(seconds)))
            }
            "depth" => {
                let depth = value.parse::<u32>().ok().filter(|depth| (1..=DEEPEST).contains(depth));
                depth
                    .map(Level::Depth)
                    .ok_or_else(|| fault(format!("a depth is a number from 1 to {DEEPEST}")))
            }
            "nodes" => {
                let nodes = value.parse::<u64>().ok().filter(|&nodes| nodes > 0);
                nodes.map(Level::Nodes).ok_or_else(|| fault("nodes are a number from 1 on".to_string()))
            }
            "elo" => {
                let (weakest, strongest) = ELO_RANGE;
                let elo = value.parse::<u32>().ok().filter(|elo| (weakest..=strongest).contains(elo));
                elo.map(Level::Elo).ok_or_else(|| fault(format!("a rating from {weakest} to {strongest}")))
            }
            "clock" if value.is_empty() => Ok(Level::Clock),
            _ => Err(fault("one of time SECONDS, depth N, nodes N, elo N, clock".to_string())),
        }
    }

    /// The limits of a search.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        match *self {
            Level::Time(time) => limits.move_time = Some(time),
            Level::Depth(depth) => limits.depth = Some(depth),
            Level::Nodes(nodes) => limits.nodes = Some(nodes),
            Level::Elo(_) => limits.move_time = Some(RATED_TIME),
            Level::Clock => {}
        }
        limits
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Time(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Level::Depth(depth) => write!(f, "depth {depth}"),
            Level::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Level::Elo(elo) => write!(f, "Elo {elo}"),
            Level::Clock => f.write_str("as the clock allows"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read() {
        assert_eq!(Level::parse("time 0.5"), Ok(Level::Time(Duration::from_millis(500))));
        assert_eq!(Level::parse("TIME 2s"), Ok(Level::Time(Duration::from_secs(2))));
        assert_eq!(Level::parse("depth 8"), Ok(Level::Depth(8)));
        assert_eq!(Level::parse("nodes 1000"), Ok(Level::Nodes(1000)));
        assert_eq!(Level::parse("elo 1800"), Ok(Level::Elo(1800)));
        assert_eq!(Level::parse("clock"), Ok(Level::Clock));
        for bad in ["", "time", "time x", "time -1", "time NaN", "depth 0", "depth 999", "nodes 0", "elo 100"]
        {
            assert!(Level::parse(bad).is_err(), "{bad}");
        }
        for bad in ["elo x", "clock 5", "strong", "depth 8 9"] {
            assert!(Level::parse(bad).is_err(), "{bad}");
        }
    }
}
