//! The jobs of a queue, in rooms that the caller owns: each waits in a line, or runs.

use super::line::Line;
use super::tree::{Needs, Node, Place};
use super::{Job, Misuse, Ticket};
use crate::handle::{self, Generation, PoolId};
use crate::invariant::{InvariantViolation, ensure};
use crate::list::{Links, List};
use crate::slab::Slab;
use crate::time::{Duration, Instant};

/// Room for one job of a queue, and for what the queue notes of it.
#[derive(Clone, Copy, Debug)]
pub struct Room<N> {
    pub(super) job: Job,
    pub(super) note: N,
    /// The number of its arrival.
    number: u64,
    /// When it is planned to start, if it is; when it is to end, if it runs.
    pub(super) time: u64,
    /// Those before and after it in the list that it is in: if it waits, by arrival.
    links: Links,
    generation: Generation,
    /// Of no meaning in a job that is in no tree.
    pub(super) node: Node,
    /// The line in which the job waits; none of one that runs.
    pub(super) line: Option<u8>,
}

impl<N> Room<N> {
    pub(super) const fn empty(note: N) -> Self {
        Self {
            job: Job { id: 0, pes: 0, requested: Duration::ZERO, key: 0 },
            note,
            number: 0,
            time: 0,
            links: Links::NONE,
            generation: Generation::from_raw(0),
            node: Node::EMPTY,
            line: None,
        }
    }

    /// Where the job stands in its line.
    pub(super) const fn place(&self) -> Place {
        (self.job.key, self.number)
    }

    /// Where the job stands by its time.
    pub(super) const fn place_in_time(&self) -> Place {
        (self.time, self.number)
    }

    pub(super) const fn needs(&self) -> Needs {
        let (pes, requested) = (self.job.pes, self.job.requested.ticks());
        Needs { pes, requested, time: self.time }
    }

    pub(super) const fn waits(&self) -> bool {
        self.line.is_some()
    }

    pub(super) const fn runs(&self) -> bool {
        self.generation.is_live() && !self.waits()
    }
}

crate::slab::rows! { Room<N> where N }

/// A room by number, and what is in it.
type Found<'a, N> = Result<(u32, &'a Room<N>), Misuse>;

/// Which rooms are in use, in which order jobs came, and where those that wait stand.
///
/// - The job of an open room runs, or is in the line that the room says.
/// - `standing` has a one for each line that is not empty.
/// - `waiting` counts the jobs in all lines, and `arrivals` links them in the order in which they
///   came, which is that of their numbers; `numbers` is the next one.
#[derive(Clone, Debug)]
pub(super) struct Jobs<const LINES: usize> {
    slab: Slab,
    lines: [Line; LINES],
    standing: u64,
    arrivals: List,
    numbers: u64,
    pub(super) waiting: u32,
}

impl<const LINES: usize> Jobs<LINES> {
    pub(super) const fn new(id: PoolId) -> Self {
        const { assert!(LINES <= u64::BITS as usize) };
        Self {
            slab: Slab::new(id),
            lines: [Line::EMPTY; LINES],
            standing: 0,
            arrivals: List::EMPTY,
            numbers: 0,
            waiting: 0,
        }
    }

    pub(super) fn line(&self, line: u8) -> &Line {
        self.lines.get(usize::from(line)).unwrap_or(&Line::EMPTY)
    }

    /// The room of the first job in a line.
    pub(super) fn first(&self, line: u8) -> Option<u32> {
        self.line(line).first()
    }

    /// The first of the rooms that are first in one of the first lines.
    pub(super) fn first_of<N>(&self, rooms: &[Room<N>], lines: u8) -> Option<u32> {
        let first = |line| {
            let row = self.first(line)?;
            Some((rooms.get(row as usize)?.place(), row))
        };
        self.standing(lines).filter_map(first).min().map(|(_, row)| row)
    }

    /// Those of the first lines that are not empty.
    pub(super) fn standing(&self, lines: u8) -> impl Iterator<Item = u8> {
        let none = u64::MAX.unbounded_shl(lines.into());
        let mut rest = self.standing & !none;
        core::iter::from_fn(move || {
            let line = (rest != 0).then(|| rest.trailing_zeros() as u8);
            rest &= rest.wrapping_sub(1);
            line
        })
    }

    /// The next planned start of a line after `now`.
    pub(super) fn next_start<N>(
        &self,
        rooms: &[Room<N>],
        line: u8,
        now: Instant,
    ) -> Option<Instant> {
        self.line(line).least_after(rooms, now.ticks()).map(Instant::from_ticks)
    }

    /// The room of the oldest job that waits, and how many came after it and wait no more.
    pub(super) fn oldest<N>(&self, rooms: &[Room<N>]) -> Option<(u32, u64)> {
        let (row, room) = self.arrivals.iter(rooms).next()?;
        // All jobs before the oldest one have left, and its number counts them.
        let left = self.numbers.wrapping_sub(u64::from(self.waiting));
        Some((row, left.wrapping_sub(room.number)))
    }

    pub(super) fn is_full<N>(&self, rooms: &[Room<N>]) -> bool {
        self.slab.open_count() as usize >= rooms.len()
    }

