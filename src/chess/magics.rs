//! Magic multipliers for the sliders (`rosada magics` finds such numbers and prints this file's tables).

/// Multipliers for rooks, a1 first.
pub const ROOK_MAGICS: [u64; 64] = [0; 64];

/// Multipliers for bishops, a1 first.
pub const BISHOP_MAGICS: [u64; 64] = [0; 64];
