//! Random histories of a cluster under version 3, with kills, cancels and losses of hosts: nobody
//! is passed, jobs start in the order of their arrival, nothing is orphaned, and hosts run what the
//! table says.

use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    self, Entry, HostId, HostRow, JobNumber, Load, NonInterfering, Speed, Threshold, UserId,
};
use locox_coordinators::cluster::{
    Columns, Command, Config, Coordinator, Effect, HostCommand, HostConfig, HostPart, JobId,
    JobRow, Retry, Status, Terms, words,
};
use locox_coordinators::coordinate::Durable;

const HOSTS: usize = 12;
const LEVELS: u8 = 4;
const ROWS: usize = 20;

/// The generator of Steele, Lea and Flood (2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) % bound
    }
}

struct Rows {
    entries: Vec<Entry>,
    hosts: Vec<HostRow>,
    jobs: Vec<JobRow>,
    placed: Vec<timeshare::JobRow>,
    words: Vec<usize>,
}

impl Rows {
    fn new() -> Self {
        Self {
            entries: vec![Entry::EMPTY; HOSTS * usize::from(LEVELS)],
            hosts: vec![HostRow::EMPTY; HOSTS],
            jobs: vec![JobRow::EMPTY; ROWS],
            placed: vec![timeshare::JobRow::EMPTY; ROWS],
            words: vec![0; words(HOSTS, LEVELS)],
        }
    }

    fn columns(&mut self) -> Columns<'_> {
        Columns {
            entries: &mut self.entries,
            hosts: &mut self.hosts,
            jobs: &mut self.jobs,
            placed: &mut self.placed,
            words: &mut self.words,
        }
    }
}

fn coordinator(rows: &mut Rows, retry: Retry) -> Durable<Coordinator<'_, NonInterfering>> {
    let placement = NonInterfering {
        degree: 3,
        threshold: Threshold::from_thousandths(700).unwrap(),
        believed: Duration::from_ticks(40),
        settled: Duration::from_ticks(1),
    };
    let silence = Some(Duration::from_ticks(60));
    let config = Config { retry, silence, ..Config::new(PoolId(2)) };
    Durable::new(
        Coordinator::new(config, LEVELS, rows.columns(), placement, Instant::ZERO).unwrap(),
    )
}

fn command(random: &mut Random, known: &[JobId], hosts: &[HostPart]) -> Command {
    // The latest ones, as most of the others are gone.
    let known = &known[known.len().saturating_sub(8)..];
    let job = |random: &mut Random| known.get(random.below(known.len().max(1) as u64) as usize);
    let host = HostId(random.below(HOSTS as u64) as u32);
    let load = Load::from_thousandths(random.below(1001) as u16);
    let speed = Speed(16 + random.below(2) as u8 * 8);
    // Mostly small jobs, so that many run.
    let most = if random.below(4) == 0 { HOSTS as u64 } else { 4 };
    let submit = Command::Submit {
        user: UserId(random.below(3) as u32),
        hosts: 1 + random.below(most) as u32,
        synchronising: random.below(3) == 0,
        terms: Terms::default(),
    };
    match (random.below(20), job(random)) {
        (0..4, _) => submit,
        (4, Some(&job)) => Command::Cancel { job },
        (5..8, Some(&job)) => Command::Kill { job },
        (8..11, Some(&job)) => Command::Ended { job },
        (11, _) => Command::HostLost { host },
        (12, _) => Command::Tick,
        _ => Command::HostReport { host, load, speed, heard: hosts[host.0 as usize].heard() },
    }
}

