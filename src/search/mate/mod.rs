//! Mates, proven: whether the side to move can force mate within a number of moves.
//!
//! The normal search finds mates on its way; this one looks for nothing else. It is a depth-first proof-number search:
//! always the line is followed that seems to need the least work to be settled, which is the one in which the defender
//! has the fewest answers. Every claim is exact: a mate is a line for every defense, "no mate" has looked at every
//! attack. The number of moves left is part of the question, so lines cannot run in circles, and repetitions need no
//! rule: a mate that comes back to a position is found sooner from there.
//!
//! `deepen.rs` asks it beside the normal search on `go mate`, `lab::mate` for problems.

mod hunt;
mod table;

pub(super) use hunt::{Hunted, MateHunt};

use crate::base::{Move, MoveList};
use crate::game::{Game, Stage};
use table::{Entry, MateTable, NEVER, SETTLED};

/// The longest mate that can be asked for.
pub const MOST_MOVES: u32 = 100;

/// A quiet move of the attacker is expected to need so many answers more than a check.
const QUIET_MOVE_COST: u32 = 2;
/// A line is followed until it looks worse than the next best by this part of it. More patience was tried and solved
/// fewer problems.
const PATIENCE_DIVISOR: u32 = 32;

/// What is known about a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can be forced in so many moves: the attack against a longest defense.
    Mate(u32, Vec<Move>),
    /// It cannot be forced within the moves asked for.
    NoMate,
    /// The search ended before it was known.
    Unknown,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// The side that wants to mate.
    Attack,
    /// The other one.
    Defense,
}

/// The position after a move.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    entry: Entry,
}

/// Proves mates for the side to move.
pub struct MateSearch<G> {
    game: G,
    table: MateTable,
    nodes: u64,
    /// Nodes at which to give up for now.
    limit: u64,
    /// The fifty-move rule may end the game before the mate, so the clock is part of a position.
    clock_matters: bool,
}

impl<G: Game> MateSearch<G> {
    /// Questions about `game`; the memory for them takes so many megabytes.
    pub fn new(game: G, megabytes: usize) -> MateSearch<G> {
        MateSearch { game, table: MateTable::new(megabytes), nodes: 0, limit: 0, clock_matters: false }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether there is a mate in at most `moves` moves, as far as `nodes` more nodes tell. Asked again it goes on where
    /// it was.
    pub fn ask(&mut self, moves: u32, nodes: u64) -> Verdict {
        let moves = self.prepare(moves, nodes);
        let entry = self.settle(Turn::Attack, moves, [SETTLED; 2]);
        if entry.is_proven(moves) {
            return Verdict::Mate(u32::from(entry.proven), self.line(entry.proven));
        }
        if entry.is_refuted(moves) { Verdict::NoMate } else { Verdict::Unknown }
    }

    /// All first moves that force mate in at most `moves` moves; none if `nodes` more nodes do not tell.
    pub fn solutions(&mut self, moves: u32, nodes: u64) -> Option<Vec<Move>> {
        let moves = self.prepare(moves, nodes);
        let mut solutions = Vec::new();
        for mv in self.legal_moves() {
            self.game.make(mv);
            let entry = self.settle(Turn::Defense, moves - 1, [SETTLED; 2]);
            self.game.unmake();
            if entry.is_proven(moves - 1) {
                solutions.push(mv);
            } else if !entry.is_refuted(moves - 1) {
                return None;
            }
        }
        Some(solutions)
    }

    fn prepare(&mut self, moves: u32, nodes: u64) -> u8 {
        let moves = moves.clamp(1, MOST_MOVES);
        self.limit = self.nodes.saturating_add(nodes);
        self.clock_matters = self.game.halfmove_clock() + 2 * moves > 100;
        moves as u8
    }

    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.game.generate(Stage::All, &mut list);
        list
    }

