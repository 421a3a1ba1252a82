//! Two coordinators that are told the same.

use super::world::{Size, Table, fresh_table};
use super::{Command, Serial};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::coordinate::Draw;
use locox::denied::Denied;
use locox::fair::{Fairness, StationId};
use locox::station::{self, Config, Coordinator, Effect, JobId, Misuse, NodeId, Refusal, Run};
use locox::time::{Duration, Instant};
use std::collections::HashSet;

/// Says the same to two coordinators with scratch of different sizes. What both answer must be
/// the same, and what the few rules say that need no knowledge of jobs.
pub struct Lockstep<F> {
    pools: [Coordinator<F, Table>; 2],
    fair: F,
    size: Size,
    config: Config,
    now: Instant,
    /// How many jobs each station has submitted.
    serials: Vec<u32>,
    names: HashSet<JobId>,
    runs: Vec<Run>,
    /// Of both after the last step.
    image: Vec<u32>,
    steps: Steps,
}

type Answer = Result<Option<JobId>, Denied<Refusal, Misuse>>;

const ROOMS: [usize; 2] = [4, 64];

impl<F: Fairness + Clone> Lockstep<F> {
    /// From two fresh coordinators on.
    pub fn new(size: Size, config: Config, fair: F) -> Self {
        let pools = ROOMS.map(|room| fresh(size, config, &fair, room));
        Self {
            image: image(&pools[0]),
            pools,
            fair,
            size,
            config,
            now: Instant::ZERO,
            serials: vec![0; size.stations],
            names: HashSet::new(),
            runs: vec![],
            steps: Steps::default(),
        }
    }

