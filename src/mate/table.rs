//! The solver's table: which positions are mates, which are none, and the proof numbers of the others.
//!
//! Entries of one board lie together, whatever the hands: a look-up sees every hand that was met with the board and
//! uses what follows by dominance of hands. A board has a window of [`WINDOW`] slots. Where it is full, the entry with
//! the smallest subtree is replaced; entries of former problems go first, however large, because they would leave new
//! ones a single slot to replace each other in. So the table never grows, and there is no garbage collection that would
//! keep a `stop` waiting.

use memmap2::MmapMut;

use super::node::{Node, NodeKey};
use super::proof::{ANYWHERE, Depth, Plies, Proof};
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;
use crate::util::memory::{self, Generation, Pages};

/// An entry of the table, unpacked.
#[derive(Clone, Copy)]
struct MateEntry {
    board: u64,
    hand: Hand,
    pn: u32,
    dn: u32,
    /// There is a mate in at most this many plies.
    proven: Plies,
    /// There is no mate within this many plies.
    disproven: Plies,
    /// The least depth at which the position was met in the current problem.
    depth: Depth,
    /// The size of the subtree in nodes, cut to 16 bits; 0 in a free slot.
    effort: u16,
    /// Whether a disproof was found that holds on one path only: it is among the path disproofs.
    has_path_disproof: bool,
    /// The number of the problem in which the entry was last used.
    problem: u8,
}

type Slot = [u64; 4];

/// `proven` of an entry without a proof. A proof without a bound on its length has one less.
const NO_PROOF: u16 = u16::MAX;
/// `disproven` of an entry without a disproof: a disproof always excludes at least that the defender is mated already.
const NO_DISPROOF: Plies = Plies::ZERO;
/// Both numbers of a new entry.
const FIRST_NUMBER: u32 = 2;

impl MateEntry {
    fn unpack([board, w1, w2, w3]: Slot) -> MateEntry {
        MateEntry {
            board,
            hand: Hand::from_word(w1 as u32),
            pn: (w1 >> 32) as u32,
            dn: w2 as u32,
            proven: Plies::from_word((w2 >> 32) as u16),
            disproven: Plies::from_word((w2 >> 48) as u16),
            depth: w3 as u16,
            effort: (w3 >> 16) as u16,
            has_path_disproof: w3 >> 32 & 1 != 0,
            problem: (w3 >> 40) as u8,
        }
    }

    fn pack(self) -> Slot {
        [
            self.board,
            u64::from(self.hand.word()) | u64::from(self.pn) << 32,
            u64::from(self.dn) | u64::from(self.proven.get()) << 32 | u64::from(self.disproven.get()) << 48,
            u64::from(self.depth)
                | u64::from(self.effort) << 16
                | u64::from(self.has_path_disproof) << 32
                | u64::from(self.problem) << 40,
        ]
    }

    fn new(key: NodeKey, depth: Depth) -> MateEntry {
        MateEntry {
            board: key.board.0,
            hand: key.hand,
            pn: FIRST_NUMBER,
            dn: FIRST_NUMBER,
            proven: Plies::from_word(NO_PROOF),
            disproven: NO_DISPROOF,
            depth,
            effort: 1,
            has_path_disproof: false,
            problem: 0,
        }
    }
}

/// What a look-up found.
#[derive(Clone, Copy)]
pub enum Found {
    /// Nothing of the position itself; at most bounds on its numbers from other hands.
    New { pn: u32, dn: u32 },
    /// An open position that was searched before.
    Open {
        proof: Proof,
        /// The least depth at which it was met.
        depth: Depth,
        /// Whether a disproof for a single path may be known.
        has_path_disproof: bool,
    },
    /// A verdict.
    Verdict(Proof),
}

/// How many slots a board has.
pub const WINDOW: usize = 32;

/// The table. It lies in a memory map of its own, which takes up memory only as it is touched.
pub struct MateTable {
    memory: MmapMut,
    used: usize,
    /// The number of the current problem, modulo 256.
    problem: u8,
    generation: Generation,
}

impl MateTable {
    /// A table of at most `bytes` bytes, or of the fewest that a table needs.
    ///
    /// # Errors
    /// When the system does not grant them.
    pub fn new(bytes: usize, pages: Pages) -> std::io::Result<MateTable> {
        let slots = (bytes / size_of::<Slot>()).max(2 * WINDOW);
        let memory = memory::zeroed(slots * size_of::<Slot>(), pages)?;
        Ok(MateTable { memory, used: 0, problem: 0, generation: Generation::default() })
    }

