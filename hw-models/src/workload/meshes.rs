//! Jobs that ask for meshes, as in chapter 4 of Turner's thesis: exponential times between
//! arrivals, sides by a distribution.
//!
//! Arrivals, service times, each of the two sides and the choice between small and large have a
//! stream of random numbers each ([`crate::streams`]); at another load the same numbers make the
//! same jobs arrive at another pace.

use super::synthetic::TICKS_PER_UNIT;
use super::{Job, Workload};
use crate::streams::{Stream, stream};
use locox::mesh::Shape;
use locox::time::{Duration, Instant};
use rand::RngExt;
use rand::distr::Distribution;
use rand_distr::Exp1;
use std::ops::RangeInclusive;

/// The mean service time, in units of time; the thesis calls them seconds.
pub const SERVICE: f64 = 4.0;

/// A recipe for workloads.
#[derive(Clone, Debug, PartialEq)]
pub struct Meshes {
    /// Name of the workloads.
    pub name: String,
    /// How many jobs.
    pub jobs: usize,
    /// Mean service time over mean time between arrivals.
    pub load: f64,
    /// The meshes asked for.
    pub sides: Sides,
    /// How long jobs run.
    pub service: Service,
}

/// How the two sides of a mesh are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Sides {
    /// These in turn, from the first on.
    InTurn(Vec<[u32; 2]>),
    /// One draw for both sides.
    Square(RangeInclusive<u32>),
    /// A draw for each side.
    Rectangle(RangeInclusive<u32>),
    /// A draw for each side, from `small` with probability `share` and otherwise from `large`.
    Interval {
        /// The range of small sides.
        small: RangeInclusive<u32>,
        /// The range of large sides.
        large: RangeInclusive<u32>,
        /// The probability of `small`, which the thesis calls A.
        share: f64,
        /// What is small or large.
        choice: Choice,
    },
}

/// Whether small or large is chosen for a job or for a side; the thesis can be read either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Both sides are small, or both are large.
    PerJob,
    /// Each side for itself.
    PerSide,
}

/// How long jobs run: [`SERVICE`] on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    /// Exponential.
    Exponential,
    /// All the same.
    Constant,
}

impl Meshes {
    /// Makes the workload of one replication. The same seed and replication give the same jobs.
    ///
    /// # Panics
    ///
    /// If the load is not positive, a range of sides is empty, or a share is no probability.
    ///
    /// ```
    /// use locox_models::workload::meshes::{Meshes, Service, Sides};
    /// let sides = Sides::Rectangle(1..=16);
    /// let recipe = Meshes { name: "small".into(), jobs: 100, load: 3.0, sides, service: Service::Exponential };
    /// let workload = recipe.generate(1, 0);
    /// assert!(workload.jobs.iter().all(|job| job.shape.unwrap().nodes() == job.processors));
    /// assert_eq!(workload, recipe.generate(1, 0));
    /// ```
    pub fn generate(&self, seed: u64, replication: u64) -> Workload {
        assert!(self.load > 0.0, "a load of {} lets no job arrive", self.load);
        let mut arrivals = stream(seed, "arrivals", replication);
        let mut services = stream(seed, "service", replication);
        let mut sides = SideStreams::new(seed, replication);
        let unit = TICKS_PER_UNIT as f64;
        // Kept unrounded, so that roundings do not add up.
        let mut now = 0.0;
        let jobs = (0..self.jobs).map(|at| {
            let gap: f64 = Exp1.sample(&mut arrivals);
            let service: f64 = Exp1.sample(&mut services);
            now += gap * SERVICE / self.load;
            let service = if self.service == Service::Constant { 1.0 } else { service };
            let [x, y] = sides.draw(&self.sides, at);
            let shape = Shape::rectangle(x, y).expect("sides are at least 1 and far from 2^24");
            Job {
                id: at as u64 + 1,
                line: None,
                submit: Instant::from_ticks((now * unit).round() as u64),
                processors: shape.nodes(),
                shape: Some(shape),
                memory: 0,
                demand: None,
                run: Duration::from_ticks((service * SERVICE * unit).round() as u64),
                requested: None,
                user: None,
            }
        });
        Workload {
            name: self.name.clone(),
            jobs: jobs.collect(),
            processors: None,
            notes: vec![format!("synthetic, seed {seed}, replication {replication}")],
            skipped: 0,
            incomplete: 0,
        }
    }
}

struct SideStreams {
    first: Stream,
    second: Stream,
    choice: Stream,
}

impl SideStreams {
    fn new(seed: u64, replication: u64) -> Self {
        let named = |name| stream(seed, name, replication);
        Self {
            first: named("first side"),
            second: named("second side"),
            choice: named("small or large"),
        }
    }

