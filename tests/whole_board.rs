//! The whole-board exchange against the numbers of the paper on SUPER-SOMA, on positions in which what its text says
//! holds.
//!
//! The pictures of the paper are lost: the positions were built from its text. Where it prints numbers that contradict
//! each other, docs/internals/whole-board-exchange.md says which ones and why the others are here.

use jitsugen::exchange::whole_board::WholeBoard;
use jitsugen::exchange::whole_board::entry::{Entry, EntryKind, Reason, Trigger};
use jitsugen::exchange::whole_board::line::{Line, Purpose};
use jitsugen::exchange::whole_board::piece_values::PieceValues;
use jitsugen::exchange::whole_board::tie::TieKind;
use jitsugen::shogi::moves::{Move, Origin};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;

use crate::support::positions::turned;

const EXAMPLE_1: [&str; 2] = [
    "5k1n1/3p5/3n1b3/3r1Sp2/9/3L2N2/1P1P5/6K2/9 w - 1",
    "gll1pk1ns/sn1p5/pp1n1b1p1/3r1Sp1p/P1p2p3/3L2NP1/1PPPPPP1P/3S1GK2/B3GRL1G w - 1",
];

const EXAMPLE_2: [&str; 2] = [
    "7nk/s8/9/p2p2R2/9/3rpSpl1/1P1S1p3/1GPbG2L1/LL3K1S1 w bg 1",
    "1gn1n2nk/s8/1np4pp/pp1p2R2/4PP3/3rpSpl1/1P1S1p3/1GPbG2L1/LL3KPS1 w bg 1",
];

static PAPER: PieceValues = PieceValues::PAPER;

/// A position of the paper, where White is to move, and the turned one, where Black is. Squares and moves of the turned
/// one are given back as White sees them.
struct Case {
    whole: WholeBoard<'static>,
    turned: bool,
}

impl Case {
    fn both(text: &str) -> [Case; 2] {
        let position = sfen::parse(text).expect("a position");
        assert!(!position.in_check(), "{text}");
        let mirrored = turned(&position);
        [(position, false), (mirrored, true)]
            .map(|(position, turned)| Case { whole: WholeBoard::new(&position, &PAPER), turned })
    }

    fn square(&self, square: Square) -> Square {
        if self.turned { square.rotated() } else { square }
    }

    /// A move with the squares of the paper.
    fn text(&self, mv: Move) -> String {
        let to = self.square(mv.to());
        let mv = match mv.origin() {
            Origin::Hand(kind) => Move::drop(kind, to),
            Origin::Board(from) if mv.is_promotion() => Move::promoting(self.square(from), to),
            Origin::Board(from) => Move::board(self.square(from), to),
        };
        mv.to_string()
    }

    /// The entries: move, value, first value and weight. A capture by the guard of a mate is no move.
    fn rows(&self, active: bool) -> Vec<(String, i32, i32, i32)> {
        let forbidden = -PAPER.mate() / 2;
        let shown = |entry: &&Entry| entry.active == active && entry.value > forbidden;
        let mut rows: Vec<_> = self
            .whole
            .table
            .entries
            .iter()
            .filter(shown)
            .map(|entry| (self.text(entry.mv), entry.value, entry.first, entry.weight))
            .collect();
        rows.sort();
        rows
    }

    fn entry(&self, text: &str) -> &Entry {
        let found = self.whole.table.entries.iter().find(|entry| self.text(entry.mv) == text);
        found.unwrap_or_else(|| panic!("no entry {text}"))
    }

    /// The cross-references of an entry: from which move, how much, and why.
    fn credits(&self, text: &str) -> Vec<(String, i32, Reason)> {
        let mut credits: Vec<_> = self
            .entry(text)
            .credits
            .iter()
            .map(|credit| {
                let from =
                    credit.from.map_or(String::new(), |place| self.text(self.whole.table.entries[place].mv));
                (from, credit.amount, credit.reason)
            })
            .collect();
        credits.sort();
        credits
    }

    fn ties(&self) -> Vec<(TieKind, String, String, i32)> {
        let text = |square| self.square(square).to_string();
        let mut ties: Vec<_> = self
            .whole
            .table
            .ties
            .iter()
            .map(|tie| (tie.kind, text(tie.holder), text(tie.target), tie.value))
            .collect();
        ties.sort();
        ties
    }

