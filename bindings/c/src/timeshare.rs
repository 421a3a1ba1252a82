//! Hosts that several parallel jobs share in time: the table of levels by hosts.

use crate::interface::{faults, interface, opaque, structures};
use crate::memory::*;
use crate::placing::{locox_placing, placing_of};
use crate::status::locox_status::*;
use crate::time::at;
use core::ffi::c_void;
use locox::bits::Word;
use locox::timeshare::{
    Columns, Entry, HostId, HostRow, JobNumber, JobRow, Level, Load, Misuse, Refusal, Request,
    Speed, Table, UserId, Why, words,
};

/// Why a job was placed so: no more urgent level than `level` is free on so many hosts.
pub const LOCOX_PLACED_LEVEL: u32 = 0;
/// See `LOCOX_PLACED_LEVEL`: these hosts have no other job.
pub const LOCOX_PLACED_IDLE: u32 = 1;
/// See `LOCOX_PLACED_LEVEL`: `shared` of its hosts have this `owner`, the others no job.
pub const LOCOX_PLACED_BESIDE: u32 = 2;
/// See `LOCOX_PLACED_LEVEL`: `shared` of its hosts have owners, more than one.
pub const LOCOX_PLACED_SPANNING: u32 = 3;

/// The speed of a host like most.
pub const LOCOX_SPEED_NOMINAL: u32 = 16;

const _: () = assert!(LOCOX_SPEED_NOMINAL == Speed::NOMINAL.0 as u32);

opaque! {
    /// Which jobs a host has, and at which levels. Opaque, small, and may be moved; its rows may not.
    locox_timeshare: [u64; LOCOX_TIMESHARE_LENGTH], locox_size_of_timeshare, as Body, b"ELMR";

    /// Room for a level of a host.
    locox_shared_entry: [u32; LOCOX_SHARED_ENTRY_LENGTH], locox_size_of_shared_entry, for Entry;

    /// Room for what is kept of a host.
    locox_shared_host: [u64; LOCOX_SHARED_HOST_LENGTH], locox_size_of_shared_host, for HostRow;

    /// Room for what is kept of a job.
    locox_shared_job: [u32; LOCOX_SHARED_JOB_LENGTH], locox_size_of_shared_job, for JobRow;
}

structures! {
    /// Where a table keeps its rows, of any content. The structure itself is only read.
    pub struct locox_timeshare_rows {
        /// For each host one for each level.
        pub entries: *mut locox_shared_entry,
        /// How many.
        pub entry_count: usize,
        /// One a host.
        pub hosts: *mut locox_shared_host,
        /// How many.
        pub host_count: usize,
        /// One for each job that may have hosts.
        pub jobs: *mut locox_shared_job,
        /// How many.
        pub job_count: usize,
        /// As many as `LOCOX_TIMESHARE_WORDS` says.
        pub words: *mut usize,
        /// How many.
        pub word_count: usize,
    }

    /// What a job asks for.
    pub struct locox_shared_request {
        /// Whose job it is.
        pub user: u32,
        /// How many hosts, at least one.
        pub hosts: u32,
        /// Not zero: its first process synchronises the others, as that of a barrier does.
        pub synchronising: u32,
    }

    /// Why a job was placed so: of the fields those that its kind names.
    pub struct locox_shared_why {
        /// `LOCOX_PLACED_...`.
        pub kind: u32,
        /// The level; the smaller is the more urgent.
        pub level: u32,
        /// The job at the top of the hosts that it shares.
        pub owner: u32,
        /// How many hosts it shares.
        pub shared: u32,
    }

    /// A job at a level of a host.
    pub struct locox_shared_place {
        /// The host.
        pub host: u32,
        /// The level; the smaller is the more urgent.
        pub level: u32,
        /// The job.
        pub job: u32,
        /// Whose job it is.
        pub user: u32,
    }
}

/// Called for each place that a call has to name.
pub type locox_shared_place_fn =
    Option<unsafe extern "C" fn(place: *const locox_shared_place, user: *mut c_void)>;

/// Called for each host whose jobs or levels changed.
pub type locox_host_fn = Option<unsafe extern "C" fn(host: u32, user: *mut c_void)>;

type Rows = Columns<
    &'static mut [Entry],
    &'static mut [HostRow],
    &'static mut [JobRow],
    &'static mut [Word],
>;

type Body = Table<Rows>;

/// Words of storage for a table of so many hosts and levels; zero for levels out of range (1 to 8).
/// `LOCOX_TIMESHARE_WORDS` is the same as a constant.
#[unsafe(no_mangle)]
pub extern "C" fn locox_timeshare_words(hosts: usize, levels: u32) -> usize {
    levels_of(levels).map_or(0, |levels| words(hosts, levels))
}

