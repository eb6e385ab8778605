//! Packed training positions: the field's bytes, both ways, and all errors.

use std::path::PathBuf;

use fastrand::Rng;
use jitsugen::record::packed::{
    BYTES, FileError, Outcome, Packed, PackedError, TrainingPosition, Writer, position, read_file,
};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::piece::HandKind;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::setup::InvalidPosition;
use jitsugen::shogi::sfen;

use crate::support::folder;
use crate::support::games;

/// Written by cshogi: position, move, score, result, bytes.
const VECTORS: [(&str, Option<&str>, i16, i8, &str); 7] = [
    (
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        Some("7g7f"),
        35,
        1,
        "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c23003b1e01000100",
    ),
    (
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 94",
        Some("N*2f"),
        -31000,
        -1,
        "2381510a86f515e900473c3ed5010020c52758530004cb48123fc3f99024ebbce8868e415e00ff00",
    ),
    (
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        Some("8e9g+"),
        1234,
        0,
        "8dcb51120c24e11f3c201e808f14342978f8738ae36094ab58c8251806c97a9fd204cea17c000000",
    ),
    (
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3",
        Some("8h2b+"),
        -1,
        -1,
        "58a451220ceb67227e9693241caf447824c22b119e53121ceb6f223e9651220cffff0aa30300ff00",
    ),
    (
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        None,
        0,
        0,
        "5924126120113f0b897090088f4420111e12e120111f0b8930a4d4da5a7bbf7e0000000001000000",
    ),
    (
        "2+P1K1+P2/1+P+R1+P1+P2/2G1S1B2/9/9/9/2b1s1g2/2+p1+p1+r+p1/2+p1k1+p2 w GS2N2L4Pgs2n2l4p 301",
        Some("G*5e"),
        32000,
        1,
        "492c008056f581f7bf01d481b301d4df83cf6e050000002194320e49c658ebbc007da8432d010100",
    ),
    (
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        Some("5i5h"),
        32767,
        1,
        "58240000000000000000008024499224499294524aadb5b6d65a7beffd7afd7eff7f2b1601000100",
    ),
];

fn of_hex(text: &str) -> Packed {
    let byte = |at: usize| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap();
    Packed(std::array::from_fn(byte))
}

