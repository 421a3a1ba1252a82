//! Pools of the slices of an accelerator.

use super::argument;
use super::error::{fault, misused, of_handle, refused, value};
use super::number::{list, shown};
use super::pool::next_id;
use super::shared::Shared;
use locox::accelerator::{
    ProfileId, SliceLease as KernelLease, SlicePool as KernelPool, SliceSet, Table,
};
use locox::handle::Misuse;
use locox::subcube::Outage;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

/// Slices of one accelerator, granted and taken back, each where most stays possible for others.
///
/// >>> pool = locox.SlicePool("a100")
/// >>> pool.allocate("1g").slices
/// [6]
///
/// :param table: ``"a100"``, ``"h100"`` or ``"a30"``.
#[pyclass(frozen, module = "locox")]
pub(crate) struct SlicePool {
    it: Shared<KernelPool<'static>>,
}

const TABLES: [(&str, Table<'static>); 3] =
    [("a100", Table::A100), ("h100", Table::H100), ("a30", Table::A30)];

/// Slices by their numbers.
fn set_of(given: &Bound<'_, PyAny>) -> PyResult<SliceSet> {
    let slices = list("slices", given)?;
    slices.into_iter().try_fold(SliceSet::NONE, |set, slice| match u8::try_from(slice) {
        Ok(slice) if slice < SliceSet::MOST => Ok(set.with(SliceSet::run(slice, 1))),
        _ => Err(value(format!("slices is {}, and there is no slice {slice}", shown(given)))),
    })
}

fn numbers_of(slices: SliceSet) -> Vec<u32> {
    (0..SliceSet::MOST).filter(|&slice| slices.contains(slice)).map(u32::from).collect()
}

impl SlicePool {
    fn profile(table: Table<'_>, name: &str) -> PyResult<ProfileId> {
        table.find(name).ok_or_else(|| {
            let known: Vec<_> = table.profiles().iter().map(|it| it.name).collect();
            value(format!("profile is {name:?}, and must be one of {}", known.join(", ")))
        })
    }

    fn lend(this: &Bound<'_, Self>, lease: KernelLease) -> SliceLease {
        SliceLease { pool: this.clone().unbind(), lease }
    }

    fn withdraw(
        this: &Bound<'_, Self>,
        slices: &Bound<'_, PyAny>,
        outage: Outage,
    ) -> PyResult<Vec<SliceLease>> {
        let slices = set_of(slices)?;
        let mut hit = vec![];
        let done = this
            .get()
            .it
            .get()?
            .withdraw(slices, outage, |lease| hit.push(Self::lend(this, lease)));
        done.map_err(|bad| misused(this.py(), &bad))?;
        Ok(hit)
    }
}

#[pymethods]
impl SlicePool {
    #[new]
    #[pyo3(signature = (table="a100".into()), text_signature = "(table='a100')")]
    fn new(#[pyo3(from_py_with = argument::table)] table: String) -> PyResult<Self> {
        let found = TABLES.iter().find(|(name, _)| *name == table);
        let &(_, table) = found.ok_or_else(|| {
            value(format!("table is {table:?}, and must be \"a100\", \"h100\" or \"a30\""))
        })?;
        Ok(Self { it: Shared::new(KernelPool::new(next_id(), table)) })
    }

    /// Grants a profile, as ``"2g"``.
    ///
    /// :raises Refused: ``faulty``, ``too-few-free`` or ``fragmented``.
    fn allocate(
        this: &Bound<'_, Self>,
        #[pyo3(from_py_with = argument::profile)] profile: String,
    ) -> PyResult<SliceLease> {
        let mut pool = this.get().it.get()?;
        let profile = Self::profile(pool.table(), &profile)?;
        let lease = pool.allocate(profile).map_err(|no| refused(this.py(), &no))?;
        Ok(Self::lend(this, lease))
    }

    /// Whether ``allocate`` would grant it now.
    fn fits(&self, #[pyo3(from_py_with = argument::profile)] profile: String) -> PyResult<bool> {
        let pool = self.it.get()?;
        Ok(pool.would_fit(Self::profile(pool.table(), &profile)?).is_ok())
    }

    /// Grants these very slices, one of the profile's placements.
    ///
    /// :raises Refused: ``not-free``.
    fn claim(
        this: &Bound<'_, Self>,
        #[pyo3(from_py_with = argument::profile)] profile: String,
        slices: &Bound<'_, PyAny>,
    ) -> PyResult<SliceLease> {
        let slices = set_of(slices)?;
        let mut pool = this.get().it.get()?;
        let profile = Self::profile(pool.table(), &profile)?;
        let lease = pool.claim(profile, slices).map_err(|no| fault(this.py(), &no))?;
        Ok(Self::lend(this, lease))
    }

    /// Takes a lease back.
    ///
    /// :raises Misused: ``stale`` if it was released before, ``foreign`` if it is another pool's.
    fn release(&self, py: Python<'_>, lease: &Bound<'_, PyAny>) -> PyResult<()> {
        let lease = argument::object::<SliceLease>("lease", lease)?.get().lease;
        self.it.get()?.release(lease).map_err(|bad| of_handle(py, "lease", "pool", &bad))
    }

    /// Takes slices out of service that broke; returns the leases that they hit, which go on.
    fn fail(this: &Bound<'_, Self>, slices: &Bound<'_, PyAny>) -> PyResult<Vec<SliceLease>> {
        Self::withdraw(this, slices, Outage::Failed)
    }

    /// As ``fail``, for slices that shall do no new work.
    fn drain(this: &Bound<'_, Self>, slices: &Bound<'_, PyAny>) -> PyResult<Vec<SliceLease>> {
        Self::withdraw(this, slices, Outage::Drained)
    }

    /// Puts slices back into service.
    fn repair(&self, py: Python<'_>, slices: &Bound<'_, PyAny>) -> PyResult<()> {
        let slices = set_of(slices)?;
        self.it.get()?.repair(slices).map_err(|bad| misused(py, &bad))
    }

    /// The free slices that lie in no free placement of a profile.
    fn stranded(
        &self,
        #[pyo3(from_py_with = argument::profile)] profile: String,
    ) -> PyResult<Vec<u32>> {
        let pool = self.it.get()?;
        let profile = Self::profile(pool.table(), &profile)?;
        Ok(numbers_of(pool.stranded(profile).unwrap_or_default()))
    }

    /// The slices that a new lease may take.
    #[getter]
    fn free(&self) -> PyResult<Vec<u32>> {
        Ok(numbers_of(self.it.get()?.free()))
    }

    /// The profiles that may be asked for.
    #[getter]
    fn profiles(&self) -> PyResult<Vec<&'static str>> {
        Ok(self.it.get()?.table().profiles().iter().map(|it| it.name).collect())
    }

    /// How many leases there are.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.it.get()?.leases().count())
    }

    /// A pool without leases is no empty one.
    fn __bool__(&self) -> bool {
        true
    }

    /// The leases.
    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let leases: Vec<_> =
            this.get().it.get()?.leases().map(|lease| Self::lend(this, lease)).collect();
        leases.into_pyobject(this.py())?.try_iter()
    }

    fn __contains__(this: &Bound<'_, Self>, lease: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(lease) = lease.cast::<SliceLease>() else { return Ok(false) };
        let lease = lease.get().lease;
        Ok(this.get().it.get()?.leases().any(|live| live == lease))
    }

    fn __repr__(&self) -> PyResult<String> {
        let pool = self.it.get()?;
        let all = pool.table().slices();
        Ok(format!("<locox.SlicePool: {} of {all} slices free>", pool.free().len()))
    }
}

