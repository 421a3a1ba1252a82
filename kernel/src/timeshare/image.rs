//! A table as a part of a coordinator's image, and back.

use super::storage::{Columns, Storage};
use super::table::{Core, Table};
use super::{Level, Load, Speed};
use crate::image::{BadImage, Stored, load_all};
use crate::{stored, stored_as};

stored!(Core { levels, there, sequence, speed, alike });

stored_as! {
    Load: |it: Load| u32::from(it.thousandths()), |raw: u32| Load::from_thousandths(raw.min(1000) as u16);
    Speed: |it: Speed| u32::from(it.0), |raw: u32| Speed(raw as u8);
    Level: |it: Level| u32::from(it.number()), |raw: u32| Level::new(raw.min(255) as u8).unwrap_or(Level::TOP);
}

impl<S: Storage> Table<S> {
    /// Stores all but the sets, which follow from the rest, and so many rows of jobs.
    pub fn store(&self, jobs: usize, put: &mut impl FnMut(u32)) {
        let view = self.storage.view();
        put(view.hosts.len() as u32);
        self.core.store(put);
        let entries = view.hosts.len().saturating_mul(self.levels().into());
        view.entries.iter().take(entries).for_each(|row| row.store(put));
        view.hosts.iter().for_each(|row| row.store(put));
        view.jobs.iter().take(jobs).for_each(|row| row.store(put));
    }

    /// Loads what was stored into a table that is clear.
    pub fn load(
        &mut self,
        jobs: usize,
        take: &mut impl FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        let levels = self.core.levels;
        let Columns { entries, hosts, jobs: rows, .. } = self.storage.slices();
        let of_this_size = take()? as usize == hosts.len();
        let core = Core::load(take)?;
        if !of_this_size || core.levels != levels {
            return Err(BadImage::OtherSize);
        }
        let count = hosts.len().saturating_mul(levels as usize);
        load_all(entries.get_mut(..count).ok_or(BadImage::OtherSize)?, take)?;
        load_all(hosts, take)?;
        load_all(rows.get_mut(..jobs).ok_or(BadImage::OtherSize)?, take)?;
        self.core = core;
        (0..self.hosts()).for_each(|host| self.put_free(host));
        Ok(())
    }
}
