//! Tests of the whole evaluation; those of a single helper sit in its own file.

use super::numbers::{Field, Group};
use super::trace::{Recorder, Term};
use super::weights::{W, Weights};
use super::*;

const POSITIONS: [&str; 22] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "2rq1rk1/pb1nbppp/1p2pn2/8/2BP4/P1N1PN2/1B3PPP/2RQ1RK1 b - - 0 14",
    "r1b2rk1/2q1bppp/p1nppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/2KR3R w - - 0 12",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/3K2P1/8/8 b - - 0 40",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "3r2k1/p4ppp/1p6/2pR4/8/1P4P1/P4P1P/6K1 b - - 0 25",
    "8/8/8/3k4/8/8/1BN5/4K3 w - - 0 1",
    "8/8/8/3k4/8/8/6R1/4K3 b - - 0 1",
    "8/8/1p6/1P1k4/8/2K5/8/8 w - - 0 1",
    "7k/7P/8/8/8/3B4/8/K7 w - - 0 1",
    "8/8/8/8/8/2k5/2p5/K1R5 w - - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "6rk/6pp/8/8/8/8/QQQQQQQQ/KQQQQQQQ w - - 0 1",
    "kqqqqqqq/qqqqqqqq/8/8/8/8/6PP/6RK w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "1rbr2k1/2q2pbp/p1np1np1/1pp1p3/4P3/1PPP1NP1/PB1N1PBP/R2QR1K1 w - - 0 15",
    "8/k7/8/8/1N6/8/6NK/8 w - - 0 1",
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn value(fen: &str) -> i32 {
    Classical::new().evaluate(&position(fen)).value()
}

fn record(position: &Position) -> Recorder {
    let mut recorder = Recorder::new();
    judge_afresh(position.board(), &mut recorder);
    recorder
}

/// Positions from random play, the same in every run.
fn random_positions(games: u64, visit: &mut impl FnMut(&Position)) {
    let mut state = 0x853C_49E6_748F_EA9Bu64;
    for game in 0..games {
        let mut position = position(POSITIONS[game as usize % 10]);
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position.make(moves[(state >> 33) as usize % moves.len()]);
            visit(&position);
        }
    }
}

#[test]
fn colors_are_treated_alike() {
    let mut evaluator = Classical::new();
    let mut check = |position: &Position| {
        let (here, there) = (evaluator.evaluate(position), evaluator.evaluate(&position.mirrored()));
        assert_eq!(here, there, "{position}");
    };
    for fen in POSITIONS {
        check(&position(fen));
    }
    random_positions(100, &mut check);
}

/// The whole board turned left to right is worth the same when nobody may castle: no term knows the wings.
#[test]
fn wings_are_treated_alike() {
    let mut evaluator = Classical::new();
    for fen in POSITIONS.iter().filter(|fen| fen.contains(" - - ")) {
        let (placement, rest) = fen.split_once(' ').unwrap();
        let ranks: Vec<String> = placement.split('/').map(|rank| rank.chars().rev().collect()).collect();
        let turned = position(&format!("{} {rest}", ranks.join("/")));
        let here = position(fen);
        // Bishops change their color, and with bishop and knight the corner: that is chess, too.
        assert_eq!(evaluator.evaluate(&here), evaluator.evaluate(&turned), "{fen}");
    }
}

#[test]
fn the_pawn_table_changes_nothing() {
    let mut evaluator = Classical::new();
    random_positions(60, &mut |position| {
        let afresh = judge_afresh(position.board(), &mut NoTrace).for_side(position.side_to_move());
        assert_eq!(evaluator.evaluate(position), afresh, "{position}");
        assert_eq!(evaluator.evaluate(position), afresh, "{position}, again");
    });
}

/// What the recorder heard adds up to what the evaluation returned: no term bypasses it.
#[test]
fn the_trace_is_complete() {
    random_positions(30, &mut |position| {
        let mut recorder = Recorder::new();
        let verdict = judge_afresh(position.board(), &mut recorder);
        let mut sum = Pair::ZERO;
        for term in Term::ALL {
            sum += recorder.term(term, Color::White) - recorder.term(term, Color::Black);
        }
        assert_eq!(sum, verdict.score, "{position}");
    });
}

