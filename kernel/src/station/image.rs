//! A coordinator as a string of 32-bit words, and back.

use super::coordinator::{check_columns, check_config};
use super::storage::{HomeRow, JobRow, NodeRow, Pending, Presence, Slices, Storage};
use super::tables::Core;
use super::{Checkpoint, Config, ConfigError, Coordinator};
use crate::fair::{Demand, Fairness};
use crate::handle::Generation;
use crate::list::{Links, List, Ref};
use crate::time::Instant;
use core::fmt;

/// First word of every image: the letters `LXC` and the version of the format.
const MAGIC: u32 = u32::from_le_bytes(*b"LXC\x01");

/// Why no coordinator can be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RestoreError {
    /// The configuration, the ranking or the columns do not fit.
    Config(ConfigError),
    /// The words are not an image, or of another version.
    NoImage,
    /// The image is of other numbers of stations or processors, or of more jobs, than the columns
    /// have rows.
    OtherSize,
    /// The words end too early.
    TooShort,
    /// The words contradict each other.
    Corrupt(&'static str),
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::NoImage => f.write_str("image: the words are none, or of another version"),
            Self::OtherSize => f.write_str("image: it is of another number of stations or nodes"),
            Self::TooShort => f.write_str("image: the words end too early"),
            Self::Corrupt(what) => write!(f, "image: {what}"),
        }
    }
}

impl core::error::Error for RestoreError {}

impl<F: Fairness, S: Storage> Coordinator<F, S> {
    /// Passes the state to `put`, word by word: 20 words, 9 for each station, 5 for each
    /// processor and 9 for each row that a job ever used. The same on every target.
    ///
    /// Neither the configuration nor the ranking is part of it.
    pub fn export(&self, mut put: impl FnMut(u32)) {
        let view = self.storage.view();
        let head = [MAGIC, view.homes.len() as u32, view.nodes.len() as u32];
        let used = view.jobs.iter().take(self.core.fresh_jobs as usize);
        head.into_iter()
            .chain(core_words(&self.core))
            .chain(view.homes.iter().zip(view.demand).flat_map(home_words))
            .chain(view.nodes.iter().flat_map(node_words))
            .chain(used.flat_map(job_words))
            .for_each(&mut put);
    }

    /// Goes on from an exported state, with the same configuration and with a ranking that goes on
    /// from its own. Every host is told again what it should be doing.
    ///
    /// # Errors
    ///
    /// A [`RestoreError`]. The columns hold nothing of use then.
    pub fn restore(
        config: Config,
        fair: F,
        storage: S,
        words: impl IntoIterator<Item = u32>,
    ) -> Result<Self, RestoreError> {
        check_config(&config).map_err(RestoreError::Config)?;
        check_columns(storage.view()).map_err(RestoreError::Config)?;
        let stations = storage.view().demand.len();
        fair.check(stations).map_err(|error| RestoreError::Config(ConfigError::Fairness(error)))?;
        let mut restored = Self { config, core: Core::new(Instant::ZERO), fair, storage };
        let rows = restored.storage.slices();
        read_all(&mut Words(words.into_iter()), rows, &mut restored.core)?;
        restored.check_invariants().map_err(RestoreError::Corrupt)?;
        restored.tables().tell_all_again();
        Ok(restored)
    }
}

struct Words<I>(I);

impl<I: Iterator<Item = u32>> Words<I> {
    fn take<const N: usize>(&mut self) -> Result<[u32; N], RestoreError> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.0.next().ok_or(RestoreError::TooShort)?;
        }
        Ok(words)
    }
}

fn read_all(
    words: &mut Words<impl Iterator<Item = u32>>,
    rows: Slices<'_>,
    core: &mut Core,
) -> Result<(), RestoreError> {
    let [magic, stations, nodes] = words.take()?;
    if magic != MAGIC {
        return Err(RestoreError::NoImage);
    }
    if stations as usize != rows.homes.len() || nodes as usize != rows.nodes.len() {
        return Err(RestoreError::OtherSize);
    }
    *core = core_of(words.take()?);
    for (row, demand) in rows.homes.iter_mut().zip(rows.demand) {
        (*row, *demand) = home_of(words.take()?);
    }
    for row in rows.nodes {
        *row = node_of(words.take()?).ok_or(RestoreError::Corrupt("a processor's state"))?;
    }
    let used = core.fresh_jobs as usize;
    let (used, fresh) = rows.jobs.split_at_mut_checked(used).ok_or(RestoreError::OtherSize)?;
    for row in used {
        *row = job_of(words.take()?);
    }
    fresh.fill(JobRow::EMPTY);
    Ok(())
}

