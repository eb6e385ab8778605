//! `jitsugen learn shape`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use jitsugen::eval::tools::Source;
use jitsugen::learn::experiments::{search_kinds, search_shape};
use jitsugen::learn::plot;
use jitsugen::shogi::position::Position;
use jitsugen::util::atomic_file::write_atomically;

use super::arguments::read_openings;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, replaceable};
use crate::cli::output::progress_bar;

/// The drawings.
const NAMES: [&str; 2] = ["leaf-depth.svg", "nodes-by-threshold.svg"];

/// Show what the searches look like: how deep their leaves lie, and how many nodes each iteration takes.
///
/// The drawings are leaf-depth.svg and nodes-by-threshold.svg, in the manner of table 7 of YSS 7.0.
///
/// Example: jitsugen learn shape balanced36.sfen --plots docs
#[derive(Args)]
pub struct Shape {
    /// Positions, one a line, as SFEN or as USI has them.
    positions: PathBuf,
    /// One of so many positions is searched.
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
    /// Draw leaf-depth.svg and nodes-by-threshold.svg in this folder.
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
    /// The evaluation: built-in, yss, a folder with full files, or a compact file.
    #[arg(long, default_value = "built-in")]
    from: PathBuf,
}

impl Shape {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let drawings: Vec<PathBuf> =
            self.plots.iter().flat_map(|folder| NAMES.map(|name| folder.join(name))).collect();
        for path in &drawings {
            keep_apart(&[("POSITIONS", &self.positions)], &[("--plots", path)])?;
            replaceable("--plots", path, "drawing (SVG)", plot::MAGIC)?;
        }
        let openings = read_openings(&self.positions)?;
        let positions: Vec<Position> = (0..openings.len())
            .step_by(self.every.into())
            .map(|nth| openings.get(nth).1.position().clone())
            .collect();
        let source = Source::from_word(&self.from);
        let weights = Arc::new(source.load(&mut |_, _| ()).map_err(|error| error.to_string())?);
        let mut shapes = Vec::new();
        for kind in search_kinds::kinds() {
            let bar = progress_bar(positions.len() as u64, kind.name);
            let shape = search_shape::measure(&positions, kind, &weights, || bar.inc(1));
            bar.finish_and_clear();
            let (mean, deepest) = (shape.mean_ply(), shape.deepest());
            writeln!(out, "{}: mean ply of a leaf {mean:.1}, deepest {deepest}", kind.name)?;
            for (ply, share) in shape.shown_leaves() {
                writeln!(out, "  ply {ply:2}: {share:5.2}%")?;
            }
            for (iteration, nodes) in &shape.nodes {
                writeln!(out, "  iteration {iteration}: {nodes:.0} nodes")?;
            }
            out.flush()?;
            shapes.push((kind, shape));
        }
        if let [leaves, nodes] = &drawings[..] {
            let drawn =
                [(leaves, search_shape::draw_leaves(&shapes)), (nodes, search_shape::draw_nodes(&shapes))];
            for (path, text) in drawn {
                let text = text.map_err(|error| error.to_string())?;
                write_atomically(path, |file| file.write_all(text.as_bytes()))?;
            }
        }
        Ok(())
    }
}
