//! What could be done for a job that waits: to wait, or to start it at once at the expense of others.

use super::sizes::sum_words;
use super::storage::{FORESEEN, Flag, JobRow, Lies, StakeRow, State};
use super::tables::Tables;
use super::{Key, Misuse, expense, yields};
use locox::ground::Ref;
use locox::machine::Stake;
use locox::time::Instant;

locox::ground::data! {
    /// How a job that waits could get its nodes, and what that costs others.
    pub struct Options {
        /// When there is a place for it if nobody else starts before, which costs nothing; `None` if the nodes in service never have one, or only in 2^60
        /// ticks or more, behind a job that may run for ever.
        pub wait: Option<Instant>,
        /// What it costs to free a place at once, in ticks of nodes that are lost: of all sets of jobs that may be stopped, the least, to one part in
        /// 2^45 of what all of these would lose.
        /// `None` if it has no place even then.
        pub now: Option<u64>,
    }

    /// A job that gives up its nodes so that another one starts at once.
    pub struct Yields {
        /// Which.
        pub key: Key,
        /// What it has done that is not [saved](super::Command::Saved), in ticks of nodes.
        pub lost: u64,
        /// Whether there is another place for it, in which it could go on, or start again, at once.
        pub moves: bool,
    }
}

/// What could be done for a job, and who would yield.
pub(super) fn of(
    it: &mut Tables<'_>,
    key: Key,
    mut each: impl FnMut(Yields),
) -> Result<Options, Misuse> {
    let row = it.find(key)?;
    check_storage(it)?;
    let (own, now) = (*it.row(row), it.core.now);
    let limit = it.terms(&own).requested;
    draw_stakes(it, now);
    let none = Options { wait: None, now: None };
    let waits = own.state == State::Waits && own.reserved == Flag::No;
    let Some(mut plan) = it.whole_plan().filter(|_| waits) else { return Ok(none) };
    let Some(asked) = plan.places.layout.asked(&own) else { return Ok(none) };
    plan.draw_held(|_, _| true);
    let known = now.saturating_add(FORESEEN);
    let wait = plan.earliest(&asked, limit).map(|at| at.start).filter(|start| *start < known);
    let end = yields::end_of_room(now, plan.notice, limit);
    if !plan.make_room(&asked, end, false) {
        return Ok(Options { wait, ..none });
    }
    plan.places.stakes.retain_yielding();
    plan.relocate();
    let mut lost_in_all = 0u64;
    for &StakeRow { of, yields, .. } in plan.places.stakes.rows().iter() {
        let job = plan.jobs.get(of as usize).unwrap_or(&JobRow::EMPTY);
        let lost = u64::try_from(expense::lost(now, job)).unwrap_or(u64::MAX);
        lost_in_all = lost_in_all.saturating_add(lost);
        each(Yields { key: job.key, lost, moves: !yields });
    }
    Ok(Options { wait, now: Some(lost_in_all) })
}

fn check_storage(it: &Tables<'_>) -> Result<(), Misuse> {
    let [stakes, sums] = it.places.as_ref().map_or([0; 2], |places| places.stakes.sizes());
    let needed = sum_words(it.config.places, it.nodes.len() as usize);
    for (column, needs, has) in [("stakes", it.jobs.len(), stakes), ("sums", needed, sums)] {
        if has < needs {
            let [needs, has] = [needs, has].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
            return Err(Misuse::StorageTooSmall { column, needs, has });
        }
    }
    Ok(())
}

/// All jobs that may be stopped.
fn draw_stakes(it: &mut Tables<'_>, now: Instant) {
    let Tables { jobs, places, .. } = &mut *it;
    let Some(places) = places else { return };
    places.stakes.clear();
    let may_stop = |job: &JobRow| {
        job.state == State::Runs && job.firm == Flag::No && job.yields_to == Ref::NONE
    };
    for (row, _) in (0..).zip(&**jobs).filter(|(_, job)| may_stop(job)) {
        places.stakes.add(Stake::new(Lies::Apart, row, 0));
    }
    expense::price(places.stakes.rows(), jobs, now);
}
