//! Export and restore: the image, what hosts are told again, and images that are broken.

use crate::forged_image::reseal;
use locox::fair::{Condor, Random, RoundRobin, ScheduleIndex, StationId, UpDown};
use locox::handle::PoolId;
use locox::image::BadImage;
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::{Coordinate, Snapshot};
use locox_coordinators::station::{
    Arrays, Checkpoint, Command, Config, Coordinator, Effect, JobId, NodeId, PreemptReason, Run,
    Status, Trigger,
};
use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, RngSeed};
use std::num::NonZeroU32;

type Table = Arrays<3, 5, 6, 8>;
type Pool = Coordinator<RoundRobin, Table>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn config() -> Config {
    Config { poll: None, trigger: Trigger::Demand, ..Config::study(Duration::from_ticks(1)) }
}

fn fresh() -> Pool {
    Coordinator::new(config(), Table::EMPTY, RoundRobin::default(), at(0)).unwrap()
}

fn image(pool: &Pool) -> Vec<u32> {
    let mut words = Vec::new();
    pool.export(|word| words.push(word));
    words
}

fn restore(words: Vec<u32>) -> Result<Pool, BadImage> {
    let mut pool = fresh();
    pool.restore(words)?;
    Ok(pool)
}

fn apply(pool: &mut Pool, time: u64, command: Command) -> Option<JobId> {
    pool.apply(at(time), command).unwrap()
}

fn effects(pool: &mut Pool) -> Vec<Effect> {
    std::iter::from_fn(|| pool.take_effect()).collect()
}

/// Station 0 idle, a bank of one; station 1's first job is on the bank, its second on station 0.
fn two_running() -> (Pool, [Run; 2]) {
    let mut pool = fresh();
    apply(&mut pool, 1, Command::OwnerBack { station: StationId(1) });
    apply(&mut pool, 1, Command::NodeIdle { node: NodeId(0) });
    apply(&mut pool, 1, Command::NodeIdle { node: NodeId(3) });
    let runs = [1, 2].map(|serial| {
        let job = apply(&mut pool, 2, Command::Submit { home: StationId(1), serial });
        Run { job: job.unwrap(), attempt: 1 }
    });
    (pool, runs)
}

#[test]
fn an_image_is_as_long_as_its_documentation_says_and_survives_the_round_trip() {
    let (mut pool, runs) = two_running();
    effects(&mut pool);
    let checkpoint = Checkpoint(5);
    apply(&mut pool, 3, Command::Checkpointed { run: runs[0], checkpoint });
    apply(&mut pool, 4, Command::OwnerBack { station: StationId(0) });
    let words = image(&pool);
    assert_eq!(words.len(), 31 + 3 * 9 + 5 * 13 + 2 * 16 + 1, "one for the ranking");
    let mut back = restore(words.clone()).unwrap();
    assert_eq!(effects(&mut back).len(), 2, "both are told again");
    assert_eq!(image(&back), words, "and beside that nothing has changed");
}

#[test]
fn what_runs_is_placed_again_as_the_same_run_from_its_last_checkpoint() {
    let (mut pool, runs) = two_running();
    effects(&mut pool);
    apply(&mut pool, 3, Command::Checkpointed { run: runs[0], checkpoint: Checkpoint(5) });
    let mut back = restore(image(&pool)).unwrap();
    let (home, begins) = (StationId(1), at(4));
    let second = Effect::Place { node: NodeId(0), run: runs[1], home, begins };
    let checkpoint = Checkpoint(5);
    let first = Effect::Resume { node: NodeId(3), run: runs[0], home, checkpoint, begins };
    assert_eq!(effects(&mut back), [second, first]);
    apply(&mut back, 9, Command::Finished { run: runs[0] });
    assert_eq!(back.status(runs[1].job), Ok(Status::Running { node: NodeId(0) }));
}

