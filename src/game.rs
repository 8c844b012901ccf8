//! The door between rules and search.
//!
//! The search knows a game only through [`Game`] and values positions only through [`Evaluator`]. Chess and the
//! variants implement both; the search is compiled for each, so the door costs nothing at run time.
#![forbid(unsafe_code)]

use std::fmt;

use arrayvec::ArrayVec;

use crate::base::{Color, Error, Move, MoveList, Score};

/// Which moves to generate. `Tactical` and `Quiet` together are `All`, without overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Every legal move.
    All,
    /// Captures and promotions: whatever changes the material.
    Tactical,
    /// The rest.
    Quiet,
}

/// What the search may know about a move without knowing the board: indices for its tables. Small, because every
/// node keeps some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveView {
    /// The moving piece with its color, below [`Game::PIECES`].
    pub piece: u8,
    /// Where it stands, below [`Game::SQUARES`].
    pub from: u8,
    /// Where it arrives, below [`Game::SQUARES`].
    pub to: u8,
    /// The captured piece with its color, below [`Game::PIECES`].
    pub victim: Option<u8>,
    /// Whether the move changes the material.
    pub tactical: bool,
    /// What the move wins at once: the victim's value and what a promotion adds.
    pub gain: i16,
}

/// A piece that appears on or disappears from a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceAt {
    /// Piece with its color, below [`Game::PIECES`].
    pub piece: u8,
    /// Square, below [`Game::SQUARES`].
    pub square: u8,
}

/// Up to `N` pieces on their squares. Small, because there is one for every move of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceList<const N: usize> {
    pieces: [PieceAt; N],
    count: u8,
}

impl<const N: usize> PieceList<N> {
    /// No pieces.
    pub const EMPTY: PieceList<N> = PieceList { pieces: [PieceAt { piece: 0, square: 0 }; N], count: 0 };

    /// Adds a piece; there must be room for it.
    #[inline(always)]
    pub fn push(&mut self, piece: PieceAt) {
        self.pieces[usize::from(self.count)] = piece;
        self.count += 1;
    }
}

impl<const N: usize> Default for PieceList<N> {
    fn default() -> PieceList<N> {
        PieceList::EMPTY
    }
}

impl<const N: usize> std::ops::Deref for PieceList<N> {
    type Target = [PieceAt];

    #[inline(always)]
    fn deref(&self) -> &[PieceAt] {
        &self.pieces[..usize::from(self.count).min(N)]
    }
}

/// What a move does to the board; evaluators that keep running sums listen to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    /// Pieces that leave their squares.
    pub removed: PieceList<4>,
    /// Pieces that arrive. If a king moves, it is the first, and the first that leaves.
    pub added: PieceList<2>,
}

impl Changes {
    /// Nothing moves.
    pub const NONE: Changes = Changes { removed: PieceList::EMPTY, added: PieceList::EMPTY };
}

/// The most things that chance may do at once.
pub const MOST_CHANCES: usize = 32;

/// One thing that chance may do, and what is known of it before it happens.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    /// What [`Game::make_chance`] knows it by.
    pub outcome: usize,
    /// How many of the equally likely outcomes end in this very position.
    pub weight: i32,
    /// The key of that position.
    pub key: u64,
    /// Its [`Game::halfmove_clock`].
    pub halfmove_clock: u32,
    /// The material it brings the side to move, in centipawns, if the game goes on.
    pub gain: i32,
    /// The value for the side to move if it ends the game.
    pub decided: Option<Score>,
}

/// All that chance may do.
pub type ChanceList = ArrayVec<Chance, MOST_CHANCES>;

/// What chance does on the whole, where nobody looks at every outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odds {
    /// How many equally likely outcomes there are.
    pub all: i32,
    /// After how many of them the game goes on.
    pub goes_on: i32,
    /// How many win the game for the side to move, minus those that lose it.
    pub wins: i32,
    /// The material that all those together bring the side to move after which the game goes on.
    pub gain: i32,
}

