//! The evaluation of the variants: one set of terms for every board size and army.
//!
//! Each term has a middlegame and an endgame value between which the phase of the game blends. Nothing here is tied to a
//! variant: values come from [`numbers`], of which each group of variants has its own, squares from formulas over files and ranks ([`tables`]), and what a kind can
//! do follows from its movements. The Maharajah's hunt, in which one side is a single piece, has a term of its own.
#![forbid(unsafe_code)]

mod endgame;
mod king;
pub mod numbers;
mod pawns;
mod pieces;
mod tables;
mod values;

use std::sync::Arc;

use numbers::{ROWS, Values};
use once_cell::sync::Lazy;
use pawns::{PawnEntry, PawnTable};
use pieces::Scene;
use tables::Tables;

use super::classical::Pair;
use crate::base::{Color, Score};
use crate::fairy::{Board, Position, Rules, variants};
use crate::game::{Changes, Evaluator};

/// The parts of an evaluation, as the `eval` command lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Term {
    Material,
    Pawns,
    Mobility,
    King,
    Threats,
    Passed,
    Endgame,
}

const TERMS: [(Term, &str); 7] = [
    (Term::Material, "Material"),
    (Term::Pawns, "Pawns"),
    (Term::Mobility, "Mobility"),
    (Term::King, "King safety"),
    (Term::Threats, "Threats"),
    (Term::Passed, "Passed pawns"),
    (Term::Endgame, "Endgame"),
];

/// The evaluator of one searching thread.
pub struct Fairy {
    tables: Arc<Tables>,
    pawns: PawnTable,
}

/// The tables of each variant, in the order of [`variants::all`].
static TABLES: Lazy<Vec<Arc<Tables>>> = Lazy::new(|| {
    let tables = |rules| Arc::new(Tables::new(rules, ROWS[numbers::row_of(rules)].numbers.clone()));
    variants::all().iter().map(tables).collect()
});

fn tables_of(rules: &Rules) -> &'static Arc<Tables> {
    let index = variants::all().iter().position(|other| std::ptr::eq(other, rules));
    &TABLES[index.unwrap_or(0)]
}

impl Fairy {
    /// For whatever variant the first position is of.
    pub fn new() -> Fairy {
        Fairy { tables: Arc::clone(&TABLES[0]), pawns: PawnTable::new() }
    }
}

impl Default for Fairy {
    fn default() -> Fairy {
        Fairy::new()
    }
}

impl Evaluator<Position> for Fairy {
    const NEEDS_CHANGES: bool = false;

    fn reset(&mut self, game: &Position) {
        if !std::ptr::eq(self.tables.rules, game.rules()) {
            self.tables = Arc::clone(tables_of(game.rules()));
            self.pawns.clear();
        }
    }

    #[inline(always)]
    fn make(&mut self, _: &Changes) {}

    #[inline(always)]
    fn unmake(&mut self) {}

    fn evaluate(&mut self, game: &Position) -> Score {
        let entry = self.pawns.probe(game.board(), game.rules(), &self.tables);
        let value = judge(game.board(), &self.tables, entry).for_side(game.side_to_move());
        if game.rules().variant.behemoth { squashed(value) } else { value }
    }
}

/// Where values are averaged, an advantage counts for what it does to the chances: twice as much material is not twice
/// as good.
fn squashed(value: Score) -> Score {
    Score::new(squash(f64::from(value.value())).round() as i32)
}

fn squash(value: f64) -> f64 {
    let limit = f64::from(numbers::MOST_BY_MATERIAL);
    limit * (value / limit).tanh()
}

/// What the evaluation found, from White's point of view.
struct Verdict {
    terms: [Pair; TERMS.len()],
    /// How much of the middlegame is left, in 256ths.
    phase: i32,
    /// How much of the endgame half counts, in 64ths.
    scale: i32,
    /// What having the move is worth.
    tempo: i32,
}

const FULL_PHASE: i32 = 256;
const FULL_SCALE: i32 = 64;