    /// The moves of a line and what each gains, with `-` for a pass.
    fn line(&self, line: &Line) -> Vec<(String, i32)> {
        line.steps
            .iter()
            .map(|step| (step.mv.map_or("-".to_string(), |mv| self.text(mv)), step.gain))
            .collect()
    }

    fn first_run(&self) -> Vec<(String, i32)> {
        self.line(&self.whole.first_run)
    }
}

fn rows(wanted: &[(&str, i32, i32, i32)]) -> Vec<(String, i32, i32, i32)> {
    let mut rows: Vec<_> =
        wanted.iter().map(|&(mv, value, first, weight)| (mv.to_string(), value, first, weight)).collect();
    rows.sort();
    rows
}

fn line(wanted: &[(&str, i32)]) -> Vec<(String, i32)> {
    wanted.iter().map(|&(mv, gain)| (mv.to_string(), gain)).collect()
}

fn credits(wanted: &[(&str, i32, Reason)]) -> Vec<(String, i32, Reason)> {
    let mut credits: Vec<_> =
        wanted.iter().map(|&(mv, amount, reason)| (mv.to_string(), amount, reason)).collect();
    credits.sort();
    credits
}

#[test]
fn the_papers_values_are_those_of_its_table() {
    use jitsugen::shogi::piece::PieceKind::*;
    let given = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King].map(|kind| PAPER.on_board(kind));
    assert_eq!(given, [52, 120, 120, 200, 220, 360, 480, 3999]);
    let promoted = [ProPawn, ProLance, ProKnight, Horse, Dragon].map(|kind| PAPER.on_board(kind));
    assert_eq!(promoted, [240, 230, 230, 460, 550]);
    // "s 4d-5c 20" and "s 4dxB4c 740" give the silver's.
    assert_eq!((PAPER.promotion(Silver), PAPER.captured(Bishop) + PAPER.promotion(Silver)), (20, 740));
}

/// Printed: 152 for B4cxp8g, where 204 follows from the values; it is the 204 that the printed 944 of s4dxB4c has. The
/// printed 892 has the 152.
#[test]
fn example_1_has_the_papers_table() {
    for case in EXAMPLE_1.iter().flat_map(|text| Case::both(text)) {
        let wanted = [
            ("6f6d", 960, 960, 960),
            ("4d4c+", 740, 740, 944),
            ("6d4d", -560, 400, 1160),
            ("6d6f", -720, 240, 240),
            ("4c8g+", 204, 204, 944),
            ("4d5c+", 20, 20, 20),
        ];
        assert_eq!(case.rows(true), rows(&wanted));
        assert_eq!(case.rows(false), []);
    }
}

#[test]
fn example_1_has_the_papers_cross_references() {
    use Reason::{Escapes, TakesCapturer};
    for case in EXAMPLE_1.iter().flat_map(|text| Case::both(text)) {
        assert_eq!(case.credits("4d4c+"), credits(&[("4c8g+", 204, TakesCapturer)]));
        let wanted = [("6f6d", 960, Escapes), ("4d4c+", 740, TakesCapturer), ("4d5c+", 20, TakesCapturer)];
        assert_eq!(case.credits("6d4d"), credits(&wanted));
        // Both reasons hold; the paper counts the entry once.
        assert_eq!(case.credits("6d6f"), credits(&[("6f6d", 960, TakesCapturer)]));
        assert_eq!(case.credits("4c8g+"), credits(&[("4d4c+", 740, Escapes)]));
        assert_eq!(case.credits("6f6d"), []);
        assert_eq!(case.credits("4d5c+"), []);
    }
}

#[test]
fn example_1_has_the_papers_columns() {
    for mut case in EXAMPLE_1.iter().flat_map(|text| Case::both(text)) {
        case.whole.find_answers();
        let answers = |text: &str| {
            let answers = case.entry(text).answers;
            (answers.block, answers.defend, answers.run)
        };
        for text in ["6f6d", "4d4c+", "4c8g+"] {
            assert_eq!(answers(text), (false, false, true), "{text}");
        }
        assert_eq!(answers("4d5c+"), (false, true, false));
    }
}

/// Printed: 400 960 152 and -408; with the 204 that follows from the values it is -356.
#[test]
fn example_1_has_the_papers_line() {
    for case in EXAMPLE_1.iter().flat_map(|text| Case::both(text)) {
        let wanted = [("6d4d", 400), ("3f4d", 960), ("4c8g+", 204), ("-", 0), ("-", 0)];
        assert_eq!(case.first_run(), line(&wanted));
        assert_eq!(case.whole.line().net, -356);
        assert_eq!(case.whole.line().net - (204 - 152), -408);
        assert!(case.whole.first_is_kept());
    }
}

