//! Deliberate defects, one at a time, in what stands between the world and what is shipped: a storm that finds none of
//! them proves nothing.

use crate::claims::Claim;

macro_rules! planted {
    ($($(#[$doc:meta])* $Name:ident = $word:literal, $($claim:ident)|+;)+) => {
        /// A defect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Planted {
            $($(#[$doc])* $Name,)+
        }

        impl Planted {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$Name),+];

            /// What it is called on the command line.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$Name => $word),+ }
            }

            /// By which claims it is found.
            pub const fn claims(self) -> &'static [Claim] {
                match self { $(Self::$Name => &[$(Claim::$claim),+]),+ }
            }
        }
    };
}

planted! {
    /// A workstation does not say that a job has ended.
    HostForgetsToReport = "host-forgets-to-report", NoJobLost | Progress;
    /// It does what it is told, however old that is.
    HostHearsOldEffects = "host-hears-old-effects", NoneTwice;
    /// It keeps its guest when its lease has ended.
    HostOutlivesLease = "host-outlives-lease", NoneTwice;
    /// Reports reach the coordinator of workstations without their numbers.
    NoNumbers = "no-numbers", NoneTwice | NoNodeLeaked | NoJobLost | PromisesKept | Progress;
    /// A disk says that something is durable before it is.
    AnswersBeforeStored = "answers-before-stored", AnswersLast;
    /// A manager tells the agent that jobs wait that run.
    AgentTakesNodesTwice = "agent-takes-nodes-twice", PromisesKept | EffectsBounded;
    /// A manager says that it has done what it was asked for, and never does it.
    ManagerForgetsActs = "manager-forgets-acts", NoJobLost | Progress;
    /// A gateway does not pass on who has been hit.
    GatewayDropsHits = "gateway-drops-hits", PromisesKept;
    /// It takes subcubes back and does not tell the bank.
    GatewayDropsReleases = "gateway-drops-releases", NoNodeLeaked;
    /// Jobs on shared hosts end, and nobody says so.
    SharedForgetsEnds = "shared-forgets-ends", NoJobLost | NoNodeLeaked | Progress;
    /// A machine of the site does not say that a job has ended.
    SiteForgetsToReport = "site-forgets-to-report", NoJobLost | Progress;
    /// It does what it is told, however old that is.
    SiteHearsOldEffects = "site-hears-old-effects", NoneTwice;
    /// The coordinator of workstations tells each thing many times.
    StationsBabble = "stations-babble", EffectsBounded;
    /// Whoever reads a message does not look at its seal.
    SealsNotChecked = "seals-not-checked", DamageFound;
    /// Whoever makes up messages is believed.
    ForgersBelieved = "forgers-believed", ForgeriesRefused;
    /// The flash of the bank is empty after a power cut.
    FlashForgets = "flash-forgets", AnswersLast;
    /// The history of the agent is empty after a power cut.
    AgentLosesHistory = "agent-loses-history", AnswersLast;
    /// The gateway panics.
    GatewayPanics = "gateway-panics", NoPanic;
}
