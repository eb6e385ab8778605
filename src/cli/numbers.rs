//! Numbers on the command line: what is wrong with one is said in words for people.

use std::time::Duration;

use jitsugen::engine::options::MAX_THREADS;

/// A number of 1 or more.
///
/// # Errors
/// What was expected.
pub fn at_least_one(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "expected a whole number from 1".into())
}

/// A number from `LEAST` to `MOST`.
///
/// # Errors
/// What was expected.
pub fn between<const LEAST: usize, const MOST: usize>(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("expected a whole number from {LEAST} to {MOST}"))
}

/// A number of threads; 0 stands for as many as there are cores.
///
/// # Errors
/// What was expected.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Ok(num_cpus::get().min(MAX_THREADS)),
        Ok(threads) if threads <= MAX_THREADS => Ok(threads),
        _ => Err(format!("expected a whole number up to {MAX_THREADS}, or 0 for as many as there are cores")),
    }
}

/// A time in seconds, which may have a fraction.
///
/// # Errors
/// What was expected.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|&seconds| seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected seconds, like 10 or 0.5".into())
}
