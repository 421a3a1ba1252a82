use crate::tables::{LEVELS, load, non_interfering};
use crate::{now, read, tell, ticks, time};
use core::hint::black_box;
use core::iter::from_fn;
use locox::fair::{DecayParams, StationId, TimedRow, TimedUpDown};
use locox::handle::{Epoch, Generation, Handle, PoolId};
use locox::mapping::{self, Site, Times};
use locox::time::{Duration, Instant};
use locox::timeshare::{HostId, NonInterfering, Speed, UserId};
use locox_coordinators::cluster;
use locox_coordinators::site::{self, MachineId, Policy, QueueId, SiteModel};
use locox_coordinators::station::{self, Arrays, Checkpoint, Config, Coordinator, NodeId, Run};

const MINUTE: Duration = Duration::from_ticks(60);
/// 64 stations, their nodes and a bank of 8.
pub type Rows = Arrays<64, 72, 128, 16>;
type Network = Coordinator<TimedUpDown<&'static mut [TimedRow]>, &'static mut Rows>;

fn handle() -> Handle {
    Handle::from_parts(PoolId(1), read(), Generation::from_raw(read()), Epoch::default())
}

fn network((indices, rows): (&'static mut [TimedRow], &'static mut Rows)) -> Option<Network> {
    let ranking = TimedUpDown::new(indices, DecayParams::standard(MINUTE)).ok()?;
    let config = Config { pool: PoolId(1), ..Config::standard(MINUTE) };
    Coordinator::new(config, rows, ranking, Instant::ZERO).ok()
}

fn to_network() -> station::Command {
    use station::Command;
    let node = NodeId(read());
    let run = Run { job: station::JobId::from_handle(handle()), attempt: read() };
    match read() {
        0 => Command::Submit { home: StationId(read()), serial: read() },
        1 => Command::NodeIdle { node },
        2 => Command::OwnerBack { station: StationId(read()) },
        3 => Command::Continued { run },
        4 => Command::Checkpointed { run, checkpoint: Checkpoint(read()) },
        5 => Command::Vacated { run },
        6 => Command::Finished { run },
        7 => Command::NodeLost { node },
        8 => Command::Heard { run },
        _ => Command::Tick,
    }
}

/// The coordinator of stations.
pub fn station(statics: (&'static mut [TimedRow], &'static mut Rows)) -> Option<()> {
    let mut network = network(statics)?;
    let network = black_box(&mut network);
    loop {
        tell(&network.apply(now(), to_network()));
        from_fn(|| network.take_effect()).for_each(|effect| tell(&effect));
    }
}

/// The same, whose state goes to storage and comes from there.
pub fn station_with_images(statics: (&'static mut [TimedRow], &'static mut Rows)) -> Option<()> {
    let mut network = network(statics)?;
    let network = black_box(&mut network);
    loop {
        match read() {
            0 => network.export(crate::write),
            1 => tell(&network.restore(from_fn(|| Some(read())))),
            _ => tell(&network.apply(now(), to_network())),
        }
        from_fn(|| network.take_effect()).for_each(|effect| tell(&effect));
    }
}

/// The coordinator of 64 hosts shared in time, under the third version of the placement.
pub fn cluster(columns: cluster::Columns<'static>) -> Option<()> {
    use cluster::{Command, JobId};
    let config = cluster::Config::new(PoolId(1));
    let mut cluster = cluster::Coordinator::<NonInterfering>::new(
        config,
        LEVELS,
        columns,
        non_interfering()?,
        Instant::ZERO,
    )
    .ok()?;
    let cluster = black_box(&mut cluster);
    loop {
        let (job, host) = (JobId::from_handle(handle()), HostId(read()));
        let command = match read() {
            0 => {
                let (user, hosts) = (UserId(read()), read());
                Command::Submit {
                    user,
                    hosts,
                    synchronising: read() != 0,
                    terms: cluster::Terms::default(),
                }
            }
            1 => Command::Cancel { job },
            2 => Command::Kill { job },
            3 => Command::Ended { job },
            4 => {
                let speed = Speed(read() as u8);
                let heard = cluster::Batch { boot: read(), number: read() };
                Command::HostReport { host, load: load(), speed, heard }
            }
            5 => Command::HostLost { host },
            _ => Command::Tick,
        };
        tell(&cluster.apply(now(), command));
        from_fn(|| cluster.take_effect()).for_each(|effect| tell(&effect));
    }
}

const MACHINES: usize = 16;
const CLUSTERS: [mapping::Cluster<'static>; 4] = [
    mapping::Cluster::of(&[0, 1, 2, 3]),
    mapping::Cluster::of(&[4, 5, 6, 7]),
    mapping::Cluster::of(&[8, 9, 10, 11]),
    mapping::Cluster::of(&[12, 13, 14, 15]),
];
const RESOURCES: usize = MACHINES + CLUSTERS.len();

/// The coordinator of 16 machines in four clusters, with times from outside.
pub fn site(columns: site::Columns<'static>) -> Option<()> {
    use site::{Command, JobClass, JobId};
    let mut times = [Duration::ZERO; RESOURCES];
    times.iter_mut().for_each(|it| *it = time());
    let known = SiteModel {
        site: Site::new(MACHINES, &CLUSTERS).ok()?,
        times: Times::new(&times, RESOURCES)?,
        classes: &[],
    };
    let config = site::Config::new(MINUTE, PoolId(1));
    let mut site = site::Coordinator::new(config, known, columns, Instant::ZERO).ok()?;
    let site = black_box(&mut site);
    loop {
        let (user, queue) = (site::UserId(read()), QueueId(read()));
        let (machine, boot) = (MachineId(read()), read());
        let run = site::Run { job: JobId::from_handle(handle()), attempt: read() };
        let command = match read() {
            0 => Command::Submit { user, serial: read(), queue, class: JobClass(read()) },
            1 => Command::Finished { run, took: Duration::from_ticks(ticks()) },
            2 => Command::Vacated { run },
            3 => Command::MachineLost { machine, boot },
            4 => Command::MachineBack { machine, boot },
            5 => Command::LinkDown { link: read() },
            6 => Command::LinkUp { link: read() },
            7 => Command::SetPolicy { queue, policy: policy() },
            8 => Command::SetLimit { user, jobs: read() },
            _ => Command::Tick,
        };
        tell(&site.apply(now(), command));
        from_fn(|| site.take_effect()).for_each(|effect| tell(&effect));
    }
}

/// Each algorithm.
fn policy() -> Policy {
    let algorithm = site::Algorithm::ALL.into_iter().nth(read() as usize).unwrap_or_default();
    Policy { algorithm, level: read() as u8, ..Policy::EMPTY }
}
