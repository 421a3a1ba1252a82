//! A replay, event by event.

use super::agenda::{Agenda, Turn};
use super::fragmentation::Fragmentation;
use super::front::Front;
use super::outage_figures::OutageTally;
use super::outcome::End;
use super::promised_places::PlaceWatch;
use super::{Decisions, JobRecord, Options, OutageQueue, Outcome, Refusals, ReplayError};
use crate::events::EventQueue;
use crate::machine::{Machine, Placement, Refusal};
use crate::moment::Moment;
use crate::outages::Outage;
use crate::workload::Job;
use locox::dispatch::Queue;
use locox::subcube;
use locox::time::Instant;
use std::borrow::Borrow;
use std::collections::VecDeque;
use std::ops::DerefMut;

/// What happened. `job` counts the jobs in the order in which they come, from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A job came, and waits.
    Arrived {
        /// Which.
        job: usize,
    },
    /// A job came that is larger than the machine; it does not run.
    Rejected {
        /// Which.
        job: usize,
        /// The record of a job that did not run.
        record: JobRecord,
    },
    /// A job started; once more, if an outage had hit it.
    Started {
        /// Which.
        job: usize,
        /// With the end that it will have unless an outage hits it.
        record: JobRecord,
    },
    /// A job ended.
    Ended {
        /// Which.
        job: usize,
    },
    /// Outages began or ended.
    Service,
    /// Jobs wait, and the caller is to say which one is next: [`Simulation::choose`].
    Choice,
    /// Nothing more happens.
    Done,
}

/// Jobs that run on a machine as a queue decides, one event after the other.
///
/// Jobs come from an iterator, by the time of their submission, and none is held that neither waits
/// nor runs: memory follows how many do at once. The order of events is that of [`Options::decisions`].
///
/// Machine and queue may be borrowed or boxed. The machine must be idle, the queue empty.
///
/// A clone is a snapshot: what happens in one is not felt in the other. Machine, queue and jobs must be
/// ones that can be cloned, so owned: a boxed [`Pool`](crate::machine::Pool) and any boxed queue of
/// [`QueueKind::queue`](super::QueueKind::queue) can, a cube cannot, for the kernel's allocators are not copied.
///
/// After [`Simulation::chosen_by_caller`] the caller says who is next, and the queue does the rest: what
/// was chosen stands at the head of the line until it starts, and the queue may backfill others in the
/// order of their arrival.
///
/// Cost: O(log r) for each event with r jobs running, plus what machine and queue take.
///
/// ```
/// use locox_models::machine::Pool;
/// use locox_models::replay::{Event, Options, QueueKind, Simulation};
/// use locox_models::workload::synthetic::Synthetic;
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let (jobs, machine) = (day.jobs.iter().cloned(), Box::new(Pool::new(128)));
/// let queue = QueueKind::Easy.queue(day.jobs.len(), 128);
/// let mut simulation =
///     Simulation::new(&day.name, jobs, machine, queue, Options::default()).chosen_by_caller();
/// let mut started = 0;
/// loop {
///     match simulation.step().unwrap() {
///         Event::Choice => {
///             let waiting = simulation.waiting().enumerate();
///             let (smallest, _) = waiting.min_by_key(|(_, job)| job.processors).unwrap();
///             simulation.choose(smallest);
///         }
///         Event::Started { .. } => started += 1,
///         Event::Done => break,
///         _ => {}
///     }
/// }
/// assert_eq!(started, day.jobs.len());
/// ```
///
/// # Invariants
///
/// - `next` is the next job to come, and `arrived` counts those before it.
/// - `indices` says of those that wait or run which of them they are.
/// - `steps` are what is left of the instant `now`; while `deciding` the queue is asked before them.
#[derive(Clone)]
pub struct Simulation<'a, M, Q, J> {
    name: &'a str,
    front: Front<M, Q>,
    options: Options<'a>,
    agenda: Agenda<'a>,
    jobs: J,
    next: Option<Job>,
    arrived: usize,
    indices: Vec<usize>,
    completions: EventQueue<usize>,
    now: Instant,
    steps: VecDeque<Step>,
    deciding: bool,
    choices: Option<Choices>,
    refusals: Refusals,
    last_refusal: Option<Refusal>,
    pub(super) peak_queue: usize,
    tally: OutageTally,
    fragmentation: Option<Fragmentation>,
    places: PlaceWatch,
}

/// What is to happen at an instant.
#[derive(Clone)]
enum Step {
    /// The job of this place ends; the queue is asked, or not yet.
    End { at: usize, decide: bool },
    /// This job has ended together with others; the queue is not asked yet.
    Ended { job: usize },
    /// Outages end and begin, and the queue is asked.
    Service,
    /// A job comes, if one does at this instant; or all of them.
    Arrive { all: bool, decide: bool },
    /// The queue is asked.
    Decide,
}