fn core_words(core: &Core) -> [u32; 17] {
    let [now, interval, poll, checkpoint] =
        [core.now, core.next_interval, core.next_poll, core.next_checkpoint].map(halves);
    let [free, pending, vacant] = [core.free, core.pending, core.vacant].map(ends);
    [
        now[0],
        now[1],
        interval[0],
        interval[1],
        poll[0],
        poll[1],
        checkpoint[0],
        checkpoint[1],
        core.poll_due.into(),
        free[0],
        free[1],
        core.free_count,
        pending[0],
        pending[1],
        vacant[0],
        vacant[1],
        core.fresh_jobs,
    ]
}

fn core_of(words: [u32; 17]) -> Core {
    let [n0, n1, i0, i1, p0, p1, c0, c1, poll_due, f0, f1, free_count, t0, t1, v0, v1, fresh_jobs] =
        words;
    Core {
        now: instant(n0, n1),
        next_interval: instant(i0, i1),
        next_poll: instant(p0, p1),
        next_checkpoint: instant(c0, c1),
        poll_due: poll_due != 0,
        free: list(f0, f1),
        free_count,
        pending: list(t0, t1),
        fresh_jobs,
        vacant: list(v0, v1),
    }
}

fn home_words((row, demand): (&HomeRow, &Demand)) -> [u32; 9] {
    let ([w0, w1], [p0, p1]) = (ends(row.waiting), ends(row.placed));
    let (last, generation) = row.last;
    let (counts, demand) = (pair(row.wants, row.jobs), pair(demand.wants, demand.holds));
    [w0, w1, p0, p1, counts, demand, row.serial, last, generation.raw()]
}

fn home_of(words: [u32; 9]) -> (HomeRow, Demand) {
    let [w0, w1, p0, p1, counts, demand, serial, last, generation] = words;
    let (wants, jobs) = unpair(counts);
    let (waiting, placed) = (list(w0, w1), list(p0, p1));
    let last = (last, Generation::from_raw(generation));
    let (demanded, holds) = unpair(demand);
    let row = HomeRow { waiting, placed, wants, jobs, serial, last };
    (row, Demand { wants: demanded, holds })
}

fn node_words(row: &NodeRow) -> [u32; 5] {
    let state = pair(row.presence as u16, row.pending as u16);
    [state, row.occupant.raw(), row.holder.raw(), row.links.prev.raw(), row.links.next.raw()]
}

fn node_of([state, occupant, holder, prev, next]: [u32; 5]) -> Option<NodeRow> {
    const PRESENCES: [Presence; 3] = [Presence::Absent, Presence::Owner, Presence::Open];
    const PENDINGS: [Pending; 5] = [
        Pending::Nothing,
        Pending::Start,
        Pending::StartAgain,
        Pending::Preempt,
        Pending::Checkpoint,
    ];
    let (presence, pending) = unpair(state);
    Some(NodeRow {
        presence: *PRESENCES.get(usize::from(presence))?,
        pending: *PENDINGS.get(usize::from(pending))?,
        occupant: Ref::from_raw(occupant),
        holder: Ref::from_raw(holder),
        links: Links { prev: Ref::from_raw(prev), next: Ref::from_raw(next) },
    })
}

fn job_words(row: &JobRow) -> [u32; 9] {
    let (saved, checkpoint) = row.checkpoint.map_or((0, 0), |Checkpoint(number)| (1, number));
    [
        row.generation.raw(),
        row.attempt,
        row.home,
        row.on.raw(),
        row.at.raw(),
        saved,
        checkpoint,
        row.links.prev.raw(),
        row.links.next.raw(),
    ]
}

fn job_of(words: [u32; 9]) -> JobRow {
    let [generation, attempt, home, on, at, saved, checkpoint, prev, next] = words;
    JobRow {
        generation: Generation::from_raw(generation),
        attempt,
        home,
        on: Ref::from_raw(on),
        at: Ref::from_raw(at),
        checkpoint: (saved != 0).then_some(Checkpoint(checkpoint)),
        links: Links { prev: Ref::from_raw(prev), next: Ref::from_raw(next) },
    }
}

fn halves(instant: Instant) -> [u32; 2] {
    [instant.ticks() as u32, (instant.ticks() >> 32) as u32]
}

fn instant(low: u32, high: u32) -> Instant {
    Instant::from_ticks(u64::from(high) << 32 | u64::from(low))
}

fn ends(list: List) -> [u32; 2] {
    [list.head.raw(), list.tail.raw()]
}

fn list(head: u32, tail: u32) -> List {
    List { head: Ref::from_raw(head), tail: Ref::from_raw(tail) }
}

fn pair(low: u16, high: u16) -> u32 {
    u32::from(high) << 16 | u32::from(low)
}

fn unpair(both: u32) -> (u16, u16) {
    (both as u16, (both >> 16) as u16)
}
