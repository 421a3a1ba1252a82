//! Two coordinators and a model that are told the same.

use super::model::Model;
use super::world::{Entry, Size, Table, fresh_table};
use super::{Command, Serial, Turn};
use crate::Mismatch;
use crate::fair::Rule;
use crate::mismatch::{Steps, equal};
use locox::draw::Draw;
use locox::error::Error;
use locox::fair::{Fairness, StationId};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    self, Config, Coordinator, Effect, Message, NodeId, Refusal, Run, Sender,
};
use std::fmt::Debug;

/// Says the same to two coordinators with scratch of different sizes, and to a model. What they
/// answer must be the same. Under a ranking that keeps the order no command has as many exchanges as there
/// are stations.
pub struct Lockstep<F, R> {
    pools: [Coordinator<F, Table>; 2],
    model: Model<R>,
    fair: F,
    size: Size,
    config: Config,
    now: Instant,
    draw: u32,
    /// How many jobs each station has submitted.
    serials: Vec<u32>,
    /// Boot and number of the last message of each host.
    turns: Vec<(u32, u32)>,
    /// Who says the next command, if it is numbered.
    from: Option<Sender>,
    /// All runs that effects have named, and one of another coordinator.
    runs: Vec<Run>,
    /// What is restored: the state after the last command, of which no effect was taken.
    saved: (Coordinator<F, Table>, Model<R>),
    steps: Steps,
    /// The images of both are compared after every so many steps.
    images_every: usize,
}

const ROOMS: [usize; 2] = [4, 64];

impl<F: Fairness + Clone, R: Rule<F> + Clone> Lockstep<F, R> {
    /// From two fresh coordinators on.
    pub fn new(size: Size, config: Config, fair: F, ranking: R) -> Self {
        let nodes = size.stations + size.bank;
        let model = Model::new(config, ranking, size.stations, nodes, size.job_rows);
        let pools = ROOMS.map(|room| fresh(size, config, &fair, room));
        Self {
            saved: (pools[0].clone(), model.clone()),
            runs: vec![foreign_run(size, config, &fair)],
            pools,
            model,
            fair,
            size,
            config,
            now: Instant::ZERO,
            draw: 0,
            serials: vec![0; size.stations],
            turns: vec![(1, 0); nodes],
            from: None,
            steps: Steps::default(),
            images_every: 1,
        }
    }

    /// The same with images compared now and then only: one takes as long as all the rest, and what
    /// differs stays different.
    pub fn with_images_every(self, steps: usize) -> Self {
        Self { images_every: steps, ..self }
    }

