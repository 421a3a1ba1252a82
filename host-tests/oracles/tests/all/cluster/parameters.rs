//! What a coordinator is made with.

use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{FirstLevel, HostId, JobNumber, Load, Speed, UserId};
use locox_coordinators::cluster::{
    Arrays, Batch, Command, Config, Coordinator, Effect, JobId, Misuse, Terms, words,
};

const CONFIG: Config = Config::new(PoolId(1));

#[test]
fn words_are_as_many_as_the_bits_of_sets_and_the_memory_of_hosts_need() {
    let bits = |hosts: usize| hosts.div_ceil(usize::BITS as usize);
    for hosts in [1, 12, 64, 65, 200] {
        for (sets, memory) in [(0, false), (0, true), (3, false), (3, true)] {
            // Scratch for the hosts that suit a job is needed with either.
            let scratch = usize::from(sets > 0 || memory);
            let more = (usize::from(sets) + scratch) * bits(hosts) + usize::from(memory) * hosts;
            let config = Config { sets, memory, ..CONFIG };
            assert_eq!(config.words(hosts, 2), words(hosts, 2) + more, "{hosts}, {config:?}");
        }
    }
}

#[test]
fn a_silence_of_no_time_is_refused() {
    let mut rows = Arrays::<1, 1, 1, { words(1, 1) }>::EMPTY;
    let config = Config { silence: Some(Duration::ZERO), ..CONFIG };
    let refused = Coordinator::new(config, 1, rows.columns(), FirstLevel::new(1), Instant::ZERO);
    assert_eq!(refused.err(), Some(Misuse::Zero { parameter: "silence" }));
}

fn report(host: u32) -> Command {
    Command::HostReport {
        host: HostId(host),
        load: Load::IDLE,
        speed: Speed::NOMINAL,
        heard: Batch::default(),
    }
}

fn submit(cluster: &mut Coordinator<'_, FirstLevel>, hosts: u32) -> JobId {
    let (user, terms) = (UserId(1), Terms::default());
    let submit = Command::Submit { user, hosts, synchronising: false, terms };
    cluster.apply(Instant::ZERO, submit).unwrap().unwrap()
}

#[test]
fn a_host_beyond_the_first_word_is_told_by_its_number() {
    let mut rows = Arrays::<200, 200, 1, { words(200, 1) }>::EMPTY;
    let placement = FirstLevel::new(1);
    let mut cluster =
        Coordinator::new(CONFIG, 1, rows.columns(), placement, Instant::ZERO).unwrap();
    for host in [150, 70, 3] {
        cluster.apply(Instant::ZERO, report(host)).unwrap();
    }
    let told = std::iter::from_fn(|| cluster.take_effect());
    let batch = Batch { boot: 0, number: 1 };
    let end = |host| Effect::AssignmentsEnd { host: HostId(host), batch, jobs: 0 };
    assert!(told.eq([3, 70, 150].map(end)));
}

/// Rows are not cleared, so what stands in those that are not in use is of before.
#[test]
fn a_number_that_the_image_has_no_job_for_names_none() {
    let (mut rows, mut others) =
        (Arrays::<1, 1, 3, { words(1, 1) }>::EMPTY, Arrays::<1, 1, 3, { words(1, 1) }>::EMPTY);
    let now = Instant::ZERO;
    let mut used = Coordinator::new(CONFIG, 1, rows.columns(), FirstLevel::new(1), now).unwrap();
    let mut fresh = Coordinator::new(CONFIG, 1, others.columns(), FirstLevel::new(1), now).unwrap();
    let jobs = [0, 1, 2].map(|_| submit(&mut used, 1));
    let named = |cluster: &Coordinator<'_, _>| [0, 1, 2, 3].map(|row| cluster.job(JobNumber(row)));
    assert_eq!(named(&used), [Some(jobs[0]), Some(jobs[1]), Some(jobs[2]), None]);
    let first = submit(&mut fresh, 1);
    let mut image = vec![];
    fresh.export(|word| image.push(word));
    used.load(image).unwrap();
    assert_eq!(named(&used), [Some(first), None, None, None]);
}
