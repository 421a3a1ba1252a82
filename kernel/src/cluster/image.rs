//! A coordinator as an image, and back.

use super::Cluster;
use super::coordinator::Core;
use super::storage::JobRow;
use crate::coordinate::{
    BadImage, Identity, Place, Stored, Take, digest_of, read_image, stored, write_image,
};
use crate::timeshare::Placement;

stored!(Core { now, next_check, waiting, jobs, told });

impl<P: Placement> Cluster<'_, P> {
    /// Passes the state to `put` as an [image](crate::coordinate), word by word: 28 words, 2 for
    /// each entry, 6 for each host and a bit, 13 for each row that a job ever used.
    pub fn export(&self, put: impl FnMut(u32)) {
        self.export_at(Place::START, put);
    }

    /// As [`export`](Self::export), of a [place](Place) in the history.
    pub fn export_at(&self, place: Place, put: impl FnMut(u32)) {
        write_image(&self.identity(), place, put, |mut put| self.store(&mut put));
    }

    /// Goes on from an exported state. Every host is told again what it should be running.
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
    /// whose contents are bad the coordinator is as new, at the present time.
    pub fn load(&mut self, words: impl IntoIterator<Item = u32>) -> Result<Place, BadImage> {
        let load = |it: &mut Self, mut take: &mut Take<'_>| it.load_contents(&mut take);
        read_image(self, words.into_iter(), load, Self::clear)
    }

    /// What its images and records agree with. That the placement is the same is the caller's
    /// business.
    pub fn identity(&self) -> Identity {
        Identity {
            kind: *b"ELMR",
            version: 1,
            pool: self.config.pool,
            configuration: digest_of(&self.config.numbers()),
        }
    }

    fn store(&self, put: &mut impl FnMut(u32)) {
        self.core.store(put);
        let used = self.core.jobs.used() as usize;
        self.table.store(used, put);
        self.jobs.iter().take(used).for_each(|row| row.store(put));
        for host in 0..self.table.hosts() {
            self.is_due(host).store(put);
        }
    }

    fn load_contents(
        &mut self,
        take: &mut impl FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        self.clear(self.core.now);
        self.core = Core::load(take)?;
        let used = self.core.jobs.used() as usize;
        self.table.load(used, take)?;
        for row in self.jobs.get_mut(..used).ok_or(BadImage::OtherSize)? {
            *row = JobRow::load(take)?;
        }
        for host in 0..self.table.hosts() {
            if bool::load(take)? {
                self.set_due(host);
            }
        }
        Ok(())
    }
}
