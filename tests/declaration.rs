//! Declarations by an entered king against a slow count, at every node of random games.

use fastrand::Rng;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::piece::{Piece, PieceKind};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::{Declaration, EnteringKingRule};
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;

use crate::support::data;
use crate::support::twin::Twin;

const RULES: [EnteringKingRule; 6] = [
    EnteringKingRule::None,
    EnteringKingRule::Points24,
    EnteringKingRule::Points24Handicap,
    EnteringKingRule::Points27,
    EnteringKingRule::Points27Handicap,
    EnteringKingRule::Try,
];

fn worth(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon => 5,
        _ => 1,
    }
}

/// The rules as the associations print them, counted piece by piece.
fn declaration(twin: &Twin, rule: EnteringKingRule) -> Option<Declaration> {
    let us = twin.side;
    let king = Some(Piece::new(us, PieceKind::King));
    if rule == EnteringKingRule::Try {
        let goal = if us == Color::Black { "5a" } else { "5i" };
        let goal: Square = goal.parse().unwrap();
        return (twin.board[goal.index()] == king).then_some(Declaration::Win);
    }
    let in_hand = |color: Color| -> u32 {
        twin.hands[color.index()]
            .iter()
            .enumerate()
            .map(|(kind, &count)| u32::from(count) * if kind >= 5 { 5 } else { 1 })
            .sum()
    };
    let camp = |square: &Square| match us {
        Color::Black => square.rank() <= 2,
        Color::White => square.rank() >= 6,
    };
    let entered: Vec<Piece> = Square::all()
        .filter(camp)
        .filter_map(|square| twin.board[square.index()])
        .filter(|piece| piece.color == us)
        .collect();
    let mut points = in_hand(us) + entered.iter().map(|piece| worth(piece.kind)).sum::<u32>();
    let with_odds = matches!(rule, EnteringKingRule::Points24Handicap | EnteringKingRule::Points27Handicap);
    if with_odds && us == Color::White {
        let all: u32 = twin.board.iter().flatten().map(|piece| worth(piece.kind)).sum();
        points += 54 - all - in_hand(Color::Black) - in_hand(Color::White);
    }
    let pieces = entered.iter().filter(|piece| piece.kind != PieceKind::King).count();
    if !entered.iter().any(|&piece| Some(piece) == king)
        || pieces < 10
        || !twin.attackers_of_king(us).is_empty()
    {
        return None;
    }
    match rule {
        EnteringKingRule::Points24 | EnteringKingRule::Points24Handicap => match points {
            31.. => Some(Declaration::Win),
            24..=30 => Some(Declaration::Draw),
            _ => None,
        },
        EnteringKingRule::Points27 | EnteringKingRule::Points27Handicap => {
            (points >= if us == Color::Black { 28 } else { 27 }).then_some(Declaration::Win)
        }
        EnteringKingRule::None | EnteringKingRule::Try => None,
    }
}

/// Compares with the slow count. `met` has how often each rule gave a win and a draw.
fn compare(position: &Position, met: &mut [u32; 12]) {
    let twin = Twin::new(&position.setup());
    for (n, rule) in RULES.into_iter().enumerate() {
        let expected = declaration(&twin, rule);
        assert_eq!(position.declaration(rule), expected, "{rule:?} {position:?}");
        if let Some(found) = expected {
            met[2 * n + usize::from(found == Declaration::Draw)] += 1;
        }
    }
}

#[test]
fn declarations_agree_with_a_slow_count_in_random_games() {
    let mut rng = Rng::with_seed(8);
    let mut met = [0; 12];
    let lines = include_str!("data/starts.sfen").lines();
    // Handicap games as well: two of the rules count the missing pieces.
    let starts: Vec<&str> = lines
        .filter(|line| line.starts_with("entering") || line.starts_with("handicap"))
        .map(|line| line.split('\t').nth(1).unwrap())
        .chain([
            // Points around the limits, the side to move in turn without and with check.
            "1+P+P+P+P+P+P+P+P/K2+B+R4/9/9/9/9/9/3+b1+r2k/+p+p+p+p+p+p+p+p1 b 2G2S2N2L2g2s2n2l 1",
            "1+P+P+P+P+P+P+P+P/K2+B+R4/9/9/9/9/9/3+b1+r2k/+p+p+p+p+p+p+p+p1 w 2G2S2N2L2g2s2n2l 1",
            "1+P+P+P+P+P+P+P+P/K2+B5/9/9/9/9/9/7+rk/+p+p+p+p+p+p+p+p1 w RB4G4S2L 1",
            "+P+P+P+P+P+P+P+P1/+B+R3K3/9/9/9/9/9/4k2+r1/1+p+p+p+p+p+p+p+p b G3S2N2L2g2n2l 1",
        ])
        .collect();
    for start in starts {
        for _ in 0..15 {
            let mut position = sfen::parse(start).unwrap();
            for _ in 0..25 {
                compare(&position, &mut met);
                let twin = Twin::new(&position.setup());
                let Some(mv) = rng.choice(twin.legal()) else { break };
                assert_eq!(Twin::new(&position.setup()).after(mv).side, !position.side());
                position.play(mv, &mut ());
            }
        }
    }
    println!("declarations (wins, draws by rule): {met:?}");
    for n in [2, 3, 4, 5, 6, 8] {
        assert!(met[n] > 20, "rule {:?} hardly ever applies: {met:?}", RULES[n / 2]);
    }
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn published_positions_are_declared_or_not() {
    let mut cases = 0;
    for line in data::read("rules/declaration_positions.txt").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = sfen::parse(fields[0]).unwrap();
        let expected = (fields[2] == "cshogi_is_nyugyoku27=True").then_some(Declaration::Win);
        assert_eq!(position.declaration(EnteringKingRule::Points27), expected, "{line}");
        cases += 1;
    }
    println!("data test declaration positions: {cases} cases");
    assert!(cases > 0);
}
