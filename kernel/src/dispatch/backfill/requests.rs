//! What jobs ask for of a machine.

use crate::dispatch::Job;
use crate::machine::Machine;

/// What each job asks for of a machine, for [`Promises`](super::Promises).
///
/// A function of the job is one. A table by [`Job::id`] is another: it knows what queues do not, such as the memory of jobs.
pub trait Requests<M: Machine> {
    /// What a job asks for: the same each time, as long as it waits or runs.
    fn request(&self, job: &Job) -> M::Request;
}

impl<M: Machine, F: Fn(&Job) -> M::Request> Requests<M> for F {
    fn request(&self, job: &Job) -> M::Request {
        self(job)
    }
}