interface! {
    /// Starts a table of so many levels (1 to 8), in which no host is there.
    fn locox_timeshare_start(
        table: *mut locox_timeshare, levels: u32, rows: *const locox_timeshare_rows; detail
    ) {
        let (place, rows, levels) = (place(table)?, input(rows)?, levels_of(levels)?);
        let hosts = storage(rows.hosts, rows.host_count, 0)?;
        let needed = rows.host_count.saturating_mul(levels.into());
        let entries = storage(rows.entries, rows.entry_count, needed)?.first(needed);
        let jobs = storage(rows.jobs, rows.job_count, 0)?;
        let words = words_for_table(&rows, levels)?;
        let columns = Columns {
            entries: entries.cleared(Entry::EMPTY),
            hosts: hosts.cleared(HostRow::EMPTY),
            jobs: jobs.cleared(JobRow::EMPTY),
            words: words.cleared(0),
        };
        place.start(Table::new(levels, columns)?)
    }
}

/// # Safety
///
/// The contract of `memory`.
unsafe fn words_for_table(rows: &locox_timeshare_rows, levels: u8) -> Answer<Storage<Word>> {
    let needed = words(rows.host_count, levels);
    // SAFETY: the caller keeps the contract.
    unsafe { crate::memory::words(rows.words, rows.word_count, needed) }
}

interface! {
    /// A host says that it is there, how busy it is (`load` in thousandths, up to 65,535) and how fast
    /// (`LOCOX_SPEED_NOMINAL`; up to 255). `is_new`, which may be null, is 1 if it was not there before.
    fn locox_timeshare_report(
        table: *mut locox_timeshare, now: u64, host: u32, load: u32, speed: u32,
        is_new: *mut u32; detail
    ) {
        let result = optional_out(is_new)?;
        let load = u16::try_from(load).map_err(|_| LOCOX_BAD_ARGUMENT)?;
        let speed = Speed(u8::try_from(speed).map_err(|_| LOCOX_BAD_ARGUMENT)?);
        let load = Load::from_thousandths(load);
        let is_new = on(table, |it| Ok(it.report(at(now), HostId(host), load, speed)?))?;
        result.put(is_new)
    }

    /// Gives the job of a row its hosts: see `locox_timeshare_places`. Refused as `LOCOX_TOO_LARGE`,
    /// `LOCOX_LOST` or `LOCOX_TOO_FEW_FREE`. `draw` is for placements by lot. `why` may be null.
    fn locox_timeshare_place(
        table: *mut locox_timeshare, now: u64, placing: *const locox_placing, job: u32,
        request: *const locox_shared_request, draw: u32, why: *mut locox_shared_why; detail
    ) {
        let (result, placing) = (optional_out(why)?, input(placing)?);
        let request = request_of(input(request)?);
        let why = on(table, |it| {
            Ok(it.place(at(now), &placing_of(&placing)?, JobNumber(job), request, draw)?)
        })?;
        result.put(why)
    }

    /// Whether `locox_timeshare_place` would give a job its hosts; refused as there.
    fn locox_timeshare_would_place(
        table: *const locox_timeshare, now: u64, placing: *const locox_placing,
        request: *const locox_shared_request, draw: u32, why: *mut locox_shared_why; detail
    ) {
        let (result, placing) = (optional_out(why)?, input(placing)?);
        let request = request_of(input(request)?);
        let why = of(table, |it| {
            Ok(it.would_place(at(now), &placing_of(&placing)?, request, draw)?)
        })?;
        result.put(why)
    }

