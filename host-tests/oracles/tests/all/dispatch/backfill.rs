//! Both planners in step with a naive model: every return value of every call, whatever is
//! planned after it, and the invariants.

use crate::runner::{follows, runner};
use locox_oracles::dispatch::planner::{Command, EVEN, Kind, Lockstep, State};
use proptest::collection::vec;
use proptest::prelude::*;
use std::num::NonZeroU32;
use std::ops::Range;

/// A machine, how many jobs there is room for, how many commands, and in how many cases.
struct Extent {
    pes: u32,
    entries: Range<usize>,
    most: usize,
    cases: u32,
}

/// Queues are often full.
const SMALL: Extent = Extent { pes: 8, entries: 3..12, most: 80, cases: 4000 };
/// Sizes of jobs are of ten classes, and lines get long.
const WIDE: Extent = Extent { pes: 1000, entries: 20..60, most: 600, cases: 60 };

fn agree(kinds: impl Strategy<Value = Kind>, extent: Extent) {
    let Extent { pes, entries, most, cases } = extent;
    let run = |(numbers, kind, each_event, entries): (Vec<u64>, Kind, bool, usize)| {
        let mut run = Lockstep::new(kind, pes, entries, each_event);
        let commands = numbers.iter().map(|&number| Command::decode(pes, number, &EVEN));
        commands.map(|command| run.step(&command)).try_for_each(follows)
    };
    let input = (vec(any::<u64>(), 1..most), kinds, any::<bool>(), entries);
    runner("backfill", cases).run(&input, run).unwrap();
}

fn depths() -> impl Strategy<Value = u32> {
    prop_oneof![Just(u32::MAX), 0u32..5]
}

fn easy() -> impl Strategy<Value = Kind> {
    depths().prop_map(Kind::Easy)
}

fn conservative() -> impl Strategy<Value = Kind> {
    let steps = (1u32..4).prop_filter_map("above zero", NonZeroU32::new);
    prop_oneof![2 => depths().prop_map(Kind::Conservative), 1 => steps.prop_map(Kind::InSteps)]
}

#[test]
fn easy_does_what_the_naive_model_says() {
    agree(easy(), SMALL);
}

#[test]
fn conservative_does_what_the_naive_model_says() {
    agree(conservative(), SMALL);
}

#[test]
fn easy_does_what_the_naive_model_says_on_a_wide_machine() {
    agree(easy(), WIDE);
}

#[test]
fn conservative_does_what_the_naive_model_says_on_a_wide_machine() {
    agree(conservative(), WIDE);
}

/// Runs jobs (arrival, PEs, requested, run) on a planner and its model, event by event:
/// completions in the order of starting, then arrivals.
fn run(kind: Kind, pes: u32, jobs: &[(u64, u32, u64, u64)]) {
    let mut pair = Lockstep::new(kind, pes, jobs.len(), true);
    let mut arrived = 0;
    for now in 0.. {
        pair.set_now(now);
        for (job, &(_, _, _, run)) in jobs.iter().enumerate().take(arrived) {
            let started = pair.model().jobs[job].planned.map_or(0, |(start, _)| start);
            if pair.model().jobs[job].state == State::Runs && started + run == now {
                pair.step(&Command::Finish(job)).unwrap();
            }
        }
        while let Some(&(_, pes, requested, _)) = jobs.get(arrived).filter(|job| job.0 == now) {
            pair.step(&Command::Push(pes, requested, 0)).unwrap();
            arrived += 1;
        }
        pair.start().unwrap();
        if arrived == jobs.len() && pair.open() == 0 {
            return;
        }
        assert!(now < 100, "all jobs end some time");
    }
}

#[test]
fn all_small_workloads_run_as_the_naive_model_says() {
    // PEs, requested time, run time: one that is exact, early, or late.
    let kinds = [(1, 1, 1), (1, 3, 3), (1, 3, 1), (1, 1, 2), (2, 2, 2), (2, 2, 1), (3, 1, 1)];
    let rules =
        [Kind::Easy(u32::MAX), Kind::Conservative(u32::MAX), Kind::InSteps(NonZeroU32::MIN)];
    let mut workloads = 0;
    for a in kinds {
        for b in kinds {
            for c in kinds {
                for d in kinds {
                    for gaps in 0..8u64 {
                        let mut submit = 0;
                        let mut jobs = vec![];
                        for (n, (pes, requested, run)) in [a, b, c, d].into_iter().enumerate() {
                            submit += if n == 0 { 0 } else { gaps >> (n - 1) & 1 };
                            jobs.push((submit, pes, requested, run));
                        }
                        for kind in rules {
                            run(kind, 3, &jobs);
                        }
                        workloads += 1;
                    }
                }
            }
        }
    }
    assert_eq!(workloads, 7 * 7 * 7 * 7 * 8);
}
