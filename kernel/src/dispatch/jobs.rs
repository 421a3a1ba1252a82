//! The jobs of a queue, in slots that the caller owns: each waits in a line, or runs.

use super::line::Line;
use super::slot::{HELD, JobSlot, QueueKey};
use super::tree::next;
use super::{Job, Misuse, SizeClass, Standing, Ticket};
use crate::bits::{Word, ones};
use crate::handle::{self, PoolId};
use crate::invariant::{InvariantViolation, ensure};
use crate::list::{List, Ref};
use crate::slab::Slab;
use crate::slices::edit;

/// The number of a slot, and what is in it.
type Found<'a, N> = Result<(u32, &'a JobSlot<N>), Misuse>;

/// One a size class, and that of held jobs.
const LINES: usize = HELD as usize + 1;

/// Which slots are in use, in which order jobs came, and where those that wait stand.
///
/// - The job of an open slot runs, or is in the line that the slot says.
/// - `standing` has a one for each line that is not empty, but for that of held jobs: nobody looks for a
///   job there.
/// - `waiting` counts the jobs in all lines.
/// - `arrivals` links them in the order in which they came, which is that of their numbers.
/// - `numbers` is the number of the next arrival.
#[derive(Clone, Debug)]
pub struct Jobs {
    pub(super) slab: Slab,
    lines: [Line; LINES],
    standing: u32,
    pub(super) arrivals: List,
    pub(super) numbers: u64,
    pub(super) waiting: u32,
}

impl Jobs {
    pub(super) const fn new(id: PoolId) -> Self {
        const { assert!(SizeClass::COUNT == u32::BITS as usize) };
        Self {
            slab: Slab::new(id),
            lines: [Line::EMPTY; LINES],
            standing: 0,
            arrivals: List::EMPTY,
            numbers: 0,
            waiting: 0,
        }
    }

    /// As new, also the epochs.
    pub(super) const fn emptied(&self) -> Self {
        Self::new(self.slab.pool())
    }

    pub(super) fn line(&self, line: u8) -> &Line {
        self.lines.get(usize::from(line)).unwrap_or(&Line::EMPTY)
    }

    /// The slot of the first job in a line.
    pub(super) fn first(&self, line: u8) -> Option<u32> {
        self.line(line).first()
    }

    /// Those of the lines up to `last` that are not empty.
    pub(super) fn standing(&self, last: u8) -> impl Iterator<Item = u8> + use<> {
        let lines = self.standing & !(u32::MAX - 1).unbounded_shl(last.into());
        ones(lines as Word).map(|line| line as u8)
    }

    /// The slot of the oldest job that waits and is not held, and how many came after it and wait no more.
    pub(super) fn oldest<N>(&self, slots: &[JobSlot<N>]) -> Option<(u32, u64)> {
        let mut arrivals = (0u64..).zip(self.arrivals.iter(slots));
        let (held, (row, slot)) = arrivals.find(|(_, (_, slot))| !slot.is_held())?;
        // Of the jobs before it, which its number counts, all have left but those that are held.
        let left = self.numbers.wrapping_sub(u64::from(self.waiting));
        Some((row, left.wrapping_sub(slot.number.wrapping_sub(held))))
    }

    pub(super) fn is_full<N>(&self, slots: &[JobSlot<N>]) -> bool {
        self.slab.open_count() as usize >= slots.len()
    }

    /// Copies all slots that have been in use to other storage, if that has as many.
    pub(super) fn copy<N: Copy>(&self, from: &[JobSlot<N>], to: &mut [JobSlot<N>]) -> Option<()> {
        let used = self.slab.used() as usize;
        let to = to.get_mut(..used)?;
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        Some(())
    }

    /// Adds a job to a line, if a slot is left for it.
    pub(super) fn push<N>(
        &mut self,
        slots: &mut [JobSlot<N>],
        line: u8,
        job: Job,
        start: u64,
        note: N,
    ) -> Option<u32> {
        let row = self.slab.open(slots)?;
        let slot = slots.get_mut(row as usize)?;
        (slot.job, slot.note) = (job, note);
        (slot.number, slot.time) = (self.numbers, start);
        self.numbers = self.numbers.wrapping_add(1);
        self.arrivals.push_back(slots, row);
        self.wait(slots, row, line);
        Some(row)
    }