    /// Bytes that the table takes.
    pub fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// How many of a thousand slots are in use, forgotten entries included.
    pub fn permille_used(&self) -> u32 {
        (self.used as u128 * 1000 / self.slots().len() as u128) as u32
    }

    /// What is looked up and stored from now on belongs to a new problem.
    pub fn begin_problem(&mut self) {
        self.problem = self.problem.wrapping_add(1);
    }

    /// The key as the current generation has it.
    fn mixed(&self, key: NodeKey) -> NodeKey {
        NodeKey { board: Key(self.generation.mixed(key.board.0)), ..key }
    }

    fn slots(&self) -> &[Slot] {
        bytemuck::cast_slice(&self.memory)
    }

    fn window(&mut self, board: u64) -> &mut [Slot] {
        let slots: &mut [Slot] = bytemuck::cast_slice_mut(&mut self.memory);
        let starts = (slots.len() - WINDOW) as u128 + 1;
        let start = ((u128::from(board) * starts) >> 64) as usize;
        &mut slots[start..start + WINDOW]
    }

    /// What is known of a mate within `plies` in the position of `key`. Of several proofs it is the shortest, so that
    /// looking up one position of a line after the other leads to its end.
    pub fn look_up(&mut self, key: NodeKey, plies: Plies) -> Found {
        let NodeKey { board, hand } = self.mixed(key);
        let (mut pn, mut dn) = (0, 0);
        let mut open = None;
        let mut proven: Option<MateEntry> = None;
        let problem = self.problem;
        for slot in self.window(board.0) {
            let mut entry = MateEntry::unpack(*slot);
            if entry.effort == 0 {
                break;
            }
            if entry.board != board.0 {
                continue;
            }
            if entry.problem != problem {
                entry = MateEntry { problem, depth: Depth::MAX, ..entry };
                *slot = entry.pack();
            }
            let (holds_more, holds_less) = (entry.hand.covers(hand), hand.covers(entry.hand));
            if holds_less {
                if entry.proven.get() != NO_PROOF
                    && entry.proven <= plies
                    && proven.is_none_or(|proven| entry.proven < proven.proven)
                {
                    proven = Some(entry);
                }
                dn = dn.max(entry.dn);
            }
            if holds_more {
                if entry.disproven != NO_DISPROOF && entry.disproven >= plies {
                    return Found::Verdict(Proof::disproven(entry.hand, entry.disproven, ANYWHERE));
                }
                pn = pn.max(entry.pn);
                if holds_less {
                    open = Some((entry.depth, entry.has_path_disproof));
                }
            }
        }
        if let Some(MateEntry { hand, proven, .. }) = proven {
            return Found::Verdict(Proof::proven(hand, proven));
        }
        match open {
            Some((depth, has_path_disproof)) => {
                Found::Open { proof: Proof::open(pn.max(1), dn.max(1)), depth, has_path_disproof }
            }
            None => Found::New { pn, dn },
        }
    }

    /// Changes the entry of exactly this position; makes one if there is none.
    fn change(&mut self, key: NodeKey, depth: Depth, effort: u64, change: impl FnOnce(&mut MateEntry)) {
        let key = self.mixed(key);
        let mut taken = false;
        let mut victim: Option<((bool, u16), usize)> = None;
        let problem = self.problem;
        let window = self.window(key.board.0);
        let mut place = None;
        for (index, slot) in window.iter().enumerate() {
            let entry = MateEntry::unpack(*slot);
            if entry.effort == 0 {
                taken = true;
                place = Some(index);
                break;
            }
            if entry.board == key.board.0 && entry.hand == key.hand {
                place = Some(index);
                break;
            }
            let worth = (entry.problem == problem, entry.effort);
            if victim.is_none_or(|(least, _)| worth < least) {
                victim = Some((worth, index));
            }
        }
        let place = place.or(victim.map(|(_, index)| index)).unwrap_or(0);
        let mut entry = MateEntry::unpack(window[place]);
        if entry.effort == 0 || entry.board != key.board.0 || entry.hand != key.hand {
            entry = MateEntry::new(key, depth);
        }
        entry.problem = problem;
        entry.depth = entry.depth.min(depth);
        entry.effort = entry.effort.max(effort.clamp(1, u64::from(u16::MAX)) as u16);
        change(&mut entry);
        window[place] = entry.pack();
        self.used += usize::from(taken);
    }

