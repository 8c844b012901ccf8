//! What each command of the console does.

use std::path::Path;
use std::time::{Duration, Instant};

use super::archive::{self, Place};
use super::clock::TimeControl;
use super::command::{self, ClockWish, Command, Seats};
use super::level::{self, Level};
use super::record::Record;
use super::session::{Exam, Next, Session, say, thinking};
use super::study::{self, Exercise};
use super::words;
use crate::base::{Cell, Color, Error, Score};
use crate::engine::board::{self, AnyBoard, Verdict, game_named};
use crate::time::Limits;

/// How long a draw is considered, or a hint at a level that names no time.
const CONSIDER: Duration = Duration::from_secs(1);
/// A draw is accepted with this much, in centipawns, once the opening is over; before, only with a worse game.
const CONTENT_CP: i32 = 20;
const WORSE_CP: i32 = -50;
const OPENING_MOVES: u32 = 20;

impl Session {
    /// Carries a command out.
    pub(super) fn carry_out(&mut self, command: Command) -> Result<Next, Error> {
        match command {
            Command::Nothing => {}
            Command::Help(topic) => say(&command::help(topic.as_deref())?),
            Command::New(fen) => self.new_game(fen.as_deref())?,
            Command::Color(seats) => self.take_seats(seats),
            Command::Level(level) => self.set_level(level)?,
            Command::Clock(wish) => self.set_clock(wish),
            Command::Variant(name) => self.change_variant(name.as_deref())?,
            Command::Back(plies) => self.back(plies)?,
            Command::Forward(plies) => self.forward(plies)?,
            Command::Hint => self.hint()?,
            Command::Todo => self.todo()?,
            Command::Eval => self.evaluate()?,
            Command::Flip => {
                self.flipped = !self.flipped;
                self.show(&[]);
            }
            Command::History => self.history(),
            Command::Save(path) => self.save(&path)?,
            Command::Load(path, number) => self.load(&path, number)?,
            Command::Replay(pause) => self.replay(pause),
            Command::Resign => self.resign()?,
            Command::Draw => self.offer_draw()?,
            Command::Exit => return Ok(Next::Leave),
            Command::Moves(square) => self.moves(square.as_deref())?,
            Command::Go => self.go()?,
            Command::Board => self.show(&[]),
            Command::Style(look) => {
                self.style = look.map_or(self.style, |look| self.style.with(look));
                let figures = if self.style.figures { "unicode" } else { "ascii" };
                say(&format!("style {figures}, {}", if self.style.colors { "color" } else { "plain" }));
                self.show(&[]);
            }
            Command::Fen => say(&self.record.board().fen()),
            Command::Move(text) => self.person_moves(&text)?,
        }
        Ok(Next::Stay)
    }

    /// Begins with another game record.
    fn begin(&mut self, record: Record) {
        self.record = record;
        self.home = None;
        self.paused = false;
        self.since = Instant::now();
        self.partner.new_game();
    }

    /// Begins an endgame study with its position.
    pub(super) fn enter(&mut self, exam: Exam) -> Result<(), Error> {
        let exercise = exam.exercise.clone();
        self.study = Some(exam);
        self.set_exercise(exercise)
    }

    /// Puts a position of the study on the board.
    fn set_exercise(&mut self, exercise: Exercise) -> Result<(), Error> {
        let record = Record::from_fen("chess", &exercise.fen)?;
        self.seats = if exercise.side.is_white() { Seats::White } else { Seats::Black };
        self.flipped = !exercise.side.is_white();
        if let Some(exam) = &mut self.study {
            (exam.exercise, exam.hints_left) = (exercise, study::HINTS);
            say(&exam.words());
        }
        self.begin(record);
        Ok(())
    }

    fn new_game(&mut self, fen: Option<&str>) -> Result<(), Error> {
        let game = self.record.board().game();
        match (fen, &self.study) {
            (None, Some(exam)) => {
                let exercise = exam.study.exercise(exam.wanted, &mut self.random)?;
                self.set_exercise(exercise)?;
            }
            (Some(_), Some(_)) => {
                return Err(Error::new("a study chooses its own positions: new"));
            }
            (Some(fen), None) => {
                let record = Record::from_fen(game, fen)?;
                self.begin(record);
            }
            (None, None) => {
                let record = Record::new(game, &mut self.random)?;
                self.begin(record);
            }
        }
        self.show(&[]);
        self.announce();
        Ok(())
    }

