//! Game records: round trips, broken input, and files that programs wrote.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fastrand::Rng;
use jitsugen::record::{
    self, Encoding, Ending, Format, Handicap, MoveSequence, Problem, Record, RecordBuilder,
};
use jitsugen::shogi::color::{Color, PerColor};
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::piece::{HandKind, Piece, PieceKind};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::setup::Setup;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;
use proptest::prelude::*;

use crate::support::{command, data, folder};

const ENCODINGS: [Encoding; 2] = [Encoding::Utf8, Encoding::ShiftJis];

/// What a file of this format keeps of a record.
fn as_kept(record: &Record, format: Format) -> Record {
    let mut start = record.start().clone();
    if matches!(format, Format::Csa | Format::Csa3) {
        start.move_number = 1;
    }
    let mut builder = RecordBuilder::new(&start).unwrap();
    if format != Format::Usi {
        for color in Color::ALL {
            builder.player(color, record.players()[color].as_deref().unwrap_or_default());
        }
        for header in record.headers() {
            builder.header(&header.name, &header.value);
        }
    }
    line_as_kept(&mut builder, record, record.main(), format);
    if matches!(format, Format::Kif | Format::Ki2) {
        for variation in record.variations() {
            builder.branch(variation.ply).unwrap();
            line_as_kept(&mut builder, record, &variation.line, format);
        }
    }
    builder.finish()
}

fn line_as_kept(builder: &mut RecordBuilder, record: &Record, line: &MoveSequence, format: Format) {
    let time = |time: Option<Duration>| match format {
        Format::Csa3 => time,
        Format::Csa | Format::Kif => time.map(|time| Duration::from_secs(time.as_secs())),
        Format::Ki2 | Format::Usi => None,
    };
    let comment = |builder: &mut RecordBuilder, comments: &[String]| {
        for comment in comments.iter().filter(|_| format != Format::Usi) {
            builder.comment(comment);
        }
    };
    comment(builder, &line.comments);
    for played in &line.moves {
        builder.play(played.mv, time(played.time)).unwrap();
        comment(builder, &played.comments);
    }
    let Some(end) = &line.end else { return };
    if format == Format::Usi {
        match record.winner() {
            Some(winner) => builder.end(Ending::Won(winner), None),
            None if end.ending.is_draw() => builder.end(Ending::Draw, None),
            None => {}
        }
        return;
    }
    let end_time = match (&end.ending, format) {
        (Ending::Won(_), _) | (Ending::Forfeit { .. }, Format::Csa | Format::Csa3) => None,
        _ => time(end.time),
    };
    builder.end(end.ending.clone(), end_time);
    comment(builder, &end.comments);
}

/// Writes the record in every format and encoding and reads it back.
fn check_round_trips(record: &Record) {
    for format in Format::ALL {
        for encoding in ENCODINGS {
            let bytes = record::write(std::slice::from_ref(record), format, encoding).unwrap();
            let back = record::read(&bytes, None);
            let text = || String::from_utf8_lossy(&bytes).into_owned();
            let back = back.unwrap_or_else(|error| panic!("{format:?}: {error}\n{}", text()));
            let expected = as_kept(record, format);
            assert_eq!(back, [expected], "{format:?} {encoding}\n{}", text());
            if format != Format::Usi {
                assert_eq!(back[0].winner(), record.winner(), "{format:?}\n{}", text());
            }
        }
    }
}

/// Two golds go up to one square, and a third goes straight back to it.
#[test]
fn straight_up_and_straight_back_are_two_words() {
    let setup = sfen::parse("8k/9/9/9/9/1G7/9/GG7/8K b - 1").unwrap().setup();
    for mv in ["8h8g", "9h8g", "8f8g"] {
        let mut builder = RecordBuilder::new(&setup).unwrap();
        builder.play(mv.parse().unwrap(), None).unwrap();
        check_round_trips(&builder.finish());
    }
}

