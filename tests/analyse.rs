//! `rosada analyse` on real games: what it writes is read by our own reader and by another library.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use rosada::pgn::Glyph;
use rosada::pgn::read;
use rosada::pgn::split::Splitter;
use shakmaty::{Chess, Position};

/// The opera game, and a fool's mate with comments of its own; between them one that is broken.
const GAMES: &str = "[Event \"Opera\"]\n[White \"Morphy\"]\n[Black \"Duke & Count <of> \\\"x\\\"\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 d6 3. d4 Bg4 {a bad idea [%eval 9.99]} 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6\n\
    7. Qb3 Qe7 8. Nc3 (8. Qxb7 Qb4+) c6 9. Bg5 b5? 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8\n\
    13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n\n\
    [Event \"Broken\"]\n\n1. e4 e5 2. Ke3 *\n\n\
    [Event \"Fool\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("rosada-analyse-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn analyse(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rosada"));
    command.arg("analyse").args(arguments).args(["--quiet", "--hash", "1"]).current_dir(folder);
    command.output().expect("the tool runs")
}

/// What another library makes of a game: plies, remarks, evaluations, variations.
#[derive(Debug, Default, PartialEq)]
struct Census {
    plies: usize,
    remarks: Vec<u8>,
    evaluations: usize,
    variations: usize,
    annotator: bool,
}

struct Auditor;

impl Visitor for Auditor {
    type Tags = Census;
    type Movetext = (Census, Chess);
    type Output = Census;

    fn begin_tags(&mut self) -> ControlFlow<Census, Census> {
        ControlFlow::Continue(Census::default())
    }

    fn tag(&mut self, census: &mut Census, name: &[u8], value: RawTag<'_>) -> ControlFlow<Census> {
        census.annotator |= name == b"Annotator" && value.decode_utf8_lossy().starts_with("Rosada");
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, census: Census) -> ControlFlow<Census, (Census, Chess)> {
        ControlFlow::Continue((census, Chess::default()))
    }

    fn san(&mut self, (census, position): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Census> {
        let mv = san.san.to_move(position).expect("a legal move");
        position.play_unchecked(mv);
        census.plies += 1;
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (census, _): &mut Self::Movetext, nag: Nag) -> ControlFlow<Census> {
        census.remarks.push(nag.0);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (census, _): &mut Self::Movetext, comment: RawComment<'_>) -> ControlFlow<Census> {
        let text = String::from_utf8_lossy(comment.as_bytes()).into_owned();
        census.evaluations += text.matches("[%eval ").count();
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (census, _): &mut Self::Movetext) -> ControlFlow<Census, Skip> {
        census.variations += 1;
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (census, _): Self::Movetext) -> Census {
        census
    }
}

#[test]
fn games_are_annotated_so_that_everyone_reads_them() {
    let folder = Folder::new("games");
    std::fs::write(folder.0.join("games.pgn"), GAMES).expect("a file");
    let output = analyse(&folder.0, &["games.pgn", "--nodes", "4000", "--threads", "2"]);
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    for word in
        ["White: Morphy", "| 17 |", "left out: line 12: move 2.: \"Ke3\" is not legal", "games-analysed.pgn"]
    {
        assert!(report.contains(word), "{word} not in {report}");
    }
    let text = std::fs::read_to_string(folder.0.join("games-analysed.pgn")).expect("annotated games");
    let mut reader = Reader::new(text.as_bytes());
    let opera = reader.read_game(&mut Auditor).expect("readable").expect("the first game");
    let fool = reader.read_game(&mut Auditor).expect("readable").expect("the second game");
    assert!(reader.read_game(&mut Auditor).expect("readable").is_none());
    // Every position has its evaluation, the start position too, except the one that is mate.
    assert_eq!((opera.plies, opera.evaluations, opera.annotator), (33, 33, true), "{text}");
    assert_eq!((fool.plies, fool.evaluations), (4, 4), "{text}");
    // 2. g4 allows mate: a blunder in anybody's book.
    assert!(fool.remarks.contains(&Glyph::BLUNDER.0), "{text}");
    assert!(opera.variations > 1 && fool.variations >= 1, "{text}");
    let mut splitter = Splitter::new(text.as_bytes());
    let ours = read::read(splitter.next_game().expect("text").expect("a game")).expect("our own reader");
    assert_eq!(ours.tag("Black"), Some("Duke & Count <of> \"x\""));
    assert!(
        ours.tag("WhiteAccuracy").is_some_and(|value| value.parse::<f64>().is_ok_and(|value| value > 70.0))
    );
    assert!(
        ours.plies[5].comment.contains("a bad idea") && !ours.plies[5].comment.contains("9.99"),
        "{text}"
    );
    assert!(ours.plies[14].variations[0].contains("Qxb7"), "{text}");
    let picture = std::fs::read_to_string(folder.0.join("games-analysed-1.svg")).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("Duke &amp; Count &lt;of&gt; &quot;x&quot;") && picture.contains("<polyline"));
    assert!(folder.0.join("games-analysed-3.svg").exists());
}

#[test]
fn any_number_of_threads_writes_the_same() {
    let folder = Folder::new("threads");
    std::fs::write(folder.0.join("g.pgn"), GAMES).expect("a file");
    for threads in ["1", "3"] {
        let out = format!("{threads}.pgn");
        let output = analyse(&folder.0, &["g.pgn", "--nodes", "1500", "--threads", threads, "--out", &out]);
        assert!(output.status.success(), "{output:?}");
    }
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).expect("annotated games");
    assert_eq!(read("1.pgn"), read("3.pgn"));
}

#[test]
fn bad_files_and_odd_games() {
    let folder = Folder::new("bad");
    let write = |name: &str, text: &str| std::fs::write(folder.0.join(name), text).expect("a file");
    write("broken.pgn", "1. e4 e5\n2. Ke3 *\n");
    write("empty.pgn", "\n");
    write("none.pgn", "[Event \"x\"]\n\n*\n");
    write("variant.pgn", "[Variant \"behemoth\"]\n\n1. e4,se1 e5,n2 2. Nf3,w1 *\n");
    for (arguments, fault) in [
        (&["broken.pgn"][..], "broken.pgn: line 2: move 2.: \"Ke3\" is not legal"),
        (&["empty.pgn"], "there is no game in it"),
        (&["missing.pgn"], "missing.pgn"),
        (&["none.pgn", "--out", "none.pgn"], "must be different files"),
        (&["none.pgn", "--out", "no/such/folder.pgn"], "no/such/folder.pgn"),
    ] {
        let output = analyse(&folder.0, &[arguments, &["--nodes", "500"]].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(fault), "{arguments:?}: {text}");
    }
    assert!(!folder.0.join("broken-analysed.pgn").exists());
    for name in ["none.pgn", "variant.pgn"] {
        let output = analyse(&folder.0, &[name, "--nodes", "500"]);
        assert!(output.status.success(), "{name}: {output:?}");
    }
    let variant = std::fs::read_to_string(folder.0.join("variant-analysed.pgn")).expect("annotated");
    assert!(variant.contains("e4,se1") && variant.contains("[%eval"), "{variant}");
}
