//! When jobs arrive: fast at noon, slowly at night.
//!
//! A gamma distribution gives the natural logarithm of the time to the next job, in seconds of a
//! clock that runs with the rhythm of the day: half an hour of the day is worth as many of its
//! half hours as the weight of that half hour says, 1 on average. The weights are the masses that
//! a second gamma distribution has over the 48 half hours of a day that begins at five.

use super::run_times::gamma;
use rand::Rng;
use rand_distr::{Distribution, Gamma};

/// Half hours of a day.
pub const SLOTS: usize = 48;
/// Seconds of a half hour.
const SLOT: f64 = 1800.0;
/// The half hour, counted from 1 at midnight, that stands first in the gamma distribution.
const FIRST: usize = 11;
/// Longer times between arrivals are drawn again: e^13 seconds are five days.
const LONGEST: f64 = 13.0;

/// The constants of the arrivals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrivals {
    /// Shape and scale of the logarithm of the time between arrivals in the rush hours.
    pub rush: (f64, f64),
    /// What its shape is multiplied by, to make it that of the whole day.
    pub all_over_rush: f64,
    /// Shape and scale of the arrivals over the day, in half hours.
    pub cycle: (f64, f64),
}

impl Arrivals {
    /// Arrivals from midnight on.
    ///
    /// # Panics
    ///
    /// If a shape or a scale is not above 0; they are constants.
    pub fn times(self) -> ArrivalTimes {
        let (shape, scale) = self.rush;
        ArrivalTimes {
            gap: gamma((shape * self.all_over_rush, scale)),
            weights: self.weights(),
            slot: 0,
            spent: 0.0,
        }
    }

    /// The weights of the half hours of a day, from midnight on; their mean is 1.
    pub fn weights(&self) -> [f64; SLOTS] {
        let (shape, scale) = self.cycle;
        // Without its constant factor, which the mean takes out.
        let density = |x: f64| x.powf(shape - 1.0) * (-x / scale).exp();
        let mut weights = [0.0; SLOTS];
        for at in FIRST..FIRST + SLOTS {
            weights[(at - 1) % SLOTS] = integral(density, at as f64 - 0.5);
        }
        let mean = weights.iter().sum::<f64>() / SLOTS as f64;
        weights.map(|weight| weight / mean)
    }
}

/// Simpson's rule over an interval of length 1, fine enough for ten digits.
fn integral(f: impl Fn(f64) -> f64, from: f64) -> f64 {
    const PARTS: u32 = 32;
    let step = 1.0 / f64::from(PARTS);
    let weighted = |at: u32| {
        let weight = match at {
            0 | PARTS => 1.0,
            _ if at % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * f(from + f64::from(at) * step)
    };
    (0..=PARTS).map(weighted).sum::<f64>() * step / 3.0
}

/// Arrivals, one after the other.
// Invariants of the fields:
//
// - `slot` counts half hours from the first midnight on, and `spent` is less than its weight or
//   equal to it: how much of it has passed by the clock that runs with the day.
#[derive(Clone, Debug)]
pub struct ArrivalTimes {
    gap: Gamma<f64>,
    weights: [f64; SLOTS],
    slot: usize,
    spent: f64,
}

impl ArrivalTimes {
    /// The time of the next arrival, in seconds; never before the last one.
    pub fn next(&mut self, random: &mut impl Rng) -> f64 {
        let logarithm = loop {
            let logarithm = self.gap.sample(random);
            if logarithm <= LONGEST {
                break logarithm;
            }
        };
        self.spent += logarithm.exp() / SLOT;
        while self.spent > self.weight() {
            self.spent -= self.weight();
            self.slot += 1;
        }
        SLOT * (self.slot as f64 + self.spent / self.weight())
    }

    fn weight(&self) -> f64 {
        self.weights[self.slot % SLOTS]
    }
}
