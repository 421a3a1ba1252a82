//! The functions of Condor's later code, which the study's slides fit.

use super::{Amount, IndexFunctions, ScheduleIndex};
use crate::fair::Misuse;
use crate::image::digest_of;
use crate::time::Duration;

crate::data::data! {
    /// f = g = l = step; h cuts an index above 120 steps down to 120 steps at once and lowers it by
    /// one step from there on.
    ///
    /// The step is the scheduling interval in minutes, so that an index counts processor minutes.
    /// When to choose it: by default. A station that stops asking is forgiven everything above 120
    /// intervals of one processor at its next update, and the rest in at most 120 more.
    ///
    /// Source: Condor's own code after the study; the slides on the study say of h that a very high
    /// index should be reduced to zero faster, which this does.
    ///
    /// ```
    /// use locox::fair::{Amount, Condor, IndexFunctions, ScheduleIndex};
    /// let functions = Condor::new(Amount::from_int(10)).unwrap();
    /// assert_eq!(functions.f(ScheduleIndex::ZERO), Amount::from_int(10));
    /// assert_eq!(functions.h(ScheduleIndex::from_int(5000)), Amount::from_int(3800));
    /// assert_eq!(functions.h(ScheduleIndex::from_int(1200)), Amount::from_int(10));
    /// ```
    pub struct Condor {
        #[cfg_attr(feature = "serde", serde(deserialize_with = "Amount::read_some"))]
        step: Amount,
    }
}

impl Condor {
    /// Steps above which h forgives at once.
    pub const HEAVY_STEPS: u32 = 120;

    /// For the study's interval of ten minutes.
    pub const fn study() -> Self {
        Self { step: Amount::from_int(10) }
    }

    /// Functions that move by `step`.
    ///
    /// # Errors
    ///
    /// [`Misuse::Zero`] for `step`: no index would ever move.
    pub const fn new(step: Amount) -> Result<Self, Misuse> {
        if step.bits() == 0 {
            return Err(Misuse::Zero { parameter: "step" });
        }
        Ok(Self { step })
    }

    /// Functions whose step is `interval` in minutes, a `minute` being so many ticks long.
    ///
    /// # Errors
    ///
    /// [`Misuse::Zero`] for `minute`, or for `interval` if it is shorter than 1/256 of a
    /// minute.
    pub const fn every(interval: Duration, minute: Duration) -> Result<Self, Misuse> {
        match Amount::ratio(interval.ticks(), minute.ticks()) {
            None => Err(Misuse::Zero { parameter: "minute" }),
            Some(Amount::ZERO) => Err(Misuse::Zero { parameter: "interval" }),
            Some(step) => Ok(Self { step }),
        }
    }
}

impl Default for Condor {
    /// For the study's interval of ten minutes.
    fn default() -> Self {
        Self::study()
    }
}

impl IndexFunctions for Condor {
    fn f(&self, _: ScheduleIndex) -> Amount {
        self.step
    }

    fn g(&self, _: ScheduleIndex) -> Amount {
        self.step
    }

    fn h(&self, index: ScheduleIndex) -> Amount {
        let above = index.magnitude().minus(self.step.times(Self::HEAVY_STEPS));
        if above == Amount::ZERO { self.step } else { above }
    }

    fn l(&self, _: ScheduleIndex) -> Amount {
        self.step
    }

    fn identity(&self) -> u32 {
        digest_of(&[1, self.step.bits().into()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_the_interval_in_minutes() {
        let (second, minute) = (Duration::from_ticks(1), Duration::from_ticks(60));
        let ten = minute.checked_mul(10).unwrap();
        assert_eq!(Condor::every(ten, minute), Ok(Condor::default()));
        assert_eq!(Condor::every(second, minute).unwrap().step, Amount::ratio(1, 60).unwrap());
    }

    #[test]
    fn a_parameter_of_zero_is_refused_by_its_name() {
        let (zero, one) = (Duration::ZERO, Duration::from_ticks(1));
        let refused = |parameter| Err(Misuse::Zero { parameter });
        assert_eq!(Condor::new(Amount::ZERO), refused("step"));
        assert_eq!(Condor::every(zero, one), refused("interval"));
        assert_eq!(Condor::every(one, zero), refused("minute"));
        assert_eq!(Condor::every(one, Duration::from_ticks(257)), refused("interval"));
    }

    #[test]
    fn h_leaves_exactly_120_steps_of_a_higher_index() {
        let condor = Condor::default();
        for whole in [1201, 1210, 5000, 8_000_000] {
            let index = ScheduleIndex::from_int(whole);
            assert_eq!(index.decayed(condor.h(index)), ScheduleIndex::from_int(1200));
        }
        let at_limit = ScheduleIndex::from_int(1200);
        assert_eq!(at_limit.decayed(condor.h(at_limit)), ScheduleIndex::from_int(1190));
    }

    #[test]
    fn all_but_h_are_a_step_at_any_index() {
        let condor = Condor::default();
        for index in [ScheduleIndex::BEST, ScheduleIndex::ZERO, ScheduleIndex::WORST] {
            assert_eq!([condor.f(index), condor.g(index), condor.l(index)], [condor.step; 3]);
        }
    }
}
