//! A coordinator and its model, driven side by side.

use super::model::State;
use super::{Command, Model, Setup};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::mapping::{PlannedRun, RunningJob, Runs, UnplacedJob, runs};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{
    Columns, Command as Said, Coordinator, Effect, JobClass, JobId, JobRow, MachineId, MachineRow,
    Policy, QueueId, ResourceId, Run, SiteModel, Status, UserId, UserRow,
};

/// What a coordinator lies in.
pub struct Store {
    jobs: Vec<JobRow>,
    machines: Vec<MachineRow>,
    users: Vec<UserRow>,
    queues: Vec<Policy>,
    down: Vec<u32>,
    runs: Vec<Runs>,
    expected: Vec<Duration>,
    open: Vec<UnplacedJob>,
    placements: Vec<PlannedRun>,
    running: Vec<RunningJob>,
    numbers: Vec<u32>,
    next: Vec<u32>,
    levels: Vec<u8>,
    instants: Vec<Instant>,
}

impl Store {
    /// Columns for a setup.
    pub fn new(setup: &Setup) -> Self {
        let (jobs, machines) = (setup.jobs, setup.machines);
        let (resources, classes) = (machines + setup.clusters.len(), setup.times.len());
        Self {
            jobs: vec![JobRow::EMPTY; jobs],
            machines: vec![MachineRow::EMPTY; machines],
            users: vec![UserRow::EMPTY; setup.users],
            queues: vec![Policy::EMPTY; setup.queues],
            down: vec![0; setup.clusters.len()],
            runs: vec![Runs::EMPTY; runs(resources, setup.classes_of_resources(), classes)],
            expected: vec![Duration::ZERO; resources * classes],
            open: vec![UnplacedJob::EMPTY; jobs],
            placements: vec![PlannedRun::EMPTY; 3 * jobs],
            running: vec![RunningJob::EMPTY; jobs],
            numbers: vec![0; 2 * jobs],
            next: vec![0; machines],
            levels: vec![0; jobs],
            instants: vec![Instant::ZERO; 5 * machines],
        }
    }

    /// Borrowed.
    pub fn columns(&mut self) -> Columns<'_> {
        Columns {
            jobs: &mut self.jobs,
            machines: &mut self.machines,
            users: &mut self.users,
            queues: &mut self.queues,
            down: &mut self.down,
            runs: &mut self.runs,
            expected: &mut self.expected,
            open: &mut self.open,
            placements: &mut self.placements,
            running: &mut self.running,
            numbers: &mut self.numbers,
            next: &mut self.next,
            levels: &mut self.levels,
            instants: &mut self.instants,
        }
    }
}

/// Drives a coordinator and its model in step.
pub struct Lockstep<'s> {
    setup: &'s Setup,
    real: Coordinator<'s>,
    model: Model,
    /// The names of the model's jobs.
    names: Vec<JobId>,
    now: u64,
    steps: Steps,
}

impl<'s> Lockstep<'s> {
    /// From the beginning.
    pub fn new(setup: &'s Setup, known: SiteModel<'s>, store: &'s mut Store) -> Self {
        let real = Coordinator::new(setup.config, known, store.columns(), Instant::ZERO);
        let (real, model) = (real.expect("columns fit"), Model::new(setup.clone()));
        Self { setup, real, model, names: vec![], now: 0, steps: Steps::default() }
    }

