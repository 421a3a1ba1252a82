//! Mapping jobs to unlike machines: `cargo bench -p locox --bench mapping [NAME]`.
//!
//! Prints a table in Markdown: the fastest and the median of several runs in microseconds. Times are
//! random; in *consistent* tables all jobs agree on which machine is faster, and in those *by class*
//! there are five classes of jobs. The overhead grid is that of Collins and George 2001, case 1: five
//! clusters of four machines and twenty loose ones, a share of jobs that may run on clusters in about
//! a third of the time.

use locox::mapping::{
    Cluster, Duplex, Mapper, MaxMin, MinMin, Pjs, Plan, PlannedRun, Problem, Site, Sufferage,
    Times, UnplacedJob, Workspace,
};
use locox::time::{Duration, Instant};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::time::Instant as Clock;

const LONGEST: u64 = 10_000;

#[derive(Clone, Copy)]
enum Kind {
    Random,
    Consistent,
    ByClass,
}

/// A table and its site.
struct World {
    machines: usize,
    members: Vec<Vec<u32>>,
    cells: Vec<Duration>,
    class_of: Vec<u32>,
}

impl World {
    fn of(kind: Kind, jobs: usize, machines: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let classes = if matches!(kind, Kind::ByClass) { 5 } else { jobs };
        let mut row = || -> Vec<Duration> {
            let mut times: Vec<u64> =
                (0..machines).map(|_| rng.random_range(1..=LONGEST)).collect();
            if matches!(kind, Kind::Consistent) {
                times.sort_unstable();
            }
            times.into_iter().map(Duration::from_ticks).collect()
        };
        let cells = (0..classes).flat_map(|_| row()).collect();
        let class_of = (0..jobs as u32).map(|job| job % classes as u32).collect();
        Self { machines, members: Vec::new(), cells, class_of }
    }

    /// 40 machines, and a share of jobs in percent that may run on the five clusters.
    fn of_the_study(jobs: usize, share: u32) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let members: Vec<Vec<u32>> = (0..5).map(|at| (4 * at..4 * at + 4).collect()).collect();
        let mut cells = Vec::new();
        for _ in 0..jobs {
            cells.extend((0..40).map(|_| Duration::from_ticks(rng.random_range(1..=LONGEST))));
            let is_parallel = rng.random_range(0..100) < share;
            cells.extend((0..5).map(|_| match is_parallel {
                true => Duration::from_ticks(rng.random_range(1..=LONGEST / 3)),
                false => Times::NEVER,
            }));
        }
        Self { machines: 40, members, cells, class_of: (0..jobs as u32).collect() }
    }

    /// Microseconds of several runs, sorted.
    fn time(&self, mapper: &dyn Mapper, runs: usize) -> Vec<f64> {
        let clusters: Vec<Cluster> = self.members.iter().map(|it| Cluster::of(it)).collect();
        let site = Site::new(self.machines, &clusters).expect("a right site");
        let times = Times::by_class(&self.cells, site.resources(), &self.class_of);
        let free_from = vec![Instant::ZERO; self.machines];
        let problem = Problem {
            now: Instant::ZERO,
            site,
            times: times.expect("whole rows"),
            free_from: &free_from,
            down: &[],
        };
        let jobs = self.class_of.len();
        let (mut placements, mut free) = (vec![PlannedRun::EMPTY; jobs], free_from.clone());
        let mut plan = Plan::new(&mut placements, &mut free);
        let mut open = vec![UnplacedJob::EMPTY; jobs];
        let mut more = vec![PlannedRun::EMPTY; 2 * jobs];
        let mut instants = vec![Instant::ZERO; 3 * self.machines];
        let mut room = Workspace::new(&mut open, &mut more, &mut instants);
        let mut run = || {
            let clock = Clock::now();
            mapper.map(&problem, &mut plan, &mut room).expect("all jobs can run");
            clock.elapsed().as_nanos() as f64 / 1e3
        };
        let mut taken: Vec<f64> = (0..runs).map(|_| run()).collect();
        taken.sort_unstable_by(f64::total_cmp);
        taken
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| name.contains(it));
    println!("| mapper | jobs x machines | times | fastest us | median us | bar us |");
    println!("|---|---|---|---|---|---|");
    let [random, consistent, by_class] = [Kind::Random, Kind::Consistent, Kind::ByClass];
    let (min_min, max_min) = (MinMin::default(), MaxMin::default());
    let (duplex, pjs) = (Duplex::default(), Pjs::default());
    let cases: [(&dyn Mapper, usize, usize, Kind, &str); 14] = [
        (&min_min, 512, 16, random, "250"),
        (&max_min, 512, 16, random, ""),
        (&Sufferage, 512, 16, random, ""),
        (&duplex, 512, 16, random, "1200"),
        (&duplex, 512, 16, consistent, ""),
        (&min_min, 2048, 64, random, ""),
        (&max_min, 2048, 64, random, ""),
        (&Sufferage, 2048, 64, random, ""),
        (&duplex, 2048, 64, random, "25000"),
        (&duplex, 2048, 64, by_class, ""),
        (&duplex, 100, 100, random, "200"),
        (&duplex, 100, 100, consistent, ""),
        (&duplex, 1000, 1000, random, "150000"),
        (&duplex, 1000, 1000, consistent, ""),
    ];
    for (mapper, jobs, machines, kind, bar) in cases {
        let kind_name = match kind {
            Kind::Random => "random",
            Kind::Consistent => "consistent",
            Kind::ByClass => "by class",
        };
        let name = format!("{} {jobs} x {machines} {kind_name}", mapper.name());
        if is_wanted(&name) {
            let runs = if jobs * machines > 100_000 { 9 } else { 51 };
            let taken = World::of(kind, jobs, machines).time(mapper, runs);
            let [fastest, median] = [taken[0], taken[taken.len() / 2]];
            let size = format!("{jobs} x {machines}");
            println!(
                "| {} | {size} | {kind_name} | {fastest:.0} | {median:.0} | {bar} |",
                mapper.name()
            );
        }
    }
    if is_wanted("pjs grid") {
        grid(&duplex, &pjs);
    }
}

/// The time of PJS by that of the sequential scheduler, on the very same table.
fn grid(sjs: &dyn Mapper, pjs: &dyn Mapper) {
    const JOBS: [usize; 9] = [5, 10, 20, 50, 100, 200, 400, 700, 1000];
    const SHARES: [u32; 5] = [10, 50, 75, 90, 100];
    println!("\n| jobs | {} |", SHARES.map(|share| format!("{share} %")).join(" | "));
    println!("|---|---|---|---|---|---|");
    let (mut ratios, mut sums) = (Vec::new(), [0.0, 0.0]);
    for jobs in JOBS {
        let cell = |share| {
            let world = World::of_the_study(jobs, share);
            [pjs, sjs].map(|mapper| world.time(mapper, 15)[0])
        };
        let cells = SHARES.map(cell);
        let shown = cells.map(|[pjs, sjs]| format!("{pjs:.0} us ({:.1})", pjs / sjs));
        println!("| {jobs} | {} |", shown.join(" | "));
        for [pjs, sjs] in cells {
            ratios.push(pjs / sjs);
            sums = [sums[0] + pjs, sums[1] + sjs];
        }
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    println!("\nPJS by SJS: {mean:.2} on average, {:.2} of all time together", sums[0] / sums[1]);
}
