//! One thread is reproducible to the node; a search sees what it must see.

use std::sync::Arc;

use rosada::base::Score;
use rosada::chess::Position;
use rosada::eval::Classical;
use rosada::search::control::Control;
use rosada::search::{Job, Outcome, Shared, Silent, Worker};
use rosada::time::{Deadline, Limits};
use rosada::tt::Table;

fn search(fen: &str, limits: Limits) -> (Outcome, u64) {
    let game = Position::from_fen(fen).expect(fen);
    let table = Arc::new(Table::with_megabytes(8).expect("memory"));
    let mut worker = Worker::new(0, game.clone(), Classical::new());
    let shared = Shared::new(table, Arc::new(Control::new()), 1, limits.nodes);
    let job = Job {
        game,
        limits,
        deadline: Deadline::none(),
        search_moves: Vec::new(),
        multipv: 1,
        tables: None,
        ranked: Vec::new(),
    };
    let (outcome, _) = worker.run(&job, &shared, Box::new(Silent));
    (outcome, shared.nodes())
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn the_same_search_twice_is_the_same_search() {
    let fen = "r2q1rk1/pp1bppb1/3p1np1/4n2p/3NP2P/1BN1BP2/PPPQ2P1/2KR3R b - - 3 13";
    let (first, nodes) = search(fen, to_depth(10));
    let (second, again) = search(fen, to_depth(10));
    assert_eq!(nodes, again);
    assert_eq!(first.root_moves[0].pv, second.root_moves[0].pv);
}

#[test]
fn node_limits_are_exact() {
    for nodes in [1, 10, 1000, 12_345] {
        let (_, searched) =
            search(rosada::chess::START_FEN, Limits { nodes: Some(nodes), ..Limits::default() });
        assert_eq!(searched, nodes);
    }
}

#[test]
fn soft_node_limits_end_with_an_iteration() {
    let soft = |nodes| Limits { soft_nodes: Some(nodes), ..Limits::default() };
    let (outcome, nodes) = search(rosada::chess::START_FEN, soft(5_000));
    assert!(nodes >= 5_000);
    assert_eq!(search(rosada::chess::START_FEN, to_depth(outcome.depth as u32)).1, nodes);
    assert!(search(rosada::chess::START_FEN, to_depth(outcome.depth as u32 - 1)).1 < 5_000);
    let (_, nodes) = search(rosada::chess::START_FEN, Limits { nodes: Some(6_000), ..soft(5_999) });
    assert!(nodes <= 6_000);
}

#[test]
fn mates_are_found_with_their_distance() {
    for (fen, depth, plies) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 4, 1),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 12, 3),
        ("2r3k1/p4p2/3Rp2p/1p2P1pK/8/1P4P1/P3Q2P/1q6 b - - 0 1", 10, 5),
    ] {
        let (outcome, _) = search(fen, to_depth(depth));
        assert_eq!(outcome.root_moves[0].known_score(), Score::mate_in(plies), "{fen}");
    }
}

#[test]
fn a_go_mate_ends_with_the_mate() {
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let (outcome, _) = search("2r3k1/p4p2/3Rp2p/1p2P1pK/8/1P4P1/P3Q2P/1q6 b - - 0 1", limits);
    assert!(
        outcome.root_moves[0].known_score().moves_to_mate().is_some_and(|moves| (1..=3).contains(&moves))
    );
}

#[test]
fn draws_are_seen_inside_the_tree() {
    // Perpetual check saves a side that is mated otherwise.
    let (outcome, _) = search("6k1/6p1/8/7Q/8/8/rr4P1/7K w - - 0 1", to_depth(8));
    assert_eq!(outcome.root_moves[0].known_score(), Score::DRAW);
    // Bare kings and lone minors are drawn at once.
    let (outcome, _) = search("8/8/4k3/8/8/3K4/8/5B2 w - - 0 1", to_depth(6));
    assert_eq!(outcome.root_moves[0].known_score(), Score::DRAW);
    // Ninety-nine plies without progress: any quiet move draws.
    let (outcome, _) = search("8/8/4k3/8/8/3K4/8/5R2 w - - 99 120", to_depth(6));
    assert_eq!(outcome.root_moves[0].known_score(), Score::DRAW);
}

#[test]
fn stalemate_is_not_a_win() {
    // Promoting to a queen stalemates; only the rook wins.
    let fen = "8/5P1k/8/6K1/8/8/8/8 w - - 0 1";
    let (outcome, _) = search(fen, to_depth(9));
    let best = Position::from_fen(fen).expect(fen).uci(outcome.root_moves[0].mv);
    assert_eq!(best, "f7f8r");
    // The side without a move is not mated.
    let (outcome, _) = search("k7/2Q5/1K6/8/8/8/8/8 w - - 0 1", to_depth(5));
    assert!(outcome.root_moves[0].known_score().is_win_by_mate());
    let (outcome, _) = search("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", to_depth(3));
    assert!(outcome.root_moves.is_empty());
}

#[test]
fn an_answer_without_a_search_has_a_sober_score() {
    let (outcome, _) = search(rosada::chess::START_FEN, Limits { nodes: Some(1), ..Limits::default() });
    assert!(outcome.root_moves[0].known_score().value().abs() < 100);
}

#[test]
fn wild_positions_do_no_harm() {
    for fen in [
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "rnbqkbnr/nnnnnnnn/8/8/8/8/NNNNNNNN/RNBQKBNR w KQkq - 0 1",
        "3qk3/8/8/8/8/8/8/3QK3 w - - 400 500",
    ] {
        let (outcome, nodes) = search(fen, Limits { nodes: Some(20_000), ..Limits::default() });
        assert!(!outcome.root_moves.is_empty() && nodes == 20_000, "{fen}: {nodes}");
    }
}
