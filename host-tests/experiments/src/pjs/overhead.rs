//! Case 1: what it costs to map.

use crate::difference::percent_above;
use crate::sources::collins_george::{
    FEW_UNDER_HEAVY_LOAD, SHARE_HARDLY_MATTERS, TWO_TO_THREE_TIMES,
};
use crate::thresholds::{PJS_FEW, PJS_HEAVY_ON_40, PJS_NO_EFFECT, PJS_TIMES};
use crate::{Experiment, Findings, Lab};
use locox::mapping::{
    Cluster, Mapper, Pjs, Plan, PlannedRun, Problem, Site, Times, UnplacedJob, Workspace,
};
use locox::time::{Duration, Instant};
use locox_models::stats::Estimate;
use locox_models::streams::stream;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Axis, Block, Cell, Claim, Fact, Plot, Point, Series, Shape, Table};
use rand::RngExt;

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-overhead",
    title: "What it costs to map jobs to machines and clusters",
    source: "Collins and George 2001, case study 1, Fig. 4",
    about: "PJS maps 5 to 1000 jobs to 40 machines, twenty of them in five clusters, on which a share \
            of the jobs may run in about a third of the time. Run times are random. By the source \
            PJS takes a sequential schedule to begin with, another for each job that gets a cluster, \
            and a last one that is no improvement, so these are counted. How long a mapping takes, and \
            how that grows with jobs and machines (Fig. 3), depends on the machine: cargo bench -p locox \
            --bench mapping measures it, and docs/evidence/benchmarks.md has the times.",
    statements: &[&TWO_TO_THREE_TIMES, &SHARE_HARDLY_MATTERS, &FEW_UNDER_HEAVY_LOAD],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

const JOBS: [usize; 9] = [5, 10, 20, 50, 100, 200, 400, 700, 1000];
/// Shares of jobs that may run on clusters, in per cent.
const SHARES: [u32; 5] = [10, 50, 75, 90, 100];
const MACHINES: usize = 40;
const CLUSTERS: usize = 5;
const MEMBERS: usize = 4;
/// The longest run time on one machine.
const LONGEST: u64 = 10_000;
/// On a cluster a job takes so many times less on the average.
const FASTER: u64 = 3;
const SCHEDULES: Unit = Unit("schedules", 1);
const PER_CENT: Unit = Unit("%", 1);

/// Run times, by jobs and resources.
struct World {
    clusters: Vec<Vec<u32>>,
    cells: Vec<Duration>,
}

impl World {
    /// The run times on single machines are the same whatever the share.
    fn new(jobs: usize, share: u32, faster: u64, seed: u64, replication: u64) -> Self {
        let mut alone = stream(seed, "run times on machines", replication);
        let mut together = stream(seed, "run times on clusters", replication);
        let mut cells = vec![];
        for _ in 0..jobs {
            cells.extend(
                (0..MACHINES).map(|_| Duration::from_ticks(alone.random_range(1..=LONGEST))),
            );
            let is_parallel = together.random_range(0..100) < share;
            cells.extend((0..CLUSTERS).map(|_| {
                let time = Duration::from_ticks(together.random_range(1..=LONGEST / faster));
                if is_parallel { time } else { Times::NEVER }
            }));
        }
        let members = |at: usize| (at * MEMBERS..(at + 1) * MEMBERS).map(|it| it as u32).collect();
        Self { clusters: (0..CLUSTERS).map(members).collect(), cells }
    }

    fn count(&self, mapper: &dyn Mapper) -> Counts {
        let clusters: Vec<Cluster> = self.clusters.iter().map(|it| Cluster::of(it)).collect();
        let site = Site::new(MACHINES, &clusters).expect("the clusters have machines");
        let times = Times::new(&self.cells, site.resources()).expect("the rows are whole");
        let jobs = times.jobs();
        let free_from = [Instant::ZERO; MACHINES];
        let problem = Problem { now: Instant::ZERO, site, times, free_from: &free_from, down: &[] };
        let (mut placements, mut free) = (vec![PlannedRun::EMPTY; jobs], free_from);
        let mut plan = Plan::new(&mut placements, &mut free);
        let (mut open, mut more) =
            (vec![UnplacedJob::EMPTY; jobs], vec![PlannedRun::EMPTY; 2 * jobs]);
        let mut instants = vec![Instant::ZERO; 3 * MACHINES];
        let mut room = Workspace::new(&mut open, &mut more, &mut instants);
        mapper.map(&problem, &mut plan, &mut room).expect("all jobs can run");
        let runs: Vec<PlannedRun> = (0..jobs).filter_map(|job| plan.placement(job)).collect();
        let on_clusters = runs.iter().filter(|run| cluster_of(run).is_some()).count();
        let last = usize::from(self.another_pays(&runs));
        Counts { on_clusters: on_clusters as f64, schedules: (1 + on_clusters + last) as f64 }
    }

