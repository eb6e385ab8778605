//! KPPT: what a position is worth, from tables of king–king, king–king–piece and king–piece–piece values with a part for
//! the turn.
//!
//! - [`index`]: what a piece is to the tables; [`material`]: what it counts by itself;
//! - [`table`]: what any evaluation of this kind offers; [`weights`]: one that is in memory as a whole;
//! - [`full`]: the evaluation as the obvious sum; [`sum`]: the same, kept up to date move by move with [`rows`];
//! - [`files`]: the field's files; [`terms`] and [`compact`]: the small form that is part of the program, in which entries
//!   stand for places that are alike ([`symmetric`], [`relative`]) and most are zero ([`sparse`]); [`yss`] what learning
//!   began with, [`mean`] what several come to;
//! - [`report`] and [`tools`]: evaluations and their files for people to look at.

pub mod accumulator;
pub mod compact;
pub mod files;
pub mod full;
pub mod index;
mod king_cache;
mod list;
pub mod material;
pub mod mean;
pub mod relative;
pub mod report;
pub mod rows;
pub mod sparse;
pub mod symmetric;
pub mod table;
pub mod terms;
pub mod tools;
pub mod weights;
pub mod yss;
