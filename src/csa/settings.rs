//! What a user sets for play over the network.
