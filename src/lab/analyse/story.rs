//! A game with every position looked at: read from PGN, filled in by the analysts, written back with what they found.

use super::judge::{Judgment, Summary, chance, summarize};
use crate::base::{Color, Error, Score};
use crate::engine::board::{AnyBoard, Verdict, game_named};
use crate::engine::thinker::Thought;
use crate::pgn::{Game, Glyph};

/// Moves of a better line that are shown.
const LINE_MOVES: usize = 8;

/// What is known about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// For the side to move.
    pub score: Score,
    /// How deep it was searched; zero where the game is over.
    pub depth: u32,
    /// The best move, as UCI writes it.
    pub best: Option<String>,
    /// The best line in algebraic notation.
    pub line: Vec<String>,
}

/// A game to be analyzed.
pub struct Story {
    /// As it was read.
    pub game: Game,
    /// What is played.
    pub variant: &'static str,
    /// The start position, unless it is the usual one.
    pub setup: Option<String>,
    /// The moves as the engine takes them.
    pub moves: Vec<String>,
    /// Every position, the first one included, each without what came before it: with it they would grow with the square
    /// of a game's length.
    pub boards: Vec<AnyBoard>,
    /// How the game has ended in each of them, if it has.
    verdicts: Vec<Option<Verdict>>,
}

impl Story {
    /// Plays a game through.
    pub fn new(game: Game) -> Result<Story, Error> {
        let head = |error: Error| error.within(&format!("line {}", game.line));
        let variant = game_named(game.tag("Variant").unwrap_or("chess")).map_err(head)?;
        let usual = AnyBoard::start_fen(variant)?;
        let start = AnyBoard::from_fen(variant, game.tag("FEN").unwrap_or(usual)).map_err(head)?;
        let setup = (start.fen() != usual).then(|| start.fen());
        let alone = |board: &AnyBoard| AnyBoard::from_fen(variant, &board.fen());
        let (mut moves, mut boards, mut verdicts) = (Vec::new(), vec![alone(&start)?], vec![start.verdict()]);
        let mut board = start;
        for ply in &game.plies {
            let text = board.play_text(&ply.text).map_err(|error| {
                let dots = if board.side().is_white() { "." } else { "..." };
                let place = format!("line {}: move {}{dots}", ply.line, board.fullmove());
                error.within(&place)
            })?;
            moves.push(text);
            boards.push(alone(&board)?);
            verdicts.push(board.verdict());
        }
        Ok(Story { game, variant, setup, moves, boards, verdicts })
    }

    /// Whether there is nothing to look for in a position. A draw by rule in the middle of a game was not noticed.
    pub fn is_over(&self, ply: usize) -> bool {
        let last = ply + 1 == self.boards.len();
        self.verdicts[ply].is_some() && (last || self.boards[ply].legal().is_empty())
    }

    /// What a position is worth of which the engine has thought this; without thinking where the game is over.
    pub fn finding(&self, ply: usize, thought: Option<Thought>) -> Finding {
        let board = &self.boards[ply];
        if let Some(verdict) = self.verdicts[ply].as_ref().filter(|_| self.is_over(ply)) {
            let score = match verdict.winner {
                None => Score::DRAW,
                Some(winner) if winner == board.side() => Score::mate_in(0),
                Some(_) => Score::mated_in(0),
            };
            return Finding { score, depth: 0, best: None, line: Vec::new() };
        }
        let thought = thought.unwrap_or_default();
        let (score, depth, line) = match &thought.info {
            Some(info) => {
                let line = board.san_line(&info.pv[..info.pv.len().min(LINE_MOVES)]);
                (info.score, info.depth, line)
            }
            None => (Score::DRAW, 0, Vec::new()),
        };
        Finding { score, depth, best: thought.best, line }
    }

    /// Judges every move.
    pub fn judge(self, findings: Vec<Finding>) -> Judged {
        let mut judgments = Vec::new();
        for (ply, played) in self.moves.iter().enumerate() {
            let (before, after) = (&findings[ply], &findings[ply + 1]);
            // In Behemoth chess the move is what counts, not what chance made of it.
            let played = played.split(',').next().unwrap_or(played);
            let same_side = self.boards[ply].side() == self.boards[ply + 1].side();
            let score = if same_side { after.score } else { -after.score };
            let is_best = before.best.as_deref() == Some(played);
            judgments.push(Judgment::new(before.score, score, is_best));
        }
        let white = |ply: usize| {
            let own = chance(findings[ply].score);
            if self.boards[ply].side().is_white() { own } else { 100.0 - own }
        };
        let chances: Vec<f64> = (0..findings.len()).map(white).collect();
        let first = self.boards[0].side();
        let summaries = Color::ALL.map(|side| summarize(&judgments, &chances, first, side));
        Judged { story: self, findings, judgments, chances, summaries }
    }
}

/// A game and what there is to say about it.
pub struct Judged {
    /// The game.
    pub story: Story,
    /// Of every position.
    pub findings: Vec<Finding>,
    /// Of every move.
    pub judgments: Vec<Judgment>,
    /// White's chance to win in every position, in percent.
    pub chances: Vec<f64>,
    /// White's play and Black's.
    pub summaries: [Summary; 2],
}

