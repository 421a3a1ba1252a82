//! Commands and effects as records, and the state that an image and a journal lead to.

use locox::fair::{Condor, RoundRobin, ScheduleIndex, StationId, UpDown};
use locox::handle::PoolId;
use locox::image::{Identity, Place};
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::{BadRecord, CommandRecord, Durable, EffectRecord, Record};
use locox_coordinators::station::{
    Arrays, Checkpoint, Command, Config, Coordinator, Effect, JobId, Message, NodeId, Nodes,
    PreemptReason, Run, Sender, Trigger,
};
use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, RngSeed};

type Table = Arrays<3, 5, 6, 8>;
type Ranking = UpDown<[ScheduleIndex; 3], Condor, u32>;
type Pool = Durable<Coordinator<Ranking, Table>>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn config() -> Config {
    let minute = Duration::from_ticks(1);
    Config { trigger: Trigger::Demand, checkpoint: Some(minute), ..Config::study(minute) }
}

fn fresh() -> Pool {
    let ranking = UpDown::new([ScheduleIndex::ZERO; 3], Condor::default()).shuffled();
    Durable::new(Coordinator::new(config(), Table::EMPTY, ranking, at(0)).unwrap())
}

fn image(pool: &Pool) -> Vec<u32> {
    let mut words = Vec::new();
    pool.export(&mut |word| words.push(word));
    words
}

fn identity() -> Identity {
    fresh().coordinator().identity()
}

/// A job's name as a pool of this number gives it.
fn name(pool: PoolId) -> JobId {
    let config = Config { pool, ..config() };
    let mut pool = Coordinator::new(config, Table::EMPTY, RoundRobin::default(), at(0)).unwrap();
    let job = (1..=5).map(|serial| {
        let submit = Command::Submit { home: StationId(2), serial };
        pool.apply(at(0), submit).unwrap().unwrap()
    });
    job.last().unwrap()
}

fn runs() -> impl Strategy<Value = Run> {
    let name = any::<u16>().prop_map(|pool| name(PoolId(pool)));
    (name, any::<u32>()).prop_map(|(job, attempt)| Run { job, attempt })
}

fn commands() -> impl Strategy<Value = Command> {
    prop_oneof![
        (any::<u32>(), any::<u32>())
            .prop_map(|(home, serial)| Command::Submit { home: StationId(home), serial }),
        any::<u32>().prop_map(|node| Command::NodeIdle { node: NodeId(node) }),
        any::<u32>().prop_map(|station| Command::OwnerBack { station: StationId(station) }),
        runs().prop_map(|run| Command::Continued { run }),
        (runs(), any::<u32>()).prop_map(|(run, checkpoint)| Command::Checkpointed {
            run,
            checkpoint: Checkpoint(checkpoint)
        }),
        runs().prop_map(|run| Command::Vacated { run }),
        runs().prop_map(|run| Command::Finished { run }),
        any::<u32>().prop_map(|node| Command::NodeLost { node: NodeId(node) }),
        Just(Command::Tick),
        runs().prop_map(|run| Command::Heard { run }),
        runs().prop_map(|run| Command::Cancel { job: run.job }),
        runs().prop_map(|run| Command::Hold { job: run.job }),
        runs().prop_map(|run| Command::Release { job: run.job }),
        (runs(), any::<u64>()).prop_map(|(run, limit)| Command::Limit {
            job: run.job,
            limit: Duration::from_ticks(limit)
        }),
        nodes().prop_map(|nodes| Command::Drain { nodes }),
        nodes().prop_map(|nodes| Command::Restore { nodes }),
        (any::<u32>(), any::<u16>()).prop_map(|(station, weight)| Command::SetWeight {
            station: StationId(station),
            weight
        }),
    ]
}

fn nodes() -> impl Strategy<Value = Nodes> {
    prop_oneof![Just(Nodes::Bank), any::<u32>().prop_map(|node| Nodes::One { node: NodeId(node) }),]
}

fn messages() -> impl Strategy<Value = Message> {
    // A processor's number is below that of no processor.
    let from = (0..u32::MAX, any::<u32>(), any::<u32>());
    let from = from.prop_map(|(node, boot, number)| Sender { node: NodeId(node), boot, number });
    (prop::option::of(from), commands()).prop_map(|(from, command)| Message { from, command })
}

