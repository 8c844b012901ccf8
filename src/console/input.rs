//! Lines from whoever plays: from a terminal with editing, history and completion, or from a pipe, whose lines are
//! repeated so that a record of the session can be read.

use std::io::{BufRead, IsTerminal};

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::command::COMMANDS;
use crate::base::Error;
use crate::engine::board::games;
use crate::pgn::input::read_line;

/// Longer lines are cut: no command needs more.
const LONGEST_LINE: usize = 1 << 16;

/// What comes in.
pub enum Entry {
    /// A line.
    Line(String),
    /// Ctrl-C at the prompt of a terminal.
    Interrupted,
    /// There will be no more.
    End,
}

/// Where lines come from.
pub enum Input {
    /// A terminal.
    Terminal(Box<Editor<Guide, MemHistory>>),
    /// Anything else.
    Pipe(Box<dyn BufRead>),
}

impl Input {
    /// Standard input.
    pub fn standard() -> Result<Input, Error> {
        if !std::io::stdin().is_terminal() {
            return Ok(Input::Pipe(Box::new(std::io::stdin().lock())));
        }
        let fault = |error: ReadlineError| Error::new(format!("cannot use the terminal: {error}"));
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).map_err(fault)?;
        editor.set_helper(Some(Guide::default()));
        Ok(Input::Terminal(Box::new(editor)))
    }

    /// Whether a person types at a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// The next line. `moves` are offered as completions; `echo` hears what came through a pipe.
    pub fn next(&mut self, prompt: &str, moves: Vec<String>, echo: impl FnOnce(&str)) -> Entry {
        match self {
            Input::Terminal(editor) => {
                if let Some(guide) = editor.helper_mut() {
                    guide.moves = moves;
                }
                match editor.readline(prompt) {
                    Ok(line) => {
                        // A history that is full or off is no reason to end.
                        let _ = editor.add_history_entry(line.as_str());
                        Entry::Line(line)
                    }
                    Err(ReadlineError::Interrupted) => Entry::Interrupted,
                    Err(_) => Entry::End,
                }
            }
            Input::Pipe(stream) => {
                let mut bytes = Vec::new();
                match read_line(stream, LONGEST_LINE, &mut bytes) {
                    Ok(true) => {
                        let line = String::from_utf8_lossy(&bytes).into_owned();
                        echo(&format!("{prompt}{}", line.trim()));
                        Entry::Line(line)
                    }
                    Ok(false) | Err(_) => {
                        echo(prompt.trim_end());
                        Entry::End
                    }
                }
            }
        }
    }
}

/// Completes commands, their arguments, files and moves.
#[derive(Default)]
pub struct Guide {
    files: FilenameCompleter,
    moves: Vec<String>,
}

impl Completer for Guide {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        place: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..place.min(line.len())];
        let first = before.split_whitespace().next().unwrap_or_default();
        let in_first = !before.contains(char::is_whitespace);
        if !in_first && ["save", "load"].contains(&first) {
            return self.files.complete(line, place, context);
        }
        let start = before.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
        let begun = &before[start..];
        let words: Vec<&str> = if in_first {
            let commands = COMMANDS.iter().map(|(name, _, _)| *name).filter(|name| !name.starts_with('<'));
            commands.chain(self.moves.iter().map(String::as_str)).collect()
        } else {
            arguments(first)
        };
        let pair = |word: &str| Pair { display: word.to_string(), replacement: word.to_string() };
        Ok((start, words.into_iter().filter(|word| word.starts_with(begun)).map(pair).collect()))
    }
}

/// What may stand behind a command.
fn arguments(command: &str) -> Vec<&'static str> {
    match command {
        "color" => vec!["white", "black", "both", "none"],
        "level" => vec!["time", "depth", "nodes", "elo", "clock"],
        "style" => vec!["unicode", "ascii", "color", "plain"],
        "clock" => vec!["off"],
        "variant" => games().collect(),
        "help" => COMMANDS.iter().map(|(name, _, _)| *name).collect(),
        _ => Vec::new(),
    }
}

impl Hinter for Guide {
    type Hint = String;
}
impl Highlighter for Guide {}
impl Validator for Guide {}
impl Helper for Guide {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn offered(line: &str) -> Vec<String> {
        let guide = Guide { moves: vec!["Nf3".to_string(), "Nc3".to_string()], ..Guide::default() };
        let history = MemHistory::new();
        let (_, pairs) = guide.complete(line, line.len(), &Context::new(&history)).unwrap();
        pairs.into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn completion_knows_commands_arguments_and_moves() {
        assert_eq!(offered("ho"), Vec::<String>::new());
        assert_eq!(offered("his"), ["history"]);
        assert_eq!(offered("N"), ["Nf3", "Nc3"]);
        assert_eq!(offered("level d"), ["depth"]);
        assert_eq!(offered("variant ja"), ["janus"]);
        assert!(offered("load src/cons").iter().any(|file| file.contains("console")));
    }
}
