//! The coordinator of a cluster whose hosts run several parallel jobs, and its part on a host.

mod host;
mod host_values;
mod values;

pub use host::*;
pub use host_values::*;
pub use values::*;

use crate::coordinate::{self, locox_place, locox_record};
use crate::interface::interface;
use crate::memory::*;
use crate::placing::{Placing, locox_placing, v1, v2, v3};
use crate::time::at;
use crate::timeshare::levels_of;
use core::ffi::c_void;
use locox::cluster::{Cluster, Columns, Config, JobRow, words};
use locox::coordinate::Durable;
use locox::handle::PoolId;
use locox::timeshare::{self, Entry, HostRow, Placement};

/// Words of storage for a coordinator of so many hosts and levels; zero for levels out of range (1 to
/// 8). `LOCOX_CLUSTER_WORDS` is the same as a constant.
#[unsafe(no_mangle)]
pub extern "C" fn locox_cluster_words(hosts: usize, levels: u32) -> usize {
    levels_of(levels).map_or(0, |levels| words(hosts, levels))
}

interface! {
    /// Writes parameters to start from to `config`.
    fn locox_cluster_standard(config: *mut locox_cluster_config) {
        out(config)?.put(Config::new(PoolId(0)))
    }
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
    cluster: *mut locox_cluster,
    (config, levels, rows, now): Start,
    placement: Placing,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (place, config, rows) = (place(cluster)?, config_of(&input(config)?)?, input(rows)?);
        let levels = levels_of(levels)?;
        placement.check(levels)?;
        let (hosts, jobs) = (rows.host_count, rows.job_count);
        let entries = hosts.saturating_mul(levels.into());
        let entries = any_storage(rows.entries, rows.entry_count, entries)?.first(entries);
        let words = crate::memory::words(rows.words, rows.word_count, words(hosts, levels))?;
        let hosts = any_storage(rows.hosts, hosts, hosts)?;
        let placed = any_storage(rows.placed, jobs, jobs)?;
        let jobs = any_storage(rows.jobs, jobs, jobs)?;
        let columns = Columns {
            entries: entries.cleared(Entry::EMPTY),
            hosts: hosts.cleared(HostRow::EMPTY),
            jobs: jobs.cleared(JobRow::EMPTY),
            placed: placed.cleared(timeshare::JobRow::EMPTY),
            words: words.cleared(0),
        };
        let cluster = Cluster::new(config, placement, levels, columns, at(now))?;
        place.start(Durable::new(cluster))
    }
}

interface! {
    /// Starts a coordinator of which no host has reported, with so many levels (1 to 8) a host, that gives
    /// a job the most urgent level that is free on enough hosts. Of `placing` the degree is looked at, and
    /// `shuffled`.
    fn locox_cluster_start_v1(
        cluster: *mut locox_cluster, config: *const locox_cluster_config,
        placing: *const locox_placing, levels: u32, rows: *const locox_cluster_rows,
        now: u64; detail
    ) {
        start_with(cluster, (config, levels, rows, now), v1(&input(placing)?)?)
    }

    /// As `locox_cluster_start_v1`, among hosts that are not busy. Of `placing` all but its kind and `settled` is looked at.
    fn locox_cluster_start_v2(
        cluster: *mut locox_cluster, config: *const locox_cluster_config,
        placing: *const locox_placing, levels: u32, rows: *const locox_cluster_rows,
        now: u64; detail
    ) {
        start_with(cluster, (config, levels, rows, now), v2(&input(placing)?)?)
    }

    /// As `locox_cluster_start_v1`, on idle hosts, then on hosts of one owner that are not busy, below all others: the one to
    /// start from. Of `placing` all but its kind and `shuffled` is looked at.
    fn locox_cluster_start_v3(
        cluster: *mut locox_cluster, config: *const locox_cluster_config,
        placing: *const locox_placing, levels: u32, rows: *const locox_cluster_rows,
        now: u64; detail
    ) {
        start_with(cluster, (config, levels, rows, now), v3(&input(placing)?)?)
    }

