//! What the categories ask about a position, computed once for all its moves.

use std::cell::OnceCell;

use super::attack_map::AttackMap;
use super::plain_context::PlainContext;
use super::splits::{Target, Worth};
use crate::exchange::see::{immediate_gain, is_threatened, see, see_ge};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// What the opponent would gain by taking. Empty in check, where only the king matters.
#[derive(Clone, Debug, Default)]
pub(super) struct Threatened {
    /// Our pieces that they would gain by taking if it were their move.
    pub hanging: Bitboard,
    /// Their pieces that attack those.
    pub attackers: Bitboard,
    /// The squares between those and what they attack.
    pub lines_of_attack: Bitboard,
}

/// A position as the side to move sees it: what is attacked, which pieces hang, where checks come from.
///
/// "Ours" is the side to move, "theirs" the opponent, as in a [`PlainContext`].
#[derive(Clone, Debug)]
pub struct MoveContext<'a> {
    pub(super) plain: PlainContext<'a>,
    /// What our sliders would attack if the first piece of theirs on the line were not there.
    ours_through: Bitboard,
    /// What our lances, bishops, rooks, horses and dragons attack by sliding.
    pub(super) ours_sliding: Bitboard,
    /// What their lances, bishops, rooks, horses and dragons attack by sliding.
    pub(super) theirs_sliding: Bitboard,
    /// Their pieces that are pinned to their king.
    theirs_pinned: Bitboard,
    /// Found when it is first asked for: a node without a likely move never does.
    threatened: OnceCell<Threatened>,
    /// Their pieces of each [`Worth`] and all above it.
    theirs_worth: [Bitboard; Worth::COUNT],
    /// Our pieces that uncover a check when they leave their line.
    pub(super) discoverers: Bitboard,
    /// Squares next to our king that they attack and only the king defends.
    pub(super) weak: Bitboard,
    /// Squares next to their king that nothing of theirs but the king defends.
    pub(super) their_weak: Bitboard,
    /// How many squares our king may go to.
    pub(super) flights: u32,
    /// Where our lances, bishops, rooks, horses and dragons stand.
    pub(super) our_sliders: Bitboard,
}

impl<'a> MoveContext<'a> {
    /// The context of `position` after an opponent's move to `last_to` (`None` at the start of a game or after a
    /// pass).
    pub fn new(position: &'a Position, last_to: Option<Square>) -> MoveContext<'a> {
        let (us, them) = (position.side(), !position.side());
        let ours = AttackMap::ours(position, position.of_color(them));
        let theirs = AttackMap::theirs(position);
        let plain = PlainContext::with(position, last_to, &ours, &theirs);
        let king_steps = |king: Option<Square>| king.map_or(Bitboard::EMPTY, attacks::king);
        let (around_ours, around_theirs) = (king_steps(plain.our_king), king_steps(plain.their_king));
        MoveContext {
            ours_through: ours.through,
            ours_sliding: ours.sliding,
            theirs_sliding: theirs.sliding,
            theirs_pinned: position.pinned(them),
            threatened: OnceCell::new(),
            theirs_worth: worth_and_above(position, them),
            discoverers: position.discoverers(us),
            weak: (around_ours & plain.theirs).without(ours.all),
            their_weak: around_theirs.without(theirs.all | position.of_color(them)),
            flights: around_ours.without(plain.theirs | position.of_color(us)).count(),
            our_sliders: sliders(position) & position.of_color(us),
            plain,
        }
    }

    /// The part that needs no exchange.
    pub fn plain(&self) -> &PlainContext<'a> {
        &self.plain
    }

    /// The static exchange evaluation of the legal move `mv`, in units: [`see`], by a short cut where
    /// the opponent does not reach the square.
    pub fn see(&self, mv: Move) -> i32 {
        if self.is_out_of_reach(mv) {
            immediate_gain(self.plain.position, mv)
        } else {
            see(self.plain.position, mv)
        }
    }

    /// Whether a move that neither captures nor promotes loses nothing: whether its [`see`](Self::see) is 0.
    pub(super) fn is_quiet_move_safe(&self, mv: Move) -> bool {
        self.is_out_of_reach(mv) || !self.is_taken_for_nothing(mv) && see_ge(self.plain.position, mv, 0)
    }

