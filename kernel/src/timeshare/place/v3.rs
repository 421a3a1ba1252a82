//! Version 3: below everybody, beside one owner at most, and not beside a barrier.
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
//! It says why it chose. Cost: some word operations for 64 hosts, and two more for each bit of a
//! speed where speeds differ. Where it shares, a step for each owner of hosts that may be shared, and
//! one for each such host up to the last one picked. Where a reading may have become too old since
//! the last decision, or another placement decided then, one pass over the hosts before.

use super::{Choice, Placement, Request, Why, check_degree};
use crate::list::Ref;
use crate::time::Duration;
use crate::timeshare::board::{Board, is_at_top, top};
use crate::timeshare::sets::{Set, bit_of, members};
use crate::timeshare::watch::{Calm, Sharing};
use crate::timeshare::{JobNumber, Misuse, Refusal, Threshold};

/// Takes hosts where nobody is passed and little is disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct V3 {
    /// How many jobs a host has at most, however little they do.
    pub degree: u8,
    /// The utilisation up to which a host is shared.
    pub threshold: Threshold,
    /// The age up to which a reading is believed.
    pub believed: Duration,
    /// How long after a job came or went a reading begins to tell anything.
    pub settled: Duration,
}

impl V3 {
    const fn calm(&self) -> Calm {
        let deepest = self.degree.saturating_sub(1);
        let sharing = Some(Sharing { settled: self.settled, deepest });
        Calm { threshold: self.threshold, sharing }
    }
}

/// The owner with the fewest open hosts that are at least `shared`; if there is none, that with the
/// most. The first one among equals, and how many open hosts it has.
fn choose_owner(board: &Board<'_>, shared: u32) -> (Ref, u32) {
    // Fewer are better if they are enough, more if they are not; enough are better in any case.
    let rank = |open: u32| if open >= shared { open.wrapping_sub(shared) } else { !open };
    let (mut best, mut owner, mut is_alone) = (u32::MAX, Ref::NONE, true);
    for (job, row) in board.watch.owners.iter(board.jobs) {
        let rank = rank(row.open);
        if rank < best || owner == Ref::NONE {
            (best, owner, is_alone) = (rank, Ref::to(job), true);
        } else if rank == best {
            is_alone = false;
        }
    }
    let open =
        |job: Ref| job.get().and_then(|job| board.jobs.get(job as usize)).map_or(0, |row| row.open);
    if is_alone {
        return (owner, open(owner));
    }
    let blocks = board.sets.blocks.iter().enumerate();
    let mut open_hosts = blocks.flat_map(|(at, block)| members(Set::Open.of(block), at));
    let first = open_hosts.find_map(|host| {
        let job = top(board.entries, board.levels, host);
        Some((job, open(job))).filter(|&(_, open)| rank(open) == best)
    });
    first.unwrap_or((owner, 0))
}

/// Adds the first open hosts of an owner to a set, so many.
fn add_owned(board: &mut Board<'_>, owner: Ref, hosts: u32, to: Set) {
    let Board { sets, entries, levels, .. } = board;
    let mut left = hosts;
    for (at, block) in sets.blocks.iter_mut().enumerate() {
        let mut owned = 0;
        for host in members(Set::Open.of(block), at) {
            if left == 0 {
                break;
            }
            if is_at_top(entries, *levels, host, owner) {
                owned |= bit_of(host);
                left = left.wrapping_sub(1);
            }
        }
        to.put(block, to.of(block) | owned);
        if left == 0 {
            return;
        }
    }
}

/// Picks `shared` open hosts: those of one owner, if one has so many.
fn share(board: &mut Board<'_>, shared: u32) -> Why {
    let (owner, open) = choose_owner(board, shared);
    if open < shared {
        add_owned(board, owner, open, Set::Picked);
        board.pick_fastest(Set::Open, shared.saturating_sub(open));
        return Why::Spanning { shared };
    }
    if board.alike {
        add_owned(board, owner, shared, Set::Picked);
    } else {
        board.sets.blocks.iter_mut().for_each(|block| Set::Marked.put(block, 0));
        add_owned(board, owner, open, Set::Marked);
        board.pick_fastest(Set::Marked, shared);
    }
    Why::Beside { owner: JobNumber(owner.get().unwrap_or(0)), shared }
}

impl Placement for V3 {
    type Draw = ();

    fn name(&self) -> &'static str {
        "v3"
    }

    fn check(&self, levels: u8) -> Result<(), Misuse> {
        check_degree(self.degree, levels)
    }

    fn choose(&self, board: &mut Board<'_>, request: &Request, (): ()) -> Result<Choice, Refusal> {
        let idle = board.sets.count(Set::Idle);
        let why = if idle >= request.hosts {
            board.pick_fastest(Set::Idle, request.hosts);
            Why::Idle
        } else {
            let shared = request.hosts.wrapping_sub(idle);
            board.watch(self.calm(), self.believed);
            let open = board.sets.count(Set::Open);
            if open < shared {
                return Err(Refusal::TooFew { free: idle.saturating_add(open) });
            }
            board.pick_of(Set::Idle, idle);
            share(board, shared)
        };
        if request.synchronising
            && let Some(lead) = board.fastest_idle()
        {
            board.lead(lead);
        }
        Ok(Choice { level: None, why })
    }
}