#[test]
fn example_2_has_the_papers_pins_and_ties() {
    for case in Case::both(EXAMPLE_2[0]) {
        let mut printed = vec![
            (TieKind::Pin, "9d", "9b"),
            (TieKind::Material, "6f", "6d"),
            (TieKind::Material, "6f", "5f"),
            (TieKind::Material, "5h", "6g"),
            (TieKind::Mate, "5h", "4h"),
            (TieKind::Promotion, "4f", "5g"),
            (TieKind::Promotion, "4f", "3g"),
            (TieKind::Pin, "2h", "2i"),
            (TieKind::Material, "2i", "2h"),
        ];
        let ties = case.ties();
        for (kind, holder, target) in &printed {
            let found =
                ties.iter().find(|tie| (tie.0, tie.1.as_str(), tie.2.as_str()) == (*kind, *holder, *target));
            assert!(found.is_some_and(|tie| tie.3 > 0), "{kind:?} {holder} {target}");
        }
        // The gold on 5h guards 5g as well.
        printed.push((TieKind::Promotion, "5h", "5g"));
        assert_eq!(ties.len(), printed.len(), "{ties:?}");
    }
}

/// Printed otherwise: g5hxP4g -312, which no value of the gold gives together with the others; P3f-3g 376, the sum of the
/// two promotions that its weight of 188 contradicts; R6f-6e, a quiet move with a weight of 0.
#[test]
fn example_2_has_the_papers_table() {
    for case in EXAMPLE_2.iter().flat_map(|text| Case::both(text)) {
        let wanted = [
            ("B*1f", 960, 960, 960),
            ("6h4f+", 500, 500, 876),
            ("6f6g+", 470, 470, 1430),
            ("6h7i+", 100, 100, 100),
            ("2f2h", 0, 240, 240),
            ("6g6f", 960, 960, 1430),
            ("2h2f", 240, 240, 240),
            ("9i9d", 104, 104, 104),
            ("3d3f", 104, 104, 1564),
            ("3d3a+", 70, 70, 1030),
            ("6g5f", -192, 104, 278),
            ("5h4g", -366, 104, -366),
            ("3d6d", -752, 104, 208),
        ];
        assert_eq!(case.rows(true), rows(&wanted));
        assert_eq!(case.rows(false), rows(&[("3f3g+", 188, 188, 188), ("5f5g+", 188, 188, 188)]));
    }
}

#[test]
fn example_2_credits_defences_escapes_and_what_is_set_free() {
    use Reason::{Defends, Escapes, TakesCapturer, Unties};
    for case in EXAMPLE_2.iter().flat_map(|text| Case::both(text)) {
        assert_eq!(case.credits("3d3f"), credits(&[("6h4f+", 500, Defends), ("B*1f", 960, Escapes)]));
        assert_eq!(case.credits("3d3a+"), credits(&[("B*1f", 960, Escapes)]));
        assert_eq!(case.credits("6h4f+"), credits(&[("3f3g+", 188, Unties), ("5f5g+", 188, Unties)]));
        assert_eq!(case.credits("6f6g+"), credits(&[("6g6f", 960, TakesCapturer)]));
        assert_eq!(case.credits("6g5f"), credits(&[("6f6g+", 470, Escapes)]));
        assert_eq!(case.credits("B*1f"), []);
    }
}

/// Printed: 456; the printed moves come to 466.
#[test]
fn example_2_has_the_papers_line() {
    for case in EXAMPLE_2.iter().flat_map(|text| Case::both(text)) {
        let wanted = [
            ("6f6g+", 470),
            ("3d3f", 104),
            ("2f2h", 240),
            ("2i2h", 240),
            ("9b9c", 0),
            ("-", 0),
            ("6h7i+", 100),
            ("-", 0),
            ("-", 0),
        ];
        assert_eq!(case.first_run(), line(&wanted));
        assert_eq!(case.whole.first_run.net, 466);
        let purpose = case.whole.first_run.steps[4].purpose;
        assert!(matches!(purpose, Purpose::Neutralises(threat) if case.text(threat) == "9i9d"));
    }
}

