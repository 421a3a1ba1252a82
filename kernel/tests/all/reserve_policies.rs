//! What a policy says of itself saves work and changes nothing: `Fit` beside a policy that says only
//! which of two candidates it prefers, in random states of narrow and of wide machines, with choices
//! that refuse and masks.

use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{
    AlignedSubcube, Candidate, Choice, Contiguous, FirstFit, Fit, FreePes, Interval, Limits,
    Lowest, Mask, Masked, PeWorst, Policy, Profile, Request, Timeline,
};
use locox::time::{Duration, Instant};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::cell::Cell;

const ROUNDS: u64 = 6;
const CALLS: usize = 150;

/// Only what `Fit` prefers, and nothing of what it takes.
struct Plain(Fit);

impl Policy for Plain {
    fn prefers(&self, new: &Candidate, best: &Candidate) -> bool {
        self.0.prefers(new, best)
    }
}

/// Takes the lowest of the upper half: so it may refuse the most PEs, and take from fewer.
struct Upper;

impl Choice for Upper {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        let half = free.len() / 2;
        free.keep_range(half, free.len() - half).unwrap();
        free.keep_lowest(count);
        free.count() == count
    }
}

fn request(rng: &mut ChaCha8Rng, now: Instant, pes: u32) -> Request {
    let ready = now.saturating_add(Duration::from_ticks(rng.random_range(0..200)));
    let duration = rng.random_range(1..80);
    let request =
        Request::new(ready, Duration::from_ticks(duration), rng.random_range(1..=pes.div_ceil(3)));
    match rng.random_range(0..3) {
        0 => request,
        slack => request
            .by(ready
                .saturating_add(Duration::from_ticks(duration + slack * rng.random_range(0..150)))),
    }
}

fn set(pes: u32) -> BitSet<Vec<Word>> {
    BitSet::empty(vec![0; pes as usize / 32 + 1], pes).unwrap()
}

/// All but some of the PEs, and some of those.
fn mask(rng: &mut ChaCha8Rng, pes: u32) -> [BitSet<Vec<Word>>; 2] {
    let (mut allowed, mut required) = (set(pes), set(pes));
    let left_out = rng.random_range(0..pes / 3);
    allowed.insert_range(left_out, pes - left_out).unwrap();
    for _ in 0..rng.random_range(0..3) {
        required.insert(rng.random_range(left_out..pes)).unwrap();
    }
    [allowed, required]
}

/// Calls on a timeline of so many PEs, of which each rule is asked as well.
fn timeline(pes: u32, reservations: u32, seed: u64) {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let limits = Limits { pes, reservations };
    let mut timeline = Timeline::new(PoolId(0), limits, vec![0; Timeline::words(limits)]).unwrap();
    let (mut one, mut other, mut placed, mut refused) = (set(pes), set(pes), 0, 0);
    for _ in 0..CALLS {
        let asked = request(rng, timeline.now(), pes);
        let [allowed, required] = mask(rng, pes);
        let narrow = Mask::only(&allowed).with(&required);
        let all: [&dyn Choice; 6] = [
            &Lowest,
            &Contiguous,
            &AlignedSubcube,
            &Upper,
            &Masked { mask: narrow, choice: Lowest },
            &Masked { mask: narrow, choice: Upper },
        ];
        let by_itself: [(&dyn Policy, Fit); 5] = [
            (&Fit::PeWorst, Fit::PeWorst),
            (&PeWorst, Fit::PeWorst),
            (&Fit::PeBest, Fit::PeBest),
            (&Fit::PeDurationWorst, Fit::PeDurationWorst),
            (&Fit::First, Fit::First),
        ];
        for (policy, fit) in by_itself {
            for choice in all {
                let found = timeline.find(&asked, policy, choice, &mut one);
                assert_eq!(found, timeline.find(&asked, &Plain(fit), choice, &mut other));
                match found {
                    Ok(_) => assert!(one.iter().eq(other.iter())),
                    Err(_) => refused += 1,
                }
            }
        }
        let found = timeline.find(&asked, &FirstFit, &Upper, &mut one);
        assert_eq!(found, timeline.find(&asked, &Fit::First, &Upper, &mut other));
        placed += u32::from(timeline.reserve(&asked, &Fit::PeWorst, &Lowest).is_ok());
        if rng.random_range(0..4) == 0 {
            let now = timeline.now().saturating_add(Duration::from_ticks(rng.random_range(0..60)));
            timeline.advance(now).unwrap();
        }
        if rng.random_range(0..20) == 0 {
            timeline.withdraw(rng.random_range(0..pes)).unwrap();
        }
        timeline.check_invariants().unwrap();
    }
    assert!(placed > 5 && refused > 20, "{placed} {refused}");
}

