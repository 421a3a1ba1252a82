//! The coordinator of a site.

use crate::dice::{DONE, Dice, NOBODY, Spoiler, calls, handle_of, is_wrong, misnamed, name_of};
use crate::history::{Functions, assert_numbered_alike, image_of};
use locox::error::Error;
use locox::handle::PoolId;
use locox::mapping::{
    Basis, Best, Cluster, PlannedRun, RunningJob, Runs, Site, Times, UnplacedJob, runs,
};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use locox_coordinators::coordinate::Durable;
use locox_coordinators::site::{
    Algorithm, Claim, Columns, Command, Config, Coordinator, Effect, JobClass, JobId, JobRow,
    Learning, MachineId, MachineRow, Misuse, Policy, QueueId, Refusal, Remap, ResourceId, Run,
    SiteModel, Status, UserId, UserRow,
};
use std::mem::zeroed;
use std::ptr::{null, null_mut};

const JOBS: usize = 6;
const MACHINES: usize = 3;
const USERS: usize = 2;
const QUEUES: usize = 2;
const CLASSES: usize = 2;
const RESOURCES: usize = MACHINES + 1;
const TIMES: [u64; CLASSES * RESOURCES] = [90, 100, 80, 30, 40, LOCOX_NEVER, LOCOX_NEVER, 20];
const MEMBERS: [u32; 2] = [0, 1];
const CLASS_OF: [u16; RESOURCES] = [0, 0, 1, 2];
const HISTORY: Functions<locox_site, locox_site_effect> = Functions {
    export: locox_site_export,
    load: locox_site_load,
    replay: locox_site_replay,
    take: locox_site_take_effect,
};
const NO_RECORD: locox_record = locox_record { words: [77; 16] };

/// Rows as C has them.
struct Storage {
    jobs: [locox_site_job; JOBS],
    unplaced: [locox_unplaced_row; JOBS],
    placements: [locox_mapped_row; 3 * JOBS],
    running: [locox_running_row; JOBS],
    numbers: [u32; 2 * JOBS],
    levels: [u8; JOBS],
    users: [locox_site_user; USERS],
    queues: [locox_site_queue; QUEUES],
    machines: [locox_site_machine; MACHINES],
    next: [u32; MACHINES],
    instants: [u64; 5 * MACHINES],
    clusters: [locox_cluster_row; 1],
    down: [u32; 1],
    expected: [u64; CLASSES * RESOURCES],
    runs: [u64; 80],
}

impl Storage {
    fn rows(&mut self) -> locox_site_rows {
        locox_site_rows {
            jobs: self.jobs.as_mut_ptr(),
            unplaced: self.unplaced.as_mut_ptr(),
            placements: self.placements.as_mut_ptr(),
            running: self.running.as_mut_ptr(),
            numbers: self.numbers.as_mut_ptr(),
            levels: self.levels.as_mut_ptr(),
            job_count: JOBS,
            users: self.users.as_mut_ptr(),
            user_count: USERS,
            queues: self.queues.as_mut_ptr(),
            queue_count: QUEUES,
            machines: self.machines.as_mut_ptr(),
            next: self.next.as_mut_ptr(),
            instants: self.instants.as_mut_ptr(),
            machine_count: MACHINES,
            clusters: self.clusters.as_mut_ptr(),
            down: self.down.as_mut_ptr(),
            cluster_count: 1,
            expected: self.expected.as_mut_ptr(),
            expected_count: CLASSES * RESOURCES,
            runs: self.runs.as_mut_ptr(),
            run_count: 80,
        }
    }
}

fn config() -> (Config, locox_site_config) {
    // SAFETY: zeros are a configuration, and as the call says.
    let mut ours = unsafe {
        let mut ours: locox_site_config = zeroed();
        assert_eq!(locox_site_standard(10, &raw mut ours), LOCOX_OK);
        ours
    };
    let theirs = Config::new(Duration::from_ticks(10), PoolId(3));
    assert_eq!((ours.remap, ours.best, ours.learns, ours.heeds_gain), (0, 0, 0, 0));
    assert_eq!((ours.preemptions, Some(ours.patience)), (LOCOX_NOBODY, theirs.patience));
    // Zero is the default, too.
    (ours.pool, ours.patience) = (3, 0);
    (theirs, ours)
}

