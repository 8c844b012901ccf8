//! One game of a PGN file as tags, words and comments. What cannot be understood is an error with its line: nothing is
//! passed over in silence.

use super::game::{Game, Glyph, Ply, RESULTS};
use super::split::{GameText, LONGEST_GAME};
use crate::base::Error;
use crate::base::error::quote;

/// Reads a game. Moves are not looked at; whoever knows the board does that.
pub fn read(text: &GameText) -> Result<Game, Error> {
    if text.too_long {
        let why = format!("the game is longer than {LONGEST_GAME} bytes");
        return Err(Error::new(why).within(&format!("line {}", text.line)));
    }
    let mut game = Game { line: text.line, ..Game::default() };
    let (tags, moves) = text.bytes.split_at(text.moves_at.min(text.bytes.len()));
    let tag_lines = tags.split_inclusive(|&byte| byte == b'\n').count();
    for (line, number) in String::from_utf8_lossy(tags).lines().zip(&text.lines) {
        read_tags(&mut game, line).map_err(|error| at(*number, error))?;
    }
    let moves = String::from_utf8_lossy(moves);
    let mut reader = Reader { rest: &moves, lines: &text.lines[tag_lines.min(text.lines.len())..], line: 0 };
    reader.read_moves(&mut game)?;
    Ok(game)
}

/// The error with its line in front.
fn at(line: u64, error: Error) -> Error {
    error.within(&format!("line {line}"))
}

/// Reads the tags of a line: `[Name "value"]`, usually one.
fn read_tags(game: &mut Game, line: &str) -> Result<(), Error> {
    let mut rest = line.trim();
    while !rest.is_empty() && !rest.starts_with(';') {
        let broken = || Error::new(format!("{} is not a tag", quote(line.trim())));
        let (name, value) = rest.strip_prefix('[').and_then(|tag| tag.split_once('"')).ok_or_else(broken)?;
        let mut text = String::new();
        let mut letters = value.char_indices();
        let end = loop {
            match letters.next().ok_or_else(broken)? {
                (_, '\\') => text.push(letters.next().ok_or_else(broken)?.1),
                (place, '"') => break place,
                (_, letter) => text.push(letter),
            }
        };
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(broken());
        }
        rest = value[end + 1..].trim_start().strip_prefix(']').ok_or_else(broken)?.trim_start();
        game.tags.push((name.to_string(), text));
    }
    Ok(())
}

/// Reads moves. Its text is that of the game behind the tags.
struct Reader<'a> {
    rest: &'a str,
    /// The number, in the file, of each line of the text.
    lines: &'a [u64],
    /// Lines passed so far.
    line: usize,
}

impl<'a> Reader<'a> {
    /// The line of the file that is read now.
    fn line_number(&self) -> u64 {
        self.lines.get(self.line).or(self.lines.last()).copied().unwrap_or(0)
    }

    fn fault<T>(&self, line: u64, why: impl Into<String>) -> Result<T, Error> {
        Err(at(line, Error::new(why)))
    }

