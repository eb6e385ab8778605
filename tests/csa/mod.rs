//! Play over the network, against a server with a script.

mod command;
mod faults;
mod pairs;
mod properties;
mod protocol;
mod referee;
mod results;
mod script;
mod server;
