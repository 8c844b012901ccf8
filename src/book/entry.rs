//! One entry of a Polyglot book, sixteen bytes with the highest first:
//!
//! ```text
//! 0      8    10      12     16
//! [ key  ][move][weight][learn]      move: [promotion 3][from 6][to 6], castling as king takes rook
//! ```

use crate::base::Move;
use crate::chess::{ChessMove, PieceKind, Position, Square};

/// The size of an entry.
pub const ENTRY_BYTES: usize = 16;

/// What the three promotion bits mean; others are no promotion of chess.
const PROMOTIONS: [Option<PieceKind>; 5] =
    [None, Some(PieceKind::Knight), Some(PieceKind::Bishop), Some(PieceKind::Rook), Some(PieceKind::Queen)];

/// A move of one position as the file has it, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Polyglot's key of the position.
    pub key: u64,
    /// The move in Polyglot's bits.
    pub code: u16,
    /// How often it shall be played, compared with the other moves of the position.
    pub weight: u16,
    /// Room for programs that learn; we leave it alone.
    pub learn: u32,
}

impl Entry {
    /// The entry that these bytes are.
    pub fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Entry {
        let [k0, k1, k2, k3, k4, k5, k6, k7, c0, c1, w0, w1, learn @ ..] = *bytes;
        Entry {
            key: u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            code: u16::from_be_bytes([c0, c1]),
            weight: u16::from_be_bytes([w0, w1]),
            learn: u32::from_be_bytes(learn),
        }
    }

    /// The bytes of the entry.
    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.code.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }
}

/// Polyglot's bits of a move.
pub fn encode(mv: Move) -> u16 {
    let promotion = PROMOTIONS.iter().position(|&kind| kind == mv.promotion()).unwrap_or(0);
    u16::from(mv.to().raw()) | u16::from(mv.from().raw()) << 6 | (promotion as u16) << 12
}

/// The legal move that these bits mean in a position, if there is one. Castling is king takes rook, in Chess960 too;
/// books that write it as a step of two files are understood as well.
pub fn decode(position: &Position, code: u16) -> Option<Move> {
    let (to, from) = (Square::new((code & 63) as u8), Square::new((code >> 6 & 63) as u8));
    let promotion = *PROMOTIONS.get(usize::from(code >> 12))?;
    let moves = position.legal_moves();
    let plain = moves.iter().find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion);
    let castling = || {
        let target = |mv: Move| mv.castling_side().king_target(position.side_to_move());
        moves
            .iter()
            .find(|&&mv| mv.is_castling() && mv.from() == from && promotion.is_none() && target(mv) == to)
    };
    plain.or_else(castling).copied()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_format() {
        let entry = Entry { key: 0x463B_9618_1691_FC9C, code: 0x031C, weight: 0x1234, learn: 7 };
        let bytes = [0x46, 0x3B, 0x96, 0x18, 0x16, 0x91, 0xFC, 0x9C, 3, 0x1C, 0x12, 0x34, 0, 0, 0, 7];
        assert_eq!((entry.to_bytes(), Entry::from_bytes(&bytes)), (bytes, entry));
        let position = Position::start();
        assert_eq!(decode(&position, 0x031C), Some(position.parse_uci("e2e4").unwrap()));
    }

    #[test]
    fn every_legal_move_survives_the_round_trip() {
        for fen in [
            crate::chess::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/PPP4k/8/8/8/8/4Kppp/8 b - - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for mv in position.legal_moves() {
                assert_eq!(decode(&position, encode(mv)), Some(mv), "{}", position.uci(mv));
            }
        }
    }

    #[test]
    fn castling_comes_in_both_forms() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1").unwrap();
        for (from, to, side) in [(60, 63, "O-O"), (60, 62, "O-O"), (60, 56, "O-O-O"), (60, 58, "O-O-O")] {
            let mv = decode(&position, from << 6 | to).unwrap();
            assert_eq!(position.san(mv), side);
        }
        // The king's own step comes before castling that ends on the same square.
        let chess960 = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        assert!(!decode(&chess960, 5 << 6 | 6).unwrap().is_castling());
        assert!(decode(&chess960, 5 << 6 | 7).unwrap().is_castling());
    }

    #[test]
    fn nonsense_is_no_move() {
        let start = Position::start();
        let promotion = Position::from_fen("8/P7/8/8/8/8/k6K/8 w - - 0 1").unwrap();
        assert_eq!(decode(&start, 0), None);
        assert_eq!(decode(&start, 12 << 6 | 36), None);
        for code in [48 << 6 | 56, 5 << 12 | 48 << 6 | 56, 0xFFFF] {
            assert_eq!(decode(&promotion, code), None, "{code:#x}");
        }
        assert!(decode(&promotion, 4 << 12 | 48 << 6 | 56).is_some());
    }
}
