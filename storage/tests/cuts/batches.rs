//! Commands that become durable together: a cut loses the last ones, and none that was answered.

use crate::disk::{Disk, Noting, Step, end_of_records};
use crate::ledger::{Ledger, Ticket, Twice};
use crate::run::Numbers;
use locox::time::Instant;
use locox_coordinators::coordinate::Record;
use locox_storage::{
    ApplyError, Directory, DurableCoordinator, Files, Flash, Folder, Nor, Store, StoreError,
};
use std::cell::Cell;
use std::io;
use std::rc::Rc;

type Service<F> = DurableCoordinator<Ledger, Files<F>>;

/// What a disk stores at once.
const SECTOR: usize = 32;
const HISTORY: &str = "history";

fn now(ticket: u32) -> Instant {
    Instant::from_ticks(u64::from(ticket))
}

/// How many tickets are there; they must be the first ones.
fn first_tickets(ledger: &Ledger) -> u32 {
    let count = (0..64).take_while(|ticket| ledger.has(Ticket(*ticket))).count() as u32;
    assert!((count..64).all(|ticket| !ledger.has(Ticket(ticket))), "one in between is lost");
    count
}

/// The steps of a run of batches, each with the number of tickets that were answered before it.
fn steps_of_batches(numbers: &mut Numbers) -> Vec<(Step, u32)> {
    let noting = Noting::default();
    let steps = Rc::clone(&noting.steps);
    let mut durable = DurableCoordinator::format(Ledger::default(), Files::new(noting)).unwrap();
    let (mut answered, mut next) = (vec![0; steps.borrow().len()], 0);
    while next < 64 {
        let before = next;
        let mut batch = durable.batch();
        for _ in 0..1 + numbers.below(12) {
            if next < 64 {
                batch.apply(now(next), Ticket(next)).unwrap();
                next += 1;
            }
            // A refusal is no record.
            let twice = batch.apply(now(next), Ticket(0));
            assert!(matches!(twice, Err(ApplyError::Coordinator(Twice))));
        }
        batch.commit().unwrap();
        answered.resize(steps.borrow().len(), before);
        if numbers.below(8) == 0 {
            durable.catch_up().unwrap();
            answered.resize(steps.borrow().len(), next);
        }
    }
    let steps = steps.borrow().clone();
    steps.into_iter().zip(answered).collect()
}

/// Of what was written since the last sync each sector is there or as it was; behind the end that there was then
/// it may be zeros, or missing with all behind it.
fn tear(disk: &mut Disk, synced: &[u8], numbers: &mut Numbers) {
    let Some(bytes) = disk.0.get_mut(HISTORY) else { return };
    let grown = bytes.len() - synced.len();
    bytes.truncate(synced.len() + numbers.below(grown as u64 + 1) as usize);
    for (at, sector) in bytes.chunks_mut(SECTOR).enumerate() {
        if numbers.below(3) == 0 {
            let before =
                synced.get(at * SECTOR..).unwrap_or(&[]).iter().chain(std::iter::repeat(&0));
            sector.iter_mut().zip(before).for_each(|(to, from)| *to = *from);
        }
    }
}

#[test]
fn what_is_stored_in_any_order_is_lost_from_the_end() {
    let (mut cuts, mut missing) = (0, 0);
    for seed in 0..600 {
        let mut numbers = Numbers(seed);
        let (mut disk, mut synced) = (Disk::default(), vec![]);
        for (step, answered) in steps_of_batches(&mut numbers) {
            disk.do_all_of(&step);
            let Step::WriteAt(..) = step else {
                synced = disk.0.get(HISTORY).cloned().unwrap_or_default();
                continue;
            };
            let mut torn = disk.clone();
            tear(&mut torn, &synced, &mut numbers);
            let files = Files::new(Noting { disk: torn, ..Noting::default() });
            let (found, report) = DurableCoordinator::recover(Ledger::default(), files)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let found = first_tickets(found.coordinator());
            assert!(found >= answered, "seed {seed}: {found} of {answered}");
            missing += u32::from(report.cut);
            cuts += 1;
        }
    }
    assert!(cuts > 5_000 && missing > 2_000, "{cuts} {missing}");
}

