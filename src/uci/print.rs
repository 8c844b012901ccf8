//! What the engine says, as lines of UCI. Pure: strings without a line end; the loop writes them.
//!
//! The lines are written by `vampirc-uci`. Where it has no word (`currmovenumber`, `wdl`) or its types are too small
//! (a mate beyond 127 moves, moves of variants) its `Any` attribute or our own text stands in.

use vampirc_uci::{
    Duration, Serializable, UciInfoAttribute, UciMessage, UciMove, UciOptionConfig, UciPiece, UciSquare,
};

use crate::base::{Error, Score};
use crate::engine::options::{OptionKind, OptionSpec};
use crate::engine::report::{Bound, Info, Report};

/// The engine's name and version.
pub const NAME: &str = concat!("Rosada ", env!("CARGO_PKG_VERSION"));

/// The engine's authors.
pub const AUTHOR: &str = "the Rosada team";

/// The line for a report.
pub fn report(report: &Report) -> String {
    match report {
        Report::Info(line) => info(line),
        Report::CurrentMove { depth, mv, number } => current_move(*depth, mv, *number),
        Report::Text(text) => string(text),
        Report::BestMove { best, ponder } => best_move(best.as_deref(), ponder.as_deref()),
    }
}

/// The answer to `uci`: name, author, options, `uciok`.
pub fn identification(options: &[OptionSpec]) -> Vec<String> {
    let mut lines = vec![UciMessage::id_name(NAME).serialize(), UciMessage::id_author(AUTHOR).serialize()];
    lines.extend(options.iter().map(|spec| UciMessage::Option(option(spec)).serialize()));
    lines.push(UciMessage::UciOk.serialize());
    lines
}

/// The answer to `isready`.
pub fn ready() -> String {
    UciMessage::ReadyOk.serialize()
}

/// The line that tells the user what was wrong.
pub fn error(error: &Error) -> String {
    string(&format!("error: {error}"))
}

/// `info string`, kept to one line whatever the text holds.
pub fn string(text: &str) -> String {
    UciMessage::info_string(one_line(text)).serialize()
}

/// Control characters and line ends of any kind become blanks; runs of blanks inside stay, they may be a table.
fn one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
    let line: String = text.chars().map(|c| if breaks(c) { ' ' } else { c }).collect();
    line.trim().to_string()
}

fn any(name: &str, value: impl ToString) -> UciInfoAttribute {
    UciInfoAttribute::Any(name.to_string(), value.to_string())
}

fn depth_attribute(depth: u32) -> UciInfoAttribute {
    u8::try_from(depth).map_or_else(|_| any("depth", depth), UciInfoAttribute::Depth)
}

fn info(info: &Info) -> String {
    let selective = info.selective_depth;
    let millis = i64::try_from(info.time.as_millis()).unwrap_or(i64::MAX);
    let mut line = vec![
        depth_attribute(info.depth),
        u8::try_from(selective).map_or_else(|_| any("seldepth", selective), UciInfoAttribute::SelDepth),
        u16::try_from(info.multipv).map_or_else(|_| any("multipv", info.multipv), UciInfoAttribute::MultiPv),
        score(info.score, info.bound),
    ];
    line.extend(info.wdl.map(|[win, draw, loss]| any("wdl", format!("{win} {draw} {loss}"))));
    line.extend([
        UciInfoAttribute::Nodes(info.nodes),
        UciInfoAttribute::Nps(info.nodes_per_second()),
        u16::try_from(info.hash_full)
            .map_or_else(|_| any("hashfull", info.hash_full), UciInfoAttribute::HashFull),
        UciInfoAttribute::TbHits(info.table_hits),
        UciInfoAttribute::Time(Duration::milliseconds(millis)),
    ]);
    if !info.pv.is_empty() {
        let moves: Option<Vec<UciMove>> = info.pv.iter().map(|mv| standard_move(mv)).collect();
        line.push(moves.map_or_else(|| any("pv", info.pv.join(" ")), UciInfoAttribute::Pv));
    }
    UciMessage::Info(line).serialize()
}

/// The crate prints a bound whenever the field is there, so an exact score has neither field.
fn score(score: Score, bound: Bound) -> UciInfoAttribute {
    let lower_bound = (bound == Bound::Lower).then_some(true);
    let upper_bound = (bound == Bound::Upper).then_some(true);
    let Some(moves) = score.moves_to_mate() else {
        return UciInfoAttribute::Score { cp: Some(score.value()), mate: None, lower_bound, upper_bound };
    };
    match i8::try_from(moves) {
        Ok(moves) => UciInfoAttribute::Score { cp: None, mate: Some(moves), lower_bound, upper_bound },
        Err(_) => {
            let suffix = match bound {
                Bound::Exact => "",
                Bound::Lower => " lowerbound",
                Bound::Upper => " upperbound",
            };
            any("score", format!("mate {moves}{suffix}"))
        }
    }
}

