//! Named experiments. A new one is a file here and a line in [`ALL`].

mod afl_constant;
mod afl_intervals;
mod afl_isolation;
mod afl_printed;
mod afl_uniform;
mod backfill_reference;
mod condor_month;
mod difference;
mod elmer;
mod load_sweep;
mod pjs;
mod placement_optimum;
mod pools;
mod queue_matters;
mod reservations;
mod subcube_recognition;
mod updown_example;
mod updown_forever;
mod updown_functions;
mod updown_scale;
mod updown_study;

use crate::failure::Failure;
use crate::parallel;
use crate::progress::Progress;
use crate::report::{Block, Claim, Fact, Section};
use std::path::PathBuf;

/// All experiments, in the order in which `--all` runs them.
pub static ALL: &[Experiment] = &[
    subcube_recognition::EXPERIMENT,
    afl_constant::EXPERIMENT,
    afl_uniform::EXPERIMENT,
    afl_intervals::EIGHT,
    afl_intervals::SIXTEEN,
    afl_printed::EXPERIMENT,
    afl_isolation::EXPERIMENT,
    queue_matters::EXPERIMENT,
    placement_optimum::EXPERIMENT,
    updown_study::EXPERIMENT,
    updown_example::EXPERIMENT,
    updown_functions::EXPERIMENT,
    condor_month::EXPERIMENT,
    updown_scale::EXPERIMENT,
    updown_forever::EXPERIMENT,
    elmer::ALONE,
    elmer::MODEL,
    elmer::EP,
    elmer::SAME,
    elmer::DIFFERENT,
    elmer::PARTIAL,
    elmer::SUBSET,
    elmer::FCHP,
    elmer::PLACEMENT,
    elmer::OVERHEAD,
    reservations::SIZES,
    reservations::LOAD,
    reservations::FLEXIBILITY,
    backfill_reference::EXPERIMENT,
    pjs::OVERHEAD,
    pjs::PERFORMANCE,
    pjs::PRIORITY,
    pjs::PREEMPTION,
    pjs::PREDICTIONS,
];

/// What is known of an experiment before it is run.
pub struct Experiment {
    /// Lower case and hyphens; the name on the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// The publication that it follows, and where in it.
    pub source: &'static str,
    /// What it does, in a few sentences.
    pub about: &'static str,
    /// Fails only on traces that cannot be read.
    pub run: fn(&Lab) -> Result<Findings, Failure>,
}

/// What came of an experiment.
pub struct Findings {
    /// What it was run with, the seed aside.
    pub parameters: Vec<Fact>,
    /// Published statements with the verdict on each.
    pub claims: Vec<Claim>,
    /// Tables, plots, pictures and words, in the order of reading.
    pub results: Vec<Block>,
}

/// How much of an experiment to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Seconds: enough to see the shape.
    Quick,
    /// As published, or more.
    Full,
}

/// What an experiment is given.
pub struct Lab {
    pub effort: Effort,
    pub seed: u64,
    progress: Progress,
}

impl Lab {
    pub fn new(effort: Effort, seed: u64, progress: Progress) -> Self {
        Self { effort, seed, progress }
    }

    /// One value for a quick run, another for a full one.
    pub fn either<T>(&self, quick: T, full: T) -> T {
        match self.effort {
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }

    /// Where the trace of that name lies: in `traces/` of the folder that the variable `LOCOX_DATA`
    /// names. `None` without that variable; the experiment then says what it leaves out.
    pub fn trace(&self, name: &str) -> Option<PathBuf> {
        let data = std::env::var_os("LOCOX_DATA")?;
        Some(PathBuf::from(data).join("traces").join(format!("{name}.swf.xz")))
    }

    /// The results of `work` on all items, in the order of the items, however many threads there
    /// are. Replications go through here as well: an item is then the number of a replication,
    /// from which its streams of random numbers follow.
    pub fn parallel<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        self.progress.expect(items.len());
        let run = |item: &T| {
            let result = work(item);
            self.progress.done(1);
            result
        };
        parallel::map(items, run)
    }
}

/// The experiment of that name.
pub fn find(name: &str) -> Option<&'static Experiment> {
    ALL.iter().find(|experiment| experiment.name == name)
}

impl Experiment {
    /// Runs it; the result is a section of a report.
    pub fn section(&self, lab: &Lab) -> Result<Section, Failure> {
        let findings = (self.run)(lab)?;
        let mut blocks = vec![Block::Text(self.about.into())];
        let mut facts = vec![Fact::new("source", self.source)];
        facts.extend(findings.parameters);
        blocks.push(Block::Facts(facts));
        blocks.push(Block::Claims(findings.claims));
        blocks.extend(findings.results);
        Ok(Section { id: self.name.into(), title: self.title.into(), blocks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_fit_a_command_line() {
        let names: HashSet<_> = ALL.iter().map(|experiment| experiment.name).collect();
        assert_eq!(names.len(), ALL.len());
        for name in names {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(plain), "{name}");
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let items: Vec<u64> = (0..1000).collect();
        assert_eq!(lab.parallel(&items, |item| item * 2), (0..2000).step_by(2).collect::<Vec<_>>());
    }
}