    /// The job has ended: later ones move up on its hosts. `changed`, which may be null, is called for
    /// each of these.
    /// While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_timeshare_remove(
        table: *mut locox_timeshare, now: u64, job: u32, changed: locox_host_fn,
        user: *mut c_void; detail
    ) {
        let mut tell = |host| tell_host(changed, host, user);
        on(table, |it| Ok(it.remove(at(now), JobNumber(job), &mut tell)?))
    }

    /// The job is to be killed. It keeps its hosts until it is removed. `changed`, which may be null, is
    /// called for each of these.
    /// While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_timeshare_terminate(
        table: *mut locox_timeshare, job: u32, changed: locox_host_fn, user: *mut c_void; detail
    ) {
        let mut tell = |host| tell_host(changed, host, user);
        on(table, |it| Ok(it.terminate(JobNumber(job), &mut tell)?))
    }

    /// A host is gone: what it had is to be killed elsewhere. `changed`, which may be null, is called
    /// for each other host that this concerns.
    /// While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_timeshare_lose(
        table: *mut locox_timeshare, host: u32, changed: locox_host_fn, user: *mut c_void; detail
    ) {
        let mut tell = |host| tell_host(changed, host, user);
        on(table, |it| Ok(it.lose(HostId(host), &mut tell)?))
    }

    /// Calls `visit` for each job of a host, the most urgent first.
    /// While `visit` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_timeshare_column(
        table: *const locox_timeshare, host: u32, visit: locox_shared_place_fn, user: *mut c_void
    ) {
        of(table, |it| {
            let jobs = it.column(HostId(host));
            jobs.for_each(|(level, job, whose)| {
                tell(visit, place_of(HostId(host), level, job, whose), user);
            });
            Ok(())
        })
    }

    /// Calls `visit` for each host of a job, by rising number.
    /// While `visit` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_timeshare_places(
        table: *const locox_timeshare, job: u32, visit: locox_shared_place_fn,
        user: *mut c_void; detail
    ) {
        of(table, |it| {
            let job = JobNumber(job);
            let whose = it.request(job)?.user;
            it.places(job).for_each(|(host, level)| {
                tell(visit, place_of(host, level, job, whose), user);
            });
            Ok(())
        })
    }

    /// What is known of a job that has hosts. `lead`, the host of its first process (`LOCOX_NOBODY` if
    /// that is lost), and `terminating`, 1 if it is to be killed, may be null.
    fn locox_timeshare_job(
        table: *const locox_timeshare, job: u32, request: *mut locox_shared_request, lead: *mut u32,
        terminating: *mut u32; detail
    ) {
        let (request, job) = (out(request)?, JobNumber(job));
        let (to_lead, to_terminating) = (optional_out(lead)?, optional_out(terminating)?);
        let known = of(table, |it| Ok((it.request(job)?, it.lead(job)?, it.is_terminating(job)?)))?;
        request.put(known.0)?;
        to_lead.put(known.1.map_or(crate::LOCOX_NOBODY, |host| host.0))?;
        to_terminating.put(known.2)
    }

    /// How many hosts are there.
    fn locox_timeshare_there(table: *const locox_timeshare, there: *mut u32) {
        get(table, there, |it| Ok(it.there()))
    }

    /// When a host reported last; `LOCOX_NONE` of one that is not there.
    fn locox_timeshare_read_at(table: *const locox_timeshare, host: u32, time: *mut u64) {
        let time = out(time)?;
        let read = of(table, |it| it.read_at(HostId(host)).ok_or(LOCOX_NONE.into()))?;
        time.put(read.ticks())
    }

    /// Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
    /// be seen.
    fn locox_timeshare_check(table: *const locox_timeshare) {
        of(table, |it| Ok(it.check_invariants()?))
    }
}

pub(crate) fn levels_of(levels: u32) -> Answer<u8> {
    let known = u8::try_from(levels).ok().filter(|levels| (1..=Level::COUNT).contains(levels));
    known.ok_or(LOCOX_WRONG_LEVELS.into())
}

fn request_of(it: locox_shared_request) -> Request {
    let (user, synchronising) = (UserId(it.user), it.synchronising != 0);
    Request { user, hosts: it.hosts, synchronising }
}

fn place_of(host: HostId, level: Level, job: JobNumber, user: UserId) -> locox_shared_place {
    locox_shared_place { host: host.0, level: level.number().into(), job: job.0, user: user.0 }
}

fn tell_host(changed: locox_host_fn, host: HostId, user: User) {
    if let Some(changed) = changed {
        // SAFETY: by the contract the callback takes a host and what it was given, and returns.
        unsafe { changed(host.0, user) };
    }
}

impl From<Request> for locox_shared_request {
    fn from(it: Request) -> Self {
        Self { user: it.user.0, hosts: it.hosts, synchronising: it.synchronising.into() }
    }
}

impl From<Why> for locox_shared_why {
    fn from(why: Why) -> Self {
        let of = |kind| Self { kind, level: 0, owner: crate::LOCOX_NOBODY, shared: 0 };
        match why {
            Why::Level(level) => Self { level: level.number().into(), ..of(LOCOX_PLACED_LEVEL) },
            Why::Idle => of(LOCOX_PLACED_IDLE),
            Why::Beside { owner, shared } => {
                Self { owner: owner.0, shared, ..of(LOCOX_PLACED_BESIDE) }
            }
            Why::Spanning { shared } => Self { shared, ..of(LOCOX_PLACED_SPANNING) },
        }
    }
}

faults! {
    Refusal {
        Refusal::TooLarge { hosts } => LOCOX_TOO_LARGE.with(hosts),
        Refusal::Lost { there } => LOCOX_LOST.with(there),
        Refusal::TooFew { free } => LOCOX_TOO_FEW_FREE.with(free),
    }

    Misuse {
        Misuse::NoSuchHost(host) => LOCOX_NO_SUCH_HOST.with(host.0),
        Misuse::NoSuchJob(job) => LOCOX_NO_SUCH_JOB.with(job.0),
        Misuse::Placed(job) => LOCOX_PLACED.with(job.0),
        Misuse::NotPlaced(job) => LOCOX_NOT_PLACED.with(job.0),
        Misuse::NoHosts => LOCOX_NO_HOSTS,
        Misuse::Threshold { .. } => LOCOX_BAD_ARGUMENT,
        Misuse::Levels { .. } => LOCOX_WRONG_LEVELS,
        Misuse::Column { needs, .. } => LOCOX_TOO_SHORT.with(needs),
        Misuse::Placement => LOCOX_WRONG_TABLE,
    }
}
