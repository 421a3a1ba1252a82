//! The coordinator of a cluster whose hosts run several parallel jobs, and its part on a host.

mod host;
mod host_values;
mod queueing;
mod values;

pub use host::*;
pub use host_values::*;
pub use queueing::*;
pub use values::*;

use crate::coordinate::{apply_for_job, coordinator, locox_record};
use crate::placing::{
    Placing, first_calm_level, first_level, locox_placing, non_interfering, placing_of,
};
use crate::prelude::*;
use crate::timeshare::levels_of;
use locox::timeshare::{self, Entry, HostId, HostRow, Placement};
use locox_coordinators::cluster::{Columns, Config, Coordinator, JobRow, words};

plain! {
    /// Words of storage for a coordinator of so many hosts and levels; zero for levels out of range (1 to
    /// 8). `LOCOX_CLUSTER_WORDS` is the same as a constant.
    fn locox_cluster_words(hosts: usize, levels: u32) -> usize {
        levels_of(levels).map_or(0, |levels| words(hosts, levels))
    }

    /// Words of storage more for so many sets of hosts, and if `memory` is not zero for that of hosts.
    /// `LOCOX_CLUSTER_MORE_WORDS` is the same as a constant.
    fn locox_cluster_more_words(hosts: usize, sets: u16, memory: u32) -> usize {
        let plain = Config::new(PoolId(0));
        Config { sets, memory: memory != 0, ..plain }.words(hosts, 1) - plain.words(hosts, 1)
    }
}

interface! {
    /// Writes parameters to start from to `config`.
    fn locox_cluster_standard(config: *mut locox_cluster_config) { out(config)?.put(Config::new(PoolId(0))) }
}

/// What a coordinator is started with, besides its placement.
type Start = (*const locox_cluster_config, u32, *const locox_cluster_rows, u64);

/// Starts a coordinator over rows that are checked before any of them is touched, as is all that the
/// caller says.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn start_with(
    (config, levels, rows, now): Start,
    placement: Placing,
    queueing: Queueing,
) -> Answer<values::Body> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (config, rows) = (config_of(input(config)?)?, input(rows)?);
        let levels = levels_of(levels)?;
        placement.check(levels)?;
        let (hosts, jobs) = (rows.host_count, rows.job_count);
        let entries = hosts.saturating_mul(levels.into());
        let columns = columns! { Columns:
            entries: any_storage(rows.entries, rows.entry_count, entries)? => Entry::EMPTY,
            words: words_in(rows.words, rows.word_count, config.words(hosts, levels))? => 0,
            hosts: any_storage(rows.hosts, hosts, hosts)? => HostRow::EMPTY,
            placed: any_storage(rows.placed, jobs, jobs)? => timeshare::JobRow::EMPTY,
            jobs: any_storage(rows.jobs, jobs, jobs)? => JobRow::EMPTY,
        };
        let rules = (placement, queueing);
        Ok(Durable::new(Coordinator::with_discipline(config, levels, columns(), rules, at(now))?))
    }
}

methods! { cluster: locox_cluster |it| it.coordinator() =>
    /// Starts a coordinator of which no host has reported, with so many levels (1 to 8) a host, that
    /// gives a job the most urgent level that is free on enough hosts. Of `placing` the degree is looked
    /// at, and `shuffled`.
    start fn locox_cluster_start_first_level(
        config: *const locox_cluster_config, placing: *const locox_placing, levels: u32,
        rows: *const locox_cluster_rows, now: u64
    ) -> (; detail) { start_with((config, levels, rows, now), first_level(&input(placing)?)?, fcfs())? }

    /// As `locox_cluster_start_first_level`, among hosts that are not busy. Of `placing` all but its
    /// kind and `settled` is looked at.
    start fn locox_cluster_start_first_calm_level(
        config: *const locox_cluster_config, placing: *const locox_placing, levels: u32,
        rows: *const locox_cluster_rows, now: u64
    ) -> (; detail) { start_with((config, levels, rows, now), first_calm_level(&input(placing)?)?, fcfs())? }

    /// As `locox_cluster_start_first_level`, on idle hosts, then on hosts of one owner that are not
    /// busy, below all others: the one to start from. Of `placing` all but its kind and `shuffled` is
    /// looked at.
    start fn locox_cluster_start_non_interfering(
        config: *const locox_cluster_config, placing: *const locox_placing, levels: u32,
        rows: *const locox_cluster_rows, now: u64
    ) -> (; detail) { start_with((config, levels, rows, now), non_interfering(&input(placing)?)?, fcfs())? }

    /// As those, with the placement that `placing` says by its kind, for a queue in the order of a
    /// discipline. A program that calls it links all placements and disciplines.
    start fn locox_cluster_start_ordered(
        config: *const locox_cluster_config, placing: *const locox_placing, discipline: *const locox_discipline,
        levels: u32, rows: *const locox_cluster_rows, now: u64
    ) -> (; detail) {
        let queueing = queueing_of(&input(discipline)?)?;
        start_with((config, levels, rows, now), placing_of(&input(placing)?)?, queueing)?
    }

    /// Takes note of what happened at `now`, and does whatever was due by then. `draw` is for placements
    /// by lot. `job`, which may be null, is written for `LOCOX_CLUSTER_SUBMIT`. `record`, which may be
    /// null, is to be stored before an effect is taken, by who keeps a history.
    ///
    /// Refused as `LOCOX_FULL`, `LOCOX_TOO_LARGE` or `LOCOX_UNSUITED`. Afterwards, see `locox_cluster_take_effect`.
    raw_act fn locox_cluster_apply(
        now: u64, command: *const locox_cluster_command, draw: u32, job: *mut locox_handle, record: *mut locox_record
    ) -> (; detail) {
        let drawn = |it: &Coordinator<'_, Placing, Queueing>| it.placement().look().drawn(draw);
        apply_for_job(cluster, now, command_of(input(command)?)?, drawn, (job, record))
    }

    /// Where a job is.
    look fn locox_cluster_status_of(job: *const locox_handle) -> (status: locox_cluster_status) {
        it.status(job.into())?
    }

    /// The terms of a job.
    look fn locox_cluster_terms_of(job: *const locox_handle) -> (terms: locox_cluster_terms) { it.terms(job.into())? }

    /// Whether a host is in a set: 1 or 0.
    look fn locox_cluster_is_named(set: u16, host: u32) -> (is_named: u32) { it.set(set).any(|one| one.0 == host) }

    /// How much memory a host has for jobs, as was told.
    look fn locox_cluster_memory_of(host: u32) -> (memory: u32) { it.memory(HostId(host)) }

    /// When to say `LOCOX_CLUSTER_TICK` if nothing happens before; `LOCOX_NONE` if there is nothing to
    /// wait for.
    look fn locox_cluster_wake_at() -> (time: u64) { it.wake_at().ok_or(LOCOX_NONE)? }
}

coordinator! {
    locox_cluster, locox_cluster_effect, locox_cluster_effect_fn:
    locox_cluster_take_effect, locox_cluster_peek_effect, locox_cluster_now, locox_cluster_place,
    locox_cluster_export, locox_cluster_restore, locox_cluster_load, locox_cluster_replay,
    locox_cluster_resync, locox_cluster_check
}
