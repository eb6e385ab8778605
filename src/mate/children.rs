//! The moves of a node and what is known of the positions behind them.

use super::node::Identity;
use super::proof::{INFINITE, MOST, Proof};
use crate::shogi::moves::Move;

/// No child.
pub const NONE: u16 = u16::MAX;

/// A move and what is known of the position behind it.
#[derive(Clone, Copy)]
pub struct Child {
    pub proof: Proof,
    pub identity: Identity,
    pub mv: Move,
    /// The move of the same kind that is looked at once this one has failed, by its number among the children.
    pub next: u16,
    /// Whether the move is looked at yet.
    pub active: bool,
    /// Whether the position was searched before.
    pub met: Met,
    /// Whether its numbers are added to those of others; otherwise the largest of its like counts.
    pub summed: bool,
}

/// Whether and where a position was searched before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Met {
    /// Not as far as is remembered.
    Never,
    /// At this depth or deeper.
    Before,
    /// Closer to the root: the path may lead in a circle.
    Closer,
}

/// The numbers of a node as they follow from its children, and the child to search next.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The smallest wanted number.
    pub wanted: u32,
    /// The sum of the unwanted numbers.
    pub unwanted: u32,
    /// The number of the child with the smallest wanted number.
    pub best: usize,
    /// The second smallest wanted number.
    pub second: u32,
    /// What the others put into the sum.
    pub rest: u32,
    /// Whether any child may lead in a circle.
    pub circles: bool,
}

/// Sums up `children` of a node where the side to move is the attacker or not.
pub fn summary(children: &[Child], attacking: bool) -> Summary {
    let mut best = usize::MAX;
    let (mut wanted, mut second) = (INFINITE, INFINITE);
    let mut tie = u32::MAX;
    let (mut sum, mut largest) = (0u32, 0u32);
    let mut circles = false;
    for (index, child) in children.iter().enumerate().filter(|(_, child)| child.active) {
        let (a, b) = (child.proof.wanted(attacking), child.proof.unwanted(attacking));
        if (a, b) < (wanted, tie) || best == usize::MAX {
            second = second.min(if best == usize::MAX { INFINITE } else { wanted });
            (wanted, tie, best) = (a, b, index);
        } else {
            second = second.min(a);
        }
        circles |= child.met == Met::Closer && child.proof.is_open();
        if child.summed {
            sum = sum.saturating_add(b);
        } else {
            largest = largest.max(b);
        }
    }
    let total = |largest: u32| sum.saturating_add(largest);
    let rest = match children.get(best) {
        Some(child) => {
            let own = child.proof.unwanted(attacking);
            if child.summed { total(largest).saturating_sub(own) } else { total(0) }
        }
        None => 0,
    };
    let mut unwanted = total(largest);
    if wanted == 0 {
        unwanted = INFINITE;
    } else if unwanted > 0 {
        unwanted = unwanted.min(MOST);
    }
    if unwanted == 0 {
        wanted = INFINITE;
    }
    Summary { wanted, unwanted, best, second, rest, circles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mate::plies::Plies;
    use crate::mate::proof::ANYWHERE;
    use crate::shogi::hand::Hand;
    use crate::shogi::key::Key;

    fn child(pn: u32, dn: u32) -> Child {
        Child {
            proof: Proof::open(pn, dn),
            identity: Identity { key: Key(1), hand: Hand::EMPTY },
            mv: "7g7f".parse().expect("a move"),
            next: NONE,
            active: true,
            met: Met::Before,
            summed: true,
        }
    }

    #[test]
    fn sums_of_open_numbers_end_before_the_limit_that_is_none() {
        let children: Vec<Child> = (1..=593).map(|pn| child(pn, MOST)).collect();
        let now = summary(&children, true);
        assert_eq!((now.wanted, now.second, now.unwanted, now.rest), (1, 2, MOST, 592 * MOST));
        // One that is decided against the side to move adds nothing, and all of them decide the node.
        let failed =
            Child { proof: Proof::disproven(Hand::EMPTY, Plies::UNBOUNDED, ANYWHERE), ..children[0] };
        let now = summary(&[failed, children[1]], true);
        assert_eq!((now.wanted, now.second, now.unwanted), (2, INFINITE, MOST));
        let now = summary(&[failed], true);
        assert_eq!((now.wanted, now.unwanted), (INFINITE, 0));
    }
}
