//! Evaluation files: the field's layouts, the compact format, and what is said of broken ones.

#[path = "common/formula.rs"]
mod formula;

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use formula::Formula;
use jitsugen::eval::accumulator::Accumulator;
use jitsugen::eval::files::{self, Files, LAYOUTS, LoadError, Part};
use jitsugen::eval::index::{Index, mirrored};
use jitsugen::eval::relative::{Relative, pair_of};
use jitsugen::eval::sparse::Sparse;
use jitsugen::eval::symmetric::{self, Symmetric};
use jitsugen::eval::table::Table;
use jitsugen::eval::terms::Terms;
use jitsugen::eval::tools::{self, Source};
use jitsugen::eval::weights::Blank;
use jitsugen::eval::{compact, full, mean, yss};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::setup::Setup;
use jitsugen::shogi::square::Square;

/// An empty folder of this test's own, with a name that is hard to get right.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("評価 {name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Files of the right lengths with zeros, which take no room on most file systems.
fn blank_files(folder: &Path, layout: usize) {
    for part in Part::ALL {
        if let Some(number) = LAYOUTS[layout].number(part) {
            File::create(folder.join(part.file_name())).unwrap().set_len(part.bytes(number)).unwrap();
        }
    }
}

fn write_at(folder: &Path, part: Part, place: u64, bytes: &[u8]) {
    let mut file = File::options().write(true).open(folder.join(part.file_name())).unwrap();
    file.seek(SeekFrom::Start(place)).unwrap();
    file.write_all(bytes).unwrap();
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

#[test]
fn layouts_are_told_apart_by_length_and_read() {
    let index = |number| Index::new(number).unwrap();
    let (black, white) = (square("5i"), square("5a"));
    let kings = (black.index() * 81 + white.index()) as u64;
    for (place, layout) in LAYOUTS.into_iter().enumerate() {
        let folder = folder(&format!("layout {place}"));
        blank_files(&folder, place);
        let wide = place == 0;
        let pair = |board: i32, turn: i32| -> Vec<u8> {
            if wide {
                [board.to_le_bytes(), turn.to_le_bytes()].concat()
            } else {
                [(board as i16).to_le_bytes(), (turn as i16).to_le_bytes()].concat()
            }
        };
        let size = if wide { 8 } else { 4 };
        if layout.kk.is_some() {
            write_at(&folder, Part::Kk, kings * size, &pair(-1234, 567));
        }
        write_at(&folder, Part::Kkp, (kings * 1548 + 90) * size, &pair(-32_000, 31_000));
        let kpp = ((black.index() as u64 * 1548 + 1547) * 1548 + 1) * 4;
        write_at(&folder, Part::Kpp, kpp, &[0x34, 0x12, 0xfe, 0xff]);

        let files = Files::find(&folder).unwrap();
        assert_eq!(files.layout, layout);
        assert_eq!(files, Files::find(&folder).unwrap());
        let mut told = (0, 0);
        let weights = files.load(&mut |done, total| told = (done, total)).unwrap();
        assert_eq!(told, (files.bytes(), files.bytes()));
        assert_eq!(weights.is_shared(), wide && cfg!(target_endian = "little"));
        let kk = if layout.kk.is_some() { [-1234, 567] } else { [0, 0] };
        assert_eq!(weights.kk(black, white), kk);
        assert_eq!(weights.kkp(black, white, index(90)), [-32_000, 31_000]);
        assert_eq!(weights.kpp(black, index(1547), index(1)), [0x1234, -2]);
        assert_eq!(weights.kpp(black, index(1547), index(2)), [0, 0]);
        drop(weights);
        fs::remove_dir_all(folder).unwrap();
    }
}

/// Where the client started the engine there is a folder of that name as well, with something else in it.
#[test]
fn files_beside_the_program_are_found() {
    let name = Path::new("src");
    assert!(name.is_dir() && Files::find(name).is_err());
    let executable = std::env::current_exe().unwrap();
    let folder = executable.parent().unwrap().join(name);
    assert!(matches!(Files::named(name), Err(LoadError::Open { path, .. }) if path.starts_with(name)));
    fs::create_dir(&folder).unwrap();
    blank_files(&folder, 0);
    let files = Files::named(name);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(files.unwrap().folder, folder);
}

#[test]
fn broken_folders_are_named() {
    let missing = Path::new("no such folder");
    let error = Files::named(missing).unwrap_err();
    assert!(matches!(&error, LoadError::Folder { tried } if tried.len() == 2));
    assert!(error.to_string().contains("no such folder"), "{error}");

    let folder = folder("broken");
    let error = Files::named(&folder).unwrap_err();
    assert!(matches!(&error, LoadError::Open { path, .. } if path.ends_with("KKP_synthesized.bin")));

    blank_files(&folder, 0);
    let kpp = folder.join(Part::Kpp.file_name());
    File::options().write(true).open(&kpp).unwrap().set_len(1000).unwrap();
    let error = Files::find(&folder).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, LoadError::Length { found: 1000, .. }));
    assert!(text.contains("KPP_synthesized.bin: 1000 bytes; expected 776402496"), "{text}");
    assert!(text.contains("評価"), "{text}");

    blank_files(&folder, 2);
    let error = Files::find(&folder).unwrap_err();
    assert!(matches!(error, LoadError::Mixed { .. }), "KK of one layout, KKP of another: {error}");
    assert!(error.to_string().contains("40625712"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn broken_compact_files_are_named() {
    let path = folder("compact").join("half.jge");
    let whole = compact::encode(&compact::built_in().unwrap()).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let error = tools::inspect(&Source::from_word(&path), &mut |_, _| ()).unwrap_err().to_string();
    assert!(error.contains("half.jge") && error.contains("bytes after the header: expected"), "{error}");
    let absent = path.with_file_name("absent.jge");
    let error = tools::inspect(&Source::from_word(&absent), &mut |_, _| ()).unwrap_err().to_string();
    assert!(error.contains("absent.jge"), "{error}");
}

#[test]
fn a_mean_is_written_of_what_has_one() {
    let folder = folder("mean");
    let [one, to] = ["one.jge", "mean.jge"].map(|name| folder.join(name));
    compact::write(&learned_terms(), &one).unwrap();
    let [one, yss, full] = [one.as_path(), Path::new("yss"), folder.as_path()].map(Source::from_word);
    tools::write_mean(&[one.clone(), yss.clone(), yss.clone(), one.clone()], &to).unwrap();
    let expected = mean::mean(&[learned_terms(), yss::terms()]).unwrap();
    assert!(compact::read(&to).unwrap() == expected && expected != yss::terms());
    // What cannot be had leaves the file that is there.
    for (of, message) in [
        (vec![yss.clone(), full], "full files: expected a compact file"),
        (vec![yss, Source::Compact(folder.join("absent.jge"))], "absent.jge: "),
        (vec![], "expected one at least"),
    ] {
        let error = tools::write_mean(&of, &to).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(compact::read(&to).unwrap() == expected);
    }
}

/// Learning began with YSS's evaluation, and the terms that it does not change are still there.
#[test]
fn the_built_in_file_is_what_learning_adds_to_its_start() {
    let (built_in, start) = (compact::built_in().unwrap(), yss::terms());
    assert!(built_in.pairs == start.pairs && built_in.larger == start.larger);
    assert!(built_in.kkp == start.kkp && built_in.kpp == start.kpp);
    assert!(!built_in.symmetric.is_empty());
    assert!(compact::built_in_size_and_checksum().0 <= 16 << 20);
}

#[test]
fn the_built_in_evaluation_is_symmetric() {
    let terms = compact::built_in().unwrap();
    for black in Square::all() {
        for white in Square::all() {
            let [board, turn] = terms.kk(black, white);
            assert_eq!(terms.kk(mirrored(black), mirrored(white)), [board, turn]);
            assert_eq!(terms.kk(white.rotated(), black.rotated()), [-board, turn]);
            for piece in Index::all() {
                let [board, turn] = terms.kkp(black, white, piece);
                let mirror = terms.kkp(mirrored(black), mirrored(white), piece.mirrored());
                assert_eq!(mirror, [board, turn]);
                let other = terms.kkp(white.rotated(), black.rotated(), piece.inverted());
                assert_eq!(other, [-board, turn]);
            }
        }
    }
    // Pairs are seen from the king of one side alone: colour-symmetric as they are.
    assert!(terms.kpp.is_empty());
    for (key, _) in terms.pairs.iter() {
        let [one, other] = pair_of(key).unwrap();
        for king in Square::all() {
            if let (Some(one), Some(other)) = (one.index(king), other.index(king)) {
                let there = terms.kpp(mirrored(king), one.mirrored(), other.mirrored());
                assert_eq!(there, terms.kpp(king, one, other), "{king} {one} {other}");
                break;
            }
        }
    }
}

/// The position as it looks in a mirror, or with the colours exchanged.
fn turned(position: &Position, square: impl Fn(Square) -> Square, exchange: bool) -> Position {
    let setup = position.setup();
    let mut other = Setup { side: setup.side, hands: setup.hands, ..Setup::EMPTY };
    for from in Square::all() {
        let piece = setup.board[from.index()].map(|mut piece| {
            if exchange {
                piece.color = !piece.color;
            }
            piece
        });
        other.board[square(from).index()] = piece;
    }
    if exchange {
        other.side = !setup.side;
        other.hands.0.swap(0, 1);
    }
    Position::new(&other).unwrap()
}

/// Expanded once for all that needs it: positions of a random game, mirrored, turned, and by terms.
#[test]
fn the_built_in_evaluation_expands_to_what_its_terms_say() {
    let terms = compact::built_in().unwrap();
    let weights = terms.expand().unwrap();
    let mut position = Position::start();
    let mut sum = Accumulator::new(std::sync::Arc::new(weights), &position);
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..150 {
        let value = sum.value(&position);
        assert_eq!(value, full::value(&terms, &position));
        assert_eq!(value, full::value(sum.table(), &turned(&position, mirrored, false)));
        assert_eq!(value, full::value(sum.table(), &turned(&position, Square::rotated, true)));
        let moves = generate::all_legal(&position);
        let Some(&mv) = moves.get(random.usize(..moves.len().max(1))) else { break };
        sum.play(&mut position, mv);
    }
    // From full tables back to the same terms.
    let weights = sum.table();
    assert!(compact::built_in().unwrap().with_rest_of(weights).unwrap() == terms);
}

/// Terms with entries of every symmetric table, near and far, small and beyond what 16 bits hold.
fn learned_terms() -> Terms {
    let mut random = fastrand::Rng::with_seed(8);
    let mut piece = || Index::new(random.usize(1..Index::COUNT)).unwrap();
    let pieces: Vec<Index> = (0..40).map(|_| piece()).collect();
    let square = |random: &mut fastrand::Rng| Square::from_index(random.usize(0..Square::COUNT)).unwrap();
    let mut entries = <[Vec<(u32, [i32; 2])>; 5]>::default();
    for (nth, &one) in pieces.iter().enumerate() {
        for &other in pieces[..nth].iter().filter(|&&other| other != one) {
            let (king, enemy) = (square(&mut random), square(&mut random));
            let mut value = || [random.i32(-25_000..25_000), random.i32(-900..900)];
            let pair = symmetric::pair(one, other);
            entries[0].push((symmetric::kings_piece(king, enemy, one).key, value()));
            entries[1].push((pair.key, if pair.sign == 0 { [0, 5] } else { value() }));
            entries[2].push((symmetric::zone_pair(king, one, other), value()));
            let relative = symmetric::relative_pair(Relative::of(king, one), Relative::of(king, other));
            entries[3].push((relative, value()));
            entries[4].push((symmetric::king_pair(king, one, other), value()));
        }
    }
    let [kkp, pairs, zones, relative, kpp] = entries.map(|mut table| {
        table.sort();
        table.dedup_by_key(|entry| entry.0);
        Sparse::new(table)
    });
    let zeros = |shared: symmetric::Shared, value: [i32; 2]| if shared.sign == 0 { [0, 0] } else { value };
    let of = |key: u32| {
        let index = |number: u32| Index::new(number as usize).unwrap();
        let square = |number: u32| Square::from_index(number as usize).unwrap();
        symmetric::kings_piece(square(key / 1548 / 81), square(key / 1548 % 81), index(key % 1548))
    };
    let kkp = Sparse::new(kkp.iter().map(|(key, value)| (key, zeros(of(key), value))).collect());
    Terms { symmetric: Symmetric { kkp, pairs, zones, relative, kpp }, ..yss::terms() }
}

#[test]
fn symmetric_terms_expand_to_what_they_say() {
    let mut terms = learned_terms();
    // A remainder at a place that has an entry of its own, at one that stands at the limit, and at one that does not.
    let (one, other) = (Index::new(800).unwrap(), Index::new(300).unwrap());
    let place = |king: Square| ((king.index() * 1548 + 800) * 1548 + 300) as u32;
    let key = symmetric::king_pair(square("5i"), one, other);
    terms.symmetric.kpp = Sparse::new(terms.symmetric.kpp.iter().chain([(key, [40_000, 3])]).collect());
    terms.kpp = Sparse::new(vec![(place(square("5i")), [-20_000, 1]), (place(square("1a")), [7, 7])]);
    let weights = terms.expand().unwrap();
    for black in Square::all() {
        for white in Square::all().step_by(4) {
            for piece in Index::all() {
                assert_eq!(weights.kkp(black, white, piece), terms.kkp(black, white, piece));
            }
        }
        for one in Index::all().skip(black.index() % 5).step_by(5) {
            for other in Index::all() {
                assert_eq!(
                    weights.kpp(black, one, other),
                    terms.kpp(black, one, other),
                    "{black} {one} {other}"
                );
            }
        }
    }
    assert_eq!(weights.kpp(square("5i"), one, other)[0], {
        let rest = Terms { kpp: Sparse::default(), ..terms.clone() };
        let value = i32::from(rest.kpp(square("5i"), one, other)[0]);
        assert_eq!(value, i32::from(i16::MAX));
        terms.kpp(square("5i"), one, other)[0]
    });
    // Mirrored and with the colours exchanged, a position is worth the same to the side to move.
    let terms = learned_terms();
    let mut position = Position::start();
    let mut random = fastrand::Rng::with_seed(9);
    for _ in 0..60 {
        let value = full::value(&terms, &position);
        assert_eq!(value, full::value(&terms, &turned(&position, mirrored, false)));
        assert_eq!(value, full::value(&terms, &turned(&position, Square::rotated, true)));
        let Some(&mv) = random.choice(generate::all_legal(&position).iter()) else { break };
        position.play(mv, &mut ());
    }
}

#[test]
fn full_files_round_trip() {
    let folder = folder("round trip");
    let mut blank = Blank::new().unwrap();
    blank.fill(&Formula);
    let weights = blank.finish().unwrap();
    files::save(&weights, &folder, &mut |_, _| ()).unwrap();
    let loaded = Files::find(&folder).unwrap();
    for again in [loaded.load(&mut |_, _| ()).unwrap(), loaded.read(&mut |_, _| ()).unwrap()] {
        assert!(again.all_kk() == weights.all_kk());
        assert!(again.all_kkp() == weights.all_kkp());
        assert!(again.all_kpp() == weights.all_kpp());
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing but the files is left");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn colours_are_told_apart() {
    // The formula is not symmetric: a turned position has another value, so that the tests above mean something.
    let position = Position::start();
    let other = turned(&position, Square::rotated, true);
    assert_eq!(other.side(), Color::White);
    assert_ne!(full::value(&Formula, &position), full::value(&Formula, &other));
}