/// Slices that a pool granted. As a context manager they are released at the end.
#[pyclass(frozen, module = "locox")]
pub(crate) struct SliceLease {
    pool: Py<SlicePool>,
    lease: KernelLease,
}

#[pymethods]
impl SliceLease {
    /// Their numbers.
    #[getter]
    fn slices(&self) -> Vec<u32> {
        numbers_of(self.lease.slices())
    }

    /// What was asked for.
    #[getter]
    fn profile(&self) -> PyResult<&'static str> {
        let table = self.pool.get().it.get()?.table();
        Ok(table.profile(self.lease.profile()).map_or("", |it| it.name))
    }

    #[getter]
    fn pool(&self, py: Python<'_>) -> Py<SlicePool> {
        self.pool.clone_ref(py)
    }

    /// Gives them back to their pool.
    fn release(&self, py: Python<'_>) -> PyResult<()> {
        let done = self.pool.get().it.get()?.release(self.lease);
        done.map_err(|bad| of_handle(py, "lease", "pool", &bad))
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    /// Releases them, unless that was done within.
    #[pyo3(signature = (*_raised))]
    fn __exit__(
        &self,
        py: Python<'_>,
        _raised: &Bound<'_, pyo3::types::PyTuple>,
    ) -> PyResult<bool> {
        match self.pool.get().it.get()?.release(self.lease) {
            Ok(()) | Err(Misuse::Stale) => Ok(false),
            Err(bad) => Err(of_handle(py, "lease", "pool", &bad)),
        }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.lease == other.lease
    }

    fn __hash__(&self) -> u64 {
        let handle = self.lease.handle();
        u64::from(handle.index()) << 32 | u64::from(handle.generation().raw())
    }

    fn __repr__(&self) -> String {
        format!("<locox.SliceLease {}>", self.lease)
    }
}
