//! Sites of unlike machines, and hosts shared in time.

use super::random::Random;
use locox::handle::PoolId;
use locox::mapping::{PlannedRun, RunningJob, Runs, Site, Times, UnplacedJob, runs};
use locox::time::{Duration, Instant};
use locox::timeshare::{
    self, Entry, HostId, HostRow, JobNumber, Load, NonInterfering, Request, Speed, Table, Threshold,
};
use locox_coordinators::site::{
    Columns, Command, Config, Coordinator, JobClass, JobRow, MachineId, MachineRow, Policy,
    QueueId, SiteModel, UserId, UserRow,
};
use std::hint::black_box;

const MACHINES: usize = 16;
const CLASSES: usize = 8;

/// All machines are busy for long, so that each round maps all jobs that wait anew.
pub(crate) fn round(waiting: usize, times: usize) {
    let jobs = waiting + MACHINES;
    let mut random = Random::new();
    let cells: Vec<Duration> = (0..CLASSES * MACHINES)
        .map(|_| Duration::from_ticks(1_000_000_000 + random.below(1_000_000_000) as u64))
        .collect();
    let site = Site::new(MACHINES, &[]).expect("no clusters");
    let times_of = Times::new(&cells, MACHINES).expect("rows are whole");
    let known = SiteModel { site, times: times_of, classes: &[] };
    let columns = Columns {
        jobs: &mut vec![JobRow::EMPTY; jobs],
        machines: &mut [MachineRow::EMPTY; MACHINES],
        users: &mut [UserRow::EMPTY; 1],
        queues: &mut [Policy::EMPTY; 1],
        down: &mut [],
        runs: &mut vec![Runs::EMPTY; runs(MACHINES, 0, CLASSES)],
        expected: &mut [Duration::ZERO; MACHINES * CLASSES],
        open: &mut vec![UnplacedJob::EMPTY; jobs],
        placements: &mut vec![PlannedRun::EMPTY; 3 * jobs],
        running: &mut vec![RunningJob::EMPTY; jobs],
        numbers: &mut vec![0; 2 * jobs],
        next: &mut [0; MACHINES],
        levels: &mut vec![0; jobs],
        instants: &mut [Instant::ZERO; 5 * MACHINES],
    };
    let config = Config::new(Duration::from_ticks(10), PoolId(0));
    let mut site = Coordinator::new(config, known, columns, Instant::ZERO).expect("columns fit");
    let mut say = |now, command| _ = site.apply(now, command).expect("nothing is wrong with it");
    for machine in (0..MACHINES as u32).map(MachineId) {
        say(Instant::ZERO, Command::MachineBack { machine, boot: 1 });
    }
    for serial in 1..=jobs as u32 {
        let class = JobClass(random.below(CLASSES) as u32);
        let (user, queue) = (UserId(0), QueueId(0));
        say(Instant::ZERO, Command::Submit { user, serial, queue, class });
    }
    for quantum in 1..=times as u64 + 1 {
        say(Instant::from_ticks(10 * quantum), Command::Tick);
    }
}

const LEVELS: u8 = 4;

/// Half of the hosts have a job, sixteen jobs of equally many hosts.
pub(crate) fn place(hosts: usize, times: usize) {
    let columns = timeshare::Columns {
        entries: vec![Entry::EMPTY; hosts * usize::from(LEVELS)],
        hosts: vec![HostRow::EMPTY; hosts],
        jobs: vec![timeshare::JobRow::EMPTY; 32],
        words: vec![0; timeshare::words(hosts, LEVELS)],
    };
    let mut table = Table::new(LEVELS, columns).expect("the columns fit");
    let rule = NonInterfering {
        degree: LEVELS,
        threshold: Threshold::from_thousandths(700).expect("between 0 and 1"),
        believed: Duration::MAX,
        settled: Duration::ZERO,
    };
    let now = Instant::ZERO;
    for host in (0..hosts as u32).map(HostId) {
        table.report(now, host, Load::IDLE, Speed::NOMINAL).expect("the host is known");
    }
    for job in 1..=16 {
        let request = Request::new(timeshare::UserId(0), hosts as u32 / 32);
        table.place(now, &rule, JobNumber(job), request, ()).expect("there is room");
    }
    for _ in 0..times {
        let request = black_box(Request::new(timeshare::UserId(0), 8));
        table.place(now, &rule, JobNumber(0), request, ()).expect("there is room");
        table.remove(now, JobNumber(0), &mut |host| _ = black_box(host)).expect("it is placed");
    }
}