    fn take_seats(&mut self, seats: Option<Seats>) {
        if let Some(seats) = seats {
            self.seats = seats;
            self.paused = false;
            match seats {
                Seats::White => self.flipped = false,
                Seats::Black => self.flipped = true,
                Seats::Both | Seats::Nobody => {}
            }
        }
        say(match self.seats {
            Seats::White => "you play White",
            Seats::Black => "you play Black",
            Seats::Both => "two people play",
            Seats::Nobody => "the engine plays against itself; Ctrl-C pauses, go goes on",
        });
    }

    fn set_level(&mut self, level: Option<Level>) -> Result<(), Error> {
        if level == Some(Level::Clock) && self.control.is_none() {
            return Err(Error::new("there is no clock; clock 5+3 sets one"));
        }
        self.level = level.unwrap_or(self.level);
        say(&format!("level: {}", self.level));
        Ok(())
    }

    pub(super) fn set_clock(&mut self, wish: ClockWish) {
        match wish {
            ClockWish::Show => {}
            ClockWish::Off => {
                self.control = None;
                if self.level == Level::Clock {
                    self.level = level::DEFAULT;
                }
            }
            ClockWish::On(control) => {
                self.record.start_clock();
                self.start_clock(control);
            }
        }
        match self.control {
            None => say("there is no clock"),
            Some(control) => {
                let [white, black] = Color::ALL.map(|side| words::time_of(&self.record, side, self.control));
                say(&format!("clock {}: White {white}, Black {black}", control.tag()));
            }
        }
    }

    /// Sets a clock; a level by time gives way to it.
    pub(super) fn start_clock(&mut self, control: TimeControl) {
        self.control = Some(control);
        self.since = Instant::now();
        if matches!(self.level, Level::Time(_)) {
            self.level = Level::Clock;
        }
    }

    fn change_variant(&mut self, name: Option<&str>) -> Result<(), Error> {
        let Some(name) = name else {
            let games: Vec<&str> = board::games().collect();
            say(&format!("this is {}; there are {}", self.record.board().game(), games.join(", ")));
            return Ok(());
        };
        if self.study.is_some() {
            return Err(Error::new("this is an endgame study; a variant needs a session of its own"));
        }
        let record = Record::new(game_named(name)?, &mut self.random)?;
        self.begin(record);
        self.show(&[]);
        Ok(())
    }

    /// Goes back to the person's last move, or so many plies.
    fn back(&mut self, plies: Option<usize>) -> Result<(), Error> {
        let engine_answered = self.record.last().is_some() && !self.is_persons(!self.record.board().side());
        let usual = if engine_answered && self.seats != Seats::Nobody { 2 } else { 1 };
        let given_up = self.record.is_agreed();
        let gone = self.record.back(plies.unwrap_or(usual));
        // The end that was agreed is taken back even where there is no move to take back.
        self.moved_in_history(gone + usize::from(given_up), "this is the beginning of the game")
    }

    fn forward(&mut self, plies: Option<usize>) -> Result<(), Error> {
        let usual = if matches!(self.seats, Seats::White | Seats::Black) { 2 } else { 1 };
        let gone = self.record.forward(plies.unwrap_or(usual));
        self.moved_in_history(gone, "there is nothing to play again")
    }

    fn moved_in_history(&mut self, plies: usize, nothing: &str) -> Result<(), Error> {
        if plies == 0 {
            return Err(Error::new(nothing));
        }
        self.paused = true;
        self.since = Instant::now();
        self.show(&[]);
        self.announce();
        Ok(())
    }

    fn must_go_on(&self) -> Result<(), Error> {
        match self.record.verdict() {
            Some(verdict) => Err(Error::new(format!("the game is over: {}", verdict.rule))),
            None => Ok(()),
        }
    }

    /// How long to think about a hint or an offer.
    fn considering(&self) -> Limits {
        match self.level {
            Level::Elo(_) | Level::Clock => Limits { move_time: Some(CONSIDER), ..Limits::default() },
            level => level.limits(),
        }
    }

