//! What hosts that number their messages are told again, and until when; and processors that are set aside.

use locox::fair::{RoundRobin, StationId};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Arrays, Command, Config, Coordinator, Effect, JobId, Message, NodeId, Nodes, Run, Sender,
    Trigger,
};

const HOST: NodeId = NodeId(1);
const HOME: StationId = StationId(0);

/// A station whose owner is there, and one processor of the bank, which numbers its messages.
struct Pool {
    coordinator: Coordinator<RoundRobin, Arrays<1, 2, 4, 4>>,
    said: u32,
    submitted: u32,
}

impl Pool {
    /// Intervals of 10.
    fn new(faults: u16) -> Self {
        let minute = Duration::from_ticks(1);
        let config =
            Config { poll: None, trigger: Trigger::Demand, faults, ..Config::study(minute) };
        let coordinator =
            Coordinator::new(config, Arrays::EMPTY, RoundRobin::default(), Instant::ZERO).unwrap();
        let mut pool = Self { coordinator, said: 0, submitted: 0 };
        pool.act(0, Command::OwnerBack { station: HOME });
        pool.say(0, Command::NodeIdle { node: HOST });
        pool
    }

    /// The host says something.
    fn say(&mut self, time: u64, command: Command) -> Vec<Effect> {
        self.said += 1;
        let from = Some(Sender { node: HOST, boot: 1, number: self.said });
        self.hear(time, Message { from, command })
    }

    /// Somebody else does.
    fn act(&mut self, time: u64, command: Command) -> Vec<Effect> {
        self.hear(time, command.into())
    }

    fn hear(&mut self, time: u64, message: Message) -> Vec<Effect> {
        self.coordinator.apply_drawn(Instant::from_ticks(time), message, ()).unwrap();
        self.effects()
    }

    fn effects(&mut self) -> Vec<Effect> {
        let effects = std::iter::from_fn(|| self.coordinator.take_effect()).collect();
        self.coordinator.check_invariants().unwrap();
        effects
    }

    /// A job is submitted, and at once told to the host.
    fn start(&mut self, time: u64) -> (JobId, Run, Vec<Effect>) {
        self.submitted += 1;
        let submit = Command::Submit { home: HOME, serial: self.submitted };
        let job = self.coordinator.apply(Instant::from_ticks(time), submit).unwrap().unwrap();
        let effects = self.effects();
        let [Effect::Place { node: HOST, run, .. }] = effects[..] else { panic!("{effects:?}") };
        (job, run, effects)
    }
}

#[test]
fn a_run_that_was_told_again_after_a_restart_is_told_until_it_is_heard() {
    let mut pool = Pool::new(0);
    let (_, run, _) = pool.start(1);
    pool.say(2, Command::Heard { run });
    assert_eq!(pool.act(10, Command::Tick), []);
    let mut image = vec![];
    pool.coordinator.export(|word| image.push(word));
    pool.coordinator.restore(image).unwrap();
    let told_again =
        |effects: Vec<Effect>| matches!(effects[..], [Effect::Place { run: it, .. }] if it == run);
    assert!(told_again(pool.effects()));
    assert!(told_again(pool.act(20, Command::Tick)));
    pool.say(21, Command::Heard { run });
    assert_eq!(pool.act(30, Command::Tick), []);
}

#[test]
fn a_run_that_was_to_leave_and_may_stay_is_asked_for_until_it_is_heard() {
    let mut pool = Pool::new(0);
    let (job, run, _) = pool.start(1);
    pool.say(2, Command::Heard { run });
    let leave = pool.act(3, Command::Hold { job });
    assert!(matches!(leave[..], [Effect::Preempt { .. }]));
    // That it has the run does not say that it knows of this.
    pool.say(4, Command::Heard { run });
    assert_eq!(pool.act(10, Command::Tick), leave);
    pool.act(11, Command::Release { job });
    pool.say(12, Command::Continued { run });
    assert_eq!(pool.act(20, Command::Tick), [Effect::Ask { node: HOST, run }]);
    assert_eq!(pool.act(30, Command::Tick), [Effect::Ask { node: HOST, run }]);
    pool.say(31, Command::Heard { run });
    assert_eq!(pool.act(40, Command::Tick), []);
}

#[test]
fn only_runs_that_fail_in_a_row_set_a_processor_aside() {
    let mut pool = Pool::new(2);
    let aside = Effect::SetAside { node: HOST };
    let (_, first, _) = pool.start(1);
    assert_eq!(pool.say(2, Command::Vacated { run: first }), []);
    let (_, second, _) = pool.start(3);
    assert_eq!(pool.say(4, Command::Finished { run: second }), []);
    let (_, third, _) = pool.start(5);
    assert_eq!(pool.say(6, Command::Vacated { run: third }), [], "it did well in between");
    let (_, fourth, _) = pool.start(7);
    assert_eq!(pool.say(8, Command::Vacated { run: fourth }), [aside]);
    // What failed before it was restored does not count any more.
    pool.act(9, Command::Restore { nodes: Nodes::One { node: HOST } });
    let (_, fifth, _) = pool.start(9);
    assert_eq!(pool.say(9, Command::Vacated { run: fifth }), []);
}
