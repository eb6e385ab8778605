//! Opening books: read into memory, looked up in the file, made from games, broken.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use jitsugen::book::choice::ChoiceOptions;
use jitsugen::book::current::{BookOptions, CurrentBook};
use jitsugen::book::{Book, BookBuilder, BookMove, MAX_IN_MEMORY, Problem, packed};
use jitsugen::record::{self, Format};
use jitsugen::shogi::color::PerColor;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;
use proptest::prelude::*;

use crate::support::folder;

/// A file with `text` in a folder of its own.
fn written(name: &str, text: &[u8]) -> PathBuf {
    let path = folder::empty(&format!("book {name}")).join(format!("定跡 {name}.db"));
    fs::write(&path, text).expect("the folder of tests can be written to");
    path
}

/// Random games as USI lines.
fn games(count: usize, plies: usize) -> String {
    let mut random = fastrand::Rng::with_seed(6);
    let mut text = String::new();
    for _ in 0..count {
        let mut position = Position::start();
        text.push_str("startpos moves");
        for _ in 0..plies {
            let moves = generate::all_legal(&position);
            let Some(&mv) = random.choice(&moves) else { break };
            text.push_str(&format!(" {mv}"));
            position.play(mv, &mut ());
        }
        text.push('\n');
    }
    text
}

fn book_of(games: &str) -> Vec<u8> {
    let mut builder = BookBuilder::new(12);
    for game in record::read_text(games, Some(Format::Usi)).expect("the games are legal") {
        builder.add(&game);
    }
    let mut text = Vec::new();
    builder.write(1, &mut text).expect("memory takes it");
    text
}

/// The slow twin of the look-up: every line, one after the other.
fn slow_find(text: &str, position: &Position) -> Vec<String> {
    let wanted = sfen::write(position);
    let wanted = wanted.rsplit_once(' ').expect("a move number").0;
    let mut lines = text.lines().skip_while(|line| {
        line.strip_prefix("sfen ").and_then(|line| line.rsplit_once(' ')).is_none_or(|(key, _)| key != wanted)
    });
    lines.next();
    lines.take_while(|line| !line.starts_with("sfen")).map(String::from).collect()
}

#[test]
fn a_book_in_memory_and_a_book_in_its_file_find_the_same_moves() {
    let games = games(110, 12);
    let text = book_of(&games);
    let path = written("both", &text);
    // With a byte order mark, as some editors write it.
    let with_mark = written("mark", &[b"\xEF\xBB\xBF", text.as_slice()].concat());
    let text = String::from_utf8(text).expect("a book is text");
    let whole = Book::open(&path).expect("it is a book");
    let in_file = Book::open_with(&path, 0).expect("it is sorted");
    let with_mark = Book::open_with(&with_mark, 0).expect("it is the same");
    assert!(whole.positions().is_some_and(|count| count > 1000) && in_file.positions().is_none());
    let mut found = 0;
    for game in record::read_text(&games, Some(Format::Usi)).unwrap() {
        let mut position = game.start_position();
        for mv in game.moves().chain(["1a1b".parse().unwrap()]) {
            let expected = slow_find(&text, &position);
            for book in [&whole, &in_file, &with_mark] {
                let moves: Vec<String> =
                    book.find(&position).unwrap().iter().map(BookMove::to_string).collect();
                assert_eq!(moves, expected);
                let chosen = book.choose(&position).unwrap();
                assert_eq!(chosen.is_some(), !moves.is_empty());
                assert!(chosen.is_none_or(|chosen| position.is_legal(chosen.mv)));
            }
            found += expected.len();
            if position.is_legal(mv) {
                position.play(mv, &mut ());
            }
        }
    }
    assert!(found > 1000);
}