    /// Takes so many bytes off the text.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes.min(self.rest.len()));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn read_moves(&mut self, game: &mut Game) -> Result<(), Error> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.take(blank);
            let line = self.line_number();
            let Some(first) = self.rest.chars().next() else { return Ok(()) };
            if game.result.is_some() && !"{;".contains(first) {
                return self.fault(line, "there is text behind the result");
            }
            match first {
                '{' | ';' => {
                    let text = self.comment(first)?;
                    let comment = game.plies.last_mut().map_or(&mut game.comment, |ply| &mut ply.comment);
                    let gap = if comment.is_empty() || text.is_empty() { "" } else { " " };
                    comment.push_str(gap);
                    comment.push_str(&text);
                }
                '(' => {
                    let variation = self.variation()?;
                    match game.plies.last_mut() {
                        Some(ply) => ply.variations.push(variation),
                        None => return self.fault(line, "a variation before the first move"),
                    }
                }
                ')' | '}' => return self.fault(line, format!("{first} without its beginning")),
                _ => self.word(game, line)?,
            }
        }
    }

    /// A comment up to its closing brace or, after a semicolon, to the end of the line.
    fn comment(&mut self, opening: char) -> Result<String, Error> {
        let line = self.line_number();
        let length = match opening {
            ';' => self.rest.find('\n').unwrap_or(self.rest.len()),
            _ => match self.rest.find('}') {
                Some(end) => end + 1,
                None => return self.fault(line, "the comment that begins here has no end"),
            },
        };
        let text = self.take(length).trim_start_matches(['{', ';']).trim_end_matches('}');
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// A variation as it stands there, without its parentheses.
    fn variation(&mut self) -> Result<String, Error> {
        let line = self.line_number();
        let (mut depth, mut comment) = (0, None);
        for (place, letter) in self.rest.char_indices() {
            match (comment, letter) {
                (Some('{'), '}') | (Some(';'), '\n') => comment = None,
                (Some(_), _) => {}
                (None, '{' | ';') => comment = Some(letter),
                (None, '(') => depth += 1,
                (None, ')') if depth > 1 => depth -= 1,
                (None, ')') => {
                    let text = self.take(place + 1);
                    // What ended with its line would not end when lines are folded anew.
                    return Ok(closed_comments(&text[1..text.len() - 1]));
                }
                _ => {}
            }
        }
        self.fault(line, "the variation that begins here has no end")
    }

    /// A move, a number, a result or a remark.
    fn word(&mut self, game: &mut Game, line: u64) -> Result<(), Error> {
        let ends = |letter: char| letter.is_whitespace() || "{}();".contains(letter);
        let length = self.rest.find(ends).unwrap_or(self.rest.len());
        let word = self.take(length);
        if let Some(result) = RESULTS.into_iter().find(|result| *result == word) {
            game.result = Some(result);
            return Ok(());
        }
        // Numbers may stand apart from their moves or not.
        let number =
            word.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(word.len());
        let bare = match word[..number].rfind('.') {
            Some(dot) => &word[dot + 1..],
            None if number == word.len() => "",
            None => word,
        };
        let (bare, dollars) = bare.split_once('$').map_or((bare, None), |(bare, rest)| (bare, Some(rest)));
        let text = bare.trim_end_matches(['!', '?']);
        let suffix = &bare[text.len()..];
        let is_number = text.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
        if !text.is_empty() && is_number || RESULTS.contains(&text) {
            return self.fault(line, format!("{} is not a move", quote(word)));
        }
        if !text.is_empty() && text != "e.p." {
            game.plies.push(Ply { text: text.to_string(), line, ..Ply::default() });
        }
        let mut remark = |glyph: Option<Glyph>, word: &str| match (glyph, game.plies.last_mut()) {
            (Some(glyph), Some(ply)) => {
                ply.glyphs.push(glyph);
                Ok(())
            }
            _ => Err(at(line, Error::new(format!("{} is no remark on a move", quote(word))))),
        };
        if !suffix.is_empty() {
            remark(Glyph::from_suffix(suffix), suffix)?;
        }
        for number in dollars.into_iter().flat_map(|numbers| numbers.split('$')) {
            remark(number.parse().ok().map(Glyph), &format!("${number}"))?;
        }
        Ok(())
    }
}

