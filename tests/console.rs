//! The console over pipes: every command, bad moves, bad files, the end of input, Ctrl-C, variants and studies.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rosada::endgame::Value;
use rosada::endgame::tables::Tables;
use rosada::engine::board::{AnyBoard, games};

/// Runs a session with these arguments and bytes typed into it.
fn session_of_bytes(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rosada"))
        .arg("play")
        .args(arguments)
        .args(["--ascii", "--hash", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the console starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A console that has ended does not read the rest.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the console ends");
    writer.join().expect("the writer ends");
    output
}

/// A session that ends well; returns what it said.
fn session(arguments: &[&str], lines: &[&str]) -> String {
    let output = session_of_bytes(arguments, lines.join("\n").as_bytes());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let faults = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && faults.is_empty(), "{faults}\n{text}");
    text
}

fn assert_says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} not in\n{text}");
    }
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("rosada-console-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

const QUICK: [&str; 3] = ["--level", "nodes 300", "--no-book"];

#[test]
fn every_command_answers() {
    let folder = folder("commands");
    let file = folder.join("game.pgn");
    let (save, load) = (format!("save {}", file.display()), format!("load {}", file.display()));
    let lines = [
        "help",
        "help level",
        "?",
        "board",
        "moves",
        "moves b1",
        "e4",
        "history",
        "fen",
        "back",
        "forward",
        "hint",
        "todo",
        "eval",
        "flip",
        "style",
        "style unicode",
        "style ascii",
        "style color",
        "style plain",
        "level",
        "level depth 2",
        "level time 0.01",
        "level elo 1500",
        "Nc3",
        "level nodes 300",
        "clock",
        "clock 5+3",
        "level clock",
        "clock off",
        "color",
        &save,
        "new",
        "d4",
        &load,
        "replay 0",
        "draw",
        "new",
        "color both",
        "variant",
        "resign",
        "new 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "todo",
        "color black",
        "go",
        "variant janus",
        "exit",
        "e4",
    ];
    let text = session(&QUICK, &lines);
    assert_says(
        &text,
        &[
            "takes moves back",
            "level [time SECONDS",
            "20 moves: ",
            "Na3 Nc3",
            "Rosada plays 1... ",
            "w KQkq - ",
            "no endgame table knows this position",
            "Evaluation:",
            "style unicode",
            "♜",
            "\x1b[38;5;",
            "level: depth 2",
            "level: Elo 1500",
            "clock 300+3: White 0:05:00, Black 0:05:00",
            "there is no clock",
            "you play White",
            "saved 4 plies, result *, to ",
            "loaded 4 plies of chess from ",
            "two people play",
            "this is chess; there are chess, chess960, maharajah",
            "White has given up: Black wins, 0-1",
            "(the fifty-move rule aside)",
            "you play Black",
            "Black: Rosada (300 nodes a move)",
        ],
    );
    assert!(!text.contains("neither a move nor a command"), "{text}");
    // A rated engine moves by chance, so what it thinks of a draw is open.
    assert!(text.contains("Rosada plays on") || text.contains("Rosada accepts the draw"), "{text}");
    assert!(std::fs::read_to_string(&file).expect("a saved game").contains("[Result \"*\"]"));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn bad_moves_are_answered_with_the_reason() {
    let text = session(
        &["--color", "both"],
        &[
            "e2e5",
            "Nd3",
            "Ke2",
            "O-O",
            "e7e5",
            "xyzzy",
            "e9",
            "",
            "   ",
            "e4 e5",
            "moves e5",
            "moves z9",
            "moves a1",
            "back",
            "forward",
            "back x",
            "level odd",
            "color red",
            "save",
            "load",
            "help nothing",
            "exit now",
            "e4",
        ],
    );
    assert_says(
        &text,
        &[
            "a pawn does not move from e2 to e5",
            "no knight moves to d3",
            "e2 is taken by your own pawn",
            "castling is blocked by the white bishop on f1",
            "the pawn on e7 is Black's, and White is to move",
            "\"xyzzy\" is neither a move nor a command",
            "e9",
            "there is nothing on e4",
            "there is nothing on e5",
            "\"z9\" is no square of this board",
            "the white rook on a1 cannot move",
            "this is the beginning of the game",
            "there is nothing to play again",
            "\"x\" is no number of moves",
            "one of time SECONDS",
            "\"red\" is no color",
            "save needs a file",
            "load needs a file",
            "there is no command \"nothing\"",
            "exit takes nothing behind it",
            "1. e4",
            "Black to move",
        ],
    );
    let pinned = ["--color", "both", "--fen", "4k3/8/8/8/1b6/2N5/8/4K2R w K - 0 1"];
    let text = session(&pinned, &["Nd5", "Ke1", "Rh9", "0-0-0", "moves c3"]);
    assert_says(
        &text,
        &[
            "the knight on c3 is pinned: the black bishop on b4 would give check",
            "no right to castle",
            "cannot move",
        ],
    );
}

#[test]
fn bad_files_change_nothing() {
    let folder = folder("files");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        format!("load {}", path.display())
    };
    let illegal = write("illegal.pgn", b"[Event \"x\"]\n\n1. e4 e5\n2. Nf6 *\n");
    let open = write("open.pgn", b"[Event \"x\"]\n\n1. e4 { never\n closed\n");
    let tag = write("tag.pgn", b"[Event x]\n\n1. e4 *\n");
    let empty = write("empty.pgn", b"\n\n");
    let noise = write("noise.pgn", &(0..=255u8).cycle().take(5_000).collect::<Vec<_>>());
    let result = write("result.pgn", b"1. f3 e5 2. g4 Qh4# 1-0\n");
    let variant = write("variant.pgn", b"[Variant \"Xiangqi\"]\n\n1. e4 *\n");
    let missing = format!("load {}", folder.join("missing.pgn").display());
    let directory = format!("load {}", folder.display());
    let second = format!("{illegal} 7");
    let unwritable = format!("save {}", folder.join("no/such/folder/x.pgn").display());
    let lines = [
        "d4",
        &illegal,
        &open,
        &tag,
        &empty,
        &noise,
        &result,
        &variant,
        &missing,
        &directory,
        &second,
        &unwritable,
        "history",
    ];
    let text = session(&["--color", "both"], &lines);
    assert_says(
        &text,
        &[
            "illegal.pgn: line 4: move 2.: \"Nf6\" is not legal: no knight moves to f6",
            "open.pgn: line 3: the comment that begins here has no end",
            "tag.pgn: line 1: \"[Event x]\" is not a tag",
            "empty.pgn: there is no game in it",
            "noise.pgn: line ",
            "result.pgn: line 1: the result is given as 1-0, but the board says 0-1",
            "\"Xiangqi\" is no game I know",
            "missing.pgn: ",
            "is a folder, not a file",
            "there are only 1 games",
            "no/such/folder/x.pgn: ",
            "1. d4\n",
        ],
    );
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn the_end_of_input_ends_cleanly() {
    for input in [&b""[..], b"e4", b"e4\n", b"\n\n\n", b"\xff\xfe\x00\n\x1b[A\n", b"save\nload"] {
        let output = session_of_bytes(&QUICK, input);
        assert!(output.status.success(), "{input:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{input:?}: {output:?}");
    }
    let long = [b"e4 ".repeat(100_000), b"\nd4\n".to_vec()].concat();
    let output = session_of_bytes(&["--color", "both"], &long);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("1. d4"), "the line after the giant is read");
    let bad = session_of_bytes(&["--fen", "nonsense"], b"");
    assert!(!bad.status.success() && String::from_utf8_lossy(&bad.stderr).contains("FEN"));
}

#[test]
fn mates_and_draws_are_announced_with_their_rule() {
    let both = |fen: &str, moves: &[&str]| session(&["--color", "both", "--fen", fen], moves);
    let start = AnyBoard::start_fen("chess").expect("chess");
    for (fen, moves, words) in [
        (start, &["f3", "e5", "g4", "Qh4#", "a3"][..], "Checkmate: Black wins, 0-1"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", &["Qf7"], "Stalemate: draw, 1/2-1/2"),
        ("8/8/8/3k4/8/8/3p4/3K4 w - - 0 1", &["Kxd2"], "Insufficient material: draw, 1/2-1/2"),
        ("8/8/8/4k3/8/8/3R4/3K4 w - - 99 80", &["Ke1"], "Fifty moves without capture or pawn move: draw"),
        (
            start,
            &["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"],
            "Threefold repetition: draw, 1/2-1/2",
        ),
    ] {
        assert_says(&both(fen, moves), &[words, "(game over)>"]);
    }
    let over = both(start, &["f3", "e5", "g4", "Qh4#", "a3", "hint", "go", "moves", "back", "g3"]);
    assert_says(&over, &["the game is over: checkmate; new begins another, back goes back"]);
    let agreed = both(start, &["e4", "draw"]);
    assert_says(&agreed, &["Draw agreed, 1/2-1/2"]);
}

#[test]
fn games_are_saved_with_all_tags_and_load_again() {
    let folder = folder("save");
    let file = folder.join("my game.pgn");
    let (save, load) = (format!("save \"{}\"", file.display()), format!("load {}", file.display()));
    let played = session(&["--color", "both", "--clock", "5+3"], &["e4", "c5", "Nf3", "d6", &save]);
    assert_says(&played, &["saved 4 plies, result *"]);
    let text = std::fs::read_to_string(&file).expect("a saved game");
    assert_says(
        &text,
        &[
            "[Event \"Casual game\"]",
            "[Site \"Rosada console\"]",
            "[Round \"-\"]",
            "[White \"You\"]",
            "[Result \"*\"]",
            "[TimeControl \"300+3\"]",
            "[ECO \"B50\"]",
            "[PlyCount \"4\"]",
            "[Termination \"unterminated\"]",
            "[%clk 0:05:0",
        ],
    );
    let again = session(&["--color", "both"], &[&load, "d4", "cxd4", "resign", &save, &load, "history"]);
    assert_says(
        &again,
        &["loaded 4 plies", "3. d4 cxd4", "White has given up: Black wins, 0-1", "(game over)> history"],
    );
    // Another library reads the same game.
    struct Count;
    impl pgn_reader::Visitor for Count {
        type Tags = ();
        type Movetext = (shakmaty::Chess, usize);
        type Output = usize;
        fn begin_tags(&mut self) -> std::ops::ControlFlow<usize, ()> {
            std::ops::ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, (): ()) -> std::ops::ControlFlow<usize, Self::Movetext> {
            std::ops::ControlFlow::Continue((shakmaty::Chess::default(), 0))
        }
        fn san(
            &mut self,
            (position, count): &mut Self::Movetext,
            san: pgn_reader::SanPlus,
        ) -> std::ops::ControlFlow<usize> {
            use shakmaty::Position;
            let mv = san.san.to_move(position).expect("a legal move");
            position.play_unchecked(mv);
            *count += 1;
            std::ops::ControlFlow::Continue(())
        }
        fn end_game(&mut self, (_, count): Self::Movetext) -> usize {
            count
        }
    }
    let bytes = std::fs::read(&file).expect("a saved game");
    let mut reader = pgn_reader::Reader::new(&bytes[..]);
    assert_eq!(reader.read_game(&mut Count).expect("readable"), Some(6));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn the_engine_plays_itself_to_the_end() {
    let text =
        session(&["--color", "none", "--level", "depth 3", "--fen", "8/8/8/8/8/2k5/2q5/K7 b - - 0 1"], &[]);
    assert_says(&text, &["Rosada plays 1... ", "Checkmate: Black wins, 0-1"]);
}

#[test]
fn every_variant_is_played_saved_and_loaded() {
    let folder = folder("variants");
    for game in games() {
        let file = folder.join(format!("{game}.pgn"));
        let (save, load) = (format!("save {}", file.display()), format!("load {}", file.display()));
        let arguments = ["--variant", game, "--level", "nodes 200", "--no-book", "--seed", "5"];
        let text = session(&arguments, &["go", "go", "fen", &save, "new", &load, "fen", "history", "eval"]);
        let is_fen = |line: &&str| line.split(' ').count() == 6 && line.matches('/').count() >= 7;
        let fens: Vec<&str> = text.lines().filter(is_fen).collect();
        assert!(fens.len() >= 2 && fens[0] == fens[1], "{game}: {fens:?}\n{text}");
        assert_says(&text, &["Rosada plays 1. ", "loaded 4 plies of ", "Evaluation"]);
    }
    let behemoth = session(
        &["--variant", "behemoth", "--color", "both", "--seed", "2"],
        &["e4", "e5", "Ke2", "history", "hint"],
    );
    assert_says(&behemoth, &["The die says ", "the Behemoth goes to "]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// The line of a session that is a FEN.
fn fen_in(text: &str) -> &str {
    let is_fen = |line: &&str| line.split(' ').count() == 6 && line.matches('/').count() == 7;
    text.lines().find(is_fen).expect("a FEN")
}

#[test]
fn a_study_counts_hints_and_tells_a_lost_win_at_once() {
    let tables = Tables::embedded();
    let mut told = false;
    for seed in 1..30 {
        let seed = seed.to_string();
        let arguments = ["--endgame", "KPvK", "--task", "win", "--seed", &seed];
        let first = session(&arguments, &["fen", "todo", "hint", "hint", "hint", "hint", "hint", "hint"]);
        assert_says(
            &first,
            &[
                "KPvK: you play White; win (White mates in ",
                "4 hints left",
                "0 hints left",
                "the 5 hints are used up",
            ],
        );
        // A move that lets the win slip, if there is one here.
        let board = AnyBoard::from_fen("chess", fen_in(&first)).expect("a position");
        let moves = board.table_moves(&tables).expect("three men are known");
        let Some((bad, _)) = moves.iter().find(|(_, value)| *value == Value::Draw) else { continue };
        let text = session(
            &arguments,
            &[&board.san(*bad), "back", "draw", "load x", "variant janus", "new", "new x"],
        );
        assert_says(
            &text,
            &[
                "That gives the win away: it is a draw now. ",
                "a study is played to its end",
                "a study chooses its own",
            ],
        );
        told = true;
        break;
    }
    assert!(told, "no position with a move that loses the win");
    // What is in the binary needs no folder.
    let rook = session(&["--endgame", "KRvK", "--dir", "no/such/folder", "--seed", "1"], &["hint", "todo"]);
    assert_says(&rook, &["KRvK: you play ", "4 hints left"]);
    for bad in ["KXvK", "KQQQQvK", "KNvK"] {
        assert!(!session_of_bytes(&["--endgame", bad], b"").status.success(), "{bad}");
    }
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let text = session(&["--clock", "0.002", "--no-book"], &["hint", "e4", "history", "clock"]);
    assert_says(&text, &["White has run out of time: Black wins, 0-1", "no moves yet"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_makes_the_engine_move_now() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rosada"))
        .args(["play", "--ascii", "--hash", "1", "--level", "time 600", "--no-book"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the console starts");
    let began = Instant::now();
    child.stdin.take().expect("a pipe").write_all(b"e4\nexit\n").expect("the console reads");
    // Before it thinks, Ctrl-C ends it: wait until it has read the move, and some time for it to begin.
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.by_ref().any(|line| line == "1. e4"), "the move was not read");
    std::thread::sleep(Duration::from_secs(2));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let text = lines.collect::<Vec<_>>().join("\n");
    assert!(child.wait().expect("the console ends").success(), "{text}");
    assert!(began.elapsed() < Duration::from_secs(300), "{text}");
    assert_says(&text, &["Rosada plays 1... "]);
}

#[test]
fn saving_keeps_the_other_games_of_a_file() {
    let folder = folder("shelf");
    let file = folder.join("shelf.pgn");
    let noted =
        "[Event \"Noted\"]\n[TimeControl \"300+3\"]\n\n1. e4 {best [%clk 0:04:00]} e5 $2 (1... c5) *\n";
    std::fs::write(&file, noted).expect("a file");
    let path = file.display();
    let (save, load) = (format!("save {path}"), format!("load {path}"));
    let two = ["--color", "both"];
    let text = session(&two, &["d4", &save, "d5", &save, "new", "c4", &save, &load, "Nf3", &save, "clock"]);
    assert_says(&text, &["as game 2 of 2", "as game 3 of 3", "as game 1 of 3", "White 0:04:0"]);
    let saved = std::fs::read_to_string(&file).expect("games");
    assert_eq!(saved.matches("[Event ").count(), 3, "{saved}");
    assert_says(
        &saved,
        &["{[%clk 0:04:00] [%emt 0:01:03.0] best}", "e5 $2", "(1... c5)", "1. d4 d5 *", "1. c4"],
    );
    let notes = folder.join("notes.txt");
    std::fs::write(&notes, "milk\n").expect("a file");
    let text = session(&two, &["e4", &format!("save {}", notes.display())]);
    assert_says(&text, &["something else than games"]);
    assert_eq!(std::fs::read_to_string(&notes).expect("notes"), "milk\n");
    // A clock from the command line takes the place of the one in the file.
    let text = session(&["--load", &path.to_string(), "--clock", "7+1"], &["clock"]);
    assert_says(&text, &["clock 420+1: White 0:0"]);
}

#[test]
fn ends_that_the_board_does_not_show_are_told_where_they_are() {
    let text = session(&["--color", "both"], &["e4", "e5", "resign", "replay 0", "back 9", "resign", "back"]);
    assert_eq!(text.matches("White has given up").count(), 4, "{text}");
    assert!(!text.contains("this is the beginning"), "{text}");
    let rook = ["--color", "both", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"];
    assert_says(&session(&rook, &["todo"]), &["the tables know no castling"]);
    let queen = ["--color", "both", "--clock", "0.0000001", "--fen", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"];
    let text = session(&queen, &["hint", "Qd2"]);
    assert_says(&text, &["Black has the king alone, and White has run out of time: draw, 1/2-1/2"]);
    let text =
        session(&["--color", "both", "--clock", "0+20"], &["e4", "d5", "e5", "f5", "exf6 e.p.", "history"]);
    assert_says(&text, &["3. exf6"]);
}

#[test]
fn a_study_heals_its_tables() {
    let folder = folder("study");
    let tables = folder.to_string_lossy();
    let study = ["--endgame", "KBvKN", "--dir", &tables, "--seed", "1", "--task", "hold"];
    let text = session_of_bytes(&study, b"todo\n");
    assert_says(&String::from_utf8_lossy(&text.stdout), &["building the tables of KBvKN", "KBvKN is solved"]);
    std::fs::write(folder.join("KBvKN.dtm"), "damaged").expect("a file");
    std::fs::remove_file(folder.join("KBvK.dtm")).expect("a smaller table");
    let text = session_of_bytes(&study, b"todo\n");
    let text = String::from_utf8_lossy(&text.stdout);
    assert_says(&text, &["KBvKN.dtm is built again", "KBvK is solved", "KBvKN is solved"]);
    assert!(!text.contains("refused"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_study_leaves_nothing_behind() {
    let folder = folder("temporary");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rosada"))
        .args(["play", "--ascii", "--hash", "1", "--endgame", "KRPvKR"])
        .env("TMPDIR", &folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the console starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.by_ref().any(|line| line.ends_with("is solved")), "nothing was built");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    assert!(!child.wait().expect("the console ends").success());
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 0);
}