    fn draw(&mut self, sides: &Sides, at: usize) -> [u32; 2] {
        match sides {
            Sides::InTurn(list) => list[at % list.len()],
            Sides::Square(range) => [self.first.random_range(range.clone()); 2],
            Sides::Rectangle(range) => self.both(range, range),
            Sides::Interval { small, large, share, choice } => {
                let mut range = || if self.choice.random_bool(*share) { small } else { large };
                let first = range();
                let second = if *choice == Choice::PerSide { range() } else { first };
                self.both(first, second)
            }
        }
    }

    fn both(&mut self, first: &RangeInclusive<u32>, second: &RangeInclusive<u32>) -> [u32; 2] {
        [self.first.random_range(first.clone()), self.second.random_range(second.clone())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;

    fn recipe(sides: Sides) -> Meshes {
        Meshes {
            name: "test".into(),
            jobs: 20_000,
            load: 2.0,
            sides,
            service: Service::Exponential,
        }
    }

    fn sides_of(sides: Sides) -> Vec<[u32; 2]> {
        let workload = recipe(sides).generate(3, 0);
        let two = |job: &Job| {
            let [x, y, z] = job.shape.unwrap().sides();
            assert_eq!(z, 1);
            [x, y]
        };
        workload.jobs.iter().map(two).collect()
    }

    /// The interval of 95 % is widened to about 99.99 %, the seed is fixed.
    #[track_caller]
    fn assert_mean(values: impl Iterator<Item = f64>, mean: f64) {
        let estimate = Estimate::of(&values.collect::<Vec<_>>());
        assert!(
            (estimate.mean - mean).abs() < 2.0 * estimate.half_width.unwrap(),
            "{estimate} is not {mean}"
        );
    }

    #[test]
    fn the_constant_workload_alternates() {
        let sides = sides_of(Sides::InTurn(vec![[4, 6], [4, 2]]));
        assert_eq!(sides[..3], [[4, 6], [4, 2], [4, 6]]);
    }

    #[test]
    fn sides_are_uniform_over_their_range_ends_included() {
        for (sides, square) in [(Sides::Square(1..=16), true), (Sides::Rectangle(1..=16), false)] {
            let drawn = sides_of(sides);
            assert_eq!(drawn.iter().all(|[x, y]| x == y), square);
            for axis in [0, 1] {
                assert_mean(drawn.iter().map(|sides| f64::from(sides[axis])), 8.5);
                assert_eq!(drawn.iter().map(|sides| sides[axis]).min(), Some(1));
                assert_eq!(drawn.iter().map(|sides| sides[axis]).max(), Some(16));
            }
        }
    }

    #[test]
    fn small_and_large_are_chosen_for_jobs_or_for_sides_with_the_share_given() {
        let interval =
            |choice| Sides::Interval { small: 1..=8, large: 17..=32, share: 0.7, choice };
        let count = |drawn: &[[u32; 2]], small: usize| {
            drawn
                .iter()
                .filter(|sides| sides.iter().filter(|&&side| side <= 8).count() == small)
                .count()
        };
        let per_job = sides_of(interval(Choice::PerJob));
        assert_eq!(count(&per_job, 1), 0);
        let small = |sides: &[u32; 2]| f64::from(u8::from(sides[0] <= 8));
        assert_mean(per_job.iter().map(small), 0.7);
        let per_side = sides_of(interval(Choice::PerSide));
        assert_mean(per_side.iter().map(small), 0.7);
        let both = count(&per_side, 2) as f64 / per_side.len() as f64;
        assert!((both - 0.49).abs() < 0.02, "{both}");
    }

    #[test]
    fn service_is_four_on_average_and_the_load_sets_the_arrivals_alone() {
        let slow = recipe(Sides::Square(1..=4)).generate(5, 1);
        let fast = Meshes { load: 4.0, ..recipe(Sides::Square(1..=4)) }.generate(5, 1);
        let seconds = |ticks: u64| ticks as f64 / TICKS_PER_UNIT as f64;
        assert_mean(slow.jobs.iter().map(|job| seconds(job.run.ticks())), SERVICE);
        for (slow, fast) in slow.jobs.iter().zip(&fast.jobs) {
            assert_eq!((slow.shape, slow.run), (fast.shape, fast.run));
            let half = seconds(slow.submit.ticks()) / 2.0;
            assert!((seconds(fast.submit.ticks()) - half).abs() < 1e-5);
        }
        let constant = Meshes { service: Service::Constant, ..recipe(Sides::Square(1..=4)) };
        assert!(constant.generate(5, 1).jobs.iter().all(|job| seconds(job.run.ticks()) == SERVICE));
    }
}
