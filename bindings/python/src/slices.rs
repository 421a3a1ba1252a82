//! Pools of the slices of an accelerator.

use super::argument::{self, Profile};
use super::error::{Result, value};
use super::leases::leases;
use super::number::{list, shown};
use super::pool::next_id;
use super::shared::Shared;
use locox::accelerator::{
    ProfileId, SliceLease as KernelLease, SlicePool as KernelPool, SliceSet, Table,
};
use locox::subcube::Outage;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

const TABLES: [(&str, Table<'static>); 3] =
    [("a100", Table::A100), ("h100", Table::H100), ("a30", Table::A30)];

/// Slices by their numbers.
fn set_of(given: &Bound<'_, PyAny>) -> PyResult<SliceSet> {
    let slices = list("slices", given)?;
    slices.into_iter().try_fold(SliceSet::NONE, |set, slice| match u8::try_from(slice) {
        Ok(slice) if slice < SliceSet::MOST => Ok(set.with(SliceSet::run(slice, 1))),
        _ => Err(value!("slices is {}, and there is no slice {slice}", shown(given))),
    })
}

fn numbers_of(slices: SliceSet) -> Vec<u32> {
    (0..SliceSet::MOST).filter(|&slice| slices.contains(slice)).map(u32::from).collect()
}

impl SlicePool {
    fn profile(table: Table<'_>, name: &str) -> PyResult<ProfileId> {
        table.find(name).ok_or_else(|| {
            let known: Vec<_> = table.profiles().iter().map(|it| it.name).collect();
            value!("profile is {name:?}, and must be one of {}", known.join(", "))
        })
    }
}

leases! {
    /// Slices of one accelerator, granted and taken back, each where most stays possible for others.
    ///
    /// >>> pool = locox.SlicePool("a100")
    /// >>> pool.allocate("1g").slices
    /// [6]
    ///
    /// :param table: ``"a100"``, ``"h100"`` or ``"a30"``.
    SlicePool over KernelPool<'static>,
    /// Slices that a pool granted. As a context manager they are released at the end.
    SliceLease of KernelLease,
    taken: { slices: &Bound<'_, PyAny> } => set_of(slices)?, SliceSet,
    holds: |pool, lease| pool.leases().any(|live| live == lease),
    words: "slices", "", "them", "their",
    pool {
        #[new]
        #[pyo3(signature = (table="a100".into()), text_signature = "(table='a100')")]
        fn new(#[pyo3(from_py_with = argument::table)] table: String) -> Result<Self> {
            let found = TABLES.iter().find(|(name, _)| *name == table);
            let &(_, table) = found.ok_or_else(|| value!("table is {table:?}, and must be \"a100\", \"h100\" or \"a30\""))?;
            Ok(Self { it: Shared::new(KernelPool::new(next_id(), table)) })
        }

        /// Grants a profile, as ``"2g"``.
        ///
        /// :raises Refused: ``faulty``, ``too-few-free`` or ``fragmented``.
        fn allocate(this: &Bound<'_, Self>, profile: Profile) -> Result<SliceLease> {
            let mut pool = this.get().it.get()?;
            let profile = Self::profile(pool.table(), &profile.0)?;
            Ok(Self::lend(this, pool.allocate(profile)?))
        }

        /// Whether ``allocate`` would grant it now.
        fn fits(&self, profile: Profile) -> Result<bool> {
            let pool = self.it.get()?;
            Ok(pool.would_fit(Self::profile(pool.table(), &profile.0)?).is_ok())
        }

        /// Grants these very slices, one of the profile's placements.
        ///
        /// :raises Refused: ``not-free``.
        fn claim(this: &Bound<'_, Self>, profile: Profile, slices: &Bound<'_, PyAny>) -> Result<SliceLease> {
            let slices = set_of(slices)?;
            let mut pool = this.get().it.get()?;
            let profile = Self::profile(pool.table(), &profile.0)?;
            Ok(Self::lend(this, pool.claim(profile, slices)?))
        }

        /// The free slices that lie in no free placement of a profile.
        fn stranded(&self, profile: Profile) -> Result<Vec<u32>> {
            let pool = self.it.get()?;
            let profile = Self::profile(pool.table(), &profile.0)?;
            Ok(numbers_of(pool.stranded(profile).unwrap_or_default()))
        }

        /// The slices that a new lease may take.
        #[getter]
        fn free(&self) -> Result<Vec<u32>> {
            Ok(numbers_of(self.it.get()?.free()))
        }

        /// The profiles that may be asked for.
        #[getter]
        fn profiles(&self) -> Result<Vec<&'static str>> {
            Ok(self.it.get()?.table().profiles().iter().map(|it| it.name).collect())
        }

        fn __repr__(&self) -> Result<String> {
            let pool = self.it.get()?;
            let all = pool.table().slices();
            Ok(format!("<locox.SlicePool: {} of {all} slices free>", pool.free().len()))
        }
    }
    lease {
        /// Their numbers.
        #[getter]
        fn slices(&self) -> Vec<u32> {
            numbers_of(self.lease.slices())
        }

        /// What was asked for.
        #[getter]
        fn profile(&self) -> Result<&'static str> {
            let table = self.pool.get().it.get()?.table();
            Ok(table.profile(self.lease.profile()).map_or("", |it| it.name))
        }
    }
}
