//! The jobs of a planner, in the caller's entries.

use crate::broken::{Broken, ensure};
use crate::dispatch::line::Line;
use crate::dispatch::{Job, Ticket};
use crate::handle::{Generation, Misuse, PoolId};
use crate::list::Links;
use crate::reserve::{Placement, ReservationId};
use crate::slab::Slab;
use crate::time::{Duration, Instant};

/// Room for one job of a [`Backfill`](super::Backfill).
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub(super) job: Job,
    /// When it is planned to run; of no meaning in line without a promise.
    pub(super) planned: Placement,
    /// What the profile knows it by, if it does.
    pub(super) booking: Option<ReservationId>,
    links: Links,
    generation: Generation,
    pub(super) state: State,
}

/// What becomes of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    InLine,
    /// Waits for the interval that it was given when it came.
    Reserved,
    Runs,
}

impl Entry {
    /// What a planner's storage is filled with, all zeros; its content does not matter.
    pub const EMPTY: Self = Self {
        job: Job { id: 0, pes: 0, requested: Duration::ZERO },
        planned: Placement { start: Instant::ZERO, end: Instant::ZERO },
        booking: None,
        links: Links::NONE,
        generation: Generation::from_raw(0),
        state: State::InLine,
    };

    /// The entry behind this one in its line.
    pub(super) const fn next(&self) -> Option<u32> {
        self.links.next.get()
    }
}

crate::slab::rows! { Entry }

/// Which entries are in use, and in which order jobs came.
///
/// - `in_line` holds the jobs in line, `reserved` those that wait for their interval. The job of
///   any other open entry runs.
/// - `running` sums the PEs of the running jobs. The profile may show fewer: one that should have
///   ended is not in it any more.
#[derive(Clone, Debug)]
pub(super) struct Jobs {
    slab: Slab,
    pub(super) in_line: Line,
    pub(super) reserved: Line,
    pub(super) running: u32,
}

impl Jobs {
    pub(super) const fn new(id: PoolId) -> Self {
        let (in_line, reserved) = (Line::EMPTY, Line::EMPTY);
        Self { slab: Slab::new(id), in_line, reserved, running: 0 }
    }

    /// Jobs that wait.
    pub(super) const fn waiting(&self) -> u32 {
        self.in_line.len().saturating_add(self.reserved.len())
    }

    pub(super) fn is_full(&self, entries: &[Entry]) -> bool {
        self.slab.next_row(entries).is_none()
    }

    /// The entry of a job that waits or runs.
    pub(super) fn find(&self, entries: &[Entry], ticket: Ticket) -> Result<u32, Misuse> {
        self.slab.find(entries, ticket.0)
    }

    pub(super) fn ticket(&self, entries: &[Entry], row: u32) -> Ticket {
        Ticket(self.slab.handle(entries, row))
    }

    /// An entry for a job that waits from now on: in line, or for its interval.
    pub(super) fn open(
        &mut self,
        entries: &mut [Entry],
        job: Job,
        state: State,
        planned: Placement,
        booking: Option<ReservationId>,
    ) -> Option<u32> {
        let row = self.slab.open(entries)?;
        let entry = entries.get_mut(row as usize)?;
        let Entry { links, generation, .. } = *entry;
        *entry = Entry { job, planned, booking, links, generation, state };
        self.line(state)?.push(entries, row);
        Some(row)
    }

    fn line(&mut self, state: State) -> Option<&mut Line> {
        match state {
            State::InLine => Some(&mut self.in_line),
            State::Reserved => Some(&mut self.reserved),
            State::Runs => None,
        }
    }

    /// Takes a waiting job out of its line, as it runs from now on.
    pub(super) fn start(&mut self, entries: &mut [Entry], row: u32) {
        let Some(entry) = entries.get_mut(row as usize) else { return };
        let state = core::mem::replace(&mut entry.state, State::Runs);
        self.running = self.running.saturating_add(entry.job.pes);
        debug_assert!(state != State::Runs, "a job that waits starts");
        if let Some(line) = self.line(state) {
            line.remove(entries, row);
        }
    }

    /// Gives up the entry of a job that has ended or was cancelled.
    pub(super) fn close(&mut self, entries: &mut [Entry], row: u32) {
        let Some(&Entry { job, state, .. }) = entries.get(row as usize) else { return };
        match self.line(state) {
            Some(line) => line.remove(entries, row),
            None => self.running = self.running.saturating_sub(job.pes),
        }
        self.slab.close(entries, row);
    }

    /// The entries in use.
    pub(super) fn open_entries<'a>(&self, entries: &'a [Entry]) -> impl Iterator<Item = &'a Entry> {
        self.slab.open_rows(entries).filter_map(|row| entries.get(row as usize))
    }

    pub(super) fn check(&self, entries: &[Entry]) -> Result<(), Broken> {
        self.slab.check(entries)?;
        for (line, state) in [(&self.in_line, State::InLine), (&self.reserved, State::Reserved)] {
            let belongs = |_, entry: &Entry| entry.generation.is_live() && entry.state == state;
            line.check(entries, belongs)?;
            let in_state = self.open_entries(entries).filter(|entry| entry.state == state);
            ensure(in_state.count() == line.len() as usize, "a job that waits is in its line")?;
        }
        let running = self.open_entries(entries).filter(|entry| entry.state == State::Runs);
        ensure(
            running.map(|entry| u64::from(entry.job.pes)).sum::<u64>() == u64::from(self.running),
            "the PEs of the running jobs",
        )?;
        Ok(())
    }
}