fn packed(text: &str) -> Packed {
    let position = sfen::parse(text).unwrap();
    TrainingPosition { position, score: 100, best: None, result: Outcome::Win }.pack().unwrap()
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder::empty(&format!("packed {name}")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn positions_have_the_bytes_that_cshogi_writes() {
    for (text, best, score, result, bytes) in VECTORS {
        let known = of_hex(bytes).unpack().unwrap();
        assert_eq!(known.position.setup(), sfen::parse_setup(text).unwrap());
        assert_eq!(known.best.map(|mv| mv.to_string()).as_deref(), best);
        assert_eq!((known.score, known.result.sign()), (score, result));
        assert_eq!(format!("{:?}", known.pack().unwrap()), bytes);
    }
}

#[test]
fn positions_of_random_games_round_trip() {
    let mut random = Rng::with_seed(8);
    let mut count = 0;
    for _ in 0..60 {
        games::play_at_random(&Position::start(), 200, &mut random, |position, moves| {
            count += 1;
            let best = Some(moves[count % moves.len()]);
            let result = Outcome::ALL[count % 3];
            let score = (count as i16).wrapping_mul(7);
            let there = TrainingPosition { position: position.clone(), score, best, result };
            let packed = there.pack().unwrap();
            let back = packed.unpack().unwrap();
            assert_eq!(back.position.setup(), position.setup());
            assert_eq!((back.score, back.best, back.result), (score, best, result));
            assert_eq!(back.pack(), Ok(packed));
        });
    }
    println!("random games: {count} training positions");
}

#[test]
fn results_are_from_the_side_to_move() {
    let (black, white) = (Some(Color::Black), Some(Color::White));
    assert_eq!(Outcome::of(Color::Black, black).sign(), 1);
    assert_eq!(Outcome::of(Color::Black, white).sign(), -1);
    assert_eq!(Outcome::of(Color::White, white).sign(), 1);
    assert_eq!(Outcome::of(Color::White, None).sign(), 0);
}

#[test]
fn move_numbers_are_limited_to_sixteen_bits() {
    assert_eq!(packed("4k4/9/9/9/9/9/9/9/4K4 b - 70000").ply(), u16::MAX);
    let mut packed = packed(sfen::START);
    packed.0[36] = 0;
    assert_eq!(packed.unpack().unwrap().position.move_number(), 1);
}

#[test]
fn errors_say_what_is_wrong() {
    let start = packed(sfen::START);
    let changed = |at: usize, value: u8| {
        let mut packed = start;
        packed.0[at] = value;
        packed.unpack().unwrap_err()
    };
    assert_eq!(changed(38, 2), PackedError::Result(2));
    assert_eq!(changed(38, 0x80), PackedError::Result(-128));
    // To square 127; passing, as square 1 to square 1; a drop of the kind 0; 5e5d with nothing on 5e.
    assert_eq!(changed(34, 127), PackedError::Move(127));
    assert_eq!(changed(34, 129), PackedError::Move(129));
    assert_eq!(changed(35, 0x40), PackedError::Move(0x4000));
    let mut illegal = start;
    illegal.0[34..36].copy_from_slice(&(40u16 << 7 | 39).to_le_bytes());
    assert_eq!(illegal.unpack().unwrap_err(), PackedError::IllegalMove("5e5d".parse().unwrap()));

    let mut bits = [0; position::BYTES];
    assert_eq!(position::unpack(&bits).unwrap_err(), PackedError::Kings([0, 0]));
    bits[0] = 0xff;
    assert_eq!(position::unpack(&bits).unwrap_err(), PackedError::Kings([127, 0]));
    // Kings on 1a and 1b, empty squares, and pawns in hand, three bits each, up to the last bit.
    bits[..2].copy_from_slice(&[0, 1]);
    assert_eq!(position::unpack(&bits).unwrap_err(), PackedError::Incomplete(HandKind::Pawn, 54));
    // With a lance, five bits, before them.
    bits[94 / 8] = 1 << (94 % 8);
    assert_eq!(position::unpack(&bits).unwrap_err(), PackedError::Unfinished);

    // White is in check; were it Black's turn, the king could be taken.
    let mut check = packed("4k4/9/9/4R4/9/9/9/9/4K4 w - 1");
    check.0[0] ^= 1;
    assert_eq!(check.unpack().unwrap_err(), PackedError::Invalid(InvalidPosition::CanTakeKing(Color::Black)));

    let kingless = sfen::parse("4k4/9/9/9/9/9/9/9/9 b - 1").unwrap();
    let kingless = TrainingPosition { position: kingless, score: 0, best: None, result: Outcome::Draw };
    assert_eq!(kingless.pack(), Err(PackedError::NoKing(Color::Black)));
}

#[test]
fn pieces_missing_from_a_set_may_be_in_the_box() {
    // A pawn in hand (000) becomes one that takes no part (010) without harm, and a white one (001); White's pawn that
    // takes no part (011) is nothing.
    let holding = packed("4k4/9/9/9/9/9/9/9/4K4 b P 1");
    let first_in_hand = 1 + 7 + 7 + 79;
    let with = |bits: [u8; 3]| {
        let mut packed = holding;
        for (place, bit) in bits.into_iter().enumerate() {
            let at = first_in_hand + place;
            packed.0[at / 8] = packed.0[at / 8] & !(1 << (at % 8)) | bit << (at % 8);
        }
        packed.unpack().map(|known| sfen::write(&known.position))
    };
    assert_eq!(with([0, 0, 0]).unwrap(), "4k4/9/9/9/9/9/9/9/4K4 b P 1");
    assert_eq!(with([0, 1, 0]).unwrap(), "4k4/9/9/9/9/9/9/9/4K4 b - 1");
    assert_eq!(with([0, 0, 1]).unwrap(), "4k4/9/9/9/9/9/9/9/4K4 b p 1");
    assert_eq!(with([0, 1, 1]).unwrap_err(), PackedError::Code(HandKind::Pawn));
}

#[test]
fn damaged_records_are_refused_or_read_as_what_they_say() {
    let mut random = Rng::with_seed(40);
    let mut read = 0;
    for round in 0..100_000 {
        let mut packed = of_hex(VECTORS[round % VECTORS.len()].4);
        for _ in 0..1 + random.usize(..3) {
            packed.0[random.usize(..BYTES)] ^= 1 << random.usize(..8);
        }
        let Ok(known) = packed.unpack() else { continue };
        read += 1;
        let written = known.pack().unwrap();
        let again = written.unpack().unwrap();
        assert_eq!(again.position.setup(), known.position.setup());
        assert_eq!(again.pack(), Ok(written));
    }
    println!("damaged records: {read} of 100000 were positions all the same");
    assert!(read > 500);
}

#[test]
fn broken_files_are_read_as_far_as_they_are_right() {
    let start = packed(sfen::START);
    let later = packed("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
    let mut bad = start;
    bad.0[38] = 7;
    let mut writer = Writer::new(Vec::new());
    for record in [start, bad, later, bad, later] {
        writer.write(&record).unwrap();
    }
    let mut bytes = writer.into_inner();
    bytes.extend_from_slice(&start.0[..17]);
    let mut plies = Vec::new();
    let summary = read_file(&file("wrong.psv", &bytes), |record, known| {
        assert_eq!(record.ply(), known.position.move_number() as u16);
        plies.push(record.ply());
    });
    let summary = summary.unwrap();
    assert_eq!(plies, [1, 2, 2]);
    assert_eq!((summary.good, summary.skipped, summary.left_over), (3, 2, 17));
    assert_eq!(summary.first_skipped, Some((2, PackedError::Result(7))));

    // Three pages that never reached the disk.
    let zeros = [&[0; 3 * 4096][..], &start.0[3 * 4096 % BYTES..], &start.0.repeat(500)].concat();
    let summary = read_file(&file("zeros first.psv", &zeros), |_, _| ()).unwrap();
    assert_eq!((summary.good, summary.skipped, summary.left_over), (500, 308, 0));
    assert_eq!(summary.first_skipped, Some((1, PackedError::Kings([0, 0]))));

    let empty = read_file(&file("empty.psv", &[]), |_, _| ()).unwrap_err();
    assert!(matches!(empty, FileError::Empty(_)), "{empty}");
    assert!(empty.to_string().contains("empty.psv: expected positions"), "{empty}");
    for (name, bytes) in [
        (
            "foreign.psv",
            &b"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n".repeat(1000)[..],
        ),
        ("zeros.psv", &[0; 100 * BYTES]),
        ("short.psv", &start.0[..39]),
    ] {
        let error = read_file(&file(name, bytes), |_, _| panic!("nothing is right")).unwrap_err();
        assert!(matches!(error, FileError::OtherFormat { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
    let missing = read_file("no such file".as_ref(), |_, _| ()).unwrap_err();
    assert!(missing.to_string().starts_with("no such file: "), "{missing}");
}