#[test]
fn what_is_only_suspended_is_asked_and_not_told_to_leave() {
    let (mut pool, runs) = two_running();
    effects(&mut pool);
    apply(&mut pool, 3, Command::OwnerBack { station: StationId(0) });
    assert_eq!(effects(&mut pool), [], "the local scheduler sees to it");
    let mut back = restore(image(&pool)).unwrap();
    assert_eq!(effects(&mut back)[0], Effect::Ask { node: NodeId(0), run: runs[1] });
    apply(&mut back, 4, Command::Continued { run: runs[1] });
    assert_eq!(back.status(runs[1].job), Ok(Status::Running { node: NodeId(0) }));
}

#[test]
fn what_was_told_to_leave_is_told_so_again() {
    let (mut pool, runs) = two_running();
    effects(&mut pool);
    apply(&mut pool, 3, Command::Hold { job: runs[1].job });
    let leave = Effect::Preempt { node: NodeId(0), run: runs[1], why: PreemptReason::Held };
    assert_eq!(effects(&mut pool), [leave]);
    let mut back = restore(image(&pool)).unwrap();
    assert_eq!(effects(&mut back)[0], leave);
}

/// It was told to leave, which may have reached its host, and then it could stay.
#[test]
fn what_was_told_to_leave_and_may_stay_has_not_failed_if_it_leaves_after_a_restart() {
    let (mut pool, runs) = two_running();
    effects(&mut pool);
    let (run, job) = (runs[1], runs[1].job);
    apply(&mut pool, 3, Command::Hold { job });
    effects(&mut pool);
    apply(&mut pool, 4, Command::Release { job });
    apply(&mut pool, 4, Command::Continued { run });
    assert_eq!(pool.status(job), Ok(Status::Running { node: NodeId(0) }));
    let mut back = restore(image(&pool)).unwrap();
    for again in 0..2 {
        let started = effects(&mut back).into_iter().filter(|effect| {
            matches!(effect, Effect::Place { node: NodeId(0), run: placed, .. } if *placed == run)
        });
        assert_eq!(started.count(), 1, "told again {again}");
        back = restore(image(&back)).unwrap();
    }
    for pool in [&mut pool, &mut back] {
        effects(pool);
        apply(pool, 5, Command::Vacated { run });
        assert!(!matches!(pool.status(job), Ok(Status::Stopped { .. })), "{:?}", pool.status(job));
    }
    assert_eq!(image(&back), image(&pool));
}

/// The host may run it already, so that only the host can say that it is gone.
#[test]
fn a_run_told_again_is_not_taken_back_without_its_host() {
    let (mut pool, runs) = two_running();
    let never_told = image(&pool);
    effects(&mut pool);
    let mut back = restore(never_told).unwrap();
    apply(&mut back, 3, Command::OwnerBack { station: StationId(0) });
    let leaving = Status::Leaving { node: NodeId(0), next: None };
    assert_eq!(back.status(runs[1].job), Ok(leaving));
    let preempt = Effect::Preempt { node: NodeId(0), run: runs[1], why: PreemptReason::Withdrawn };
    assert!(effects(&mut back).contains(&preempt));
    apply(&mut back, 4, Command::Vacated { run: runs[1] });
    assert_eq!(back.status(runs[1].job), Ok(Status::Waiting));
}

#[test]
fn a_submission_whose_answer_was_lost_is_answered_with_the_same_name_after_a_restart() {
    let (pool, runs) = two_running();
    let mut back = restore(image(&pool)).unwrap();
    let again = apply(&mut back, 3, Command::Submit { home: StationId(1), serial: 2 });
    assert_eq!(again, Some(runs[1].job));
    assert_eq!(back.demand()[1].holds, 2);
}

