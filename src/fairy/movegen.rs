//! Strictly legal move generation, in stages, and counting without a list.
//!
//! The check mask (capture the checker or step between) and the pin masks kept by the board make every generated move
//! legal without trying it. Only steps of the royal piece, castling and en passant look again.

use super::moves::PAWN_WAYS;
use super::square::FRAME;
use super::{Board, Castling, CastlingSide, FairyMove, Kind, Rules, Set, Square, castling, rays};
use crate::base::{Color, Move, MoveList};
use crate::game::Stage;

/// What a game is played by: both never change while it lasts.
#[derive(Clone, Copy)]
pub struct Law<'a> {
    /// The variant.
    pub rules: &'static Rules,
    /// Where castling starts.
    pub castling: &'a Castling,
}

/// Everything the generator derives from the board once.
struct Masks {
    us: Set,
    enemy: Set,
    occupied: Set,
    /// Where a piece other than the royal one may land as far as checks go.
    evasion: Set,
    diagonal_pins: Set,
    straight_pins: Set,
}

impl Masks {
    #[inline(always)]
    fn new<const WHITE: bool>(board: &Board) -> Masks {
        let us = Color::from_bool(WHITE);
        let evasion = if board.checkers.is_empty() {
            Set::ALL
        } else if board.checkers.several() {
            Set::EMPTY
        } else {
            board.checkers | rays::between(board.royals[us.index()], board.checkers.first())
        };
        Masks {
            us: board.color(us),
            enemy: board.color(!us),
            occupied: board.occupied(),
            evasion,
            diagonal_pins: board.diagonal_pins,
            straight_pins: board.straight_pins,
        }
    }
}

/// The sets of squares that pawns may legally reach, en passant aside, before anything is said about promotion.
struct PawnTargets {
    single: Set,
    double: Set,
    west: Set,
    east: Set,
}

impl PawnTargets {
    #[inline(always)]
    fn new<const WHITE: bool>(board: &Board, rules: &Rules, masks: &Masks) -> PawnTargets {
        let us = Color::from_bool(WHITE);
        let pawns = masks.us & board.pawns;
        let empty = !masks.occupied;
        // A pawn pinned on a diagonal may only capture along it, one pinned on a file only push.
        let pushers = pawns - masks.diagonal_pins;
        let free = (pushers - masks.straight_pins).forward(WHITE);
        let on_file = (pushers & masks.straight_pins).forward(WHITE) & masks.straight_pins;
        let steps = (free | on_file) & empty;
        let takers = pawns - masks.straight_pins;
        let loose = (takers - masks.diagonal_pins).forward(WHITE);
        let bound = (takers & masks.diagonal_pins).forward(WHITE);
        let victims = masks.enemy & masks.evasion;
        PawnTargets {
            single: steps & masks.evasion,
            double: (steps & rules.second_step[us.index()]).forward(WHITE) & empty & masks.evasion,
            west: (loose.west() | bound.west() & masks.diagonal_pins) & victims,
            east: (loose.east() | bound.east() & masks.diagonal_pins) & victims,
        }
    }

    /// All squares that are entered by one step.
    #[inline(always)]
    fn entered(&self) -> Set {
        self.single | self.west | self.east
    }
}

/// Steps of the royal piece to `targets` that do not walk into an attack.
#[inline(always)]
fn royal_targets<const WHITE: bool>(board: &Board, rules: &Rules, masks: &Masks, targets: Set) -> Set {
    let (us, them) = (Color::from_bool(WHITE), Color::from_bool(!WHITE));
    let Some(royal) = board.royal(us) else { return Set::EMPTY };
    let reach = match rules.variant.royals[us.index()] {
        Some(Kind::King) | None => rays::king(royal),
        Some(kind) => rays::piece(kind, royal, masks.occupied),
    };
    let mut covered = (masks.enemy & board.pawns).pawn_attacks(!WHITE);
    if board.kings.has(board.royals[them.index()]) {
        covered |= rays::king(board.royals[them.index()]);
    }
    let candidates = reach & targets & !covered;
    // Riders see through the square the royal piece leaves.
    let occupied = masks.occupied ^ Set::of(royal);
    let hunters = masks.enemy - board.pawns - board.kings;
    // Few enemies, many steps: asking each enemy once is cheaper than asking around each step.
    if hunters.count() < candidates.count() {
        return candidates - piece_attacks(board, hunters, occupied);
    }
    let mut safe = candidates;
    for square in candidates {
        let knights = rays::knight(square) & board.knights & masks.enemy;
        if knights.exists() || board.is_attacked_by_rider(square, masks.enemy, occupied) {
            safe ^= Set::of(square);
        }
    }
    safe
}

