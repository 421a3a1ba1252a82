//! What must be so, whatever happens: each claim once, with the words that it checks.

use std::fmt;

/// What must be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// Each job that is wanted gets to its end.
    NoJobLost,
    /// No job is on two machines at one time that is not meant to be, and none is started again that has ended.
    NoneTwice,
    /// When all is done, everything is free again.
    NoNodeLeaked,
    /// Who was promised something keeps it, or is told; nobody else gets it.
    PromisesKept,
    /// What comes of one command is no more than its documentation says.
    EffectsBounded,
    /// What is wanted and possible is done before long.
    Progress,
    /// What was answered is there after any restart.
    AnswersLast,
    /// What was damaged is mended or refused, and never taken for something else.
    DamageFound,
    /// What nobody said changes nothing.
    ForgeriesRefused,
    /// What a coordinator derives is what follows from its facts.
    Invariants,
    /// Nothing panics.
    NoPanic,
}

impl Claim {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::NoJobLost,
        Self::NoneTwice,
        Self::NoNodeLeaked,
        Self::PromisesKept,
        Self::EffectsBounded,
        Self::Progress,
        Self::AnswersLast,
        Self::DamageFound,
        Self::ForgeriesRefused,
        Self::Invariants,
        Self::NoPanic,
    ];

    /// In a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoJobLost => "a job is lost",
            Self::NoneTwice => "a job runs twice",
            Self::NoNodeLeaked => "something is not given back",
            Self::PromisesKept => "a promise is broken without a word",
            Self::EffectsBounded => "there are more effects than there may be",
            Self::Progress => "nothing goes on",
            Self::AnswersLast => "what was answered is forgotten",
            Self::DamageFound => "damage is taken for something else",
            Self::ForgeriesRefused => "a forgery is believed",
            Self::Invariants => "an invariant does not hold",
            Self::NoPanic => "something panics",
        }
    }
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which.
    pub claim: Claim,
    /// Whose.
    pub whose: &'static str,
    /// When, in milliseconds.
    pub at: u64,
    /// What was found.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { claim, whose, at, what } = self;
        write!(f, "{}: {whose}, at {}: {what}", claim.words(), crate::time::Clock(*at))
    }
}
