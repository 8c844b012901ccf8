//! The engine as the console's partner: it is given a game and a level, thinks aloud, and answers with a move.

use super::interrupt::Interrupt;
use super::level::Level;
use super::record::Record;
use crate::base::Error;
use crate::engine::report::Info;
use crate::engine::thinker::{Thinker, Thought};
use crate::time::Limits;

/// The engine.
pub struct Partner {
    thinker: Thinker,
}

impl Partner {
    /// An engine with so many threads and megabytes, which may play from its book.
    pub fn new(threads: u32, hash_mb: u32, book: bool) -> Result<Partner, Error> {
        let thinker = Thinker::new(&[
            ("Threads", threads.to_string()),
            ("Hash", hash_mb.to_string()),
            ("OwnBook", book.to_string()),
        ])?;
        Ok(Partner { thinker })
    }

    /// Lets it use the endgame tables of a folder; what was found is returned in words.
    pub fn use_tables(&mut self, folder: &str) -> Result<Vec<String>, Error> {
        self.thinker.set("EndgamePath", folder)
    }

    /// A new game: whatever it remembers of the last one is of no use.
    pub fn new_game(&mut self) {
        self.thinker.new_game();
    }

    fn look_at(&mut self, record: &Record) -> Result<(), Error> {
        self.thinker.look_at(record.board().game(), record.setup().as_deref(), &record.uci())
    }

    /// The evaluation term by term.
    pub fn evaluation(&mut self, record: &Record) -> Result<String, Error> {
        self.look_at(record)?;
        self.thinker.evaluation()
    }

    /// Thinks as it would in a game at this level; `show` hears how it goes. Tells, too, whether it was cut short.
    pub fn play(
        &mut self,
        record: &Record,
        level: Level,
        limits: Limits,
        interrupt: &Interrupt,
        show: impl FnMut(&Info),
    ) -> Result<(Thought, bool), Error> {
        let elo = if let Level::Elo(elo) = level { Some(elo) } else { None };
        self.thinker.set("UCI_LimitStrength", if elo.is_some() { "true" } else { "false" })?;
        if let Some(elo) = elo {
            self.thinker.set("UCI_Elo", &elo.to_string())?;
        }
        self.think(record, limits, "false", interrupt, show)
    }

    /// Thinks at full strength, without a book.
    pub fn analyze(
        &mut self,
        record: &Record,
        limits: Limits,
        interrupt: &Interrupt,
    ) -> Result<Thought, Error> {
        self.think(record, limits, "true", interrupt, |_| {}).map(|(thought, _)| thought)
    }

    fn think(
        &mut self,
        record: &Record,
        limits: Limits,
        analyze: &str,
        interrupt: &Interrupt,
        show: impl FnMut(&Info),
    ) -> Result<(Thought, bool), Error> {
        self.thinker.set("UCI_AnalyseMode", analyze)?;
        self.look_at(record)?;
        interrupt.begin();
        let thought = self.thinker.think(limits, || interrupt.is_asked(), show);
        Ok((thought, interrupt.end()))
    }
}
