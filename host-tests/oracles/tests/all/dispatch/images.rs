//! Images of queues that nobody wrote: what contradicts itself is refused, and why.

use crate::forged::{agree, of_one_word, of_two_words, said};
use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Discipline, Easy, Entry, Fcfs, Job, Lazy, Ordered, Patience, Queue,
    Scan, Slot, Window,
};
use locox::handle::PoolId;
use locox::reserve::Request;
use locox::time::{Duration, Instant};

const PES: u32 = 16;
const JOBS: usize = 10;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn scan() -> Ordered<Scan, Vec<Slot>> {
    Ordered::new(PoolId(1), vec![Slot::EMPTY; JOBS], Scan::up(), Patience::of(9))
}

fn easy() -> Backfill<Easy, Vec<Entry>> {
    Backfill::easy(PoolId(1), PES, vec![Entry::EMPTY; JOBS])
}

fn conservative() -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    let words = vec![0; Backfill::words(PES, JOBS)];
    Backfill::conservative(PoolId(1), PES, words, vec![Entry::EMPTY; JOBS]).unwrap()
}

/// A job has left; two run that began and end together; some wait in one line, with unlike keys and with the same one;
/// one is held. The one that came last runs.
fn fill(queue: &mut impl Queue) {
    let mut tickets = vec![];
    for (id, pes, key) in [(0, 1, 0), (1, 3, 0), (2, 3, 0), (3, 12, 5), (4, 12, 5), (5, 11, 4)] {
        let job = Job::new(id, pes).within(Duration::from_ticks(10)).keyed(key);
        tickets.push(queue.push(at(1), job).unwrap());
    }
    let mut starts = |wanted: u32| queue.next(at(1), &mut |job| job.id == wanted).is_some();
    assert!(starts(0) && starts(1) && starts(2));
    queue.finished(at(2), tickets[0]).unwrap();
    for (id, pes) in [(6, 12), (7, 2)] {
        let job = Job::new(id, pes).within(Duration::from_ticks(9)).keyed(5);
        tickets.push(queue.push(at(2), job).unwrap());
    }
    queue.hold(at(2), tickets[6]).unwrap();
    let last = Job::new(8, 1).within(Duration::from_ticks(30));
    queue.adopt(at(2), last, at(1)).unwrap();
    queue.check_invariants().unwrap();
}

macro_rules! forge {
    ($full:expr, $new:ident, $forge:ident) => {{
        let full = $full;
        let mut image = vec![];
        full.export(|word| image.push(word));
        assert_eq!($new().load(image.iter().copied()), Ok(()));
        let mut fresh = vec![];
        $new().export(|word| fresh.push(word));
        said($forge(&image), |forged| {
            let mut queue = $new();
            let loaded = queue.load(forged.iter().copied());
            let mut after = vec![];
            queue.export(|word| after.push(word));
            assert!(loaded.is_ok() || after == fresh, "what is refused leaves nothing");
            loaded
        })
    }};
}

#[test]
fn an_image_of_a_scan_with_another_word_is_taken_only_if_the_rest_agrees() {
    let mut full = scan();
    fill(&mut full);
    agree(
        &forge!(full, scan, of_one_word),
        &[
            ("a job waits in a line that is not its own", 60),
            ("a job without PEs, or without an arrival", 106),
            ("a line holds its own jobs in order", 2),
            ("a row that was used is open or vacant", 12),
            ("it has too few words", 2),
            ("it has too many words", 1),
            ("jobs are linked in the order of arrival", 14),
            ("jobs that wait are linked, both ways", 90),
            ("more rows are in use than there is storage for", 3),
            ("taken", 487),
            ("the vacant rows are closed ones, linked without a circle", 6),
        ],
    );
}

#[test]
fn an_image_of_easy_backfilling_with_another_word_is_taken_only_if_the_rest_agrees() {
    let mut full = easy();
    fill(&mut full);
    agree(
        &forge!(full, easy, of_one_word),
        &[
            ("a job waits in a line that is not its own", 60),
            ("a job without PEs, or without an arrival", 98),
            ("a line holds its own jobs in order", 2),
            ("a row that was used is open or vacant", 17),
            ("it has too few words", 2),
            ("it has too many words", 1),
            ("jobs are linked in the order of arrival", 14),
            ("jobs that wait are linked, both ways", 90),
            ("more rows are in use than there is storage for", 3),
            ("no more PEs than the machine has", 10),
            ("no such variant", 5),
            ("taken", 761),
            ("the PEs on which jobs run", 3),
            ("the jobs that run, by their ends", 2),
            ("the vacant rows are closed ones, linked without a circle", 6),
        ],
    );
}