fn misused(misuse: Misuse) -> (locox_status, u64) {
    match misuse {
        Misuse::TimeWentBack => (LOCOX_PAST, 0),
        Misuse::Job(misuse) => (misnamed(misuse), 0),
        Misuse::Serial { next } => (LOCOX_WRONG_SERIAL, next.into()),
        Misuse::NoSuchUser(UserId(user)) => (LOCOX_NO_SUCH_USER, user.into()),
        Misuse::NoSuchQueue(QueueId(queue)) => (LOCOX_NO_SUCH_QUEUE, queue.into()),
        Misuse::NoSuchClass(JobClass(class)) => (LOCOX_NO_SUCH_CLASS, class.into()),
        Misuse::NoSuchMachine(MachineId(machine)) => (LOCOX_NO_SUCH_MACHINE, machine.into()),
        Misuse::NoSuchLink(link) => (LOCOX_NO_SUCH_LINK, link.into()),
        Misuse::Claims(QueueId(queue)) => (LOCOX_WRONG_LEVELS, queue.into()),
        Misuse::Zero { .. } => (LOCOX_ZERO, 0),
        other => panic!("{other:?} is of a start"),
    }
}

fn error(error: Error<Refusal, Misuse>) -> (locox_status, u64) {
    match error {
        Error::Refused(Refusal::JobsFull) => (LOCOX_FULL, 0),
        Error::Refused(Refusal::NoAccess { clearance }) => (LOCOX_NO_ACCESS, clearance.into()),
        Error::Refused(Refusal::Limit { jobs }) => (LOCOX_FULL, jobs.into()),
        Error::Refused(Refusal::NoMachine(JobClass(class))) => (LOCOX_NO_MACHINE, class.into()),
        Error::Refused(Refusal::Old) => (LOCOX_OLD, 0),
        Error::Misused(misuse) => misused(misuse),
        other => panic!("{other:?} has no status"),
    }
}

fn command_of(it: &locox_site_command) -> Result<Command, locox_status> {
    let run = Run { job: JobId::from_handle(handle_of(it.run.job)), attempt: it.run.attempt };
    let (user, queue, number) = (UserId(it.user), QueueId(it.queue), it.number);
    let machine = MachineId(it.machine);
    Ok(match it.kind {
        0 => Command::Submit { user, serial: number, queue, class: JobClass(it.job_class) },
        1 => Command::Finished { run, took: Duration::from_ticks(it.took) },
        2 => Command::Vacated { run },
        3 => Command::MachineLost { machine, boot: number },
        4 => Command::MachineBack { machine, boot: number },
        5 => Command::LinkDown { link: number },
        6 => Command::LinkUp { link: number },
        7 => {
            let claims = [Claim::Neither, Claim::Takes, Claim::Loses];
            let claim = claims.get(it.policy.claim as usize).ok_or(LOCOX_BAD_ARGUMENT)?;
            let level = u8::try_from(it.policy.level).map_err(|_| LOCOX_WRONG_LEVELS)?;
            let algorithm = Algorithm::ALL.get(it.policy.algorithm as usize);
            let algorithm = *algorithm.ok_or(LOCOX_BAD_ARGUMENT)?;
            let clearance = u8::try_from(it.policy.clearance).map_err(|_| LOCOX_BAD_ARGUMENT)?;
            let policy = Policy { algorithm, level, claim: *claim, clearance };
            Command::SetPolicy { queue, policy }
        }
        8 => Command::SetLimit { user, jobs: number },
        9 => Command::Tick,
        10 => {
            let clearance = u8::try_from(number).map_err(|_| LOCOX_BAD_ARGUMENT)?;
            Command::SetClearance { user, clearance }
        }
        _ => return Err(LOCOX_BAD_ARGUMENT),
    })
}

/// Kind, resource, class and run.
fn plain(effect: Effect) -> (u32, u32, u32, locox_handle, u32) {
    match effect {
        Effect::Dispatch { run, class, resource } => {
            (0, resource.0, class.0, name_of(run.job.handle()), run.attempt)
        }
        Effect::Preempt { run, resource } => {
            (1, resource.0, LOCOX_NOBODY, name_of(run.job.handle()), run.attempt)
        }
    }
}

#[derive(Default)]
struct World {
    now: u64,
    serials: [u32; USERS],
    boots: [u32; MACHINES],
    runs: Vec<locox_run>,
    history: Vec<locox_record>,
}

