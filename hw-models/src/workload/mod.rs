//! Jobs to run: from a trace, or made up.

pub mod cm5;
mod demand;
mod from_swf;
mod load;
pub mod lublin;
pub mod meshes;
mod numbers;
pub mod request_file;
pub mod reservations;
pub mod slices;
pub mod synthetic;
pub mod weeks;

pub use demand::Demand;
pub use from_swf::{
    JobStream, Owner, Selection, from_reader, from_swf, from_swf_sorted, name_of, select,
};
pub use load::{BadFactor, LoadScale, OfferedLoad};

use locox::mesh::Shape;
use locox::time::{Duration, Instant};

/// A job that wants processors for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number in the trace.
    pub id: u64,
    /// The line of the trace that it stands in.
    pub line: Option<u64>,
    /// When it arrives.
    pub submit: Instant,
    /// Processors that it asks for, at least one.
    pub processors: u32,
    /// The mesh that they are to make up, if it matters to the job; it has as many nodes.
    pub shape: Option<Shape>,
    /// Memory that it asks for beside each processor, in MiB; 0 if that is unknown. It matters on
    /// [nodes that have some](crate::machine::Cluster).
    pub memory: u32,
    /// What it asks for of nodes with quantities in place of processors and memory; `processors` are its cores then.
    pub demand: Option<Box<Demand>>,
    /// How long it runs once started.
    pub run: Duration,
    /// How long its user said it would run.
    pub requested: Option<Duration>,
    /// Whose it is: a user, or a group where that was asked for.
    pub user: Option<u32>,
}

impl Job {
    /// The mesh that it runs on: the one that it asks for or, if it only counts processors,
    /// [`Shape::of_nodes`] of them. `None` beyond the largest machine.
    pub fn mesh(&self) -> Option<Shape> {
        self.shape.or_else(|| Shape::of_nodes(self.processors).ok())
    }
}

/// Jobs in the order in which they arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// For tables and file names.
    pub name: String,
    /// The jobs; times of submission never fall.
    pub jobs: Vec<Job>,
    /// The size of the machine that they were made for, if known.
    pub processors: Option<u32>,
    /// What a reader of results should know: origin, acknowledgements, what was left out.
    pub notes: Vec<String>,
    /// Bad lines of the trace that were skipped.
    pub skipped: u64,
    /// Sound records of the trace that cannot be run because they lack a size or a run time.
    pub incomplete: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arriving_at(times: &[u64]) -> Workload {
        let job = |(id, &at): (usize, &u64)| Job {
            id: id as u64,
            line: None,
            submit: Instant::from_ticks(at),
            processors: 2,
            shape: None,
            memory: 0,
            demand: None,
            run: Duration::from_ticks(30),
            requested: None,
            user: None,
        };
        Workload {
            name: "test".into(),
            jobs: times.iter().enumerate().map(job).collect(),
            processors: None,
            notes: vec![],
            skipped: 0,
            incomplete: 0,
        }
    }

    fn times(workload: &Workload) -> Vec<u64> {
        workload.jobs.iter().map(|job| job.submit.ticks()).collect()
    }

    #[test]
    fn twice_the_load_halves_the_times_between_arrivals() {
        let mut workload = arriving_at(&[100, 100, 140, 200]);
        assert_eq!(workload.offered_load(4), Some(240.0 / 400.0));
        workload.scale_load(2.0).unwrap();
        assert_eq!(times(&workload), [100, 100, 120, 150]);
        assert_eq!(workload.offered_load(4), Some(240.0 / 200.0));
    }

    #[test]
    fn a_factor_of_one_changes_nothing_even_far_from_the_origin() {
        let far = u64::MAX - 1000;
        let mut workload = arriving_at(&[far, far + 1, far + 999]);
        workload.scale_load(1.0).unwrap();
        assert_eq!(times(&workload), [far, far + 1, far + 999]);
    }

    #[test]
    fn a_factor_that_is_not_positive_is_refused_and_changes_nothing() {
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut workload = arriving_at(&[0, 10]);
            assert!(workload.scale_load(factor).is_err());
            assert_eq!(workload, arriving_at(&[0, 10]));
        }
    }

    #[test]
    fn the_load_of_jobs_that_arrive_at_once_is_unknown() {
        assert_eq!(arriving_at(&[]).offered_load(4), None);
        assert_eq!(arriving_at(&[5, 5]).offered_load(4), None);
    }
}
