//! Case 1: what it costs to map.

use super::SOURCE;
use crate::{Experiment, Findings, Lab};
use locox::mapping::{
    Cluster, Duplex, Mapper, Pjs, Plan, PlannedRun, Problem, Site, Times, UnplacedJob, Workspace,
};
use locox::time::{Duration, Instant};
use locox_models::streams::stream;
use locox_report::judge;
use locox_report::report::{Axis, Block, Cell, Claim, Fact, Judged, Plot, Series, Shape, Table};
use rand::RngExt;

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-overhead",
    title: "What it costs to map jobs to machines and clusters",
    source: "Collins and George 2001, case study 1, Figs. 3 and 4",
    about: "SJS maps 5 to 100 jobs to 5 to 100 machines, and PJS 5 to 1000 jobs to 40 machines, \
            twenty of them in five clusters, on which a share of the jobs may run in about a third \
            of the time. Run times are random. The source measured on a machine of 200 MHz; here \
            the growth and the ratios count. A quick run measures no time: its results are the same \
            on every machine.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

const SIZES: [usize; 5] = [5, 10, 20, 50, 100];
const JOBS: [usize; 9] = [5, 10, 20, 50, 100, 200, 400, 700, 1000];
/// Shares of jobs that may run on clusters, in per cent. The first is the base line.
const SHARES: [u32; 6] = [0, 10, 50, 75, 90, 100];
const MACHINES: usize = 40;
const CLUSTERS: usize = 5;
const MEMBERS: usize = 4;
/// The longest run time on one machine.
const LONGEST: u64 = 10_000;

/// Run times, by jobs and resources.
struct World {
    machines: usize,
    clusters: Vec<Vec<u32>>,
    cells: Vec<Duration>,
}

impl World {
    fn without_clusters(jobs: usize, machines: usize, seed: u64) -> Self {
        let mut alone = stream(seed, "run times on machines", 0);
        let cells = (0..jobs * machines)
            .map(|_| Duration::from_ticks(alone.random_range(1..=LONGEST)))
            .collect();
        Self { machines, clusters: vec![], cells }
    }

    /// The run times on single machines are the same whatever the share.
    fn with_clusters(jobs: usize, share: u32, seed: u64) -> Self {
        let mut alone = stream(seed, "run times on machines", 0);
        let mut together = stream(seed, "run times on clusters", 0);
        let mut cells = vec![];
        for _ in 0..jobs {
            cells.extend(
                (0..MACHINES).map(|_| Duration::from_ticks(alone.random_range(1..=LONGEST))),
            );
            let is_parallel = together.random_range(0..100) < share;
            cells.extend((0..CLUSTERS).map(|_| {
                let time = Duration::from_ticks(together.random_range(1..=LONGEST / 3));
                if is_parallel { time } else { Times::NEVER }
            }));
        }
        let members = |at: usize| (at * MEMBERS..(at + 1) * MEMBERS).map(|it| it as u32).collect();
        Self { machines: MACHINES, clusters: (0..CLUSTERS).map(members).collect(), cells }
    }

    /// Microseconds to map all jobs: the least of some times.
    fn time(&self, mapper: &dyn Mapper) -> f64 {
        const TIMES: usize = 15;
        let clusters: Vec<Cluster> = self.clusters.iter().map(|it| Cluster::of(it)).collect();
        let site = Site::new(self.machines, &clusters).expect("the clusters have machines");
        let times = Times::new(&self.cells, site.resources()).expect("the rows are whole");
        let jobs = times.jobs();
        let free_from = vec![Instant::ZERO; self.machines];
        let problem = Problem { now: Instant::ZERO, site, times, free_from: &free_from, down: &[] };
        let (mut placements, mut free) = (vec![PlannedRun::EMPTY; jobs], free_from.clone());
        let mut plan = Plan::new(&mut placements, &mut free);
        let (mut open, mut more) =
            (vec![UnplacedJob::EMPTY; jobs], vec![PlannedRun::EMPTY; 2 * jobs]);
        let mut instants = vec![Instant::ZERO; 3 * self.machines];
        let mut room = Workspace::new(&mut open, &mut more, &mut instants);
        let mut once = || {
            let begun = std::time::Instant::now();
            mapper.map(&problem, &mut plan, &mut room).expect("all jobs can run");
            begun.elapsed().as_nanos() as f64 / 1e3
        };
        (0..TIMES).map(|_| once()).fold(f64::INFINITY, f64::min)
    }
}

