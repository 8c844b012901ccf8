//! What every board owes the search, checked in random play: chess part.

mod common;

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rosada::base::{Color, Move, MoveList};
use rosada::chess::{Board, ChessMove, Outcome, Piece, Position, Square};
use rosada::game::{Game, Stage};

/// Shows `visit` every position of `games` random games.
fn play(seed: u64, games: usize, visit: impl FnMut(&mut Position, Option<Move>)) {
    common::random_games(games, 200, &mut StdRng::seed_from_u64(seed), visit);
}

#[test]
fn taking_back_restores_everything_and_keys_stay_fresh() {
    play(1, 120, |position, _| {
        let (board, fen, undo_key) = (*position.board(), position.fen(), position.key());
        for mv in position.legal_moves() {
            position.make(mv);
            assert_eq!(*position.board().keys(), position.board().fresh_keys(), "{mv:?} in {fen}");
            assert_sets_match_squares(position.board());
            let reread =
                Position::from_fen(&position.fen()).unwrap_or_else(|error| panic!("{position}: {error}"));
            assert_eq!(reread.board().checkers(), position.board().checkers(), "{position}");
            assert_eq!(reread.board().pinned(), position.board().pinned(), "{position}");
            position.unmake();
            assert_eq!(*position.board(), board, "{mv:?} in {fen}");
        }
        if !position.in_check() {
            let key_after_null = position.key_after_null();
            position.make_null();
            assert_eq!(position.key(), key_after_null, "{position}");
            assert_eq!(*position.board().keys(), position.board().fresh_keys(), "null move in {fen}");
            assert_eq!(position.side_to_move(), !board.side_to_move());
            position.unmake_null();
        }
        assert_eq!((*position.board(), position.fen(), position.key()), (board, fen, undo_key));
    });
}

/// The sets and the squares must tell the same story.
fn assert_sets_match_squares(board: &Board) {
    for square in Square::all() {
        let found: Vec<Piece> = Piece::ALL
            .into_iter()
            .filter(|piece| board.pieces(piece.color(), piece.kind()).has(square))
            .collect();
        assert!(found.len() <= 1, "{square} has {found:?}");
        assert_eq!(board.piece_on(square), found.first().copied(), "{square}");
    }
}

#[test]
fn a_whole_game_can_be_taken_back() {
    let mut random = StdRng::seed_from_u64(2);
    for _ in 0..60 {
        let start = common::random_chess960_start(&mut random);
        let mut position = start.clone();
        let mut plies = 0;
        while plies < 150
            && let Some(mv) = common::random_move(&position, &mut random)
        {
            position.make(mv);
            plies += 1;
        }
        (0..plies).for_each(|_| position.unmake());
        assert_eq!((position.board(), position.fen()), (start.board(), start.fen()));
    }
}

#[test]
fn legality_of_all_codes_equals_generation() {
    let (mut checked, mut turn) = (0, 0u32);
    let mut rare = [0usize; 5];
    play(3, 120, |position, _| {
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
        if !kinds[2] && !rarely(kinds[0] || kinds[3] || kinds[4], 8) && !rarely(true, 40) {
            return;
        }
        checked += 1;
        kinds.iter().zip(&mut rare).for_each(|(&kind, count)| *count += kind as usize);
        let legal: HashSet<Move> = legal.into_iter().collect();
        for bits in 0..=u16::MAX {
            let mv = Move::from_bits(bits);
            assert_eq!(position.is_legal(mv), legal.contains(&mv), "code {bits:#06x} {mv:?} in {position}");
        }
    });
    assert!(checked > 300, "only {checked} positions");
    assert!(
        rare.iter().all(|&count| count >= 20),
        "checks, pins, en passant, castling, promotions: {rare:?}"
    );
}

#[test]
fn tactical_and_quiet_moves_are_all_moves() {
    play(4, 300, |position, _| {
        let list = |stage| {
            let mut list = MoveList::new();
            position.generate(stage, &mut list);
            list
        };
        let (all, tactical, quiet) = (list(Stage::All), list(Stage::Tactical), list(Stage::Quiet));
        assert_eq!(tactical.len() + quiet.len(), all.len(), "{position}");
        let both: HashSet<Move> = tactical.iter().chain(&quiet).copied().collect();
        assert_eq!(both, all.iter().copied().collect(), "{position}");
        assert_eq!(both.len(), all.len(), "a move comes twice in {position}");
        assert!(tactical.iter().all(|&mv| position.is_tactical(mv) && position.view(mv).tactical));
        assert!(quiet.iter().all(|&mv| !position.is_tactical(mv) && !position.view(mv).tactical));
    });
}

