//! Counts word operations, for the tests that hold them against the bounds in the documentation.
//!
//! What reads or changes words of a pool, or looks at cells of a table of times, says here how many;
//! in all builds but tests that is nothing.

#[cfg(not(test))]
#[inline(always)]
pub(crate) const fn add(_: usize) {}

/// A call whose operations do not count: one that only a debug build makes.
#[cfg(not(test))]
#[inline(always)]
pub(crate) fn uncounted<R>(call: impl FnOnce() -> R) -> R {
    call()
}

#[cfg(test)]
pub(crate) use counted::{add, during, uncounted};

#[cfg(test)]
mod counted {
    extern crate std;
    use core::cell::Cell;

    std::thread_local! {
        static OPERATIONS: Cell<u64> = const { Cell::new(0) };
    }

    pub(crate) fn add(operations: usize) {
        OPERATIONS.set(OPERATIONS.get() + operations as u64);
    }

    pub(crate) fn uncounted<R>(call: impl FnOnce() -> R) -> R {
        let before = OPERATIONS.get();
        let answer = call();
        OPERATIONS.set(before);
        answer
    }

    /// Word operations of a call.
    pub(crate) fn during<R>(call: impl FnOnce() -> R) -> u64 {
        let before = OPERATIONS.get();
        let _answer = call();
        OPERATIONS.get() - before
    }
}