    fn hint(&mut self) -> Result<(), Error> {
        self.must_go_on()?;
        if let Some(exam) = &mut self.study {
            if exam.hints_left == 0 {
                return Err(Error::new(format!("the {} hints are used up", study::HINTS)));
            }
            let board = self.record.board();
            let moves = board.table_moves(exam.study.tables());
            if let Some(&(mv, value)) = moves.as_ref().and_then(|moves| moves.first()) {
                exam.hints_left -= 1;
                let told = study::describe(value, board.side());
                say(&format!("{}: {told}; {} hints left", board.san(mv), exam.hints_left));
                return Ok(());
            }
        }
        let limits = self.considering();
        let thought = self.partner.analyze(&self.record, limits, &self.interrupt)?;
        let board = self.record.board();
        let best = thought.best.as_deref().ok_or_else(|| Error::new("the engine has found no move"))?;
        let mv = board.parse_uci(best)?;
        let line = thought.info.as_ref().map(|info| format!(" ({})", thinking(board, info)));
        say(&format!("{}{}", board.san(mv), line.unwrap_or_default()));
        Ok(())
    }

    /// How far the mate is.
    fn todo(&self) -> Result<(), Error> {
        let board = self.record.board();
        let Some(value) = board.table_value(&self.tables) else {
            let ending = board.ending().filter(|ending| (3..=5).contains(&ending.men()));
            return Err(Error::new(match ending {
                Some(ending) if self.tables.has(ending) => {
                    "the tables know no castling, and here it is still allowed".to_string()
                }
                Some(ending) => format!(
                    "there is no table of {ending}; rosada endgame build {ending} --dir DIR makes one, \
                     rosada play --dir DIR uses it"
                ),
                None => "no endgame table knows this position".to_string(),
            }));
        };
        say(&format!("{} (the fifty-move rule aside)", study::describe(value, board.side())));
        Ok(())
    }

    fn evaluate(&mut self) -> Result<(), Error> {
        let text = self.partner.evaluation(&self.record)?;
        say(text.trim_end());
        Ok(())
    }

    fn history(&self) {
        let words = self.record.numbered(0);
        let mut text = String::new();
        let mut column = 0;
        for word in &words {
            let length = word.chars().count() + 1;
            if column + length > 79 {
                text.push('\n');
                column = 0;
            }
            text.push_str(if column > 0 { " " } else { "" });
            text.push_str(word);
            column += length;
        }
        say(if words.is_empty() { "no moves yet" } else { &text });
        let left = self.record.plies().len() - self.record.played().len();
        if left > 0 {
            say(&format!("({left} more were taken back; forward plays them again)"));
        }
        if let Some(opening) = self.record.board().opening() {
            say(&opening.to_string());
        }
    }

    /// Saves the game: where it lies already, or as another one of the file.
    fn save(&mut self, path: &Path) -> Result<(), Error> {
        let known = self.home.as_ref().filter(|(home, _)| home == path).map(|(_, number)| *number);
        let place = archive::save(path, &self.record, &self.table(), known)?;
        self.home = Some((path.to_path_buf(), place.number));
        let (plies, result, path) = (self.record.played().len(), self.record.result(), path.display());
        let of = match place {
            Place { games: 1, .. } => String::new(),
            Place { number, games } => format!(" as game {number} of {games}"),
        };
        say(&format!("saved {plies} plies, result {result}, to {path}{of}"));
        Ok(())
    }

    pub(super) fn load(&mut self, path: &Path, number: usize) -> Result<(), Error> {
        if self.study.is_some() {
            return Err(Error::new(
                "this is an endgame study; games are loaded in a session without --endgame",
            ));
        }
        let loaded = archive::load(path, number)?;
        self.begin(loaded.record);
        self.home = Some((path.to_path_buf(), number));
        match loaded.control {
            Some(control) => self.start_clock(control),
            None => {
                self.control = None;
                self.level = if self.level == Level::Clock { level::DEFAULT } else { self.level };
            }
        }
        self.paused = true;
        let plies = self.record.played().len();
        say(&format!("loaded {plies} plies of {} from {}", self.record.board().game(), path.display()));
        self.show(&[]);
        self.announce();
        if self.record.verdict().is_none() && !self.is_persons(self.record.board().side()) {
            say("it is the engine's turn: go lets it move, color changes seats");
        }
        Ok(())
    }