    /// Adds a job to a line, if there is room for it.
    pub(super) fn push<N>(
        &mut self,
        rooms: &mut [Room<N>],
        line: u8,
        job: Job,
        start: u64,
        note: N,
    ) -> Option<u32> {
        let row = self.slab.open(rooms)?;
        let room = rooms.get_mut(row as usize)?;
        (room.job, room.note) = (job, note);
        (room.number, room.time) = (self.numbers, start);
        self.numbers = self.numbers.wrapping_add(1);
        self.waiting = self.waiting.wrapping_add(1);
        self.arrivals.push_back(rooms, row);
        self.stand(rooms, row, line);
        Some(row)
    }

    /// A job that waits stands in a line from now on.
    fn stand<N>(&mut self, rooms: &mut [Room<N>], row: u32, line: u8) {
        if let Some(room) = rooms.get_mut(row as usize)
            && let Some(tree) = self.lines.get_mut(usize::from(line))
        {
            room.line = Some(line);
            tree.insert(rooms, row);
            self.standing |= 1u64.unbounded_shl(line.into());
        }
    }

    /// Takes a job that waits out of its line; which that was.
    fn step_out<N>(&mut self, rooms: &mut [Room<N>], row: u32) -> Option<u8> {
        let line = rooms.get_mut(row as usize)?.line.take()?;
        let tree = self.lines.get_mut(usize::from(line))?;
        tree.remove(rooms, row);
        if tree.first().is_none() {
            self.standing &= !1u64.unbounded_shl(line.into());
        }
        Some(line)
    }

    /// Takes a job out of its line, if it is in one: it runs, or is to be closed.
    pub(super) fn leave<N>(&mut self, rooms: &mut [Room<N>], row: u32) {
        if self.step_out(rooms, row).is_some() {
            self.arrivals.remove(rooms, row);
            self.waiting = self.waiting.wrapping_sub(1);
        }
    }

    /// Gives a job that waits another planned start.
    pub(super) fn set_start<N>(&self, rooms: &mut [Room<N>], row: u32, start: u64) {
        let Some(room) = rooms.get_mut(row as usize) else { return };
        room.time = start;
        if let Some(line) = room.line {
            self.line(line).sum_up_from(rooms, row);
        }
    }

    /// Gives a job that waits another key.
    pub(super) fn rekey<N>(&mut self, rooms: &mut [Room<N>], row: u32, key: u64) {
        let Some(line) = self.step_out(rooms, row) else { return };
        if let Some(room) = rooms.get_mut(row as usize) {
            room.job.key = key;
        }
        self.stand(rooms, row, line);
    }

    /// Gives up the room of a job that has ended or was cancelled.
    pub(super) fn close<N>(&mut self, rooms: &mut [Room<N>], row: u32) {
        self.leave(rooms, row);
        self.slab.close(rooms, row);
    }

    pub(super) fn ticket<N>(&self, rooms: &[Room<N>], row: u32) -> Ticket {
        Ticket(self.slab.handle(rooms, row))
    }

    /// The room of a job that waits or runs.
    pub(super) fn find<'a, N>(&self, rooms: &'a [Room<N>], ticket: Ticket) -> Found<'a, N> {
        let row = self.slab.find(rooms, ticket.0)?;
        let room = rooms.get(row as usize).ok_or(handle::Misuse::Stale)?;
        Ok((row, room))
    }

    /// The room of a job that runs.
    pub(super) fn find_running<'a, N>(&self, rooms: &'a [Room<N>], ticket: Ticket) -> Found<'a, N> {
        let found = self.find(rooms, ticket)?;
        if found.1.waits() { Err(Misuse::Waits) } else { Ok(found) }
    }

    /// The room of a job that waits.
    pub(super) fn find_waiting<'a, N>(&self, rooms: &'a [Room<N>], ticket: Ticket) -> Found<'a, N> {
        let found = self.find(rooms, ticket)?;
        if found.1.waits() { Ok(found) } else { Err(Misuse::Runs) }
    }

    /// The rooms in use.
    pub(super) fn open_rooms<'a, N>(
        &self,
        rooms: &'a [Room<N>],
    ) -> impl Iterator<Item = &'a Room<N>> {
        self.slab.open_rows(rooms).filter_map(|row| rooms.get(row as usize))
    }

    pub(super) fn check<N>(&self, rooms: &[Room<N>]) -> Result<(), InvariantViolation> {
        self.slab.check(rooms)?;
        let mut waiting = 0u32;
        for (number, line) in (0u8..).zip(&self.lines) {
            let belongs = |room: &Room<N>| room.generation.is_live() && room.line == Some(number);
            let len = line.audit(rooms, belongs);
            let len = len.ok_or(InvariantViolation("a line holds its own jobs in order"))?;
            let stands = self.standing.unbounded_shr(number.into()) & 1 == 1;
            ensure(stands == (len > 0), "which lines are not empty")?;
            waiting = waiting.wrapping_add(len);
        }
        ensure(waiting == self.waiting, "the count of the jobs that wait")?;
        let came = self.arrivals.audit(rooms, |_, room| room.generation.is_live() && room.waits());
        ensure(came == Some(waiting), "jobs that wait are linked, both ways")?;
        let numbers = self.arrivals.iter(rooms).map(|(_, room)| room.number).chain([self.numbers]);
        ensure(numbers.is_sorted_by(|a, b| a < b), "jobs are linked in the order of arrival")?;
        let in_line = self.open_rooms(rooms).filter(|room| room.waits());
        ensure(in_line.count() == waiting as usize, "a job that waits is in its line")
    }
}
