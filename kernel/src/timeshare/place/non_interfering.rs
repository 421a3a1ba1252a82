//! Below everybody, beside one owner at most, and not beside a barrier.
//!
//! What the thesis of 1995 leaves open in its sections 6.1, 6.3 and 6.5 and in chapter 7, closed:
//!
//! - A job takes the first level below all others of each host, so it passes no earlier job on any
//!   host. Its levels may differ from host to host, as they do after a promotion anyway.
//! - Idle hosts go first, the fastest before the others. Only if they are too few it shares.
//! - A host is shared if its utilisation, read since it last changed and not long ago, does not
//!   exceed the threshold: so its local degree of multiprogramming follows from what its jobs leave
//!   over, up to the greatest degree.
//! - A host that carries a synchronising process is not shared, be it declared or seen by its
//!   utilisation.
//! - The hosts shared have one owner, if there is one with enough of them: that with the fewest
//!   that are enough, so that the larger rest stays whole. Otherwise the owner with the most goes
//!   first.
//! - A synchronising process gets the fastest idle host, if there is one among those picked.
//!
//! It says why it chose. Cost: some word operations for 64 hosts. Where it shares, one look at the
//! reading of each host that is free deep enough, and three at the job at the top of each that may be
//! shared. Where speeds differ, ten more looks at each host among which it picks.

use super::{Choice, Placement, Request, Why, check_degree};
use crate::list::Ref;
use crate::slices::edit;
use crate::time::Duration;
use crate::timeshare::sets::Set;
use crate::timeshare::storage::HostRow;
use crate::timeshare::view::top;
use crate::timeshare::{JobNumber, Misuse, PlacementView, Refusal, Threshold};

crate::data::data! {
    /// Takes hosts where nobody is passed and little is disturbed.
    pub struct NonInterfering {
        /// How many jobs a host has at most, however little they do.
        pub degree: u8,
        /// The utilisation up to which a host is shared.
        pub threshold: Threshold,
        /// The age up to which a reading is believed.
        pub believed: Duration,
        /// How long after a job came or went a reading begins to tell anything.
        pub settled: Duration,
    }
}

impl NonInterfering {
    /// Picks the candidates, makes the hosts that may be shared the candidates, and counts these.
    fn find_candidates(&self, view: &mut PlacementView<'_>) -> u32 {
        let is_calm = view.is_calm(self.threshold, self.believed);
        let may_be_shared = |row: &HostRow| {
            row.read_at.since(row.changed_at) >= Some(self.settled)
                && is_calm(row)
                && row.leads == 0
        };
        let mut count = 0u32;
        for at in 0..view.sets.width() {
            let idle = view.sets.word(Set::Candidates, at);
            let free = view.sets.free_from(self.degree.saturating_sub(1), at) & view.among(at);
            let shared = view.filter(free & !idle, at, may_be_shared);
            view.sets.put(Set::Picked, at, idle);
            view.sets.put(Set::Candidates, at, shared);
            count = count.wrapping_add(shared.count_ones());
        }
        count
    }
}

/// The owner with the fewest candidates that are at least `shared`; if there is none, that with the
/// most. The first one among equals, and how many candidates it has.
fn choose_owner(view: &mut PlacementView<'_>, shared: u32) -> (Ref, u32) {
    let PlacementView { sets, jobs, entries, levels, .. } = view;
    let owners =
        || sets.members(Set::Candidates).filter_map(|host| top(entries, *levels, host).get());
    owners().for_each(|owner| {
        edit(jobs, owner, |row| row.tally = row.tally.wrapping_add(1));
    });
    // Fewer are better if they are enough, more if they are not; enough are better in any case.
    let rank = |owned: u32| if owned >= shared { owned.wrapping_sub(shared) } else { !owned };
    let mut best = (Ref::NONE, 0);
    owners().for_each(|owner| {
        let Some(row) = jobs.get_mut(owner as usize) else { return };
        // Zero where the owner was met before.
        let owned = core::mem::take(&mut row.tally);
        if owned > 0 && (best.0 == Ref::NONE || rank(owned) < rank(best.1)) {
            best = (Ref::to(owner), owned);
        }
    });
    best
}

/// Picks `shared` candidates: those of one owner, if one has so many.
fn share(view: &mut PlacementView<'_>, shared: u32) -> Why {
    let (owner, count) = choose_owner(view, shared);
    let is_enough = count >= shared;
    for at in 0..view.sets.width() {
        let owned = view.owned(owner, at);
        if is_enough {
            view.sets.put(Set::Candidates, at, owned);
        } else {
            view.sets.put(Set::Candidates, at, view.sets.word(Set::Candidates, at) & !owned);
            view.sets.put(Set::Picked, at, view.sets.word(Set::Picked, at) | owned);
        }
    }
    if is_enough {
        view.pick_fastest(shared);
        Why::Beside { owner: JobNumber(owner.get().unwrap_or(0)), shared }
    } else {
        view.pick_fastest(shared.saturating_sub(count));
        Why::Spanning { shared }
    }
}

impl Placement for NonInterfering {
    type Draw = ();

    fn name(&self) -> &'static str {
        "non-interfering"
    }

    fn check(&self, levels: u8) -> Result<(), Misuse> {
        check_degree(self.degree, levels)
    }

    fn choose(
        &self,
        view: &mut PlacementView<'_>,
        request: &Request,
        (): (),
    ) -> Result<Choice, Refusal> {
        let mut idle = 0u32;
        for at in 0..view.sets.width() {
            let hosts = view.sets.idle(at) & view.among(at);
            view.sets.put(Set::Candidates, at, hosts);
            idle = idle.wrapping_add(hosts.count_ones());
        }
        let shared = request.hosts.saturating_sub(idle);
        let why = if shared == 0 {
            view.pick_fastest(request.hosts);
            Why::Idle
        } else {
            let found = self.find_candidates(view);
            if found < shared {
                return Err(Refusal::TooFew { free: idle.saturating_add(found) });
            }
            share(view, shared)
        };
        if request.synchronising
            && let Some(lead) = view.fastest_idle()
        {
            view.lead(lead);
        }
        Ok(Choice { level: None, why })
    }
}
