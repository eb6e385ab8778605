//! Playing below full strength: which moves come to the mind of a player of some level, and how far it looks.
//!
//! A level plays in three steps. Moves come to its mind by how probable it is that a person plays them, learned from
//! games of people ([`HumanMoves`]). It searches those alone, for few nodes. It plays the best of them, as far as it has
//! seen. So it misses what people miss: moves that are hard to find do not come to its mind, and answers that are hard
//! to find lie beyond its search, which follows lines by how probable they are. It never blunders on purpose.

use std::fmt;
use std::time::Duration;

use crate::eval::material;
use crate::policy::human_moves::HumanMoves;
use crate::record::Handicap;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::repetition::Sennichite;
use crate::shogi::setup::Setup;

/// The level that plays with all that the engine has.
pub const FULL_STRENGTH: u8 = 20;

/// The values of `USI_Strength`: amateur kyu are negative, amateur dan positive, and 0 counts as the first dan.
pub const STRENGTHS: std::ops::RangeInclusive<i32> = -15..=6;

/// The options about levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkillOptions {
    /// The level, 0 to [`FULL_STRENGTH`], where `strength` does not count.
    pub level: u8,
    /// Whether `strength` counts.
    pub by_strength: bool,
    /// One of [`STRENGTHS`].
    pub strength: i32,
    /// Decides all random choices; 0 for others each time.
    pub seed: u64,
    /// About what an answer takes below full strength.
    pub delay: Duration,
}

impl Default for SkillOptions {
    fn default() -> Self {
        SkillOptions { level: FULL_STRENGTH, by_strength: false, strength: 1, seed: 0, delay: Duration::ZERO }
    }
}

impl SkillOptions {
    /// The level that counts.
    pub fn level(&self) -> u8 {
        if self.by_strength { level_of_strength(self.strength) } else { self.level.min(FULL_STRENGTH) }
    }

    /// How `position` is thought about, choosing from the moves `only` if there are any; `None` at full strength.
    pub fn approach(&self, position: &Position, only: &[Move]) -> Option<Approach> {
        Some(ability_of(self.level())?.approach(position, only, self.delay, &mut self.random(position)))
    }

    /// With a seed the same for the same move of a game, whatever was played elsewhere.
    fn random(&self, position: &Position) -> fastrand::Rng {
        /// Spreads numbers over all bits (Knuth's multiplicative hashing, by the golden ratio).
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        match self.seed {
            0 => fastrand::Rng::new(),
            seed => {
                let place = position.key().0.wrapping_add(u64::from(position.move_number()));
                fastrand::Rng::with_seed(seed.wrapping_mul(SPREAD) ^ place)
            }
        }
    }
}

/// The level of a kyu or dan, in even steps. That is a rough guide: the levels are measured against each other, not against
/// people.
fn level_of_strength(strength: i32) -> u8 {
    // Nobody is 0 kyu or 0 dan.
    let steps =
        if strength < 0 { strength - STRENGTHS.start() } else { strength.max(1) - STRENGTHS.start() - 1 };
    let most = STRENGTHS.end() - STRENGTHS.start() - 1;
    (steps.clamp(0, most) * i32::from(FULL_STRENGTH - 1) / most) as u8
}

/// What a level can do; `None` at full strength.
pub fn ability_of(level: u8) -> Option<&'static Ability> {
    LEVELS.get(usize::from(level))
}

/// What a level can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ability {
    /// How often a move comes to mind; a likely move comes more than once.
    ideas: u32,
    /// The temperature of the probabilities by which moves come to mind, in percent.
    spread: u32,
    /// About how many nodes it searches.
    nodes: u64,
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ability { ideas, spread, nodes } = self;
        write!(f, "ideas {ideas}, spread {spread}, nodes {nodes}")
    }
}

const fn ability(ideas: u32, spread: u32, nodes: u64) -> Ability {
    Ability { ideas, spread, nodes }
}

/// The levels below full strength. Games decide the numbers: each level scores 55 to 75% against the one before
/// (docs/experiments/075-levels.md).
static LEVELS: [Ability; FULL_STRENGTH as usize] = [
    ability(1, 230, 1),
    ability(1, 194, 1),
    ability(1, 163, 1),
    ability(1, 145, 1),
    ability(1, 131, 1),
    ability(1, 116, 1),
    ability(1, 100, 1),
    ability(2, 130, 8),
    ability(2, 104, 19),
    ability(3, 115, 28),
    ability(3, 100, 60),
    ability(4, 100, 85),
    ability(5, 100, 125),
    ability(6, 100, 180),
    ability(7, 100, 260),
    ability(9, 100, 380),
    ability(11, 100, 550),
    ability(13, 100, 800),
    ability(16, 100, 1200),
    ability(20, 100, 1800),
];

/// Up to this move of a game a level has at most [`OPENING_IDEAS`], so that the strong ones open differently, too.
const OPENING: u32 = 16;

