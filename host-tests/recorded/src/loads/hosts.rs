//! 64 hosts that up to four jobs share in time, under the third version of Elmer's placement.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    Columns, Entry, HostId, HostRow, JobNumber, JobRow, Load, NonInterfering, Request, Speed,
    Table, Threshold, UserId, words,
};

const HOSTS: usize = 64;
const LEVELS: u8 = 4;
const JOBS: usize = 32;
const CALLS: u64 = 1000;

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let mut entries = vec![Entry::EMPTY; HOSTS * usize::from(LEVELS)];
    let mut hosts = vec![HostRow::EMPTY; HOSTS];
    let mut jobs = vec![JobRow::EMPTY; JOBS];
    let mut words = vec![0; words(HOSTS, LEVELS)];
    let columns = Columns {
        entries: &mut entries[..],
        hosts: &mut hosts[..],
        jobs: &mut jobs[..],
        words: &mut words[..],
    };
    let mut table = Table::new(LEVELS, columns).ok()?;
    let placement = NonInterfering {
        degree: LEVELS,
        threshold: Threshold::from_thousandths(700).ok()?,
        believed: Duration::from_ticks(200),
        settled: Duration::from_ticks(1),
    };
    let mut random = random();
    let mut runs = [false; JOBS];
    for tick in 0..CALLS {
        let now = Instant::from_ticks(tick);
        let host = HostId(draw(&mut random, HOSTS as u32));
        let load = Load::from_thousandths(draw(&mut random, 1000) as u16);
        let _ = watch.call("report", || table.report(now, host, load, Speed::NOMINAL));
        let job = draw(&mut random, JOBS as u32);
        let is_there = runs.get_mut(job as usize)?;
        let wanted = 1 + draw(&mut random, 24);
        if *is_there {
            let removed = watch.call("remove", || table.remove(now, JobNumber(job), &mut |_| ()));
            *is_there = removed.is_err();
        } else {
            let request = Request::new(UserId(draw(&mut random, 4)), wanted);
            let placed = watch.call("place", || {
                table.place(now, &placement, JobNumber(job), request, ()).map(|_| ())
            });
            *is_there = placed.is_ok();
        }
        if draw(&mut random, 64) == 0 {
            let _ = watch.call("lose", || table.lose(host, &mut |_| ()));
        }
    }
    let _ = watch.see("places", || {
        (0..JOBS as u32).flat_map(|job| table.places(JobNumber(job))).fold(
            0,
            |sum: u32, (host, level)| {
                sum.wrapping_mul(31)
                    .wrapping_add(host.0)
                    .wrapping_mul(5)
                    .wrapping_add(level.number().into())
            },
        )
    });
    Some(())
}
