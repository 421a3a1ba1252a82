//! Histories that lost their end, a disk that is full, and what is left of a history that is damaged.

use crate::disk::{Disk, Noting, Step, end_of_records};
use crate::ledger::{Ledger, Ticket};
use crate::run::{Numbers, pool, run};
use locox::time::Instant;
use locox_coordinators::coordinate::Durable;
use locox_storage::{
    Directory, DurableCoordinator, FileError, Files, Flash, Folder, Nor, RecoveryReport, Store,
    StoreError,
};
use std::cell::Cell;
use std::io;
use std::rc::Rc;

const HISTORY: &str = "history";
const RECORD: usize = 64;

fn now(ticket: u32) -> Instant {
    Instant::from_ticks(u64::from(ticket))
}

/// How many tickets are there, which must be the first ones.
fn tickets(ledger: &Ledger) -> u32 {
    let count = (0..64).take_while(|ticket| ledger.has(Ticket(*ticket))).count() as u32;
    assert!((count..64).all(|ticket| !ledger.has(Ticket(ticket))), "one in between is lost");
    count
}

/// A history of 60 commands, each of which was synced.
fn sixty() -> Vec<u8> {
    let mut durable =
        DurableCoordinator::format(Ledger::default(), Files::new(Noting::default())).unwrap();
    (0..60).for_each(|ticket| durable.apply(now(ticket), Ticket(ticket)).unwrap());
    durable.into_store().into_inner().disk.0.remove(HISTORY).unwrap()
}

fn files(history: &[u8]) -> Files<Noting> {
    let disk = Disk([(HISTORY.to_string(), history.to_vec())].into());
    Files::new(Noting { disk, ..Noting::default() })
}

fn recover(history: &[u8]) -> Result<(u32, RecoveryReport), StoreError<FileError>> {
    let (durable, report) = DurableCoordinator::recover(Ledger::default(), files(history))?;
    Ok((tickets(durable.coordinator()), report))
}

/// It is refused, and a salvage goes on behind so many good records and says what it leaves out.
fn is_found(history: &[u8], good: u32, left_out: u64) {
    let refused = recover(history);
    assert!(matches!(refused, Err(StoreError::Damaged)), "{good}: {refused:?}");
    let salvaged = DurableCoordinator::salvage(Ledger::default(), files(history));
    let (durable, report) = salvaged.unwrap();
    assert_eq!(tickets(durable.coordinator()), good);
    assert_eq!(report.left_out, Some(left_out), "behind {good}");
    let disk = durable.into_store().into_inner().disk;
    assert_eq!(disk.0["history.damaged"], history);
    assert_eq!(recover(&disk.0[HISTORY]).unwrap().0, good);
}

#[test]
fn synced_records_that_are_missing_at_the_end_are_found() {
    let whole = sixty();
    let end = end_of_records(&whole);
    for missing in 1..=60 {
        is_found(&whole[..end - missing * RECORD], 60 - missing as u32, 0);
        // Also where it is cut within a record.
        is_found(&whole[..end - missing * RECORD + 1 + missing], 60 - missing as u32, 0);
    }
    is_found(&whole[..end], 60, 0);
    // Only blank room is missing.
    for length in (end + RECORD..=whole.len()).step_by(37) {
        let report = RecoveryReport { replayed: 60, ..RecoveryReport::default() };
        assert_eq!(recover(&whole[..length]).unwrap(), (60, report));
    }
}

#[test]
fn synced_records_that_are_zeros_at_the_end_are_found() {
    let whole = sixty();
    let end = end_of_records(&whole);
    for zeros in 1..=60 {
        let mut damaged = whole.clone();
        damaged[end - zeros * RECORD..end].fill(0);
        is_found(&damaged, 60 - zeros as u32, zeros as u64);
        // With the blank room, from within a record on.
        let mut damaged = whole.clone();
        damaged[end - zeros * RECORD + zeros..].fill(0);
        let slots = (whole.len() - end) / RECORD + zeros;
        is_found(&damaged, 60 - zeros as u32, slots as u64);
    }
}

