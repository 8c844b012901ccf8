//! Boards of all games: what is refused has a reason, what is written can be read.

#![allow(clippy::unwrap_used, clippy::panic)]

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::*;

fn board(game: &str, fen: &str) -> AnyBoard {
    AnyBoard::from_fen(game, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The message for a move that must be refused.
fn refusal(game: &str, fen: &str, text: &str) -> String {
    board(game, fen).read_move(text).unwrap_err().to_string()
}

/// Plays random games and shows every position.
fn random_games(game: &str, games: usize, plies: usize, seed: u64, mut visit: impl FnMut(&AnyBoard)) {
    let mut random = StdRng::seed_from_u64(seed);
    for _ in 0..games {
        let mut board = AnyBoard::start(game, &mut random).unwrap();
        for _ in 0..plies {
            visit(&board);
            let legal = board.legal();
            if board.verdict().is_some() || legal.is_empty() {
                break;
            }
            board.play(legal[random.random_range(0..legal.len())].0);
            if board.awaits_raid() {
                let raid = board.roll(&mut random);
                board.raid(&raid).unwrap();
            }
        }
    }
}

#[test]
fn there_is_a_reason_exactly_where_a_move_is_not_legal() {
    for game in games() {
        let (plies, every) = if game == "chess" { (300, 3) } else { (120, 11) };
        let mut count = 0;
        random_games(game, 2, plies, 7, |board| {
            count += 1;
            if board.verdict().is_some() || count % every != 0 {
                return;
            }
            let men = board.men();
            let mover = Some(board.side());
            let legal: Vec<(Cell, Cell)> =
                board.legal().iter().flat_map(|(mv, facts)| board.ways(*mv, facts)).collect();
            for from in men.cells().filter(|&cell| men.at(cell).is_some_and(|man| man.side == mover)) {
                for to in men.cells() {
                    let fault = men.fault(from, to);
                    let is_legal = legal.contains(&(from, to));
                    assert_eq!(fault.is_none(), is_legal, "{game} {} {from}{to}: {fault:?}", board.fen());
                }
            }
        });
    }
}

#[test]
fn what_is_written_is_read_again() {
    for game in games() {
        random_games(game, 2, 80, 11, |board| {
            for (mv, _) in board.legal().into_iter().filter(|_| board.verdict().is_none()) {
                let (san, uci) = (board.san(mv), board.uci(mv));
                assert_eq!(board.read_move(&san), Ok(mv), "{game} {}: {san}", board.fen());
                assert_eq!(board.read_move(&uci), Ok(mv), "{game} {}: {uci}", board.fen());
                assert_eq!(board.san_line(&[uci]), [san]);
            }
        });
    }
}

#[test]
fn people_write_moves_in_many_ways() {
    let start = AnyBoard::start_fen("chess").unwrap();
    let board = board("chess", start);
    let (knight, pawn) = (board.parse_uci("g1f3").unwrap(), board.parse_uci("e2e4").unwrap());
    for text in ["Nf3", "nf3", "g1f3", "g1 f3", "g1-f3", "G1F3", " N f3 ", "Ngf3", "Ng1f3", "Nf3!?"] {
        assert_eq!(board.read_move(text), Ok(knight), "{text}");
    }
    for text in ["e4", "e2e4", "e2 e4", "e2-e4", "Pe4", "E2 E4"] {
        assert_eq!(board.read_move(text), Ok(pawn), "{text}");
    }
    let promotion = super::tests::board("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for text in ["a8=Q", "a8q", "a8Q", "a7a8q", "a7 a8 Q", "a7-a8=q"] {
        assert!(promotion.read_move(text).is_ok(), "{text}");
    }
    let castling = super::tests::board("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for text in ["O-O", "0-0", "o-o", "e1g1", "e1 g1", "e1h1", "Kg1", "kg1"] {
        assert_eq!(castling.read_move(text), castling.parse_uci("e1g1"), "{text}");
    }
    // A capture by the pawn comes before the bishop.
    let both = super::tests::board("chess", "4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1");
    assert_eq!(both.read_move("bxc4"), both.parse_uci("b3c4"));
    assert_eq!(both.read_move("Bxc4"), both.parse_uci("d3c4"));
}

/// Games of Janus chess go back and forth between Cute Chess and us.
#[test]
fn janus_castles_as_cute_chess_does() {
    let janus = board("janus", "r3k4r/10/10/10/10/10/10/R3K4R w KQkq - 0 1");
    for (texts, uci) in [(["Kb1", "O-O", "0-0", "kb1"], "e1b1"), (["Ki1", "O-O-O", "0-0-0", "Kei1"], "e1i1")]
    {
        let castling = janus.parse_uci(uci).unwrap();
        for text in texts {
            assert_eq!(janus.read_move(text), Ok(castling), "{text}");
        }
        assert_eq!(janus.target(castling).to_string(), uci[2..]);
    }
    let blocked = "r3k4r/10/10/10/10/10/10/RJ2K4R w KQkq - 0 1";
    for text in ["Kb1", "O-O", "e1b1"] {
        let message = refusal("janus", blocked, text);
        assert!(message.contains("castling is blocked by the white Janus on b1"), "{text}: {message}");
    }
    assert!(refusal("janus", &blocked.replace("KQkq", "K"), "Kb1").contains("no king moves to b1"));
}

#[test]
fn refusals_name_their_reason() {
    let start = AnyBoard::start_fen("chess").unwrap();
    let pinned = "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1";
    let checked = "4k3/8/8/8/7q/8/P7/4K3 w - - 0 1";
    let castling = "r3k2r/8/8/8/8/5n2/8/RN2K2R w KQkq - 0 1";
    for (fen, text, reason) in [
        (start, "e2e5", "a pawn does not move from e2 to e5"),
        (start, "e5", "no pawn can go to e5"),
        (start, "d2e3", "only to capture, and there is nothing on e3"),
        (start, "Nd3", "no knight moves to d3"),
        (start, "Ne2", "e2 is taken by your own pawn"),
        (start, "Bc4", "the way from f1 to c4 is blocked by the white pawn on e2"),
        (start, "a1a5", "blocked by the white pawn on a2"),
        (start, "e7e5", "the pawn on e7 is Black's, and White is to move"),
        (start, "e4e5", "there is nothing on e4"),
        (start, "0-0", "castling is blocked by the white bishop on f1"),
        (start, "b1d3", "a knight does not move from b1 to d3"),
        (start, "e2e9", "there is no square e9"),
        (start, "Qd6", "the way from d1 to d6 is blocked by the white pawn on d2"),
        (start, "xyzzy", "neither a move nor a command"),
        (pinned, "Nd5", "the knight on c3 is pinned: the black bishop on b4 would give check"),
        (checked, "a3", "in check from the black queen on h4, and this does not end it"),
        (checked, "Kf2", "the king would be in check from the black queen on h4"),
        (castling, "O-O", "the king is in check from the black knight on f3"),
        (castling, "e1c1", "castling is blocked by the white knight on b1"),
        ("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O-O", "no right to castle"),
        ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "the king would end in check from the black rook on g8"),
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "cross f1, which is attacked by the black rook on f8"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "say what the pawn becomes, =Q, =R, =B, =N"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "say what the pawn becomes"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rd1", ""),
        ("R6R/8/8/8/8/4k3/8/4K3 w - - 0 1", "Rd8", "ambiguous: Rad8 or Rhd8"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "the game is over: stalemate"),
    ] {
        if reason.is_empty() {
            assert!(board("chess", fen).read_move(text).is_ok(), "{text}");
            continue;
        }
        let message = refusal("chess", fen, text);
        assert!(message.contains(reason), "{text}: {message}");
    }
    let wall = refusal("behemoth", AnyBoard::start_fen("behemoth").unwrap(), "d2d4");
    assert!(wall.contains("Behemoth"), "{wall}");
    let grand = "10/4k5/10/10/10/10/10/10/4K5/10 w - - 0 1";
    let no_piece = refusal("grand", grand, "Ca5");
    assert!(no_piece.contains("White has no such piece there"), "{no_piece}");
}

#[test]
fn raids_tell_what_they_took() {
    let mut board = board("behemoth", AnyBoard::start_fen("behemoth").unwrap());
    board.play(board.parse_uci("a2a3").unwrap());
    let raid = board.raid("SE4").unwrap();
    let taken: Vec<String> = raid.taken.iter().map(|(man, cell)| format!("{}{cell}", man.letter)).collect();
    assert_eq!((raid.text.as_str(), raid.to.to_string()), ("se4", "h8".to_string()));
    assert_eq!(taken, ["Ng1", "Pf2", "Rh8"]);
    assert!(board.raid("up").is_err());
}

#[test]
fn games_have_many_names() {
    assert_eq!(game_named("Fischerandom"), Ok(CHESS960));
    assert_eq!(game_named("Standard"), Ok("chess"));
    assert_eq!(game_named("Capablanca Random"), Ok("caparandom"));
    assert!(game_named("checkers").is_err());
    let mut random = StdRng::seed_from_u64(1);
    for game in games() {
        assert_eq!(AnyBoard::start(game, &mut random).unwrap().game(), game);
    }
}
