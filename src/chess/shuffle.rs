//! The start positions of Chess960, by the numbers Reinhard Scharnagl gave them: 518 is that of chess.

/// How many there are.
pub const ARRAYS: u16 = 960;

/// How the two knights may stand on the five squares that bishops and queen leave.
const KNIGHTS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// The first rank of White in array `number`, which is below [`ARRAYS`].
pub fn array(number: u16) -> String {
    let number = usize::from(number % ARRAYS);
    let mut rank = [None; 8];
    rank[2 * (number % 4) + 1] = Some('B');
    rank[2 * (number / 4 % 4)] = Some('B');
    rank[free(&rank)[number / 16 % 6]] = Some('Q');
    let left = free(&rank);
    for knight in KNIGHTS[number / 96] {
        rank[left[knight]] = Some('N');
    }
    // The king stands between the rooks.
    for (file, piece) in free(&rank).into_iter().zip(['R', 'K', 'R']) {
        rank[file] = Some(piece);
    }
    rank.into_iter().flatten().collect()
}

/// The start position with this array on both sides; rights are the files of the rooks.
pub fn start_fen(array: &str) -> String {
    let rooks: String =
        ('A'..).zip(array.chars()).filter(|(_, piece)| *piece == 'R').map(|(file, _)| file).collect();
    let rights: String = rooks.chars().rev().collect();
    let (black, black_rights) = (array.to_ascii_lowercase(), rights.to_ascii_lowercase());
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{array} w {rights}{black_rights} - 0 1")
}

/// The files on which nothing stands.
fn free(rank: &[Option<char>; 8]) -> Vec<usize> {
    (0..8).filter(|&file| rank[file].is_none()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn known_numbers_give_known_arrays() {
        assert_eq!(array(0), "BBQNNRKR");
        assert_eq!(array(518), "RNBQKBNR");
        assert_eq!(array(959), "RKRNNQBB");
        assert_eq!(start_fen("BBQNNRKR"), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    }

    #[test]
    fn the_arrays_are_all_different_and_keep_the_rules() {
        let mut arrays: Vec<String> = (0..ARRAYS).map(array).collect();
        for array in &arrays {
            let files = |piece: char| array.match_indices(piece).map(|(file, _)| file).collect::<Vec<_>>();
            let (bishops, rooks, king) = (files('B'), files('R'), files('K'));
            assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{array}");
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{array}");
            assert_eq!((files('N').len(), files('Q').len()), (2, 1), "{array}");
            let mut position = Position::from_fen(&start_fen(array)).unwrap();
            position.set_chess960(true);
            assert_eq!(position.fen(), start_fen(array));
        }
        arrays.sort();
        arrays.dedup();
        assert_eq!(arrays.len(), usize::from(ARRAYS));
    }
}