    /// Makes one call and compares the answer, all that can be seen, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.compare());
        self.steps.check(command, compared)
    }

    /// All that later answers depend on. Two states of one key are the same state.
    pub fn key(&self) -> String {
        format!("{:?} {:?} {:?} {}", self.image(), self.model, self.names, self.now)
    }

    fn image(&self) -> Vec<u32> {
        let mut words = vec![];
        self.real.export(|word| words.push(word));
        words
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match *command {
            Command::Submit(user, queue, class, off) => self.submit(user, queue, class, off),
            Command::Finished(ago, late, took) => {
                let Some((number, run)) = self.run(ago, late) else { return Ok(()) };
                let expected = self.model.finished(number, run.attempt, took);
                self.say(Said::Finished { run, took: Duration::from_ticks(took) }, expected)
            }
            Command::Vacated(ago, late) => {
                let Some((number, run)) = self.run(ago, late) else { return Ok(()) };
                self.vacate(number, run)
            }
            Command::AllVacated => {
                for number in 0..self.names.len() {
                    if let State::Leaves(_) = self.model.jobs[number].state {
                        let attempt = self.model.jobs[number].attempt;
                        self.vacate(number, Run { job: self.names[number], attempt })?;
                    }
                }
                Ok(())
            }
            Command::Lost(machine, off) => {
                let boot = self.model.boot(machine as usize).saturating_add_signed(off);
                let expected = self.model.lost(self.now, machine, boot);
                self.say(Said::MachineLost { machine: MachineId(machine), boot }, expected)
            }
            Command::Back(machine, off) => {
                let boot = self.model.boot(machine as usize).saturating_add_signed(off);
                self.back(machine, boot)
            }
            Command::AllBack => (0..self.setup.machines).try_for_each(|machine| {
                let (boot, is_here, _) = self.model.machines[machine];
                self.back(machine as u32, boot + u32::from(!is_here))
            }),
            Command::Link(link, is_up) => {
                let expected = self.model.link(link, is_up);
                let said = if is_up { Said::LinkUp { link } } else { Said::LinkDown { link } };
                self.say(said, expected)
            }
            Command::SetPolicy(queue, policy) => {
                let expected = self.model.set_policy(queue, policy);
                self.say(Said::SetPolicy { queue: QueueId(queue), policy }, expected)
            }
            Command::SetLimit(user, jobs) => {
                let expected = self.model.set_limit(user, jobs);
                self.say(Said::SetLimit { user: UserId(user), jobs }, expected)
            }
            Command::SetClearance(user, clearance) => {
                let expected = self.model.set_clearance(user, clearance);
                self.say(Said::SetClearance { user: UserId(user), clearance }, expected)
            }
            Command::Tick(by) => {
                self.now += by;
                self.say(Said::Tick, Ok(()))
            }
            Command::Effects => self.effects(),
            Command::Restart => self.restart(),
        }
    }

    /// Says something, and lets the model go on if it is taken.
    fn say(
        &mut self,
        said: Said,
        expected: Result<
            (),
            locox::error::Error<
                locox_coordinators::site::Refusal,
                locox_coordinators::site::Misuse,
            >,
        >,
    ) -> Result<(), String> {
        let answer = self.real.apply(Instant::from_ticks(self.now), said);
        equal("answer", answer.map(|_| ()), expected)?;
        if expected.is_ok() {
            self.model.go_on(self.now);
        }
        Ok(())
    }

    fn submit(&mut self, user: u32, queue: u32, class: u32, off: i32) -> Result<(), String> {
        let serial = self.model.serial(user as usize).wrapping_add_signed(1 + off);
        let expected = self.model.submit(self.now, user, serial, queue, class);
        let (user, queue, class) = (UserId(user), QueueId(queue), JobClass(class));
        let said = Said::Submit { user, serial, queue, class };
        let answer = self.real.apply(Instant::from_ticks(self.now), said);
        if let (Ok(Some(name)), Ok(number)) = (answer, expected) {
            if number == self.names.len() {
                self.names.push(name);
            }
            self.model.go_on(self.now);
            return equal("name", name, self.names[number]);
        }
        equal("answer", answer.map(|_| ()), expected.map(|_| ()))
    }

    /// A job that came so many jobs ago, and a run of it.
    fn run(&self, ago: usize, late: u32) -> Option<(usize, Run)> {
        let number = self.names.len().checked_sub(ago + 1)?;
        let attempt = self.model.jobs[number].attempt.wrapping_sub(late);
        Some((number, Run { job: self.names[number], attempt }))
    }

    fn vacate(&mut self, number: usize, run: Run) -> Result<(), String> {
        let expected = self.model.vacated(self.now, number, run.attempt);
        self.say(Said::Vacated { run }, expected)
    }

    fn back(&mut self, machine: u32, boot: u32) -> Result<(), String> {
        let expected = self.model.back(self.now, machine, boot);
        self.say(Said::MachineBack { machine: MachineId(machine), boot }, expected)
    }

    /// All effects; their order is that of the kernel's rows, of which the model knows nothing.
    fn effects(&mut self) -> Result<(), String> {
        let mut told = vec![];
        while let Some(effect) = self.real.take_effect() {
            told.push(match effect {
                Effect::Dispatch { run, class, resource } => (run, Some(class), resource),
                Effect::Preempt { run, resource } => (run, None, resource),
            });
        }
        let rows = told.iter().map(|(run, ..)| run.job.handle().index());
        equal("order of the effects", rows.is_sorted(), true)?;
        let mut expected = vec![];
        for (job, &name) in self.model.jobs.iter_mut().zip(&self.names).filter(|(job, _)| job.due) {
            job.due = false;
            let run = Run { job: name, attempt: job.attempt };
            let class = JobClass(job.class as u32);
            expected.push(match job.state {
                State::Runs(at, _) => (run, Some(class), ResourceId(at as u32)),
                State::Leaves(at) => (run, None, ResourceId(at as u32)),
                _ => return Err("the model has something to tell of a job without machines".into()),
            });
        }
        expected.sort_by_key(|(run, ..)| run.job.handle().index());
        equal("effects", told, expected)
    }

    fn restart(&mut self) -> Result<(), String> {
        let words = self.image();
        equal("image", self.real.restore(words.iter().copied()), Ok(()))?;
        self.model.resync();
        Ok(())
    }

    fn compare(&self) -> Result<(), String> {
        equal("invariants", self.real.check_invariants(), Ok(()))?;
        equal("when to wake", self.real.wake_at().map(Instant::ticks), self.model.wake_at())?;
        for (number, (job, &name)) in self.model.jobs.iter().zip(&self.names).enumerate() {
            let run = Run { job: name, attempt: job.attempt };
            let place = |at: usize| ResourceId(at as u32);
            let expected = match job.state {
                State::Waits(it) => Some(Status::Waiting {
                    place: it.map(|(at, start)| (place(at), Instant::from_ticks(start))),
                }),
                State::Runs(at, until) => {
                    let until = Instant::from_ticks(until);
                    Some(Status::Running { resource: place(at), run, until })
                }
                State::Leaves(at) => Some(Status::Leaving { resource: place(at), run }),
                State::Over => None,
            };
            equal("status", (number, self.real.status(name).ok()), (number, expected))?;
            let machines = (0u32..).zip(&self.model.machines);
            let has = machines.filter(|(_, it)| it.2 == Some(number)).map(|(at, _)| MachineId(at));
            let real: Vec<_> = self.real.machines_of(name).collect();
            equal("machines of a job", real, has.collect())?;
        }
        for user in 0..=self.setup.users {
            equal("user", self.real.user(UserId(user as u32)), self.model.user(user))?;
        }
        for class in 0..self.setup.times.len() {
            for at in 0..self.setup.machines + self.setup.clusters.len() {
                let real = self.real.expected(JobClass(class as u32), ResourceId(at as u32));
                equal("expected time", real.map(Duration::ticks), self.model.expected(class, at))?;
            }
        }
        Ok(())
    }
}
