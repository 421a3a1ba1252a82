//! Who passes whom.

use locox::time::{Duration, Instant};
use locox::timeshare::{
    Arrays, FirstLevel, HostId, JobNumber, Load, NonInterfering, Request, Speed, Table, Threshold,
    UserId, words,
};
use locox_oracles::timeshare::{Command, EVEN, Lockstep, Rule};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

const NOW: Instant = Instant::ZERO;

type Six = Arrays<12, 6, 8, { words(6, 2) }>;

fn six() -> Table<Six> {
    let mut table = Table::new(2, Six::EMPTY).unwrap();
    for host in (0..6).map(HostId) {
        table.report(NOW, host, Load::IDLE, Speed::NOMINAL).unwrap();
    }
    table
}

fn request(hosts: u32) -> Request {
    Request::new(UserId(0), hosts)
}

#[test]
fn version_1_lets_a_newcomer_pass_in_about_seven_of_ten_random_histories() {
    // A takes four hosts of six, B three at the level below, C then two: above B, unless B took
    // none of those that A had left. The chance that it did is 4 in 20.
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut passed = 0;
    for _ in 0..2000 {
        let mut table = six();
        for (job, hosts) in [(0, 4), (1, 3), (2, 2)] {
            let draw = random.next_u32();
            let placement = FirstLevel::new(2).shuffled();
            table.place(NOW, &placement, JobNumber(job), request(hosts), draw).unwrap();
        }
        passed += u32::from(table.passed().is_some());
    }
    // 16 in 20, with 5 standard deviations.
    assert!(passed.abs_diff(1600) < 90, "{passed}");
}

#[test]
fn version_3_lets_nobody_pass_there() {
    let threshold = Threshold::from_thousandths(900).unwrap();
    let zero = Duration::ZERO;
    let placement = NonInterfering { degree: 2, threshold, believed: zero, settled: zero };
    let mut table = six();
    for (job, hosts) in [(0, 4), (1, 3), (2, 2)] {
        table.place(NOW, &placement, JobNumber(job), request(hosts), ()).unwrap();
        assert_eq!(table.passed(), None);
    }
}

#[test]
fn version_3_lets_nobody_pass_in_long_histories_with_kills_and_losses() {
    let threshold = Threshold::from_thousandths(700).unwrap();
    let mut shared = 0;
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let ticks =
            |random: &mut ChaCha8Rng, below| Duration::from_ticks(random.next_u64() % below);
        let (believed, settled) = (ticks(&mut random, 30), ticks(&mut random, 3));
        let rule = Rule::NonInterfering { degree: 4, threshold, believed, settled };
        let mut run = Lockstep::new(rule, 4, 12, 16);
        for _ in 0..600 {
            run.step(&Command::decode(12, 16, random.next_u64(), &EVEN)).unwrap();
            assert!(run.is_first_come(), "history {seed}");
            shared += usize::from(run.is_shared());
        }
    }
    // The histories met what they are there for.
    assert!(shared > 2000, "{shared}");
}
