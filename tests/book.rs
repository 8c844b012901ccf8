//! Opening books through the library: keys, reading, building, growing, names; over pipes: playing.

mod common;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use common::gui::Gui;
use common::{shared_data, shared_lines};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rosada::base::{Color, Error};
use rosada::book::build::{Builder, Settings, Totals, Watcher};
use rosada::book::{self, Book, BookMove, BookWriter, Choice, Entry};
use rosada::chess::{Position, Square};
use rosada::engine::evaluation::{DEFAULT_EVALUATION, Evaluation};
use rosada::lab::book::grow;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The position after moves from the start.
fn after(moves: &str) -> Position {
    let mut position = Position::start();
    for san in moves.split_whitespace() {
        position.make(position.parse_san(san).expect(san));
    }
    position
}

fn rosada(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rosada")).args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn keys_are_those_of_other_programs() {
    for line in shared_lines("book/polyglot_keys.csv") {
        let (fen, expected) = line.split_once(';').expect("a FEN and a key");
        let expected = u64::from_str_radix(expected.trim(), 16).expect("a key");
        let position = position(fen);
        let passed = fen.split_whitespace().nth(3).and_then(Square::parse);
        assert_eq!(book::key(position.board(), passed), expected, "{fen}");
        // Without the text of the FEN the key is among those that are looked up.
        assert!(book::keys(&position).any(|key| key == expected), "{fen}");
    }
}

#[test]
fn names_agree_with_the_reference() {
    let mut reference: HashMap<u64, (String, String)> = HashMap::new();
    for letter in ["a", "b", "c", "d", "e"] {
        for line in shared_lines(&format!("book/eco_tsv/{letter}.tsv")).iter().skip(1) {
            let [eco, name, moves] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let moves: Vec<&str> = moves
                .split_whitespace()
                .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
                .collect();
            let key = after(&moves.join(" ")).board().keys().full;
            reference.insert(key, (eco.to_string(), name.to_string()));
        }
    }
    if reference.is_empty() {
        return;
    }
    let mut unknown = Vec::new();
    for opening in book::openings() {
        match reference.get(&after(opening.moves).board().keys().full) {
            Some((eco, name)) => {
                assert_eq!(opening.eco, eco, "{opening}");
                // The reference may name a line in more detail.
                assert!(name.starts_with(opening.name), "{opening}: {name}");
            }
            None => unknown.push(opening),
        }
    }
    assert!(unknown.len() <= 5, "{unknown:#?}");
}

/// All entries by key, read without the reader.
fn raw_entries(bytes: &[u8]) -> HashMap<u64, Vec<Entry>> {
    let mut entries: HashMap<u64, Vec<Entry>> = HashMap::new();
    for record in bytes.chunks_exact(16) {
        let entry = Entry::from_bytes(record.try_into().expect("16 bytes"));
        entries.entry(entry.key).or_default().push(entry);
    }
    entries
}

#[test]
fn a_foreign_book_is_read_in_full() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/book/gm2001.bin");
    let Ok(bytes) = std::fs::read(&path) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {}", path.display());
        return;
    };
    let book = Book::open(&path).expect("a sound book");
    let raw = raw_entries(&bytes);
    assert_eq!(book.entries().count(), bytes.len() / 16);
    let mut seen = HashSet::new();
    let mut open = vec![Position::start()];
    while let Some(position) = open.pop() {
        let key = book::key_of(&position);
        if !seen.insert(key) || seen.len() > 3_000 {
            continue;
        }
        let found = book.moves(&position).expect("moves");
        let expected = raw.get(&key).map_or(&[][..], Vec::as_slice);
        let legal = expected.iter().filter_map(|entry| {
            let mv = book::decode(&position, entry.code)?;
            Some(BookMove { mv, weight: entry.weight, learn: entry.learn })
        });
        assert_eq!(found, legal.collect::<Vec<_>>(), "{position}");
        assert_eq!(found.len(), expected.len(), "an illegal entry in {position}");
        for BookMove { mv, .. } in found {
            let mut next = position.clone();
            next.make(mv);
            next.forget_undo();
            open.push(next);
        }
    }
    assert!(seen.len() > 3_000);
}

#[derive(Default)]
struct Notes(Vec<String>);

impl Watcher for Notes {
    fn broken(&mut self, place: &str, why: &Error) {
        self.0.push(format!("{place}: {why}"));
    }

    fn progress(&mut self, _: &Totals, _: u64) {}
}