    /// Carries out one command and compares the answers, all that can be seen, the images, and
    /// the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if something differs; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.compare());
        self.steps.check(command, compared)
    }

    /// The same with what happened in a world; its effects must come out as they did there.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if something differs; the run is of no use afterwards.
    pub fn repeat(&mut self, entry: &Entry) -> Result<(), Mismatch> {
        let repeated = match *entry {
            Entry::Command(now, message, draw) => {
                self.now = now;
                self.say(message, draw)
            }
            Entry::Effect(effect) => {
                self.take_effect().and_then(|taken| equal("effect", taken, Some(effect)))
            }
            Entry::Restart => self.restart(),
        };
        let compared = repeated.and_then(|()| self.compare());
        self.steps.check(entry, compared)
    }

    /// All that later answers depend on, if nothing is drawn by lot. Two states of one key are the same state.
    pub fn key(&self) -> String
    where
        R: Debug,
    {
        let Self { pools, model, now, serials, turns, from, runs, saved, .. } = self;
        let images = [image(&pools[0]), image(&saved.0)];
        format!(
            "{images:?} {model:?} {:?} {now:?} {serials:?} {turns:?} {from:?} {runs:?}",
            saved.1
        )
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        let of_run = |at: usize| self.runs[at % self.runs.len()];
        let report = match *command {
            Command::Submit(home, serial) => self.submission(home, serial),
            Command::TakeEffects(count) => {
                return (0..count).try_for_each(|_| self.take_effect().map(|_| ()));
            }
            Command::Restart => return self.restart(),
            Command::TimeGoesBack => return self.go_back(),
            Command::From(node, turn) => {
                self.from = Some(self.sender(node, turn));
                return Ok(());
            }
            Command::Heard(at) => station::Command::Heard { run: of_run(at) },
            Command::Cancel(at) => station::Command::Cancel { job: of_run(at).job },
            Command::Hold(at) => station::Command::Hold { job: of_run(at).job },
            Command::Release(at) => station::Command::Release { job: of_run(at).job },
            Command::Limit(at, limit) => {
                station::Command::Limit { job: of_run(at).job, limit: Duration::from_ticks(limit) }
            }
            Command::Drain(nodes) => station::Command::Drain { nodes },
            Command::Restore(nodes) => station::Command::Restore { nodes },
            Command::SetWeight(station, weight) => station::Command::SetWeight { station, weight },
            Command::NodeIdle(node) => station::Command::NodeIdle { node },
            Command::OwnerBack(station) => station::Command::OwnerBack { station },
            Command::NodeLost(node) => station::Command::NodeLost { node },
            Command::Continued(at) => station::Command::Continued { run: of_run(at) },
            Command::Checkpointed(at, name) => station::Command::Checkpointed {
                run: of_run(at),
                checkpoint: station::Checkpoint(name),
            },
            Command::Vacated(at) => station::Command::Vacated { run: of_run(at) },
            Command::Finished(at) => station::Command::Finished { run: of_run(at) },
            Command::Tick(by) => {
                self.now = self.now.saturating_add(Duration::from_ticks(by));
                station::Command::Tick
            }
        };
        self.say_drawn(report)
    }

    fn submission(&self, home: StationId, serial: Serial) -> station::Command {
        let last = self.serials.get(home.0 as usize).copied().unwrap_or(0);
        let serial = match serial {
            Serial::Next => last + 1,
            Serial::Again => last,
            Serial::Wrong(beyond) => (last + 1).wrapping_add(beyond),
        };
        station::Command::Submit { home, serial }
    }

    fn sender(&self, node: NodeId, turn: Turn) -> Sender {
        let (boot, last) = self.turns.get(node.0 as usize).copied().unwrap_or((1, 0));
        let (boot, number) = match turn {
            Turn::Next => (boot, last + 1),
            Turn::Again => (boot, last),
            Turn::Early => (boot, last + 2),
            Turn::Restarted => (boot + 1, 1),
            Turn::Late => (boot - 1, last + 1),
            Turn::Unnumbered => (boot, 0),
        };
        Sender { node, boot, number }
    }

    fn say_drawn(&mut self, command: station::Command) -> Result<(), String> {
        self.draw = self.draw.wrapping_add(0x9E37_79B9);
        let from = self.from.take();
        self.say(Message { from, command }, self.draw)
    }

    /// Says it to all, as the first thing of a step. After an error nothing has changed.
    fn say(&mut self, message: Message, draw: u32) -> Result<(), String> {
        let now = self.now;
        let before = self.pools[0].clone();
        let [first, second] = self
            .pools
            .each_mut()
            .map(|pool| pool.apply_drawn(now, message, F::Draw::from_source(|| draw)));
        equal("answer of the other", second, first)?;
        let expected = self.model.apply(now, message, draw);
        equal("answer", first.map(|it| it.is_some()), expected.map(|it| it.is_some()))?;
        if let (Ok(Some(name)), Ok(Some(job))) = (first, expected) {
            equal("name", Some(name), self.model.name(job, name))?;
        }
        self.saved = (self.pools[0].clone(), self.model.clone());
        if let (Some(from), Err(Error::Refused(Refusal::BootOver { next }))) = (message.from, first)
            && from.boot == self.turns[from.node.0 as usize].0
        {
            self.turns[from.node.0 as usize] = (next, 0);
        }
        if first.is_err() {
            return equal("image after an error", image(&self.pools[0]), image(&before));
        }
        if let Some(from) = message.from {
            self.turns[from.node.0 as usize] = (from.boot, from.number);
        }
        if let station::Command::Submit { home, serial } = message.command {
            self.serials[home.0 as usize] = serial;
        }
        if R::KEEPS_ORDER {
            let fewer = self.model.exchanges < self.size.stations;
            equal("fewer exchanges than stations", fewer, true)?;
        }
        self.compare_images()
    }

    /// How many processors went from one station to another in the last command.
    pub fn exchanges(&self) -> usize {
        self.model.exchanges
    }

    fn compare_images(&self) -> Result<(), String> {
        if !self.steps.taken().is_multiple_of(self.images_every) {
            return Ok(());
        }
        equal("image of the other", image(&self.pools[1]), image(&self.pools[0]))
    }

    fn go_back(&mut self) -> Result<(), String> {
        let told = self.pools[0].now();
        if told == Instant::ZERO {
            return Ok(());
        }
        let now = std::mem::replace(&mut self.now, Instant::from_ticks(told.ticks() - 1));
        let said = self.say_drawn(station::Command::Tick);
        self.now = now;
        said
    }

    fn take_effect(&mut self) -> Result<Option<Effect>, String> {
        let shown = self.pools[0].peek_effect();
        let [first, second] = self.pools.each_mut().map(Coordinator::take_effect);
        equal("effect that was shown", shown, first)?;
        equal("effect of the other", second, first)?;
        equal("effect", first, self.model.take_effect())?;
        self.runs.extend(first.and_then(run_of));
        Ok(first)
    }

    fn restart(&mut self) -> Result<(), String> {
        let rooms = [ROOMS[1], ROOMS[0]];
        self.pools = rooms.map(|room| fresh(self.size, self.config, &self.fair, room));
        let words = image(&self.saved.0);
        for pool in &mut self.pools {
            equal("answer to an image", pool.restore(words.iter().copied()), Ok(()))?;
        }
        let [first, second] = self.pools.each_ref().map(image);
        equal("image of the other", second, first)?;
        self.model = self.saved.1.clone();
        self.model.restored();
        Ok(())
    }

    fn compare(&self) -> Result<(), String> {
        for pool in &self.pools {
            equal("invariants", pool.check_invariants(), Ok(()))?;
        }
        let first = &self.pools[0];
        equal("demand", first.demand(), &self.model.demand())?;
        equal("time to wake", first.wake_at(), self.model.wake_at())?;
        for (job, status) in self.model.statuses() {
            equal("status", (job, first.status(job)), (job, status))?;
        }
        self.model.ranking.compare(first.fairness())
    }
}