    /// Whether nothing of theirs reaches the square that `mv` goes to.
    fn is_out_of_reach(&self, mv: Move) -> bool {
        // A slider that attacks the moving piece from behind also attacks its destination on the same line.
        let followed = mv.from().is_some_and(|from| self.theirs_sliding.contains(from));
        !followed && !self.plain.theirs.contains(mv.to())
    }

    /// Whether the piece that `mv`, which captures nothing, puts down is certainly lost: they can take it, and nothing
    /// else of ours defends the square. False where only an exchange can say.
    fn is_taken_for_nothing(&self, mv: Move) -> bool {
        let to = mv.to();
        // A slider of ours may come through once the taker has left its line.
        if !self.plain.theirs.contains(to)
            || self.ours_through.contains(to)
            || !self.theirs_pinned.is_empty()
            || self.plain.position.in_check()
        {
            return false;
        }
        match mv.from() {
            None => !self.plain.ours.contains(to),
            // The moving piece is itself one attacker of its destination. A slider behind it or behind the taker may
            // then recapture, give check in time, or pin the taker.
            Some(from) => {
                !self.plain.ours_twice.contains(to)
                    && !(self.ours_sliding | self.ours_through).contains(from)
                    && self.plain.our_king != Some(from)
            }
        }
    }

    /// Their pieces that one of ours worth `own` gains by taking: the king, what is worth more, and what is undefended.
    pub(super) fn worth_taking(&self, own: Worth) -> Bitboard {
        let all = self.theirs_worth[0];
        let above = self.theirs_worth.get(own as usize + 1).copied().unwrap_or_default();
        above | all.without(self.plain.theirs)
    }

    /// Their pieces worth `least` and more.
    pub(super) fn worth_at_least(&self, least: Worth) -> Bitboard {
        self.theirs_worth[least as usize]
    }

    /// The dearest of their pieces in `set`, and where it stands.
    pub(super) fn dearest(&self, set: Bitboard) -> Option<(Worth, Square)> {
        Worth::ALL.into_iter().rev().find_map(|worth| {
            let square = (set & self.theirs_worth[worth as usize]).first()?;
            Some((worth, square))
        })
    }

    /// What the piece on `square` is worth.
    pub(super) fn target_on(&self, square: Square) -> Option<Target> {
        Target::of(Worth::of(self.plain.position.piece_on(square)?.kind))
    }

    /// What they threaten to take.
    pub(super) fn threatened(&self) -> &Threatened {
        self.threatened.get_or_init(|| self.find_threatened())
    }

    fn find_threatened(&self) -> Threatened {
        let mut found = Threatened::default();
        if self.plain.position.in_check() {
            return found;
        }
        let them = !self.plain.us;
        let kings = self.plain.position.of_kind(PieceKind::King);
        let attacked = (self.plain.position.of_color(self.plain.us) & self.plain.theirs).without(kings);
        attacked.for_each(|square| {
            let free =
                !(self.plain.ours | self.ours_through).contains(square) && self.theirs_pinned.is_empty();
            if free || is_threatened(self.plain.position, square, them) {
                found.hanging |= Bitboard::of(square);
                self.plain.position.attackers(square, them, self.plain.occupied).for_each(|attacker| {
                    found.attackers |= Bitboard::of(attacker);
                    found.lines_of_attack |= attacks::between(attacker, square);
                });
            }
        });
        found
    }
}

fn sliders(position: &Position) -> Bitboard {
    [PieceKind::Lance, PieceKind::Bishop, PieceKind::Rook, PieceKind::Horse, PieceKind::Dragon]
        .into_iter()
        .fold(Bitboard::EMPTY, |set, kind| set | position.of_kind(kind))
}

fn worth_and_above(position: &Position, color: Color) -> [Bitboard; Worth::COUNT] {
    let mut sets = [Bitboard::EMPTY; Worth::COUNT];
    for kind in PieceKind::ALL {
        sets[Worth::of(kind) as usize] |= position.of_kind(kind);
    }
    let side = position.of_color(color);
    let mut above = Bitboard::EMPTY;
    for set in sets.iter_mut().rev() {
        above |= *set & side;
        *set = above;
    }
    sets
}
