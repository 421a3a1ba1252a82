//! The coordinator of a machine whose hosts do not talk: a resource manager starts its jobs.

mod values;

pub use values::*;

use crate::coordinate::{coordinator, locox_record};
use crate::prelude::*;
use crate::profile::locox_profile;
use crate::timeline::locox_interval;
use locox::dispatch::Entry;
use locox::fair::TimedRow;
use locox_coordinators::manager::*;

plain! {
    /// Words of storage for so many nodes; `places` is `LOCOX_MANAGER_ANY_NODES` or another of these, and `preempt` not zero
    /// if jobs are stopped for others. Zero for numbers that stand for nothing: nodes of subcubes and meshes are a power of two,
    /// and 65,536 at the most. `LOCOX_MANAGER_WORDS` is the same as a constant, with `preempt` `LOCOX_MANAGER_PLACE_WORDS`, and
    /// for subcubes and meshes `LOCOX_MANAGER_CUBE_WORDS`.
    fn locox_manager_words(nodes: usize, places: u32, preempt: u32) -> usize {
        Places::from_c(places).map_or(0, |places| words_of(nodes, places, preempt != 0))
    }

    /// Sums for so many nodes, where jobs are stopped for others; `places` as for `locox_manager_words`. Zero for numbers that
    /// stand for nothing. `LOCOX_MANAGER_SUMS` is the same as a constant, and for subcubes and meshes `LOCOX_MANAGER_CUBE_SUMS`.
    fn locox_manager_sums(nodes: usize, places: u32) -> usize {
        Places::from_c(places).map_or(0, |places| sum_words(places, nodes))
    }
}

pub(crate) const fn words_of(nodes: usize, places: Places, preempt: bool) -> usize {
    let (any, cubes) = (words(nodes), cube_words(nodes));
    match places {
        Places::Any if preempt => place_words(nodes),
        Places::Any => any,
        // A number of nodes that is none of a cube has no words more.
        Places::Subcubes | Places::Meshes if cubes == any => 0,
        Places::Subcubes | Places::Meshes => cubes,
        // No number stands for them.
        Places::Boxes(_) | Places::Tree => 0,
    }
}

interface! {
    /// Writes parameters to start from to `config`: any nodes, users by their ranking, with a half-life of a day, and
    /// nobody stopped; with `preempt`, half an hour of patience, ten minutes that each job runs, a day of protection, and no
    /// notice. A `minute` is so many ticks long.
    fn locox_manager_standard(minute: u64, config: *mut locox_manager_config) {
        out(config)?.put(standard(ticks(minute)))
    }
}

methods! { manager: locox_manager |it| it =>
    /// Starts a coordinator that knows of no job, and of which all nodes are in service and free.
    ///
    /// `LOCOX_BAD_ARGUMENT` for nodes that are no cube where jobs need subcubes: see `locox_manager_words`.
    start fn locox_manager_start(
        config: *const locox_manager_config, rows: *const locox_manager_rows, now: u64
    ) -> (; detail) {
        let (config, rows) = (config_of(input(config)?)?, input(rows)?);
        let (jobs, users, nodes) = (rows.job_count, rows.user_count, rows.node_count);
        let stops = config.preempt.is_some();
        let needed = words_of(nodes, config.places, stops);
        let planned = if config.places == Places::Any && !stops { 0 } else { jobs };
        let (staked, summed) = if stops { (jobs, sum_words(config.places, nodes)) } else { (0, 0) };
        if needed == 0 || [jobs, users, nodes].iter().any(|&count| u32::try_from(count).is_err()) {
            return Err(LOCOX_BAD_ARGUMENT.into());
        }
        let columns = columns! { Columns:
            entries: storage(rows.entries, jobs, 0)? => Entry::EMPTY,
            jobs: storage(rows.jobs, jobs, 0)? => JobRow::EMPTY,
            users: storage(rows.users, users, 0)? => UserRow::EMPTY,
            ranks: storage(rows.ranks, users, 0)? => TimedRow::EMPTY,
            nodes: storage(rows.nodes, nodes, 0)? => NodeRow::EMPTY,
            index: storage(rows.index, rows.index_count, index_len(jobs, users))? => 0,
            words: words_in(rows.words, rows.word_count, needed)? => 0,
            plan: any_storage(rows.plan, jobs, planned)? => UNPLANNED,
            outages: any_storage(core::ptr::null_mut::<OutageRow>(), 0, 0)? => OutageRow::EMPTY,
            boxes: any_storage(core::ptr::null_mut::<u64>(), 0, 0)? => 0,
            stakes: any_storage(rows.stakes, jobs, staked)? => NO_STAKE,
            sums: any_storage(rows.sums, rows.sum_count, summed)? => 0,
        };
        Durable::new(Coordinator::new(config, columns(), at(now))?)
    }

    /// Takes note of what is so in the resource manager at `now`, which starts nothing, or, as `LOCOX_MANAGER_DECIDE`, starts
    /// what can start. `record`, which may be null, is to be stored before an effect is taken, by who keeps a history.
    ///
    /// Refused as `LOCOX_FULL` (all rows for jobs are in use), `LOCOX_USERS_FULL`, `LOCOX_HAS_JOBS`, or `LOCOX_NOT_FREE`:
    /// another job runs on this node (detail), or is being stopped; tell first that it has left, or that it waits.
    /// `LOCOX_BEYOND_TIME` for a `now` beyond 2^63 - 1. Afterwards, see `locox_manager_take_effect`.
    act fn locox_manager_apply(now: u64, command: *const locox_manager_command) -> (| record: locox_record; detail) {
        it.apply_drawn(at(now), command_of(command)?, ())?.1
    }
}

