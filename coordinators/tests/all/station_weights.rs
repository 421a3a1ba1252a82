//! Parameters of a ranking and weights of stations are part of the identity of images and journals, and weights
//! change by recorded commands.

use locox::fair::{
    self, Amount, Condor, DecayParams, Fairness, IndexFunctions, Line, Linear, Random, RoundRobin,
    Saturating, ScheduleIndex, StationId, TimedRow, TimedUpDown, UpDown,
};
use locox::image::BadImage;
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::{BadRecord, Durable, Record};
use locox_coordinators::station::{
    Arrays, Checkpoint, Command, Config, Coordinator, Effect, Error, JobId, Misuse, NodeId, Run,
    Sender,
};

type Table = Arrays<3, 5, 8, 8>;
type Timed = TimedUpDown<[TimedRow; 3]>;
type Pool<F> = Durable<Coordinator<F, Table>>;

fn pool<F: Fairness>(ranking: F) -> Pool<F> {
    let config = Config::standard(Duration::from_ticks(60));
    Durable::new(Coordinator::new(config, Table::EMPTY, ranking, Instant::ZERO).unwrap())
}

/// A half-life and a quantum, and weights set before the coordinator is made.
fn timed([half_life, quantum]: [u64; 2], weights: [u16; 3]) -> Pool<Timed> {
    let [half_life, quantum] = [half_life, quantum].map(Duration::from_ticks);
    let params = DecayParams { half_life, quantum };
    let mut ranking = TimedUpDown::new([TimedRow::EMPTY; 3], params).unwrap();
    for (station, weight) in (0..).map(StationId).zip(weights) {
        ranking.set_weight(station, weight).unwrap();
    }
    pool(ranking)
}

fn image<F: Fairness>(pool: &Pool<F>) -> Vec<u32> {
    let mut words = vec![];
    pool.export(&mut |word| words.push(word));
    words
}

/// Whether each takes the image and the first record of just those that are like itself.
fn agree<F: Fairness<Draw = D>, G: Fairness<Draw = D>, D: Default>(
    one: &impl Fn() -> Pool<F>,
    other: &impl Fn() -> Pool<G>,
    alike: bool,
) {
    let mut from = one();
    let before = image(&from);
    let (_, record) = from.apply_drawn(Instant::ZERO, Command::Tick.into(), D::default()).unwrap();
    let loaded = other().load(&mut before.iter().copied());
    let replayed = other().replay(&record, |_| {});
    match alike {
        true => assert_eq!((loaded, replayed), (Ok(()), Ok(true))),
        false => assert_eq!(
            (loaded, replayed),
            (Err(BadImage::OtherConfiguration), Err(BadRecord::Damaged))
        ),
    }
}

#[test]
fn each_parameter_of_the_default_ranking_is_part_of_the_identity() {
    let all = [
        ([86_400, 600], [1, 1, 1]),
        ([82_800, 600], [1, 1, 1]),
        ([86_400, 601], [1, 1, 1]),
        ([86_400, 600], [1, 2, 1]),
        ([86_400, 600], [1, 1, 2]),
        ([86_400, 600], [65_535, 1, 1]),
    ];
    for (at, &one) in all.iter().enumerate() {
        for (other_at, &other) in all.iter().enumerate() {
            agree(&|| timed(one.0, one.1), &|| timed(other.0, other.1), at == other_at);
        }
    }
}

fn table<P: IndexFunctions>(functions: P) -> Pool<UpDown<[ScheduleIndex; 3], P>> {
    pool(UpDown::new([ScheduleIndex::ZERO; 3], functions))
}

#[test]
fn kinds_of_rankings_and_their_functions_are_part_of_the_identity() {
    let amount = Amount::from_int;
    let condor = |step| move || table(Condor::new(amount(step)).unwrap());
    let saturating =
        |step, limit| move || table(Saturating::new(amount(step), amount(limit)).unwrap());
    let line = |offset, slope| Line { offset: amount(offset), slope: amount(slope) };
    let linear = |g| move || table(Linear { f: line(1, 0), g, h: line(1, 1), l: line(1, 0) });
    let in_turn = || pool(RoundRobin::new());
    let by_time = || timed([86_400, 600], [1; 3]);
    agree(&condor(10), &condor(10), true);
    agree(&condor(10), &condor(11), false);
    agree(&saturating(10, 99), &saturating(10, 99), true);
    agree(&saturating(10, 99), &saturating(10, 98), false);
    agree(&saturating(10, 99), &saturating(9, 99), false);
    agree(&linear(line(1, 0)), &linear(line(1, 0)), true);
    agree(&linear(line(1, 0)), &linear(line(0, 1)), false);
    agree(&condor(1), &linear(line(1, 0)), false);
    agree(&condor(10), &in_turn, false);
    agree(&in_turn, &in_turn, true);
    agree(&by_time, &in_turn, false);
    let lots = || pool(Random::new());
    let shuffled = || pool(UpDown::new([ScheduleIndex::ZERO; 3], Condor::study()).shuffled());
    agree(&lots, &lots, true);
    agree(&shuffled, &lots, false);
}

