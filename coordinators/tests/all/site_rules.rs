//! The coordinator of a site, rule by rule.

use locox::error::Error;
use locox::handle::PoolId;
use locox::mapping::{Basis, Cluster, Runs, Site, Times, runs};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{
    Algorithm, Arrays, Claim, Command, Config, Coordinator, Effect, JobClass, JobId, Learning,
    MachineId, Misuse, Policy, QueueId, Refusal, Remap, ResourceId, Run, SiteModel, Status, UserId,
    UserStatus,
};

/// Four machines; clusters of the first two and of the middle two, each with an interconnect.
const MACHINES: u32 = 4;
const CLUSTERS: [Cluster<'static>; 2] = [
    Cluster { members: &[0, 1], least: 2, interconnect: Some(7) },
    Cluster { members: &[1, 2], least: 1, interconnect: Some(9) },
];
const PAIR: ResourceId = ResourceId(4);

const N: u64 = Times::NEVER.ticks();

/// Class 0 takes 100 on any machine, and 30 on the first cluster; class 1 takes 40 on any machine;
/// class 2 can run on the last machine only, class 3 on no machine.
const TIMES: [[u64; 6]; 4] = [
    [100, 100, 100, 100, 30, N],
    [40, 40, 40, 40, N, N],
    [N, N, N, 50, N, N],
    [N, N, N, N, 10, 10],
];
const CLASSES: [u16; 6] = [0, 0, 1, 1, 2, 2];

type Rows = Arrays<6, 4, 6, 4, 2, 3, 2, { runs(6, 3, 1) }>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn ticks(ticks: u64) -> Duration {
    Duration::from_ticks(ticks)
}

fn times() -> &'static [Duration] {
    Box::leak(TIMES.concat().into_iter().map(Duration::from_ticks).collect())
}

fn known() -> SiteModel<'static> {
    SiteModel {
        site: Site::new(MACHINES as usize, &CLUSTERS).unwrap(),
        times: Times::new(times(), 6).unwrap(),
        classes: &CLASSES,
    }
}

fn config() -> Config {
    Config::new(ticks(10), PoolId(3))
}

/// A coordinator, and how the tests talk to it.
struct Talk {
    site: Coordinator<'static>,
    serials: [u32; 2],
}

impl Talk {
    /// All machines are there since the beginning.
    fn new(config: Config) -> Self {
        let mut talk = Self { site: fresh(config), serials: [0; 2] };
        for machine in 0..MACHINES {
            talk.back(machine, 1).unwrap();
        }
        talk
    }

    fn say(&mut self, command: Command) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
        let answer = self.site.apply(self.site.now(), command);
        self.site.check_invariants().unwrap();
        answer
    }

    fn pass(&mut self, until: u64) {
        self.site.apply(at(until), Command::Tick).unwrap();
        self.site.check_invariants().unwrap();
    }

    fn back(&mut self, machine: u32, boot: u32) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
        self.say(Command::MachineBack { machine: MachineId(machine), boot })
    }

    fn lost(&mut self, machine: u32, boot: u32) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
        self.say(Command::MachineLost { machine: MachineId(machine), boot })
    }

    fn submit(&mut self, user: u32, queue: u32, class: u32) -> JobId {
        self.try_submit(user, queue, class).unwrap()
    }

    fn try_submit(
        &mut self,
        user: u32,
        queue: u32,
        class: u32,
    ) -> Result<JobId, Error<Refusal, Misuse>> {
        let serial = self.serials[user as usize] + 1;
        let (user, queue, class) = (UserId(user), QueueId(queue), JobClass(class));
        let answer = self.say(Command::Submit { user, serial, queue, class })?;
        self.serials[user.0 as usize] = serial;
        Ok(answer.unwrap())
    }

    fn policy(&mut self, queue: u32, algorithm: Algorithm, level: u8, claim: Claim) {
        let policy = Policy { algorithm, level, claim, ..Policy::EMPTY };
        self.say(Command::SetPolicy { queue: QueueId(queue), policy }).unwrap();
    }

    fn effects(&mut self) -> Vec<Effect> {
        std::iter::from_fn(|| {
            let next = self.site.peek_effect();
            let taken = self.site.take_effect();
            assert_eq!(next, taken);
            taken
        })
        .collect()
    }

    /// Which jobs are dispatched where, and nothing else.
    fn dispatched(&mut self) -> Vec<(JobId, u32)> {
        let effects = self.effects().into_iter();
        let only = effects.map(|effect| match effect {
            Effect::Dispatch { run, resource, .. } => (run.job, resource.0),
            Effect::Preempt { .. } => panic!("{effect:?}"),
        });
        only.collect()
    }

    fn run_of(&self, job: JobId) -> Run {
        match self.site.status(job).unwrap() {
            Status::Running { run, .. } | Status::Leaving { run, .. } => run,
            waiting => panic!("{waiting:?}"),
        }
    }

    fn finish(&mut self, job: JobId, took: u64) {
        let run = self.run_of(job);
        self.say(Command::Finished { run, took: ticks(took) }).unwrap();
    }

    fn is_waiting(&self, job: JobId) -> bool {
        matches!(self.site.status(job), Ok(Status::Waiting { .. }))
    }
}

