//! What the source leaves open, and what each plausible choice makes of the result.

use super::super::Lab;
use super::super::pools::{Case, as_asked, change, estimate, first_reading, replicate};
use super::criteria::CRITERIA;
use crate::sources::updown as says;
use crate::thresholds::UPDOWN_STEADY;
use locox::station::{Config, Trigger};
use locox::time::Duration;
use locox_models::stats::Estimate;
use locox_models::workstation::{
    Arrivals, Functions, Habit, Lengths, Outcome, Policy, Pool, User, Week,
};
use locox_report::judge as verdict;
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
    /// Of a light user's remote cycle wait ratio, for each policy: with the heavy user's 2 jobs,
    /// and the change to 13 in per cent. `None` if light users have no remote cycles at all.
    light: Option<[(Estimate, Estimate); 3]>,
    /// Throughput of Up-Down against Round-Robin, in per cent.
    throughput: Estimate,
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
    let (heavy, others) = pool.stations.split_last_mut().expect("there are 13 stations");
    let _ = heavy;
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
    let pair =
        |few: usize| (estimate(&runs[few], &light), change(&runs[few], &runs[few + 1], &light));
    Measured {
        name,
        light: has_remote.then(|| [0, 2, 4].map(pair)),
        throughput: change(&runs[3], &runs[1], Outcome::throughput),
    }
}

impl Measured {
    /// Whether light users lose nothing under Up-Down, but do under both of the others.
    fn is_as_claimed(&self) -> Option<bool> {
        let [ours, turn, lot] = self.light?.map(|(_, change)| change.mean < -UPDOWN_STEADY);
        Some(!ours && turn && lot)
    }
}

pub(super) fn claim(readings: &[Measured]) -> Claim {
    // Without any remote cycle of a light user nothing can be told.
    let told = readings.iter().filter_map(|one| Some((one.name.into(), one.is_as_claimed()?)));
    let untold = readings.iter().filter(|one| one.light.is_none());
    let untold: Vec<_> = untold.map(|one| one.name).collect();
    verdict::exactly(told).on(
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
                    let (ratio, change) = light[policy];
                    [Cell::Estimate(ratio, 2), Cell::Estimate(change, 1)]
                }
                None => [Cell::Missing, Cell::Missing],
            });
        }
        row.push(Cell::Estimate(reading.throughput, 2));
        table.push(row);
    }
    vec![Block::Table(table)]
}
