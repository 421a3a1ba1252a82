//! A coordinator that runs for ever, on many processors, with everything at its default.

use locox::fair::{
    self, Condor, Contender, DecayParams, Demand, Exchange, Fairness, Random, Reason, RoundRobin,
    ScheduleIndex, StationId, TimedRow, TimedUpDown, UpDown,
};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Columns, Command, Config, Coordinator, Effect, HomeRow, JobRow, NodeId, NodeRow, Run, Trigger,
};
use std::cell::Cell;
use std::num::NonZeroU32;

const MINUTE: Duration = Duration::from_ticks(60);
const HOUR: u64 = 3600;

type Rows = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

/// Stations whose owners are always there, and a bank whose guests are told what to do and do it.
struct Bank<F> {
    pool: Coordinator<F, Rows>,
    serials: Vec<u32>,
    /// The runs on each processor.
    guests: Vec<Option<Run>>,
    /// Runs that were told to leave.
    leaving: Vec<Run>,
    now: u64,
}

fn timed(stations: usize) -> TimedUpDown<Vec<TimedRow>> {
    TimedUpDown::new(vec![TimedRow::EMPTY; stations], DecayParams::standard(MINUTE)).unwrap()
}

impl<F: Fairness> Bank<F> {
    fn new(stations: usize, bank: usize, config: Config, fair: F) -> Self {
        let nodes = stations + bank;
        let rows = Columns {
            demand: vec![Demand::NONE; stations],
            homes: vec![HomeRow::EMPTY; stations],
            nodes: vec![NodeRow::EMPTY; nodes],
            jobs: vec![JobRow::EMPTY; 3 * nodes + 100],
            scratch: vec![Contender::EMPTY; 64],
        };
        Self {
            pool: Coordinator::new(config, rows, fair, Instant::ZERO).unwrap(),
            serials: vec![0; stations],
            guests: vec![None; nodes],
            leaving: vec![],
            now: 0,
        }
    }

    fn say(&mut self, command: Command) {
        let draw = locox::draw::Draw::from_source(|| self.now as u32);
        self.pool.apply_drawn(Instant::from_ticks(self.now), command, draw).unwrap();
        while let Some(effect) = self.pool.take_effect() {
            match effect {
                Effect::Place { node, run, .. } | Effect::Resume { node, run, .. } => {
                    self.guests[node.0 as usize] = Some(run);
                }
                Effect::Preempt { node, run, .. } => {
                    self.guests[node.0 as usize] = None;
                    self.leaving.push(run);
                }
                Effect::Checkpoint { .. }
                | Effect::Poll
                | Effect::Ask { .. }
                | Effect::SetAside { .. } => {}
            }
        }
        if let Some(run) = self.leaving.pop() {
            self.say(Command::Vacated { run });
        }
    }

    fn submit(&mut self, home: usize, jobs: usize) {
        for _ in 0..jobs {
            self.serials[home] += 1;
            let (home, serial) = (StationId(home as u32), self.serials[home]);
            self.say(Command::Submit { home, serial });
        }
    }

    fn open_bank(&mut self) {
        for node in self.serials.len()..self.guests.len() {
            self.say(Command::NodeIdle { node: NodeId(node as u32) });
        }
    }

    fn holds(&self, station: usize) -> usize {
        self.pool.demand()[station].holds.into()
    }

    /// The guest of a processor is done, and its station's next job is there.
    fn finish(&mut self, node: usize) {
        let Some(run) = self.guests[node].take() else { return };
        let before: Vec<Demand> = self.pool.demand().to_vec();
        self.say(Command::Finished { run });
        let jobs = |demand: Demand| usize::from(demand.wants) + usize::from(demand.holds);
        for (home, was) in before.into_iter().enumerate() {
            let is = self.pool.demand()[home];
            self.submit(home, jobs(was).saturating_sub(jobs(is)));
        }
    }
}

/// Two users who always want more than there is: the hours of each on each of some days.
fn two_greedy<F: Fairness>(nodes: usize, days: u64, fair: F) -> Vec<[f64; 2]> {
    two_greedy_under(Config::standard(MINUTE), nodes, days, fair)
}

fn two_greedy_under<F: Fairness>(
    config: Config,
    nodes: usize,
    days: u64,
    fair: F,
) -> Vec<[f64; 2]> {
    let mut bank = Bank::new(2, nodes, config, fair);
    bank.submit(0, nodes + 10);
    bank.submit(1, nodes + 10);
    bank.open_bank();
    // A job takes two hours: in so many seconds one ends somewhere.
    let step = (2 * HOUR / nodes as u64).max(1);
    let mut dice = 1u64;
    let mut shares = vec![[0.0; 2]; days as usize];
    while bank.now + step < days * 24 * HOUR {
        bank.now += step;
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        bank.finish(2 + ((dice >> 33) as usize) % nodes);
        let day = (bank.now / (24 * HOUR)) as usize;
        for (user, share) in shares[day].iter_mut().enumerate() {
            *share += bank.holds(user) as f64 * step as f64 / HOUR as f64;
        }
    }
    bank.pool.check_invariants().unwrap();
    shares
}

