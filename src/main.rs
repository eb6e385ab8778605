//! stub
use jitsugen::shogi::{perft, sfen};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut p = sfen::parse(a.get(2).map_or(sfen::START, |s| s.as_str())).unwrap();
    let t = std::time::Instant::now();
    let n = match a.get(3).map(|s| s.as_str()) {
        Some("leaf") => perft::perft_making_leaves(&mut p, a[1].parse().unwrap()),
        Some("list") => perft::perft_filling_lists(&mut p, a[1].parse().unwrap()),
        _ => perft::perft(&mut p, a[1].parse().unwrap()),
    };
    println!("{n} {:?}", t.elapsed());
}