fn settings() -> Settings {
    Settings { max_ply: 28, min_games: 1, min_elo: 0, side: None, memory_bytes: 1 << 20 }
}

/// A book from texts, each with its file name: what it holds, the totals and the complaints.
fn build(settings: Settings, files: &[(&str, &[u8])]) -> (Result<Book, Error>, Totals, Vec<String>) {
    let folder = folder();
    let path = folder.path().join("book.bin");
    let mut notes = Notes::default();
    let mut builder = Builder::new(settings, &path);
    for (name, bytes) in files {
        builder
            .add_stream(name, Box::new(Cursor::new(bytes.to_vec())), &mut notes)
            .expect("a readable stream");
    }
    let totals = *builder.totals();
    (builder.finish(&path).and_then(|_| Book::open(&path)), totals, notes.0)
}

/// The moves of a book with their weights.
fn moves(book: &Book, position: &Position) -> Vec<(String, u16)> {
    let found = book.moves(position).expect("moves");
    found.iter().map(|found| (position.san(found.mv), found.weight)).collect()
}

fn named(moves: &[(&str, u16)]) -> Vec<(String, u16)> {
    moves.iter().map(|&(san, weight)| (san.to_string(), weight)).collect()
}

const GAMES: &str = r#"[Event "one"]
[White "A"]
[Black "B"]
[WhiteElo "2700"]
[BlackElo "2650"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 {a comment} a6 (3... Nf6 4. O-O) 4. Ba4 Nf6 5. O-O 1-0

[Event "two"]
[WhiteElo "2600"]
[BlackElo "2500"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 1/2-1/2

[Event "three"]
[Result "0-1"]

1. e4 c5 2. Nf3 d6 0-1

[Event "four"]
[WhiteElo "2700"]
[BlackElo "2700"]
[Result "1-0"]

1. e4 c5 2. Nf3 e6 1-0
"#;

#[test]
fn weights_count_wins_and_draws() {
    let (book, totals, notes) = build(settings(), &[("games.pgn", GAMES.as_bytes())]);
    let book = book.expect("a book");
    assert_eq!((totals.games, totals.used, totals.plies, notes.len()), (4, 4, 9 + 4 + 4 + 4, 0));
    // Two wins and a loss; a draw.
    assert_eq!(moves(&book, &Position::start()), named(&[("e4", 4), ("d4", 1)]));
    // The Sicilian won once and lost once, the other defense only lost.
    assert_eq!(moves(&book, &after("e4")), named(&[("c5", 2)]));
    assert_eq!(moves(&book, &after("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6")), named(&[("O-O", 2)]));
    assert!(moves(&book, &after("d4 d5 c4 e6")).is_empty());
}

#[test]
fn limits_keep_moves_out() {
    let games = [("games.pgn", GAMES.as_bytes())];
    let (book, ..) = build(Settings { max_ply: 2, ..settings() }, &games);
    assert!(moves(&book.expect("a book"), &after("e4 c5")).is_empty());
    let (book, ..) = build(Settings { min_games: 2, ..settings() }, &games);
    let book = book.expect("a book");
    assert_eq!(moves(&book, &Position::start()), named(&[("e4", 4)]));
    assert_eq!(moves(&book, &after("e4 c5")), named(&[("Nf3", 2)]));
    let (book, totals, _) = build(Settings { min_elo: 2650, ..settings() }, &games);
    assert_eq!((totals.used, totals.weak), (2, 2));
    assert_eq!(moves(&book.expect("a book"), &Position::start()), named(&[("e4", 4)]));
    let (book, ..) = build(Settings { side: Some(Color::Black), ..settings() }, &games);
    let book = book.expect("a book");
    assert!(moves(&book, &Position::start()).is_empty());
    assert_eq!(moves(&book, &after("e4")), named(&[("c5", 2)]));
    let (book, ..) = build(Settings { min_games: 99, ..settings() }, &games);
    assert!(book.expect_err("nothing is left").to_string().contains("empty"));
}

#[test]
fn packed_files_and_lists_give_what_plain_games_give() {
    let pack = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    };
    let zstd = |text: &str| {
        ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest)
    };
    let (first, second) = GAMES.split_at(GAMES.find("[Event \"three\"]").expect("a third game"));
    let everything = |files: &[(&str, &[u8])]| {
        let (book, totals, notes) = build(settings(), files);
        assert!(notes.is_empty(), "{notes:?}");
        (book.expect("a book").entries().collect::<Result<Vec<_>, _>>().expect("entries"), totals)
    };
    let plain = everything(&[("games.pgn", GAMES.as_bytes())]);
    assert_eq!(plain, everything(&[("a.pgn", first.as_bytes()), ("b.pgn", second.as_bytes())]));
    assert_eq!(plain, everything(&[("games.pgn.gz", &[pack(first), pack(second)].concat())]));
    // Two frames, and between them one to be skipped.
    let skipped = [&0x184D_2A50u32.to_le_bytes()[..], &3u32.to_le_bytes(), b"abc"].concat();
    assert_eq!(plain, everything(&[("games.pgn.zst", &[zstd(first), skipped, zstd(second)].concat())]));

    let table = "eco\tname\tpgn\nC60\tRuy Lopez\t1. e4 e5 2. Nf3 Nc6 3. Bb5\nB20\tSicilian\t1. e4 c5\n";
    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm d4; id \"x\";\n";
    let (book, totals, notes) = build(settings(), &[("a.tsv", table.as_bytes()), ("b.epd", epd.as_bytes())]);
    assert_eq!((totals.games, totals.used, notes.len()), (3, 3, 0));
    assert_eq!(moves(&book.expect("a book"), &Position::start()), named(&[("e4", 2), ("d4", 1)]));
}

