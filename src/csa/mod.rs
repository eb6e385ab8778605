//! CSA, the protocol of tournaments and of floodgate: play over the network.
//!
//! The protocol is that of the Computer Shogi Association, version 1.2.1: <http://www2.computer-shogi.org/protocol/>.

pub mod results;
pub mod settings;
