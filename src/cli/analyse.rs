//! `jitsugen analyse`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use jitsugen::analyse::analysis_file::{self, AnalysisFile};
use jitsugen::analyse::analyst::{Analyst, Settings};
use jitsugen::analyse::annotated;
use jitsugen::analyse::finding::Score;
use jitsugen::analyse::game_analysis::{self, GameAnalysis, Grade};
use jitsugen::analyse::{graph, page};
use jitsugen::record::{self, Format, Record};
use jitsugen::search::value::Value;
use jitsugen::shogi::color::Color;
use jitsugen::util::atomic_file::write_atomically;
use jitsugen::util::input_file;

use super::failure::Failure;
use super::files::{begins_with, keep_apart, replaceable};
use super::numbers;
use super::output::{progress_bar, remark};
use super::search_arguments::SearchArguments;

/// Explain whole games: what each position is worth, which move is best, and what each move has lost.
///
/// Reads what the record command reads; of a folder every record in it and below. The analysis is written into the folder
/// of --output, one file a game and form, with the name of the game's file: jsonl always (one line a position, for programs),
/// kifu and csa with comments that ShogiHome and floodgate's tools read, svg (a graph), html (a page for a browser, one
/// file). Run the same command again to go on where it was broken off, or to get another form without searching again.
///
/// Example: jitsugen analyse games/ --time 3 --html --kif
#[derive(Args)]
pub struct Analyse {
    /// Games, or folders of games.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<PathBuf>,
    /// The folder to write to.
    #[arg(long, default_value = "analysis", value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    search: SearchArguments,
    /// How many of the best moves get a line.
    #[arg(long, default_value_t = 1, value_parser = numbers::between::<1, 600>)]
    lines: usize,
    /// Write the game as KIF with comments (UTF-8).
    #[arg(long)]
    kif: bool,
    /// Write the game as CSA with comments.
    #[arg(long)]
    csa: bool,
    /// Draw the graph of the game (SVG).
    #[arg(long)]
    svg: bool,
    /// Write a page to step through the game.
    #[arg(long)]
    html: bool,
    /// Begin again where there is an analysis of another game or with other settings.
    #[arg(long)]
    again: bool,
    /// Show every move, and not the mistakes only.
    #[arg(long)]
    all: bool,
}

/// A game, and where its analysis goes.
struct Job {
    /// For messages.
    name: String,
    record: Record,
    /// The path of its files without their extension.
    stem: PathBuf,
}