/// Other programs write a position once for each move number at which it occurred.
#[test]
fn entries_that_differ_in_the_move_number_are_one_position() {
    let start = sfen::START.strip_suffix(" 1").expect("it is the first move");
    let other = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let text = format!(
        "#YANEURAOU-DB2016 1.00\nsfen {other}\n5i5h none 1 1 1\nsfen {start} 1\n7g7f none 0 0 2\n2g2f none 5 0 1\n\
         sfen {start} 11\n7g7f none 9 9 3\nsfen {start} 3\n5g5f none 50 10 9\n"
    );
    let path = written("numbers", text.as_bytes());
    for book in [Book::open(&path).unwrap(), Book::open_with(&path, 0).unwrap()] {
        let moves: Vec<String> =
            book.find(&Position::start()).unwrap().iter().map(BookMove::to_string).collect();
        assert_eq!(moves, ["7g7f none 0 0 5", "2g2f none 5 0 1", "5g5f none 50 10 9"]);
    }
}

#[test]
fn a_made_book_has_the_counts_and_replies_of_its_games() {
    let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d\nstartpos moves 7g7f 3c3d\n\
                 startpos moves 2g2f 8c8d\n";
    let path = written("counts", &book_of(games));
    let book = Book::open(&path).unwrap();
    let moves: Vec<String> = book.find(&Position::start()).unwrap().iter().map(BookMove::to_string).collect();
    assert_eq!(moves, ["7g7f 3c3d 0 0 3", "2g2f 8c8d 0 0 1"]);
    // A move comes up as often as its weight says.
    let often =
        (0..400).filter(|_| book.choose(&Position::start()).unwrap().unwrap().mv == "7g7f".parse().unwrap());
    assert!((240..360).contains(&often.count()));
}

#[test]
fn errors_name_the_file_and_the_line() {
    let start = format!("#YANEURAOU-DB2016 1.00\nsfen {}\n", sfen::START);
    for (text, part) in [
        (String::new(), "first line: expected #YANEURAOU-DB2016"),
        ("7g7f none 0 0 1\n".into(), "first line"),
        ("#YANEURAOU-DB2016 1.00\n7g7f none 0 0 1\n".into(), "line 2"),
        (format!("{start}7g7f none zero 0 1\n"), "line 3: 'zero': expected a whole number, the value"),
        (format!("{start}7g7f\nmove\n"), "line 4: 'move': expected 'sfen', or a move"),
        ("#YANEURAOU-DB2016 1.00\nsfen 9/9 b - 1\n".into(), "line 2"),
        ("#YANEURAOU-DB2016 1.00\nsfen nonsense\n".into(), "line 2"),
    ] {
        let path = written("wrong", text.as_bytes());
        let error = Book::open(&path).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains("定跡 wrong.db"), "{error}");
    }
    let path = written("bytes", b"#YANEURAOU-DB2016 1.00\n\xff\xfe\x00\n");
    assert!(Book::open(&path).unwrap_err().to_string().contains("line 2"));
    assert!(matches!(
        Book::open(&folder::empty("book missing").join("missing.db")).unwrap_err().problem,
        Problem::Unreadable(_)
    ));
    assert!(Book::open(&std::env::temp_dir()).is_err());
}

#[test]
fn a_large_book_that_is_not_sorted_is_refused() {
    let text = String::from_utf8(book_of(&games(60, 12))).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    let mut entries: Vec<&str> = rest.split("sfen ").skip(1).collect();
    entries.reverse();
    let reversed = format!("{header}\n{}", entries.iter().map(|e| format!("sfen {e}")).collect::<String>());
    let path = written("reversed", reversed.as_bytes());
    assert!(matches!(Book::open_with(&path, 0).unwrap_err().problem, Problem::Unsorted { .. }));
    // A book that fits into memory may have any order.
    assert!(!Book::open(&path).unwrap().find(&Position::start()).unwrap().is_empty());
    assert!(reversed.len() as u64 <= MAX_IN_MEMORY);
    // A file of one endless line is not read into memory.
    let endless = [b"#YANEURAOU-DB2016 1.00\n".to_vec(), vec![b'x'; 100_000]].concat();
    let path = written("endless", &endless);
    assert!(Book::open_with(&path, 0).unwrap_err().to_string().contains("without a line end"));
}