/// Rolls what the records are made of.
struct Dice(Rng);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(Rng::with_seed(seed))
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0.usize(..sides)
    }

    /// A start that the rules allow, with few kinds and many pieces of each, so that moves need telling apart.
    fn setup(&mut self) -> Setup {
        loop {
            let mut setup = Setup::EMPTY;
            setup.side = Color::ALL[self.roll(2)];
            setup.move_number = 1 + self.roll(3) as u32 * 60;
            let mut put = |dice: &mut Dice, piece: Piece| {
                let square = dice.roll(81);
                setup.board[square].get_or_insert(piece);
            };
            for color in Color::ALL {
                put(self, Piece::new(color, PieceKind::King));
            }
            for _ in 0..self.roll(30) {
                let color = Color::ALL[self.roll(2)];
                let kind = PieceKind::ALL[self.roll(PieceKind::COUNT)];
                if kind != PieceKind::King {
                    put(self, Piece::new(color, kind));
                }
            }
            for _ in 0..self.roll(6) {
                let color = Color::ALL[self.roll(2)];
                setup.hands[color][self.roll(HandKind::COUNT)] += 1;
            }
            if Position::new(&setup).is_ok() {
                return setup;
            }
        }
    }

    fn start(&mut self) -> Setup {
        match self.roll(3) {
            0 => Handicap::Even.setup(),
            1 => Handicap::ALL[self.roll(Handicap::ALL.len())].setup(),
            _ => self.setup(),
        }
    }

    fn time(&mut self) -> Option<Duration> {
        match self.roll(4) {
            0 => None,
            1 => Some(Duration::from_millis(self.roll(10_000) as u64)),
            2 => Some(Duration::from_secs(self.roll(60) as u64)),
            _ => Some(Duration::from_secs(self.roll(40_000) as u64)),
        }
    }

    fn ending(&mut self, position: &Position) -> Option<Ending> {
        let color = Color::ALL[self.roll(2)];
        Some(match self.roll(20) {
            0 => Ending::Resignation,
            1 => Ending::Mate,
            2 => Ending::NoMate,
            3 => Ending::Sennichite,
            4 => Ending::Jishogi,
            5 => Ending::Declaration,
            6 => Ending::Draw,
            7 => Ending::TimeUp,
            8 => Ending::Illegal { loser: color, attempted: None },
            9 | 10 => Ending::Illegal { loser: position.side(), attempted: self.illegal(position) },
            11 => Ending::Forfeit { loser: color },
            12 => Ending::Won(color),
            13 => Ending::BrokenOff,
            14 => Ending::MaxMoves,
            15 => Ending::TakenBack,
            16 => Ending::Error,
            17 => Ending::Other("休憩".to_string()),
            _ => return None,
        })
    }

    /// A second pawn on a file, if there is one to drop.
    fn illegal(&mut self, position: &Position) -> Option<Move> {
        let drops = Square::all().map(|square| Move::drop(HandKind::Pawn, square));
        let can = |&mv: &Move| {
            position.hand(position.side()).has(HandKind::Pawn)
                && position.piece_on(mv.to()).is_none()
                && !position.is_legal(mv)
        };
        let drops: Vec<Move> = drops.filter(can).collect();
        (!drops.is_empty()).then(|| drops[self.roll(drops.len())])
    }

    fn line(&mut self, builder: &mut RecordBuilder, plies: usize, comments: &[String]) {
        let comment = |dice: &mut Dice, builder: &mut RecordBuilder| {
            if !comments.is_empty() && dice.roll(4) == 0 {
                builder.comment(&comments[dice.roll(comments.len())]);
            }
        };
        comment(self, builder);
        for _ in 0..plies {
            let moves = generate::all_legal(builder.position());
            if moves.is_empty() {
                break;
            }
            let time = self.time();
            builder.play(moves[self.roll(moves.len())], time).unwrap();
            comment(self, builder);
        }
        if let Some(ending) = self.ending(builder.position()) {
            let time = self.time();
            builder.end(ending, time);
            comment(self, builder);
        }
    }

    fn record(&mut self, plies: usize, texts: &[String]) -> Record {
        let mut builder = RecordBuilder::new(&self.start()).unwrap();
        for (n, text) in texts.iter().enumerate().take(4) {
            match n {
                0 => builder.player(Color::Black, text),
                1 => builder.player(Color::White, text),
                2 => builder.header("EVENT", text),
                _ => builder.header("備考欄", text),
            }
        }
        self.line(&mut builder, plies, texts);
        for _ in 0..self.roll(4) {
            let ply = 1 + self.roll(builder.plies() + 1);
            builder.branch(ply).unwrap();
            let plies = 1 + self.roll(12);
            self.line(&mut builder, plies, texts);
        }
        builder.finish()
    }
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[-a-zA-Z0-9 　あ-ん歩金先手後手&*'%,+:：()|]{0,24}", 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_records_round_trip(seed: u64, plies in 0..120_usize, texts in texts()) {
        check_round_trips(&Dice::new(seed).record(plies, &texts));
    }

    #[test]
    fn files_of_several_games_round_trip(seed: u64, games in 2..5_usize) {
        let mut dice = Dice::new(seed);
        let records: Vec<Record> = (0..games).map(|_| dice.record(20, &[])).collect();
        for format in [Format::Csa, Format::Csa3, Format::Usi] {
            let bytes = record::write(&records, format, Encoding::Utf8).unwrap();
            let expected: Vec<Record> = records.iter().map(|record| as_kept(record, format)).collect();
            prop_assert_eq!(record::read(&bytes, None).unwrap(), expected);
        }
    }

    /// The words of KI2 name exactly one move: every legal move reads back as itself.
    #[test]
    fn ki2_words_of_every_legal_move_read_back(seed: u64) {
        let setup = Dice::new(seed).setup();
        let position = Position::new(&setup).unwrap();
        for mv in generate::all_legal(&position) {
            let mut builder = RecordBuilder::new(&setup).unwrap();
            builder.play(mv, None).unwrap();
            let record = builder.finish();
            let bytes = record::write(std::slice::from_ref(&record), Format::Ki2, Encoding::Utf8).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            let back = record::read_text(&text, None);
            prop_assert_eq!(back.unwrap(), vec![record], "{} in {:?}\n{}", mv, position, text);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        for hint in [None].into_iter().chain(Format::ALL.map(Some)) {
            let _ = record::read(&bytes, hint);
        }
    }

    /// Files with characters changed, dropped or doubled, or cut off.
    #[test]
    fn damaged_files_are_read_or_refused(
        seed: u64,
        texts in texts(),
        damage in proptest::collection::vec((any::<u16>(), any::<u8>(), 0..5_u8), 1..8),
    ) {
        let record = Dice::new(seed).record(30, &texts);
        for format in Format::ALL {
            for encoding in ENCODINGS {
                let mut bytes = record::write(std::slice::from_ref(&record), format, encoding).unwrap();
                for &(place, byte, how) in &damage {
                    if bytes.is_empty() {
                        break;
                    }
                    let place = usize::from(place) % bytes.len();
                    match how {
                        0 => bytes[place] = byte,
                        1 => drop(bytes.remove(place)),
                        2 => bytes.insert(place, byte),
                        3 => bytes.truncate(place),
                        _ => bytes.rotate_left(place),
                    }
                }
                // A record that reads in spite of the damage can be written again.
                if let Ok(records) = record::read(&bytes, Some(format)) {
                    for record in records {
                        check_reads_again(&record);
                    }
                }
            }
        }
    }
}

