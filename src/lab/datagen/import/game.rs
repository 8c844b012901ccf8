//! One game of a PGN file as a record: every move checked, every score read.

use super::faults::{Fault, Reason};
use super::score::Remark;
use crate::base::error::quote;
use crate::base::{Color, Error};
use crate::chess::Position;
use crate::engine::board::{CHESS960, game_named};
use crate::lab::games::{GameRecord, GameResult, MAX_PLIES, Ply};
use crate::pgn::split::GameText;
use crate::pgn::{self, Game, read};

/// Words of the `Termination` tag that mean that a game did not end on the board or by agreement.
const FORFEITS: [&str; 11] = [
    "forfeit",
    "time",
    "abandon",
    "stall",
    "disconnect",
    "crash",
    "illegal",
    "infraction",
    "interrupt",
    "death",
    "emergency",
];
/// Words for a game that did not end on the board, in the comment of its last move, as fastchess and Cute Chess write
/// them.
const FORFEIT_REMARKS: [&str; 5] =
    ["loses on time", "connection stalls", " disconnects", "makes an illegal move", "Game interrupted"];

/// The record of a game. It begins behind the moves of the opening, which have no scores.
pub(super) fn record(text: &GameText, scale: f64) -> Result<GameRecord, Fault> {
    let game = read::read(text).map_err(|error| Fault { reason: Reason::Unreadable, error })?;
    let result = result(&game)?;
    check_termination(&game)?;
    let mut position = start(&game)?;
    let remarks: Vec<Remark> = game.plies.iter().map(|ply| Remark::read(&ply.comment, scale)).collect();
    let opening = opening(&game, &remarks)?;
    let (mut start, mut plies) = (position.clone(), Vec::with_capacity(remarks.len() - opening));
    for (index, (ply, remark)) in game.plies.iter().zip(remarks).enumerate() {
        // The text of UCI is no notation, but some match programs can write it.
        let read = position.parse_san(&ply.text).or_else(|error| {
            position.parse_uci(&ply.text).map_err(|_| error.within(&move_name(&game, index)))
        });
        let mv = read.map_err(|error| Fault::new(Reason::BadMove, ply.line, error))?;
        if index == opening {
            start = position.clone();
        }
        if let Remark::Score(score) = remark
            && index >= opening
        {
            plies.push(Ply::new(mv, score));
        }
        position.make(mv);
        position.forget_undo();
    }
    check_end(&game, &position, result)?;
    if plies.len() > MAX_PLIES {
        let error = Error::new(format!("{} moves, there is room for {MAX_PLIES}", plies.len()));
        return Err(Fault::new(Reason::TooLong, game.line, error));
    }
    // Without what happened before, as a reader of the record will see it.
    let start = start.pack().and_then(|bytes| Position::unpack(&bytes));
    let start = start.map_err(|error| Fault::new(Reason::BadStart, game.line, error))?;
    Ok(GameRecord { start, result, plies })
}

/// The result, which tag and text must agree on.
fn result(game: &Game) -> Result<GameResult, Fault> {
    let line = game.plies.last().map_or(game.line, |ply| ply.line);
    let fault = |reason, error: String| Err(Fault::new(reason, line, Error::new(error)));
    let tag = game.tag("Result").map(str::trim);
    let Some(text) = game.result else {
        return fault(Reason::CutOff, "there is no result behind the last move".to_string());
    };
    if text == "*" || tag == Some("*") {
        return fault(Reason::Unfinished, "the game has no result".to_string());
    }
    match tag {
        Some(tag) if tag != text => {
            fault(Reason::WrongResult, format!("the result is {text}, but {} in the tag", quote(tag)))
        }
        _ => Ok(match text {
            "1-0" => GameResult::WhiteWins,
            "0-1" => GameResult::BlackWins,
            _ => GameResult::Draw,
        }),
    }
}

