//! The coordinator's invariants, recomputed.

use super::Config;
use super::storage::{Columns, HoldReason, HomeRow, JobRow, NodeRow, Pending, Presence, View};
use super::tables::Core;
use locox::fair::Demand;
use locox::ground::{Links, List, Ref, ensure};
use locox::invariant::InvariantViolation;

/// Checks every invariant named at the coordinator; one pass over all rows.
pub(super) fn check(
    config: &Config,
    core: &Core,
    view: View<'_>,
) -> Result<(), InvariantViolation> {
    core.jobs.check(view.jobs)?;
    ensure(core.jobs.pool() == config.pool, "the pool of the jobs")?;
    let used = view.jobs.get(..core.jobs.used() as usize);
    let view = Columns { jobs: used.unwrap_or(&[]), ..view };
    check_nodes(view, core)?;
    check_jobs(view)?;
    check_homes(view)
}

fn job_at(view: View<'_>, job: Ref) -> Option<&JobRow> {
    view.jobs.get(job.get()? as usize)
}

fn node_at(view: View<'_>, node: Ref) -> Option<&NodeRow> {
    view.nodes.get(node.get()? as usize)
}

fn check_nodes(view: View<'_>, core: &Core) -> Result<(), InvariantViolation> {
    let (mut free, mut pending) = (0u32, 0u32);
    for (number, row) in (0..).map(Ref::to).zip(view.nodes) {
        check_node(view, number, row)?;
        free = free.saturating_add(u32::from(row.is_free()));
        pending = pending.saturating_add(u32::from(row.pending != Pending::Nothing));
    }
    ensure(free == core.free_count, "free processors are miscounted")?;
    let listed = core.free.audit(view.nodes, |_, row| row.is_free());
    ensure(listed == Some(free), "the list of free processors is not that")?;
    let listed = core.pending.audit(view.nodes, |_, row| row.pending != Pending::Nothing);
    ensure(listed == Some(pending), "the list of what is to be told is not that")
}

fn check_node(view: View<'_>, number: Ref, row: &NodeRow) -> Result<(), InvariantViolation> {
    let listed = row.is_free() || row.pending != Pending::Nothing;
    ensure(listed || row.links == Links::NONE, "a processor in no list has neighbours")?;
    if row.occupant != Ref::NONE {
        let back = job_at(view, row.occupant).is_some_and(|job| job.on == number);
        ensure(back, "an occupant is not on its processor")?;
        ensure(row.presence != Presence::Absent, "a lost processor is occupied")?;
    } else {
        let fits = matches!(row.pending, Pending::Nothing | Pending::Aside);
        ensure(fits, "something is to be told of nobody")?;
    }
    if row.holder == Ref::NONE {
        return Ok(());
    }
    let Some(holder) = job_at(view, row.holder) else {
        return Err(InvariantViolation("a holder is no job"));
    };
    ensure(holder.at == number, "a holder is not at its processor")?;
    ensure(row.may_be_held(), "a processor is held and not available")?;
    ensure(holder.hold_reason == HoldReason::None, "a job that may have no processor holds one")?;
    let blocked = row.occupant != Ref::NONE || holder.on != Ref::NONE;
    ensure(blocked, "a job that could start does not")
}

fn check_jobs(view: View<'_>) -> Result<(), InvariantViolation> {
    for (number, row) in (0..).map(Ref::to).zip(view.jobs) {
        let on = node_at(view, row.on).is_some_and(|node| node.occupant == number);
        ensure(on || row.on == Ref::NONE, "a job is on a processor that it does not occupy")?;
        let at = node_at(view, row.at).is_some_and(|node| node.holder == number);
        ensure(at || row.at == Ref::NONE, "a job is at a processor that it does not hold")?;
        let at_home = row.at != Ref::NONE && row.at == Ref::to(row.home);
        ensure(!at_home || row.links == Links::NONE, "a job in no list has neighbours")?;
        let idle = row.on == Ref::NONE && row.at == Ref::NONE;
        ensure(row.generation.is_live() || idle, "a finished job has a processor")?;
        let ends = row.hold_reason == HoldReason::Cancelled && row.on == Ref::NONE;
        ensure(!ends || !row.generation.is_live(), "a cancelled job is on no processor")?;
        let out = row.hold_reason != HoldReason::None && row.generation.is_live();
        ensure(!out || row.links == Links::NONE, "a job that may not wait is in a list")?;
    }
    Ok(())
}

fn check_homes(view: View<'_>) -> Result<(), InvariantViolation> {
    let mut jobs = 0u64;
    for (home, (row, demand)) in (0..).zip(view.homes.iter().zip(view.demand)) {
        let own = |job: &JobRow| job.home == home && job.generation.is_live();
        let waits = |_, job: &JobRow| {
            own(job) && job.at == Ref::NONE && job.hold_reason == HoldReason::None
        };
        let away = |_, job: &JobRow| own(job) && job.at != Ref::NONE && job.at != Ref::to(home);
        let wants = count(&row.waiting, view, waits)?;
        let holds = count(&row.placed, view, away)?;
        let node = node_at(view, Ref::to(home)).copied().unwrap_or(NodeRow::EMPTY);
        let there = node.presence != Presence::Absent;
        let expected = Demand { wants: if there { wants } else { 0 }, holds };
        ensure(row.wants == wants && *demand == expected, "the demand of a station is wrong")?;
        ensure(wants == 0 || !node.is_free(), "a job waits beside its own free processor")?;
        let at_home = u64::from(job_at(view, node.holder).is_some_and(own));
        let listed = u64::from(wants).saturating_add(holds.into()).saturating_add(at_home);
        let total = listed.saturating_add(stopped(row, listed, view, own));
        ensure(u64::from(row.jobs) == total, "the jobs of a station are miscounted")?;
        jobs = jobs.saturating_add(total);
    }
    // Those counted are all different, as the lists and the holders exclude each other.
    let live = view.jobs.iter().filter(|job| job.generation.is_live()).count();
    ensure(jobs == live as u64, "a job has no home, or is in no list of its home's")
}

/// Those of the home's jobs that may have no processor. Looked for only where some are missing.
fn stopped(row: &HomeRow, listed: u64, view: View<'_>, own: impl Fn(&JobRow) -> bool) -> u64 {
    if u64::from(row.jobs) == listed {
        return 0;
    }
    view.jobs.iter().filter(|job| own(job) && job.hold_reason != HoldReason::None).count() as u64
}

fn count(
    list: &List,
    view: View<'_>,
    belongs: impl Fn(u32, &JobRow) -> bool,
) -> Result<u16, InvariantViolation> {
    let rows =
        list.audit(view.jobs, belongs).ok_or(InvariantViolation("a list of jobs is broken"))?;
    u16::try_from(rows).map_err(|_| InvariantViolation("a station has too many jobs"))
}
