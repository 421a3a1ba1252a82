//! Tables of hosts that are shared in time.

use crate::dice::{Dice, Spoiler, calls, is_wrong};
use locox::error::Error;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    Columns, Entry, FirstLevel, HostId, HostRow, JobNumber, JobRow, Load, Misuse, NonInterfering,
    Placement, Refusal, Request, Speed, Table, Threshold, UserId, Why, words,
};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ffi::c_void;
use std::mem::zeroed;
use std::ptr::null_mut;

const HOSTS: usize = 9;
const LEVELS: u8 = 3;
const ENTRIES: usize = HOSTS * LEVELS as usize;
const JOBS: usize = 6;
const BLANK: locox_shared_why = locox_shared_why { kind: 77, level: 77, owner: 77, shared: 77 };
const DONE: (locox_status, u64) = (LOCOX_OK, 0);

type Rows = Columns<Vec<Entry>, Vec<HostRow>, Vec<JobRow>, Vec<usize>>;
type Placed = Result<Why, Error<Refusal, Misuse>>;

fn misused(misuse: Misuse) -> (locox_status, u64) {
    match misuse {
        Misuse::NoSuchHost(host) => (LOCOX_NO_SUCH_HOST, host.0.into()),
        Misuse::NoSuchJob(job) => (LOCOX_NO_SUCH_JOB, job.0.into()),
        Misuse::Placed(job) => (LOCOX_PLACED, job.0.into()),
        Misuse::NotPlaced(job) => (LOCOX_NOT_PLACED, job.0.into()),
        Misuse::NoHosts => (LOCOX_NO_HOSTS, 0),
        Misuse::Threshold { .. } => (LOCOX_BAD_ARGUMENT, 0),
        Misuse::Levels { .. } => (LOCOX_WRONG_LEVELS, 0),
        Misuse::StorageTooSmall { needs, .. } => (LOCOX_TOO_SHORT, needs.into()),
        Misuse::Placement => (LOCOX_WRONG_TABLE, 0),
        other => panic!("{other:?} has no status"),
    }
}

fn error(error: Error<Refusal, Misuse>) -> (locox_status, u64) {
    match error {
        Error::Refused(Refusal::TooLarge { hosts }) => (LOCOX_TOO_LARGE, hosts.into()),
        Error::Refused(Refusal::Lost { there }) => (LOCOX_LOST, there.into()),
        Error::Refused(Refusal::TooFew { free }) => (LOCOX_TOO_FEW_FREE, free.into()),
        Error::Misused(misuse) => misused(misuse),
        other => panic!("{other:?} has no status"),
    }
}

fn plain(why: Why) -> locox_shared_why {
    let nobody = LOCOX_NOBODY;
    let of = |kind, level, owner, shared| locox_shared_why { kind, level, owner, shared };
    match why {
        Why::Level(level) => of(0, level.number().into(), nobody, 0),
        Why::Idle => of(1, 0, nobody, 0),
        Why::Beside { owner, shared } => of(2, 0, owner.0, shared),
        Why::Spanning { shared } => of(3, 0, nobody, shared),
    }
}

unsafe extern "C" fn note(host: u32, user: *mut c_void) {
    // SAFETY: the tests pass a vector.
    unsafe { (*user.cast::<Vec<u32>>()).push(host) };
}

unsafe extern "C" fn note_place(place: *const locox_shared_place, user: *mut c_void) {
    // SAFETY: the tests pass a vector, the library a place.
    unsafe { (*user.cast::<Vec<locox_shared_place>>()).push(*place) };
}

/// What one call is made of.
struct Said {
    kind: u64,
    now: u64,
    job: u32,
    host: u32,
    load: u32,
    speed: u32,
    draw: u32,
    placing: locox_placing,
    request: locox_shared_request,
}

fn said(dice: &mut Dice, now: u64) -> Said {
    let is_odd = dice.one_in(20);
    let odd = |value: u32, good: u32| if is_odd { value } else { good };
    let placing = locox_placing {
        kind: odd(4, 1 + dice.number(3)),
        degree: odd(dice.number(300), 1 + dice.number(LEVELS.into())),
        threshold: odd(dice.number(70_000), 1 + dice.number(999)),
        shuffled: dice.number(2),
        believed: dice.below(200),
        settled: dice.below(50),
    };
    let request = locox_shared_request {
        user: dice.number(3),
        hosts: dice.number(HOSTS as u64 + 2),
        synchronising: dice.number(2),
    };
    Said {
        kind: dice.below(8),
        now,
        job: dice.number(JOBS as u64 + 1),
        host: dice.number(HOSTS as u64 + 1),
        load: odd(70_000, dice.number(1001)),
        speed: odd(300, 16),
        draw: dice.number(1 << 32),
        placing,
        request,
    }
}

