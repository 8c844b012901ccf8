//! The Behemoth: a piece of nobody that moves at random after every move and takes whatever lies in its way.
//!
//! Its move is a direction and a length from one to four, all 32 equally likely. The board is a torus for it: what
//! leaves at one edge comes in at the other. Nobody can capture it; for all others its square is a wall.

use super::see::exchange_value;
use super::{Board, Castling, Kind, Piece, Position, Set, Square, zobrist};
use crate::base::error::quote;
use crate::base::{Color, Error, Move, Score};
use crate::game::{Chance, ChanceList, Odds};

/// In how many ways the Behemoth can move.
pub const OUTCOMES: usize = 32;

/// Names and steps of the directions, as White sees them.
const DIRECTIONS: [(&str, i8, i8); 8] = [
    ("n", 0, 1),
    ("ne", 1, 1),
    ("e", 1, 0),
    ("se", 1, -1),
    ("s", 0, -1),
    ("sw", -1, -1),
    ("w", -1, 0),
    ("nw", -1, 1),
];
const LONGEST: usize = 4;
/// The board is eight by eight.
const SIZE: i8 = 8;

/// One move of the Behemoth.
#[derive(Clone, Copy)]
struct Raid {
    path: Set,
    target: Square,
}

const fn raids() -> [[Raid; OUTCOMES]; Square::COUNT] {
    let mut table = [[Raid { path: Set::EMPTY, target: Square::new(0) }; OUTCOMES]; Square::COUNT];
    let mut square = 0;
    while square < (SIZE * SIZE) as usize {
        let (mut file, mut rank) = (square as i8 % SIZE, square as i8 / SIZE);
        let from = Square::at(file as u8, rank as u8);
        let mut outcome = 0;
        while outcome < OUTCOMES {
            if outcome % LONGEST == 0 {
                (file, rank) = (square as i8 % SIZE, square as i8 / SIZE);
            }
            let (_, right, up) = DIRECTIONS[outcome / LONGEST];
            (file, rank) = ((file + right + SIZE) % SIZE, (rank + up + SIZE) % SIZE);
            let target = Square::at(file as u8, rank as u8);
            let before = if outcome % LONGEST == 0 { 0 } else { table[from.index()][outcome - 1].path.0 };
            table[from.index()][outcome] = Raid { path: Set(before | Set::of(target).0), target };
            outcome += 1;
        }
        square += 1;
    }
    table
}

static RAIDS: [[Raid; OUTCOMES]; Square::COUNT] = raids();

/// The text of an outcome, such as `se4`.
pub fn text(outcome: usize) -> String {
    format!("{}{}", DIRECTIONS[outcome / LONGEST % 8].0, outcome % LONGEST + 1)
}

/// The outcome with this text.
pub fn parse(text: &str) -> Result<usize, Error> {
    let found = (0..OUTCOMES).find(|&outcome| self::text(outcome) == text.to_ascii_lowercase());
    found.ok_or_else(|| {
        Error::new(format!("{} is no move of the Behemoth: a direction (n, ne, ...) and 1 to 4", quote(text)))
    })
}

impl Board {
    /// Lets the Behemoth on `from` move.
    fn raid(&mut self, from: Square, outcome: usize, castling: &Castling) {
        let Raid { path, target } = RAIDS[from.index()][outcome];
        self.settle();
        let passed = self.en_passant.take();
        if let Some(square) = passed {
            self.keys.full ^= zobrist::en_passant(square.file());
        }
        let mut kept = 15;
        for square in path & self.men() {
            if let Some(piece) = self.piece_on(square) {
                self.remove(piece, square);
            }
            kept &= castling.kept(square);
            self.forget_history();
        }
        self.lose_rights(kept);
        self.wall ^= Set::of(from) ^ Set::of(target);
        self.keys.full ^= zobrist::wall(from) ^ zobrist::wall(target);
        // The right to capture en passant outlives the raid if the pawn does.
        if let Some(square) = passed
            && self.pawns.has(square.forward(!self.side.is_white()))
        {
            self.offer_en_passant(square);
        }
    }

    /// The Behemoth is about to move.
    fn unsettle(&mut self) {
        if !self.restless {
            self.restless = true;
            self.keys.full ^= zobrist::restless();
        }
    }

    /// The Behemoth stands still.
    fn settle(&mut self) {
        if self.restless {
            self.restless = false;
            self.keys.full ^= zobrist::restless();
        }
    }
}

impl Position {
    /// Lets a player who does not reckon with the Behemoth see it stand still forever.
    pub fn ignore_behemoth(&mut self) {
        self.roams = false;
    }

    /// Plays a legal move after which chance strikes, unless it has ended the game or there is no chance in it.
    pub(super) fn make_in_search(&mut self, mv: Move) {
        self.make(mv);
        if self.roams && !self.board.is_decided(self.rules) {
            self.board.unsettle();
        }
    }

