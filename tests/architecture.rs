//! The house plan, held: who may know whom, where `unsafe` may stand, how long a file may grow.

use std::path::{Path, PathBuf};

/// For each room, the rooms it may name; `base` may be named by all, every room may name itself. Above the rules, only
/// `engine`, `lab`, `eval`, `endgame` and `book` name concrete games.
const MAY_KNOW: [(&str, &[&str]); 17] = [
    ("base", &[]),
    ("game", &[]),
    ("tt", &[]),
    ("time", &[]),
    ("chess", &["game"]),
    ("fairy", &["game"]),
    ("eval", &["chess", "fairy", "game"]),
    ("endgame", &["chess", "game"]),
    ("pgn", &[]),
    ("book", &["chess", "pgn"]),
    ("search", &["game", "tt", "time"]),
    ("engine", &["search", "game", "tt", "time", "chess", "fairy", "eval", "endgame", "book"]),
    ("uci", &["engine", "search", "game", "tt", "time", "eval", "endgame", "book"]),
    ("console", &["engine", "search", "game", "tt", "time", "eval", "endgame", "book", "pgn"]),
    ("lab", &["engine", "search", "game", "tt", "time", "chess", "fairy", "eval", "endgame", "book", "pgn"]),
    ("lib", &[]),
    ("main", &["uci", "console", "lab", "engine", "search", "game", "tt", "time", "eval", "endgame", "book"]),
];

const WITHOUT_UNSAFE: [&str; 9] =
    ["chess", "fairy", "search", "time", "uci", "book", "console", "game", "pgn"];

const LONGEST_FILE: usize = 600;

/// Every source file with the room it belongs to.
fn sources() -> Vec<(String, PathBuf, String)> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the source folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    assert!(files.len() > 20, "only {} source files found", files.len());
    files
        .into_iter()
        .map(|path| {
            let inside = path.strip_prefix(&root).expect("a path below src").to_path_buf();
            let room = inside.components().next().expect("a file name").as_os_str().to_string_lossy();
            let room = room.trim_end_matches(".rs").to_string();
            let text = std::fs::read_to_string(&path).expect("a readable source file");
            (room, inside, text)
        })
        .collect()
}

/// The lines of a file that are code, numbered from 1; what follows `#[cfg(test)]` is not looked at.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_start()));
    lines
        .take_while(|(_, line)| *line != "#[cfg(test)]" && *line != "mod tests {")
        .filter(|(_, line)| !line.starts_with("//"))
}

/// The same with a `use` that goes over several lines put into one.
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut statements: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (number, line) in code_lines(text) {
        match statements.last_mut() {
            Some((_, last)) if open => last.push_str(line),
            _ => statements.push((number, line.to_string())),
        }
        open = (open || line.starts_with("use ") || line.starts_with("pub use ")) && !line.contains(';');
    }
    statements
}

/// The rooms that a line names: `crate::room` or, in the binary, `rosada::room`, in a list or alone.
fn rooms_named(line: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for start in ["crate::", "rosada::"] {
        for (position, _) in line.match_indices(start) {
            let rest = &line[position + start.len()..];
            let names: Vec<&str> = match rest.strip_prefix('{') {
                Some(list) => list.split(',').collect(),
                None => vec![rest],
            };
            for name in names {
                let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let name: String = name.trim().chars().take_while(|&c| word(c)).collect();
                rooms.push(name);
            }
        }
    }
    rooms
}

#[test]
fn rooms_know_only_what_is_below_them() {
    let is_room = |name: &str| MAY_KNOW.iter().any(|(room, _)| *room == name);
    let mut faults = Vec::new();
    for (room, path, text) in sources() {
        let Some((_, allowed)) = MAY_KNOW.iter().find(|(name, _)| *name == room) else {
            faults.push(format!("{}: the room {room} is not in the plan", path.display()));
            continue;
        };
        for (number, line) in statements(&text) {
            for named in rooms_named(&line) {
                let known = named == room || named == "base" || allowed.contains(&named.as_str());
                if is_room(&named) && !known {
                    faults.push(format!(
                        "src/{}:{number}: {room} may not know {named}: {line}",
                        path.display()
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_search_never_prints_or_reads() {
    for (room, path, text) in sources() {
        if !["search", "chess", "fairy", "eval", "game", "tt", "time", "engine"].contains(&room.as_str()) {
            continue;
        }
        for (number, line) in code_lines(&text) {
            for word in ["println!", "print!", "eprintln!", "stdin()", "stdout()"] {
                assert!(!line.contains(word), "src/{}:{number}: {line}", path.display());
            }
        }
    }
}

#[test]
fn unsafe_stays_in_its_rooms() {
    for (room, path, text) in sources() {
        if !WITHOUT_UNSAFE.contains(&room.as_str()) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let found =
                code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "unsafe");
            assert!(!found, "src/{}:{}: {line}", path.display(), number + 1);
        }
    }
}

#[test]
fn files_stay_short() {
    for (_, path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= LONGEST_FILE, "src/{} has {lines} lines", path.display());
    }
}

#[test]
fn named_rooms_are_found_in_every_form() {
    assert_eq!(rooms_named("use crate::{base::Move, search};"), ["base", "search"]);
    assert_eq!(rooms_named("let x = crate::tt::Table::new(rosada::uci::run);"), ["tt", "uci"]);
    assert!(rooms_named("use super::Board;").is_empty());
    let broken = statements("use crate::{\n    base::{Color, Move},\n    search,\n};\nfn f() {}");
    assert_eq!(broken.len(), 2);
    assert!(rooms_named(&broken[0].1).contains(&"search".to_string()));
}
