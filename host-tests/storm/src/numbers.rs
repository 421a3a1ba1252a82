//! Random numbers, all from the seed of a world.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A stream of random numbers.
pub(crate) struct Numbers(ChaCha8Rng);

impl Numbers {
    /// The stream of this name in the world of this seed.
    pub(crate) fn of(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// Any.
    pub(crate) fn any(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Below `count`, which is not zero.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.any() % count
    }

    /// From `least` to `most`, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// So often in a thousand.
    pub(crate) fn chance(&mut self, permille: u64) -> bool {
        self.below(1000) < permille
    }

    /// One of these.
    pub(crate) fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}