impl Analyse {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let settings = self.search.settings(self.lines);
        let jobs = self.jobs()?;
        fs::create_dir_all(&self.output).map_err(|error| format!("{}: {error}", self.output.display()))?;
        let mut files = Vec::new();
        for job in &jobs {
            let path = with_extension(&job.stem, "jsonl");
            replaceable("--output", &path, "analysis", analysis_file::MAGIC.as_bytes())?;
            files.push(if self.again {
                AnalysisFile::new(&path, &job.record, &settings)
            } else {
                AnalysisFile::open(&path, &job.record, &settings)?
            });
            for (wanted, extension, magic) in self.forms() {
                if wanted {
                    let path = with_extension(&job.stem, extension);
                    replaceable("--output", &path, "analysis", magic.as_bytes())?;
                }
            }
        }
        let missing: usize = files.iter().map(|file| file.missing().len()).sum();
        let bar = progress_bar(missing as u64, "positions");
        let mut analyst = None;
        for (job, file) in jobs.into_iter().zip(&mut files) {
            search(&job, file, &settings, &mut analyst, &bar)?;
            let findings = file.findings().expect("every position was searched");
            let analysis = GameAnalysis::new(job.record, findings);
            file.finish(&analysis)?;
            self.write(&analysis, &job.stem)?;
            let mut text = Vec::new();
            describe(&job.name, &analysis, self.all, &mut text)?;
            bar.suspend(|| out.write_all(&text).and_then(|()| out.flush()))?;
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Which forms are wanted, their extensions, and how their files begin.
    fn forms(&self) -> [(bool, &'static str, &'static str); 4] {
        [
            (self.kif, "kifu", annotated::KIF_HEAD),
            (self.csa, "csa", annotated::CSA_HEAD),
            (self.svg, "svg", graph::MAGIC),
            (self.html, "html", page::MAGIC),
        ]
    }

    fn write(&self, analysis: &GameAnalysis, stem: &Path) -> Result<(), Failure> {
        for (wanted, extension, _) in self.forms() {
            if !wanted {
                continue;
            }
            let path = with_extension(stem, extension);
            let bytes = match extension {
                "kifu" => annotated::kif(analysis).map_err(|error| error.to_string())?,
                "csa" => annotated::csa(analysis).map_err(|error| error.to_string())?,
                "svg" => graph::draw(analysis).into_bytes(),
                _ => page::page(analysis).into_bytes(),
            };
            write_atomically(&path, |file| file.write_all(&bytes))?;
        }
        Ok(())
    }

    /// Reads the games. What has something wrong is named and left out.
    fn jobs(&self) -> Result<Vec<Job>, Failure> {
        let mut paths = Vec::new();
        for path in &self.games {
            if path.is_dir() {
                let output = self.output.canonicalize().ok();
                records_below(path, output.as_deref(), &mut paths)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            } else {
                paths.push(path.clone());
            }
        }
        let mut jobs: Vec<Job> = Vec::new();
        for path in &paths {
            let bytes = input_file::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let games = record::read_each(&bytes, Format::of_path(path));
            let several = games.len() > 1;
            for (number, game) in (1..).zip(games) {
                let name = if several {
                    format!("{}, game {number}", path.display())
                } else {
                    path.display().to_string()
                };
                match game {
                    Ok(record) if record.moves().len() == 0 => {
                        remark(format_args!("{name}: the game is empty, it has no moves: left out"));
                    }
                    Ok(record) => {
                        let stem = self.stem(path, several.then_some(number), &jobs);
                        jobs.push(Job { name, record, stem });
                    }
                    Err(error) => remark(format_args!("{name}: {error}: left out")),
                }
            }
        }
        let mut outputs = Vec::new();
        for job in &jobs {
            outputs.push(with_extension(&job.stem, "jsonl"));
            let wanted = self.forms().into_iter().filter(|(wanted, ..)| *wanted);
            outputs.extend(wanted.map(|(_, extension, _)| with_extension(&job.stem, extension)));
        }
        let inputs: Vec<_> = paths.iter().map(|path| ("GAME", path.as_path())).collect();
        let outputs: Vec<_> = outputs.iter().map(|path| ("--output", path.as_path())).collect();
        keep_apart(&inputs, &outputs)?;
        if jobs.is_empty() {
            return Err("there is no game to analyse: expected a record with moves".to_string().into());
        }
        Ok(jobs)
    }

    /// Where the files of a game go. Games from files of the same name get a number.
    fn stem(&self, path: &Path, number: Option<usize>, jobs: &[Job]) -> PathBuf {
        let mut name = path.file_stem().unwrap_or_default().to_os_string();
        if let Some(number) = number {
            name.push(format!("-{number}"));
        }
        let is_taken = |name: &Path| jobs.iter().any(|job| job.stem == self.output.join(name));
        let mut copy = 1;
        let mut unique = PathBuf::from(&name);
        while is_taken(&unique) {
            copy += 1;
            let mut other = name.clone();
            other.push(format!("_{copy}"));
            unique = PathBuf::from(other);
        }
        self.output.join(unique)
    }
}

/// Searches what is missing of a game.
fn search(
    job: &Job,
    file: &mut AnalysisFile,
    settings: &Settings,
    analyst: &mut Option<Analyst>,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let missing = file.missing();
    if missing.is_empty() {
        return Ok(());
    }
    let analyst = match analyst {
        Some(analyst) => analyst,
        None => analyst
            .insert(Analyst::new(settings.clone()).map_err(|error| Failure::Resources(error.to_string()))?),
    };
    analyst.begin_game().map_err(Failure::Resources)?;
    let positions = game_analysis::positions(&job.record);
    for ply in missing {
        let finding = analyst.look_at(ply, &positions[ply]);
        for note in analyst.take_notes() {
            bar.suspend(|| remark(format_args!("{note}")));
        }
        file.add(finding)?;
        bar.inc(1);
    }
    Ok(())
}

/// `stem` with a further extension: a dot in the name of a game's file stays.
fn with_extension(stem: &Path, extension: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_os_string();
    path.push(format!(".{extension}"));
    PathBuf::from(path)
}

/// The records in `folder` and the folders below it, in the order of their names. Analyses are left out: those in
/// `output`, a canonical path, and records that begin as ours do.
fn records_below(folder: &Path, output: Option<&Path>, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            if output.is_none() || path.canonicalize().ok().as_deref() != output {
                records_below(&path, output, found)?;
            }
        } else if Format::of_path(&path).is_some() {
            let heads = [annotated::KIF_HEAD, annotated::CSA_HEAD].map(str::as_bytes);
            // What cannot be read is named later.
            if !heads.into_iter().any(|head| begins_with(&path, head).unwrap_or(false)) {
                found.push(path);
            }
        }
    }
    Ok(())
}