    /// Takes note of what happened at `now`, and does whatever was due by then. `draw` is for placements by
    /// lot. `job`, which may be null, is written for `LOCOX_CLUSTER_SUBMIT`. `record`, which may be null,
    /// is to be stored before an effect is taken, by who keeps a history.
    ///
    /// Refused as `LOCOX_FULL` or `LOCOX_TOO_LARGE`. Afterwards, see `locox_cluster_take_effect`.
    fn locox_cluster_hear(
        cluster: *mut locox_cluster, now: u64, command: *const locox_cluster_command, draw: u32,
        job: *mut locox_handle, record: *mut locox_record; detail
    ) {
        let command = command_of(&input(command)?)?;
        let drawn = |it: &Cluster<'_, Placing>| it.placement().look().drawn(draw);
        coordinate::hear_of_job(cluster, now, command, drawn, (job, record))
    }

    /// The next thing to be done; `LOCOX_NONE` when everything is. To be called after each command until
    /// then. A host is told all that it is to run, one job at a time, from the most urgent on.
    fn locox_cluster_take_effect(cluster: *mut locox_cluster, effect: *mut locox_cluster_effect) {
        coordinate::take(cluster, effect)
    }

    /// The effect that `locox_cluster_take_effect` will take, for callers that must find room first.
    fn locox_cluster_peek_effect(cluster: *const locox_cluster, effect: *mut locox_cluster_effect) {
        coordinate::peek(cluster, effect)
    }

    /// Where a job is.
    fn locox_cluster_status_of(
        cluster: *const locox_cluster, job: *const locox_handle, status: *mut locox_cluster_status
    ) {
        get(cluster, status, |it| Ok(it.coordinator().status(input(job)?.into())?))
    }

    /// The latest time given.
    fn locox_cluster_now(cluster: *const locox_cluster, now: *mut u64) {
        get(cluster, now, |it| Ok(it.now().ticks()))
    }

    /// When to say `LOCOX_CLUSTER_TICK` if nothing happens before; `LOCOX_NONE` if there is nothing to wait for.
    fn locox_cluster_wake_at(cluster: *const locox_cluster, time: *mut u64) {
        coordinate::wake_at(cluster, time)
    }

    /// How far it is: commands heard, and the number of the effect that was taken last.
    fn locox_cluster_place(cluster: *const locox_cluster, place: *mut locox_place) {
        get(cluster, place, |it| Ok(it.place()))
    }

    /// Writes an image of the coordinator, and how many words it has to `written`. `LOCOX_TOO_SHORT` says
    /// how many there must be; what is in `image` is of no use then. The records before it are of no use
    /// any more.
    fn locox_cluster_export(
        cluster: *const locox_cluster, image: *mut u32, len: usize, written: *mut usize; detail
    ) {
        coordinate::export(cluster, (image, len), written)
    }

    /// Goes on from an image of a coordinator of the same configuration and as many rows, without records;
    /// everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
    fn locox_cluster_restore(cluster: *mut locox_cluster, image: *const u32, len: usize) {
        coordinate::load(cluster, (image, len), true)
    }

    /// As `locox_cluster_restore`, for a history: `locox_cluster_replay` of the records behind the image follows, and
    /// then `locox_cluster_tell_again`.
    fn locox_cluster_load(cluster: *mut locox_cluster, image: *const u32, len: usize) {
        coordinate::load(cluster, (image, len), false)
    }

    /// Takes a command from its record. `told`, which may be null, is called for each effect that was taken
    /// before it. `is_new`, which may be null, is 0 for a record from before the image, which changes
    /// nothing.
    ///
    /// `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may have
    /// been taken.
    fn locox_cluster_replay(
        cluster: *mut locox_cluster, record: *const locox_record, told: locox_cluster_effect_fn,
        user: *mut c_void, is_new: *mut u32; detail
    ) {
        coordinate::replay(cluster, record, told, user, is_new)
    }

    /// After a restart: everybody is told again what he should be doing. `record`, which may be null, is to
    /// be stored before an effect is taken, by who keeps a history.
    fn locox_cluster_tell_again(cluster: *mut locox_cluster, record: *mut locox_record) {
        coordinate::resync(cluster, record)
    }

    /// Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
    fn locox_cluster_check(cluster: *const locox_cluster) {
        of(cluster, |it| Ok(it.coordinator().check_invariants()?))
    }
}