/// A large book is searched while the clock runs: it must not read megabytes in each place that it looks at.
#[test]
fn a_large_book_with_few_positions_is_refused_at_once() {
    let begin = Instant::now();
    let entry = format!("sfen {}\n7g7f none 0 0 1\n", sfen::START);
    let remarks = "# a remark that stands for what is no position\n".repeat(800_000);
    for (before, after) in [(&entry, &remarks), (&remarks, &entry)] {
        let text = format!("#YANEURAOU-DB2016 1.00\n{before}{after}");
        assert!(text.len() as u64 > MAX_IN_MEMORY);
        let error = Book::open(&written("remarks", text.as_bytes())).unwrap_err();
        assert!(matches!(error.problem, Problem::Sparse { .. }), "{error}");
        assert!(error.to_string().contains("128 KiB"), "{error}");
    }
    // A gap that no sample has seen is found where a position is looked up.
    let text = String::from_utf8(book_of(&games(60, 12))).unwrap();
    let middle = text[text.len() / 2..].find("sfen ").unwrap() + text.len() / 2;
    let gap = "# no position\n".repeat(20_000);
    let path = written("gap", format!("{}{gap}{}", &text[..middle], &text[middle..]).as_bytes());
    match Book::open_with(&path, 0) {
        Ok(book) => {
            assert!(matches!(book.find(&Position::start()).unwrap_err().problem, Problem::Sparse { .. }))
        }
        Err(error) => assert!(matches!(error.problem, Problem::Sparse { .. }), "{error}"),
    }
    // One position again and again.
    let path = written("again", format!("#YANEURAOU-DB2016 1.00\n{}", entry.repeat(20_000)).as_bytes());
    let book = Book::open_with(&path, 0).unwrap();
    assert!(matches!(book.find(&Position::start()).unwrap_err().problem, Problem::Sparse { .. }));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn damaged_books_are_read_or_refused(at in 0usize..4000, byte: u8, cut in 0usize..4000) {
        let mut text = book_of(&games(8, 10));
        let length = text.len();
        text[at % length] = byte;
        text.truncate(length - cut % length);
        let path = written("damaged", &text);
        for whole in [0, MAX_IN_MEMORY] {
            if let Ok(book) = Book::open_with(&path, whole) {
                let _ = book.choose(&Position::start());
            }
        }
    }
}

/// The moves that a book plays in many tries, and how often.
fn plays(book: &Book, position: &Position, options: &ChoiceOptions) -> BTreeMap<String, usize> {
    let mut plays = BTreeMap::new();
    for _ in 0..400 {
        let choice = book.choose_with(position, options).expect("the book can be read");
        *plays.entry(choice.map_or("none".to_string(), |choice| choice.mv.to_string())).or_default() += 1;
    }
    plays
}

/// A book with these moves at the start position, and these after 7g7f.
fn book_with(name: &str, black: &str, white: &str) -> Book {
    let white_to_move = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let text =
        format!("#YANEURAOU-DB2016 1.00\nsfen {}\n{black}\nsfen {white_to_move}\n{white}\n", sfen::START);
    Book::open(&written(name, text.as_bytes())).expect("it is a book")
}

fn after(moves: &str) -> Position {
    let mut position = Position::start();
    for mv in moves.split_whitespace() {
        position.play(mv.parse().expect("a move"), &mut ());
    }
    position
}

#[track_caller]
fn check_plays(book: &Book, moves: &str, options: &ChoiceOptions, expected: &[&str]) {
    let found = plays(book, &after(moves), options);
    assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), expected, "{found:?}");
}

#[test]
fn bookevaldiff_says_how_much_less_than_the_best_a_move_may_be_worth() {
    let book = book_with("diff", "7g7f none 50 9 1\n2g2f none 20 9 1\n5g5f none 19 9 1", "3c3d none 0 9 1");
    let with = |eval_diff| ChoiceOptions { eval_diff, ..ChoiceOptions::default() };
    check_plays(&book, "", &ChoiceOptions::default(), &["2g2f", "7g7f"]);
    check_plays(&book, "", &with(0), &["7g7f"]);
    check_plays(&book, "", &with(31), &["2g2f", "5g5f", "7g7f"]);
}

