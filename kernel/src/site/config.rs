//! The coordinator's parameters, and what it knows beforehand.

use super::Misuse;
use crate::coordinate::{BadImage, Stored};
use crate::handle::PoolId;
use crate::mapping::{
    Basis, Best, BestAssignment, Duplex, Mapper, MinMax, MinMin, Olb, Pjs, Site, Sufferage, Times,
};
use crate::time::Duration;

/// Which jobs are mapped when a quantum ends. The source leaves it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Remap {
    /// All that have not started: what came since, and what took longer than expected, counts.
    #[default]
    Waiting,
    /// Those without a place only: what has one keeps it, in its turn, and new jobs get theirs
    /// behind it. Costs less.
    New,
}

/// How the coordinator learns from runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Learning {
    /// After so many runs it forgets ([`Experience::new`](crate::mapping::Experience::new)).
    pub memory: u32,
    /// Runs on which resources go before the table: only those on the very one, or also those on
    /// others of its class, or on any.
    pub basis: Basis,
}

/// The parameters of a coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Config {
    /// Time between two mappings; not zero.
    pub quantum: Duration,
    /// What is mapped.
    pub remap: Remap,
    /// Which machine counts as the best.
    pub best: Best,
    /// Whether runs tell what others will take; `None`: the table does, for ever.
    pub learning: Option<Learning>,
    /// So often a job is preempted at most; `None`: as often as somebody wants its place.
    pub preemptions: Option<u32>,
    /// Jobs are preempted only where those who take their places gain more than this for each.
    pub gain: Option<Duration>,
    /// The number that tells its jobs' handles from those of other pools.
    pub pool: PoolId,
}

impl Config {
    /// As in the study: jobs that wait are mapped anew each quantum by the table, and preempted
    /// without a bound.
    pub const fn new(quantum: Duration, pool: PoolId) -> Self {
        Self {
            quantum,
            remap: Remap::Waiting,
            best: Best::Completion,
            learning: None,
            preemptions: None,
            gain: None,
            pool,
        }
    }

    pub(super) fn check(&self) -> Result<(), Misuse> {
        if self.quantum == Duration::ZERO {
            return Err(Misuse::Zero { parameter: "quantum" });
        }
        Ok(())
    }

    /// What an image has to agree with, besides the pool.
    pub(super) fn numbers(&self) -> [u64; 7] {
        let some = |number: Option<u64>| number.map_or(0, |number| number.saturating_add(1));
        let learning = self.learning.map(|it| (u64::from(it.memory) << 2) | it.basis as u64);
        [
            self.quantum.ticks(),
            self.remap as u64,
            self.best as u64,
            some(learning),
            some(self.preemptions.map(u64::from)),
            some(self.gain.map(Duration::ticks)),
            u64::from(self.pool.0),
        ]
    }
}

/// What is known of a site beforehand.
#[derive(Clone, Copy, Debug)]
pub struct SiteModel<'s> {
    /// Machines and clusters.
    pub site: Site<'s>,
    /// A row for each class of jobs: what they take on each resource as far as no run says
    /// better, and on which they cannot run at all.
    pub times: Times<'s>,
    /// The class of each resource, whose runs tell of each other. Machines and clusters have
    /// classes of their own. May be empty where nothing is learnt.
    pub classes: &'s [u16],
}

/// By which algorithm a queue is mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Algorithm {
    /// [`Pjs`].
    #[default]
    Pjs,
    /// [`Duplex`].
    Sjs,
    /// [`Olb`].
    Olb,
    /// [`BestAssignment`].
    BestAssignment,
    /// [`MinMin`].
    MinMin,
    /// [`MinMax`].
    MinMax,
    /// [`Sufferage`].
    Sufferage,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Pjs,
        Self::Sjs,
        Self::Olb,
        Self::BestAssignment,
        Self::MinMin,
        Self::MinMax,
        Self::Sufferage,
    ];

    /// Passes the mapper to `to`.
    pub(super) fn with<T>(self, best: Best, to: impl FnOnce(&dyn Mapper) -> T) -> T {
        match self {
            Self::Pjs => to(&Pjs { best }),
            Self::Sjs => to(&Duplex { best }),
            Self::Olb => to(&Olb),
            Self::BestAssignment => to(&BestAssignment { best }),
            Self::MinMin => to(&MinMin { best }),
            Self::MinMax => to(&MinMax { best }),
            Self::Sufferage => to(&Sufferage),
        }
    }
}

/// What the jobs of a queue do with places that others have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Claim {
    /// They take none and lose none.
    #[default]
    Neither,
    /// They take places from jobs of queues that lose them.
    Takes,
    /// They lose them.
    Loses,
}

impl Claim {
    const ALL: [Self; 3] = [Self::Neither, Self::Takes, Self::Loses];

    /// From the most urgent to the least.
    const fn rank(self) -> u8 {
        match self {
            Self::Takes => 0,
            Self::Neither => 1,
            Self::Loses => 2,
        }
    }
}

/// How the jobs of a queue are served.
///
/// Queues are mapped in the order of their levels, and those of a level in the order of their
/// numbers. A queue that takes places has a level before all that do not, and one that loses them
/// a level behind all that do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Policy {
    /// By which algorithm they are mapped.
    pub algorithm: Algorithm,
    /// The smaller, the more urgent.
    pub level: u8,
    /// Whether they take places, or lose them.
    pub claim: Claim,
}

impl Policy {
    /// What is all zeros: PJS, the most urgent level, no preemption.
    pub const EMPTY: Self = Self { algorithm: Algorithm::Pjs, level: 0, claim: Claim::Neither };

    /// Whether queues of these policies can stand side by side.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let (mine, others) = (self.claim.rank(), other.claim.rank());
        match mine.cmp(&others) {
            core::cmp::Ordering::Less => self.level < other.level,
            core::cmp::Ordering::Equal => true,
            core::cmp::Ordering::Greater => self.level > other.level,
        }
    }
}

impl Stored for Policy {
    fn store(&self, put: &mut impl FnMut(u32)) {
        let [algorithm, claim] = [self.algorithm as u8, self.claim as u8];
        put(u32::from_le_bytes([algorithm, self.level, claim, 0]));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let [algorithm, level, claim, _] = take()?.to_le_bytes();
        let algorithm = Algorithm::ALL.get(usize::from(algorithm)).copied();
        let claim = Claim::ALL.get(usize::from(claim)).copied();
        match (algorithm, claim) {
            (Some(algorithm), Some(claim)) => Ok(Self { algorithm, level, claim }),
            _ => Err(BadImage::Contradiction("there is no such policy")),
        }
    }
}
