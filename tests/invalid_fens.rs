//! FENs that must be refused, and some that must not.

mod common;

use rosada::chess::Position;

#[test]
fn impossible_positions_are_refused() {
    for line in common::shared_lines("uci/invalid_fens.csv") {
        let (fen, reason) = line.rsplit_once(';').unwrap_or((&line, ""));
        if let Ok(position) = Position::from_fen(fen) {
            panic!("accepted as {position}, though {reason}: {fen}");
        }
    }
}

#[test]
fn destructive_lines_are_judged_as_others_do() {
    for line in common::shared_lines("uci/destruction_epd.csv") {
        let mut fields = line.split(';');
        let (fen, verdict) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let result = Position::from_fen(fen);
        if verdict == "valid" {
            assert!(result.is_ok(), "{fen}: {:?}", result.err());
        } else if fen.starts_with("nrbqkbnr/") {
            // Not a right of standard chess, but in X-FEN `q` is the outermost rook, which stands on b8.
            let mut position = result.expect(fen);
            position.set_chess960(true);
            assert!(position.fen().contains(" w HAhb "), "{position}");
        } else {
            assert!(result.is_err(), "accepted, though {verdict}: {fen}");
        }
    }
}

#[test]
fn errors_are_one_short_line() {
    for line in common::shared_lines("uci/invalid_fens.csv").iter().chain(&garbage()) {
        if let Err(error) = Position::from_fen(line) {
            let text = error.to_string();
            assert!(!text.is_empty() && text.len() < 200 && !text.contains('\n'), "{text}");
        }
    }
}

fn garbage() -> Vec<String> {
    let long = "p".repeat(100_000);
    ["", " ", "\n\0\t", "\u{1F3F0} w - - 0 1", "8/8/8/8/8/8/8/8/8/8/8 w - - 0 1", &long]
        .map(String::from)
        .into_iter()
        .chain([format!("{long} w - - 0 1"), format!("4k3/8/8/8/8/8/8/4K3 w {long} - 0 1")])
        .collect()
}
