//! Mapping 4 to 32 jobs to sixteen machines in four clusters, and a quantum of the coordinator.

use board::Counter;
use board::println;
use locox::handle::PoolId;
use locox::mapping::{
    Cluster, Duplex, Mapper, MinMin, Pjs, Plan, PlannedRun, Problem, Site, Times, UnplacedJob,
    Workspace,
};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{
    Arrays, Command, Config, Coordinator, JobClass, MachineId, QueueId, SiteModel, UserId,
};
use static_cell::ConstStaticCell;

const MACHINES: usize = 16;
const CLUSTERS: [Cluster<'static>; 4] = [
    Cluster::of(&[0, 1, 2, 3]),
    Cluster::of(&[4, 5, 6, 7]),
    Cluster::of(&[8, 9, 10, 11]),
    Cluster::of(&[12, 13, 14, 15]),
];
const RESOURCES: usize = MACHINES + CLUSTERS.len();
const JOBS: usize = 32;
const COUNTS: [usize; 3] = [4, 16, JOBS];
/// Each job is a class of its own.
const TIMES: [Duration; JOBS * RESOURCES] = {
    let mut times = [Duration::ZERO; JOBS * RESOURCES];
    let (mut at, mut random) = (0, 12_345_u64);
    while at < times.len() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let ticks = 1 + (random >> 40) % 1000;
        let is_cluster = at % RESOURCES >= MACHINES;
        times[at] = Duration::from_ticks(if is_cluster { 1 + ticks / 3 } else { ticks });
        at += 1;
    }
    times
};

/// What mappers work in.
struct Space {
    placements: [PlannedRun; JOBS],
    free: [Instant; MACHINES],
    open: [UnplacedJob; JOBS],
    more: [PlannedRun; 2 * JOBS],
    instants: [Instant; 3 * MACHINES],
}

type Rows = Arrays<JOBS, MACHINES, RESOURCES, JOBS, 1, 1, { CLUSTERS.len() }, 0>;

static SPACE: ConstStaticCell<Space> = ConstStaticCell::new(Space {
    placements: [PlannedRun::EMPTY; JOBS],
    free: [Instant::ZERO; MACHINES],
    open: [UnplacedJob::EMPTY; JOBS],
    more: [PlannedRun::EMPTY; 2 * JOBS],
    instants: [Instant::ZERO; 3 * MACHINES],
});
static ROWS: ConstStaticCell<Rows> = ConstStaticCell::new(Rows::EMPTY);

pub(crate) fn print(counter: &mut Counter) -> Option<()> {
    let space = SPACE.try_take()?;
    println!("\nInstructions, a site of {MACHINES} machines in {} clusters", CLUSTERS.len());
    println!("{:38} {:>9} {:>9} {:>9}", "jobs", COUNTS[0], COUNTS[1], COUNTS[2]);
    let mappers: [(&str, &dyn Mapper); 3] = [
        ("map by min-min", &MinMin::default()),
        ("map by SJS", &Duplex::default()),
        ("map by PJS", &Pjs::default()),
    ];
    for (name, mapper) in mappers {
        let [few, some, many] = COUNTS.map(|jobs| map(mapper, jobs, space, counter));
        println!("{:38} {:>9} {:>9} {:>9}", name, few?, some?, many?);
    }
    quantum(counter)
}

fn map(mapper: &dyn Mapper, jobs: usize, space: &mut Space, counter: &mut Counter) -> Option<u64> {
    let problem = Problem {
        now: Instant::ZERO,
        site: Site::new(MACHINES, &CLUSTERS).ok()?,
        times: Times::new(TIMES.get(..jobs * RESOURCES)?, RESOURCES)?,
        free_from: &[Instant::ZERO; MACHINES],
        down: &[],
    };
    let mut plan = Plan::new(&mut space.placements, &mut space.free);
    let mut room = Workspace::new(&mut space.open, &mut space.more, &mut space.instants);
    let mut is_mapped = false;
    let count =
        counter.count(&mut || is_mapped = mapper.map(&problem, &mut plan, &mut room).is_ok());
    is_mapped.then_some(count)
}

/// All jobs are submitted and mapped, and the first run ends.
fn quantum(counter: &mut Counter) -> Option<()> {
    let known = SiteModel {
        site: Site::new(MACHINES, &CLUSTERS).ok()?,
        times: Times::new(&TIMES, RESOURCES)?,
        classes: &[],
    };
    let config = Config::new(Duration::from_ticks(10), PoolId(0));
    let columns = ROWS.try_take()?.columns();
    let mut site = Coordinator::new(config, known, columns, Instant::ZERO).ok()?;
    for machine in (0..MACHINES as u32).map(MachineId) {
        site.apply(Instant::ZERO, Command::MachineBack { machine, boot: 1 }).ok()?;
    }
    let mut most = 0;
    for job in 0..JOBS as u32 {
        let submit = Command::Submit {
            user: UserId(0),
            serial: job + 1,
            queue: QueueId(0),
            class: JobClass(job),
        };
        most = most.max(apply(&mut site, 1, submit, counter)?);
    }
    println!("{:38} {:>29}", "submit, most", most);
    let end = apply(&mut site, 10, Command::Tick, counter)?;
    println!("{:38} {:>29}", "end of a quantum", end);
    let mut first = None;
    while let Some(effect) = site.take_effect() {
        first = first.or(Some(effect));
    }
    let locox_coordinators::site::Effect::Dispatch { run, .. } = first? else { return None };
    let took = Duration::from_ticks(5);
    let ended = apply(&mut site, 15, Command::Finished { run, took }, counter)?;
    println!("{:38} {:>29}", "a run has ended", ended);
    Some(())
}

fn apply(site: &mut Coordinator, now: u64, command: Command, counter: &mut Counter) -> Option<u64> {
    let mut is_done = false;
    let now = Instant::from_ticks(now);
    let count = counter.count(&mut || is_done = site.apply(now, command).is_ok());
    is_done.then_some(count)
}
