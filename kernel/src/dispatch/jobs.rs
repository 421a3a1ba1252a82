//! The jobs of a queue, in rooms that the caller owns: each waits in a line, or runs.

use super::{Job, Misuse, Ticket};
use crate::broken::{Broken, ensure};
use crate::handle::{self, Generation, PoolId};
use crate::list::{Links, List};
use crate::slab::Slab;
use crate::time::Duration;

/// Room for one job of a queue, and for what the queue notes of it.
#[derive(Clone, Copy, Debug)]
pub struct Room<N> {
    pub(super) job: Job,
    pub(super) note: N,
    /// Neighbours in line; none of a job that runs.
    links: Links,
    generation: Generation,
    /// The line in which the job waits; none of one that runs.
    pub(super) line: Option<u8>,
}

impl<N> Room<N> {
    pub(super) const fn empty(note: N) -> Self {
        let job = Job { id: 0, pes: 0, requested: Duration::ZERO };
        Self { job, note, links: Links::NONE, generation: Generation::from_raw(0), line: None }
    }

    /// The room of the next job in line.
    pub(super) const fn next(&self) -> Option<u32> {
        self.links.next.get()
    }

    pub(super) const fn waits(&self) -> bool {
        self.line.is_some()
    }
}

crate::slab::rows! { Room<N> where N }

/// A room by number, and what is in it.
type Found<'a, N> = Result<(u32, &'a Room<N>), Misuse>;

/// First come, first in line: the list, and how many it holds.
#[derive(Clone, Copy, Debug)]
struct Line {
    jobs: List,
    len: u32,
}

impl Line {
    const EMPTY: Self = Self { jobs: List::EMPTY, len: 0 };
}

/// Which rooms are in use, and in which order jobs came.
///
/// - The job of an open room runs, or is in the line that the room says.
/// - `waiting` counts the jobs in all lines.
#[derive(Clone, Debug)]
pub(super) struct Jobs<const LINES: usize> {
    slab: Slab,
    lines: [Line; LINES],
    pub(super) waiting: u32,
}

impl<const LINES: usize> Jobs<LINES> {
    pub(super) const fn new(id: PoolId) -> Self {
        Self { slab: Slab::new(id), lines: [Line::EMPTY; LINES], waiting: 0 }
    }

    fn line(&self, line: u8) -> &Line {
        self.lines.get(usize::from(line)).unwrap_or(&Line::EMPTY)
    }

    /// Jobs in a line.
    pub(super) fn len(&self, line: u8) -> u32 {
        self.line(line).len
    }

    /// The room of the first job in a line.
    pub(super) fn first(&self, line: u8) -> Option<u32> {
        self.line(line).jobs.first()
    }

    /// The rooms of a line in the order of arrival.
    pub(super) fn each<'a, N>(
        &self,
        rooms: &'a [Room<N>],
        line: u8,
    ) -> impl Iterator<Item = &'a Room<N>> + use<'a, N, LINES> {
        self.line(line).jobs.iter(rooms).map(|(_, room)| room)
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
        note: N,
    ) -> Option<u32> {
        let row = self.slab.open(rooms)?;
        let room = rooms.get_mut(row as usize)?;
        (room.job, room.note, room.line) = (job, note, Some(line));
        let line = self.lines.get_mut(usize::from(line))?;
        line.jobs.push_back(rooms, row);
        line.len = line.len.wrapping_add(1);
        self.waiting = self.waiting.wrapping_add(1);
        Some(row)
    }

    /// Takes a job out of its line, if it is in one: it runs, or is to be closed.
    pub(super) fn leave<N>(&mut self, rooms: &mut [Room<N>], row: u32) {
        let line = rooms.get_mut(row as usize).and_then(|room| room.line.take());
        let line = line.and_then(|line| self.lines.get_mut(usize::from(line)));
        let Some(line) = line else { return };
        line.jobs.remove(rooms, row);
        line.len = line.len.wrapping_sub(1);
        self.waiting = self.waiting.wrapping_sub(1);
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

    pub(super) fn check<N>(&self, rooms: &[Room<N>]) -> Result<(), Broken> {
        self.slab.check(rooms)?;
        let mut waiting = 0u32;
        for (number, line) in (0u8..).zip(&self.lines) {
            let belongs =
                |_, room: &Room<N>| room.generation.is_live() && room.line == Some(number);
            let len = line.jobs.audit(rooms, belongs);
            ensure(len == Some(line.len), "a line links its own jobs, both ways, and counts them")?;
            waiting = waiting.wrapping_add(line.len);
        }
        ensure(waiting == self.waiting, "the count of the jobs that wait")?;
        let in_line = self.open_rooms(rooms).filter(|room| room.waits());
        ensure(in_line.count() == waiting as usize, "a job that waits is in its line")
    }
}
