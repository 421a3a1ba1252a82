//! Batches of 1 to 32 jobs for sixteen machines in four clusters.

use super::{Watch, draw, random};
use alloc::vec::Vec;
use locox::mapping::{
    Cluster, Duplex, Mapper, MinMin, Open, Pjs, Placement, Plan, Problem, Room, Site, Times,
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

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let mappers: [(&'static str, &dyn Mapper); 3] = [
        ("map by min-min", &MinMin::default()),
        ("map by SJS", &Duplex::default()),
        ("map by PJS", &Pjs::default()),
    ];
    let mut random = random();
    let (mut placements, mut free) = ([Placement::EMPTY; JOBS], [Instant::ZERO; MACHINES]);
    let (mut open, mut more) = ([Open::EMPTY; JOBS], [Placement::EMPTY; 2 * JOBS]);
    let mut instants = [Instant::ZERO; 3 * MACHINES];
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
        for (name, mapper) in mappers {
            let mut plan = Plan::new(&mut placements, &mut free);
            let mut room = Room::new(&mut open, &mut more, &mut instants);
            watch.call(name, || mapper.map(&problem, &mut plan, &mut room)).ok()?;
            let _ = watch
                .see("the plan", || (0..jobs).map(|job| plan.placement(job)).collect::<Vec<_>>());
        }
    }
    Some(())
}