    fn key(&self) -> u64 {
        let clock = if self.clock_matters { u64::from(self.game.halfmove_clock()) + 1 } else { 0 };
        self.game.key() ^ clock.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// What is known about the position on the board: remembered, seen at a glance, or a first guess.
    fn known(&mut self, turn: Turn, moves: u8) -> Entry {
        if let Some(mut entry) = self.table.get(self.key()) {
            // Whoever is mated on the board was stored as such.
            if turn == Turn::Defense && moves == 0 && !entry.is_proven(0) {
                entry.refuted_below = entry.refuted_below.max(1);
            }
            return entry;
        }
        let entry = match turn {
            _ if self.is_fifty_moves() => Entry::no_mate_below(NEVER),
            Turn::Attack if moves == 1 => self.mate_at_once(),
            Turn::Attack => Entry::guess(1, 1),
            Turn::Defense => self.defenses(moves),
        };
        let settled = entry.proven != NEVER || entry.refuted_below > 0;
        if settled {
            self.table.put(self.key(), entry, 1);
        }
        entry
    }

    /// One move left: it mates or it does not.
    fn mate_at_once(&mut self) -> Entry {
        for mv in self.legal_moves() {
            if self.game.gives_check(mv) {
                self.make(mv);
                let mates = self.legal_moves().is_empty();
                self.game.unmake();
                if mates {
                    return Entry::mate(1);
                }
            }
        }
        Entry::no_mate_below(2)
    }

    /// The defender to move: mated, stalemated, or so many answers to deal with.
    fn defenses(&mut self, moves: u8) -> Entry {
        let answers = self.legal_moves().len() as u32;
        if answers == 0 {
            let mated = self.game.no_moves_score(0).is_loss_by_mate();
            return if mated { Entry::mate(0) } else { Entry::no_mate_below(NEVER) };
        }
        if moves == 0 {
            return Entry::no_mate_below(1);
        }
        let quiet = if self.game.in_check() { 0 } else { QUIET_MOVE_COST };
        Entry::guess(answers + quiet, 1)
    }

    /// Whether the fifty-move rule has ended the game; a mate on the hundredth ply still counts.
    fn is_fifty_moves(&self) -> bool {
        self.clock_matters && self.game.halfmove_clock() >= 100 && !self.legal_moves().is_empty()
    }

    fn make(&mut self, mv: Move) {
        self.nodes += 1;
        self.game.make(mv);
    }

    /// The moves of the position on the board with what is known about the positions after them. With one move left only
    /// checks can mate.
    fn children(&mut self, turn: Turn, moves: u8) -> Vec<Child> {
        let (next, left) = after(turn, moves);
        let list = self.legal_moves();
        let mut children = Vec::with_capacity(list.len());
        for mv in list {
            if turn == Turn::Attack && left == 0 && !self.game.gives_check(mv) {
                continue;
            }
            self.make(mv);
            let entry = self.known(next, left);
            self.game.unmake();
            children.push(Child { mv, entry });
        }
        children
    }

    /// Works on the position on the board until it is settled, or until the work left for either outcome passes its
    /// limit (first the one the side to move wants), and remembers what it has found.
    fn settle(&mut self, turn: Turn, moves: u8, limits: [u32; 2]) -> Entry {
        let known = self.known(turn, moves);
        if known.is_proven(moves) || known.is_refuted(moves) {
            return known;
        }
        let before = self.nodes;
        let (next, left) = after(turn, moves);
        let mut children = self.children(turn, moves);
        loop {
            let (own, other, choice) = summary(turn, left, &children);
            if own >= limits[0] || other >= limits[1] || own == 0 || other == 0 || self.nodes >= self.limit {
                let entry = conclusion(turn, left, &children, own, other);
                return self.table.put(self.key(), entry, self.nodes - before);
            }
            // The child is worked on until another one looks better, with a little patience: coming back costs, too.
            let patience = choice.runner_up.saturating_add(choice.runner_up / PATIENCE_DIVISOR + 1);
            let child_limits = [limits[1].saturating_sub(choice.beside), patience.min(limits[0])];
            let child = &mut children[choice.index];
            self.make(child.mv);
            child.entry = self.settle(next, left, child_limits);
            self.game.unmake();
        }
    }

    /// A line in which the attacker mates in `moves` moves and the defender holds out as long as it can. It ends early
    /// where the table has forgotten and cannot be reminded quickly.
    fn line(&mut self, moves: u8) -> Vec<Move> {
        const REMINDER_NODES: u64 = 100_000;
        let mut line = Vec::new();
        let (mut turn, mut left) = (Turn::Attack, moves);
        self.limit = self.nodes + REMINDER_NODES;
        loop {
            self.settle(turn, left, [SETTLED; 2]);
            let children = self.children(turn, left);
            let (next, then) = after(turn, left);
            let proven = children.iter().filter(|child| child.entry.is_proven(then));
            let choice = match turn {
                Turn::Attack => proven.min_by_key(|child| child.entry.proven),
                Turn::Defense => proven.max_by_key(|child| child.entry.proven),
            };
            let Some(child) = choice else { break };
            line.push(child.mv);
            (turn, left) = (next, child.entry.proven);
            self.game.make(child.mv);
        }
        line.iter().for_each(|_| self.game.unmake());
        line
    }
}

/// Whose turn it is after a move, and how many moves the attacker has then.
fn after(turn: Turn, moves: u8) -> (Turn, u8) {
    match turn {
        Turn::Attack => (Turn::Defense, moves - 1),
        Turn::Defense => (Turn::Attack, moves),
    }
}

/// The child to work on, what the second best would cost, and what the other children add to the other side's work.
struct Choice {
    index: usize,
    runner_up: u32,
    beside: u32,
}

/// The work left for what the side to move wants (the least of its moves will do) and for what the other side wants (all
/// moves must be dealt with), and the move to work on. Positions below different moves have much in common, so the
/// hardest one counts in full and every other one as a single step.
fn summary(turn: Turn, left: u8, children: &[Child]) -> (u32, u32, Choice) {
    let mut choice = Choice { index: 0, runner_up: SETTLED, beside: 0 };
    let (mut own, mut hardest, mut open) = (SETTLED, 0, 0u32);
    for (index, child) in children.iter().enumerate() {
        let (proof, disproof) = child.entry.numbers(left);
        let (here, there) = if turn == Turn::Attack { (proof, disproof) } else { (disproof, proof) };
        if here < own {
            (choice.runner_up, own) = (own, here);
            choice.index = index;
        } else if here < choice.runner_up {
            choice.runner_up = here;
        }
        hardest = hardest.max(there);
        open += u32::from(there > 0);
    }
    choice.beside = open.saturating_sub(1);
    let other = match hardest {
        0 | SETTLED => hardest,
        _ => (hardest + choice.beside).min(SETTLED - 1),
    };
    (own, other, choice)
}

/// What the children say about their parent.
fn conclusion(turn: Turn, left: u8, children: &[Child], own: u32, other: u32) -> Entry {
    let proven = children.iter().map(|child| child.entry.proven);
    let refuted = children.iter().map(|child| child.entry.refuted_below);
    let (proof, disproof) = if turn == Turn::Attack { (own, other) } else { (other, own) };
    match turn {
        Turn::Attack if own == 0 => Entry::mate(proven.min().unwrap_or(NEVER - 1) + 1),
        // Moves that were left out because only a check can mate at once are no mates with one move either.
        Turn::Attack if other == 0 => {
            let all = if left == 0 { 1 } else { refuted.min().unwrap_or(NEVER) };
            Entry::no_mate_below(all.saturating_add(1))
        }
        Turn::Defense if other == 0 => Entry::mate(proven.max().unwrap_or(NEVER)),
        Turn::Defense if own == 0 => Entry::no_mate_below(refuted.max().unwrap_or(0)),
        _ => Entry::guess(proof, disproof),
    }
}
