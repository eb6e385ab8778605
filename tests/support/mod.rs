//! What several tests share.

pub mod client;
pub mod command;
pub mod data;
pub mod evaluation;
pub mod features;
pub mod folder;
pub mod formula;
pub mod games;
pub mod mate_twin;
pub mod perft;
pub mod positions;
pub mod search;
pub mod strict;
pub mod twin;
