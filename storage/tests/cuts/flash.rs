//! The NOR flash.

use crate::run::{Numbers, Past, Pool, image, pool, run};
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use locox_coordinators::coordinate::Durable;
use locox_storage::{Cut, DurableCoordinator, Flash, Nor, RecoveryReport, Store, StoreError};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const CAPACITY: usize = 6 << 10;
const WRITE: usize = Nor::WRITE_SIZE;
const ERASE: usize = Nor::ERASE_SIZE;
const COMMANDS: u64 = 1200;

/// What was done to a flash, in steps that a cut can leave half done.
#[derive(Clone, Copy)]
enum Step {
    Erase { page: usize },
    Write { at: usize, bytes: [u8; WRITE] },
}

/// The contents of a flash.
#[derive(Clone, PartialEq, Debug)]
struct Cells(Vec<u8>);

impl Cells {
    fn erased() -> Self {
        Self(vec![0xFF; CAPACITY])
    }

    fn do_all_of(&mut self, step: Step) {
        self.change(step, Nor::FOR_EVER, 0).unwrap();
    }

    /// Some of the bits are as after the step.
    fn do_part_of(&mut self, step: Step, numbers: &mut Numbers) {
        let seed = numbers.below(1 << 31) as u32;
        assert_eq!(self.change(step, 0, seed), Err(Cut));
    }

    fn change(&mut self, step: Step, left: u32, seed: u32) -> Result<(), Cut> {
        let left = Cell::new(left);
        let mut nor = Nor::new(&mut self.0, &left).seeded(seed);
        match step {
            Step::Erase { page } => nor.erase((page * ERASE) as u32, ((page + 1) * ERASE) as u32),
            Step::Write { at, bytes } => nor.write(at as u32, &bytes),
        }
    }

    fn flip(&mut self, bit: u64) {
        self.0[bit as usize / 8] ^= 1 << (bit % 8);
    }
}

/// A flash that notes what is done to it.
#[derive(Clone)]
struct Noted {
    cells: Cells,
    steps: Rc<RefCell<Vec<Step>>>,
}

impl Noted {
    fn with(cells: Cells) -> Self {
        Self { cells, steps: Rc::default() }
    }
}

impl ErrorType for Noted {
    type Error = Cut;
}

impl ReadNorFlash for Noted {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Cut> {
        Nor::new(&mut self.cells.0, &Cell::new(Nor::FOR_EVER)).read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        CAPACITY
    }
}

