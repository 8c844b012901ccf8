//! The fade of evaluations as the fifty-move rule comes nearer: a side that stands better shall do something about it.
//!
//! The search goes by faded values. What is recorded to learn from is not faded: a network does not see the clock, and
//! what it says is faded anyway when it plays.

use super::RootMove;
use crate::base::Score;
use crate::game::SelfPlay;

/// The clock at which nothing would be left of an evaluation; the game is drawn long before.
const FADED_OUT: i32 = 220;

/// What is left of an evaluation when the fifty-move clock shows this.
#[inline]
pub fn faded(raw: Score, clock: u32) -> Score {
    Score::new(raw.value() * left(clock) / FADED_OUT)
}

/// The evaluation of which this is left. Mates and wins by tables do not fade.
fn unfaded(faded: Score, clock: u32) -> Score {
    if faded.is_proven() {
        return faded;
    }
    Score::new(faded.value() * FADED_OUT / left(clock)).clamp_eval()
}

#[inline]
fn left(clock: u32) -> i32 {
    FADED_OUT - clock.min(100) as i32
}

/// The value of a root move as it was before it faded, at the end of its line.
pub fn value_before_fade<G: SelfPlay>(root: &G, best: &RootMove) -> Score {
    let mut position = root.clone();
    for &mv in &best.pv {
        // Where chance strikes, a line ends.
        if position.strikes() > 0 || !position.is_legal(mv) {
            break;
        }
        position.play(mv);
    }
    unfaded(best.known_score(), position.halfmove_clock())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::base::Move;
    use crate::chess::Position;

    #[test]
    fn what_faded_comes_back() {
        for clock in [0, 7, 50, 99, 100, 130] {
            for raw in [0, 30, -250, 1800] {
                let back = unfaded(faded(Score::new(raw), clock), clock).value();
                assert!((back - raw).abs() <= 2, "{raw} at {clock}: {back}");
            }
        }
        assert_eq!(faded(Score::new(220), 100), Score::new(120));
        let mate = Score::mate_in(5);
        assert_eq!(unfaded(mate, 60), mate);
        assert!(!unfaded(Score::new(28_000), 100).is_proven());
    }

    #[test]
    fn the_clock_at_the_end_of_the_line_counts() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K2R w - - 78 90").unwrap();
        let value = |line: &[&str]| {
            let mut board = position.clone();
            let mut pv: Vec<Move> = Vec::new();
            for text in line {
                pv.push(board.parse_uci(text).unwrap());
                board.make(*pv.last().unwrap());
            }
            let mut root = RootMove::new(pv[0], None);
            (root.score, root.pv) = (Score::new(100), pv);
            value_before_fade(&position, &root).value()
        };
        assert_eq!(value(&["h1h2", "e8e7"]), 100 * 220 / 140);
        assert_eq!(value(&["e2e4", "e8e7"]), 100 * 220 / 219);
    }
}
