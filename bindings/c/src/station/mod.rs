//! The coordinator of a network of workstations and a processor bank.

mod network;
mod values;

pub(crate) use network::{Printed, Timed};
pub use values::*;

use crate::coordinate::{apply_for_job, coordinator, locox_record};
use crate::prelude::*;
use locox::fair::{self, *};
use locox_coordinators::coordinate::Snapshot;
use locox_coordinators::station::{
    Columns, Config, Coordinator, HomeRow, JobRow, Message, NodeRow,
};
use network::{AnyNetwork, Network, Rows, Under};

/// Up-Down by time over rows of any content.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn timed(
    (rows, len): (*mut locox_timed_row, usize),
    stations: usize,
    half_life: u64,
    quantum: u64,
) -> Answer<Timed> {
    // SAFETY: the caller keeps the contract.
    let rows = unsafe { storage::<TimedRow, _>(rows, len, stations) }?.first(stations);
    if half_life == 0 || quantum == 0 {
        return Err(LOCOX_ZERO.into());
    }
    let pace = DecayParams { half_life: ticks(half_life), quantum: ticks(quantum) };
    Ok(TimedUpDown::new(rows.cleared(TimedRow::EMPTY), pace)?)
}

/// The same with a weight a station; a null pointer says that all are alike. Weights are looked at
/// before rows are touched.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn weighed(
    rows: (*mut locox_timed_row, usize),
    weights: *const u16,
    stations: usize,
    (half_life, quantum): (u64, u64),
) -> Answer<Timed> {
    let count = if weights.is_null() { 0 } else { stations };
    // SAFETY: the caller keeps the contract.
    let (weights, ranking) = unsafe {
        let weights = inputs(weights, count)?;
        if weights.contains(&0) {
            return Err(LOCOX_ZERO.into());
        }
        (weights, timed(rows, stations, half_life, quantum))
    };
    let mut ranking = ranking?;
    for (station, weight) in (0..).map(fair::StationId).zip(weights) {
        ranking.set_weight(station, *weight)?;
    }
    Ok(ranking)
}

/// The printed table of Up-Down over indices of any content.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn printed(
    (indices, len): (*mut i32, usize),
    stations: usize,
    step: u32,
) -> Answer<Printed> {
    // SAFETY: the caller keeps the contract.
    let indices = unsafe { storage::<ScheduleIndex, _>(indices, len, stations) }?.first(stations);
    let functions = Condor::new(fair::Amount::from_bits(step))?;
    Ok(UpDown::new(indices.cleared(ScheduleIndex::ZERO), functions))
}

/// Starts a coordinator over rows that are checked before any of them is touched, as is all that the
/// caller says.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn start_with<F: Fairness>(
    config: *const locox_station_config,
    rows: *const locox_station_rows,
    now: u64,
    ranking: impl FnOnce(usize) -> Answer<F>,
    seen: impl FnOnce(Coordinator<F, Rows>) -> Under,
) -> Answer<Body> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (config, rows) = (config_of(input(config)?)?, input(rows)?);
        let stations = rows.stations;
        let columns = columns! { Columns:
            demand: storage(rows.demand, stations, 0)? => Demand::NONE,
            homes: storage(rows.homes, stations, 0)? => HomeRow::EMPTY,
            nodes: storage(rows.nodes, rows.node_count, stations)? => NodeRow::EMPTY,
            jobs: storage(rows.jobs, rows.job_count, 0)? => JobRow::EMPTY,
            scratch: storage(rows.scratch, rows.scratch_count, 4)? => Contender::EMPTY,
        };
        let ranking = ranking(stations)?;
        Ok(Durable::new(seen(Coordinator::new(config, columns(), ranking, at(now))?)))
    }
}

interface! {
    /// Writes parameters to start from to `config`; a `minute` is so many ticks long.
    fn locox_station_standard(minute: u64, config: *mut locox_station_config) {
        out(config)?.put(Config::standard(ticks(minute)))
    }
}

