//! The coordinator's rows.

use super::Policy;
use crate::coordinate::{Half, stored};
use crate::handle::Generation;
use crate::list::{Links, Ref};
use crate::mapping::{Open, Placement, Running, Runs};
use crate::time::{Duration, Instant};

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum State {
    /// It waits, or its row is not in use.
    Waits,
    /// It has machines.
    Runs,
    /// It has machines, and is to leave them.
    Leaves,
}

impl Half for State {
    const ALL: &'static [Self] = &[Self::Waits, Self::Runs, Self::Leaves];
}

/// A job. 56 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub(super) generation: Generation,
    /// Among all jobs in the order of their arrival, or of the rows that are not in use.
    pub(super) links: Links,
    pub(super) user: u32,
    pub(super) queue: u32,
    pub(super) class: u32,
    /// Counts its runs; the last one, if it has machines.
    pub(super) attempt: u32,
    pub(super) preemptions: u32,
    /// The resource that it has, or is to have.
    pub(super) place: Ref,
    /// When it is expected to end if it runs, and to start if it waits and has a place.
    pub(super) at: Instant,
    pub(super) state: State,
    /// 1 if there is something to be told of it.
    pub(super) due: u16,
}

impl JobRow {
    /// A row that is not in use.
    pub const EMPTY: Self = Self {
        generation: Generation::from_raw(0),
        links: Links { prev: Ref::NONE, next: Ref::NONE },
        user: 0,
        queue: 0,
        class: 0,
        attempt: 0,
        preemptions: 0,
        place: Ref::NONE,
        at: Instant::ZERO,
        state: State::Waits,
        due: 0,
    };
}

crate::slab::rows! { JobRow }

stored!(JobRow { generation, links, user, queue, class, attempt, preemptions, place, at } state + due);

/// A machine. 12 bytes; zeros: it has never been there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineRow {
    /// Its last start that was heard of.
    pub(super) boot: u32,
    /// The job that it has.
    pub(super) job: Ref,
    pub(super) is_here: bool,
}

impl MachineRow {
    /// A machine that has never been there.
    pub const EMPTY: Self = Self { boot: 0, job: Ref::NONE, is_here: false };
}

stored!(MachineRow { boot, job, is_here });

/// A user. 20 bytes; zeros: he has never submitted a job, and has no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserRow {
    /// That of his last submission.
    pub(super) serial: u32,
    /// The row of his last job, and its generation then.
    pub(super) last: Ref,
    pub(super) generation: Generation,
    /// How many jobs he has.
    pub(super) jobs: u32,
    /// How many he may have; 0 for any number.
    pub(super) limit: u32,
}

impl UserRow {
    /// A user without jobs.
    pub const EMPTY: Self =
        Self { serial: 0, last: Ref::NONE, generation: Generation::from_raw(0), jobs: 0, limit: 0 };
}

stored!(UserRow { serial, last, generation, jobs, limit });

/// What a coordinator lies in: its state, and below it what it works with. All zeros are fine, and
/// what they held does not matter.
#[derive(Debug)]
pub struct Columns<'a> {
    /// One row a job that waits or runs.
    pub jobs: &'a mut [JobRow],
    /// One row a machine.
    pub machines: &'a mut [MachineRow],
    /// One row a user.
    pub users: &'a mut [UserRow],
    /// One a queue; 254 at most.
    pub queues: &'a mut [Policy],
    /// One a cluster: interconnects that are down.
    pub down: &'a mut [u32],
    /// As many as [`runs`](crate::mapping::runs) says; none where nothing is learnt.
    pub runs: &'a mut [Runs],
    /// One for each class of jobs and resource.
    pub expected: &'a mut [Duration],
    /// One a job.
    pub open: &'a mut [Open],
    /// Three a job.
    pub placements: &'a mut [Placement],
    /// One a job.
    pub running: &'a mut [Running],
    /// Two a job.
    pub numbers: &'a mut [u32],
    /// One a machine.
    pub next: &'a mut [u32],
    /// One a job.
    pub levels: &'a mut [u8],
    /// Five a machine.
    pub instants: &'a mut [Instant],
}

/// Columns in arrays: for J jobs, M machines, R resources, C job classes, U users, Q queues, L
/// clusters, and of each class [`runs`](crate::mapping::runs)`(R, its classes of resources, 1)` runs, or none. Borrow them as [`Columns`].
#[derive(Clone, Copy, Debug)]
pub struct Arrays<
    const J: usize,
    const M: usize,
    const R: usize,
    const C: usize,
    const U: usize,
    const Q: usize,
    const L: usize,
    const K: usize,
> {
    jobs: [JobRow; J],
    machines: [MachineRow; M],
    users: [UserRow; U],
    queues: [Policy; Q],
    down: [u32; L],
    runs: [[Runs; K]; C],
    expected: [[Duration; R]; C],
    open: [Open; J],
    placements: [[Placement; 3]; J],
    running: [Running; J],
    numbers: [[u32; 2]; J],
    next: [u32; M],
    levels: [u8; J],
    instants: [[Instant; 5]; M],
}

impl<
    const J: usize,
    const M: usize,
    const R: usize,
    const C: usize,
    const U: usize,
    const Q: usize,
    const L: usize,
    const K: usize,
> Arrays<J, M, R, C, U, Q, L, K>
{
    /// Fresh columns: all zeros, so that a `static` of them lies in `.bss`.
    pub const EMPTY: Self = Self {
        jobs: [JobRow::EMPTY; J],
        machines: [MachineRow::EMPTY; M],
        users: [UserRow::EMPTY; U],
        queues: [Policy::EMPTY; Q],
        down: [0; L],
        runs: [[Runs::EMPTY; K]; C],
        expected: [[Duration::ZERO; R]; C],
        open: [Open::EMPTY; J],
        placements: [[Placement::EMPTY; 3]; J],
        running: [Running::EMPTY; J],
        numbers: [[0; 2]; J],
        next: [0; M],
        levels: [0; J],
        instants: [[Instant::ZERO; 5]; M],
    };

    /// The columns.
    pub const fn columns(&mut self) -> Columns<'_> {
        Columns {
            jobs: &mut self.jobs,
            machines: &mut self.machines,
            users: &mut self.users,
            queues: &mut self.queues,
            down: &mut self.down,
            runs: self.runs.as_flattened_mut(),
            expected: self.expected.as_flattened_mut(),
            open: &mut self.open,
            placements: self.placements.as_flattened_mut(),
            running: &mut self.running,
            numbers: self.numbers.as_flattened_mut(),
            next: &mut self.next,
            levels: &mut self.levels,
            instants: self.instants.as_flattened_mut(),
        }
    }
}