#[test]
fn an_image_of_conservative_backfilling_with_another_word_is_taken_only_if_the_rest_agrees() {
    let mut full = conservative();
    fill(&mut full);
    let request = Request::new(at(100), Duration::from_ticks(5), 2);
    full.reserve(at(2), 9, &request).unwrap();
    agree(
        &forge!(full, conservative, of_one_word),
        &[
            ("a job that has an interval yet to come holds it", 34),
            ("a job waits in a line that is not its own", 45),
            ("a job whose time has passed is planned anew", 10),
            ("a job without PEs, or without an arrival", 124),
            ("a line holds its own jobs in order", 2),
            ("a plan is as long as requested", 242),
            ("a row that was used is open or vacant", 12),
            ("it has too few words", 1),
            ("jobs are linked in the order of arrival", 15),
            ("jobs are looked for by their starts", 158),
            ("jobs that wait are linked, both ways", 111),
            ("jobs with deadlines that were moved are noted", 14),
            ("more rows are in use than there is storage for", 4),
            ("no more PEs than the machine has", 10),
            ("no such variant", 5),
            ("taken", 544),
            ("the PEs on which jobs run", 3),
            ("the vacant rows are closed ones, linked without a circle", 6),
        ],
    );
}

#[test]
fn an_image_of_a_scan_with_two_words_exchanged_is_taken_only_if_the_rest_agrees() {
    let mut full = scan();
    fill(&mut full);
    agree(
        &forge!(full, scan, of_two_words),
        &[
            ("a job waits in a line that is not its own", 543),
            ("a job without PEs, or without an arrival", 1417),
            ("a line holds its own jobs in order", 8),
            ("a row that was used is open or vacant", 215),
            ("it has too few words", 7),
            ("it has too many words", 2),
            ("jobs are linked in the order of arrival", 271),
            ("jobs that wait are linked, both ways", 1225),
            ("more rows are in use than there is storage for", 6),
            ("taken", 1618),
            ("the count of the jobs that wait", 1),
            ("the vacant rows are closed ones, linked without a circle", 49),
        ],
    );
}

#[test]
fn an_image_of_easy_backfilling_with_two_words_exchanged_is_taken_only_if_the_rest_agrees() {
    let mut full = easy();
    fill(&mut full);
    agree(
        &forge!(full, easy, of_two_words),
        &[
            ("a job waits in a line that is not its own", 637),
            ("a job without PEs, or without an arrival", 1706),
            ("a line holds its own jobs in order", 8),
            ("a row that was used is open or vacant", 442),
            ("it has too few words", 11),
            ("it has too many words", 2),
            ("jobs are linked in the order of arrival", 435),
            ("jobs that wait are linked, both ways", 1949),
            ("more rows are in use than there is storage for", 12),
            ("no more PEs than the machine has", 17),
            ("no such variant", 32),
            ("taken", 3844),
            ("the count of the jobs that wait", 1),
            ("the jobs that run, by their ends", 7),
            ("the vacant rows are closed ones, linked without a circle", 61),
        ],
    );
}

#[test]
fn an_image_goes_to_entries_in_which_other_jobs_ran() {
    let mut other = easy();
    for id in 0..JOBS as u32 {
        let job = Job::new(id, 1).within(Duration::from_ticks(3));
        other.push(at(0), job).unwrap();
        other.next(at(0), &mut |_| true).unwrap();
    }
    let soiled = other.move_into(vec![Entry::EMPTY; JOBS]).map_err(|_| ()).unwrap();
    let mut full = easy();
    fill(&mut full);
    let mut image = vec![];
    full.export(|word| image.push(word));
    let mut queue = Backfill::easy(PoolId(1), PES, soiled);
    assert_eq!(queue.load(image.iter().copied()), Ok(()));
    queue.check_invariants().unwrap();
    let mut after = vec![];
    queue.export(|word| after.push(word));
    assert_eq!(after, image);
}

#[test]
fn a_discipline_that_is_new_has_the_state_zero() {
    let new: [&dyn Discipline; 5] =
        [&Fcfs, &Window::of(3), &Lazy::beyond(2), &Scan::up(), &Scan::down()];
    assert_eq!(new.map(|it| it.state()), [0; 5]);
}
