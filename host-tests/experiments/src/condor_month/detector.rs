//! How long a station counts as used after a single stroke.

use super::Lab;
use crate::sources::updown as says;
use crate::thresholds::CONDOR_ABOUT_SEVEN;
use locox::node::{Owner, OwnerRule};
use locox::time::{Duration, Instant};
use locox_models::stats::Estimate;
use locox_models::streams::stream;
use locox_models::workstation::{Activity, Lengths, detect};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::Claim;

/// Processor time of a redraw, in seconds, that lets the load average fall below the threshold
/// after two and after three minutes.
const REDRAWS: [f64; 2] = [1.1, 3.0];

/// Minutes from each stroke until the station is available again, for each redraw.
pub(super) struct Watched([Vec<f64>; 2]);

pub(super) fn watch(lab: &Lab) -> Watched {
    let strokes = lab.either(300, 3000);
    Watched(REDRAWS.map(|redraw| waits(redraw, strokes, lab.seed)))
}

/// An owner who touches a key once in a while.
fn waits(redraw: f64, strokes: usize, seed: u64) -> Vec<f64> {
    let activity = Activity {
        presence: Lengths::Constant(0.01),
        absence: Lengths::Exponential(3.0 * 3600.0),
        pause: Lengths::Constant(1.0),
        burst: Lengths::Constant(0.01),
        redraw,
        rule: OwnerRule::study(Duration::from_ticks(60)),
    };
    let changes: Vec<(Instant, Owner)> =
        detect(&activity, stream(seed, "strokes", 0)).skip(2).take(2 * strokes).collect();
    // A stroke is seen a quarter of a minute later, on average: samples come each half minute.
    let minutes = |pair: &[(Instant, Owner)]| {
        pair[1].0.since(pair[0].0).map_or(0.0, |span| span.ticks() as f64 / 60.0) + 0.25
    };
    changes.chunks_exact(2).map(minutes).collect()
}

impl Watched {
    pub(super) fn claim(&self) -> Claim {
        let [short, long] = self.0.each_ref().map(|waits| Estimate::of(waits));
        let names = ["forgotten after two minutes", "after three"];
        let (least, most) = CONDOR_ABOUT_SEVEN;
        let about = Expected::Inside(least, most);
        let case = |(name, waits): (&str, &Vec<f64>)| Case::new(name, waits.clone(), about);
        let cases: Vec<Case> = names.into_iter().zip(&self.0).map(case).collect();
        judge::every(&cases, Unit("minutes", 2)).of_levels().on(
            &says::SEVEN_MINUTES,
            format!(
                "{short:.2} to {long:.2} min, through the kernel's detector over a load average of \
                 one minute's memory: two to three minutes until the redraw of the windows is \
                 forgotten, five of quiet, and a sample each minute in between, which the text \
                 leaves out of its sum."
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict;

    #[test]
    fn the_verdict_can_fail() {
        let verdict =
            |redraws: [f64; 2]| Watched(redraws.map(|redraw| waits(redraw, 50, 1))).claim().verdict;
        assert_eq!(verdict([REDRAWS[0]; 2]), Verdict::Holds);
        assert_eq!(verdict([30.0; 2]), Verdict::DoesNotHold);
    }
}
