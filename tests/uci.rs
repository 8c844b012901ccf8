//! The front end as GUIs meet it: the real binary over pipes.

mod common;

use std::io::Write;
use std::time::{Duration, Instant};

use common::gui::{Gui, field, move_of};
use common::shared_data;

#[test]
fn the_start_is_silent_and_the_handshake_complete() {
    let mut gui = Gui::start();
    assert!(gui.read_for(Duration::from_millis(200)).is_empty());
    gui.send("uci");
    let lines = gui.read_until(|line| line == "uciok");
    assert!(lines[0].starts_with("id name Rosada"));
    for name in ["Hash", "Threads", "Ponder", "MultiPV", "Move Overhead", "UCI_Chess960", "UCI_ShowWDL"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type"))), "{name}");
    }
    gui.send("uci");
    gui.read_until(|line| line == "uciok");
    gui.quit();
}

#[test]
fn every_go_has_one_best_move_and_a_score_before_it() {
    let mut gui = Gui::start();
    for go in [
        "go depth 4",
        "go movetime 30",
        "go nodes 2000",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        "go wtime 100",
        "go wtime 1 btime 1",
        "go wtime -100 btime -100",
        "go wtime 0 btime 0 movestogo -5",
        "go wtime 300 btime 300 movestogo 1",
        "go movetime 0",
        "go depth 0",
        "go nodes 1",
        "go depth 3 nodes 100000 movetime 500 wtime 10000 btime 10000",
        "go searchmoves a2a3 h2h4 depth 4",
    ] {
        gui.send("position startpos");
        gui.send(go);
        let lines = gui.best_move();
        assert!(lines.iter().any(|line| line.contains(" score ")), "{go}: {lines:?}");
        let best = move_of(&lines);
        assert!(best.len() == 4, "{go}: {best}");
        if go.contains("searchmoves") {
            assert!(["a2a3", "h2h4"].contains(&best.as_str()), "{best}");
        }
        assert!(gui.sync().is_empty(), "{go}: something after the best move");
    }
    gui.quit();
}

#[test]
fn node_limits_are_exact() {
    for threads in [1, 2] {
        let mut gui = Gui::start();
        gui.send(&format!("setoption name Threads value {threads}"));
        for nodes in [1u64, 2, 100, 255, 256, 257, 5000, 54_321] {
            gui.send("position fen r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9");
            gui.send(&format!("go nodes {nodes}"));
            let lines = gui.best_move();
            let told =
                lines.iter().filter_map(|line| field(line, "nodes")).next_back().unwrap().parse::<u64>();
            // Two threads may leave a rest of their last portions.
            let told = told.unwrap();
            assert!(told == nodes || threads == 2 && told < nodes, "{nodes}: {lines:?}");
        }
        gui.quit();
    }
}

#[test]
fn open_ended_searches_wait_for_stop() {
    let mut gui = Gui::start();
    // A mate in one: nothing is left to find after a moment.
    gui.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go ponder infinite", "go"] {
        gui.send(go);
        let early = gui.read_for(Duration::from_millis(300));
        assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{go}: {early:?}");
        gui.send("stop");
        assert_eq!(move_of(&gui.best_move()), "a1a8");
        assert!(gui.sync().is_empty());
    }
    // Mated and stalemated roots wait too.
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        gui.send(&format!("position fen {fen}"));
        gui.send("go infinite");
        assert!(!gui.read_for(Duration::from_millis(100)).iter().any(|line| line.starts_with("bestmove")));
        gui.send("stop");
        assert_eq!(move_of(&gui.best_move()), "0000");
    }
    gui.quit();
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut gui = Gui::start();
    gui.send("position startpos moves e2e4 e7e5");
    gui.send("go ponder wtime 400 btime 400");
    assert!(!gui.read_for(Duration::from_millis(600)).iter().any(|line| line.starts_with("bestmove")));
    let start = Instant::now();
    gui.send("ponderhit");
    assert_eq!(move_of(&gui.best_move()).len(), 4);
    assert!(start.elapsed() < Duration::from_millis(400));
    gui.quit();
}