#[test]
fn exchanges_equal_a_slow_swap_off() {
    play(5, 150, |position, _| {
        for mv in position.legal_moves() {
            let exact = position.board().see_by_swapping(mv);
            for threshold in [exact - 1, exact, exact + 1, -950, -500, -100, -1, 0, 1, 100, 330, 500, 950] {
                assert_eq!(
                    position.see_at_least(mv, threshold),
                    exact >= threshold,
                    "{} wins {exact}, asked for {threshold}, in {position}",
                    position.uci(mv)
                );
            }
        }
    });
}

#[test]
fn attacked_squares_are_those_that_something_attacks() {
    play(5, 60, |position, _| {
        let board = position.board();
        for square in Square::all() {
            let told = position.attacked() >> square.index() & 1 == 1;
            let found = board.is_attacked(square, !board.side_to_move(), board.occupied());
            assert_eq!(told, found, "{square} in {position}");
        }
    });
}

#[test]
fn checks_are_foreseen() {
    play(6, 200, |position, _| {
        for mv in position.legal_moves() {
            let foreseen = position.gives_check(mv);
            let text = position.uci(mv);
            position.make(mv);
            let happened = position.in_check();
            position.unmake();
            assert_eq!(foreseen, happened, "{text} in {position}");
        }
    });
}