impl Verdict {
    fn total(&self) -> Pair {
        self.terms.iter().fold(Pair::ZERO, |sum, &term| sum + term)
    }

    /// The blended value for White, without tempo.
    fn blend(&self) -> i32 {
        let total = self.total();
        let endgame = total.endgame() * self.scale / FULL_SCALE;
        (total.middlegame() * self.phase + endgame * (FULL_PHASE - self.phase)) / FULL_PHASE
    }

    /// The value for the side to move.
    fn for_side(&self, side: Color) -> Score {
        let value = self.blend();
        Score::new(if side.is_white() { value } else { -value } + self.tempo).clamp_eval()
    }
}

/// Adds up all terms.
fn judge(board: &Board, tables: &Tables, entry: PawnEntry) -> Verdict {
    let rules = tables.rules;
    let mut scene = Scene::new(board, rules, tables);
    let mut terms = [Pair::ZERO; TERMS.len()];
    terms[Term::Material as usize] = entry.worth;
    terms[Term::Pawns as usize] = entry.score;
    // Every piece enters what it attacks before anything is asked about attacks.
    for color in Color::ALL {
        let (worth, mobility) = scene.enter_pieces(color);
        let sign = if color.is_white() { 1 } else { -1 };
        terms[Term::Material as usize] += worth * sign;
        terms[Term::Mobility as usize] += mobility * sign;
    }
    for color in Color::ALL {
        let sign = if color.is_white() { 1 } else { -1 };
        terms[Term::King as usize] += king::safety(&scene, color) * sign;
        terms[Term::Threats as usize] += scene.threats(color) * sign;
        terms[Term::Passed as usize] += pawns::passed(&scene, entry.passed[color.index()], color) * sign;
        terms[Term::Endgame as usize] += endgame::guidance(&scene, color) * sign;
    }
    let phase = (scene.phase * FULL_PHASE / tables.full_phase).min(FULL_PHASE);
    let tempo = tables.numbers.singles.tempo;
    let mut verdict = Verdict { terms, phase, scale: FULL_SCALE, tempo };
    let strong = Color::from_bool(verdict.total().endgame() > 0);
    verdict.scale = endgame::scale(&scene, strong);
    verdict
}

/// The same without remembered pawns.
fn judge_afresh(board: &Board, tables: &Tables) -> Verdict {
    judge(board, tables, pawns::judge(board, tables.rules, tables))
}

/// The evaluation of a variant by numbers of one's own, for those who look for better ones.
pub struct Trial(Arc<Tables>);

/// What a trial says about a position.
pub struct Judgment {
    /// For White, not rounded.
    pub value: f64,
    /// How much of the endgame half counts, in 64ths.
    pub scale: i32,
}

impl Trial {
    /// The variant that is judged by these numbers.
    pub fn new(rules: &'static Rules, numbers: &Values) -> Trial {
        Trial(Arc::new(Tables::new(rules, numbers.clone())))
    }

    /// An evaluator that searches by these numbers.
    pub fn evaluator(&self) -> Fairy {
        Fairy { tables: Arc::clone(&self.0), pawns: PawnTable::new() }
    }

    /// Judges a board. So much of the endgame half counts as `scale` says: what another trial has said about the board,
    /// so that both can be compared, or as much as this one finds.
    pub fn judge(&self, board: &Board, scale: Option<i32>) -> Judgment {
        let verdict = judge_afresh(board, &self.0);
        let (total, scale) = (verdict.total(), scale.unwrap_or(verdict.scale));
        let share = |part: i32, whole: i32| f64::from(part) / f64::from(whole);
        let phase = share(verdict.phase, FULL_PHASE);
        let blend = f64::from(total.middlegame()) * phase
            + f64::from(total.endgame()) * share(scale, FULL_SCALE) * (1.0 - phase);
        let tempo = if board.side_to_move().is_white() { verdict.tempo } else { -verdict.tempo };
        let value = blend + f64::from(tempo);
        Judgment { value: if self.0.rules.variant.behemoth { squash(value) } else { value }, scale }
    }
}

