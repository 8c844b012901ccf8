//! One game of a PGN file: tags and moves, every move checked. `pgn-reader` does the reading.

use std::ops::ControlFlow;

use pgn_reader::shakmaty::san::San;
use pgn_reader::shakmaty::{CastlingSide, Color as TheirColor, KnownOutcome, Role};
use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Skip, Visitor};

use super::{Ending, Line};
use crate::base::error::quote;
use crate::base::{Color, Error, Move};
use crate::chess::{ChessMove, MoveKind, PieceKind, Position};
use crate::pgn::split::{GameText, LONGEST_GAME};

/// Names under which the `Variant` tag means chess as we know it; all letters, no blanks.
const CHESS: [&str; 7] =
    ["standard", "chess", "normal", "fromposition", "chess960", "fischerandom", "fischerrandom"];

/// Reads a game; none if it is another variant. The error says what is wrong with a broken one.
pub fn read(text: &GameText) -> Result<Option<Line>, Error> {
    if text.too_long {
        return Err(Error::new(format!("is longer than {LONGEST_GAME} bytes")));
    }
    let length = text.bytes.len();
    let reader = Reader::build(text.bytes.as_slice());
    let mut reader =
        reader.set_supported_tag_line_length(length).set_supported_comment_length(length).finish();
    let game =
        reader.read_game(&mut GameReader).map_err(Error::from).and_then(|game| game.unwrap_or(Ok(None)));
    if let Ok(None) = game {
        return game;
    }
    // What it does not understand, pgn-reader passes over in silence; often the next move is illegal then.
    match foreign_word(&text.bytes[text.moves_at..]) {
        Some(word) => Err(Error::new(format!("{} is not a move", quote(&String::from_utf8_lossy(word))))),
        None => game,
    }
}

/// What the tags say.
#[derive(Default)]
struct Tags {
    elo: [Option<u32>; 2],
    ending: Ending,
    start: Option<Position>,
    other_variant: bool,
}

/// A game in reading.
struct Game {
    line: Line,
    position: Position,
}

struct GameReader;

impl Visitor for GameReader {
    type Tags = Tags;
    type Movetext = Game;
    type Output = Result<Option<Line>, Error>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy();
        match name {
            b"WhiteElo" => tags.elo[Color::White.index()] = value.trim().parse().ok(),
            b"BlackElo" => tags.elo[Color::Black.index()] = value.trim().parse().ok(),
            b"Result" => tags.ending = Ending::from_text(&value),
            b"Variant" => {
                let letters: String = value.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
                tags.other_variant = !CHESS.contains(&letters.to_ascii_lowercase().as_str());
            }
            b"FEN" => match Position::from_fen(&value) {
                Ok(position) => tags.start = Some(position),
                Err(error) => return ControlFlow::Break(Err(error.within("FEN"))),
            },
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Game> {
        if tags.other_variant {
            return ControlFlow::Break(Ok(None));
        }
        let start = tags.start.unwrap_or_else(Position::start);
        let position = start.clone();
        let line = Line { start, moves: Vec::new(), ending: tags.ending, elo: tags.elo };
        ControlFlow::Continue(Game { line, position })
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Self::Output> {
        let position = &mut game.position;
        match resolve(position, &san.san) {
            Ok(mv) => {
                position.make(mv);
                position.forget_undo();
                game.line.moves.push(mv);
                ControlFlow::Continue(())
            }
            Err(why) => {
                let dots = if position.side_to_move().is_white() { "." } else { "..." };
                let text = format!("{}{dots} {san} {why}", position.fullmove());
                ControlFlow::Break(Err(Error::new(text)))
            }
        }
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, game: &mut Game, outcome: Outcome) -> ControlFlow<Self::Output> {
        match outcome {
            Outcome::Known(KnownOutcome::Draw) => game.line.ending = Ending::Draw,
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                game.line.ending = Ending::Win(Color::from_bool(winner == TheirColor::White));
            }
            // The tag may know more.
            Outcome::Unknown => {}
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        Ok(Some(game.line))
    }
}

/// The legal move that is meant, or what is wrong with it.
fn resolve(position: &Position, san: &San) -> Result<Move, &'static str> {
    let moves = position.legal_moves();
    let board = position.board();
    let fits = |mv: Move| match *san {
        San::Castle(side) => {
            let kind =
                if side == CastlingSide::KingSide { MoveKind::CastleKing } else { MoveKind::CastleQueen };
            mv.code() == kind as u16
        }
        San::Normal { role, file, rank, to, promotion, .. } => {
            let from = mv.from();
            usize::from(to) == mv.to().index()
                && !mv.is_castling()
                && board.piece_on(from).is_some_and(|piece| piece.kind() == kind(role))
                && file.is_none_or(|file| usize::from(file) == usize::from(from.file()))
                && rank.is_none_or(|rank| usize::from(rank) == usize::from(from.rank()))
                && mv.promotion() == promotion.map(kind)
        }
        San::Put { .. } | San::Null => false,
    };
    let mut found = moves.iter().copied().filter(|&mv| fits(mv));
    match (found.next(), found.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err("is ambiguous"),
        _ => Err("is not legal"),
    }
}

fn kind(role: Role) -> PieceKind {
    match role {
        Role::Pawn => PieceKind::Pawn,
        Role::Knight => PieceKind::Knight,
        Role::Bishop => PieceKind::Bishop,
        Role::Rook => PieceKind::Rook,
        Role::Queen => PieceKind::Queen,
        Role::King => PieceKind::King,
    }
}

/// The first word of the main line that has the look of a move but is none.
fn foreign_word(moves: &[u8]) -> Option<&[u8]> {
    let mut rest = moves;
    let mut depth = 0usize;
    while let [first, after @ ..] = rest {
        match first {
            b'{' => rest = skip_behind(after, b'}'),
            b';' => rest = skip_behind(after, b'\n'),
            b'(' => (depth, rest) = (depth + 1, after),
            b')' => (depth, rest) = (depth.saturating_sub(1), after),
            b'}' => rest = after,
            byte if byte.is_ascii_whitespace() => rest = after,
            _ => {
                let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || b"{}();".contains(byte));
                let (word, tail) = rest.split_at(end.unwrap_or(rest.len()));
                if depth == 0 && !is_known(word) {
                    return Some(word);
                }
                rest = tail;
            }
        }
    }
    None
}

