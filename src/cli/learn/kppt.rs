//! `jitsugen learn kppt`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use jitsugen::eval::compact;
use jitsugen::eval::terms::Terms;
use jitsugen::eval::tools::Source;
use jitsugen::learn::checksums;
use jitsugen::learn::kppt::checkpoint::Checkpoint;
use jitsugen::learn::kppt::curves;
use jitsugen::learn::kppt::examples::ExampleSettings;
use jitsugen::learn::kppt::leaf_file;
use jitsugen::learn::kppt::loss::Loss;
use jitsugen::learn::kppt::measure::Row;
use jitsugen::learn::kppt::model::MOST_SLOPES;
use jitsugen::learn::kppt::session::{Event, Session, TrainingSettings};
use jitsugen::learn::kppt::term::{Spread, Term};
use jitsugen::learn::kppt::trainer::Steps;
use jitsugen::learn::plot;
use jitsugen::learn::sources::{Sources, Split, Taken};
use jitsugen::search::SearchPolicy;
use jitsugen::shogi::generate::MAX_MOVES;
use jitsugen::util::atomic_file::check_writable;
use parking_lot::Mutex;

use super::arguments::{check_not_negative, check_positive, check_share, read_sources};
use super::long_progress::LongProgress;
use super::optional_output::OptionalOutput;
use crate::cli::failure::Failure;
use crate::cli::files::{keep_apart, named_once, replaceable};
use crate::cli::numbers;
use crate::cli::output::remark;