    /// Whether the Behemoth moves before the next player does.
    #[inline(always)]
    pub(super) fn is_restless(&self) -> bool {
        self.board.restless
    }

    /// Lets the Behemoth move, for good.
    pub fn raid(&mut self, outcome: usize) {
        if let Some(from) = self.board.behemoth(self.rules) {
            self.board.raid(from, outcome % OUTCOMES, &self.castling);
        }
    }

    /// The same within a search.
    pub(super) fn make_raid(&mut self, outcome: usize) {
        self.raid_undo.push(self.board);
        self.raid(outcome);
    }

    /// Takes the last raid back.
    pub(super) fn unmake_raid(&mut self) {
        if let Some(board) = self.raid_undo.pop() {
            self.board = board;
        }
    }

    /// Every position that a raid may end in. Only the longest raids meet: in opposite directions they reach the same
    /// square, and do the same if they take the same men.
    pub(super) fn raids(&self) -> ChanceList {
        let mut list = ChanceList::new();
        let Some(from) = self.board.behemoth(self.rules) else { return list };
        let raids = &RAIDS[from.index()];
        let men = self.board.men();
        for (outcome, raid) in raids.iter().enumerate() {
            let is_same = |chance: &&mut Chance| {
                let other = &raids[chance.outcome];
                other.target == raid.target && other.path & men == raid.path & men
            };
            let is_longest = outcome % LONGEST == LONGEST - 1;
            match list.iter_mut().filter(|_| is_longest).find(is_same) {
                Some(chance) => chance.weight += 1,
                None => list.push(self.foresee(from, outcome)),
            }
        }
        list
    }

    /// What a raid from `from` will do.
    fn foresee(&self, from: Square, outcome: usize) -> Chance {
        let board = &self.board;
        let Raid { path, target } = RAIDS[from.index()][outcome];
        let taken = path & board.men();
        let mut key = board.keys.full ^ zobrist::wall(from) ^ zobrist::wall(target);
        if board.restless {
            key ^= zobrist::restless();
        }
        let mut rights = board.rights;
        let mut gain = 0;
        for square in taken {
            let Some(piece) = board.piece_on(square) else { continue };
            key ^= zobrist::piece(piece, square);
            rights &= self.castling.kept(square);
            gain += self.gain_of_losing(piece);
        }
        key ^= zobrist::castling(board.rights) ^ zobrist::castling(rights);
        if board.en_passant.is_some() {
            // Whether the right outlives the raid, the board knows best.
            let mut after = *board;
            after.raid(from, outcome, &self.castling);
            key = after.keys.full;
        }
        let lost = [board.side, !board.side].map(|side| (board.kings & board.color(side) & path).exists());
        let decided = match lost {
            [false, false] => None,
            [true, true] => Some(Score::DRAW),
            [false, true] => Some(Score::mate_in(0)),
            [true, false] => Some(Score::mated_in(0)),
        };
        let halfmove_clock = if taken.exists() { 0 } else { u32::from(board.halfmove_clock) };
        Chance { outcome, weight: 1, key, halfmove_clock, gain, decided }
    }

    /// What the side to move gains, in material, when a piece disappears.
    #[inline(always)]
    fn gain_of_losing(&self, piece: Piece) -> i32 {
        let value = exchange_value(piece.kind());
        if piece.color() == self.board.side { -value } else { value }
    }

    /// What all raids together do. Each direction is walked once: a longer raid takes what a shorter one does.
    pub(super) fn raid_odds(&self) -> Odds {
        let mut odds = Odds { all: OUTCOMES as i32, goes_on: 0, wins: 0, gain: 0 };
        let Some(from) = self.board.behemoth(self.rules) else { return Odds { goes_on: odds.all, ..odds } };
        for way in RAIDS[from.index()].chunks_exact(LONGEST) {
            let (mut gain, mut own_king_lives, mut other_king_lives) = (0, true, true);
            for raid in way {
                match self.board.piece_on(raid.target) {
                    Some(piece) if piece.kind() != Kind::King => gain += self.gain_of_losing(piece),
                    Some(piece) if piece.color() == self.board.side => own_king_lives = false,
                    Some(_) => other_king_lives = false,
                    None => {}
                }
                if own_king_lives && other_king_lives {
                    odds.goes_on += 1;
                    odds.gain += gain;
                } else {
                    odds.wins += i32::from(own_king_lives) - i32::from(other_king_lives);
                }
            }
        }
        odds
    }

