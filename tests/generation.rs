//! The rules against their slow twin, at every position of random games.

use std::collections::HashSet;

use fastrand::Rng;
use jitsugen::shogi::bitboard::Bitboard;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate::{self, MoveList, NonPromotions};
use jitsugen::shogi::key::Key;
use jitsugen::shogi::moves::{Move, Origin};
use jitsugen::shogi::piece::{HandKind, Piece, PieceKind};
use jitsugen::shogi::position::repetition::{Repetition, Sennichite};
use jitsugen::shogi::position::{Changes, Position};
use jitsugen::shogi::setup::Setup;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;

use crate::support::twin::Twin;

/// In longer games few pieces are left to take.
const LONGEST_GAME: usize = 160;

/// How often the random games had what is worth testing.
#[derive(Default, Debug)]
struct Met {
    positions: u32,
    drops: u32,
    promotions: u32,
    pins: u32,
    in_check: u32,
    double_checks: u32,
    discovered_checks: u32,
    pawn_drop_mates: u32,
    pointless_non_promotions: u32,
    ends: u32,
}

impl Met {
    fn counts(&self) -> [(&'static str, u32); 10] {
        [
            ("positions", self.positions),
            ("drops", self.drops),
            ("promotions", self.promotions),
            ("pins", self.pins),
            ("in check", self.in_check),
            ("double checks", self.double_checks),
            ("discovered checks", self.discovered_checks),
            ("mating pawn drops", self.pawn_drop_mates),
            ("pointless non-promotions", self.pointless_non_promotions),
            ("ends", self.ends),
        ]
    }
}

/// A board that follows the position by its reported changes alone.
struct Mirror {
    board: [Option<Piece>; Square::COUNT],
    hands: [[u8; HandKind::COUNT]; 2],
}

impl Changes for Mirror {
    fn board(&mut self, piece: Piece, square: Square, on: bool) {
        let (before, after) = if on { (None, Some(piece)) } else { (Some(piece), None) };
        assert_eq!(self.board[square.index()], before, "on {square}");
        self.board[square.index()] = after;
    }

    fn hand(&mut self, color: Color, kind: HandKind, count: u8) {
        let held = &mut self.hands[color.index()][kind.index()];
        assert_eq!(held.abs_diff(count), 1, "{color:?} {kind:?}");
        *held = count;
    }
}

impl Mirror {
    fn new(setup: &Setup) -> Mirror {
        Mirror { board: setup.board, hands: setup.hands.0 }
    }

