//! Playing over the network, by the protocol of the Computer Shogi Association (CSA).

pub mod results;