#[test]
fn ready_is_answered_during_search_and_stops_do_not_leak() {
    let mut gui = Gui::start();
    gui.send("setoption name Threads value 2");
    for _ in 0..10 {
        gui.send("go infinite");
        gui.sync();
        gui.send("stop");
        gui.send("stop");
        gui.send("position startpos moves e2e4");
        gui.send("go infinite");
        gui.best_move();
        let during = gui.read_for(Duration::from_millis(60));
        assert!(!during.iter().any(|line| line.starts_with("bestmove")), "a stale stop ended the new search");
        gui.send("stop");
        gui.best_move();
    }
    gui.quit();
}

#[test]
fn a_second_go_is_answered_after_the_first() {
    let mut gui = Gui::start();
    gui.send("go infinite");
    gui.send("go infinite");
    gui.send("stop");
    gui.best_move();
    gui.best_move();
    gui.send("go depth 6");
    gui.send("position startpos moves d2d4");
    gui.send("go depth 5");
    gui.best_move();
    gui.best_move();
    gui.send("go ponder wtime 1000 btime 1000");
    gui.send("ucinewgame");
    gui.send("position startpos");
    gui.send("go depth 3");
    gui.best_move();
    gui.best_move();
    // All at once, so that the loop has seen everything before the first search is done.
    for _ in 0..20 {
        gui.send("go depth 1\ngo ponder wtime 1000 btime 1000\nucinewgame\nposition startpos\ngo depth 2");
        (0..3).for_each(|_| drop(gui.best_move()));
    }
    assert!(gui.sync().is_empty());
    gui.quit();
}

#[test]
fn bad_positions_are_refused_whole() {
    let mut gui = Gui::start();
    for bad in [
        "position fen blah",
        "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e4 e7e5 e1e3",
        "position startpos moves e4 e5",
        "position fen 8/P7/8/8/8/8/k6K/8 w - - 0 1 moves a7a8",
    ] {
        gui.send("position startpos");
        gui.send(bad);
        let said = gui.sync();
        assert_eq!(said.len(), 1, "{bad}: {said:?}");
        assert!(said[0].starts_with("info string error: "), "{said:?}");
        gui.send("go depth 2");
        assert_eq!(move_of(&gui.best_move()), "0000", "{bad}");
    }
    gui.send("position startpos");
    gui.send("go depth 2");
    assert_ne!(move_of(&gui.best_move()), "0000");
    gui.quit();
}

#[test]
fn bad_options_keep_the_old_value() {
    let mut gui = Gui::start();
    for bad in [
        "setoption name Hash value 0",
        "setoption name Hash value abc",
        "setoption name Hash value 1048576",
        "setoption name Threads value 100000",
        "setoption name MultiPV value 0",
        "setoption name NoSuchOption value 1",
        "setoption name Debug Log File value /no/such/folder/x.log",
        "setoption",
    ] {
        gui.send(bad);
        let said = gui.sync();
        // Only the machine's memory decides whether a terabyte of hash can be had.
        if !bad.contains("1048576") {
            assert_eq!(said.len(), 1, "{bad}: {said:?}");
            assert!(said[0].starts_with("info string error: "), "{said:?}");
        }
    }
    // A wrong number of lines is refused and three are still shown.
    gui.send("setoption name MultiPV value 3");
    gui.send("setoption name MultiPV value 501");
    gui.send("go depth 3");
    assert!(gui.best_move().iter().any(|line| field(line, "multipv") == Some("3")));
    gui.quit();
}

#[test]
fn a_clock_for_the_other_side_only_still_ends() {
    let mut gui = Gui::start();
    gui.send("position startpos moves e2e4");
    gui.send("go wtime 100");
    assert_eq!(move_of(&gui.best_move()).len(), 4);
    gui.quit();
}

#[test]
fn a_mate_that_is_not_there_gives_way() {
    let mut gui = Gui::start();
    gui.send("go mate 1");
    gui.send("go depth 3");
    gui.best_move();
    gui.best_move();
    gui.send("go searchmoves e2e5");
    let lines = gui.best_move();
    assert!(lines[0].starts_with("info string error") && move_of(&lines) == "0000", "{lines:?}");
    gui.quit();
}

