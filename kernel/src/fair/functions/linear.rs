//! Amounts that grow with the distance of the index from zero.

use super::{Amount, IndexFunctions, ScheduleIndex};
use crate::image::digest_of;

crate::data::data! {
    /// A straight line over the distance from zero: `offset + slope * |index|`.
    ///
    /// Both are amounts with 8 fractional bits: the smallest slope is 1/256.
    #[derive(Default)]
    pub struct Line {
        /// The amount at index zero.
        pub offset: Amount,
        /// What each unit of distance adds.
        pub slope: Amount,
    }

    /// f, g, h and l, each a line.
    ///
    /// When to choose it: [flat](Line::flat) lines weigh holding against waiting (f : g), or say how long
    /// the past counts (small h and l: long); a zero switches that movement off. A slope in h and l
    /// forgets the past geometrically, whatever its size; give them an offset too, or the last fraction
    /// stays for ever. A slope in f or g feeds on itself: the index runs off exponentially until it
    /// saturates.
    ///
    /// ```
    /// use locox::fair::{Amount, IndexFunctions, Line, Linear, ScheduleIndex};
    /// let step = Line::flat(Amount::from_int(1));
    /// let half = Line { offset: Amount::from_int(1), slope: Amount::ratio(1, 2).unwrap() };
    /// let functions = Linear { f: step, g: step, h: half, l: half };
    /// assert_eq!(functions.h(ScheduleIndex::from_int(100)), Amount::from_int(51));
    /// assert_eq!(functions.l(ScheduleIndex::from_int(-6)), Amount::from_int(4));
    /// ```
    #[derive(Default)]
    pub struct Linear {
        /// Rise for each processor held.
        pub f: Line,
        /// Fall while waiting.
        pub g: Line,
        /// Fall towards zero.
        pub h: Line,
        /// Rise towards zero.
        pub l: Line,
    }
}

impl Line {
    /// The same amount at every index.
    pub const fn flat(amount: Amount) -> Self {
        Self { offset: amount, slope: Amount::ZERO }
    }

    /// The amount at `index`, rounded down.
    pub const fn at(self, index: ScheduleIndex) -> Amount {
        self.offset.plus(index.magnitude().scaled(self.slope))
    }
}

impl IndexFunctions for Linear {
    fn f(&self, index: ScheduleIndex) -> Amount {
        self.f.at(index)
    }

    fn g(&self, index: ScheduleIndex) -> Amount {
        self.g.at(index)
    }

    fn h(&self, index: ScheduleIndex) -> Amount {
        self.h.at(index)
    }

    fn l(&self, index: ScheduleIndex) -> Amount {
        self.l.at(index)
    }

    fn identity(&self) -> u32 {
        let lines =
            [self.f, self.g, self.h, self.l].map(|line| (line.offset.bits(), line.slope.bits()));
        let [f, g, h, l] = lines.map(|(offset, slope)| u64::from(offset) << 32 | u64::from(slope));
        digest_of(&[2, f, g, h, l])
    }
}
