//! KPPT: what a position is worth, from tables of king–king, king–king–piece and king–piece–piece values with a part for
//! the turn.
//!
//! - [`index`]: what a piece is to the tables;
//! - [`table`]: what any evaluation of this kind offers; [`weights`]: one that is in memory as a whole;
//! - [`files`]: the field's files;
//! - [`full`]: the evaluation as the obvious sum; [`sum`]: the same, kept up to date move by move.

pub mod compact;
pub mod files;
pub mod full;
pub mod index;
mod list;
pub mod material;
pub mod report;
pub mod rows;
pub mod sum;
pub mod table;
pub mod terms;
pub mod tools;
pub mod weights;
pub mod yss;