/// All squares that `pieces`, none of them pawn or king, attack through `occupied`.
#[inline(never)]
fn piece_attacks(board: &Board, pieces: Set, occupied: Set) -> Set {
    let mut attacked = Set::EMPTY;
    (pieces & board.knights).each(|square| attacked |= rays::knight(square));
    (pieces & board.diagonal).each(|square| attacked |= rays::diagonal(square, occupied));
    (pieces & board.straight).each(|square| attacked |= rays::straight(square, occupied));
    attacked
}

/// Calls `sink` with sources and legal targets of every piece but pawns and the royal one. A piece with two movements
/// comes twice, with different targets.
#[inline(always)]
fn each_piece<const WHITE: bool>(
    board: &Board,
    masks: &Masks,
    targets: Set,
    mut sink: impl FnMut(Square, Set),
) {
    let own = masks.us - board.royal_set(Color::from_bool(WHITE));
    let pinned = masks.diagonal_pins | masks.straight_pins;
    let targets = targets & masks.evasion;
    ((own & board.knights) - pinned).each(|from| sink(from, rays::knight(from) & targets));
    let diagonal = (own & board.diagonal) - masks.straight_pins;
    (diagonal - masks.diagonal_pins).each(|from| sink(from, rays::diagonal(from, masks.occupied) & targets));
    let straight = (own & board.straight) - masks.diagonal_pins;
    (straight - masks.straight_pins).each(|from| sink(from, rays::straight(from, masks.occupied) & targets));
    if (own & pinned).exists() {
        (diagonal & masks.diagonal_pins)
            .each(|from| sink(from, rays::diagonal(from, masks.occupied) & targets & masks.diagonal_pins));
        (straight & masks.straight_pins)
            .each(|from| sink(from, rays::straight(from, masks.occupied) & targets & masks.straight_pins));
    }
    (own & board.kings).each(|from| sink(from, rays::king(from) & targets));
}

/// Appends the legal moves of `stage` to `list`.
pub fn generate(board: &Board, law: Law, stage: Stage, list: &mut MoveList) {
    match board.side {
        Color::White => each_move::<true>(board, law, stage, |mv| list.push(mv)),
        Color::Black => each_move::<false>(board, law, stage, |mv| list.push(mv)),
    }
}

/// Calls `sink` with every legal move of `stage`; perft plays the moves as they come, without a list.
#[inline(always)]
pub(super) fn each_move<const WHITE: bool>(
    board: &Board,
    law: Law,
    stage: Stage,
    mut sink: impl FnMut(Move),
) {
    if board.is_decided(law.rules) {
        return;
    }
    let us = Color::from_bool(WHITE);
    let masks = Masks::new::<WHITE>(board);
    let targets = match stage {
        Stage::All => law.rules.board - masks.us - board.wall,
        Stage::Tactical => masks.enemy,
        Stage::Quiet => !masks.occupied,
    };
    if !board.checkers.several() {
        each_pawn_move::<WHITE>(board, law.rules, &masks, stage, &mut sink);
        each_piece::<WHITE>(board, &masks, targets, |from, to| {
            to.each(|to| sink(Move::plain(from, to)));
        });
        if stage != Stage::Tactical && board.rights != 0 {
            for side in CastlingSide::ALL {
                if board.rights & castling::right(us, side) != 0
                    && let Some(route) = law.castling.route(us, side)
                    && board.can_castle(route)
                {
                    sink(Move::castling(route.king, route.rook));
                }
            }
        }
    }
    let royal = board.royals[us.index()];
    royal_targets::<WHITE>(board, law.rules, &masks, targets).each(|to| sink(Move::plain(royal, to)));
}

