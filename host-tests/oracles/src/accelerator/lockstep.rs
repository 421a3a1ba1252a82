//! A pool of slices and its model, driven side by side.

use super::{Command, Model, numbers_of};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::accelerator::{ProfileId, SliceLease, SlicePool, Table};
use locox::handle::{Epoch, Handle, PoolId};
use locox::image::BadImage;
use locox::subcube::Outage;
use std::collections::BTreeSet;

/// Drives a pool and its model in step.
#[derive(Clone)]
pub struct Lockstep<'t> {
    real: SlicePool<'t>,
    model: Model,
    gone: Vec<SliceLease>,
    epoch: Epoch,
    steps: Steps,
}

const ID: PoolId = PoolId(3);

impl<'t> Lockstep<'t> {
    /// From a pool on whose slices are all free.
    pub fn new(table: Table<'t>) -> Self {
        Self::beside(table, &table)
    }

    /// The same beside a model that takes another table for the pool's.
    pub fn beside(table: Table<'t>, other: &Table<'_>) -> Self {
        let (real, model) = (SlicePool::new(ID, table), Model::new(ID, other));
        Self { real, model, gone: vec![], epoch: Epoch(0), steps: Steps::default() }
    }

    /// The model, to be asked.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Makes one call and compares the answer, all that can be seen, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.compare());
        self.steps.check(command, compared)
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match *command {
            Command::Allocate(profile) => {
                let expected = self.model.choose(profile);
                let fits = expected.clone().map(|_| ());
                equal("whether it would fit", self.real.would_fit(profile), fits)?;
                let real = self.real.allocate(profile);
                self.file(profile, real.ok())?;
                equal("slices", real.map(|it| numbers_of(it.slices())), expected)
            }
            Command::Claim(profile, slices) => {
                let expected = self.model.claim(profile, &numbers_of(slices));
                let real = self.real.claim(profile, slices);
                self.file(profile, real.ok())?;
                equal("slices", real.map(|it| numbers_of(it.slices())), expected)
            }
            Command::Release(at) => {
                let picked = pick(self.model.live(), at);
                picked.map_or(Ok(()), |lease| self.release(lease))
            }
            Command::ReleaseGone(at) => {
                let picked = pick(&self.gone, at);
                picked.map_or(Ok(()), |lease| self.release(lease))
            }
            Command::ReleaseForged(at) => {
                let picked = pick(self.model.live(), at / 3);
                picked.map_or(Ok(()), |lease| self.release(forged(lease, at % 3)))
            }
            Command::Withdraw(slices, why) => {
                let mut hit = BTreeSet::new();
                let real =
                    self.real.withdraw(slices, why, |it| _ = hit.insert(numbers_of(it.slices())));
                let expected = self.model.withdraw(&numbers_of(slices), why);
                equal("slices of leases hit", real.map(|()| hit), expected)
            }
            Command::Repair(slices) => {
                let expected = self.model.repair(&numbers_of(slices));
                equal("answer", self.real.repair(slices), expected)
            }
            Command::Restart => self.restart(),
            Command::Damage(at) => self.damage(at),
        }
    }

    /// Files a new lease, whose handle must be in order and new.
    fn file(&mut self, profile: ProfileId, lease: Option<SliceLease>) -> Result<(), String> {
        let Some(lease) = lease else { return Ok(()) };
        let handle = lease.handle();
        equal("profile", lease.profile(), profile)?;
        equal("pool and epoch", (handle.pool(), handle.epoch()), (ID, self.epoch))?;
        let known = self.gone.iter().chain(self.model.live());
        equal("handle used before", known.clone().any(|it| it.handle() == handle), false)?;
        self.model.open(lease);
        Ok(())
    }

    fn release(&mut self, lease: SliceLease) -> Result<(), String> {
        let real = self.real.release(lease);
        if real.is_ok() {
            self.gone.push(lease);
        }
        equal("answer", real, self.model.release(lease))
    }

    fn image(&self) -> Vec<u32> {
        let mut image = vec![];
        self.real.export(|word| image.push(word));
        image
    }

    /// The leases are the same afterwards, by handles of the new epoch.
    fn restart(&mut self) -> Result<(), String> {
        let image = self.image();
        self.epoch = Epoch(self.epoch.0 + 1);
        equal("answer", self.real.restore(image, self.epoch), Ok(()))?;
        self.model.restart(self.model.live().iter().map(|&it| renamed(it, self.epoch)).collect());
        Ok(())
    }

    fn damage(&mut self, at: usize) -> Result<(), String> {
        let mut image = self.image();
        let at = at % image.len();
        image[at] ^= 1 << (at % 32);
        let mut other = self.real.clone();
        let read = other.load(image);
        equal("damage is seen", read.is_err(), true)?;
        let nothing = matches!(read, Err(BadImage::Damaged) | Err(BadImage::NoImage));
        let untouched = other.leases().eq(self.real.leases());
        equal("as before or as new", nothing && (untouched || other.leases().count() == 0), true)
    }

    fn compare(&self) -> Result<(), String> {
        let (real, model) = (&self.real, &self.model);
        equal("invariants", real.check_invariants(), Ok(()))?;
        equal("free slices", numbers_of(real.free()), model.free())?;
        let outage = |slice| {
            let why = if real.failed().contains(slice) { Outage::Failed } else { Outage::Drained };
            (slice, why)
        };
        let outages = numbers_of(real.out()).into_iter().map(outage).collect();
        equal("outages", &outages, model.outages())?;
        let by_handle = |lease: &SliceLease| lease.handle().index();
        let mut live = model.live().to_vec();
        live.sort_by_key(by_handle);
        equal("leases", real.leases().collect(), live)?;
        for profile in (0..=real.table().profiles().len() as u32).map(ProfileId) {
            let stranded = real.stranded(profile).map(numbers_of);
            equal("stranded slices", stranded, model.stranded(profile))?;
            equal("fits", real.would_fit(profile), model.choose(profile).map(|_| ()))?;
        }
        Ok(())
    }
}

fn pick(leases: &[SliceLease], at: usize) -> Option<SliceLease> {
    leases.get(at.checked_rem(leases.len())?).copied()
}

fn renamed(lease: SliceLease, epoch: Epoch) -> SliceLease {
    let old = lease.handle();
    let handle = Handle::from_parts(old.pool(), old.index(), old.generation(), epoch);
    SliceLease::from_parts(lease.profile(), lease.slices(), handle)
}

/// The handle of another pool, or other slices or another profile under this one.
fn forged(lease: SliceLease, how: usize) -> SliceLease {
    let (profile, slices, handle) = (lease.profile(), lease.slices(), lease.handle());
    let other = PoolId(ID.0 + 1);
    let foreign = Handle::from_parts(other, handle.index(), handle.generation(), handle.epoch());
    match how {
        0 => SliceLease::from_parts(profile, slices, foreign),
        1 => SliceLease::from_parts(profile, locox::accelerator::SliceSet(!slices.0), handle),
        _ => SliceLease::from_parts(ProfileId(profile.0 ^ 1), slices, handle),
    }
}
