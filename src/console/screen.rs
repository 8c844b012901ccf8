//! The board as text: figures or letters, colors or brackets, and a panel of words beside it. Pure: a view in, text out.

use super::style::Style;
use crate::base::cell::file_letter;
use crate::base::{Cell, Color};
use crate::engine::board::{Man, Men};

/// What is to be drawn.
pub struct View<'a> {
    /// The men.
    pub men: &'a Men,
    /// Black at the bottom.
    pub flipped: bool,
    /// Where the last move began and ended.
    pub last: Option<(Cell, Cell)>,
    /// The king in check.
    pub check: Option<Cell>,
    /// Squares to point out.
    pub marks: &'a [Cell],
    /// Lines beside the board.
    pub panel: &'a [String],
}

/// Why a square looks different.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emphasis {
    None,
    Last,
    Check,
    Mark,
}

/// Backgrounds, as numbers of the terminal's palette of 256: a light and a dark square.
const SQUARES: [u8; 2] = [180, 137];
const LAST: [u8; 2] = [186, 143];
const CHECK: u8 = 167;
const MARK: [u8; 2] = [114, 71];
const WHITE_MEN: u8 = 231;
const BLACK_MEN: u8 = 16;
const NOBODY: u8 = 90;
const END: &str = "\x1b[0m";

/// Draws the board with its coordinates.
pub fn draw(view: &View<'_>, style: Style) -> String {
    let turned = |count: u8| -> Vec<u8> {
        if view.flipped { (0..count).rev().collect() } else { (0..count).collect() }
    };
    let files = turned(view.men.files);
    let letters: String = files.iter().map(|&file| format!(" {} ", file_letter(file))).collect();
    let mut lines = vec![format!("    {letters}")];
    for &rank in turned(view.men.ranks).iter().rev() {
        let mut line = format!(" {:>2} ", rank + 1);
        for &file in &files {
            line.push_str(&square(view, Cell { file, rank }, style));
        }
        lines.push(format!("{line} {:<2}", rank + 1));
    }
    lines.push(format!("    {letters}   "));
    for (place, words) in view.panel.iter().enumerate() {
        match lines.get_mut(place + 1) {
            Some(line) => line.push_str(&format!("   {words}")),
            None => lines.push(format!("{:width$}{words}", "", width = 10 + 3 * files.len())),
        }
    }
    let mut text: String = lines.iter().map(|line| format!("{}\n", line.trim_end())).collect();
    text.push('\n');
    text
}

fn square(view: &View<'_>, cell: Cell, style: Style) -> String {
    let emphasis = if view.check == Some(cell) {
        Emphasis::Check
    } else if view.marks.contains(&cell) {
        Emphasis::Mark
    } else if view.last.is_some_and(|(from, to)| cell == from || cell == to) {
        Emphasis::Last
    } else {
        Emphasis::None
    };
    let man = view.men.at(cell);
    let symbol = man.map_or(' ', |man| symbol(&man, style));
    if style.colors {
        return colored(cell, man, symbol, emphasis, style);
    }
    let symbol = if man.is_none() { if style.figures { '·' } else { '.' } } else { symbol };
    let (left, right) = match emphasis {
        Emphasis::None => (' ', ' '),
        Emphasis::Last => ('[', ']'),
        Emphasis::Check => ('!', '!'),
        Emphasis::Mark => ('>', '<'),
    };
    format!("{left}{symbol}{right}")
}

fn colored(cell: Cell, man: Option<Man>, symbol: char, emphasis: Emphasis, style: Style) -> String {
    let dark = usize::from((cell.file + cell.rank).is_multiple_of(2));
    let background = match emphasis {
        Emphasis::None => SQUARES[dark],
        Emphasis::Last => LAST[dark],
        Emphasis::Check => CHECK,
        Emphasis::Mark => MARK[dark],
    };
    let foreground = match man.map(|man| man.side) {
        Some(Some(Color::White)) => WHITE_MEN,
        Some(Some(Color::Black)) => BLACK_MEN,
        _ => NOBODY,
    };
    let bold = if style.figures { "" } else { ";1" };
    format!("\x1b[38;5;{foreground};48;5;{background}{bold}m {symbol} {END}")
}

/// The figure or letter of a man. Pieces that only variants have are letters: few fonts have figures for them.
pub fn symbol(man: &Man, style: Style) -> char {
    const LETTERS: &str = "KQRBNP";
    let outlined = ['♔', '♕', '♖', '♗', '♘', '♙'];
    let filled = ['♚', '♛', '♜', '♝', '♞', '♟'];
    let white = man.side != Some(Color::Black);
    if style.figures
        && let Some(place) = LETTERS.find(man.letter)
    {
        // On colored squares the color tells the sides apart, and filled figures are easier to see.
        return if white && !style.colors { outlined[place] } else { filled[place] };
    }
    if white || style.colors && style.figures { man.letter } else { man.letter.to_ascii_lowercase() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::board::AnyBoard;

    fn picture(game: &str, style: Style, flipped: bool) -> String {
        let board = AnyBoard::from_fen(game, AnyBoard::start_fen(game).unwrap()).unwrap();
        let men = board.men();
        let cell = |text| Cell::parse(text).unwrap();
        let marks = [cell("a3"), cell("a4")];
        let view = View {
            men: &men,
            flipped,
            last: Some((cell("e2"), cell("e4"))),
            check: Some(cell("e8")),
            marks: &marks,
            panel: &["first".to_string(), "second".to_string()],
        };
        draw(&view, style)
    }

    const ASCII: Style = Style { figures: false, colors: false };

    #[test]
    fn letters_and_brackets() {
        let text = picture("chess", ASCII, false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].trim(), "a  b  c  d  e  f  g  h");
        assert_eq!(lines[1], "  8  r  n  b  q !k! b  n  r  8    first");
        assert_eq!(lines[5], "  4 >.< .  .  . [.] .  .  .  4");
        assert_eq!(lines[7], "  2  P  P  P  P [P] P  P  P  2");
        assert!(text.is_ascii());
        let turned = picture("chess", ASCII, true);
        let lines: Vec<&str> = turned.lines().collect();
        assert_eq!(lines[0].trim(), "h  g  f  e  d  c  b  a");
        assert_eq!(lines[1], "  1  R  N  B  K  Q  B  N  R  1    first");
    }

    #[test]
    fn figures_colors_and_large_boards() {
        let figures = picture("chess", Style { figures: true, colors: false }, false);
        assert!(figures.contains('♜') && figures.contains('♖') && !figures.contains('\x1b'));
        let colored = picture("chess", Style { figures: true, colors: true }, false);
        assert!(colored.contains("\x1b[38;5;231;48;5;") && !colored.contains('♖'));
        assert_eq!(colored.matches("48;5;167").count(), 1);
        let grand = picture("grand", ASCII, false);
        let ranks = grand.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(ranks.count(), 10);
        assert!(grand.contains(" 10 "));
        assert!(picture("behemoth", ASCII, false).contains('*'));
    }
}
