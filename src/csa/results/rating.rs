//! A rating from scores, with its error.

/// Ratings further from the opponents' than this are not told apart: the score would have to be 99.99%.
const FURTHEST: f64 = 1600.0;

/// The normal distribution has 95% within so many standard deviations.
const DEVIATIONS: f64 = 1.96;

/// Games against an opponent of one rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// The opponent's rating, in Elo points.
    pub opponent: f64,
    /// How many games.
    pub games: u32,
    /// Points won: a win has 1, a draw half a point.
    pub points: f64,
}

/// A rating in Elo points, and the interval that has the true one with 95%. A bound that the games do not show is
/// infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The rating with which the points are the expected ones; infinite where all games were won or lost.
    pub rating: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The rating that the scores show; `None` without games.
///
/// The rating is the most probable one (Elo 1978; a draw counts as half a win). The interval has all ratings for which the
/// points are less than 1.96 standard deviations from the expected ones. Against opponents of one rating it is the
/// interval of Wilson 1927, which is of use after few games and after nothing but wins as well.
pub fn estimate(scores: &[Score]) -> Option<Estimate> {
    let ratings = || scores.iter().filter(|score| score.games > 0).map(|score| score.opponent);
    let lowest = ratings().reduce(f64::min)? - FURTHEST;
    let highest = ratings().reduce(f64::max)? + FURTHEST;
    let crossing = |deviations: f64| {
        let is_above = |rating| deviation(scores, rating) < deviations;
        if is_above(lowest) {
            f64::NEG_INFINITY
        } else if !is_above(highest) {
            f64::INFINITY
        } else {
            bisect(lowest, highest, is_above)
        }
    };
    Some(Estimate { rating: crossing(0.0), low: crossing(DEVIATIONS), high: crossing(-DEVIATIONS) })
}

/// By how many standard deviations the points are more than a player of this rating expects.
fn deviation(scores: &[Score], rating: f64) -> f64 {
    let (mut more, mut variance) = (0.0, 0.0);
    for score in scores {
        let expected = 1.0 / (1.0 + 10_f64.powf((score.opponent - rating) / 400.0));
        more += score.points - f64::from(score.games) * expected;
        variance += f64::from(score.games) * expected * (1.0 - expected);
    }
    more / variance.sqrt()
}

/// Where `is_above` becomes true between `low` and `high`.
fn bisect(mut low: f64, mut high: f64, is_above: impl Fn(f64) -> bool) -> f64 {
    // After 60 halves the difference is below what a number of this size can show.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if is_above(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(opponent: f64, games: u32, points: f64) -> Estimate {
        estimate(&[Score { opponent, games, points }]).unwrap()
    }

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.5, "{found}, expected {expected}");
    }

    #[test]
    fn without_games_there_is_no_estimate() {
        assert_eq!(estimate(&[]), None);
        assert_eq!(estimate(&[Score { opponent: 0.0, games: 0, points: 0.0 }]), None);
    }

    #[test]
    fn one_opponent_has_the_interval_of_wilson() {
        let elo = |share: f64| -400.0 * (1.0 / share - 1.0).log10();
        for (games, points) in [(10, 5.0), (12, 7.5), (200, 131.5), (3, 1.0)] {
            let (n, z) = (f64::from(games), DEVIATIONS);
            let share = points / n;
            let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
            let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
            let found = against(0.0, games, points);
            assert_near(found.rating, elo(share));
            assert_near(found.low, elo(middle - half));
            assert_near(found.high, elo(middle + half));
        }
    }

    #[test]
    fn all_games_won_give_a_lower_bound_alone() {
        let found = against(0.0, 7, 7.0);
        assert_eq!((found.rating, found.high), (f64::INFINITY, f64::INFINITY));
        assert_near(found.low, 400.0 * (7.0 / (DEVIATIONS * DEVIATIONS)).log10());
        let lost = against(0.0, 7, 0.0);
        assert_eq!((lost.rating, lost.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert_near(lost.high, -found.low);
    }

    #[test]
    fn opponents_of_other_ratings_shift_the_estimate() {
        assert_near(against(1500.0, 10, 5.0).rating, 1500.0);
        let two = [(1400.0, 10, 7.0), (1700.0, 10, 3.0)];
        let scores = two.map(|(opponent, games, points)| Score { opponent, games, points });
        let found = estimate(&scores).unwrap();
        assert_near(found.rating, 1550.0);
        let one = against(1550.0, 20, 10.0);
        assert!(found.low < one.rating && found.high > one.rating && found.low > 1300.0, "{found:?}");
    }

    #[test]
    fn more_games_narrow_the_interval() {
        let width = |games| {
            let found = against(0.0, games, f64::from(games) / 2.0);
            found.high - found.low
        };
        assert!(width(400) < width(100) / 1.8 && width(100) < width(25) / 1.7);
    }
}