/// How often a move comes to mind in the opening at most.
const OPENING_IDEAS: u32 = 2;

/// How one move is thought about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Approach {
    /// The moves that come to mind, at least one where there is a legal move.
    pub candidates: Vec<Move>,
    /// The nodes of the search among them.
    pub nodes: u64,
    /// What the answer takes at least, as far as the clock has it.
    pub delay: Duration,
}

impl Ability {
    fn approach(
        &self,
        position: &Position,
        only: &[Move],
        delay: Duration,
        random: &mut fastrand::Rng,
    ) -> Approach {
        let (ideas, spread) = if is_opening(position) {
            (self.ideas.min(OPENING_IDEAS), self.spread.max(100))
        } else {
            (self.ideas, self.spread)
        };
        let mut moves = HumanMoves::new(position, spread, |mv| {
            (only.is_empty() || only.contains(&mv)) && !loses_by_repetition(position, mv)
        });
        if moves.is_empty() {
            moves = HumanMoves::new(position, spread, |mv| only.is_empty() || only.contains(&mv));
        }
        let mut candidates = Vec::new();
        for mv in (0..ideas).filter_map(|_| moves.draw(random)) {
            if !candidates.contains(&mv) {
                candidates.push(mv);
            }
        }
        // A person does not look equally far at each move.
        let nodes = (self.nodes as f64 * (0.75 + 0.5 * random.f64())) as u64;
        let delay = if delay.is_zero() { delay } else { natural_time(position, delay, random) };
        Approach { candidates, nodes: nodes.max(1), delay }
    }
}

/// Whether `position` is of the first moves of a game, which has to begin as even or handicap games do: GUIs send the number
/// of the first move with a position from the middle of a game, too, if somebody has set it up.
fn is_opening(position: &Position) -> bool {
    let begin = || Setup { move_number: 1, ..start_of_game(position).setup() };
    position.move_number() <= OPENING && Handicap::of(&begin()).is_some()
}

/// The position that the game of `position` began with.
fn start_of_game(position: &Position) -> Position {
    let mut start = position.clone();
    while let Some(last) = start.last_move() {
        start.undo(last, &mut ());
    }
    start
}

/// Whether `mv` is the fourth occurrence of a position after perpetual check: it would lose at once.
fn loses_by_repetition(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.play(mv, &mut ());
    after.sennichite() == Some(Sennichite::PerpetualCheck { loser: position.side() })
}

/// What a person takes for a move, where it takes `usual` on average: less where everybody plays the same, more where much
/// comes into question, and not always the same.
fn natural_time(position: &Position, usual: Duration, random: &mut fastrand::Rng) -> Duration {
    /// Where the entropy of people's moves is this many bits, a move takes the usual time.
    const USUAL_BITS: f64 = 3.0;
    let hard = HumanMoves::new(position, 100, |_| true).entropy() / USUAL_BITS;
    usual.mul_f64((0.25 + 0.75 * hard).min(2.0) * (0.6 + 0.8 * random.f64()))
}

