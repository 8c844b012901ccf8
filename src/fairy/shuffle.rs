//! The start positions of Capablanca Random chess.
//!
//! Bishops stand on squares of different colors, so do queen and archbishop, the king stands between the rooks, and a
//! piece protects every pawn: 21,836 arrays, the ones Cute Chess draws from. Two more rules (bishops not side by side;
//! at least three squares unlike Gothic chess) leave the 12,118 that books speak of.

use super::{Kind, Rules, variants};

/// Which arrays to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrays {
    /// All 21,836.
    All,
    /// The 12,118 without neighboring bishops and without near copies of Gothic chess.
    Strict,
}

const FILES: usize = 10;
const GOTHIC: &str = "RNBQCKABNR";

/// All arrays, as the first rank of White, in alphabetical order.
pub fn arrays(which: Arrays) -> Vec<String> {
    let mut found = Vec::new();
    let mut rank = Vec::with_capacity(FILES);
    extend(
        &mut rank,
        &mut [('A', 1), ('B', 2), ('C', 1), ('K', 1), ('N', 2), ('Q', 1), ('R', 2)],
        &mut |rank| {
            if is_array(rank) && (which == Arrays::All || is_strict(rank)) {
                found.push(rank.iter().collect());
            }
        },
    );
    found
}

/// The start position with this array on both sides.
pub fn start_fen(array: &str) -> String {
    // Rights are the files of the rooks, the high one first.
    let pieces: Vec<(char, char)> = ('A'..).zip(array.chars()).collect();
    let rights: String =
        pieces.iter().rev().filter(|(_, piece)| *piece == 'R').map(|(file, _)| file).collect();
    let (black, black_rights) = (array.to_ascii_lowercase(), rights.to_ascii_lowercase());
    format!("{black}/pppppppppp/10/10/10/10/PPPPPPPPPP/{array} w {rights}{black_rights} - 0 1")
}

/// Tries every order of the pieces that are left, alike ones once.
fn extend(rank: &mut Vec<char>, left: &mut [(char, usize)], found: &mut impl FnMut(&[char])) {
    if rank.len() == FILES {
        return found(rank);
    }
    for index in 0..left.len() {
        if left[index].1 > 0 {
            left[index].1 -= 1;
            rank.push(left[index].0);
            extend(rank, left, found);
            rank.pop();
            left[index].1 += 1;
        }
    }
}

/// The files on which a piece stands.
fn files(rank: &[char], piece: char) -> Vec<usize> {
    (0..FILES).filter(|&file| rank[file] == piece).collect()
}

fn is_array(rank: &[char]) -> bool {
    let (bishops, rooks) = (files(rank, 'B'), files(rank, 'R'));
    let (king, queen, archbishop) = (files(rank, 'K')[0], files(rank, 'Q')[0], files(rank, 'A')[0]);
    (bishops[0] + bishops[1]) % 2 == 1
        && (queen + archbishop) % 2 == 1
        && (rooks[0]..rooks[1]).contains(&king)
        && (0..FILES).all(|file| is_protected(rank, file))
}

/// Whether a piece of the first rank protects the pawn before it on `file`.
fn is_protected(rank: &[char], file: usize) -> bool {
    (0..FILES).any(|from| {
        let kind = kind_of(rank[from]);
        match from.abs_diff(file) {
            0 => kind.has(super::pieces::STRAIGHT | super::pieces::KING),
            1 => kind.has(super::pieces::DIAGONAL | super::pieces::KING),
            2 => kind.has(super::pieces::KNIGHT),
            _ => false,
        }
    })
}

fn kind_of(letter: char) -> Kind {
    match letter {
        'A' => Kind::Archbishop,
        'B' => Kind::Bishop,
        'C' => Kind::Chancellor,
        'K' => Kind::King,
        'N' => Kind::Knight,
        'Q' => Kind::Queen,
        _ => Kind::Rook,
    }
}

fn is_strict(rank: &[char]) -> bool {
    let bishops = files(rank, 'B');
    let different = rank.iter().zip(GOTHIC.chars()).filter(|&(&piece, gothic)| piece != gothic).count();
    bishops[1] - bishops[0] > 1 && different >= 3
}

/// The rules that these start positions are for.
pub fn rules() -> Option<&'static Rules> {
    variants::find("caparandom")
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::*;

    #[test]
    fn the_arrays_are_counted() {
        let all = arrays(Arrays::All);
        let strict = arrays(Arrays::Strict);
        assert_eq!((all.len(), strict.len()), (21_836, 12_118));
        let has = |list: &[String], array: &str| list.iter().any(|other| other == array);
        // Embassy's and Gothic's arrays are among the ones, not among the others.
        assert!(has(&all, "RNBQKCABNR") && has(&all, GOTHIC));
        assert!(!has(&strict, "RNBQKCABNR") && !has(&strict, GOTHIC));
        assert!(strict.iter().all(|array| has(&all, array)));
        for array in all.iter().step_by(97) {
            let fen = start_fen(array);
            let position = Position::from_fen(rules().unwrap(), &fen).unwrap();
            assert_eq!(position.fen(), fen);
        }
    }

    /// Castling is possible at once in so many arrays.
    #[test]
    fn castling_on_the_first_move() {
        use super::super::FairyMove;
        let rules = rules().unwrap();
        let can_castle = |array: &String| {
            let position = Position::from_fen(rules, &start_fen(array)).unwrap();
            position.legal_moves().iter().any(|mv| mv.is_castling())
        };
        assert_eq!(arrays(Arrays::All).iter().filter(|array| can_castle(array)).count(), 1364);
    }
}
