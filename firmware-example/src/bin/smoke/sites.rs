//! A site of eight machines in two clusters, with its rows in a static of zeros.

use board::println;
use locox::handle::PoolId;
use locox::mapping::{Basis, Cluster, Site, Times, runs};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{
    Arrays, Claim, Command, Config, Coordinator, Effect, JobClass, JobId, Learning, MachineId,
    Policy, QueueId, Run, SiteModel, UserId,
};
use static_cell::ConstStaticCell;

const MACHINES: usize = 8;
const CLUSTERS: [Cluster<'static>; 2] = [
    Cluster { members: &[0, 1, 2, 3], least: 4, interconnect: Some(1) },
    Cluster { members: &[4, 5, 6, 7], least: 3, interconnect: None },
];
const RESOURCES: usize = MACHINES + CLUSTERS.len();
const CLASSES: [u16; RESOURCES] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 3];
/// Two classes of jobs; the second cannot run on clusters.
const TIMES: [Duration; 2 * RESOURCES] = {
    let mut times = [Times::NEVER; 2 * RESOURCES];
    let mut at = 0;
    while at < MACHINES {
        times[at] = ticks(if at < 4 { 90 } else { 120 });
        times[RESOURCES + at] = ticks(if at < 4 { 60 } else { 50 });
        at += 1;
    }
    times[MACHINES] = ticks(30);
    times[MACHINES + 1] = ticks(40);
    times
};

type Rows = Arrays<8, MACHINES, RESOURCES, 2, 1, 2, { CLUSTERS.len() }, { runs(RESOURCES, 4, 1) }>;

static ROWS: ConstStaticCell<Rows> = ConstStaticCell::new(Rows::EMPTY);

pub(crate) fn walk_through() -> Option<()> {
    let known = SiteModel {
        site: Site::new(MACHINES, &CLUSTERS).ok()?,
        times: Times::new(&TIMES, RESOURCES)?,
        classes: &CLASSES,
    };
    let learning = Some(Learning { memory: 100, basis: Basis::Class, risk: 0 });
    let config = Config { learning, ..Config::new(ticks(10), PoolId(7)) };
    let mut site =
        Coordinator::new(config, known, ROWS.try_take()?.columns(), Instant::ZERO).ok()?;
    println!(
        "site of {MACHINES} machines and {} clusters, {} bytes of rows, {} of header",
        CLUSTERS.len(),
        size_of::<Rows>(),
        size_of::<Coordinator>()
    );
    let loses = Policy { level: 1, claim: Claim::Loses, ..Policy::EMPTY };
    let takes = Policy { level: 0, claim: Claim::Takes, ..loses };
    for (queue, policy) in [(QueueId(1), loses), (QueueId(0), takes)] {
        site.apply(Instant::ZERO, Command::SetPolicy { queue, policy }).ok()?;
    }
    for machine in (0..MACHINES as u32).map(MachineId) {
        site.apply(Instant::ZERO, Command::MachineBack { machine, boot: 1 }).ok()?;
    }
    let first = submit(&mut site, 1, 1, 0)?;
    let second = submit(&mut site, 2, 1, 0)?;
    let sequential = submit(&mut site, 3, 1, 1)?;
    println!("job {first}: {:?}", site.status(first).ok()?);
    let run = tell(&mut site, 10)?;
    for job in [second, sequential] {
        println!("job {job}: {:?}", site.status(job).ok()?);
    }
    let unknown =
        Command::Submit { user: UserId(0), serial: 4, queue: QueueId(0), class: JobClass(2) };
    println!("submit a job of class 2: refused, {}", site.apply(at(11), unknown).err()?);
    submit(&mut site, 4, 0, 0)?;
    tell(&mut site, 20);
    site.apply(at(45), Command::Finished { run, took: ticks(35) }).ok()?;
    println!(
        "now class 0 is expected to take {:?} there",
        site.expected(JobClass(0), locox_coordinators::site::ResourceId(8))
    );
    site.apply(at(46), Command::MachineLost { machine: MachineId(5), boot: 1 }).ok()?;
    println!("machine 5 is lost; job {second}: {:?}", site.status(second).ok()?);
    tell(&mut site, 50);
    let sound = site.check_invariants();
    println!("invariants: {:?}", sound);
    sound.ok()
}

const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

const fn ticks(ticks: u64) -> Duration {
    Duration::from_ticks(ticks)
}

fn submit(site: &mut Coordinator, serial: u32, queue: u32, class: u32) -> Option<JobId> {
    let (queue, class) = (QueueId(queue), JobClass(class));
    let submit = Command::Submit { user: UserId(0), serial, queue, class };
    site.apply(site.now(), submit).ok()?
}

/// Time passes; who is told what, and the first run that starts.
fn tell(site: &mut Coordinator, now: u64) -> Option<Run> {
    site.apply(at(now), Command::Tick).ok()?;
    let mut first = None;
    while let Some(effect) = site.take_effect() {
        match effect {
            Effect::Dispatch { run, resource, .. } => {
                println!("{now}: run {run} starts on resource {resource}");
                first = first.or(Some(run));
            }
            Effect::Preempt { run, resource } => {
                println!("{now}: run {run} is to leave resource {resource}");
            }
        }
    }
    first
}
