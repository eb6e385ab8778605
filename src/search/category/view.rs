//! What the categories ask about a position, computed once for all its moves.

use super::contents::Contents;
use super::splits::{Target, Worth};
use crate::exchange::one_square::Exchange;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// A position as the side to move sees it: who attacks what, which pieces are in danger, where checks come from.
///
/// "Ours" is the side to move, "theirs" the opponent. Everything is computed from the pieces alone, so that the same
/// position has the same categories wherever it is met; only the square of the last move comes from the game.
#[derive(Clone, Debug)]
pub struct View<'a> {
    pub(super) position: &'a Position,
    pub(super) us: Color,
    pub(super) occupied: Bitboard,
    pub(super) our_king: Option<Square>,
    pub(super) their_king: Option<Square>,
    /// Where the opponent's last move went.
    pub(super) last_to: Option<Square>,
    /// What we attack; own pieces count, so this is also what we defend.
    pub(super) ours: Bitboard,
    /// What we attack at least twice.
    pub(super) ours_twice: Bitboard,
    /// What they attack, sliders seeing through our king: where it may not go.
    pub(super) theirs: Bitboard,
    /// What our sliders would attack were the piece of theirs that they meet not there.
    ours_through: Bitboard,
    /// What our lances, bishops, rooks, horses and dragons attack by sliding.
    pub(super) ours_sliding: Bitboard,
    /// What their lances, bishops, rooks, horses and dragons attack by sliding.
    pub(super) theirs_sliding: Bitboard,
    /// Those of their pieces that may leave their line only to expose their king.
    theirs_pinned: Bitboard,
    /// What their pawns attack.
    pub(super) theirs_by_pawn: Bitboard,
    /// Our pieces that they would gain by taking, were they to move. Empty in check, where the king is what matters.
    pub(super) hanging: Bitboard,
    /// Their pieces that attack those.
    pub(super) attackers: Bitboard,
    /// Between those and what they attack.
    pub(super) lines_of_attack: Bitboard,
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
    pub(super) contents: Contents,
}