/// Any damage from a record on: a recovery has what was synced, or all but the last where that looks like a cut,
/// or is refused. It has less only where all records from there on are garbage, as those of a cut batch may be, or where
/// they were taken out so that blank room follows the others. A salvage has the first records, as many as are sound.
#[test]
fn of_any_damage_to_synced_records_none_goes_back_unsaid() {
    let (whole, mut numbers, mut refused, mut garbage) = (sixty(), Numbers(12), 0, 0);
    let (end, image) = (end_of_records(&whole), end_of_records(&whole) - 60 * RECORD);
    for _ in 0..3_000 {
        let mut damaged = whole.clone();
        let from = image + numbers.below((end - image) as u64) as usize;
        let to = from + 1 + numbers.below((whole.len() - from) as u64 / 3) as usize;
        let kind = numbers.below(4);
        match kind {
            0 => damaged.truncate(from),
            1 => damaged[from..to].fill(0),
            2 => damaged[from..to].iter_mut().for_each(|byte| *byte ^= numbers.below(256) as u8),
            _ => drop(damaged.drain(from..to)),
        }
        let first_bad = ((from - image) / RECORD) as u32;
        match recover(&damaged) {
            Ok((60, _)) => {}
            Ok((found, report)) => {
                // Two records of which each is zeros in part look like a cut batch.
                let is_cut = report.cut && (found >= 58 || kind > 1);
                assert!(is_cut || kind == 3, "{found} {report:?}");
                garbage += u32::from(found < 59);
            }
            Err(_) => refused += 1,
        }
        let (durable, report) =
            DurableCoordinator::salvage(Ledger::default(), files(&damaged)).unwrap();
        let found = tickets(durable.coordinator());
        assert!(found >= first_bad, "{found} of {first_bad}, {report:?}");
    }
    assert!(refused > 1_500 && garbage > 100, "{refused} {garbage}");
}

/// A salvage of a history that is sound is a recovery, and keeps no copy.
#[test]
fn a_salvage_of_a_sound_history_leaves_nothing_out() {
    let (durable, report) =
        DurableCoordinator::salvage(Ledger::default(), files(&sixty())).unwrap();
    assert_eq!((tickets(durable.coordinator()), report.left_out), (60, None));
    assert!(!durable.into_store().into_inner().disk.0.contains_key("history.damaged"));
}

#[test]
fn a_flash_is_salvaged_up_to_its_first_damaged_record() {
    let mut whole = [0xFF; 6 << 10];
    let left = Cell::new(Nor::FOR_EVER);
    let flash = Flash::new(Nor::new(&mut whole, &left)).unwrap();
    let mut durable = DurableCoordinator::format(Ledger::default(), flash).unwrap();
    (0..20).for_each(|ticket| durable.apply(now(ticket), Ticket(ticket)).unwrap());
    let number = |ticket: usize| (ticket as u64 + 1).to_le_bytes();
    for bad in 0..19 {
        let mut cells = whole;
        let is_record = |slot: &[u8]| slot[2] == b'C' && slot[4..12] == number(bad);
        let slot = cells.chunks_mut(RECORD).find(|slot| is_record(slot)).unwrap();
        slot[20..28].fill(0x55);
        let mut again = cells;
        let flash = Flash::new(Nor::new(&mut cells, &left)).unwrap();
        let refused = DurableCoordinator::recover(Ledger::default(), flash);
        assert!(matches!(refused, Err(StoreError::Damaged)), "{bad}");
        let flash = Flash::new(Nor::new(&mut again, &left)).unwrap();
        let (durable, report) = DurableCoordinator::salvage(Ledger::default(), flash).unwrap();
        assert_eq!(tickets(durable.coordinator()), bad as u32);
        assert_eq!(report.left_out, Some(20 - bad as u64));
    }
}

/// A disk with no room but where something is.
#[derive(Clone)]
struct Full {
    noting: Noting,
    is_full: bool,
}

impl Full {
    fn fails<T>(&self, grows: bool) -> io::Result<Option<T>> {
        if self.is_full && grows { Err(io::ErrorKind::StorageFull.into()) } else { Ok(None) }
    }
}

impl Folder for Full {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.noting.read(name)
    }
    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        // A part of it finds room.
        if self.is_full {
            self.noting.write(name, &bytes[..bytes.len() / 2])?;
        }
        self.fails(!bytes.is_empty())?.map_or_else(|| self.noting.write(name, bytes), Ok)
    }
    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        let length = self.noting.disk.0[name].len() as u64;
        self.fails(at + bytes.len() as u64 > length)?
            .map_or_else(|| self.noting.write_at(name, at, bytes), Ok)
    }
    fn sync(&mut self, name: &str) -> io::Result<()> {
        self.noting.sync(name)
    }
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.noting.rename(from, to)
    }
    fn sync_names(&mut self) -> io::Result<()> {
        self.noting.sync_names()
    }
}

