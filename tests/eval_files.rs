//! Evaluation files: the field's layouts, the compact format, and the messages about broken ones.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use crc32fast::hash;
use jitsugen::eval::accumulator::Accumulator;
use jitsugen::eval::files::{self, Files, LAYOUTS, LoadError, Part};
use jitsugen::eval::index::{Index, mirrored};
use jitsugen::eval::sparse::Sparse;
use jitsugen::eval::symmetric::{self, Relative, Symmetric, pair_key, pair_of};
use jitsugen::eval::table::Table;
use jitsugen::eval::terms::Terms;
use jitsugen::eval::tools::{self, Source};
use jitsugen::eval::weights::{Blank, Weights};
use jitsugen::eval::{compact, full, yss};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::square::Square;

use crate::support::evaluation::alone_with_full_tables;
use crate::support::folder;
use crate::support::formula::Formula;
use crate::support::positions::{mapped, turned};

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
fn layouts_are_recognised_by_length_and_read() {
    let _alone = alone_with_full_tables();
    let index = |number| Index::new(number).unwrap();
    let (black, white) = (square("5i"), square("5a"));
    let kings = (black.index() * 81 + white.index()) as u64;
    for (place, layout) in LAYOUTS.into_iter().enumerate() {
        let folder = folder::empty(&format!("layout {place}"));
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
        let mut progress = (0, 0);
        let weights = files.load(&mut |done, total| progress = (done, total)).unwrap();
        assert_eq!(progress, (files.bytes(), files.bytes()));
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

/// The folder in which the client started the engine has a folder of that name as well, with something else in it.
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

    let folder = folder::empty("broken evaluation");
    let error = Files::named(&folder).unwrap_err();
    assert!(matches!(&error, LoadError::Open { path, .. } if path.ends_with("KKP_synthesized.bin")));

    blank_files(&folder, 0);
    let kpp = folder.join(Part::Kpp.file_name());
    File::options().write(true).open(&kpp).unwrap().set_len(1000).unwrap();
    let error = Files::find(&folder).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, LoadError::Length { found: 1000, .. }));
    assert!(text.contains("KPP_synthesized.bin: 1000 bytes; expected 776402496"), "{text}");
    assert!(text.contains("試験"), "{text}");

    blank_files(&folder, 2);
    let error = Files::find(&folder).unwrap_err();
    assert!(matches!(error, LoadError::Mixed { .. }), "KK of one layout, KKP of another: {error}");
    assert!(error.to_string().contains("40625712"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn broken_compact_files_are_named() {
    let path = folder::empty("compact").join("half.jge");
    let whole = compact::encode(&learned_terms()).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let error = tools::inspect(&Source::from_word(&path), &mut |_, _| ()).unwrap_err().to_string();
    assert!(error.contains("half.jge") && error.contains("bytes after the header: expected"), "{error}");
    let absent = path.with_file_name("absent.jge");
    let error = tools::inspect(&Source::from_word(&absent), &mut |_, _| ()).unwrap_err().to_string();
    assert!(error.contains("absent.jge"), "{error}");
}

#[test]
fn the_mean_of_compact_files_is_written() {
    let folder = folder::empty("mean");
    let [one, to] = ["one.jge", "mean.jge"].map(|name| folder.join(name));
    compact::write(&learned_terms(), &one).unwrap();
    let [one, yss, full] = [one.as_path(), Path::new("yss"), folder.as_path()].map(Source::from_word);
    tools::write_mean(&[one.clone(), yss.clone(), yss.clone(), one.clone()], &to).unwrap();
    let expected = tools::mean(&[learned_terms(), yss::terms()]).unwrap();
    assert!(compact::read(&to).unwrap() == expected && expected != yss::terms());
    // What cannot be read leaves the file that is there.
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

/// Learning began with YSS's evaluation. The terms that it does not change are still there.
#[test]
fn the_built_in_file_is_its_start_and_what_learning_added() {
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
        for white in Square::all().skip(black.index() % 4).step_by(4) {
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

/// Expanded once for all that needs it: positions of a random game, mirrored, turned, and by terms.
#[test]
fn the_expanded_built_in_evaluation_has_the_values_of_its_terms() {
    let _alone = alone_with_full_tables();
    let terms = compact::built_in().unwrap();
    let weights = terms.expand().unwrap();
    let mut position = Position::start();
    let mut sum = Accumulator::new(std::sync::Arc::new(weights), &position);
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..150 {
        let value = sum.value(&position);
        assert_eq!(value, full::value(&terms, &position));
        assert_eq!(value, full::value(sum.table(), &mapped(&position, mirrored)));
        assert_eq!(value, full::value(sum.table(), &turned(&position)));
        let moves = generate::all_legal(&position);
        let Some(&mv) = moves.get(random.usize(..moves.len().max(1))) else { break };
        sum.play(&mut position, mv);
    }
}

/// From full tables, nearly all zero, back to terms with a remainder.
#[test]
fn terms_with_the_rest_of_full_tables_expand_to_these_tables() {
    let mut random = fastrand::Rng::with_seed(12);
    let mut terms = Terms::default();
    for table in [&mut terms.kk, &mut terms.piece, &mut terms.king_piece] {
        table.iter_mut().for_each(|entry| *entry = [random.i32(-900..900), random.i32(-90..90)]);
    }
    let mut blank = Blank::new().unwrap();
    blank.kkp().copy_from_slice(terms.expand().unwrap().all_kkp());
    // The tables have nothing of this pair: the rest takes it back at every king's square.
    let [one, other] = [800, 300].map(|number| Relative::of(square("5i"), Index::new(number).unwrap()));
    terms.pairs = Sparse::new(vec![(pair_key(one, other), [-20_000, 5])]);
    blank.kk().iter_mut().for_each(|entry| *entry = [random.i32(-9000..9000), 3]);
    for _ in 0..40 {
        let place = random.usize(..blank.kkp().len());
        blank.kkp()[place] = [random.i32(-40_000..40_000), 1];
        let (king, one, other) = (random.usize(..81), random.usize(..1548), random.usize(..1548));
        let value = if one == other { [0, 0] } else { [random.i16(..), random.i16(..)] };
        for (one, other) in [(one, other), (other, one)] {
            blank.kpp()[(king * 1548 + one) * 1548 + other] = value;
        }
    }
    let weights = blank.finish().unwrap();
    let again = terms.with_rest_of(&weights).unwrap().expand().unwrap();
    assert!(again.all_kk() == weights.all_kk());
    assert!(again.all_kkp() == weights.all_kkp());
    assert!(again.all_kpp() == weights.all_kpp());
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
fn symmetric_terms_expand_to_their_values() {
    let _alone = alone_with_full_tables();
    let mut terms = learned_terms();
    // Remainders: at a place whose value is at the limit of 16 bits, and at one without an entry of its own.
    let (one, other) = (Index::new(800).unwrap(), Index::new(300).unwrap());
    let place = |king: Square| ((king.index() * 1548 + 800) * 1548 + 300) as u32;
    let key = symmetric::king_pair(square("5i"), one, other);
    terms.symmetric.kpp = Sparse::new(terms.symmetric.kpp.iter().chain([(key, [40_000, 3])]).collect());
    terms.kpp = Sparse::new(vec![(place(square("5i")), [-20_000, 1]), (place(square("1a")), [7, 7])]);
    let weights = terms.expand().unwrap();
    for black in Square::all() {
        for white in Square::all().step_by(8) {
            for piece in Index::all() {
                assert_eq!(weights.kkp(black, white, piece), terms.kkp(black, white, piece));
            }
        }
        for one in Index::all().skip(black.index() % 17).step_by(17) {
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
        assert_eq!(value, full::value(&terms, &mapped(&position, mirrored)));
        assert_eq!(value, full::value(&terms, &turned(&position)));
        let Some(&mv) = random.choice(generate::all_legal(&position).iter()) else { break };
        position.play(mv, &mut ());
    }
}

/// The checksums of the three tables. Tables to compare with would take as much memory again.
fn checksums(weights: &Weights) -> [u32; 3] {
    let (kk, kkp, kpp) = (weights.all_kk(), weights.all_kkp(), weights.all_kpp());
    [
        hash(bytemuck::cast_slice(kk)),
        hash(bytemuck::cast_slice(kkp)),
        hash(bytemuck::cast_slice(kpp.as_flattened())),
    ]
}

#[test]
fn full_files_round_trip() {
    let _alone = alone_with_full_tables();
    let folder = folder::empty("round trip");
    let mut blank = Blank::new().unwrap();
    blank.kk().iter_mut().zip(1..).for_each(|(entry, n)| *entry = [n, -3 * n]);
    blank.kkp().iter_mut().zip(1..).for_each(|(entry, n)| *entry = [7 * n, -n]);
    blank.kpp().iter_mut().zip(1i32..).for_each(|(entry, n)| *entry = [n as i16, (n >> 16) as i16]);
    let weights = blank.finish().unwrap();
    files::save(&weights, &folder, &mut |_, _| ()).unwrap();
    let expected = checksums(&weights);
    drop(weights);
    let saved = Files::find(&folder).unwrap();
    assert_eq!(checksums(&saved.load(&mut |_, _| ()).unwrap()), expected);
    assert_eq!(checksums(&saved.read(&mut |_, _| ()).unwrap()), expected);
    assert_eq!(folder::count(&folder), 3, "nothing but the files is left");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_turned_position_has_another_value_by_the_formula() {
    // Were the formula symmetric, wrong colours would not show in the tests above.
    let position = Position::start();
    let other = turned(&position);
    assert_eq!(other.side(), Color::White);
    assert_ne!(full::value(&Formula, &position), full::value(&Formula, &other));
}