#[test]
fn what_is_no_image_of_this_pool_is_refused_and_changes_nothing() {
    let words = image(&two_running().0);
    let edited = |at: usize, word| {
        let mut words = words.clone();
        words[at] = word;
        reseal(&mut words);
        let mut pool = two_running().0;
        let before = image(&pool);
        let refused = pool.restore(words).unwrap_err();
        assert_eq!(image(&pool), before);
        refused
    };
    assert_eq!(edited(0, words[0] + 1), BadImage::NoImage);
    assert_eq!(edited(1, u32::from_le_bytes(*b"SITE")), BadImage::OtherKind);
    assert_eq!(edited(2, words[2] + 1), BadImage::OtherVersion);
    for other in [
        Config { pool: PoolId(7), ..config() },
        Config { interval: Duration::from_ticks(11), ..config() },
        Config { poll: Some(Duration::from_ticks(11)), ..config() },
        Config { checkpoint: Some(Duration::from_ticks(11)), ..config() },
        Config { transfer: Duration::from_ticks(11), ..config() },
        Config { trigger: Trigger::Capacity, ..config() },
        Config { recall: true, ..config() },
        Config { lease: Some(Duration::from_ticks(9)), ..config() },
        Config { back_off: Duration::from_ticks(9), ..config() },
        Config { retries: 3, ..config() },
        Config { faults: 3, ..config() },
        Config { decisions: NonZeroU32::new(3), ..config() },
    ] {
        let fair = RoundRobin::default();
        let mut pool = Coordinator::new(other, Table::EMPTY, fair, at(0)).unwrap();
        let before = image(&pool);
        let expected = match other.pool {
            PoolId(7) => BadImage::OtherPool,
            _ => BadImage::OtherConfiguration,
        };
        assert_eq!(pool.restore(words.iter().copied()), Err(expected), "{other:?}");
        assert_eq!(image(&pool), before);
    }
    assert_eq!(restore(Vec::new()).err(), Some(BadImage::TooShort));
    assert_eq!(restore(vec![u32::MAX; 200]).err(), Some(BadImage::NoImage), "erased flash");
}

#[test]
fn an_image_of_other_storage_or_of_another_ranking_is_refused() {
    let words = image(&two_running().0);
    let fair = RoundRobin::default;
    let narrow = Arrays::<3, 5, 1, 8>::EMPTY;
    let mut pool = Coordinator::new(config(), narrow, fair(), at(0)).unwrap();
    let refused = pool.restore(words.iter().copied());
    assert_eq!(refused, Err(BadImage::OtherSize), "there are rows of two jobs");
    let wide = Arrays::<4, 5, 6, 8>::EMPTY;
    let mut pool = Coordinator::new(config(), wide, fair(), at(0)).unwrap();
    assert_eq!(pool.restore(words.iter().copied()), Err(BadImage::OtherSize));
    let up_down = UpDown::new([ScheduleIndex::ZERO; 3], Condor::default());
    let mut pool = Coordinator::new(config(), Table::EMPTY, up_down, at(0)).unwrap();
    let refused = pool.restore(words.iter().copied());
    assert_eq!(refused, Err(BadImage::OtherConfiguration));
    let mut pool = Coordinator::new(config(), Table::EMPTY, Random::new(), at(0)).unwrap();
    assert_eq!(pool.restore(words.iter().copied()), Err(BadImage::OtherConfiguration));
}

/// After a bad image the pool is as new and takes a good one.
fn assert_found(pool: &mut Pool, bad: impl IntoIterator<Item = u32>, expected: &[BadImage]) {
    let found = pool.restore(bad).unwrap_err();
    assert!(expected.contains(&found), "{found:?}");
    assert_eq!(image(pool), image(&fresh()));
}

#[test]
fn every_single_bit_that_turned_is_found() {
    let words = image(&two_running().0);
    let mut pool = fresh();
    for (at, bit) in (0..words.len()).flat_map(|at| (0..32).map(move |bit| (at, bit))) {
        let mut flipped = words.clone();
        flipped[at] ^= 1 << bit;
        let expected = if at == 0 { BadImage::NoImage } else { BadImage::Damaged };
        assert_found(&mut pool, flipped, &[expected]);
    }
    pool.restore(words).unwrap();
    pool.check_invariants().unwrap();
}

#[test]
fn every_missing_end_is_found_and_what_follows_is_not_looked_at() {
    let words = image(&two_running().0);
    let mut pool = fresh();
    for cut in 0..words.len() {
        assert_found(&mut pool, words[..cut].iter().copied(), &[BadImage::TooShort]);
    }
    let longer = words.iter().copied().chain([1, 2, 3]);
    assert_eq!(pool.restore(longer), Ok(()));
}

