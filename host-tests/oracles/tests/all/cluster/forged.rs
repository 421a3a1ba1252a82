//! Images of a coordinator that somebody altered who can seal them.

use crate::forged::{HEAD, seal};
use locox::handle::PoolId;
use locox::image::BadImage;
use locox::time::Instant;
use locox::timeshare::{FirstLevel, HostId, Load, Speed, UserId};
use locox_coordinators::cluster::{Arrays, Batch, Command, Config, Coordinator, Terms, words};
use std::collections::BTreeMap;

const HOSTS: usize = 3;
const LEVELS: usize = 2;
const ROWS: usize = 6;

/// As many words as with memory and two sets.
type Rows = Arrays<{ HOSTS * LEVELS }, HOSTS, ROWS, { words(HOSTS, LEVELS as u8) + 3 + HOSTS }>;

fn fresh(rows: &mut Rows, config: Config) -> Coordinator<'_, FirstLevel> {
    let placement = FirstLevel::new(LEVELS as u8);
    Coordinator::new(config, LEVELS as u8, rows.columns(), placement, Instant::ZERO).unwrap()
}

/// Two jobs run, one of which is to be killed, two wait, one did.
fn fill(cluster: &mut Coordinator<'_, FirstLevel>) {
    let now = Instant::from_ticks(3);
    let mut say = |command| cluster.apply(now, command).unwrap();
    for host in (0..HOSTS as u32).map(HostId) {
        let (load, speed, heard) = (Load::IDLE, Speed::NOMINAL, Batch::default());
        _ = say(Command::HostReport { host, load, speed, heard });
    }
    let mut submit = |user, hosts, key| {
        let terms = Terms { key, ..Terms::default() };
        let user = UserId(user);
        say(Command::Submit { user, hosts, synchronising: false, terms }).unwrap()
    };
    let jobs = [(1, 3, 0), (2, 2, 0), (1, 3, 4), (3, 3, 2), (2, 2, 4)];
    let [first, _, waits, ..] = jobs.map(|(user, hosts, key)| submit(user, hosts, key));
    _ = say(Command::Kill { job: first });
    _ = say(Command::Cancel { job: waits });
    cluster.check_invariants().unwrap();
}

fn image(cluster: &Coordinator<'_, FirstLevel>) -> Vec<u32> {
    let mut words = vec![];
    cluster.export(|word| words.push(word));
    words
}

/// How a coordinator answers each turned bit of the contents: a line for each answer, with how often it came.
fn told(name: &str, config: Config) -> String {
    let (mut rows, mut others) = (Rows::EMPTY, Rows::EMPTY);
    let (mut cluster, mut other) = (fresh(&mut rows, config), fresh(&mut others, config));
    fill(&mut cluster);
    let image = image(&cluster);
    let mut told: BTreeMap<_, u32> = BTreeMap::new();
    for bit in HEAD * 32..(image.len() - 1) * 32 {
        let mut turned = image.clone();
        turned[bit / 32] ^= 1 << (bit % 32);
        let answer = other.load(seal(turned));
        other.check_invariants().unwrap();
        let what = answer.map_or_else(|bad| bad.to_string(), |_| "it is taken".into());
        *told.entry(what).or_default() += 1;
    }
    told.iter().map(|(what, times)| format!("{name}: {what}: {times}\n")).collect()
}

#[test]
fn turned_bits_of_an_image_that_is_sealed_anew_are_taken_or_refused_for_what_they_break() {
    let config = Config::new(PoolId(1));
    let with_both = Config { sets: 2, memory: true, ..config };
    let all = [told("plain", config), told("with sets and memory", with_both)];
    assert_eq!(all.concat(), include_str!("forged.txt"));
}

/// Where an image keeps the row behind one of so many in the queue: behind its generation and the row in front.
fn next_of(image: &[u32], row: usize, rows: usize) -> usize {
    // At the end are the state of the discipline and the checksum.
    image.len() - 2 - 3 * HOSTS - 8 * (rows - row) + 2
}

/// Rows are not cleared: what stands behind those of an image is of before.
#[test]
fn a_queue_holds_no_row_that_the_image_does_not_have() {
    let (mut rows, mut others) = (Rows::EMPTY, Rows::EMPTY);
    let config = Config::new(PoolId(1));
    let (mut used, mut fresh) = (fresh(&mut rows, config), fresh(&mut others, config));
    let submit = |cluster: &mut Coordinator<'_, FirstLevel>| {
        let (user, terms) = (UserId(1), Terms::default());
        let submit = Command::Submit { user, hosts: 1, synchronising: false, terms };
        cluster.apply(Instant::ZERO, submit).unwrap().unwrap()
    };
    // In one the third row waits behind the first, in the other the second does.
    let [_, job, _] = [(); 3].map(|()| submit(&mut used));
    _ = used.apply(Instant::ZERO, Command::Cancel { job }).unwrap();
    for _ in 0..2 {
        submit(&mut fresh);
    }
    let (longer, mut forged) = (image(&used), image(&fresh));
    assert_eq!(used.load(forged.iter().copied()).map(|_| ()), Ok(()));
    assert_eq!(used.load(longer.iter().copied()).map(|_| ()), Ok(()));
    let last = HEAD + 5;
    for (to, from) in [(last, last), (next_of(&forged, 0, 2), next_of(&longer, 0, 3))] {
        assert_ne!(forged[to], longer[from]);
        forged[to] = longer[from];
    }
    let what = "the queue is not that of the jobs that wait, in their lines";
    assert_eq!(used.load(seal(forged)).err(), Some(BadImage::Contradiction(what)));
}
