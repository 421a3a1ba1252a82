//! The rankings of the kernel, by name.

use alloc::vec;
use core::fmt;
use locox::fair::{
    Amount, Condor, DecayParams, Fairness, IndexFunctions, Line, Linear, Random, RoundRobin,
    Saturating, ScheduleIndex, TimedRow, TimedUpDown, UpDown,
};
use locox::time::Duration;

/// Ticks are seconds.
const MINUTE: u64 = 60;

/// Who gets a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// By an index that moves with the time; preemptive.
    TimedUpDown,
    /// By the printed table of schedule indices, moved by these functions; preemptive.
    UpDown(Functions),
    /// Each in turn.
    RoundRobin,
    /// By lot.
    Random,
}

/// What moves the schedule index; the step is ten where there is one, for an interval of ten
/// minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Functions {
    /// f = g = l = 10; h forgives at once what is above 1200.
    Condor,
    /// f = g = h = l = 10.
    Constant,
    /// f = g = 10; h and l are 10 and an eighth of the index.
    Linear,
    /// All 10, but f and g stop at 1200 from zero.
    Saturating,
}

impl Policy {
    /// The three that the study compares.
    pub const STUDY: [Self; 3] = [Self::UpDown(Functions::Condor), Self::RoundRobin, Self::Random];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimedUpDown => "Up-Down by time",
            Self::UpDown(_) => "Up-Down",
            Self::RoundRobin => "Round-Robin",
            Self::Random => "Random",
        }
    }

    /// Does something under the ranking of so many stations. The step of the functions is the
    /// interval in minutes; the quantum is the interval, and the half-life a day.
    ///
    /// # Errors
    ///
    /// [`Zero`].
    pub fn rank<U: Under>(
        self,
        interval: Duration,
        stations: usize,
        what: U,
    ) -> Result<U::Done, Zero> {
        Ok(match self {
            Self::TimedUpDown => {
                let minute = Duration::from_ticks(MINUTE);
                let pace = DecayParams { quantum: interval, ..DecayParams::standard(minute) };
                let fair = TimedUpDown::new(vec![TimedRow::EMPTY; stations], pace);
                what.under(fair.map_err(|_| Zero)?)
            }
            Self::UpDown(functions) => {
                let step = Amount::ratio(interval.ticks(), MINUTE);
                let step = step.unwrap_or(Amount::MAX).max(Amount::from_bits(1));
                let table = vec![ScheduleIndex::ZERO; stations];
                what.under(UpDown::new(table, functions.with_step(step)).shuffled())
            }
            Self::RoundRobin => what.under(RoundRobin::default()),
            Self::Random => what.under(Random::new()),
        })
    }
}

/// The interval of a ranking that needs one is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interval must be above 0")]
pub struct Zero;

/// What is done under one of the kernel's rankings, whichever it is.
pub trait Under {
    /// What comes of it.
    type Done;

    /// Does it.
    fn under<F: Fairness>(self, fair: F) -> Self::Done;
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Functions {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Condor, Self::Constant, Self::Linear, Self::Saturating];

    /// Its name in tables and on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Condor => "condor",
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Saturating => "saturating",
        }
    }

    /// The functions themselves, with a step of `step`.
    ///
    /// # Panics
    ///
    /// If `step` is zero.
    pub fn with_step(self, step: Amount) -> Movement {
        let flat = Line::flat(step);
        let eighth =
            Line { slope: Amount::from_bits(1 << (ScheduleIndex::FRACTION_BITS - 3)), ..flat };
        let limit = step.times(Condor::HEAVY_STEPS);
        let fit = "the step is not zero";
        match self {
            Self::Condor => Movement::Condor(Condor::new(step).expect(fit)),
            Self::Constant => Movement::Linear(Linear { f: flat, g: flat, h: flat, l: flat }),
            Self::Linear => Movement::Linear(Linear { f: flat, g: flat, h: eighth, l: eighth }),
            Self::Saturating => Movement::Saturating(Saturating::new(step, limit).expect(fit)),
        }
    }
}

impl fmt::Display for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One of the kernel's sets of functions, chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// See [`Condor`].
    Condor(Condor),
    /// See [`Linear`].
    Linear(Linear),
    /// See [`Saturating`].
    Saturating(Saturating),
}

impl Movement {
    fn functions(&self) -> &dyn IndexFunctions {
        match self {
            Self::Condor(functions) => functions,
            Self::Linear(functions) => functions,
            Self::Saturating(functions) => functions,
        }
    }
}

impl IndexFunctions for Movement {
    fn f(&self, index: ScheduleIndex) -> Amount {
        self.functions().f(index)
    }

    fn g(&self, index: ScheduleIndex) -> Amount {
        self.functions().g(index)
    }

    fn h(&self, index: ScheduleIndex) -> Amount {
        self.functions().h(index)
    }

    fn l(&self, index: ScheduleIndex) -> Amount {
        self.functions().l(index)
    }
}
