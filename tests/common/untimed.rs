//! What an engine says, without what differs from one run to the next.

/// `lines` without their times and nodes a second.
pub fn untimed(lines: &[String]) -> Vec<String> {
    let without = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let timed = |i: usize| i > 0 && matches!(words[i - 1], "nps" | "time");
        (0..words.len()).filter(|&i| !timed(i)).map(|i| words[i]).collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(without).collect()
}
