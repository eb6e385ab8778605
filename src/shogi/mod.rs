//! The rules of shogi: pieces, positions, moves and how a game ends.
//!
//! Japanese terms, explained here once:
//!
//! - *Sente* (先手) is Black, the side that moves up the board and first; *gote* (後手) is White. In handicap games White
//!   is *uwate* (上手), gives the handicap and moves first; Black is *shitate* (下手).
//! - *Nifu* (二歩): two unpromoted pawns of one side on a file. A pawn may not be dropped so.
//! - *Uchifuzume* (打ち歩詰め): mate by dropping a pawn. It is not allowed either.
//! - *Sennichite* (千日手): the fourth occurrence of a position, hands and side to move included. The game is drawn, unless
//!   one side gave check with every move in between (perpetual check): then it loses.
//! - *Nyugyoku* (入玉): a king that has entered the opponent's camp. Its side may declare and count points.
//! - *Jishogi* (持将棋): a draw because both kings have entered.
//! - *Tsume* (詰め): a forced mate by checks alone; *tsume-shogi* are problems of it.
//!
//! Nothing here knows an evaluation. [`position::Changes`] reports to a listener what a move changes.

pub mod attacks;
pub mod bitboard;
pub mod color;
pub mod generate;
pub mod hand;
pub mod key;
pub mod moves;
pub mod perft;
pub mod piece;
pub mod position;
pub mod setup;
pub mod sfen;
pub mod square;
