//! Software in the loop: the coordinator that ships, among clients, machines and a network monitor
//! that do not.

use crate::events::EventQueue;
use locox::mapping::{Site, Times};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{
    Command, Config, Coordinator, Effect, JobClass, JobId, MachineId, Policy, QueueId, ResourceId,
    Run, SiteModel, Status, UserId,
};
use locox_recorded::{Store, Study};
use locox_storage::Log;

/// A job that a client submits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Submission {
    /// When.
    pub at: Instant,
    /// To which queue.
    pub queue: u32,
    /// Its class.
    pub class: u32,
    /// How many times as long as its class takes it really takes, wherever it runs.
    pub factor: f64,
}

/// How a site is run.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The coordinator's parameters.
    pub config: Config,
    /// A policy a queue, from the most urgent on.
    pub queues: Vec<Policy>,
    /// What the coordinator is told of run times; `None`: the truth.
    pub told: Option<Vec<Duration>>,
    /// When an interconnect, by number, goes down, and until when: what the monitor sees.
    pub outages: Vec<(u32, Instant, Instant)>,
    /// Whether invariants are looked at after each step.
    pub checked: bool,
}

impl Rules {
    /// One queue of this policy, and nothing that fails.
    pub fn new(config: Config, policy: Policy) -> Self {
        Self { config, queues: vec![policy], told: None, outages: vec![], checked: false }
    }
}

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// When it had ended.
    pub end: Instant,
    /// Where it ran in the end.
    pub resource: ResourceId,
    /// How often it lost its place.
    pub preemptions: u32,
    /// Whether it ran on a cluster.
    pub is_parallel: bool,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Submit(usize),
    End(Run),
    Link(u32, bool),
    Wake,
}

/// The world around a coordinator.
struct World<'s> {
    site: Coordinator<'s>,
    study: &'s Study,
    rules: &'s Rules,
    jobs: &'s [Submission],
    events: EventQueue<Event>,
    /// The number of the job in each row.
    of_row: Vec<usize>,
    done: Vec<Option<Done>>,
    preemptions: Vec<u32>,
    /// The run of each row, and when it started.
    started: Vec<Option<(Run, Instant)>>,
    wakes: Option<Instant>,
    serial: u32,
    /// What the coordinator was told, if that is noted, and how many commands at most.
    log: Option<(Log, u64)>,
}

/// Runs all jobs on the site of the study; what became of each, in their order.
///
/// # Panics
///
/// If the coordinator does not take what a world that keeps to its rules says.
pub fn run(study: &Study, rules: &Rules, jobs: &[Submission]) -> Vec<Done> {
    in_world(study, rules, jobs, None, |world| {
        world.done.into_iter().map(|done| done.expect("all jobs end")).collect()
    })
}

/// The history of the coordinator that such a run has, up to so many commands.
///
/// # Panics
///
/// As [`run`].
pub(crate) fn history(study: &Study, rules: &Rules, jobs: &[Submission], most: u64) -> Vec<u8> {
    let bytes = |world: World| world.log.expect("it is noted").0.into_bytes();
    in_world(study, rules, jobs, Some(most), bytes)
}

fn in_world<T>(
    study: &Study,
    rules: &Rules,
    jobs: &[Submission],
    noted: Option<u64>,
    then: impl FnOnce(World) -> T,
) -> T {
    let clusters = study.clusters();
    let site = Site::new(study.machines(), &clusters).expect("members are machines");
    let cells = rules.told.as_deref().unwrap_or(study.cells());
    let times = Times::new(cells, site.resources()).expect("rows are whole");
    let known = SiteModel { site, times, classes: study.classes() };
    let mut store = Store::new(study, &rules.config, rules.queues.len(), jobs.len());
    let coordinator = Coordinator::new(rules.config, known, store.columns(), Instant::ZERO);
    let coordinator = coordinator.expect("the columns fit");
    let mut world = World {
        log: noted.map(|most| (Log::begin(&coordinator), most)),
        site: coordinator,
        study,
        rules,
        jobs,
        events: EventQueue::new(),
        of_row: vec![0; jobs.len()],
        done: vec![None; jobs.len()],
        preemptions: vec![0; jobs.len()],
        started: vec![None; jobs.len()],
        wakes: None,
        serial: 0,
    };
    world.run();
    then(world)
}