    /// Whether another job would end sooner on a cluster, behind those that have one, than on a
    /// machine; then the schedule with it was made, and was no improvement.
    fn another_pays(&self, runs: &[PlannedRun]) -> bool {
        let mut busy = [0; MACHINES];
        for run in runs {
            let members = cluster_of(run).map_or(&[][..], |cluster| &self.clusters[cluster]);
            for &member in members {
                busy[member as usize] = run.end().ticks().max(busy[member as usize]);
            }
        }
        let from = self.clusters.iter().map(|members| {
            members.iter().map(|&member| busy[member as usize]).max().unwrap_or_default()
        });
        let from: Vec<u64> = from.collect();
        let end = |(time, &from): (&Duration, &u64)| time.ticks().saturating_add(from);
        let rows = self.cells.chunks(MACHINES + CLUSTERS).zip(runs);
        let mut open = rows.filter(|(_, run)| cluster_of(run).is_none()).map(|(row, _)| row);
        open.any(|row| {
            let (alone, together) = row.split_at(MACHINES);
            let together = together.iter().zip(&from).map(end).min();
            together < alone.iter().zip(&busy).map(end).min()
        })
    }
}

fn cluster_of(run: &PlannedRun) -> Option<usize> {
    run.resource()?.checked_sub(MACHINES)
}

/// What is counted of a mapping.
struct Counts {
    /// Jobs that get a cluster.
    on_clusters: f64,
    /// Sequential schedules that PJS makes.
    schedules: f64,
}

/// A share of jobs that may run on clusters.
struct At {
    share: u32,
    /// By the number of jobs, in each replication.
    counts: Vec<Vec<Counts>>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(8, 40);
    let all = lab
        .parallel(&SHARES, |&share| measure(share, FASTER, replications, lab.seed, Pjs::default()));
    Findings {
        parameters: vec![
            Fact::new("run times", "random, 1 to 10,000 on a machine and to 3,333 on a cluster"),
            Fact::new("jobs", JOBS.map(|jobs| jobs.to_string()).join(", ")),
            Fact::new(
                "site",
                format!("{MACHINES} machines, {CLUSTERS} clusters of {MEMBERS} of them"),
            ),
            Fact::new("replications", replications),
        ],
        claims: claims(&all),
        results: vec![Block::Table(table(&all)), Block::Plot(plot(&all))],
    }
}

fn measure(share: u32, faster: u64, replications: u64, seed: u64, mapper: impl Mapper) -> At {
    let of = |jobs: usize| {
        let one = |replication| World::new(jobs, share, faster, seed, replication).count(&mapper);
        (0..replications).map(one).collect()
    };
    At { share, counts: JOBS.map(of).into() }
}

impl At {
    fn name(&self) -> String {
        format!("{} %", self.share)
    }

    /// Sequential schedules, of averages over the numbers of jobs.
    fn schedules(&self) -> Vec<f64> {
        let replications = self.counts.first().map_or(0, Vec::len);
        let sum = |at: usize| self.counts.iter().map(|counts| counts[at].schedules).sum::<f64>();
        (0..replications).map(|at| sum(at) / self.counts.len() as f64).collect()
    }

    /// The same, each number of jobs weighed by itself, as a schedule takes the longer the more jobs
    /// there are.
    fn schedules_by_jobs(&self) -> Vec<f64> {
        let weights = JOBS.map(|jobs| jobs as f64);
        let all: f64 = weights.iter().sum();
        let replications = self.counts.first().map_or(0, Vec::len);
        let sum = |at: usize| {
            let weighed = self.counts.iter().zip(weights);
            weighed.map(|(counts, weight)| weight * counts[at].schedules).sum::<f64>()
        };
        (0..replications).map(|at| sum(at) / all).collect()
    }

    /// Of one of the numbers of jobs.
    fn on_clusters(&self, at: usize) -> Vec<f64> {
        self.counts[at].iter().map(|counts| counts.on_clusters).collect()
    }

    /// Which part of them gets a cluster, in per cent.
    fn part(&self, at: usize) -> Vec<f64> {
        let part = |on_clusters| 100.0 * on_clusters / JOBS[at] as f64;
        self.on_clusters(at).into_iter().map(part).collect()
    }
}