fn current_move(depth: u32, mv: &str, number: usize) -> String {
    let current = standard_move(mv).map_or_else(|| any("currmove", mv), UciInfoAttribute::CurrMove);
    UciMessage::Info(vec![depth_attribute(depth), current, any("currmovenumber", number)]).serialize()
}

/// Without a move to play the answer is the null move, which GUIs read everywhere.
fn best_move(best: Option<&str>, ponder: Option<&str>) -> String {
    let Some(best) = best else { return "bestmove 0000".to_string() };
    match (standard_move(best), ponder, ponder.and_then(standard_move)) {
        (Some(best), None, _) => UciMessage::best_move(best).serialize(),
        (Some(best), Some(_), Some(ponder)) => UciMessage::best_move_with_ponder(best, ponder).serialize(),
        (_, Some(ponder), _) => format!("bestmove {best} ponder {ponder}"),
        (_, None, _) => format!("bestmove {best}"),
    }
}

/// A move that the crate can write exactly as it stands: squares of the small board, a promotion to q, r, b or n.
fn standard_move(text: &str) -> Option<UciMove> {
    let square = |file: u8, rank: u8| {
        let inside = (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
        inside.then(|| UciSquare::from(file.into(), rank - b'0'))
    };
    let (squares, promotion) = match text.as_bytes() {
        [squares @ .., b'q'] => (squares, Some(UciPiece::Queen)),
        [squares @ .., b'r'] => (squares, Some(UciPiece::Rook)),
        [squares @ .., b'b'] => (squares, Some(UciPiece::Bishop)),
        [squares @ .., b'n'] => (squares, Some(UciPiece::Knight)),
        squares => (squares, None),
    };
    let &[from_file, from_rank, to_file, to_rank] = squares else { return None };
    Some(UciMove { from: square(from_file, from_rank)?, to: square(to_file, to_rank)?, promotion })
}

fn option(spec: &OptionSpec) -> UciOptionConfig {
    let name = spec.name.to_string();
    let text = |default: &str| Some(if default.is_empty() { "<empty>" } else { default }.to_string());
    match &spec.kind {
        OptionKind::Check { default } => UciOptionConfig::Check { name, default: Some(*default) },
        OptionKind::Spin { default, min, max } => {
            UciOptionConfig::Spin { name, default: Some(*default), min: Some(*min), max: Some(*max) }
        }
        OptionKind::Combo { default, choices } => UciOptionConfig::Combo {
            name,
            default: text(default),
            var: choices.iter().map(|choice| choice.to_string()).collect(),
        },
        OptionKind::Text { default } => UciOptionConfig::String { name, default: text(default) },
        OptionKind::Button => UciOptionConfig::Button { name },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::evaluation::DEFAULT_EVALUATION;
    use crate::engine::options::Options;

    fn example() -> Info {
        Info {
            depth: 12,
            selective_depth: 20,
            multipv: 1,
            score: Score::new(-34),
            bound: Bound::Exact,
            wdl: None,
            nodes: 1_000_000,
            time: Duration::from_micros(500_900),
            hash_full: 37,
            table_hits: 0,
            pv: vec!["e2e4".to_string(), "e7e5".to_string()],
        }
    }

    fn line(info: Info) -> String {
        report(&Report::Info(info))
    }

    #[test]
    fn info_lines() {
        assert_eq!(
            line(example()),
            "info depth 12 seldepth 20 multipv 1 score cp -34 nodes 1000000 nps 1996406 hashfull 37 tbhits 0 \
             time 500 pv e2e4 e7e5"
        );
        assert_eq!(
            line(Info { wdl: Some([10, 950, 40]), bound: Bound::Upper, multipv: 3, ..example() }),
            "info depth 12 seldepth 20 multipv 3 score cp -34 upperbound wdl 10 950 40 nodes 1000000 nps 1996406 \
             hashfull 37 tbhits 0 time 500 pv e2e4 e7e5"
        );
        assert_eq!(
            line(Info {
                depth: 300,
                selective_depth: 400,
                multipv: 70_000,
                nodes: u64::MAX,
                time: Duration::MAX,
                hash_full: 70_000,
                table_hits: u64::MAX,
                pv: vec![],
                ..example()
            }),
            "info depth 300 seldepth 400 multipv 70000 score cp -34 nodes 18446744073709551615 nps 0 \
             hashfull 70000 tbhits 18446744073709551615 time 9223372036854775807"
        );
    }

    #[test]
    fn mates_near_and_far() {
        for (score, bound, text) in [
            (Score::mate_in(5), Bound::Exact, " score mate 3 nodes"),
            (Score::mated_in(4), Bound::Lower, " score mate -2 lowerbound nodes"),
            (Score::mated_in(0), Bound::Exact, " score mate 0 nodes"),
            (Score::mate_in(399), Bound::Exact, " score mate 200 nodes"),
            (Score::mated_in(600), Bound::Upper, " score mate -300 upperbound nodes"),
            (Score::TABLE_WIN, Bound::Exact, " score cp 30900 nodes"),
        ] {
            let line = line(Info { score, bound, ..example() });
            assert!(line.contains(text), "{line}");
        }
    }

    #[test]
    fn moves_of_any_game() {
        for pv in ["a7a8q h2h1n e8h8 b7b8b", "j7j10 a2a4", "P@e4", "e7e8a e2e4", "0000", "é2e4"] {
            let line = line(Info { pv: pv.split(' ').map(str::to_string).collect(), ..example() });
            assert!(line.ends_with(&format!(" time 500 pv {pv}")), "{line}");
        }
        let current = |mv: &str| report(&Report::CurrentMove { depth: 9, mv: mv.to_string(), number: 4 });
        assert_eq!(current("g1f3"), "info depth 9 currmove g1f3 currmovenumber 4");
        assert_eq!(current("j7j10"), "info depth 9 currmove j7j10 currmovenumber 4");
    }

    #[test]
    fn best_moves() {
        let best = |best: Option<&str>, ponder: Option<&str>| {
            report(&Report::BestMove { best: best.map(str::to_string), ponder: ponder.map(str::to_string) })
        };
        assert_eq!(best(Some("e2e4"), None), "bestmove e2e4");
        assert_eq!(best(Some("a7a8q"), Some("e7e5")), "bestmove a7a8q ponder e7e5");
        assert_eq!(best(Some("e2e4"), Some("j7j10")), "bestmove e2e4 ponder j7j10");
        assert_eq!(best(Some("j2j4"), None), "bestmove j2j4");
        assert_eq!(best(None, None), "bestmove 0000");
        assert_eq!(best(None, Some("e7e5")), "bestmove 0000");
    }

    #[test]
    fn text_stays_on_one_line() {
        assert_eq!(report(&Report::Text("two\r\nlines\u{7}\n".to_string())), "info string two  lines");
        assert_eq!(error(&Error::new("bad\nthing")), "info string error: bad thing");
        assert_eq!(ready(), "readyok");
    }

    #[test]
    fn the_answer_to_uci() {
        let evaluation =
            format!("option name Evaluation type combo default {DEFAULT_EVALUATION} var NNUE var Classical");
        let expected = [
            concat!("id name Rosada ", env!("CARGO_PKG_VERSION")),
            "id author the Rosada team",
            "option name Hash type spin default 16 min 1 max 1048576",
            "option name Clear Hash type button",
            "option name Threads type spin default 1 min 1 max 512",
            "option name Ponder type check default false",
            "option name MultiPV type spin default 1 min 1 max 500",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name UCI_Chess960 type check default false",
            "option name UCI_Variant type combo default chess var chess var standard var maharajah var janus var embassy \
             var amazon var grand var caparandom var behemoth var capablanca var gothic",
            "option name UCI_AnalyseMode type check default false",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 1500 min 1320 max 3000",
            "option name Skill Level type spin default 20 min 0 max 20",
            "option name UCI_ShowWDL type check default false",
            "option name EndgamePath type string default <empty>",
            "option name SyzygyPath type string default <empty>",
            "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
            "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
            "option name Syzygy50MoveRule type check default true",
            "option name OwnBook type check default false",
            "option name BookFile type string default <empty>",
            "option name BookDepth type spin default 255 min 1 max 255",
            "option name BookChoice type combo default weighted var weighted var best",
            &evaluation,
            "option name EvalFile type string default <empty>",
            "option name UCI_Opponent type string default <empty>",
            "option name Debug Log File type string default <empty>",
            "uciok",
        ];
        assert_eq!(identification(&Options::default().specs()), expected);
        let choices = &["chess", "grand"];
        let variant = OptionSpec {
            name: "UCI_Variant",
            kind: OptionKind::Combo { default: "chess".to_string(), choices },
        };
        assert_eq!(
            identification(&[variant])[2],
            "option name UCI_Variant type combo default chess var chess var grand"
        );
    }
}
