//! The course of a game as a picture: White's chance to win after every move, mistakes marked.

use std::fmt::Write;

use super::story::{Judged, evaluation};
use crate::base::Color;
use crate::pgn::Glyph;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 56.0;

/// Ink and paper: text, Black's share, White's share, the curve.
const TEXT: &str = "#222";
const BLACK_SHARE: &str = "#5b5b5b";
const WHITE_SHARE: &str = "#f4f1ea";
const CURVE: &str = "#c0632b";

/// The picture as SVG.
pub fn svg(game: &Judged) -> String {
    let plies = game.chances.len().max(2) - 1;
    let x = |ply: usize| LEFT + ply as f64 / plies as f64 * (WIDTH - LEFT - RIGHT);
    let y = |chance: f64| HEIGHT - BOTTOM - chance / 100.0 * (HEIGHT - TOP - BOTTOM);
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let mut text = String::new();
    let _ = writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">"#
    );
    let _ = writeln!(text, r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>"#);
    heading(&mut text, game);
    let (width, height) = (right - LEFT, bottom - TOP);
    let _ = writeln!(
        text,
        r#"<rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}" fill="{BLACK_SHARE}"/>"#
    );
    let points: Vec<String> = game
        .chances
        .iter()
        .enumerate()
        .map(|(ply, &chance)| format!("{:.1},{:.1}", x(ply), y(chance)))
        .collect();
    let line = points.join(" ");
    let end = x(game.chances.len().max(1) - 1);
    let _ = writeln!(
        text,
        r#"<polygon points="{LEFT},{bottom} {line} {end:.1},{bottom}" fill="{WHITE_SHARE}"/>"#
    );
    let middle = y(50.0);
    let _ = writeln!(
        text,
        r##"<line x1="{LEFT}" y1="{middle:.1}" x2="{right}" y2="{middle:.1}" stroke="#999" stroke-dasharray="5 4"/>"##
    );
    let _ = writeln!(text, r#"<polyline points="{line}" fill="none" stroke="{CURVE}" stroke-width="2"/>"#);
    for (chance, words) in [(100.0, "1-0"), (50.0, "even"), (0.0, "0-1")] {
        word(&mut text, LEFT - 8.0, y(chance) + 4.0, "end", words);
    }
    move_numbers(&mut text, game, &x, bottom);
    for (ply, glyph) in game.mistakes() {
        let (symbol, color) = sign(glyph);
        let (here, height) = (x(ply + 1), y(game.chances[ply + 1]));
        let side = game.story.boards[ply + 1].side();
        let value = evaluation(game.findings[ply + 1].score, side).unwrap_or_default();
        let value = value.replace("[%eval ", "").replace(']', "");
        let title = escape(&format!("{}{symbol} {value}", game.move_name(ply)));
        let _ = writeln!(
            text,
            r#"<circle cx="{here:.1}" cy="{height:.1}" r="5" fill="{color}" stroke="white"><title>{title}</title></circle>"#
        );
    }
    legend(&mut text);
    text.push_str("</svg>\n");
    text
}

/// Who played, how it ended, how well.
fn heading(text: &mut String, game: &Judged) {
    let tag = |name: &str| game.story.game.tag(name).filter(|value| !value.starts_with('?'));
    let [white, black] = game.names();
    let place: Vec<&str> = [tag("Event"), tag("Date")].into_iter().flatten().collect();
    let title = format!("{white} - {black}  {}", game.story.game.ending());
    let _ = writeln!(
        text,
        r#"<text x="{LEFT}" y="24" font-size="17" font-weight="bold" fill="{TEXT}">{}</text>"#,
        escape(&title)
    );
    word(text, WIDTH - RIGHT, 24.0, "end", &place.join(", "));
    let mut x = LEFT;
    for side in Color::ALL {
        let summary = &game.summaries[side.index()];
        let Some(accuracy) = summary.accuracy else { continue };
        let [dubious, mistakes, blunders] = summary.mistakes;
        let words = format!("{side}: accuracy {accuracy:.1} %, {dubious} ?!, {mistakes} ?, {blunders} ??");
        word(text, x, 48.0, "start", &words);
        x += (WIDTH - LEFT - RIGHT) / 2.0;
    }
}

/// Numbers of moves below the picture, not too many.
fn move_numbers(text: &mut String, game: &Judged, x: &dyn Fn(usize) -> f64, bottom: f64) {
    let moves = game.chances.len() / 2;
    let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| moves / step <= 16).unwrap_or(200);
    for ply in 1..game.chances.len() {
        let board = &game.story.boards[ply - 1];
        let number = board.fullmove() as usize;
        if board.side().is_white() && number.is_multiple_of(step) {
            let here = x(ply);
            let _ = writeln!(
                text,
                r##"<line x1="{here:.1}" y1="{bottom}" x2="{here:.1}" y2="{}" stroke="#999"/>"##,
                bottom + 5.0
            );
            word(text, here, bottom + 19.0, "middle", &number.to_string());
        }
    }
}

fn legend(text: &mut String) {
    let names = [(Glyph::DUBIOUS, "inaccuracy"), (Glyph::MISTAKE, "mistake"), (Glyph::BLUNDER, "blunder")];
    let here = HEIGHT - 16.0;
    for (place, (glyph, name)) in names.into_iter().enumerate() {
        let (symbol, color) = sign(glyph);
        let left = LEFT + 130.0 * place as f64;
        let _ =
            writeln!(text, r#"<circle cx="{:.1}" cy="{:.1}" r="5" fill="{color}"/>"#, left + 5.0, here - 4.0);
        word(text, left + 16.0, here, "start", &format!("{name} {symbol}"));
    }
    word(text, WIDTH - RIGHT, here, "end", "White's chance to win, move by move");
}

/// Symbol and color of a mistake.
fn sign(glyph: Glyph) -> (&'static str, &'static str) {
    match glyph {
        Glyph::BLUNDER => ("??", "#c62828"),
        Glyph::MISTAKE => ("?", "#ef6c00"),
        _ => ("?!", "#f2c037"),
    }
}

fn word(text: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = escape(words);
    let _ =
        writeln!(text, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="{TEXT}">{words}</text>"#);
}

/// Text that may stand in XML.
fn escape(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| !letter.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
