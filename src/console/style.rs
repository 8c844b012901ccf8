//! How the board is drawn: chess figures or letters, with colors or without.

use std::io::IsTerminal;

use crate::base::Error;
use crate::base::error::quote;

/// What a person may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Figures.
    Unicode,
    /// Letters.
    Ascii,
    /// With colors.
    Color,
    /// Without.
    Plain,
}

impl Look {
    /// Reads a name.
    pub fn parse(text: &str) -> Result<Look, Error> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "unicode" => Look::Unicode,
            "ascii" => Look::Ascii,
            "color" | "colors" | "colour" => Look::Color,
            "plain" => Look::Plain,
            _ => {
                return Err(Error::new(format!("{} is no style: unicode, ascii, color, plain", quote(text))));
            }
        })
    }
}

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Figures instead of letters.
    pub figures: bool,
    /// Colors for squares and men.
    pub colors: bool,
}

impl Style {
    /// What the terminal can do, as far as the environment tells.
    pub fn detect() -> Style {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let terminal = variable("TERM");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).into_iter().find(|value| !value.is_empty());
        let speaks_utf8 = locale.is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let able = terminal != "dumb" && terminal != "linux";
        Style {
            figures: able && (speaks_utf8 || cfg!(windows)),
            colors: std::io::stdout().is_terminal() && terminal != "dumb" && variable("NO_COLOR").is_empty(),
        }
    }

    /// The same with one thing changed.
    pub fn with(mut self, look: Look) -> Style {
        match look {
            Look::Unicode => self.figures = true,
            Look::Ascii => self.figures = false,
            Look::Color => self.colors = true,
            Look::Plain => self.colors = false,
        }
        self
    }
}
