//! Chances of win, draw and loss behind a score.

use crate::base::Score;

/// The score at which winning is as likely as not, and how fast the chance grows around it, in centipawns.
const EVEN_CHANCE_CP: f64 = 190.0;
const SPREAD_CP: f64 = 75.0;

/// Win, draw and loss in permille for the side to move.
pub fn chances(score: Score) -> [u32; 3] {
    if score.is_proven_win() {
        return [1000, 0, 0];
    }
    if score.is_proven_loss() {
        return [0, 0, 1000];
    }
    let chance = |cp: f64| (1000.0 / (1.0 + ((EVEN_CHANCE_CP - cp) / SPREAD_CP).exp())).round() as u32;
    let value = f64::from(score.value());
    let (win, loss) = (chance(value), chance(-value));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_are_symmetric() {
        for cp in (-3000..3000).step_by(7) {
            let [win, draw, loss] = chances(Score::new(cp));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(chances(Score::new(-cp)), [loss, draw, win]);
        }
        assert_eq!(chances(Score::mate_in(3)), [1000, 0, 0]);
    }
}
