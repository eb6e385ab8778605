//! Move categories: what kind of move a move is, from which its transition probability follows.
//!
//! The idea, the statistics and the categories of the first table are from Tsuruoka, Yokoyama and Chikayama, *Game-tree
//! search algorithm based on realization probability* (ICGA Journal, 2002), §2.2; the others are ours, where the
//! paper's table has dots. A move belongs to every category that it fits, in each to one split.
//!
//! This file lists the categories. Each one is a function of a position's [`MoveContext`] and a move's `MoveFacts`,
//! in one of the files below; docs/internals/policy.md describes them for people.

mod dropping;
mod moving;
mod tactical;

use std::fmt;

use super::move_context::MoveContext;
use super::move_facts::MoveFacts;
use super::splits::{self, Split};
use crate::shogi::moves::Move;

/// A category: its name and those of its splits, as tables and documents have them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Category {
    /// What kind of move it is.
    pub name: &'static str,
    /// How it is split, in an order in which neighbours resemble each other.
    pub splits: &'static [&'static str],
    /// The number of its first split among those of all categories.
    pub first: usize,
}

/// Lists the categories in groups. A group is only asked about moves that meet its condition, a method of
/// [`MoveFacts`].
macro_rules! categories {
    ($($condition:ident { $($id:ident $name:literal $split:ident $member:path;)+ })+) => {
        #[derive(Clone, Copy)]
        enum Id { $($($id,)+)+ }

        const NAMES: &[(&str, &[&str])] =
            &[$($(($name, <splits::$split as Split>::NAMES),)+)+];

        impl MoveContext<'_> {
            /// Every category split that the legal move `mv` belongs to: one at least.
            pub fn categories(&self, mv: Move) -> CategorySet {
                let set = self.categories_of(&MoveFacts::new(self, mv));
                debug_assert!(!set.is_empty(), "{mv} in {:?}", self.plain.position);
                set
            }

            pub(super) fn categories_of(&self, facts: &MoveFacts) -> CategorySet {
                let mut set = CategorySet::EMPTY;
                $(if facts.$condition() {
                    $(if let Some(split) = $member(self, facts) {
                        set.insert(const { CATEGORIES[Id::$id as usize].first } + split.index());
                    })+
                })+
                set
            }
        }
    };
}

categories! {
    always {
        Check "check" Outcome tactical::check;
        CheckByDrop "check by drop" Safety tactical::check_by_drop;
        DiscoveredCheck "discovered check" Safety tactical::discovered_check;
    }
    captures {
        Recapture "recapture" Size tactical::recapture;
    }
    in_check {
        TakeChecker "take the checker" Taking tactical::take_checker;
        Flight "king flight" Flights tactical::flight;
        Interpose "interpose" Interposing tactical::interpose;
    }
    is_free_capture {
        Capture "capture" Size tactical::capture;
        TakeAttacker "take an attacker" Outcome tactical::take_attacker;
    }
    is_free_promotion {
        PromoteRook "promote rook" Safety tactical::promote_rook;
        PromoteBishop "promote bishop" Safety tactical::promote_bishop;
        PromoteSilver "promote silver" Safety tactical::promote_silver;
        PromoteKnight "promote knight" Safety tactical::promote_knight;
        PromoteLance "promote lance" Safety tactical::promote_lance;
        PromotePawn "promote pawn" Safety tactical::promote_pawn;
    }
    is_free {
        MoveAttacked "move an attacked piece" Target tactical::move_attacked;
        Defend "defend an attacked piece" Target tactical::defend;
        Block "block a slider" Manner tactical::block;
        GuardKing "guard a square beside our king" Manner tactical::guard_king;
        Fork "attack two pieces" Fork tactical::fork;
        AttackKing "attack king" AttackerKind tactical::attack_king;
        AttackByPawn "attack by pawn" Target tactical::attack_by_pawn;
        Strike "strike" Target tactical::strike;
        Attack "attack by another piece" Target tactical::attack;
        AttackLast "attack the piece just moved" PawnManner tactical::attack_last;
        BesideLast "beside the piece just moved" PawnManner tactical::beside_last;
        Pin "pin" Manner tactical::pin;
        ThreatenMate "bear on a weak square by their king" Manner tactical::threaten_mate;
        OpenLine "open a line" OpenedLine tactical::open_line;
    }
    is_free_step {
        MovePawn "move pawn" PawnStep moving::pawn;
        MoveLance "move lance" Safety moving::lance;
        MoveKnight "move knight" Approach moving::knight;
        MoveSilver "move silver" Approach moving::silver;
        MoveGold "move gold" Approach moving::gold;
        MovePromotedMinor "move promoted minor piece" Approach moving::promoted_minor;
        MoveBishop "move bishop" Approach moving::bishop;
        MoveRook "move rook" RookStep moving::rook;
        MoveHorse "move horse" Approach moving::horse;
        MoveDragon "move dragon" Approach moving::dragon;
        MoveKing "move king" KingStep moving::king;
    }
    is_free_drop {
        DropPawn "drop pawn" PawnPlace dropping::pawn;
        DropLance "drop lance" Place dropping::lance;
        DropKnight "drop knight" Place dropping::knight;
        DropSilver "drop silver" Place dropping::silver;
        DropGold "drop gold" Place dropping::gold;
        DropBishop "drop bishop" Place dropping::bishop;
        DropRook "drop rook" Place dropping::rook;
    }
}

/// Every category, in the order of their splits' numbers.
pub static CATEGORIES: [Category; NAMES.len()] = {
    let mut categories = [Category { name: "", splits: &[], first: 0 }; NAMES.len()];
    let mut first = 0;
    let mut index = 0;
    while index < NAMES.len() {
        let (name, splits) = NAMES[index];
        categories[index] = Category { name, splits, first };
        first += splits.len();
        index += 1;
    }
    categories
};

/// How many splits all categories have together.
pub const SPLITS: usize = {
    let mut count = 0;
    let mut index = 0;
    while index < NAMES.len() {
        count += NAMES[index].1.len();
        index += 1;
    }
    count
};

const WORDS: usize = 4;
const _: () = assert!(SPLITS <= 64 * WORDS);

/// A set of category splits, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CategorySet([u64; WORDS]);

impl CategorySet {
    /// No split.
    pub const EMPTY: CategorySet = CategorySet([0; WORDS]);

    /// Adds split number `split`, under [`SPLITS`].
    pub const fn insert(&mut self, split: usize) {
        self.0[split / 64] |= 1 << (split % 64);
    }

    /// Adds every split of `other`.
    pub fn insert_all(&mut self, other: CategorySet) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// Whether both have a split in common.
    pub fn meets(self, other: CategorySet) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether split number `split` is in the set.
    pub fn contains(&self, split: usize) -> bool {
        self.0[split / 64] >> (split % 64) & 1 != 0
    }

    /// Whether there is no split.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The numbers of the splits, smallest first.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(64 * index + bit)
            })
        })
    }
}

/// The category and the name of a split.
///
/// # Panics
/// When there is no split with this number.
pub fn split_names(split: usize) -> (&'static str, &'static str) {
    let index = CATEGORIES.partition_point(|category| category.first <= split) - 1;
    let Category { name, splits, first } = CATEGORIES[index];
    (name, splits[split - first])
}

impl fmt::Debug for CategorySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.iter().map(|split| {
            let (category, split) = split_names(split);
            format!("{category}: {split}")
        });
        f.debug_set().entries(named).finish()
    }
}