#[test]
fn damage_to_a_batch_is_found_if_another_follows() {
    let noting = Noting::default();
    let steps = Rc::clone(&noting.steps);
    let mut durable = DurableCoordinator::format(Ledger::default(), Files::new(noting)).unwrap();
    for tickets in [0..3, 3..6] {
        let mut batch = durable.batch();
        tickets.for_each(|ticket| batch.apply(now(ticket), Ticket(ticket)).unwrap());
        batch.commit().unwrap();
    }
    let mut whole = Disk::default();
    steps.borrow().iter().for_each(|step| whole.do_all_of(step));
    for (damaged, is_found) in [(6, true), (5, true), (4, true), (3, false), (2, false), (1, false)]
    {
        let mut disk = whole.clone();
        let bytes = disk.0.get_mut(HISTORY).unwrap();
        let at = end_of_records(bytes) - damaged * 64;
        bytes[at + 8] ^= 1;
        bytes[at + 40] ^= 1;
        let files = Files::new(Noting { disk, ..Noting::default() });
        let found = DurableCoordinator::recover(Ledger::default(), files);
        match found {
            Err(StoreError::Damaged) => assert!(is_found, "{damaged} from the end"),
            Ok((found, report)) => {
                assert!(!is_found && report.cut, "{damaged} from the end");
                assert_eq!(first_tickets(found.coordinator()), 6 - damaged as u32);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_batch_is_written_when_it_is_committed_and_a_long_one_in_parts() {
    let noting = Noting::default();
    let steps = Rc::clone(&noting.steps);
    let mut durable = DurableCoordinator::format(Ledger::default(), Files::new(noting)).unwrap();
    let of_records = |it: &&Step| matches!(it, Step::WriteAt(_, _, bytes) if bytes[0] != 0xFF);
    let writes = || steps.borrow().iter().filter(of_records).count();
    let mut batch = durable.batch();
    (0..40).for_each(|ticket| batch.apply(now(ticket), Ticket(ticket)).unwrap());
    assert_eq!(writes(), 0);
    batch.commit().unwrap();
    assert_eq!(writes(), 1);
    let mut files = durable.into_store();
    (0..3_000).for_each(|number| files.append(&Record([number; Record::WORDS])).unwrap());
    assert_eq!(writes(), 1 + 2, "1,024 records at one time");
    files.sync().unwrap();
    assert_eq!(writes(), 1 + 3);
    let history = files.into_inner().disk.0.remove(HISTORY).unwrap();
    let last = history[..end_of_records(&history)].last_chunk().copied().map(u32::from_le_bytes);
    assert_eq!(last, Some(2_999));
}

#[test]
fn a_batch_that_is_not_committed_is_stored_before_the_next_command() {
    let folder = tempfile::tempdir().unwrap();
    let files = || Files::new(Directory::open(folder.path()).unwrap());
    let mut durable: Service<Directory> =
        DurableCoordinator::format(Ledger::default(), files()).unwrap();
    let mut batch = durable.batch();
    batch.apply(now(0), Ticket(0)).unwrap();
    drop(batch);
    assert!(durable.wants_image());
    durable.apply(now(1), Ticket(1)).unwrap();
    drop(durable.into_store());
    let (found, report) = DurableCoordinator::recover(Ledger::default(), files()).unwrap();
    assert_eq!(first_tickets(found.coordinator()), 2);
    assert_eq!(report.replayed, 1, "the other is in the image");
}

#[test]
fn in_flash_each_record_of_a_batch_is_durable() {
    let mut cells = [0xFF; 6 << 10];
    let left = Cell::new(Nor::FOR_EVER);
    let flash = Flash::new(Nor::new(&mut cells, &left)).unwrap();
    let mut durable = DurableCoordinator::format(Ledger::default(), flash).unwrap();
    let mut batch = durable.batch();
    (0..5).for_each(|ticket| batch.apply(now(ticket), Ticket(ticket)).unwrap());
    drop(batch);
    let flash = Flash::new(durable.into_store().into_inner()).unwrap();
    let (found, report) = DurableCoordinator::recover(Ledger::default(), flash).unwrap();
    assert_eq!((first_tickets(found.coordinator()), report.cut), (5, false));
}

#[test]
fn an_empty_batch_writes_nothing() {
    let noting = Noting::default();
    let steps = Rc::clone(&noting.steps);
    let mut durable = DurableCoordinator::format(Ledger::default(), Files::new(noting)).unwrap();
    let before = steps.borrow().len();
    durable.batch().commit().unwrap();
    assert_eq!(steps.borrow().len(), before);
    let mut batch = durable.batch();
    batch.apply(now(0), Ticket(0)).unwrap();
    batch.apply(now(1), Ticket(1)).unwrap();
    batch.commit().unwrap();
    let syncs = steps.borrow().iter().filter(|step| matches!(step, Step::Sync)).count();
    assert_eq!(syncs, 1);
}

/// A disk on which the next writes or syncs fail.
struct Failing {
    noting: Noting,
    appends: u32,
    syncs: u32,
}

fn fails(left: &mut u32) -> io::Result<()> {
    if *left == 0 {
        return Ok(());
    }
    *left -= 1;
    Err(io::ErrorKind::StorageFull.into())
}

impl Folder for Failing {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.noting.read(name)
    }
    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.noting.write(name, bytes)
    }
    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        fails(&mut self.appends).and_then(|()| self.noting.write_at(name, at, bytes))
    }
    fn sync(&mut self, name: &str) -> io::Result<()> {
        fails(&mut self.syncs).and_then(|()| self.noting.sync(name))
    }
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.noting.rename(from, to)
    }
    fn sync_names(&mut self) -> io::Result<()> {
        self.noting.sync_names()
    }
}

