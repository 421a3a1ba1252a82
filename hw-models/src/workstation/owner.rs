//! Owners: when each station is available to others.

use super::{Activity, BadPool, Lengths, Recording, Week, detect};
use crate::streams::Stream;
use locox::node::Owner;
use locox::time::Instant;
use rand::RngExt;
use std::sync::Arc;

/// How a station's owner uses it. Ticks are seconds, hour 0 is Monday at midnight.
#[derive(Clone, Debug)]
pub enum Habit {
    /// Available (AV) and unavailable (NA) periods in turn, as a detector has seen them.
    Periods {
        /// How long the station stays available.
        available: Lengths,
        /// How long its owner keeps it, the wait after the last activity included.
        unavailable: Lengths,
        /// When owners come, if not evenly.
        week: Option<Week>,
    },
    /// The periods of one station of a recording, from the beginning again at its end.
    Recorded {
        /// The recording.
        recording: Arc<Recording>,
        /// The number of the station in it.
        station: usize,
    },
    /// What the owner does, watched by the kernel's own detector.
    Watched(Activity),
}

/// When a station's owner is there and when not: instants rise, states alternate, and the first
/// one is at zero.
pub type Changes<'a> = Box<dyn Iterator<Item = (Instant, Owner)> + 'a>;

impl Habit {
    /// Periods of the study's means, 100 minutes available and 40 not, of the shapes given.
    pub fn study(available: Lengths, unavailable: Lengths) -> Self {
        Self::Periods {
            available: available.with_mean(6000.0),
            unavailable: unavailable.with_mean(2400.0),
            week: None,
        }
    }

    /// What happens at a station, by the random numbers of its owner.
    pub fn changes(&self, random: Stream) -> Changes<'_> {
        match self {
            Self::Periods { available, unavailable, week } => {
                Box::new(periods(available, unavailable, week.as_ref(), random))
            }
            Self::Recorded { recording, station } => Box::new(recording.changes(*station)),
            Self::Watched(activity) => Box::new(detect(activity, random)),
        }
    }

    pub(super) fn check(&self) -> Result<(), BadPool> {
        match self {
            Self::Periods { available, unavailable, .. } => {
                available.check("available")?;
                unavailable.check("unavailable")
            }
            Self::Recorded { recording, station } if *station >= recording.stations() => {
                Err(BadPool::NotRecorded { station: *station, recorded: recording.stations() })
            }
            Self::Recorded { .. } => Ok(()),
            Self::Watched(activity) => activity.check(),
        }
    }
}

/// A fresh period of either kind at zero, as likely as the kind is at any time in an even week.
fn periods<'a>(
    available: &'a Lengths,
    unavailable: &'a Lengths,
    week: Option<&'a Week>,
    mut random: Stream,
) -> impl Iterator<Item = (Instant, Owner)> + 'a {
    let share = available.mean() / (available.mean() + unavailable.mean());
    let mut state = if random.random_bool(share) { Owner::Away } else { Owner::Present };
    let mut at = 0;
    std::iter::repeat_with(move || {
        let begun = (Instant::from_ticks(at), state);
        let from = at as f64;
        let end = match (state, week) {
            (Owner::Present, _) => from + unavailable.sample(&mut random),
            (Owner::Away, None) => from + available.sample(&mut random),
            (Owner::Away, Some(week)) => week.end_of(from, available.sample(&mut random)),
        };
        // Periods shorter than a tick would be none.
        at = (end.round() as u64).max(at + 1);
        state = other(state);
        begun
    })
}

fn other(owner: Owner) -> Owner {
    match owner {
        Owner::Present => Owner::Away,
        Owner::Away => Owner::Present,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;

    const YEAR: u64 = 365 * 86_400;

    /// Available time, its share, and the mean length of both kinds of period in minutes.
    struct Seen {
        share: f64,
        available: f64,
        unavailable: f64,
        /// Share of the hour from 2 to 3 pm on working days.
        afternoon: f64,
        night: f64,
    }

    fn watch(habit: &Habit, years: u64) -> Seen {
        let mut changes = habit.changes(stream(3, "owner", 0)).peekable();
        let (mut total, mut counts) = ([0.0; 2], [0.0; 2]);
        let (mut afternoon, mut night) = ([0.0; 2], [0.0; 2]);
        while let Some((at, state)) = changes.next() {
            let until = changes.peek().unwrap().0.ticks();
            if until > years * YEAR {
                break;
            }
            let kind = usize::from(state == Owner::Present);
            total[kind] += (until - at.ticks()) as f64;
            counts[kind] += 1.0;
            for minute in (at.ticks() / 60 + 1)..=(until / 60) {
                let hour = Week::hour_of(minute as f64 * 60.0);
                match (hour / 24 < 5, hour % 24) {
                    (true, 14) => afternoon[kind] += 1.0,
                    (true, 3) => night[kind] += 1.0,
                    _ => {}
                }
            }
        }
        let share = |both: [f64; 2]| both[0] / (both[0] + both[1]);
        Seen {
            share: share(total),
            available: total[0] / counts[0] / 60.0,
            unavailable: total[1] / counts[1] / 60.0,
            afternoon: share(afternoon),
            night: share(night),
        }
    }

    #[track_caller]
    fn assert_within(value: f64, expected: f64, allowed: f64) {
        assert!((value - expected).abs() <= allowed, "{value} is not {expected} ± {allowed}");
    }

    #[test]
    fn periods_of_the_study_last_100_and_40_minutes() {
        for (available, unavailable) in [
            (Lengths::Exponential(1.0), Lengths::Exponential(1.0)),
            (Lengths::hyperexponential_available(), Lengths::hyperexponential_unavailable()),
        ] {
            let seen = watch(&Habit::study(available, unavailable), 30);
            assert_within(seen.available, 100.0, 1.5);
            assert_within(seen.unavailable, 40.0, 0.5);
            assert_within(seen.share, 100.0 / 140.0, 0.01);
        }
    }

    #[test]
    fn an_office_is_available_for_70_percent_of_all_time_and_half_of_the_afternoon() {
        let Habit::Periods { available, unavailable, .. } = Habit::study(
            Lengths::hyperexponential_available(),
            Lengths::hyperexponential_unavailable(),
        ) else {
            unreachable!()
        };
        let week = Some(Week::office());
        let seen = watch(&Habit::Periods { available, unavailable, week }, 60);
        assert_within(seen.share, 0.70, 0.01);
        assert_within(seen.afternoon, 0.50, 0.02);
        assert!(seen.night > 0.8, "{}", seen.night);
        assert_within(seen.unavailable, 40.0, 0.5);
        assert_within(seen.available, 100.0, 10.0);
    }

    #[test]
    fn instants_rise_and_states_alternate_from_zero_on() {
        let tiny = Lengths::Exponential(0.1);
        let habit = Habit::Periods { available: tiny.clone(), unavailable: tiny, week: None };
        let seen: Vec<_> = habit.changes(stream(1, "owner", 0)).take(1000).collect();
        assert_eq!(seen[0].0, Instant::ZERO);
        assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
    }
}
