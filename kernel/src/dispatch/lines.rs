//! Lines of waiting jobs: lists that share the caller's slots.

use super::Job;
use crate::broken::Broken;
use crate::cube::Dim;

/// Room for one waiting job.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    job: Job,
    /// Jobs that came before it.
    number: u64,
    next: u32,
}

impl Slot {
    /// What a queue's storage is filled with; its content does not matter.
    pub const EMPTY: Self = Self { job: Job { id: 0, class: Dim::ZERO }, number: 0, next: NONE };
}

/// No slot.
const NONE: u32 = u32::MAX;

/// Lines that a queue may have: one a size.
pub(super) const LINES: usize = Dim::MAX.get() as usize + 1;

/// The bit of a line among all lines.
const fn bit(line: Dim) -> u32 {
    1u32.wrapping_shl(line.get() as u32)
}

/// First and last slot, and how many there are.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: u32,
    last: u32,
    len: u32,
}

/// First come, first in line.
///
/// - A line links its slots from `first` to `last`; the numbers of their jobs rise.
/// - A slot below `touched` is in one line, or linked from `unused`. The others are untouched.
/// - `waiting` counts the jobs in all lines; `arrivals` the jobs ever queued.
/// - Bit k of `occupied` is set if a job is in line k.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    lines: [Line; LINES],
    unused: u32,
    touched: u32,
    waiting: u32,
    arrivals: u64,
    occupied: u32,
}

impl Lines {
    pub(super) const fn new() -> Self {
        let empty = Line { first: NONE, last: NONE, len: 0 };
        Self {
            lines: [empty; LINES],
            unused: NONE,
            touched: 0,
            waiting: 0,
            arrivals: 0,
            occupied: 0,
        }
    }

    pub(super) const fn waiting(&self) -> u32 {
        self.waiting
    }

    /// Jobs in a line.
    pub(super) fn len(&self, line: Dim) -> u32 {
        self.lines.get(usize::from(line.get())).map_or(0, |line| line.len)
    }

    /// The number of the first job of a line.
    pub(super) fn number(&self, slots: &[Slot], line: Dim) -> Option<u64> {
        let line = self.lines.get(usize::from(line.get()))?;
        slots.get(line.first as usize).map(|slot| slot.number)
    }

    /// The lines in which jobs are.
    fn occupied(&self) -> impl Iterator<Item = Dim> + use<> {
        let mut left = self.occupied;
        core::iter::from_fn(move || {
            let line = Dim::new(left.trailing_zeros() as u8)?;
            left &= left.wrapping_sub(1);
            Some(line)
        })
    }

    /// The line of the oldest job, and how many younger ones have left since it came.
    pub(super) fn oldest(&self, slots: &[Slot]) -> Option<(Dim, u64)> {
        let heads = self.occupied().filter_map(|line| Some((self.number(slots, line)?, line)));
        let (number, line) = heads.min_by_key(|&(number, _)| number)?;
        // All jobs before the oldest one have left, and `number` counts them.
        let left = self.arrivals.wrapping_sub(u64::from(self.waiting));
        Some((line, left.wrapping_sub(number)))
    }

    /// Adds a job to a line; whether there was a slot.
    pub(super) fn push(&mut self, slots: &mut [Slot], line: Dim, job: Job) -> bool {
        let at = if self.unused == NONE { self.touched } else { self.unused };
        let Some(slot) = slots.get_mut(at as usize).filter(|_| at != NONE) else { return false };
        if at == self.unused {
            self.unused = slot.next;
        } else {
            self.touched = self.touched.wrapping_add(1);
        }
        *slot = Slot { job, number: self.arrivals, next: NONE };
        self.append(slots, line, at);
        self.arrivals = self.arrivals.wrapping_add(1);
        self.waiting = self.waiting.wrapping_add(1);
        true
    }

    fn append(&mut self, slots: &mut [Slot], line: Dim, at: u32) {
        self.occupied |= bit(line);
        let Some(line) = self.lines.get_mut(usize::from(line.get())) else { return };
        match slots.get_mut(line.last as usize) {
            Some(last) => last.next = at,
            None => line.first = at,
        }
        line.last = at;
        line.len = line.len.wrapping_add(1);
    }

    /// Removes the first of the `width` oldest jobs of a line that `wanted` says yes to, asked in
    /// turn.
    pub(super) fn remove(
        &mut self,
        slots: &mut [Slot],
        line: Dim,
        width: u32,
        wanted: &mut dyn FnMut(Job) -> bool,
    ) -> Option<Job> {
        let mut before = NONE;
        let mut at = self.lines.get(usize::from(line.get()))?.first;
        for _ in 0..width {
            let Slot { job, next, .. } = *slots.get(at as usize)?;
            if wanted(job) {
                self.unlink(slots, line, before, at);
                return Some(job);
            }
            (before, at) = (at, next);
        }
        None
    }

    /// Takes slot `at`, which follows `before`, out of its line.
    fn unlink(&mut self, slots: &mut [Slot], line: Dim, before: u32, at: u32) {
        let bit = bit(line);
        let Some(line) = self.lines.get_mut(usize::from(line.get())) else { return };
        let Some(slot) = slots.get_mut(at as usize) else { return };
        let after = slot.next;
        slot.next = self.unused;
        self.unused = at;
        match slots.get_mut(before as usize) {
            Some(previous) => previous.next = after,
            None => line.first = after,
        }
        if line.last == at {
            line.last = before;
        }
        line.len = line.len.wrapping_sub(1);
        if line.len == 0 {
            self.occupied &= !bit;
        }
        self.waiting = self.waiting.wrapping_sub(1);
    }

    pub(super) fn check(&self, slots: &[Slot]) -> Result<(), Broken> {
        let (mut waiting, mut occupied) = (0u32, 0);
        for (place, line) in (0u32..).zip(&self.lines) {
            occupied |= u32::from(line.len > 0).wrapping_shl(place);
            let (mut at, mut last, mut len) = (line.first, NONE, 0u32);
            let mut number = None;
            while let Some(slot) = slots.get(at as usize).filter(|_| len <= line.len) {
                if number >= Some(slot.number) || slot.number >= self.arrivals {
                    return Err(Broken("the jobs of a line stand in the order of their arrival"));
                }
                number = Some(slot.number);
                (last, at, len) = (at, slot.next, len.wrapping_add(1));
            }
            if (last, len) != (line.last, line.len) {
                return Err(Broken("the end and the length of a line"));
            }
            waiting = waiting.wrapping_add(len);
        }
        let (mut at, mut unused) = (self.unused, 0u32);
        while let Some(slot) = slots.get(at as usize).filter(|_| unused <= self.touched) {
            (at, unused) = (slot.next, unused.wrapping_add(1));
        }
        if occupied != self.occupied {
            return Err(Broken("the lines in which jobs are"));
        }
        if waiting != self.waiting || waiting.wrapping_add(unused) != self.touched {
            return Err(Broken("a slot that was used is in a line or unused"));
        }
        Ok(())
    }
}