#[test]
fn views_and_changes_tell_what_happens() {
    play(7, 200, |position, _| {
        let before = *position.board();
        for mv in position.legal_moves() {
            let (view, changes, key) = (position.view(mv), position.changes(mv), position.key_after(mv));
            position.make(mv);
            let after = *position.board();
            let after_key = position.key();
            position.unmake();

            assert_eq!(before.piece_on(mv.from()).map(|piece| piece as u8), Some(view.piece));
            assert_eq!((view.from, view.to), (mv.from().raw(), mv.to().raw()));
            let enemy = before.color(!before.side_to_move());
            let lost = (enemy - after.color(!before.side_to_move())).map(|square| before.piece_on(square));
            let lost: Vec<Option<Piece>> = lost.collect();
            assert_eq!(
                view.victim,
                lost.first().and_then(|piece| piece.map(|piece| piece as u8)),
                "{position}"
            );
            assert!(view.victim.is_none() || view.gain > 0);

            // The changes applied to the old board give the new one.
            let mut squares: Vec<Option<usize>> = pieces(&before);
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
    Square::all().map(|square| board.piece_on(square).map(Piece::index)).collect()
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    play(8, 60, |position, _| {
        let mirror = position.mirrored();
        assert_eq!(mirror.legal_moves().len(), position.legal_moves().len(), "{position}");
        assert_eq!(mirror.mirrored().board(), position.board(), "{position}");
        assert_eq!(mirror.board().fresh_keys(), *mirror.board().keys());
        for color in Color::ALL {
            assert_eq!(mirror.has_pieces(color), position.has_pieces(!color));
        }
    });
}

/// What makes two positions the same for repetition: everything in the FEN but the counters.
fn identity(position: &Position) -> String {
    let fen = position.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn repetition_is_counted_as_by_comparing_positions() {
    let mut random = StdRng::seed_from_u64(9);
    let mut repeated = 0;
    for game in 0..300 {
        let fen = ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "8/8/4k3/8/8/3K4/8/Q6r w - - 0 1"][game % 2];
        let mut position = Position::from_fen(fen).unwrap();
        let mut past = Vec::new();
        for _ in 0..80 {
            let Some(mv) = common::random_move(&position, &mut random) else { break };
            past.push(identity(&position));
            position.make(mv);
            let now = identity(&position);
            let earlier = past.iter().filter(|&fen| *fen == now).count();
            repeated += earlier.min(1);
            assert_eq!(position.earlier_occurrences(), earlier, "{position}");
            // A search that began before the game sees any repetition; one that begins here needs two.
            assert_eq!(position.is_draw(past.len() + 1), earlier >= 1 || by_rule(&position), "{position}");
            assert_eq!(position.is_draw(0), earlier >= 2 || by_rule(&position), "{position}");
        }
    }
    assert!(repeated > 300, "only {repeated} repetitions");
}

/// Drawn whatever came before.
fn by_rule(position: &Position) -> bool {
    position.board().is_insufficient_material() || position.board().halfmove_clock() >= 100
}

#[test]
fn a_promised_repetition_exists() {
    let mut random = StdRng::seed_from_u64(10);
    let (mut promised, mut possible) = (0, 0);
    for game in 0..400 {
        let fen = [
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "8/8/4k3/8/8/3K4/8/Q6r w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/2b5/8/8/8/8/5N2/4K3 w - - 0 1",
        ][game % 4];
        let mut position = Position::from_fen(fen).unwrap();
        let mut past = Vec::new();
        for ply in 0..60 {
            let truth = position.legal_moves().into_iter().any(|mv| {
                position.make(mv);
                let repeats = past.contains(&identity(&position));
                position.unmake();
                repeats
            });
            let promise = position.can_repeat(ply + 1);
            promised += promise as usize;
            possible += truth as usize;
            assert!(!promise || truth, "no move repeats a position in {position}");
            let Some(mv) = common::random_move(&position, &mut random) else { break };
            past.push(identity(&position));
            position.make(mv);
        }
    }
    // Positions that are one move away are nearly always noticed.
    assert!(promised * 10 > possible * 8 && possible > 500, "{promised} of {possible}");
}

#[test]
fn fifty_moves_are_counted_to_the_ply() {
    for line in common::shared_lines("draw/fifty_move.csv") {
        let fen = line.split(';').next().unwrap_or_default();
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        if position.legal_moves().is_empty() {
            continue;
        }
        let expected = position.halfmove_clock() >= 100;
        assert_eq!(position.outcome() == Some(Outcome::FiftyMoves), expected, "{line}");
        assert_eq!(position.is_draw(1), expected || position.board().is_insufficient_material(), "{line}");
    }
    // Mate with the hundredth ply is mate.
    let mut position = Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 90").unwrap();
    position.make(position.parse_uci("a1a8").unwrap());
    assert_eq!((position.outcome(), position.is_draw(1)), (Some(Outcome::Checkmate), false));
    // Any other check is a draw.
    let mut position = Position::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 99 90").unwrap();
    position.make(position.parse_uci("a1a8").unwrap());
    assert_eq!((position.outcome(), position.is_draw(1)), (Some(Outcome::FiftyMoves), true));
}

#[test]
fn games_with_repetitions_end_in_them() {
    for line in common::shared_lines("draw/repetition.csv") {
        let fields: Vec<&str> = line.split(';').collect();
        let mut position = Position::start();
        for text in fields[3].split_whitespace() {
            position.make(position.parse_uci(text).unwrap_or_else(|error| panic!("{line}: {error}")));
        }
        assert_eq!(position.fen(), fields[4], "{line}");
        for text in fields[1].split_whitespace() {
            let mv = position.parse_uci(text).unwrap_or_else(|error| panic!("{line}: {error}"));
            position.make(mv);
            assert_eq!(position.outcome(), Some(Outcome::ThreefoldRepetition), "{text} in {line}");
            assert!(position.is_draw(1), "{text} in {line}");
            position.unmake();
        }
    }
}

#[test]
fn ended_games_are_recognized() {
    for line in common::shared_lines("draw/terminal.csv") {
        let fields: Vec<&str> = line.split(';').collect();
        let Ok(position) = Position::from_fen(fields[0]) else { panic!("{line}") };
        let expected = match fields[1] {
            "checkmate" => Some(Outcome::Checkmate),
            "stalemate" => Some(Outcome::Stalemate),
            "insufficient" | "insufficient_material" => Some(Outcome::InsufficientMaterial),
            "open" => None,
            other => panic!("unknown status {other:?} in {line}"),
        };
        assert_eq!(position.outcome(), expected, "{line}");
    }
}

#[test]
fn bare_material_is_judged_as_by_the_guis() {
    for (fen, drawn) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4k1b1/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false),
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", false),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.board().is_insufficient_material(), drawn, "{fen}");
    }
}