/// What the side to move was behind in material when the game began, in hundredths of a pawn, as in a handicap game; 0
/// where it was not.
pub fn handicap(position: &Position) -> i32 {
    let start = start_of_game(position);
    let ours = match position.side() {
        Color::Black => material::balance(&start),
        Color::White => -material::balance(&start),
    };
    material::hundredths(-ours.min(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::generate;
    use crate::shogi::sfen;

    fn options(level: u8, seed: u64) -> SkillOptions {
        SkillOptions { level, seed, ..SkillOptions::default() }
    }

    #[test]
    fn full_strength_has_no_approach() {
        let start = Position::start();
        assert_eq!(SkillOptions::default().approach(&start, &[]), None);
        assert_eq!(options(FULL_STRENGTH, 1).approach(&start, &[]), None);
        assert!(options(FULL_STRENGTH - 1, 1).approach(&start, &[]).is_some());
    }

    #[test]
    fn kyu_and_dan_rise_with_the_levels_and_stay_below_full_strength() {
        let level =
            |strength| SkillOptions { by_strength: true, strength, ..SkillOptions::default() }.level();
        let levels: Vec<u8> = STRENGTHS.map(level).collect();
        assert!(levels.is_sorted(), "{levels:?}");
        assert_eq!((level(-15), level(6), level(0)), (0, FULL_STRENGTH - 1, level(1)));
        assert_eq!(SkillOptions { by_strength: false, strength: -9, ..options(7, 0) }.level(), 7);
    }

    #[test]
    fn higher_levels_have_more_ideas_and_look_further() {
        for (lower, higher) in LEVELS.iter().zip(&LEVELS[1..]) {
            assert!(lower.ideas <= higher.ideas && lower.nodes <= higher.nodes, "{lower:?} {higher:?}");
        }
    }

    #[test]
    fn a_seed_makes_an_approach_repeatable() {
        let start = Position::start();
        let of = |seed| options(5, seed).approach(&start, &[]).unwrap();
        assert_eq!(of(7), of(7));
        let different: std::collections::HashSet<Move> =
            (1..100).map(|seed| of(seed).candidates[0]).collect();
        assert!(different.len() > 3, "{different:?}");
        let by_clock: std::collections::HashSet<Move> = (0..100).map(|_| of(0).candidates[0]).collect();
        assert!(by_clock.len() > 3, "{by_clock:?}");
    }

    #[test]
    fn candidates_are_legal_and_among_the_moves_asked_for() {
        // In check; with one legal move; and an ordinary one.
        let positions = ["4k4/9/9/9/9/9/9/4r4/4K4 b 2P 1", "k8/9/9/9/9/9/9/1r7/K1g6 b - 1", sfen::START];
        for position in positions.map(|text| sfen::parse(text).unwrap()) {
            let legal = generate::all_legal(&position);
            for level in 0..FULL_STRENGTH {
                let approach = options(level, 3).approach(&position, &[]).unwrap();
                assert!(!approach.candidates.is_empty() && approach.nodes > 0);
                assert!(approach.candidates.iter().all(|mv| legal.contains(mv)), "{approach:?}");
                let last = *legal.last().unwrap();
                let asked = options(level, 3).approach(&position, &[last]).unwrap();
                assert_eq!(asked.candidates, [last]);
            }
        }
    }

    #[test]
    fn a_move_that_loses_by_perpetual_check_does_not_come_to_mind() {
        // White is in check. Black's check brings the same position again after every fourth ply.
        let mut position = sfen::parse("4k4/9/9/9/4R4/9/9/9/8K w - 1").unwrap();
        let check: Move = "4e5e".parse().unwrap();
        for (ply, text) in (1..12).zip(["5a4a", "5e4e", "4a5a", "4e5e"].into_iter().cycle()) {
            position.play(text.parse().unwrap(), &mut ());
            // Before the second, the third and the fourth time.
            if ply % 4 == 3 {
                assert_eq!(loses_by_repetition(&position, check), ply == 11, "ply {ply}");
            }
        }
        for seed in 1..50 {
            let approach = options(0, seed).approach(&position, &[]).unwrap();
            assert!(!loses_by_repetition(&position, approach.candidates[0]));
        }
    }

    #[test]
    fn few_moves_come_to_mind_in_the_opening_of_a_game_and_not_in_an_edited_position() {
        let most = |position: &Position| {
            let candidates = |seed| options(19, seed).approach(position, &[]).unwrap().candidates.len();
            (1..50).map(candidates).max().unwrap()
        };
        let mut game = Position::start();
        assert_eq!(most(&game), 2);
        game.play("7g7f".parse().unwrap(), &mut ());
        assert_eq!(most(&game), 2);
        assert_eq!(most(&Position::new(&Handicap::Two.setup()).unwrap()), 2);
        // GUIs begin to count at 1 where somebody has set up a position. The number of the move does not matter there.
        let ability = ability_of(19).unwrap();
        let of = |number: u32, seed| {
            let position = sfen::parse(&format!("4k4/9/4P4/9/9/9/9/9/4K4 b G {number}")).unwrap();
            ability.approach(&position, &[], Duration::ZERO, &mut fastrand::Rng::with_seed(seed))
        };
        assert!((1..50).all(|seed| of(1, seed) == of(41, seed)));
        assert!((1..50).any(|seed| of(1, seed).candidates.len() > 2));
    }

    #[test]
    fn a_natural_time_is_short_for_the_obvious() {
        let mean = |position: &Position| -> f64 {
            let mut random = fastrand::Rng::with_seed(1);
            let second = Duration::from_secs(1);
            (0..50).map(|_| natural_time(position, second, &mut random).as_secs_f64()).sum::<f64>() / 50.0
        };
        let mut recapture = Position::start();
        for text in ["7g7f", "3c3d", "8h2b+"] {
            recapture.play(text.parse().unwrap(), &mut ());
        }
        let middle =
            sfen::parse("ln1g3nl/1r1s1gk2/p1pppsbpp/1p3pp2/7P1/2PP1PP2/PPBSPS2P/2G1G2R1/LN2K2NL b - 25")
                .unwrap();
        let (obvious, hard) = (mean(&recapture), mean(&middle));
        assert!(obvious < 0.8 && obvious < hard && hard < 2.5, "{obvious} {hard}");
        assert_eq!(options(3, 1).approach(&middle, &[]).unwrap().delay, Duration::ZERO);
    }

    #[test]
    fn a_handicap_is_what_was_given_at_the_start() {
        // Without rook and bishop; White, who moves first, gives them.
        let mut position =
            sfen::parse("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
        let given = material::hundredths(855 + 990);
        assert_eq!(handicap(&position), given);
        position.play("5a6b".parse().unwrap(), &mut ());
        assert_eq!(handicap(&position), 0, "Black is ahead");
        position.play("7g7f".parse().unwrap(), &mut ());
        assert_eq!(handicap(&position), given);
    }
}