#[test]
fn the_list_of_weights_is_complete() {
    assert_eq!(Weights::fields().iter().map(Field::size).sum::<usize>(), Weights::COUNT);
    assert_eq!(W.cells().len(), Weights::COUNT);
    assert_eq!(W.index_of(&W.material[0]), 0);
    assert_eq!(W.index_of(&W.space_64ths), Weights::COUNT - 1);
    for rank in 0..7 {
        let index = W.index_of(&W.storm[2][rank]);
        assert_eq!(W.cells()[index], W.storm[2][rank], "rank {rank}");
    }
}

#[test]
fn the_start_position_is_worth_the_move() {
    assert_eq!(value(POSITIONS[0]), TEMPO);
    assert_eq!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"), TEMPO);
}

#[test]
fn values_stay_in_their_band() {
    let limit = Score::EVAL_LIMIT.value();
    for fen in POSITIONS {
        assert!(value(fen).abs() <= limit, "{fen}");
    }
    // Fifteen queens neither overflow the pair nor change sign.
    assert!(value("6rk/6pp/8/8/8/8/QQQQQQQQ/KQQQQQQQ w - - 0 1") > 10_000);
    assert!(value("kqqqqqqq/qqqqqqqq/8/8/8/8/6PP/6RK w - - 0 1") < -10_000);
}

