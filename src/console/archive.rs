//! PGN files as the console's shelf: games are loaded from any place in one and saved without harm to the others.

use std::io::Write;
use std::path::Path;

use super::portable::{self, Loaded, Table};
use super::record::Record;
use crate::base::Error;
use crate::base::files::{self, Draft};
use crate::pgn::input::Input;
use crate::pgn::read;
use crate::pgn::split::Splitter;

/// Larger files are no shelf for games played at the terminal.
const MAX_BYTES: u64 = 1 << 30;

/// Where a game lies in a file that holds so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number, from 1.
    pub number: usize,
    /// Games in the file.
    pub games: usize,
}

/// Loads the `number`th game of a file, from 1.
pub fn load(path: &Path, number: usize) -> Result<Loaded, Error> {
    let within = |error: Error| error.within(&path.display().to_string());
    let input = Input::open(path).map_err(within)?;
    let mut splitter = Splitter::new(input.stream);
    for count in 1..number {
        if splitter.next_game().map_err(within)?.is_none() {
            return Err(within(Error::new(format!("there are only {} games", count - 1))));
        }
    }
    let text = splitter.next_game().map_err(within)?;
    let text = text.ok_or_else(|| {
        within(Error::new(if number == 1 { "there is no game in it" } else { "there are not so many games" }))
    })?;
    read::read(text).and_then(|game| portable::read(&game)).map_err(within)
}

/// Saves a game in place of the `number`th one of a file, or behind all others. The rest of the file stays as it is, and
/// the whole file does if saving fails.
pub fn save(path: &Path, record: &Record, table: &Table<'_>, number: Option<usize>) -> Result<Place, Error> {
    let within = |error: Error| error.within(&path.display().to_string());
    let text = portable::write(record, table);
    if !path.exists() {
        files::replace(path, text.as_bytes())?;
        return Ok(Place { number: 1, games: 1 });
    }
    let place = || -> Result<Place, Error> {
        let bytes = files::read(path, MAX_BYTES)?;
        let starts = game_starts(&bytes)?;
        let number = number.filter(|number| (1..=starts.len()).contains(number)).unwrap_or(starts.len() + 1);
        let start = starts.get(number - 1).copied().unwrap_or(bytes.len());
        let end = starts.get(number).copied().unwrap_or(bytes.len());
        let mut file = Draft::of(path)?;
        file.write_all(&bytes[..start])?;
        // A game begins after an empty line.
        let blank = bytes[..start].iter().rev().take_while(|byte| byte.is_ascii_whitespace());
        let missing = 2usize.saturating_sub(blank.filter(|&&byte| byte == b'\n').count());
        file.write_all(&b"\n\n"[..if start > 0 { missing } else { 0 }])?;
        file.write_all(text.as_bytes())?;
        file.write_all(&bytes[end..])?;
        file.finish()?;
        Ok(Place { number, games: starts.len().max(number) })
    };
    place().map_err(within)
}

/// Where the games of a file begin, in bytes. Whatever is not PGN is refused.
fn game_starts(bytes: &[u8]) -> Result<Vec<usize>, Error> {
    let other = |error: Error| error.within("it holds something else than games, and is left alone");
    let mut splitter = Splitter::new(bytes);
    let mut lines = Vec::new();
    while let Some(text) = splitter.next_game()? {
        // Broken games may stand beside whole ones, but not in front.
        if lines.is_empty() {
            let game = read::read(text).map_err(other)?;
            if game.tags.is_empty() {
                return Err(other(Error::new("there are no tags")));
            }
        }
        lines.push(text.line as usize);
    }
    let mut begins = vec![0];
    begins.extend(bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place + 1));
    Ok(lines.into_iter().filter_map(|line| begins.get(line - 1).copied()).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::board::AnyBoard;

    fn table() -> Table<'static> {
        Table { names: ["A".to_string(), "B".to_string()], control: None, event: "Test" }
    }

    fn game(moves: &[&str]) -> Record {
        let mut record = Record::from_fen("chess", AnyBoard::start_fen("chess").unwrap()).unwrap();
        for text in moves {
            let mv = record.board().read_move(text).unwrap();
            record.play(mv, None, std::time::Duration::ZERO).unwrap();
        }
        record
    }

    const SHELF: &str = "% a shelf\n[Event \"one\"]\n\n1. e4 {best by test} e5!? (1... c5 2. Nf3) *\n\n\
        [Event \"two\"]\n[White \"x\"]\n\n1. d4 d5 1/2-1/2\n\n\n[Event \"three\"]\n\n1. c4 nonsense *";

    #[test]
    fn other_games_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shelf.pgn");
        std::fs::write(&path, SHELF).unwrap();
        let record = game(&["Nf3", "d5"]);
        assert_eq!(save(&path, &record, &table(), None).unwrap(), Place { number: 4, games: 4 });
        let longer = game(&["Nf3", "d5", "g3"]);
        assert_eq!(save(&path, &longer, &table(), Some(4)).unwrap(), Place { number: 4, games: 4 });
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&format!("{SHELF}\n\n[Event \"Test\"]")), "{text}");
        assert_eq!((text.matches("1. Nf3").count(), text.matches("2. g3").count()), (1, 1), "{text}");
        // In the middle: what was before and what comes after keep every byte.
        assert_eq!(save(&path, &record, &table(), Some(2)).unwrap(), Place { number: 2, games: 4 });
        let text = std::fs::read_to_string(&path).unwrap();
        let (before, after) = (SHELF.find("[Event \"two").unwrap(), SHELF.find("[Event \"three").unwrap());
        assert!(text.starts_with(&SHELF[..before]) && text.contains(&SHELF[after..]), "{text}");
        assert!(!text.contains("1. d4 d5"));
        for (number, plies) in [(1, 2), (2, 2), (4, 3)] {
            assert_eq!(load(&path, number).unwrap().record.played().len(), plies);
        }
        assert!(load(&path, 3).is_err() && load(&path, 5).is_err() && load(&path, 9).is_err());
    }

    #[test]
    fn notes_of_a_loaded_game_are_saved_again() {
        let folder = tempfile::tempdir().unwrap();
        let (shelf, copy) = (folder.path().join("shelf.pgn"), folder.path().join("copy.pgn"));
        std::fs::write(&shelf, SHELF).unwrap();
        save(&copy, &load(&shelf, 1).unwrap().record, &table(), None).unwrap();
        let text = std::fs::read_to_string(&copy).unwrap();
        for word in ["{best by test}", "e5 $5", "(1... c5 2. Nf3)", "[Date \"????.??.??\"]", "[White \"?\"]"]
        {
            assert!(text.contains(word), "{word} in {text}");
        }
    }

    #[test]
    fn what_is_no_pgn_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        for text in ["remember the milk\n", "\u{1f}\u{8b}\u{8}\0", "[Event \"x\n"] {
            std::fs::write(&path, text).unwrap();
            let error = save(&path, &game(&["e4"]), &table(), None).unwrap_err().to_string();
            assert!(error.contains("something else than games"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert!(save(folder.path(), &game(&[]), &table(), None).unwrap_err().to_string().contains("folder"));
        std::fs::write(&path, "").unwrap();
        assert_eq!(save(&path, &game(&["e4"]), &table(), None).unwrap().number, 1);
        assert_eq!(load(&path, 1).unwrap().record.played().len(), 1);
    }
}
