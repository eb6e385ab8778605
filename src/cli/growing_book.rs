//! A book that is being thought out, with its file and its progress bar.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use jitsugen::analyse::book_thinker::BookThinker;
use jitsugen::book::graph::{BookGraph, Place};
use jitsugen::shogi::position::Position;

use super::book_file;
use super::failure::Failure;
use super::output::{progress_bar, remark};

/// How often it is written while the work goes on.
const WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// A book that is being thought out.
pub struct GrowingBook {
    graph: BookGraph,
    thinker: BookThinker,
    output: PathBuf,
    /// Moves that are worth more than so much less than the best are not written.
    within: u32,
    bar: ProgressBar,
    /// When the output was written last.
    written: Instant,
}

impl GrowingBook {
    /// A book that is written to `output`, without the moves that are worth more than `within` hundredths of a pawn less than
    /// the best.
    pub fn new(graph: BookGraph, thinker: BookThinker, output: PathBuf, within: u32) -> GrowingBook {
        let bar = progress_bar(0, "positions");
        GrowingBook { graph, thinker, output, within, bar, written: Instant::now() }
    }

    /// Searches the positions of the book and those after them, the most played ones first.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn think_out(&mut self) -> Result<(), Failure> {
        let places = self.graph.by_games();
        let mut all: Vec<Place> = places.iter().flat_map(|&place| self.graph.after(place)).collect();
        all.extend(&places);
        all.sort_unstable();
        all.dedup();
        all.retain(|&place| self.thinker.is_missing(&self.graph, place));
        self.bar.set_length(all.len() as u64);
        for place in places {
            self.think(place)?;
            let known = self.graph.after(place).len();
            self.graph.expand(place);
            let after = self.graph.after(place);
            let found = after[known..].iter().filter(|&&place| self.thinker.is_missing(&self.graph, place));
            self.bar.inc_length(found.count() as u64);
            for place in after {
                self.think(place)?;
            }
        }
        Ok(())
    }

    /// Lets the book grow by `count` positions around `start`, each with its `lines` best moves.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn grow(&mut self, start: &Position, count: usize, lines: usize) -> Result<(), Failure> {
        let start = self.graph.add_position(start);
        if count == 0 {
            return Ok(());
        }
        self.think(start)?;
        self.bar.inc_length((count * lines) as u64);
        for left in (0..count).rev() {
            self.graph.min_max();
            let Some(place) = self.graph.next_outward(start) else { break };
            self.graph.expand(place);
            let after = self.graph.after(place);
            for &place in &after {
                self.think(place)?;
            }
            // Positions that were known already are not searched again.
            let most = self.bar.position() + (left * lines) as u64;
            self.bar.set_length(most);
        }
        Ok(())
    }

    fn think(&mut self, place: Place) -> Result<(), Failure> {
        if !self.thinker.is_missing(&self.graph, place) {
            return Ok(self.thinker.think(&mut self.graph, place)?);
        }
        self.thinker.think(&mut self.graph, place)?;
        self.bar.inc(1);
        for note in self.thinker.take_notes() {
            self.bar.suspend(|| remark(format_args!("{note}")));
        }
        if self.written.elapsed() >= WRITE_INTERVAL {
            self.write()?;
        }
        Ok(())
    }

    /// Writes what is thought out so far, unless that is nothing. Returns the number of positions.
    fn write(&mut self) -> Result<usize, Failure> {
        self.graph.min_max();
        let mut text = Vec::new();
        let positions = self.graph.write(self.within, &mut text)?;
        if positions > 0 {
            book_file::write(&self.output, &text)?;
        }
        self.written = Instant::now();
        Ok(positions)
    }

    /// Writes the book for the last time, unless nothing is thought out. Returns the number of its positions.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<usize, Failure> {
        let positions = self.write()?;
        self.bar.finish_and_clear();
        Ok(positions)
    }
}
