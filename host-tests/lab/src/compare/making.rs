//! Made-up traces whose truth is known: what intervals and answers are tried on.

use super::{Design, Jobs, Setting, Shard, Source, Store, Subject};
use crate::cli::MachineSpec;
use crate::method::methods;
use locox::time::{Duration, Instant};
use locox_models::machine::Pool;
use locox_models::replay::{Order, QueueKind, saturated};
use locox_models::streams::{Stream, stream};
use locox_models::swf::Strictness;
use locox_models::workload::weeks::WEEK;
use locox_models::workload::{Job, Workload};
use locox_report::parallel;
use locox_report::progress::Progress;
use rand::RngExt;

const PROCESSORS: u32 = 8;
/// Of one, two, four and eight processors alike.
const MEAN_SIZE: f64 = 15.0 / 4.0;

/// Users of whom jobs are.
const USERS: u32 = 4;

/// How traces are made: Poisson arrivals, exponential run times.
#[derive(Clone, Copy)]
pub(super) struct Making {
    pub weeks: usize,
    /// Mean run time, in seconds.
    pub run: f64,
    /// Requests are uniform between the run time and so many times more.
    pub estimates: f64,
    /// Weeks of a busy or a quiet season on average, which bring 140 % and 60 %; none: all alike.
    pub season: Option<f64>,
    /// Whose users the jobs have; none: none.
    pub users: Option<u64>,
}

fn exponential(stream: &mut Stream, mean: f64) -> f64 {
    -mean * (1.0 - stream.random::<f64>()).ln()
}

impl Making {
    fn job(&self, id: u64, submit: u64, stream: &mut Stream) -> Job {
        let run = Duration::from_ticks(exponential(stream, self.run).round().max(1.0) as u64);
        let more = 1.0 + self.estimates * stream.random::<f64>();
        let requested = Duration::from_ticks((run.ticks() as f64 * more) as u64);
        Job {
            id,
            line: None,
            submit: Instant::from_ticks(submit),
            processors: 1 << stream.random_range(0..4u32),
            shape: None,
            memory: 0,
            demand: None,
            run,
            requested: Some(requested),
            user: None,
        }
    }

    /// The load at which first come, first served is always busy.
    pub(super) fn saturation(&self) -> f64 {
        let mut stream = stream(1, "coverage saturation", 0);
        let jobs: Vec<Job> = (0..20_000).map(|id| self.job(id, 0, &mut stream)).collect();
        let full = saturated(&jobs, &mut Pool::new(PROCESSORS), QueueKind::Fcfs, 16, 500);
        full.expect("there are many jobs").utilisation
    }

    /// The whole weeks, and the first job after them.
    pub(super) fn trace(&self, load: f64, name: &str, at: u64) -> Workload {
        let mut stream = stream(1, name, at);
        let mean = self.run * MEAN_SIZE / (load * f64::from(PROCESSORS));
        let mut jobs = vec![self.job(1, 0, &mut stream)];
        let mut busy = stream.random::<f64>() < 0.5;
        for week in 0..self.weeks as u64 {
            busy ^= self.season.is_some_and(|weeks| stream.random::<f64>() * weeks < 1.0);
            let gap = match self.season {
                None => mean,
                Some(_) if busy => mean / 1.4,
                Some(_) => mean / 0.6,
            };
            let mut now = exponential(&mut stream, gap);
            while now < WEEK as f64 {
                let id = jobs.len() as u64 + 1;
                jobs.push(self.job(id, week * WEEK + now as u64, &mut stream));
                now += exponential(&mut stream, gap);
            }
        }
        jobs.push(self.job(jobs.len() as u64 + 1, self.weeks as u64 * WEEK, &mut stream));
        if let Some(which) = self.users {
            jobs.iter_mut().for_each(|job| job.user = Some(user(which, at, job.id)));
        }
        let name = format!("{name} {at}");
        Workload {
            name,
            jobs,
            processors: Some(PROCESSORS),
            notes: vec![],
            skipped: 0,
            incomplete: 0,
        }
    }

    /// What `locox compare` finds on such traces, scaled to the load as `--load` does it.
    pub(super) fn compared<T: Send>(
        &self,
        queues: &[QueueKind],
        order: Order,
        load: f64,
        name: &str,
        (traces, draws): (u64, u64),
        told: impl Fn(&Setting) -> T + Sync,
    ) -> Vec<T> {
        let traces: Vec<u64> = (0..traces).collect();
        parallel::map(&traces, |&at| {
            let jobs = Jobs::Trace(self.trace(load, name, at));
            let machine = MachineSpec::Pool(PROCESSORS);
            let source = Source { name: name.into(), origin: name.into(), machine, jobs };
            let design = Design {
                subjects: vec![Subject { source, methods: methods(&[], queues, &[order]) }],
                loads: vec![Some(load)],
                seeds: draws,
                seed: at,
                strictness: Strictness::Strict,
                program: 0,
            };
            let store = Store::nowhere();
            design.run(&store, Shard::default(), &Progress::hidden()).unwrap();
            told(&design.settings(&store).unwrap()[0])
        })
    }
}

/// Who a job is of.
fn user(which: u64, trace: u64, job: u64) -> u32 {
    stream(which, "direction users", trace << 32 | job).random_range(0..USERS)
}