fn claims(all: &[At]) -> Vec<Claim> {
    let (least, most) = PJS_TIMES;
    let times: Vec<Case> = all
        .iter()
        .map(|at| Case::new(at.name(), at.schedules(), Expected::Inside(least, most)))
        .collect();
    let weighed: Vec<Case> = all
        .iter()
        .map(|at| Case::new(at.name(), at.schedules_by_jobs(), Expected::Inside(least, most)))
        .collect();
    let first = all.first().map_or(vec![], At::schedules);
    let beside = |at: &At| {
        let by = percent_above(&first, &at.schedules());
        let alike = Expected::Inside(100.0 / PJS_NO_EFFECT - 100.0, 100.0 * PJS_NO_EFFECT - 100.0);
        Case::new(format!("{} beside {} %", at.name(), SHARES[0]), by, alike)
    };
    let shares: Vec<Case> = all.iter().skip(1).map(beside).collect();
    let heavy = (0..JOBS.len()).filter(|&at| JOBS[at] >= PJS_HEAVY_ON_40);
    let few: Vec<Case> = heavy
        .flat_map(|jobs| {
            let name = move |at: &At| format!("{} jobs, {}", JOBS[jobs], at.name());
            let below = Expected::Inside(f64::NEG_INFINITY, PJS_FEW);
            all.iter().map(move |at| Case::new(name(at), at.part(jobs), below))
        })
        .collect();
    let on_clusters =
        few.iter().map(|case| format!("{}: {:.2}", case.name, Estimate::of(&case.differences)));
    let on_clusters = on_clusters.collect::<Vec<_>>().join("; ");
    let on_clusters = format!(
        "Per cent of the jobs on clusters, which is less than one job a run: {on_clusters}."
    );
    let told = |schedules: fn(&At) -> Vec<f64>| {
        let one = |at: &At| format!("{}: {:.1}", at.name(), Estimate::of(&schedules(at)));
        let told = all.iter().map(one).collect::<Vec<_>>().join(", ");
        format!("Schedules by the share of jobs for clusters: {told}.")
    };
    let alike = told(At::schedules);
    vec![
        judge::on_average(&times, SCHEDULES).of_levels().on(&TWO_TO_THREE_TIMES, alike.clone()),
        judge::on_average(&weighed, SCHEDULES)
            .of_levels()
            .on(&TWO_TO_THREE_TIMES, told(At::schedules_by_jobs))
            .variant("weighed by the jobs"),
        judge::every(&shares, PER_CENT).on(&SHARE_HARDLY_MATTERS, alike),
        judge::every(&few, PER_CENT).of_levels().on(&FEW_UNDER_HEAVY_LOAD, on_clusters),
    ]
}

fn table(all: &[At]) -> Table {
    let titles = SHARES.map(|share| (format!("share_{share}"), format!("{share} %")));
    let columns = titles.iter().map(|(key, title)| (key.as_str(), title.as_str()));
    let columns: Vec<(&str, &str)> = [("jobs", "jobs")].into_iter().chain(columns).collect();
    let mut table = Table::new("Jobs on clusters, by the share that may run there", &columns);
    for (at, jobs) in JOBS.into_iter().enumerate() {
        let cell = |share: &At| Cell::Estimate(Estimate::of(&share.on_clusters(at)), 1);
        table.push([Cell::Count(jobs as u64)].into_iter().chain(all.iter().map(cell)).collect());
    }
    table
}

fn plot(all: &[At]) -> Plot {
    let point = |at: &At| Point::estimated(at.share.into(), &Estimate::of(&at.schedules()));
    Plot {
        title: "Sequential schedules that PJS makes for one of SJS".into(),
        caption: "As Fig. 4 of the source, in schedules: averages over 5 to 1000 jobs.".into(),
        x: Axis::linear("jobs for clusters (%)"),
        y: Axis::linear("schedules"),
        series: vec![Series {
            name: "PJS".into(),
            shape: Shape::Line,
            points: all.iter().map(point).collect(),
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pjs::verdicts_of;
    use locox::mapping::Duplex;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    fn judged<M: Mapper + Copy>(mapper: M, faster: u64) -> Vec<Claim> {
        claims(&[50, 75].map(|share| measure(share, faster, 8, 1, mapper)))
    }

    /// Clusters thirty times as fast.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        [FASTER, 10 * FASTER].map(|faster| judged(Pjs::default(), faster))
    }

    fn verdicts<M: Mapper + Copy>(mapper: M, faster: u64) -> Vec<Verdict> {
        let verdict = verdicts_of(&EXPERIMENT, judged(mapper, faster));
        EXPERIMENT.statements.iter().map(|statement| verdict(statement)).collect()
    }

    /// SJS gives nobody a cluster; where clusters are thirty times as fast, many jobs get one.
    #[test]
    fn a_mapper_that_never_tries_clusters_and_clusters_that_are_too_fast_are_caught() {
        let sound = verdicts(Pjs::default(), FASTER);
        assert_eq!([sound[0], sound[2]], [Holds; 2]);
        assert_ne!(verdicts(Duplex::default(), FASTER)[0], Holds);
        let fast = verdicts(Pjs::default(), 10 * FASTER);
        assert_eq!(fast[0], DoesNotHold);
    }

    #[test]
    fn jobs_for_clusters_are_faster_there_and_single_machines_know_nothing_of_them() {
        let [none, all] = [0, 100].map(|share| World::new(20, share, FASTER, 1, 0));
        let resources = MACHINES + CLUSTERS;
        for (none, all) in none.cells.chunks(resources).zip(all.cells.chunks(resources)) {
            assert_eq!(none[..MACHINES], all[..MACHINES]);
            assert!(none[MACHINES..].iter().all(|&time| time == Times::NEVER));
            assert!(all[MACHINES..].iter().all(|time| time.ticks() <= LONGEST / FASTER));
        }
        let Counts { on_clusters, schedules } = none.count(&Pjs::default());
        assert_eq!((on_clusters, schedules), (0.0, 1.0));
    }
}
