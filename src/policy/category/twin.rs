//! The slow twin of [`View`] and [`Candidate`]: each set by its definition, square by square, on random games.

use super::CATEGORIES;
use super::candidate::Candidate;
use super::splits::Worth;
use super::view::View;
use crate::exchange::one_square::Exchange;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Calls `check` with every position of random games and the move that led there.
fn on_random_games(games: u64, mut check: impl FnMut(&Position, Option<Move>)) {
    for game in 0..games {
        let mut random = fastrand::Rng::with_seed(game);
        let mut position = Position::start();
        let mut last = None;
        for _ in 0..160 {
            check(&position, last);
            let moves = generate::all_legal(&position);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.usize(..moves.len())];
            position.play(mv, &mut ());
            last = Some(mv);
        }
    }
}

fn squares(wanted: impl Fn(Square) -> bool) -> Bitboard {
    Square::all().filter(|&square| wanted(square)).collect()
}

/// What `color`'s lances, bishops, rooks, horses and dragons attack as what they are unpromoted.
fn slides(position: &Position, color: Color, occupied: Bitboard) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for square in position.of_color(color) {
        let kind = position.piece_on(square).unwrap().kind.unpromoted();
        let promoted_lance = position.piece_on(square).unwrap().kind == PieceKind::ProLance;
        if matches!(kind, PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook) && !promoted_lance {
            found |= attacks::of(Piece::new(color, kind), square, occupied);
        }
    }
    found
}

fn check_view(position: &Position) {
    let view = View::new(position, None);
    let (us, them, occupied) = (position.side(), !position.side(), position.occupied());
    let through = occupied.without(position.king(us).map_or(Bitboard::EMPTY, Bitboard::of));
    let ours = |square| position.attackers(square, us, occupied);
    let theirs = |square| position.attackers(square, them, through);
    let kings = position.of_kind(PieceKind::King);
    let beside = |king: Option<Square>, square| king.is_some_and(|king| attacks::king(king).contains(square));

    assert_eq!(view.glance.ours, squares(|square| !ours(square).is_empty()), "{position:?}");
    assert_eq!(view.glance.ours_twice, squares(|square| ours(square).has_several()), "{position:?}");
    assert_eq!(view.glance.theirs, squares(|square| !theirs(square).is_empty()), "{position:?}");
    assert_eq!(view.ours_sliding, slides(position, us, occupied), "{position:?}");
    assert_eq!(view.theirs_sliding, slides(position, them, through), "{position:?}");
    let by_pawn = squares(|square| theirs(square).meets(position.of_kind(PieceKind::Pawn)));
    assert_eq!(view.glance.theirs_by_pawn, by_pawn, "{position:?}");

    let weak = |square| {
        beside(view.glance.our_king, square)
            && !theirs(square).is_empty()
            && ours(square).without(kings).is_empty()
    };
    assert_eq!(view.weak, squares(weak), "{position:?}");
    let their_weak = |square| {
        let holders = position.attackers(square, them, through).without(kings);
        beside(view.glance.their_king, square)
            && holders.is_empty()
            && !position.of_color(them).contains(square)
    };
    assert_eq!(view.their_weak, squares(their_weak), "{position:?}");
    let is_flight = |mv: &&Move| mv.from().is_some() && mv.from() == view.glance.our_king;
    let flights = generate::all_legal(position).iter().filter(is_flight).count();
    assert_eq!(view.flights as usize, flights, "{position:?}");

    let hanging =
        squares(|square| !position.in_check() && Exchange::PLAIN.threat(position, square, them) > 0);
    assert_eq!(view.hanging, hanging, "{position:?}");
    let mut attackers = Bitboard::EMPTY;
    let mut lines = Bitboard::EMPTY;
    for square in hanging {
        for attacker in position.attackers(square, them, occupied) {
            attackers |= Bitboard::of(attacker);
            lines |= attacks::between(square, attacker);
        }
    }
    assert_eq!((view.attackers, view.lines_of_attack), (attackers, lines), "{position:?}");
}

#[test]
fn views_agree_with_their_definitions() {
    on_random_games(60, |position, _| check_view(position));
}

#[test]
fn candidates_agree_with_their_definitions() {
    on_random_games(12, |position, last| {
        let view = View::new(position, last.map(Move::to));
        let them = !position.side();
        for mv in generate::all_legal(position) {
            let candidate = Candidate::new(&view, mv);
            assert_eq!(view.gain(mv), Exchange::PLAIN.gain(position, mv), "{mv} in {position:?}");
            assert_eq!(candidate.gain.signum(), view.gain(mv).signum(), "{mv} in {position:?}");
            assert_eq!(candidate.gives_check(), position.gives_check(mv), "{mv} in {position:?}");
            let targets = squares(|square| {
                let Some(target) = position.piece_on(square) else { return false };
                target.color == them
                    && candidate.attacks.contains(square)
                    && (Worth::of(target.kind) > Worth::of(candidate.after)
                        || !view.glance.theirs.contains(square))
            });
            assert_eq!(candidate.targets, targets, "{mv} in {position:?}");
            let mut after = position.clone();
            after.play(mv, &mut ());
            let piece = after.piece_on(mv.to()).unwrap();
            assert_eq!(candidate.after, piece.kind);
            assert_eq!(candidate.attacks, attacks::of(piece, mv.to(), after.occupied()));
        }
    });
}

#[test]
fn every_legal_move_has_a_category_and_one_split_of_each() {
    on_random_games(40, |position, last| {
        let view = View::new(position, last.map(Move::to));
        for mv in generate::all_legal(position) {
            let set = view.categories(mv);
            assert!(!set.is_empty(), "{mv} in {position:?}");
            for category in &CATEGORIES {
                let splits = category.first..category.first + category.splits.len();
                assert!(splits.filter(|&split| set.contains(split)).count() <= 1, "{mv} in {position:?}");
            }
        }
    });
}