    /// Shows the game move by move.
    fn replay(&mut self, pause: Duration) {
        let end = self.record.played().len();
        self.interrupt.begin();
        for ply in 0..=end {
            self.record.go_to(ply);
            self.show(&[]);
            let until = Instant::now() + pause;
            while self.input.is_terminal()
                && ply < end
                && Instant::now() < until
                && !self.interrupt.is_asked()
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            if self.interrupt.is_asked() {
                break;
            }
        }
        self.interrupt.end();
        self.record.go_to(end);
        self.since = Instant::now();
        self.announce();
    }

    fn resign(&mut self) -> Result<(), Error> {
        self.must_go_on()?;
        let side = match self.seats {
            Seats::White => Color::White,
            Seats::Black => Color::Black,
            Seats::Both | Seats::Nobody => self.record.board().side(),
        };
        self.record.agree(Verdict { winner: Some(!side), rule: format!("{side} has given up") });
        self.announce();
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<(), Error> {
        self.must_go_on()?;
        let agreed = Verdict { winner: None, rule: "draw agreed".to_string() };
        if matches!(self.seats, Seats::Both | Seats::Nobody) {
            self.record.agree(agreed);
            self.announce();
            return Ok(());
        }
        if self.study.is_some() {
            return Err(Error::new("a study is played to its end"));
        }
        let limits = self.considering();
        let thought = self.partner.analyze(&self.record, limits, &self.interrupt)?;
        let board = self.record.board();
        let own_turn = !self.is_persons(board.side());
        let score = thought.info.map_or(Score::DRAW, |info| if own_turn { info.score } else { -info.score });
        let content = if board.fullmove() > OPENING_MOVES { CONTENT_CP } else { WORSE_CP };
        if score.value() <= content {
            say("Rosada accepts the draw");
            self.record.agree(agreed);
            self.announce();
        } else {
            let view =
                words::score(score, if self.seats == Seats::White { Color::Black } else { Color::White });
            say(&format!("Rosada plays on ({view})"));
        }
        Ok(())
    }

    /// The moves of a piece, pointed out on the board, or all of them.
    fn moves(&self, square: Option<&str>) -> Result<(), Error> {
        self.must_go_on()?;
        let board = self.record.board();
        let legal = board.legal();
        let Some(text) = square else {
            let all: Vec<String> = legal.iter().map(|&(mv, _)| board.san(mv)).collect();
            say(&format!("{} moves: {}", all.len(), all.join(" ")));
            return Ok(());
        };
        let from = read_square(board, text)?;
        let own: Vec<_> = legal.iter().filter(|(_, facts)| facts.from == from).collect();
        if own.is_empty() {
            let men = board.men();
            let whose = men.at(from).map(|man| man.side);
            return Err(Error::new(match whose {
                Some(Some(side)) if side == board.side() => format!("{} cannot move", men.describe(from)),
                Some(_) => {
                    format!("{} does not belong to {}, who is to move", men.describe(from), board.side())
                }
                None => format!("there is nothing on {from}"),
            }));
        }
        let targets: Vec<Cell> = own.iter().map(|(mv, _)| board.target(*mv)).collect();
        self.show(&targets);
        let words: Vec<String> = own.iter().map(|(mv, _)| board.san(*mv)).collect();
        say(&words.join(" "));
        Ok(())
    }

    /// Lets the engine move now, whoever's turn it is.
    fn go(&mut self) -> Result<(), Error> {
        self.must_go_on()?;
        self.paused = false;
        self.engine_moves()
    }
}

fn read_square(board: &AnyBoard, text: &str) -> Result<Cell, Error> {
    let men = board.men();
    let cell = Cell::parse(&text.trim().to_ascii_lowercase()).filter(|&cell| men.has(cell));
    cell.ok_or_else(|| Error::new(format!("{} is no square of this board", crate::base::error::quote(text))))
}
