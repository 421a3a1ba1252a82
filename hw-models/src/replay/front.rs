//! A queue of the kernel in front of a machine.

use super::order::{BEHIND, Shares};
use super::promise_figures::{Promise, PromiseFigures, Waiting, Watch};
use super::{Order, OutageQueue};
use crate::machine::{Affected, Machine, Placement, Refusal, Spot, Token};
use crate::outages::Outage;
use crate::workload::Job;
use locox::cube::Node;
use locox::dispatch::{self, Error, Queue, Ticket};
use locox::reserve::Interval;
use locox::time::{Duration, Instant};
use slab::Slab;
use std::collections::HashSet;
use std::ops::DerefMut;

/// Jobs on their way through a queue to a machine. A job is known by its place among those that
/// wait or run; it may be another's when it has ended.
///
/// - `releases` counts the jobs that have ended or failed, and the outages that have ended. A job that
///   was refused is not tried again before the next one.
/// - `starts` counts the jobs that have started.
/// - `outside` counts those that wait and are not in the queue.
/// - `arrivals` counts the jobs that have come.
/// - `announced` are the nodes of outages that the queue knows the ends of, and that have not ended.
#[derive(Clone)]
pub(super) struct Front<M, Q> {
    pub(super) machine: M,
    pub(super) queue: Q,
    present: Slab<Present>,
    outside: usize,
    releases: u64,
    announced: Vec<(Node, Interval)>,
    /// Room to list jobs that end together.
    ended: Vec<Ticket>,
    starts: u64,
    arrivals: u64,
    keys: Keys,
    watch: Watch,
}

/// The keys by which jobs stand in line.
#[derive(Clone)]
enum Keys {
    Arrival,
    Shortest,
    FairShare(Shares),
    /// All are alike, and somebody puts one before the others; or that one alone is in the queue.
    Choice {
        alone: bool,
    },
}

/// A job that waits or runs.
///
/// - `ticket` is what the queue knows it by, if it is in the queue.
/// - `arrival` is the number of jobs that came before it.
/// - `refused` is the number of releases at which it was refused last.
/// - `waiting` is what it has been promised while it waits.
/// - `run` is there while it runs.
#[derive(Clone)]
struct Present {
    job: Job,
    ticket: Option<Ticket>,
    arrival: u64,
    refused: u64,
    failed: bool,
    waiting: Option<Waiting>,
    run: Option<Running>,
}

/// A run: where, since when, and the number of starts before it.
#[derive(Clone, Copy)]
struct Running {
    placement: Placement,
    since: Instant,
    start: u64,
}

/// A run that an outage has ended.
pub(super) struct FailedRun {
    /// The job's place.
    pub(super) at: usize,
    /// Whether an outage hits it for the first time.
    pub(super) first: bool,
    /// What is lost, in processors asked for times ticks.
    pub(super) lost: f64,
}

/// The key of a job that was put first, and of all others where that is done.
const FIRST: u64 = 0;
const OTHERS: u64 = 1;

const HAS_ROOM: &str = "room for each job, and none too large";
const IN_QUEUE: &str = "a job that runs, or that others wait with, is in the queue";
const RUNS: &str = "a job that ends or fails runs";

impl Keys {
    /// That of a job that waits from now on, and the job that stands [`BEHIND`] for it.
    fn wait(&mut self, at: usize, arrival: u64, job: &Job) -> (u64, Option<usize>) {
        match self {
            Self::Arrival => (0, None),
            Self::Shortest => (limit(job).ticks(), None),
            Self::FairShare(shares) => shares.wait(at, arrival, job),
            Self::Choice { .. } => (OTHERS, None),
        }
    }
}

impl<M: DerefMut<Target: Machine>, Q: DerefMut<Target: OutageQueue>> Front<M, Q> {
    pub(super) fn new(machine: M, queue: Q, order: Order) -> Self {
        let keys = match order {
            Order::Arrival => Keys::Arrival,
            Order::Shortest => Keys::Shortest,
            Order::FairShare => Keys::FairShare(Shares::default()),
        };
        let present = Slab::new();
        let (releases, announced, ended) = (1, vec![], vec![]);
        let (outside, starts, arrivals) = (0, 0, 0);
        Self {
            machine,
            queue,
            present,
            outside,
            releases,
            announced,
            ended,
            starts,
            arrivals,
            keys,
            watch: Watch::default(),
        }
    }

    /// Jobs stand as they come, but for those that are [put first](Self::put_first). If it is to be `alone`,
    /// the others stay out of the queue.
    pub(super) fn order_by_choice(&mut self, alone: bool) {
        self.keys = Keys::Choice { alone };
    }

