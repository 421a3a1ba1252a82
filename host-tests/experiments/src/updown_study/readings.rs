//! What the source leaves open, and what each plausible choice makes of the result.

use super::super::Lab;
use super::super::pools::{Case, as_asked, change, changes, estimate, first_reading, replicate};
use super::criteria::CRITERIA;
use crate::sources::updown as says;
use crate::thresholds::UPDOWN_STEADY;
use locox::time::Duration;
use locox_coordinators::station::{Config, Trigger};
use locox_models::stats::Estimate;
use locox_models::workstation::{
    Arrivals, Functions, Habit, Lengths, Outcome, Policy, Pool, User, Week,
};
use locox_report::judge::{self as verdict, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Table};

/// A way to read the source.
struct Reading {
    name: &'static str,
    functions: Functions,
    change: fn(&mut Pool),
}

/// What came of a reading.
pub(super) struct Measured {
    name: &'static str,
    /// Of a light user's remote cycle wait ratio, for each policy. `None` if light users have no remote
    /// cycles at all.
    light: Option<[Light; 3]>,
    /// Throughput of Up-Down against Round-Robin, in per cent.
    throughput: Estimate,
}

/// A light user's remote cycle wait ratio under a policy.
struct Light {
    /// With the heavy user's 2 jobs.
    ratio: Estimate,
    /// The change to 13 in per cent, run by run.
    changes: Vec<f64>,
}

const fn reading(name: &'static str, change: fn(&mut Pool)) -> Reading {
    Reading { name, functions: Functions::Condor, change }
}

const fn functions(name: &'static str, functions: Functions) -> Reading {
    Reading { name, functions, change: |_| () }
}

const READINGS: [Reading; 16] = [
    reading(
        "as shown above: a bank of 6, jobs come home, hyperexponential owners, Condor's functions",
        |_| (),
    ),
    reading("no bank", |pool| pool.bank = 0),
    reading("a bank of 1", |pool| pool.bank = 1),
    reading("a bank of 3", |pool| pool.bank = 3),
    reading("a bank of 10", |pool| pool.bank = 10),
    reading("a bank of 20, as Crystal had", |pool| pool.bank = 20),
    reading("jobs do not come home", |pool| pool.config.recall = false),
    reading("schedules at intervals only", |pool| {
        pool.config = Config { trigger: Trigger::IntervalOnly, ..pool.config };
    }),
    reading("owners: exponential", |pool| {
        owners(pool, &Habit::study(Lengths::Exponential(1.0), Lengths::Exponential(1.0)));
    }),
    reading("owners: Weibull, means of the study", |pool| {
        owners(pool, &Habit::study(Lengths::weibull_available(), Lengths::weibull_unavailable()));
    }),
    reading("owners: Weibull as fitted at Notre Dame", |pool| {
        let (available, unavailable) =
            (Lengths::weibull_available(), Lengths::weibull_unavailable());
        owners(pool, &Habit::Periods { available, unavailable, week: None });
    }),
    reading("owners: hyperexponential in an office's week", |pool| {
        if let Habit::Periods { available, unavailable, .. } = pool.stations[0].habit.clone() {
            owners(pool, &Habit::Periods { available, unavailable, week: Some(Week::office()) });
        }
    }),
    reading("light and medium users' jobs arrive now and then; no bank", |pool| {
        pool.bank = 0;
        arrive_now_and_then(pool);
    }),
    functions("functions: constant", Functions::Constant),
    functions("functions: linear h and l", Functions::Linear),
    functions("functions: saturating", Functions::Saturating),
];

fn owners(pool: &mut Pool, habit: &Habit) {
    pool.stations.iter_mut().for_each(|station| station.habit = habit.clone());
}

/// A job every eight hours for a light user, two for the medium one.
fn arrive_now_and_then(pool: &mut Pool) {
    let (_, others) = pool.stations.split_last_mut().expect("there are 13 stations");
    for station in others {
        let every = Lengths::Exponential(8.0 * 3600.0);
        let arrivals = Arrivals { every, batch: station.user.permanent };
        station.user = User { arrivals: Some(arrivals), ..User::permanent(0) };
    }
}

pub(super) fn measure(lab: &Lab, span: Duration, replications: u64) -> Vec<Measured> {
    let mut cases = Vec::new();
    for reading in &READINGS {
        let policies = [Policy::UpDown(reading.functions), Policy::RoundRobin, Policy::Random];
        for (policy, heavy) in policies.into_iter().flat_map(|one| [(one, 2), (one, 13)]) {
            let mut pool = Pool { span, ..first_reading(heavy) };
            (reading.change)(&mut pool);
            cases.push(Case { pool, policy });
        }
    }
    let outcomes = replicate(lab, &cases, replications, as_asked);
    READINGS
        .iter()
        .zip(outcomes.chunks(6))
        .map(|(reading, runs)| judge(reading.name, runs))
        .collect()
}

