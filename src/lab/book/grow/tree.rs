//! The positions of a growing book and how likely a game by the book comes to each of them.
//!
//! All arithmetic is on whole numbers, so that a book is the same on every machine.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Candidate, Settings};
use crate::base::Error;
use crate::book::{BookWriter, decode, key_of};
use crate::chess::Position;
use crate::chess::packed::PACKED_BYTES;

/// The weight of the best move.
const FULL_WEIGHT: u64 = 65_535;

/// A move that costs as much as this has a quarter of the weight of the best one.
const QUARTER_CP: u64 = 15;

/// The likelihood of the start position.
const CERTAIN: u64 = 1 << 62;

/// A position.
struct Node {
    key: u64,
    position: [u8; PACKED_BYTES],
    /// The shortest way here.
    ply: u32,
    /// How likely a game comes here, in parts of [`CERTAIN`].
    likelihood: u64,
    /// The moves; none before it was analyzed.
    moves: Option<Vec<Branch>>,
    /// What it is worth for the side to move, later positions considered.
    value_cp: i32,
}

/// A move and where it leads.
#[derive(Clone, Copy)]
struct Branch {
    code: u16,
    /// What the analysis of the position said.
    score_cp: i32,
    /// The position behind it, once it was worth going there.
    target: Option<usize>,
}

/// All positions.
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_key: HashMap<u64, usize>,
    analyzed: usize,
    max_ply: u32,
    margin_cp: i32,
    behind_cp: i32,
}

impl Tree {
    /// The start position alone.
    pub(super) fn new(settings: &Settings) -> Result<Tree, Error> {
        let mut tree = Tree {
            nodes: Vec::new(),
            by_key: HashMap::new(),
            analyzed: 0,
            max_ply: settings.max_ply,
            margin_cp: settings.margin_cp,
            behind_cp: settings.behind_cp,
        };
        tree.reach(&Position::start(), 0)?;
        Ok(tree)
    }

    /// Positions that were analyzed.
    pub(super) fn analyzed(&self) -> usize {
        self.analyzed
    }

    /// Polyglot's key of a position.
    pub(super) fn key(&self, node: usize) -> u64 {
        self.nodes[node].key
    }

    /// A position to analyze.
    pub(super) fn position(&self, node: usize) -> &[u8; PACKED_BYTES] {
        &self.nodes[node].position
    }

    /// Notes what an analysis found.
    pub(super) fn note(&mut self, node: usize, found: &[Candidate]) {
        let branch = |&Candidate { code, score_cp }: &Candidate| Branch { code, score_cp, target: None };
        self.nodes[node].moves = Some(found.iter().map(branch).collect());
        self.nodes[node].value_cp = found.iter().map(|found| found.score_cp).max().unwrap_or(0);
        self.analyzed += 1;
    }

    /// The positions most likely reached among those that were not analyzed yet, by what is known now.
    pub(super) fn most_likely(&mut self, count: usize) -> Result<Vec<usize>, Error> {
        self.carry_back();
        self.spread()?;
        let open = |&index: &usize| {
            let Node { ply, likelihood, moves, .. } = &self.nodes[index];
            moves.is_none() && *ply < self.max_ply && *likelihood > 0
        };
        let mut candidates: Vec<usize> = (0..self.nodes.len()).filter(open).collect();
        candidates.sort_unstable_by_key(|&index| {
            let node = &self.nodes[index];
            (Reverse(node.likelihood), node.key)
        });
        candidates.truncate(count);
        Ok(candidates)
    }