    /// A job that waits stands before all others.
    pub(super) fn put_first(&mut self, now: Instant, at: usize) {
        if self.present[at].ticket.is_some() {
            return self.rekey_one(now, at, FIRST);
        }
        let ticket =
            self.push(now, at, &self.present[at].job.clone(), FIRST, true).expect(HAS_ROOM);
        self.present[at].ticket = Some(ticket);
        self.outside -= 1;
    }

    fn rekey_one(&mut self, now: Instant, at: usize, key: u64) {
        let ticket = self.present[at].ticket.expect(IN_QUEUE);
        self.queue.rekey(now, ticket, key).expect("a job that waits can be moved");
    }

    /// Jobs that wait.
    pub(super) fn waiting_jobs(&self) -> usize {
        self.queue.len() + self.outside
    }

    /// Jobs that have started, ended or failed, and outages that have ended.
    pub(super) fn changes(&self) -> u64 {
        self.starts + self.releases
    }

    /// Jobs that run.
    pub(super) fn running_jobs(&self) -> usize {
        self.present.len() - self.waiting_jobs()
    }

    pub(super) fn job(&self, at: usize) -> &Job {
        &self.present[at].job
    }

    /// A job arrives, and waits if the machine could ever run it; what it is known by then. The queue gets
    /// more entries when it is full.
    pub(super) fn arrive(&mut self, now: Instant, job: Job) -> Option<usize> {
        self.enter(now, job, true).expect(HAS_ROOM)
    }

    /// As [`Self::arrive`], if the queue takes the job as it is.
    pub(super) fn try_arrive(
        &mut self,
        now: Instant,
        job: Job,
    ) -> Result<Option<usize>, dispatch::Error> {
        self.enter(now, job, false)
    }

    fn enter(
        &mut self,
        now: Instant,
        job: Job,
        grows: bool,
    ) -> Result<Option<usize>, dispatch::Error> {
        if !self.machine.can_ever(&job) {
            return Ok(None);
        }
        self.machine.learn(&job);
        let (at, arrival) = (self.present.vacant_key(), self.arrivals);
        let ticket = match self.keys {
            Keys::Choice { alone: true } => None,
            _ => {
                // Nobody came later, so nobody stands behind for it.
                let (key, _) = self.keys.wait(at, arrival, &job);
                Some(self.push(now, at, &job, key, grows)?)
            }
        };
        self.outside += usize::from(ticket.is_none());
        self.arrivals += 1;
        let waits =
            Present { job, ticket, arrival, refused: 0, failed: false, waiting: None, run: None };
        self.present.insert(waits);
        Ok(Some(at))
    }

    /// A job joins the queue, which gets more entries if it `grows` and is full.
    fn push(
        &mut self,
        now: Instant,
        at: usize,
        job: &Job,
        key: u64,
        grows: bool,
    ) -> Result<Ticket, dispatch::Error> {
        let id = u32::try_from(at).expect("the kernel numbers fewer than 2^32 jobs");
        self.queue.note(id, job);
        let queued = dispatch::Job::new(id, self.machine.size(job)).within(limit(job)).keyed(key);
        match self.queue.push(now, queued) {
            Err(Error::Refused(dispatch::Refusal::Full { entries })) if grows => {
                self.queue.make_room(2 * entries as usize);
                self.queue.push(now, queued)
            }
            pushed => pushed,
        }
    }

