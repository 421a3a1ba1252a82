//! The coordinator's rows, and the columns that hold them.
//!
//! Empty rows are zeros without gaps, so that a `static` of them costs no flash.

use super::Checkpoint;
use crate::coordinate::{Half, stored};
use crate::fair::{Contender, Demand};
use crate::handle::Generation;
use crate::list::{Links, List, Ref};
use crate::time::{Duration, Instant};

/// What the coordinator keeps of a station as a home of jobs. 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HomeRow {
    /// Jobs without a processor, in the order in which they are served.
    pub(super) waiting: List,
    /// Jobs that have a processor of others, in the order in which they got it.
    pub(super) placed: List,
    /// The number of jobs in `waiting`.
    pub(super) wants: u16,
    /// All jobs of the station.
    pub(super) jobs: u16,
    /// The number of its last submission, and the row and generation that this opened.
    pub(super) serial: u32,
    pub(super) last_row: u32,
    pub(super) last_generation: Generation,
}

impl HomeRow {
    /// A station without jobs.
    pub const EMPTY: Self = Self {
        waiting: List::EMPTY,
        placed: List::EMPTY,
        wants: 0,
        jobs: 0,
        serial: 0,
        last_row: 0,
        last_generation: Generation::from_raw(0),
    };
}

stored!(HomeRow { waiting, placed, serial, last_row, last_generation } wants + jobs);

/// Whether a processor may be given to jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Service {
    In,
    /// Somebody took it out.
    Drained,
    /// It failed too many runs.
    Aside,
}

/// Whether a job may be given a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum HoldReason {
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

impl Half for Service {
    const ALL: &'static [Self] = &[Self::In, Self::Drained, Self::Aside];
}

impl Half for HoldReason {
    const ALL: &'static [Self] =
        &[Self::None, Self::BackingOff, Self::Held, Self::Failed, Self::Expired, Self::Cancelled];
}

/// What is known of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Presence {
    /// Never heard of, or lost.
    Absent,
    /// Its owner is there.
    Owner,
    /// Available.
    Open,
}

/// What its host is to be told about the run that is on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Pending {
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

impl Half for Presence {
    const ALL: &'static [Self] = &[Self::Absent, Self::Owner, Self::Open];
}

impl Half for Pending {
    const ALL: &'static [Self] = &[
        Self::Nothing,
        Self::Start,
        Self::StartAgain,
        Self::Preempt,
        Self::Checkpoint,
        Self::Ask,
        Self::Aside,
    ];
}

/// What the coordinator keeps of a processor. 48 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRow {
    /// When its host was last heard, if that numbers its messages.
    pub(super) heard: Instant,
    /// Its boot, zero if it does not, and the number of its last message.
    pub(super) boot: u32,
    pub(super) number: u32,
    pub(super) presence: Presence,
    pub(super) pending: Pending,
    /// What its host was told last of the run that is there; what it has heard is not told again.
    pub(super) told: Pending,
    pub(super) service: Service,
    /// Runs of different jobs that failed there since one did not, and the last of those jobs: its
    /// row, and the generation in that, as rows are used again.
    pub(super) faults: u32,
    pub(super) failed: Ref,
    pub(super) failed_generation: Generation,
    /// The job that is there.
    pub(super) occupant: Ref,
    /// The job that is to be there.
    pub(super) holder: Ref,
    /// In the list of the free ones, or in that of those whose host is to be told something.
    pub(super) links: Links,
}

impl NodeRow {
    /// A processor that nobody has heard of.
    pub const EMPTY: Self = Self {
        heard: Instant::ZERO,
        boot: 0,
        number: 0,
        presence: Presence::Absent,
        pending: Pending::Nothing,
        told: Pending::Nothing,
        service: Service::In,
        faults: 0,
        failed: Ref::NONE,
        failed_generation: Generation::from_raw(0),
        occupant: Ref::NONE,
        holder: Ref::NONE,
        links: Links::NONE,
    };

    /// Whether anybody may have it at once.
    pub(super) fn is_free(&self) -> bool {
        self.may_be_held() && self.occupant == Ref::NONE && self.holder == Ref::NONE
    }

    /// No run has failed there since one did not.
    pub(super) fn forgive(&mut self) {
        (self.faults, self.failed) = (0, Ref::NONE);
        self.failed_generation = Generation::default();
    }