/// What was measured, in microseconds.
struct Found {
    /// Of SJS, by machines and by jobs.
    sjs: Vec<Vec<f64>>,
    /// Of PJS, by jobs and by shares.
    pjs: Vec<Vec<f64>>,
}

/// One after the other, as times are measured.
fn measure(seed: u64) -> Found {
    let sjs =
        |machines, jobs| World::without_clusters(jobs, machines, seed).time(&Duplex::default());
    let pjs = |jobs, share| World::with_clusters(jobs, share, seed).time(&Pjs::default());
    Found {
        sjs: SIZES.map(|machines| SIZES.map(|jobs| sjs(machines, jobs)).into()).into(),
        pjs: JOBS.map(|jobs| SHARES.map(|share| pjs(jobs, share)).into()).into(),
    }
}

impl Found {
    /// How often the base line each share takes, of averages over all numbers of jobs.
    fn ratios(&self) -> Vec<f64> {
        let sum = |share: usize| self.pjs.iter().map(|row| row[share]).sum::<f64>();
        (1..SHARES.len()).map(|share| sum(share) / sum(0)).collect()
    }

    /// The exponent with which the time of SJS grows with the jobs on most machines.
    fn exponent(&self) -> f64 {
        let times = &self.sjs[SIZES.len() - 1];
        let [few, many] = [1, SIZES.len() - 1];
        (times[many] / times[few]).ln() / (SIZES[many] as f64 / SIZES[few] as f64).ln()
    }
}

fn run(lab: &Lab) -> Findings {
    let found = lab.either(false, true).then(|| measure(lab.seed));
    let plot = found.as_ref().map(plot);
    let tables = [sjs(found.as_ref()), pjs(found.as_ref())].map(Block::Table);
    Findings {
        parameters: vec![
            Fact::new("run times", "random, 1 to 10,000 on a machine and to 3,333 on a cluster"),
            Fact::new("times", "the least of fifteen"),
        ],
        claims: claims(found.as_ref()),
        results: tables.into_iter().chain(plot.map(Block::Plot)).collect(),
    }
}

fn judged<const N: usize>(cases: Option<[(String, bool); N]>) -> Judged {
    judge::exactly(cases.into_iter().flatten())
}

fn claims(found: Option<&Found>) -> Vec<Claim> {
    let place = |figure: &str| format!("{SOURCE}, section 5.1, {figure}");
    let times =
        "Times depend on the machine and are in the table of the report; a quick run has none.";
    let largest = found.map(|it| [("100 x 100".into(), it.sjs[4][4] < 100_000.0)]);
    let grows = found.map(|it| [("on 100 machines".into(), it.exponent() < 1.5)]);
    let ratios = found.map(Found::ratios);
    let by_share = ratios.iter().flat_map(|ratios| {
        SHARES[1..].iter().zip(ratios).map(|(share, &ratio)| (format!("{share} %"), ratio <= 3.0))
    });
    let spread = ratios.as_ref().map(|ratios| {
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        [("all shares".into(), most <= 1.5 * least)]
    });
    let told = ratios.as_ref().map_or(times.into(), |ratios| {
        let each =
            SHARES[1..].iter().zip(ratios).map(|(share, ratio)| format!("{share} %: {ratio:.1}"));
        format!(
            "Times the base line without jobs for clusters: {}.",
            each.collect::<Vec<_>>().join(", ")
        )
    });
    let exponent = found.map_or(times.into(), |it| {
        format!(
            "From 10 to 100 jobs on 100 machines it grows with the jobs to the power of {:.1}.",
            it.exponent()
        )
    });
    vec![
        judged(largest).claim(
            "SJS maps 100 jobs to 100 machines in well below 0.2 s: at most half of it",
            place("Fig. 3"),
            times,
        ),
        judged(grows).claim(
            "Its time grows more like jobs by machines than like jobs squared by machines",
            place("Fig. 3"),
            exponent,
        ),
        judge::exactly(by_share).claim(
            "PJS takes two to three times what it does where no job can run on a cluster: three at \
             most, of averages over 5 to 1000 jobs",
            place("Fig. 4"),
            told.clone(),
        ),
        judged(spread).claim(
            "The share of jobs that can run on clusters hardly matters: by a factor of 1.5 at most",
            place("Fig. 4"),
            told,
        ),
    ]
}

