//! Batches of 1 to 32 jobs for sixteen machines in four clusters.

use super::Watch;
use super::random::{draw, random};
use alloc::vec::Vec;
use locox::mapping::{
    Cluster, Duplex, Mapper, MinMin, Pjs, Plan, PlannedRun, Problem, Site, Times, UnplacedJob,
    Workspace,
};
use locox::time::{Duration, Instant};

const MACHINES: usize = 16;
const CLUSTERS: [Cluster<'static>; 4] = [
    Cluster::of(&[0, 1, 2, 3]),
    Cluster::of(&[4, 5, 6, 7]),
    Cluster::of(&[8, 9, 10, 11]),
    Cluster::of(&[12, 13, 14, 15]),
];
const RESOURCES: usize = MACHINES + CLUSTERS.len();
const JOBS: usize = 32;
const BATCHES: u32 = 12;

/// What mappers work in.
struct Space {
    placements: [PlannedRun; JOBS],
    free: [Instant; MACHINES],
    open: [UnplacedJob; JOBS],
    more: [PlannedRun; 2 * JOBS],
    instants: [Instant; 3 * MACHINES],
}

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let mut random = random();
    let mut space = Space {
        placements: [PlannedRun::EMPTY; JOBS],
        free: [Instant::ZERO; MACHINES],
        open: [UnplacedJob::EMPTY; JOBS],
        more: [PlannedRun::EMPTY; 2 * JOBS],
        instants: [Instant::ZERO; 3 * MACHINES],
    };
    for _ in 0..BATCHES {
        let jobs = 1 + draw(&mut random, JOBS as u32) as usize;
        let mut time = |_| Duration::from_ticks(1 + u64::from(draw(&mut random, 1000)));
        let times: Vec<Duration> = (0..jobs * RESOURCES).map(&mut time).collect();
        let problem = Problem {
            now: Instant::ZERO,
            site: Site::new(MACHINES, &CLUSTERS).ok()?,
            times: Times::new(&times, RESOURCES)?,
            free_from: &[Instant::ZERO; MACHINES],
            down: &[],
        };
        map(("map by min-min", MinMin::default()), &problem, &mut space, watch)?;
        map(("map by SJS", Duplex::default()), &problem, &mut space, watch)?;
        map(("map by PJS", Pjs::default()), &problem, &mut space, watch)?;
    }
    Some(())
}

fn map<M: Mapper>(
    (name, mapper): (&'static str, M),
    problem: &Problem<'_>,
    space: &mut Space,
    watch: &mut impl Watch,
) -> Option<()> {
    let mut plan = Plan::new(&mut space.placements, &mut space.free);
    let mut room = Workspace::new(&mut space.open, &mut space.more, &mut space.instants);
    watch.call(name, || mapper.map(problem, &mut plan, &mut room)).ok()?;
    let jobs = 0..problem.times.jobs();
    let _ = watch.see("the plan", || jobs.map(|job| plan.placement(job)).collect::<Vec<_>>());
    Some(())
}