#[test]
fn bookevalblacklimit_and_bookevalwhitelimit_are_the_least_values_of_each_side() {
    let book = book_with("limits", "7g7f none -1 9 1", "3c3d none -140 9 1\n8c8d none -141 9 1");
    let with = |least| ChoiceOptions { least_value: PerColor(least), ..ChoiceOptions::default() };
    check_plays(&book, "", &ChoiceOptions::default(), &["none"]);
    check_plays(&book, "7g7f", &ChoiceOptions::default(), &["3c3d"]);
    check_plays(&book, "", &with([-1, 0]), &["7g7f"]);
    check_plays(&book, "7g7f", &with([0, -141]), &["3c3d", "8c8d"]);
    // The best move of a lost position is not played either.
    let book = book_with("lost", "7g7f none -800 20 5", "3c3d none -800 20 5");
    check_plays(&book, "", &ChoiceOptions::default(), &["none"]);
    check_plays(&book, "7g7f", &ChoiceOptions::default(), &["none"]);
}

#[test]
fn bookdepthlimit_is_the_least_depth_of_a_move() {
    let book = book_with("depth", "7g7f none 30 9 1\n2g2f none 30 10 1\n5g5f none 60 3 1", "3c3d none 0 0 1");
    let with = |least_depth| ChoiceOptions { least_depth, ..ChoiceOptions::default() };
    check_plays(&book, "", &with(10), &["2g2f"]);
    check_plays(&book, "", &with(9), &["2g2f", "7g7f"]);
    check_plays(&book, "", &with(11), &["none"]);
    check_plays(&book, "7g7f", &with(0), &["3c3d"]);
    // A move that is left out counts for the difference to the best: the other loses 100.
    let book = book_with("depth of the best", "7g7f none 100 5 95\n1g1f none 0 20 5", "3c3d none 0 0 1");
    check_plays(&book, "", &with(5), &["7g7f"]);
    check_plays(&book, "", &with(16), &["none"]);
}

#[test]
fn narrowbook_leaves_out_moves_that_are_played_in_less_than_a_tenth_of_the_games() {
    let book = book_with("narrow", "7g7f none 0 0 80\n2g2f none 0 0 10\n5g5f none 0 0 9", "3c3d none 0 0 0");
    let with = |narrow| ChoiceOptions { narrow, ..ChoiceOptions::default() };
    check_plays(&book, "", &with(true), &["2g2f", "7g7f"]);
    check_plays(&book, "", &with(false), &["2g2f", "5g5f", "7g7f"]);
    check_plays(&book, "7g7f", &with(true), &["3c3d"]);
    // The games with a move that is left out for its value are games all the same.
    let book = book_with("narrow by value", "7g7f none -300 20 95\n1g1f none 0 20 5", "3c3d none 0 0 0");
    check_plays(&book, "", &with(true), &["none"]);
    check_plays(&book, "", &with(false), &["1g1f"]);
}

#[test]
fn considerbookmovecount_plays_moves_as_often_as_people_did() {
    let book = book_with("by count", "7g7f none 0 0 900\n2g2f none 0 0 100", "3c3d none 0 0 0");
    let with = |by_count| ChoiceOptions { by_count, ..ChoiceOptions::default() };
    let often = |by_count| plays(&book, &Position::start(), &with(by_count))["2g2f"];
    assert!((10..90).contains(&often(true)) && (140..260).contains(&often(false)));
}

#[test]
fn bookignorerate_leaves_the_book_aside_so_often() {
    let book = book_with("ignored", "7g7f none 0 0 1", "3c3d none 0 0 1");
    let with = |ignore_rate| ChoiceOptions { ignore_rate, ..ChoiceOptions::default() };
    let ignored = |rate| plays(&book, &Position::start(), &with(rate)).remove("none").unwrap_or_default();
    assert_eq!((ignored(0), ignored(100)), (0, 400));
    assert!((40..170).contains(&ignored(25)));
}

