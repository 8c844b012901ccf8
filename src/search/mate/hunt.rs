//! The mate search beside the normal one, for `go mate`: both get the same share of the nodes, whichever finds the mate
//! first has found it. The normal search is better at mates behind quiet moves, this one at forced ones.

use super::{MateSearch, Verdict};
use crate::base::Score;
use crate::game::{Evaluator, Game};
use crate::search::{RootMove, Shared, Worker};
use crate::tt::Bound;

/// Memory for the proofs.
const MEGABYTES: usize = 64;
/// Nodes between two looks at clock and stop flag.
const SLICE: u64 = 4096;
/// What a slice may go beyond its nodes: the moves of one position and their answers.
const MARGIN: u64 = 4096;

/// A mate that is looked for during a search.
pub struct MateHunt<G> {
    search: MateSearch<G>,
    moves: u32,
}

/// What a hunt has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hunted {
    /// The mate is found and is now the first root move.
    Found,
    /// There is none.
    NoMate,
    /// Nothing is known yet.
    Open,
}

impl<G: Game> MateHunt<G> {
    /// Looks for a mate in `moves` moves.
    pub fn new(game: G, moves: u32) -> MateHunt<G> {
        MateHunt { search: MateSearch::new(game, MEGABYTES), moves }
    }

    /// Most moves that the mate may take.
    pub fn moves(&self) -> u32 {
        self.moves
    }
}

impl<G: Game, E: Evaluator<G>> Worker<G, E> {
    /// Lets the hunt catch up with the normal search.
    pub(in crate::search) fn hunt(&mut self, hunt: &mut MateHunt<G>, shared: &Shared) -> Hunted {
        while 2 * hunt.search.nodes() < self.nodes && !self.stopped {
            while self.portion < SLICE + MARGIN {
                let taken = shared.take_nodes();
                if taken == 0 {
                    return Hunted::Open;
                }
                self.portion += taken;
            }
            let before = hunt.search.nodes();
            let verdict = hunt.search.ask(hunt.moves, SLICE);
            let used = hunt.search.nodes() - before;
            self.nodes += used;
            self.portion = self.portion.saturating_sub(used);
            self.look_at_clock(shared);
            self.stopped = shared.control.is_stopped();
            match verdict {
                Verdict::Unknown => {}
                Verdict::NoMate => return Hunted::NoMate,
                Verdict::Mate(moves, line) => {
                    if self.is_played_out(&line) {
                        self.put_first(RootMove {
                            score: Score::mate_in(2 * moves as usize - 1),
                            bound: Bound::Exact,
                            selective_depth: line.len(),
                            pv: line.clone(),
                            ..RootMove::new(line[0], None)
                        });
                        return Hunted::Found;
                    }
                    // The position has been there before: by the rules of the game this mate is a draw.
                    return Hunted::Open;
                }
            }
        }
        Hunted::Open
    }

    /// Whether a mating line is there and no rule ends the game before its end.
    fn is_played_out(&self, line: &[crate::base::Move]) -> bool {
        let mut game = self.game.clone();
        for (ply, &mv) in line.iter().enumerate() {
            if ply > 0 && game.is_draw(0) {
                return false;
            }
            game.make(mv);
        }
        !line.is_empty()
    }

    /// Makes a root move the best one.
    fn put_first(&mut self, best: RootMove) {
        self.root_moves.retain(|root| root.mv != best.mv);
        self.root_moves.insert(0, best);
    }
}
