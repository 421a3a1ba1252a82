//! A full factorial: all methods, under all loads, on draws of the jobs of all sources; and how
//! each differs from a base line on the very same jobs.

#[cfg(test)]
mod coverage;
#[cfg(test)]
mod direction;
pub mod headline;
#[cfg(test)]
mod making;
mod rows;
mod section;
mod setting;
mod shard;
mod source;
mod store;

pub use locox_models::compare::{
    Answer, Drawn, Effect, FEWEST_DRAWS, Figure, Metric, Reason, SATURATED_BELOW, Sample, Signs,
    waste,
};
pub use rows::{ROW_SCHEMA, Row, rows, write_csv, write_json};
pub use section::{DATA, sections};
pub use setting::{Found, Setting};
pub use shard::Shard;
pub use source::{Jobs, Source};
pub use store::{Run, Store};

use crate::method::Method;
use crate::queue::{Queue, setup};
use crate::way::Way;
use locox::subcube::Effort;
use locox_models::replay::{Options, Outcome, replay, replay_managed};
use locox_models::swf::Strictness;
use locox_models::workload::Workload;
use locox_models::workload::weeks::Weeks;
use locox_report::failure::Failure;
use locox_report::parallel;
use locox_report::progress::Progress;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What is to be compared.
pub struct Design {
    pub subjects: Vec<Subject>,
    /// Offered loads; `None` as the jobs come.
    pub loads: Vec<Option<f64>>,
    /// Draws of each source.
    pub seeds: u64,
    pub seed: u64,
    pub strictness: Strictness,
    /// A number that other builds of this program do not have.
    pub program: u64,
}

/// Jobs, and the methods that they meet; the base line first.
pub struct Subject {
    pub source: Source,
    pub methods: Vec<Method>,
}

/// One draw, which all methods get.
struct Unit<'a> {
    subject: &'a Subject,
    load: Option<f64>,
    draw: u64,
}

impl Design {
    /// Runs what is not in `store` of the shard's part, and notes it there.
    ///
    /// # Errors
    ///
    /// The first source's fault, or that of the store.
    pub fn run(&self, store: &Store, shard: Shard, progress: &Progress) -> Result<(), Failure> {
        let part = self.part(shard);
        progress.expect(part.len());
        let done: Vec<Result<(), Failure>> = parallel::map(&part, |unit| {
            let done = self.run_unit(unit, store);
            progress.done(1);
            done
        });
        done.into_iter().collect()
    }

    fn part(&self, shard: Shard) -> Vec<Unit<'_>> {
        self.units().skip(shard.at - 1).step_by(shard.of).collect()
    }

    /// Whether runs of the shard's part are missing in `store`.
    pub fn is_open(&self, store: &Store, shard: Shard) -> bool {
        self.part(shard).iter().any(|unit| !self.open(unit, store).is_empty())
    }

    /// What was found, if all runs are in `store`; otherwise how many are missing.
    pub fn settings(&self, store: &Store) -> Result<Vec<Setting<'_>>, usize> {
        let mut missing = 0;
        let mut settings = Vec::new();
        for subject in &self.subjects {
            let (digest, drawn) = (subject.source.digest(), subject.source.drawn());
            for &load in &self.loads {
                let mut found = Vec::new();
                for &method in &subject.methods {
                    let key = |draw| self.key(digest, load, draw, method);
                    let draws = subject.source.draws(self.seeds);
                    let runs: Vec<_> = draws.map(|draw| store.find(&key(draw))).collect();
                    missing += runs.iter().filter(|run| run.is_none()).count();
                    let runs = runs.into_iter().flatten().collect();
                    found.push(Found { method, drawn, runs });
                }
                settings.push(Setting { source: &subject.source, load, found });
            }
        }
        if missing == 0 { Ok(settings) } else { Err(missing) }
    }

    fn units(&self) -> impl Iterator<Item = Unit<'_>> {
        let loads = |subject| self.loads.iter().map(move |&load| (subject, load));
        self.subjects.iter().flat_map(loads).flat_map(|(subject, load): (&Subject, _)| {
            let draws = subject.source.draws(self.seeds);
            draws.map(move |draw| Unit { subject, load, draw })
        })
    }

    /// The methods that have not met a draw yet, each with the key of its run.
    fn open(&self, unit: &Unit, store: &Store) -> Vec<(Method, String)> {
        let &Unit { subject: Subject { source, methods }, load, draw } = unit;
        let digest = source.digest();
        let key = |method| self.key(digest, load, draw, method);
        let keyed = methods.iter().map(|&method| (method, key(method)));
        keyed.filter(|(_, key)| store.find(key).is_none()).collect()
    }

    fn run_unit(&self, unit: &Unit, store: &Store) -> Result<(), Failure> {
        let &Unit { subject: Subject { source, .. }, load, draw } = unit;
        let open = self.open(unit, store);
        if open.is_empty() {
            return Ok(());
        }
        let failed = |why: String| Failure::Input(format!("{}: {why}", source.origin));
        let workload = source.draw(load, self.seed, draw).map_err(failed)?;
        let weeks = Weeks::of(&workload);
        // Of too few weeks nothing can be said.
        let too_few = source.is_trace() && !source.has_weeks();
        let run = |(method, key): &(Method, String)| {
            let outcome = self.replay(source, &workload, *method)?;
            let waits = outcome.jobs.iter().map(|job| (job.submit, job.start));
            let share = if too_few { 1.0 } else { weeks.without_queue(waits) };
            let mut run = Run::new(key.clone(), &source.name, method.to_string(), share);
            run.figures
                .extend(Metric::ALL.map(|metric| (metric.name().into(), metric.of(&outcome))));
            Ok(run)
        };
        let runs: Vec<Result<Run, Failure>> = parallel::map(&open, run);
        store.note(&runs.into_iter().collect::<Result<Vec<_>, _>>()?)
    }

    fn replay(
        &self,
        source: &Source,
        workload: &Workload,
        method: Method,
    ) -> Result<Outcome, Failure> {
        let options = Options {
            strictness: self.strictness,
            points: 0,
            order: method.order,
            ..Options::default()
        };
        let mut machine = method.way.machine(source.machine, Effort::default());
        let outcome = match method.queue {
            Queue::Line(kind) => {
                let queue = kind.queue_on(workload.jobs.len(), &*machine);
                let mut queue = queue.expect("a method of this machine");
                let options = Options { decisions: kind.decisions(), ..options };
                replay(workload, &mut *machine, &mut *queue, &options)
            }
            Queue::Manager(stops) => {
                let setup =
                    setup(stops, method.way, source.machine).expect("a method of this machine");
                replay_managed(workload, &*machine, &setup, &options)
            }
        };
        outcome.map_err(|error| {
            let text = error.to_string();
            // A fault of the workload is one of the file that it came from, and names the line.
            Failure::Input(match text.strip_prefix(&workload.name) {
                Some(rest) => format!("{}{rest}", source.origin),
                None => format!("{}: {text}", source.origin),
            })
        })
    }

    fn key(&self, source: u64, load: Option<f64>, draw: u64, method: Method) -> String {
        let mut hasher = DefaultHasher::new();
        let lenient = self.strictness == Strictness::Lenient;
        (self.program, source, load.map(f64::to_bits), self.seed, draw, lenient).hash(&mut hasher);
        (method.to_string(), format!("{:?}", method.queue)).hash(&mut hasher);
        matches!(method.way, Way::Meshes(..)).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }
}
