//! A coordinator as an image, and back.

use super::storage::{HomeRow, Slices, Storage};
use super::tables::{Core, Due, Touched};
use super::{Coordinator, check};
use crate::coordinate::Snapshot;
use locox::fair::{Demand, Fairness};
use locox::ground::{Take, digest_of_all, load_all, stored, stored_as};
use locox::image::{BadImage, Identity, Stored};
use locox::invariant::InvariantViolation;
use locox::time::Instant;

stored!(Core {
    now,
    next_interval,
    next_poll,
    next_checkpoint,
    due,
    free,
    free_count,
    pending,
    jobs,
});

// A word that was 1 or 0 before there were rounds to go on with.
stored_as! {
    Due: |it: Due| u32::from(it.poll) | u32::from(it.rounds) << 1,
        |word: u32| Due { poll: word & 1 != 0, rounds: word & 2 != 0 };
}

/// An image is 31 words, 9 for each station, 13 for each processor, 16 for each row that a job ever
/// used, and those of the ranking.
impl<F: Fairness, S: Storage> Snapshot for Coordinator<F, S> {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        let ranking = [self.fair.identity().into(), self.weights.into()];
        let numbers = self.config.numbers().chain(ranking);
        Identity::of(*b"STAT", self.config.pool, digest_of_all(numbers))
    }

    fn kept(&self) -> Instant {
        self.core.now
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        let (put, view) = (&mut put, self.storage.view());
        put(view.homes.len() as u32);
        put(view.nodes.len() as u32);
        self.core.store(put);
        for (row, demand) in view.homes.iter().zip(view.demand) {
            row.store(put);
            demand.store(put);
        }
        view.nodes.iter().for_each(|row| row.store(put));
        view.jobs.iter().take(self.core.jobs.used() as usize).for_each(|row| row.store(put));
        self.fair.export(put);
    }

    fn load_contents(&mut self, take: &mut Take<'_>) -> Result<(), BadImage> {
        load_tables(take, self.storage.slices(), &mut self.core)?;
        let remembered = self.fair.restore(&mut core::iter::from_fn(|| take().ok()));
        remembered.ok_or(BadImage::Contradiction("it is of another ranking"))?;
        // A ranking has what the tables have, whatever its words said.
        self.note(Touched::ALL);
        Ok(())
    }

    /// It knows of no job and no station then.
    fn reset(&mut self, now: Instant) {
        self.fair.forget();
        self.clear(now);
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        check::check(&self.config, &self.core, self.storage.view())
    }
}

fn load_tables(mut take: &mut Take<'_>, rows: Slices<'_>, core: &mut Core) -> Result<(), BadImage> {
    let take = &mut take;
    // An image fits no storage of another size.
    if take()? as usize != rows.homes.len() || take()? as usize != rows.nodes.len() {
        return Err(BadImage::OtherSize);
    }
    *core = Core::load(take)?;
    for (row, demand) in rows.homes.iter_mut().zip(rows.demand) {
        *row = HomeRow::load(take)?;
        *demand = Demand::load(take)?;
    }
    load_all(rows.nodes, take)?;
    let used = rows.jobs.get_mut(..core.jobs.used() as usize);
    load_all(used.ok_or(BadImage::OtherSize)?, take)
}
