//! What the solver remembers of positions: which are mates, which are none, and how far a search of the others has come.
//!
//! Entries of one board lie near each other, whatever the hands: a look-up sees every hand that was met with the
//! board, and takes what dominance by hands allows. A board has a window of [`WINDOW`] slots; where the window is
//! full, the entry goes whose subtree cost least, those first that were not met in the present problem: however much
//! work went into them, they would leave the new ones a single slot to push each other out of. So the table never
//! grows, and nothing ever has to be collected as a whole, which would keep a `stop` waiting.

use memmap2::MmapMut;

use super::node::{Identity, Node};
use super::plies::Plies;
use super::proof::{ANYWHERE, Depth, Proof};
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;
use crate::util::generation::Generation;
use crate::util::memory::{self, Pages};

/// An entry, unpacked.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    hand: Hand,
    pn: u32,
    dn: u32,
    /// There is a mate in at most so many plies.
    proven: Plies,
    /// There is no mate within so many plies.
    disproven: Plies,
    /// The least depth at which the position was met in the present problem.
    depth: Depth,
    /// Nodes below, cut to 16 bits; 0 in a free slot.
    amount: u16,
    /// Whether a disproof was found that holds only on the path on which it was found.
    returns: bool,
    /// In which problem the board was last met.
    problem: u8,
}

type Slot = [u64; 4];

/// `proven` of an entry without a proof. A proof without a bound on the length has one less.
const NO_PROOF: u16 = u16::MAX;
/// `disproven` of an entry without a disproof. The least that is disproven is a mate within a ply, and that the
/// defender is mated already.
const NO_DISPROOF: Plies = Plies::ZERO;
/// What an open entry has before anything better is known.
const OPEN: u32 = 2;

impl Entry {
    fn unpack([key, w1, w2, w3]: Slot) -> Entry {
        Entry {
            key,
            hand: Hand::from_word(w1 as u32),
            pn: (w1 >> 32) as u32,
            dn: w2 as u32,
            proven: Plies::from_word((w2 >> 32) as u16),
            disproven: Plies::from_word((w2 >> 48) as u16),
            depth: w3 as u16,
            amount: (w3 >> 16) as u16,
            returns: w3 >> 32 & 1 != 0,
            problem: (w3 >> 40) as u8,
        }
    }

    fn pack(self) -> Slot {
        [
            self.key,
            u64::from(self.hand.word()) | u64::from(self.pn) << 32,
            u64::from(self.dn) | u64::from(self.proven.get()) << 32 | u64::from(self.disproven.get()) << 48,
            u64::from(self.depth)
                | u64::from(self.amount) << 16
                | u64::from(self.returns) << 32
                | u64::from(self.problem) << 40,
        ]
    }

    fn new(identity: Identity, depth: Depth) -> Entry {
        Entry {
            key: identity.key.0,
            hand: identity.hand,
            pn: OPEN,
            dn: OPEN,
            proven: Plies::from_word(NO_PROOF),
            disproven: NO_DISPROOF,
            depth,
            amount: 1,
            returns: false,
            problem: 0,
        }
    }
}

/// What a look-up found.
#[derive(Clone, Copy)]
pub enum Found {
    /// Nothing of the position itself; bounds from other hands at most.
    New { pn: u32, dn: u32 },
    /// An open position that was searched before.
    Open {
        proof: Proof,
        /// The least depth at which it was met.
        depth: Depth,
        /// Whether a disproof may be known that holds on some paths.
        returns: bool,
    },
    /// A verdict.
    Verdict(Proof),
}

/// Slots in which the entries of a board are looked for.
pub const WINDOW: usize = 32;

/// The table. It lies in memory of its own, which the system gives as it is touched.
pub struct Table {
    memory: MmapMut,
    used: usize,
    /// The number of the present problem, which comes again after 256 of them.
    problem: u8,
    generation: Generation,
}

impl Table {
    /// A table of at most `bytes` bytes, or of the fewest that a table needs.
    ///
    /// # Errors
    /// When the system does not grant them.
    pub fn new(bytes: usize, pages: Pages) -> std::io::Result<Table> {
        let slots = (bytes / size_of::<Slot>()).max(2 * WINDOW);
        let memory = memory::zeroed(slots * size_of::<Slot>(), pages)?;
        Ok(Table { memory, used: 0, problem: 0, generation: Generation::default() })
    }