methods! { station: locox_station |it| it.coordinator().look() =>
    /// Starts a coordinator under Up-Down by elapsed time, the ranking to start from: `ranking` has a
    /// row a station, of any content. After `half_life` half of an index is left; for about a `quantum`
    /// a station keeps a processor that it took from one like itself. Neither is zero: a day and ten
    /// minutes are good. `weights` has a number a station, none of them zero: its share is so many times
    /// that of a station of weight 1. It may be null: all have 1. Weights and parameters are part of what images and
    /// journals have to agree with; `LOCOX_SET_WEIGHT` changes a weight later.
    start fn locox_station_start_timed(
        config: *const locox_station_config, rows: *const locox_station_rows, ranking: *mut locox_timed_row,
        ranking_count: usize, weights: *const u16, half_life: u64, quantum: u64, now: u64
    ) -> (; detail) {
        let rows_of = (ranking, ranking_count);
        let ranking = |stations| weighed(rows_of, weights, stations, (half_life, quantum));
        start_with(config, rows, now, ranking, erased!(AnyNetwork::Timed as Network))?
    }

    /// Starts a coordinator under the printed table of Up-Down, of which `indices` has an entry a
    /// station, of any content. It moves by `step` each time, in 256ths; not zero: 2560 in the study.
    start fn locox_station_start_updown(
        config: *const locox_station_config, rows: *const locox_station_rows, indices: *mut i32, index_count: usize,
        step: u32, now: u64
    ) -> (; detail) {
        let ranking = |stations| printed((indices, index_count), stations, step);
        start_with(config, rows, now, ranking, erased!(AnyNetwork::Printed as Network))?
    }

    /// Starts a coordinator under which stations take turns.
    start fn locox_station_start_round_robin(
        config: *const locox_station_config, rows: *const locox_station_rows, now: u64
    ) -> (; detail) {
        start_with(config, rows, now, |_| Ok(RoundRobin::new()), erased!(AnyNetwork::RoundRobin as Network))?
    }

    /// Starts a coordinator that draws lots: each command comes with a draw from a random source.
    start fn locox_station_start_random(
        config: *const locox_station_config, rows: *const locox_station_rows, now: u64
    ) -> (; detail) { start_with(config, rows, now, |_| Ok(Random::new()), erased!(AnyNetwork::Random as Network))? }

    /// Takes note of what happened at `now`, and does whatever was due by then. `sender` is null for
    /// what arrives once and in order. `draw` is for a ranking that draws lots; others do not look at
    /// it. `job`, which may be null, is written for `LOCOX_SUBMIT`. `record`, which may be null, is to
    /// be stored before an effect is taken, by who keeps a history.
    ///
    /// Refused as `LOCOX_FULL`, `LOCOX_OLD` or `LOCOX_EARLY`. Afterwards, see
    /// `locox_station_take_effect`.
    raw_act fn locox_station_apply(
        now: u64, sender: *const locox_sender, command: *const locox_station_command, draw: u32,
        job: *mut locox_handle, record: *mut locox_record
    ) -> (; detail) {
        let command = command_of(input(command)?)?;
        let from = if sender.is_null() { None } else { Some(FromC::from_c(input(sender)?)?) };
        let message = Message { from, command };
        apply_for_job(station, now, message, |it| it.look().drawn(draw), (job, record))
    }

    /// Where a job is.
    look fn locox_station_job(job: *const locox_handle) -> (status: locox_job_status) { it.status(job.into())? }

    /// How many processors a station waits for, and how many of others it holds.
    look fn locox_station_demand(number: u32) -> (wants: u32, holds: u32) {
        let demand = it.demand().get(number as usize).ok_or(LOCOX_NO_SUCH_STATION.with(number))?;
        (demand.wants, demand.holds)
    }

    /// How many processors anybody may have at once.
    look fn locox_station_free() -> (free: u32) { it.free() }

    /// When to say `LOCOX_TICK` if nothing happens before; `LOCOX_NONE` if there is nothing to wait for.
    look fn locox_station_wake_at() -> (time: u64) { it.wake_at().ok_or(LOCOX_NONE)? }
}

coordinator! {
    locox_station, locox_station_effect, locox_station_effect_fn:
    locox_station_take_effect, locox_station_peek_effect, locox_station_now, locox_station_place,
    locox_station_export, locox_station_restore, locox_station_load, locox_station_replay,
    locox_station_resync, locox_station_check
}