fn fresh<F: Fairness + Clone>(
    size: Size,
    config: Config,
    fair: &F,
    room: usize,
) -> Coordinator<F, Table> {
    let table = fresh_table(size, room);
    Coordinator::new(config, table, fair.clone(), Instant::ZERO).expect("sizes and ranking agree")
}

fn foreign_run<F: Fairness + Clone>(size: Size, config: Config, fair: &F) -> Run {
    let config = Config { pool: PoolId(config.pool.0 + 1), ..config };
    let mut pool = fresh(size, config, fair, ROOMS[0]);
    let submit = station::Command::Submit { home: StationId(0), serial: 1 };
    let answer = pool.apply_drawn(Instant::ZERO, submit, F::Draw::NOT_DRAWN);
    Run { job: answer.ok().flatten().expect("there is room for a job"), attempt: 1 }
}

fn image<F: Fairness>(pool: &Coordinator<F, Table>) -> Vec<u32> {
    let mut words = vec![];
    pool.export(|word| words.push(word));
    words
}

fn run_of(effect: Effect) -> Option<Run> {
    match effect {
        Effect::Poll | Effect::SetAside { .. } => None,
        Effect::Place { run, .. }
        | Effect::Resume { run, .. }
        | Effect::Preempt { run, .. }
        | Effect::Checkpoint { run, .. }
        | Effect::Ask { run, .. } => Some(run),
    }
}
