//! Hosts that several parallel jobs share in time: the table of levels by hosts.

use crate::placing::{locox_placing, placing_of};
use crate::prelude::*;
use locox::timeshare::*;

told! {
    Why => locox_shared_why.kind {
        /// Why a job was placed so: no more urgent level than `level` is free on so many hosts.
        LOCOX_PLACED_LEVEL = 0: Why::Level(level) => { level };
        /// See `LOCOX_PLACED_LEVEL`: these hosts have no other job.
        LOCOX_PLACED_IDLE = 1: Why::Idle => {};
        /// See `LOCOX_PLACED_LEVEL`: `shared` of its hosts have this `owner`, the others no job.
        LOCOX_PLACED_BESIDE = 2: Why::Beside { owner, shared } => { owner, shared };
        /// See `LOCOX_PLACED_LEVEL`: `shared` of its hosts have owners, more than one.
        LOCOX_PLACED_SPANNING = 3: Why::Spanning { shared } => { shared };
    }
}

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
        pub owner: u32 = crate::LOCOX_NOBODY,
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

callbacks! {
    /// Called for each place that a call has to name.
    pub type locox_shared_place_fn(place: *const locox_shared_place);
    /// Called for each host whose jobs or levels changed.
    pub type locox_host_fn(host: u32);
}

type Rows = Columns<
    &'static mut [Entry],
    &'static mut [HostRow],
    &'static mut [JobRow],
    &'static mut [Word],
>;

type Body = Table<Rows>;

ids!(u32: HostId, UserId, JobNumber);
values! {
    Option<HostId> as u32: |it| it.map_or(crate::LOCOX_NOBODY, |host| host.0);
    Level as u32: |it| it.number().into(), else u8::try_from(it).ok().and_then(Level::new).ok_or(LOCOX_WRONG_LEVELS)?;
    Load as u32: |it| it.thousandths().into(), else Load::from_thousandths(FromC::from_c(it)?);
    Speed as u32: |it| it.0.into(), else Speed(FromC::from_c(it)?);
    (HostId, Level, JobNumber, UserId) as locox_shared_place: |it| locox_shared_place {
        host: it.0.0, level: it.1.into_c(), job: it.2.0, user: it.3.0
    };
}
mirrors! { locox_shared_request = Request { user, hosts, synchronising } }

plain! {
    /// Words of storage for a table of so many hosts and levels; zero for levels out of range (1 to 8).
    /// `LOCOX_TIMESHARE_WORDS` is the same as a constant.
    fn locox_timeshare_words(hosts: usize, levels: u32) -> usize {
        levels_of(levels).map_or(0, |levels| words(hosts, levels))
    }
}

