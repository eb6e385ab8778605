//! `jitsugen learn export`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use jitsugen::learn::selfplay::game::Game;
use jitsugen::learn::selfplay::run_file::RunReader;
use jitsugen::util::atomic_file::write_atomically;

use crate::cli::failure::Failure;
use crate::cli::files::keep_apart;
use crate::cli::output::{progress_bar, remark};

/// Write the positions and the games of a self-play run in the field's forms.
///
/// Positions become plain packed ones, 40 bytes each (PackedSfenValue), as other programs read them; games become USI
/// lines.
///
/// Example: jitsugen learn export first.play --positions first.psv --games first.usi
#[derive(Args)]
pub struct Export {
    /// The self-play run.
    run: PathBuf,
    /// The file of positions to write.
    #[arg(long, value_name = "FILE", required_unless_present = "games")]
    positions: Option<PathBuf>,
    /// The file of games to write.
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
}

impl Export {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let positions = self.positions.iter().map(|path| ("--positions", &**path));
        let games = self.games.iter().map(|path| ("--games", &**path));
        let outputs: Vec<_> = positions.chain(games).collect();
        keep_apart(&[("RUN", &self.run)], &outputs)?;
        for (option, path) in outputs {
            // Neither form has a magic number by which a file of ours could be known.
            if path.metadata().is_ok_and(|metadata| metadata.len() > 0) {
                return Err(format!("{option} {}: is there: expected a new name", path.display()).into());
            }
        }
        if let Some(path) = &self.positions {
            let mut count = 0;
            self.write(path, |game, file| {
                count += game.positions.len();
                game.positions.iter().try_for_each(|packed| file.write_all(&packed.0))
            })?;
            writeln!(out, "Positions: {count}")?;
        }
        if let Some(path) = &self.games {
            let mut count = 0;
            self.write(path, |game, file| {
                count += usize::from(game.ending.is_played());
                file.write_all(game.line.as_bytes())
            })?;
            writeln!(out, "Games: {count}")?;
        }
        Ok(())
    }

    /// Writes a file to which `each` adds every game.
    fn write(
        &self,
        path: &Path,
        mut each: impl FnMut(&Game, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut run = RunReader::open(&self.run).map_err(|error| error.to_string())?;
        let length = self.run.metadata().map_or(0, |metadata| metadata.len());
        let bar = progress_bar(length, &path.display().to_string());
        let mut wrong = None;
        let written = write_atomically(path, |file| {
            loop {
                match run.read_game() {
                    Ok(Some(game)) => each(&game, file)?,
                    Ok(None) => return Ok(()),
                    Err(error) => {
                        wrong = Some(error.to_string());
                        return Err(io::ErrorKind::InvalidData.into());
                    }
                }
                bar.set_position(run.good_bytes());
            }
        });
        bar.finish_and_clear();
        if let Some(wrong) = wrong {
            return Err(wrong.into());
        }
        let left_over = length.saturating_sub(run.good_bytes());
        if left_over > 0 {
            remark(format_args!("{}: {left_over} bytes after the last whole game", self.run.display()));
        }
        Ok(written?)
    }
}
