//! Opening books: read into memory, looked up in the file, made from games, broken.

use std::fs;
use std::path::PathBuf;

use jitsugen::book::{Book, BookBuilder, BookMove, MAX_IN_MEMORY, Problem};
use jitsugen::record::{self, Format};
use jitsugen::shogi::generate;
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
