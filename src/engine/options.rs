//! The engine's options: their names, types and limits in one table, their values in one struct.
//!
//! A new option is a field of [`Options`] with its default and a row of [`ROWS`]; printing and setting follow. The
//! front end prints [`Options::specs`] and acts on the [`Change`] that [`Options::set`] returns.

use std::num::IntErrorKind;
use std::path::PathBuf;

use super::evaluation::{DEFAULT_EVALUATION, EVALUATIONS};
use crate::base::Error;
use crate::base::error::quote;

/// The weakest and the strongest rating that can be asked for.
pub const ELO_RANGE: (u32, u32) = (1320, 3000);

/// The skill level that means full strength.
pub const MAX_SKILL_LEVEL: u32 = 20;

/// Book moves by chance, as their weights say, or always the heaviest.
pub const BOOK_CHOICES: [&str; 2] = ["weighted", "best"];

/// As far as any book goes.
const DEEPEST_BOOK: u32 = 255;

/// The current values.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash_mb: u32,
    /// Number of search threads.
    pub threads: u32,
    /// Whether the GUI lets the engine think on the opponent's time. It only tells; `go ponder` decides.
    pub ponder: bool,
    /// How many lines to show.
    pub multi_pv: u32,
    /// Time in milliseconds that is lost between the engine and the clock on every move.
    pub move_overhead_ms: u32,
    /// Chess960 castling notation.
    pub chess960: bool,
    /// The game that is played.
    pub variant: String,
    /// The GUI analyses instead of playing.
    pub analyse_mode: bool,
    /// Play no stronger than `elo`.
    pub limit_strength: bool,
    /// The strength to play at when it is limited.
    pub elo: u32,
    /// Strength in steps, [`MAX_SKILL_LEVEL`] for all of it.
    pub skill_level: u32,
    /// Add chances of win, draw and loss to each score.
    pub show_wdl: bool,
    /// Folders with endgame tables of our own.
    pub endgame_path: String,
    /// Folders with Syzygy tables.
    pub syzygy_path: String,
    /// The depth from which the largest Syzygy tables are asked.
    pub syzygy_probe_depth: u32,
    /// The most men for which Syzygy tables are asked.
    pub syzygy_probe_limit: u32,
    /// Syzygy wins that take longer than fifty moves are draws.
    pub syzygy_50_move_rule: bool,
    /// Play from the opening book.
    pub own_book: bool,
    /// The opening book, a Polyglot file; the embedded one when empty.
    pub book_file: String,
    /// The last move of a game that may come from the book.
    pub book_depth: u32,
    /// How a move of the book is chosen, one of [`BOOK_CHOICES`].
    pub book_choice: String,
    /// What positions of chess are judged by, one of [`EVALUATIONS`].
    pub evaluation: String,
    /// The network, a file of `rosada train`; the embedded one when empty.
    pub eval_file: String,
    /// Who plays against us, as the GUI describes it.
    pub opponent: String,
    /// The file every line in and out is copied to; none when empty.
    pub debug_log_file: String,
    /// Further spins, such as search parameters in a tuning build.
    pub tunables: Vec<Tunable>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: 16,
            threads: 1,
            ponder: false,
            multi_pv: 1,
            move_overhead_ms: 10,
            chess960: false,
            variant: super::any::VARIANTS[0].to_string(),
            analyse_mode: false,
            limit_strength: false,
            elo: 1500,
            skill_level: MAX_SKILL_LEVEL,
            show_wdl: false,
            endgame_path: String::new(),
            syzygy_path: String::new(),
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_50_move_rule: true,
            own_book: false,
            book_file: String::new(),
            book_depth: DEEPEST_BOOK,
            book_choice: BOOK_CHOICES[0].to_string(),
            evaluation: DEFAULT_EVALUATION.to_string(),
            eval_file: String::new(),
            opponent: String::new(),
            debug_log_file: String::new(),
            tunables: Vec::new(),
        }
    }
}

/// A number that is no field of its own. The caller puts it into [`Options::tunables`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// The name as the GUI sees it.
    pub name: &'static str,
    /// The value at start.
    pub default: i64,
    /// The smallest value.
    pub min: i64,
    /// The largest value.
    pub max: i64,
    /// The value now.
    pub value: i64,
}

/// An option as a GUI is told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// Its type, limits and default.
    pub kind: OptionKind,
}