#[test]
fn broken_games_are_left_out_and_named() {
    let mut text = String::new();
    let mut expected = Vec::new();
    for number in 1..=300 {
        let line = text.lines().count() + 1;
        let (moves, why) = match number {
            50 => ("1. e4 e5 2. Nf4 Nc6", "2. Nf4 is not legal"),
            150 => ("1. e4 e5 2. Nf3 Qx9 *", "\"Qx9\" is not a move"),
            300 => ("1. e4 e5 { never closed", "unterminated comment"),
            _ => ("1. e4 e5 2. Nf3 Nc6 1-0", ""),
        };
        text.push_str(&format!("[Event \"{number}\"]\n[Result \"1-0\"]\n\n{moves}\n\n"));
        if !why.is_empty() {
            expected.push(format!("games.pgn:{line}: game {number}: {why}"));
        }
    }
    let (book, totals, notes) = build(settings(), &[("games.pgn", text.as_bytes())]);
    assert_eq!(notes, expected);
    assert_eq!((totals.games, totals.used, totals.broken), (300, 297, 3));
    assert_eq!(moves(&book.expect("a book"), &Position::start()), named(&[("e4", 594)]));
}

#[test]
fn little_memory_gives_the_same_book() {
    let mut random = StdRng::seed_from_u64(11);
    let mut text = String::new();
    for number in 0..400 {
        let mut position = Position::start();
        text.push_str(&format!("[Event \"{number}\"]\n\n"));
        for _ in 0..30 {
            let Some(mv) = common::random_move(&position, &mut random) else { break };
            text.push_str(&format!("{} ", position.san(mv)));
            position.make(mv);
        }
        text.push_str(["1-0\n\n", "0-1\n\n", "1/2-1/2\n\n"][random.random_range(0..3)]);
    }
    let entries = |memory_bytes| {
        let settings = Settings { memory_bytes, ..settings() };
        let (book, totals, _) = build(settings, &[("games.pgn", text.as_bytes())]);
        assert_eq!(totals.used, 400);
        book.expect("a book").entries().collect::<Result<Vec<_>, _>>().expect("entries")
    };
    assert!(entries(64 << 20) == entries(0));
}

#[test]
fn chess960_castling_comes_back_from_a_book() {
    let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    let game = format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O O-O-O *\n");
    let (book, ..) = build(settings(), &[("games.pgn", game.as_bytes())]);
    let book = book.expect("a book");
    let mut position = position(fen);
    position.set_chess960(true);
    let found = book.moves(&position).expect("moves");
    assert_eq!(position.uci(found[0].mv), "e1g1");
    position.make(found[0].mv);
    assert_eq!(moves(&book, &position), named(&[("O-O-O", 1)]));
}

