//! The engine's endgame tables: opening what the options name, telling what was found, handing it to the session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Engine;
use super::report::Report;
use crate::base::Error;
use crate::endgame::Endgames;
use crate::endgame::probe::SyzygyUse;
use crate::endgame::syzygy::Syzygy;
use crate::endgame::tables::Tables;

/// The folders that an option names, separated by semicolons or, except on Windows, colons. One that is there under
/// the whole name is one, whatever its name holds.
fn folders(path: &str) -> Vec<PathBuf> {
    if Path::new(path).is_dir() {
        return vec![PathBuf::from(path)];
    }
    let separates = |c: char| c == ';' || c == ':' && !cfg!(windows);
    path.split(separates).map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from).collect()
}

impl Engine {
    fn tell(&self, text: String) {
        (self.listener)(Report::Text(text));
    }

    /// Whether there are other tables of our own than those in the binary.
    pub(super) fn has_own_tables(&self) -> bool {
        self.endgames.own.most_men() > Endgames::embedded().own.most_men()
    }

    /// Opens our own tables in some folders; those in the binary are always there.
    pub(super) fn open_endgames(&mut self, path: &str) -> Result<(), Error> {
        let found = Tables::in_folders(&folders(path)).map_err(|error| error.within("EndgamePath"))?;
        found.faults.iter().for_each(|fault| self.tell(format!("endgame table refused: {fault}")));
        if !path.is_empty() {
            let men = found.tables.most_men();
            self.tell(match found.added {
                0 => format!("no endgame tables in {path}"),
                added => format!("{added} endgame tables with up to {men} men in {path}"),
            });
        }
        self.change_endgames(Endgames { own: Arc::new(found.tables), ..self.endgames.clone() });
        Ok(())
    }

    /// Opens the Syzygy tables in some folders in place of those there were.
    pub(super) fn open_syzygy(&mut self, path: &str) -> Result<(), Error> {
        let listener = Arc::clone(&self.listener);
        let tell = Box::new(move |text| listener(Report::Text(text)));
        let found = Syzygy::in_folders(&folders(path), tell).map_err(|error| error.within("SyzygyPath"))?;
        found.faults.iter().for_each(|fault| self.tell(format!("Syzygy table refused: {fault}")));
        if !path.is_empty() {
            self.tell(match (found.counts, found.tables.as_ref().map(Syzygy::max_men)) {
                ([wdl, dtz], Some(men)) => {
                    format!("{wdl} WDL and {dtz} DTZ tables with up to {men} men in {path}")
                }
                (_, None) => format!("no Syzygy tables in {path}"),
            });
        }
        let (syzygy, syzygy_use) = (found.tables.map(Arc::new), self.syzygy_use());
        self.change_endgames(Endgames { syzygy, syzygy_use, ..self.endgames.clone() });
        Ok(())
    }

    /// Lets the session search with the tables as the options say.
    pub(super) fn use_endgames(&mut self) {
        let syzygy_use = self.syzygy_use();
        if syzygy_use != self.endgames.syzygy_use {
            self.change_endgames(Endgames { syzygy_use, ..self.endgames.clone() });
        }
    }

    /// How the options want Syzygy tables to be used.
    fn syzygy_use(&self) -> SyzygyUse {
        SyzygyUse {
            depth: self.options.syzygy_probe_depth as i32,
            men: self.options.syzygy_probe_limit as usize,
            fifty_moves: self.options.syzygy_50_move_rule,
        }
    }

    /// Lets the session search with other tables. What it has found without them is forgotten.
    fn change_endgames(&mut self, endgames: Endgames) {
        self.endgames = endgames;
        self.session.set_tables(Some(&self.endgames));
        self.session.clear_table();
    }
}
