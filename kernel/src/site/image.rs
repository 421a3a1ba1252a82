//! A coordinator as an image, and back.

use super::coordinator::Core;
use super::storage::JobRow;
use super::{Config, Coordinator, SiteModel};
use crate::coordinate::{
    BadImage, Identity, Place, Stored, Take, digest_of, digest_of_all, read_image, stored,
    write_image,
};
use crate::mapping::{Cluster, Times};

stored!(Core { now, next, jobs, all, waiting, down, due_from });

/// Tells a configuration, and what is known beforehand, from others.
pub(super) fn digest(config: &Config, known: &SiteModel) -> u32 {
    let site = &known.site;
    let counts = [site.machines(), site.resources(), known.times.jobs(), known.classes.len()];
    let clusters = site.clusters().flat_map(|(_, it)| {
        let Cluster { members, least, interconnect } = *it;
        let link = interconnect.map_or(0, |link| u64::from(link).wrapping_add(1));
        let head = [members.len() as u64, least as u64, link];
        head.into_iter().chain(members.iter().map(|&at| u64::from(at)))
    });
    let cells = (0..known.times.jobs())
        .flat_map(|class| (0..site.resources()).map(move |resource| (class, resource)));
    let times = cells
        .map(|(class, resource)| known.times.on(class, resource).unwrap_or(Times::NEVER).ticks());
    let config = u64::from(digest_of(&config.numbers()));
    digest_of_all(
        core::iter::once(config)
            .chain(counts.map(|count| count as u64))
            .chain(clusters)
            .chain(times)
            .chain(known.classes.iter().map(|&class| u64::from(class))),
    )
}

impl Coordinator<'_> {
    /// Passes the state to `put` as an [image](crate::coordinate), word by word: 24 words, 12 for
    /// each row that a job ever used, 3 for each machine, 5 for each user, 1 for each queue and each
    /// interconnect that is down, and 8 for each entry of experience.
    pub fn export(&self, put: impl FnMut(u32)) {
        self.export_at(Place::START, put);
    }

    /// As [`export`](Self::export), of a [place](Place) in the history.
    pub fn export_at(&self, place: Place, put: impl FnMut(u32)) {
        write_image(&self.identity(), place, put, |mut put| self.store(&mut put));
    }

    /// Goes on from an exported state. Everybody is told again what he should be doing.
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
    /// [`BadImage`]. One that is not of this pool, configuration and site changes nothing; after
    /// one whose contents are bad the coordinator is as new, at the present time.
    pub fn load(&mut self, words: impl IntoIterator<Item = u32>) -> Result<Place, BadImage> {
        let load = |it: &mut Self, mut take: &mut Take<'_>| it.load_contents(&mut take);
        read_image(self, words.into_iter(), load, Self::clear)
    }

    /// What its images and records agree with.
    pub fn identity(&self) -> Identity {
        Identity { kind: *b"SITE", version: 1, pool: self.config.pool, configuration: self.digest }
    }

    fn store(&self, put: &mut impl FnMut(u32)) {
        let used = self.core.jobs.used() as usize;
        let columns = &self.columns;
        self.core.store(put);
        columns.jobs.iter().take(used).for_each(|row| row.store(put));
        columns.machines.iter().for_each(|row| row.store(put));
        columns.users.iter().for_each(|row| row.store(put));
        columns.queues.iter().for_each(|row| row.store(put));
        self.down().iter().for_each(|row| row.store(put));
        columns.runs.iter().for_each(|row| row.store(put));
    }

    fn load_contents(
        &mut self,
        take: &mut impl FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        self.clear(self.core.now);
        self.core = Core::load(take)?;
        let used = self.core.jobs.used() as usize;
        let columns = &mut self.columns;
        for row in columns.jobs.get_mut(..used).ok_or(BadImage::OtherSize)? {
            *row = JobRow::load(take)?;
        }
        load_all(columns.machines, take)?;
        load_all(columns.users, take)?;
        load_all(columns.queues, take)?;
        let down = columns.down.get_mut(..self.core.down as usize);
        load_all(down.ok_or(BadImage::OtherSize)?, take)?;
        load_all(columns.runs, take)?;
        self.learn_all();
        Ok(())
    }
}

fn load_all<T: Stored>(
    rows: &mut [T],
    take: &mut impl FnMut() -> Result<u32, BadImage>,
) -> Result<(), BadImage> {
    for row in rows {
        *row = T::load(take)?;
    }
    Ok(())
}