/// Tells the hosts, and compares what they run with the table.
fn tell(cluster: &mut Durable<Coordinator<'_, NonInterfering>>, hosts: &mut [HostPart]) {
    while let Some(told) = cluster.take_effect() {
        let (host, command) = match told.effect {
            Effect::Assign { host, batch, number, assignment } => {
                (host, HostCommand::Assign { batch, number, assignment })
            }
            Effect::AssignmentsEnd { host, batch, jobs } => {
                (host, HostCommand::AssignmentsEnd { batch, jobs })
            }
        };
        hosts[host.0 as usize].apply(cluster.now(), command).unwrap();
    }
    for (number, host) in (0..).map(HostId).zip(hosts) {
        while host.take_effect().is_some() {}
        host.check_invariants().unwrap();
        let cluster = cluster.coordinator();
        if cluster.table().read_at(number).is_none() {
            continue;
        }
        let is_terminating = |job: JobNumber| cluster.table().is_terminating(job) == Ok(true);
        let column: Vec<_> = cluster
            .table()
            .column(number)
            .filter(|&(_, job, _)| !is_terminating(job))
            .map(|(level, job, _)| (cluster.job(job).unwrap(), level))
            .collect();
        let mut assignments: Vec<_> =
            host.running().as_slice().iter().filter(|it| !it.terminating).collect();
        assignments.sort_by_key(|assignment| assignment.level.number());
        let assignments: Vec<_> =
            assignments.iter().map(|assignment| (assignment.job, assignment.level)).collect();
        assert_eq!(assignments, column, "host {number}");
    }
}

fn history(seed: u64, retry: Retry) -> [usize; 3] {
    let mut random = Random(seed);
    let (mut rows, mut shadow_rows) = (Rows::new(), Rows::new());
    let mut cluster = coordinator(&mut rows, retry);
    let mut shadow = coordinator(&mut shadow_rows, retry);
    let config = HostConfig { report: Duration::from_ticks(5), boot: 0, pool: PoolId(0) };
    let fresh = HostPart::new(config, Instant::ZERO).unwrap();
    let mut hosts = vec![fresh; HOSTS];
    let (mut known, mut started) = (vec![], vec![]);
    let [mut shared, mut killed, mut lost] = [0; 3];
    for step in 0..400 {
        let now = cluster.now().saturating_add(Duration::from_ticks(random.below(4)));
        let command = command(&mut random, &known, &hosts);
        let Ok((answer, record)) = cluster.apply_drawn(now, command, ()) else { continue };
        // The journal leads another coordinator the same way.
        assert_eq!(shadow.replay(&record, |_| ()), Ok(true), "history {seed}, step {step}");
        match command {
            Command::Kill { .. } => killed += 1,
            Command::HostLost { .. } => lost += 1,
            _ => {}
        }
        known.extend(answer);
        let it = cluster.coordinator();
        it.check_invariants().unwrap_or_else(|broken| panic!("history {seed}, {step}: {broken}"));
        assert_eq!(it.table().passed(), None, "history {seed}, step {step}");
        let newly = known.iter().filter(|&&job| {
            matches!(it.status(job), Ok(Status::Running { .. })) && !started.contains(&job)
        });
        let newly: Vec<JobId> = newly.copied().collect();
        started.extend(newly);
        let order = |job: &JobId| known.iter().position(|it| it == job).unwrap();
        assert!(started.iter().map(order).is_sorted(), "history {seed}: first come, first served");
        for host in (0..HOSTS as u32).map(HostId) {
            let column: Vec<_> = it.table().column(host).collect();
            let levels = column.iter().map(|(level, ..)| level.number());
            assert!(levels.eq(0..column.len() as u8), "a level is free above a job");
            shared += usize::from(column.len() > 1);
        }
        for (number, host) in (0..).map(HostId).zip(&mut hosts) {
            if it.table().read_at(number).is_none() {
                *host = HostPart::new(config, now).unwrap();
            }
        }
        tell(&mut cluster, &mut hosts);
    }
    [shared, killed, lost]
}

#[test]
fn under_version_3_nobody_is_passed_whatever_happens() {
    let mut met = [0; 3];
    for seed in 0..120 {
        let retry = [Retry::Always, Retry::AllAtEnds, Retry::OneAtEnds][seed as usize % 3];
        let of_one = history(seed, retry);
        met.iter_mut().zip(of_one).for_each(|(sum, it)| *sum += it);
    }
    // The histories met what they are there for.
    assert!(met.iter().all(|&it| it > 200), "shared, killed, lost: {met:?}");
}
