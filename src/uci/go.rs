//! The reader of `go`: any order, several limits at once, odd numbers as GUIs really send them.
//!
//! A clock that has run over comes as a negative number and must still get a move at once, so numbers are
//! clamped where there is a sensible nearest value, and refused only where there is none.

use std::num::IntErrorKind;
use std::time::Duration;

use super::command::{Command, Go, words};
use crate::base::Error;
use crate::base::error::quote;
use crate::time::Limits;

/// The words that begin a new part of `go`.
const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// No clock shows more than this, some thirty years; what is above is cut, so that adding to a point in time cannot
/// overflow.
const MAX_MILLISECONDS: i128 = 1_000_000_000_000;

/// The deepest perft anyone can wait for.
const MAX_PERFT: u32 = 20;

/// Reads what follows the word `go`. Unknown words are skipped; of a repeated key the last one counts.
pub(super) fn parse(rest: &str) -> Result<Command, Error> {
    let mut limits = Limits::default();
    let mut search_moves = Vec::new();
    let mut perft = None;
    let mut words = words(rest).peekable();
    while let Some(word) = words.next() {
        let Some(key) = keyword(word) else { continue };
        match key {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                search_moves.clear();
                while let Some(mv) = words.next_if(|word| keyword(word).is_none()) {
                    search_moves.push(mv.to_string());
                }
            }
            _ => {
                let number = integer(key, words.next())?;
                match key {
                    "wtime" => limits.remaining[0] = Some(milliseconds(number)),
                    "btime" => limits.remaining[1] = Some(milliseconds(number)),
                    "winc" => limits.increment[0] = milliseconds(number),
                    "binc" => limits.increment[1] = milliseconds(number),
                    "movetime" => limits.move_time = Some(milliseconds(number)),
                    "movestogo" => limits.moves_to_go = (number > 0).then(|| at_least_one(number)),
                    "depth" => limits.depth = Some(at_least_one(number)),
                    "nodes" => limits.nodes = Some(number.clamp(1, u64::MAX.into()) as u64),
                    "mate" if number < 1 => return Err(out_of_range(key, "1 or more", number)),
                    "mate" => limits.mate = Some(at_least_one(number)),
                    _ if !(0..=i128::from(MAX_PERFT)).contains(&number) => {
                        return Err(out_of_range(key, &format!("from 0 to {MAX_PERFT}"), number));
                    }
                    _ => perft = Some(number as u32),
                }
            }
        }
    }
    if let Some(depth) = perft {
        return Ok(Command::Perft(depth));
    }
    limits.infinite |= is_unlimited(&limits);
    Ok(Command::Go(Go { limits, search_moves }))
}

/// Nothing ends this search by itself: `go` alone, or with nothing but restrictions that need a clock. Pondering is
/// a state of its own, which `ponderhit` or `stop` ends.
fn is_unlimited(limits: &Limits) -> bool {
    !limits.ponder
        && limits.remaining == [None; 2]
        && limits.move_time.is_none()
        && limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.mate.is_none()
}

fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// The number after `key`. One that is too long for the type is as large as the type can say.
fn integer(key: &str, word: Option<&str>) -> Result<i128, Error> {
    let Some(word) = word else { return Err(Error::new(format!("go {key} needs a number"))) };
    word.parse::<i128>().or_else(|error| match error.kind() {
        IntErrorKind::PosOverflow => Ok(i128::MAX),
        IntErrorKind::NegOverflow => Ok(i128::MIN),
        _ => Err(Error::new(format!("go {key} needs a number, not {}", quote(word)))),
    })
}

fn out_of_range(key: &str, range: &str, number: i128) -> Error {
    Error::new(format!("go {key} must be {range}, not {number}"))
}

fn milliseconds(number: i128) -> Duration {
    Duration::from_millis(number.clamp(0, MAX_MILLISECONDS) as u64)
}