    /// Carries out one command and compares the answers, the images, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if something differs; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.compare());
        self.steps.check(command, compared)
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        let picked = |runs: &[Run], at: usize| at.checked_rem(runs.len()).map(|at| runs[at]);
        let of_run = |at| picked(&self.runs, at);
        let report = match *command {
            Command::Submit(home, serial) => return self.submit(home, serial),
            Command::TakeEffects(count) => return (0..count).try_for_each(|_| self.take_effect()),
            Command::Restart => return self.restart(),
            Command::TimeGoesBack => return self.go_back(),
            Command::NodeIdle(node) => Some(station::Command::NodeIdle { node }),
            Command::OwnerBack(station) => Some(station::Command::OwnerBack { station }),
            Command::NodeLost(node) => Some(station::Command::NodeLost { node }),
            Command::Continued(at) => of_run(at).map(|run| station::Command::Continued { run }),
            Command::Checkpointed(at, name) => of_run(at).map(|run| {
                station::Command::Checkpointed { run, checkpoint: station::Checkpoint(name) }
            }),
            Command::Vacated(at) => of_run(at).map(|run| station::Command::Vacated { run }),
            Command::Finished(at) => of_run(at).map(|run| station::Command::Finished { run }),
            Command::Tick(by) => {
                self.now = self.now.saturating_add(Duration::from_ticks(by));
                Some(station::Command::Tick)
            }
        };
        let Some(report) = report else { return Ok(()) };
        let answer = self.say(report)?;
        let (station, node) = match *command {
            Command::NodeIdle(node) | Command::NodeLost(node) => (None, Some(node)),
            Command::OwnerBack(station) => (Some(station), None),
            _ => (None, None),
        };
        match (station, node) {
            (Some(at), _) => equal("answer", answer, self.station(at).map(|()| None)),
            (_, Some(at)) => equal("answer", answer, self.node(at).map(|()| None)),
            _ => Ok(()),
        }
    }

    fn station(&self, station: StationId) -> Result<(), Denied<Refusal, Misuse>> {
        let there = (station.0 as usize) < self.size.stations;
        if there { Ok(()) } else { Err(Denied::Wrong(Misuse::NoSuchStation(station))) }
    }

    fn node(&self, node: NodeId) -> Result<(), Denied<Refusal, Misuse>> {
        let there = (node.0 as usize) < self.size.stations + self.size.bank;
        if there { Ok(()) } else { Err(Denied::Wrong(Misuse::NoSuchNode(node))) }
    }

    fn submit(&mut self, home: StationId, serial: Serial) -> Result<(), String> {
        let last = self.serials.get(home.0 as usize).copied();
        let next = last.unwrap_or(0) + 1;
        let serial = match serial {
            Serial::Next => next,
            Serial::Again => next - 1,
            Serial::Wrong(beyond) => next.wrapping_add(beyond),
        };
        let answer = self.say(station::Command::Submit { home, serial })?;
        match answer {
            Ok(name) if serial == next => {
                self.serials[home.0 as usize] = next;
                let name = name.ok_or("a submission is answered with a name")?;
                equal("name is new", self.names.insert(name), true)
            }
            Ok(name) => {
                equal("serial that is answered again", serial, next - 1)?;
                equal("name was given", name.is_some_and(|it| self.names.contains(&it)), true)
            }
            Err(Denied::No(_)) => equal("serial that is refused", serial, next),
            Err(why) if last.is_none() => equal("answer", Err(why), self.station(home)),
            Err(why) => equal("misuse", why.misuse(), Some(Misuse::Serial { next })),
        }
    }

    /// Says it to both, as the first thing of a step. After an error nothing has changed.
    fn say(&mut self, command: station::Command) -> Result<Answer, String> {
        let now = self.now;
        let draw = now.ticks() as u32;
        let [first, second] = self
            .pools
            .each_mut()
            .map(|pool| pool.apply_drawn(now, command, F::Draw::from_source(|| draw)));
        equal("answer of the other", second, first)?;
        if first.is_err() {
            equal("image after an error", &image(&self.pools[0]), &self.image)?;
        }
        Ok(first)
    }

    fn go_back(&mut self) -> Result<(), String> {
        let told = self.pools[0].now();
        if told == Instant::ZERO {
            return Ok(());
        }
        let now = std::mem::replace(&mut self.now, Instant::from_ticks(told.ticks() - 1));
        let answer = self.say(station::Command::Tick);
        self.now = now;
        equal("answer", answer?, Err(Denied::Wrong(Misuse::TimeWentBack)))
    }

    fn take_effect(&mut self) -> Result<(), String> {
        let shown = self.pools[0].peek_effect();
        let [first, second] = self.pools.each_mut().map(Coordinator::take_effect);
        equal("effect that was shown", shown, first)?;
        equal("effect of the other", second, first)?;
        self.runs.extend(first.and_then(run_of));
        Ok(())
    }

    fn restart(&mut self) -> Result<(), String> {
        let rooms = [ROOMS[1], ROOMS[0]];
        self.pools = rooms.map(|room| fresh(self.size, self.config, &self.fair, room));
        for pool in &mut self.pools {
            equal("answer to an image", pool.restore(self.image.iter().copied()), Ok(()))?;
        }
        Ok(())
    }

    fn compare(&mut self) -> Result<(), String> {
        for pool in &self.pools {
            equal("invariants", pool.check_invariants(), Ok(()))?;
        }
        let [first, second] = &self.pools;
        self.image = image(first);
        equal("image of the other", &image(second), &self.image)?;
        equal("demand of the other", second.demand(), first.demand())?;
        equal("time to wake of the other", second.wake_at(), first.wake_at())
    }
}

fn fresh<F: Fairness + Clone>(
    size: Size,
    config: Config,
    fair: &F,
    room: usize,
) -> Coordinator<F, Table> {
    let table = fresh_table(size, room);
    Coordinator::new(config, fair.clone(), table, Instant::ZERO).expect("sizes and ranking agree")
}

fn image<F: Fairness>(pool: &Coordinator<F, Table>) -> Vec<u32> {
    let mut words = vec![];
    pool.export(|word| words.push(word));
    words
}

fn run_of(effect: Effect) -> Option<Run> {
    match effect {
        Effect::Poll => None,
        Effect::Place { run, .. }
        | Effect::Resume { run, .. }
        | Effect::Preempt { run, .. }
        | Effect::Checkpoint { run, .. } => Some(run),
    }
}
