//! Whole games explained: what the engine thinks of every position, and of every move that was played. Also books thought
//! out: both ask the player for many searches.
//!
//! An [`analyst`] searches the positions of a game from its end to its start, so that what was found about later
//! positions helps with earlier ones. What it finds in a position is a [`finding`]; an [`analysis_file`] keeps findings
//! on disk, one a line, so that work that was broken off goes on. A [`game_analysis`] puts the findings of a game
//! together and says what each move has lost. The rest turns that into something to look at: [`annotated`] records,
//! a [`graph`], and a [`page`] for a browser.
//!
//! A [`book_thinker`] searches the positions of a book.

pub mod analysis_file;
pub mod analyst;
pub mod annotated;
pub mod book_thinker;
pub mod finding;
pub mod game_analysis;
pub mod graph;
pub mod page;