fn at_least_one(number: i128) -> u32 {
    number.clamp(1, u32::MAX.into()) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vampirc_uci::{UciMessage, UciTimeControl, parse_strict};

    use super::*;

    fn go(rest: &str) -> Go {
        match parse(rest).unwrap() {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    fn limits(rest: &str) -> Limits {
        go(rest).limits
    }

    fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn clocks() {
        let expected = Limits {
            remaining: [Some(ms(1000)), Some(ms(2000))],
            increment: [ms(10), ms(20)],
            moves_to_go: Some(40),
            ..Limits::default()
        };
        assert_eq!(limits("wtime 1000 btime 2000 winc 10 binc 20 movestogo 40"), expected);
        assert_eq!(limits("movestogo 40 binc 20 winc 10 btime 2000 wtime 1000"), expected);
        assert_eq!(limits("WTIME 1000 bTime +2000 winc 10 binc 20 movestogo 040"), expected);
        let one_clock = Limits { remaining: [None, Some(ms(885_300))], ..Limits::default() };
        assert_eq!(limits("btime 885300"), one_clock);
        let over = Limits { remaining: [Some(ms(0)); 2], ..Limits::default() };
        assert_eq!(limits("wtime -100 btime -100 winc -5 binc -5"), over);
        assert_eq!(limits("wtime 0 btime 0 movestogo -5"), over);
        assert_eq!(limits("wtime 0 btime 0 movestogo 0"), over);
        assert_eq!(limits("wtime 1000 wtime 2000").remaining, [Some(ms(2000)), None]);
        let longest = ms(MAX_MILLISECONDS as u64);
        assert_eq!(limits("wtime 99999999999999999999999999999999999999999999").remaining[0], Some(longest));
    }

    #[test]
    fn other_limits() {
        let plain = Limits::default();
        for (rest, expected) in [
            ("movetime 0", Limits { move_time: Some(ms(0)), ..plain.clone() }),
            ("movetime -1", Limits { move_time: Some(ms(0)), ..plain.clone() }),
            ("depth 0", Limits { depth: Some(1), ..plain.clone() }),
            ("depth -3", Limits { depth: Some(1), ..plain.clone() }),
            ("depth 300", Limits { depth: Some(300), ..plain.clone() }),
            ("depth 99999999999999999999", Limits { depth: Some(u32::MAX), ..plain.clone() }),
            ("nodes 0", Limits { nodes: Some(1), ..plain.clone() }),
            ("nodes 18446744073709551616", Limits { nodes: Some(u64::MAX), ..plain.clone() }),
            ("mate 3", Limits { mate: Some(3), ..plain.clone() }),
            ("foo bar depth 2", Limits { depth: Some(2), ..plain.clone() }),
            ("ponder", Limits { ponder: true, ..plain.clone() }),
            ("ponder infinite", Limits { ponder: true, infinite: true, ..plain.clone() }),
            ("infinite depth 4", Limits { infinite: true, depth: Some(4), ..plain.clone() }),
            ("ponder wtime 5", Limits { ponder: true, remaining: [Some(ms(5)), None], ..plain.clone() }),
        ] {
            assert_eq!(limits(rest), expected, "{rest}");
        }
    }

    #[test]
    fn without_a_limit_the_search_is_infinite() {
        for rest in ["", "searchmoves", "searchmoves e2e4", "movestogo 1", "winc 5", "foo", "infinite"] {
            assert!(limits(rest).infinite, "{rest}");
        }
    }

    #[test]
    fn search_moves_end_at_the_next_keyword() {
        let asked = go("searchmoves e2e4 a1a9 zz99 depth 2 nodes 7");
        assert_eq!(asked.search_moves, ["e2e4", "a1a9", "zz99"]);
        assert_eq!((asked.limits.depth, asked.limits.nodes), (Some(2), Some(7)));
        assert_eq!(go("searchmoves e2e4 infinite searchmoves d2d4").search_moves, ["d2d4"]);
    }

    #[test]
    fn faults_name_the_word() {
        for (rest, message) in [
            ("wtime btime winc binc", "go wtime needs a number, not \"btime\""),
            ("wtime abc btime 1000", "go wtime needs a number, not \"abc\""),
            ("depth", "go depth needs a number"),
            ("depth 1.5", "go depth needs a number, not \"1.5\""),
            ("depth -", "go depth needs a number, not \"-\""),
            ("mate 0", "go mate must be 1 or more, not 0"),
            ("perft -1", "go perft must be from 0 to 20, not -1"),
            ("perft 21", "go perft must be from 0 to 20, not 21"),
        ] {
            assert_eq!(parse(rest), Err(Error::new(message)), "{rest}");
        }
        assert_eq!(parse("perft 0"), Ok(Command::Perft(0)));
    }

    /// The crate's reading of a well-formed line without its known faults.
    fn by_crate(line: &str) -> Go {
        let messages = parse_strict(line).unwrap();
        let [UciMessage::Go { time_control, search_control }] = messages.as_slice() else {
            panic!("{messages:?}")
        };
        let time = |time: &Option<vampirc_uci::Duration>| time.map(|time| ms(time.num_milliseconds() as u64));
        let mut limits = Limits::default();
        match time_control {
            Some(UciTimeControl::Ponder) => limits.ponder = true,
            Some(UciTimeControl::Infinite) => limits.infinite = true,
            Some(UciTimeControl::MoveTime(move_time)) => limits.move_time = time(&Some(*move_time)),
            Some(UciTimeControl::TimeLeft {
                white_time,
                black_time,
                white_increment,
                black_increment,
                moves_to_go,
            }) => {
                limits.remaining = [time(white_time), time(black_time)];
                limits.increment =
                    [time(white_increment).unwrap_or_default(), time(black_increment).unwrap_or_default()];
                limits.moves_to_go = moves_to_go.map(u32::from);
            }
            None => {}
        }
        let mut search_moves = Vec::new();
        if let Some(search) = search_control {
            limits.depth = search.depth.map(u32::from);
            limits.nodes = search.nodes;
            limits.mate = search.mate.map(u32::from);
            search_moves = search.search_moves.iter().map(ToString::to_string).collect();
        }
        limits.infinite |= is_unlimited(&limits);
        Go { limits, search_moves }
    }

    prop_compose! {
        fn clock_part()(
            clocks in prop::collection::hash_map(
                prop::sample::select(vec!["wtime", "btime", "winc", "binc"]), 0u64..1_000_000_000_000, 1..4),
            moves_to_go in prop::option::of(1u8..),
        ) -> Vec<String> {
            let mut parts: Vec<String> = clocks.iter().map(|(key, time)| format!("{key} {time}")).collect();
            parts.extend(moves_to_go.map(|moves| format!("movestogo {moves}")));
            parts
        }
    }

    prop_compose! {
        fn well_formed()(
            time in prop_oneof![
                clock_part(),
                Just(vec!["infinite".to_string()]),
                Just(vec!["ponder".to_string()]),
                (0u64..1_000_000).prop_map(|time| vec![format!("movetime {time}")]),
                Just(vec![]),
            ],
            depth in prop::option::of(1u8..),
            nodes in prop::option::of(1u64..1_000_000_000_000),
            mate in prop::option::of(1u8..),
            moves in prop::collection::vec("[a-h][1-8][a-h][1-8][qrbn]?", 0..5),
        )(
            parts in Just({
                let mut parts = time;
                parts.extend(depth.map(|depth| format!("depth {depth}")));
                parts.extend(nodes.map(|nodes| format!("nodes {nodes}")));
                parts.extend(mate.map(|mate| format!("mate {mate}")));
                if !moves.is_empty() {
                    parts.push(format!("searchmoves {}", moves.join(" ")));
                }
                parts
            }).prop_shuffle()
        ) -> String {
            parts.join(" ")
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn agrees_with_the_crate_where_the_crate_is_right(rest in well_formed()) {
            let line = format!("go {rest}");
            prop_assert_eq!(go(&rest), by_crate(line.trim_end()));
        }
    }
}