type Twin<'a> = Durable<Coordinator<'a>>;

fn a_command(dice: &mut Dice, world: &World) -> locox_site_command {
    let at = dice.below(world.runs.len().max(1) as u64) as usize;
    let mut run = world.runs.get(at).copied().unwrap_or(locox_run { job: NOBODY, attempt: 1 });
    run.job = dice.name(&[run.job]);
    run.attempt = run.attempt.wrapping_add(u32::from(dice.one_in(30)));
    let kinds = if dice.one_in(30) { 13 } else { 11 };
    // Most are submissions, ends and machines.
    let most = [LOCOX_SITE_SUBMIT, LOCOX_SITE_FINISHED, LOCOX_SITE_MACHINE_BACK];
    let kind = if dice.one_in(2) { most[dice.below(3) as usize] } else { dice.number(kinds) };
    let user = dice.beyond(USERS as u64);
    let machine = dice.beyond(MACHINES as u64);
    let serial = world.serials.get(user as usize).map_or(1, |serial| serial + 1);
    let boot = world.boots.get(machine as usize).map_or(1, |boot| boot + dice.number(2));
    let number = match kind {
        LOCOX_SITE_SUBMIT => {
            serial + u32::from(dice.one_in(20)) - u32::from(dice.one_in(20)).min(serial)
        }
        LOCOX_SITE_MACHINE_LOST | LOCOX_SITE_MACHINE_BACK => boot,
        LOCOX_SITE_LINK_DOWN | LOCOX_SITE_LINK_UP => 4 + dice.number(2),
        LOCOX_SITE_SET_CLEARANCE if dice.one_in(9) => 256,
        _ => dice.number(5),
    };
    let policy = locox_policy {
        algorithm: dice.number(8),
        level: if dice.one_in(30) { 256 } else { dice.number(4) },
        claim: dice.number(3) + u32::from(dice.one_in(30)),
        clearance: if dice.one_in(30) { 256 } else { dice.number(9).saturating_sub(5) },
    };
    let queue = dice.beyond(QUEUES as u64);
    let job_class = dice.beyond(CLASSES as u64);
    let took = dice.below(100);
    locox_site_command { kind, user, queue, job_class, machine, number, run, policy, took }
}