/// Printed: -152 for g4e-3e, the capture of a pawn counted once as in the first example; no such move is worth playing.
#[test]
fn a_capture_with_check_comes_before_a_dearer_one() {
    for case in Case::both("7k1/9/5p1b1/9/5G3/9/5P3/2P1g3K/3R5 w - 1") {
        let values: Vec<_> = case.rows(true).into_iter().map(|(mv, value, ..)| (mv, value)).collect();
        assert_eq!(values, line(&[("2c4e", 440), ("5h6i", 960), ("6i6a+", 70)]));
        assert_eq!(case.credits("5h6i"), credits(&[("6i6a+", 70, Reason::TakesCapturer)]));
        assert!(case.entry("2c4e").check && !case.entry("5h6i").check);
        let moves = case.first_run();
        assert_eq!((&moves[0], &moves[2]), (&("2c4e".to_string(), 440), &("5h6i".to_string(), 960)));
        assert_eq!(moves[1].1, 0);
        assert_eq!(case.whole.line().net, 1400);
    }
}

#[test]
fn without_the_check_the_dearer_capture_comes_first() {
    for case in Case::both("7k1/9/5p1b1/9/5G3/9/5P3/2P1g4/3R4K w - 1") {
        assert!(!case.entry("2c4e").check);
        assert_eq!(case.entry("2c4e").value, 440);
        assert_eq!(case.first_run()[0], ("5h6i".to_string(), 960));
        assert_eq!(case.whole.line().net, 960);
    }
}

/// Printed: 330 for B2bxl9i, where 340 follows from the values.
#[test]
fn a_capture_leads_to_the_next_one_generation_deep() {
    for case in Case::both("7k1/1g5b1/9/9/9/9/9/2N6/LNS1K4 w - 1") {
        assert_eq!(case.rows(true), rows(&[("2b9i+", 340, 340, 690), ("9i9a+", 110, 110, 450)]));
        // The silver on 7i, which the horse would attack from 8i, is in no entry.
        assert_eq!(case.rows(false), rows(&[("9i8i", 240, 240, 240)]));
        assert!(
            matches!(case.entry("9i8i").trigger, Some(Trigger::Follows(parent)) if case.text(parent) == "2b9i+")
        );
        let wanted = [("9i8i", 240, Reason::Triggers), ("9i9a+", 110, Reason::TakesCapturer)];
        assert_eq!(case.credits("2b9i+"), credits(&wanted));
        assert_eq!(case.first_run()[..2], line(&[("2b9i+", 340), ("8i9g", 0)]));
    }
}

#[test]
fn a_defended_piece_is_not_the_next_to_be_taken() {
    for case in Case::both("7k1/1g5b1/9/9/9/9/9/2N6/LNG1K4 w - 1") {
        assert_eq!(case.rows(true), rows(&[("2b9i+", 340, 340, 450), ("9i9a+", 110, 110, 450)]));
        assert_eq!(case.rows(false), []);
        assert_eq!(case.first_run(), line(&[("2b9i+", 340), ("-", 0), ("-", 0)]));
    }
}

#[test]
fn of_two_attackers_the_uncommitted_one_captures() {
    for case in Case::both("b1k6/2g2G3/4s4/3R5/2p1p4/9/9/7K1/9 w - 1") {
        let values: Vec<_> = case.rows(true).into_iter().map(|(mv, value, ..)| (mv, value)).collect();
        assert_eq!(values, line(&[("5c4b", 440), ("5c6d", 960), ("9a6d", 960)]));
        assert_eq!(case.credits("5c6d"), credits(&[("5c4b", -440, Reason::Committed)]));
        assert_eq!(case.first_run()[0], ("9a6d".to_string(), 960));
        assert_eq!(case.whole.line().net, 960);
    }
}

#[test]
fn an_uncommitted_silver_captures_before_the_bishop() {
    for case in Case::both("b1k6/2g3G2/4s4/3R5/2p1p4/9/9/7K1/9 w - 1") {
        assert_eq!(case.rows(true), rows(&[("5c6d", 960, 960, 960), ("9a6d", 960, 960, 960)]));
        assert_eq!(case.first_run()[0], ("5c6d".to_string(), 960));
    }
}

#[test]
fn a_capture_that_also_defends_is_preferred() {
    for case in Case::both("3k5/9/9/9/s8/5b3/9/3N3G1/R4K3 w - 1") {
        let wanted = [
            ("4f2h+", 540, 540, 540),
            ("4f6h+", 340, 340, 740),
            ("4f5g+", 100, 100, 100),
            ("9i9e", 400, 400, 400),
        ];
        assert_eq!(case.rows(true), rows(&wanted));
        assert_eq!(case.credits("4f6h+"), credits(&[("9i9e", 400, Reason::Defends)]));
        assert_eq!(case.first_run(), line(&[("4f6h+", 340), ("-", 0), ("-", 0)]));
    }
}