/// Runs go by policy, and for each with 2 jobs of the heavy user and with 13.
fn judge(name: &'static str, runs: &[Vec<Outcome>]) -> Measured {
    let light = CRITERIA[0].light();
    let has_remote = runs.iter().flatten().all(|outcome| light(outcome) > 0.0);
    let pair = |few: usize| Light {
        ratio: estimate(&runs[few], &light),
        changes: changes(&runs[few], &runs[few + 1], &light),
    };
    Measured {
        name,
        light: has_remote.then(|| [0, 2, 4].map(pair)),
        throughput: change(&runs[3], &runs[1], Outcome::throughput),
    }
}

impl Measured {
    /// That light users lose nothing under Up-Down, but do under both of the others.
    fn cases(&self) -> Vec<verdict::Case> {
        let kept = Expected::Inside(-UPDOWN_STEADY, f64::INFINITY);
        let lost = Expected::Inside(f64::NEG_INFINITY, -UPDOWN_STEADY);
        let under = Policy::STUDY.into_iter().zip([kept, lost, lost]);
        let case = |((policy, expected), light): ((Policy, Expected), &Light)| {
            let name = format!("{}: {policy}", self.name);
            verdict::Case::new(name, light.changes.clone(), expected)
        };
        under.zip(self.light.iter().flatten()).map(case).collect()
    }
}

pub(super) fn claim(readings: &[Measured]) -> Claim {
    // Without any remote cycle of a light user nothing can be told.
    let told: Vec<verdict::Case> = readings.iter().flat_map(Measured::cases).collect();
    let untold = readings.iter().filter(|one| one.light.is_none());
    let untold: Vec<_> = untold.map(|one| one.name).collect();
    verdict::every(&told, Unit("% of the wait ratio", 1)).on(
        &says::ANY_READING,
        format!(
            "Without any remote cycle of a light user: {}. The functions and the distribution \
             hardly matter; that there is something to share does. If every user always has a job, \
             every available station runs its owner's, so that without a bank nothing is left; with \
             a bank for everybody nobody contends. A bank of 1 goes to those who wait without pause: \
             a light user's index returns to zero whenever its own station is available, theirs \
             falls and falls, so that Up-Down starves the light ones, as it was not meant to. Where \
             a light user gains, updates come more often, as more of the heavy user's jobs end.",
            untold.join("; "),
        ),
    )
}

pub(super) fn blocks(readings: &[Measured]) -> Vec<Block> {
    let columns = [
        ("reading", "reading"),
        ("up_down", "Up-Down, 2 jobs"),
        ("up_down_change", "to 13 (%)"),
        ("round_robin", "Round-Robin, 2 jobs"),
        ("round_robin_change", "to 13 (%)"),
        ("random", "Random, 2 jobs"),
        ("random_change", "to 13 (%)"),
        ("throughput_change", "throughput against Round-Robin (%)"),
    ];
    let title = "Light users' remote cycle wait ratio under other readings of the source";
    let mut table = Table::new(title, &columns)
        .with_note("With 2 jobs of the heavy user, and how it changes up to 13.");
    for reading in readings {
        let mut row = vec![Cell::text(reading.name)];
        for policy in 0..3 {
            row.extend(match &reading.light {
                Some(light) => {
                    let Light { ratio, changes } = &light[policy];
                    [Cell::Estimate(*ratio, 2), Cell::Estimate(Estimate::of(changes), 1)]
                }
                None => [Cell::Missing, Cell::Missing],
            });
        }
        row.push(Cell::Estimate(reading.throughput, 2));
        table.push(row);
    }
    vec![Block::Table(table)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, HoldsInPart, Undecided};

    /// A reading under which ratios change so much, in per cent.
    fn made(means: [f64; 3], scatter: f64) -> Measured {
        let light = means.map(|mean| Light {
            ratio: Estimate::of(&[2.0, 2.1]),
            changes: [-1.0, -0.3, 0.4, 0.9].map(|by| mean + scatter * by).into(),
        });
        Measured { name: "made up", light: Some(light), throughput: Estimate::of(&[0.0, 0.1]) }
    }

    #[test]
    fn readings_are_judged_by_what_scatters_and_not_by_means_alone() {
        let verdict = |readings: &[Measured]| -> Verdict { claim(readings).verdict };
        let claimed = || made([0.0, -40.0, -30.0], 0.5);
        assert_eq!(verdict(&[claimed(), claimed()]), Holds);
        // All of them lose.
        assert_eq!(verdict(&[claimed(), made([-40.0; 3], 0.5)]), HoldsInPart);
        // The rivals lose nothing.
        assert_eq!(verdict(&[made([0.0; 3], 0.5)]), DoesNotHold);
        // Means as claimed, which could as well be others.
        assert_eq!(verdict(&[made([0.0, -40.0, -30.0], 100.0)]), Undecided);
        let untold = Measured { light: None, ..claimed() };
        assert_eq!(verdict(&[untold]), Undecided);
    }
}
