//! `bench`: fixed positions and budget, one thread. Its node count is the engine's fingerprint.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::engine::limits::Limits;
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::player::Player;
use crate::search::value::Mate;
use crate::shogi::position::Position;
use crate::shogi::sfen;
use crate::util::text::rate;

/// Opening, middle game, castles under attack, endgames with full hands, entering kings, a check to answer.
const POSITIONS: [&str; 10] = [
    sfen::START,
    "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "lnsgk2nl/1r4gs1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL b Bb 13",
    "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L7Pb5p 1",
    "lnkgg2nl/1r5s1/p1sppp1pp/2p3p2/1p5P1/2P2S3/PPSPPPP1P/7R1/LNK1GG1NL b Bb 33",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
];

/// What a run of the benchmark came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Total {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl fmt::Display for Total {
    /// As many testing tools read it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, rate(self.nodes, self.time))
    }
}

/// The iterations of the run whose node count is the fingerprint.
pub const DEPTH: u32 = 6;

/// Searches each position to `depth` with empty tables. `progress` is called after each with its number, how many there are,
/// its SFEN and its nodes. `stops` is called now and then: once it is true, the run ends without a total.
///
/// # Errors
/// What the engine lacks, such as memory: then the nodes would be those of another engine.
pub fn run(
    depth: u32,
    stops: impl Fn() -> bool,
    mut progress: impl FnMut(usize, usize, &str, u64),
) -> Result<Option<Total>, String> {
    let observer = Arc::new(LastReport::default());
    let mut player =
        Player::new(Arc::clone(&observer) as Arc<dyn Observer>).map_err(|error| error.to_string())?;
    player.options_mut().hash = 16;
    player.options_mut().book.own = false;
    player.options_mut().threads = 1;
    player.prepare();
    if let Some(note) = observer.note.lock().take() {
        return Err(note);
    }
    let begin = Instant::now();
    let mut total = 0;
    for (index, text) in POSITIONS.iter().enumerate() {
        let position: Position = sfen::parse(text).expect("the positions of bench are valid");
        player.new_game();
        player.set_position(Ok(position));
        player.go(Limits { depth: Some(depth), ..Limits::default() }, Instant::now());
        while !player.wait_for(POLL_INTERVAL) {
            if stops() {
                return Ok(None);
            }
        }
        if let Some(note) = observer.note.lock().take() {
            return Err(note);
        }
        let searched = std::mem::take(&mut *observer.nodes.lock());
        total += searched;
        progress(index + 1, POSITIONS.len(), text, searched);
    }
    Ok(Some(Total { nodes: total, time: begin.elapsed() }))
}

/// The time between two calls of `stops`.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Keeps the last node count and the first note.
#[derive(Default)]
struct LastReport {
    nodes: Mutex<u64>,
    note: Mutex<Option<String>>,
}

impl Observer for LastReport {
    fn info(&self, info: &Info) {
        *self.nodes.lock() = info.line.nodes;
    }
    fn nothing_to_search(&self, _: Mate) {}
    fn note(&self, text: &str) {
        self.note.lock().get_or_insert_with(|| text.to_string());
    }
    fn still_there(&self) {}
    fn answer(&self, _: Answer) {}
}
