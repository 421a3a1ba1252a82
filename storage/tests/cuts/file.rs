//! Files.

use crate::disk::{Disk, Noting, Step, end_of_records};
use crate::run::{Numbers, Pool, pool, run};
use locox_coordinators::coordinate::Durable;
use locox_storage::{DurableCoordinator, FileError, Files, RecoveryReport, Store, StoreError};
use std::rc::Rc;

const COMMANDS: u64 = 1200;

fn recover(disk: Disk) -> (Result<RecoveryReport, StoreError<FileError>>, Durable<Pool>) {
    let mut pool = Durable::new(pool());
    let mut files = Files::new(Noting { disk, ..Noting::default() });
    (files.recover(&mut pool), pool)
}

/// Every cut of a run with images in between: `check` gets the disk and the commands answered.
fn each_cut(seed: u64, mut check: impl FnMut(Disk, u64, &crate::run::Past)) {
    let noting = Noting::default();
    let steps = Rc::clone(&noting.steps);
    let mut durable = DurableCoordinator::format(pool(), Files::new(noting)).unwrap();
    let mut answered = vec![0; steps.borrow().len()];
    let formatted = answered.len();
    let mut last = 0;
    let past = run(&mut durable, seed, COMMANDS, |_, commands| {
        answered.resize(steps.borrow().len(), last);
        last = commands;
    });
    let before = steps.borrow().len();
    durable.catch_up().unwrap();
    answered.resize(steps.borrow().len(), last);
    assert!(steps.borrow().len() > before);
    let mut numbers = Numbers(seed);
    let mut disk = Disk::default();
    // As the names were when they were made to last.
    let mut lasting = disk.clone();
    for (number, (step, answered)) in steps.borrow().iter().zip(answered).enumerate() {
        if number >= formatted {
            let mut torn = disk.clone();
            torn.do_part_of(step, &mut numbers);
            check(disk.clone(), answered, &past);
            check(torn, answered, &past);
            if matches!(step, Step::SyncNames) {
                check(lasting.clone(), answered, &past);
            }
        }
        disk.do_all_of(step);
        if !matches!(step, Step::Rename(..)) {
            lasting = disk.clone();
        }
    }
}

#[test]
fn cuts_at_every_write_lose_nothing() {
    let (mut cuts, mut torn) = (0, 0);
    each_cut(1, |disk, answered, past| {
        let (result, pool) = recover(disk);
        torn += u32::from(result.unwrap().cut);
        let commands = pool.place().commands;
        assert!(past.knows(&pool), "a state that never was, at {commands}");
        assert!(commands == answered || commands == answered + 1, "{commands} of {answered}");
        cuts += 1;
    });
    assert!(cuts > 2 * COMMANDS && torn > 500, "{cuts} {torn}");
}

#[test]
#[ignore = "takes long: ci/test runs it"]
fn of_a_hundred_thousand_bits_that_turned_each_is_found_or_harmless() {
    let (mut all, mut found, mut mended, mut numbers) = (0, 0, 0, Numbers(5));
    let mut disks = vec![];
    // Long journals take long to read; those of the first commands are as good.
    each_cut(2, |disk, answered, _| {
        if answered < 40 {
            disks.push((disk, answered));
        }
    });
    // Of the run itself, for its states.
    let noting = Noting::default();
    let mut durable = DurableCoordinator::format(pool(), Files::new(noting)).unwrap();
    let past = run(&mut durable, 2, COMMANDS, |_, _| {});
    while all < 100_000 {
        let (disk, answered) = &disks[numbers.below(disks.len() as u64) as usize];
        let mut disk = disk.clone();
        let Some(bytes) = disk.0.get_mut("history") else { continue };
        let bit = numbers.below(8 * bytes.len() as u64) as usize;
        bytes[bit / 8] ^= 1 << (bit % 8);
        all += 1;
        let (result, pool) = recover(disk);
        let Ok(recovered) = result else {
            found += 1;
            continue;
        };
        let commands = pool.place().commands;
        assert!(past.knows(&pool), "a state that never was, at {commands}");
        assert!(commands == *answered || commands == answered + 1, "{commands} of {answered}");
        mended += u32::from(recovered.mended > 0);
    }
    assert!(found > 1000 && mended > 1000, "{found} {mended}");
}

#[test]
fn a_record_that_is_damaged_beyond_mending_is_found_if_others_follow() {
    let noting = Noting::default();
    let steps = Rc::clone(&noting.steps);
    let mut durable = DurableCoordinator::format(pool(), Files::new(noting)).unwrap();
    run(&mut durable, 6, 20, |_, _| {});
    let mut disk = Disk::default();
    steps.borrow().iter().for_each(|step| disk.do_all_of(step));
    let bytes = disk.0.get_mut("history").unwrap();
    let at = end_of_records(bytes) - 3 * 64;
    bytes[at] ^= 1;
    bytes[at + 40] ^= 1;
    assert!(matches!(recover(disk).0, Err(StoreError::Damaged)));
}