#[test]
fn flippedbook_finds_a_position_with_the_sides_exchanged() {
    // Black has passed its first move, in effect: White's 3c3d is met as Black would meet 7g7f.
    let book = book_with("flipped", "7g7f none 0 0 1", "3c3d 2g2f -20 9 1");
    let position = sfen::parse("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2").unwrap();
    let options = ChoiceOptions { least_value: PerColor([-20, -20]), ..ChoiceOptions::default() };
    let choice = book.choose_with(&position, &options).unwrap().unwrap();
    assert_eq!(choice.to_string(), "7g7f 8c8d -20 9 1");
    assert_eq!(book.line(&position, &choice, &options).unwrap(), [choice.mv, choice.reply.unwrap()]);
    // The limit is that of the side that moves.
    let white_only = ChoiceOptions { least_value: PerColor([0, -20]), ..options.clone() };
    assert_eq!(book.choose_with(&position, &white_only).unwrap(), None);
    let options = ChoiceOptions { flipped: false, ..options };
    assert_eq!(book.choose_with(&position, &options).unwrap(), None);
    // A drop and a promotion are turned as well.
    for (mv, turned) in [("P*5e", "P*5e"), ("8h2b+", "2b8h+"), ("1a1b", "9i9h")] {
        assert_eq!(mv.parse::<Move>().unwrap().rotated(), turned.parse().unwrap());
    }
}

#[test]
fn ignorebookply_says_whether_the_move_number_has_to_be_the_books() {
    let start = sfen::START.strip_suffix(" 1").unwrap();
    let text = format!(
        "#YANEURAOU-DB2016 1.00\nsfen {start} 3\n7g7f none 0 0 1\nsfen {start} 1\n2g2f none 0 0 1\nsfen {start}\n\
         5g5f none 0 0 1\n"
    );
    let path = written("ply", text.as_bytes());
    let strict = ChoiceOptions { any_number: false, ..ChoiceOptions::default() };
    for book in [Book::open(&path).unwrap(), Book::open_with(&path, 0).unwrap()] {
        check_plays(&book, "", &ChoiceOptions::default(), &["2g2f", "5g5f", "7g7f"]);
        // Where the book states no number, it is any.
        check_plays(&book, "", &strict, &["2g2f", "5g5f"]);
        let third = sfen::parse(&format!("{start} 3")).unwrap();
        assert_eq!(plays(&book, &third, &strict).into_keys().collect::<Vec<_>>(), ["5g5f", "7g7f"]);
    }
}