fn step(dice: &mut Dice, now: u64, table: &mut locox_timeshare, twin: &mut Table<Rows>) {
    let mut said = said(dice, now);
    let (mut why, mut detail, mut is_new) = (BLANK, u64::MAX, 77);
    let mut hosts = Vec::<u32>::new();
    let Said { kind, job, host, load, speed, draw, .. } = said;
    let mut spoiler = Spoiler::new(dice);
    let place = spoiler.pointer(table);
    let to_detail = spoiler.optional(&raw mut detail);
    let (mut by, mut ask) = (&raw mut said.placing, &raw mut said.request);
    let mut to_why = &raw mut why;
    if kind < 3 {
        (by, ask) = (spoiler.pointer(by), spoiler.pointer(ask));
        to_why = spoiler.optional(to_why);
    }
    let to_new =
        if kind == 3 || kind == 4 { spoiler.optional(&raw mut is_new) } else { null_mut() };
    let spoiled = spoiler.spoiled;
    let (user, noted) =
        ((&raw mut hosts).cast::<c_void>(), Some(note as unsafe extern "C" fn(_, _)));

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 | 1 => locox_timeshare_place(place, now, by, job, ask, draw, to_why, to_detail),
            2 => locox_timeshare_would_place(place, now, by, ask, draw, to_why, to_detail),
            3 | 4 => locox_timeshare_report(place, now, host, load, speed, to_new, to_detail),
            5 => locox_timeshare_remove(place, now, job, noted, user, to_detail),
            6 => locox_timeshare_terminate(place, job, noted, user, to_detail),
            _ => locox_timeshare_lose(place, host, noted, user, to_detail),
        }
    };
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    if status != LOCOX_OK {
        assert_eq!((why, is_new), (BLANK, 77));
    }
    let expected = expected(twin, &said, (!to_why.is_null()).then_some(why), &hosts);
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1);
    }
}

fn under<P: Placement>(twin: &mut Table<Rows>, said: &Said, placement: P, draw: P::Draw) -> Placed {
    let now = Instant::from_ticks(said.now);
    let request = Request {
        user: UserId(said.request.user),
        hosts: said.request.hosts,
        synchronising: said.request.synchronising != 0,
    };
    if said.kind == 2 {
        return twin.would_place(now, &placement, request, draw);
    }
    twin.place(now, &placement, JobNumber(said.job), request, draw)
}

fn placed(twin: &mut Table<Rows>, said: &Said) -> Result<Why, (locox_status, u64)> {
    let by = &said.placing;
    if !(LOCOX_PLACING_FIRST_LEVEL..=LOCOX_PLACING_NON_INTERFERING).contains(&by.kind) {
        return Err((LOCOX_BAD_ARGUMENT, 0));
    }
    let degree = u8::try_from(by.degree).map_err(|_| (LOCOX_WRONG_LEVELS, 0))?;
    let (believed, settled) = (Duration::from_ticks(by.believed), Duration::from_ticks(by.settled));
    let threshold = || {
        let thousandths = u16::try_from(by.threshold).map_err(|_| (LOCOX_BAD_ARGUMENT, 0))?;
        Threshold::from_thousandths(thousandths).map_err(misused)
    };
    let draw = said.draw;
    let answer = match (by.kind, by.shuffled) {
        (1, 0) => under(twin, said, FirstLevel::new(degree), ()),
        (1, _) => under(twin, said, FirstLevel::new(degree).shuffled(), draw),
        (2, 0) => {
            under(twin, said, FirstLevel::new(degree).on_calm_hosts(threshold()?, believed), ())
        }
        (2, _) => under(
            twin,
            said,
            FirstLevel::new(degree).on_calm_hosts(threshold()?, believed).shuffled(),
            draw,
        ),
        _ => under(
            twin,
            said,
            NonInterfering { degree, threshold: threshold()?, believed, settled },
            (),
        ),
    };
    answer.map_err(error)
}

fn expected(
    twin: &mut Table<Rows>,
    said: &Said,
    why: Option<locox_shared_why>,
    hosts: &[u32],
) -> (locox_status, u64) {
    let now = Instant::from_ticks(said.now);
    let (job, host) = (JobNumber(said.job), HostId(said.host));
    let mut changed = Vec::new();
    let mut note = |host: HostId| changed.push(host.0);
    let answer = match said.kind {
        0..=2 => placed(twin, said).map_or_else(
            |error| error,
            |reason| {
                assert!(why.is_none_or(|why| why == plain(reason)));
                DONE
            },
        ),
        3 | 4 => match (u16::try_from(said.load), u8::try_from(said.speed)) {
            (Ok(load), Ok(speed)) => twin
                .report(now, host, Load::from_thousandths(load), Speed(speed))
                .map_or_else(misused, |_| DONE),
            _ => (LOCOX_BAD_ARGUMENT, 0),
        },
        5 => twin.remove(now, job, &mut note).map_or_else(misused, |()| DONE),
        6 => twin.terminate(job, &mut note).map_or_else(misused, |()| DONE),
        _ => twin.lose(host, &mut note).map_or_else(misused, |()| DONE),
    };
    assert_eq!(changed, hosts);
    answer
}

