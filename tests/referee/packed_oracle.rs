//! Turns packed training positions into lines of text and back, for a referee that is another program.
//!
//! `packed_oracle read < positions > lines`, `packed_oracle write < lines > positions`. A line has the position as SFEN,
//! the move or `-`, the score and the result, separated by tabs.

use std::error::Error;
use std::io::{self, BufRead, BufWriter, Write};

use jitsugen::record::packed::{Outcome, Reader, TrainingPosition, Writer};
use jitsugen::shogi::sfen;

fn read(line: &str) -> Result<TrainingPosition, Box<dyn Error>> {
    let [position, best, score, result] = line.split('\t').collect::<Vec<_>>()[..] else {
        return Err(format!("'{line}': expected four fields").into());
    };
    let result: i8 = result.parse()?;
    Ok(TrainingPosition {
        position: sfen::parse(position)?,
        best: if best == "-" { None } else { Some(best.parse()?) },
        score: score.parse()?,
        result: *Outcome::ALL.iter().find(|outcome| outcome.sign() == result).ok_or("no result")?,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    match std::env::args().nth(1).as_deref() {
        Some("read") => {
            for packed in Reader::new(io::stdin().lock()) {
                let TrainingPosition { position, score, best, result } = packed?.unpack()?;
                let best = best.map_or("-".to_string(), |mv| mv.to_string());
                writeln!(out, "{}\t{best}\t{score}\t{}", sfen::write(&position), result.sign())?;
            }
        }
        Some("write") => {
            let mut writer = Writer::new(&mut out);
            for line in io::stdin().lock().lines() {
                writer.write(&read(&line?)?.pack()?)?;
            }
        }
        _ => return Err("expected read or write".into()),
    }
    Ok(out.flush()?)
}
