//! Positions that several tests look at, and other views of a position.

use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::setup::Setup;
use jitsugen::shogi::square::Square;

/// A middle game with many drops: 207 moves.
pub const MIDDLE_GAME: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

/// An end game of move 124.
pub const END_GAME: &str = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124";

/// Microcosmos, a mate in 1,525 plies: no search comes to its end soon.
pub const MICROCOSMOS: &str =
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

/// The position after `moves`, each of which must be legal; `None` where one is not.
pub fn after(root: &Position, moves: &[Move]) -> Option<Position> {
    let mut position = root.clone();
    for &mv in moves {
        if !position.is_legal(mv) {
            return None;
        }
        position.play(mv, &mut ());
    }
    Some(position)
}

/// The position with every piece on the square that `to` gives for its own.
pub fn mapped(position: &Position, to: impl Fn(Square) -> Square) -> Position {
    let setup = position.setup();
    let mut board = [None; Square::COUNT];
    for square in Square::all() {
        board[to(square).index()] = setup.board[square.index()];
    }
    Position::new(&Setup { board, ..setup }).expect("the same pieces are there")
}

/// The position as the opponent sees it: turned by half, with the colours exchanged.
pub fn turned(position: &Position) -> Position {
    let setup = position.setup();
    let mut board = [None; Square::COUNT];
    for square in Square::all() {
        board[square.rotated().index()] = setup.board[square.index()].map(|mut piece| {
            piece.color = !piece.color;
            piece
        });
    }
    let mut hands = setup.hands;
    hands.0.swap(0, 1);
    Position::new(&Setup { board, hands, side: !setup.side, ..setup }).expect("the same pieces are there")
}