fn set(station: u32, weight: u16) -> Command {
    Command::SetWeight { station: StationId(station), weight }
}

#[test]
fn a_weight_that_cannot_be_is_refused_and_changes_nothing() {
    let mut fair = timed([86_400, 600], [1; 3]);
    let before = image(&fair);
    let later = Instant::from_ticks(5);
    let refused = |command| Err(Error::Misused(command));
    for (command, why) in [
        (set(3, 2), Misuse::NoSuchStation(StationId(3))),
        (set(2, 0), Misuse::Zero { parameter: "weight" }),
    ] {
        assert_eq!(fair.apply_drawn(later, command.into(), ()).map(|_| ()), refused(why));
    }
    assert_eq!(image(&fair), before);
    let mut in_turn = pool(RoundRobin::new());
    let answer = in_turn.apply_drawn(later, set(0, 2).into(), ()).map(|_| ());
    assert_eq!(answer, refused(Misuse::Ranking(fair::Misuse::NoWeights)));
    // No host says so of itself.
    let from = Some(Sender { node: NodeId(0), boot: 1, number: 1 });
    let message = locox_coordinators::station::Message { from, command: set(0, 2) };
    assert_eq!(fair.apply_drawn(later, message, ()).map(|_| ()), refused(Misuse::NoReport));
}