/// A two-player game with perfect information, as the search sees it.
pub trait Game: Clone + Send + Sync + 'static {
    /// How many different pieces there are, both colors together.
    const PIECES: usize;
    /// How many squares the board has.
    const SQUARES: usize;

    /// Whose turn it is.
    fn side_to_move(&self) -> Color;
    /// The key of the position: board, side, rights.
    fn key(&self) -> u64;
    /// About the key after a move, for fetching table entries early; may be wrong for special moves.
    fn key_after(&self, mv: Move) -> u64;
    /// About the key after a pass.
    fn key_after_null(&self) -> u64;
    /// The key of the pawns.
    fn pawn_key(&self) -> u64;
    /// The key of a side's other pieces.
    fn non_pawn_key(&self, color: Color) -> u64;
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
    /// Whether a side has more than king and pawns, so that passing is rarely best.
    fn has_pieces(&self, color: Color) -> bool;
    /// The squares that the opponent attacks, a bit each.
    fn attacked(&self) -> u128;
    /// Plies since the last capture or pawn move.
    fn halfmove_clock(&self) -> u32;
    /// How many men are on the board; a game without endgame tables need not count them.
    fn men(&self) -> u32 {
        u32::MAX
    }

    /// Appends the legal moves of a stage.
    fn generate(&self, stage: Stage, list: &mut MoveList);
    /// Whether any sixteen bits are a legal move here.
    fn is_legal(&self, mv: Move) -> bool;
    /// What a legal move is about.
    fn view(&self, mv: Move) -> MoveView;
    /// Whether a legal move changes the material.
    fn is_tactical(&self, mv: Move) -> bool;
    /// Whether a legal move gives check.
    fn gives_check(&self, mv: Move) -> bool;
    /// Whether the exchange that a legal move starts wins at least `threshold`.
    fn see_at_least(&self, mv: Move, threshold: i32) -> bool;
    /// What a legal move changes on the board.
    fn changes(&self, mv: Move) -> Changes;

    /// Whether the game is drawn here by rule, `ply` plies into a search. One repetition within the search
    /// is enough: what can be repeated once can be repeated twice.
    fn is_draw(&self, ply: usize) -> bool;
    /// Whether the side to move can reach an earlier position of the search with its next move.
    fn can_repeat(&self, ply: usize) -> bool;
    /// The value of having no legal move, `ply` plies from the root.
    fn no_moves_score(&self, ply: usize) -> Score;
    /// The value of a game that has ended other than by a lack of moves, such as by the loss of a king.
    #[inline(always)]
    fn decided(&self, _ply: usize) -> Option<Score> {
        None
    }

    /// Whether chance has a hand in this game: after each move one of several outcomes befalls the board. The search
    /// then weighs them all and leaves out what it otherwise concludes from single lines.
    #[inline(always)]
    fn has_chance(&self) -> bool {
        false
    }
    /// Whether chance strikes before the next player moves.
    #[inline(always)]
    fn chance_is_due(&self) -> bool {
        false
    }
    /// What it may do then. Outcomes that end in the same position stand together, with their weight.
    fn chances(&self) -> ChanceList {
        ChanceList::new()
    }
    /// The same on the whole.
    fn odds(&self) -> Odds {
        Odds { all: 1, goes_on: 1, wins: 0, gain: 0 }
    }
    /// Whether an outcome is mostly worth what it takes from the board, so that a search may guess at those it does
    /// not look at. Otherwise averages are exact.
    #[inline(always)]
    fn chance_is_predictable(&self) -> bool {
        false
    }
    /// Lets one of the outcomes happen.
    fn make_chance(&mut self, _outcome: usize) {}
    /// Takes it back.
    fn unmake_chance(&mut self) {}

    /// Plays a legal move.
    fn make(&mut self, mv: Move);
    /// Takes the last move back.
    fn unmake(&mut self);
    /// Passes the turn; not allowed in check.
    fn make_null(&mut self);
    /// Takes the last pass back.
    fn unmake_null(&mut self);
}

/// What endgame tables know about the root of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKnowledge {
    /// Nothing.
    Unknown,
    /// That it is drawn: among the drawing moves the search still looks for the one that is hardest to answer.
    Drawn,
    /// That somebody wins.
    Decided,
}

/// A root move as endgame tables see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The higher the better; among equals the search chooses.
    pub rank: i32,
    /// Its score from the root, where that is certain.
    pub score: Option<Score>,
}

/// Certain knowledge about positions with few men, as the search sees it.
pub trait EndgameTables<G: Game>: Send + Sync {
    /// Positions with more men are not known; asked once a search.
    fn most_men(&self) -> u32;
    /// The score of a position with at most so many men, counted from itself, if it is known.
    fn probe(&self, game: &G, depth: i32, root: RootKnowledge) -> Option<Score>;
    /// All legal moves of a root, or none if it is not known.
    fn rank_moves(&self, game: &G) -> Vec<RankedMove>;
}

/// How a game is written down: what the front end needs and the search does not.
pub trait Notation: Game {
    /// Whether what values mean, in pawns and in chances to win, was learned from games of this kind.
    const HAS_WDL_MODEL: bool;

    /// A legal move from its UCI text.
    fn parse_move(&self, text: &str) -> Result<Move, Error>;
    /// The UCI text of a legal move.
    fn move_text(&self, mv: Move) -> String;
    /// The number of the move, as score sheets count.
    fn fullmove(&self) -> u32;
    /// By which rule the game has ended, if it has.
    fn ending_rule(&self) -> Option<String>;
    /// Plays a move of the game so far, with whatever else its text tells.
    fn play_text(&mut self, text: &str) -> Result<(), Error> {
        let mv = self.parse_move(text)?;
        self.make(mv);
        Ok(())
    }
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who has won; nobody in a draw.
    pub winner: Option<Color>,
    /// By which rule.
    pub rule: String,
}

/// A game that goes on without being taken back and without a front end: what self-play needs and the search does not.
pub trait SelfPlay: Game + fmt::Display {
    /// All legal moves.
    fn moves(&self) -> MoveList;
    /// Plays a legal move for good. Where chance has a hand, it has yet to [`SelfPlay::strike`].
    fn play(&mut self, mv: Move);
    /// In how many equally likely ways chance strikes now, right after a move; none where it has no hand or the move
    /// has ended the game.
    fn strikes(&self) -> u8 {
        0
    }
    /// Lets chance strike in one of these ways, for good.
    fn strike(&mut self, _outcome: u8) {}
    /// How the game has ended, if it has.
    fn ending(&self) -> Option<Ending>;
    /// Whether both sides began with the same men, so that a level position is about worth nothing.
    fn is_even(&self) -> bool {
        true
    }
}

/// Values positions of a game. One evaluator belongs to one searching thread and may keep running sums.
pub trait Evaluator<G: Game>: Send + 'static {
    /// Forgets all running sums: the next position is `game`.
    fn reset(&mut self, game: &G);
    /// A move with these changes is about to be made.
    fn make(&mut self, changes: &Changes);
    /// The last move (or pass) is taken back.
    fn unmake(&mut self);
    /// The value for the side to move, which is not in check.
    fn evaluate(&mut self, game: &G) -> Score;
    /// Whether `make` must be told what a move changes; without running sums that work is spared.
    const NEEDS_CHANGES: bool;
}
