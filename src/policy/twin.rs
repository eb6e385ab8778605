//! The slow twin of [`MoveContext`] and [`MoveFacts`]: each set by its definition, square by square, in random games.

use super::category::CATEGORIES;
use super::move_context::MoveContext;
use super::move_facts::MoveFacts;
use super::splits::Worth;
use crate::exchange::see::{see, threat};
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

/// What `color`'s lances, bishops, rooks, horses and dragons attack by sliding.
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

fn check_context(position: &Position) {
    let context = MoveContext::new(position, None);
    let (us, them, occupied) = (position.side(), !position.side(), position.occupied());
    let through = occupied.without(position.king(us).map_or(Bitboard::EMPTY, Bitboard::of));
    let ours = |square| position.attackers(square, us, occupied);
    let theirs = |square| position.attackers(square, them, through);
    let kings = position.of_kind(PieceKind::King);
    let beside = |king: Option<Square>, square| king.is_some_and(|king| attacks::king(king).contains(square));

    assert_eq!(context.plain.ours, squares(|square| !ours(square).is_empty()), "{position:?}");
    assert_eq!(context.plain.ours_twice, squares(|square| ours(square).has_several()), "{position:?}");
    assert_eq!(context.plain.theirs, squares(|square| !theirs(square).is_empty()), "{position:?}");
    assert_eq!(context.ours_sliding, slides(position, us, occupied), "{position:?}");
    assert_eq!(context.theirs_sliding, slides(position, them, through), "{position:?}");
    let by_pawn = squares(|square| theirs(square).meets(position.of_kind(PieceKind::Pawn)));
    assert_eq!(context.plain.theirs_by_pawn, by_pawn, "{position:?}");

    let weak = |square| {
        beside(context.plain.our_king, square)
            && !theirs(square).is_empty()
            && ours(square).without(kings).is_empty()
    };
    assert_eq!(context.weak, squares(weak), "{position:?}");
    let their_weak = |square| {
        let holders = position.attackers(square, them, through).without(kings);
        beside(context.plain.their_king, square)
            && holders.is_empty()
            && !position.of_color(them).contains(square)
    };
    assert_eq!(context.their_weak, squares(their_weak), "{position:?}");
    let is_flight = |mv: &&Move| mv.from().is_some() && mv.from() == context.plain.our_king;
    let flights = generate::all_legal(position).iter().filter(is_flight).count();
    assert_eq!(context.flights as usize, flights, "{position:?}");

    let hanging = squares(|square| !position.in_check() && threat(position, square, them) > 0);
    assert_eq!(context.threatened().hanging, hanging, "{position:?}");
    let mut attackers = Bitboard::EMPTY;
    let mut lines = Bitboard::EMPTY;
    for square in hanging {
        for attacker in position.attackers(square, them, occupied) {
            attackers |= Bitboard::of(attacker);
            lines |= attacks::between(square, attacker);
        }
    }
    assert_eq!(
        (context.threatened().attackers, context.threatened().lines_of_attack),
        (attackers, lines),
        "{position:?}"
    );
}

#[test]
fn contexts_agree_with_their_definitions() {
    on_random_games(60, |position, _| check_context(position));
}

#[test]
fn facts_agree_with_their_definitions() {
    on_random_games(12, |position, last| {
        let context = MoveContext::new(position, last.map(Move::to));
        let them = !position.side();
        for mv in generate::all_legal(position) {
            let facts = MoveFacts::new(&context, mv);
            assert_eq!(context.see(mv), see(position, mv), "{mv} in {position:?}");
            assert_eq!(facts.see.signum(), context.see(mv).signum(), "{mv} in {position:?}");
            assert_eq!(facts.gives_check(), position.gives_check(mv), "{mv} in {position:?}");
            let targets = squares(|square| {
                let Some(target) = position.piece_on(square) else { return false };
                target.color == them
                    && facts.attacks.contains(square)
                    && (Worth::of(target.kind) > Worth::of(facts.after)
                        || !context.plain.theirs.contains(square))
            });
            assert_eq!(facts.targets, targets, "{mv} in {position:?}");
            let mut after = position.clone();
            after.play(mv, &mut ());
            let piece = after.piece_on(mv.to()).unwrap();
            assert_eq!(facts.after, piece.kind);
            assert_eq!(facts.attacks, attacks::of(piece, mv.to(), after.occupied()));
        }
    });
}

#[test]
fn every_legal_move_has_a_category_and_one_split_of_each() {
    on_random_games(40, |position, last| {
        let context = MoveContext::new(position, last.map(Move::to));
        for mv in generate::all_legal(position) {
            let set = context.categories(mv);
            assert!(!set.is_empty(), "{mv} in {position:?}");
            for category in &CATEGORIES {
                let splits = category.first..category.first + category.splits.len();
                assert!(splits.filter(|&split| set.contains(split)).count() <= 1, "{mv} in {position:?}");
            }
        }
    });
}
