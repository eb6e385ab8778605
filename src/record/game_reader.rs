//! What the readers of all text formats share: lines, times, and a game that is being read.

use std::time::Duration;

use super::builder::RecordBuilder;
use super::ending::Ending;
use super::error::{Problem, ReadError};
use super::game::Record;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::PieceKind;
use crate::shogi::sfen;
use crate::util::text::excerpt;

/// The lines of a text with their numbers, 1 for the first, without line ends.
pub(super) fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).zip(1..).map(|(line, n)| (n, line))
}

/// The fraction of a second that these digits after a decimal point stand for. Digits after the ninth are ignored.
pub(super) fn fraction(digits: &str) -> Option<Duration> {
    let mut nanoseconds: u32 = 0;
    let mut unit = 100_000_000;
    for c in digits.chars() {
        nanoseconds += c.to_digit(10)? * unit;
        unit /= 10;
    }
    Some(Duration::from_nanos(nanoseconds.into()))
}

/// A game that is being read.
///
/// A game may end with an illegal move, which its record then has. So an illegal move is kept as pending, and becomes an
/// error only if something other than that ending follows.
pub(super) struct GameReader {
    pub builder: RecordBuilder,
    pending: Option<Pending>,
}

struct Pending {
    error: ReadError,
    mv: Move,
}

impl GameReader {
    pub fn new(builder: RecordBuilder) -> GameReader {
        GameReader { builder, pending: None }
    }

    /// Returns the error of a pending illegal move, as something else follows it.
    pub fn check_pending(&mut self) -> Result<(), ReadError> {
        self.pending.take().map_or(Ok(()), |pending| Err(pending.error))
    }

    /// Plays a move that is written as `found`. `kind` is the kind of the moving piece, if the record names it.
    pub fn play(
        &mut self,
        line: usize,
        found: &str,
        mv: Move,
        kind: Option<PieceKind>,
        time: Option<Duration>,
    ) -> Result<(), ReadError> {
        self.check_pending()?;
        if self.builder.has_ended() {
            return Err(ReadError::unexpected(line, found, "nothing after the end of the game"));
        }
        let position = self.builder.position();
        let on_board = mv.from().map(|from| (from, position.piece_on(from)));
        let problem = match (kind, on_board) {
            (Some(kind), Some((from, piece))) if piece.is_none_or(|piece| piece.kind != kind) => {
                Problem::WrongPiece { found: excerpt(found), from, piece }
            }
            _ if self.builder.position().is_legal(mv) => {
                // The move is legal and the game has not ended, so the builder accepts it.
                return self
                    .builder
                    .play(mv, time)
                    .map_err(|_| ReadError::unexpected(line, found, "a legal move"));
            }
            _ => Problem::IllegalMove { found: excerpt(found), mv, sfen: sfen::write(position) },
        };
        self.pending = Some(Pending { error: ReadError { line, problem }, mv });
        Ok(())
    }

    /// Sets the thinking time of the last move or end. That of an illegal move is not kept.
    pub fn time(&mut self, time: Duration) {
        if self.pending.is_none() {
            self.builder.time(time);
        }
    }

    /// Ends the game or variation, unless it has an end.
    pub fn end(&mut self, mut ending: Ending, time: Option<Duration>) -> Result<(), ReadError> {
        if let (Some(pending), Ending::Illegal { .. }) = (&self.pending, &ending) {
            ending = Ending::Illegal { loser: self.side(), attempted: Some(pending.mv) };
            self.pending = None;
        }
        self.check_pending()?;
        if !self.builder.has_ended() {
            self.builder.end(ending, time);
        }
        Ok(())
    }

    /// Begins a variation. `found` is the text of its line.
    pub fn branch(&mut self, line: usize, found: &str, ply: usize) -> Result<(), ReadError> {
        self.check_pending()?;
        self.builder
            .branch(ply)
            .map_err(|_| ReadError::unexpected(line, found, "a variation of a move in the line before it"))
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.builder.position().side()
    }

    /// The record, at the end of the file.
    pub fn finish(mut self) -> Result<Record, ReadError> {
        self.check_pending()?;
        Ok(self.builder.finish())
    }
}
