//! What a table says about a position, and the byte it says it with.

use std::fmt;

/// The game-theoretical value for the side to move, the fifty-move rule aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The side to move mates in so many plies, an odd number.
    Win(u32),
    /// Nobody can force mate.
    Draw,
    /// The side to move is mated in so many plies, an even number.
    Loss(u32),
}

impl Value {
    /// The value of having this position after the opponent's move, for the side that moved.
    #[inline]
    pub fn before(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies + 1),
        }
    }

    /// Larger is better for the side to move: fast wins, any draw, slow losses.
    #[inline]
    pub fn rank(self) -> i32 {
        match self {
            Value::Win(plies) => 1_000_000 - plies as i32,
            Value::Draw => 0,
            Value::Loss(plies) => plies as i32 - 1_000_000,
        }
    }

    /// The better of two for the side to move.
    #[inline]
    pub fn or_better(self, other: Value) -> Value {
        if other.rank() > self.rank() { other } else { self }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "win {plies}"),
            Value::Draw => f.write_str("draw"),
            Value::Loss(plies) => write!(f, "loss {plies}"),
        }
    }
}

/// A value in a byte: 0 is a draw (while a table is built: not known yet), 1 to 127 a win in so many moves, 128 and
/// more a loss in as many moves as exceed 128. The longest mate with five men takes 127 moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub u8);

impl Code {
    /// A draw, or nothing known yet.
    pub const DRAW: Code = Code(0);

    /// The code of a win in so many plies; none if it is too long for a byte.
    #[inline]
    pub fn win(plies: u32) -> Option<Code> {
        let moves = plies.div_ceil(2);
        (moves <= 127).then_some(Code(moves as u8))
    }

    /// The code of a loss in so many plies; none if it is too long for a byte.
    #[inline]
    pub fn loss(plies: u32) -> Option<Code> {
        let moves = plies / 2;
        (moves <= 127).then_some(Code(128 + moves as u8))
    }

    /// What it stands for.
    #[inline]
    pub fn value(self) -> Value {
        match self.0 {
            0 => Value::Draw,
            moves @ 1..=127 => Value::Win(2 * u32::from(moves) - 1),
            code => Value::Loss(2 * u32::from(code - 128)),
        }
    }

    /// Whether it is a win in at most so many moves.
    #[inline(always)]
    pub fn is_win_within(self, moves: u8) -> bool {
        self.0.wrapping_sub(1) < moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_a_value_and_back() {
        for byte in 0..=255 {
            let code = match Code(byte).value() {
                Value::Draw => Some(Code::DRAW),
                Value::Win(plies) => Code::win(plies),
                Value::Loss(plies) => Code::loss(plies),
            };
            assert_eq!(code, Some(Code(byte)));
        }
        assert_eq!((Code::win(255), Code::loss(256)), (None, None));
        assert!(Code(3).is_win_within(3) && !Code(4).is_win_within(3));
        assert!(!Code(0).is_win_within(127) && !Code(128).is_win_within(127));
    }

    #[test]
    fn values_order_as_players_would() {
        let sorted = [Value::Loss(0), Value::Loss(8), Value::Draw, Value::Win(9), Value::Win(1)];
        assert!(sorted.windows(2).all(|pair| pair[0].rank() < pair[1].rank()));
        assert_eq!(Value::Loss(4).before(), Value::Win(5));
        assert_eq!(Value::Draw.or_better(Value::Loss(2)), Value::Draw);
    }
}
