//! The mean of several evaluations. What only one has learned by chance counts less in it than what all have learned.

use std::fmt;

use super::sparse::Sparse;
use super::symmetric::Symmetric;
use super::table::Pair;
use super::terms::Terms;

/// Why evaluations have no mean in the form of terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMean {
    /// There are no evaluations.
    Nothing,
    /// They were not learned from the same start: their values of [`Terms::larger`] differ.
    DifferentStarts,
}

impl fmt::Display for NoMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoMean::Nothing => "no evaluation: expected one at least",
            NoMean::DifferentStarts => "expected evaluations that were learned from the same start",
        })
    }
}

impl std::error::Error for NoMean {}

/// The mean of `all`, entry by entry, each rounded to the nearest. Except for rounding and for values beyond 16 bits it
/// expands to the mean of the tables.
///
/// # Errors
/// See [`NoMean`].
pub fn mean(all: &[Terms]) -> Result<Terms, NoMean> {
    let first = all.first().ok_or(NoMean::Nothing)?;
    if all.iter().any(|terms| terms.larger != first.larger) {
        return Err(NoMean::DifferentStarts);
    }
    Ok(Terms {
        kk: dense(all, |terms| &terms.kk),
        piece: dense(all, |terms| &terms.piece),
        king_piece: dense(all, |terms| &terms.king_piece),
        larger: first.larger.clone(),
        pairs: sparse(all, |terms| &terms.pairs),
        symmetric: Symmetric {
            kkp: sparse(all, |terms| &terms.symmetric.kkp),
            pairs: sparse(all, |terms| &terms.symmetric.pairs),
            zones: sparse(all, |terms| &terms.symmetric.zones),
            relative: sparse(all, |terms| &terms.symmetric.relative),
            kpp: sparse(all, |terms| &terms.symmetric.kpp),
        },
        kkp: sparse(all, |terms| &terms.kkp),
        kpp: sparse(all, |terms| &terms.kpp),
    })
}

fn dense(all: &[Terms], table: impl Fn(&Terms) -> &Vec<Pair<i32>>) -> Vec<Pair<i32>> {
    (0..table(&all[0]).len())
        .map(|place| of(all.iter().map(|terms| table(terms)[place]), all.len()))
        .collect()
}

fn sparse(all: &[Terms], table: impl Fn(&Terms) -> &Sparse) -> Sparse {
    let mut entries: Vec<(u32, Pair<i32>)> = all.iter().flat_map(|terms| table(terms).iter()).collect();
    entries.sort_by_key(|&(key, _)| key);
    let same = entries.chunk_by(|one, other| one.0 == other.0);
    Sparse::new(same.map(|same| (same[0].0, of(same.iter().map(|&(_, value)| value), all.len()))).collect())
}

/// The mean of `count` values; those that are not given are zero.
fn of(values: impl Iterator<Item = Pair<i32>>, count: usize) -> Pair<i32> {
    let sums = values.fold([0.0; 2], |sum, value| [0, 1].map(|part| sum[part] + f64::from(value[part])));
    sums.map(|sum| (sum / count as f64).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::super::index::Index;
    use super::super::relative::{Relative, pair_key};
    use super::super::symmetric;
    use super::super::table::Table;
    use super::super::weights::kpp_key;
    use super::super::yss;
    use super::*;
    use crate::shogi::square::Square;

    const HANDS: usize = Index::HANDS;

    const CORNER: Square = Square::from_index(0).unwrap();

    /// Some entries in every table, of pieces in hand.
    fn terms(random: &mut fastrand::Rng) -> Terms {
        let mut terms = Terms::default();
        for table in [&mut terms.kk, &mut terms.piece, &mut terms.king_piece] {
            table.iter_mut().for_each(|entry| *entry = [random.i32(-900..900), random.i32(-90..90)]);
        }
        let mut entries = <[Vec<(u32, Pair<i32>)>; 8]>::default();
        for king in Square::all() {
            for one in Index::all().take(HANDS) {
                let other = Index::new(random.usize(0..HANDS)).expect("a piece");
                let relative = [one, other].map(|piece| Relative::of(king, piece));
                let keys = [
                    symmetric::kings_piece(CORNER, king, one).key,
                    symmetric::pair(one, other).key,
                    symmetric::zone_pair(king, one, other),
                    symmetric::relative_pair(relative[0], relative[1]),
                    symmetric::king_pair(king, one, other),
                    pair_key(relative[0], relative[1]),
                    (king.index() * Index::COUNT + one.get()) as u32,
                    kpp_key(king, one, other),
                ];
                for (table, key) in entries.iter_mut().zip(keys) {
                    table.push((key, [random.i32(-30..30), random.i32(-9..9)]));
                }
            }
        }
        let [kkp, pairs, zones, relative, kpp, own_pairs, own_kkp, own_kpp] = entries.map(Sparse::new);
        let symmetric = Symmetric { kkp, pairs, zones, relative, kpp };
        Terms { symmetric, pairs: own_pairs, kkp: own_kkp, kpp: own_kpp, ..terms }
    }

    #[test]
    fn tables_of_the_mean_are_the_mean_of_the_tables() {
        let mut random = fastrand::Rng::with_seed(4);
        let all: Vec<Terms> = (0..3).map(|_| terms(&mut random)).collect();
        let mean = mean(&all).expect("they have the same start");
        // The mean is rounded once for each term that an entry is made of.
        let check = |entry: &dyn Fn(&Terms) -> Pair<i32>, terms: i32| {
            let (found, all) = (entry(&mean), all.iter().map(entry).collect::<Vec<_>>());
            for part in 0..2 {
                let sum: i32 = all.iter().map(|entry| entry[part]).sum();
                assert!((3 * found[part] - sum).abs() * 2 <= 3 * terms, "{found:?} of {all:?}");
            }
            u32::from(found != [0; 2])
        };
        let mut pairs = 0;
        for king in Square::all() {
            assert_eq!(check(&|terms| terms.kk(CORNER, king), 1), 1);
            for one in Index::all().take(HANDS) {
                check(&|terms| terms.kkp(CORNER, king, one), 5);
                for other in Index::all().take(one.get()) {
                    pairs += check(&|terms| terms.kpp(king, one, other).map(i32::from), 6);
                }
            }
        }
        assert!(pairs > 10_000, "{pairs}");
    }

    #[test]
    fn the_mean_of_equal_terms_is_the_same_terms() {
        // These terms have entries that are zero.
        let same = [yss::terms(), yss::terms(), yss::terms()];
        assert!(mean(&same).as_ref() == Ok(&same[0]));
        assert!(mean(&same[..1]).as_ref() == Ok(&same[0]));
    }

    #[test]
    fn evaluations_with_different_starts_are_refused() {
        let all = [Terms::default(), Terms { larger: vec![1; 2], ..Terms::default() }];
        assert_eq!(mean(&all), Err(NoMean::DifferentStarts));
        assert_eq!(mean(&[]), Err(NoMean::Nothing));
    }
}