/// The types of options that UCI knows, with their defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// At start.
        default: bool,
    },
    /// A number.
    Spin {
        /// At start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// At start.
        default: String,
        /// All of them.
        choices: &'static [&'static str],
    },
    /// Any text.
    Text {
        /// At start.
        default: String,
    },
    /// Something to press.
    Button,
}

/// What the caller of [`Options::set`] has to do now. Setting an option to the value it has is a change too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: the value is stored and will be read when it is needed.
    Stored,
    /// Make the transposition table this large, in MiB.
    Hash(u32),
    /// Empty the transposition table.
    ClearHash,
    /// Search with this many threads.
    Threads(u32),
    /// Open the endgame tables in these folders.
    EndgamePath(String),
    /// Open the Syzygy tables in these folders.
    SyzygyPath(String),
    /// Use the Syzygy tables as the options say now.
    SyzygyUse,
    /// Switch the notation of castling.
    Chess960(bool),
    /// Play this variant.
    Variant(String),
    /// Play from this book, or from the embedded one.
    BookFile(Option<PathBuf>),
    /// Judge positions as the options say now.
    Evaluation,
    /// Load this network, or the embedded one.
    EvalFile(Option<PathBuf>),
    /// Copy all lines to this file, or to none.
    LogFile(Option<PathBuf>),
    /// Give a search parameter this value.
    Tunable {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: i64,
    },
}

