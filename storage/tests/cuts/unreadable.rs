//! NOR flash with ECC: a word whose write was cut cannot be read, nor can words of a page whose erasure was.

use crate::ledger::{Ledger, Ticket};
use crate::run::Numbers;
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use locox::time::Instant;
use locox_storage::{Cut, DurableCoordinator, Flash, StoreError};

const CAPACITY: usize = 4 << 10;
const COMMANDS: u32 = 60;

/// Flash that writes `WORD` bytes at a time.
struct Ecc<const WORD: usize> {
    cells: Vec<u8>,
    /// For each word whether its ECC is wrong.
    wrong: Vec<bool>,
    /// So many more steps until the power is cut within one; then nothing more is done.
    left: Option<u32>,
    numbers: Numbers,
}

impl<const WORD: usize> Ecc<WORD> {
    fn new(seed: u32) -> Self {
        let (cells, wrong) = (vec![0xFF; CAPACITY], vec![false; CAPACITY / WORD]);
        Self { cells, wrong, left: None, numbers: Numbers(seed.into()) }
    }

    fn is_cut(&mut self) -> Result<bool, Cut> {
        match &mut self.left {
            None => Ok(false),
            // It is off.
            Some(u32::MAX) => Err(Cut),
            Some(0) => {
                self.left = Some(u32::MAX);
                Ok(true)
            }
            Some(left) => {
                *left -= 1;
                Ok(false)
            }
        }
    }
}

impl<const WORD: usize> ErrorType for Ecc<WORD> {
    type Error = Cut;
}

impl<const WORD: usize> ReadNorFlash for Ecc<WORD> {
    const READ_SIZE: usize = if WORD == 8 { 8 } else { 1 };

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Cut> {
        let (from, to) = (offset as usize, offset as usize + bytes.len());
        assert!(from % Self::READ_SIZE == 0 && to % Self::READ_SIZE == 0);
        if self.wrong[from / WORD..to.div_ceil(WORD)].contains(&true) {
            return Err(Cut);
        }
        bytes.copy_from_slice(&self.cells[from..to]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        CAPACITY
    }
}

impl<const WORD: usize> NorFlash for Ecc<WORD> {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = 1024;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Cut> {
        for page in (from as usize..to as usize).step_by(Self::ERASE_SIZE) {
            let is_cut = self.is_cut()?;
            for word in page / WORD..(page + Self::ERASE_SIZE) / WORD {
                // Of a page that is cut some words are erased, some are as before and some cannot be read.
                let outcome = if is_cut { self.numbers.below(3) } else { 0 };
                if outcome == 0 {
                    self.cells[word * WORD..(word + 1) * WORD].fill(0xFF);
                    self.wrong[word] = false;
                }
                self.wrong[word] |= outcome == 2;
            }
            if is_cut {
                return Err(Cut);
            }
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Cut> {
        for (word, bytes) in (offset as usize / WORD..).zip(bytes.chunks(WORD)) {
            let cells = word * WORD..(word + 1) * WORD;
            let is_erased = self.cells[cells.clone()].iter().all(|byte| *byte == 0xFF);
            assert!(is_erased && !self.wrong[word], "a word is written twice between erasures");
            self.wrong[word] = self.is_cut()?;
            self.cells[cells].copy_from_slice(bytes);
            if self.wrong[word] {
                return Err(Cut);
            }
        }
        Ok(())
    }
}

fn now(ticket: u32) -> Instant {
    Instant::from_ticks(u64::from(ticket))
}

type Service<'a, const WORD: usize> = DurableCoordinator<Ledger, Flash<&'a mut Ecc<WORD>>>;

/// Starts as a service does, and says how many tickets are there, which must be the first ones.
fn start<const WORD: usize>(
    flash: &mut Ecc<WORD>,
) -> Result<(Service<'_, WORD>, u32), StoreError<Cut>> {
    let (durable, _) = DurableCoordinator::recover_or_format(Ledger::default, Flash::new(flash)?)?;
    let has = |ticket: u32| durable.coordinator().has(Ticket(ticket));
    let count = (0..64).take_while(|ticket| has(*ticket)).count() as u32;
    assert!((count..64).all(|ticket| !has(ticket)), "one in between is lost");
    Ok((durable, count))
}

/// A service whose power is cut within its step of this number, within another one when it goes on, and then not.
/// Whether the first was a step of its run.
fn cut_at<const WORD: usize>(step: u32, again: u32) -> bool {
    let mut flash = Ecc::<WORD>::new(step);
    // So many commands are there at least, and at most.
    let (mut answered, mut said, mut is_within) = (0, 0, false);
    for power in [Some(step), Some(again), None] {
        flash.left = power;
        if let Some((mut durable, found)) = match start(&mut flash) {
            Ok(started) => Some(started),
            Err(error) => {
                assert!(power.is_some(), "steps {step}, {again}: {error}");
                None
            }
        } {
            let range = answered..=said;
            assert!(range.contains(&found), "steps {step}, {again}: {found}, {range:?}");
            (answered, said) = (found, found);
            while said == answered && said < COMMANDS {
                let stored = durable.apply(now(said), Ticket(said));
                said += 1;
                answered += u32::from(stored.is_ok());
            }
        }
        is_within |= power == Some(step) && flash.left == Some(u32::MAX);
    }
    assert_eq!(answered, COMMANDS, "steps {step}, {again}");
    is_within
}

fn cut_anywhere<const WORD: usize>() {
    let mut numbers = Numbers(WORD as u64);
    let steps = (0..).take_while(|step| cut_at::<WORD>(*step, numbers.below(90) as u32)).count();
    assert!(steps > COMMANDS as usize * 64 / WORD, "{steps}");
}

#[test]
fn words_of_4_bytes_that_cannot_be_read_are_as_torn_ones() {
    cut_anywhere::<4>();
}

#[test]
fn words_of_8_bytes_that_cannot_be_read_are_as_torn_ones() {
    cut_anywhere::<8>();
}

#[test]
fn words_of_32_bytes_that_cannot_be_read_are_as_torn_ones() {
    cut_anywhere::<32>();
}

#[test]
fn words_of_64_bytes_that_cannot_be_read_are_as_torn_ones() {
    cut_anywhere::<64>();
}

/// A flash that cannot be read is none without an image: it is not formatted.
#[test]
fn a_flash_that_cannot_be_read_is_not_formatted() {
    let mut flash = Ecc::<8>::new(0);
    flash.left = None;
    let (mut durable, _) = start(&mut flash).unwrap();
    durable.apply(now(0), Ticket(0)).unwrap();
    for from in (0..CAPACITY / 8).step_by(8) {
        // From here on to the end, or only the image and the records.
        let before = flash.wrong.clone();
        flash.wrong[from..].fill(true);
        let is_new = matches!(start(&mut flash), Ok((_, 0)));
        assert!(!is_new, "word {from}");
        flash.wrong = before;
    }
    flash.wrong.fill(true);
    assert!(matches!(start(&mut flash), Err(StoreError::Medium(Cut))));
}
