//! Carries commands out on a pool and keeps the leases that it gets.

use super::{Command, Pick, Rule};
use locox::cube::Dim;
use locox::handle::{Epoch, Misuse, PoolId};
use locox::image::BadImage;
use locox::subcube::{Allocator, ClaimError, Lease, NoSuchNode, Refusal, Stats};

/// What a pool answered to a [`Command`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To [`Command::Allocate`].
    Allocated(Result<Lease, Refusal>),
    /// To [`Command::Claim`].
    Claimed(Result<Lease, ClaimError>),
    /// To [`Command::Restart`].
    Restarted(Result<(), BadImage>),
    /// To [`Command::WouldFit`].
    Fits(Result<(), Refusal>),
    /// To [`Command::Release`] of this lease.
    Released(Lease, Result<(), Misuse>),
    /// To [`Command::Withdraw`]: the leases that were hit, as they were reported.
    Withdrawn(Result<Vec<Lease>, NoSuchNode>),
    /// To [`Command::Repair`].
    Repaired(Result<(), NoSuchNode>),
    /// To [`Command::Observe`].
    Observed(Box<Stats>),
    /// There was no lease to pick.
    Nothing,
}

impl Answer {
    /// Whether the pool refused, so that nothing may have changed.
    pub fn is_error(&self) -> bool {
        match self {
            Self::Allocated(answer) => answer.is_err(),
            Self::Claimed(answer) => answer.is_err(),
            Self::Restarted(answer) => answer.is_err(),
            Self::Fits(answer) => answer.is_err(),
            Self::Released(_, answer) => answer.is_err(),
            Self::Withdrawn(answer) => answer.is_err(),
            Self::Repaired(answer) => answer.is_err(),
            Self::Observed(_) | Self::Nothing => false,
        }
    }
}

/// Holds the leases of one pool, those that it gave back, and some of other pools.
#[derive(Clone, Debug)]
pub struct Client {
    live: Vec<Lease>,
    gone: Vec<Lease>,
    foreign: Vec<Lease>,
    epoch: Epoch,
}

impl Client {
    /// A client of the pool `id` of an n-cube, still without leases.
    pub fn new(id: PoolId, dims: Dim) -> Self {
        let other = PoolId(id.0 ^ 1);
        let size = dims.up().or(dims.down()).unwrap_or_default();
        let foreign = [(other, dims), (id, size), (other, size)];
        let leases = |(id, dims)| [lease_of(id, dims, Dim::ZERO), lease_of(id, dims, dims)];
        let foreign = foreign.into_iter().flat_map(leases).collect();
        Self { live: vec![], gone: vec![], foreign, epoch: Epoch::default() }
    }

    /// The leases that it holds.
    pub fn live(&self) -> &[Lease] {
        &self.live
    }

    /// Whether it has given back a lease of the same handle.
    pub fn has_been(&self, lease: &Lease) -> bool {
        self.gone.iter().any(|it| it.handle() == lease.handle())
    }

    /// The lease meant, if there is one of the kind.
    pub fn pick(&self, pick: Pick) -> Option<Lease> {
        let (leases, at) = match pick {
            Pick::Live(at) => (&self.live, at),
            Pick::Gone(at) => (&self.gone, at),
            Pick::Foreign(at) => (&self.foreign, at),
        };
        leases.get(at.checked_rem(leases.len())?).copied()
    }

    /// Carries `command` out.
    pub fn run(&mut self, pool: &mut dyn Allocator, command: &Command) -> Answer {
        match command {
            Command::Allocate(dim) => {
                let lease = pool.allocate(*dim);
                self.live.extend(lease);
                Answer::Allocated(lease)
            }
            Command::Claim(cube) => {
                let lease = pool.claim(*cube);
                self.live.extend(lease);
                Answer::Claimed(lease)
            }
            Command::Restart => Answer::Restarted(self.restart(pool)),
            Command::WouldFit(dim) => Answer::Fits(pool.would_fit(*dim)),
            Command::Release(pick) => match self.pick(*pick) {
                Some(lease) => Answer::Released(lease, self.release(pool, lease)),
                None => Answer::Nothing,
            },
            Command::Withdraw(nodes, why) => {
                let mut hit = vec![];
                let done = pool.withdraw(nodes, *why, &mut |lease| hit.push(lease));
                Answer::Withdrawn(done.map(|()| hit))
            }
            Command::Repair(nodes) => Answer::Repaired(pool.repair(nodes)),
            Command::Observe => Answer::Observed(Box::new(pool.stats())),
        }
    }

    /// The leases are the same afterwards, by handles of the new epoch.
    fn restart(&mut self, pool: &mut dyn Allocator) -> Result<(), BadImage> {
        let mut image = vec![];
        pool.export(&mut |word| image.push(word));
        self.epoch = Epoch(self.epoch.0.wrapping_add(1));
        pool.restore(&mut image.into_iter(), self.epoch)?;
        for lease in &mut self.live {
            *lease = pool.lease_at(lease.cube().base()).expect("it was live");
        }
        Ok(())
    }

    fn release(&mut self, pool: &mut dyn Allocator, lease: Lease) -> Result<(), Misuse> {
        pool.release(lease)?;
        self.live.retain(|it| *it != lease);
        self.gone.push(lease);
        Ok(())
    }
}

/// A lease of the empty n-cube `id`: it looks like the first one of any pool.
fn lease_of(id: PoolId, dims: Dim, dim: Dim) -> Lease {
    super::Buddy::pool(id, dims).allocate(dim).unwrap()
}