    /// Bytes that the table takes.
    pub fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// How many of a thousand slots are in use, be it by what was forgotten.
    pub fn permille_used(&self) -> u32 {
        (self.used as u128 * 1000 / self.slots().len() as u128) as u32
    }

    /// Takes what is looked up and stored from now on for a new problem's.
    pub fn begin_problem(&mut self) {
        self.problem = self.problem.wrapping_add(1);
    }

    /// The identity as it is kept.
    fn mixed(&self, identity: Identity) -> Identity {
        Identity { key: Key(self.generation.mixed(identity.key.0)), ..identity }
    }

    fn slots(&self) -> &[Slot] {
        bytemuck::cast_slice(&self.memory)
    }

    fn window(&mut self, key: u64) -> &mut [Slot] {
        let slots: &mut [Slot] = bytemuck::cast_slice_mut(&mut self.memory);
        let starts = (slots.len() - WINDOW) as u128 + 1;
        let start = ((u128::from(key) * starts) >> 64) as usize;
        &mut slots[start..start + WINDOW]
    }

    /// What is known of a mate from `identity` within `plies`: of proofs the shortest, so that who asks again at each
    /// position of a line comes to its end.
    pub fn look_up(&mut self, identity: Identity, plies: Plies) -> Found {
        let Identity { key, hand } = self.mixed(identity);
        let (mut pn, mut dn) = (0, 0);
        let mut open = None;
        let mut proven: Option<Entry> = None;
        let problem = self.problem;
        for slot in self.window(key.0) {
            let mut entry = Entry::unpack(*slot);
            if entry.amount == 0 {
                break;
            }
            if entry.key != key.0 {
                continue;
            }
            if entry.problem != problem {
                entry = Entry { problem, depth: Depth::MAX, ..entry };
                *slot = entry.pack();
            }
            let (more, less) = (entry.hand.covers(hand), hand.covers(entry.hand));
            if less {
                if entry.proven.get() != NO_PROOF
                    && entry.proven <= plies
                    && proven.is_none_or(|proven| entry.proven < proven.proven)
                {
                    proven = Some(entry);
                }
                dn = dn.max(entry.dn);
            }
            if more {
                if entry.disproven != NO_DISPROOF && entry.disproven >= plies {
                    return Found::Verdict(Proof::disproven(entry.hand, entry.disproven, ANYWHERE));
                }
                pn = pn.max(entry.pn);
                if less {
                    open = Some((entry.depth, entry.returns));
                }
            }
        }
        if let Some(Entry { hand, proven, .. }) = proven {
            return Found::Verdict(Proof::proven(hand, proven));
        }
        match open {
            Some((depth, returns)) => {
                Found::Open { proof: Proof::open(pn.max(1), dn.max(1)), depth, returns }
            }
            None => Found::New { pn, dn },
        }
    }

    /// Changes the entry of exactly this position, which is made if there is none.
    fn change(&mut self, identity: Identity, depth: Depth, amount: u64, change: impl FnOnce(&mut Entry)) {
        let identity = self.mixed(identity);
        let mut taken = false;
        let mut victim: Option<((bool, u16), usize)> = None;
        let problem = self.problem;
        let window = self.window(identity.key.0);
        let mut place = None;
        for (index, slot) in window.iter().enumerate() {
            let entry = Entry::unpack(*slot);
            if entry.amount == 0 {
                taken = true;
                place = Some(index);
                break;
            }
            if entry.key == identity.key.0 && entry.hand == identity.hand {
                place = Some(index);
                break;
            }
            let worth = (entry.problem == problem, entry.amount);
            if victim.is_none_or(|(least, _)| worth < least) {
                victim = Some((worth, index));
            }
        }
        let place = place.or(victim.map(|(_, index)| index)).unwrap_or(0);
        let mut entry = Entry::unpack(window[place]);
        if entry.amount == 0 || entry.key != identity.key.0 || entry.hand != identity.hand {
            entry = Entry::new(identity, depth);
        }
        entry.problem = problem;
        entry.depth = entry.depth.min(depth);
        entry.amount = entry.amount.max(amount.clamp(1, u64::from(u16::MAX)) as u16);
        change(&mut entry);
        window[place] = entry.pack();
        self.used += usize::from(taken);
    }

