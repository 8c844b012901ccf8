//! What every board owes the search, checked in random play: the variants.

mod common;

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::{Color, Move, MoveList};
use rosada::fairy::{Board, FairyMove, Kind, Piece, Position, Set, Square, variants};
use rosada::game::{Game, Stage};

const LINES: &str = include_str!("data/variant-perft.epd");
const BEHEMOTH: &str = include_str!("data/behemoth-perft.epd");

/// The start positions of all variants and every position of the perft files: rare rules meet there.
fn starts() -> Vec<Position> {
    let mut starts: Vec<Position> = variants::all().iter().map(Position::start).collect();
    for line in LINES.lines().chain(BEHEMOTH.lines()).filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(';').map(str::trim);
        let (name, fen) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let rules = variants::find(name).unwrap_or_else(|| panic!("{line}"));
        starts.push(Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{line}: {error}")));
    }
    starts
}

fn random_move(position: &Position, random: &mut impl Rng) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() { None } else { Some(moves[random.random_range(0..moves.len())]) }
}

/// Shows `visit` every position of random games, one from each start.
fn play(seed: u64, plies: usize, mut visit: impl FnMut(&mut Position)) {
    let mut random = StdRng::seed_from_u64(seed);
    for mut position in starts() {
        for _ in 0..plies {
            visit(&mut position);
            let Some(mv) = random_move(&position, &mut random) else { break };
            position.make(mv);
        }
    }
}

#[test]
fn taking_back_restores_everything_and_keys_stay_fresh() {
    play(1, 60, |position| {
        let (board, fen) = (*position.board(), position.fen());
        let rules = position.rules();
        for mv in position.legal_moves() {
            position.make(mv);
            assert_eq!(*position.board().keys(), position.board().fresh_keys(rules), "{mv:?} in {fen}");
            assert_sets_match_squares(position.board());
            if !position.board().is_decided(rules) {
                let reread = Position::from_fen(rules, &position.fen());
                let reread = reread.unwrap_or_else(|error| panic!("{position}: {error}"));
                assert_eq!(reread.board().checkers(), position.board().checkers(), "{position}");
                assert_eq!(reread.board().pinned(), position.board().pinned(), "{position}");
                assert_eq!(reread.board().keys(), position.board().keys(), "{position}");
            }
            position.unmake();
            assert_eq!(*position.board(), board, "{mv:?} in {fen}");
        }
        if !position.in_check() {
            let key_after_null = position.key_after_null();
            position.make_null();
            assert_eq!(position.key(), key_after_null, "{position}");
            assert_eq!(*position.board().keys(), position.board().fresh_keys(rules), "null move in {fen}");
            position.unmake_null();
        }
        assert_eq!((*position.board(), position.fen()), (board, fen));
    });
}

/// The sets and the squares must tell the same story.
fn assert_sets_match_squares(board: &Board) {
    for square in Set::FRAME {
        let of = |color: Color| Kind::ALL.map(|kind| Piece::new(color, kind));
        let found: Vec<Piece> = Color::ALL
            .into_iter()
            .flat_map(of)
            .filter(|piece| board.pieces(piece.color(), piece.kind()).has(square))
            .collect();
        assert!(found.len() <= 1, "{square} has {found:?}");
        assert_eq!(board.piece_on(square), found.first().copied(), "{square}");
    }
}

