//! Ending games early that are decided, so that time goes into positions with something to learn. `play` asks after
//! every move; games that end by the rules never get here.

use crate::base::Color;
use crate::game::SelfPlay;
use crate::lab::games::{GameResult, MAX_PLIES};

/// Beyond this no compensation is enough.
const WON_CP: i32 = 1_000;
/// Both sides must see it several times: a single search may be wrong about a piece that is taken back at once.
const WON_PLIES: u32 = 8;

/// What a search says about a position in which nothing happens any more.
const LEVEL_CP: i32 = 8;
/// Six moves each without a hint of an advantage.
const LEVEL_PLIES: u32 = 12;
/// Before this, level scores are just balanced play: openings and middlegames are to be played out.
const LEVEL_FROM_PLY: u32 = 80;

/// The fifty-move rule ends nearly every game long before; what is left goes nowhere.
const LONGEST_PLIES: u32 = 500;
const _: () = assert!(LONGEST_PLIES as usize <= MAX_PLIES);

/// Follows the scores of one game.
pub struct Adjudicator {
    /// Whether a large score means a won game: not where chance may turn it, nor where one side is stronger from the
    /// start.
    scores_decide: bool,
    plies: u32,
    /// The side that stands to win, and for how many plies in a row.
    winner: Option<Color>,
    won_plies: u32,
    level_plies: u32,
}

impl Adjudicator {
    /// For a game that begins here.
    pub fn new(start: &impl SelfPlay) -> Adjudicator {
        let scores_decide = start.is_even() && !start.has_chance();
        Adjudicator { scores_decide, plies: 0, winner: None, won_plies: 0, level_plies: 0 }
    }

    /// A move was made; before it, the side `mover` valued the position at `score_cp`.
    pub fn hear(&mut self, mover: Color, score_cp: i32) {
        self.plies += 1;
        let won = self.scores_decide && score_cp.abs() >= WON_CP;
        let winner = won.then_some(if score_cp > 0 { mover } else { !mover });
        self.won_plies = if winner == self.winner { self.won_plies + 1 } else { 1 };
        self.winner = winner;
        self.level_plies = if score_cp.abs() <= LEVEL_CP { self.level_plies + 1 } else { 0 };
    }

    /// The result, once it is clear.
    pub fn verdict(&self) -> Option<GameResult> {
        match self.winner {
            Some(winner) if self.won_plies >= WON_PLIES => return Some(GameResult::win_for(winner)),
            _ => {}
        }
        let level = self.plies >= LEVEL_FROM_PLY && self.level_plies >= LEVEL_PLIES;
        (level || self.plies >= LONGEST_PLIES).then_some(GameResult::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess, fairy};

    /// The number of plies after which a game with these scores, from White's view, is ended, and how.
    fn end(scores: impl IntoIterator<Item = i32>) -> Option<(usize, GameResult)> {
        end_of(&chess::Position::start(), scores)
    }

    fn end_of(start: &impl SelfPlay, scores: impl IntoIterator<Item = i32>) -> Option<(usize, GameResult)> {
        let mut adjudicator = Adjudicator::new(start);
        let mut mover = Color::White;
        for (number, score) in (1..).zip(scores) {
            adjudicator.hear(mover, if mover.is_white() { score } else { -score });
            if let Some(result) = adjudicator.verdict() {
                return Some((number, result));
            }
            mover = !mover;
        }
        None
    }

    #[test]
    fn a_win_needs_both_sides_to_see_it() {
        let long = [0, 1_000, 1_200, 1_100, 2_500, 1_000, 2_500, 31_990, 31_991];
        assert_eq!(end(long), Some((9, GameResult::WhiteWins)));
        assert_eq!(end([-1_000; 19]), Some((8, GameResult::BlackWins)));
        assert_eq!(end([2_500, -2_500].repeat(9)), None);
        assert_eq!(end([2_500, 2_500, 2_500, 999, 2_500, 2_500].repeat(5)), None);
    }

    #[test]
    fn level_games_are_drawn_late() {
        assert_eq!(end([8; 200]), Some((80, GameResult::Draw)));
        assert_eq!(end((0..200).map(|ply| if ply == 75 { 9 } else { -3 })), Some((88, GameResult::Draw)));
    }

    #[test]
    fn no_game_is_endless() {
        assert_eq!(end([100; 1000]), Some((500, GameResult::Draw)));
    }

    #[test]
    fn no_score_decides_where_chance_may_turn_the_game() {
        for (name, decides) in [("janus", true), ("behemoth", false), ("maharajah", false)] {
            let start = fairy::variants::find(name).map(fairy::Position::start);
            let ended = start.and_then(|start| end_of(&start, [-3_000; 20]));
            assert_eq!(ended.is_some(), decides, "{name}");
        }
    }
}
