//! A GUI for tests: the real binary over pipes.
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Nothing an idle engine is asked takes longer than this, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine.
pub struct Gui {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Gui {
    /// Starts the binary without arguments.
    pub fn start() -> Gui {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rosada"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the engine starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Gui { child, stdin, lines }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends any bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    /// The lines up to and including the first that `is_last` accepts.
    pub fn read_until(&self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let last = is_last(&line);
                    lines.push(line);
                    if last {
                        return lines;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no answer; so far {lines:#?}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the engine has gone; so far {lines:#?}"),
            }
        }
    }

    /// Everything up to `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.read_until(|line| line == "readyok");
        lines.pop();
        lines
    }

    /// Everything up to the best move, which comes last.
    pub fn best_move(&self) -> Vec<String> {
        self.read_until(|line| line.starts_with("bestmove"))
    }

    /// Lines that come within a time.
    pub fn read_for(&self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            lines.push(line);
        }
        lines
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end.
    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < deadline, "the engine does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Says `quit` and expects a clean end.
    pub fn quit(mut self) {
        self.send("quit");
        assert!(self.wait().success());
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The move of a `bestmove` line.
pub fn move_of(lines: &[String]) -> String {
    lines.last().and_then(|line| line.split_whitespace().nth(1)).expect("a bestmove line").to_string()
}

/// The value after a word of a line.
pub fn field<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|&token| token != word).nth(1)
}