/// The place where an option's value lives, with its limits.
#[derive(Debug)]
pub enum Cell<'a> {
    /// On or off.
    Check(&'a mut bool),
    /// A number between two others, both included.
    Spin(&'a mut u32, u32, u32),
    /// One of these words.
    Combo(&'a mut String, &'static [&'static str]),
    /// Any text.
    Text(&'a mut String),
    /// No value at all.
    Button,
}

/// One option: its name, where its value lives, and what setting it sets off.
struct Row {
    name: &'static str,
    cell: fn(&mut Options) -> Cell<'_>,
    change: fn(&Options) -> Change,
}

/// Every option, in the order in which a GUI shows them.
const ROWS: &[Row] = &[
    Row {
        name: "Hash",
        cell: |o| Cell::Spin(&mut o.hash_mb, 1, 1_048_576),
        change: |o| Change::Hash(o.hash_mb),
    },
    Row { name: "Clear Hash", cell: |_| Cell::Button, change: |_| Change::ClearHash },
    Row {
        name: "Threads",
        cell: |o| Cell::Spin(&mut o.threads, 1, 512),
        change: |o| Change::Threads(o.threads),
    },
    Row { name: "Ponder", cell: |o| Cell::Check(&mut o.ponder), change: |_| Change::Stored },
    Row { name: "MultiPV", cell: |o| Cell::Spin(&mut o.multi_pv, 1, 500), change: |_| Change::Stored },
    Row {
        name: "Move Overhead",
        cell: |o| Cell::Spin(&mut o.move_overhead_ms, 0, 5000),
        change: |_| Change::Stored,
    },
    Row {
        name: "UCI_Chess960",
        cell: |o| Cell::Check(&mut o.chess960),
        change: |o| Change::Chess960(o.chess960),
    },
    Row {
        name: "UCI_Variant",
        cell: |o| Cell::Combo(&mut o.variant, super::any::VARIANTS),
        change: |o| Change::Variant(o.variant.clone()),
    },
    Row { name: "UCI_AnalyseMode", cell: |o| Cell::Check(&mut o.analyse_mode), change: |_| Change::Stored },
    Row {
        name: "UCI_LimitStrength",
        cell: |o| Cell::Check(&mut o.limit_strength),
        change: |_| Change::Stored,
    },
    Row {
        name: "UCI_Elo",
        cell: |o| Cell::Spin(&mut o.elo, ELO_RANGE.0, ELO_RANGE.1),
        change: |_| Change::Stored,
    },
    Row {
        name: "Skill Level",
        cell: |o| Cell::Spin(&mut o.skill_level, 0, MAX_SKILL_LEVEL),
        change: |_| Change::Stored,
    },
    Row { name: "UCI_ShowWDL", cell: |o| Cell::Check(&mut o.show_wdl), change: |_| Change::Stored },
    Row {
        name: "EndgamePath",
        cell: |o| Cell::Text(&mut o.endgame_path),
        change: |o| Change::EndgamePath(o.endgame_path.clone()),
    },
    Row {
        name: "SyzygyPath",
        cell: |o| Cell::Text(&mut o.syzygy_path),
        change: |o| Change::SyzygyPath(o.syzygy_path.clone()),
    },
    Row {
        name: "SyzygyProbeDepth",
        cell: |o| Cell::Spin(&mut o.syzygy_probe_depth, 1, 100),
        change: |_| Change::SyzygyUse,
    },
    Row {
        name: "SyzygyProbeLimit",
        cell: |o| Cell::Spin(&mut o.syzygy_probe_limit, 0, 7),
        change: |_| Change::SyzygyUse,
    },
    Row {
        name: "Syzygy50MoveRule",
        cell: |o| Cell::Check(&mut o.syzygy_50_move_rule),
        change: |_| Change::SyzygyUse,
    },
    Row { name: "OwnBook", cell: |o| Cell::Check(&mut o.own_book), change: |_| Change::Stored },
    Row {
        name: "BookFile",
        cell: |o| Cell::Text(&mut o.book_file),
        change: |o| Change::BookFile((!o.book_file.is_empty()).then(|| PathBuf::from(&o.book_file))),
    },
    Row {
        name: "BookDepth",
        cell: |o| Cell::Spin(&mut o.book_depth, 1, DEEPEST_BOOK),
        change: |_| Change::Stored,
    },
    Row {
        name: "BookChoice",
        cell: |o| Cell::Combo(&mut o.book_choice, &BOOK_CHOICES),
        change: |_| Change::Stored,
    },
    Row {
        name: "Evaluation",
        cell: |o| Cell::Combo(&mut o.evaluation, &EVALUATIONS),
        change: |_| Change::Evaluation,
    },
    Row {
        name: "EvalFile",
        cell: |o| Cell::Text(&mut o.eval_file),
        change: |o| Change::EvalFile((!o.eval_file.is_empty()).then(|| PathBuf::from(&o.eval_file))),
    },
    Row { name: "UCI_Opponent", cell: |o| Cell::Text(&mut o.opponent), change: |_| Change::Stored },
    Row {
        name: "Debug Log File",
        cell: |o| Cell::Text(&mut o.debug_log_file),
        change: |o| Change::LogFile((!o.debug_log_file.is_empty()).then(|| PathBuf::from(&o.debug_log_file))),
    },
];

impl Options {
    /// What a GUI is told about the options: defaults, not current values.
    pub fn specs(&self) -> Vec<OptionSpec> {
        let mut defaults = Options::default();
        let rows =
            ROWS.iter().map(|row| OptionSpec { name: row.name, kind: (row.cell)(&mut defaults).kind() });
        let mut specs: Vec<OptionSpec> = rows.collect();
        specs.extend(self.tunables.iter().map(|&Tunable { name, default, min, max, .. }| OptionSpec {
            name,
            kind: OptionKind::Spin { default, min, max },
        }));
        specs
    }

    /// Sets the option called `name`, whose case and blanks do not matter. After an error the old value stands.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, Error> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(row) = ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(&name)) {
            (row.cell)(self).set(row.name, value)?;
            return Ok((row.change)(self));
        }
        let tunable = self.tunables.iter_mut().find(|tunable| tunable.name.eq_ignore_ascii_case(&name));
        let Some(tunable) = tunable else {
            return Err(Error::new(format!("unknown option {}", quote(&name))));
        };
        tunable.value = parse_spin(tunable.name, needed(tunable.name, value)?, tunable.min, tunable.max)?;
        Ok(Change::Tunable { name: tunable.name, value: tunable.value })
    }
}

impl Cell<'_> {
    /// The type, the limits, and the value as the default.
    fn kind(&self) -> OptionKind {
        match self {
            Cell::Check(value) => OptionKind::Check { default: **value },
            Cell::Spin(value, min, max) => {
                OptionKind::Spin { default: (**value).into(), min: (*min).into(), max: (*max).into() }
            }
            Cell::Combo(value, choices) => OptionKind::Combo { default: value.to_string(), choices },
            Cell::Text(value) => OptionKind::Text { default: value.to_string() },
            Cell::Button => OptionKind::Button,
        }
    }

    /// Reads a value and stores it, or says why not.
    fn set(self, name: &str, value: Option<&str>) -> Result<(), Error> {
        match self {
            Cell::Check(cell) => *cell = parse_check(name, needed(name, value)?)?,
            Cell::Spin(cell, min, max) => {
                let number = parse_spin(name, needed(name, value)?, min.into(), max.into())?;
                *cell = number.clamp(min.into(), max.into()) as u32;
            }
            Cell::Combo(cell, choices) => *cell = parse_combo(name, needed(name, value)?, choices)?,
            Cell::Text(cell) => *cell = value.unwrap_or_default().trim().to_string(),
            Cell::Button => {
                if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
                    return Err(Error::new(format!("{name} takes no value, but got {}", quote(value))));
                }
            }
        }
        Ok(())
    }
}

