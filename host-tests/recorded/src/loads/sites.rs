//! The coordinator of sixteen machines in four clusters: jobs of eight classes arrive, run and end,
//! machines and links fail and come back.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use alloc::vec::Vec;
use locox::handle::PoolId;
use locox::mapping::{Cluster, Site, Times};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{
    Arrays, Claim, Command, Config, Coordinator, Effect, JobClass, MachineId, Policy, QueueId, Run,
    SiteModel, UserId,
};

const MACHINES: usize = 16;
const CLUSTERS: [Cluster<'static>; 4] = [
    Cluster { members: &[0, 1, 2, 3], least: 3, interconnect: Some(0) },
    Cluster { members: &[4, 5, 6, 7], least: 4, interconnect: Some(1) },
    Cluster::of(&[8, 9, 10, 11]),
    Cluster::of(&[12, 13, 14, 15]),
];
const RESOURCES: usize = MACHINES + CLUSTERS.len();
const CLASSES: usize = 8;
const JOBS: usize = 32;
const CALLS: u64 = 500;

type Rows = Arrays<JOBS, MACHINES, RESOURCES, CLASSES, 1, 2, { CLUSTERS.len() }, 0>;

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let mut random = random();
    let mut time = |_| Duration::from_ticks(1 + u64::from(draw(&mut random, 200)));
    let times: Vec<Duration> = (0..CLASSES * RESOURCES).map(&mut time).collect();
    let known = SiteModel {
        site: Site::new(MACHINES, &CLUSTERS).ok()?,
        times: Times::new(&times, RESOURCES)?,
        classes: &[],
    };
    let mut rows = vec![Rows::EMPTY; 1];
    let columns = rows.first_mut()?.columns();
    let config = Config::new(Duration::from_ticks(10), PoolId(1));
    let mut site = Coordinator::new(config, known, columns, Instant::ZERO).ok()?;
    let loses = Policy { level: 1, claim: Claim::Loses, ..Policy::EMPTY };
    let takes = Policy { level: 0, claim: Claim::Takes, ..loses };
    for (queue, policy) in [(QueueId(1), loses), (QueueId(0), takes)] {
        let command = Command::SetPolicy { queue, policy };
        watch.call("set policy", || site.apply(Instant::ZERO, command)).ok()?;
    }
    for machine in (0..MACHINES as u32).map(MachineId) {
        let command = Command::MachineBack { machine, boot: 1 };
        watch.call("machine back", || site.apply(Instant::ZERO, command)).ok()?;
    }
    let mut runs: [Option<Run>; RESOURCES] = [None; RESOURCES];
    let mut serial = 0;
    for tick in 1..=CALLS {
        let now = Instant::from_ticks(3 * tick);
        let machine = MachineId(draw(&mut random, MACHINES as u32));
        let place = runs.get_mut(draw(&mut random, RESOURCES as u32) as usize)?;
        let took = Duration::from_ticks(1 + u64::from(draw(&mut random, 200)));
        let (what, command) = match (draw(&mut random, 16), place.take()) {
            (0, _) => ("machine lost", Command::MachineLost { machine, boot: 1 }),
            (1, _) => ("machine back", Command::MachineBack { machine, boot: 1 }),
            (2, _) => ("link down", Command::LinkDown { link: draw(&mut random, 2) }),
            (3, _) => ("link up", Command::LinkUp { link: draw(&mut random, 2) }),
            (4..=10, Some(run)) => ("finished", Command::Finished { run, took }),
            (11..=14, _) => {
                serial += 1;
                let queue = QueueId(draw(&mut random, 2));
                let class = JobClass(draw(&mut random, CLASSES as u32));
                ("submit", Command::Submit { user: UserId(0), serial, queue, class })
            }
            _ => ("tick", Command::Tick),
        };
        let _ = watch.call(what, || site.apply(now, command));
        while let Some(effect) = watch.see("take effect", || site.take_effect()) {
            match effect {
                Effect::Dispatch { run, resource, .. } => {
                    *runs.get_mut(resource.0 as usize)? = Some(run);
                }
                Effect::Preempt { run, .. } => {
                    let _ = watch.call("vacated", || site.apply(now, Command::Vacated { run }));
                }
            }
        }
    }
    Some(())
}
