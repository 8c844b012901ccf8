//! Arguments to subcommand; without arguments, UCI.

fn main() {
    let depth: u32 = std::env::args().nth(1).and_then(|d| d.parse().ok()).unwrap_or(6);
    let fen = std::env::args().nth(2).unwrap_or(rosada::chess::START_FEN.to_string());
    let p = rosada::chess::Position::from_fen(&fen).unwrap();
    let t = std::time::Instant::now();
    let n = p.perft(depth);
    println!("{n} {:.1} Mnps", n as f64 / t.elapsed().as_secs_f64() / 1e6);
}
