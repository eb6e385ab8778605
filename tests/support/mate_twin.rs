//! The slow twin of the mate solver: every check and every reply, played and taken back.

use std::collections::HashSet;

use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

/// Whether the side to move mates with checks alone within `plies`; `None` where that takes too long.
pub fn mates_within(position: &mut Position, plies: u32) -> Option<bool> {
    let mut left = 3_000;
    let mates = mates_while_left(position, plies, &mut left);
    (left > 0).then_some(mates)
}

/// Counts `left` down with each position; at 0 the answer means nothing.
pub fn mates_while_left(position: &mut Position, plies: u32, left: &mut u32) -> bool {
    *left = left.saturating_sub(1);
    *left > 0
        && generate::all_legal(position).into_iter().any(|mv| {
            position.gives_check(mv) && {
                position.play(mv, &mut ());
                let replies = generate::all_legal(position);
                let mated = (replies.is_empty() || plies > 2)
                    && replies.into_iter().all(|reply| {
                        position.play(reply, &mut ());
                        let mated = mates_while_left(position, plies - 2, left);
                        position.undo(reply, &mut ());
                        mated
                    });
                position.undo(mv, &mut ());
                mated
            }
        })
}

/// By the convention of tsume shogi: whether the side to move mates with checks alone within `plies`, useless
/// interpositions not counted.
fn mates_by_convention(position: &mut Position, plies: u32) -> bool {
    let checks = generate::all_legal(position).into_iter().filter(|&mv| position.gives_check(mv));
    let checks: Vec<Move> = checks.collect();
    checks.into_iter().any(|mv| after(position, mv, |position| is_mated_by_convention(position, plies - 1)))
}

/// Whether the side in check is mated within `plies`: by whatever it plays, save for pieces dropped between that the
/// checking piece takes with a mate that takes no longer, even if the piece is given back.
pub fn is_mated_by_convention(position: &mut Position, plies: u32) -> bool {
    // The kind of a useless piece does not matter, and one that is as good as taken for another need not be tried.
    let mut useless = HashSet::new();
    generate::all_legal(position).into_iter().all(|mv| {
        if mv.is_drop() && useless.contains(&mv.to()) {
            return true;
        }
        let mated = plies >= 2 && after(position, mv, |position| mates_by_convention(position, plies - 1))
            || is_useless(position, mv, plies);
        if mated && mv.is_drop() && is_useless(position, mv, plies) {
            useless.insert(mv.to());
        }
        mated
    })
}

fn is_useless(position: &mut Position, mv: Move, plies: u32) -> bool {
    let (Some(kind), Some(checker)) = (mv.dropped(), position.checkers().first()) else { return false };
    after(position, mv, |position| {
        [Move::promoting(checker, mv.to()), Move::board(checker, mv.to())].into_iter().any(|capture| {
            position.is_legal(capture) && position.gives_check(capture) && {
                let mut setup = after(position, capture, |position| position.setup());
                setup.hands[position.side()][kind.index()] -= 1;
                setup.hands[!position.side()][kind.index()] += 1;
                Position::of_problem(&setup)
                    .is_ok_and(|mut given_back| is_mated_by_convention(&mut given_back, plies))
            }
        })
    })
}

/// Runs `with` with the position after `mv`.
pub fn after<T>(position: &mut Position, mv: Move, with: impl FnOnce(&mut Position) -> T) -> T {
    assert!(position.is_legal(mv), "{mv} in {}", sfen::write(position));
    position.play(mv, &mut ());
    let result = with(position);
    position.undo(mv, &mut ());
    result
}
