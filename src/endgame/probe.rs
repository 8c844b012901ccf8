//! The tables as the search sees them: exact scores in the tree, ranked moves at the root.
//!
//! Our own tables know the distance to mate but nothing of the fifty-move rule, Syzygy's know the rule but no mates. A win
//! of ours counts as a mate only if even its last move comes before the hundredth ply of the clock. A longer one may need
//! more than fifty moves between captures and pawn moves, so in the tree it is left to Syzygy or to the search itself; at
//! the root Syzygy ranks the moves, or without it the distance to mate does: that makes progress, and whenever a capture or
//! pawn move restarts the clock the distance may become certain. With up to four men no win takes fifty moves, so there
//! the question comes up only when the clock has run already.

use std::sync::Arc;

use super::syzygy::{Syzygy, Wdl};
use super::tables::Tables;
use super::value::Value;
use crate::base::{Move, Score};
use crate::chess::Position;
use crate::game::{EndgameTables, RankedMove, RootKnowledge};

/// Plies without capture or pawn move after which the game is drawn.
const FIFTY_MOVES_PLIES: u32 = 100;

/// How Syzygy tables are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyzygyUse {
    /// Positions with as many men as the largest tables are looked up only this deep or deeper.
    pub depth: i32,
    /// Positions with more men are not looked up.
    pub men: usize,
    /// Wins that take longer than fifty moves count as draws.
    pub fifty_moves: bool,
}

/// Everything that is known about endings.
#[derive(Clone)]
pub struct Endgames {
    /// Our own tables.
    pub own: Arc<Tables>,
    /// Syzygy's, if there are any.
    pub syzygy: Option<Arc<Syzygy>>,
    /// How to use them.
    pub syzygy_use: SyzygyUse,
}

/// A better class of moves ranks higher than any distance can make up for.
const CERTAIN: i32 = 2_000_000;
const UNCERTAIN: i32 = 1_000_000;

/// A cursed win is a draw, but the better side of one.
const CURSED: Score = Score::new(1);

impl Endgames {
    fn syzygy_men(&self) -> usize {
        self.syzygy.as_ref().map_or(0, |syzygy| syzygy.max_men().min(self.syzygy_use.men))
    }

    /// The score of a position in the tree, from its own point of view, by Syzygy.
    fn probe_syzygy(&self, position: &Position, depth: i32) -> Option<Score> {
        let syzygy = self.syzygy.as_ref()?;
        let (men, limit) = (position.board().occupied().count() as usize, self.syzygy_men());
        // The tables speak of positions in which the clock begins anew.
        if depth < 1
            || position.board().halfmove_clock() != 0
            || men > limit
            || men == limit && depth < self.syzygy_use.depth
        {
            return None;
        }
        Some(match (syzygy.probe(position.board())?, self.syzygy_use.fifty_moves) {
            (Wdl::Win, _) | (Wdl::CursedWin, false) => Score::TABLE_WIN,
            (Wdl::Loss, _) | (Wdl::BlessedLoss, false) => -Score::TABLE_WIN,
            (Wdl::CursedWin, true) => CURSED,
            (Wdl::BlessedLoss, true) => -CURSED,
            (Wdl::Draw, _) => Score::DRAW,
        })
    }

    /// The moves by our own tables; none if some move leads out of them.
    fn rank_by_mate(&self, position: &Position) -> Option<Vec<RankedMove>> {
        let moves = self.own.moves(position)?;
        let ranked = moves.into_iter().map(|(mv, value)| {
            let after = after(position, mv);
            let clock = u32::from(after.board().halfmove_clock());
            let certain = |plies: u32| clock + plies - 1 <= FIFTY_MOVES_PLIES;
            let (rank, score) = match value {
                // What stands on the board for the third time is a draw, whatever it would be worth.
                _ if after.earlier_occurrences() >= 2 => (0, Some(Score::DRAW)),
                Value::Draw => (0, Some(Score::DRAW)),
                Value::Win(plies) if certain(plies) => {
                    (CERTAIN - plies as i32, Some(Score::mate_in(plies as usize)))
                }
                Value::Win(plies) => (UNCERTAIN - plies as i32, None),
                Value::Loss(plies) if certain(plies) => {
                    (plies as i32 - CERTAIN, Some(Score::mated_in(plies as usize)))
                }
                Value::Loss(plies) => (plies as i32 - UNCERTAIN, None),
            };
            RankedMove { mv, rank, score }
        });
        Some(ranked.collect())
    }