#[test]
fn a_weight_counts_from_when_it_was_said() {
    let index = |weighs_at: u64| {
        let mut pool = timed([86_400, 600], [1; 3]);
        let say = |pool: &mut Pool<Timed>, now, command: Command| {
            pool.apply_drawn(Instant::from_ticks(now), command.into(), ()).unwrap();
        };
        say(&mut pool, 0, Command::NodeIdle { node: NodeId(3) });
        say(&mut pool, 0, Command::Submit { home: StationId(0), serial: 1 });
        say(&mut pool, weighs_at, set(0, 2));
        say(&mut pool, 10_000, Command::Tick);
        pool.coordinator().fairness().index_of(StationId(0)).unwrap()
    };
    // Half as fast from then on, whatever was said before that.
    let [never, half, always] = [10_000, 5_000, 0].map(index);
    assert!((never - 2 * always).abs() <= 4, "{never} and {always}");
    assert!(always < half && half < never);
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

#[test]
fn an_image_and_the_records_behind_it_lead_to_the_same_weights() {
    for seed in 0..40 {
        let (mut numbers, mut serials) = (Numbers(seed), [0; 3]);
        let weights = [1 + numbers.below(3) as u16, 1, 1 + numbers.below(2) as u16];
        let fresh = || timed([5_000, 60], weights);
        let (mut pool, mut now, mut expected) = (fresh(), 0, weights);
        let (mut records, mut images): (Vec<Record>, _) = (vec![], vec![image(&pool)]);
        let mut runs: Vec<Run> = vec![];
        for _ in 0..80 {
            now += numbers.below(900);
            let station = numbers.below(3) as u32;
            let command = match numbers.below(6) {
                0 => set(station, 1 + numbers.below(9) as u16),
                1 | 2 => {
                    serials[station as usize] += 1;
                    let serial = serials[station as usize];
                    Command::Submit { home: StationId(station), serial }
                }
                3 => Command::NodeIdle { node: NodeId(numbers.below(5) as u32) },
                4 if !runs.is_empty() => {
                    let at = numbers.below(runs.len() as u64) as usize;
                    Command::Finished { run: runs.swap_remove(at) }
                }
                _ => Command::Tick,
            };
            let applied = pool.apply_drawn(Instant::from_ticks(now), command.into(), ());
            let Ok((_, record)) = applied else {
                if let Command::Submit { .. } = command {
                    serials[station as usize] -= 1;
                }
                continue;
            };
            if let Command::SetWeight { weight, .. } = command {
                expected[station as usize] = weight;
            }
            records.push(record);
            images.push(image(&pool));
            while let Some(told) = pool.take_effect() {
                if let Effect::Place { run, .. } = told.effect {
                    runs.push(run);
                }
            }
            let ranking = pool.coordinator().fairness();
            ranking.check_invariants().unwrap();
            assert_eq!([0, 1, 2].map(|at| ranking.weight_of(StationId(at))), expected);
        }
        for from in [0, records.len() / 2] {
            let mut again = fresh();
            again.load(&mut images[from].iter().copied()).unwrap();
            for (record, expected) in records.iter().zip(&images[1..]).skip(from) {
                assert_eq!(again.replay(record, |_| {}), Ok(true));
                assert_eq!(image(&again), *expected);
            }
        }
    }
}

/// Two stations that always want more, and the bank's processors: those of the nodes from 2 on.
struct Rivals<const NODES: usize> {
    pool: Coordinator<TimedUpDown<[TimedRow; 2]>, Arrays<2, NODES, 24, 4>>,
    /// What runs on each node, whose it is, and from when until when.
    runs: [Option<(Run, usize, u64, u64)>; NODES],
    /// What is left of jobs that were stopped.
    left: Vec<(JobId, u64)>,
    live: [u32; 2],
    serials: [u32; 2],
    /// For how long each station has had processors.
    had: [u64; 2],
    seed: u64,
}

impl<const NODES: usize> Rivals<NODES> {
    fn new(weights: [u16; 2]) -> Self {
        let minute = Duration::from_ticks(60);
        let params = DecayParams::standard(minute);
        let mut ranking = TimedUpDown::new([TimedRow::EMPTY; 2], params).unwrap();
        for (station, weight) in (0..).map(StationId).zip(weights) {
            ranking.set_weight(station, weight).unwrap();
        }
        let config = Config::standard(minute);
        let mut pool = Coordinator::new(config, Arrays::EMPTY, ranking, Instant::ZERO).unwrap();
        for node in (2..NODES as u32).map(NodeId) {
            pool.apply(Instant::ZERO, Command::NodeIdle { node }).unwrap();
        }
        let (runs, left) = ([None; NODES], vec![]);
        Self { pool, runs, left, live: [0; 2], serials: [0; 2], had: [0; 2], seed: 1 }
    }

    fn step(&mut self, tick: u64) {
        let now = Instant::from_ticks(tick);
        for node in 0..NODES {
            if self.runs[node].is_some_and(|(.., until)| until <= tick) {
                let run = self.stop(node, tick);
                self.pool.apply(now, Command::Finished { run }).unwrap();
            }
        }
        for home in 0..2 {
            while self.live[home] < 8 {
                self.live[home] += 1;
                self.serials[home] += 1;
                let (serial, home) = (self.serials[home], StationId(home as u32));
                self.pool.apply(now, Command::Submit { home, serial }).unwrap();
            }
        }
        if self.pool.wake_at().is_some_and(|at| at <= now) {
            self.pool.apply(now, Command::Tick).unwrap();
        }
        while let Some(effect) = self.pool.take_effect() {
            self.obey(tick, effect);
        }
    }

    fn obey(&mut self, tick: u64, effect: Effect) {
        match effect {
            Effect::Place { node, run, home, begins }
            | Effect::Resume { node, run, home, begins, .. } => {
                let stopped = self.left.iter().position(|&(job, _)| job == run.job);
                self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let new = 60 + (self.seed >> 33) % 540;
                let work = stopped.map_or(new, |at| self.left.swap_remove(at).1);
                let since = begins.ticks().max(tick);
                self.runs[node.0 as usize] = Some((run, home.0 as usize, since, since + work));
            }
            Effect::Preempt { node, run, .. } => {
                let (_, home, since, until) = self.runs[node.0 as usize].unwrap();
                self.left.push((run.job, until - tick.max(since)));
                self.stop(node.0 as usize, tick);
                self.live[home] += 1;
                let (now, checkpoint) = (Instant::from_ticks(tick), Checkpoint(1));
                self.pool.apply(now, Command::Checkpointed { run, checkpoint }).unwrap();
                self.pool.apply(now, Command::Vacated { run }).unwrap();
            }
            _ => {}
        }
    }

    /// The run on this node ends.
    fn stop(&mut self, node: usize, tick: u64) -> Run {
        let (run, home, since, _) = self.runs[node].take().unwrap();
        self.had[home] += tick.saturating_sub(since);
        self.live[home] -= 1;
        run
    }
}

/// For how long the first station has processors in four weeks, in hundredths of that of the second one.
fn shares<const NODES: usize>(weights: [u16; 2]) -> u64 {
    let mut rivals = Rivals::<NODES>::new(weights);
    (0..28 * 24 * 3600).step_by(10).for_each(|tick| rivals.step(tick));
    rivals.had[0] * 100 / rivals.had[1]
}

/// The table of the guide (`docs/guide/workstations.md`).
#[test]
fn shares_follow_weights_where_each_station_always_holds_a_processor() {
    for (weights, expected) in [
        ([2, 1], [133, 149, 200, 200]),
        ([3, 1], [150, 179, 248, 300]),
        ([200, 100], [100, 100, 200, 200]),
    ] {
        let shares = [
            shares::<3>(weights),
            shares::<4>(weights),
            shares::<5>(weights),
            shares::<6>(weights),
        ];
        let differ = shares.iter().zip(expected).any(|(&it, expected)| it.abs_diff(expected) > 2);
        assert!(!differ, "{weights:?}: {shares:?} instead of {expected:?}");
    }
}
