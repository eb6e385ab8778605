//! KPPT: the evaluation of a position by tables of king–king (KK), king–king–piece (KKP) and king–piece–piece (KPP)
//! values, each with a second component for the turn.
//!
//! - [`index`] numbers the pieces as the tables do; [`material`] has their values by themselves;
//! - [`table`] is the interface of any such evaluation, [`weights`] one that is in memory as a whole;
//! - [`full`] is the evaluation as the direct sum; [`accumulator`] keeps it up to date move by move, with the sums of
//!   [`rows`], a `piece_list` and a `king_cache`; [`evaluator`] is what a search gets, with or without room for tables;
//! - [`files`] reads and writes the field's files. [`terms`] and [`compact`] are the small form that is built in: its
//!   entries stand for places that are equal by symmetry ([`symmetric`]), and most are zero ([`sparse`]).
//!   [`yss`] is where learning began, [`tools`] averages several evaluations;
//! - [`tables_file`] is the file from which processes share expanded tables;
//! - [`report`] breaks an evaluation down for people, [`tools`] does what the command line offers for files.

pub mod accumulator;
pub mod compact;
pub mod evaluator;
pub mod files;
pub mod full;
pub mod index;
mod king_cache;
pub mod material;
mod piece_list;
pub mod report;
pub mod rows;
pub mod sparse;
pub mod symmetric;
pub mod table;
pub mod tables_file;
pub mod terms;
pub mod tools;
pub mod weights;
pub mod yss;
