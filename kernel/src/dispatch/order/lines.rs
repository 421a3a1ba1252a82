//! Lines of waiting jobs: lists that share the caller's slots.

use crate::broken::{Broken, ensure};
use crate::dispatch::line::Line;
use crate::dispatch::{Job, Misuse, Refusal, SizeClass, Ticket};
use crate::handle::{self, Generation, PoolId};
use crate::list::Links;
use crate::slab::Slab;
use crate::time::Duration;

/// Room for one job of an [`Ordered`](super::Ordered) queue.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    job: Job,
    /// Jobs that came before it.
    number: u64,
    /// Neighbours in line; none of a job that runs.
    links: Links,
    generation: Generation,
    runs: bool,
}

impl Slot {
    /// What a queue's storage is filled with, all zeros; its content does not matter.
    pub const EMPTY: Self = Self {
        job: Job { id: 0, pes: 0, requested: Duration::ZERO },
        number: 0,
        links: Links::NONE,
        generation: Generation::from_raw(0),
        runs: false,
    };
}

crate::slab::rows! { Slot }

/// First come, first in line.
///
/// - The numbers of the jobs of a line rise.
/// - The job of an open slot runs, or is in one line.
/// - `waiting` counts the jobs in all lines; `arrivals` the jobs ever queued.
/// - Bit k of `occupied` is set if a job is in line k.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    slab: Slab,
    lines: [Line; SizeClass::COUNT],
    waiting: u32,
    arrivals: u64,
    occupied: u32,
}

impl Lines {
    pub(super) const fn new(id: PoolId) -> Self {
        let lines = [Line::EMPTY; SizeClass::COUNT];
        Self { slab: Slab::new(id), lines, waiting: 0, arrivals: 0, occupied: 0 }
    }

    pub(super) const fn waiting(&self) -> u32 {
        self.waiting
    }

    fn line(&self, line: SizeClass) -> &Line {
        self.lines.get(usize::from(line.get())).unwrap_or(&Line::EMPTY)
    }

    /// Jobs in a line.
    pub(super) fn len(&self, line: SizeClass) -> u32 {
        self.line(line).len()
    }

    /// The number of the first job of a line.
    pub(super) fn number(&self, slots: &[Slot], line: SizeClass) -> Option<u64> {
        let first = self.line(line).first()?;
        slots.get(first as usize).map(|slot| slot.number)
    }

    /// The lines in which jobs are.
    fn occupied(&self) -> impl Iterator<Item = SizeClass> + use<> {
        let mut left = self.occupied;
        core::iter::from_fn(move || {
            let line = SizeClass::lowest_of(left)?;
            left &= left.wrapping_sub(1);
            Some(line)
        })
    }

    /// The line of the oldest job, and how many younger ones have left since it came.
    pub(super) fn oldest(&self, slots: &[Slot]) -> Option<(SizeClass, u64)> {
        let heads = self.occupied().filter_map(|line| Some((self.number(slots, line)?, line)));
        let (number, line) = heads.min_by_key(|&(number, _)| number)?;
        // All jobs before the oldest one have left, and `number` counts them.
        let left = self.arrivals.wrapping_sub(u64::from(self.waiting));
        Some((line, left.wrapping_sub(number)))
    }

    /// The slot of a job that waits or runs.
    pub(super) fn find(&self, slots: &[Slot], ticket: Ticket) -> Result<u32, handle::Misuse> {
        self.slab.find(slots, ticket.0)
    }

    /// Adds a job to a line.
    pub(super) fn push(
        &mut self,
        slots: &mut [Slot],
        line: SizeClass,
        job: Job,
    ) -> Result<Ticket, Refusal> {
        let row = self.slab.open(slots).ok_or(Refusal::Full)?;
        if let Some(slot) = slots.get_mut(row as usize) {
            let Slot { generation, .. } = *slot;
            *slot = Slot { job, number: self.arrivals, generation, ..Slot::EMPTY };
        }
        self.occupied |= line.bit();
        if let Some(line) = self.lines.get_mut(usize::from(line.get())) {
            line.push(slots, row);
        }
        self.arrivals = self.arrivals.wrapping_add(1);
        self.waiting = self.waiting.wrapping_add(1);
        Ok(Ticket(self.slab.handle(slots, row)))
    }