impl<'a> View<'a> {
    /// The view of the side to move, after an opponent's move to `last_to` (`None` at the start of a game or after a
    /// pass).
    pub fn new(position: &'a Position, last_to: Option<Square>) -> View<'a> {
        let (us, them) = (position.side(), !position.side());
        let occupied = position.occupied();
        let (our_king, their_king) = (position.king(us), position.king(them));
        let through_king = our_king.map_or(occupied, |king| occupied.without(Bitboard::of(king)));
        let ours = Attacked::by(position, us, occupied, position.of_color(them));
        let theirs = Attacked::by(position, them, through_king, Bitboard::EMPTY);
        let king_steps = |king: Option<Square>| king.map_or(Bitboard::EMPTY, attacks::king);
        let (around_ours, around_theirs) = (king_steps(our_king), king_steps(their_king));
        let all_theirs = theirs.all | around_theirs;
        let flights = around_ours.without(all_theirs | position.of_color(us)).count();
        let mut view = View {
            position,
            us,
            occupied,
            our_king,
            their_king,
            last_to,
            ours: ours.all | around_ours,
            ours_twice: ours.twice | ours.all & around_ours,
            theirs: all_theirs,
            ours_through: ours.through,
            ours_sliding: ours.sliding,
            theirs_sliding: theirs.sliding,
            theirs_pinned: position.pinned(them),
            theirs_by_pawn: theirs.by_pawn,
            hanging: Bitboard::EMPTY,
            attackers: Bitboard::EMPTY,
            lines_of_attack: Bitboard::EMPTY,
            theirs_worth: worth_and_above(position, them),
            discoverers: position.discoverers(us),
            weak: (around_ours & all_theirs).without(ours.all),
            their_weak: around_theirs.without(theirs.all | position.of_color(them)),
            flights,
            our_sliders: sliders(position) & position.of_color(us),
            contents: Contents::of(position),
        };
        if !position.in_check() {
            view.find_hanging();
        }
        view
    }

    /// What the side to move gains by the legal move `mv` and by re-captures on the square it goes to, in hundredths of
    /// about a pawn.
    pub fn gain(&self, mv: Move) -> i32 {
        if self.is_out_of_reach(mv) {
            Exchange::PLAIN.earned(self.position, mv)
        } else {
            Exchange::PLAIN.gain(self.position, mv)
        }
    }

    /// Whether [`gain`](Self::gain) is not below 0 for a move that neither captures nor promotes.
    pub(super) fn is_quiet_move_safe(&self, mv: Move) -> bool {
        self.is_out_of_reach(mv)
            || !self.is_taken_for_nothing(mv) && Exchange::PLAIN.gains_at_least(self.position, mv, 0)
    }

    /// Whether nothing of theirs reaches the square that `mv` goes to.
    fn is_out_of_reach(&self, mv: Move) -> bool {
        // A slider behind a piece that steps away along its line attacks where the piece goes.
        let followed = mv.from().is_some_and(|from| self.theirs_sliding.contains(from));
        !followed && !self.theirs.contains(mv.to())
    }

    /// Whether they can surely take what `mv`, which takes nothing, puts down, and nothing else of ours defends it.
    /// False where it takes a closer look.
    fn is_taken_for_nothing(&self, mv: Move) -> bool {
        let to = mv.to();
        // A slider of ours may come through once the taker has left its line.
        if !self.theirs.contains(to)
            || self.ours_through.contains(to)
            || !self.theirs_pinned.is_empty()
            || self.position.in_check()
        {
            return false;
        }
        match mv.from() {
            None => !self.ours.contains(to),
            // The piece itself attacks where it goes. One behind it, or behind the taker, may then follow, give check
            // in time, or pin the taker.
            Some(from) => {
                !self.ours_twice.contains(to)
                    && !(self.ours_sliding | self.ours_through).contains(from)
                    && self.our_king != Some(from)
            }
        }
    }

    /// Their pieces that one of ours worth `own` gains by taking: the king, what is worth more, and what nothing
    /// defends.
    pub(super) fn worth_taking(&self, own: Worth) -> Bitboard {
        let all = self.theirs_worth[0];
        let above = self.theirs_worth.get(own as usize + 1).copied().unwrap_or_default();
        above | all.without(self.theirs)
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
        Target::of(Worth::of(self.position.piece_on(square)?.kind))
    }

    fn find_hanging(&mut self) {
        let them = !self.us;
        let kings = self.position.of_kind(PieceKind::King);
        let attacked = (self.position.of_color(self.us) & self.theirs).without(kings);
        attacked.for_each(|square| {
            let free = !(self.ours | self.ours_through).contains(square) && self.theirs_pinned.is_empty();
            if free || Exchange::PLAIN.threat(self.position, square, them) > 0 {
                self.hanging |= Bitboard::of(square);
                self.position.attackers(square, them, self.occupied).for_each(|attacker| {
                    self.attackers |= Bitboard::of(attacker);
                    self.lines_of_attack |= attacks::between(attacker, square);
                });
            }
        });
    }
}

/// What one side's pieces other than the king attack.
#[derive(Default)]
struct Attacked {
    all: Bitboard,
    twice: Bitboard,
    sliding: Bitboard,
    /// What sliders would attack were the piece that they meet not there.
    through: Bitboard,
    by_pawn: Bitboard,
}

impl Attacked {
    /// By `color`'s pieces, when all pieces stand on `occupied`; sliders see through the first of `others`.
    fn by(position: &Position, color: Color, occupied: Bitboard, others: Bitboard) -> Attacked {
        let side = position.of_color(color);
        let of = |kind| position.of_kind(kind) & side;
        let by_pawn = of(PieceKind::Pawn).forward(color);
        let mut found = Attacked { all: by_pawn, by_pawn, ..Attacked::default() };
        let mut stepping = |pieces: Bitboard, kind| {
            pieces.for_each(|from| found.add(attacks::on_empty_board(Piece::new(color, kind), from)));
        };
        stepping(of(PieceKind::Knight), PieceKind::Knight);
        stepping(of(PieceKind::Silver), PieceKind::Silver);
        let promoted = of(PieceKind::ProPawn)
            | of(PieceKind::ProLance)
            | of(PieceKind::ProKnight)
            | of(PieceKind::ProSilver);
        stepping(of(PieceKind::Gold) | promoted, PieceKind::Gold);
        found.slide(of(PieceKind::Lance), occupied, others, |from, on| attacks::lance(color, from, on));
        let (horses, dragons) = (of(PieceKind::Horse), of(PieceKind::Dragon));
        found.slide(of(PieceKind::Bishop) | horses, occupied, others, attacks::bishop);
        found.slide(of(PieceKind::Rook) | dragons, occupied, others, attacks::rook);
        // What a horse or a dragon reaches both ways is attacked once.
        let steps = |from, lines: PieceKind| {
            attacks::king(from).without(attacks::on_empty_board(Piece::new(color, lines), from))
        };
        horses.for_each(|from| found.add(steps(from, PieceKind::Bishop)));
        dragons.for_each(|from| found.add(steps(from, PieceKind::Rook)));
        found
    }

    fn slide(
        &mut self,
        pieces: Bitboard,
        occupied: Bitboard,
        others: Bitboard,
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        pieces.for_each(|from| {
            let squares = attacks(from, occupied);
            self.sliding |= squares;
            self.add(squares);
            let met = squares & others;
            if !met.is_empty() {
                self.through |= attacks(from, occupied.without(met));
            }
        });
    }

    fn add(&mut self, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
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
