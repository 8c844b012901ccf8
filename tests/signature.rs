//! The bench of this tree: search and evaluations do exactly what they did when these numbers were written down.
//!
//! A change that is meant to alter the search changes the numbers here and, the first of them, in its commit message
//! (`Bench: N`).

use rosada::engine::bench;
use rosada::engine::evaluation::Evaluation;

/// By evaluation; the first is the one of `rosada bench`.
const SIGNATURES: [(&str, u64); 2] = [("NNUE", 1_190_342), ("Classical", 1_025_335)];

#[test]
fn the_bench_is_the_one_of_this_tree() {
    for (name, signature) in SIGNATURES {
        let evaluation = Evaluation::choose(name, None).unwrap();
        let measured = bench::run(bench::DEFAULT_DEPTH, &evaluation, |_| {});
        assert_eq!(measured.nodes, signature, "{name}: if the change is meant, write the new number here");
    }
}