#[inline(always)]
fn each_pawn_move<const WHITE: bool>(
    board: &Board,
    rules: &Rules,
    masks: &Masks,
    stage: Stage,
    sink: &mut impl FnMut(Move),
) {
    let us = Color::from_bool(WHITE);
    let targets = PawnTargets::new::<WHITE>(board, rules, masks);
    let (zone, last_rank) = (rules.zone[us.index()], rules.last_rank[us.index()]);
    let ahead = if WHITE { FRAME as i8 } else { -(FRAME as i8) };
    let back = |to: Square, way: usize| to.offset(-ahead - PAWN_WAYS[way]);
    if stage != Stage::Quiet {
        (targets.west - last_rank).each(|to| sink(Move::plain(back(to, 1), to)));
        (targets.east - last_rank).each(|to| sink(Move::plain(back(to, 2), to)));
        if let Some(to) = board.en_passant {
            for from in Set::of(to).pawn_attacks(!WHITE) & masks.us & board.pawns {
                if board.en_passant_is_safe(us, from, to) {
                    sink(Move::en_passant(from, to));
                }
            }
        }
        if (targets.entered() & zone).exists() {
            let kinds = rules.promotions(board.allowed_promotions(rules, us));
            for (way, entered) in [targets.single, targets.west, targets.east].into_iter().enumerate() {
                for to in entered & zone {
                    kinds.iter().for_each(|&kind| sink(Move::promoting(back(to, way), way, kind)));
                }
            }
        }
    }
    if stage != Stage::Tactical {
        (targets.single - last_rank).each(|to| sink(Move::plain(back(to, 0), to)));
        targets.double.each(|to| sink(Move::plain(to.offset(-2 * ahead), to)));
    }
}

/// How many legal moves there are; the last ply of perft.
#[inline(always)]
pub(super) fn count_for<const WHITE: bool>(board: &Board, law: Law) -> u64 {
    if board.is_decided(law.rules) {
        return 0;
    }
    let us = Color::from_bool(WHITE);
    let rules = law.rules;
    let masks = Masks::new::<WHITE>(board);
    let reachable = rules.board - masks.us - board.wall;
    let mut total = royal_targets::<WHITE>(board, rules, &masks, reachable).count();
    if board.checkers.several() {
        return u64::from(total);
    }
    let targets = PawnTargets::new::<WHITE>(board, rules, &masks);
    total += targets.single.count() + targets.double.count() + targets.west.count() + targets.east.count();
    let zone = rules.zone[us.index()];
    if (targets.entered() & zone).exists() {
        let kinds = board.allowed_promotions(rules, us).count_ones();
        for entered in [targets.single, targets.west, targets.east] {
            // Counted once so far; on the last rank staying a pawn is no choice.
            total += kinds * (entered & zone).count();
            total -= (entered & rules.last_rank[us.index()]).count();
        }
    }
    each_piece::<WHITE>(board, &masks, reachable, |_, to| total += to.count());
    if let Some(to) = board.en_passant {
        let takers = Set::of(to).pawn_attacks(!WHITE) & masks.us & board.pawns;
        total += takers.filter(|&from| board.en_passant_is_safe(us, from, to)).count() as u32;
    }
    if board.rights != 0 {
        let possible = |&side: &CastlingSide| {
            board.rights & castling::right(us, side) != 0
                && law.castling.route(us, side).is_some_and(|route| board.can_castle(route))
        };
        total += CastlingSide::ALL.iter().filter(|side| possible(side)).count() as u32;
    }
    u64::from(total)
}