    /// A job that runs waits again, where its key and its arrival say. Cost: a look at each job that
    /// came before it and waits, and the logarithm of the line.
    pub(super) fn requeue<N>(&mut self, slots: &mut [JobSlot<N>], row: u32, line: u8) {
        let Some(number) = slots.get(row as usize).map(|slot| slot.number) else { return };
        let older = self.arrivals.iter(slots).take_while(|(_, slot)| slot.number < number);
        let before = older.last().map(|(row, _)| row);
        self.arrivals.insert_behind(slots, row, before);
        self.wait(slots, row, line);
    }

    /// A job that is among the arrivals waits in a line from now on.
    pub(super) fn wait<N>(&mut self, slots: &mut [JobSlot<N>], row: u32, line: u8) {
        self.waiting = self.waiting.wrapping_add(1);
        self.stand(slots, row, line);
    }

    /// A job that waits stands in a line from now on.
    fn stand<N>(&mut self, slots: &mut [JobSlot<N>], row: u32, line: u8) {
        if let Some(slot) = slots.get_mut(row as usize)
            && let Some(tree) = self.lines.get_mut(usize::from(line))
        {
            slot.line = Some(line);
            tree.insert(slots, row);
            self.standing |= 1u32.unbounded_shl(line.into());
        }
    }

    /// Takes a job that waits out of its line; which that was.
    fn step_out<N>(&mut self, slots: &mut [JobSlot<N>], row: u32) -> Option<u8> {
        let line = slots.get_mut(row as usize)?.line.take()?;
        let tree = self.lines.get_mut(usize::from(line))?;
        tree.remove(slots, row);
        if tree.first().is_none() {
            self.standing &= !1u32.unbounded_shl(line.into());
        }
        Some(line)
    }

    /// Takes a job out of its line, if it is in one: it runs, or is to be closed.
    pub(super) fn leave<N>(&mut self, slots: &mut [JobSlot<N>], row: u32) {
        if self.step_out(slots, row).is_some() {
            self.arrivals.remove(slots, row);
            self.waiting = self.waiting.wrapping_sub(1);
        }
    }

    /// A job that waits stands in another line from now on: in that of held jobs, or out of it.
    pub(super) fn change_line<N>(&mut self, slots: &mut [JobSlot<N>], row: u32, line: u8) {
        if self.step_out(slots, row).is_some() {
            self.stand(slots, row, line);
        }
    }

    /// Gives a job that waits another planned start.
    pub(super) fn set_start<N>(&mut self, slots: &mut [JobSlot<N>], row: u32, start: u64) {
        let Some(slot) = slots.get_mut(row as usize) else { return };
        slot.time = start;
        if let Some(tree) = slot.line.and_then(|line| self.lines.get_mut(usize::from(line))) {
            tree.mend(slots, Ref::to(row));
        }
    }

    /// Gives a job that waits another key.
    pub(super) fn rekey<N>(&mut self, slots: &mut [JobSlot<N>], row: u32, key: u64) {
        let Some(line) = self.step_out(slots, row) else { return };
        edit(slots, row, |slot| slot.job.key = key);
        self.stand(slots, row, line);
    }

    /// Gives a job that waits other terms; `line` is where it waits then, if it is not held.
    pub(super) fn change<N>(&mut self, slots: &mut [JobSlot<N>], row: u32, job: Job, line: u8) {
        let Some(was) = self.step_out(slots, row) else { return };
        edit(slots, row, |slot| slot.job = job);
        self.stand(slots, row, if was == HELD { HELD } else { line });
    }

