//! SFEN and moves as text: written text reads back, and no text makes the reader panic.

use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::piece::{HandKind, Piece, PieceKind};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::setup::Setup;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;
use proptest::prelude::*;

use crate::support::games::random_game;

fn pieces() -> impl Strategy<Value = Piece> {
    let kinds = prop::sample::select(PieceKind::ALL.to_vec());
    (prop::sample::select(Color::ALL.to_vec()), kinds).prop_map(|(color, kind)| Piece::new(color, kind))
}

/// Pieces anywhere, kings missing or doubled, too many in hand: mostly no position of a game.
fn setups() -> impl Strategy<Value = Setup> {
    let placed = prop::collection::vec((0..Square::COUNT, pieces()), 0..40);
    let hands = prop::collection::vec((any::<bool>(), 0..HandKind::COUNT, 0u8..4), 0..6);
    (placed, hands, any::<bool>(), 1..=u32::MAX).prop_map(|(placed, hands, white, move_number)| {
        let mut setup = Setup { move_number, ..Setup::EMPTY };
        for (square, piece) in placed {
            setup.board[square] = Some(piece);
        }
        for (white, kind, count) in hands {
            setup.hands.0[usize::from(white)][kind] = count;
        }
        setup.side = if white { Color::White } else { Color::Black };
        setup
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn positions_of_games_round_trip((_, position) in random_game(120)) {
        let text = sfen::write(&position);
        let read = sfen::parse(&text).unwrap();
        prop_assert_eq!(read.setup(), position.setup());
        prop_assert_eq!(sfen::write(&read), text);
        prop_assert_eq!((read.key(), read.checkers()), (position.key(), position.checkers()));
    }

    #[test]
    fn valid_setups_round_trip_and_can_be_played(setup in setups()) {
        let Ok(mut position) = Position::new(&setup) else { return Ok(()) };
        let text = sfen::write(&position);
        prop_assert_eq!(sfen::parse_setup(&text), Ok(setup));
        let before = position.setup();
        for mv in generate::all_legal(&position) {
            position.play(mv, &mut ());
            position.undo(mv, &mut ());
            prop_assert_eq!(&position.setup(), &before);
        }
    }

    #[test]
    fn moves_round_trip_as_words_and_as_text(word in any::<u16>()) {
        if let Some(mv) = Move::from_word(word) {
            prop_assert_eq!(mv.word(), word);
            prop_assert_eq!(mv.to_string().parse(), Ok(mv));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        // Every error has a message.
        if let Err(error) = sfen::parse(&text) {
            let message = error.to_string();
            prop_assert!(message.len() > 10 && !message.contains(char::is_control), "{message:?}");
        }
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text);
        }
    }

    #[test]
    fn nearly_an_sfen_is_read_or_refused(
        text in "([1-9]|\\+?[PLNSGBRKplnsgbrk]|/){0,40} ?[bw]? ?([0-9]{0,3}[PLNSGBRKplnsgbrk-]){0,9} ?[0-9]{0,12}"
    ) {
        if let Ok(position) = sfen::parse(&text) {
            prop_assert!(sfen::parse(&sfen::write(&position)).is_ok());
        }
    }

    #[test]
    fn nearly_a_move_is_read_or_refused(text in "[0-9PLNSGBRK*]{0,2}[a-j]?[0-9*]?[a-j]?\\+{0,2}") {
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text);
        }
    }
}

/// The move number stops at its largest value, and undo brings back the number before.
#[test]
fn the_move_number_stops_at_its_largest_value() {
    let mut position = sfen::parse(&sfen::START.replace("- 1", &format!("- {}", u32::MAX))).unwrap();
    let mv = "7g7f".parse().unwrap();
    position.play(mv, &mut ());
    assert_eq!(position.move_number(), u32::MAX);
    position.undo(mv, &mut ());
    assert_eq!(position.move_number(), u32::MAX);
}

/// Some programs write the attacking king that a mate problem lacks among the pieces in hand.
#[test]
fn a_king_that_is_not_on_the_board_may_be_in_a_hand() {
    let with = sfen::parse("9/9/9/9/9/9/+bg7/k8/2G6 b RLPkrb2g4s4n3l17p 1").unwrap();
    assert_eq!(sfen::write(&with), "9/9/9/9/9/9/+bg7/k8/2G6 b RLPrb2g4s4n3l17p 1");
    for too_many in ["2k", "kK"] {
        assert!(sfen::parse(&format!("9/9/9/9/9/9/+bg7/k8/2G6 b {too_many} 1")).is_err());
    }
    assert!(sfen::parse(&sfen::START.replace("b -", "b k")).is_err());
}

/// One character is changed, lost or doubled in a real SFEN.
#[test]
fn damaged_sfens_are_read_or_refused() {
    let text = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    let mut accepted = 0;
    for at in 0..text.len() {
        for c in "19+-/ PKkpbw0é".chars() {
            for damaged in [
                format!("{}{c}{}", &text[..at], &text[at + 1..]),
                format!("{}{c}{}", &text[..at], &text[at..]),
                format!("{}{}", &text[..at], &text[at + 1..]),
            ] {
                accepted += u32::from(sfen::parse(&damaged).is_ok());
            }
        }
    }
    assert!(accepted > 0);
}