/// One position for each weight: how often it must count for White and for Black.
#[test]
fn every_weight_finds_its_position() {
    let cases: &[(&str, &str, &'static Pair, [i32; 2])] = &[
        ("bishop pair", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", &W.bishop_pair, [1, 0]),
        ("same color", "4k3/8/8/8/8/8/3B4/4KB2 w - - 0 1", &W.bishop_pair, [1, 0]),
        ("doubled", "4k3/8/8/8/2P5/2P5/8/4K3 w - - 0 1", &W.doubled, [1, 0]),
        ("isolated", "4k3/1p6/p7/8/8/2P5/8/4K3 w - - 0 1", &W.isolated, [1, 0]),
        ("isolated, half-open", "4k3/2p5/8/8/2P5/8/8/4K3 w - - 0 1", &W.isolated_unopposed, [0, 0]),
        ("backward", "4k3/8/8/1p6/1P6/2P5/1p1P4/4K3 b - - 0 1", &W.backward, [0, 0]),
        ("backward", "4k3/8/8/2p5/4P3/3P4/8/4K3 w - - 0 1", &W.backward, [1, 0]),
        ("backward, half-open", "4k3/8/8/2p5/4P3/3P4/8/4K3 w - - 0 1", &W.backward_unopposed, [1, 0]),
        ("weak lever", "4k3/8/8/1p1p4/2P5/8/8/4K3 w - - 0 1", &W.weak_lever, [1, 0]),
        ("phalanx", "4k3/8/8/8/2PP4/8/8/4K3 w - - 0 1", &W.phalanx[3], [2, 0]),
        ("supported", "4k3/8/8/8/3P4/2P5/8/4K3 w - - 0 1", &W.supported[3], [1, 0]),
        ("candidate", "4k3/8/2p5/8/2PP4/8/8/4K3 w - - 0 1", &W.candidate[3], [1, 0]),
        ("passed", "4k3/8/2p5/4P3/8/8/8/4K3 w - - 0 1", &W.passed[4], [1, 0]),
        ("both passed", "4k3/8/2p5/4P3/8/8/8/4K3 w - - 0 1", &W.passed[2], [0, 1]),
        ("edge pawn", "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", &W.passed_file[0], [1, 0]),
        ("own king near", "8/8/8/P3k3/8/8/K7/8 w - - 0 1", &W.passed_own_king[4], [4, 0]),
        ("enemy king", "8/8/8/P3k3/8/8/K7/8 w - - 0 1", &W.passed_enemy_king[4], [4, 0]),
        ("blocked", "8/8/k7/P7/8/8/K7/8 w - - 0 1", &W.passed_blocked[4], [1, 0]),
        ("safe path", "8/8/8/P6k/8/8/K7/8 w - - 0 1", &W.passed_safe_path[4], [1, 0]),
        ("safe stop", "8/1k6/8/8/P7/8/K7/8 w - - 0 1", &W.passed_safe_stop[3], [1, 0]),
        ("defended stop", "8/8/8/PK5k/8/8/8/8 w - - 0 1", &W.passed_defended_stop[4], [1, 0]),
        ("rook behind", "4k3/8/8/P7/8/8/8/R3K3 w - - 0 1", &W.passed_rook_behind, [1, 0]),
        ("enemy rook behind", "4k3/8/8/P7/8/8/8/r6K w - - 0 1", &W.passed_enemy_rook_behind, [1, 0]),
        ("rook hidden", "4k3/8/8/P7/8/N7/8/R3K3 w - - 0 1", &W.passed_rook_behind, [0, 0]),
        ("unstoppable", "8/8/8/P6k/8/8/8/K7 w - - 0 1", &W.passed_unstoppable, [1, 0]),
        ("stoppable", "8/8/8/P3k3/8/8/8/K7 b - - 0 1", &W.passed_unstoppable, [0, 0]),
        ("unmoved cover", "6k1/8/8/8/8/8/5PPP/6K1 w - - 0 1", &W.shelter[1][1], [1, 0]),
        ("storm", "6k1/8/8/8/8/6p1/8/6K1 w - - 0 1", &W.storm[1][2], [1, 0]),
        ("blocked storm", "6k1/8/8/8/8/6p1/6P1/6K1 w - - 0 1", &W.storm_blocked[2], [1, 0]),
        ("pawn distance", "6k1/8/8/8/8/8/P7/6K1 w - - 0 1", &W.king_pawn_distance, [6, 0]),
        ("bare flank", "k7/p7/8/8/8/8/8/6K1 w - - 0 1", &W.king_bare_flank, [1, 0]),
        ("flank attack", "6k1/8/8/8/2q5/8/8/K7 w - - 0 1", &W.king_flank_attack, [9, 0]),
        ("knight outpost", "4k3/8/8/3N4/2P5/8/8/4K3 w - - 0 1", &W.knight_outpost, [1, 0]),
        ("no outpost", "4k3/2p5/8/3N4/2P5/8/8/4K3 w - - 0 1", &W.knight_outpost, [0, 0]),
        ("reaches", "4k3/8/8/8/2P5/2N5/8/4K3 w - - 0 1", &W.knight_reaches_outpost, [1, 0]),
        ("bishop outpost", "4k3/8/8/3B4/2P5/8/8/4K3 w - - 0 1", &W.bishop_outpost, [1, 0]),
        ("behind pawn", "4k3/8/8/8/3P4/3N4/8/4K3 w - - 0 1", &W.knight_behind_pawn, [1, 0]),
        ("behind pawn", "4k3/8/8/8/3P4/3B4/8/4K3 w - - 0 1", &W.bishop_behind_pawn, [1, 0]),
        ("knight far", "4k3/8/8/8/N7/8/8/4K3 w - - 0 1", &W.knight_king_distance, [4, 0]),
        ("bishop far", "6k1/8/8/8/B7/8/8/4K3 w - - 0 1", &W.bishop_king_distance, [4, 0]),
        ("bad bishop", "4k3/8/8/3p4/3P4/2P1B3/8/4K3 w - - 0 1", &W.bishop_pawns, [4, 0]),
        ("long diagonal", "4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", &W.bishop_long_diagonal, [1, 0]),
        ("granite", "4k3/8/5p2/4p3/8/8/1B6/4K3 w - - 0 1", &W.bishop_bites_pawns, [2, 0]),
        ("open file", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &W.rook_open_file, [1, 0]),
        ("half-open file", "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", &W.rook_half_open_file, [1, 0]),
        ("closed file", "4k3/8/8/p7/P7/8/8/R3K3 w - - 0 1", &W.rook_closed_file, [1, 0]),
        ("seventh", "4k3/R7/8/8/8/8/8/4K3 w - - 0 1", &W.rook_seventh, [1, 0]),
        ("trapped", "4k3/8/8/8/8/8/5PPP/5K1R w - - 0 1", &W.rook_trapped, [1, 0]),
        ("trapped for good", "4k3/8/8/8/8/8/5PPP/5K1R w - - 0 1", &W.rook_trapped_for_good, [1, 0]),
        ("exposed queen", "k2r4/3p4/8/8/3Q4/8/8/K7 w - - 0 1", &W.queen_exposed, [1, 0]),
        ("infiltration", "k7/8/8/3Q4/8/8/8/K7 b - - 0 1", &W.queen_infiltration, [1, 0]),
        ("knight on rook", "4k3/8/1r6/8/2N5/8/8/4K3 w - - 0 1", &W.threat_by_minor[3], [1, 0]),
        ("rook on queen", "4k3/8/8/q6R/8/8/8/5K2 w - - 0 1", &W.threat_by_rook[4], [1, 0]),
        ("king attacks", "4k3/8/8/8/3p4/3K4/8/8 w - - 0 1", &W.threat_by_king, [1, 0]),
        ("hanging", "4k3/8/8/8/8/n6R/8/4K3 w - - 0 1", &W.hanging, [1, 0]),
        ("queen guards", "4k3/8/8/q7/8/n6R/8/5K2 w - - 0 1", &W.queen_protects_weak, [1, 0]),
        ("contested", "8/8/8/8/1k1K4/8/8/8 w - - 0 1", &W.restricted, [3, 3]),
        ("pawn attacks", "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", &W.threat_by_pawn, [1, 0]),
        ("push attacks", "4k3/8/8/3n4/8/4P3/8/4K3 w - - 0 1", &W.threat_by_push, [1, 0]),
        ("knight to queen", "k7/8/8/8/3q4/8/8/NK6 w - - 0 1", &W.knight_hits_queen, [2, 0]),
        ("supported rook", "1k6/8/8/8/4q3/8/R6R/K7 w - - 0 1", &W.slider_hits_queen, [1, 0]),
    ];
    for (name, fen, weight, [white, black]) in cases {
        let here = position(fen);
        assert_eq!(record(&here).times(weight), [*white, *black], "{name}: {fen}");
        assert_eq!(record(&here.mirrored()).times(weight), [*black, *white], "{name}, mirrored: {fen}");
    }
}

/// The terms that are no plain multiples of weights.
#[test]
fn other_terms_point_the_right_way() {
    let attacked = record(&position("5rk1/5ppp/8/6NQ/8/3B4/5PPP/6K1 w - - 0 1"));
    assert!(attacked.term(Term::KingAttack, Color::Black).middlegame() < -100);
    assert!(attacked.term(Term::KingAttack, Color::White).middlegame() > -30);
    let queenless = record(&position("5rk1/5ppp/8/6N1/8/3B4/5PPP/6K1 w - - 0 1"));
    let black_danger = |recorder: &Recorder| recorder.term(Term::KingAttack, Color::Black).middlegame();
    assert!(black_danger(&queenless) > black_danger(&attacked) / 2);

    let cramped = record(&position("rnbqkbnr/pppppppp/8/8/3PP3/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 0 1"));
    let [white_space, black_space] = cramped.times(&W.space_64ths);
    assert!(white_space > black_space);

    let dull = record(&position("8/8/4k3/5p2/5P2/4KP2/8/8 w - - 0 1"));
    let sharp = record(&position("8/1p4k1/p6p/5K2/8/P6P/1P4P1/8 w - - 0 1"));
    let initiative = |recorder: &Recorder| recorder.term(Term::Initiative, Color::White).endgame();
    assert!(initiative(&sharp) > initiative(&dull));
}

#[test]
fn mobility_prefers_freedom() {
    let free = record(&position("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1"));
    let cornered = record(&position("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"));
    let mobility = |recorder: &Recorder| recorder.term(Term::Mobility, Color::White);
    assert!(mobility(&free).middlegame() > mobility(&cornered).middlegame());
    let pinned = record(&position("4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1"));
    assert_eq!(pinned.times(&W.knight_mobility[0]), [1, 0]);
}

#[test]
fn bare_kings_are_driven_to_the_edge() {
    let ways: [&[&str]; 3] = [
        &[
            "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
            "8/8/1k6/8/8/8/8/R3K3 w - - 0 1",
            "1k6/8/8/8/8/8/8/R3K3 w - - 0 1",
        ],
        &[
            "3k4/8/8/8/8/8/8/QK6 w - - 0 1",
            "3k4/8/8/8/3K4/8/8/Q7 w - - 0 1",
            "3k4/8/3K4/8/8/8/8/Q7 w - - 0 1",
        ],
        // A dark-squared bishop mates in a1 or h8.
        &[
            "k7/8/2K5/8/3BN3/8/8/8 w - - 0 1",
            "3k4/8/2K5/8/3BN3/8/8/8 w - - 0 1",
            "7k/8/5K2/8/3BN3/8/8/8 w - - 0 1",
        ],
    ];
    for way in ways {
        let drive = |fen: &str| record(&position(fen)).term(Term::Mating, Color::White).endgame();
        let steps: Vec<i32> = way.iter().map(|fen| drive(fen)).collect();
        assert!(steps[0] > 0 && steps.is_sorted() && steps[0] < steps[2], "{way:?}: {steps:?}");
    }
    assert!(value("8/8/8/3k4/8/8/8/R3K3 w - - 0 1") > 800);
    let undermanned = record(&position("8/8/8/3k4/8/8/8/N3K1N1 w - - 0 1"));
    assert_eq!(undermanned.term(Term::Mating, Color::White), Pair::ZERO);
}

#[test]
fn what_cannot_be_won_is_scaled_down() {
    // White is the side that would like to win, whatever the values make of it.
    let scale = |fen: &str| {
        let position = position(fen);
        let passed = PawnEntry::new(position.board(), &mut NoTrace).passed[Color::White.index()];
        endgame::scale(position.board(), Color::White, passed)
    };
    let opposite = scale("8/5k2/4b3/8/3P4/2PK4/5B2/8 w - - 0 1");
    let same = scale("8/5k2/5b2/8/3P4/2PK4/5B2/8 w - - 0 1");
    assert!(opposite < same && opposite < 32, "{opposite} {same}");
    assert_eq!(scale("7k/8/7P/8/8/3B4/8/K7 w - - 0 1"), 0, "wrong rook pawn");
    assert!(scale("7k/8/7P/8/8/4B3/8/K7 w - - 0 1") > 0, "right rook pawn");
    assert_eq!(scale("8/k7/8/8/1N6/8/6NK/8 w - - 0 1"), 0, "two knights");
    assert_eq!(scale("8/k7/8/8/1B6/8/7K/8 w - - 0 1"), 0, "a bishop alone");
    assert!(scale("8/k7/2b5/8/8/8/7K/1R6 w - - 0 1") < 8, "rook against bishop");
    assert!(scale("8/k4r2/8/8/8/8/6BK/1R6 w - - 0 1") < 20, "rook and bishop against rook");
    assert_eq!(scale("8/k4r2/8/8/8/8/7K/2Q5 w - - 0 1"), 64, "queen against rook");
    assert_eq!(scale("8/k7/8/8/8/8/1BN4K/8 w - - 0 1"), 64, "bishop and knight");
    assert!(scale("8/8/K7/7R/8/3k4/3p4/8 w - - 0 1") < 16, "rook against a pawn that promotes");
    assert_eq!(scale("8/8/8/8/6R1/8/1p6/1K5k w - - 0 1"), 64, "rook and king against a pawn");
    assert!(scale("8/8/8/8/8/3k4/3P4/3K4 w - - 0 1") < 16, "the king in front of the pawn");
    assert_eq!(scale("8/8/3k4/8/3K4/8/3P4/8 w - - 0 1"), 64, "key square");
}

#[test]
fn the_table_says_everything() {
    let text = table(&Position::start());
    let move_worth = format!("{:.2}", TEMPO as f64 / 100.0);
    assert!(text.contains(&format!("Evaluation: +{move_worth} (White)")), "{text}");
    for term in Term::ALL {
        assert!(text.contains(term.name()), "{text}");
    }
    let black_to_move = table(&position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"));
    assert!(black_to_move.contains(&format!("Evaluation: -{move_worth} (White)")), "{black_to_move}");
    let in_check = table(&position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"));
    assert!(in_check.contains("in check"), "{in_check}");
}