    /// Keeps the result of a search of `node` that took `effort` nodes.
    pub fn store(&mut self, node: Node, proof: &Proof, effort: u64) {
        let Node { key, depth, .. } = node;
        if proof.is_open() {
            self.change(key, depth, effort, |entry| (entry.pn, entry.dn) = (proof.pn, proof.dn));
        } else if proof.is_proven() {
            let key = NodeKey { hand: proof.hand, ..key };
            let plies = Plies::from_word(proof.plies.get().min(NO_PROOF - 1));
            self.change(key, depth, effort, |entry| {
                entry.proven = entry.proven.min(plies);
                (entry.pn, entry.dn) = (FIRST_NUMBER, FIRST_NUMBER);
            });
        } else if proof.since >= depth {
            let key = NodeKey { hand: proof.hand, ..key };
            self.change(key, depth, effort, |entry| {
                entry.disproven = entry.disproven.max(proof.plies);
                (entry.pn, entry.dn) = (FIRST_NUMBER, FIRST_NUMBER);
            });
        } else {
            self.change(key, depth, effort, |entry| entry.has_path_disproof = true);
        }
    }

    /// Empties every slot, which takes as long as the table is large.
    pub fn clear(&mut self) {
        self.memory.fill(0);
        (self.used, self.generation) = (0, Generation::default());
    }

    /// Forgets everything at once: old entries are no longer found, and are replaced first.
    pub fn forget(&mut self) {
        self.generation.advance();
        self.begin_problem();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::piece::HandKind;

    fn node(hand: Hand, plies: Plies) -> Node {
        Node { key: NodeKey { board: Key(5), hand }, depth: 3, plies, attacking: false }
    }

    #[test]
    fn entries_of_former_problems_are_replaced_first() {
        let mut table = MateTable::new(0, Pages::Small).expect("there is memory");
        let at = |index: u64| {
            let key = NodeKey { board: Key(index << 32), hand: Hand::EMPTY };
            Node { key, depth: 3, plies: Plies::UNBOUNDED, attacking: true }
        };
        let known = |table: &mut MateTable, index| {
            matches!(table.look_up(at(index).key, Plies::UNBOUNDED), Found::Open { .. })
        };
        let slots = (2 * WINDOW) as u64;
        for index in 1..=slots {
            table.store(at(index), &Proof::open(4, 7), 1_000 + index);
        }
        let kept: Vec<u64> = (1..=slots).filter(|&index| known(&mut table, index)).collect();
        assert!(kept.len() >= WINDOW);
        table.begin_problem();
        // The first one is used again. New entries come, each with a smaller subtree than any of the old.
        assert!(known(&mut table, kept[0]));
        let new = slots + 1..slots + WINDOW as u64;
        for index in new.clone() {
            table.store(at(index), &Proof::open(4, 7), 1);
        }
        assert!(known(&mut table, kept[0]));
        assert!(new.clone().all(|index| known(&mut table, index)));
    }

    #[test]
    fn a_forgotten_entry_is_not_found() {
        let mut table = MateTable::new(1 << 12, Pages::Small).expect("there is memory");
        let node = node(Hand::EMPTY, Plies::UNBOUNDED);
        table.store(node, &Proof::proven(Hand::EMPTY, Plies::new(3)), 1);
        assert!(matches!(table.look_up(node.key, node.plies), Found::Verdict(_)));
        table.forget();
        assert!(matches!(table.look_up(node.key, node.plies), Found::New { pn: 0, dn: 0 }));
        assert!(table.slots().iter().any(|&slot| slot != Slot::default()), "nothing was emptied");
        table.store(node, &Proof::disproven(Hand::EMPTY, Plies::new(3), ANYWHERE), 1);
        assert!(
            matches!(table.look_up(node.key, Plies::new(3)), Found::Verdict(proof) if proof.is_disproven())
        );
    }

    #[test]
    fn a_verdict_for_one_hand_leaves_incomparable_hands_open() {
        let mut table = MateTable::new(1 << 12, Pages::Small).expect("there is memory");
        let more = node(Hand::EMPTY.with(HandKind::Pawn), Plies::UNBOUNDED);
        let mated = node(Hand::EMPTY, Plies::ZERO);
        for proof in [Proof::open(4, 7), Proof::proven(more.key.hand, Plies::new(2))] {
            table.store(more, &proof, 1);
            assert!(matches!(table.look_up(mated.key, mated.plies), Found::New { .. }));
        }
        table.store(more, &Proof::disproven(more.key.hand, Plies::new(1), ANYWHERE), 1);
        assert!(
            matches!(table.look_up(mated.key, mated.plies), Found::Verdict(proof) if proof.is_disproven())
        );
    }
}
