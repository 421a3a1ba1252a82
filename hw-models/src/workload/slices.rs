//! Jobs that ask for boxes of these shapes and no others: slices of a machine of accelerators.
//!
//! Arrivals, shapes and run times have a stream of random numbers each ([`crate::streams`]).

use super::{Job, Workload};
use crate::streams::stream;
use locox::mesh::Shape;
use locox::time::{Duration, Instant};
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand_distr::Exp1;

/// A recipe for workloads. Times between arrivals and run times are exponential; a tick is a second.
#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    /// Name of the workloads.
    pub name: String,
    /// Processors of the machine that they are meant for.
    pub processors: u32,
    /// The shapes, and how frequent each is beside the others.
    pub mix: Vec<(Shape, f64)>,
    /// Offered load; 1 is all of the machine.
    pub load: f64,
    /// Mean run time in seconds.
    pub run: f64,
    /// Jobs arrive for so many seconds.
    pub span: u64,
}

impl Slices {
    /// Makes the workload of one replication. The same seed and replication give the same jobs.
    ///
    /// # Panics
    ///
    /// If the load or the mean run time is not positive, or weights cannot be chosen by.
    ///
    /// ```
    /// use locox::mesh::Shape;
    /// use locox_models::workload::slices::Slices;
    /// let mix = vec![(Shape::cuboid(4, 4, 4)?, 3.0), (Shape::cuboid(8, 8, 8)?, 1.0)];
    /// let recipe = Slices { name: "two".into(), processors: 4096, mix, load: 0.5, run: 3600.0, span: 86_400 };
    /// let workload = recipe.generate(1, 0);
    /// assert!(workload.jobs.iter().all(|job| [64, 512].contains(&job.processors)));
    /// assert_eq!(workload, recipe.generate(1, 0));
    /// # Ok::<(), locox::mesh::BadShape>(())
    /// ```
    pub fn generate(&self, seed: u64, replication: u64) -> Workload {
        assert!(self.load > 0.0 && self.run > 0.0, "nothing arrives, or nothing runs");
        let [mut arrivals, mut shapes, mut runs] =
            ["arrivals", "shapes", "run times"].map(|name| stream(seed, name, replication));
        let choice = WeightedIndex::new(self.mix.iter().map(|(_, weight)| weight));
        let choice = choice.expect("weights that can be chosen by");
        let gap = self.mean_nodes() * self.run / (self.load * f64::from(self.processors));
        // Kept unrounded, so that roundings do not add up.
        let mut now = 0.0;
        let mut jobs = vec![];
        loop {
            let between: f64 = Exp1.sample(&mut arrivals);
            now += between * gap;
            if now > self.span as f64 {
                break;
            }
            let (shape, _) = self.mix[choice.sample(&mut shapes)];
            let run: f64 = Exp1.sample(&mut runs);
            jobs.push(Job {
                id: jobs.len() as u64 + 1,
                line: None,
                submit: Instant::from_ticks(now as u64),
                processors: shape.nodes(),
                shape: Some(shape),
                memory: 0,
                demand: None,
                run: Duration::from_ticks((run * self.run).ceil() as u64),
                requested: None,
                user: None,
            });
        }
        Workload {
            name: self.name.clone(),
            jobs,
            processors: Some(self.processors),
            notes: vec![format!("synthetic, seed {seed}, replication {replication}")],
            skipped: 0,
            incomplete: 0,
        }
    }

    /// Nodes of a job, on the average.
    fn mean_nodes(&self) -> f64 {
        let all: f64 = self.mix.iter().map(|(_, weight)| weight).sum();
        let nodes = self.mix.iter().map(|(shape, weight)| weight * f64::from(shape.nodes()));
        nodes.sum::<f64>() / all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_and_the_shares_are_those_asked_for() {
        let shape = |x, y, z| Shape::cuboid(x, y, z).unwrap();
        let mix = vec![(shape(1, 2, 2), 1.0), (shape(4, 4, 8), 3.0)];
        let recipe = Slices {
            name: "test".into(),
            processors: 512,
            mix,
            load: 0.7,
            run: 1_000.0,
            span: 20_000_000,
        };
        let workload = recipe.generate(3, 0);
        let large = workload.jobs.iter().filter(|job| job.processors == 128).count();
        let share = large as f64 / workload.jobs.len() as f64;
        assert!((share - 0.75).abs() < 0.01, "{share}");
        let load = workload.offered_load(512).unwrap();
        assert!((load - 0.7).abs() < 0.02, "{load}");
        assert!(workload.jobs.is_sorted_by_key(|job| job.submit));
    }
}