#[test]
fn thinking_done_while_pondering_counts() {
    let mut gui = Gui::start();
    gui.send("position startpos moves e2e4 e7e5");
    gui.send("go ponder wtime 3000 btime 3000");
    gui.read_for(Duration::from_millis(1500));
    let start = Instant::now();
    gui.send("ponderhit");
    gui.best_move();
    assert!(start.elapsed() < Duration::from_millis(200), "{:?}", start.elapsed());
    gui.quit();
}

#[test]
fn few_nodes_on_many_threads_are_well_spent() {
    let mut gui = Gui::start();
    gui.send("setoption name Threads value 4");
    for _ in 0..10 {
        // A queen hangs.
        gui.send("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        gui.send("go nodes 100");
        assert_eq!(move_of(&gui.best_move()), "e4d5");
    }
    gui.quit();
}

#[test]
fn a_weakened_engine_still_plays_sense() {
    let mut gui = Gui::start();
    gui.send("setoption name UCI_LimitStrength value true");
    for elo in [1320, 1800, 2400, 3000] {
        gui.send(&format!("setoption name UCI_Elo value {elo}"));
        gui.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
        gui.send("go wtime 1000 btime 1000");
        assert_eq!(move_of(&gui.best_move()), "a1a8", "a mate in one is not missed at {elo}");
        gui.send("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        gui.send("go wtime 1000 btime 1000");
        assert_eq!(move_of(&gui.best_move()), "e4d5", "a hanging queen is taken at {elo}");
    }
    gui.quit();
}

#[test]
fn ready_means_that_the_options_before_it_hold() {
    let mut gui = Gui::start();
    gui.send("go infinite\nstop\nsetoption name Hash value 32\nisready");
    let lines = gui.read_until(|line| line == "readyok");
    assert!(lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    gui.quit();
}

#[test]
fn arguments_are_lines() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_rosada"))
        .args(["position startpos", "go infinite", "stop", "go depth 2"])
        .output()
        .expect("the engine starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().filter(|line| line.starts_with("bestmove")).count(), 2, "{text}");
}

#[test]
fn multipv_lines_come_together_sorted_and_distinct() {
    let mut gui = Gui::start();
    gui.send("setoption name MultiPV value 5");
    gui.send("position fen r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9");
    gui.send("go depth 8");
    let lines = gui.best_move();
    let last: Vec<&String> = lines.iter().filter(|line| field(line, "depth") == Some("8")).collect();
    let ranks: Vec<&str> = last.iter().filter_map(|line| field(line, "multipv")).collect();
    assert_eq!(ranks, ["1", "2", "3", "4", "5"]);
    let scores: Vec<i32> = last.iter().map(|line| field(line, "cp").unwrap().parse().unwrap()).collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    let mut first: Vec<&str> = last.iter().filter_map(|line| field(line, "pv")).collect();
    assert_eq!(first[0], move_of(&lines));
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), 5);
    // More lines than moves.
    gui.send("setoption name MultiPV value 256");
    gui.send("position fen 8/8/8/8/8/5k2/7p/7K w - - 0 1");
    gui.send("go depth 3");
    assert_eq!(move_of(&gui.best_move()), "h1h2");
    gui.quit();
}

#[test]
fn castling_is_written_as_the_mode_wants() {
    let mut gui = Gui::start();
    let fen = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    gui.send(fen);
    gui.send("go perft 1");
    assert!(
        gui.read_until(|line| line.starts_with("Nodes searched: 26")).iter().any(|line| line == "e1g1: 1")
    );
    gui.send("setoption name UCI_Chess960 value true");
    gui.send(fen);
    gui.send("go perft 1");
    assert!(
        gui.read_until(|line| line.starts_with("Nodes searched: 26")).iter().any(|line| line == "e1h1: 1")
    );
    gui.quit();
}

#[test]
fn end_of_input_and_a_closed_pipe_end_the_program() {
    let mut gui = Gui::start();
    gui.send("go infinite");
    gui.close_input();
    assert!(gui.wait().success());

    // The GUI goes away while the engine talks.
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rosada"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    let _ = input.write_all(b"uci\ngo infinite\n");
    let deadline = Instant::now() + Duration::from_secs(20);
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        assert!(Instant::now() < deadline, "nobody listens, but the engine goes on");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{status}");
}

#[test]
fn strange_bytes_and_long_lines_do_no_harm() {
    let mut gui = Gui::start();
    gui.send_bytes(b"\x00\n\x01\x02\x03\n\xff\xfe\n\r\n\n   \n");
    gui.send_bytes(&vec![b'x'; 1 << 20]);
    gui.send_bytes(b"\nxboard\nuci uci uci\r\n");
    gui.read_until(|line| line == "uciok");
    let knights = "g1f3 g8f6 f3g1 f6g8 ".repeat(150);
    gui.send(&format!("position startpos moves {knights}"));
    assert!(gui.sync().is_empty());
    gui.send("go depth 3");
    assert_eq!(move_of(&gui.best_move()).len(), 4);
    gui.quit();
}

#[test]
fn two_games_around_ucinewgame_are_the_same() {
    let mut gui = Gui::start();
    let mut games = Vec::new();
    for _ in 0..2 {
        gui.send("ucinewgame");
        let mut nodes = Vec::new();
        for moves in ["", " moves e2e4 e7e5", " moves e2e4 e7e5 g1f3 b8c6"] {
            gui.send(&format!("position startpos{moves}"));
            gui.send("go depth 9");
            let lines = gui.best_move();
            nodes.push(lines.iter().filter_map(|line| field(line, "nodes")).next_back().unwrap().to_string());
        }
        games.push(nodes);
    }
    assert_eq!(games[0], games[1]);
    gui.quit();
}

#[test]
fn scores_of_mates_and_their_lines() {
    let mut gui = Gui::start();
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "1"),
        ("k7/8/2K5/8/8/8/8/1Q6 b - - 0 1", "-1"),
        ("8/8/8/8/8/1k6/8/K6r w - - 0 1", "0"),
        ("k7/8/1K6/8/8/8/8/6R1 w - - 0 1", "1"),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "2"),
    ] {
        gui.send(&format!("position fen {fen}"));
        gui.send("go depth 8");
        let lines = gui.best_move();
        let last = lines.iter().rev().find(|line| line.contains(" score ")).unwrap();
        if mate == "0" {
            assert!(last.contains("score mate 0"), "{last}");
        } else {
            assert_eq!(field(last, "mate"), Some(mate), "{fen}: {last}");
            let plies = last.split(" pv ").nth(1).unwrap().split_whitespace().count() as i32;
            let moves: i32 = mate.parse().unwrap();
            assert_eq!(plies, if moves > 0 { 2 * moves - 1 } else { -2 * moves }, "{last}");
        }
    }
    gui.quit();
}

#[test]
fn every_malformed_block_is_survived() {
    let Some(text) = shared_data("uci/malformed_uci.txt") else { return };
    let mut gui = Gui::start();
    for block in text.split("\n\n") {
        for line in block.lines().filter(|line| !line.starts_with('#')) {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["@eof"] | ["quit"] => {
                    gui.send("stop");
                    gui.close_input();
                    assert!(gui.wait().success(), "{block}");
                    gui = Gui::start();
                }
                ["@long_position", count] => {
                    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(count.parse::<usize>().unwrap() / 4);
                    gui.send(&format!("position startpos moves {moves}"));
                }
                ["@repeat", letter, count] => gui.send(&letter.repeat(count.parse().unwrap())),
                ["@bytes", ref bytes @ ..] => {
                    let bytes: Vec<u8> =
                        bytes.iter().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
                    gui.send_bytes(&bytes);
                }
                ["@crlf", ref words @ ..] => gui.send_bytes(format!("{}\r\n", words.join(" ")).as_bytes()),
                _ => gui.send(line),
            }
        }
        gui.send("stop");
        gui.sync();
        gui.send("ucinewgame");
        gui.send("position startpos");
        gui.sync();
    }
    gui.quit();
}