    /// The next job that the queue offers and the machine takes. `on_refusal` hears why it does
    /// not.
    pub(super) fn start(
        &mut self,
        now: Instant,
        mut on_refusal: impl FnMut(Refusal),
    ) -> Option<(usize, Placement)> {
        let Self { machine, queue, present, releases, starts, .. } = self;
        let mut start = |job: dispatch::Job, spot: Option<Spot<'_>>| {
            let present = &mut present[job.id as usize];
            if present.refused == *releases {
                return false;
            }
            let started = match spot {
                Some(spot) => machine.start_at(&present.job, spot),
                None => machine.start(&present.job),
            };
            match started {
                Ok(placement) => {
                    present.run = Some(Running { placement, since: now, start: *starts });
                    *starts += 1;
                }
                Err(refusal) => {
                    present.refused = *releases;
                    on_refusal(refusal);
                }
            }
            present.run.is_some()
        };
        let (_, job) = queue.next_at(now, &mut start)?;
        let at = job.id as usize;
        self.rekey(now, at);
        let run = self.present[at].run.expect("a queue names the job that was taken");
        Some((at, run.placement))
    }

    /// Nobody else starts now: what is promised to those who wait.
    pub(super) fn look_at_promises(&mut self) {
        let Self { queue, present, watch, .. } = self;
        let Some(counted) = queue.moved_later() else { return };
        let promised_before = watch.look();
        queue.promised(&mut |job, at| {
            watch.see(job, &mut present[job as usize].waiting, at.start, counted);
        });
        for job in promised_before {
            let waiting = present.get_mut(job as usize).and_then(|it| it.waiting.as_mut());
            waiting.into_iter().for_each(|waiting| watch.miss(waiting, counted));
        }
        watch.end_look(counted);
    }

    /// What a job was promised that has just started.
    pub(super) fn promise_of(&mut self, now: Instant, at: usize) -> Option<Promise> {
        let counted = self.queue.moved_later()?;
        self.watch.start(self.present[at].waiting.take(), now, counted)
    }

    /// What became of all promises, if the queue makes any.
    pub(super) fn promises(&self) -> Option<PromiseFigures> {
        self.queue.moved_later().map(|_| self.watch.figures())
    }

    /// Under fair shares the owner of a job that starts has had more from now on.
    fn rekey(&mut self, now: Instant, at: usize) {
        let Keys::FairShare(shares) = &mut self.keys else { return };
        let Present { job, arrival, .. } = &self.present[at];
        if let Some((first, key)) = shares.start(now, *arrival, job, limit(job)) {
            self.rekey_one(now, first, key);
        }
    }

    /// Whether a job runs just as long as it may.
    pub(super) fn ends_as_planned(&self, at: usize) -> bool {
        let job = self.job(at);
        job.run == limit(job)
    }

    /// When a running job has run for as long as it may; `None` if that never comes.
    pub(super) fn last_instant(&self, at: usize) -> Option<Instant> {
        let Present { job, run, .. } = &self.present[at];
        run.expect("it runs").since.checked_add(limit(job))
    }

    /// A running job ends.
    pub(super) fn finish(&mut self, now: Instant, at: usize) {
        self.finish_together(now, &[at]);
    }

    /// Running jobs end at the same time.
    pub(super) fn finish_together(&mut self, now: Instant, places: &[usize]) {
        self.ended.clear();
        for &at in places {
            let Present { ticket, run, .. } = self.present.remove(at);
            self.machine.finish(run.expect(RUNS).placement);
            self.ended.push(ticket.expect(IN_QUEUE));
            self.releases += 1;
        }
        self.queue.finished_together(now, &self.ended).expect(RUNS);
    }

    /// An outage is to come.
    pub(super) fn announce(&mut self, now: Instant, outage: &Outage) {
        let Outage { start, end: Some(end), .. } = *outage else { return };
        let all = self.machine.nodes();
        let nodes = outage.nodes.iter().filter(|&&node| node < all).map(|&node| Node(node));
        let (nodes, during): (Vec<Node>, _) = (nodes.collect(), Interval { start, end });
        self.queue.announce(now, &nodes, during);
        self.announced.extend(nodes.into_iter().map(|node| (node, during)));
    }

    /// Whether the queue knows of an outage what there is to know.
    fn is_announced(&self, outage: &Outage) -> bool {
        self.queue.heeds_announcements() && outage.known_ahead().is_some()
    }

    /// An outage begins: what it holds, and the runs that fail, in the order of their starts. None on a
    /// machine that knows no outages.
    pub(super) fn withdraw(
        &mut self,
        now: Instant,
        outage: &Outage,
    ) -> Option<(Affected, Vec<FailedRun>)> {
        let mut hit = HashSet::new();
        let outages = self.machine.outages()?;
        let before = outages.serving();
        let affected = outages.begin(outage, &mut |token| _ = hit.insert(token));
        let gone = before - outages.serving();
        if !self.is_announced(outage) {
            self.queue.withdraw(now, gone).expect("as many served");
            self.queue.withdraw_nodes(now, affected.nodes());
        }
        let failed = self.running(&hit).into_iter().map(|at| self.fail(now, at)).collect();
        Some((affected, failed))
    }

    /// An outage ends.
    pub(super) fn repair(&mut self, now: Instant, outage: &Outage, affected: Affected) {
        let outages = self.machine.outages().expect("an outage has begun here");
        let before = outages.serving();
        outages.end(affected.clone());
        let back = outages.serving() - before;
        self.announced.retain(|(_, during)| during.end > now);
        if !self.is_announced(outage) {
            self.queue.repair(now, back).expect("as many were out of service");
            affected.nodes().iter().for_each(|&node| self.repair_node(now, node));
        }
        self.releases += 1;
    }

    /// An outage of a node ends of which the queue did not know when it would. Those that it knows of the same node would end
    /// before that one, so they are taken back, too, and announced again.
    fn repair_node(&mut self, now: Instant, node: Node) {
        let known = self.announced.iter().filter(|it| it.0 == node).map(|it| it.1);
        let known: Vec<Interval> = known.collect();
        self.queue.repair_nodes(now, &vec![node; known.len() + 1]);
        known.into_iter().for_each(|during| self.queue.announce(now, &[node], during));
    }

    /// Processors out of service.
    pub(super) fn out_of_service(&mut self) -> u32 {
        let serving = self.machine.outages().map(|outages| outages.serving());
        serving.map_or(0, |serving| self.machine.processors() - serving)
    }

    /// The jobs that run under these tokens, the first to start first. Cost: a look at each that runs.
    fn running(&self, tokens: &HashSet<Token>) -> Vec<usize> {
        let hit = |run: &Running| tokens.contains(&run.placement.token);
        let runs = self.present.iter().filter_map(|(at, present)| Some((present.run?, at)));
        let mut found: Vec<(u64, usize)> =
            runs.filter(|(run, _)| hit(run)).map(|(run, at)| (run.start, at)).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// Whether a job runs.
    pub(super) fn runs(&self, at: usize) -> bool {
        self.present[at].run.is_some()
    }

    /// A running job fails, and waits again.
    fn fail(&mut self, now: Instant, at: usize) -> FailedRun {
        let present = &mut self.present[at];
        let Running { placement, since, .. } = present.run.take().expect("a job that fails runs");
        let first = !present.failed;
        present.failed = true;
        self.machine.finish(placement);
        self.releases += 1;
        let ticket = present.ticket.expect(IN_QUEUE);
        if let Keys::Choice { alone: true } = self.keys {
            present.ticket = None;
            self.outside += 1;
            self.queue.finished(now, ticket).expect(RUNS);
        } else {
            self.queue.requeue(now, ticket).expect(RUNS);
            if let Keys::FairShare(_) | Keys::Choice { .. } = self.keys {
                let Present { job, arrival, .. } = &self.present[at];
                let (key, behind) = self.keys.wait(at, *arrival, job);
                behind.into_iter().for_each(|at| self.rekey_one(now, at, BEHIND));
                self.rekey_one(now, at, key);
            }
        }
        let time = now.ticks() - since.ticks();
        FailedRun { at, first, lost: f64::from(placement.processors) * time as f64 }
    }
}

