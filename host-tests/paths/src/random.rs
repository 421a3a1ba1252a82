//! The same numbers at each run, for as few instructions as can be.

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Self(0x10C0)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (((self.0 >> 33) * bound as u64) >> 31) as usize
    }
}