/// Fails if a clock, a crash or a user ended the game.
fn check_termination(game: &Game) -> Result<(), Fault> {
    let fault = |reason, line, text: &str| Err(Fault::new(reason, line, Error::new(text)));
    let tag = game.tag("Termination").unwrap_or_default();
    let words = tag.to_ascii_lowercase();
    if words.contains("unterminated") {
        return fault(Reason::Unfinished, game.line, "the game was not played to its end");
    }
    if FORFEITS.iter().any(|word| words.contains(word)) {
        return fault(Reason::Forfeited, game.line, &format!("ended by {}", quote(tag)));
    }
    let last = game.plies.last();
    let (line, comment) = last.map_or((game.line, &game.comment), |ply| (ply.line, &ply.comment));
    match FORFEIT_REMARKS.iter().any(|words| comment.contains(words)) {
        true => fault(Reason::Forfeited, line, &format!("ended so: {}", quote(comment))),
        false => Ok(()),
    }
}

/// The position on the board before the first move.
fn start(game: &Game) -> Result<Position, Fault> {
    let variant = game.tag("Variant").unwrap_or("chess");
    let is_chess960 = match game_named(variant) {
        Ok("chess") => false,
        Ok(CHESS960) => true,
        _ => {
            let error = Error::new(format!("the game is {}", quote(variant)));
            return Err(Fault::new(Reason::OtherGame, game.line, error));
        }
    };
    let position = match game.tag("FEN") {
        Some(fen) => Position::from_fen(fen).map_err(|error| error.within("FEN")),
        None if game.tag("SetUp") == Some("1") => Err(Error::new("there is no FEN beside SetUp")),
        None => Ok(Position::start()),
    };
    let mut position = position.map_err(|error| Fault::new(Reason::BadStart, game.line, error))?;
    position.set_chess960(is_chess960);
    Ok(position)
}

/// How many moves the opening has: the moves without scores at the beginning, and those marked as book moves. Behind it
/// every move must have a score.
fn opening(game: &Game, remarks: &[Remark]) -> Result<usize, Fault> {
    let has_score = |remark: &Remark| matches!(remark, Remark::Score(_));
    let book = remarks.iter().rposition(|remark| *remark == Remark::Book).map_or(0, |last| last + 1);
    let Some(first) = remarks.iter().position(has_score).filter(|_| book < remarks.len()) else {
        let error = Error::new("no move has a score");
        return Err(Fault::new(Reason::WithoutScores, game.line, error));
    };
    let opening = first.max(book);
    match remarks.iter().skip(opening).position(|remark| !has_score(remark)) {
        None => Ok(opening),
        Some(place) => {
            let index = opening + place;
            let error = Error::new("there is no score").within(&move_name(game, index));
            let line = game.plies.get(index).map_or(game.line, |ply| ply.line);
            Err(Fault::new(Reason::ScoreMissing, line, error))
        }
    }
}

/// Fails if the game was won or lost on the board in another way than the result says.
fn check_end(game: &Game, position: &Position, result: GameResult) -> Result<(), Fault> {
    if position.has_legal_move() {
        return Ok(());
    }
    let (name, on_board) = match position.in_check() {
        true => ("checkmate", GameResult::win_for(!position.side_to_move())),
        false => ("stalemate", GameResult::Draw),
    };
    if on_board == result {
        return Ok(());
    }
    let line = game.plies.last().map_or(game.line, |ply| ply.line);
    let error = Error::new(format!("the result after {name} is {}", game.ending()));
    Err(Fault::new(Reason::WrongResult, line, error))
}

/// A move with its number: `12. Nf3` or `12... Nf6`.
fn move_name(game: &Game, index: usize) -> String {
    let (first, side) = game.beginning();
    let ply = index + usize::from(side == Color::Black);
    let number = (first as usize).saturating_add(ply / 2);
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    let text = game.plies.get(index).map_or("", |ply: &pgn::Ply| &ply.text);
    format!("{number}{dots} {text}")
}
