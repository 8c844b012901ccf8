//! Every path gives the same numbers, and they are the right ones.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::super::architecture::{INPUT_LIMIT, OUTPUT_LIMIT};
use super::*;

fn row(random: &mut StdRng, limit: i16) -> Row {
    // Extremes often, so that an overflow would be seen.
    Row(std::array::from_fn(|_| match random.random_range(0..4) {
        0 => limit,
        1 => -limit,
        _ => random.random_range(-limit..=limit),
    }))
}

#[test]
fn updates_are_equal_on_all_paths_and_right() {
    let mut random = StdRng::seed_from_u64(1);
    let rows: Vec<Row> = (0..64).map(|_| row(&mut random, INPUT_LIMIT)).collect();
    for (more, less) in [(0, 0), (1, 1), (1, 2), (2, 2), (32, 0), (0, 32), (7, 5)] {
        let base = row(&mut random, INPUT_LIMIT);
        let mut pick =
            |count: usize| -> Vec<u16> { (0..count).map(|_| random.random_range(0..64)).collect() };
        let (added, removed) = (pick(more), pick(less));
        let right = Row(std::array::from_fn(|neuron| {
            let sum =
                |list: &[u16]| list.iter().map(|&i| i32::from(rows[usize::from(i)].0[neuron])).sum::<i32>();
            (i32::from(base.0[neuron]) + sum(&added) - sum(&removed)) as i16
        }));
        for path in Path::all() {
            let (mut target, mut in_place) = (Row::ZERO, base);
            path.update(&mut target, &base, &rows, [&added, &removed]);
            path.update_in_place(&mut in_place, &rows, [&added, &removed]);
            assert!(target == right && in_place == right, "{path}: {more} added, {less} removed");
        }
    }
}

#[test]
fn weighing_is_equal_on_all_paths_and_right() {
    let mut random = StdRng::seed_from_u64(2);
    let extreme = |value: i16| Row([value; HIDDEN]);
    let mut cases: Vec<[Row; 4]> = (0..50)
        .map(|_| {
            let (ours, theirs) = (row(&mut random, i16::MAX), row(&mut random, 2 * UNIT));
            [ours, theirs, row(&mut random, OUTPUT_LIMIT), row(&mut random, OUTPUT_LIMIT)]
        })
        .collect();
    for weight in [OUTPUT_LIMIT, -OUTPUT_LIMIT] {
        cases.push([extreme(UNIT), extreme(i16::MAX), extreme(weight), extreme(weight)]);
    }
    for [ours, theirs, our_weights, their_weights] in cases {
        let part = |neurons: &Row, weights: &Row| -> i64 {
            let square = |value: i16| i64::from(value.clamp(0, UNIT)).pow(2);
            neurons.0.iter().zip(&weights.0).map(|(&n, &w)| square(n) * i64::from(w)).sum()
        };
        let right = part(&ours, &our_weights) + part(&theirs, &their_weights);
        for path in Path::all() {
            assert_eq!(path.weigh(&ours, &theirs, &[our_weights, their_weights]), right, "{path}");
        }
    }
}

#[test]
fn the_paths_of_this_machine_are_told() {
    let names: Vec<String> = Path::all().iter().map(Path::to_string).collect();
    assert_eq!(names[0], "plain");
    assert_eq!(Path::best().to_string(), names[names.len() - 1]);
}