fn sjs(found: Option<&Found>) -> Table {
    let titles = SIZES.map(|jobs| (format!("jobs_{jobs}"), format!("{jobs} jobs (us)")));
    let columns = titles.iter().map(|(key, title)| (key.as_str(), title.as_str()));
    let columns: Vec<(&str, &str)> =
        [("machines", "machines")].into_iter().chain(columns).collect();
    let mut table = Table::new("SJS by machines and jobs", &columns);
    for (at, machines) in SIZES.into_iter().enumerate() {
        let times = (0..SIZES.len()).map(|jobs| cell(found.map(|it| it.sjs[at][jobs])));
        table.push([Cell::Count(machines as u64)].into_iter().chain(times).collect());
    }
    table
}

fn pjs(found: Option<&Found>) -> Table {
    let titles = SHARES.map(|share| (format!("share_{share}"), format!("{share} % (us)")));
    let columns = titles.iter().map(|(key, title)| (key.as_str(), title.as_str()));
    let columns: Vec<(&str, &str)> = [("jobs", "jobs")].into_iter().chain(columns).collect();
    let mut table =
        Table::new("PJS on 40 machines by jobs and by the share of these for clusters", &columns);
    for (at, jobs) in JOBS.into_iter().enumerate() {
        let times = (0..SHARES.len()).map(|share| cell(found.map(|it| it.pjs[at][share])));
        table.push([Cell::Count(jobs as u64)].into_iter().chain(times).collect());
    }
    table
}

fn cell(time: Option<f64>) -> Cell {
    time.map_or(Cell::Missing, |time| Cell::Number(time, 1))
}

fn plot(found: &Found) -> Plot {
    let series = |share: usize| {
        let point = |(jobs, times): (usize, &Vec<f64>)| (jobs as f64, times[share] / times[0]);
        let points = JOBS.into_iter().zip(&found.pjs).map(point);
        Series::exact(format!("{} %", SHARES[share]), Shape::Line, points)
    };
    Plot {
        title: "The time of PJS by that where no job can run on a cluster".into(),
        caption: "As Fig. 4 of the source.".into(),
        x: Axis::log("jobs"),
        y: Axis::linear("times the base line"),
        series: (1..SHARES.len()).map(series).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, HoldsInPart, Undecided};

    fn verdicts(found: Option<&Found>) -> Vec<Verdict> {
        claims(found).into_iter().map(|claim| claim.verdict).collect()
    }

    /// Times as in the source, by jobs and machines, and by a factor for each share.
    fn made(power: f64, factors: [f64; 6]) -> Found {
        let sjs = |machines: usize| SIZES.map(|jobs| (jobs as f64).powf(power) * machines as f64);
        Found {
            sjs: SIZES.map(|machines| sjs(machines).into()).into(),
            pjs: JOBS.map(|jobs| factors.map(|factor| factor * jobs as f64).into()).into(),
        }
    }

    #[test]
    fn other_growth_and_other_ratios_are_caught_and_nothing_is_said_without_times() {
        assert_eq!(verdicts(None), [Undecided; 4]);
        let sound = made(1.1, [1.0, 2.0, 2.2, 2.4, 2.6, 2.9]);
        assert_eq!(verdicts(Some(&sound)), [Holds; 4]);
        let square = made(2.0, [1.0, 1.1, 2.0, 3.5, 5.0, 6.0]);
        let found = verdicts(Some(&square));
        assert_eq!(found, [DoesNotHold, DoesNotHold, HoldsInPart, DoesNotHold]);
    }

    #[test]
    fn jobs_for_clusters_are_faster_there_and_single_machines_know_nothing_of_them() {
        let [none, all] = [0, 100].map(|share| World::with_clusters(20, share, 1));
        let resources = MACHINES + CLUSTERS;
        for (none, all) in none.cells.chunks(resources).zip(all.cells.chunks(resources)) {
            assert_eq!(none[..MACHINES], all[..MACHINES]);
            assert!(none[MACHINES..].iter().all(|&time| time == Times::NEVER));
            assert!(all[MACHINES..].iter().all(|time| time.ticks() <= LONGEST / 3));
        }
        assert!(all.time(&Pjs::default()) > 0.0);
    }
}