/// The best positions of gm2001 joined with itself stay what they are in proportion.
#[test]
fn merging_keeps_what_one_book_knows() {
    let folder = folder();
    let [one, two, both] = ["one.bin", "two.bin", "both.bin"].map(|name| folder.path().join(name));
    let write = |path: &Path, key, moves: &mut [(u16, u64)]| {
        let mut writer = BookWriter::create(path).expect("a file");
        writer.write(key, moves).expect("a position");
        writer.finish().expect("a book");
    };
    let e4 = book::encode(Position::start().parse_uci("e2e4").expect("a move"));
    write(&one, book::key_of(&Position::start()), &mut [(e4, 7)]);
    let c5 = book::encode(after("e4").parse_uci("c7c5").expect("a move"));
    write(&two, book::key_of(&after("e4")), &mut [(c5, 9)]);
    let paths = [&one, &two, &both].map(|path| path.to_string_lossy().into_owned());
    let output = rosada(&["book", "merge", &paths[0], &paths[1], "--out", &paths[2]]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("2 positions, 2 moves, 32 B"), "{}", text(&output.stdout));
    let merged = Book::open(&both).expect("a book");
    assert_eq!(moves(&merged, &Position::start()), named(&[("e4", 7)]));
    assert_eq!(moves(&merged, &after("e4")), named(&[("c5", 9)]));
}

fn grow_settings(out: PathBuf) -> grow::Settings {
    grow::Settings {
        out,
        positions: 150,
        max_ply: 12,
        nodes: 400,
        lines: 4,
        margin_cp: 40,
        behind_cp: 80,
        threads: 1,
        hash_mb: 1,
        evaluation: Evaluation::choose(DEFAULT_EVALUATION, None).expect("the embedded network"),
        quiet: true,
    }
}

fn grown(settings: &grow::Settings) -> (Vec<u8>, grow::Summary) {
    let summary = grow::grow(settings, &AtomicBool::new(false)).expect("a book");
    (std::fs::read(&settings.out).expect("a file"), summary)
}

#[test]
fn a_grown_book_depends_on_its_settings_alone() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let (one, summary) = grown(&grow_settings(path("one")));
    assert!(summary.complete && summary.analyzed == 150 && summary.plies > 3, "{summary:?}");
    let (three, _) = grown(&grow::Settings { threads: 3, ..grow_settings(path("three")) });
    assert!(one == three, "the number of threads matters");
    // In parts: two steps and a stop before the first round.
    for positions in [1, 70] {
        grown(&grow::Settings { positions, ..grow_settings(path("parts")) });
    }
    let stopped = grow::grow(&grow_settings(path("parts")), &AtomicBool::new(true));
    assert!(stopped.is_err() || stopped.is_ok_and(|summary| !summary.complete));
    let (parts, summary) = grown(&grow_settings(path("parts")));
    assert!(one == parts, "a book in parts is another one");
    assert_eq!((summary.remembered, summary.analyzed), (70, 80));
    // Every move is legal and every line leads on.
    let book = Book::open(&path("one")).expect("a book");
    let moves = book.moves(&Position::start()).expect("moves");
    assert_eq!(moves[0].weight, 65_535, "{moves:?}");
    let written = &summary.written;
    assert!(written.entries > written.positions, "nowhere a choice: {written:?}");
    let more_nodes = grow::Settings { nodes: 500, ..grow_settings(path("one")) };
    let classical = grow::Settings { evaluation: Evaluation::Classical, ..grow_settings(path("one")) };
    for other in [more_nodes, classical] {
        let error = grow::grow(&other, &AtomicBool::new(false)).expect_err("another analysis");
        assert!(error.to_string().contains("other settings"), "{error}");
    }
}

#[test]
fn the_embedded_book_is_sound() {
    let book = book::embedded().expect("a sound book");
    assert!(book.bytes() < 1 << 20);
    // 200 games with both sides in the book: every move legal, and many different openings.
    let mut random = StdRng::seed_from_u64(200);
    let mut ends = HashSet::new();
    for _ in 0..200 {
        let mut position = Position::start();
        for _ in 0..16 {
            let entries = book.entries_of(&position).expect("entries");
            let found = book.moves(&position).expect("moves");
            assert_eq!(found.len() as u64, entries, "an illegal move in {position}");
            let Some(chosen) = book::choose(&found, Choice::Weighted, &mut random) else { break };
            position.make(chosen.mv);
        }
        ends.insert(position.board().keys().full);
    }
    assert!(ends.len() >= 100, "only {} different openings", ends.len());
}