#[test]
fn equal_users_have_equal_shares_on_every_day_after_the_first_week() {
    for nodes in [300, 1000, 5000] {
        let days = two_greedy(nodes, 12, timed(2)).into_iter().enumerate().skip(7);
        for (day, [first, second]) in days {
            let apart = (first / second - 1.0).abs();
            assert!(apart < 0.05, "{nodes} processors, day {day}: {first} and {second} hours");
        }
    }
}

#[test]
fn equal_users_have_equal_shares_where_a_command_makes_one_decision() {
    let config = Config { decisions: NonZeroU32::new(1), ..Config::standard(MINUTE) };
    let days = two_greedy_under(config, 300, 12, timed(2)).into_iter().enumerate().skip(7);
    for (day, [first, second]) in days {
        let apart = (first / second - 1.0).abs();
        assert!(apart < 0.05, "day {day}: {first} and {second} hours");
    }
}

/// What was seen of the default before, and why the printed table is not it any more.
#[test]
fn under_the_printed_table_the_lower_number_gets_all_but_one_for_good() {
    let table = UpDown::new([ScheduleIndex::ZERO; 2], Condor::default());
    let days = two_greedy(300, 12, table);
    let [first, second] = days[11];
    assert!(second <= 25.0 && first > 7000.0, "{first} and {second} hours");
}

fn hand_out<F: Fairness>(config: Config, fair: F) -> (usize, u32) {
    let mut bank = Bank::new(2, 1000, config, fair);
    bank.open_bank();
    bank.submit(0, 1000);
    bank.now += config.interval.ticks();
    bank.say(Command::Tick);
    (bank.holds(0), bank.pool.free())
}

#[test]
fn a_thousand_idle_processors_are_given_to_the_one_who_wants_them_at_once() {
    for trigger in [Trigger::IntervalOnly, Trigger::Capacity, Trigger::Demand] {
        let config = Config { trigger, ..Config::standard(MINUTE) };
        assert_eq!(hand_out(config, timed(2)), (1000, 0));
        assert_eq!(hand_out(config, RoundRobin::new()), (1000, 0));
        assert_eq!(hand_out(config, Random::new()), (1000, 0));
        let table = UpDown::new([ScheduleIndex::ZERO; 2], Condor::default());
        assert_eq!(hand_out(config, table), (1000, 0));
        let study = Config { rounds: 1, trigger: Trigger::IntervalOnly, ..config };
        assert_eq!(hand_out(study, RoundRobin::new()), (1, 999), "the study's round gives one");
        let some = Config { rounds: 7, ..study };
        assert_eq!(hand_out(some, RoundRobin::new()), (7, 993));
    }
}

const BURST: usize = 64;

/// As many stations as processors, which decide at the ends of intervals only.
fn burst<F: Fairness>(decisions: u32, fair: F) -> Bank<F> {
    let decisions = NonZeroU32::new(decisions);
    let trigger = Trigger::IntervalOnly;
    let mut bank =
        Bank::new(BURST, BURST, Config { decisions, trigger, ..Config::standard(MINUTE) }, fair);
    bank.open_bank();
    bank
}

fn given<F: Fairness>(bank: &Bank<F>) -> usize {
    (0..BURST).map(|station| bank.holds(station)).sum()
}

/// All stations want one processor: how many commands give them all.
fn commands_of_a_burst<F: Fairness>(most: usize, fair: F) -> usize {
    let mut bank = burst(most as u32, fair);
    (0..BURST).for_each(|station| bank.submit(station, 1));
    bank.now += bank.pool.wake_at().unwrap().ticks();
    let mut commands = 0;
    while given(&bank) < BURST {
        let due = bank.pool.wake_at() <= Some(Instant::from_ticks(bank.now));
        assert!(due, "it waits with {} given", given(&bank));
        // Whatever is said, and when.
        let owner = Command::OwnerBack { station: StationId(5) };
        bank.say(if commands % 2 == 0 { Command::Tick } else { owner });
        commands += 1;
        bank.now += commands as u64 % 3;
        assert_eq!(given(&bank), BURST.min(commands * most));
    }
    bank.say(Command::Tick);
    assert!(bank.pool.wake_at() > Some(Instant::from_ticks(bank.now)), "nothing is left");
    commands
}