#[test]
fn the_most_pes_are_found_by_leaps_as_by_a_look_at_each_start() {
    for (pes, reservations) in
        [(20, 15), (64, 15), (64, 60), (130, 15), (600, 9), (1200, 40), (2500, 15)]
    {
        (0..ROUNDS).for_each(|seed| timeline(pes, reservations, seed));
    }
}

#[test]
fn of_a_profile_too() {
    for (reservations, seed) in
        [7, 15, 60, 150].into_iter().flat_map(|it| (0..ROUNDS).map(move |s| (it, s)))
    {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let limits = Limits { pes: 500, reservations };
        let mut profile = Profile::new(PoolId(0), limits, vec![0; Profile::words(limits)]).unwrap();
        for _ in 0..CALLS {
            let asked = request(rng, profile.now(), 500);
            for fit in Fit::ALL {
                assert_eq!(profile.find(&asked, &fit), profile.find(&asked, &Plain(fit)));
            }
            let _ = profile.reserve(&asked, &Fit::PeWorst);
            if rng.random_range(0..4) == 0 {
                let past = Duration::from_ticks(rng.random_range(0..60));
                profile.advance(profile.now().saturating_add(past)).unwrap();
            }
        }
    }
}

/// Two PEs side by side, and how often it was asked for them.
#[derive(Default)]
struct Asked(Cell<u32>);

impl Choice for Asked {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        self.0.set(self.0.get() + 1);
        // A caller's own choice may leave anything behind when it refuses.
        Contiguous.choose(free, count) || free.keep_range(0, 0).is_err()
    }
}

/// PEs of odd numbers are reserved in turn, one each tick, those of even numbers never: no two are side by side for long
/// before all reservations have ended, and no PE becomes free for long.
#[test]
fn a_choice_that_refuses_is_asked_again_only_where_a_pe_has_become_free() {
    const RESERVATIONS: u64 = 800;
    let limits = Limits { pes: 64, reservations: RESERVATIONS as u32 };
    let mut timeline = Timeline::new(PoolId(0), limits, vec![0; Timeline::words(limits)]).unwrap();
    for tick in 0..RESERVATIONS {
        let mut odd = set(64);
        odd.insert((2 * tick as u32 + 1) % 64).unwrap();
        let [start, end] = [tick, tick + 1].map(Instant::from_ticks);
        timeline.add(Interval { start, end }, &odd).unwrap();
    }
    let request = Request::new(Instant::ZERO, Duration::from_ticks(RESERVATIONS / 2), 2);
    for fit in Fit::ALL {
        let (mut pes, asked) = (set(64), Asked::default());
        let found = timeline.find(&request, &fit, &asked, &mut pes).unwrap();
        // PE 1 is busy for the last time at 768, the others one after the other.
        let start = found.start.ticks();
        assert!((769..=RESERVATIONS).contains(&start), "{}: {start}", fit.name());
        assert_eq!(
            start == 769,
            !matches!(fit, Fit::PeWorst | Fit::DurationBest | Fit::PeDurationWorst)
        );
        assert!(asked.0.get() <= 40, "{}: {} times", fit.name(), asked.0.get());
    }
}
