//! Words put into lines that are not too long, as PGN wants them.

/// PGN asks for lines of less than eighty characters.
const WIDTH: usize = 79;

/// Puts words one behind the other and begins a new line where the next word would not fit.
#[derive(Default)]
pub struct Fold {
    text: String,
    /// Characters in the last line.
    column: usize,
}

impl Fold {
    /// Adds a word.
    pub fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 {
            // A line that begins with a bracket looks like a tag, one that begins with a percent sign like no text at all.
            let fits = self.column + 1 + length <= WIDTH || word.starts_with(['[', '%']);
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column += length;
    }

    /// What has been written, with the end of its last line.
    pub fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}