    fn check(&self, position: &Position) {
        let setup = position.setup();
        assert_eq!((self.board, self.hands), (setup.board, setup.hands.0), "{position:?}");
    }
}

/// Everything that can be asked of a position.
#[derive(PartialEq, Debug)]
struct Seen {
    setup: Setup,
    keys: (Key, Key),
    colors: [Bitboard; 2],
    kinds: [Bitboard; PieceKind::COUNT],
    kings: [Option<Square>; 2],
    checkers: Bitboard,
    repetition: Option<Repetition>,
    sennichite: Option<Sennichite>,
}

impl Seen {
    fn new(position: &Position) -> Seen {
        let keys = (position.board_key(), position.key());
        assert_eq!(keys, position.recomputed_keys());
        Seen {
            setup: position.setup(),
            keys,
            colors: Color::ALL.map(|color| position.of_color(color)),
            kinds: PieceKind::ALL.map(|kind| position.of_kind(kind)),
            kings: Color::ALL.map(|color| position.king(color)),
            checkers: position.checkers(),
            repetition: position.repetition(),
            sennichite: position.sennichite(),
        }
    }
}

type Generator = fn(&Position, NonPromotions, &mut MoveList);

fn generated(generator: Generator, position: &Position, wanted: NonPromotions) -> Vec<Move> {
    let mut list = MoveList::new();
    generator(position, wanted, &mut list);
    list.sort();
    assert!(list.windows(2).all(|pair| pair[0] != pair[1]), "a move twice in {position:?}");
    list.to_vec()
}

/// Whether the promotion would be at least as good: of pawn, bishop and rook anywhere, of a lance to the second rank.
fn is_pointless(twin: &Twin, mv: Move) -> bool {
    let Origin::Board(from) = mv.origin() else { return false };
    let us = twin.side;
    let could_promote = from.in_promotion_zone(us) || mv.to().in_promotion_zone(us);
    !mv.is_promotion()
        && could_promote
        && match twin.board[from.index()].unwrap().kind {
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => true,
            PieceKind::Lance => mv.to().rank_from(us) == 1,
            _ => false,
        }
}

/// `color`'s pieces whose removal opens an attack on a king: on their own king they are pinned, on the opponent's
/// they discover a check.
fn opening(twin: &Twin, color: Color, king_of: Color) -> Bitboard {
    let attackers = twin.attackers_of_king(king_of);
    let opens = |square: &Square| {
        let Some(piece) = twin.board[square.index()] else { return false };
        let mut without = twin.clone();
        without.board[square.index()] = None;
        piece.color == color
            && without.attackers_of_king(king_of).iter().any(|attacker| !attackers.contains(attacker))
    };
    Square::all().filter(opens).collect()
}

/// Compares all that the rules say about one position. Returns its legal moves.
fn compare(position: &Position, met: &mut Met) -> Vec<Move> {
    let twin = Twin::new(&position.setup());
    let (us, them) = (position.side(), !position.side());
    let expected = twin.legal();
    let checks: HashSet<Move> =
        expected.iter().copied().filter(|&mv| !twin.after(mv).attackers_of_king(them).is_empty()).collect();

    let checkers: Bitboard = twin.attackers_of_king(us).into_iter().collect();
    assert_eq!(position.checkers(), checkers, "{position:?}");
    assert_eq!(position.checkers_of(us), checkers, "{position:?}");
    assert_eq!(position.in_check(), !checkers.is_empty());
    for color in Color::ALL {
        assert_eq!(position.pinned(color), opening(&twin, color, color), "{position:?}");
        assert_eq!(position.discoverers(color), opening(&twin, color, !color), "{position:?}");
        let attacked =
            Square::all().filter(|&square| position.is_attacked(square, color, position.occupied()));
        assert_eq!(position.attacked_by(color), attacked.collect(), "{position:?}");
    }
    assert_eq!(generate::all_legal(position).len(), expected.len());
    assert_eq!(generate::count_legal(position) as usize, expected.len());
    assert_eq!(generate::any_legal(position), !expected.is_empty());

    let is_capture = |mv: &Move| twin.board[mv.to().index()].is_some();
    for wanted in [NonPromotions::All, NonPromotions::Useful] {
        let mut legal = expected.clone();
        if wanted == NonPromotions::Useful {
            legal.retain(|&mv| !is_pointless(&twin, mv));
        }
        let list = |generator: Generator| generated(generator, position, wanted);
        let part = |keep: &dyn Fn(&Move) -> bool| -> Vec<Move> {
            legal.iter().copied().filter(|mv| keep(mv)).collect()
        };
        assert_eq!(list(generate::legal), legal, "{wanted:?} {position:?}");
        assert_eq!(list(generate::captures), part(&is_capture), "{wanted:?} {position:?}");
        let promotions: Generator = |position, _, moves| generate::promotions(position, moves);
        let is_promotion = |mv: &Move| !is_capture(mv) && mv.is_promotion();
        assert_eq!(list(promotions), part(&is_promotion), "{wanted:?} {position:?}");
        assert_eq!(list(generate::evasions), legal, "{wanted:?} {position:?}");
        assert_eq!(list(generate::checks), part(&|mv| checks.contains(mv)), "{wanted:?} {position:?}");
    }
    for &mv in &expected {
        assert!(position.is_legal(mv), "{mv} in {position:?}");
        assert_eq!(position.gives_check(mv), checks.contains(&mv), "{mv} in {position:?}");
    }

    met.positions += 1;
    met.pins += u32::from(!position.pinned(us).is_empty());
    met.in_check += u32::from(position.in_check());
    met.double_checks += u32::from(checkers.has_several());
    met.discovered_checks += u32::from(checks.iter().any(|mv| {
        let after = twin.after(*mv);
        after.attackers_of_king(them) != [mv.to()]
    }));
    met.pointless_non_promotions += u32::from(expected.iter().any(|&mv| is_pointless(&twin, mv)));
    met.pawn_drop_mates += u32::from(bans_a_mating_drop(position, &expected));
    met.ends += u32::from(expected.is_empty());
    expected
}

/// Whether the only thing against dropping a pawn in front of the opponent's king is that it would be mate.
fn bans_a_mating_drop(position: &Position, legal: &[Move]) -> bool {
    let (us, forward) = match position.side() {
        Color::Black => (Color::Black, 1),
        Color::White => (Color::White, -1),
    };
    let Some(to) = position.king(!us).and_then(|king| king.offset(0, forward)) else { return false };
    let own_pawns = position.of_piece(Piece::new(us, PieceKind::Pawn));
    !position.in_check()
        && position.hand(us).has(HandKind::Pawn)
        && position.piece_on(to).is_none()
        && !own_pawns.meets(Bitboard::file(to.file()))
        && !legal.contains(&Move::drop(HandKind::Pawn, to))
}

/// Mostly any move. Now and then a capture or a check, if possible a discovered one, which leads to sharper positions
/// than chance alone.
fn choose(position: &Position, legal: &[Move], rng: &mut Rng) -> Move {
    let wanted = match rng.u32(..4) {
        0 => generated(generate::checks, position, NonPromotions::All),
        1 => generated(generate::captures, position, NonPromotions::All),
        _ => Vec::new(),
    };
    let discoverers = position.discoverers(position.side());
    let opens = |mv: &&Move| mv.from().is_some_and(|from| discoverers.contains(from));
    let discovering: Vec<Move> = wanted.iter().filter(opens).copied().collect();
    *rng.choice(&discovering)
        .or_else(|| rng.choice(&wanted))
        .or_else(|| rng.choice(legal))
        .expect("there is a legal move")
}

/// Plays one random game and takes it back, comparing with the twin at every node.
fn play_game(start: &str, rng: &mut Rng, met: &mut Met) {
    let mut position = sfen::parse(start).unwrap();
    let mut mirror = Mirror::new(&position.setup());
    let mut game: Vec<(Move, Seen)> = Vec::new();
    for _ in 0..LONGEST_GAME {
        let legal = compare(&position, met);
        if legal.is_empty() {
            break;
        }
        if !position.in_check() {
            let before = Seen::new(&position);
            position.play_null_move();
            assert_eq!(position.repetition(), None);
            position.undo_null_move();
            assert_eq!(Seen::new(&position), before);
        }
        let mv = choose(&position, &legal, rng);
        met.drops += u32::from(mv.is_drop());
        met.promotions += u32::from(mv.is_promotion());
        let expected = Twin::new(&position.setup()).after(mv);
        game.push((mv, Seen::new(&position)));
        position.play(mv, &mut mirror);
        mirror.check(&position);
        assert_eq!(Twin::new(&position.setup()), expected, "{mv}");
    }
    while let Some((mv, before)) = game.pop() {
        position.undo(mv, &mut mirror);
        mirror.check(&position);
        assert_eq!(Seen::new(&position), before, "{mv} taken back");
    }
}

fn starts(group: &str) -> Vec<&'static str> {
    let lines = include_str!("data/starts.sfen").lines().filter(|line| !line.starts_with('#'));
    let fields = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    fields.filter(|fields| fields[0] == group).map(|fields| fields[1]).collect()
}