/// The evaluation of a position, term by term, in pawns, for the `eval` command.
pub fn table(position: &Position) -> String {
    let tables = tables_of(position.rules());
    let verdict = judge_afresh(position.board(), tables);
    let pawns = |centipawns: i32| format!("{:+.2}", f64::from(centipawns) / 100.0);
    let row = |name: &str, pair: Pair| {
        format!("{name:>14} | {:>7} {:>7}\n", pawns(pair.middlegame()), pawns(pair.endgame()))
    };
    let mut text = String::from("          Term |      MG      EG  (White minus Black)\n");
    for (term, name) in TERMS {
        text.push_str(&row(name, verdict.terms[term as usize]));
    }
    text.push_str(&row("Total", verdict.total()));
    text.push_str(&format!("Phase: {} of {FULL_PHASE}\n", verdict.phase));
    text.push_str(&format!("Scale: {} of {FULL_SCALE}\n", verdict.scale));
    let value = verdict.for_side(position.side_to_move());
    let for_white = if position.side_to_move().is_white() { value } else { -value };
    text.push_str(&format!("Evaluation: {} (White)\n", pawns(for_white.value())));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, fen: &str) -> i32 {
        let rules = variants::find(name).unwrap();
        let position = Position::from_fen(rules, fen).unwrap();
        let mut evaluator = Fairy::new();
        evaluator.reset(&position);
        let value = evaluator.evaluate(&position);
        assert_eq!(value, evaluator.evaluate(&position), "what the pawns said was remembered wrongly");
        value.value()
    }

    #[test]
    fn start_positions_are_even_but_for_the_move() {
        for rules in variants::all().iter().filter(|rules| rules.variant.name != "maharajah") {
            let value = value(rules.variant.name, rules.variant.start);
            let tempo = ROWS[numbers::row_of(rules)].numbers.singles.tempo;
            assert_eq!(value, tempo, "{}", rules.variant.name);
        }
    }

    #[test]
    fn mirrored_positions_have_the_same_value() {
        for line in include_str!("../../../tests/data/variant-perft.epd").lines() {
            let mut fields = line.split(';').map(str::trim);
            let (Some(name), Some(fen)) = (fields.next(), fields.next()) else { continue };
            let Some(rules) = variants::find(name).filter(|_| name != "maharajah") else { continue };
            let position = Position::from_fen(rules, fen).unwrap();
            let mirrored = position.mirrored().unwrap();
            assert_eq!(value(name, fen), value(name, &mirrored.fen()), "{name} {fen}");
        }
    }

    #[test]
    fn more_is_better() {
        for (name, better, worse) in [
            ("janus", "4k5/10/10/10/10/10/3J6/4K5 w - - 0 1", "4k5/10/10/10/10/10/3B6/4K5 w - - 0 1"),
            (
                "grand",
                "10/4k5/10/10/10/10/10/10/2C1K5/10 w - - 0 1",
                "10/4k5/10/10/10/10/10/10/2R1K5/10 w - - 0 1",
            ),
            ("amazon", "4k3/8/8/8/8/8/3A4/4K3 w - - 0 1", "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1"),
            // A king in the corner is nearer to mate than one in the middle.
            ("janus", "k9/10/10/10/10/10/3R6/4K5 w - - 0 1", "10/10/10/4k5/10/10/3R6/4K5 w - - 0 1"),
            // A Maharajah with few safe squares is nearly caught.
            ("maharajah", "4k3/8/8/8/3M4/8/8/8 w - - 0 1", "rnb1kbnr/pppppppp/8/8/3q4/8/8/M7 w kq - 0 1"),
            // A pawn about to promote.
            ("embassy", "4k5/8P1/10/10/10/10/10/4K5 w - - 0 1", "4k5/10/10/10/10/8P1/10/4K5 w - - 0 1"),
        ] {
            assert!(value(name, better) > value(name, worse), "{name}: {better}");
        }
    }
}
