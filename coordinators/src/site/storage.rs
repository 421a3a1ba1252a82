//! The coordinator's rows.

use super::Policy;
use crate::coordinate::columns;
use locox::ground::{Links, Ref, half, row};
use locox::handle::Generation;
use locox::mapping::{PlannedRun, RunningJob, Runs, UnplacedJob};
use locox::time::{Duration, Instant};

half! {
    /// What a job does.
    #[repr(u16)]
    enum State {
        /// It waits, or its row is not in use.
        Waits,
        /// It has machines.
        Runs,
        /// It has machines, and is to leave them.
        Leaves,
    }
}

row! {
    /// A job. 48 bytes.
    pub struct JobRow {
        generation: Generation = Generation::from_raw(0),
        /// Among all jobs in the order of their arrival, or of the rows that are not in use.
        links: Links = Links::NONE,
        user: u32 = 0,
        queue: u32 = 0,
        class: u32 = 0,
        /// Counts its runs; the last one, if it has machines.
        attempt: u32 = 0,
        /// The resource that it has, or is to have.
        place: Ref = Ref::NONE,
        /// When it is expected to end if it runs, and to start if it waits and has a place.
        at: Instant = Instant::ZERO,
    } halves {
        state: State = State::Waits,
        /// 1 if there is something to be told of it.
        due: u16 = 0,
        /// Both stop at their highest values.
        preemptions: u16 = 0,
        /// How many mappings gave it a place so far.
        mapped: u16 = 0,
    }
}

locox::ground::rows! { JobRow }

row! {
    /// A machine. 12 bytes; zeros: it has never been there.
    pub struct MachineRow {
        /// Its last start that was heard of.
        boot: u32 = 0,
        /// The job that it has.
        job: Ref = Ref::NONE,
        is_here: bool = false,
    }
}

row! {
    /// A user. 32 bytes; zeros: he has never submitted a job, and has no limit and no clearance.
    pub struct UserRow {
        /// That of his last submission.
        serial: u32 = 0,
        /// The row of his last job, and its generation then.
        last: Ref = Ref::NONE,
        generation: Generation = Generation::from_raw(0),
        /// How many jobs he has.
        jobs: u32 = 0,
        /// How many he may have; 0 for any number.
        limit: u32 = 0,
        clearance: u8 = 0,
        /// What his jobs took that have ended.
        machine_time: Duration = Duration::ZERO,
    }
}

columns! {
    /// What a coordinator lies in: its state, and below it what it works with. All zeros are fine, and
    /// what they held does not matter.
    pub struct Columns;

    /// Columns in arrays: for J jobs, M machines, R resources, C job classes, U users, Q queues, L
    /// clusters, and of each class [`runs`](locox::mapping::runs)`(R, its classes of resources, 1)` runs, or none. Borrow them as [`Columns`].
    pub struct Arrays<J, M, R, C, U, Q, L, K>;

    /// One row a job that waits or runs.
    jobs: [[JobRow; 1]; J] = JobRow::EMPTY,
    /// One row a machine.
    machines: [[MachineRow; 1]; M] = MachineRow::EMPTY,
    /// One row a user.
    users: [[UserRow; 1]; U] = UserRow::EMPTY,
    /// One a queue; 254 at most.
    queues: [[Policy; 1]; Q] = Policy::EMPTY,
    /// One a cluster: interconnects that are down.
    down: [[u32; 1]; L] = 0,
    /// As many as [`runs`](locox::mapping::runs) says; none where nothing is learnt.
    runs: [[Runs; K]; C] = Runs::EMPTY,
    /// One for each class of jobs and resource.
    expected: [[Duration; R]; C] = Duration::ZERO,
    /// One a job.
    open: [[UnplacedJob; 1]; J] = UnplacedJob::EMPTY,
    /// Three a job.
    placements: [[PlannedRun; 3]; J] = PlannedRun::EMPTY,
    /// One a job.
    running: [[RunningJob; 1]; J] = RunningJob::EMPTY,
    /// Two a job.
    numbers: [[u32; 2]; J] = 0,
    /// One a machine.
    next: [[u32; 1]; M] = 0,
    /// One a job.
    levels: [[u8; 1]; J] = 0,
    /// Five a machine.
    instants: [[Instant; 5]; M] = Instant::ZERO,
}