/// Plays random games from the group's starts, one after the other, until `least.positions` were compared. Asserts that
/// the games had everything as often as `least` says.
fn play_games(group: &str, seed: u64, least: Met) {
    let mut rng = Rng::with_seed(seed);
    let mut met = Met::default();
    for start in starts(group).into_iter().cycle() {
        play_game(start, &mut rng, &mut met);
        if met.positions >= least.positions {
            break;
        }
    }
    println!("random games, {group}: {met:?}");
    for ((name, count), (_, least)) in met.counts().into_iter().zip(least.counts()) {
        assert!(count >= least, "{name}: only {count}");
    }
}

#[test]
fn the_rules_agree_with_the_twin_in_even_games() {
    let least = Met {
        positions: 9_000,
        drops: 1_800,
        promotions: 500,
        pins: 350,
        in_check: 1_200,
        double_checks: 2,
        discovered_checks: 60,
        pawn_drop_mates: 10,
        pointless_non_promotions: 3_200,
        ends: 10,
    };
    play_games("game", 1, least);
}

#[test]
fn the_rules_agree_with_the_twin_in_handicap_games() {
    let least = Met {
        positions: 8_000,
        drops: 1_400,
        promotions: 350,
        pins: 150,
        in_check: 900,
        double_checks: 1,
        discovered_checks: 40,
        pawn_drop_mates: 8,
        pointless_non_promotions: 2_400,
        ends: 8,
    };
    play_games("handicap", 2, least);
}

#[test]
fn the_rules_agree_with_the_twin_without_an_attacking_king() {
    let least = Met {
        positions: 5_000,
        drops: 1_900,
        promotions: 300,
        pins: 80,
        in_check: 250,
        pawn_drop_mates: 4,
        ..Met::default()
    };
    play_games("problem", 3, least);
}

#[test]
fn the_rules_agree_with_the_twin_with_many_pieces_in_hand() {
    let least = Met {
        positions: 5_000,
        drops: 1_900,
        promotions: 250,
        pins: 300,
        in_check: 900,
        double_checks: 2,
        discovered_checks: 70,
        pawn_drop_mates: 40,
        pointless_non_promotions: 2_500,
        ends: 30,
    };
    play_games("hands", 4, least);
}

#[test]
fn the_rules_agree_with_the_twin_with_entering_kings() {
    let least =
        Met { positions: 4_000, drops: 1_300, promotions: 120, in_check: 450, pins: 180, ..Met::default() };
    play_games("entering", 5, least);
}

/// A move from a table may be any 16 bits. Exactly the generated ones are legal.
#[test]
fn exactly_the_generated_moves_are_legal() {
    let mut rng = Rng::with_seed(6);
    let starts: Vec<&str> =
        ["game", "handicap", "problem", "hands", "entering"].into_iter().flat_map(starts).collect();
    let mut positions = 0;
    while positions < 600 {
        let mut position = sfen::parse(rng.choice(&starts).unwrap()).unwrap();
        for _ in 0..LONGEST_GAME {
            let legal = generated(generate::legal, &position, NonPromotions::All);
            if legal.is_empty() {
                break;
            }
            // Neighbours in a game differ little.
            if rng.u32(..10) == 0 {
                let passes = |&mv: &Move| position.is_legal(mv);
                let found: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_word).filter(passes).collect();
                assert_eq!(found, legal, "{position:?}");
                positions += 1;
            }
            position.play(choose(&position, &legal, &mut rng), &mut ());
        }
    }
    println!("every move word: {positions} positions");
}