fn fresh(config: Config) -> Coordinator<'static> {
    let rows: &'static mut Rows = Box::leak(Box::new(Rows::EMPTY));
    Coordinator::new(config, known(), rows.columns(), at(0)).unwrap()
}

#[test]
fn jobs_are_mapped_together_when_their_quantum_ends() {
    let mut talk = Talk::new(config());
    let first = talk.submit(0, 0, 0);
    assert_eq!(talk.site.wake_at(), Some(at(10)));
    talk.pass(9);
    let second = talk.submit(1, 0, 1);
    assert_eq!(talk.effects(), []);
    talk.pass(10);
    // The cluster pays off for the one; the other takes a machine beside it.
    assert_eq!(talk.dispatched(), [(first, 4), (second, 2)]);
    assert_eq!(talk.site.machines_of(first).collect::<Vec<_>>(), [MachineId(0), MachineId(1)]);
    assert_eq!(talk.site.wake_at(), None, "nobody waits");
    let Ok(Status::Running { until, .. }) = talk.site.status(first) else { panic!() };
    assert_eq!(until, at(40));
}

#[test]
fn a_quantum_ends_at_fixed_times_and_a_submission_at_its_end_is_of_it() {
    let mut talk = Talk::new(config());
    talk.pass(37);
    let first = talk.submit(0, 0, 1);
    assert_eq!(talk.site.wake_at(), Some(at(40)));
    let serial = 1;
    let (user, queue, class) = (UserId(1), QueueId(0), JobClass(1));
    talk.site.apply(at(40), Command::Submit { user, serial, queue, class }).unwrap();
    assert_eq!(talk.effects().len(), 2);
    assert!(!talk.is_waiting(first));
}

