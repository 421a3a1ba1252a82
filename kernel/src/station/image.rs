//! A coordinator as an image, and back.

use super::Coordinator;
use super::storage::{HomeRow, JobRow, NodeRow, Slices, Storage};
use super::tables::{Core, Due, Touched};
use crate::coordinate::{
    BadImage, Identity, Place, Stored, Take, digest_of_all, read_image, stored, stored_as,
    write_image,
};
use crate::fair::{Demand, Fairness};

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

impl<F: Fairness, S: Storage> Coordinator<F, S> {
    /// Passes the state to `put` as an [image](crate::coordinate), word by word: 31 words, 9 for
    /// each station, 13 for each processor, 16 for each row that a job ever used, and those of the
    /// ranking.
    pub fn export(&self, put: impl FnMut(u32)) {
        self.export_at(Place::START, put);
    }

    /// As [`export`](Self::export), of a [place](Place) in the history.
    pub fn export_at(&self, place: Place, put: impl FnMut(u32)) {
        write_image(&self.identity(), place, put, |put| self.store(put));
    }

    /// Goes on from an exported state. Every host is told again what it should be doing.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn restore(&mut self, words: impl IntoIterator<Item = u32>) -> Result<(), BadImage> {
        self.load(words)?;
        self.resync();
        Ok(())
    }

    /// Takes an exported state, exactly.
    ///
    /// # Errors
    ///
    /// [`BadImage`]. One that is not of this pool and configuration changes nothing; after one
    /// whose contents are bad the coordinator is as new, at the present time: it knows of no job
    /// and no station, and another image can be tried.
    pub fn load(&mut self, words: impl IntoIterator<Item = u32>) -> Result<Place, BadImage> {
        let forget = |it: &mut Self, now| {
            it.fair.forget();
            it.clear(now);
        };
        let place = read_image(self, words.into_iter(), Self::load_contents, forget)?;
        // A ranking has what the tables have, whatever its words said.
        self.note(Touched::ALL);
        Ok(place)
    }

    /// Has every host told again what it should be doing.
    pub fn resync(&mut self) {
        self.tables().tell_all_again();
    }

    /// What its images and records agree with.
    pub fn identity(&self) -> Identity {
        Identity {
            kind: *b"STAT",
            version: 1,
            pool: self.config.pool,
            configuration: digest_of_all(self.config.numbers()),
        }
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
        remembered.ok_or(BadImage::Contradiction("it is of another ranking"))
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
    for row in rows.nodes {
        *row = NodeRow::load(take)?;
    }
    let used = rows.jobs.get_mut(..core.jobs.used() as usize).ok_or(BadImage::OtherSize)?;
    for row in used {
        *row = JobRow::load(take)?;
    }
    Ok(())
}