    /// The slots of all lines in order, but for that of held jobs. Cost: a look at each line for each.
    pub(super) fn in_line<'a, N>(&self, slots: &'a [JobSlot<N>]) -> impl Iterator<Item = u32> + 'a {
        let mut heads = [None; SizeClass::COUNT];
        heads.iter_mut().zip(&self.lines).for_each(|(head, line)| *head = line.first());
        core::iter::from_fn(move || {
            let place = |row: u32| slots.get(row as usize).map(JobSlot::place);
            let first = heads.iter_mut().filter(|head| head.is_some());
            let head = first.min_by_key(|head| head.and_then(place))?;
            let row = (*head)?;
            *head = next(slots, row);
            Some(row)
        })
    }

    /// The slot of a job at this place in a line.
    pub(super) fn at<N>(&self, slots: &[JobSlot<N>], place: QueueKey) -> Option<u32> {
        let is_there = |row: &u32| slots.get(*row as usize).is_some_and(|it| it.place() == place);
        let mut firsts = self.lines.iter().filter_map(|line| line.from(slots, place));
        firsts.find(is_there)
    }

    /// Gives up the slot of a job that has ended or was cancelled.
    pub(super) fn close<N>(&mut self, slots: &mut [JobSlot<N>], row: u32) {
        self.leave(slots, row);
        self.slab.close(slots, row);
    }

    pub(super) fn ticket<N>(&self, slots: &[JobSlot<N>], row: u32) -> Ticket {
        Ticket(self.slab.handle(slots, row))
    }

    /// The slot of a job that waits or runs.
    pub(super) fn find<'a, N>(&self, slots: &'a [JobSlot<N>], ticket: Ticket) -> Found<'a, N> {
        let row = self.slab.find(slots, ticket.0)?;
        let slot = slots.get(row as usize).ok_or(handle::Misuse::Stale)?;
        Ok((row, slot))
    }

    /// As [`Jobs::find`], only of a job that waits, or only of one that runs.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`]; [`Misuse::Runs`] or [`Misuse::Waits`], which is what the job does.
    pub(super) fn find_if<'a, N>(
        &self,
        slots: &'a [JobSlot<N>],
        ticket: Ticket,
        waits: bool,
    ) -> Found<'a, N> {
        let found = self.find(slots, ticket)?;
        match found.1.waits() {
            as_wanted if as_wanted == waits => Ok(found),
            true => Err(Misuse::Waits),
            false => Err(Misuse::Runs),
        }
    }

    /// Passes each job on with its ticket, what it does and the number of its arrival; `reserved` is the line
    /// of jobs with intervals of their own.
    pub(super) fn visit<N>(
        &self,
        slots: &[JobSlot<N>],
        reserved: Option<u8>,
        visit: &mut dyn FnMut(Ticket, Job, Standing, u64),
    ) {
        for row in self.slab.open_rows(slots) {
            let Some(slot) = slots.get(row as usize) else { break };
            let standing = match slot.line {
                None => Standing::Runs,
                Some(HELD) => Standing::Held,
                line if line == reserved => Standing::Reserved,
                Some(_) => Standing::Waits,
            };
            visit(self.ticket(slots, row), slot.job, standing, slot.number);
        }
    }

    /// The slots in use.
    pub(super) fn open_slots<'a, N>(
        &self,
        slots: &'a [JobSlot<N>],
    ) -> impl Iterator<Item = &'a JobSlot<N>> {
        self.slab.open_rows(slots).filter_map(|row| slots.get(row as usize))
    }

    pub(super) fn check<N>(&self, slots: &[JobSlot<N>]) -> Result<(), InvariantViolation> {
        self.slab.check(slots)?;
        let mut waiting = 0u32;
        for (number, line) in (0u8..).zip(&self.lines) {
            let belongs =
                |slot: &JobSlot<N>| slot.generation.is_live() && slot.line == Some(number);
            let len = line.audit(slots, belongs);
            let len = len.ok_or(InvariantViolation("a line holds its own jobs in order"))?;
            let stands = self.standing.unbounded_shr(number.into()) & 1 == 1;
            ensure(stands == (len > 0) || number == HELD, "which lines are not empty")?;
            waiting = waiting.wrapping_add(len);
        }
        ensure(waiting == self.waiting, "the count of the jobs that wait")?;
        let came = self.arrivals.audit(slots, |_, slot| slot.generation.is_live() && slot.waits());
        ensure(came == Some(waiting), "jobs that wait are linked, both ways")?;
        let numbers = self.arrivals.iter(slots).map(|(_, slot)| slot.number).chain([self.numbers]);
        ensure(numbers.is_sorted_by(|a, b| a < b), "jobs are linked in the order of arrival")?;
        let in_line = self.open_slots(slots).filter(|slot| slot.waits());
        ensure(in_line.count() == waiting as usize, "a job that waits is in its line")
    }
}
