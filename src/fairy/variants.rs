//! The variants, one row of data each.

use once_cell::sync::Lazy;

use super::Kind::{self, Amazon, Archbishop, Bishop, Chancellor, King, Knight, Pawn, Queen, Rook};
use super::spec::{CastlingFiles, Promotion, Rules, Variant};

const CHESS_LETTERS: &[(char, Kind)] =
    &[('P', Pawn), ('N', Knight), ('B', Bishop), ('R', Rook), ('Q', Queen), ('K', King)];
const CAPABLANCA_LETTERS: &[(char, Kind)] = &[
    ('P', Pawn),
    ('N', Knight),
    ('B', Bishop),
    ('R', Rook),
    ('Q', Queen),
    ('K', King),
    ('A', Archbishop),
    ('C', Chancellor),
];
const CHESS_PROMOTION: Option<Promotion> =
    Some(Promotion { ranks: 1, to: &[Queen, Rook, Bishop, Knight], captured_only: false });
const CAPABLANCA_PROMOTION: Option<Promotion> = Some(Promotion {
    ranks: 1,
    to: &[Queen, Chancellor, Archbishop, Rook, Bishop, Knight],
    captured_only: false,
});
const CHESS_CASTLING: Option<CastlingFiles> = Some(CastlingFiles { king: [6, 2], rook: [5, 3] });
const CAPABLANCA_CASTLING: Option<CastlingFiles> = Some(CastlingFiles { king: [8, 2], rook: [7, 3] });

const CHESS: Variant = Variant {
    name: "chess",
    files: 8,
    ranks: 8,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    letters: CHESS_LETTERS,
    royals: [Some(King); 2],
    promotion: CHESS_PROMOTION,
    double_step_rank: 1,
    castling: CHESS_CASTLING,
    king_takes_rook: false,
    castling_as_step: false,
    behemoth: false,
};

const CAPABLANCA: Variant = Variant {
    name: "capablanca",
    files: 10,
    start: "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
    letters: CAPABLANCA_LETTERS,
    promotion: CAPABLANCA_PROMOTION,
    castling: CAPABLANCA_CASTLING,
    ..CHESS
};

/// Every variant this core can play. Chess and Chess960 are here to be compared with the other core.
static VARIANTS: [Variant; 11] = [
    CHESS,
    Variant { name: "chess960", king_takes_rook: true, ..CHESS },
    Variant {
        name: "maharajah",
        start: "rnbqkbnr/pppppppp/8/8/8/8/8/4M3 w kq - 0 1",
        letters: &[
            ('P', Pawn),
            ('N', Knight),
            ('B', Bishop),
            ('R', Rook),
            ('Q', Queen),
            ('K', King),
            ('M', Amazon),
        ],
        royals: [Some(Amazon), Some(King)],
        promotion: None,
        ..CHESS
    },
    Variant {
        name: "janus",
        files: 10,
        start: "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1",
        letters: &[
            ('P', Pawn),
            ('N', Knight),
            ('B', Bishop),
            ('R', Rook),
            ('Q', Queen),
            ('K', King),
            ('J', Archbishop),
        ],
        promotion: Some(Promotion {
            ranks: 1,
            to: &[Queen, Archbishop, Rook, Bishop, Knight],
            captured_only: false,
        }),
        castling: Some(CastlingFiles { king: [8, 1], rook: [7, 2] }),
        // As Cute Chess and XBoard write it.
        castling_as_step: true,
        ..CHESS
    },
    Variant {
        name: "embassy",
        start: "rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKCABNR w KQkq - 0 1",
        castling: Some(CastlingFiles { king: [7, 1], rook: [6, 2] }),
        ..CAPABLANCA
    },
    Variant {
        name: "amazon",
        start: "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1",
        letters: &[('P', Pawn), ('N', Knight), ('B', Bishop), ('R', Rook), ('A', Amazon), ('K', King)],
        promotion: Some(Promotion { ranks: 1, to: &[Amazon, Rook, Bishop, Knight], captured_only: false }),
        ..CHESS
    },
    Variant {
        name: "grand",
        ranks: 10,
        start: "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1",
        promotion: Some(Promotion {
            ranks: 3,
            to: &[Queen, Chancellor, Archbishop, Rook, Bishop, Knight],
            captured_only: true,
        }),
        double_step_rank: 2,
        castling: None,
        ..CAPABLANCA
    },
    Variant { name: "caparandom", king_takes_rook: true, ..CAPABLANCA },
    Variant {
        name: "behemoth",
        start: "rnbqkbnr/pppppppp/8/8/3*4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        royals: [None; 2],
        behemoth: true,
        ..CHESS
    },
    CAPABLANCA,
    Variant {
        name: "gothic",
        start: "rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1",
        ..CAPABLANCA
    },
];

static RULES: Lazy<Vec<Rules>> = Lazy::new(|| VARIANTS.iter().map(Rules::new).collect());

/// The rules of a variant by its name, whose case does not matter.
pub fn find(name: &str) -> Option<&'static Rules> {
    all().iter().find(|rules| rules.variant.name.eq_ignore_ascii_case(name))
}

/// The rules of all variants.
pub fn all() -> &'static [Rules] {
    &RULES
}

/// The rules of chess.
pub fn chess() -> &'static Rules {
    &RULES[0]
}
