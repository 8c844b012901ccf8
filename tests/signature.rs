//! The bench of this tree: search and evaluation do exactly what they did when this number was written down.
//!
//! A change that is meant to alter the search changes the number here and in its commit message (`Bench: N`).

use rosada::engine::bench;
use rosada::engine::evaluation::Evaluation;

const SIGNATURE: u64 = 1_231_981;

#[test]
fn the_bench_is_the_one_of_this_tree() {
    let measured = bench::run(bench::DEFAULT_DEPTH, &Evaluation::Classical, |_| {});
    assert_eq!(measured.nodes, SIGNATURE, "if the change is meant, write the new number here");
}