/// What a person reads of a game: its mistakes, or all moves, and how both sides played.
fn describe(name: &str, analysis: &GameAnalysis, all: bool, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{name}")?;
    let percent = |chance: f64| format!("{:.0}%", chance * 100.0);
    writeln!(out, "  move  value  chance   lost  probability")?;
    for (index, judgement) in analysis.judgements().iter().enumerate() {
        if !all && !judgement.is_mistake() {
            continue;
        }
        let number = analysis.record().start().move_number as usize + index;
        let after = analysis.value_for_black(index + 1);
        write!(
            out,
            "  {number:4} {:>6} {:>7} {:>6} {:>12}  {}",
            score(after),
            percent(after.chance_to_win()),
            judgement.loss,
            format!("{:.1}%", judgement.probability * 100.0),
            judgement.words,
        )?;
        if let Some(grade) = judgement.grade {
            write!(out, ": {}", grade.name())?;
        }
        if let Some(plies) = judgement.missed_mate() {
            write!(out, ", missed a mate in {plies}")?;
        }
        if let Some(plies) = judgement.allowed_mate() {
            write!(out, ", allows a mate in {plies}")?;
        }
        if let Some(line) = analysis.findings()[index].best().filter(|_| !judgement.is_best) {
            write!(
                out,
                "; best {} ({:.1}%)",
                analysis.words(index, &line.moves[..1]).concat(),
                judgement.best_probability * 100.0
            )?;
        }
        writeln!(out)?;
    }
    for (color, summary) in Color::ALL.into_iter().zip(analysis.summaries().0) {
        let grades: Vec<String> = Grade::ALL
            .iter()
            .zip(summary.grades)
            .map(|(grade, count)| {
                let name = grade.name();
                match (count, name.strip_suffix('y')) {
                    (1, _) => format!("1 {name}"),
                    (_, Some(stem)) => format!("{count} {stem}ies"),
                    (_, None) => format!("{count} {name}s"),
                }
            })
            .collect();
        writeln!(
            out,
            "  {color:?} ({}): {} moves, {} the engine's; lost {:.0} a move; kept {:.1}% of the chance to win; {}; \
             mates missed: {}",
            analysis.name(color, "-"),
            summary.moves,
            summary.best,
            summary.mean_loss,
            summary.accuracy * 100.0,
            grades.join(", "),
            summary.missed_mates,
        )?;
    }
    Ok(())
}

/// A value as people read it.
fn score(value: Value) -> String {
    match value.into() {
        Score::Cp(cp) => format!("{cp:+}"),
        Score::Mates(plies) => format!("+#{plies}"),
        Score::Mated(plies) => format!("-#{plies}"),
    }
}
