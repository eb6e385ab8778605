//! Repetition: lines with known verdicts, and random games that go back and forth, against a list of whole positions.

use std::collections::HashSet;

use fastrand::Rng;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::moves::{Move, Origin};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::repetition::{HandChange, Repetition, Sennichite};
use jitsugen::shogi::sfen;

use crate::support::twin::Twin;

#[test]
fn known_lines_have_their_verdict() {
    let lines = include_str!("data/repetition.tsv").lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let [start, moves, verdict, hand, occurrences, plies, what] =
            line.split('\t').collect::<Vec<_>>().try_into().expect("seven columns");
        let mut position = sfen::parse(start).unwrap();
        let mut keys = vec![(position.key(), position.board_key())];
        for mv in moves.split(' ') {
            let mv = mv.parse().unwrap();
            assert!(position.is_legal(mv), "{what}: {mv}");
            position.play(mv, &mut ());
            keys.push((position.key(), position.board_key()));
        }
        let expected = match verdict {
            "-" => None,
            "draw" => Some(Sennichite::Draw),
            "black" => Some(Sennichite::PerpetualCheck { loser: Color::Black }),
            "white" => Some(Sennichite::PerpetualCheck { loser: Color::White }),
            other => panic!("verdict {other}"),
        };
        assert_eq!(position.sennichite(), expected, "{what}");
        let found = position.repetition().expect(what);
        let hand = match hand {
            "same" => HandChange::Same,
            "better" => HandChange::Better,
            "worse" => HandChange::Worse,
            other => panic!("hand {other}"),
        };
        assert_eq!(found.hand, hand, "{what}");
        // The columns say the same as the keys of the game: how often the position occurred, and when its board last did.
        let occurred = keys.iter().filter(|(key, _)| *key == position.key()).count();
        assert_eq!(occurred, occurrences.parse::<usize>().unwrap(), "{what}");
        let earlier = keys.len() - 1 - plies.parse::<usize>().unwrap();
        assert_eq!(keys[earlier].1, position.board_key(), "{what}");
    }
}

/// A game as a list of whole positions and of the moves that gave check.
struct Game {
    positions: Vec<Twin>,
    /// Whether the move that led to the position with this index gave check; nothing is known of the first.
    checked: Vec<bool>,
}

impl Game {
    fn now(&self) -> &Twin {
        self.positions.last().expect("there is a first position")
    }

    fn play(&mut self, mv: Move) {
        let after = self.now().after(mv);
        self.checked.push(!after.attackers_of_king(after.side).is_empty());
        self.positions.push(after);
    }

    /// Whether each side's every move after the position with index `since` gave check.
    fn checking(&self, since: usize) -> [bool; 2] {
        Color::ALL.map(|color| {
            let moves = since + 1..self.positions.len();
            // The side to move in a position is not the one whose move led to it.
            moves.filter(|&n| self.positions[n].side != color).all(|n| self.checked[n])
        })
    }

    fn occurrences(&self) -> Vec<usize> {
        (0..self.positions.len()).filter(|&n| self.positions[n] == *self.now()).collect()
    }

    fn sennichite(&self) -> Option<Sennichite> {
        let occurrences = self.occurrences();
        let first = *occurrences.get(occurrences.len().checked_sub(4)?)?;
        Some(match self.checking(first) {
            [true, false] => Sennichite::PerpetualCheck { loser: Color::Black },
            [false, true] => Sennichite::PerpetualCheck { loser: Color::White },
            _ => Sennichite::Draw,
        })
    }

    /// The first index of each position that has occurred three times or more.
    fn thrice(&self) -> Vec<usize> {
        let times =
            |n: usize| self.positions.iter().filter(|position| **position == self.positions[n]).count();
        let is_first = |n: usize| !self.positions[..n].contains(&self.positions[n]);
        (0..self.positions.len()).filter(|&n| is_first(n) && times(n) >= 3).collect()
    }