#[test]
fn bookpvmoves_is_the_longest_line_that_is_shown() {
    let text = book_of("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e\n");
    let book = Book::open(&written("line", &text)).unwrap();
    let line = |pv_moves| {
        let options = ChoiceOptions { pv_moves, ..ChoiceOptions::default() };
        let choice = book.choose_with(&Position::start(), &options).unwrap().unwrap();
        let line = book.line(&Position::start(), &choice, &options).unwrap();
        line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line(1), "7g7f");
    assert_eq!(line(3), "7g7f 3c3d 2g2f");
    assert_eq!(line(8), "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
}

#[test]
fn the_opponent_is_expected_to_play_what_is_played_most() {
    let line = |name: &str, reply: &str, white: &str| {
        let book = book_with(name, &format!("7g7f {reply} 0 9 50"), white);
        let options = ChoiceOptions::default();
        let choice = book.choose_with(&Position::start(), &options).unwrap().unwrap();
        let line = book.line(&Position::start(), &choice, &options).unwrap();
        line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    };
    // Not the engine's best move, which is also the reply that it states, and not one that the options leave out.
    let white = "5a4b none 10 9 1\n3c3d none 0 9 30\n8c8d none -5 9 20\n1c1d none -900 9 99";
    assert_eq!(line("counted", "5a4b", white), "7g7f 3c3d");
    // Without counts it is the stated reply, or the best.
    let white = "5a4b none 10 9 0\n3c3d none 0 9 0\n8c8d none 20 9";
    assert_eq!(line("stated", "5a4b", white), "7g7f 5a4b");
    assert_eq!(line("best", "none", white), "7g7f 8c8d");
}

#[test]
fn a_made_book_keeps_the_results_of_its_games() {
    let mut builder = BookBuilder::new(12);
    let games = "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 8c8d\nstartpos moves 7g7f 3c3d\n";
    let mut games = record::read_text(games, Some(Format::Usi)).unwrap();
    games.extend(record::read(CSA_WON_BY_WHITE.as_bytes(), Some(Format::Csa)).expect("it is a game"));
    for game in &games {
        builder.add(game);
    }
    let mut text = Vec::new();
    builder.write(1, &mut text).unwrap();
    let book = Book::open(&written("results", &text)).unwrap();
    let moves = book.find(&Position::start()).unwrap();
    assert_eq!(moves[0].to_string(), "7g7f 3c3d 0 0 4 #wins 0 losses 1 draws 0");
    let replies = book.find(&after("7g7f")).unwrap();
    assert_eq!(replies[0].to_string(), "3c3d none 0 0 3 #wins 1 losses 0 draws 0");
    // ShogiHome moves a remark into a line of its own, and writes `none` for what it does not know.
    let text = String::from_utf8(text).unwrap().replace(" 0 0 4 #wins", " none none 4\n#wins");
    let path = written("remarks", text.as_bytes());
    for book in [Book::open(&path).unwrap(), Book::open_with(&path, 0).unwrap()] {
        assert_eq!(book.find(&Position::start()).unwrap(), moves);
    }
}

const CSA_WON_BY_WHITE: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";

#[test]
fn a_packed_book_is_the_same_book() {
    let text = book_of(&games(20, 8));
    let packed = packed::pack(&text).unwrap();
    assert!(packed.len() < text.len() / 2);
    let path = folder::empty("book packed").join("定跡.jgb");
    fs::write(&path, &packed).unwrap();
    let plain = Book::open(&written("plain", &text)).unwrap();
    // It is read whole, whatever its size.
    let found = Book::open_with(&path, 0).unwrap();
    assert_eq!(found.entries(), plain.entries());
    for place in [8, 12, 40, packed.len() - 1] {
        let mut broken = packed.clone();
        broken[place] ^= 1;
        fs::write(&path, &broken).unwrap();
        let error = Book::open(&path).unwrap_err();
        assert!(matches!(error.problem, Problem::Packed(_)), "{error}");
    }
}

#[test]
fn the_built_in_book_opens_as_people_do_and_differently_from_game_to_game() {
    let book = Book::built_in().unwrap();
    assert!(book.positions().is_some_and(|positions| positions > 200));
    let mut current = CurrentBook::default();
    let options = BookOptions::default();
    current.prepare(&options).unwrap();
    let (mut games, mut plies) = (BTreeSet::new(), 0);
    let (mut static_rook, mut ranging_rook) = (0, 0);
    for _ in 0..200 {
        let mut position = Position::start();
        let mut moves = Vec::new();
        while let Some((choice, line)) = current.choose(&position, &options).unwrap() {
            assert!(position.is_legal(choice.mv) && line.first() == Some(&choice.mv));
            position.play(choice.mv, &mut ());
            moves.push(choice.mv);
        }
        plies += moves.len();
        // The first side that moves its rook says what kind of opening it is.
        let rook = moves.iter().find_map(|mv| match mv.to_string().as_str() {
            "2h5h" | "2h6h" | "2h7h" | "2h8h" | "8b5b" | "8b4b" | "8b3b" | "8b2b" => Some(true),
            "2f2e" | "8d8e" => Some(false),
            _ => None,
        });
        static_rook += usize::from(rook == Some(false));
        ranging_rook += usize::from(rook == Some(true));
        games.insert(moves);
    }
    assert!(games.len() > 50, "{} different games", games.len());
    assert!(plies > 200 * 4, "{plies} plies in 200 games");
    assert!(static_rook > 20 && ranging_rook > 8, "static {static_rook}, ranging {ranging_rook}");
}