impl NorFlash for Noted {
    const WRITE_SIZE: usize = WRITE;
    const ERASE_SIZE: usize = ERASE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Cut> {
        for page in from as usize / ERASE..to as usize / ERASE {
            self.steps.borrow_mut().push(Step::Erase { page });
            self.cells.do_all_of(Step::Erase { page });
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Cut> {
        for (at, chunk) in (offset as usize..).step_by(WRITE).zip(bytes.chunks(WRITE)) {
            let erased = self.cells.0[at..at + WRITE].iter().all(|byte| *byte == 0xFF);
            assert!(erased, "a cell is written twice between erasures");
            let step = Step::Write { at, bytes: chunk.try_into().unwrap() };
            self.steps.borrow_mut().push(step);
            self.cells.do_all_of(step);
        }
        Ok(())
    }
}

/// A run, what it did to the flash, and how many commands were answered before each step.
struct Recorded {
    past: Past,
    steps: Vec<Step>,
    answered: Vec<u64>,
}

impl Recorded {
    fn of(seed: u64) -> Self {
        let nor = Noted::with(Cells::erased());
        let steps = Rc::clone(&nor.steps);
        let mut durable = DurableCoordinator::format(pool(), Flash::new(nor).unwrap()).unwrap();
        let mut answered = vec![0; steps.borrow().len()];
        let mut last = 0;
        let past = run(&mut durable, seed, COMMANDS, |_, commands| {
            answered.resize(steps.borrow().len(), last);
            last = commands;
        });
        let steps = steps.borrow().clone();
        Self { past, steps, answered }
    }

    /// The flash before each step, with the step and the commands that were answered then.
    fn each(&self, mut at: impl FnMut(&Cells, Step, u64)) {
        let mut cells = Cells::erased();
        for (step, answered) in self.steps.iter().zip(&self.answered) {
            at(&cells, *step, *answered);
            cells.do_all_of(*step);
        }
    }

    /// Nothing is lost, or it is said that something is damaged.
    fn check(&self, cells: Cells, answered: u64) -> Found {
        let (result, pool) = recover(cells);
        match result {
            Ok(recovered) => {
                let commands = pool.place().commands;
                assert!(self.past.knows(&pool), "a state that never was, at {commands}");
                let kept = commands == answered || commands == answered + 1;
                assert!(kept, "{commands} commands are left of {answered}, {recovered:?}");
                Found::Whole { later: commands > answered, mended: recovered.mended > 0 }
            }
            Err(_) => Found::Damage,
        }
    }
}

#[derive(PartialEq)]
enum Found {
    Whole { later: bool, mended: bool },
    Damage,
}

fn recover(cells: Cells) -> (Result<RecoveryReport, StoreError<Cut>>, Durable<Pool>) {
    recover_by(cells, |flash| flash)
}

fn recover_by(
    cells: Cells,
    as_wanted: fn(Flash<Noted>) -> Flash<Noted>,
) -> (Result<RecoveryReport, StoreError<Cut>>, Durable<Pool>) {
    let mut pool = Durable::new(pool());
    let mut flash = as_wanted(Flash::new(Noted::with(cells)).unwrap());
    (flash.recover(&mut pool), pool)
}

/// The image of the format is whole from this step on.
fn formatted_at(run: &Recorded) -> usize {
    run.answered.iter().position(|answered| *answered > 0).unwrap_or(0)
}

#[test]
#[ignore = "takes long: ci/test runs it"]
fn cuts_at_every_write_lose_nothing() {
    let run = Recorded::of(1);
    let formatted = formatted_at(&run);
    let (mut numbers, mut number, mut later, mut before) = (Numbers(7), 0, 0, 0);
    run.each(|cells, step, answered| {
        let mut torn = cells.clone();
        torn.do_part_of(step, &mut numbers);
        // Done, and not answered yet.
        let mut done = cells.clone();
        done.do_all_of(step);
        for cells in [cells.clone(), torn, done] {
            match run.check(cells, answered) {
                Found::Whole { later: true, .. } => later += 1,
                Found::Whole { .. } => before += 1,
                Found::Damage => assert!(number < formatted, "a cut at step {number} is damage"),
            }
        }
        number += 1;
    });
    assert!(run.steps.len() > 16 * COMMANDS as usize);
    assert!(before > 30_000 && later >= COMMANDS, "{before} {later}");
}

#[test]
#[ignore = "takes long: ci/test runs it"]
fn of_a_hundred_thousand_bits_that_turned_each_is_found_or_harmless() {
    let run = Recorded::of(2);
    let formatted = formatted_at(&run);
    let tries = 100_000 / (run.steps.len() - formatted) + 1;
    let (mut numbers, mut number, mut damage, mut mended, mut all) = (Numbers(8), 0, 0, 0, 0);
    run.each(|cells, step, answered| {
        number += 1;
        if number <= formatted {
            return;
        }
        for turn in 0..tries {
            let mut flipped = cells.clone();
            // Every second time in a write that was cut.
            if turn % 2 == 1 {
                flipped.do_part_of(step, &mut numbers);
            }
            flipped.flip(numbers.below(8 * CAPACITY as u64));
            all += 1;
            match run.check(flipped, answered) {
                Found::Damage => damage += 1,
                Found::Whole { mended: true, .. } => mended += 1,
                Found::Whole { .. } => {}
            }
        }
    });
    assert!(all >= 100_000, "{all}");
    assert!(damage > 1000 && mended > 1000, "{damage} {mended}");
}

#[test]
fn without_mending_what_would_be_mended_is_damage_and_all_else_is_as_with_it() {
    let run = Recorded::of(2);
    let formatted = formatted_at(&run);
    let (mut numbers, mut number, mut refused) = (Numbers(8), 0, 0);
    run.each(|cells, step, _| {
        number += 1;
        if number <= formatted || number % 8 > 0 {
            return;
        }
        for turn in 0..4 {
            let mut flipped = cells.clone();
            if turn % 2 == 1 {
                flipped.do_part_of(step, &mut numbers);
            }
            flipped.flip(numbers.below(8 * CAPACITY as u64));
            let (with, pool) = recover_by(flipped.clone(), |flash| flash);
            let (without, same) = recover_by(flipped, Flash::without_mending);
            match with {
                Ok(report) if report.mended > 0 => {
                    assert!(matches!(without, Err(StoreError::Damaged)), "{without:?}");
                    refused += 1;
                }
                Ok(report) => {
                    assert_eq!(without.unwrap(), report);
                    assert_eq!(pool.place(), same.place());
                }
                Err(_) => assert!(without.is_err()),
            }
        }
    });
    assert!(refused > 100, "{refused}");
}

#[test]
fn after_a_cut_it_goes_on_and_can_be_cut_again() {
    let run = Recorded::of(3);
    let (mut numbers, mut number) = (Numbers(9), 0);
    let formatted = formatted_at(&run);
    run.each(|cells, step, answered| {
        number += 1;
        if number <= formatted || number % 97 != 0 {
            return;
        }
        let mut cells = cells.clone();
        cells.do_part_of(step, &mut numbers);
        let flash = Flash::new(Noted::with(cells)).unwrap();
        let (durable, _) = DurableCoordinator::recover(pool(), flash).unwrap();
        let told = durable.place();
        assert!(told.commands > answered && told.effects >= 1 << 32);
        let steps = durable.store().clone().into_inner().steps;
        let after = durable.store().clone().into_inner().cells;
        assert!(!steps.borrow().is_empty());
        let (again, later) = recover(after);
        assert_eq!(again, Ok(RecoveryReport::default()));
        assert_eq!(later.place(), told);
        assert!(image(&later).len() > 11);
    });
}

#[test]
fn what_was_never_formatted_is_said() {
    assert_eq!(recover(Cells::erased()).0, Err(StoreError::NoImage));
    assert_eq!(recover(Cells(vec![0; CAPACITY])).0, Err(StoreError::NoImage));
}

#[test]
fn formatting_begins_anew_whatever_was_there() {
    let run = Recorded::of(4);
    let mut cells = Cells::erased();
    for (number, step) in run.steps.iter().enumerate() {
        cells.do_all_of(*step);
        if number % 500 != 499 {
            continue;
        }
        let flash = Flash::new(Noted::with(cells.clone())).unwrap();
        let durable = DurableCoordinator::format(pool(), flash).unwrap();
        let (result, pool) = recover(durable.store().clone().into_inner().cells);
        assert_eq!(result, Ok(RecoveryReport::default()));
        assert_eq!(pool.place().commands, 0);
    }
}