fn effects() -> impl Strategy<Value = Effect> {
    (0..13u32, runs(), any::<u32>(), any::<u32>(), any::<u32>(), any::<u64>()).prop_map(
        |(kind, run, node, home, name, ticks)| {
            let (node, home, begins) = (NodeId(node), StationId(home), at(ticks));
            let why = [
                PreemptReason::Fairness { to: home },
                PreemptReason::Moved { to: NodeId(name) },
                PreemptReason::Withdrawn,
                PreemptReason::Cancelled,
                PreemptReason::Held,
                PreemptReason::Limit,
                PreemptReason::Drained,
            ];
            match kind {
                0 => Effect::Poll,
                1 => Effect::Place { node, run, home, begins },
                2 => Effect::Resume { node, run, home, checkpoint: Checkpoint(name), begins },
                3 => Effect::Checkpoint { node, run },
                4 => Effect::Ask { node, run },
                5 => Effect::SetAside { node },
                _ => Effect::Preempt { node, run, why: why[kind as usize - 6] },
            }
        },
    )
}

proptest! {
    #![proptest_config(Cases {
        rng_seed: RngSeed::Fixed(12), failure_persistence: None, ..Cases::with_cases(300)
    })]

    #[test]
    fn a_command_comes_back_from_its_record_and_every_bit_that_turned_is_found(
        command in prop::option::of(messages()),
        number: u64, now: u64, effects: u32, draw: u32,
    ) {
        let said = CommandRecord { number, now: at(now), effects, draw, command };
        let record = Record::of_command(&identity(), &said);
        prop_assert_eq!(record.command(&identity()), Ok(said));
        prop_assert_eq!(record.effect::<Effect>(&identity()), Err(BadRecord::NoRecord));
        let other = Identity { configuration: identity().configuration ^ 1, ..identity() };
        prop_assert_eq!(record.command::<Message, u32>(&other), Err(BadRecord::Damaged));
        for bit in 0..512 {
            let mut flipped = record;
            flipped.0[bit / 32] ^= 1 << (bit % 32);
            prop_assert!(flipped.command::<Message, u32>(&identity()).is_err());
        }
    }

    #[test]
    fn an_effect_comes_back_from_its_record_and_every_bit_that_turned_is_found(
        effect in effects(), number: u64, now: u64,
    ) {
        let told = EffectRecord { number, now: at(now), effect };
        let record = Record::of_effect(&identity(), &told);
        prop_assert_eq!(record.effect(&identity()), Ok(told));
        prop_assert_eq!(record.bytes().count(), 64);
        for bit in 0..512 {
            let mut flipped = record;
            flipped.0[bit / 32] ^= 1 << (bit % 32);
            prop_assert!(flipped.effect::<Effect>(&identity()).is_err());
        }
    }
}

#[test]
fn what_is_no_record_is_told_from_one_of_another_version() {
    let none = |words| Record(words).command::<Message, u32>(&identity());
    assert_eq!(none([0; 16]), Err(BadRecord::NoRecord));
    assert_eq!(none([u32::MAX; 16]), Err(BadRecord::NoRecord), "erased flash");
}

/// A pool after some hundreds of commands, an image now and then with its place among the records,
/// all records, and the image after each.
struct History {
    records: Vec<Record>,
    images: Vec<Vec<u32>>,
    told: Vec<EffectRecord<Effect>>,
}

/// Pseudorandom, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

fn command(numbers: &mut Numbers, serials: &mut [u32; 3], runs: &[Run]) -> Command {
    let station = StationId(numbers.below(3) as u32);
    let node = NodeId(numbers.below(5) as u32);
    let run = runs.get(runs.len().saturating_sub(1 + numbers.below(4) as usize)).copied();
    match (numbers.below(8), run) {
        (0, _) => {
            serials[station.0 as usize] += 1;
            Command::Submit { home: station, serial: serials[station.0 as usize] }
        }
        (1 | 2, _) => Command::NodeIdle { node },
        (3, _) => Command::OwnerBack { station },
        (4, Some(run)) => Command::Checkpointed { run, checkpoint: Checkpoint(serials[0]) },
        (5, Some(run)) => Command::Finished { run },
        (6, Some(run)) => Command::Vacated { run },
        _ => Command::Tick,
    }
}

fn run_of(effect: Effect) -> Option<Run> {
    match effect {
        Effect::Place { run, .. } | Effect::Resume { run, .. } => Some(run),
        _ => None,
    }
}

/// So many commands that are taken; now and then not all effects are, and everybody is told again.
fn history(seed: u64, commands: usize) -> History {
    let (mut pool, mut numbers) = (fresh(), Numbers(seed));
    let (mut serials, mut runs) = ([0; 3], vec![]);
    let mut past = History { records: vec![], images: vec![image(&pool)], told: vec![] };
    let mut now = 0;
    while past.records.len() < commands {
        now += numbers.below(3);
        let before = serials;
        let command = command(&mut numbers, &mut serials, &runs);
        let record = match numbers.below(50) {
            0 => Some(pool.resync()),
            _ => pool
                .apply_drawn(at(now), command.into(), numbers.below(1 << 32) as u32)
                .ok()
                .map(|it| it.1),
        };
        let Some(record) = record else {
            serials = before;
            continue;
        };
        past.records.push(record);
        past.images.push(image(&pool));
        let most = [1, 2, 99][numbers.below(3) as usize];
        for told in std::iter::from_fn(|| pool.take_effect()).take(most) {
            runs.extend(run_of(told.effect));
            past.told.push(told);
        }
    }
    past
}

