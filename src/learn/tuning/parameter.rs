//! A parameter that is tuned.

use std::ops::RangeInclusive;

use crate::search::params::Params;

/// A parameter of [`Params`] that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// Its default, where tuning begins.
    pub start: f64,
    /// The distance from the present value at which the last games are played, at least 1.
    pub step: f64,
    /// The values that it can have.
    pub range: RangeInclusive<i32>,
}

impl TunedParameter {
    /// The parameter of this name, with the given step or a tenth of its default.
    ///
    /// # Errors
    /// When there is no parameter of this name, or the step is less than 1: parameters are whole numbers, and with a
    /// smaller step both sides would be the same.
    pub fn new(name: &str, step: Option<f64>) -> Result<TunedParameter, String> {
        let mut params = Params::DEFAULT;
        let entries = params.entries();
        let Some((name, value, range)) = entries.into_iter().find(|(known, ..)| *known == name) else {
            return Err(format!("'{name}': expected the name of a parameter of the search"));
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
    /// When it is neither, or there is no parameter of this name.
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
