//! Quantization: turns the learned parameters into whole numbers, the terms of an evaluation.

use super::model::{Model, Parameter};
use super::place_tables::PlaceTables;
use super::places::ByKing;
use super::snapshot::Snapshot;
use super::term::Term;
use crate::eval::index::Index;
use crate::eval::sparse::Sparse;
use crate::eval::symmetric;
use crate::eval::table::{Pair, SCALE, add};
use crate::eval::terms::Terms;

/// `base` plus the learned parameters.
pub fn terms(model: &Model, base: &Terms) -> Terms {
    let mut terms = base.clone();
    for (place, entry) in terms.kk.iter_mut().enumerate() {
        add(entry, whole(model.at(Term::Kings, place)));
    }
    for (place, entry) in terms.piece.iter_mut().enumerate() {
        add(entry, whole(model.at(Term::Piece, place)));
    }
    for (place, entry) in terms.king_piece.iter_mut().enumerate() {
        let (near, far) = (model.at(Term::KingPiece, place), model.at(Term::KingPieceRelative, place));
        add(entry, whole(sum(near, far)));
    }
    let mut pairs = Vec::new();
    for one in Index::all() {
        for other in Index::all().take(one.get()) {
            let place = one.get() * Index::COUNT + other.get();
            if symmetric::pair(one, other).key as usize == place {
                let value = sum(model.at(Term::Pair, place), model.at(Term::PairRelative, place));
                pairs.push((place as u32, whole(value)));
            }
        }
    }
    let learned = &mut terms.symmetric;
    merge(&mut learned.pairs, pairs);
    for (term, table) in [
        (Term::KingsPiece, &mut learned.kkp),
        (Term::ZonePair, &mut learned.zones),
        (Term::RelativePair, &mut learned.relative),
        (Term::KingPair, &mut learned.kpp),
    ] {
        if let Some((_, keys)) = model.keys().find(|(spread, _)| spread.term == term) {
            merge(table, keys.iter().map(|&key| (key, whole(model.at(term, key as usize)))).collect());
        }
    }
    terms
}

/// How far the whole numbers are from the learned parameters: the root of the mean square and the largest difference, in
/// units, over these positions. Two terms that share a table are taken as if each were rounded.
pub fn rounding_error<'a>(
    model: &mut Model,
    positions: impl Iterator<Item = &'a Snapshot>,
    threads: usize,
) -> (f64, f64) {
    let positions: Vec<&Snapshot> = positions.collect();
    let sorted = ByKing::new(&positions);
    let mut tables = PlaceTables::of(model, &positions, threads);
    let before = tables.learned(&positions, &sorted);
    let parameters = model.parameters.clone();
    for parameter in &mut model.parameters {
        *parameter = whole(*parameter).map(|part| part as f32 / SCALE as f32);
    }
    tables.set(model);
    let (mut squares, mut largest) = (0.0, 0f64);
    for (after, before) in tables.learned(&positions, &sorted).into_iter().zip(&before) {
        let error = (after - before).abs();
        squares += error * error;
        largest = largest.max(error);
    }
    model.parameters = parameters;
    ((squares / before.len().max(1) as f64).sqrt(), largest)
}

fn sum(one: Parameter, other: Parameter) -> Parameter {
    [one[0] + other[0], one[1] + other[1]]
}

/// In 1/32 of a unit.
fn whole(parameter: Parameter) -> Pair<i32> {
    parameter.map(|part| (part * SCALE as f32).round() as i32)
}

/// Adds entries, and removes those that are zero.
fn merge(table: &mut Sparse, more: Vec<(u32, Pair<i32>)>) {
    let all = Sparse::new(table.iter().chain(more).collect());
    *table = Sparse::new(all.iter().filter(|&(_, value)| value != [0; 2]).collect());
}