/// Every format can hold the moves of a record.
fn check_reads_again(record: &Record) {
    for format in Format::ALL {
        let bytes = record::write(std::slice::from_ref(record), format, Encoding::Utf8).unwrap();
        let text = || String::from_utf8_lossy(&bytes).into_owned();
        let back = record::read(&bytes, Some(format));
        let back = back.unwrap_or_else(|error| panic!("{format:?}: {error}\n{}", text()));
        assert!(back[0].moves().eq(record.moves()), "{format:?}\n{}", text());
        if format != Format::Usi {
            assert_eq!(back[0].winner(), record.winner(), "{format:?}\n{}", text());
        }
    }
}

/// All that a record says, for comparison with the file beside it.
fn described(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        writeln!(text, "start {}", sfen::write(&record.start_position())).unwrap();
        if let Some(handicap) = Handicap::of(record.start()) {
            writeln!(text, "handicap {}", handicap.name()).unwrap();
        }
        for color in Color::ALL {
            if let Some(name) = &record.players()[color] {
                writeln!(text, "{color:?} {name}").unwrap();
            }
        }
        for header in record.headers() {
            writeln!(text, "{} = {}", header.name, header.value).unwrap();
        }
        describe_line(&mut text, record.main());
        for variation in record.variations() {
            writeln!(text, "variation of move {}", variation.ply).unwrap();
            describe_line(&mut text, &variation.line);
        }
        let winner = record.winner().map_or("nobody".to_string(), |winner| format!("{winner:?}"));
        writeln!(text, "won by {winner}").unwrap();
    }
    text
}

fn describe_line(text: &mut String, line: &MoveSequence) {
    let comments = |text: &mut String, comments: &[String]| {
        for comment in comments {
            writeln!(text, "  # {comment}").unwrap();
        }
    };
    comments(text, &line.comments);
    for played in &line.moves {
        let time = played.time.map_or(String::new(), |time| format!(" {time:?}"));
        writeln!(text, "{}{time}", played.mv).unwrap();
        comments(text, &played.comments);
    }
    if let Some(end) = &line.end {
        let time = end.time.map_or(String::new(), |time| format!(" {time:?}"));
        writeln!(text, "end {:?}{time}", end.ending).unwrap();
        comments(text, &end.comments);
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records").join(folder);
    let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension != "expected")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// Compares with the file beside `path`, or writes that file where UPDATE_EXPECTED is set.
fn check_beside(path: &Path, found: &str) {
    let mut name = path.as_os_str().to_owned();
    name.push(".expected");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&name, found).unwrap();
    }
    let expected = fs::read_to_string(&name).unwrap().replace("\r\n", "\n");
    assert_eq!(found, expected, "{}", path.display());
}

