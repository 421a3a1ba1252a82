//! What pools do alike: leases that are granted and taken back, outages, iteration.

/// The classes of a pool and of its leases, with what both have besides.
///
/// - `taken` is an argument of Python's, and the set of the kernel's that it is, with its type.
/// - `holds` says whether a lease is live.
/// - The words are for sentences: what goes out of service, in which order leases come, what a lease is.
macro_rules! leases {
    (
        $(#[$pool_doc:meta])* $Pool:ident over $Inner:ty,
        $(#[$lease_doc:meta])* $Lease:ident of $KernelLease:ty,
        taken: { $($taken:tt)* } => $set:expr, $Set:ty,
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

            fn withdraw(this: &Bound<'_, Self>, taken: $Set, why: Outage) -> Result<Vec<$Lease>> {
                let mut hit = vec![];
                this.get().it.get()?.withdraw(taken, why, &mut |lease| hit.push(Self::lend(this, lease)))?;
                Ok(hit)
            }

            fn leases(this: &Bound<'_, Self>) -> Result<Vec<$Lease>> {
                let pool = this.get().it.get()?;
                Ok(pool.leases().map(|lease| Self::lend(this, lease)).collect())
            }
        }

        #[pymethods]
        impl $Pool {
            $($of_pool)*

            /// Takes a lease back.
            ///
            /// :raises Misused: ``stale`` if it was released before, ``foreign`` if it is another pool's.
            fn release(&self, lease: &Bound<'_, PyAny>) -> Result<()> {
                let lease = argument::object::<$Lease>("lease", lease)?.get().lease;
                Ok(self.it.get()?.release(lease)?)
            }

            #[doc = concat!("Takes ", $things, " out of service that broke; returns the leases that they hit, which go on.")]
            fn fail(this: &Bound<'_, Self>, $($taken)*) -> Result<Vec<$Lease>> {
                Self::withdraw(this, $set, Outage::Failed)
            }

            #[doc = concat!("As ``fail``, for ", $things, " that shall do no new work.")]
            fn drain(this: &Bound<'_, Self>, $($taken)*) -> Result<Vec<$Lease>> {
                Self::withdraw(this, $set, Outage::Drained)
            }

            #[doc = concat!("Puts ", $things, " back into service.")]
            fn repair(&self, $($taken)*) -> Result<()> {
                Ok(self.it.get()?.repair($set)?)
            }

            /// How many leases there are.
            fn __len__(this: &Bound<'_, Self>) -> Result<usize> {
                Ok(Self::leases(this)?.len())
            }

            /// A pool without leases is no empty one.
            fn __bool__(&self) -> bool {
                true
            }

            #[doc = concat!("The leases", $order, ".")]
            fn __iter__<'py>(this: &Bound<'py, Self>) -> Result<Bound<'py, PyIterator>> {
                Ok(Self::leases(this)?.into_pyobject(this.py())?.try_iter()?)
            }

            fn __contains__(this: &Bound<'_, Self>, lease: &Bound<'_, PyAny>) -> Result<bool> {
                let Ok(lease) = lease.cast::<$Lease>() else { return Ok(false) };
                let ($pool, $held) = (this.get().it.get()?, lease.get().lease);
                Ok($holds)
            }
        }

        $(#[$lease_doc])*
        #[pyclass(frozen, module = "locox")]
        pub(crate) struct $Lease {
            #[pyo3(get)]
            pool: Py<$Pool>,
            lease: $KernelLease,
        }

        #[pymethods]
        impl $Lease {
            $($of_lease)*

            #[doc = concat!("Gives ", $it, " back to ", $its, " pool.")]
            fn release(&self) -> Result<()> {
                Ok(self.pool.get().it.get()?.release(self.lease)?)
            }

            fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
                this
            }

            #[doc = concat!("Releases ", $it, ", unless that was done within.")]
            #[pyo3(signature = (*_raised))]
            fn __exit__(&self, _raised: &Bound<'_, pyo3::types::PyTuple>) -> Result<bool> {
                match self.pool.get().it.get()?.release(self.lease) {
                    Ok(()) | Err(locox::handle::Misuse::Stale) => Ok(false),
                    Err(bad) => Err(bad.into()),
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