    /// Carries values from later positions back to earlier ones. A way may lead in a circle, so the number of times
    /// is limited.
    fn carry_back(&mut self) {
        for _ in 0..=self.max_ply {
            let mut changed = false;
            for index in (0..self.nodes.len()).rev() {
                let best = self.nodes[index].moves.iter().flatten().map(|branch| self.value(branch)).max();
                if let Some(value) = best.filter(|&value| value != self.nodes[index].value_cp) {
                    self.nodes[index].value_cp = value;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// What a move is worth: what its own analysis says and, if the position behind it was analyzed, that one too, with
    /// the same say. The later one sees further, but the best of many values is mostly one that errs on the high side.
    fn value(&self, branch: &Branch) -> i32 {
        let target = branch.target.map(|target| &self.nodes[target]).filter(|node| node.moves.is_some());
        target.map_or(branch.score_cp, |node| (branch.score_cp - node.value_cp) / 2)
    }

    /// Finds out how likely a game comes to each position, from the start ply by ply. A way that does not lead further
    /// away than the shortest one is not followed.
    fn spread(&mut self) -> Result<(), Error> {
        self.nodes.iter_mut().for_each(|node| node.likelihood = 0);
        self.nodes[0].likelihood = CERTAIN;
        for ply in 0..self.max_ply {
            for index in 0..self.nodes.len() {
                let node = &self.nodes[index];
                if node.ply == ply && node.likelihood > 0 && node.moves.is_some() {
                    self.spread_from(index)?;
                }
            }
        }
        Ok(())
    }

    /// Shares the likelihood of a position among those behind its moves.
    fn spread_from(&mut self, index: usize) -> Result<(), Error> {
        let Node { position, ply, likelihood, .. } = self.nodes[index];
        let weights = self.weights(index);
        let total: u64 = weights.iter().map(|&(_, weight)| weight).sum();
        for (number, &(code, weight)) in weights.iter().enumerate() {
            if weight == 0 {
                continue;
            }
            let known = self.nodes[index].moves.as_ref().and_then(|moves| moves[number].target);
            let target = match known {
                Some(target) => target,
                None => {
                    let mut position = Position::unpack(&position)?;
                    // A journal may hold anything, and a game may be over.
                    let Some(mv) = decode(&position, code) else { continue };
                    position.make(mv);
                    if position.outcome().is_some() {
                        continue;
                    }
                    let target = self.reach(&position, ply + 1)?;
                    if let Some(moves) = &mut self.nodes[index].moves {
                        moves[number].target = Some(target);
                    }
                    target
                }
            };
            let target = &mut self.nodes[target];
            if target.ply > ply {
                let share = u128::from(likelihood) * u128::from(weight) / u128::from(total.max(1));
                target.likelihood = target.likelihood.saturating_add(share as u64);
            }
        }
        Ok(())
    }

    /// The number of a position, which may be a new one; transpositions meet here.
    fn reach(&mut self, position: &Position, ply: u32) -> Result<usize, Error> {
        let key = key_of(position);
        let new = self.nodes.len();
        let index = *self.by_key.entry(key).or_insert(new);
        if index == new {
            let position = position.pack()?;
            self.nodes.push(Node { key, position, ply, likelihood: 0, moves: None, value_cp: 0 });
        }
        self.nodes[index].ply = self.nodes[index].ply.min(ply);
        Ok(index)
    }

    /// The moves of a position with their weights: full for the best one, falling with what the others cost, zero for
    /// those that cost too much.
    fn weights(&self, index: usize) -> Vec<(u16, u64)> {
        let moves = self.nodes[index].moves.iter().flatten().map(|branch| (branch.code, self.value(branch)));
        let best = moves.clone().map(|(_, value)| value).max().unwrap_or(0);
        let weight = |value: i32| {
            let cost = best - value;
            if cost != 0 && (cost > self.margin_cp || value < -self.behind_cp) {
                return 0;
            }
            let sum = QUARTER_CP + u64::from(cost.unsigned_abs());
            FULL_WEIGHT * QUARTER_CP * QUARTER_CP / (sum * sum)
        };
        moves.map(|(code, value)| (code, weight(value))).collect()
    }

    /// Writes the analyzed positions; returns the plies of the longest line, its last move included.
    pub(super) fn write(mut self, writer: &mut BookWriter) -> Result<u32, Error> {
        self.carry_back();
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_unstable_by_key(|&index| self.nodes[index].key);
        let mut plies = 0;
        for index in order {
            let node = &self.nodes[index];
            if node.moves.as_ref().is_some_and(|moves| !moves.is_empty()) {
                plies = plies.max(node.ply + 1);
                writer.write(node.key, &mut self.weights(index))?;
            }
        }
        Ok(plies)
    }
}