/// The same text with comments to the end of the line written in braces.
fn closed_comments(text: &str) -> String {
    let mut in_braces = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut open = in_braces;
        let semicolon = line.char_indices().find(|&(_, letter)| {
            match letter {
                '{' => open = true,
                '}' => open = false,
                _ => {}
            }
            letter == ';' && !open
        });
        match semicolon {
            Some((place, _)) => {
                let (moves, comment) = line.split_at(place);
                lines.push(format!("{moves} {{{}}}", comment[1..].trim().replace(['{', '}'], "")));
            }
            None => lines.push(line.to_string()),
        }
        in_braces = open && semicolon.is_none();
    }
    lines.join(" ").trim().to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::split::Splitter;
    use super::super::write::write;
    use super::*;

    fn game(text: &str) -> Result<Game, Error> {
        read(Splitter::new(text.as_bytes()).next_game().unwrap().unwrap())
    }

    fn words(game: &Game) -> Vec<&str> {
        game.plies.iter().map(|ply| ply.text.as_str()).collect()
    }

    const RICH: &str = "[Event \"a \\\"b\\\" \\\\ c\"]\n[FEN \"8/8/8/8/8/8/8/8 b - - 0 7\"]\n\n\
        {first} 7... e5!? {one} {two} 8. Nf3 $1$10 (8. d4 {x) y} exd4 ; z)\n 9. c3 (9. Qd4)) 8...Nc6 ; end\n9.Bb5?? a6 1-0\n";

    #[test]
    fn everything_is_read_and_written_again() {
        let game = game(RICH).unwrap();
        assert_eq!(words(&game), ["e5", "Nf3", "Nc6", "Bb5", "a6"]);
        let zeros = self::game("1.Nf3 2 1...0-0 2.0-0-0 .3.e4").unwrap();
        assert_eq!(words(&zeros), ["Nf3", "0-0", "0-0-0", "e4"]);
        assert_eq!(game.tag("Event"), Some("a \"b\" \\ c"));
        assert_eq!((game.comment.as_str(), game.plies[0].comment.as_str()), ("first", "one two"));
        assert_eq!(game.plies[1].glyphs, [Glyph::GOOD, Glyph(10)]);
        assert_eq!(game.plies[1].variations, ["8. d4 {x) y} exd4  {z)} 9. c3 (9. Qd4)"]);
        assert_eq!((game.plies[3].line, game.ending()), (6, "1-0"));
        let again = self::game(&write(&game)).unwrap();
        assert_eq!((again.tag("White"), again.tag("Event")), (Some("?"), game.tag("Event")));
        assert_eq!((again.beginning(), again.ending()), ((7, crate::base::Color::Black), "1-0"));
        for (ply, same) in game.plies.iter().zip(&again.plies) {
            assert_eq!((&ply.text, &ply.glyphs, &ply.comment), (&same.text, &same.glyphs, &same.comment));
            assert_eq!(ply.variations.len(), same.variations.len());
        }
        assert_eq!(write(&again), write(&self::game(&write(&again)).unwrap()));
    }

    #[test]
    fn broken_games_say_which_line() {
        for (text, fault) in [
            ("[Event a]\n\n1. e4 *", "line 1: \"[Event a]\" is not a tag"),
            ("[Event \"a\"]\n[White \"x]\n\n1. e4 *", "line 2: "),
            ("\n1. e4\n\n{ open", "line 4: the comment that begins here has no end"),
            ("1. e4 e5\n(2. d4 (2. c4)", "line 2: the variation that begins here has no end"),
            ("1. e4 }", "line 1: } without its beginning"),
            ("(1. d4) 1. e4", "line 1: a variation before the first move"),
            ("1. e4 1-0 e5", "line 1: there is text behind the result"),
            ("1. e4\ne5 $999 *", "line 2: \"$999\" is no remark"),
            ("1. e4 !!? *", "line 1: \"!!?\" is no remark"),
            ("1. e4 1-0!", "line 1: \"1-0!\" is not a move"),
            ("1. e4 2.3 *", "line 1: \"2.3\" is not a move"),
        ] {
            let error = game(text).unwrap_err().to_string();
            assert!(error.starts_with(fault), "{text:?}: {error}");
        }
    }

    #[test]
    fn lines_are_folded_and_braces_do_not_nest() {
        let mut game = Game::default();
        for number in 0..60 {
            let comment = if number % 7 == 0 { "[%clk 0:01:00] [%eval 0.1] {odd} [%x] words" } else { "" };
            game.plies.push(Ply { text: "Nf3".into(), comment: comment.into(), ..Ply::default() });
        }
        let text = write(&game);
        assert!(text.lines().all(|line| line.chars().count() < 90), "{text}");
        assert!(text.lines().skip(8).all(|line| !line.starts_with('[')), "{text}");
        assert_eq!(words(&self::game(&text).unwrap()).len(), 60);
    }
}
