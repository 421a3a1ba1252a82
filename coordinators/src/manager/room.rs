//! Room for jobs, at the expense of others.

use super::storage::{JobRow, State};
use super::tables::Tables;
use super::{Ranking, StopReason, UserId};
use locox::ground::Ref;
use locox::time::Instant;

/// Jobs for which room was made start, or wait on.
pub(super) fn settle(_: &mut Tables<'_>, _: Instant) {}

/// Makes room for one job; whether there is one more.
pub(super) fn make(_: &mut Tables<'_>, _: Instant) -> bool {
    false
}

/// Whether a job that runs was told that it will be stopped.
pub(super) fn is_noticed(it: &Tables<'_>, row: u32) -> bool {
    let JobRow { state, yields_to, .. } = *it.row(row);
    state == State::Runs && yields_to != Ref::NONE
}

fn beneficiary<'t>(it: &'t Tables<'_>, row: u32) -> &'t JobRow {
    it.row(it.row(row).yields_to.get().unwrap_or(u32::MAX))
}

/// When a job that was told so is stopped.
pub(super) fn stop_at(it: &Tables<'_>, row: u32) -> Instant {
    beneficiary(it, row).since
}

/// Why a job is stopped.
pub(super) fn why(it: &Tables<'_>, row: u32) -> StopReason {
    let of = beneficiary(it, row);
    let (job, of) = (of.key, UserId(it.users.row(of.user).id));
    match it.config.ranking {
        Ranking::Users => StopReason::Turn { of, job },
        Ranking::Priority => StopReason::Priority { of, job },
    }
}
