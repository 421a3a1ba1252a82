//! Constant amounts up to a limit on either side of zero.

use super::{Amount, IndexFunctions, ScheduleIndex};
use crate::fair::Misuse;
use crate::image::digest_of;

crate::data::data! {
    /// Every function is `step`, but f and g shrink to what is left to `limit`, so that the past
    /// counts no more than `limit`.
    ///
    /// When to choose it: where a station that was heavy (or starved) for a month should be as any
    /// other after `limit / step` intervals. An index stays within `limit`, except that a station
    /// with k processors can overshoot it once by up to (k - 1) steps, as f counts k times.
    ///
    /// ```
    /// use locox::fair::{Amount, IndexFunctions, Saturating, ScheduleIndex};
    /// let functions = Saturating::new(Amount::from_int(10), Amount::from_int(95)).unwrap();
    /// assert_eq!(functions.f(ScheduleIndex::from_int(50)), Amount::from_int(10));
    /// assert_eq!(functions.f(ScheduleIndex::from_int(90)), Amount::from_int(5));
    /// assert_eq!(functions.g(ScheduleIndex::from_int(-95)), Amount::ZERO);
    /// ```
    pub struct Saturating {
        #[cfg_attr(feature = "serde", serde(deserialize_with = "Amount::read_some"))]
        step: Amount,
        #[cfg_attr(feature = "serde", serde(deserialize_with = "Amount::read_some"))]
        limit: Amount,
    }
}

impl Saturating {
    /// Functions that move by `step` within `limit` of zero.
    ///
    /// # Errors
    ///
    /// [`Misuse::Zero`] for `step` or `limit`: no index would ever move.
    pub const fn new(step: Amount, limit: Amount) -> Result<Self, Misuse> {
        match (step.bits(), limit.bits()) {
            (0, _) => Err(Misuse::Zero { parameter: "step" }),
            (_, 0) => Err(Misuse::Zero { parameter: "limit" }),
            _ => Ok(Self { step, limit }),
        }
    }

    /// The step, or what is left of the way out to the limit.
    fn outwards(&self, distance: Amount) -> Amount {
        self.step.min(self.limit.minus(distance))
    }
}

impl IndexFunctions for Saturating {
    fn f(&self, index: ScheduleIndex) -> Amount {
        if index.is_negative() { self.step } else { self.outwards(index.magnitude()) }
    }

    fn g(&self, index: ScheduleIndex) -> Amount {
        if index.is_positive() { self.step } else { self.outwards(index.magnitude()) }
    }

    fn h(&self, _: ScheduleIndex) -> Amount {
        self.step
    }

    fn l(&self, _: ScheduleIndex) -> Amount {
        self.step
    }

    fn identity(&self) -> u32 {
        digest_of(&[3, self.step.bits().into(), self.limit.bits().into()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_of_zero_is_refused_by_its_name() {
        let (zero, one) = (Amount::ZERO, Amount::from_int(1));
        assert_eq!(Saturating::new(zero, one), Err(Misuse::Zero { parameter: "step" }));
        assert_eq!(Saturating::new(one, zero), Err(Misuse::Zero { parameter: "limit" }));
    }

    #[test]
    fn no_index_leaves_the_limit_by_steps_of_one_processor() {
        let limit = 37;
        let bound = Saturating::new(Amount::from_int(10), Amount::from_int(limit)).unwrap();
        let (mut holder, mut waiter) = (ScheduleIndex::ZERO, ScheduleIndex::ZERO);
        for _ in 0..10 {
            holder = holder.raised(bound.f(holder));
            waiter = waiter.lowered(bound.g(waiter));
        }
        assert_eq!(holder, ScheduleIndex::from_int(limit as i32));
        assert_eq!(waiter, ScheduleIndex::from_int(-(limit as i32)));
    }

    #[test]
    fn an_overshoot_by_several_processors_is_bounded_and_ends() {
        let bound = Saturating::new(Amount::from_int(10), Amount::from_int(35)).unwrap();
        let mut index = ScheduleIndex::from_int(25);
        index = index.raised(bound.f(index).times(4));
        assert_eq!(index, ScheduleIndex::from_int(65));
        assert_eq!(bound.f(index), Amount::ZERO);
    }

    #[test]
    fn back_towards_zero_it_is_always_a_step() {
        let step = Amount::from_int(10);
        let bound = Saturating::new(step, Amount::from_int(35)).unwrap();
        for index in [-90, -35, 0, 35, 90].map(ScheduleIndex::from_int) {
            assert_eq!((bound.h(index), bound.l(index)), (step, step));
        }
    }
}