#[test]
fn what_is_defended_already_needs_no_defence() {
    for case in Case::both("3k5/9/9/p8/s8/5b3/9/3N3G1/R4K3 w - 1") {
        assert_eq!(case.entry("9i9e").value, -560);
        assert_eq!(case.credits("4f6h+"), []);
        assert_eq!(case.first_run()[0], ("4f2h+".to_string(), 540));
        assert_eq!(case.whole.line().net, 540);
    }
}

#[test]
fn a_piece_without_safe_squares_runs_to_where_its_taker_is_retaken() {
    for mut case in Case::both("3g5/1+R5S1/4bnrp1/5pp2/9/9/9/P8/5K2k w - 1") {
        assert_eq!(case.entry("2b3c+").value, 980);
        assert_eq!(case.first_run(), line(&[("3c3a", 0), ("2b3a", 960), ("5c3a", 400), ("-", 0), ("-", 0)]));
        assert_eq!(case.whole.line().net, -560);
        case.whole.find_answers();
        let answers = case.entry("2b3c+").answers;
        assert!(answers.immobile && !answers.any());
    }
}

#[test]
fn a_piece_that_is_lost_on_every_square_does_not_run_there() {
    for case in Case::both("3g5/1+R5S1/4gnrp1/5pp2/9/9/9/P8/5K2k w - 1") {
        assert_eq!(case.entry("2b3c+").value, 980);
        assert_ne!(case.first_run()[0].0, "3c3a");
    }
}

#[test]
fn the_second_run_rejects_the_first_choice_and_the_better_line_is_kept() {
    // Taking the gold, which weighs more alone, would lose the silver.
    for case in Case::both("3k5/9/9/9/s8/5b3/9/3N3G1/R4K3 w - 1") {
        let second = case.whole.second_run.as_ref().expect("a second run");
        assert_eq!(case.line(second), line(&[("4f2h+", 540), ("9i9e", 400), ("-", 0), ("-", 0)]));
        assert!(case.whole.first_is_kept());
        assert_eq!(case.whole.line(), &case.whole.first_run);
    }
}

#[test]
fn a_drop_that_mates_is_predicted() {
    for text in ["8k/9/8P/9/9/9/9/9/4K4 b G 1", "4k4/9/9/9/9/9/p8/9/K8 w g 1"] {
        let whole = WholeBoard::new(&sfen::parse(text).unwrap(), &PAPER);
        let entry = &whole.table.entries[0];
        assert_eq!((entry.kind, entry.value), (EntryKind::Mate, 3999), "{text}");
        assert_eq!(whole.line().steps.len(), 1);
        assert_eq!(whole.line().net, 3999);
    }
}

/// The exchange of the paper's §5 with its simplified values; the customary ones agree about who gains.
#[test]
fn an_exchange_that_does_not_pay_is_not_begun() {
    for text in ["8k/3n5/4rb3/4P4/9/3N1N3/9/9/K8 w - 1"] {
        for case in Case::both(text) {
            assert!(case.entry("6b5d").value < 0);
            assert!(case.entry("6b5d").first > 0);
        }
    }
}

/// §6: the gold would lose the bishop by retaking.
#[test]
fn a_tied_piece_does_not_retake() {
    for case in Case::both("8k/9/9/9/3n2r2/9/4PGB2/9/K8 w - 1") {
        let tie = (
            TieKind::Material,
            "4g".to_string(),
            "3g".to_string(),
            PAPER.captured(jitsugen::shogi::piece::PieceKind::Bishop),
        );
        assert!(
            case.ties()
                .iter()
                .any(|found| found.0 == tie.0 && found.1 == tie.1 && found.2 == tie.2 && found.3 >= tie.3)
        );
        let entry = case.entry("6e5g+");
        assert_eq!(entry.value, entry.first);
    }
}

/// A position in which everything is quiet.
#[test]
fn nothing_is_predicted_at_the_start() {
    let whole = WholeBoard::new(&Position::start(), &PAPER);
    assert_eq!(whole.best_move(), None);
    assert_eq!((whole.line().net, whole.line().moves().count()), (0, 0));
}
