//! Queues that go on from images.

use crate::mismatch::equal;
use crate::reserve::Restart;
use locox::dispatch::{
    Backfill, Conservative, Discipline, Easy, Entry, Job, Ordered, Promises, Queue, Slot, Ticket,
};
use locox::handle::{Epoch, Handle};
use locox::image::{BadImage, Stored};
use locox::machine::{Held, Machine};

/// A queue with its images, whatever its kind.
pub(super) trait Restartable: Queue {
    fn image(&self) -> Vec<u32>;
    fn load(&mut self, image: &[u32]) -> Result<(), BadImage>;
    fn restore(&mut self, image: &[u32], epoch: Epoch) -> Result<(), BadImage>;
    fn begin(&mut self, epoch: Epoch);
}

macro_rules! restartable {
    ($([$($generics:tt)*] $Type:ty),+) => {$(
        impl<$($generics)*> Restartable for $Type {
            fn image(&self) -> Vec<u32> {
                let mut image = vec![];
                self.export(|word| image.push(word));
                image
            }

            fn load(&mut self, image: &[u32]) -> Result<(), BadImage> {
                <$Type>::load(self, image.iter().copied())
            }

            fn restore(&mut self, image: &[u32], epoch: Epoch) -> Result<(), BadImage> {
                <$Type>::restore(self, image.iter().copied(), epoch)
            }

            fn begin(&mut self, epoch: Epoch) {
                <$Type>::begin(self, epoch);
            }
        }
    )+};
}

restartable! {
    [D: Discipline] Ordered<D, Vec<Slot>>,
    [] Backfill<Easy, Vec<Entry>>,
    [] Backfill<Conservative<Vec<usize>>, Vec<Entry>>,
    [M: Machine<Place: Stored>, R: Fn(&Job) -> M::Request]
        Backfill<Promises<M, R, Vec<Held<M::Place>>, Vec<M::Word>>, Vec<Entry>>
}

/// Restarts a queue, perhaps as a fresh one.
pub(super) fn restart<Q: Restartable + ?Sized>(
    queue: &mut Box<Q>,
    fresh: impl FnOnce() -> Box<Q>,
    how: Restart,
    epoch: &mut u16,
) -> Result<(), String> {
    if how != Restart::Load {
        *epoch = epoch.wrapping_add(1);
    }
    if how == Restart::Begin {
        queue.begin(Epoch(*epoch));
        return Ok(());
    }
    let image = queue.image();
    *queue = fresh();
    if how == Restart::Restore {
        return equal("image", queue.restore(&image, Epoch(*epoch)), Ok(()));
    }
    equal("image", queue.load(&image), Ok(()))?;
    equal("image of what was loaded", queue.image(), image)
}

/// The name of a job in another epoch.
pub(super) fn renamed(ticket: Ticket, epoch: u16) -> Ticket {
    let old = ticket.handle();
    Ticket::from_handle(Handle::from_parts(old.pool(), old.index(), old.generation(), Epoch(epoch)))
}
