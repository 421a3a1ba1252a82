//! The coordinator's rows, and the columns that hold them.
//!
//! Empty rows are zeros without gaps, so that a `static` of them costs no flash.

use super::Checkpoint;
use locox::fair::{Contender, Demand};
use locox::ground::{Links, List, Ref, half, row, storage, stored};
use locox::handle::Generation;
use locox::time::{Duration, Instant};

row! {
    /// What the coordinator keeps of a station as a home of jobs. 32 bytes.
    pub struct HomeRow {
        /// Jobs without a processor, in the order in which they are served.
        waiting: List = List::EMPTY,
        /// Jobs that have a processor of others, in the order in which they got it.
        placed: List = List::EMPTY,
        /// The number of its last submission, and the row and generation that this opened.
        serial: u32 = 0,
        last_row: u32 = 0,
        last_generation: Generation = Generation::from_raw(0),
    } halves {
        /// The number of jobs in `waiting`.
        wants: u16 = 0,
        /// All jobs of the station.
        jobs: u16 = 0,
    }
}

half! {
    /// Whether a processor may be given to jobs.
    #[repr(u8)]
    enum Service {
        In,
        /// Somebody took it out.
        Drained,
        /// It failed too many runs.
        Aside,
    }
}

half! {
    /// Whether a job may be given a processor.
    #[repr(u16)]
    enum HoldReason {
        /// It may.
        None,
        /// Not before `since`: its last run failed.
        BackingOff,
        /// Somebody holds it.
        Held,
        /// Too many of its runs failed.
        Failed,
        /// It ran for too long.
        Expired,
        /// It ends as soon as it is on no processor.
        Cancelled,
    }
}

half! {
    /// What is known of a processor.
    #[repr(u8)]
    enum Presence {
        /// Never heard of, or lost.
        Absent,
        /// Its owner is there.
        Owner,
        /// Available.
        Open,
    }
}

half! {
    /// What its host is to be told about the run that is on it.
    #[repr(u8)]
    enum Pending {
        Nothing,
        /// To start it; the host knows nothing of it yet.
        Start,
        /// To start it, once more: the host may have it already.
        StartAgain,
        Preempt,
        Checkpoint,
        /// To say what became of it.
        Ask,
        /// Nothing of a run: that the processor is set aside.
        Aside,
    }
}

row! {
    /// What the coordinator keeps of a processor. 48 bytes.
    pub struct NodeRow {
        /// When its host was last heard, if that numbers its messages.
        heard: Instant = Instant::ZERO,
        /// Its boot, zero if it does not, and the number of its last message: zero if it was taken for
        /// lost, and this is the boot that it has to take.
        boot: u32 = 0,
        number: u32 = 0,
        /// Runs of different jobs that failed there since one did not, and the last of those jobs: its
        /// row, and the generation in that, as rows are used again.
        faults: u32 = 0,
        failed: Ref = Ref::NONE,
        failed_generation: Generation = Generation::from_raw(0),
        /// The job that is there.
        occupant: Ref = Ref::NONE,
        /// The job that is to be there.
        holder: Ref = Ref::NONE,
        /// In the list of the free ones, or in that of those whose host is to be told something.
        links: Links = Links::NONE,
    } halves {
        presence: Presence = Presence::Absent,
        pending: Pending = Pending::Nothing,
        /// What its host was told last of the run that is there; what it has heard is not told again.
        told: Pending = Pending::Nothing,
        service: Service = Service::In,
    }
}

impl NodeRow {
    /// Whether anybody may have it at once.
    pub(super) fn is_free(&self) -> bool {
        self.may_be_held() && self.occupant == Ref::NONE && self.holder == Ref::NONE
    }

    /// No run has failed there since one did not.
    pub(super) fn forgive(&mut self) {
        (self.faults, self.failed) = (0, Ref::NONE);
        self.failed_generation = Generation::default();
    }

