//! Building tables into a folder: which endings, in which order, and what is kept in memory meanwhile.
//!
//! An ending needs the endings it leads to, so those are built first. Every finished table is a file at once; a build that
//! was interrupted goes on with the first table that is missing.

use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ending::Ending;
use super::format::{self, EXTENSION, Table};
use super::index::Layout;
use super::parallel::Crew;
use super::solve::{self, solve};
use super::solved::Library;
use crate::base::{Color, Error, files};
use crate::chess::PieceKind;

/// Hears how a build goes on.
pub trait Observer: Sync {
    /// An ending is taken up, the `number`th of all.
    fn begin(&self, ending: Ending, number: usize);
    /// An ending is finished: its file has so many bytes; none if the file was there before.
    fn done(&self, ending: Ending, bytes: Option<usize>);
    /// A file that is there cannot be used and is built again.
    fn refused(&self, path: &Path, reason: &Error);
}

/// The endings to build so that these can be built: everything they lead to, smaller ones first.
pub fn plan(wanted: &[Ending]) -> Vec<Ending> {
    let mut all: Vec<Ending> = Vec::new();
    let mut open = wanted.to_vec();
    while let Some(ending) = open.pop() {
        if !all.contains(&ending) {
            all.push(ending);
            open.extend(ending.successors());
        }
    }
    // A capture takes a man, a promotion a pawn.
    let pawns =
        |ending: &Ending| Color::ALL.map(|color| ending.count(color, PieceKind::Pawn)).iter().sum::<usize>();
    all.sort_by_key(|ending| (ending.men(), pawns(ending), *ending));
    all
}

/// Small endings stay in memory during a build, larger ones only while they are needed.
fn is_small(ending: Ending) -> bool {
    ending.men() <= 4
}

/// The most bytes of memory that building a plan takes.
pub fn memory_needed(plan: &[Ending]) -> usize {
    let values = |ending: Ending| 2 * Layout::new(ending).size();
    let needed_by = |ending: Ending| {
        let larger = ending.successors().into_iter().filter(|&smaller| !is_small(smaller));
        solve::memory_for(ending) + larger.map(values).sum::<usize>()
    };
    let largest = plan.iter().map(|&ending| needed_by(ending)).max().unwrap_or(0);
    largest + plan.iter().filter(|&&ending| is_small(ending)).map(|&ending| values(ending)).sum::<usize>()
}

/// The file of an ending in a folder.
pub fn file_of(folder: &Path, ending: Ending) -> PathBuf {
    folder.join(format!("{ending}.{EXTENSION}"))
}

/// Builds the endings of a plan that are not in the folder yet.
pub fn build(folder: &Path, plan: &[Ending], crew: &Crew<'_>, observer: &dyn Observer) -> Result<(), Error> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::from(error).within(&folder.display().to_string()))?;
    let mut library = Library::new();
    for (place, &ending) in plan.iter().enumerate() {
        observer.begin(ending, place);
        let path = file_of(folder, ending);
        if path.exists() {
            match Table::open(&path) {
                Ok(_) => {
                    observer.done(ending, None);
                    continue;
                }
                Err(reason) => observer.refused(&path, &reason),
            }
        }
        let needed = ending.successors();
        library.retain(|known, _| is_small(*known) || needed.contains(known));
        for smaller in needed {
            if let Entry::Vacant(place) = library.entry(smaller) {
                let path = file_of(folder, smaller);
                let table = Table::open(&path).map_err(|error| error.within(&path.display().to_string()))?;
                place.insert(Arc::new(table.load(crew)?));
            }
        }
        let solved = solve(ending, &library, crew)?;
        let bytes = format::pack(&solved, crew)?;
        files::replace(&path, &bytes)?;
        library.insert(ending, Arc::new(solved));
        observer.done(ending, Some(bytes.len()));
    }
    Ok(())
}