    /// Plays a move of the game so far: `e2e4`, or with the Behemoth's answer `e2e4,se4`. Without one it did not move.
    pub(super) fn play_with_raid(&mut self, text: &str) -> Result<(), Error> {
        let (mv, raid) = match text.split_once(',') {
            Some((mv, raid)) if self.rules.variant.behemoth => (mv, Some(parse(raid)?)),
            _ => (text, None),
        };
        let mv = self.parse_uci(mv)?;
        self.make(mv);
        if let Some(outcome) = raid {
            if self.board.is_decided(self.rules) {
                self.unmake();
                return Err(Error::new(format!("{} ends the game, the Behemoth does not move", quote(text))));
            }
            self.raid(outcome);
        }
        Ok(())
    }

    /// Which kings are left, White's first.
    pub(super) fn kings_left(&self) -> [bool; 2] {
        Color::ALL.map(|color| self.board.pieces(color, Kind::King).exists())
    }
}

#[cfg(test)]
mod tests {
    use super::super::variants;
    use super::*;

    fn after(square: &str, raid: &str) -> (String, u32) {
        let from = Square::split_from(square).unwrap().0;
        let Raid { path, target } = RAIDS[from.index()][parse(raid).unwrap()];
        (target.to_string(), path.count())
    }

    #[test]
    fn the_board_is_a_torus() {
        for (from, raid, to) in [
            ("d4", "se4", "h8"),
            ("g8", "ne2", "a2"),
            ("h8", "ne1", "a1"),
            ("a1", "sw1", "h8"),
            ("a4", "w3", "f4"),
            ("d1", "s2", "d7"),
            ("h5", "se2", "b3"),
            ("d4", "n4", "d8"),
            ("d4", "s4", "d8"),
            ("d4", "nw4", "h8"),
        ] {
            let length = u32::from(raid.as_bytes()[raid.len() - 1] - b'0');
            assert_eq!(after(from, raid), (to.to_string(), length), "{from} {raid}");
        }
        for outcome in 0..OUTCOMES {
            assert_eq!(parse(&text(outcome)), Ok(outcome));
        }
        for bad in ["", "n", "n0", "n5", "x1", "se44", "4se"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    fn played(fen: &str, moves: &[&str]) -> Result<Position, Error> {
        let mut position = Position::from_fen(variants::find("behemoth").unwrap(), fen).unwrap();
        for text in moves {
            position.play_with_raid(text)?;
            assert_eq!(*position.board.keys(), position.board.fresh_keys(position.rules), "{position}");
        }
        Ok(position)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/3*4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn raids_take_men_and_rights() {
        // The example of the rules: pawn f2, knight g1 and the black rook h8.
        let position = played(START, &["a2a3,se4"]).unwrap();
        assert_eq!(position.fen(), "rnbqkbn*/pppppppp/8/8/8/P7/1PPPP1PP/RNBQKB1R b KQq - 0 1");
        assert!(played(START, &["a2a3,se5"]).is_err() && played(START, &["a2a3,"]).is_err());
        let still = played(START, &["a2a3"]).unwrap();
        assert!(still.fen().contains("3*4"));
    }

    #[test]
    fn en_passant_outlives_a_raid_unless_it_hits() {
        let fen = "4k3/4p3/8/3P4/*7/8/8/4K3 b - - 0 1";
        assert!(played(fen, &["e7e5,n1"]).unwrap().fen().contains(" e6 "));
        assert!(played(fen, &["e7e5"]).unwrap().fen().contains(" e6 "));
        // The Behemoth stops on the square, or takes one of the two pawns.
        let near = "4k3/4p3/8/3P4/4*3/8/8/4K3 b - - 0 1";
        assert!(played(near, &["e7e5,n2"]).unwrap().fen().contains(" - "));
        assert!(played(near, &["e7e5,n1"]).unwrap().fen().contains(" - "));
        assert!(played(near, &["e7e5,nw1"]).unwrap().fen().contains(" - "));
    }

    #[test]
    fn lost_kings_end_the_game() {
        use super::super::Outcome;
        let fen = "4k3/8/8/8/8/8/3*4/R3K3 w - - 0 1";
        let lost = played(fen, &["a1a2,se1"]).unwrap();
        assert_eq!(lost.outcome(), Some(Outcome::KingLost(Color::White)));
        assert!(lost.legal_moves().is_empty());
        let both = played("8/8/8/8/8/5*2/4K3/R2k4 w - - 0 1", &["a1a2,sw2"]).unwrap();
        assert_eq!(both.outcome(), Some(Outcome::BothKingsLost));
        let taken = played("4k3/8/8/8/8/8/3*4/4RK2 w - - 0 1", &["e1e8"]).unwrap();
        assert_eq!(taken.outcome(), Some(Outcome::KingLost(Color::Black)));
        let error = played("4k3/8/8/8/8/8/3*4/4RK2 w - - 0 1", &["e1e8,n1"]).unwrap_err();
        assert!(error.to_string().contains("does not move"), "{error}");
    }
}