methods! { table: locox_timeshare |it| it =>
    /// Starts a table of so many levels (1 to 8), in which no host is there.
    start fn locox_timeshare_start(levels: u32, rows: *const locox_timeshare_rows) -> (; detail) {
        let (rows, levels) = (input(rows)?, levels_of(levels)?);
        let entries = rows.host_count.saturating_mul(levels.into());
        let words = words(rows.host_count, levels);
        let columns = columns! { Columns:
            hosts: storage(rows.hosts, rows.host_count, 0)? => HostRow::EMPTY,
            entries: storage(rows.entries, rows.entry_count, entries)?.first(entries) => Entry::EMPTY,
            jobs: storage(rows.jobs, rows.job_count, 0)? => JobRow::EMPTY,
            words: words_in(rows.words, rows.word_count, words)? => 0,
        };
        Table::new(levels, columns())?
    }

    /// A host says that it is there, how busy it is (`load` in thousandths, up to 65,535) and how fast
    /// (`LOCOX_SPEED_NOMINAL`; up to 255). `is_new`, which may be null, is 1 if it was not there before.
    act fn locox_timeshare_report(now: u64, host: u32, load: u32, speed: u32) -> (| is_new: u32; detail) {
        it.report(at(now), HostId(host), FromC::from_c(load)?, FromC::from_c(speed)?)?
    }

    /// Gives the job of a row its hosts: see `locox_timeshare_places`. Refused as `LOCOX_TOO_LARGE`,
    /// `LOCOX_LOST` or `LOCOX_TOO_FEW_FREE`. `draw` is for placements by lot. `why` may be null.
    act fn locox_timeshare_place(
        now: u64, placing: *const locox_placing, job: u32, request: *const locox_shared_request, draw: u32
    ) -> (| why: locox_shared_why; detail) {
        it.place(at(now), &placing_of(&placing)?, JobNumber(job), FromC::from_c(request)?, draw)?
    }

    /// Whether `locox_timeshare_place` would give a job its hosts; refused as there.
    look fn locox_timeshare_would_place(
        now: u64, placing: *const locox_placing, request: *const locox_shared_request, draw: u32
    ) -> (| why: locox_shared_why; detail) {
        it.would_place(at(now), &placing_of(&placing)?, FromC::from_c(request)?, draw)?
    }

    /// The job has ended: later ones move up on its hosts. `changed`, which may be null, is called for
    /// each of these.
    /// While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_timeshare_remove(now: u64, job: u32, changed: locox_host_fn, user: *mut c_void) -> (; detail) {
        it.remove(at(now), JobNumber(job), &mut |host| tell_number(changed, host.0, user))?
    }

    /// The job is to be killed. It keeps its hosts until it is removed. `changed`, which may be null, is
    /// called for each of these.
    /// While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_timeshare_terminate(job: u32, changed: locox_host_fn, user: *mut c_void) -> (; detail) {
        it.terminate(JobNumber(job), &mut |host| tell_number(changed, host.0, user))?
    }

    /// A host is gone: what it had is to be killed elsewhere. `changed`, which may be null, is called
    /// for each other host that this concerns.
    /// While `changed` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_timeshare_lose(host: u32, changed: locox_host_fn, user: *mut c_void) -> (; detail) {
        it.lose(HostId(host), &mut |host| tell_number(changed, host.0, user))?
    }

    /// Calls `visit` for each job of a host, the most urgent first.
    /// While `visit` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_timeshare_column(host: u32, visit: locox_shared_place_fn, user: *mut c_void) {
        let host = HostId(host);
        it.column(host).for_each(|(level, job, whose)| tell(visit, (host, level, job, whose), user))
    }

    /// Calls `visit` for each host of a job, by rising number.
    /// While `visit` runs, every call on this table, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_timeshare_places(job: u32, visit: locox_shared_place_fn, user: *mut c_void) -> (; detail) {
        let job = JobNumber(job);
        let whose = it.request(job)?.user;
        it.places(job).for_each(|(host, level)| tell(visit, (host, level, job, whose), user))
    }

    /// What is known of a job that has hosts. `lead`, the host of its first process (`LOCOX_NOBODY` if
    /// that is lost), and `terminating`, 1 if it is to be killed, may be null.
    look fn locox_timeshare_job(job: u32) -> (request: locox_shared_request | lead: u32, terminating: u32; detail) {
        let job = JobNumber(job);
        (it.request(job)?, it.lead(job)?, it.is_terminating(job)?)
    }

    /// How many hosts are there.
    look fn locox_timeshare_there() -> (there: u32) { it.there() }

    /// When a host reported last; `LOCOX_NONE` of one that is not there.
    look fn locox_timeshare_read_at(host: u32) -> (time: u64) { it.read_at(HostId(host)).ok_or(LOCOX_NONE)? }

    /// Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
    /// be seen.
    look fn locox_timeshare_check() { it.check_invariants()? }
}

pub(crate) fn levels_of(levels: u32) -> Answer<u8> {
    let known = u8::try_from(levels).ok().filter(|levels| (1..=Level::COUNT).contains(levels));
    known.ok_or(LOCOX_WRONG_LEVELS.into())
}

faults! {
    Refusal {
        TooLarge { hosts } => LOCOX_TOO_LARGE.with(hosts), Lost { there } => LOCOX_LOST.with(there),
        TooFew { free } => LOCOX_TOO_FEW_FREE.with(free),
    }
    Misuse {
        NoSuchHost(host) => LOCOX_NO_SUCH_HOST.with(host.0), NoSuchJob(job) => LOCOX_NO_SUCH_JOB.with(job.0),
        Placed(job) => LOCOX_PLACED.with(job.0), NotPlaced(job) => LOCOX_NOT_PLACED.with(job.0),
        NoHosts => LOCOX_NO_HOSTS, Threshold { .. } => LOCOX_BAD_ARGUMENT, Levels { .. } => LOCOX_WRONG_LEVELS,
        StorageTooSmall { needs, .. } => LOCOX_TOO_SHORT.with(needs), Placement => LOCOX_WRONG_TABLE,
    }
}
