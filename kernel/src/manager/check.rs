//! The coordinator's invariants, recomputed.

use super::storage::{Flag, JobRow, State};
use super::tables::Tables;
use super::users::name_of;
use crate::dispatch::{Job, Queue, Standing};
use crate::heap;
use crate::invariant::{InvariantViolation, ensure};
use crate::list::Ref;

/// Checks every invariant named at the struct.
pub(super) fn check(it: &Tables<'_>) -> Result<(), InvariantViolation> {
    it.queue.check_invariants()?;
    it.users.lists.slab.check(&*it.users.rows)?;
    it.users.fair.check_invariants()?;
    Ok(())
}
