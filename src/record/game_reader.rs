//! What all readers of text do: go through lines, and play moves with the illegal ones looked at twice.

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

/// The lines of a text with their numbers, without line ends of either kind.
pub(super) fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).zip(1..).map(|(line, n)| (n, line))
}

/// The part of a second that these digits after a point are, in nanoseconds at the finest.
pub(super) fn fraction(digits: &str) -> Option<Duration> {
    let mut nanoseconds: u32 = 0;
    let mut unit = 100_000_000;
    for c in digits.chars() {
        nanoseconds += c.to_digit(10)? * unit;
        unit /= 10;
    }
    Some(Duration::from_nanos(nanoseconds.into()))
}

/// A record that is being read.
///
/// Games end by illegal moves too, and their records have them. So an illegal move is an error only once something
/// other than the word for such an end follows.
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

    /// Makes an illegal move that was read last the error that it is, since something else follows.
    pub fn settle(&mut self) -> Result<(), ReadError> {
        self.pending.take().map_or(Ok(()), |pending| Err(pending.error))
    }

    /// Plays a move that stands as `found` on a line. `kind` is the piece that moves, where the record names it.
    pub fn play(
        &mut self,
        line: usize,
        found: &str,
        mv: Move,
        kind: Option<PieceKind>,
        time: Option<Duration>,
    ) -> Result<(), ReadError> {
        self.settle()?;
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
                // The line goes on and the move is legal, so the builder takes it.
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

    /// The thinking time of what was read last. The one of an illegal move is not kept.
    pub fn time(&mut self, time: Duration) {
        if self.pending.is_none() {
            self.builder.time(time);
        }
    }

    /// Ends the line, unless it has ended.
    pub fn end(&mut self, mut ending: Ending, time: Option<Duration>) -> Result<(), ReadError> {
        if let (Some(pending), Ending::Illegal { .. }) = (&self.pending, &ending) {
            ending = Ending::Illegal { loser: self.side(), attempted: Some(pending.mv) };
            self.pending = None;
        }
        self.settle()?;
        if !self.builder.has_ended() {
            self.builder.end(ending, time);
        }
        Ok(())
    }

    /// Begins a variation; `found` is its line.
    pub fn branch(&mut self, line: usize, found: &str, ply: usize) -> Result<(), ReadError> {
        self.settle()?;
        self.builder.branch(ply).map_err(|_| {
            ReadError::unexpected(line, found, "a variation of a move that the line before it has")
        })
    }

    /// Who moves.
    pub fn side(&self) -> Color {
        self.builder.position().side()
    }

    /// The record, once nothing more follows.
    pub fn finish(mut self) -> Result<Record, ReadError> {
        self.settle()?;
        Ok(self.builder.finish())
    }
}
