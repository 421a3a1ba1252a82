//! When a station counts as available: section 2 of Mutka and Livny (1987), rule by rule.

use locox::node::{Misuse, Owner, OwnerActivity, OwnerLoad, OwnerRule};
use locox::time::{Duration, Instant};

const MINUTE: u64 = 60;

fn second(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn study() -> OwnerRule {
    OwnerRule::study(Duration::from_ticks(MINUTE))
}

/// Runs a station under the study's rule on a load that depends on the second; returns the
/// changes and the number of samples until `end`.
fn watch(end: u64, load: impl Fn(u64) -> OwnerLoad) -> (Vec<(u64, Owner)>, u32) {
    let mut station = OwnerActivity::new(study(), second(0)).unwrap();
    let mut changes = Vec::new();
    let mut samples = 0;
    while station.next_sample() < second(end) {
        let now = station.next_sample();
        let change = station.sample(now, load(now.ticks())).unwrap();
        changes.extend(change.map(|owner| (now.ticks(), owner)));
        samples += 1;
    }
    (changes, samples)
}

#[test]
fn the_study_samples_each_minute_while_present_and_each_half_minute_while_away() {
    let (_, busy) = watch(60 * MINUTE, |_| OwnerLoad::FULL);
    assert_eq!(busy, 60);
    let (changes, idle) = watch(65 * MINUTE, |_| OwnerLoad::NONE);
    assert_eq!(changes, [(5 * MINUTE, Owner::Away)]);
    assert_eq!(idle, 5 + 2 * 60);
}

#[test]
fn five_quiet_minutes_are_needed_and_any_activity_starts_them_anew() {
    let (changes, _) =
        watch(20 * MINUTE, |at| if at == 4 * MINUTE { OwnerLoad::FULL } else { OwnerLoad::NONE });
    // The first quiet sample after the activity is that of minute 5.
    assert_eq!(changes, [(10 * MINUTE, Owner::Away)]);
}

#[test]
fn a_load_above_a_quarter_of_a_percent_is_activity_and_the_quarter_itself_is_not() {
    let quarter = OwnerLoad::from_hundredths(25);
    let (changes, _) = watch(20 * MINUTE, |_| quarter);
    assert_eq!(changes, [(5 * MINUTE, Owner::Away)]);
    let (changes, _) = watch(20 * MINUTE, |_| OwnerLoad::from_hundredths(26));
    assert_eq!(changes, []);
}

#[test]
fn the_owners_return_is_seen_within_half_a_minute() {
    for back in 10 * MINUTE..11 * MINUTE {
        let (changes, _) =
            watch(12 * MINUTE, |at| if at >= back { OwnerLoad::FULL } else { OwnerLoad::NONE });
        let (seen, owner) = changes[1];
        assert_eq!(owner, Owner::Present);
        assert!((back..back + MINUTE / 2).contains(&seen), "back at {back}, seen at {seen}");
    }
}

#[test]
fn a_single_stroke_keeps_a_station_for_about_seven_minutes() {
    // The text: a stroke redraws the screen, which lifts the decaying average above the threshold
    // for two to three minutes, and five more must pass. The average here is Unix's over one
    // minute; the redraw is taken as 4 % of a minute, for which it needs ln(16) = 2.8 minutes.
    let stroke = 20 * MINUTE + 7;
    let average = |at: u64| {
        let since = at.checked_sub(stroke).map_or(f64::INFINITY, |seconds| seconds as f64);
        OwnerLoad::from_hundredths((400.0 * (-since / 60.0).exp()).ceil() as u16)
    };
    let (changes, _) = watch(60 * MINUTE, average);
    let [(_, Owner::Away), (back, Owner::Present), (free, Owner::Away)] = changes[..] else {
        panic!("{changes:?}")
    };
    assert!(back - stroke <= MINUTE / 2);
    let minutes = (free - stroke) as f64 / 60.0;
    assert!((7.0..9.0).contains(&minutes), "{minutes} minutes");
}

#[test]
fn a_station_starts_as_not_available_and_is_sampled_at_once() {
    let station = OwnerActivity::new(study(), second(77)).unwrap();
    assert_eq!(station.owner(), Owner::Present);
    assert_eq!(station.next_sample(), second(77));
}

#[test]
fn a_sampling_period_of_zero_is_refused_by_its_name() {
    let zero = Duration::ZERO;
    let refused = |rule| OwnerActivity::new(rule, second(0)).unwrap_err();
    let zero_of = |parameter| Misuse::Zero { parameter };
    assert_eq!(refused(OwnerRule { sample_present: zero, ..study() }), zero_of("sample_present"));
    assert_eq!(refused(OwnerRule { sample_away: zero, ..study() }), zero_of("sample_away"));
}

#[test]
fn time_that_goes_back_is_refused_and_changes_nothing() {
    let mut station = OwnerActivity::new(study(), second(100)).unwrap();
    station.sample(second(100), OwnerLoad::NONE).unwrap();
    let before = station.clone();
    assert_eq!(station.sample(second(99), OwnerLoad::FULL), Err(Misuse::TimeWentBack));
    assert_eq!(station, before);
    assert!(Misuse::TimeWentBack.to_string().starts_with("now"));
}

#[test]
fn loads_stop_at_full() {
    assert_eq!(OwnerLoad::from_hundredths(u16::MAX), OwnerLoad::FULL);
    assert_eq!(OwnerLoad::FULL.hundredths(), 10_000);
}

#[test]
fn a_detector_fits_in_eighty_bytes() {
    assert!(size_of::<OwnerActivity>() <= 80, "{} bytes", size_of::<OwnerActivity>());
}
