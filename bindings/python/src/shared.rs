//! Structures that one call at a time may use.

use super::error::Misused;
use locox::handle::Handle;
use pyo3::PyResult;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// A structure of the kernel in an object of Python's.
pub(crate) struct Shared<T>(Mutex<T>);

impl<T> Shared<T> {
    pub(crate) fn new(it: T) -> Self {
        Self(Mutex::new(it))
    }

    /// For the time of a call.
    ///
    /// # Errors
    ///
    /// `Misused` while another call is going on: another thread's, or one that asks the caller something.
    pub(crate) fn get(&self) -> PyResult<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(it) => Ok(it),
            Err(TryLockError::Poisoned(it)) => Ok(it.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Misused::new_err(
                "it is in use by another thread, or by a call that has not returned",
            )),
        }
    }
}

/// Of what has a name in the kernel.
pub(crate) fn hash(name: Handle) -> u64 {
    u64::from(name.index()) << 32 | u64::from(name.generation().raw())
}
