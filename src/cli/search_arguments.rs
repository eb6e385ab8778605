//! How positions are searched: arguments that several commands have.

use std::time::Duration;

use clap::Args;
use jitsugen::analyse::analyst::Settings;

use super::numbers;

// A documentation comment here would stand in the help of the commands.
#[derive(Args)]
pub struct SearchArguments {
    /// Seconds for each position [default: 1, or no limit where --nodes is given].
    #[arg(long, value_name = "SECONDS", value_parser = numbers::seconds)]
    time: Option<Duration>,
    /// Nodes for each position.
    #[arg(long, value_parser = numbers::at_least_one)]
    nodes: Option<u64>,
    /// Threads that search; 0 for as many as there are cores [default: 0].
    #[arg(long, value_parser = numbers::threads)]
    threads: Option<usize>,
    /// Memory for what searches find, in MiB [default: 256].
    #[arg(long, value_name = "MIB", value_parser = numbers::between::<1, { 1 << 20 }>)]
    memory: Option<usize>,
    /// A folder with evaluation files; the built-in evaluation if left out.
    #[arg(long, value_name = "FOLDER", default_value = "", hide_default_value = true)]
    eval_dir: String,
}

impl SearchArguments {
    /// The settings of a search for the `lines` best moves of each position.
    pub fn settings(&self, lines: usize) -> Settings {
        Settings {
            time: self.time.or_else(|| self.nodes.is_none().then_some(Duration::from_secs(1))),
            nodes: self.nodes,
            lines,
            threads: self.threads,
            hash: self.memory,
            eval_dir: self.eval_dir.clone(),
        }
    }
}