impl World<'_> {
    fn run(&mut self) {
        // The least urgent first, so that they agree at each step.
        for (queue, &policy) in self.rules.queues.iter().enumerate().rev() {
            self.say(Instant::ZERO, Command::SetPolicy { queue: QueueId(queue as u32), policy });
        }
        for machine in (0..self.study.machines() as u32).map(MachineId) {
            self.say(Instant::ZERO, Command::MachineBack { machine, boot: 1 });
        }
        for (number, job) in self.jobs.iter().enumerate() {
            self.events.schedule(job.at, Event::Submit(number));
        }
        for &(link, from, until) in &self.rules.outages {
            self.events.schedule(from, Event::Link(link, false));
            self.events.schedule(until, Event::Link(link, true));
        }
        while !self.is_noted()
            && let Some((now, event)) = self.events.take()
        {
            self.happen(now, event);
            self.carry_out(now);
            self.wake_up_later();
        }
    }

    /// Whether as much was noted as was wanted.
    fn is_noted(&self) -> bool {
        self.log.as_ref().is_some_and(|(log, most)| log.commands() >= *most)
    }

    fn say(&mut self, now: Instant, command: Command) -> Option<JobId> {
        if let Some((log, most)) = &mut self.log
            && log.commands() < *most
        {
            log.command(now, command, ());
        }
        let answer = self.site.apply(now, command);
        if self.rules.checked {
            self.site.check_invariants().expect("invariants hold");
        }
        answer.unwrap_or_else(|error| panic!("{command:?}: {error}"))
    }

    fn happen(&mut self, now: Instant, event: Event) {
        match event {
            Event::Submit(number) => {
                let Submission { queue, class, .. } = self.jobs[number];
                self.serial += 1;
                let (queue, class) = (QueueId(queue), JobClass(class));
                let submit = Command::Submit { user: UserId(0), serial: self.serial, queue, class };
                let name = self.say(now, submit).expect("a submission has an answer");
                self.of_row[name.handle().index() as usize] = number;
            }
            Event::End(run) => {
                let row = run.job.handle().index() as usize;
                // It may have been preempted since.
                let Some((_, from)) = self.started[row].filter(|(it, _)| *it == run) else {
                    return;
                };
                self.finish(now, run, from);
            }
            Event::Link(link, true) => {
                self.say(now, Command::LinkUp { link });
            }
            Event::Link(link, false) => {
                self.say(now, Command::LinkDown { link });
            }
            Event::Wake => {
                self.wakes = None;
                self.say(now, Command::Tick);
            }
        }
    }

    fn finish(&mut self, now: Instant, run: Run, from: Instant) {
        let row = run.job.handle().index() as usize;
        let resource = match self.site.status(run.job) {
            Ok(Status::Running { resource, .. } | Status::Leaving { resource, .. }) => resource,
            other => panic!("a job that ran is {other:?}"),
        };
        let number = self.of_row[row];
        self.started[row] = None;
        self.done[number] = Some(Done {
            end: now,
            resource,
            preemptions: self.preemptions[number],
            is_parallel: resource.0 as usize >= self.study.machines(),
        });
        let took = now.since(from).unwrap_or(Duration::ZERO);
        self.say(now, Command::Finished { run, took });
    }

    fn carry_out(&mut self, now: Instant) {
        while let Some(effect) = self.site.take_effect() {
            if let Some((log, _)) = &mut self.log {
                log.effect();
            }
            match effect {
                Effect::Dispatch { run, class, resource } => {
                    let row = run.job.handle().index() as usize;
                    let at = class.0 as usize * self.study.resources() + resource.0 as usize;
                    let takes = self.study.cells()[at].ticks() as f64;
                    let takes = (takes * self.jobs[self.of_row[row]].factor).round().max(1.0);
                    let end = now.saturating_add(Duration::from_ticks(takes as u64));
                    self.started[row] = Some((run, now));
                    self.events.schedule(end, Event::End(run));
                }
                Effect::Preempt { run, .. } => {
                    let row = run.job.handle().index() as usize;
                    self.started[row] = None;
                    self.preemptions[self.of_row[row]] += 1;
                    self.say(now, Command::Vacated { run });
                }
            }
        }
    }

    fn wake_up_later(&mut self) {
        let Some(at) = self.site.wake_at() else { return };
        if self.wakes.is_none_or(|before| at < before) {
            self.wakes = Some(at);
            self.events.schedule(at, Event::Wake);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{batch, poisson};
    use locox::handle::PoolId;
    use locox::mapping::Basis;
    use locox_coordinators::site::{Algorithm, Claim, Learning, Remap};

    fn config() -> Config {
        Config::new(Duration::from_ticks(10_000), PoolId(1))
    }

    fn queues(claims: [Claim; 3]) -> Vec<Policy> {
        let policy = |(level, claim)| Policy { level, claim, ..Policy::EMPTY };
        (0..).zip(claims).map(policy).collect()
    }

    #[test]
    fn all_jobs_end_under_every_rule_and_the_invariants_hold() {
        let study = Study::new();
        let jobs = poisson(60, 8.0, &[1, 1, 2], 0.5, 7, 0);
        for remap in [Remap::Waiting, Remap::New] {
            let learning = Some(Learning { memory: 50, basis: Basis::Class, risk: 0 });
            let rules = Rules {
                queues: queues([Claim::Takes, Claim::Neither, Claim::Loses]),
                told: Some(vec![Duration::from_ticks(50_000); study.cells().len()])
                    .map(|told: Vec<Duration>| known_where(&study, told)),
                outages: vec![(0, Instant::from_ticks(5_000), Instant::from_ticks(90_000))],
                checked: true,
                ..Rules::new(Config { remap, learning, ..config() }, Policy::EMPTY)
            };
            let done = run(&study, &rules, &jobs);
            assert_eq!(done, run(&study, &rules, &jobs), "same world, same end");
            assert!(jobs.iter().zip(&done).all(|(job, done)| done.end > job.at));
        }
    }

    /// Where a class cannot run is told in any case.
    fn known_where(study: &Study, told: Vec<Duration>) -> Vec<Duration> {
        let cells = told.into_iter().zip(study.cells());
        cells.map(|(told, &is)| if is == Times::NEVER { is } else { told }).collect()
    }

    #[test]
    fn where_nothing_deviates_the_algorithms_stand_in_their_order() {
        let study = Study::new();
        let config = Config { remap: Remap::New, ..config() };
        let end = |algorithm, jobs: &[Submission]| {
            let policy = Policy { algorithm, ..Policy::EMPTY };
            let done = run(&study, &Rules::new(config, policy), jobs);
            done.iter().map(|done| done.end.ticks()).sum::<u64>()
        };
        let (few, many) = (batch(5, &[1], 3, 0), batch(150, &[1], 3, 0));
        assert!(end(Algorithm::Pjs, &few) < end(Algorithm::Sjs, &few));
        assert!(end(Algorithm::Pjs, &many) <= end(Algorithm::Sjs, &many));
        assert!(end(Algorithm::Sjs, &many) < end(Algorithm::Olb, &many));
    }
}
