//! How long periods last: distributions by their usual parameters.

use super::BadPool;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1, Weibull};

/// A distribution of lengths, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Lengths {
    /// Always the same.
    Constant(f64),
    /// Without memory, with this mean.
    Exponential(f64),
    /// One of several exponential branches.
    Hyperexponential(Vec<Branch>),
    /// A shape below 1 means: the longer it has lasted, the longer it will.
    Weibull {
        /// Without unit.
        shape: f64,
        /// In seconds.
        scale: f64,
    },
}

/// A branch of a hyperexponential distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch {
    /// How often it is taken, compared with the other branches.
    pub weight: f64,
    /// Its mean in seconds.
    pub mean: f64,
}

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;

impl Lengths {
    /// Available periods as three branches of 3, 25 and 300 minutes in equal parts.
    pub fn hyperexponential_available() -> Self {
        Self::branches(&[(1.0, 3.0), (1.0, 25.0), (1.0, 300.0)])
    }

    /// Unavailable periods as two branches of 7 and 55 minutes, in parts of 31 and 69.
    pub fn hyperexponential_unavailable() -> Self {
        Self::branches(&[(31.0, 7.0), (69.0, 55.0)])
    }

    /// Available periods as fitted to the processors of the University of Notre Dame.
    pub const fn weibull_available() -> Self {
        Self::Weibull { shape: 0.45, scale: 4.16 * HOUR }
    }

    /// Unavailable periods as fitted to the same.
    pub const fn weibull_unavailable() -> Self {
        Self::Weibull { shape: 0.51, scale: 0.74 * HOUR }
    }

    /// Branches from pairs of weight and mean in minutes.
    fn branches(pairs: &[(f64, f64)]) -> Self {
        let branch = |&(weight, minutes)| Branch { weight, mean: minutes * MINUTE };
        Self::Hyperexponential(pairs.iter().map(branch).collect())
    }

    /// The mean, in seconds.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Constant(length) => *length,
            Self::Exponential(mean) => *mean,
            Self::Hyperexponential(branches) => {
                let weights: f64 = branches.iter().map(|branch| branch.weight).sum();
                branches.iter().map(|branch| branch.weight * branch.mean).sum::<f64>() / weights
            }
            Self::Weibull { shape, scale } => scale * libm::tgamma(1.0 + 1.0 / shape),
        }
    }

    /// The same shape with another mean.
    pub fn with_mean(self, mean: f64) -> Self {
        let factor = mean / self.mean();
        match self {
            Self::Constant(_) => Self::Constant(mean),
            Self::Exponential(_) => Self::Exponential(mean),
            Self::Hyperexponential(mut branches) => {
                branches.iter_mut().for_each(|branch| branch.mean *= factor);
                Self::Hyperexponential(branches)
            }
            Self::Weibull { shape, scale } => Self::Weibull { shape, scale: scale * factor },
        }
    }

    /// A length, in seconds.
    ///
    /// # Panics
    ///
    /// If the parameters make no sense; [`Pool::check`](super::Pool::check) tells.
    pub fn sample<R: Rng>(&self, random: &mut R) -> f64 {
        match self {
            Self::Constant(length) => *length,
            Self::Exponential(mean) => mean * exponential(random),
            Self::Hyperexponential(branches) => choose(branches, random).mean * exponential(random),
            Self::Weibull { shape, scale } => {
                Weibull::new(*scale, *shape).expect("parameters are checked").sample(random)
            }
        }
    }

    pub(super) fn check(&self, parameter: &'static str) -> Result<(), BadPool> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let fit = match self {
            Self::Constant(length) => positive(*length),
            Self::Exponential(mean) => positive(*mean),
            Self::Hyperexponential(branches) => {
                let fit = |branch: &Branch| positive(branch.weight) && positive(branch.mean);
                !branches.is_empty() && branches.iter().all(fit)
            }
            Self::Weibull { shape, scale } => positive(*shape) && positive(*scale),
        };
        if fit { Ok(()) } else { Err(BadPool::NotPositive { parameter }) }
    }
}

fn exponential<R: Rng>(random: &mut R) -> f64 {
    Exp1.sample(random)
}