#[test]
fn draws_from_the_embedded_book_follow_its_weights() {
    const DRAWS: u32 = 10_000;
    let moves = book::embedded().and_then(|book| book.moves(&Position::start())).expect("a book");
    let mut random = StdRng::seed_from_u64(64);
    let mut counts: BTreeMap<u16, u32> = BTreeMap::new();
    for _ in 0..DRAWS {
        let chosen = book::choose(&moves, Choice::Weighted, &mut random).expect("a move");
        *counts.entry(chosen.mv.bits()).or_default() += 1;
    }
    let chi_square: f64 = moves
        .iter()
        .map(|found| {
            let expected = f64::from(DRAWS) * book::share(found, &moves);
            (f64::from(counts.get(&found.mv.bits()).copied().unwrap_or(0)) - expected).powi(2) / expected
        })
        .sum();
    // The bound that 99.9 % of all seeds keep, by the approximation of Wilson and Hilferty.
    let freedom = (moves.len() - 1) as f64;
    let part = 2.0 / (9.0 * freedom);
    let bound = freedom * (1.0 - part + 3.09 * part.sqrt()).powi(3);
    assert!(moves.len() > 1 && chi_square < bound, "{chi_square} of {bound}: {counts:?}");
}

/// Sends the lines, then `go`, and returns what comes up to the best move.
fn play(gui: &mut Gui, lines: &[&str], go: &str) -> Vec<String> {
    lines.iter().for_each(|line| gui.send(line));
    gui.send(go);
    gui.best_move()
}

fn is_book_move(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("info string book move "))
}

#[test]
fn the_book_is_played_in_games_and_nowhere_else() {
    let mut gui = Gui::start();
    assert!(!is_book_move(&play(&mut gui, &["position startpos"], "go depth 2")));
    let lines = play(&mut gui, &["setoption name OwnBook value true"], "go wtime 60000 btime 60000");
    let text = lines.iter().find(|line| line.starts_with("info string book move ")).expect("a book move");
    let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a best move");
    assert!(text.starts_with(&format!("info string book move {best}, share ")), "{lines:#?}");
    let line = &lines[lines.len() - 2];
    assert!(line.contains(" score ") && line.contains(&format!(" pv {best}")), "{lines:#?}");
    assert!(is_book_move(&play(&mut gui, &[], "go movetime 20")));
    for go in ["go depth 2 searchmoves a2a3", "go depth 2 mate 1"] {
        assert!(!is_book_move(&play(&mut gui, &[], go)), "{go}");
    }
    for open_ended in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        gui.send(open_ended);
        gui.send("stop");
        assert!(!is_book_move(&gui.best_move()), "{open_ended}");
    }
    for option in ["UCI_AnalyseMode value true", "MultiPV value 2"] {
        let name = option.split(' ').next().expect("a name");
        assert!(
            !is_book_move(&play(&mut gui, &[&format!("setoption name {option}")], "go depth 2")),
            "{option}"
        );
        let default = if name == "MultiPV" { "1" } else { "false" };
        gui.send(&format!("setoption name {name} value {default}"));
    }
    // After a move that no book knows, and beyond the last book move.
    assert!(!is_book_move(&play(&mut gui, &["position startpos moves a2a3 h7h5 a1a2"], "go depth 2")));
    let late = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9";
    assert!(is_book_move(&play(&mut gui, &[late], "go depth 2")));
    assert!(!is_book_move(&play(&mut gui, &["setoption name BookDepth value 8"], "go depth 2")));
    gui.quit();
}

