//! How long a job runs.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Gamma};

/// Longer jobs are drawn again: e^12 seconds are nearly two days.
const LONGEST: f64 = 12.0;

/// A mixture of two gamma distributions of the natural logarithm of the run time in seconds.
///
/// With probability `slope * size + offset`, cut to 0 and 1, it is the first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyperGamma {
    /// Shape and scale of the first one, of short jobs on the whole.
    pub short: (f64, f64),
    /// Shape and scale of the second one.
    pub long: (f64, f64),
    /// What a processor more adds to the probability of the first.
    pub slope: f64,
    /// The probability of the first for a job without processors.
    pub offset: f64,
}

impl HyperGamma {
    /// Ready to draw from.
    ///
    /// # Panics
    ///
    /// If a shape or a scale is not above 0; they are constants.
    pub fn times(self) -> RunTimes {
        RunTimes { mixture: self, short: gamma(self.short), long: gamma(self.long) }
    }

    /// The probability of the first distribution for jobs of `processors`.
    pub fn share_of_short(&self, processors: u32) -> f64 {
        (self.slope * f64::from(processors) + self.offset).clamp(0.0, 1.0)
    }
}

/// The gamma distribution of that shape and scale.
pub(super) fn gamma((shape, scale): (f64, f64)) -> Gamma<f64> {
    Gamma::new(shape, scale).expect("shape and scale of a gamma distribution are above 0")
}

/// [`HyperGamma`], ready to draw from.
#[derive(Clone, Debug)]
pub struct RunTimes {
    mixture: HyperGamma,
    short: Gamma<f64>,
    long: Gamma<f64>,
}

impl RunTimes {
    /// The run time of a job of `processors`, in whole seconds, at least one.
    pub fn draw(&self, processors: u32, random: &mut impl Rng) -> u64 {
        let share = self.mixture.share_of_short(processors);
        loop {
            let short = random.random::<f64>() < share;
            let logarithm = if short { &self.short } else { &self.long }.sample(random);
            if logarithm <= LONGEST {
                return logarithm.exp() as u64;
            }
        }
    }
}