#[test]
fn on_a_full_disk_a_recovery_goes_on_in_the_blank_room() {
    let noting = files(&sixty()).into_inner();
    let full = Files::new(Full { noting, is_full: true });
    let (mut durable, report) = DurableCoordinator::recover(Ledger::default(), full).unwrap();
    assert_eq!((tickets(durable.coordinator()), report.replayed), (60, 60));
    // It is said that everybody is told again, and further commands are durable.
    (60..64).for_each(|ticket| durable.apply(now(ticket), Ticket(ticket)).unwrap());
    let place = durable.place();
    let full = durable.into_store().into_inner();
    assert_eq!(full.noting.disk.0["history.new"], [0; 0], "it takes no room from others");
    let (durable, report) =
        DurableCoordinator::recover(Ledger::default(), Files::new(full)).unwrap();
    assert_eq!((tickets(durable.coordinator()), report.replayed), (64, 65));
    assert_eq!(durable.place().commands, place.commands + 1);
    // As long as the room lasts, then not before there is room for an image.
    let mut full = durable.into_store().into_inner();
    let most = (0..300).find(|_| {
        let went_on = DurableCoordinator::recover(Ledger::default(), Files::new(full.clone()));
        went_on.map(|(durable, _)| full = durable.into_store().into_inner()).is_err()
    });
    assert!(most.is_some_and(|most| most > 150), "{most:?}");
    full.is_full = false;
    let (durable, _) = DurableCoordinator::recover(Ledger::default(), Files::new(full)).unwrap();
    assert_eq!(tickets(durable.coordinator()), 64);
}

/// Every step of a run, done in part, and a disk that is full from then on.
#[test]
fn on_a_full_disk_no_cut_loses_what_was_answered() {
    let noting = Noting::default();
    let steps = Rc::clone(&noting.steps);
    let mut durable = DurableCoordinator::format(pool(), Files::new(noting)).unwrap();
    let mut answered = vec![0; steps.borrow().len()];
    let formatted = answered.len();
    let mut last = 0;
    let past = run(&mut durable, 3, 300, |_, commands| {
        answered.resize(steps.borrow().len(), last);
        last = commands;
    });
    let (mut disk, mut numbers, mut resumed) = (Disk::default(), Numbers(3), 0);
    for (number, (step, answered)) in steps.borrow().iter().zip(answered).enumerate() {
        let mut torn = disk.clone();
        torn.do_part_of(step, &mut numbers);
        disk.do_all_of(step);
        if number < formatted || matches!(step, Step::Sync) {
            continue;
        }
        let mut before = Durable::new(pool());
        let noting = Noting { disk: torn, ..Noting::default() };
        let report = Files::new(noting.clone()).recover(&mut before).unwrap();
        assert!(past.knows(&before) && before.place().commands >= answered);
        let full = Files::new(Full { noting, is_full: true });
        let Ok((durable, found)) = DurableCoordinator::recover(pool(), full) else { continue };
        assert_eq!(found, report);
        resumed += 1;
        // And again, with the room.
        let noting = durable.into_store().into_inner().noting;
        let (_, again) = DurableCoordinator::recover(pool(), Files::new(noting)).unwrap();
        assert_eq!((again.replayed, again.cut), (report.replayed + 1, false));
    }
    assert!(resumed > 250, "{resumed}");
}

/// As an operator would see it, with files.
#[test]
fn a_shortened_file_of_a_folder_is_found_and_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let files = || Files::new(Directory::open(folder.path()).unwrap());
    let mut durable = DurableCoordinator::format(Ledger::default(), files()).unwrap();
    (0..60).for_each(|ticket| durable.apply(now(ticket), Ticket(ticket)).unwrap());
    drop(durable);
    let path = folder.path().join(HISTORY);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..end_of_records(&bytes) - 3 * RECORD]).unwrap();
    let refused = DurableCoordinator::recover_or_format(Ledger::default, files());
    assert!(matches!(refused, Err(StoreError::Damaged)));
    let (durable, report) = DurableCoordinator::salvage(Ledger::default(), files()).unwrap();
    assert_eq!((tickets(durable.coordinator()), report.left_out), (57, Some(0)));
    assert!(folder.path().join("history.damaged").exists());
}