impl Judged {
    /// The game as PGN with evaluations, symbols and better lines.
    pub fn annotated(&self) -> Game {
        let mut game = self.story.game.clone();
        game.set_tag("Annotator", format!("Rosada {}", env!("CARGO_PKG_VERSION")));
        for (side, summary) in Color::ALL.iter().zip(&self.summaries) {
            if let Some(accuracy) = summary.accuracy {
                game.set_tag(&format!("{side}Accuracy"), format!("{accuracy:.1}"));
            }
        }
        if let Some(opening) = self.story.boards.last().and_then(AnyBoard::opening)
            && game.tag("ECO").is_none()
        {
            game.set_tag("ECO", opening.eco);
            game.set_tag("Opening", opening.name);
        }
        let start = &self.findings[0];
        let words = game.comment.clone();
        game.comment = with_evaluation(&words, evaluation(start.score, self.story.boards[0].side()));
        for (place, ply) in game.plies.iter_mut().enumerate() {
            let (board, after) = (&self.story.boards[place], &self.story.boards[place + 1]);
            let finding = &self.findings[place + 1];
            let told = (finding.depth > 0).then(|| evaluation(finding.score, after.side())).flatten();
            let mut comment = with_evaluation(&ply.comment, told);
            if let Some((glyph, name)) = self.judgments[place].mistake() {
                ply.glyphs.retain(|known| !(1..=6).contains(&known.0));
                ply.glyphs.push(glyph);
                let before = &self.findings[place];
                if let Some(best) = before.line.first() {
                    comment = format!("{comment} {name}. {best} was better.").trim().to_string();
                    ply.variations.push(numbered(board, &before.line));
                }
            }
            ply.comment = comment;
        }
        game
    }

    /// The moves that got a symbol: ply, symbol.
    pub fn mistakes(&self) -> impl Iterator<Item = (usize, Glyph)> + '_ {
        self.judgments
            .iter()
            .enumerate()
            .filter_map(|(ply, judgment)| judgment.mistake().map(|(glyph, _)| (ply, glyph)))
    }

    /// A move with its number: `12...Nf6`.
    pub fn move_name(&self, ply: usize) -> String {
        let board = &self.story.boards[ply];
        let dots = if board.side().is_white() { "." } else { "..." };
        format!("{}{dots}{}", board.fullmove(), self.story.game.plies[ply].text)
    }

    /// The names of the players, White's first.
    pub fn names(&self) -> [&str; 2] {
        Color::ALL.map(|side| self.story.game.tag(&side.to_string()).unwrap_or("?"))
    }
}

/// An evaluation as GUIs read it: pawns, or moves to mate, for White. None for a mate that stands on the board and
/// for a king that is lost.
pub fn evaluation(score: Score, side: Color) -> Option<String> {
    let sign = if side.is_white() { 1 } else { -1 };
    match score.moves_to_mate() {
        // Whoever is mated in less than a move is mated already.
        Some(0) => None,
        Some(moves) => Some(format!("[%eval #{}]", sign * moves)),
        None if score.is_mate() => None,
        None => Some(format!("[%eval {:.2}]", f64::from(sign * score.value()) / 100.0)),
    }
}

/// A comment with a new evaluation in place of an old one.
fn with_evaluation(comment: &str, evaluation: Option<String>) -> String {
    let mut rest = comment.to_string();
    while let Some(begin) = rest.find("[%eval") {
        let end = rest[begin..].find(']').map_or(rest.len(), |end| begin + end + 1);
        rest.replace_range(begin..end, "");
    }
    format!("{} {}", evaluation.unwrap_or_default(), rest.trim()).trim().to_string()
}

/// A line with move numbers.
fn numbered(board: &AnyBoard, line: &[String]) -> String {
    let (mut number, mut side) = (board.fullmove(), board.side());
    let mut words = Vec::new();
    for (place, san) in line.iter().enumerate() {
        if side.is_white() {
            words.push(format!("{number}."));
        } else if place == 0 {
            words.push(format!("{number}..."));
        }
        words.push(san.clone());
        number += u32::from(!side.is_white());
        side = !side;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_for_white() {
        let told = |score, side| evaluation(score, side).unwrap_or_default();
        assert_eq!(told(Score::new(-31), Color::Black), "[%eval 0.31]");
        assert_eq!(told(Score::mate_in(1), Color::Black), "[%eval #-1]");
        assert_eq!(told(Score::mated_in(2), Color::Black), "[%eval #1]");
        assert_eq!(told(Score::mate_in(5), Color::White), "[%eval #3]");
        assert_eq!(evaluation(Score::mated_in(0), Color::White), None);
        assert_eq!(evaluation(Score::mate_in(0), Color::White), None);
        assert_eq!(with_evaluation("x [%eval 1.0] y", Some("[%eval 2.0]".to_string())), "[%eval 2.0] x  y");
    }
}