/// Train the evaluation from games and from positions that a search has judged, and write it as a compact file.
///
/// Games and positions with something wrong are reported and left out. With a checkpoint, a training that was broken
/// off goes on after its last whole epoch. The same files, options and seed give the same evaluation with any
/// number of threads.
///
/// Examples:
///
///   jitsugen learn kppt --games games.usi --output new.jge
///
///   jitsugen learn kppt --games games.usi --positions first.play --from new.jge --output newer.jge
///     --checkpoint newer.checkpoint --curves newer.svg --rounds 3
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Kppt {
    /// Files of games, as the record command reads them, or self-play runs: moves and results.
    #[arg(long, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Self-play runs, or files of packed positions (PackedSfenValue): scores and results.
    #[arg(long, num_args = 1..)]
    positions: Vec<PathBuf>,
    /// Where to start: built-in, yss, zero (material alone), or a compact file. What is not learned stays as it is there.
    #[arg(long, default_value = "built-in")]
    from: PathBuf,
    /// The compact file to write, after every round.
    #[arg(long)]
    output: PathBuf,
    /// A file to go on from, if it is there, and to write after every epoch.
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// A file for the examples of the first round: taken from it if it is there, otherwise written to it. To find leaves takes
    /// longer than to learn from them once. The file belongs to the start, the games, --scale, --mix, --move-scale, --later,
    /// --skip, --alternatives, --share, --move-share and --hold-back.
    #[arg(long)]
    leaves: Option<PathBuf>,
    /// A drawing (SVG) of losses and agreement.
    #[arg(long)]
    curves: Option<PathBuf>,
    /// The terms to learn, each as NAME or NAME=SPREAD, where the spread says how far parameters are expected to move, in
    /// units of a score: kings, piece, king-piece, king-piece-relative, kings-piece, pair, pair-relative, zone-pair,
    /// relative-pair, king-pair.
    #[arg(long, num_args = 1.., value_name = "TERM")]
    terms: Vec<Spread>,
    /// Rounds: the leaves of the positions are found anew at the beginning of each.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How often every example is seen in a round.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Examples between two steps.
    #[arg(long, default_value_t = 65536)]
    batch: usize,
    /// The first step of a parameter, in its term's spreads.
    #[arg(long, default_value_t = 0.05)]
    rate: f64,
    /// Over which share of an epoch's steps, its last ones, parameters are averaged, 0 to 1; 0 for the last one's alone.
    #[arg(long, default_value_t = 0.0)]
    average: f64,
    /// How much the start counts in comparison with the examples: more for fewer games, as the positions of a game are
    /// alike.
    #[arg(long, default_value_t = 4.0)]
    prior: f64,
    /// How often a feature has to occur in the leaves to be learned; in one leaf it may occur several times.
    #[arg(long, default_value_t = 10)]
    seen: u32,
    /// The value at which a side wins e times as often as it loses, in units (a pawn is 90).
    #[arg(long, default_value_t = 600.0)]
    scale: f64,
    /// How much the score counts, 0 to 1, where a position has both score and result.
    #[arg(long, default_value_t = 0.7)]
    mix: f64,
    /// How much of what is expected of a position is what is expected a ply later in its game, 0 to 1: by the scores of
    /// --positions, by the values of the positions and the result of --games. With 0, games count by their results alone.
    #[arg(long, default_value_t = 0.0)]
    later: f64,
    /// The difference in value that makes an alternative count e times less than the played move, in units (a pawn is 90).
    #[arg(long, default_value_t = 50.0)]
    move_scale: f64,
    /// What an alternative to a played move counts in comparison with a judged position.
    #[arg(long, default_value_t = 0.2)]
    move_weight: f64,
    /// How many alternatives to a played move are looked at: half of them are those with the best values, the others are
    /// drawn from the rest and count for all of it. With 0, nothing is learned from moves.
    #[arg(long, default_value_t = 16)]
    alternatives: usize,
    /// The share of the positions of --games that are used, drawn by lot, 0 to 1: with many games a part of each is enough.
    #[arg(long, default_value_t = 1.0)]
    share: f64,
    /// The share of the used positions whose moves are learned from, 0 to 1: the leaves of all alternatives of a move take far
    /// longer than that of the position.
    #[arg(long, default_value_t = 1.0)]
    move_share: f64,
    /// The share of the inner nodes in --positions that are used, drawn by lot, 0 to 1.
    #[arg(long, default_value_t = 1.0)]
    inner_share: f64,
    /// Plies at the beginning of a game that are not learned from.
    #[arg(long, default_value_t = 12)]
    skip: usize,
    /// The share of the openings whose games are held back to measure with; for plain packed positions, which do not
    /// have the openings, the share of the games.
    #[arg(long, default_value_t = 0.1)]
    hold_back: f64,
    /// Decides what is held back and the order of the examples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for as many as there are cores.
    #[arg(long, default_value = "0", value_parser = numbers::threads)]
    threads: usize,
}