fn step(dice: &mut Dice, world: &mut World, site: &mut locox_site, twin: &mut Twin<'_>) {
    world.now += dice.below(8);
    let time = world.now.saturating_sub(u64::from(dice.one_in(30)));
    let mut command = a_command(dice, world);
    let (mut job, mut record, mut detail) = (NOBODY, NO_RECORD, u64::MAX);
    let mut spoiler = Spoiler::new(dice);
    let place = spoiler.pointer(site);
    let from = spoiler.pointer(&raw mut command);
    let to_job = spoiler.optional(&raw mut job);
    let to_record = spoiler.optional(&raw mut record);
    let to_detail = spoiler.optional(&raw mut detail);
    let spoiled = spoiler.spoiled;

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe { locox_site_apply(place, time, from, to_job, to_record, to_detail) };
    if spoiled {
        assert!(is_wrong(status), "{status:?}");
        return;
    }
    let expected = command_of(&command).map_err(|status| (status, 0)).and_then(|said| {
        let heard = twin.apply_drawn(Instant::from_ticks(time), said, ());
        heard.map(|(name, record)| (said, name, record)).map_err(error)
    });
    let expected = match expected {
        Err(why) => {
            assert_eq!((job, record), (NOBODY, NO_RECORD));
            why
        }
        Ok((said, name, kept)) => {
            if !to_job.is_null() {
                assert_eq!(job, name.map_or(NOBODY, |it| name_of(it.handle())));
            }
            if !to_record.is_null() {
                assert_eq!(record.words, kept.0);
                assert_numbered_alike(command.kind, &record);
            }
            world.history.push(locox_record { words: kept.0 });
            match said {
                Command::Submit { user, serial, .. } => world.serials[user.0 as usize] = serial,
                Command::MachineBack { machine, boot } => {
                    let last = &mut world.boots[machine.0 as usize];
                    *last = boot.max(*last);
                }
                _ => {}
            }
            DONE
        }
    };
    assert_eq!(status, expected.0, "{command:?}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
    take_effects(dice, world, site, twin);
    look(dice, world, site, twin);
}

fn take_effects(dice: &mut Dice, world: &mut World, site: &mut locox_site, twin: &mut Twin<'_>) {
    // Now and then some are left for later.
    while !dice.one_in(20) {
        // SAFETY: zeros are an effect, and as the calls say.
        unsafe {
            let mut effect: locox_site_effect = zeroed();
            let mut peeked: locox_site_effect = zeroed();
            let status = locox_site_peek_effect(site, &raw mut peeked);
            assert_eq!(locox_site_take_effect(site, &raw mut effect), status);
            let Some(told) = twin.take_effect() else {
                assert_eq!(status, LOCOX_NONE);
                return;
            };
            assert_eq!(peeked, effect);
            let locox_site_effect { kind, resource, job_class, run } = effect;
            assert_eq!((kind, resource, job_class, run.job, run.attempt), plain(told.effect));
            world.runs.push(run);
            world.runs.drain(..world.runs.len().saturating_sub(6));
        }
    }
}

unsafe extern "C" fn push(machine: u32, user: *mut std::ffi::c_void) {
    // SAFETY: the test passes a list.
    unsafe { (*user.cast::<Vec<u32>>()).push(machine) };
}

fn look(dice: &mut Dice, world: &World, site: &mut locox_site, twin: &Twin<'_>) {
    let twin = twin.coordinator();
    let known: Vec<_> = world.runs.iter().map(|run| run.job).collect();
    let name = dice.name(&known);
    let job = JobId::from_handle(handle_of(name));
    let (class, resource) = (dice.number(3), dice.number(6));
    let (mut machines, mut time, mut wake) = (Vec::<u32>::new(), 77u64, 77u64);
    // SAFETY: zeros are a status and a policy, and as the calls say.
    unsafe {
        let mut found: locox_site_status = zeroed();
        let status = locox_site_status_of(site, &raw const name, &raw mut found);
        match twin.status(job) {
            Err(misuse) => assert_eq!(status, misused(misuse).0),
            Ok(Status::Waiting { place }) => {
                assert_eq!((status, found.kind), (LOCOX_OK, LOCOX_SITE_WAITING));
                let place = place.map_or((LOCOX_NOBODY, 0), |(at, when)| (at.0, when.ticks()));
                assert_eq!((found.resource, found.until), place);
            }
            Ok(Status::Running { resource, run, until }) => {
                assert_eq!((status, found.kind), (LOCOX_OK, LOCOX_SITE_RUNNING));
                let expected = (resource.0, run.attempt, until.ticks());
                assert_eq!((found.resource, found.run.attempt, found.until), expected);
            }
            Ok(Status::Leaving { resource, run }) => {
                assert_eq!((status, found.kind), (LOCOX_OK, LOCOX_SITE_LEAVING));
                assert_eq!((found.resource, found.run.attempt), (resource.0, run.attempt));
            }
        }
        let user = (&raw mut machines).cast();
        let visited = locox_site_machines_of(site, &raw const name, Some(push), user);
        assert_eq!(visited, status);
        assert!(twin.machines_of(job).map(|it| it.0).eq(machines));
        let expected = twin.expected(JobClass(class), ResourceId(resource));
        let status = locox_site_expected(site, class, resource, &raw mut time);
        assert_eq!(status, if expected.is_some() { LOCOX_OK } else { LOCOX_NONE });
        assert_eq!(time, expected.map_or(77, Duration::ticks));
        let mut policy: locox_policy = zeroed();
        let status = locox_site_policy(site, class, &raw mut policy);
        match twin.policy(QueueId(class)) {
            None => assert_eq!(status, LOCOX_NO_SUCH_QUEUE),
            Some(it) => {
                let expected = (it.algorithm as u32, u32::from(it.level), it.claim as u32);
                assert_eq!((policy.algorithm, policy.level, policy.claim), expected);
                assert_eq!(policy.clearance, u32::from(it.clearance));
            }
        }
        let mut account: locox_site_user_status = zeroed();
        let status = locox_site_user_of(site, class, &raw mut account);
        match twin.user(UserId(class)) {
            None => assert_eq!(status, LOCOX_NO_SUCH_USER),
            Some(it) => {
                let expected = (it.jobs, it.limit, it.ended, it.machine_time.ticks());
                let locox_site_user_status { machine_time, ended, jobs, limit, clearance } =
                    account;
                assert_eq!((jobs, limit, ended, machine_time), expected);
                assert_eq!(clearance, u32::from(it.clearance));
            }
        }
        let status = locox_site_wake_at(site, &raw mut wake);
        assert_eq!(status, if twin.wake_at().is_some() { LOCOX_OK } else { LOCOX_NONE });
        assert_eq!(wake, twin.wake_at().map_or(77, Instant::ticks));
    }
}

fn in_step(theirs: Config, ours: &locox_site_config, seed: u64) {
    let clusters = [Cluster { interconnect: Some(4), ..Cluster::of(&MEMBERS) }];
    let cells = TIMES.map(Duration::from_ticks);
    let learns = theirs.learning.is_some();
    let classes: &[u16] = if learns { &CLASS_OF } else { &[] };
    let known = SiteModel {
        site: Site::new(MACHINES, &clusters).unwrap(),
        times: Times::new(&cells, RESOURCES).unwrap(),
        classes,
    };
    let learnt = if learns { runs(RESOURCES, 3, CLASSES) } else { 0 };
    let (mut jobs, mut machines) = ([JobRow::EMPTY; JOBS], [MachineRow::EMPTY; MACHINES]);
    let (mut users, mut queues) = ([UserRow::EMPTY; USERS], [Policy::EMPTY; QUEUES]);
    let (mut down, mut experience) = ([0; 1], vec![Runs::EMPTY; learnt]);
    let mut expected = [Duration::ZERO; CLASSES * RESOURCES];
    let (mut open, mut placements) = ([UnplacedJob::EMPTY; JOBS], [PlannedRun::EMPTY; 3 * JOBS]);
    let (mut running, mut numbers) = ([RunningJob::EMPTY; JOBS], [0; 2 * JOBS]);
    let (mut next, mut levels) = ([0; MACHINES], [0; JOBS]);
    let mut instants = [Instant::ZERO; 5 * MACHINES];
    let columns = Columns {
        jobs: &mut jobs,
        machines: &mut machines,
        users: &mut users,
        queues: &mut queues,
        down: &mut down,
        runs: &mut experience,
        expected: &mut expected,
        open: &mut open,
        placements: &mut placements,
        running: &mut running,
        numbers: &mut numbers,
        next: &mut next,
        levels: &mut levels,
        instants: &mut instants,
    };
    let mut twin = Durable::new(Coordinator::new(theirs, known, columns, Instant::ZERO).unwrap());

    let (members, link) = (MEMBERS.as_ptr(), 4);
    let cluster = [locox_machine_cluster { members, member_count: 2, least: 2, link, padding: 0 }];
    let known = locox_site_model {
        machines: MACHINES,
        clusters: cluster.as_ptr(),
        cluster_count: 1,
        times: TIMES.as_ptr(),
        job_classes: CLASSES,
        classes: if learns { CLASS_OF.as_ptr() } else { null() },
    };
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut storage: Box<Storage> = Box::new(zeroed());
        let mut site: locox_site = zeroed();
        let rows = storage.rows();
        let place = &raw mut site;
        let status =
            locox_site_start(place, ours, &raw const known, &raw const rows, 0, null_mut());
        assert_eq!(status, LOCOX_OK);
        let beginning = image_of(place, locox_site_export);
        let (mut dice, mut world) = (Dice(seed), World::default());
        for call in 0..calls() / 4 {
            step(&mut dice, &mut world, &mut site, &mut twin);
            if call % 64 == 0 {
                assert_eq!(locox_site_check(&raw const site), LOCOX_OK);
            }
        }
        let mut expected = Vec::new();
        twin.export(&mut |word| expected.push(word));
        assert_eq!(image_of(place, locox_site_export), expected);
        assert!(world.history.len() > 500, "{}", world.history.len());
        HISTORY.replayed(place, &beginning, &world.history);
    }
}

