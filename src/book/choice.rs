//! Choosing among the moves a book has for a position.

use rand::Rng;

use super::BookMove;

/// How a book move is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// By chance, each move as often as its weight says.
    Weighted,
    /// The move with the greatest weight; of several, the first.
    Best,
}

/// Chooses a move; none if there is none that shall be played. A weight of zero means never.
pub fn choose<'a>(moves: &'a [BookMove], choice: Choice, random: &mut impl Rng) -> Option<&'a BookMove> {
    let total = total(moves);
    if total == 0 {
        return None;
    }
    match choice {
        Choice::Best => moves.iter().rev().max_by_key(|found| found.weight),
        Choice::Weighted => {
            let mut ticket = random.random_range(0..total);
            moves.iter().find(|found| {
                let weight = u64::from(found.weight);
                let drawn = ticket < weight;
                ticket = ticket.saturating_sub(weight);
                drawn
            })
        }
    }
}

/// How often a move is played by weight, from 0 to 1.
pub fn share(of: &BookMove, moves: &[BookMove]) -> f64 {
    f64::from(of.weight) / total(moves).max(1) as f64
}

fn total(moves: &[BookMove]) -> u64 {
    moves.iter().map(|found| u64::from(found.weight)).sum()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::base::Move;

    fn moves(weights: &[u16]) -> Vec<BookMove> {
        let found = |(bits, &weight)| BookMove { mv: Move::from_bits(bits), weight, learn: 0 };
        (1..).zip(weights).map(found).collect()
    }

    fn chosen(weights: &[u16], choice: Choice, random: &mut StdRng) -> Option<u16> {
        choose(&moves(weights), choice, random).map(|found| found.mv.bits())
    }

    #[test]
    fn the_best_is_the_first_of_the_heaviest() {
        let random = &mut StdRng::seed_from_u64(1);
        assert_eq!(chosen(&[3, 9, 9, 1], Choice::Best, random), Some(2));
        for choice in [Choice::Best, Choice::Weighted] {
            assert_eq!(chosen(&[], choice, random), None);
            assert_eq!(chosen(&[0, 0], choice, random), None);
            assert_eq!(chosen(&[0, 1, 0], choice, random), Some(2));
        }
    }

    #[test]
    fn draws_follow_the_weights() {
        let weights = [65_535, 20_000, 10_000, 0, 4_465];
        let all = moves(&weights);
        let random = &mut StdRng::seed_from_u64(6);
        let mut counts = [0u32; 5];
        const DRAWS: u32 = 10_000;
        for _ in 0..DRAWS {
            let bits = choose(&all, Choice::Weighted, random).map_or(0, |found| found.mv.bits());
            counts[usize::from(bits) - 1] += 1;
        }
        let square = |found: &BookMove, &count: &u32| {
            let expected = share(found, &all) * f64::from(DRAWS);
            if expected == 0.0 { 0.0 } else { (f64::from(count) - expected).powi(2) / expected }
        };
        let chi_square: f64 = all.iter().zip(&counts).map(|(found, count)| square(found, count)).sum();
        assert_eq!(counts[3], 0);
        // Three degrees of freedom: 99.9 % of all seeds stay below.
        assert!(chi_square < 16.27, "{chi_square}: {counts:?}");
    }
}
