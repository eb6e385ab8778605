//! The features of moves and the scores of their transition probabilities.

use fastrand::Rng;
use jitsugen::policy::category::SPLITS;
use jitsugen::policy::features::FEATURES;
use jitsugen::policy::move_context::MoveContext;
use jitsugen::policy::plain_context::PlainContext;
use jitsugen::policy::plain_transitions::PlainTransitions;
use jitsugen::policy::scores::Scores;
use jitsugen::policy::transition::Transitions;
use jitsugen::shogi::moves::{Move, Origin};
use jitsugen::shogi::square::Square;

use crate::support::features::{features, on_positions, plain_features};
use crate::support::positions::turned;

fn turned_move(mv: Move) -> Move {
    let to = mv.to().rotated();
    match mv.origin() {
        Origin::Hand(kind) => Move::drop(kind, to),
        Origin::Board(from) if mv.is_promotion() => Move::promoting(from.rotated(), to),
        Origin::Board(from) => Move::board(from.rotated(), to),
    }
}

#[test]
fn a_move_and_the_turned_move_have_the_same_features() {
    for seed in 0..4 {
        on_positions(seed, |position, last, moves| {
            let other = turned(position);
            for &mv in moves {
                let theirs = features(&other, last.map(Square::rotated), turned_move(mv));
                assert_eq!(features(position, last, mv), theirs, "{mv} in {position:?}");
            }
        });
    }
}

/// A move has each feature once at most. Two moves of a position differ in one at least that is no category.
#[test]
fn no_two_moves_have_the_same_features() {
    for seed in 0..4 {
        on_positions(seed, |position, last, moves| {
            let mut seen = Vec::new();
            for &mv in moves {
                let mut features = features(position, last, mv);
                features.sort_unstable();
                assert!(features.is_sorted_by(|one, next| one < next) && features.last() < Some(&FEATURES));
                features.retain(|&feature| feature >= SPLITS);
                assert!(!seen.contains(&features), "{mv}: as another move in {position:?}");
                seen.push(features);
            }
        });
    }
}

#[test]
fn a_score_is_the_sum_of_weights() {
    let mut random = Rng::with_seed(5);
    let weights: Vec<i16> = (0..FEATURES).map(|_| random.usize(..2000) as i16 - 1000).collect();
    let table = Transitions::new(weights.clone()).unwrap();
    on_positions(3, |position, last, moves| {
        let view = MoveContext::new(position, last);
        for &mv in moves {
            let expected: i32 = features(position, last, mv).iter().map(|&at| i32::from(weights[at])).sum();
            let categories = view.categories(mv);
            assert_eq!(table.score(&view, mv), (expected, categories));
            assert_eq!(table.score_if(&view, mv, |_| true), Some((expected, categories)));
            assert_eq!(table.score_if(&view, mv, |found| found != categories), None);
        }
    });
    let bytes = table.encode().unwrap();
    assert!(Transitions::decode(&bytes).unwrap() == table);
    assert_eq!(
        Transitions::new(vec![0; 3]).unwrap_err().to_string(),
        format!("3 weights: expected {FEATURES}")
    );
    for length in [0, 7, 31, 200, bytes.len() - 1] {
        assert!(Transitions::decode(&bytes[..length]).is_err());
    }
}

#[test]
fn plain_features_are_features_but_no_categories() {
    let mut counts = [0; 2];
    on_positions(7, |position, last, moves| {
        for &mv in moves {
            let (all, plain) = (features(position, last, mv), plain_features(position, last, mv));
            assert!(
                plain.iter().all(|feature| *feature >= SPLITS && all.contains(feature)),
                "{mv}: {position:?}"
            );
            // The other features that are no categories: the profit and, for a move on the board, the attackers of its
            // origin.
            let others = all.iter().filter(|&&feature| feature >= SPLITS).count() - plain.len();
            assert_eq!(others, 1 + usize::from(mv.from().is_some()), "{mv}: {position:?}");
            counts[usize::from(mv.from().is_some())] += 1;
        }
    });
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn plain_scores_are_sums_of_weights() {
    let mut random = Rng::with_seed(6);
    let weights: Vec<i16> = (0..FEATURES).map(|_| random.usize(..2000) as i16 - 1000).collect();
    let table = PlainTransitions::new(Transitions::new(weights.clone()).unwrap());
    for seed in 0..10 {
        on_positions(seed, |position, last, moves| {
            let mut scores = Scores::new();
            table.scores(&PlainContext::new(position, last), moves, &mut scores);
            let sum = |mv| plain_features(position, last, mv).iter().map(|&at| i32::from(weights[at])).sum();
            let expected: Vec<i32> = moves.iter().map(|&mv| sum(mv)).collect();
            let scores: Vec<i32> = scores.into_iter().map(i32::from).collect();
            assert_eq!(scores, expected, "{position:?}");
        });
    }
}
