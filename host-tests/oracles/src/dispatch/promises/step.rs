//! Calls of a queue.

use crate::reserve::Restart;
use locox::dispatch::Job;
use locox::reserve::Request;

/// A call. A job's id is that of [`Job`]; a call of one that never came does nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<P> {
    /// A job arrives.
    Push(Job),
    /// One runs already, since then.
    Adopt(Job, u64),
    /// The same with its place.
    AdoptAt(Job, u64, P),
    /// One with an interval of its own.
    Reserve(u32, Request),
    /// Who starts? The machine refuses those of eight jobs whose bits are set.
    Next(u8),
    /// A job has ended.
    Finish(u32),
    /// Two have.
    FinishBoth(u32, u32),
    /// A job is cancelled.
    Cancel(u32),
    /// It waits again.
    Requeue(u32),
    /// It is held.
    Hold(u32),
    /// It is no more.
    Release(u32),
    /// It has another key.
    Rekey(u32, u64),
    /// A place is out of service from when until when.
    Withdraw(P, u64, u64),
    /// It is back.
    Repair(P),
    /// When and where could a job start?
    Ask(Job),
    /// The queue goes on from an image.
    Restart(Restart),
}

/// A call at the time that it is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<P> {
    /// The time.
    pub now: u64,
    /// What is called.
    pub event: Event<P>,
}
