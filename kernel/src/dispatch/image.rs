//! Queues as images.
//!
//! Contents: which slots are in use, the number of the next arrival, both ends of the list of arrivals;
//! of each slot its generation and its links, and of one that is in use the job, its number, its time,
//! the line in which it waits, and what the queue notes of it; then what discipline or policy keep.
//! Lines and trees follow from that.

use super::backfill::{Backfill, BackfillPolicy, Entry};
use super::jobs::Jobs;
use super::order::{Discipline, Ordered};
use super::slot::{HELD, JobSlot, QueueKey, Slot};
use super::{Job, SizeClass, Ticket};
use crate::epochs::Epochs;
use crate::image::{
    BadImage, Identity, Snapshot, Stored, Take, digest_of, digest_of_all, restart_api,
};
use crate::time::Instant;

const OTHER_LINE: BadImage = BadImage::Contradiction("a job waits in a line that is not its own");

crate::stored!(Job { id, pes, requested, key });

crate::stored_as! { Ticket: Ticket::handle, Ticket; }

impl Stored for () {
    fn store(&self, _: &mut impl FnMut(u32)) {}

    fn load(_: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        Ok(())
    }
}

impl Stored for QueueKey {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.0.store(put);
        self.1.store(put);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        Ok((Stored::load(take)?, Stored::load(take)?))
    }
}

impl<N: Stored> JobSlot<N> {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.generation.store(put);
        self.links.store(put);
        if !self.generation.is_live() {
            return;
        }
        self.job.store(put);
        self.number.store(put);
        self.time.store(put);
        put(self.line.map_or(0, |line| u32::from(line).wrapping_add(1)));
        self.note.store(put);
    }

    fn load(&mut self, take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<(), BadImage> {
        self.generation = Stored::load(take)?;
        self.links = Stored::load(take)?;
        self.line = None;
        if !self.generation.is_live() {
            return Ok(());
        }
        self.job = Stored::load(take)?;
        self.number = Stored::load(take)?;
        self.time = Stored::load(take)?;
        let line = take()?.checked_sub(1).map(u8::try_from).transpose();
        self.line = line.map_err(|_| OTHER_LINE)?;
        self.note = Stored::load(take)?;
        Ok(())
    }
}

impl Jobs {
    fn store<N: Stored>(&self, slots: &[JobSlot<N>], put: &mut impl FnMut(u32)) {
        self.slab.store_head(put);
        self.numbers.store(put);
        self.arrivals.store(put);
        let used = slots.iter().take(self.slab.used() as usize);
        used.for_each(|slot| slot.store(put));
    }

    /// Takes the jobs of an empty queue; `line` says in which one a job may wait, and `least` how many PEs one that runs
    /// has.
    fn load<N: Stored>(
        &mut self,
        slots: &mut [JobSlot<N>],
        (line, least): (impl Fn(&Job, u8) -> bool, u32),
        take: &mut impl FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        self.slab.load_head(slots.len(), take)?;
        self.numbers = Stored::load(take)?;
        self.arrivals = Stored::load(take)?;
        for row in 0..self.slab.used() {
            let Some(slot) = slots.get_mut(row as usize) else { break };
            slot.load(take)?;
            let least = if slot.waits() { 1 } else { least };
            let is_sound = slot.job.pes >= least && slot.number < self.numbers;
            if slot.generation.is_live() && !is_sound {
                return Err(BadImage::Contradiction("a job without PEs, or without an arrival"));
            }
            let Some(at) = slot.line else { continue };
            if at != HELD && !line(&slot.job, at) {
                return Err(OTHER_LINE);
            }
            self.wait(slots, row, at);
        }
        self.slab.count_open(slots);
        self.check(slots).map_err(BadImage::broken)
    }
}

impl<D: Discipline, S: AsRef<[Slot]> + AsMut<[Slot]>> Snapshot for Ordered<D, S> {
    type Kept = Epochs;

    fn identity(&self) -> Identity {
        let name = self.discipline.name().bytes().map(u64::from);
        Identity::of(*b"LINE", self.jobs.slab.pool(), digest_of_all(name))
    }

    fn kept(&self) -> Epochs {
        self.jobs.slab.epochs
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        self.jobs.store(self.slots.as_ref(), &mut put);
        put(self.discipline.state());
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        let Self { jobs, slots, discipline, .. } = self;
        let own = |job: &Job, line| discipline.line(SizeClass::of(job.pes)).get() == line;
        if let Err(bad) = jobs.load(slots.as_mut(), (own, 1), &mut take) {
            // The discipline was told of no job that runs.
            *jobs = jobs.emptied();
            return Err(bad);
        }
        let running = jobs.open_slots(slots.as_ref()).filter(|slot| slot.runs());
        running.for_each(|slot| discipline.started(SizeClass::of(slot.job.pes)));
        discipline.resume(take()?);
        Ok(())
    }

    fn reset(&mut self, epochs: Epochs) {
        // What a discipline knows of jobs that run it was told by `started`.
        let running = self.jobs.open_slots(self.slots.as_ref()).filter(|slot| slot.runs());
        running.for_each(|slot| self.discipline.finished(SizeClass::of(slot.job.pes)));
        self.discipline.resume(0);
        self.jobs = self.jobs.emptied();
        self.jobs.slab.epochs = epochs;
    }
}

restart_api! {
    [D: Discipline, S: AsRef<[Slot]> + AsMut<[Slot]>] Ordered<D, S>, jobs.slab, "tickets",
    |it, epoch| it.jobs.slab.begin(it.slots.as_mut(), epoch)
}

impl<P: BackfillPolicy, S: AsRef<[Entry]> + AsMut<[Entry]>> Snapshot for Backfill<P, S> {
    type Kept = Epochs;

    fn identity(&self) -> Identity {
        Identity::of(P::KIND, self.jobs.slab.pool(), digest_of(&[u64::from(self.pes)]))
    }

    fn kept(&self) -> Epochs {
        self.jobs.slab.epochs
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        self.now.store(&mut put);
        put(self.out);
        self.jobs.store(self.entries.as_ref(), &mut put);
        self.policy.store(put);
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        self.now = Instant::load(&mut take)?;
        self.out = take()?;
        let lines = (P::may_wait_in, P::LEAST_PES);
        self.jobs.load(self.entries.as_mut(), lines, &mut take)?;
        let running = self.jobs.open_slots(self.entries.as_ref()).filter(|entry| entry.runs());
        self.held = running.fold(0, |held, entry| entry.job.pes.saturating_add(held));
        self.check_counts().map_err(BadImage::broken)?;
        let (policy, mut planner) = self.parts(Instant::ZERO);
        policy.load(&mut planner, take)
    }

    fn reset(&mut self, epochs: Epochs) {
        (self.now, self.out, self.held) = (Instant::ZERO, 0, 0);
        self.jobs = self.jobs.emptied();
        self.jobs.slab.epochs = epochs;
        self.policy.forget();
    }
}

restart_api! {
    [P: BackfillPolicy, S: AsRef<[Entry]> + AsMut<[Entry]>] Backfill<P, S>, jobs.slab, "tickets",
    |it, epoch| it.jobs.slab.begin(it.entries.as_mut(), epoch)
}
