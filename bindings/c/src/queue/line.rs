//! Any queue of the kernel's as one type.

use crate::pool::Words;
use crate::prelude::*;
use locox::dispatch::*;
use locox::reserve::{Interval, Profile, Request};

pub(crate) type Rows = &'static mut [Slot];
pub(crate) type Entries = &'static mut [Entry];

// The caller's opaque structure has room for the largest; there is no heap for a box.
#[expect(clippy::large_enum_variant)]
pub(crate) enum AnyQueue {
    Fcfs(Ordered<Fcfs, Rows>),
    Window(Ordered<Window, Rows>),
    Scan(Ordered<Scan, Rows>),
    Lazy(Ordered<Lazy, Rows>),
    Easy(Backfill<Easy, Entries>),
    Conservative(Backfill<Conservative<Words>, Entries>),
}

/// What is asked of any queue.
pub(crate) trait AnyLine: Queue {
    fn begin(&mut self, epoch: Epoch);

    fn export(&self, put: &mut dyn FnMut(u32));

    fn load(&mut self, image: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage>;

    fn restore(
        &mut self,
        image: &mut dyn Iterator<Item = u32>,
        epoch: Epoch,
    ) -> Result<(), BadImage> {
        let loaded = self.load(image);
        self.begin(epoch);
        loaded
    }

    /// Only conservative backfilling gives intervals.
    fn reserve(&mut self, _: Instant, _id: u32, _: &Request) -> Answer<(Ticket, Interval)> {
        Err(LOCOX_UNPLANNED.into())
    }

    /// Only queues that plan know how many PEs there are.
    fn withdraw(&mut self, _: Instant, _pes: u32) -> Answer {
        Err(LOCOX_UNPLANNED.into())
    }

    fn repair(&mut self, _: Instant, _pes: u32) -> Answer {
        Err(LOCOX_UNPLANNED.into())
    }

    /// Only EASY backfilling needs a profile for it.
    fn estimate(&self, ticket: Ticket, _: &mut Profile<Words>) -> Answer<Option<Interval>> {
        Ok(self.planned(ticket)?)
    }
}

/// What queues of a type do alike.
macro_rules! any_line {
    ($([$($generics:tt)*] $Type:ty { $($own:item)* })+) => {$(
        impl<$($generics)*> AnyLine for $Type {
            fn begin(&mut self, epoch: Epoch) {
                <$Type>::begin(self, epoch);
            }

            fn export(&self, put: &mut dyn FnMut(u32)) {
                <$Type>::export(self, put);
            }

            fn load(&mut self, image: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
                <$Type>::load(self, image)
            }

            $($own)*
        }
    )+};
}

any_line! {
    [D: Discipline] Ordered<D, Rows> {}

    [] Backfill<Easy, Entries> {
        fn withdraw(&mut self, now: Instant, pes: u32) -> Answer {
            Ok(Backfill::withdraw(self, now, pes)?)
        }

        fn repair(&mut self, now: Instant, pes: u32) -> Answer {
            Ok(Backfill::repair(self, now, pes)?)
        }

        fn estimate(&self, ticket: Ticket, scratch: &mut Profile<Words>) -> Answer<Option<Interval>> {
            Ok(Backfill::estimate(self, ticket, scratch)?)
        }
    }

    [] Backfill<Conservative<Words>, Entries> {
        fn reserve(&mut self, now: Instant, id: u32, asked: &Request) -> Answer<(Ticket, Interval)> {
            Ok(Backfill::reserve(self, now, id, asked)?)
        }

        fn withdraw(&mut self, now: Instant, pes: u32) -> Answer {
            Ok(Backfill::withdraw(self, now, pes)?)
        }

        fn repair(&mut self, now: Instant, pes: u32) -> Answer {
            Ok(Backfill::repair(self, now, pes)?)
        }
    }
}

/// Any of them, and how many rows it has.
pub(crate) struct Line {
    queue: ErasedBody<AnyQueue, dyn AnyLine>,
    pub(crate) rows: usize,
}

impl Line {
    pub(crate) fn new(queue: ErasedBody<AnyQueue, dyn AnyLine>, rows: usize) -> Self {
        Self { queue, rows }
    }

    pub(crate) fn look(&self) -> &(dyn AnyLine + 'static) {
        self.queue.look()
    }

    pub(crate) fn get(&mut self) -> &mut (dyn AnyLine + 'static) {
        self.queue.get()
    }
}

impl Queue for Line {
    forward! {
        look |it| it.look() =>
            fn name() -> &'static str;
            fn len() -> usize;
            fn planned(ticket: Ticket) -> Result<Option<Interval>, Misuse>;
            fn visit(visit: &mut dyn FnMut(Ticket, Job, Standing, u64));
            fn wake_at() -> Option<Instant>;
            fn check_invariants() -> Result<(), InvariantViolation>;
        act |it| it.get() =>
            fn push(now: Instant, job: Job) -> Result<Ticket, Error>;
            fn adopt(now: Instant, job: Job, started: Instant) -> Result<Ticket, Error>;
            fn next(now: Instant, start: &mut dyn FnMut(Job) -> bool) -> Option<(Ticket, Job)>;
            fn finished(now: Instant, ticket: Ticket) -> Result<Job, Misuse>;
            fn cancel(now: Instant, ticket: Ticket) -> Result<Job, Misuse>;
            fn requeue(now: Instant, ticket: Ticket) -> Result<(), Misuse>;
            fn hold(now: Instant, ticket: Ticket) -> Result<(), Misuse>;
            fn release(now: Instant, ticket: Ticket) -> Result<(), Misuse>;
            fn rekey(now: Instant, ticket: Ticket, key: u64) -> Result<(), Misuse>;
    }
}