#[test]
fn an_image_of_which_only_a_part_was_overwritten_is_found() {
    let (mut old, runs) = two_running();
    effects(&mut old);
    let mut new = old.clone();
    apply(&mut new, 3, Command::Checkpointed { run: runs[0], checkpoint: Checkpoint(5) });
    apply(&mut new, 4, Command::Vacated { run: runs[1] });
    let (old, new) = (image(&old), image(&new));
    assert_eq!(old.len(), new.len());
    let mut pool = fresh();
    for cut in 1..new.len() {
        let torn: Vec<u32> = new[..cut].iter().chain(&old[cut..]).copied().collect();
        if torn != old && torn != new {
            assert_found(&mut pool, torn, &[BadImage::Damaged]);
        }
    }
}

#[test]
fn what_the_ranking_remembers_is_part_of_the_image() {
    let table = || UpDown::new([ScheduleIndex::ZERO; 3], Condor::default()).shuffled();
    let new = || Coordinator::new(config(), Table::EMPTY, table(), at(0)).unwrap();
    let mut pool = new();
    pool.apply_drawn(at(1), Command::Submit { home: StationId(1), serial: 1 }, 99).unwrap();
    let moved = pool.fairness().indices();
    assert!(moved[1].is_negative());
    let mut words = Vec::new();
    Snapshot::export(&pool, &mut |word| words.push(word));
    let mut back = new();
    Coordinate::restore(&mut back, &mut words.iter().copied()).unwrap();
    assert_eq!(back.fairness().indices(), moved);
    assert_eq!(back.now(), at(1));
    words[24] ^= 1;
    assert_eq!(back.restore(words), Err(BadImage::Damaged));
    assert_eq!(back.fairness().indices(), [ScheduleIndex::ZERO; 3]);
}

/// Commands for pools of any state; most of them fit.
fn command(kind: u32, pick: u32, runs: &[Run]) -> Command {
    let (station, node) = (StationId(pick % 3), NodeId(pick % 5));
    let run = runs[pick as usize % runs.len()];
    match kind % 8 {
        0 => Command::NodeIdle { node },
        1 => Command::OwnerBack { station },
        2 => Command::NodeLost { node },
        3 => Command::Finished { run },
        4 => Command::Vacated { run },
        5 => Command::Continued { run },
        6 => Command::Submit { home: station, serial: 1 + pick % 8 },
        _ => Command::Tick,
    }
}

proptest! {
    #![proptest_config(Cases {
        rng_seed: RngSeed::Fixed(1988), failure_persistence: None, ..Cases::with_cases(40_000)
    })]

    /// Either the contradiction is found, or what was restored is sound and stays so.
    #[test]
    fn a_broken_image_is_found_out_or_does_no_harm(
        history in prop::collection::vec((any::<u32>(), any::<u32>()), 0..30),
        breaks in prop::collection::vec((any::<prop::sample::Index>(), 0..8u32), 1..3),
        after in prop::collection::vec((any::<u32>(), any::<u32>()), 20),
    ) {
        let (mut pool, runs) = two_running();
        for (time, (kind, pick)) in (3..).zip(history) {
            let command = command(kind, pick, &runs);
            let _ = pool.apply(at(time), command);
        }
        let mut words = image(&pool);
        for (place, value) in breaks {
            let word = place.get_mut(&mut words[10..]);
            *word = if value == 7 { u32::MAX } else { value };
        }
        reseal(&mut words);
        let Ok(mut back) = restore(words) else { return Ok(()) };
        for (time, (kind, pick)) in (40..).zip(after) {
            let command = command(kind, pick, &runs);
            let _ = back.apply(at(time), command);
            prop_assert_eq!(back.check_invariants(), Ok(()));
            let _ = back.take_effect();
            prop_assert_eq!(back.check_invariants(), Ok(()));
        }
    }
}