/// All that can be seen of both is the same.
fn compare(table: &mut locox_timeshare, twin: &Table<Rows>) {
    // SAFETY: zeros are a request, and as the calls say.
    unsafe {
        assert_eq!(locox_timeshare_check(table), LOCOX_OK);
        let mut there = 0;
        assert_eq!(locox_timeshare_there(table, &raw mut there), LOCOX_OK);
        assert_eq!(there, twin.there());
        for host in 0..HOSTS as u32 {
            let mut found = Vec::<locox_shared_place>::new();
            let user = (&raw mut found).cast();
            assert_eq!(locox_timeshare_column(table, host, Some(note_place), user), LOCOX_OK);
            let ours = found.iter().map(|it| (it.host, it.level, it.job, it.user));
            let theirs = twin.column(HostId(host));
            assert!(ours.eq(theirs.map(|(level, job, user)| (
                host,
                level.number().into(),
                job.0,
                user.0
            ))));
            let mut time = 0;
            let status = locox_timeshare_read_at(table, host, &raw mut time);
            let read = (status == LOCOX_OK).then_some(time);
            assert_eq!(read, twin.read_at(HostId(host)).map(Instant::ticks));
        }
        for job in 0..JOBS as u32 {
            let (mut request, mut lead, mut terminating): (locox_shared_request, u32, u32) =
                zeroed();
            let (to_lead, to_terminating) = (&raw mut lead, &raw mut terminating);
            let status = locox_timeshare_job(
                table,
                job,
                &raw mut request,
                to_lead,
                to_terminating,
                null_mut(),
            );
            let Ok(known) = twin.request(JobNumber(job)) else {
                assert_eq!(status, LOCOX_NOT_PLACED);
                continue;
            };
            assert_eq!((request.user, request.hosts), (known.user.0, known.hosts));
            let leads = twin.lead(JobNumber(job)).unwrap().map_or(LOCOX_NOBODY, |host| host.0);
            let is_terminating = twin.is_terminating(JobNumber(job)).unwrap();
            assert_eq!((lead, terminating), (leads, is_terminating.into()));
        }
    }
}

#[test]
fn a_table_answers_as_the_kernel_does_whatever_it_is_told() {
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut entries: [locox_shared_entry; ENTRIES] = zeroed();
        let mut hosts: [locox_shared_host; HOSTS] = zeroed();
        let mut jobs: [locox_shared_job; JOBS] = zeroed();
        let needed = words(HOSTS, LEVELS);
        let mut storage = vec![usize::MAX / 3; needed];
        let rows = locox_timeshare_rows {
            entries: entries.as_mut_ptr(),
            entry_count: ENTRIES,
            hosts: hosts.as_mut_ptr(),
            host_count: HOSTS,
            jobs: jobs.as_mut_ptr(),
            job_count: JOBS,
            words: storage.as_mut_ptr(),
            word_count: needed,
        };
        let mut table: locox_timeshare = zeroed();
        let mut start = |levels, rows: locox_timeshare_rows| {
            locox_timeshare_start(&raw mut table, levels, &raw const rows, null_mut())
        };
        assert_eq!(start(9, rows), LOCOX_WRONG_LEVELS);
        assert_eq!(
            start(3, locox_timeshare_rows { entry_count: ENTRIES - 1, ..rows }),
            LOCOX_TOO_SHORT
        );
        assert_eq!(
            start(3, locox_timeshare_rows { word_count: needed - 1, ..rows }),
            LOCOX_TOO_SHORT
        );
        assert_eq!(start(3, locox_timeshare_rows { jobs: null_mut(), ..rows }), LOCOX_NULL);
        assert!(storage.iter().all(|&word| word == usize::MAX / 3));
        assert_eq!(start(3, rows), LOCOX_OK);
        let columns = Columns {
            entries: vec![Entry::EMPTY; ENTRIES],
            hosts: vec![HostRow::EMPTY; HOSTS],
            jobs: vec![JobRow::EMPTY; JOBS],
            words: vec![0; needed],
        };
        let mut twin = Table::new(LEVELS, columns).unwrap();
        let (mut dice, mut now) = (Dice(9), 0);
        for call in 0..calls() {
            now += dice.below(30);
            step(&mut dice, now, &mut table, &mut twin);
            if call % 64 == 0 {
                compare(&mut table, &twin);
            }
        }
    }
}
