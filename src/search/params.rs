//! Every number of the search, one line each: name, value, range.
//!
//! In a normal build a parameter is a constant behind a function. With `--features tune` it becomes a UCI spin
//! option, so that an outside optimizer can play games with other values.

/// One tunable number as the options table sees it.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Value in a normal build.
    pub default: i32,
    /// Smallest sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal ..= $max:literal;)*) => {
        /// All parameters, for listing.
        pub const ALL: &[Param] = &[
            $(Param { name: stringify!($name), default: $value, min: $min, max: $max },)*
        ];

        #[cfg(feature = "tune")]
        mod store {
            #![allow(non_upper_case_globals)]
            $(pub static $name: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new($value);)*
        }

        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return store::$name.load(std::sync::atomic::Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                $value
            }
        )*

        /// Changes a parameter; false if there is none of that name.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) => store::$name.store(value, std::sync::atomic::Ordering::Relaxed),)*
                _ => return false,
            }
            true
        }
    };
}

params! {
    /// Half-width of the first aspiration window.
    aspiration_delta = 17, 4..=50;
    /// Depth from which iterations start with a narrow window.
    aspiration_depth = 4, 2..=8;
    /// Reverse futility: margin for each ply of depth.
    rfp_margin = 61, 30..=150;
    /// Reverse futility: deepest depth.
    rfp_depth = 8, 4..=12;
    /// Razoring: margin for each ply of depth.
    razor_margin = 240, 100..=500;
    /// Razoring: deepest depth.
    razor_depth = 3, 1..=6;
    /// Null move: shallowest depth.
    nmp_depth = 3, 1..=5;
    /// Null move: reduction whatever the depth.
    nmp_base = 4, 2..=6;
    /// Null move: one more ply of reduction for this much depth.
    nmp_depth_divisor = 4, 2..=6;
    /// Null move: one more ply of reduction for this much evaluation above beta.
    nmp_eval_divisor = 194, 100..=400;
    /// Null move: depth from which a cutoff is verified.
    nmp_verify_depth = 12, 8..=20;
    /// Internal iterative reduction: shallowest depth.
    iir_depth = 4, 2..=8;
    /// Late move pruning: moves tried whatever the depth.
    lmp_base = 4, 1..=8;
    /// Late move pruning: deepest depth.
    lmp_depth = 8, 4..=12;
    /// Futility: margin whatever the depth.
    futility_base = 78, 20..=250;
    /// Futility: margin for each ply of reduced depth.
    futility_margin = 62, 40..=200;
    /// Futility: deepest reduced depth.
    futility_depth = 8, 4..=12;
    /// History pruning: a quiet move whose history is below minus this, for each ply, is skipped.
    history_prune_margin = 4159, 1000..=8000;
    /// History pruning: deepest reduced depth.
    history_prune_depth = 4, 2..=8;
    /// Table cutoffs are trusted only below this halfmove clock: the fifty-move rule is not part of the key.
    table_trust_clock = 89, 60..=100;
    /// Null move: how far the static evaluation may be below beta at depth zero.
    nmp_static_margin = -101, -200..=200;
    /// Null move: and how much further for each ply of depth.
    nmp_static_factor = 19, 0..=40;
    /// Late move reduction in 1/1024 plies: more at a node expected to fail high.
    lmr_cut_node = 1231, 0..=2048;
    /// Late move reduction: more when the side to move is not improving.
    lmr_not_improving = 1207, -1000..=3000;
    /// Late move reduction: more for quiet moves when the table's move is a capture.
    lmr_tactical_table_move = 867, 0..=2048;
    /// Late move reduction: less on the principal variation.
    lmr_pv = 1077, 0..=2048;
    /// Late move reduction: less for checks.
    lmr_check = 1073, 0..=2048;
    /// Late move reduction: less for killers and counter moves.
    lmr_refutation = 945, 0..=2048;
    /// Exchange pruning: deepest depth.
    see_prune_depth = 9, 5..=12;
    /// Exchange pruning of quiet moves: loss allowed for each squared ply of reduced depth.
    see_quiet_margin = 18, 10..=60;
    /// Exchange pruning of captures: loss allowed for each ply.
    see_capture_margin = 92, 50..=200;
    /// Singular extension: shallowest depth.
    singular_depth = 7, 5..=10;
    /// Singular extension: how far below the table score the others must stay, in 1/16 for each ply.
    singular_margin = 21, 4..=64;
    /// Late move reduction in 1/1024 plies: constant part for quiet moves.
    lmr_quiet_base = 843, 0..=2000;
    /// Late move reduction: the product of logarithms is multiplied by this (quiet moves).
    lmr_quiet_factor = 321, 200..=900;
    /// Late move reduction in 1/1024 plies: constant part for captures.
    lmr_capture_base = -292, -1000..=1000;
    /// Late move reduction: factor for captures.
    lmr_capture_factor = 249, 100..=700;
    /// Late move reduction: this much history is one ply.
    lmr_history_divisor = 9210, 4000..=20000;
    /// Quiescence: a capture must come this close to alpha.
    delta_margin = 106, 50..=400;
    /// History: bonus for each ply of depth.
    history_bonus_factor = 186, 50..=400;
    /// History: largest bonus.
    history_bonus_limit = 1870, 500..=4000;
    /// Correction history: what a full slot for the pawns is worth, in 1/16 centipawns.
    correction_pawns = 551, 0..=1600;
    /// Correction history: the same for the pieces of a side.
    correction_pieces = 675, 0..=1600;
    /// Correction history: the same for the last two moves.
    correction_moves = 479, 0..=1600;
    /// Correction history: how fast it learns.
    correction_rate = 5, 1..=20;
    /// ProbCut: shallowest depth.
    probcut_depth = 5, 4..=8;
    /// ProbCut: how far above beta the shallow search must come.
    probcut_margin = 231, 80..=400;
    /// ProbCut: so much less when the side to move is improving.
    probcut_improving = 47, 0..=120;
    /// Singular extension: two plies if the others stay behind by this much more.
    double_margin = 19, 0..=60;
    /// Singular extension: how often a line may be extended by two plies.
    double_limit = 8, 0..=16;
    /// Reverse futility: smaller margin when the opponent stands worse than it thought.
    rfp_worsening = 38, 0..=60;
    /// History: what a centipawn of change in the evaluation adds for the move that made it.
    eval_history_factor = 13, 0..=40;
    /// History: and at most so much.
    eval_history_limit = 1173, 200..=3000;
    /// History: part of the normal bonus for a quiet move that no answer was good enough against, in 1/16.
    fail_low_bonus = 13, 0..=32;
    /// Late move reduction: a move that fails high by more than this is searched a ply deeper again.
    deeper_margin = 31, 10..=100;
    /// Late move reduction: more when the answers fail high again and again.
    lmr_many_cutoffs = 899, 0..=2048;
    /// Late move reduction: less where a principal variation once ran.
    lmr_was_pv = 597, 0..=2048;
    /// Reverse futility: smallest margin.
    rfp_least = 0, 0..=40;
    /// Once a move has raised alpha the others are searched less deeply, up to this depth.
    raised_depth = 12, 2..=20;
    /// And by so many plies.
    raised_less = 1, 0..=2;
    /// Pruning of quiet moves: expected reduction in 1/1024 plies, more when the side to move is not improving.
    prune_not_improving = -146, -2048..=2048;
    /// Pruning of quiet moves: expected reduction in 1/1024 plies, less for a full history.
    prune_history = -239, -1000..=3000;
    /// Late move reduction of captures: this much history is one ply.
    lmr_capture_history = 10995, 2000..=20000;
    /// Late move reduction: less where the table's entry is as deep as the node.
    lmr_deep_entry = 237, -1024..=2048;
    /// History: part of the normal bonus taken from an early quiet move that is refuted, in 1/16.
    blame = 5, 0..=16;
    /// Quiescence: what a captured man is taken to add, in 1/16 of its exchange value.
    delta_gain = 18, 8..=32;
    /// Quiescence: so many captures are tried before only recaptures are.
    quiesce_moves = 2, 1..=30;
    /// Chance: what a won game counts in an average. Were a mate counted in full, a chance in a hundred to lose would
    /// outweigh a queen.
    chance_win = 3000, 1000..=20000;
    /// Chance: how far an outcome that nobody looked at may be from its guess, on average.
    chance_margin = 40, 0..=1000;
    /// Chance: and how much further for each ply of depth.
    chance_margin_factor = 40, 0..=1000;
    /// Chance: quiet moves after so many are first searched a ply less deep.
    chance_lmr_moves = 4, 1..=200;
}