/// What is there after a cut of a service whose disk failed.
fn after_failures(appends: u32, syncs: u32, run: impl FnOnce(&mut Service<Failing>)) -> u32 {
    let folder = Failing { noting: Noting::default(), appends: 0, syncs: 0 };
    let service = DurableCoordinator::format(Ledger::default(), Files::new(folder)).unwrap();
    let mut folder = service.into_store().into_inner();
    (folder.appends, folder.syncs) = (appends, syncs);
    let (mut service, _) =
        DurableCoordinator::recover(Ledger::default(), Files::new(folder)).unwrap();
    run(&mut service);
    let disk = service.into_store().into_inner().noting.disk;
    let files = Files::new(Noting { disk, ..Noting::default() });
    first_tickets(DurableCoordinator::recover(Ledger::default(), files).unwrap().0.coordinator())
}

#[test]
fn after_a_write_that_failed_an_image_has_the_command() {
    let found = after_failures(1, 0, |service| {
        let mut batch = service.batch();
        batch.apply(now(0), Ticket(0)).unwrap();
        batch.commit().unwrap_err();
        assert!(service.wants_image());
        service.apply(now(1), Ticket(1)).unwrap();
    });
    assert_eq!(found, 2);
    let found = after_failures(1, 0, |service| {
        assert!(matches!(service.apply(now(0), Ticket(0)), Err(ApplyError::Store(_))));
        service.batch().commit().unwrap();
    });
    assert_eq!(found, 1, "the next commit stores it");
}

#[test]
fn after_a_sync_that_failed_the_next_one_is_not_believed() {
    let found = after_failures(0, 1, |service| {
        let mut batch = service.batch();
        batch.apply(now(0), Ticket(0)).unwrap();
        batch.commit().unwrap_err();
        assert!(service.wants_image(), "nothing is told before there is an image");
        service.apply(now(1), Ticket(1)).unwrap();
    });
    assert_eq!(found, 2);
}
