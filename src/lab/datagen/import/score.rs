//! Scores in the comments of moves, as programs that run matches write them.
//!
//! ```text
//! fastchess, Cute Chess    +0.35/12 0.046s      -M4/20 1.2s, White mates      /0 0.001s (no score)      book
//! OpenBench, compact       +0.35/12             +0.35/12, line=...            unknown (no score)
//! OpenBench, verbose       +0.35/12 0.046s, n=1234, sd=20
//! OpenBench before 2026    +0.35                +0.35 12/20 46 1234
//! ```
//! All of them give pawns with decimals as the engine that moved sees the position, before its move. Behind `M` they
//! count plies, not moves: 1 mates at once, 2 is mated by the next move.

use crate::base::Score;

/// The longest mate there is a score for.
const MAX_MATE_PLIES: usize = (Score::MATE.value() - Score::MATE_BOUND.value()) as usize;
/// The score of a table win that is nearest to a mate.
const MAX_TABLE_WIN: i32 = Score::MATE_BOUND.value() - 1;

/// What the comment of a move says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remark {
    /// The engine gave the position this score.
    Score(Score),
    /// The move comes from an opening book.
    Book,
    /// Nothing about a score.
    Nothing,
}

impl Remark {
    /// Reads a comment. Centipawns are multiplied by `scale`.
    pub(super) fn read(comment: &str, scale: f64) -> Remark {
        let facts = comment.split(',').next().unwrap_or_default().trim();
        if facts == "book" {
            return Remark::Book;
        }
        let (head, rest) = facts.split_once(char::is_whitespace).unwrap_or((facts, ""));
        let (score, is_searched) = match head.split_once('/') {
            // Old versions of fastchess wrote this when the engine had said nothing.
            Some(("0.00", "0")) => return Remark::Nothing,
            Some((score, depth)) => (score, is_number(depth)),
            None => (head, rest.is_empty() || begins_with_depths(rest)),
        };
        match read_score(score, scale) {
            Some(score) if is_searched => Remark::Score(score),
            _ => Remark::Nothing,
        }
    }
}

/// Whether a text begins with depth and selective depth.
fn begins_with_depths(text: &str) -> bool {
    let depths = text.split_whitespace().next().and_then(|word| word.split_once('/'));
    depths.is_some_and(|(depth, selective)| is_number(depth) && is_number(selective))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn read_score(text: &str, scale: f64) -> Option<Score> {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    let score = match bare.strip_prefix('M') {
        Some(plies) => mate(plies)?,
        None => centipawns(bare, scale)?,
    };
    Some(if text.starts_with('-') { -score } else { score })
}

fn mate(plies: &str) -> Option<Score> {
    if !is_number(plies) {
        return None;
    }
    // A number too large for this is a long mate, too.
    let plies: usize = plies.parse().unwrap_or(MAX_MATE_PLIES);
    (plies > 0).then(|| Score::mate_in(plies.min(MAX_MATE_PLIES)))
}

/// Reads pawns with decimals. Values where our own scores have the wins by tables are such wins, and no value in
/// centipawns is a mate.
fn centipawns(text: &str, scale: f64) -> Option<Score> {
    let (pawns, decimals) = text.split_once('.')?;
    if !is_number(pawns) || !is_number(decimals) {
        return None;
    }
    let value = 100.0 * text.parse::<f64>().ok()?;
    if value >= f64::from(Score::TABLE_BOUND.value()) {
        return Some(Score::new((value as i32).min(MAX_TABLE_WIN)));
    }
    Some(Score::new((value * scale).round() as i32).clamp_eval())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(comment: &str) -> Remark {
        Remark::read(comment, 1.0)
    }

    fn cp(value: i32) -> Remark {
        Remark::Score(Score::new(value))
    }

    #[test]
    fn scores_of_fastchess_and_cute_chess() {
        for (comment, value) in [
            ("+0.35/12 0.046s", 35),
            ("0.00/10 0.01s", 0),
            ("-0.72/14 1.2s, White mates", -72),
            ("+10.15/18 1.821s, tl=1.000s, n=300, sd=6, pv=\"e2e4 e7e5\"", 1015),
            ("-0.01/1 0s", -1),
            ("+0.29/5 12s", 29),
            ("+1.15/0 0.000s", 115),
        ] {
            assert_eq!(read(comment), cp(value), "{comment}");
        }
    }

    #[test]
    fn mates_are_counted_in_plies() {
        for (comment, score) in [
            ("+M1/20 0.1s, Black mates", Score::mate_in(1)),
            ("+M5/20 0.1s", Score::mate_in(5)),
            ("-M4/20 0.1s", Score::mated_in(4)),
            ("-M2", Score::mated_in(2)),
            ("M7/9", Score::mate_in(7)),
            ("+M5000/20 0.1s", Score::MATE_BOUND),
            ("-M99999999999999999999/20 0.1s", -Score::MATE_BOUND),
        ] {
            assert_eq!(read(comment), Remark::Score(score), "{comment}");
        }
        assert_eq!(Score::mate_in(5).moves_to_mate(), Some(3));
        assert_eq!(Score::mated_in(4).moves_to_mate(), Some(-2));
    }

    #[test]
    fn scores_of_all_ages_of_openbench() {
        for (comment, value) in [
            ("+0.35/12", 35),
            ("-1.20/8, line=-131", -120),
            ("+0.35/12 0.046s, n=1234, sd=20, line=some, words", 35),
            ("+0.35", 35),
            ("0.00", 0),
            ("-0.35 12/20 46 1234", -35),
        ] {
            assert_eq!(read(comment), cp(value), "{comment}");
        }
    }

    #[test]
    fn book_moves_and_missing_scores() {
        assert_eq!(read("book"), Remark::Book);
        assert_eq!(read("book, Draw by adjudication"), Remark::Book);
        for comment in [
            "",
            "unknown",
            "/0 0.001s",
            "/12 0.001s, White disconnects",
            "ERR/0 0.001s",
            "0.00/0 0.100s",
            "0.046s",
            "0s",
            "White mates",
            "-M0/1 0.1s",
            "M",
            "+0.35/ 1s",
            "+0.35/x 1s",
            "0.35 is what I think",
            "1/2",
            "12",
            "+.5/3",
            "5./3",
            "++0.35/12",
            "1e5/3",
            "inf/3",
            "[%eval 0.35]",
            "[%clk 0:01:00]",
        ] {
            assert_eq!(read(comment), Remark::Nothing, "{comment}");
        }
    }

    #[test]
    fn large_values_keep_to_their_bands() {
        let limit = Score::EVAL_LIMIT.value();
        for (comment, value) in [
            ("+289.99/9", 28_999),
            ("+295.00/9", limit),
            ("-299.99/9", -limit),
            ("+309.00/9", 30_900),
            ("-308.88/9", -30_888),
            ("+319.99/9", 30_999),
            ("-1000000000000.00/9", -30_999),
        ] {
            assert_eq!(read(comment), cp(value), "{comment}");
        }
    }

    #[test]
    fn only_evaluations_are_scaled() {
        let read = |comment| Remark::read(comment, 1.42);
        assert_eq!(read("-1.00/9"), cp(-142));
        assert_eq!(read("+250.00/9"), cp(Score::EVAL_LIMIT.value()));
        assert_eq!(read("+309.00/9"), cp(30_900));
        assert_eq!(read("-M4/9"), Remark::Score(Score::mated_in(4)));
    }
}