/// What the caller chooses from.
///
/// - `waiting` has the jobs that wait, by number and place, in the order of their arrival.
/// - `chosen` is the place of one of them.
#[derive(Clone, Default)]
struct Choices {
    waiting: Vec<(usize, usize)>,
    chosen: Option<usize>,
}

impl<'a, M, Q, J> Simulation<'a, M, Q, J>
where
    M: DerefMut<Target: Machine>,
    Q: DerefMut<Target: OutageQueue>,
    J: Iterator<Item = Job>,
{
    /// A simulation in which nothing has happened. `name` is the workload's, for errors.
    pub fn new(name: &'a str, mut jobs: J, mut machine: M, queue: Q, options: Options<'a>) -> Self {
        let next = jobs.next();
        let mix = options.fragmentation;
        let fragmentation = mix.and_then(|jobs| Fragmentation::of(&mut *machine, jobs));
        let agenda = Agenda::new(options.outages, queue.heeds_announcements());
        Self {
            name,
            front: Front::new(machine, queue, options.order),
            options,
            agenda,
            jobs,
            next,
            arrived: 0,
            indices: vec![],
            completions: EventQueue::new(),
            now: Instant::ZERO,
            steps: VecDeque::new(),
            deciding: false,
            choices: None,
            refusals: Refusals::default(),
            last_refusal: None,
            peak_queue: 0,
            tally: OutageTally::default(),
            fragmentation,
            places: PlaceWatch::new(options.promised_places),
        }
    }

    /// The simulation, in which the caller says which job is next, whatever [`Options::order`] says.
    pub fn chosen_by_caller(mut self) -> Self {
        self.front.order_by_choice(false);
        self.choices = Some(Choices::default());
        self
    }

    /// As [`Simulation::chosen_by_caller`], where nobody passes the one that was chosen: the queue knows no
    /// other. So it has less to do.
    ///
    /// # Panics
    ///
    /// If the queue plans: it has to know all jobs.
    pub fn chosen_strictly_by_caller(mut self) -> Self {
        assert!(!self.front.queue.plans(), "a queue that knows an order only");
        self.front.order_by_choice(true);
        self.choices = Some(Choices::default());
        self
    }

    /// The time of what happened last.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// How it stands. Cost: O(1).
    pub fn moment(&self) -> Moment {
        let (waiting, running) = (self.front.waiting_jobs(), self.front.running_jobs());
        Moment {
            now: self.now,
            waiting,
            running,
            done: (self.arrived - waiting - running) as u64,
            used: self.front.machine.in_use(),
            processors: self.front.machine.processors(),
        }
    }

    /// The machine.
    pub fn machine(&self) -> &M::Target {
        &self.front.machine
    }

    /// The jobs from which the caller chooses, in the order of their arrival.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = &Job> {
        let waiting = self.choices.as_ref().map_or(&[][..], |choices| &choices.waiting);
        waiting.iter().map(|&(_, at)| self.front.job(at))
    }

    /// The nth of [`Simulation::waiting`] is next, in answer to [`Event::Choice`].
    ///
    /// # Panics
    ///
    /// If there is no such job, or nothing to choose.
    pub fn choose(&mut self, nth: usize) {
        let choices = self.choices.as_mut().filter(|choices| choices.chosen.is_none());
        let choices = choices.expect("the caller chooses when he is asked");
        let (_, at) = choices.waiting[nth];
        choices.chosen = Some(at);
        self.front.put_first(self.now, at);
    }

    /// What happens next.
    ///
    /// # Panics
    ///
    /// If the queue refuses a job that the machine can run, or if times of submission fall.
    ///
    /// # Errors
    ///
    /// [`ReplayError::EndOfTime`], [`ReplayError::Stuck`], [`ReplayError::NoOutages`]. The simulation is
    /// then in the middle of things, and should be dropped.
    pub fn step(&mut self) -> Result<Event, ReplayError> {
        loop {
            if self.deciding
                && let Some(event) = self.decide()?
            {
                return Ok(event);
            }
            if let Some(step) = self.steps.pop_front() {
                if let Some(event) = self.take(step)? {
                    return Ok(event);
                }
            } else if let Some(now) = self.next_instant() {
                self.look();
                self.now = now;
                self.plan_instant();
            } else if self.front.waiting_jobs() > 0 {
                return Err(self.stuck());
            } else {
                return Ok(Event::Done);
            }
        }
    }

    /// All of the instant has happened.
    fn look(&mut self) {
        if let Some(fragmentation) = &mut self.fragmentation {
            let changes = self.front.changes() + self.tally.levels.len() as u64;
            fragmentation.look(self.now, &mut *self.front.machine, changes);
        }
    }

    /// When the next event happens, be it only that a planned start has come.
    fn next_instant(&self) -> Option<Instant> {
        let arrival = self.next.as_ref().map(|job| job.submit);
        let event = earlier(earlier(self.completions.next_at(), arrival), self.agenda.next_at());
        earlier(event, self.front.queue.wake_at())
    }

    /// In which order things happen at this instant. Outages come after all completions; what their
    /// changes leave to do at the same instant is planned after them.
    fn plan_instant(&mut self) {
        if self.agenda.next_at() == Some(self.now) {
            match self.options.decisions {
                Decisions::EachInstant => self.end_together(),
                _ => self.end_all(),
            }
            self.steps.push_back(Step::Service);
            return;
        }
        match self.options.decisions {
            Decisions::Planned => self.as_planned(),
            Decisions::EachEvent => self.one_event(),
            Decisions::ArrivalsFirst if self.arrives() => {
                self.steps.push_back(Step::Arrive { all: false, decide: true });
            }
            Decisions::ArrivalsFirst => self.one_event(),
            Decisions::EachInstant => {
                self.end_together();
                self.steps.push_back(Step::Arrive { all: true, decide: false });
                self.steps.push_back(Step::Decide);
            }
        }
    }

    fn end_all(&mut self) {
        while let Some(at) = self.completion() {
            self.steps.push_back(Step::End { at, decide: false });
        }
    }

    /// A queue that plans hears of all ends before it moves others into what they leave.
    fn end_together(&mut self) {
        let ended: Vec<usize> = std::iter::from_fn(|| self.completion()).collect();
        self.front.finish_together(self.now, &ended);
        self.steps.extend(ended.iter().map(|&at| Step::Ended { job: self.indices[at] }));
    }

    /// See [`Decisions::Planned`].
    fn as_planned(&mut self) {
        let mut later = VecDeque::new();
        while let Some(at) = self.completion() {
            if self.front.ends_as_planned(at) {
                self.steps.push_back(Step::End { at, decide: false });
                later.push_back(Step::Decide);
            } else {
                later.push_back(Step::End { at, decide: true });
            }
        }
        if self.arrives() {
            self.steps.push_back(Step::Arrive { all: true, decide: true });
        } else if later.is_empty() {
            self.steps.push_back(Step::Decide);
        }
        self.steps.append(&mut later);
    }

    fn one_event(&mut self) {
        let step = match self.completion() {
            Some(at) => Step::End { at, decide: true },
            None if self.arrives() => Step::Arrive { all: false, decide: true },
            None => Step::Decide,
        };
        self.steps.push_back(step);
    }

    /// The next job that completes at this instant.
    fn completion(&mut self) -> Option<usize> {
        self.completions.next_at().filter(|&at| at == self.now)?;
        self.completions.take().map(|(_, at)| at)
    }

    /// Whether a job arrives at this instant.
    fn arrives(&self) -> bool {
        self.next.as_ref().is_some_and(|job| job.submit == self.now)
    }

    fn take(&mut self, step: Step) -> Result<Option<Event>, ReplayError> {
        match step {
            Step::Decide => self.deciding = true,
            Step::Service => {
                self.change_service()?;
                self.deciding = true;
                return Ok(Some(Event::Service));
            }
            Step::End { at, decide } => {
                let job = self.indices[at];
                self.front.finish(self.now, at);
                self.deciding = decide;
                return Ok(Some(Event::Ended { job }));
            }
            Step::Ended { job } => return Ok(Some(Event::Ended { job })),
            Step::Arrive { all, decide } if self.arrives() => {
                self.deciding = decide;
                if all {
                    self.steps.push_front(Step::Arrive { all, decide });
                }
                return Ok(self.arrive());
            }
            Step::Arrive { .. } => {}
        }
        Ok(None)
    }

    fn arrive(&mut self) -> Option<Event> {
        let job = std::mem::replace(&mut self.next, self.jobs.next())?;
        let index = self.arrived;
        self.arrived += 1;
        let record = JobRecord::rejected(&job);
        let Some(at) = self.front.arrive(self.now, job) else {
            return Some(Event::Rejected { job: index, record });
        };
        if at >= self.indices.len() {
            self.indices.resize(at + 1, 0);
        }
        self.indices[at] = index;
        self.choices.iter_mut().for_each(|choices| choices.add(index, at));
        Some(Event::Arrived { job: index })
    }

    fn change_service(&mut self) -> Result<(), ReplayError> {
        while let Some(turn) = self.agenda.take(self.now) {
            match turn {
                Turn::Announced(outage) => self.front.announce(self.now, outage),
                Turn::Ends(outage, affected) => self.front.repair(self.now, outage, affected),
                Turn::Begins(place, outage) => self.withdraw(place, outage)?,
            }
        }
        self.tally.levels.push((self.now, self.front.out_of_service()));
        Ok(())
    }

    fn withdraw(&mut self, place: usize, outage: &Outage) -> Result<(), ReplayError> {
        let Some((affected, failed)) = self.front.withdraw(self.now, outage) else {
            return Err(ReplayError::NoOutages { machine: self.front.machine.name() });
        };
        self.agenda.note(place, affected);
        for run in &failed {
            self.tally.failed_runs += 1;
            self.tally.restarted += u64::from(run.first);
            self.tally.lost += run.lost;
            let index = self.indices[run.at];
            self.choices.iter_mut().for_each(|choices| choices.add(index, run.at));
        }
        if !failed.is_empty() {
            self.completions.retain(|&at| self.front.runs(at));
        }
        Ok(())
    }

    /// The queue, or the caller, is asked once.
    fn decide(&mut self) -> Result<Option<Event>, ReplayError> {
        if self.choices.as_ref().is_some_and(Choices::is_open) {
            return Ok(Some(Event::Choice));
        }
        let Self { front, refusals, last_refusal, .. } = self;
        let started = front.start(self.now, |refusal| {
            refusals.count(refusal);
            *last_refusal = Some(refusal);
        });
        if let Some((at, placement)) = started {
            return self.started(at, placement).map(Some);
        }
        self.deciding = false;
        front.look_at_promises();
        self.places.look(self.now, &*front.queue);
        self.peak_queue = self.peak_queue.max(self.front.waiting_jobs());
        Ok(None)
    }

    fn started(&mut self, at: usize, placement: Placement) -> Result<Event, ReplayError> {
        let (now, job) = (self.now, self.front.job(at));
        let (id, line) = (job.id, job.line);
        let late = || ReplayError::EndOfTime { workload: self.name.into(), id, line };
        let finish = now.checked_add(job.run).ok_or_else(late)?;
        self.completions.schedule(finish, at);
        let allocations = self.options.allocations;
        let promise = self.front.promise_of(now, at);
        let promised_places = self.places.start(now, at);
        let job = self.front.job(at);
        let record = JobRecord {
            promise,
            promised_places,
            start: now,
            finish,
            held: placement.held,
            success: true,
            token: Some(placement.token),
            allocated: allocations.then(|| self.front.machine.allocated(placement)),
            ..JobRecord::rejected(job)
        };
        let job = self.indices[at];
        self.choices.iter_mut().for_each(|choices| choices.remove(job, at));
        Ok(Event::Started { job, record })
    }

    /// The figures over all jobs of a simulation that is done, which are not listed in it.
    pub(super) fn outcome<I: Iterator<Item: Borrow<JobRecord>>>(
        &self,
        jobs: impl Fn() -> I,
    ) -> Outcome {
        let Self { front, refusals, peak_queue, tally, options, fragmentation, .. } = self;
        let end = End {
            machine: front.machine.name(),
            queue: front.queue.name(),
            processors: front.machine.processors(),
            refusals: *refusals,
            peak_queue: *peak_queue,
            tally,
            promises: front.promises(),
            fragmentation: fragmentation.as_ref().map(|it| &it.levels[..]),
            options,
        };
        Outcome::summarise(jobs, end)
    }

    /// What the machine said last is why; a queue that plans does not ask it in vain.
    fn stuck(&self) -> ReplayError {
        let out = (self.tally.out() > 0).then_some(subcube::Refusal::Faulty.into());
        let why = self.last_refusal.or(out);
        ReplayError::Stuck {
            machine: self.front.machine.name(),
            waiting: self.front.waiting_jobs(),
            why: why.map_or("never tried".into(), |refusal| refusal.to_string()),
        }
    }
}

impl Choices {
    /// Whether the caller is to choose.
    fn is_open(&self) -> bool {
        self.chosen.is_none() && !self.waiting.is_empty()
    }

    /// A job waits, for the first time or again.
    fn add(&mut self, job: usize, at: usize) {
        let place = self.waiting.partition_point(|&(other, _)| other < job);
        self.waiting.insert(place, (job, at));
    }

    /// A job starts.
    fn remove(&mut self, job: usize, at: usize) {
        let place = self.waiting.binary_search(&(job, at)).expect("a job that starts has waited");
        self.waiting.remove(place);
        self.chosen = self.chosen.filter(|&chosen| chosen != at);
    }
}

fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        _ => one.or(other),
    }
}