fn choose<'a, R: Rng>(branches: &'a [Branch], random: &mut R) -> &'a Branch {
    let weights: f64 = branches.iter().map(|branch| branch.weight).sum();
    let mut left = random.random::<f64>() * weights;
    let reached = branches.iter().find(|branch| {
        left -= branch.weight;
        left < 0.0
    });
    // Rounding may leave a hair of the last branch.
    reached.unwrap_or(&branches[branches.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;
    use crate::streams::stream;

    fn kinds() -> [Lengths; 6] {
        [
            Lengths::Constant(40.0),
            Lengths::Exponential(6000.0),
            Lengths::hyperexponential_available(),
            Lengths::hyperexponential_unavailable(),
            Lengths::weibull_available(),
            Lengths::weibull_unavailable(),
        ]
    }

    #[test]
    fn means_are_those_of_the_formulas() {
        let minutes = kinds().map(|kind| kind.mean() / 60.0);
        // 40 s; 100 min; (3+25+300)/3; 0.31*7 + 0.69*55; scale * gamma(1 + 1/shape).
        let gamma = |shape: f64| libm::tgamma(1.0 + 1.0 / shape);
        let expected =
            [2.0 / 3.0, 100.0, 328.0 / 3.0, 40.12, 249.6 * gamma(0.45), 44.4 * gamma(0.51)];
        for (mean, expected) in minutes.into_iter().zip(expected) {
            assert!((mean - expected).abs() < 1e-9 * expected, "{mean} is not {expected}");
        }
        // gamma(1 + 1/0.5) = 2
        assert!((Lengths::Weibull { shape: 0.5, scale: 3.0 }.mean() - 6.0).abs() < 1e-12);
    }

    /// 100,000 draws, fixed seed; twice the half width of 95 % is about 99.99 %.
    #[test]
    fn samples_have_the_mean_that_is_told() {
        for kind in kinds() {
            let mut random = stream(11, "lengths", 0);
            let values: Vec<f64> = (0..100_000).map(|_| kind.sample(&mut random)).collect();
            let estimate = Estimate::of(&values);
            let allowed = 2.0 * estimate.half_width.unwrap() + 1e-9;
            assert!((estimate.mean - kind.mean()).abs() < allowed, "{kind:?}: {estimate}");
            assert!(values.iter().all(|&value| value >= 0.0));
        }
    }

    /// A Weibull variable exceeds its scale with probability 1/e, whatever its shape.
    #[test]
    fn shapes_are_as_named() {
        let mut random = stream(12, "lengths", 0);
        let share = |kind: Lengths, beyond: f64, random: &mut _| {
            let above = (0..50_000).filter(|_| kind.sample(random) > beyond).count();
            above as f64 / 50_000.0
        };
        let weibull = share(Lengths::weibull_available(), 4.16 * HOUR, &mut random);
        assert!((weibull - (-1.0f64).exp()).abs() < 0.01, "{weibull}");
        let exponential = share(Lengths::Exponential(10.0), 20.0, &mut random);
        assert!((exponential - (-2.0f64).exp()).abs() < 0.01, "{exponential}");
        // (e^(-30/3) + e^(-30/25) + e^(-30/300)) / 3
        let three = share(Lengths::hyperexponential_available(), 1800.0, &mut random);
        let expected = ((-10.0f64).exp() + (-1.2f64).exp() + (-0.1f64).exp()) / 3.0;
        assert!((three - expected).abs() < 0.01, "{three}");
    }

    #[test]
    fn another_mean_keeps_the_shape() {
        for kind in kinds() {
            let scaled = kind.clone().with_mean(77.0);
            assert!((scaled.mean() - 77.0).abs() < 1e-9);
            let factor = 77.0 / kind.mean();
            let sample = |kind: &Lengths| kind.sample(&mut stream(13, "lengths", 0));
            assert!((sample(&scaled) - sample(&kind) * factor).abs() < 1e-6);
        }
    }

    #[test]
    fn parameters_that_are_not_positive_are_refused_by_name() {
        let wrong = [
            Lengths::Constant(0.0),
            Lengths::Exponential(-1.0),
            Lengths::Exponential(f64::NAN),
            Lengths::Hyperexponential(vec![]),
            Lengths::Hyperexponential(vec![Branch { weight: 0.0, mean: 1.0 }]),
            Lengths::Weibull { shape: 0.0, scale: 1.0 },
        ];
        for lengths in wrong {
            let refused = Err(BadPool::NotPositive { parameter: "available" });
            assert_eq!(lengths.check("available"), refused, "{lengths:?}");
        }
        for kind in kinds() {
            assert_eq!(kind.check("available"), Ok(()));
        }
    }
}
