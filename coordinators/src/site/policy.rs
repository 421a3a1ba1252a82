//! How the jobs of a queue are served.

use locox::image::{BadImage, Stored};
use locox::mapping::{Best, BestAssignment, Duplex, Mapper, MaxMin, MinMin, Olb, Pjs, Sufferage};

locox::ground::data! {
    /// By which algorithm a queue is mapped.
    #[derive(Default)]
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
        /// [`MaxMin`].
        MaxMin,
        /// [`Sufferage`].
        Sufferage,
    }

    /// What the jobs of a queue do with places that others have.
    #[derive(Default)]
    pub enum Claim {
        /// They take none and lose none.
        #[default]
        Neither,
        /// They take places from jobs of queues that lose them.
        Takes,
        /// They lose them.
        Loses,
    }

    /// How the jobs of a queue are served.
    ///
    /// Queues are mapped in the order of their levels, and those of a level in the order of their
    /// numbers. A queue that takes places has a level before all that do not, and one that loses them
    /// a level behind all that do not.
    #[derive(Default)]
    pub struct Policy {
        /// By which algorithm they are mapped.
        pub algorithm: Algorithm,
        /// The smaller, the more urgent.
        pub level: u8,
        /// Whether they take places, or lose them.
        pub claim: Claim,
        /// Who may submit to it: users of this clearance and of higher ones. 0: all.
        ///
        /// Collins and George 2001, section 3: "Each job queue maintains its own policies regarding
        /// preemption, priority, and user access"; of the means it names "security information for
        /// each user".
        pub clearance: u8,
    }
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Pjs,
        Self::Sjs,
        Self::Olb,
        Self::BestAssignment,
        Self::MinMin,
        Self::MaxMin,
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
            Self::MaxMin => to(&MaxMin { best }),
            Self::Sufferage => to(&Sufferage),
        }
    }
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

impl Policy {
    /// What is all zeros: PJS, the most urgent level, no preemption, open to all users.
    pub const EMPTY: Self =
        Self { algorithm: Algorithm::Pjs, level: 0, claim: Claim::Neither, clearance: 0 };

    /// Whether queues of these policies can stand side by side.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let (mine, others) = (self.claim.rank(), other.claim.rank());
        mine == others || mine.cmp(&others) == self.level.cmp(&other.level)
    }
}

impl Stored for Policy {
    fn store(&self, put: &mut impl FnMut(u32)) {
        let [algorithm, claim] = [self.algorithm as u8, self.claim as u8];
        put(u32::from_le_bytes([algorithm, self.level, claim, self.clearance]));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let [algorithm, level, claim, clearance] = take()?.to_le_bytes();
        let algorithm = Algorithm::ALL.get(usize::from(algorithm)).copied();
        let claim = Claim::ALL.get(usize::from(claim)).copied();
        match (algorithm, claim) {
            (Some(algorithm), Some(claim)) => Ok(Self { algorithm, level, claim, clearance }),
            _ => Err(BadImage::Contradiction("there is no such policy")),
        }
    }
}