fn skip_behind(text: &[u8], end: u8) -> &[u8] {
    text.iter().position(|&byte| byte == end).map_or(&[], |index| &text[index + 1..])
}

/// Whether a word is a move, a move number, a result, an annotation or anything else that nobody takes for a move.
fn is_known(word: &[u8]) -> bool {
    const ENDINGS: [&[u8]; 6] = [b"1-0", b"0-1", b"1/2-1/2", b"*", b"1/2", "\u{bd}-\u{bd}".as_bytes()];
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|&&byte| byte == b'.').count();
    let bare = if dots > 0 { &word[digits + dots..] } else { word };
    let bare = bare.split(|byte| b"!?$".contains(byte)).next().unwrap_or_default();
    let looks_like_move = matches!(bare, [first, _, ..] if first.is_ascii_alphanumeric() || *first == b'-');
    let zeros_for_letters = bare.starts_with(b"0-0");
    !looks_like_move
        || digits == word.len()
        || ENDINGS.contains(&bare)
        || bare.starts_with(b"e.p")
        || zeros_for_letters
        || SanPlus::from_ascii(bare).is_ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::pgn::split::Splitter;

    fn game(text: &str) -> Result<Option<Line>, Error> {
        read(Splitter::new(text.as_bytes()).next_game().unwrap().unwrap())
    }

    fn fault(text: &str) -> String {
        game(text).err().unwrap().to_string()
    }

    #[test]
    fn tags_and_moves_are_read() {
        let text = "[Event \"a\"]\n[WhiteElo \"2700\"]\n[BlackElo \"?\"]\n[Result \"*\"]\n\n\
                    1.e4! {best} e5 $1 (1... c5 2. Nf3 (2. xx9)) 2. Nf3 N 2... Nc6 3.Bb5 a6?! 4. Bxc6 dxc6 5. 0-0 f6 1-0";
        let line = game(text).unwrap().unwrap();
        assert_eq!(
            (line.moves.len(), line.elo, line.ending),
            (10, [Some(2700), None], Ending::Win(Color::White))
        );
        assert_eq!(game("[Result \"1/2-1/2\"]\n\n1. e4").unwrap().unwrap().ending, Ending::Draw);
        assert_eq!(game("1. e4 *").unwrap().unwrap().ending, Ending::Unknown);
    }

    #[test]
    fn other_starts_and_variants() {
        let text = "[Variant \"Fischerandom\"]\n[FEN \"4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 9\"]\n\n9. O-O *";
        let line = game(text).unwrap().unwrap();
        assert!(line.moves[0].is_castling());
        assert!(game("[Variant \"Crazyhouse\"]\n\n1. e4 P@e5").unwrap().is_none());
    }

    #[test]
    fn broken_games_say_where() {
        for (text, word) in [
            ("1. e4 e5 2. Nf4", "2. Nf4 is not legal"),
            ("1. e4 e5 2. Nf3 Qh4 3. Ke3", "3. Ke3 is not legal"),
            ("1. e4 Ke7", "1... Ke7 is not legal"),
            ("1. d4 d5 2. Nf3 Nf6 3. Nd2", "3. Nd2 is ambiguous"),
            ("1. e4 e5 2. Nf9", "\"Nf9\" is not a move"),
            ("1. e4 e9 2. d4 d5 3. c4 e6", "\"e9\" is not a move"),
            ("1. e4 e5 2. Zz3 *", "\"Zz3\" is not a move"),
            ("1. e4 xyzzy *", "\"xyzzy\" is not a move"),
            ("1. e4 -- 2. d4", "1... -- is not legal"),
            ("1. e4 { open", "unterminated comment"),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", "FEN: White has no king"),
        ] {
            assert!(fault(text).contains(word), "{text}: {}", fault(text));
        }
    }
}
