//! Jobs of queues as C has them, and why a queue refuses one.

use crate::prelude::*;
use locox::dispatch::*;

numbered! {
    Standing {
        /// The job waits in line.
        LOCOX_STANDING_WAITS = Waits = 0,
        /// The job waits in line, and is held.
        LOCOX_STANDING_HELD = Held = 1,
        /// The job waits for an interval of its own.
        LOCOX_STANDING_RESERVED = Reserved = 2,
        /// The job runs.
        LOCOX_STANDING_RUNS = Runs = 3,
    }
}

structures! {
    /// A job in front of a machine.
    pub struct locox_job {
        /// The caller's number for it; no queue looks at it.
        pub id: u32,
        /// How many PEs, at least one.
        pub pes: u32,
        /// How long it may run; queues that know no times do not look at it.
        pub requested: u64,
        /// Where it stands in line: jobs of smaller keys before it, those of the same key as they came.
        pub key: u64,
    }

    /// A job of a queue.
    pub struct locox_queued {
        /// What the queue knows it by.
        pub ticket: locox_handle,
        /// What was pushed.
        pub job: locox_job,
        /// Its number of arrival: among jobs of the same key in line the smaller one comes first.
        pub arrival: u64,
        /// What it does: `LOCOX_STANDING_...`.
        pub standing: u32,
        /// Zero.
        pub padding: u32,
    }
}

callbacks! {
    /// Called with a job whose turn it is: zero to leave it, anything else if it was started.
    pub type locox_start_fn(job: *const locox_job) -> u32;
    /// Called with a job of a queue.
    pub type locox_queued_fn(job: *const locox_queued);
}

/// Calls `visit` for each job of a queue.
pub(crate) fn tell_jobs(
    queue: &(impl Queue + ?Sized),
    visit: locox_queued_fn,
    user: *mut c_void,
) -> Answer {
    visit.ok_or(LOCOX_NULL)?;
    queue.visit(&mut |ticket, job, standing, arrival| {
        let (ticket, job, standing) = (ticket.into_c(), job.into_c(), standing.into_c());
        tell(visit, locox_queued { ticket, job, arrival, standing, padding: 0 }, user);
    });
    Ok(())
}

mirrors! { locox_job = Job { id, pes, requested, key } }

faults! {
    Refusal {
        TooLarge { pes } => LOCOX_TOO_LARGE.with(pes), Faulty { serving } => LOCOX_FAULTY.with(serving),
        TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free), Late { finish } => LOCOX_LATE.with(finish.ticks()),
        Overflow => LOCOX_END_OF_TIME, Full { entries } => LOCOX_FULL.with(entries),
        NoPlace => LOCOX_NO_PLACE, Occupied => LOCOX_NOT_FREE, NoRow => LOCOX_FULL,
    }
    Misuse {
        Handle(misuse) => misuse, Waits => LOCOX_WAITS, Runs => LOCOX_RUNS, Reserved => LOCOX_RESERVED,
        NoPes => LOCOX_NO_PES, NoTime => LOCOX_NO_TIME, Overflow => LOCOX_BEYOND_TIME,
        DeadlineTooEarly => LOCOX_DEADLINE_TOO_EARLY, Outage => LOCOX_NO_SUCH_PE, WrongProfile => LOCOX_TOO_SHORT,
        Future => LOCOX_BAD_ARGUMENT,
    }
}
