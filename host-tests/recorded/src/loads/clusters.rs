//! The coordinator of 64 hosts that up to four jobs share in time.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    self, Entry, HostId, HostRow, Load, NonInterfering, Speed, Threshold, UserId,
};
use locox_coordinators::cluster::{
    Columns, Command, Config, Coordinator, JobId, JobRow, Terms, words,
};

const HOSTS: usize = 64;
const LEVELS: u8 = 4;
const JOBS: usize = 32;
const CALLS: u64 = 1500;

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let mut entries = vec![Entry::EMPTY; HOSTS * usize::from(LEVELS)];
    let mut hosts = vec![HostRow::EMPTY; HOSTS];
    let mut jobs = vec![JobRow::EMPTY; JOBS];
    let mut placed = vec![timeshare::JobRow::EMPTY; JOBS];
    let mut words = vec![0; words(HOSTS, LEVELS)];
    let columns = Columns {
        entries: &mut entries,
        hosts: &mut hosts,
        jobs: &mut jobs,
        placed: &mut placed,
        words: &mut words,
    };
    let placement = NonInterfering {
        degree: LEVELS,
        threshold: Threshold::from_thousandths(700).ok()?,
        believed: Duration::from_ticks(400),
        settled: Duration::from_ticks(1),
    };
    let mut cluster =
        Coordinator::new(Config::new(PoolId(1)), LEVELS, columns, placement, Instant::ZERO).ok()?;
    let mut random = random();
    let mut known: [Option<JobId>; JOBS] = [None; JOBS];
    for tick in 0..CALLS {
        let now = Instant::from_ticks(tick);
        let host = HostId(draw(&mut random, HOSTS as u32));
        let load = Load::from_thousandths(draw(&mut random, 1000) as u16);
        let hosts = 1 + draw(&mut random, 32);
        let job = known.get_mut(draw(&mut random, JOBS as u32) as usize)?;
        let (what, command) = match (draw(&mut random, 32), *job) {
            (0, _) => ("host lost", Command::HostLost { host }),
            (1, _) => ("tick", Command::Tick),
            (2, Some(job)) => ("cancel", Command::Cancel { job }),
            (3..=10, Some(job)) => ("ended", Command::Ended { job }),
            (11..=18, None) => {
                let user = UserId(draw(&mut random, 4));
                let terms = Terms::default();
                ("submit", Command::Submit { user, hosts, synchronising: true, terms })
            }
            _ => {
                let (speed, heard) = (Speed::NOMINAL, cluster.batch(host));
                ("report", Command::HostReport { host, load, speed, heard })
            }
        };
        match watch.call(what, || cluster.apply(now, command)) {
            Ok(Some(new)) => *job = Some(new),
            Ok(None) if matches!(command, Command::Ended { .. } | Command::Cancel { .. }) => {
                *job = None;
            }
            _ => {}
        }
        while watch.see("take effect", || cluster.take_effect()).is_some() {}
    }
    Some(())
}
