//! Images that contradict themselves, with checksums that fit: each invariant by an image in which nothing else is wrong.

use crate::forged::seal;
use locox::fair::{RoundRobin, StationId};
use locox::image::BadImage;
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::Coordinate;
use locox_coordinators::station::{
    Arrays, Command, Config, Coordinator, JobId, NodeId, Run, Trigger,
};

type Pool = Coordinator<RoundRobin, Arrays<3, 5, 6, 8>>;

fn at_one() -> Instant {
    Instant::from_ticks(1)
}

fn fresh() -> Pool {
    let minute = Duration::from_ticks(1);
    let config = Config { poll: None, trigger: Trigger::Demand, ..Config::study(minute) };
    Coordinator::new(config, Arrays::EMPTY, RoundRobin::default(), at_one()).unwrap()
}

fn apply(pool: &mut Pool, command: Command) -> Option<JobId> {
    pool.apply(at_one(), command).unwrap()
}

fn image(pool: &Pool) -> Vec<u32> {
    let mut words = vec![];
    pool.export(|word| words.push(word));
    words
}

/// The owners of stations 0 and 1 are there. Job 0 of station 2 is on its own processor, job 1 of station 1 on the bank's
/// first one, job 2 of station 1 waits, and the row of job 3 is not in use any more.
fn busy() -> Pool {
    let mut pool = fresh();
    apply(&mut pool, Command::OwnerBack { station: StationId(0) });
    apply(&mut pool, Command::OwnerBack { station: StationId(1) });
    apply(&mut pool, Command::NodeIdle { node: NodeId(2) });
    apply(&mut pool, Command::NodeIdle { node: NodeId(3) });
    let jobs = [(2, 1), (1, 1), (1, 2), (2, 2)].map(|(home, serial)| {
        apply(&mut pool, Command::Submit { home: StationId(home), serial }).unwrap()
    });
    apply(&mut pool, Command::Cancel { job: jobs[3] });
    while pool.take_effect().is_some() {}
    for job in &jobs[..2] {
        apply(&mut pool, Command::Heard { run: Run { job: *job, attempt: 1 } });
    }
    pool
}

// Words of an image of `busy`.

const FREE_COUNT: usize = 23;

/// Of a station: what it wants and all its jobs, and its demand.
const HOMES: usize = 30;
const WANTS: usize = 7;
const DEMAND: usize = 8;

const fn home(station: usize, word: usize) -> usize {
    HOMES + 9 * station + word
}

const OCCUPANT: usize = 7;
const PRESENCE: usize = 11;

const fn node(node: usize, word: usize) -> usize {
    HOMES + 9 * 3 + 13 * node + word
}

const HOME: usize = 2;
const ON: usize = 3;
const AT: usize = 4;
const PREVIOUS: usize = 13;
const HOLD_REASON: usize = 15;

const fn job(job: usize, word: usize) -> usize {
    HOMES + 9 * 3 + 13 * 5 + 16 * job + word
}

/// A row as a reference: its number and one more, as 0 is none.
const fn to(row: u32) -> u32 {
    row + 1
}

#[test]
fn an_image_that_breaks_an_invariant_is_refused_by_its_name_and_leaves_the_pool_as_new() {
    let whole = busy();
    whole.check_invariants().unwrap();
    let words = image(&whole);
    let cancelled = 5;
    let forgeries: [(&[(usize, u32)], &str); 14] = [
        (&[(FREE_COUNT, 1)], "free processors are miscounted"),
        (&[(node(3, PRESENCE), 0)], "a lost processor is occupied"),
        (&[(job(0, PREVIOUS), to(2))], "a job in no list has neighbours"),
        (&[(job(1, ON), 0)], "an occupant is not on its processor"),
        (&[(job(2, ON), to(3))], "a job is on a processor that it does not occupy"),
        (&[(job(2, AT), to(3))], "a job is at a processor that it does not hold"),
        (&[(node(0, OCCUPANT), to(3)), (job(3, ON), to(0))], "a finished job has a processor"),
        (&[(job(2, HOLD_REASON), cancelled)], "a cancelled job is on no processor"),
        (&[(job(2, HOME), 0)], "a list of jobs is broken"),
        (&[(job(1, HOME), 0)], "a list of jobs is broken"),
        (&[(home(1, WANTS), 2 << 16 | 2)], "the demand of a station is wrong"),
        (&[(home(1, DEMAND), 1 << 16 | 2)], "the demand of a station is wrong"),
        (&[(home(0, WANTS), 1 << 16)], "the jobs of a station are miscounted"),
        (&[(node(2, OCCUPANT), 0), (job(0, ON), 0)], "a job that could start does not"),
    ];
    for (edits, broken) in forgeries {
        let mut forged = words.clone();
        for &(at, word) in edits {
            assert_ne!(forged[at], word, "{broken}: {at}");
            forged[at] = word;
        }
        let mut pool = busy();
        assert_eq!(pool.restore(seal(forged)), Err(BadImage::Contradiction(broken)));
        assert_eq!(image(&pool), image(&fresh()), "{broken}");
    }
}

#[test]
fn what_rows_had_that_an_image_knows_nothing_of_does_not_matter() {
    let mut pool = busy();
    let before = image(&fresh());
    assert_eq!(Coordinate::restore(&mut pool, &mut before.iter().copied()), Ok(()));
    assert_eq!(pool.check_invariants(), Ok(()));
    assert_eq!(image(&pool), before);
}
