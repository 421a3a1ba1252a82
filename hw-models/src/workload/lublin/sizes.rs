//! How many processors a job asks for.

use rand::{Rng, RngExt};

/// The two-stage uniform distribution of the logarithm (base 2) of a size: uniform from `low` to
/// `med` with probability `prob`, else from `med` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoStage {
    /// The smallest logarithm.
    pub low: f64,
    /// Where the density changes.
    pub med: f64,
    /// The largest logarithm.
    pub high: f64,
    /// Probability of the lower stage.
    pub prob: f64,
}

impl TwoStage {
    /// The same for a machine of `processors`, if these constants are for one of 2^`fitted`: the
    /// upper two move with the machine, down to `low` at most, and none lies above the machine.
    pub fn for_machine(self, processors: u32, fitted: f64) -> Self {
        let largest = f64::from(processors.max(1)).log2();
        let moved = |logarithm: f64| (logarithm - fitted + largest).max(self.low).min(largest);
        let low = self.low.min(largest);
        Self { low, med: moved(self.med), high: moved(self.high), prob: self.prob }
    }

    /// A logarithm.
    pub fn draw(&self, random: &mut impl Rng) -> f64 {
        let lower = random.random::<f64>() < self.prob;
        let (from, to) = if lower { (self.low, self.med) } else { (self.med, self.high) };
        from + (to - from) * random.random::<f64>()
    }

    /// The power of two whose logarithm is nearest, at most the largest one up to `most`.
    pub fn power_of_two(&self, most: u32, random: &mut impl Rng) -> u32 {
        let dim = (self.draw(random) + 0.5).floor().max(0.0) as u32;
        1 << dim.min(most.max(1).ilog2())
    }

    /// The size nearest to the power, 1 to `most`.
    pub fn any(&self, most: u32, random: &mut impl Rng) -> u32 {
        (self.draw(random).exp2().round() as u32).clamp(1, most.max(1))
    }
}