#[test]
fn a_job_starts_as_soon_as_all_before_it_have_ended() {
    let mut talk = Talk::new(config());
    let jobs: Vec<_> = (0..5).map(|_| talk.submit(0, 0, 1)).collect();
    talk.pass(10);
    let started = talk.dispatched();
    assert_eq!(started.iter().map(|(_, at)| *at).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let Ok(Status::Waiting { place: Some((place, start)) }) = talk.site.status(jobs[4]) else {
        panic!()
    };
    assert_eq!((place, start), (ResourceId(0), at(50)));
    talk.pass(15);
    talk.finish(jobs[1], 5);
    assert_eq!(talk.effects(), [], "its own machine is still busy");
    talk.finish(jobs[0], 5);
    assert_eq!(talk.dispatched(), [(jobs[4], 0)]);
}

#[test]
fn what_waits_is_mapped_anew_or_keeps_its_place() {
    for (remap, place) in [(Remap::Waiting, 1), (Remap::New, 0)] {
        let mut talk = Talk::new(Config { remap, ..config() });
        let jobs: Vec<_> = (0..5).map(|_| talk.submit(0, 0, 1)).collect();
        talk.pass(10);
        talk.effects();
        talk.pass(15);
        // Machine 1 is free before its time, but the job that waits is expected on machine 0.
        talk.finish(jobs[1], 5);
        assert_eq!(talk.effects(), []);
        let last = talk.submit(1, 0, 1);
        talk.pass(20);
        let started = talk.dispatched();
        let [(job, 1)] = started[..] else { panic!("{started:?}") };
        assert_eq!(job, if place == 1 { jobs[4] } else { last }, "{remap:?}");
    }
}

#[test]
fn jobs_with_places_stay_in_their_turn_when_new_ones_come() {
    let mut talk = Talk::new(Config { remap: Remap::New, ..config() });
    let first: Vec<_> = (0..6).map(|_| talk.submit(0, 0, 2)).collect();
    talk.pass(10);
    assert_eq!(talk.dispatched(), [(first[0], 3)]);
    talk.finish(first[0], 50);
    assert_eq!(talk.dispatched(), [(first[1], 3)]);
    let late = talk.submit(1, 0, 2);
    talk.pass(20);
    let Ok(Status::Waiting { place: Some((_, start)) }) = talk.site.status(late) else { panic!() };
    assert_eq!(start, at(10 + 5 * 50));
    for job in &first[1..] {
        assert!(talk.is_waiting(late));
        talk.finish(*job, 50);
    }
    assert!(!talk.is_waiting(late));
}

#[test]
fn urgent_queues_are_mapped_first_each_by_its_own_algorithm() {
    let mut talk = Talk::new(config());
    talk.policy(0, Algorithm::Sjs, 5, Claim::Neither);
    talk.policy(1, Algorithm::Pjs, 1, Claim::Neither);
    let low: Vec<_> = (0..3).map(|_| talk.submit(0, 0, 0)).collect();
    let urgent = talk.submit(1, 1, 0);
    talk.pass(10);
    let started = talk.dispatched();
    assert!(started.contains(&(urgent, 4)));
    // SJS knows no clusters: two machines are left, and the third waits for the cluster's.
    assert!(started.contains(&(low[0], 2)) && started.contains(&(low[1], 3)));
    assert!(talk.is_waiting(low[2]));
}

fn with_preemption(config: Config) -> Talk {
    let mut talk = Talk::new(config);
    talk.policy(2, Algorithm::Sjs, 9, Claim::Loses);
    talk.policy(1, Algorithm::Sjs, 5, Claim::Neither);
    talk.policy(0, Algorithm::Sjs, 1, Claim::Takes);
    talk
}

#[test]
fn urgent_jobs_take_machines_from_those_that_lose_them_and_from_nobody_else() {
    let mut talk = with_preemption(config());
    let low = talk.submit(0, 2, 2);
    talk.pass(10);
    assert_eq!(talk.dispatched(), [(low, 3)]);
    let lost = talk.run_of(low);
    let urgent = talk.submit(0, 0, 2);
    talk.pass(20);
    assert_eq!(talk.effects(), [Effect::Preempt { run: lost, resource: ResourceId(3) }]);
    assert!(matches!(talk.site.status(low), Ok(Status::Leaving { .. })));
    assert!(talk.is_waiting(urgent), "it does not start before the other has left");
    talk.say(Command::Vacated { run: lost }).unwrap();
    assert_eq!(talk.dispatched(), [(urgent, 3)]);
    let medium = talk.submit(0, 1, 2);
    let more = talk.submit(0, 0, 2);
    talk.pass(40);
    assert_eq!(talk.effects(), [], "who takes places does not lose his own");
    talk.finish(urgent, 20);
    assert_eq!(talk.dispatched(), [(more, 3)]);
    talk.finish(more, 20);
    assert_eq!(talk.dispatched(), [(medium, 3)]);
    talk.submit(0, 0, 2);
    talk.pass(60);
    assert_eq!(talk.effects(), [], "the middle one loses nothing");
    assert!(talk.is_waiting(low));
}

#[test]
fn a_run_that_ends_before_it_has_left_has_ended() {
    let mut talk = with_preemption(config());
    let low = talk.submit(0, 2, 2);
    talk.pass(10);
    let run = talk.run_of(low);
    let urgent = talk.submit(0, 0, 2);
    talk.pass(20);
    talk.effects();
    talk.say(Command::Finished { run, took: ticks(10) }).unwrap();
    assert!(talk.site.status(low).is_err());
    assert_eq!(talk.dispatched(), [(urgent, 3)]);
    let late = talk.say(Command::Vacated { run });
    assert_eq!(late, Err(Error::Refused(Refusal::Old)));
}

#[test]
fn a_job_is_preempted_as_often_as_allowed_and_only_for_enough() {
    let mut talk = with_preemption(Config { preemptions: Some(1), ..config() });
    let low = talk.submit(0, 2, 2);
    talk.pass(10);
    let urgent = talk.submit(0, 0, 2);
    talk.pass(20);
    let run = talk.run_of(low);
    talk.say(Command::Vacated { run }).unwrap();
    talk.finish(urgent, 50);
    talk.pass(30);
    assert!(!talk.is_waiting(low));
    talk.submit(0, 0, 2);
    talk.pass(40);
    assert!(matches!(talk.site.status(low), Ok(Status::Running { .. })));

    let mut talk = with_preemption(Config { gain: Some(ticks(40)), ..config() });
    let low = talk.submit(0, 2, 2);
    talk.pass(10);
    talk.submit(0, 0, 2);
    talk.pass(20);
    assert!(matches!(talk.site.status(low), Ok(Status::Running { .. })), "40 to gain, not more");
}

#[test]
fn what_ran_on_a_lost_machine_waits_again_and_leaves_the_others_of_its_cluster() {
    let mut talk = Talk::new(config());
    let parallel = talk.submit(0, 0, 0);
    let single = talk.submit(0, 0, 2);
    talk.pass(10);
    assert_eq!(talk.dispatched(), [(parallel, 4), (single, 3)]);
    talk.lost(3, 1).unwrap();
    assert!(talk.is_waiting(single));
    assert_eq!(talk.effects(), [], "nobody is there to be told");
    let run = talk.run_of(parallel);
    talk.lost(0, 1).unwrap();
    assert_eq!(talk.effects(), [Effect::Preempt { run, resource: PAIR }]);
    assert_eq!(talk.site.machines_of(parallel).collect::<Vec<_>>(), [MachineId(1)]);
    talk.say(Command::Vacated { run }).unwrap();
    assert!(talk.is_waiting(parallel));
    talk.pass(20);
    // Its first run is over, and the cluster too small.
    assert_eq!(talk.dispatched(), [(parallel, 1)]);
    assert_eq!(talk.run_of(parallel).attempt, 2);
    assert!(talk.is_waiting(single), "nobody who could run it is there");
    talk.back(3, 2).unwrap();
    talk.pass(30);
    assert_eq!(talk.dispatched(), [(single, 3)]);
}

#[test]
fn a_job_waits_as_soon_as_all_machines_of_its_cluster_are_lost() {
    let mut talk = Talk::new(config());
    let job = talk.submit(0, 0, 0);
    talk.pass(10);
    talk.effects();
    talk.lost(0, 1).unwrap();
    talk.lost(1, 1).unwrap();
    assert!(talk.is_waiting(job));
    assert_eq!(talk.effects(), []);
}

#[test]
fn a_place_on_what_is_gone_is_lost_before_the_next_mapping() {
    let mut talk = Talk::new(Config { remap: Remap::New, ..config() });
    let first = talk.submit(0, 0, 2);
    let second = talk.submit(0, 0, 2);
    talk.pass(10);
    talk.effects();
    talk.lost(3, 1).unwrap();
    assert_eq!(talk.site.status(second), Ok(Status::Waiting { place: None }));
    assert_eq!(talk.site.status(first), Ok(Status::Waiting { place: None }));
}

#[test]
fn a_cluster_without_its_interconnect_gets_no_job_and_keeps_what_it_has() {
    let mut talk = Talk::new(config());
    let first = talk.submit(0, 0, 0);
    talk.pass(10);
    assert_eq!(talk.dispatched(), [(first, 4)]);
    talk.say(Command::LinkDown { link: 7 }).unwrap();
    talk.say(Command::LinkDown { link: 7 }).unwrap();
    assert!(!talk.is_waiting(first));
    talk.finish(first, 30);
    let second = talk.submit(0, 0, 0);
    talk.pass(20);
    assert_eq!(talk.dispatched(), [(second, 0)]);
    talk.finish(second, 100);
    talk.say(Command::LinkUp { link: 7 }).unwrap();
    let third = talk.submit(0, 0, 0);
    talk.pass(30);
    assert_eq!(talk.dispatched(), [(third, 4)]);
    let unknown = talk.say(Command::LinkDown { link: 8 });
    assert_eq!(unknown, Err(Error::Misused(Misuse::NoSuchLink(8))));
}

#[test]
fn runs_go_before_the_table_as_far_as_they_are_to() {
    let expected = |basis| {
        let learning = Some(Learning { memory: 100, basis, risk: 0 });
        let mut talk = Talk::new(Config { learning, ..config() });
        let job = talk.submit(0, 0, 1);
        talk.pass(10);
        assert_eq!(talk.dispatched(), [(job, 0)]);
        talk.finish(job, 70);
        let of = |resource| talk.site.expected(JobClass(1), ResourceId(resource));
        [0, 1, 2, 4].map(|resource| of(resource).map(Duration::ticks))
    };
    assert_eq!(expected(Basis::Resource), [Some(70), Some(40), Some(40), None]);
    assert_eq!(expected(Basis::Class), [Some(70), Some(70), Some(40), None]);
    assert_eq!(expected(Basis::Anywhere), [Some(70), Some(70), Some(70), None]);
}

/// Machine 0 takes 40 on the average, give or take 20, and the others 40 by the table.
#[test]
fn with_risk_a_machine_that_varies_looks_slower_to_each_mapper() {
    let third = |algorithm, risk| {
        let learning = Some(Learning { memory: 100, basis: Basis::Resource, risk });
        let mut talk = Talk::new(Config { learning, ..config() });
        talk.policy(0, algorithm, 0, Claim::Neither);
        for (quantum, took) in [(10, 20), (20, 60)] {
            let job = talk.submit(0, 0, 1);
            talk.pass(quantum);
            assert_eq!(talk.dispatched(), [(job, 0)]);
            talk.finish(job, took);
        }
        let expected = talk.site.expected(JobClass(1), ResourceId(0)).map(Duration::ticks);
        let job = talk.submit(0, 0, 1);
        talk.pass(30);
        let place = talk.dispatched().iter().find(|(it, _)| *it == job).map(|it| it.1);
        (expected, place)
    };
    for algorithm in Algorithm::ALL.into_iter().filter(|it| *it != Algorithm::Olb) {
        assert_eq!(third(algorithm, 0), (Some(40), Some(0)), "{algorithm:?}");
        assert_eq!(third(algorithm, 8), (Some(50), Some(1)), "{algorithm:?}");
    }
}

#[test]
fn users_have_limits() {
    let mut talk = Talk::new(config());
    talk.say(Command::SetLimit { user: UserId(0), jobs: 2 }).unwrap();
    let first = talk.submit(0, 0, 1);
    talk.submit(0, 0, 1);
    assert_eq!(talk.try_submit(0, 0, 1), Err(Error::Refused(Refusal::Limit { jobs: 2 })));
    talk.submit(1, 0, 1);
    talk.pass(10);
    talk.finish(first, 40);
    talk.submit(0, 0, 1);
}

#[test]
fn a_queue_takes_jobs_of_users_with_its_clearance_and_keeps_what_it_has() {
    let mut talk = Talk::new(config());
    let set = |user, clearance| Command::SetClearance { user: UserId(user), clearance };
    let before = talk.submit(0, 1, 1);
    let policy = Policy { clearance: 3, ..Policy::EMPTY };
    talk.say(Command::SetPolicy { queue: QueueId(1), policy }).unwrap();
    let refused = Err(Error::Refused(Refusal::NoAccess { clearance: 3 }));
    assert_eq!(talk.try_submit(0, 1, 1), refused);
    talk.submit(0, 0, 1);
    talk.say(set(1, 2)).unwrap();
    assert_eq!(talk.try_submit(1, 1, 1), refused);
    talk.say(set(1, 3)).unwrap();
    talk.submit(1, 1, 1);
    talk.say(set(1, 0)).unwrap();
    assert_eq!(talk.try_submit(1, 1, 1), refused);
    talk.pass(10);
    assert_eq!(talk.dispatched().len(), 3, "who is in a queue stays in it");
    assert!(!talk.is_waiting(before));
}

#[test]
fn what_a_user_has_used_is_known_and_lasts() {
    let mut talk = Talk::new(config());
    let (parallel, single) = (talk.submit(0, 0, 0), talk.submit(0, 0, 2));
    talk.pass(10);
    assert_eq!(talk.dispatched(), [(parallel, 4), (single, 3)]);
    let run = talk.run_of(single);
    talk.say(Command::Vacated { run }).unwrap();
    talk.finish(parallel, 30);
    talk.say(Command::SetClearance { user: UserId(0), clearance: 7 }).unwrap();
    let expected =
        UserStatus { jobs: 1, limit: 0, clearance: 7, ended: 1, machine_time: ticks(2 * 30) };
    assert_eq!(talk.site.user(UserId(0)), Some(expected));
    let mut words = vec![];
    talk.site.export(|word| words.push(word));
    let mut other = fresh(config());
    other.restore(words).unwrap();
    assert_eq!(other.user(UserId(0)), Some(expected));
    assert_eq!(other.user(UserId(2)), None);
    talk.pass(20);
    talk.finish(single, u64::MAX - 50);
    let used = talk.site.user(UserId(0)).unwrap().machine_time;
    assert_eq!(used, ticks(u64::MAX), "it saturates");
}

#[test]
fn a_submission_is_taken_once() {
    let mut talk = Talk::new(config());
    let (user, queue, class) = (UserId(0), QueueId(0), JobClass(1));
    let submit = |serial| Command::Submit { user, serial, queue, class };
    let job = talk.say(submit(1)).unwrap();
    assert_eq!(talk.say(submit(1)), Ok(job), "the answer did not arrive");
    for serial in [0, 3, u32::MAX] {
        assert_eq!(talk.say(submit(serial)), Err(Error::Misused(Misuse::Serial { next: 2 })));
    }
    talk.pass(10);
    talk.finish(job.unwrap(), 40);
    assert_eq!(talk.say(submit(1)), Ok(job), "it has ended since");
    talk.say(submit(2)).unwrap();
    assert_eq!(talk.say(submit(1)), Err(Error::Misused(Misuse::Serial { next: 3 })));
    assert_eq!(talk.site.jobs().count(), 1);
}

#[test]
fn what_is_late_or_double_changes_nothing() {
    let mut talk = Talk::new(config());
    let job = talk.submit(0, 0, 1);
    talk.pass(10);
    let first = talk.run_of(job);
    talk.say(Command::Vacated { run: first }).unwrap();
    let old = Err(Error::Refused(Refusal::Old));
    assert_eq!(talk.say(Command::Vacated { run: first }), old);
    assert_eq!(talk.say(Command::Finished { run: first, took: ticks(1) }), old);
    talk.pass(20);
    assert_eq!(talk.say(Command::Finished { run: first, took: ticks(1) }), old, "run 2 is there");
    talk.finish(job, 40);
    assert_eq!(talk.say(Command::Finished { run: first, took: ticks(1) }), old);

    // A machine's starts are numbered: what is said of an earlier one means nothing.
    assert_eq!(talk.back(2, 1), Ok(None), "said twice");
    talk.back(2, 2).unwrap();
    assert_eq!(talk.lost(2, 1), old);
    assert_eq!(talk.back(2, 1), old);
    talk.lost(2, 2).unwrap();
    talk.lost(2, 2).unwrap();
    assert_eq!(talk.back(2, 2), old, "it is said that this start is over");
    talk.back(2, 3).unwrap();
}

#[test]
fn a_machine_that_starts_anew_has_lost_what_it_had_even_if_nobody_said_so() {
    let mut talk = Talk::new(config());
    let job = talk.submit(0, 0, 2);
    talk.pass(10);
    assert_eq!(talk.dispatched(), [(job, 3)]);
    talk.back(3, 2).unwrap();
    assert!(talk.is_waiting(job));
    talk.pass(20);
    assert_eq!(talk.dispatched(), [(job, 3)]);
}

#[test]
fn what_is_unknown_is_a_misuse_and_changes_nothing() {
    let mut talk = Talk::new(config());
    let job = talk.submit(0, 0, 1);
    talk.pass(10);
    talk.effects();
    let mut before = vec![];
    talk.site.export(|word| before.push(word));
    let (user, queue, class) = (UserId(0), QueueId(0), JobClass(1));
    let submit = Command::Submit { user, serial: 2, queue, class };
    let Command::Submit { serial, .. } = submit else { unreachable!() };
    let nobody = Command::Submit { user: UserId(9), serial, queue, class };
    let nowhere = Command::Submit { user, serial, queue: QueueId(9), class };
    let nothing = Command::Submit { user, serial, queue, class: JobClass(9) };
    let takes = Policy { claim: Claim::Takes, ..Policy::EMPTY };
    let mut other = Talk::new(Config { pool: PoolId(4), ..config() });
    let foreign = other.submit(0, 0, 1);
    let foreign = Run { job: foreign, attempt: 1 };
    let ahead = Run { job, attempt: 2 };
    let wrong = [
        nobody,
        nowhere,
        nothing,
        Command::Submit { user, serial, queue, class: JobClass(3) },
        Command::Vacated { run: foreign },
        Command::Finished { run: ahead, took: ticks(1) },
        Command::MachineBack { machine: MachineId(9), boot: 1 },
        Command::MachineLost { machine: MachineId(9), boot: 1 },
        Command::LinkUp { link: 8 },
        Command::SetPolicy { queue: QueueId(9), policy: Policy::EMPTY },
        // The others have the same level, and take nothing.
        Command::SetPolicy { queue, policy: takes },
        Command::SetLimit { user: UserId(9), jobs: 1 },
        Command::SetClearance { user: UserId(9), clearance: 1 },
    ];
    for command in wrong {
        talk.site.apply(at(999), command).unwrap_err();
        let mut after = vec![];
        talk.site.export(|word| after.push(word));
        assert_eq!(before, after, "{command:?}");
    }
    assert_eq!(talk.site.apply(at(5), Command::Tick), Err(Error::Misused(Misuse::TimeWentBack)));
}

#[test]
fn a_full_coordinator_says_so() {
    let mut talk = Talk::new(config());
    for _ in 0..6 {
        talk.submit(0, 0, 1);
    }
    assert_eq!(talk.try_submit(0, 0, 1), Err(Error::Refused(Refusal::JobsFull)));
}

#[test]
fn columns_that_do_not_fit_are_named() {
    let mut rows = Rows::EMPTY;
    let mut columns = rows.columns();
    columns.open = &mut columns.open[..3];
    let short = Coordinator::new(config(), known(), columns, at(0));
    assert_eq!(short.unwrap_err(), Misuse::StorageTooSmall { column: "open", needs: 6, has: 3 });
    let learning = Some(Learning { memory: 5, basis: Basis::Class, risk: 24 });
    let mut columns = rows.columns();
    columns.runs = &mut [] as &mut [Runs];
    let short = Coordinator::new(Config { learning, ..config() }, known(), columns, at(0));
    assert_eq!(short.unwrap_err(), Misuse::StorageTooSmall { column: "runs", needs: 40, has: 0 });
    let cells = vec![ticks(1 << 60); 24];
    let long = SiteModel { times: Times::new(&cells, 6).unwrap(), ..known() };
    let long = Coordinator::new(config(), long, rows.columns(), at(0));
    assert_eq!(long.unwrap_err(), Misuse::TooLong);
    let zero = Coordinator::new(Config::new(ticks(0), PoolId(0)), known(), rows.columns(), at(0));
    assert_eq!(zero.unwrap_err(), Misuse::Zero { parameter: "quantum" });
}

#[test]
fn an_image_goes_on_where_it_was_taken_and_all_are_told_again() {
    let learning = Some(Learning { memory: 5, basis: Basis::Class, risk: 24 });
    let config = Config { learning, remap: Remap::New, ..config() };
    let mut talk = Talk::new(config);
    let jobs: Vec<_> = (0..6).map(|at| talk.submit(0, 0, at % 2)).collect();
    talk.say(Command::LinkDown { link: 9 }).unwrap();
    talk.pass(10);
    let started = talk.dispatched();
    talk.finish(jobs[1], 20);
    talk.effects();
    let mut words = vec![];
    talk.site.export(|word| words.push(word));
    let mut other = Talk { site: fresh(config), serials: talk.serials };
    other.site.restore(words.iter().copied()).unwrap();
    other.site.check_invariants().unwrap();
    let running: Vec<_> =
        jobs.iter().filter(|job| talk.site.machines_of(**job).next().is_some()).collect();
    assert_eq!(other.effects().len(), running.len());
    assert!(started.len() >= running.len());
    let mut again = vec![];
    other.site.export(|word| again.push(word));
    for it in [&mut talk, &mut other] {
        let run = it.run_of(*running[0]);
        it.say(Command::Finished { run, took: ticks(25) }).unwrap();
        it.pass(30);
    }
    assert_eq!(talk.effects(), other.effects());

    // Each word that is damaged is found.
    for at in 0..words.len() {
        let mut damaged = words.clone();
        damaged[at] ^= 1 << (at % 32);
        let mut fresh = fresh(config);
        assert!(fresh.load(damaged).is_err(), "word {at}");
        fresh.check_invariants().unwrap();
    }
    let other_site = Config { quantum: ticks(11), ..config };
    assert!(fresh(other_site).load(words).is_err());
}
