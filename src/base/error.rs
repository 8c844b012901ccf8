//! The one error type of the front doors: a sentence for the person who sent the input.

use std::fmt;

/// What was wrong with an input, in words. Parsers return it; the front end prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    /// An error that says `text`.
    pub fn new(text: impl Into<String>) -> Error {
        Error(text.into())
    }

    /// The same error with the place it happened in front.
    pub fn within(self, place: &str) -> Error {
        Error(format!("{place}: {}", self.0))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// What the system says about a file.
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error(error.to_string())
    }
}

/// Quotes foreign text for a message: control characters escaped, long text cut, so that one bad line
/// stays one readable line.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut quoted = String::from("\"");
    for (count, c) in text.chars().enumerate() {
        if count == LONGEST {
            quoted.push_str("...");
            break;
        }
        if c.is_control() {
            quoted.extend(c.escape_default());
        } else {
            quoted.push(c);
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_cuts_and_escapes() {
        assert_eq!(quote("a\nb"), "\"a\\nb\"");
        assert!(quote(&"x".repeat(1000)).len() < 80);
    }
}
