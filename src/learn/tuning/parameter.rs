//! What is tuned.

use std::ops::RangeInclusive;

use crate::search::params::Params;

/// A number of [`Params`] that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub start: f64,
    /// How far from the present value the last games are played, at least 1.
    pub step: f64,
    /// What it may be.
    pub range: RangeInclusive<i32>,
}

impl TunedParameter {
    /// The number of this name, in steps of `step`, or of a tenth of its default.
    ///
    /// # Errors
    /// When there is no number of this name, or the step is less than 1: numbers are whole, and a smaller one would play
    /// the same games on both sides.
    pub fn new(name: &str, step: Option<f64>) -> Result<TunedParameter, String> {
        let mut params = Params::DEFAULT;
        let entries = params.entries();
        let Some((name, value, range)) = entries.into_iter().find(|(known, ..)| *known == name) else {
            return Err(format!("'{name}': expected the name of a number of the search"));
        };
        let step = step.unwrap_or_else(|| (f64::from(*value) / 10.0).abs().max(1.0));
        if !(step >= 1.0 && step.is_finite()) {
            return Err(format!("{name}: a step of {step}: expected 1 or more, as numbers are whole"));
        }
        Ok(TunedParameter { name: name.to_string(), start: f64::from(*value), step, range })
    }

    /// Reads NAME or NAME=STEP.
    ///
    /// # Errors
    /// When it is neither, or there is no number of this name.
    pub fn parse(text: &str) -> Result<TunedParameter, String> {
        match text.split_once('=') {
            None => TunedParameter::new(text, None),
            Some((name, step)) => {
                let step = step.parse().map_err(|_| format!("'{step}' in {text}: expected a number"))?;
                TunedParameter::new(name, Some(step))
            }
        }
    }
}