#[test]
fn legality_of_all_codes_equals_generation() {
    let mut turn = 0u32;
    let mut rare = [0usize; 5];
    play(2, 100, |position| {
        let legal = position.legal_moves();
        let kinds = [
            position.in_check(),
            position.board().pinned().exists(),
            legal.iter().any(|mv| mv.is_en_passant()),
            legal.iter().any(|mv| mv.is_castling()),
            legal.iter().any(|mv| mv.promotion().is_some()),
        ];
        turn += 1;
        // The rarer the rule, the more often it is looked at.
        let rarely = |kind: bool, each: u32| kind && turn.is_multiple_of(each);
        if !kinds[2] && !rarely(kinds[0] || kinds[3] || kinds[4], 16) && !rarely(true, 60) {
            return;
        }
        kinds.iter().zip(&mut rare).for_each(|(&kind, count)| *count += kind as usize);
        let legal: HashSet<Move> = legal.into_iter().collect();
        for bits in 0..=u16::MAX {
            let mv = Move::from_bits(bits);
            let (found, name) = (position.is_legal(mv), position.rules().variant.name);
            assert_eq!(found, legal.contains(&mv), "code {bits:#06x} {mv:?} in {name} {position}");
        }
    });
    assert!(
        rare.iter().all(|&count| count >= 20),
        "checks, pins, en passant, castling, promotions: {rare:?}"
    );
}

#[test]
fn tactical_and_quiet_moves_are_all_moves() {
    play(3, 80, |position| {
        let list = |stage| {
            let mut list = MoveList::new();
            position.generate(stage, &mut list);
            list
        };
        let (all, tactical, quiet) = (list(Stage::All), list(Stage::Tactical), list(Stage::Quiet));
        let both: HashSet<Move> = tactical.iter().chain(&quiet).copied().collect();
        assert_eq!((both.len(), tactical.len() + quiet.len()), (all.len(), all.len()), "{position}");
        assert_eq!(both, all.iter().copied().collect(), "{position}");
        assert!(tactical.iter().all(|&mv| position.is_tactical(mv) && position.view(mv).tactical));
        assert!(quiet.iter().all(|&mv| !position.is_tactical(mv) && !position.view(mv).tactical));
        assert_eq!(position.perft(1), all.len() as u64, "{position}");
        for &mv in &all {
            assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv), "{position}");
        }
    });
}

#[test]
fn exchanges_equal_a_slow_swap_off() {
    play(4, 60, |position| {
        for mv in position.legal_moves() {
            let exact = position.board().see_by_swapping(mv, position.law());
            for threshold in [exact - 1, exact, exact + 1, -950, -100, -1, 0, 1, 100, 330, 800] {
                assert_eq!(
                    position.see_at_least(mv, threshold),
                    exact >= threshold,
                    "{} wins {exact}, asked for {threshold}, in {} {position}",
                    position.uci(mv),
                    position.rules().variant.name
                );
            }
        }
    });
}

#[test]
fn attacked_squares_are_those_that_something_attacks() {
    play(5, 60, |position| {
        let board = position.board();
        for square in Set::FRAME {
            let told = position.attacked() >> square.index() & 1 == 1;
            let found = board.is_attacked(square, !board.side_to_move(), board.occupied());
            assert_eq!(told, found, "{square:?} in {}", position.fen());
        }
    });
}

#[test]
fn checks_are_foreseen() {
    play(5, 80, |position| {
        for mv in position.legal_moves() {
            let foreseen = position.gives_check(mv);
            let text = position.uci(mv);
            position.make(mv);
            let happened = position.in_check();
            position.unmake();
            assert_eq!(foreseen, happened, "{text} in {} {position}", position.rules().variant.name);
        }
    });
}

#[test]
fn views_and_changes_tell_what_happens() {
    play(6, 80, |position| {
        let before = *position.board();
        for mv in position.legal_moves() {
            let (view, changes, key) = (position.view(mv), position.changes(mv), position.key_after(mv));
            position.make(mv);
            let (after, after_key) = (*position.board(), position.key());
            position.unmake();

            assert_eq!(before.piece_on(mv.from()).map(Piece::raw), Some(view.piece));
            let enemy = before.color(!before.side_to_move());
            let lost =
                (enemy - after.color(!before.side_to_move())).find_map(|square| before.piece_on(square));
            assert_eq!(view.victim, lost.map(Piece::raw), "{position}");
            assert!(view.victim.is_none() || view.gain > 0);

            // The changes applied to the old board give the new one.
            let mut squares = pieces(&before);
            common::apply(&changes, &mut squares);
            assert_eq!(squares, pieces(&after), "{mv:?} in {position}");

            // The guess at the key is right unless rights or an en-passant square come and go.
            let plain = before.castling_rights() == after.castling_rights()
                && before.en_passant().is_none()
                && after.en_passant().is_none()
                && mv.promotion().is_none();
            if plain {
                assert_eq!(key, after_key, "{mv:?} in {position}");
            }
        }
    });
}