fn needed<'a>(name: &str, value: Option<&'a str>) -> Result<&'a str, Error> {
    value.map(str::trim).ok_or_else(|| Error::new(format!("{name} needs a value")))
}

fn parse_check(name: &str, value: &str) -> Result<bool, Error> {
    if value.eq_ignore_ascii_case("true") {
        Ok(true)
    } else if value.eq_ignore_ascii_case("false") {
        Ok(false)
    } else {
        Err(Error::new(format!("{name} must be true or false, not {}", quote(value))))
    }
}

fn parse_spin(name: &str, value: &str, min: i64, max: i64) -> Result<i64, Error> {
    let out_of_range = || Error::new(format!("{name} must be from {min} to {max}, not {}", quote(value)));
    match value.parse::<i64>() {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        Ok(_) => Err(out_of_range()),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => Err(out_of_range()),
            _ => {
                Err(Error::new(format!("{name} must be a number from {min} to {max}, not {}", quote(value))))
            }
        },
    }
}

fn parse_combo(name: &str, value: &str, choices: &[&str]) -> Result<String, Error> {
    let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
    choice.map(|choice| choice.to_string()).ok_or_else(|| {
        Error::new(format!("{name} must be one of {}, not {}", choices.join(", "), quote(value)))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn fault(name: &str, value: Option<&str>) -> String {
        let mut options = Options::default();
        let error = options.set(name, value).unwrap_err().to_string();
        assert_eq!(options, Options::default(), "{name} {value:?}");
        error
    }

    #[test]
    fn good_values_are_stored_and_say_what_to_do() {
        let mut options = Options::default();
        for (name, value, change) in [
            ("Hash", Some("32"), Change::Hash(32)),
            ("hAsH", Some(" +64 "), Change::Hash(64)),
            ("  clear   HASH ", None, Change::ClearHash),
            ("Clear Hash", Some(""), Change::ClearHash),
            ("Clear\u{a0}Hash\u{a0}", None, Change::ClearHash),
            ("Threads", Some("512"), Change::Threads(512)),
            ("Ponder", Some("TRUE"), Change::Stored),
            ("MultiPV", Some("256"), Change::Stored),
            ("Move Overhead", Some("0"), Change::Stored),
            ("UCI_Chess960", Some("true"), Change::Chess960(true)),
            ("UCI_Variant", Some("Grand"), Change::Variant("grand".to_string())),
            ("UCI_AnalyseMode", Some("true"), Change::Stored),
            ("UCI_LimitStrength", Some("true"), Change::Stored),
            ("UCI_Elo", Some("1320"), Change::Stored),
            ("Skill Level", Some("0"), Change::Stored),
            ("UCI_ShowWDL", Some("true"), Change::Stored),
            ("EndgamePath", Some("a;b"), Change::EndgamePath("a;b".to_string())),
            ("SyzygyPath", Some("c d"), Change::SyzygyPath("c d".to_string())),
            ("SyzygyProbeDepth", Some("3"), Change::SyzygyUse),
            ("SyzygyProbeLimit", Some("0"), Change::SyzygyUse),
            ("Syzygy50MoveRule", Some("false"), Change::SyzygyUse),
            ("OwnBook", Some("true"), Change::Stored),
            ("BookFile", Some("a b.bin"), Change::BookFile(Some("a b.bin".into()))),
            ("BookDepth", Some("8"), Change::Stored),
            ("BookChoice", Some("BEST"), Change::Stored),
            ("Evaluation", Some("nnue"), Change::Evaluation),
            ("EvalFile", Some("a b.nnue"), Change::EvalFile(Some("a b.nnue".into()))),
            ("UCI_Opponent", Some("GM 2800 human Gary Kasparov"), Change::Stored),
            ("Debug Log File", Some("a b.txt"), Change::LogFile(Some("a b.txt".into()))),
        ] {
            assert_eq!(options.set(name, value), Ok(change), "{name}");
        }
        let expected = Options {
            hash_mb: 64,
            threads: 512,
            ponder: true,
            multi_pv: 256,
            move_overhead_ms: 0,
            chess960: true,
            variant: "grand".to_string(),
            analyse_mode: true,
            limit_strength: true,
            elo: 1320,
            skill_level: 0,
            show_wdl: true,
            endgame_path: "a;b".to_string(),
            syzygy_path: "c d".to_string(),
            syzygy_probe_depth: 3,
            syzygy_probe_limit: 0,
            syzygy_50_move_rule: false,
            own_book: true,
            book_file: "a b.bin".to_string(),
            book_depth: 8,
            book_choice: "best".to_string(),
            evaluation: "NNUE".to_string(),
            eval_file: "a b.nnue".to_string(),
            opponent: "GM 2800 human Gary Kasparov".to_string(),
            debug_log_file: "a b.txt".to_string(),
            tunables: vec![],
        };
        assert_eq!(options, expected);
        assert_eq!(options.set("Debug Log File", None), Ok(Change::LogFile(None)));
    }

    #[test]
    fn bad_values_change_nothing_and_are_named() {
        for (name, value, message) in [
            ("Hash", None, "Hash needs a value"),
            ("hash", Some(""), "Hash must be a number from 1 to 1048576, not \"\""),
            ("Hash", Some("abc"), "Hash must be a number from 1 to 1048576, not \"abc\""),
            ("Hash", Some("0"), "Hash must be from 1 to 1048576, not \"0\""),
            ("Hash", Some("-1"), "Hash must be from 1 to 1048576, not \"-1\""),
            ("Hash", Some("99999999999999999999999"), {
                "Hash must be from 1 to 1048576, not \"99999999999999999999999\""
            }),
            ("Threads", Some("513"), "Threads must be from 1 to 512, not \"513\""),
            ("UCI_Elo", Some("-5"), "UCI_Elo must be from 1320 to 3000, not \"-5\""),
            ("Ponder", Some("maybe"), "Ponder must be true or false, not \"maybe\""),
            ("Clear Hash", Some("now"), "Clear Hash takes no value, but got \"now\""),
            ("NoSuchOption", Some("1"), "unknown option \"NoSuchOption\""),
            ("", None, "unknown option \"\""),
        ] {
            assert_eq!(fault(name, value), message);
        }
    }

    #[test]
    fn combos_take_one_of_their_words() {
        let choices: &[&str] = &["chess", "grand"];
        let mut value = "chess".to_string();
        assert!(Cell::Combo(&mut value, choices).set("UCI_Variant", Some("GRAND")).is_ok());
        assert_eq!(value, "grand");
        let error = Cell::Combo(&mut value, choices).set("UCI_Variant", Some("go")).unwrap_err();
        assert_eq!(error.to_string(), "UCI_Variant must be one of chess, grand, not \"go\"");
        let kind = OptionKind::Combo { default: "grand".to_string(), choices };
        assert_eq!(Cell::Combo(&mut value, choices).kind(), kind);
    }

    #[test]
    fn tunables_join_the_table() {
        let tunable = Tunable { name: "Margin", default: 80, min: -10, max: 200, value: 80 };
        let mut options = Options { tunables: vec![tunable], ..Options::default() };
        assert_eq!(options.set("margin", Some("-7")), Ok(Change::Tunable { name: "Margin", value: -7 }));
        assert!(options.set("margin", Some("-11")).is_err());
        assert_eq!(options.tunables[0].value, -7);
        let kind = OptionKind::Spin { default: 80, min: -10, max: 200 };
        assert_eq!(options.specs().last(), Some(&OptionSpec { name: "Margin", kind }));
    }

    #[test]
    fn every_default_is_a_legal_value() {
        let mut options = Options::default();
        for spec in Options::default().specs() {
            let value = match spec.kind {
                OptionKind::Check { default } => Some(default.to_string()),
                OptionKind::Spin { default, .. } => Some(default.to_string()),
                OptionKind::Combo { default, .. } | OptionKind::Text { default } => Some(default),
                OptionKind::Button => None,
            };
            assert!(options.set(spec.name, value.as_deref()).is_ok(), "{}", spec.name);
        }
        assert_eq!(options, Options::default());
    }
}
