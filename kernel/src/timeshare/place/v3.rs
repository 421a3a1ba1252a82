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
//! It says why it chose. Cost: if enough hosts are idle and all are of one speed, one word
//! operation for 64 hosts; otherwise a few steps a host, and eight more where speeds differ.

use super::{Choice, Placement, Request, Why, check_degree};
use crate::time::{Duration, Instant};
use crate::timeshare::board::Board;
use crate::timeshare::sets::{Set, members};
use crate::timeshare::storage::HostRow;
use crate::timeshare::{HostId, JobNumber, Misuse, Refusal, Threshold};

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
    /// Whether a host may be shared, as far as its readings tell.
    fn is_calm(&self, now: Instant, row: &HostRow) -> bool {
        let age = now.since(row.read_at).unwrap_or(Duration::ZERO);
        row.leads == 0
            && row.utilisation() <= self.threshold.load()
            && age <= self.believed
            && row.read_at >= row.changed_at.saturating_add(self.settled)
    }

    /// Makes the hosts that may be shared the candidates, counts them for each owner, and in all.
    fn find_candidates(&self, board: &mut Board<'_>) -> u32 {
        let mut count = 0u32;
        for at in 0..board.sets.width() {
            let word = (self.degree.saturating_sub(1)..board.levels)
                .fold(!board.sets.word(Set::Idle, at), |word, level| {
                    word & board.sets.word(Set::Free(level), at)
                });
            board.sets.edit(Set::Candidates, at, |_| 0);
            for host in members(word, at) {
                let calm = board.row(host).is_some_and(|row| self.is_calm(board.now, row));
                let owner = board.owner(HostId(host));
                if let (true, Some(owner)) = (calm, owner) {
                    board.sets.put(Set::Candidates, host, true);
                    edit_tally(board, owner, |tally| tally.wrapping_add(1));
                    count = count.wrapping_add(1);
                }
            }
        }
        count
    }

    /// Picks `shared` candidates: those of one owner, if one has so many.
    fn share(board: &mut Board<'_>, shared: u32) -> Why {
        let (fewest, most) = owners(board, shared);
        let Some(owner) = fewest else {
            let whole = most.map_or(0, |most| pick_of(board, most, u32::MAX));
            board.pick_fastest(Set::Candidates, shared.saturating_sub(whole));
            return Why::Spanning { shared };
        };
        for at in 0..board.sets.width() {
            for host in members(board.sets.word(Set::Candidates, at), at) {
                let stays = board.owner(HostId(host)) == Some(owner);
                board.sets.put(Set::Candidates, host, stays);
            }
        }
        board.pick_fastest(Set::Candidates, shared);
        Why::Beside { owner, shared }
    }
}

fn edit_tally(board: &mut Board<'_>, job: JobNumber, change: impl FnOnce(u32) -> u32) {
    if let Some(row) = board.jobs.get_mut(job.0 as usize) {
        row.tally = change(row.tally);
    }
}

/// The owner with the fewest candidates that are at least `shared`, and that with the most; the
/// first ones among equals. What was counted is forgotten.
fn owners(board: &mut Board<'_>, shared: u32) -> (Option<JobNumber>, Option<JobNumber>) {
    let (mut fewest, mut most) = ((u32::MAX, None), (0, None));
    for at in 0..board.sets.width() {
        for host in members(board.sets.word(Set::Candidates, at), at) {
            let Some(owner) = board.owner(HostId(host)) else { continue };
            let tally = board.jobs.get(owner.0 as usize).map_or(0, |row| row.tally);
            // Zero where the owner was met before.
            if tally >= shared.max(1) && tally < fewest.0 {
                fewest = (tally, Some(owner));
            }
            if tally > most.0 {
                most = (tally, Some(owner));
            }
            edit_tally(board, owner, |_| 0);
        }
    }
    (fewest.1, most.1)
}

/// Picks candidates of an owner, and returns how many.
fn pick_of(board: &mut Board<'_>, owner: JobNumber, hosts: u32) -> u32 {
    let mut count = 0u32;
    for at in 0..board.sets.width() {
        for host in members(board.sets.word(Set::Candidates, at), at) {
            if count < hosts && board.owner(HostId(host)) == Some(owner) {
                board.sets.put(Set::Picked, host, true);
                count = count.wrapping_add(1);
            }
        }
    }
    count
}

/// The fastest of the idle hosts that were picked; the first one among equals.
fn fastest_idle(board: &Board<'_>) -> Option<HostId> {
    let width = 0..board.sets.width();
    let word = |at| board.sets.word(Set::Idle, at) & board.sets.word(Set::Picked, at);
    let picked = width.flat_map(|at| members(word(at), at)).map(HostId);
    if board.alike {
        return picked.min_by_key(|host| host.0);
    }
    // The first of the greatest: `max_by_key` returns the last.
    picked
        .min_by_key(|&host| (u8::MAX.wrapping_sub(board.speed(host).map_or(0, |it| it.0)), host.0))
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
            let candidates = self.find_candidates(board);
            if candidates < shared {
                owners(board, 0);
                return Err(Refusal::TooFew { free: idle.saturating_add(candidates) });
            }
            board.pick_first((Set::Idle, Set::Idle), idle);
            Self::share(board, shared)
        };
        if let (true, Some(lead)) = (request.synchronising, fastest_idle(board)) {
            board.lead(lead);
        }
        Ok(Choice { level: None, why })
    }
}
