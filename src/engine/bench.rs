//! `rosada bench`: fixed positions searched to a fixed depth by one thread with 16 MB.
//!
//! The node count is the signature of search and evaluation: it is the same in every run and on every machine, and
//! changes only when they do. The time tells the speed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::evaluation::{Evaluation, Mind};
use crate::chess::Position;
use crate::time::Limits;
use crate::tt::Table;

/// Deep enough to exercise everything, quick enough for every build.
pub const DEFAULT_DEPTH: u32 = 13;

/// Openings, middlegames, endings, a Chess960 start, checks, mates and stalemates close by.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqk2r/ppp1bppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 4 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 2 6",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r2qkb1r/1b1n1ppp/p2ppn2/1p6/3NPP2/2N1B3/PPPQ2PP/2KR1B1R w kq - 2 10",
    "r3k2r/pbppqpb1/1pn2np1/3Pp2p/1P2P1P1/2NB1N1P/P1P1QP2/R1B1K2R w KQkq - 1 13",
    "2rq1rk1/pb1nbppp/1p2pn2/3p4/2PP4/1PN1PN2/PB1QBPPP/R4RK1 w - - 0 13",
    "r4rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1B3/P1Q1BPPP/2RR2K1 w - - 4 15",
    "r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 w - - 3 14",
    "2kr3r/ppqn1pp1/2pbp2p/7P/3P4/5NP1/PPPBQP2/2KR3R w - - 1 17",
    "3r1rk1/p1q1bppp/1pn1p3/2p5/4P3/2P1BN1P/PP3PP1/R2QR1K1 w - - 0 18",
    "r2q1rk1/pp1bppb1/3p1np1/4n2p/3NP2P/1BN1BP2/PPPQ2P1/2KR3R b - - 3 13",
    "1r3rk1/2qbppbp/p2p1np1/2pP4/P1n1P3/2N2P2/1P1QNBPP/1RR2BK1 b - - 6 20",
    "4rrk1/1pp3pp/p2q1n2/3p1b2/3P4/1QP2NP1/PP3PBP/R3R1K1 b - - 4 20",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r2rk1/1p2qpp1/p3p2p/3nP3/3P4/P2Q1N2/1P3PPP/2R1R1K1 w - - 2 24",
    "5rk1/1p1q1pp1/p2p1n1p/2pPr3/P1P5/1P1Q1PPP/4R1K1/4RN2 w - - 1 30",
    "6k1/5p2/1p4p1/p1pNn2p/P1P1P2P/1P3KP1/8/8 w - - 5 44",
    "8/2p2k1p/1p1p1np1/p2P4/P1P2K2/1P1B2PP/8/8 w - - 1 36",
    "8/5pk1/4p1p1/p2rP2p/P2R1P1P/4K1P1/8/8 w - - 8 48",
    "8/pp3p1k/2p2q1p/3r1P2/5R2/7P/P1P1QP2/7K b - - 2 30",
    "8/8/1p1k4/p1p2p2/P1P1pPp1/1P2P1P1/3K4/8 w - - 0 50",
    "8/1p3k2/p1p5/2P1p1p1/1P2P1P1/P4K2/8/8 b - - 0 40",
    "8/3k4/8/3PK3/8/8/8/8 w - - 0 1",
    "8/8/4k3/8/2R5/4K3/5p2/8 w - - 0 1",
    "8/6k1/6p1/8/7r/3P1KP1/8/2B5 b - - 0 60",
    "8/8/8/5k2/8/3QK3/8/5r2 b - - 10 70",
    "4k3/8/8/8/8/8/2BNK3/8 w - - 0 1",
    "r3r1k1/2p2ppp/p1p1bn2/8/1q2P3/2NPQN2/PPP3PP/R4RK1 b - - 2 15",
    "r1bqr1k1/pp1n1pb1/2pp2pp/4n3/2PNP1P1/2N1B2P/PP2BP2/R2QR1K1 b - - 0 14",
    "2r3k1/p4p2/3Rp2p/1p2P1pK/8/1P4P1/P3Q2P/1q6 b - - 0 1",
    "r1b1kb1r/pp3ppp/2p1pn2/8/2BP4/5N2/PP3PPP/RNB1K2R w KQkq - 0 10",
    "k7/8/K7/8/8/8/7Q/8 w - - 90 120",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1",
];

/// What a bench run measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    /// All nodes: the signature.
    pub nodes: u64,
    /// All time.
    pub time: Duration,
}

impl Measure {
    /// The last line of a bench, as OpenBench reads it.
    pub fn summary(&self) -> String {
        format!("{} nodes {} nps", self.nodes, (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64)
    }
}

/// Searches all positions to `depth`, judging them by `evaluation`. `progress` hears a line for each.
pub fn run(depth: u32, evaluation: &Evaluation, progress: impl Fn(&str)) -> Measure {
    let mut total = Measure::default();
    let Ok(table) = Table::with_megabytes(16).map(Arc::new) else { return total };
    let mut worker = Mind::new(evaluation);
    for (number, fen) in POSITIONS.iter().enumerate() {
        let Ok(game) = Position::from_fen(fen) else { continue };
        table.clear(1);
        worker.clear();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let start = Instant::now();
        let (outcome, nodes) = worker.think(&game, limits, &table);
        total.time += start.elapsed();
        total.nodes += nodes;
        let best = outcome
            .root_moves
            .first()
            .map_or("-".to_string(), |root| format!("{} ({})", game.uci(root.mv), root.known_score()));
        progress(&format!("{:2}/{} {:>9} nodes  {best:<18} {fen}", number + 1, POSITIONS.len(), nodes));
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_a_position() {
        for fen in POSITIONS {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }
}
