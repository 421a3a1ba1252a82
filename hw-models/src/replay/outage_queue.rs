//! The queues of a replay: they grow, are copied, and hear how many processors are out of service.

use super::promise_figures::Counts;
use crate::machine::Spot;
use crate::workload;
use locox::bits::Word;
use locox::cube::Node;
use locox::dispatch::{
    Backfill, Conservative, Discipline, Easy, Entry, Job, Misuse, Ordered, Queue, Slot, Ticket,
};
use locox::reserve::{Interval, Profile};
use locox::time::Instant;

/// A queue of which more is asked in a replay than of every [`Queue`]. It is told of outages if it plans; one
/// that does not need not know: it offers jobs, and the machine refuses them.
pub trait OutageQueue: Queue {
    /// Makes room for so many jobs that wait or run at once, if it can have so much.
    fn make_room(&mut self, jobs: usize);

    /// A copy of all that it holds, whose tickets are the same.
    fn copy(&self) -> Box<dyn OutageQueue + Send + Sync>;

    /// Whether it plans by numbers of processors and requested times.
    fn plans(&self) -> bool {
        false
    }

    /// A job is to come by this number; for queues that know what it asks for beside processors.
    fn note(&mut self, _id: u32, _job: &workload::Job) {}

    /// [`Queue::next`], where `start` is told the place of a job, too, if the queue plans with places.
    fn next_at(
        &mut self,
        now: Instant,
        start: &mut dyn FnMut(Job, Option<Spot<'_>>) -> bool,
    ) -> Option<(Ticket, Job)> {
        self.next(now, &mut |job| start(job, None))
    }

    /// Whether it plans with places, and not only with numbers of processors.
    fn plans_places(&self) -> bool {
        false
    }

    /// Tells what waits with a promise: its number, and the interval.
    fn promised(&self, _tell: &mut dyn FnMut(u32, Interval)) {}

    /// Tells which of the first so many jobs in line are promised a place: the number of each, its start and the place.
    fn promised_places(&self, _first: usize, _tell: &mut dyn FnMut(u32, Instant, Spot<'_>)) {}

    /// How often promises became later, if the queue makes any.
    fn moved_later(&self) -> Option<Counts> {
        None
    }

    /// When a job will start if each takes the time that it requested and none overtakes, if that is known:
    /// as [`Backfill::estimate`], which `scratch` is for, or what is planned.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::WrongProfile`].
    fn estimate(
        &self,
        ticket: Ticket,
        _scratch: &mut Profile<Vec<Word>>,
    ) -> Result<Option<Interval>, Misuse> {
        self.planned(ticket)
    }

    /// Jobs that run have ended at the same time.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Waits`].
    fn finished_together(&mut self, now: Instant, tickets: &[Ticket]) -> Result<(), Misuse> {
        tickets.iter().try_for_each(|&ticket| self.finished(now, ticket).map(|_| ()))
    }

    /// So many more processors are out of service.
    ///
    /// # Errors
    ///
    /// [`Misuse::Outage`] if fewer are in service.
    fn withdraw(&mut self, _now: Instant, _processors: u32) -> Result<(), Misuse> {
        Ok(())
    }

    /// Whether outages of named nodes are announced to it before they begin.
    fn heeds_announcements(&self) -> bool {
        false
    }

    /// An outage is to hold these nodes from when until when. Nothing more is said of it.
    fn announce(&mut self, _now: Instant, _nodes: &[Node], _during: Interval) {}

    /// An outage holds these nodes until it is said to have ended; for queues that plan with places.
    fn withdraw_nodes(&mut self, _now: Instant, _nodes: &[Node]) {}

    /// Such an outage ends, or, of a node with several, the one that would end first.
    fn repair_nodes(&mut self, _now: Instant, _nodes: &[Node]) {}

    /// So many processors are back in service.
    ///
    /// # Errors
    ///
    /// [`Misuse::Outage`] if fewer are out of service.
    fn repair(&mut self, _now: Instant, _processors: u32) -> Result<(), Misuse> {
        Ok(())
    }
}

impl Clone for Box<dyn OutageQueue + Send + Sync> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

impl<D> OutageQueue for Ordered<D, Box<[Slot]>>
where
    D: Discipline + Clone + Send + Sync + 'static,
{
    fn make_room(&mut self, jobs: usize) {
        _ = self.move_into(vec![Slot::EMPTY; jobs].into());
    }

    fn copy(&self) -> Box<dyn OutageQueue + Send + Sync> {
        Box::new(self.clone())
    }
}

macro_rules! planner {
    ($Policy:ty, $($of_its_own:tt)*) => {
        impl OutageQueue for Backfill<$Policy, Box<[Entry]>> {
            fn make_room(&mut self, jobs: usize) {
                _ = self.move_into(vec![Entry::EMPTY; jobs].into());
            }

            fn copy(&self) -> Box<dyn OutageQueue + Send + Sync> {
                Box::new(self.clone())
            }

            fn plans(&self) -> bool {
                true
            }

            fn finished_together(
                &mut self,
                now: Instant,
                tickets: &[Ticket],
            ) -> Result<(), Misuse> {
                Self::finished_together(self, now, tickets)
            }

            fn withdraw(&mut self, now: Instant, processors: u32) -> Result<(), Misuse> {
                Self::withdraw(self, now, processors)
            }

            fn repair(&mut self, now: Instant, processors: u32) -> Result<(), Misuse> {
                Self::repair(self, now, processors)
            }

            $($of_its_own)*
        }
    };
}

planner! {
    Easy,
    fn estimate(
        &self,
        ticket: Ticket,
        scratch: &mut Profile<Vec<Word>>,
    ) -> Result<Option<Interval>, Misuse> {
        Self::estimate(self, ticket, scratch)
    }
}

planner!(Conservative<Box<[Word]>>,);
