//! Numbers that options may have.

/// The most that a number may be: what comes of larger ones is no number any more.
const MOST: f64 = 1e6;

/// More than 0.
///
/// # Errors
/// That it is not.
pub fn positive(option: &str, value: f64) -> Result<(), String> {
    let good = value > 0.0 && value <= MOST;
    good.then_some(()).ok_or_else(|| format!("{option} {value}: expected more than 0, at most {MOST}"))
}

/// 0 or more.
///
/// # Errors
/// That it is not.
pub fn not_negative(option: &str, value: f64) -> Result<(), String> {
    let good = (0.0..=MOST).contains(&value);
    good.then_some(()).ok_or_else(|| format!("{option} {value}: expected 0 to {MOST}"))
}

/// 0 to 1.
///
/// # Errors
/// That it is not.
pub fn share(option: &str, value: f64) -> Result<(), String> {
    let good = (0.0..=1.0).contains(&value);
    good.then_some(()).ok_or_else(|| format!("{option} {value}: expected 0 to 1"))
}