    /// The moves by Syzygy. Among moves that keep a win safely the search chooses, unless the position has come up
    /// before: then the shortest way to a capture or pawn move is taken.
    fn rank_by_syzygy(&self, position: &Position) -> Option<Vec<RankedMove>> {
        let syzygy = self.syzygy.as_ref()?;
        if position.board().occupied().count() as usize > self.syzygy_men() {
            return None;
        }
        let clock = i32::from(position.board().halfmove_clock());
        let repeated = position.earlier_occurrences() > 0;
        let fifty_moves = self.syzygy_use.fifty_moves;
        let ranked = syzygy.root_moves(position)?.into_iter().map(|(mv, distance)| {
            let plies = distance.abs();
            let in_time = !fifty_moves || plies + clock <= 99;
            let (rank, score) = match distance.signum() {
                _ if after(position, mv).earlier_occurrences() >= 2 => (0, Score::DRAW),
                1 if in_time && !repeated => (CERTAIN, Score::TABLE_WIN),
                1 if in_time => (CERTAIN - plies, Score::TABLE_WIN),
                1 => (UNCERTAIN - plies - clock, CURSED),
                -1 if !fifty_moves || 2 * plies + clock < 100 => (-CERTAIN, -Score::TABLE_WIN),
                // The clock may yet save the game.
                -1 if plies + clock <= 100 => (plies + clock - UNCERTAIN, -Score::TABLE_WIN),
                -1 => (plies + clock - UNCERTAIN, -CURSED),
                _ => (0, Score::DRAW),
            };
            RankedMove { mv, rank, score: Some(score) }
        });
        Some(ranked.collect())
    }
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.make(mv);
    after
}

impl EndgameTables<Position> for Endgames {
    fn most_men(&self) -> u32 {
        self.own.most_men().max(self.syzygy_men()) as u32
    }

    fn probe(&self, position: &Position, depth: i32, root: RootKnowledge) -> Option<Score> {
        let clock = u32::from(position.board().halfmove_clock());
        match self.own.probe(position) {
            Some(Value::Draw) if root == RootKnowledge::Drawn => return None,
            Some(Value::Draw) => return Some(Score::DRAW),
            Some(Value::Win(plies)) if clock + plies <= FIFTY_MOVES_PLIES => {
                return Some(Score::mate_in(plies as usize));
            }
            Some(Value::Loss(plies)) if clock + plies <= FIFTY_MOVES_PLIES => {
                return Some(Score::mated_in(plies as usize));
            }
            _ => {}
        }
        // Once the root is ranked, the search looks for the mate that Syzygy does not know.
        if root == RootKnowledge::Unknown { self.probe_syzygy(position, depth) } else { None }
    }

    fn rank_moves(&self, position: &Position) -> Vec<RankedMove> {
        if position.board().occupied().count() > self.most_men() || position.board().castling_rights() != 0 {
            return Vec::new();
        }
        let by_mate = self.rank_by_mate(position);
        let is_clear = |moves: &Vec<RankedMove>| {
            let best = moves.iter().max_by_key(|ranked| ranked.rank);
            best.is_none_or(|best| best.score.is_some())
        };
        match by_mate {
            Some(moves) if is_clear(&moves) => moves,
            Some(moves) => self.rank_by_syzygy(position).unwrap_or(moves),
            None => self.rank_by_syzygy(position).unwrap_or_default(),
        }
    }
}

impl Endgames {
    /// The tables in the binary alone.
    pub fn embedded() -> Endgames {
        let syzygy_use = SyzygyUse { depth: 1, men: 7, fifty_moves: true };
        Endgames { own: Arc::new(Tables::embedded()), syzygy: None, syzygy_use }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(fen: &str) -> (Position, Vec<RankedMove>) {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mut moves = Endgames::embedded().rank_moves(&position);
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
        (position, moves)
    }

    fn probe(fen: &str, root: RootKnowledge) -> Option<Score> {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        Endgames::embedded().probe(&position, 5, root)
    }

    #[test]
    fn a_mate_counts_only_before_the_hundredth_ply() {
        // Mate in 16 moves, 31 plies.
        let score =
            |clock: u32| probe(&format!("8/8/8/8/8/2k5/1R6/K7 w - - {clock} 90"), RootKnowledge::Unknown);
        assert_eq!(score(0), Some(Score::mate_in(31)));
        assert_eq!(score(69), Some(Score::mate_in(31)));
        assert_eq!(score(70), None);
    }

    #[test]
    fn a_pawn_move_that_restarts_the_clock_comes_before_a_faster_mate() {
        let (position, fresh) = ranked("8/8/8/8/8/2K5/4P3/k7 w - - 0 1");
        assert!(fresh[0].score.is_some_and(Score::is_win_by_mate));
        let (_, late) = ranked("8/8/8/8/8/2K5/4P3/k7 w - - 90 90");
        assert!(position.uci(late[0].mv).starts_with("e2e"), "{late:?}");
        assert!(late[0].score.is_some_and(Score::is_win_by_mate), "{late:?}");
        // King moves win in time on an empty clock only.
        assert!(late.iter().any(|ranked| ranked.score.is_none() && ranked.rank > 0), "{late:?}");
    }

    #[test]
    fn a_drawn_root_leaves_draws_to_the_search() {
        let drawn = "8/8/8/8/4k3/8/4p3/4K3 w - - 0 1";
        assert_eq!(probe(drawn, RootKnowledge::Unknown), Some(Score::DRAW));
        assert_eq!(probe(drawn, RootKnowledge::Drawn), None);
        let (_, moves) = ranked("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1");
        // Only stepping straight back holds; the others lose.
        assert_eq!(moves[0].score, Some(Score::DRAW));
        assert!(moves.iter().filter(|ranked| ranked.rank == 0).count() < moves.len());
    }

    #[test]
    fn what_is_not_known_is_not_ranked() {
        assert!(ranked("4k3/8/8/8/8/8/8/4K2R w K - 0 1").1.is_empty());
        assert!(ranked("4k3/8/8/8/8/8/8/3QKR2 w - - 0 1").1.is_empty());
    }
}
