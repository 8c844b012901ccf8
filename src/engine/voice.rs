//! Turns what the search reports into words of the game: moves as text, lines that end where the game ends.

use std::sync::Arc;

use super::report::{Bound, Info, Report};
use super::strength::Handicap;
use super::{Listener, wdl};
use crate::base::{Move, MoveList, Score};
use crate::game::{EndgameTables, Notation, RootKnowledge, Stage};
use crate::search::{LineReport, Outcome, Reporter, table_key};
use crate::time::Deadline;
use crate::tt::{self, Table};

/// The reporter of a session.
pub struct Voice<G> {
    /// The root of the search.
    pub game: G,
    /// Who listens.
    pub listener: Listener,
    /// For the fullness and for finishing lines.
    pub table: Arc<Table>,
    /// For finishing lines that endgame tables have cut short.
    pub tables: Option<Arc<dyn EndgameTables<G>>>,
    /// For the time.
    pub deadline: Deadline,
    /// How many lines the user asked for.
    pub lines: usize,
    /// Whether chances are wanted.
    pub show_wdl: bool,
    /// Playing weaker on purpose.
    pub handicap: Option<Handicap>,
    /// First move, value and node count of the last best line that was reported.
    pub last_line: Option<(Move, Score, u64)>,
    /// Called after the best move was reported.
    pub done: Option<Box<dyn FnOnce() + Send>>,
}

impl<G: Notation> Voice<G> {
    /// The report of a line.
    pub fn info(&self, line: &LineReport<'_>) -> Info {
        Info {
            depth: line.depth.max(0) as u32,
            selective_depth: line.selective_depth as u32,
            multipv: line.rank + 1,
            score: if G::HAS_WDL_MODEL { wdl::normalized(line.score) } else { line.score },
            bound: match line.bound {
                tt::Bound::Lower => Bound::Lower,
                tt::Bound::Upper => Bound::Upper,
                tt::Bound::Exact | tt::Bound::None => Bound::Exact,
            },
            wdl: (self.show_wdl && G::HAS_WDL_MODEL).then(|| wdl::chances(line.score, self.game.fullmove())),
            nodes: line.nodes,
            time: self.deadline.elapsed(),
            hash_full: self.table.permille_full(),
            table_hits: line.table_hits,
            pv: self.write_line(line.pv, line.score),
        }
    }

    /// The moves of a line as text. It ends with the game, and a mate is shown to its end.
    fn write_line(&self, pv: &[Move], score: Score) -> Vec<String> {
        let mut game = self.game.clone();
        let mut text = Vec::with_capacity(pv.len());
        for &mv in pv {
            if !game.is_legal(mv) {
                break;
            }
            text.push(game.move_text(mv));
            game.make(mv);
            if has_ended(&game) {
                return text;
            }
        }
        if let Some(plies) = score.plies_to_mate() {
            self.finish_mate(&mut game, &mut text, plies as usize);
        }
        text
    }

    /// A line cut short by the table is followed through the table up to the mate.
    fn finish_mate(&self, game: &mut G, text: &mut Vec<String>, plies: usize) {
        while text.len() < plies {
            let Some(mv) = self.mating_move(game, plies - text.len()) else { return };
            text.push(game.move_text(mv));
            game.make(mv);
        }
    }

    /// A move after which the table promises the mate in one ply less.
    fn mating_move(&self, game: &mut G, plies: usize) -> Option<Move> {
        let mut list = MoveList::new();
        game.generate(Stage::All, &mut list);
        let wanted = if plies % 2 == 1 { Score::mated_in(plies - 1) } else { Score::mate_in(plies - 1) };
        list.into_iter().find(|&mv| {
            game.make(mv);
            let fits = if plies == 1 {
                let mut answers = MoveList::new();
                game.generate(Stage::All, &mut answers);
                answers.is_empty() && game.in_check()
            } else {
                let ask = |tables: &Arc<dyn EndgameTables<G>>| tables.probe(game, 0, RootKnowledge::Unknown);
                self.tables.as_ref().and_then(ask) == Some(wanted)
                    || self
                        .table
                        .probe(table_key(game))
                        .is_some_and(|entry| entry.score == wanted && entry.mv.is_some())
            };
            game.unmake();
            fits
        })
    }
}

/// Whether the game is over on the board.
fn has_ended<G: Notation>(game: &G) -> bool {
    let mut list = MoveList::new();
    game.generate(Stage::All, &mut list);
    list.is_empty() || game.is_draw(0)
}

impl<G: Notation> Voice<G> {
    /// Reports the line of the move to play, unless it was the last thing said, and the move itself.
    fn announce(&mut self, outcome: &Outcome, nodes: u64) {
        let choice = match self.handicap {
            Some(handicap) => handicap.choose(outcome, &mut rand::rng()),
            None => outcome.root_moves.first(),
        };
        let line = |score, bound, selective_depth, pv| {
            let (depth, table_hits) = (outcome.depth, outcome.table_hits);
            LineReport { depth, rank: 0, score, bound, selective_depth, pv, nodes, table_hits }
        };
        let Some(choice) = choice else {
            // UCI has a score for whoever is mated but none for whoever has won already: words tell both.
            if let Some(rule) = self.game.ending_rule() {
                (self.listener)(Report::Text(format!("the game is over: {rule}")));
            }
            let score = self.game.decided(0).unwrap_or_else(|| self.game.no_moves_score(0));
            self.line(&line(score, tt::Bound::Exact, 0, &[]));
            return self.say_best(None, None);
        };
        // Of several lines the first would stand alone: it is repeated only if it has changed.
        let told = match self.last_line {
            Some((mv, score, at)) => {
                (mv, score) == (choice.mv, choice.told_score()) && (at == nodes || self.lines > 1)
            }
            None => false,
        };
        if !told {
            self.line(&line(choice.told_score(), choice.told_bound(), choice.selective_depth, &choice.pv));
        }
        let answer = self.expected_answer(choice.mv, choice.pv.get(1).copied());
        self.say_best(Some(self.game.move_text(choice.mv)), answer);
    }

    /// What the opponent will answer to a move, from its line or else from the table. Where chance strikes in between,
    /// nobody can tell.
    fn expected_answer(&self, mv: Move, in_line: Option<Move>) -> Option<String> {
        if self.game.has_chance() {
            return None;
        }
        let mut after = self.game.clone();
        after.make(mv);
        let expected = in_line.or_else(|| self.table.probe(table_key(&after)).map(|entry| entry.mv));
        expected.filter(|&mv| after.is_legal(mv) && !has_ended(&after)).map(|mv| after.move_text(mv))
    }

    fn say_best(&self, best: Option<String>, ponder: Option<String>) {
        (self.listener)(Report::BestMove { best, ponder });
    }
}

impl<G: Notation> Reporter for Voice<G> {
    fn line(&mut self, line: &LineReport<'_>) {
        if line.rank >= self.lines {
            return;
        }
        if line.rank == 0 {
            self.last_line = line.pv.first().map(|&mv| (mv, line.score, line.nodes));
        }
        (self.listener)(Report::Info(self.info(line)));
    }

    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        let mv = self.game.move_text(mv);
        (self.listener)(Report::CurrentMove { depth: depth.max(0) as u32, mv, number });
    }

    fn no_mate(&mut self, moves: u32) {
        (self.listener)(Report::Text(format!("no mate in {moves}")));
    }

    fn finished(&mut self, outcome: &Outcome, nodes: u64) {
        self.announce(outcome, nodes);
        if let Some(done) = self.done.take() {
            done();
        }
    }
}