    /// The first boot that its host may take after the one that was heard last.
    pub(super) const fn next_boot(&self) -> u32 {
        if self.number == 0 { self.boot } else { self.boot.saturating_add(1) }
    }

    /// Its host was taken for lost. If that numbers its messages, those of its boot are over; else both
    /// stay zero.
    pub(super) fn end_boot(&mut self) {
        (self.boot, self.number) = (self.next_boot(), 0);
    }

    pub(super) fn may_be_held(&self) -> bool {
        self.presence == Presence::Open && self.service == Service::In
    }
}

/// The last checkpoint of a job, if there was one. None is zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LastCheckpoint {
    taken: u32,
    name: u32,
}

impl LastCheckpoint {
    pub(super) const NONE: Self = Self { taken: 0, name: 0 };

    pub(super) const fn of(checkpoint: Checkpoint) -> Self {
        Self { taken: 1, name: checkpoint.0 }
    }

    pub(super) const fn get(self) -> Option<Checkpoint> {
        if self.taken == 0 { None } else { Some(Checkpoint(self.name)) }
    }
}

stored!(LastCheckpoint { taken, name });

row! {
    /// What the coordinator keeps of a job. 64 bytes.
    pub struct JobRow {
        generation: Generation = Generation::from_raw(0),
        attempt: u32 = 0,
        home: u32 = 0,
        /// The processor on which it is.
        on: Ref = Ref::NONE,
        /// The processor that it is to be on.
        at: Ref = Ref::NONE,
        checkpoint: LastCheckpoint = LastCheckpoint::NONE,
        /// When its run began; of one that backs off, until when.
        since: Instant = Instant::ZERO,
        /// How long all its runs may take; zero for ever.
        limit: Duration = Duration::ZERO,
        /// How long those took that are over.
        spent: Duration = Duration::ZERO,
        /// In one of its home's lists, or in that of the rows that are not in use.
        links: Links = Links::NONE,
    } halves {
        hold_reason: HoldReason = HoldReason::None,
        /// Runs that failed since one did not.
        failures: u16 = 0,
    }
}

impl JobRow {
    /// How long all runs of the job took, that of now included.
    pub(super) fn time_taken(&self, now: Instant) -> Duration {
        let running = if self.on == Ref::NONE { None } else { now.since(self.since) };
        let running = running.map_or(0, Duration::ticks);
        Duration::from_ticks(self.spent.ticks().saturating_add(running))
    }

    pub(super) fn has_expired(&self, now: Instant) -> bool {
        self.limit != Duration::ZERO && self.time_taken(now) >= self.limit
    }
}

locox::ground::rows! { JobRow }

locox::ground::linked! { NodeRow }

storage! {
    /// Columns in storage of the caller's choice: arrays in a `static`, boxed slices, borrowed ones.
    ///
    /// The bank has as many processors as `nodes` has more rows than `demand`.
    pub struct Columns;

    /// One row a station.
    demand: D of Demand,
    /// One row a station.
    homes: H of HomeRow,
    /// One row a processor: first those of the stations, then those of the bank.
    nodes: N of NodeRow,
    /// One row for each job that is not finished.
    jobs: J of JobRow,
    /// Room for a round of allocation: four at least, and fast with two for each decision.
    scratch: C of Contender,
}

/// Columns in arrays: stations, processors, jobs, room for contenders.
pub type Arrays<const S: usize, const N: usize, const J: usize, const C: usize> =
    Columns<[Demand; S], [HomeRow; S], [NodeRow; N], [JobRow; J], [Contender; C]>;

impl<const S: usize, const N: usize, const J: usize, const C: usize> Arrays<S, N, J, C> {
    /// Fresh columns: all zeros, so that a `static` of them lies in `.bss`.
    pub const EMPTY: Self = Self {
        demand: [Demand::NONE; S],
        homes: [HomeRow::EMPTY; S],
        nodes: [NodeRow::EMPTY; N],
        jobs: [JobRow::EMPTY; J],
        scratch: [Contender::EMPTY; C],
    };
}