#[test]
fn a_site_answers_as_the_kernel_does_whatever_it_is_told() {
    let (theirs, ours) = config();
    in_step(theirs, &ours, 41);
    let learning = Some(Learning { memory: 5, basis: Basis::Class, risk: 24 });
    let theirs = Config {
        learning,
        preemptions: Some(2),
        gain: Some(Duration::from_ticks(5)),
        best: Best::Execution,
        remap: Remap::New,
        patience: Some(2),
        ..theirs
    };
    let ours = locox_site_config {
        learns: 1,
        memory: 5,
        basis: LOCOX_BASIS_CLASS,
        risk: 24,
        preemptions: 2,
        heeds_gain: 1,
        gain: 5,
        best: LOCOX_BEST_EXECUTION,
        remap: LOCOX_REMAP_NEW,
        patience: 2,
        ..ours
    };
    in_step(theirs, &ours, 42);
}

#[test]
fn a_start_that_fails_touches_no_row() {
    let (_, good) = config();
    let (members, link) = (MEMBERS.as_ptr(), LOCOX_NOBODY);
    let cluster = [locox_machine_cluster { members, member_count: 2, least: 2, link, padding: 0 }];
    let known = locox_site_model {
        machines: MACHINES,
        clusters: cluster.as_ptr(),
        cluster_count: 1,
        times: TIMES.as_ptr(),
        job_classes: CLASSES,
        classes: null(),
    };
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut storage: Box<Storage> = Box::new(zeroed());
        storage.numbers = [77; 2 * JOBS];
        let mut site: locox_site = zeroed();
        let rows = storage.rows();
        let place = &raw mut site;
        let mut detail = 0;
        let mut start =
            |config: &locox_site_config, known: &locox_site_model, rows: &locox_site_rows| {
                let status = locox_site_start(place, config, known, rows, 0, &raw mut detail);
                (status, detail)
            };
        let zero = locox_site_config { quantum: 0, ..good };
        assert_eq!(start(&zero, &known, &rows).0, LOCOX_ZERO);
        let odd = locox_site_config { best: 2, ..good };
        assert_eq!(start(&odd, &known, &rows).0, LOCOX_BAD_ARGUMENT);
        let learns = locox_site_config { learns: 1, memory: 9, ..good };
        assert_eq!(start(&learns, &known, &rows).0, LOCOX_NULL);
        let with_classes = locox_site_model { classes: CLASS_OF.as_ptr(), ..known };
        let short = locox_site_rows { run_count: 10, ..rows };
        let needed = locox_experience_words(RESOURCES, 3, CLASSES) as u64;
        assert_eq!(start(&learns, &with_classes, &short), (LOCOX_TOO_SHORT, needed));
        let few = locox_site_rows { machine_count: MACHINES - 1, ..rows };
        assert_eq!(start(&good, &known, &few), (LOCOX_TOO_SHORT, MACHINES as u64));
        let none = locox_site_rows { cluster_count: 0, ..rows };
        assert_eq!(start(&good, &known, &none), (LOCOX_TOO_SHORT, 1));
        let no_jobs = locox_site_rows { job_count: 0, ..rows };
        assert_eq!(start(&good, &known, &no_jobs).0, LOCOX_ZERO);
        let many = locox_site_rows { queue_count: 255, ..rows };
        assert_eq!(start(&good, &known, &many).0, LOCOX_BAD_ARGUMENT);
        let huge = locox_site_model { job_classes: usize::MAX / 2, ..known };
        assert_eq!(start(&good, &huge, &rows).0, LOCOX_BAD_ARGUMENT);
        let null_rows = locox_site_rows { levels: null_mut(), ..rows };
        assert_eq!(start(&good, &known, &null_rows).0, LOCOX_NULL);
        assert_eq!(storage.numbers, [77; 2 * JOBS]);
        assert_eq!(locox_site_check(place), LOCOX_NOT_STARTED);

        // These two are found when rows are written already: what was there is over.
        assert_eq!(start(&good, &known, &rows).0, LOCOX_OK);
        let bad = [locox_machine_cluster { least: 3, ..cluster[0] }];
        let wrong = locox_site_model { clusters: bad.as_ptr(), ..known };
        assert_eq!(start(&good, &wrong, &rows), (LOCOX_WRONG_TABLE, 0));
        assert_eq!(locox_site_check(place), LOCOX_NOT_STARTED);
        let long = TIMES.map(|time| time.saturating_add(1 << 61));
        let long = locox_site_model { times: long.as_ptr(), ..known };
        assert_eq!(start(&good, &long, &rows).0, LOCOX_TOO_LONG);
        assert_eq!(locox_site_check(place), LOCOX_NOT_STARTED);
        assert_eq!(start(&good, &known, &rows).0, LOCOX_OK);
    }
}