    fn repetition(&self) -> Option<Repetition> {
        let now = self.now();
        let last = self.positions.len() - 1;
        (0..last).rev().find_map(|n| {
            let then = &self.positions[n];
            if then.board != now.board || then.side != now.side {
                return None;
            }
            let (own, own_then) = (now.hands[now.side.index()], then.hands[now.side.index()]);
            let at_least = |a: [u8; 7], b: [u8; 7]| a.iter().zip(b).all(|(a, b)| *a >= b);
            let hand = match (at_least(own, own_then), at_least(own_then, own)) {
                (true, true) => HandChange::Same,
                (true, false) => HandChange::Better,
                (false, true) => HandChange::Worse,
                (false, false) => return None,
            };
            Some(Repetition { hand, checking: self.checking(n) })
        })
    }
}

/// Often the move that takes back the side's last one, often a check, else any.
fn choose(game: &Game, latest: Option<Move>, rng: &mut Rng) -> Option<Move> {
    let legal = game.now().legal();
    if let Some(latest) = latest
        && let Origin::Board(from) = latest.origin()
        && rng.u32(..4) > 0
        && legal.contains(&Move::board(latest.to(), from))
    {
        return Some(Move::board(latest.to(), from));
    }
    let gives_check = |mv: &&Move| {
        let after = game.now().after(**mv);
        !after.attackers_of_king(after.side).is_empty()
    };
    let checks: Vec<Move> = legal.iter().filter(gives_check).copied().collect();
    if rng.bool() && !checks.is_empty() { rng.choice(checks) } else { rng.choice(legal) }
}

#[test]
fn repetition_agrees_with_a_list_of_positions_in_shuffling_games() {
    let mut rng = Rng::with_seed(7);
    let mut met = std::collections::BTreeMap::new();
    for line in include_str!("data/repetition.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let start = fields[0];
        let given: Vec<Move> = fields[1].split(' ').map(|mv| mv.parse().unwrap()).collect();
        for _ in 0..5 {
            // Some moves of the line, then random ones.
            let mut given = given[..rng.usize(..=given.len())].iter();
            let mut position: Position = sfen::parse(start).unwrap();
            let mut game = Game { positions: vec![Twin::new(&position.setup())], checked: vec![false] };
            let mut moves: Vec<Move> = Vec::new();
            let mut keys = vec![position.key()];
            for _ in 0..80 {
                let latest = moves.len().checked_sub(2).map(|n| moves[n]);
                let Some(mv) = given.next().copied().or_else(|| choose(&game, latest, &mut rng)) else {
                    break;
                };
                position.play(mv, &mut ());
                game.play(mv);
                moves.push(mv);
                assert_eq!(position.repetition(), game.repetition(), "{start} {moves:?}");
                assert_eq!(position.sennichite(), game.sennichite(), "{start} {moves:?}");
                let is_third = game.occurrences().len() >= 3;
                assert_eq!(position.has_occurred_twice_before(), is_third, "{start} {moves:?}");
                keys.push(position.key());
                let thrice: HashSet<u64> = game.thrice().into_iter().map(|n| keys[n].0).collect();
                let found = position.occurred_thrice();
                assert_eq!(found.len(), thrice.len(), "{start} {moves:?}");
                assert!(found.iter().all(|key| thrice.contains(&key.0)), "{start} {moves:?}");
                *met.entry("thrice".to_string()).or_insert(0) += thrice.len();
                if let Some(repetition) = position.repetition() {
                    *met.entry(format!("{:?}", repetition.hand)).or_insert(0) += 1;
                }
                if let Some(sennichite) = position.sennichite() {
                    *met.entry(format!("{sennichite:?}")).or_insert(0) += 1;
                }
            }
        }
    }
    println!("shuffling games: {met:?}");
    assert!(met.len() == 7 && met.values().all(|&count| count > 10), "something hardly ever occurs: {met:?}");
}
