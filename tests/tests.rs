//! All tests of the whole engine, in one program. Each file has one subject.

mod support;

mod allocations;
mod analyse;
mod bench;
mod book;
mod book_think;
mod categories;
mod command_line;
mod csa;
mod declaration;
mod eval;
mod eval_files;
mod exchange;
mod explain;
mod generation;
mod incremental;
mod input_files;
mod japanese_pages;
mod known_endings;
#[cfg(feature = "learn")]
mod learn_categories;
#[cfg(feature = "learn")]
mod learn_kppt;
#[cfg(feature = "learn")]
mod learn_kppt_command;
#[cfg(feature = "learn")]
mod learn_measure;
#[cfg(feature = "learn")]
mod learn_selfplay;
#[cfg(feature = "learn")]
mod learn_selfplay_merge;
#[cfg(feature = "learn")]
mod learn_sources;
#[cfg(feature = "learn")]
mod learn_transitions;
#[cfg(feature = "learn")]
mod learn_tune;
mod levels;
mod mate;
mod notation;
mod one_move_mate;
mod options;
mod overwriting;
mod packed;
mod panics;
mod perft;
mod ponder;
mod records;
mod repetition;
mod resources;
mod scenarios;
mod search;
mod search_mates;
mod structure;
mod tables_cache;
mod threads;
mod transitions;
mod usi;
mod usi_oracle;
mod usi_properties;
mod whole_board;
mod whole_board_twin;
