//! The kernel's detector of owners over a modelled load average.
//!
//! A station is sampled every half minute for years: a million samples a year, most of them while
//! nothing goes on. While the owner is away the load can only fall until the next burst, so all
//! samples before that are left out. Those taken lie on the grid on which the detector would have
//! taken them all: the result is the same.

use super::{Activity, LoadAverage};
use crate::streams::Stream;
use locox::node::{Owner, OwnerActivity, OwnerLoad};
use locox::time::{Duration, Instant};

/// When the kernel's [`OwnerActivity`] changes its mind about an owner.
pub fn detect(activity: &Activity, random: Stream) -> impl Iterator<Item = (Instant, Owner)> + '_ {
    let mut watch = Watch::new(activity, activity.bursts(random));
    let start = (Instant::ZERO, Owner::Present);
    std::iter::once(start).chain(std::iter::repeat_with(move || watch.next_change()))
}

/// - The load average is known up to the last sample, or to the end of a burst before it.
/// - `burst` is the one that is on, or else the next one.
struct Watch<B> {
    detector: OwnerActivity,
    /// Ticks between samples while the owner is away.
    sample_away: u64,
    load: LoadAverage,
    bursts: B,
    /// Begin and end.
    burst: (f64, f64),
    /// Added to the first burst while the screen saver is on.
    redraw: f64,
    saver: bool,
}

impl<B: Iterator<Item = (f64, f64)>> Watch<B> {
    fn new(activity: &Activity, bursts: B) -> Self {
        let detector = OwnerActivity::new(activity.rule, Instant::ZERO);
        let mut watch = Self {
            detector: detector.expect("sampling periods are checked"),
            sample_away: activity.rule.sample_away.ticks(),
            load: LoadAverage::IDLE,
            bursts,
            burst: (0.0, 0.0),
            redraw: activity.redraw,
            saver: false,
        };
        watch.next_burst();
        watch
    }

    /// Takes the samples that matter until one changes the state.
    fn next_change(&mut self) -> (Instant, Owner) {
        loop {
            let at = self.next_sample();
            if let Some(state) = self.sample(at) {
                return (at, state);
            }
        }
    }

    /// The next one that may find something new.
    fn next_sample(&self) -> Instant {
        let next = self.detector.next_sample();
        let idle = self.burst.0 - next.ticks() as f64;
        if self.detector.owner() == Owner::Present || idle <= 0.0 {
            return next;
        }
        let left_out = (idle / self.sample_away as f64).ceil() as u64;
        next.saturating_add(Duration::from_ticks(left_out * self.sample_away))
    }

    fn sample(&mut self, at: Instant) -> Option<Owner> {
        let average = self.load_at(at.ticks() as f64);
        // Rounded up: what is above the threshold stays above it.
        let load = OwnerLoad::from_hundredths((average * 10_000.0).ceil() as u16);
        let changed = self.detector.sample(at, load).expect("samples follow each other");
        if let Some(state) = changed {
            self.saver = state == Owner::Away;
        }
        changed
    }

    fn load_at(&mut self, time: f64) -> f64 {
        while self.burst_end(time) <= time {
            self.load.advance(self.burst.0, false);
            self.load.advance(self.burst.1, true);
            self.next_burst();
        }
        self.load.advance(time.min(self.burst.0), false);
        self.load.advance(time, true)
    }

    /// The end of the burst at hand. If that has begun by `time`, it has ended the screen saver.
    fn burst_end(&mut self, time: f64) -> f64 {
        if self.burst.0 <= time && std::mem::take(&mut self.saver) {
            self.burst.1 += self.redraw;
        }
        self.burst.1
    }

    fn next_burst(&mut self) {
        let (begin, use_time) = self.bursts.next().expect("owners come again and again");
        let begin = begin.max(self.burst.1);
        self.burst = (begin, begin + use_time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;
    use crate::workstation::Lengths;
    use locox::node::OwnerRule;

    fn minutes(count: f64) -> Lengths {
        Lengths::Exponential(count * 60.0)
    }

    fn office() -> Activity {
        let rule = OwnerRule::study(Duration::from_ticks(60));
        Activity::office(minutes(20.0), minutes(60.0), rule)
    }

    /// The same with every sample taken.
    fn detect_by_every_sample(activity: &Activity, random: Stream) -> Vec<(Instant, Owner)> {
        let mut watch = Watch::new(activity, activity.bursts(random));
        let mut changes = vec![(Instant::ZERO, Owner::Present)];
        while changes.len() < 500 {
            let at = watch.detector.next_sample();
            changes.extend(watch.sample(at).map(|state| (at, state)));
        }
        changes
    }

    #[test]
    fn samples_left_out_would_have_told_nothing() {
        for replication in 0..10 {
            let random = || stream(5, "owner", replication);
            let mut activity = office();
            activity.rule.sample_away = Duration::from_ticks(7 + 11 * replication);
            let fast: Vec<_> = detect(&activity, random()).take(500).collect();
            assert_eq!(fast, detect_by_every_sample(&activity, random()));
        }
    }

    /// Bursts at the times given, and then none for a long time.
    fn watched(bursts: &[(f64, f64)]) -> Vec<(u64, Owner)> {
        let activity = office();
        let never = std::iter::repeat((1e9, 1.0));
        let mut watch = Watch::new(&activity, bursts.iter().copied().chain(never));
        let mut changes = Vec::new();
        while changes.last().is_none_or(|&(at, _)| at < 100_000_000) {
            let (at, state) = watch.next_change();
            changes.push((at.ticks(), state));
        }
        changes
    }

    /// Quiet from the start: available at 300 s, samples each 30 s from then on. A stroke at 1001 s
    /// lasts until 1003.1 with its redraw. The load then stands at 1 - e^(-2.1/60), 3.44 %, and is
    /// below 0.25 % after 60 ln(13.76) = 157.3 s, at 1160.4 s. Samples each minute from 1020 s on:
    /// the first quiet one is at 1200 s, the station is available at 1500 s.
    #[test]
    fn a_single_stroke_keeps_the_station_for_about_eight_minutes() {
        let changes = watched(&[(1001.0, 0.1)]);
        assert_eq!(changes[..3], [(300, Owner::Away), (1020, Owner::Present), (1500, Owner::Away)]);
    }

    #[test]
    fn without_the_screen_saver_a_stroke_can_pass_unseen() {
        let mut activity = office();
        activity.redraw = 0.0;
        let bursts = [(1001.0, 0.1), (1e9, 1.0), (2e9, 1.0)];
        let mut watch = Watch::new(&activity, bursts.into_iter());
        assert_eq!(watch.next_change(), (Instant::from_ticks(300), Owner::Away));
        assert!(watch.next_change().0.ticks() > 900_000_000);
    }
}
