//! The jobs of a planner: lists through the caller's entries.

use super::planner::{Ticket, TimedJob};
use crate::broken::Broken;
use crate::handle::{Generation, Handle, Misuse, PoolId};
use crate::reserve::{Placement, ReservationId};
use crate::time::{Duration, Instant};

/// Room for one job of a planner.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub(super) job: TimedJob,
    pub(super) state: State,
    /// When it is planned to run; of no meaning in line without a promise.
    pub(super) planned: Placement,
    /// What the profile knows it by, if it does.
    pub(super) booking: Option<ReservationId>,
    generation: Generation,
    pub(super) next: u32,
    previous: u32,
}

/// What becomes of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Unused,
    InLine,
    /// Waits for the interval that it was given when it came.
    Dated,
    Runs,
}

impl Entry {
    /// What a planner's storage is filled with; its content does not matter.
    pub const EMPTY: Self = Self {
        job: TimedJob { id: 0, pes: 0, requested: Duration::ZERO },
        state: State::Unused,
        planned: NEVER,
        booking: None,
        generation: Generation::from_raw(0),
        next: NONE,
        previous: NONE,
    };

    /// A job that waits in line without a promise.
    pub(super) const fn in_line(job: TimedJob) -> Self {
        Self { job, state: State::InLine, ..Self::EMPTY }
    }

    /// A job that waits for its interval.
    pub(super) const fn dated(job: TimedJob, planned: Placement, id: ReservationId) -> Self {
        Self { job, state: State::Dated, planned, booking: Some(id), ..Self::EMPTY }
    }
}

/// No entry.
pub(super) const NONE: u32 = u32::MAX;

/// At the end of time, which no job reaches.
pub(super) const NEVER: Placement = Placement { start: Instant::MAX, end: Instant::MAX };

/// First and last entry, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct List {
    pub(super) first: u32,
    last: u32,
    pub(super) len: u32,
}

impl List {
    const EMPTY: Self = Self { first: NONE, last: NONE, len: 0 };
}

/// Which entries are in use, and in which order jobs came.
///
/// - `line` links the jobs in line, `dated` those that wait for their interval, both ways, in the
///   order of arrival.
/// - An entry below `touched` waits, runs, or is linked from `unused`. The others are untouched.
/// - `open` counts the entries that wait or run.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    pool: PoolId,
    pub(super) line: List,
    pub(super) dated: List,
    unused: u32,
    touched: u32,
    open: u32,
}

impl Entries {
    pub(super) const fn new(pool: PoolId) -> Self {
        let (line, dated) = (List::EMPTY, List::EMPTY);
        Self { pool, line, dated, unused: NONE, touched: 0, open: 0 }
    }

    pub(super) fn is_full(&self, slots: &[Entry]) -> bool {
        self.open as usize >= slots.len()
    }

    /// The entry of a job that waits or runs.
    pub(super) fn find(&self, slots: &[Entry], ticket: Ticket) -> Result<u32, Misuse> {
        let index = ticket.0.index();
        // What was never open holds whatever the storage held.
        let known = slots.get(index as usize).filter(|_| index < self.touched);
        ticket.0.check(self.pool, known.map_or(Generation::default(), |entry| entry.generation))?;
        Ok(index)
    }

    pub(super) fn ticket(&self, index: u32, entry: &Entry) -> Ticket {
        Ticket(Handle::new(self.pool, index, entry.generation))
    }

    /// Lets a job wait, behind all others of its state. There must be room.
    pub(super) fn open(&mut self, slots: &mut [Entry], waiting: Entry) -> u32 {
        let at = if self.unused == NONE { self.touched } else { self.unused };
        let Some(slot) = slots.get_mut(at as usize) else { return NONE };
        let mut before = Generation::default();
        if at == self.unused {
            before = slot.generation;
            self.unused = slot.next;
        } else {
            self.touched = self.touched.wrapping_add(1);
        }
        *slot = Entry { generation: before.next(), ..waiting };
        self.open = self.open.wrapping_add(1);
        self.append(slots, at, waiting.state);
        at
    }

    fn list(&mut self, state: State) -> &mut List {
        if state == State::Dated { &mut self.dated } else { &mut self.line }
    }

    fn append(&mut self, slots: &mut [Entry], at: u32, state: State) {
        let list = self.list(state);
        let last = list.last;
        list.last = at;
        list.len = list.len.wrapping_add(1);
        if last == NONE {
            list.first = at;
        }
        if let Some(before) = slots.get_mut(last as usize) {
            before.next = at;
        }
        if let Some(slot) = slots.get_mut(at as usize) {
            (slot.previous, slot.next) = (last, NONE);
        }
    }

    /// Takes a waiting job out of its list.
    pub(super) fn unlink(&mut self, slots: &mut [Entry], at: u32) {
        let Some(&Entry { state, previous, next, .. }) = slots.get(at as usize) else { return };
        let list = self.list(state);
        list.len = list.len.wrapping_sub(1);
        match slots.get_mut(previous as usize) {
            Some(before) => before.next = next,
            None => list.first = next,
        }
        match slots.get_mut(next as usize) {
            Some(after) => after.previous = previous,
            None => list.last = previous,
        }
    }

    /// Gives up the entry of a job that neither waits nor runs any longer.
    pub(super) fn close(&mut self, slots: &mut [Entry], at: u32) {
        let Some(slot) = slots.get_mut(at as usize) else { return };
        *slot = Entry { generation: slot.generation.next(), next: self.unused, ..Entry::EMPTY };
        self.unused = at;
        self.open = self.open.wrapping_sub(1);
    }

    /// The entries of a list, in the order of arrival.
    pub(super) fn each<'a>(slots: &'a [Entry], list: &List) -> impl Iterator<Item = &'a Entry> {
        let entry = |at: u32| slots.get(at as usize);
        let all = core::iter::successors(entry(list.first), move |slot| entry(slot.next));
        all.take(list.len as usize)
    }

    /// The entries in use.
    pub(super) fn touched<'a>(&self, slots: &'a [Entry]) -> impl Iterator<Item = &'a Entry> {
        slots.iter().take(self.touched as usize)
    }

    pub(super) fn check(&self, slots: &[Entry]) -> Result<(), Broken> {
        for (list, state) in [(&self.line, State::InLine), (&self.dated, State::Dated)] {
            let (mut at, mut previous, mut len) = (list.first, NONE, 0u32);
            while let Some(slot) = slots.get(at as usize).filter(|_| len <= list.len) {
                if (slot.state, slot.previous) != (state, previous) {
                    return Err(Broken("a list links the jobs of one state, both ways"));
                }
                (previous, at, len) = (at, slot.next, len.wrapping_add(1));
            }
            let in_state = self.touched(slots).filter(|slot| slot.state == state).count();
            if (previous, len, in_state) != (list.last, list.len, list.len as usize) {
                return Err(Broken("the end and the length of a list, and that all are in it"));
            }
        }
        let open = |slot: &&Entry| slot.state != State::Unused && slot.generation.is_live();
        let (mut at, mut unused) = (self.unused, 0u32);
        while let Some(slot) = slots.get(at as usize).filter(|_| unused <= self.touched) {
            (at, unused) = (slot.next, unused.wrapping_add(1));
        }
        if self.touched(slots).filter(open).count() != self.open as usize
            || self.open.wrapping_add(unused) != self.touched
        {
            return Err(Broken("an entry that was used is open or unused"));
        }
        Ok(())
    }
}
