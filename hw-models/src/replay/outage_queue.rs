//! Queues that hear how many processors are out of service.

use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Discipline, Easy, Entry, Misuse, Ordered, Queue, Slot,
};
use locox::time::Instant;

/// A queue that is told of outages, if it plans; one that does not need not know: it offers jobs, and
/// the machine refuses them.
pub trait OutageQueue: Queue {
    /// The most processors for which a job that comes now may ask; those that ask for more are not
    /// pushed before so many serve.
    fn most(&self) -> u32 {
        u32::MAX
    }

    /// So many more processors are out of service.
    ///
    /// # Errors
    ///
    /// [`Misuse::Outage`] if fewer are in service.
    fn withdraw(&mut self, _now: Instant, _processors: u32) -> Result<(), Misuse> {
        Ok(())
    }

    /// So many processors are back in service.
    ///
    /// # Errors
    ///
    /// [`Misuse::Outage`] if fewer are out of service.
    fn repair(&mut self, _now: Instant, _processors: u32) -> Result<(), Misuse> {
        Ok(())
    }
}

impl<D: Discipline, S: AsRef<[Slot]> + AsMut<[Slot]>> OutageQueue for Ordered<D, S> {}

macro_rules! planner {
    ($Policy:ty) => {
        impl OutageQueue for Backfill<$Policy, Box<[Entry]>> {
            fn most(&self) -> u32 {
                self.in_service()
            }

            fn withdraw(&mut self, now: Instant, processors: u32) -> Result<(), Misuse> {
                Self::withdraw(self, now, processors)
            }

            fn repair(&mut self, now: Instant, processors: u32) -> Result<(), Misuse> {
                Self::repair(self, now, processors)
            }
        }
    };
}

planner!(Easy);
planner!(Conservative<Box<[Word]>>);