#[test]
fn a_book_file_replaces_the_embedded_book_unless_it_is_none() {
    let folder = folder();
    let path = folder.path().join("a book.bin");
    let code = |text: &str| book::encode(Position::start().parse_uci(text).expect("a move"));
    let mut writer = BookWriter::create(&path).expect("a file");
    let key = book::key_of(&Position::start());
    writer.write(key, &mut [(code("h2h3"), 3), (code("a2a3"), 1)]).expect("a position");
    writer.finish().expect("a book");
    let mut gui = Gui::start();
    let choose = ["setoption name OwnBook value true", "setoption name BookChoice value best"];
    choose.iter().for_each(|line| gui.send(line));
    let set = |path: &Path| format!("setoption name BookFile value {}", path.display());
    let lines = play(&mut gui, &[&set(&path), "position startpos"], "go depth 1");
    assert!(lines.contains(&"info string book move h2h3, share 75.0 % among 2".to_string()), "{lines:#?}");
    let files: [(&str, &[u8], &str); 5] = [
        ("empty", b"", "the file is empty"),
        ("cut", &std::fs::read(&path).expect("a file")[..31], "cut off"),
        ("unsorted", &[[9; 16], [1; 16]].concat(), "out of order"),
        ("games", GAMES.as_bytes(), "a text file"),
        ("packed", b"\x1f\x8b\x08\0 and so on, long enough", "a gzip file"),
    ];
    for (name, bytes, why) in files {
        let bad = folder.path().join(name);
        std::fs::write(&bad, bytes).expect("a file");
        gui.send(&set(&bad));
        let answer = gui.sync().concat();
        assert!(answer.starts_with("info string error: book ") && answer.contains(why), "{name}: {answer}");
        // The book before is still there.
        assert!(play(&mut gui, &[], "go depth 1").concat().contains("book move h2h3"));
    }
    gui.send(&set(&folder.path().join("nowhere.bin")));
    assert!(gui.sync().concat().contains("info string error: book "));
    // A file that shrinks while it is open is noticed, and the search plays instead.
    std::fs::write(&path, b"").expect("a file");
    let lines = play(&mut gui, &[], "go depth 2");
    assert!(!is_book_move(&lines) && lines.concat().contains("changed its size"), "{lines:#?}");
    gui.send("setoption name BookFile value <empty>");
    assert!(is_book_move(&play(&mut gui, &[], "go depth 1")));
    gui.quit();
}

#[test]
fn the_tools_say_what_a_book_holds() {
    let show = rosada(&["book", "show", "--moves", "e4"]);
    let shown = text(&show.stdout);
    assert!(show.status.success() && shown.contains("B00 King's Pawn Game"), "{shown}");
    assert!(shown.contains("823c9b50fd114196"), "{shown}");
    let info = text(&rosada(&["book", "info"]).stdout);
    for word in ["the embedded book", "positions", "moves", "size", "illegal    0 of"] {
        assert!(info.contains(word), "{word} is missing in {info}");
    }
    let none = rosada(&["book", "show", "/no/such/book.bin"]);
    assert!(!none.status.success() && text(&none.stderr).contains("/no/such/book.bin"));
    let bad = rosada(&["book", "show", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]);
    assert!(!bad.status.success() && text(&bad.stderr).contains("FEN: White has no king"));
}

#[test]
fn building_reports_what_became_of_the_games() {
    let folder = folder();
    let games = folder.path().join("games.pgn");
    let book = folder.path().join("book.bin");
    std::fs::write(&games, format!("{GAMES}\n[Event \"five\"]\n\n1. e4 Ke7 *\n")).expect("a file");
    let (games, book) = (games.to_string_lossy(), book.to_string_lossy());
    let output = rosada(&["book", "build", &games, "--out", &book]);
    let (report, complaints) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{complaints}");
    assert!(report.contains("5 games read") && report.contains("4 counted with 21 moves"), "{report}");
    assert!(report.contains("1 left out: broken, see above"), "{report}");
    assert_eq!(complaints.trim(), format!("{games}:29: game 5: 1... Ke7 is not legal"));
    let missing = rosada(&["book", "build", "/no/such.pgn", "--out", &book]);
    assert!(!missing.status.success() && text(&missing.stderr).contains("/no/such.pgn"));
}

#[test]
fn d_names_the_opening() {
    let mut gui = Gui::start();
    gui.send("position startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 h2h3");
    gui.send("d");
    let lines = gui.sync();
    assert!(lines.contains(&"Opening: B90 Sicilian Defense: Najdorf Variation".to_string()), "{lines:#?}");
    gui.send("position startpos");
    gui.send("d");
    assert!(!gui.sync().concat().contains("Opening"));
    gui.quit();
}

/// The games of the shared folder: a book of them reads back as it was counted.
#[test]
fn a_book_of_real_games_reads_back() {
    let Some(games) = shared_data("pgn/tcec_3300.pgn") else { return };
    // Some hundred games are enough here.
    let end = games.match_indices("[Event ").nth(500).map_or(games.len(), |(index, _)| index);
    let (book, totals, notes) = build(settings(), &[("tcec.pgn", &games.as_bytes()[..end])]);
    assert_eq!((totals.games, totals.broken, notes.len()), (500, 0, 0));
    let book = book.expect("a book");
    let raw: Vec<Entry> = book.entries().collect::<Result<_, _>>().expect("entries");
    assert!(raw.is_sorted_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight))));
    let first: u32 = moves(&book, &Position::start()).iter().map(|(_, weight)| u32::from(*weight)).sum();
    assert!(first > 300);
}