    pub(super) fn may_be_held(&self) -> bool {
        self.presence == Presence::Open && self.service == Service::In
    }
}

stored!(NodeRow {
    heard,
    boot,
    number,
    faults,
    failed,
    failed_generation,
    occupant,
    holder,
    links,
}
    presence + pending, told + service);

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

/// What the coordinator keeps of a job. 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub(super) generation: Generation,
    pub(super) attempt: u32,
    pub(super) home: u32,
    /// The processor on which it is.
    pub(super) on: Ref,
    /// The processor that it is to be on.
    pub(super) at: Ref,
    pub(super) checkpoint: LastCheckpoint,
    pub(super) hold_reason: HoldReason,
    /// Runs that failed since one did not.
    pub(super) failures: u16,
    /// When its run began; of one that backs off, until when.
    pub(super) since: Instant,
    /// How long all its runs may take; zero for ever.
    pub(super) limit: Duration,
    /// How long those took that are over.
    pub(super) spent: Duration,
    /// In one of its home's lists, or in that of the rows that are not in use.
    pub(super) links: Links,
}

impl JobRow {
    /// A row that is not in use.
    pub const EMPTY: Self = Self {
        generation: Generation::from_raw(0),
        attempt: 0,
        home: 0,
        on: Ref::NONE,
        at: Ref::NONE,
        checkpoint: LastCheckpoint::NONE,
        hold_reason: HoldReason::None,
        failures: 0,
        since: Instant::ZERO,
        limit: Duration::ZERO,
        spent: Duration::ZERO,
        links: Links::NONE,
    };
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

crate::slab::rows! { JobRow }

crate::list::linked! { NodeRow }

stored!(JobRow { generation, attempt, home, on, at, checkpoint, since, limit, spent, links }
    hold_reason + failures);

/// Where a coordinator keeps its rows. [`Columns`] is one for any kind of slices.
pub trait Storage {
    /// The columns; the same ones at each call.
    fn slices(&mut self) -> Slices<'_>;
    /// The same columns.
    fn view(&self) -> View<'_>;
}

impl<T: Storage + ?Sized> Storage for &mut T {
    fn slices(&mut self) -> Slices<'_> {
        (**self).slices()
    }

    fn view(&self) -> View<'_> {
        (**self).view()
    }
}

/// Columns in storage of the caller's choice: arrays in a `static`, boxed slices, borrowed ones.
///
/// The bank has as many processors as `nodes` has more rows than `demand`.
#[derive(Clone, Copy, Debug)]
pub struct Columns<D, H, N, J, C> {
    /// One row a station.
    pub demand: D,
    /// One row a station.
    pub homes: H,
    /// One row a processor: first those of the stations, then those of the bank.
    pub nodes: N,
    /// One row for each job that is not finished.
    pub jobs: J,
    /// Room for a round of allocation: four at least, and fast with two for each decision.
    pub scratch: C,
}

/// Columns borrowed to be changed.
pub type Slices<'a> = Columns<
    &'a mut [Demand],
    &'a mut [HomeRow],
    &'a mut [NodeRow],
    &'a mut [JobRow],
    &'a mut [Contender],
>;

/// Columns borrowed to be read.
pub type View<'a> =
    Columns<&'a [Demand], &'a [HomeRow], &'a [NodeRow], &'a [JobRow], &'a [Contender]>;

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

impl<D, H, N, J, C> Storage for Columns<D, H, N, J, C>
where
    D: AsRef<[Demand]> + AsMut<[Demand]>,
    H: AsRef<[HomeRow]> + AsMut<[HomeRow]>,
    N: AsRef<[NodeRow]> + AsMut<[NodeRow]>,
    J: AsRef<[JobRow]> + AsMut<[JobRow]>,
    C: AsRef<[Contender]> + AsMut<[Contender]>,
{
    fn slices(&mut self) -> Slices<'_> {
        Columns {
            demand: self.demand.as_mut(),
            homes: self.homes.as_mut(),
            nodes: self.nodes.as_mut(),
            jobs: self.jobs.as_mut(),
            scratch: self.scratch.as_mut(),
        }
    }

    fn view(&self) -> View<'_> {
        Columns {
            demand: self.demand.as_ref(),
            homes: self.homes.as_ref(),
            nodes: self.nodes.as_ref(),
            jobs: self.jobs.as_ref(),
            scratch: self.scratch.as_ref(),
        }
    }
}