fn pieces(board: &Board) -> Vec<Option<usize>> {
    Set::FRAME.map(|square: Square| board.piece_on(square).map(Piece::index)).collect()
}

/// What makes two positions the same for repetition: everything in the FEN but the counters.
fn identity(position: &Position) -> String {
    let fen = position.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn repetitions_are_counted_and_foreseen() {
    let mut random = StdRng::seed_from_u64(7);
    let (mut promised, mut possible, mut repeated) = (0, 0, 0);
    for game in 0..300 {
        let (name, fen) = [
            ("janus", "4k5/10/10/10/10/10/10/R3K4R w KQ - 0 1"),
            ("grand", "10/10/4k5/10/10/3K6/10/C9/10/9r w - - 0 1"),
            ("maharajah", "4k3/8/8/8/8/8/8/3M4 w - - 0 1"),
        ][game % 3];
        let rules = variants::find(name).unwrap();
        let mut position = Position::from_fen(rules, fen).unwrap();
        let mut past = Vec::new();
        for ply in 0..80 {
            let truth = position.legal_moves().into_iter().any(|mv| {
                position.make(mv);
                let repeats = past.contains(&identity(&position));
                position.unmake();
                repeats
            });
            let promise = position.can_repeat(ply + 1);
            assert!(!promise || truth, "no move repeats a position in {position}");
            (promised, possible) = (promised + promise as usize, possible + truth as usize);
            let Some(mv) = random_move(&position, &mut random) else { break };
            past.push(identity(&position));
            position.make(mv);
            let earlier = past.iter().filter(|&fen| *fen == identity(&position)).count();
            repeated += earlier.min(1);
            assert_eq!(position.earlier_occurrences(), earlier, "{position}");
            let bare = position.board().is_insufficient_material();
            assert_eq!(position.is_draw(past.len() + 1), earlier >= 1 || bare, "{position}");
            assert_eq!(position.is_draw(0), earlier >= 2 || bare, "{position}");
        }
    }
    assert!(repeated > 50 && possible > 100, "{repeated} repetitions, {possible} foreseeable");
    assert!(promised * 10 > possible * 8, "{promised} of {possible}");
}

#[test]
fn bare_material_is_judged_as_by_the_guis() {
    for (name, fen, drawn) in [
        ("janus", "4k5/10/10/10/10/10/10/4K5 w - - 0 1", true),
        ("janus", "4k5/10/10/10/10/10/10/4KB4 w - - 0 1", true),
        ("janus", "4k5/10/10/10/10/10/10/4KN4 w - - 0 1", true),
        ("janus", "4k5/10/10/10/10/10/10/4KJ4 w - - 0 1", false),
        ("janus", "4kb4/10/10/10/10/10/10/4KB4 w - - 0 1", false),
        ("janus", "4k1b3/10/10/10/10/10/10/4KB4 w - - 0 1", true),
        ("grand", "4k5/10/10/10/10/10/10/10/10/3NKN4 w - - 0 1", false),
        ("grand", "4k5/10/10/10/10/10/10/10/4K5/2C7 w - - 0 1", false),
        ("maharajah", "4k3/8/8/8/8/8/8/3M4 w - - 0 1", false),
        ("behemoth", "4k3/8/8/8/8/8/3*4/4K3 w - - 0 1", false),
    ] {
        let rules = variants::find(name).unwrap();
        let position = Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.is_draw(0), drawn, "{name} {fen}");
    }
}