#[test]
fn a_burst_is_given_in_as_many_commands_as_the_bound_goes_into_it() {
    for most in 1..=BURST {
        let least = BURST.div_ceil(most);
        assert_eq!(commands_of_a_burst(most, timed(BURST)), least);
        assert_eq!(commands_of_a_burst(most, RoundRobin::new()), least);
        assert_eq!(commands_of_a_burst(most, Random::new()), least);
        let table = UpDown::new([ScheduleIndex::ZERO; BURST], Condor::default());
        assert_eq!(commands_of_a_burst(most, table), least);
    }
}

/// One has had all processors for a day, and the others come: what hosts are told, in all commands
/// that are due at that time.
fn taken_from_one<F: Fairness>(decisions: u32, fair: F) -> Vec<Effect> {
    let mut bank = burst(decisions, fair);
    bank.submit(0, BURST);
    for passed in [0, 24 * HOUR] {
        bank.now += passed + bank.pool.wake_at().unwrap().ticks();
        while bank.pool.wake_at() <= Some(Instant::from_ticks(bank.now)) {
            bank.say(Command::Tick);
        }
    }
    (1..BURST).for_each(|station| bank.submit(station, 2));
    bank.now = bank.pool.wake_at().unwrap().ticks();
    let now = Instant::from_ticks(bank.now);
    let mut commands = 0;
    while bank.pool.wake_at() <= Some(now) {
        bank.pool.apply_drawn(now, Command::Tick, locox::draw::Draw::NOT_DRAWN).unwrap();
        commands += 1;
        assert!(commands < 2 * BURST, "it comes to an end");
    }
    std::iter::from_fn(|| bank.pool.take_effect()).collect()
}

#[test]
fn by_bounded_commands_the_same_is_taken_as_in_one_round() {
    let in_one = taken_from_one(0, timed(BURST));
    assert!(in_one.len() > BURST / 2, "{}", in_one.len());
    for most in [1, 2, 7, 100] {
        assert_eq!(taken_from_one(most, timed(BURST)), in_one, "{most}");
        let table = || UpDown::new([ScheduleIndex::ZERO; BURST], Condor::default());
        assert_eq!(taken_from_one(most, table()).len(), taken_from_one(0, table()).len(), "{most}");
    }
}

#[test]
fn a_light_user_takes_a_processor_at_the_moment_of_asking() {
    let mut bank = Bank::new(3, 300, Config::standard(MINUTE), timed(3));
    bank.submit(0, 400);
    bank.submit(1, 400);
    bank.open_bank();
    bank.now = 24 * HOUR;
    bank.submit(2, 1);
    assert_eq!((bank.holds(2), bank.pool.demand()[2].wants), (1, 0));
}

/// A ranking that keeps the order, and how often it was told of a station or asked for one.
struct Counted {
    fair: TimedUpDown<Vec<TimedRow>>,
    calls: Cell<u64>,
}

impl Counted {
    fn count(&self) {
        self.calls.set(self.calls.get() + 1);
    }
}

impl Fairness for Counted {
    type Draw = ();

    const KEEPS_ORDER: bool = true;

    fn update(&mut self, _: &[Demand]) -> Result<(), fair::Misuse> {
        panic!("a pass over all stations")
    }

    fn advance(&mut self, now: Instant) {
        self.fair.advance(now);
    }

    fn note(&mut self, station: StationId, demand: Demand) {
        self.count();
        self.fair.note(station, demand);
    }

    fn key(&self, _: StationId) -> u32 {
        panic!("a look at a station")
    }

    fn preempts(&self) -> bool {
        true
    }

    fn next_claimant(&self) -> Option<StationId> {
        self.count();
        self.fair.next_claimant()
    }

    fn exchange(&self) -> Option<Exchange> {
        self.count();
        self.fair.exchange()
    }

    fn served(&mut self, station: StationId) {
        self.fair.served(station);
    }

    fn yielded(&mut self, station: StationId) {
        self.fair.yielded(station);
    }

    fn reason(&self, to: StationId, from: Option<StationId>) -> Reason {
        self.fair.reason(to, from)
    }
}

/// Decisions are looked up, not searched for: no command makes it look at all stations.
#[test]
fn a_ranking_that_keeps_the_order_is_told_of_few_of_many_stations() {
    const STATIONS: usize = 2000;
    let fair = Counted { fair: timed(STATIONS), calls: Cell::new(0) };
    let mut bank = Bank::new(STATIONS, 200, Config::standard(MINUTE), fair);
    for home in 0..STATIONS {
        bank.submit(home, 1);
    }
    bank.open_bank();
    bank.now = 12 * HOUR;
    let (mut events, before) = (0, bank.pool.fairness().calls.get());
    for event in 0..1000 {
        bank.now += 1;
        let Some(run) = bank.guests[STATIONS + event % 200].take() else { continue };
        bank.say(Command::Finished { run });
        events += 1;
    }
    let calls = bank.pool.fairness().calls.get() - before;
    assert!(events > 900 && calls < 20 * events, "{calls} calls for {events} events");
    bank.pool.check_invariants().unwrap();
}