methods! { manager: locox_manager |it| it.coordinator() =>
    /// What is known of a job; `LOCOX_NO_SUCH_JOB` of one that was not seen, or has left.
    look fn locox_manager_job(key: *const locox_key) -> (job: locox_managed_job) {
        it.job(FromC::from_c(key)?).ok_or(LOCOX_NO_SUCH_JOB)?
    }

    /// Calls `visit` for each job, in no order of note.
    /// While `visit` runs, every call on this manager, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_manager_jobs(visit: locox_managed_job_fn, user: *mut c_void) {
        it.jobs().for_each(|job| tell(visit, job, user))
    }

    /// Calls `visit` for the nodes of a job, in the order in which they were given or told; never for a job that waits.
    /// While `visit` runs, every call on this manager, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_manager_nodes(key: *const locox_key, visit: locox_node_range_fn, user: *mut c_void) {
        let key = FromC::from_c(key)?;
        it.job(key).ok_or(LOCOX_NO_SUCH_JOB)?;
        it.nodes(key).for_each(|range| tell(visit, range, user))
    }

    /// What is known of a node.
    look fn locox_manager_node(node: u32) -> (known: locox_managed_node; detail) {
        it.node(NodeId(node)).ok_or(LOCOX_NO_SUCH_NODE.with(node))?
    }

    /// Calls `visit` for each user who is known, in no order of note.
    /// While `visit` runs, every call on this manager, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_manager_users(visit: locox_managed_user_fn, user: *mut c_void) {
        it.users().for_each(|account| tell(visit, account, user))
    }

    /// Calls `visit` for each job in line in order: those that wait, that nobody holds, and that are not too large. Which
    /// are the first jobs of their users, and their order, is as of the last decision; one that came since is behind them.
    /// While `visit` runs, every call on this manager, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_manager_line(visit: locox_key_fn, user: *mut c_void) {
        it.line().for_each(|key| tell(visit, key, user))
    }

    /// How many jobs stand in line before this one; `LOCOX_NONE` of one that does not.
    look fn locox_manager_ahead(key: *const locox_key) -> (jobs: u32) {
        it.ahead(FromC::from_c(key)?)?.ok_or(LOCOX_NONE)?
    }

    /// Why a job waits; `LOCOX_NONE` of one that does not.
    look fn locox_manager_reason_of(key: *const locox_key) -> (reason: locox_manager_reason) {
        it.reason(FromC::from_c(key)?)?.ok_or(LOCOX_NONE)?
    }

    /// Which job is the first in line that has to wait, and when it will start and end at the latest, as of the last
    /// decision; `LOCOX_NONE` if there is none, or if it waits for a job that may run for 2^60 ticks or more.
    look fn locox_manager_promise() -> (key: locox_key, interval: locox_interval) {
        let promise = it.promise().ok_or(LOCOX_NONE)?;
        (promise.key, locox_interval { start: promise.from.ticks(), end: promise.to.ticks() })
    }

    /// When a job will start and end if every job takes as long as its limit, and each in line starts when it delays none
    /// before it; of a job that has nodes, when it has started, and of one for which others stop, when that was decided. It
    /// counts nodes: where jobs need a subcube they may start later. `LOCOX_NONE` if too few nodes are in service, or if somebody holds it. `scratch` is a profile of as many PEs as
    /// there are nodes, for no fewer reservations than there are rows for jobs, of which nothing is left afterwards;
    /// `LOCOX_TOO_SHORT` if it is another one.
    look fn locox_manager_estimate(key: *const locox_key, scratch: *mut locox_profile) -> (
        interval: locox_interval
    ) {
        let key = FromC::from_c(key)?;
        on(scratch, |scratch| Ok(it.estimate(key, scratch)?))?.ok_or(LOCOX_NONE)?
    }

    /// How many jobs are known, and how many nodes have no job and are in service. Either pointer may be null.
    look fn locox_manager_count() -> (| jobs: u32, free: u32) { (it.len(), it.free()) }
}

coordinator! {
    locox_manager, locox_manager_effect, locox_manager_effect_fn:
    locox_manager_take_effect, locox_manager_peek_effect, locox_manager_now, locox_manager_place,
    locox_manager_export, locox_manager_restore, locox_manager_load, locox_manager_replay,
    locox_manager_resync, locox_manager_check
}