    /// Keeps what the search of `node`, which took `amount` nodes, has found.
    pub fn store(&mut self, node: Node, proof: &Proof, amount: u64) {
        let Node { identity, depth, .. } = node;
        if proof.is_open() {
            self.change(identity, depth, amount, |entry| (entry.pn, entry.dn) = (proof.pn, proof.dn));
        } else if proof.is_proven() {
            let identity = Identity { hand: proof.hand, ..identity };
            let plies = Plies::from_word(proof.plies.get().min(NO_PROOF - 1));
            self.change(identity, depth, amount, |entry| {
                entry.proven = entry.proven.min(plies);
                (entry.pn, entry.dn) = (OPEN, OPEN);
            });
        } else if proof.since >= depth {
            let identity = Identity { hand: proof.hand, ..identity };
            self.change(identity, depth, amount, |entry| {
                entry.disproven = entry.disproven.max(proof.plies);
                (entry.pn, entry.dn) = (OPEN, OPEN);
            });
        } else {
            self.change(identity, depth, amount, |entry| entry.returns = true);
        }
    }

    /// Forgets everything and is as new, which takes as long as the table is large.
    pub fn clear(&mut self) {
        self.memory.fill(0);
        (self.used, self.generation) = (0, Generation::default());
    }

    /// Forgets everything at once: what lies there is found no more, and gives way like what other problems left.
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
        Node { identity: Identity { key: Key(5), hand }, depth: 3, plies, attacking: false }
    }

    #[test]
    fn what_other_problems_left_makes_room() {
        let mut table = Table::new(0, Pages::Small).expect("there is memory");
        let at = |index: u64| {
            let identity = Identity { key: Key(index << 32), hand: Hand::EMPTY };
            Node { identity, depth: 3, plies: Plies::UNBOUNDED, attacking: true }
        };
        let known = |table: &mut Table, index| {
            matches!(table.look_up(at(index).identity, Plies::UNBOUNDED), Found::Open { .. })
        };
        let slots = (2 * WINDOW) as u64;
        for index in 1..=slots {
            table.store(at(index), &Proof::open(4, 7), 1_000 + index);
        }
        let kept: Vec<u64> = (1..=slots).filter(|&index| known(&mut table, index)).collect();
        assert!(kept.len() >= WINDOW);
        table.begin_problem();
        // The first is met again, and new ones come, which cost less than any of the old.
        assert!(known(&mut table, kept[0]));
        let new = slots + 1..slots + WINDOW as u64;
        for index in new.clone() {
            table.store(at(index), &Proof::open(4, 7), 1);
        }
        assert!(known(&mut table, kept[0]));
        assert!(new.clone().all(|index| known(&mut table, index)));
    }

    #[test]
    fn what_is_forgotten_is_not_found() {
        let mut table = Table::new(1 << 12, Pages::Small).expect("there is memory");
        let node = node(Hand::EMPTY, Plies::UNBOUNDED);
        table.store(node, &Proof::proven(Hand::EMPTY, Plies::new(3)), 1);
        assert!(matches!(table.look_up(node.identity, node.plies), Found::Verdict(_)));
        table.forget();
        assert!(matches!(table.look_up(node.identity, node.plies), Found::New { pn: 0, dn: 0 }));
        assert!(table.slots().iter().any(|&slot| slot != Slot::default()), "nothing was emptied");
        table.store(node, &Proof::disproven(Hand::EMPTY, Plies::new(3), ANYWHERE), 1);
        assert!(
            matches!(table.look_up(node.identity, Plies::new(3)), Found::Verdict(proof) if proof.is_disproven())
        );
    }

    #[test]
    fn what_is_open_for_another_hand_is_open() {
        let mut table = Table::new(1 << 12, Pages::Small).expect("there is memory");
        let more = node(Hand::EMPTY.with(HandKind::Pawn), Plies::UNBOUNDED);
        let mated = node(Hand::EMPTY, Plies::ZERO);
        for proof in [Proof::open(4, 7), Proof::proven(more.identity.hand, Plies::new(2))] {
            table.store(more, &proof, 1);
            assert!(matches!(table.look_up(mated.identity, mated.plies), Found::New { .. }));
        }
        table.store(more, &Proof::disproven(more.identity.hand, Plies::new(1), ANYWHERE), 1);
        assert!(
            matches!(table.look_up(mated.identity, mated.plies), Found::Verdict(proof) if proof.is_disproven())
        );
    }
}
