//! A game written as PGN: seven tags first, lines of less than eighty characters.

use super::fold::Fold;
use super::game::{Game, ROSTER};

/// The game as text, with an empty line at its end so that another may follow.
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace(['\r', '\n'], " ").replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    for (name, unknown) in ROSTER {
        let unknown = if name == "Result" { game.ending() } else { unknown };
        tag(name, game.tag(name).unwrap_or(unknown));
    }
    let others = game.tags.iter().filter(|(name, _)| ROSTER.iter().all(|(known, _)| known != name));
    others.for_each(|(name, value)| tag(name, value));
    text.push('\n');
    text.push_str(&moves(game));
    text.push('\n');
    text
}

/// The moves with everything said about them, and the result.
fn moves(game: &Game) -> String {
    let mut fold = Fold::default();
    let (mut number, mut side) = game.beginning();
    comment(&mut fold, &game.comment);
    // A move of Black needs its number only at the beginning and behind a comment.
    let mut number_needed = true;
    for ply in &game.plies {
        if side.is_white() {
            fold.word(&format!("{number}."));
        } else if number_needed {
            fold.word(&format!("{number}..."));
        }
        fold.word(&ply.text);
        ply.glyphs.iter().for_each(|glyph| fold.word(&format!("${}", glyph.0)));
        comment(&mut fold, &ply.comment);
        ply.variations.iter().for_each(|line| variation(&mut fold, line));
        number_needed = !ply.comment.is_empty() || !ply.variations.is_empty();
        number = number.saturating_add(u32::from(!side.is_white()));
        side = !side;
    }
    fold.word(game.ending());
    fold.finish()
}

/// A comment in braces. Commands such as `[%clk 0:01:00]` at its beginning stay in one piece, so that no line begins with
/// a bracket.
fn comment(fold: &mut Fold, text: &str) {
    let text = text.replace('}', ")").replace('{', "(");
    let mut rest = text.trim();
    if rest.is_empty() {
        return;
    }
    let mut head = String::from("{");
    while rest.starts_with("[%") {
        let Some(end) = rest.find(']') else { break };
        head.push_str(if head.len() > 1 { " " } else { "" });
        head.push_str(&rest[..=end]);
        rest = rest[end + 1..].trim_start();
    }
    let mut words: Vec<&str> = rest.split_whitespace().collect();
    if head.len() == 1 && !words.is_empty() {
        head.push_str(words.remove(0));
    }
    let Some(last) = words.pop() else { return fold.word(&format!("{head}}}")) };
    fold.word(&head);
    words.iter().for_each(|word| fold.word(word));
    fold.word(&format!("{last}}}"));
}

fn variation(fold: &mut Fold, line: &str) {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let Some(last) = words.pop() else { return };
    match words.first() {
        None => fold.word(&format!("({last})")),
        Some(first) => {
            fold.word(&format!("({first}"));
            words[1..].iter().for_each(|word| fold.word(word));
            fold.word(&format!("{last})"));
        }
    }
}
