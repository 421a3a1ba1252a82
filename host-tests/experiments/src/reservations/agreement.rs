//! How often two policies that look at different things choose the same start.

use super::grid::DEFAULT;
use crate::Lab;
use locox::bits::{BitSet, words_for};
use locox::handle::PoolId;
use locox::reserve::{Candidate, Fit, Limits, Lowest, Policy, Timeline};
use locox_models::workload::cm5;
use locox_models::workload::reservations::requests;

/// Requests of one run of the model at the default setting, whose reservations FF decides.
pub(super) struct Agreement {
    /// Requests with several candidates.
    pub(super) choices: usize,
    /// Those for which PE_W and Du_B choose the same start, as a share.
    pub(super) most_and_shortest: f64,
    /// Those for which PE_B and Du_W do.
    pub(super) fewest_and_longest: f64,
}

pub(super) fn count(lab: &Lab, jobs: usize) -> Agreement {
    let jobs = cm5::generate(jobs, DEFAULT.med, lab.seed, 0);
    let limits = Limits { pes: cm5::PROCESSORS, reservations: jobs.jobs.len() as u32 };
    let storage = vec![0; Timeline::words(limits)];
    let mut timeline =
        Timeline::new(PoolId(0), limits, storage).expect("the storage is as long as it must be");
    let words = vec![0; words_for(limits.pes as usize)];
    let mut free = BitSet::empty(words, limits.pes).expect("the words hold the PEs");
    let (mut choices, mut shortest, mut longest) = (0, 0, 0);
    for asking in requests(&jobs, DEFAULT.flexibility, lab.seed, 0) {
        timeline.advance(asking.arrival).expect("arrivals are in order");
        let candidates = timeline.candidates(&asking.request, &mut free);
        let candidates: Vec<_> = candidates.expect("requests of the model make sense").collect();
        if candidates.len() > 1 {
            let same = |a, b| preferred(a, &candidates) == preferred(b, &candidates);
            choices += 1;
            shortest += usize::from(same(Fit::PeWorst, Fit::DurationBest));
            longest += usize::from(same(Fit::PeBest, Fit::DurationWorst));
        }
        // Refused requests leave no trace.
        let _ = timeline.reserve(&asking.request, &Fit::First, &Lowest);
    }
    let share = |count: usize| count as f64 / choices as f64;
    Agreement { choices, most_and_shortest: share(shortest), fewest_and_longest: share(longest) }
}

fn preferred(fit: Fit, candidates: &[Candidate]) -> Option<Candidate> {
    candidates.iter().copied().reduce(|best, new| if fit.prefers(&new, &best) { new } else { best })
}