#[test]
fn an_image_and_the_records_behind_it_lead_to_every_later_state() {
    let past = history(1, 400);
    for from in [0, 1, 7, 100, 250, 399, 400] {
        let mut pool = fresh();
        pool.load(&mut past.images[from].iter().copied()).unwrap();
        assert_eq!(image(&pool), past.images[from], "an image is taken exactly");
        assert_eq!(pool.place().commands, from as u64);
        for (record, expected) in past.records.iter().zip(&past.images[1..]).skip(from) {
            assert_eq!(pool.replay(record, |_| {}), Ok(true));
            assert_eq!(image(&pool), *expected);
        }
    }
}

#[test]
fn records_from_before_the_image_change_nothing_and_one_that_is_missing_is_found() {
    let past = history(2, 100);
    let mut pool = fresh();
    pool.load(&mut past.images[60].iter().copied()).unwrap();
    for record in &past.records[..60] {
        assert_eq!(pool.replay(record, |_| {}), Ok(false));
    }
    let skipped = pool.replay(&past.records[61], |_| {});
    assert_eq!(skipped, Err(BadRecord::OutOfTurn { next: 61 }));
    assert_eq!(image(&pool), past.images[60]);
}

#[test]
fn effects_are_numbered_on_and_on_and_told_alike_when_replayed() {
    let past = history(3, 300);
    assert!(past.told.windows(2).all(|pair| pair[0].number < pair[1].number));
    assert!(past.told.iter().any(|told| told.number > 1 << 32), "everybody was told again");
    let (mut pool, mut told) = (fresh(), vec![]);
    for record in &past.records {
        pool.replay(record, |one| told.push(one)).unwrap();
    }
    assert_eq!(told, past.told[..told.len()]);
}

#[test]
fn what_is_told_again_after_a_restart_has_numbers_above_all_that_was_told() {
    let mut pool = fresh();
    let (_, first) =
        pool.apply_drawn(at(1), Command::NodeIdle { node: NodeId(3) }.into(), 0).unwrap();
    let submit = Command::Submit { home: StationId(0), serial: 1 };
    let (_, second) = pool.apply_drawn(at(2), submit.into(), 0).unwrap();
    let told = pool.take_effect().unwrap();
    assert_eq!((told.number, told.now), (1, at(2)));
    // The power goes; what was told is in no record.
    let mut again = fresh();
    again.replay(&first, |_| {}).unwrap();
    again.replay(&second, |_| {}).unwrap();
    assert_eq!(again.now(), at(2));
    let third = again.resync();
    let told_again = again.take_effect().unwrap();
    assert_eq!(told_again.effect, told.effect);
    assert_eq!(told_again.number, (1 << 32) + 1);
    // And once more.
    let mut later = fresh();
    for record in [first, second, third] {
        later.replay(&record, |_| {}).unwrap();
    }
    assert_eq!(later.place(), Place { commands: 3, effects: 1 << 32 });
    assert_eq!(later.take_effect(), Some(told_again));
}

#[test]
fn a_whole_record_that_the_state_contradicts_is_found() {
    let said = |number, effects, command: Option<Command>| {
        let now = at(9);
        let command: Option<Message> = command.map(Command::into);
        Record::of_command(&identity(), &CommandRecord { number, now, effects, draw: 0, command })
    };
    let mut pool = fresh();
    let lost = Some(Command::NodeLost { node: NodeId(77) });
    let refused = pool.replay(&said(1, 0, lost), |_| {});
    assert_eq!(refused, Err(BadRecord::Contradiction("the command is not taken")));
    let refused = pool.replay(&said(1, 5, Some(Command::Tick)), |_| {});
    assert_eq!(refused, Err(BadRecord::Contradiction("there were more effects to take")));
    assert_eq!(image(&pool), image(&fresh()));
}

#[test]
fn an_image_of_another_coordinator_leaves_the_numbers_as_they_are() {
    let mut pool = fresh();
    pool.apply_drawn(at(1), Message::from(Command::Tick), 0).unwrap();
    let (place, before) = (pool.place(), image(&pool));
    let mut other = before.clone();
    other[0] ^= 1;
    assert_eq!(pool.load(&mut other.into_iter()), Err(locox::image::BadImage::NoImage));
    assert_eq!((pool.place(), image(&pool)), (place, before));
}
