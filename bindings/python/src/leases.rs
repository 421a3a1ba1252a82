//! What pools do alike: leases that are granted and taken back, outages, iteration.

/// The classes of a pool and of its leases, with what both have besides.
///
/// - `taken` is an argument of Python's, and the set of the kernel's that it is.
/// - `each` visits all leases, and `holds` says whether a lease is live.
/// - The words are for sentences: what goes out of service, in which order leases come, what a lease is.
macro_rules! leases {
    (
        $(#[$pool_doc:meta])* $Pool:ident over $Inner:ty,
        $(#[$lease_doc:meta])* $Lease:ident of $KernelLease:ty,
        taken: { $($taken:tt)* } => $set:expr,
        each: |$all:ident, $visit:ident| $each:expr,
        holds: |$pool:ident, $held:ident| $holds:expr,
        words: $things:literal, $order:literal, $it:literal, $its:literal,
        pool { $($of_pool:tt)* }
        lease { $($of_lease:tt)* }
    ) => {
        $(#[$pool_doc])*
        #[pyclass(frozen, module = "locox")]
        pub(crate) struct $Pool {
            it: Shared<$Inner>,
        }

        impl $Pool {
            fn lend(this: &Bound<'_, Self>, lease: $KernelLease) -> $Lease {
                $Lease { pool: this.clone().unbind(), lease }
            }

            fn leases(this: &Bound<'_, Self>) -> PyResult<Vec<$Lease>> {
                let mut leases = vec![];
                let $visit = &mut |lease| leases.push(Self::lend(this, lease));
                let $all = this.get().it.get()?;
                $each;
                drop($all);
                Ok(leases)
            }
        }

        #[pymethods]
        impl $Pool {
            $($of_pool)*

            /// Takes a lease back.
            ///
            /// :raises Misused: ``stale`` if it was released before, ``foreign`` if it is another pool's.
            fn release(&self, py: Python<'_>, lease: &Bound<'_, PyAny>) -> PyResult<()> {
                let lease = argument::object::<$Lease>("lease", lease)?.get().lease;
                let done = self.it.get()?.release(lease);
                done.map_err(|bad| of_handle(py, "lease", "pool", &bad))
            }

            #[doc = concat!("Takes ", $things, " out of service that broke; returns the leases that they hit, which go on.")]
            fn fail(this: &Bound<'_, Self>, $($taken)*) -> PyResult<Vec<$Lease>> {
                let mut hit = vec![];
                let done = this.get().it.get()?.withdraw($set, Outage::Failed, &mut |lease| hit.push(Self::lend(this, lease)));
                done.map(|()| hit).map_err(|bad| misused(this.py(), &bad))
            }

            #[doc = concat!("As ``fail``, for ", $things, " that shall do no new work.")]
            fn drain(this: &Bound<'_, Self>, $($taken)*) -> PyResult<Vec<$Lease>> {
                let mut hit = vec![];
                let done = this.get().it.get()?.withdraw($set, Outage::Drained, &mut |lease| hit.push(Self::lend(this, lease)));
                done.map(|()| hit).map_err(|bad| misused(this.py(), &bad))
            }

            #[doc = concat!("Puts ", $things, " back into service.")]
            fn repair(&self, py: Python<'_>, $($taken)*) -> PyResult<()> {
                self.it.get()?.repair($set).map_err(|bad| misused(py, &bad))
            }

            /// How many leases there are.
            fn __len__(this: &Bound<'_, Self>) -> PyResult<usize> {
                Ok(Self::leases(this)?.len())
            }

            /// A pool without leases is no empty one.
            fn __bool__(&self) -> bool {
                true
            }

            #[doc = concat!("The leases", $order, ".")]
            fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
                Self::leases(this)?.into_pyobject(this.py())?.try_iter()
            }

            fn __contains__(this: &Bound<'_, Self>, lease: &Bound<'_, PyAny>) -> PyResult<bool> {
                let Ok(lease) = lease.cast::<$Lease>() else { return Ok(false) };
                let ($pool, $held) = (this.get().it.get()?, lease.get().lease);
                Ok($holds)
            }
        }

        $(#[$lease_doc])*
        #[pyclass(frozen, module = "locox")]
        pub(crate) struct $Lease {
            pool: Py<$Pool>,
            lease: $KernelLease,
        }

        #[pymethods]
        impl $Lease {
            $($of_lease)*

            #[getter]
            fn pool(&self, py: Python<'_>) -> Py<$Pool> {
                self.pool.clone_ref(py)
            }

            #[doc = concat!("Gives ", $it, " back to ", $its, " pool.")]
            fn release(&self, py: Python<'_>) -> PyResult<()> {
                let done = self.pool.get().it.get()?.release(self.lease);
                done.map_err(|bad| of_handle(py, "lease", "pool", &bad))
            }

            fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
                this
            }

            #[doc = concat!("Releases ", $it, ", unless that was done within.")]
            #[pyo3(signature = (*_raised))]
            fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<bool> {
                match self.pool.get().it.get()?.release(self.lease) {
                    Ok(()) | Err(locox::handle::Misuse::Stale) => Ok(false),
                    Err(bad) => Err(of_handle(py, "lease", "pool", &bad)),
                }
            }

            fn __eq__(&self, other: &Self) -> bool {
                self.lease == other.lease
            }

            fn __hash__(&self) -> u64 {
                $crate::shared::hash(self.lease.handle())
            }

            fn __repr__(&self) -> String {
                format!("<locox.{} {}>", stringify!($Lease), self.lease)
            }
        }
    };
}
pub(crate) use leases;