#[test]
fn files_that_programs_wrote_are_read() {
    for path in files("good") {
        let bytes = fs::read(&path).unwrap();
        let records = record::read(&bytes, Format::of_path(&path));
        let records = records.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        check_beside(&path, &described(&records));
        for record in &records {
            check_reads_again(record);
        }
    }
}

#[test]
fn broken_files_are_refused_with_a_message() {
    for path in files("broken") {
        let bytes = fs::read(&path).unwrap();
        let error = record::read(&bytes, Format::of_path(&path));
        let error = error.err().unwrap_or_else(|| panic!("{} was read", path.display()));
        check_beside(&path, &format!("{error}\n"));
    }
}

#[test]
fn a_line_that_is_no_text_is_refused_alone() {
    let games = b"startpos moves 7g7f\n# \xff\nstartpos moves 2g2f\nstartpos moves \xff\n";
    let read: Vec<bool> = record::read_each(games, None).iter().map(Result::is_ok).collect();
    assert_eq!(read, [true, true, false]);
    assert!(record::read_each(b"V2.2\nPI\n+\n+7776FU\n'\xff\n", None)[0].is_err());
}

/// A user may keep only the file that was written.
#[test]
fn variations_that_are_left_out_are_reported() {
    let folder = folder::empty("record variations");
    let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：2手\n   2 ８四歩(83)\n";
    fs::write(folder.join("branches.kif"), text).unwrap();
    for (format, is_lossy) in [("csa", true), ("csa3", true), ("usi", true), ("kif", false), ("ki2", false)] {
        let run = command::run_in(&folder, &["record", "--to", format, "branches.kif"]);
        let stderr = run.stderr;
        assert!(!run.stdout.is_empty(), "{format}: the record is written to standard output");
        assert!(run.success && stderr.is_empty() != is_lossy, "{format}: {stderr}");
        assert!(
            !is_lossy || stderr.contains(&format!("variations left out, as {format} has none: 1")),
            "{stderr}"
        );
    }
}

#[test]
fn several_games_do_not_fit_one_kif_file() {
    let record = RecordBuilder::new(&Handicap::Even.setup()).unwrap().finish();
    let error = record::write(&[record.clone(), record], Format::Kif, Encoding::Utf8).unwrap_err();
    assert_eq!(error.to_string(), "2 games: expected one, as a kif file holds no more");
}

#[test]
fn long_lines_and_deep_variations_take_no_time() {
    // Each variation departs from the one before it, one move later.
    let mut text = String::from("手合割：平手\n");
    let shuffle = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    for n in 1..=20_000 {
        text.push_str(&format!("変化：{n}手\n{n} {}\n{} {}\n", shuffle[(n - 1) % 4], n + 1, shuffle[n % 4]));
    }
    let records = record::read_text(&text, None).unwrap();
    assert_eq!(records[0].variations().len(), 20_000);
    assert_eq!(records.clone(), records);
    let long = "x".repeat(5_000_000);
    for format in Format::ALL {
        let error = record::read_text(&long, Some(format)).unwrap_err();
        assert!(error.to_string().len() < 400, "{error}");
    }
    let error = record::read_text(&format!("+7776{long}"), None).unwrap_err();
    assert!(matches!(error.problem, Problem::Unexpected { .. }));
}

#[test]
fn a_hand_may_hold_all_pieces_of_a_set() {
    let mut setup = Setup::EMPTY;
    setup.board[40] = Some(Piece::new(Color::Black, PieceKind::King));
    setup.hands = PerColor([[18, 4, 4, 4, 4, 2, 2], [0; 7]]);
    check_round_trips(&RecordBuilder::new(&setup).unwrap().finish());
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn real_games_round_trip() {
    for name in ["professional.usi", "engine.usi"] {
        let text = data::read(&format!("games/{name}"));
        let records = record::read(text.as_bytes(), None).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(records.len(), text.lines().filter(|line| !line.is_empty()).count());
        // All formats and encodings of a few hundred games take seconds.
        for record in records.iter().step_by(4) {
            check_round_trips(record);
        }
    }
}
