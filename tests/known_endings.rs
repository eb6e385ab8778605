//! Published positions and games with a known ending.

use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::piece::HandKind;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::{Declaration, EnteringKingRule, GameEnd, Rules};
use jitsugen::shogi::position::repetition::{HandChange, Sennichite};
use jitsugen::shogi::sfen;

use crate::support::data;

/// Reads `startpos moves ...` or `sfen ... moves ...`; every move must be legal.
fn replay(text: &str) -> Position {
    let (start, moves) = text.split_once(" moves").unwrap_or((text, ""));
    let start = if start == "startpos" { sfen::START } else { start.strip_prefix("sfen ").unwrap() };
    let mut position = sfen::parse(start).unwrap();
    for mv in moves.split_whitespace() {
        play(&mut position, mv);
    }
    position
}

fn play(position: &mut Position, mv: &str) {
    let mv: Move = mv.parse().unwrap();
    assert!(position.is_legal(mv), "{mv} in {position:?}");
    position.play(mv, &mut ());
}

/// The fields of each line of a file.
fn lines(name: &str) -> Vec<Vec<String>> {
    data::read(name).lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn mated_positions_end_the_game() {
    for line in lines("rules/checkmated_positions.sfen") {
        assert_eq!(line[1], "mated=1");
        let position = sfen::parse(&line[0]).unwrap();
        assert!(position.in_check());
        let ending = position.game_end(&Rules::default());
        assert_eq!(ending, Some(GameEnd::NoMoves { loser: position.side() }), "{position:?}");
    }
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn published_positions_have_their_flags() {
    for line in lines("rules/gps_special_positions.txt") {
        let (what, flags) = (line[1].as_str(), line[2].as_str());
        let mut position = replay(line[0].strip_prefix("position ").unwrap());
        assert!(generate::any_legal(&position), "{what}");
        assert_eq!(position.sennichite(), None, "{what}");
        let declared = position.declaration(EnteringKingRule::Points27) == Some(Declaration::Win);
        assert_eq!(declared, flags.contains("nyugyoku27=True"), "{what}");
        let repeated = position.repetition().is_some_and(|found| found.hand == HandChange::Same);
        assert_eq!(repeated, flags.contains("draw=1"), "{what}");
        match what {
            "draw 8f7e" => play(&mut position, "8f7e"),
            "draw by 8e8d 8f7e" => ["8e8d", "8f7e"].into_iter().for_each(|mv| play(&mut position, mv)),
            "in check, limited legal moves" => assert!(position.in_check()),
            _ => {}
        }
        let expected = what.starts_with("draw 8") || what.starts_with("draw by 8");
        assert_eq!(position.sennichite(), expected.then_some(Sennichite::Draw), "{what}");
    }
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn games_of_the_server_end_as_they_did() {
    for line in lines("rules/shogi_server_games.txt") {
        let name = line[0].as_str();
        let position = replay(&line[3]);
        let rules = Rules { max_moves: Some(256), ..Rules::default() };
        let unlimited = position.game_end(&Rules::default());
        match name {
            "jishogi_kachi.csa" => {
                assert_eq!(position.side(), Color::White);
                assert_eq!(position.declaration(EnteringKingRule::Points27), Some(Declaration::Win));
            }
            "max_moves_draw.csa" => {
                assert_eq!((unlimited, position.game_end(&rules)), (None, Some(GameEnd::MaxMoves)));
            }
            // The server of the time called these three drawn; by the rules the side that gave the checks loses.
            // The last move of each was an evasion.
            "oute_sennichite.csa" | "oute_sennichite2.csa" | "oute_sennichite3.csa" => {
                let loser = position.side();
                let expected = GameEnd::Sennichite(Sennichite::PerpetualCheck { loser });
                assert_eq!(unlimited, Some(expected), "{name}");
            }
            // White's next move was a pawn dropped for mate.
            "uchifuzume.csa" => {
                assert!(position.hand(Color::White).has(HandKind::Pawn));
                assert!(!position.is_legal("P*6d".parse().unwrap()));
                assert!(position.is_legal("B*6d".parse().unwrap()));
                assert_eq!(unlimited, None);
            }
            "not_sennichite.csa" => {
                assert_eq!(position.repetition().map(|found| found.hand), Some(HandChange::Same));
                assert_eq!(unlimited, None);
            }
            _ => assert_eq!(unlimited, None, "{name}"),
        }
        if name != "jishogi_kachi.csa" {
            assert_eq!(position.declaration(EnteringKingRule::Points27), None, "{name}");
        }
    }
}

/// For each published start of a repetition the line that its name describes is in `tests/data/repetition.tsv`.
#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn every_published_repetition_has_a_line_of_ours() {
    let own = include_str!("data/repetition.tsv");
    for line in lines("rules/repetition_test_positions.txt") {
        assert!(own.lines().any(|own| own.starts_with(&line[0])), "{}", line[1]);
    }
}
