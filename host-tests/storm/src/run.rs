//! Many worlds, as many at one time as there are threads.

use crate::claims::Violation;
use crate::figures::Figures;
use crate::plan::Plan;
use crate::planted::Planted;
use crate::shrink::shrink;
use crate::world::live;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Which worlds.
#[derive(Clone, Copy, Debug)]
pub struct Worlds {
    /// The seed of the first; the others follow.
    pub first: u64,
    /// How many; `None`: as many as there is time for.
    pub count: Option<u64>,
    /// For how long; `None`: until all are done.
    pub time: Option<Duration>,
    /// For so many days things go wrong in each; `None`: as its seed says.
    pub days: Option<u64>,
    /// On how many threads.
    pub jobs: usize,
    /// With which defect.
    pub planted: Option<Planted>,
}

/// What came of them.
#[derive(Debug, Default)]
pub struct Found {
    /// What they met.
    pub figures: Figures,
    /// The world of the smallest seed in which a claim does not hold.
    pub failed: Option<Failed>,
}

/// A world in which a claim does not hold.
#[derive(Debug)]
pub struct Failed {
    /// Its seed.
    pub seed: u64,
    /// What does not hold.
    pub violation: Violation,
}

/// A failed world with as few commands as possible.
#[derive(Debug)]
pub struct Shrunk {
    /// How many commands it had.
    pub before: usize,
    /// Those that are left, each a line.
    pub commands: Vec<String>,
    /// What does not hold then.
    pub violation: Violation,
}

/// Lives through worlds until there are enough, or until one fails.
pub fn run(worlds: Worlds) -> Found {
    crate::panics::keep();
    let (begin, next) = (Instant::now(), AtomicU64::new(0));
    let found = Mutex::new(Found::default());
    thread::scope(|scope| {
        for _ in 0..worlds.jobs {
            scope.spawn(|| work(worlds, begin, &next, &found));
        }
    });
    found.into_inner().unwrap_or_default()
}

fn work(worlds: Worlds, begin: Instant, next: &AtomicU64, found: &Mutex<Found>) {
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let is_late = worlds.time.is_some_and(|time| begin.elapsed() >= time);
        if is_late || worlds.count.is_some_and(|count| at >= count) {
            return;
        }
        let seed = worlds.first.wrapping_add(at);
        let outcome = live(&Plan::of(seed, worlds.days), worlds.planted);
        let Ok(mut found) = found.lock() else { return };
        found.figures.add(&outcome.figures);
        if let Some(violation) = outcome.violation {
            if found.failed.as_ref().is_none_or(|failed| seed < failed.seed) {
                found.failed = Some(Failed { seed, violation });
            }
            // No further worlds; those that are under way end.
            next.store(u64::MAX / 2, Ordering::Relaxed);
            return;
        }
    }
}

/// The fewest commands with which a world fails in the same way.
pub fn shrunk(worlds: Worlds, failed: &Failed) -> Shrunk {
    let Failed { seed, violation } = failed;
    let plan = Plan::of(*seed, worlds.days);
    let (small, outcome) = shrink(&plan, worlds.planted, violation);
    Shrunk {
        before: plan.commands.len(),
        commands: small.commands.iter().map(ToString::to_string).collect(),
        violation: outcome.violation.unwrap_or_else(|| violation.clone()),
    }
}