/// How long a job may run: as long as its user said or, where the trace does not know, as long as
/// it does; at least a tick. One that runs longer is not killed: it follows the log, and EASY takes it to end any
/// moment; conservative backfilling, where that delays a promise, to run for as long again as it has run.
fn limit(job: &Job) -> Duration {
    job.requested.unwrap_or(job.run).max(Duration::from_ticks(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Pool;
    use crate::replay::QueueKind;
    use locox::subcube;

    fn job(processors: u32) -> Job {
        Job {
            id: 0,
            line: None,
            submit: Instant::ZERO,
            processors,
            shape: None,
            memory: 0,
            demand: None,
            run: Duration::from_ticks(1),
            requested: None,
            user: None,
        }
    }

    #[test]
    fn a_refused_job_is_tried_again_after_a_release_and_not_before() {
        let (jobs, mut pool) = ([job(1), job(4)], Pool::new(4));
        let mut queue = QueueKind::Fcfs.queue(2, 4);
        let mut front = Front::new(&mut pool, &mut *queue, Order::Arrival);
        jobs.into_iter().for_each(|job| _ = front.arrive(Instant::ZERO, job));
        let mut refusals = vec![];
        let (first, _) = front.start(Instant::ZERO, |_| panic!("it fits")).unwrap();
        assert_eq!(front.start(Instant::ZERO, |refusal| refusals.push(refusal)), None);
        let too_few = subcube::Refusal::TooFewFree { needed: 4, free: 3 };
        assert_eq!((first, refusals), (0, vec![too_few.into()]));
        assert_eq!(front.start(Instant::ZERO, |_| panic!("nothing was released")), None);
        front.finish(Instant::ZERO, 0);
        let started = front.start(Instant::ZERO, |_| panic!("it fits"));
        assert_eq!(started.map(|(index, _)| index), Some(1));
    }
}
