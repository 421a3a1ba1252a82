//! Effects that nobody tells twice, carried in order over a network that is not: one at a time, each again until it has
//! arrived. Who restarted gets nothing that was meant for him before.

use crate::time::MINUTE;
use std::collections::VecDeque;

/// How long it waits before it says something again.
const AGAIN: u64 = 2 * MINUTE;

/// An effect under way: for this boot, over this connection, the how manieth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) boot: u32,
    pub(crate) connection: u32,
    pub(crate) number: u32,
}

/// The end that sends.
#[derive(Debug)]
pub(crate) struct Carrier<E> {
    boot: u32,
    connection: u32,
    /// Of the first in the queue.
    number: u32,
    queue: VecDeque<E>,
    said_at: Option<u64>,
}

impl<E: Copy> Carrier<E> {
    pub(crate) const fn new() -> Self {
        Self { boot: 0, connection: 0, number: 1, queue: VecDeque::new(), said_at: None }
    }

    /// Begins anew, with a receiver that has started so often.
    pub(crate) fn connect(&mut self, boot: u32) {
        self.boot = boot;
        self.connection += 1;
        self.number = 1;
        self.queue.clear();
        self.said_at = None;
    }

    /// The start of the receiver for which it carries.
    pub(crate) const fn boot(&self) -> u32 {
        self.boot
    }

    pub(crate) fn put(&mut self, effect: E) {
        self.queue.push_back(effect);
    }

    /// What is to be said now.
    pub(crate) fn due(&mut self, now: u64) -> Option<(Stamp, E)> {
        let effect = *self.queue.front()?;
        if self.said_at.is_some_and(|at| now < at + AGAIN) {
            return None;
        }
        self.said_at = Some(now);
        let Self { boot, connection, number, .. } = *self;
        Some((Stamp { boot, connection, number }, effect))
    }

    /// When to look again.
    pub(crate) fn next_look(&self) -> Option<u64> {
        self.queue.front()?;
        Some(self.said_at.map_or(0, |at| at + AGAIN))
    }

    /// One has arrived.
    pub(crate) fn arrived(&mut self, stamp: Stamp) {
        let Self { boot, connection, number, .. } = *self;
        if stamp == (Stamp { boot, connection, number }) && self.queue.pop_front().is_some() {
            self.number += 1;
            self.said_at = None;
        }
    }
}

/// The end that receives.
#[derive(Debug, Default)]
pub(crate) struct Receiver {
    pub(crate) boot: u32,
    connection: u32,
    last: u32,
}

impl Receiver {
    /// It has started anew, and knows nothing but how often.
    pub(crate) const fn start(&mut self) {
        self.boot += 1;
        self.connection = 0;
        self.last = 0;
    }

    /// Whether this is the next one; `None` if it is not even to be answered.
    pub(crate) fn takes(&mut self, stamp: Stamp) -> Option<bool> {
        if stamp.boot != self.boot || stamp.connection < self.connection {
            return None;
        }
        if stamp.connection > self.connection {
            (self.connection, self.last) = (stamp.connection, 0);
        }
        let is_next = stamp.number == self.last + 1;
        if is_next {
            self.last = stamp.number;
        }
        (stamp.number <= self.last).then_some(is_next)
    }
}
