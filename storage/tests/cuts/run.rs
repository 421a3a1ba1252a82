//! A run of a coordinator, and every state that it passed through.

use locox::error::Error;
use locox::fair::{Condor, ScheduleIndex, StationId, UpDown};
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::{Durable, EffectRecord};
use locox_coordinators::station::{
    Arrays, Checkpoint, Command, Config, Coordinator, Effect, Message, Misuse, NodeId, Nodes,
    Refusal, Run, Sender, Trigger,
};
use locox_storage::{ApplyError, DurableCoordinator, Store};
use std::collections::HashMap;
use std::fmt::Debug;

pub(crate) type Pool = Coordinator<UpDown<[ScheduleIndex; 3], Condor, u32>, Arrays<3, 5, 12, 8>>;

pub(crate) fn pool() -> Pool {
    let minute = Duration::from_ticks(1);
    let lease = Some(Duration::from_ticks(40));
    let life = Config { lease, retries: 3, faults: 2, ..Config::study(minute) };
    let config = Config { trigger: Trigger::Demand, ..life };
    let ranking = UpDown::new([ScheduleIndex::ZERO; 3], Condor::default()).shuffled();
    Coordinator::new(config, Arrays::EMPTY, ranking, Instant::ZERO).unwrap()
}

pub(crate) fn image(pool: &Durable<Pool>) -> Vec<u32> {
    let mut words = vec![];
    pool.export(&mut |word| words.push(word));
    words
}

/// Pseudorandom, the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// What is said next; some of it is refused.
struct Script {
    numbers: Numbers,
    serials: [u32; 3],
    runs: Vec<Run>,
    /// Boot and number of the last message of each host.
    turns: [(u32, u32); 5],
    now: u64,
}

impl Script {
    fn new(seed: u64) -> Self {
        Self { numbers: Numbers(seed), serials: [0; 3], runs: vec![], turns: [(1, 0); 5], now: 0 }
    }

    fn message(&mut self) -> (Instant, Message, u32) {
        let numbers = &mut self.numbers;
        self.now += numbers.below(3);
        let home = StationId(numbers.below(3) as u32);
        let node = NodeId(numbers.below(5) as u32);
        let run = self.runs.len().checked_sub(1 + numbers.below(4) as usize);
        let run = run.and_then(|at| self.runs.get(at).copied());
        let nodes = if numbers.below(4) == 0 { Nodes::Bank } else { Nodes::One { node } };
        let job = run.map(|run| run.job);
        let command = match (numbers.below(8), run) {
            (0 | 1, _) => Command::Submit { home, serial: self.serials[home.0 as usize] + 1 },
            (2, _) => Command::NodeIdle { node },
            (3, _) => Command::OwnerBack { station: home },
            (4, Some(run)) => {
                Command::Checkpointed { run, checkpoint: Checkpoint(self.now as u32) }
            }
            (5, Some(run)) => Command::Finished { run },
            (6, Some(run)) => Command::Vacated { run },
            _ => match (numbers.below(16), job, run) {
                (0, Some(job), _) => Command::Cancel { job },
                (1, Some(job), _) => Command::Hold { job },
                (2 | 3, Some(job), _) => Command::Release { job },
                (4, Some(job), _) => {
                    Command::Limit { job, limit: Duration::from_ticks(numbers.below(30)) }
                }
                (5, ..) => Command::Drain { nodes },
                (6 | 7, ..) => Command::Restore { nodes },
                (8 | 9, _, Some(run)) => Command::Heard { run },
                _ => Command::Tick,
            },
        };
        let from = (numbers.below(3) == 0).then(|| self.sender(node));
        let draw = self.numbers.below(1 << 32) as u32;
        (Instant::from_ticks(self.now), Message { from, command }, draw)
    }

    /// Mostly its next message, sometimes one that was swapped, or the first after a restart.
    fn sender(&mut self, node: NodeId) -> Sender {
        let (boot, last) = self.turns[node.0 as usize];
        let (boot, number) = match self.numbers.below(8) {
            0 => (boot, last + 2),
            1 => (boot + 1, 1),
            2 => (boot, last),
            _ => (boot, last + 1),
        };
        Sender { node, boot, number }
    }

    /// A message was answered.
    fn note(&mut self, from: Option<Sender>, error: Option<Error<Refusal, Misuse>>) {
        let Some(Sender { node, boot, number }) = from else { return };
        match error {
            None => self.turns[node.0 as usize] = (boot, number),
            Some(Error::Refused(Refusal::BootOver { next })) => {
                self.turns[node.0 as usize] = (next, 0);
            }
            Some(_) => {}
        }
    }

    fn hear(&mut self, told: EffectRecord<Effect>) {
        if let Effect::Place { run, .. } | Effect::Resume { run, .. } = told.effect {
            self.runs.push(run);
        }
    }
}

/// What a run passed through.
pub(crate) struct Past {
    /// The image at each place, by commands and effects taken.
    images: HashMap<(u64, u64), Vec<u32>>,
}

impl Past {
    /// Whether a coordinator is, word for word, as the run was at its place.
    pub(crate) fn knows(&self, pool: &Durable<Pool>) -> bool {
        let place = pool.place();
        self.images.get(&(place.commands, place.effects)) == Some(&image(pool))
    }
}

/// Runs so many commands that are taken. `after` gets the store and the number of commands that
/// were answered, after each.
pub(crate) fn run<S: Store>(
    durable: &mut DurableCoordinator<Pool, S>,
    seed: u64,
    commands: u64,
    mut after: impl FnMut(&S, u64),
) -> Past
where
    S::Error: Debug,
{
    let mut script = Script::new(seed);
    // The same without a store.
    let mut pool = Durable::new(self::pool());
    let mut images = HashMap::new();
    let mut note = |pool: &Durable<Pool>| {
        let place = pool.place();
        images.insert((place.commands, place.effects), image(pool));
    };
    note(&pool);
    while pool.place().commands < commands {
        let (now, message, draw) = script.message();
        let expected = pool.apply_drawn(now, message, draw);
        let answer = durable.apply_drawn(now, message, draw);
        match (expected, answer) {
            (Ok((expected, _)), Ok(answer)) => assert_eq!(answer, expected),
            (Err(expected), Err(ApplyError::Coordinator(answer))) => assert_eq!(answer, expected),
            other => panic!("{other:?}"),
        }
        if let (Ok(_), Command::Submit { home, serial }) = (expected, message.command) {
            script.serials[home.0 as usize] = serial;
        }
        script.note(message.from, expected.err());
        note(&pool);
        after(durable.store(), pool.place().commands);
        let most = [0, 1, 9][script.numbers.below(3) as usize];
        for _ in 0..most {
            let Some(told) = pool.take_effect() else { break };
            assert_eq!(durable.take_effect(), Some(told));
            script.hear(told);
            note(&pool);
        }
    }
    Past { images }
}
