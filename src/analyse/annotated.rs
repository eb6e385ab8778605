//! Records with comments that other programs read: what the engine thinks of each position, in the words of ShogiHome in
//! KIF files, and in those of floodgate, the server of computer shogi, in CSA files.
//!
//! Both stand at the position that they are about, with values from Black's side. ShogiHome draws its graph from
//! `評価値` and `詰み`, and shows `読み筋` on a board. A line for people follows where a move was a mistake.

use super::game_analysis::{GameAnalysis, Grade, Judgement};
use crate::record::{self, Encoding, Format, Record, WriteError};
use crate::search::value::Mate;
use crate::shogi::color::Color;

/// What a remark says of a move that only missed a mate.
const MISSED_MATE: &str = "詰み逃し";

/// The first lines of the files that are written, by which they are known for ours.
pub const KIF_HEAD: &str = "#KIF version=2.0 encoding=UTF-8\n# Jitsugen analysis\n";
/// The same for CSA.
pub const CSA_HEAD: &str = "' Jitsugen analysis\n";

/// The game as a KIF file in UTF-8, for the extension `kifu`, with its own comments and variations.
///
/// # Errors
/// Those of writing a record.
pub fn kif(analysis: &GameAnalysis) -> Result<Vec<u8>, WriteError> {
    let bytes = write(analysis, Format::Kif, kif_comment)?;
    Ok([KIF_HEAD.as_bytes(), &bytes].concat())
}

/// The game as a CSA file (2.2) in UTF-8, with its own comments.
///
/// # Errors
/// Those of writing a record.
pub fn csa(analysis: &GameAnalysis) -> Result<Vec<u8>, WriteError> {
    let bytes = write(analysis, Format::Csa, csa_comment)?;
    Ok([CSA_HEAD.as_bytes(), &bytes].concat())
}

fn write(
    analysis: &GameAnalysis,
    format: Format,
    comment: fn(&GameAnalysis, usize) -> String,
) -> Result<Vec<u8>, WriteError> {
    let mut record: Record = analysis.record().clone();
    record.retain_comments(|comment| !is_of_engine(comment));
    for ply in 0..analysis.positions().len() {
        record.add_comment(ply, &comment(analysis, ply));
        if let Some(remark) = ply.checked_sub(1).and_then(|index| remark(analysis, index)) {
            record.add_comment(ply, &remark);
        }
    }
    record::write(&[record], format, Encoding::Utf8)
}

/// Whether a comment is one that an engine's analysis has left, in the words of ShogiHome, floodgate or our own: a second
/// value at a position would contradict ours.
fn is_of_engine(comment: &str) -> bool {
    const SHOGIHOME: [&str; 6] = ["#評価値=", "#詰み=", "#読み筋=", "#深さ=", "#ノード数=", "#エンジン="];
    let of_floodgate = comment.strip_prefix("* ").and_then(|text| text.split(' ').next());
    let grades = Grade::ALL.map(Grade::japanese).into_iter().chain([MISSED_MATE]);
    SHOGIHOME.iter().any(|begin| comment.starts_with(begin))
        || of_floodgate.is_some_and(|value| value.parse::<i32>().is_ok())
        || grades.filter_map(|grade| comment.strip_prefix(grade)).any(|rest| rest.starts_with("　損失 "))
}

fn kif_comment(analysis: &GameAnalysis, ply: usize) -> String {
    let finding = &analysis.findings()[ply];
    let value = analysis.value_for_black(ply);
    let mut text = match value.mate_distance() {
        Some(mate) => {
            let (winner, plies) = match mate {
                Mate::Gives(plies) => ("先手勝ち", plies),
                Mate::Suffers(plies) => ("後手勝ち", plies),
            };
            // A mate of no plies is one on the board. ShogiHome would read 0 as one of unknown length.
            if plies == 0 { format!("#詰み={winner}\n") } else { format!("#詰み={winner}:{plies}手\n") }
        }
        None => format!("#評価値={}\n", value.cp()),
    };
    if let Some(line) = finding.best() {
        text.push_str(&format!("#読み筋={}\n", analysis.words(ply, &line.moves).concat()));
        text.push_str(&format!("#深さ={}\n#ノード数={}\n", finding.depth, finding.nodes));
    }
    text.push_str(&format!("#エンジン=Jitsugen {}\n", env!("CARGO_PKG_VERSION")));
    text
}

fn csa_comment(analysis: &GameAnalysis, ply: usize) -> String {
    let line = analysis.findings()[ply].best().map_or(&[][..], |line| &line.moves);
    record::value_comment(&analysis.positions()[ply], analysis.value_for_black(ply).floodgate(), line)
}

/// What a person should know of a move; `None` for moves that were no mistake.
fn remark(analysis: &GameAnalysis, index: usize) -> Option<String> {
    let judgement = &analysis.judgements()[index];
    if !judgement.is_mistake() {
        return None;
    }
    let Judgement { before, after, .. } = judgement;
    let percent = |chance: f64| (chance * 100.0).round();
    let mut text = format!(
        "{}　損失 {}　勝率 {}% → {}%",
        judgement.grade.map_or(MISSED_MATE, |grade| grade.japanese()),
        judgement.loss,
        percent(before.chance_to_win()),
        percent(after.chance_to_win()),
    );
    if let Some(plies) = judgement.missed_mate() {
        text.push_str(&format!("　{plies}手詰めがあった"));
    }
    if let Some(plies) = judgement.allowed_mate() {
        text.push_str(&format!("　{plies}手で詰まされる"));
    }
    if let Some(line) = analysis.findings()[index].best() {
        text.push_str(&format!("　最善 {}", analysis.words(index, &line.moves[..1]).concat()));
    }
    text.push_str(&format!("　強い人が指す確率 {:.1}%", judgement.probability * 100.0));
    Some(text)
}

/// The names of the sides where a record has none.
pub fn fallback_name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
