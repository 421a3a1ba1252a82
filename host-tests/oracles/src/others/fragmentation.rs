//! Requests that come and go at random.

use super::subject::Held;
use super::{Call, Subject};

/// What became of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fragmentation {
    /// Requests.
    pub asked: u64,
    /// Of them refused.
    pub refused: u64,
    /// Of these with enough units free, but not side by side.
    pub refused_though_enough: u64,
    /// Of these with room at a place that is allowed.
    pub refused_though_room: u64,
}

impl Fragmentation {
    /// The share of the requests that were refused though enough units were free.
    pub fn refused_though_free(&self) -> f64 {
        self.refused_though_enough as f64 / self.asked.max(1) as f64
    }
}

/// Asks for sizes at random, each as often as the others, and gives a block back at random where more than three quarters are
/// held, or after a refusal. The same seed makes the same requests.
///
/// # Panics
///
/// If a block is granted that is held, or not taken back: [`walk`](super::walk) names the calls.
pub fn fragmentation(subject: &mut dyn Subject, seed: u64, steps: u64) -> Fragmentation {
    let mut numbers = seed;
    let mut below = |bound: usize| {
        numbers =
            numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (numbers >> 33) as usize % bound
    };
    subject.reset();
    let (sizes, all) = (subject.sizes(), subject.units());
    let (mut held, mut counts) = (Held::default(), Fragmentation::default());
    for _ in 0..steps {
        let units = sizes[below(sizes.len())];
        let (room, free, before) = (held.room(subject, units), all - held.units(), held.0.len());
        // An incomplete subject may refuse what has room.
        let answer = held.follow(subject, Call::Allocate(units));
        let is_refused = held.0.len() == before;
        assert!(is_refused || answer.is_ok(), "{answer:?}");
        counts.asked += 1;
        counts.refused += u64::from(is_refused);
        counts.refused_though_enough += u64::from(is_refused && free >= units);
        counts.refused_though_room += u64::from(is_refused && room.is_some());
        let mut busy = is_refused || held.units() > all / 4 * 3;
        while busy && !held.0.is_empty() {
            let at = below(held.0.len());
            let block = *held.0.iter().nth(at).expect("below the number of blocks");
            held.follow(subject, Call::Free(block)).expect("what is held is taken back");
            busy = held.units() > all / 4 * 3;
        }
    }
    counts
}