impl Kppt {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.check()?;
        let out = &mut OptionalOutput::new(out);
        let base = self.base()?;
        let sources = self.sources()?;
        let checkpoint = match &self.checkpoint {
            Some(path) if path.exists() => Some(Checkpoint::read(path)?),
            _ => None,
        };
        let mut session =
            Session::new(self.settings(&base, &sources)?, base, sources, checkpoint).map_err(|error| {
                format!("{}: {error}", self.checkpoint.as_deref().unwrap_or(Path::new("")).display())
            })?;
        for row in session.history() {
            show(out, row, session.names())?;
        }
        if session.rounds() > self.rounds {
            remark(format_args!("the checkpoint has {} rounds: nothing more is learned", session.rounds()));
        }
        while session.rounds() < self.rounds || session.in_round() {
            // Of the leaves to learn from, of those held back, then of each epoch.
            let progress = Mutex::new(None);
            let set = |done: usize, of: usize, unit| {
                let mut progress = progress.lock();
                progress.get_or_insert_with(|| LongProgress::new(of as u64, 0, unit)).set(done as u64, None);
                if done == of
                    && let Some(progress) = progress.take()
                {
                    progress.finish();
                }
            };
            let report = |event| match event {
                Event::Games(done, of) => set(done, of, "games"),
                Event::Made(training, held_back, parameters) => {
                    remark(format_args!(
                        "{training} examples, {held_back} held back, {parameters} parameters"
                    ));
                    if held_back == 0 {
                        remark(format_args!(
                            "nothing is held back, so nothing is measured: expected more games, or a larger --hold-back"
                        ));
                    }
                }
                Event::Seen(done, of) => set(done, of, "examples"),
            };
            session.round::<Failure>(&report, &mut |session| {
                if let (Some(path), Some(checkpoint)) = (&self.checkpoint, session.checkpoint()) {
                    checkpoint.write(path)?;
                }
                Ok(session.history().last().map_or(Ok(()), |row| show(out, row, session.names()))?)
            })?;
            compact::write(&session.terms(), &self.output)?;
            // Learning goes on without a drawing, which is tried again at the end.
            if let Some(path) = &self.curves
                && let Err(error) = curves::write(session.history(), session.names(), path)
            {
                remark(format_args!("{error}"));
            }
        }
        // A run that was broken off after its last round has perhaps not come to that.
        compact::write(&session.terms(), &self.output)?;
        let last = session.measure_final(&|_| ())?;
        show(out, &last.row, session.names())?;
        if let Some(path) = &self.curves {
            let rows: Vec<Row> = session.history().iter().cloned().chain([last.row]).collect();
            curves::write(&rows, session.names(), path)?;
        }
        let (typical, largest) = last.rounding;
        writeln!(out, "rounding: {typical:.3} units (root of the mean square), {largest:.3} at most")?;
        Ok(writeln!(out, "{} written", self.output.display())?)
    }

    fn check(&self) -> Result<(), String> {
        for (name, value) in
            [("--rate", self.rate), ("--scale", self.scale), ("--move-scale", self.move_scale)]
        {
            check_positive(name, value)?;
        }
        for (name, value) in [("--prior", self.prior), ("--move-weight", self.move_weight)] {
            check_not_negative(name, value)?;
        }
        for (name, value) in [
            ("--average", self.average),
            ("--mix", self.mix),
            ("--later", self.later),
            ("--hold-back", self.hold_back),
            ("--share", self.share),
            ("--move-share", self.move_share),
            ("--inner-share", self.inner_share),
        ] {
            check_share(name, value)?;
        }
        if self.batch as f64 * self.loss().steepest(MAX_MOVES) > MOST_SLOPES {
            let Self { batch, scale, move_scale, move_weight, .. } = self;
            return Err(format!(
                "--batch {batch}, --scale {scale}, --move-scale {move_scale}, --move-weight {move_weight}: sums of gradients could overflow: expected a smaller batch, larger \
                 scales, or less of the others"
            ));
        }
        if self.games.is_empty() && self.positions.is_empty() {
            return Err("nothing to learn from: expected --games or --positions".to_string());
        }
        for (nth, spread) in self.terms.iter().enumerate() {
            if self.terms[..nth].iter().any(|other| other.term == spread.term) {
                return Err(format!("--terms {spread}: expected each term once"));
            }
        }
        // Before the first round, which takes long.
        let outputs: Vec<(&str, &Path)> = [
            ("--output", Some(&self.output)),
            ("--checkpoint", self.checkpoint.as_ref()),
            ("--leaves", self.leaves.as_ref()),
            ("--curves", self.curves.as_ref()),
        ]
        .into_iter()
        .filter_map(|(option, path)| Some((option, path?.as_path())))
        .collect();
        let games = self.games.iter().map(|path| ("--games", &**path));
        let positions = self.positions.iter().map(|path| ("--positions", &**path));
        let mut inputs: Vec<(&str, &Path)> = games.chain(positions).collect();
        if let Some(Source::Compact(_)) = self.source() {
            inputs.push(("--from", &self.from));
        }
        named_once(&inputs)?;
        keep_apart(&inputs, &outputs)?;
        replaceable("--output", &self.output, "evaluation", &compact::KIND.magic)?;
        if let Some(path) = &self.leaves {
            replaceable("--leaves", path, "file of examples", leaf_file::MAGIC)?;
        }
        if let Some(path) = &self.curves {
            replaceable("--curves", path, "drawing (SVG)", plot::MAGIC)?;
        }
        // Its contents are checked when it is read.
        self.checkpoint
            .as_deref()
            .map_or(Ok(()), |path| check_writable(path).map_err(|error| error.to_string()))
    }

    /// Where to start, but for what is written zero.
    fn source(&self) -> Option<Source> {
        (self.from.as_os_str() != "zero").then(|| Source::from_word(&self.from))
    }

    fn base(&self) -> Result<Terms, String> {
        let Some(source) = self.source() else { return Ok(Terms::default()) };
        match source {
            Source::Full(path) => Err(format!("{}: a folder: expected a compact file", path.display())),
            source => source.terms().map_err(|error| error.to_string()),
        }
    }

    fn sources(&self) -> Result<Sources, String> {
        let split = Split { share: self.hold_back, seed: self.seed };
        read_sources(&self.games, &self.positions, split, |path, Taken { games, held_back, left_out }| {
            remark(format_args!(
                "{}: {games} games, {held_back} of them held back; {left_out} left out",
                path.display()
            ));
        })
    }

    fn loss(&self) -> Loss {
        Loss { scale: self.scale, mix: self.mix, move_scale: self.move_scale, move_weight: self.move_weight }
    }

    fn settings(&self, base: &Terms, sources: &Sources) -> Result<TrainingSettings, String> {
        let usual = [
            Term::Kings,
            Term::Piece,
            Term::KingPiece,
            Term::KingPieceRelative,
            Term::Pair,
            Term::PairRelative,
        ];
        let terms =
            if self.terms.is_empty() { usual.map(Spread::usual).to_vec() } else { self.terms.clone() };
        let threads = self.threads;
        let held_back = sources.games.iter().filter(|game| game.held_back).count();
        let start = compact::encode(base).map_err(|error| error.to_string())?;
        let weights = Arc::new(base.expand().map_err(|error| error.to_string())?);
        Ok(TrainingSettings {
            spreads: terms,
            seen: self.seen.max(1),
            example_settings: ExampleSettings {
                loss: self.loss(),
                later: self.later,
                skip: self.skip,
                alternatives: self.alternatives,
                share: self.share,
                move_share: self.move_share,
                inner_share: self.inner_share,
                threads,
            },
            steps: Steps {
                batch: self.batch,
                rate: self.rate,
                prior: self.prior,
                average: self.average,
                seed: self.seed,
            },
            epochs: self.epochs,
            leaf_file: self.leaves.clone(),
            of: format!(
                "from {} ({:08x}); search {:08x}; {} ({:08x}): {} games, {held_back} held back",
                self.from.file_name().unwrap_or_default().to_string_lossy(),
                crc32fast::hash(&start),
                // Another one finds other leaves.
                checksums::search_checksum(&weights, SearchPolicy::default()),
                sources.names.join(" "),
                sources.checksum(),
                sources.games.len()
            ),
        })
    }
}

fn show(out: &mut dyn Write, row: &Row, names: &[String]) -> std::io::Result<()> {
    write!(out, "round {} epoch {}:", row.round, row.epoch)?;
    if let Some(training) = row.training {
        write!(out, " training {training:.5};")?;
    }
    for (file, (measure, name)) in row.held_back.iter().zip(names).enumerate() {
        write!(out, " {name}: positions {} loss {:.5}", measure.judged, measure.judged_loss)?;
        if measure.choices > 0 {
            write!(out, ", moves {} loss {:.4}", measure.choices, measure.choice_loss)?;
        }
        if let Some(share) =
            row.agreement.as_ref().and_then(|shares| shares.get(file)).filter(|share| share.is_finite())
        {
            write!(out, ", agreement {:.2}%", 100.0 * share)?;
        }
        out.write_all(b";")?;
    }
    writeln!(out)
}