    /// Offers the `width` oldest jobs of a line in turn; the one that is taken leaves the line and
    /// runs.
    pub(super) fn offer(
        &mut self,
        slots: &mut [Slot],
        line: SizeClass,
        width: u32,
        start: &mut dyn FnMut(Job) -> bool,
    ) -> Option<(Ticket, Job)> {
        let mut at = self.line(line).first();
        for _ in 0..width {
            let row = at?;
            let Slot { job, links, .. } = *slots.get(row as usize)?;
            if start(job) {
                self.leave(slots, line, row);
                slots.get_mut(row as usize)?.runs = true;
                return Some((Ticket(self.slab.handle(slots, row)), job));
            }
            at = links.next.get();
        }
        None
    }

    /// Closes the slot of a job that runs.
    pub(super) fn finish(&mut self, slots: &mut [Slot], ticket: Ticket) -> Result<Job, Misuse> {
        let (row, job, runs) = self.job(slots, ticket)?;
        if !runs {
            return Err(Misuse::Waits);
        }
        self.slab.close(slots, row);
        Ok(job)
    }

    /// Closes the slot of a job that waits in the line that `line` says.
    pub(super) fn cancel(
        &mut self,
        slots: &mut [Slot],
        ticket: Ticket,
        line: impl Fn(&Job) -> SizeClass,
    ) -> Result<Job, Misuse> {
        let (row, job, runs) = self.job(slots, ticket)?;
        if runs {
            return Err(Misuse::Runs);
        }
        self.leave(slots, line(&job), row);
        self.slab.close(slots, row);
        Ok(job)
    }

    /// The slot of a job, the job, and whether it runs.
    fn job(&self, slots: &[Slot], ticket: Ticket) -> Result<(u32, Job, bool), Misuse> {
        let row = self.find(slots, ticket)?;
        let slot = slots.get(row as usize).ok_or(handle::Misuse::Stale)?;
        Ok((row, slot.job, slot.runs))
    }

    /// Takes a job out of its line.
    fn leave(&mut self, slots: &mut [Slot], line: SizeClass, row: u32) {
        let bit = line.bit();
        let Some(line) = self.lines.get_mut(usize::from(line.get())) else { return };
        debug_assert!(!line.is_empty(), "a job that waits is in its line");
        line.remove(slots, row);
        if line.is_empty() {
            self.occupied &= !bit;
        }
        self.waiting = self.waiting.wrapping_sub(1);
    }

    pub(super) fn check(&self, slots: &[Slot]) -> Result<(), Broken> {
        self.slab.check(slots)?;
        let waits = |_, slot: &Slot| slot.generation.is_live() && !slot.runs;
        let (mut waiting, mut occupied) = (0u32, 0);
        for (class, line) in SizeClass::all().zip(&self.lines) {
            line.check(slots, waits)?;
            let numbers = line.iter(slots).map(|(_, slot)| slot.number);
            ensure(
                numbers.chain([self.arrivals]).is_sorted_by(|a, b| a < b),
                "the jobs of a line stand in the order of their arrival",
            )?;
            waiting = waiting.wrapping_add(line.len());
            occupied |= if line.is_empty() { 0 } else { class.bit() };
        }
        ensure(occupied == self.occupied, "the lines in which jobs are")?;
        let running = self.slab.open_rows(slots).filter_map(|row| slots.get(row as usize));
        let running = running.filter(|slot| slot.runs).count();
        if waiting != self.waiting
            || (waiting as usize).wrapping_add(running) != self.slab.open_count() as usize
        {
            return Err(Broken("the job of an open slot runs or is in a line"));
        }
        Ok(())
    }
}
