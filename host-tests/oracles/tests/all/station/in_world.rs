//! The coordinator in ten thousand random worlds: no job is lost, none runs twice.

use locox::draw::Draw;
use locox::fair::{Condor, Fairness, Random, RoundRobin, ScheduleIndex, StationId, UpDown};
use locox_coordinators::station::Coordinator;
use locox_oracles::station::world::{Entry, Met, Record, Size, World, fresh_table};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use std::fmt::Write;

const WORLDS: u64 = 2_500;

/// The worlds differ in size by their number.
fn size_of(seed: u64) -> Size {
    let pick = |part: u64, count: u64| (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> part) % count;
    Size {
        stations: 1 + pick(40, 6) as usize,
        bank: pick(45, 4) as usize,
        job_rows: 3 + pick(50, 30) as usize,
        steps: 60 + pick(55, 120) as usize,
        messages: seed % 32 >= 24,
    }
}

fn up_down(seed: u64) -> UpDown<Vec<ScheduleIndex>, Condor> {
    UpDown::new(vec![ScheduleIndex::ZERO; size_of(seed).stations], Condor::default())
}

fn run(seed: u64) -> Record {
    let (size, recall) = (size_of(seed), seed % 16 >= 8);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let source = Box::new(move || random.next_u32());
    match seed % 4 {
        0 => World::new(recall, size, RoundRobin::starting_at(StationId(0)), source).run(),
        1 => World::new(recall, size, Random::new(), source).run(),
        _ => World::new(recall, size, up_down(seed), source).run(),
    }
}

#[test]
fn no_job_is_lost_or_runs_twice_in_any_world() {
    let mut all = Met::default();
    for seed in 0..WORLDS {
        let record = std::panic::catch_unwind(|| run(seed));
        all.add(record.unwrap_or_else(|_| panic!("world {seed} failed")).met);
    }
    // The worlds met what they are there for, each many times; every job was finished once.
    let Met { finished, resumed, preempted, killed, continued, .. } = all;
    assert!(finished > 50_000, "{all:?}");
    assert!(resumed.min(preempted).min(killed) > 5_000 && continued > 1_000, "{all:?}");
    assert!(all.restarts_amid_effects.min(all.losses_with_a_guest) > 2_500, "{all:?}");
    assert!(all.put_off > 500, "{all:?}");
    assert!(all.late_reports.min(all.full_tables) > 2_500, "{all:?}");
}

/// Says a recorded world's commands again to a fresh coordinator with scratch of another size,
/// and compares every effect.
fn replay<F: Fairness + Clone>(record: &Record, fair: F, room: usize) {
    let table = || fresh_table(record.size, room);
    let start = locox::time::Instant::ZERO;
    let mut pool = Coordinator::new(record.config, table(), fair.clone(), start).unwrap();
    let image_of = |pool: &Coordinator<F, _>| {
        let mut words = Vec::new();
        pool.export(|word| words.push(word));
        words
    };
    let mut image = image_of(&pool);
    for entry in &record.log {
        match *entry {
            Entry::Command(now, message, draw) => {
                // Refusals are part of the record: they change nothing.
                let _ = pool.apply_drawn(now, message, F::Draw::from_source(|| draw));
                image = image_of(&pool);
            }
            Entry::Effect(effect) => {
                assert_eq!(pool.peek_effect(), Some(effect));
                assert_eq!(pool.take_effect(), Some(effect));
            }
            Entry::Restart => {
                let fresh = Coordinator::new(record.config, table(), fair.clone(), start);
                pool = fresh.unwrap();
                pool.restore(image.iter().copied()).unwrap();
            }
        }
    }
}

#[test]
fn a_recorded_world_replays_effect_by_effect_in_other_storage() {
    for seed in [2, 3, 6, 7, 102, 1003] {
        let record = run(seed);
        for room in [4, 5, 64] {
            replay(&record, up_down(seed), room);
        }
    }
    replay(&run(1), Random::new(), 64);
    replay(&run(4), RoundRobin::default(), 64);
}

/// FNV-1a over the text of what happened: the same on every target. A change of names changes it
/// as well as one of behaviour; only the former is a reason to pin another.
fn digest(log: &[Entry]) -> u64 {
    let mut text = String::new();
    log.iter().for_each(|entry| writeln!(text, "{entry:?}").unwrap());
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn the_same_world_has_the_same_digest_as_ever() {
    let digests = [0, 1, 2].map(|seed| digest(&run(seed).log));
    let pinned = [363_032_022_833_601_395, 6_323_956_437_961_599_035, 6_800_784_667_528_167_813];
    assert_eq!(digests, pinned);
}
