//! Requests that come and go at random.

use super::limits::{self, MOST_UNITS};
use super::run::Run;
use super::{Call, Subject, Wrong};

/// What became of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fragmentation {
    /// Requests.
    pub asked: u64,
    /// Of them refused.
    pub refused: u64,
    /// Of these with enough units free, but not side by side.
    pub refused_though_enough: u64,
    /// Of these with room at a place that is allowed: only a subject that does not promise to find all may do so.
    pub refused_though_room: u64,
}

impl Fragmentation {
    /// The share of the requests that were refused though enough units were free.
    pub fn refused_though_free(&self) -> f64 {
        self.refused_though_enough as f64 / self.asked.max(1) as f64
    }
}

/// Asks for sizes at random, each as often as the others, and gives a block back at random where more than three quarters are
/// held, or after a refusal. The same seed makes the same requests. It remembers all calls, to name them if one is answered
/// wrongly.
///
/// # Errors
///
/// [`Wrong`] if a call is answered wrongly; [`walk`](super::walk) finds most such answers after fewer calls. Or `units` or
/// `sizes` cannot be tested, or the same calls get other answers after another reset.
pub fn fragmentation(
    subject: &mut dyn Subject,
    seed: u64,
    steps: u64,
) -> Result<Fragmentation, Wrong> {
    let sizes = limits::sizes(subject, MOST_UNITS)?;
    let all = subject.units();
    let mut numbers = seed;
    let mut below = |bound: usize| {
        numbers =
            numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (numbers >> 33) as usize % bound
    };
    let (mut run, mut counts) = (Run::after(subject, &[])?, Fragmentation::default());
    for _ in 0..steps {
        let units = sizes[below(sizes.len())];
        let before = run.held.0.len();
        run.call(Call::Allocate(units))?;
        counts.asked += 1;
        let is_refused = run.held.0.len() == before;
        if is_refused {
            counts.refused += 1;
            counts.refused_though_enough += u64::from(all - run.held.units() >= units);
            counts.refused_though_room += u64::from(run.held.room(run.subject, units).is_some());
        }
        let mut busy = is_refused || run.held.units() > all / 4 * 3;
        while busy && !run.held.0.is_empty() {
            let at = below(run.held.0.len());
            let block = *run.held.0.iter().nth(at).expect("below the number of blocks");
            run.call(Call::Free(block))?;
            busy = run.held.units() > all / 4 * 3;
        }
    }
    Ok(counts)
}
