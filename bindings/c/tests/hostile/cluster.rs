//! The coordinator of a cluster, and its part on a host.

use crate::dice::{DONE, Dice, NOBODY, Spoiler, calls, handle_of, is_wrong, misnamed, name_of};
use crate::history::{Functions, assert_numbered_alike, image_of};
use locox::dispatch::{Discipline, Lazy, Scan};
use locox::draw::Draw;
use locox::error::Error;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    FirstLevel, HostId, Level, Load, NonInterfering, Placement, Speed, Threshold, UserId,
};
use locox_c::locox_status::{self, *};
use locox_c::*;
use locox_coordinators::cluster::{
    Arrays, Assignment, Batch, Columns, Command, Config, Coordinator, Effect, HostCommand,
    HostConfig, HostEffect, HostMisuse, HostPart, JobId, Misuse, Refusal, Retry, Status, Terms,
    words,
};
use locox_coordinators::coordinate::Durable;
use std::mem::zeroed;
use std::ptr::null_mut;

const HOSTS: usize = 4;
const LEVELS: u32 = 3;
const JOBS: usize = 6;
const SETS: u16 = 2;
/// Those of the sets and of their scratch, and of the memory.
const WORDS: usize = words(HOSTS, LEVELS as u8) + SETS as usize + 1 + HOSTS;
const HISTORY: Functions<locox_cluster, locox_cluster_effect> = Functions {
    export: locox_cluster_export,
    load: locox_cluster_load,
    replay: locox_cluster_replay,
    take: locox_cluster_take_effect,
};
const OF_HOST: Functions<locox_host, locox_host_effect> = Functions {
    export: locox_host_export,
    load: locox_host_load,
    replay: locox_host_replay,
    take: locox_host_take_effect,
};
const NO_RECORD: locox_record = locox_record { words: [77; 16] };

type Rows = Arrays<{ HOSTS * LEVELS as usize }, HOSTS, JOBS, WORDS>;

/// Rows as C has them.
struct Storage {
    entries: [locox_shared_entry; HOSTS * LEVELS as usize],
    hosts: [locox_shared_host; HOSTS],
    jobs: [locox_cluster_job; JOBS],
    placed: [locox_shared_job; JOBS],
    words: [usize; WORDS],
}

impl Storage {
    fn rows(&mut self) -> locox_cluster_rows {
        locox_cluster_rows {
            entries: self.entries.as_mut_ptr(),
            entry_count: self.entries.len(),
            hosts: self.hosts.as_mut_ptr(),
            host_count: HOSTS,
            jobs: self.jobs.as_mut_ptr(),
            placed: self.placed.as_mut_ptr(),
            job_count: JOBS,
            words: self.words.as_mut_ptr(),
            word_count: WORDS,
        }
    }
}

fn misused(misuse: Misuse) -> (locox_status, u64) {
    match misuse {
        Misuse::TimeWentBack => (LOCOX_PAST, 0),
        Misuse::Job(misuse) => (misnamed(misuse), 0),
        Misuse::Waits => (LOCOX_WAITS, 0),
        Misuse::Runs => (LOCOX_RUNS, 0),
        Misuse::NoHosts => (LOCOX_NO_HOSTS, 0),
        Misuse::NoSuchHost(HostId(host)) => (LOCOX_NO_SUCH_HOST, host.into()),
        Misuse::NoSuchSet { set } => (LOCOX_NO_SUCH_SET, set.into()),
        Misuse::NoMemory => (LOCOX_NO_MEMORY, 0),
        other => panic!("{other:?} is of a start"),
    }
}

fn error(error: Error<Refusal, Misuse>) -> (locox_status, u64) {
    match error {
        Error::Refused(Refusal::JobsFull) => (LOCOX_FULL, 0),
        Error::Refused(Refusal::TooLarge { hosts }) => (LOCOX_TOO_LARGE, hosts.into()),
        Error::Refused(Refusal::Unsuited { hosts }) => (LOCOX_UNSUITED, hosts.into()),
        Error::Refused(Refusal::BootOver { next }) => (LOCOX_OLD, next.into()),
        Error::Misused(misuse) => misused(misuse),
        other => panic!("{other:?} has no status"),
    }
}

fn job_of(name: locox_handle) -> JobId {
    JobId::from_handle(handle_of(name))
}

fn command_of(it: &locox_cluster_command) -> Option<Command> {
    let (job, host) = (job_of(it.job), HostId(it.host));
    let (user, hosts) = (UserId(it.user), it.hosts);
    let locox_cluster_terms { set, key, memory } = it.terms;
    let terms = Terms { set, key, memory };
    Some(match it.kind {
        0 => Command::Submit { user, hosts, synchronising: it.synchronising != 0, terms },
        1 => Command::Cancel { job },
        2 => Command::Kill { job },
        3 => Command::Ended { job },
        4 => {
            let load = Load::from_thousandths(u16::try_from(it.load).ok()?);
            let (speed, heard) = (Speed(u8::try_from(it.speed).ok()?), batch_of(it.heard));
            Command::HostReport { host, load, speed, heard }
        }
        5 => Command::HostLost { host },
        6 => Command::Tick,
        7 => Command::HostMemory { host, memory },
        8 => Command::NameHosts { set, first: host, hosts, named: it.named != 0 },
        9 => Command::ChooseHosts { set, hosts },
        _ => return None,
    })
}

const fn batch_of(locox_batch { boot, number }: locox_batch) -> Batch {
    Batch { boot, number }
}

const fn plain_batch(Batch { boot, number }: Batch) -> locox_batch {
    locox_batch { boot, number }
}

fn plain_assignment(it: Assignment) -> locox_assignment {
    locox_assignment {
        job: name_of(it.job.handle()),
        user: it.user.0,
        level: it.level.number().into(),
        first: it.first.into(),
        terminating: it.terminating.into(),
    }
}

struct World {
    now: u64,
    jobs: Vec<locox_handle>,
    history: Vec<locox_record>,
}

type Twin<'a, P, D> = Durable<Coordinator<'a, P, D>>;

fn step<P: Placement, D: Discipline>(
    dice: &mut Dice,
    world: &mut World,
    cluster: &mut locox_cluster,
    twin: &mut Twin<'_, P, D>,
) {
    world.now += dice.below(8);
    let time = world.now.saturating_sub(u64::from(dice.one_in(30)));
    let kinds = if dice.one_in(30) { 12 } else { 10 };
    let kind = if dice.one_in(3) { LOCOX_CLUSTER_HOST_REPORT } else { dice.number(kinds) };
    let mut command = locox_cluster_command {
        kind,
        user: dice.number(3),
        hosts: dice.beyond(HOSTS as u64 + 1),
        synchronising: dice.number(2),
        job: dice.name(&world.jobs),
        host: dice.beyond(HOSTS as u64),
        load: if dice.one_in(30) { 1 << 16 } else { dice.number(1200) },
        speed: if dice.one_in(30) { 256 } else { 14 + dice.number(4) },
        terms: locox_cluster_terms {
            set: if dice.one_in(2) { dice.number(4) as u16 } else { 0 },
            key: dice.number(3) as u16,
            memory: if dice.one_in(2) { dice.number(5) } else { 0 },
        },
        named: dice.number(2),
        heard: locox_batch { boot: u32::from(dice.one_in(2)), number: dice.number(40) },
    };
    let (draw, mut job, mut detail) = (dice.number(1 << 32), NOBODY, u64::MAX);
    let mut record = NO_RECORD;
    let mut spoiler = Spoiler::new(dice);
    let place = spoiler.pointer(cluster);
    let from = spoiler.pointer(&raw mut command);
    let to_job = spoiler.optional(&raw mut job);
    let to_record = spoiler.optional(&raw mut record);
    let to_detail = spoiler.optional(&raw mut detail);
    let spoiled = spoiler.spoiled;

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status =
        unsafe { locox_cluster_apply(place, time, from, draw, to_job, to_record, to_detail) };
    if spoiled {
        assert!(is_wrong(status), "{status:?}");
        return;
    }
    let heard = command_of(&command).map(|said| {
        let draw = P::Draw::from_source(|| draw);
        twin.apply_drawn(Instant::from_ticks(time), said, draw).map_err(error)
    });
    let expected = match heard.unwrap_or(Err((LOCOX_BAD_ARGUMENT, 0))) {
        Err(why) => {
            assert_eq!((job, record), (NOBODY, NO_RECORD));
            why
        }
        Ok((name, kept)) => {
            let name = name.map(|it| name_of(it.handle()));
            if !to_job.is_null() {
                assert_eq!(job, name.unwrap_or(NOBODY));
            }
            if !to_record.is_null() {
                assert_eq!(record.words, kept.0);
                assert_numbered_alike(kind, &record);
            }
            world.history.push(locox_record { words: kept.0 });
            world.jobs.extend(name);
            world.jobs.drain(..world.jobs.len().saturating_sub(7));
            DONE
        }
    };
    assert_eq!(status, expected.0, "{command:?}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
    take_effects(dice, cluster, twin);
    let name = dice.name(&world.jobs);
    // SAFETY: zeros are a status, and as the call says.
    unsafe {
        let mut found: locox_cluster_status = zeroed();
        let status = locox_cluster_status_of(cluster, &raw const name, &raw mut found);
        match twin.coordinator().status(job_of(name)) {
            Err(misuse) => assert_eq!(status, misused(misuse).0),
            Ok(it) => {
                let expected = match it {
                    Status::Waiting { ahead } => (0, ahead, 0),
                    Status::Running { first, unheard } => (1, first.0, unheard),
                    Status::Ending { unheard } => (2, 0, unheard),
                };
                assert_eq!((found.kind, found.number, found.unheard), expected);
            }
        }
        let mut terms: locox_cluster_terms = zeroed();
        let status = locox_cluster_terms_of(cluster, &raw const name, &raw mut terms);
        match twin.coordinator().terms(job_of(name)) {
            Err(misuse) => assert_eq!(status, misused(misuse).0),
            Ok(it) => {
                assert_eq!((terms.set, terms.key, terms.memory), (it.set, it.key, it.memory));
            }
        }
        let (set, host) = (dice.number(4) as u16, dice.beyond(HOSTS as u64));
        let (mut named, mut memory) = (77, 77);
        assert_eq!(locox_cluster_is_named(cluster, set, host, &raw mut named), LOCOX_OK);
        assert_eq!(named, u32::from(twin.coordinator().set(set).any(|it| it == HostId(host))));
        assert_eq!(locox_cluster_memory_of(cluster, host, &raw mut memory), LOCOX_OK);
        assert_eq!(memory, twin.coordinator().memory(HostId(host)));
    }
}

fn take_effects<P: Placement, D: Discipline>(
    dice: &mut Dice,
    cluster: &mut locox_cluster,
    twin: &mut Twin<'_, P, D>,
) {
    // Now and then some are left for later.
    while !dice.one_in(30) {
        // SAFETY: zeros are an effect, and as the calls say.
        unsafe {
            let mut effect: locox_cluster_effect = zeroed();
            let mut peeked: locox_cluster_effect = zeroed();
            let status = locox_cluster_peek_effect(cluster, &raw mut peeked);
            assert_eq!(locox_cluster_take_effect(cluster, &raw mut effect), status);
            let Some(told) = twin.take_effect() else {
                assert_eq!(status, LOCOX_NONE);
                return;
            };
            assert_eq!(peeked, effect);
            let locox_cluster_effect { kind, host, batch, number, assignment } = effect;
            match told.effect {
                Effect::Assign { host: to, batch: of, number: nth, assignment: on } => {
                    assert_eq!(
                        (kind, host, batch, number, assignment),
                        (0, to.0, plain_batch(of), nth, plain_assignment(on))
                    );
                }
                Effect::AssignmentsEnd { host: to, batch: of, jobs } => {
                    assert_eq!((kind, host, batch, number), (1, to.0, plain_batch(of), jobs));
                }
            }
        }
    }
}

fn in_step<P: Placement, D: Discipline>(
    cluster: &mut locox_cluster,
    mut twin: Twin<'_, P, D>,
    seed: u64,
) {
    let place = &raw mut *cluster;
    let beginning = image_of(place, locox_cluster_export);
    let mut dice = Dice(seed);
    let mut world = World { now: 0, jobs: Vec::new(), history: Vec::new() };
    for call in 0..calls() / 4 {
        step(&mut dice, &mut world, cluster, &mut twin);
        if call % 64 == 0 {
            // SAFETY: as the call says.
            assert_eq!(unsafe { locox_cluster_check(cluster) }, LOCOX_OK);
        }
    }
    let mut expected = Vec::new();
    twin.export(&mut |word| expected.push(word));
    let place = &raw mut *cluster;
    assert_eq!(image_of(place, locox_cluster_export), expected);
    assert!(world.history.len() > 500, "{}", world.history.len());
    HISTORY.replayed(place, &beginning, &world.history);
}

#[test]
fn a_cluster_answers_as_the_kernel_does_whatever_it_is_told() {
    // SAFETY: zeroed is not started, zeros are a configuration, and as the calls say.
    unsafe {
        let mut storage: Storage = zeroed();
        let mut cluster: locox_cluster = zeroed();
        let mut config: locox_cluster_config = zeroed();
        assert_eq!(locox_cluster_standard(&raw mut config), LOCOX_OK);
        assert_eq!((config.silence, config.retry), (LOCOX_NEVER, LOCOX_RETRY_ALWAYS));
        config.pool = 5;
        config.silence = 40;
        (config.sets, config.memory) = (SETS, 1);
        let rows = storage.rows();
        let placing = locox_placing {
            kind: 0,
            degree: 2,
            threshold: 800,
            shuffled: 0,
            believed: 10,
            settled: 2,
        };
        let place = &raw mut cluster;
        let start = |config: &locox_cluster_config, placing: &locox_placing, levels, rows: &_| {
            locox_cluster_start_non_interfering(place, config, placing, levels, rows, 0, null_mut())
        };
        let zero = locox_cluster_config { silence: 0, ..config };
        assert_eq!(start(&zero, &placing, LEVELS, &rows), LOCOX_ZERO);
        let odd = locox_cluster_config { retry: 3, ..config };
        assert_eq!(start(&odd, &placing, LEVELS, &rows), LOCOX_BAD_ARGUMENT);
        let deep = locox_placing { degree: 4, ..placing };
        assert_eq!(start(&config, &deep, LEVELS, &rows), LOCOX_WRONG_LEVELS);
        assert_eq!(start(&config, &placing, 9, &rows), LOCOX_WRONG_LEVELS);
        let busy = locox_placing { threshold: 1000, ..placing };
        assert_eq!(start(&config, &busy, LEVELS, &rows), LOCOX_BAD_ARGUMENT);
        let short = locox_cluster_rows { word_count: WORDS - 1, ..rows };
        assert_eq!(start(&config, &placing, LEVELS, &short), LOCOX_TOO_SHORT);
        let null = locox_cluster_rows { placed: null_mut(), ..rows };
        assert_eq!(start(&config, &placing, LEVELS, &null), LOCOX_NULL);
        assert_eq!(locox_cluster_check(place), LOCOX_NOT_STARTED);
        assert_eq!(start(&config, &placing, LEVELS, &rows), LOCOX_OK);
        let silence = Some(Duration::from_ticks(40));
        let retry = Retry::Always;
        let theirs = Config { retry, silence, sets: SETS, memory: true, pool: PoolId(5) };
        let by_memory = locox_cluster_more_words(HOSTS, 0, 1);
        assert_eq!((locox_cluster_more_words(HOSTS, SETS, 7), by_memory), (7, 5));
        let non_interfering = NonInterfering {
            degree: 2,
            threshold: Threshold::from_thousandths(800).unwrap(),
            believed: Duration::from_ticks(10),
            settled: Duration::from_ticks(2),
        };
        let mut columns = Box::new(Rows::EMPTY);
        let levels = LEVELS as u8;
        let twin =
            Coordinator::new(theirs, levels, columns.columns(), non_interfering, Instant::ZERO)
                .unwrap();
        in_step(&mut cluster, Durable::new(twin), 51);

        let lots = locox_placing { shuffled: 1, ..placing };
        let config = locox_cluster_config { retry: LOCOX_RETRY_ONE_AT_ENDS, ..config };
        let (config, rows) = (&raw const config, &raw const rows);
        let status = locox_cluster_start_first_level(
            place,
            config,
            &raw const lots,
            LEVELS,
            rows,
            0,
            null_mut(),
        );
        assert_eq!(status, LOCOX_OK);
        let theirs = Config { retry: Retry::OneAtEnds, ..theirs };
        let first_level = FirstLevel::new(2).shuffled();
        let twin = Coordinator::new(theirs, levels, columns.columns(), first_level, Instant::ZERO)
            .unwrap();
        in_step(&mut cluster, Durable::new(twin), 52);

        for kind in 0..6 {
            let placing = locox_placing { kind: 1, ..lots };
            let discipline = locox_discipline { kind, bound: 1 };
            let status = locox_cluster_start_ordered(
                place,
                config,
                &raw const placing,
                &raw const discipline,
                LEVELS,
                rows,
                0,
                null_mut(),
            );
            assert_eq!(status, if kind < 5 { LOCOX_OK } else { LOCOX_BAD_ARGUMENT });
            let columns = columns.columns();
            let start = (theirs, levels, columns);
            match kind {
                2 => ordered(&mut cluster, start, Scan::up()),
                4 => ordered(&mut cluster, start, Lazy::beyond(1)),
                _ => {}
            }
        }
    }
}

fn ordered(
    cluster: &mut locox_cluster,
    (config, levels, columns): (Config, u8, Columns<'_>),
    discipline: impl Discipline,
) {
    let rules = (FirstLevel::new(2).shuffled(), discipline);
    let twin = Coordinator::with_discipline(config, levels, columns, rules, Instant::ZERO).unwrap();
    in_step(cluster, Durable::new(twin), 53);
}

fn host_effect(effect: HostEffect) -> locox_host_effect {
    let none = locox_handle { index: 0, generation: 0, pool: 0, epoch: 0 };
    let of = |kind| locox_host_effect {
        kind,
        job: none,
        user: LOCOX_NOBODY,
        level: 0,
        first: 0,
        load: 0,
        heard: locox_batch { boot: 0, number: 0 },
    };
    let name = |job: JobId| name_of(job.handle());
    match effect {
        HostEffect::Kill { job } => locox_host_effect { job: name(job), ..of(0) },
        HostEffect::RaiseHelper { user, level } => {
            locox_host_effect { user: user.0, level: level.number().into(), ..of(1) }
        }
        HostEffect::Start { job, user, level, first } => locox_host_effect {
            job: name(job),
            user: user.0,
            level: level.number().into(),
            first: first.into(),
            ..of(2)
        },
        HostEffect::SetPriority { job, level } => {
            locox_host_effect { job: name(job), level: level.number().into(), ..of(3) }
        }
        HostEffect::RestoreHelper { user } => locox_host_effect { user: user.0, ..of(4) },
        HostEffect::Report { load, heard } => {
            let (load, heard) = (load.thousandths().into(), plain_batch(heard));
            locox_host_effect { load, heard, ..of(5) }
        }
    }
}

fn host_command_of(it: &locox_host_command) -> Result<HostCommand, locox_status> {
    Ok(match it.kind {
        0 => {
            let level = u8::try_from(it.assignment.level).ok().and_then(Level::new);
            let assignment = Assignment {
                job: job_of(it.assignment.job),
                user: UserId(it.assignment.user),
                level: level.ok_or(LOCOX_WRONG_LEVELS)?,
                first: it.assignment.first != 0,
                terminating: it.assignment.terminating != 0,
            };
            HostCommand::Assign { batch: batch_of(it.batch), number: it.number, assignment }
        }
        1 => HostCommand::AssignmentsEnd { batch: batch_of(it.batch), jobs: it.number },
        2 => {
            let load = u16::try_from(it.load).map_err(|_| LOCOX_BAD_ARGUMENT)?;
            HostCommand::Measured { load: Load::from_thousandths(load) }
        }
        3 => HostCommand::Tick,
        _ => return Err(LOCOX_BAD_ARGUMENT),
    })
}

#[test]
fn a_host_answers_as_the_kernel_does_whatever_it_is_told() {
    let config = HostConfig { report: Duration::from_ticks(20), boot: 3, pool: PoolId(6) };
    let mut twin = Durable::new(HostPart::new(config, Instant::ZERO).unwrap());
    // SAFETY: zeroed is not started.
    let mut host: locox_host = unsafe { zeroed() };
    let good = &raw mut host;
    // SAFETY: as the calls say.
    unsafe {
        assert_eq!(locox_host_check(good), LOCOX_NOT_STARTED);
        assert_eq!(locox_host_start(good, 6, 3, 0, 0), LOCOX_ZERO);
        assert_eq!(locox_host_start(good, 6, 3, 20, 0), LOCOX_OK);
    }
    let beginning = image_of(good, locox_host_export);
    let (mut dice, mut now, mut next, mut history) = (Dice(61), 0, 0, Vec::new());
    for _ in 0..calls() / 4 {
        now += dice.below(8);
        let time = u64::saturating_sub(now, u64::from(dice.one_in(30)));
        let assignment = locox_assignment {
            job: locox_handle { index: dice.number(5), generation: 1, pool: 5, epoch: 0 },
            user: dice.number(3),
            level: dice.beyond(8),
            first: dice.number(2),
            terminating: u32::from(dice.one_in(5)),
        };
        let kind = if dice.one_in(2) { LOCOX_HOST_ASSIGN } else { dice.number(5) };
        let number = if dice.one_in(6) { dice.number(4) } else { next };
        let load = if dice.one_in(30) { 1 << 16 } else { dice.number(2000) };
        let heard = twin.coordinator().heard().number;
        let later = if dice.one_in(6) { dice.number(4) } else { 1 };
        let batch = locox_batch { boot: 3, number: heard + later };
        let mut command = locox_host_command { kind, batch, number, assignment, load };
        let (mut record, mut detail) = (NO_RECORD, u64::MAX);
        let mut spoiler = Spoiler::new(&mut dice);
        let place = spoiler.pointer(good);
        let from = spoiler.pointer(&raw mut command);
        let to_record = spoiler.optional(&raw mut record);
        let to_detail = spoiler.optional(&raw mut detail);
        let spoiled = spoiler.spoiled;
        // SAFETY: every pointer that is not spoiled points to what the call says.
        let status = unsafe { locox_host_apply(place, time, from, to_record, to_detail) };
        if spoiled {
            assert!(is_wrong(status), "{status:?}");
            continue;
        }
        let misused = |misuse| match misuse {
            HostMisuse::TimeWentBack => (LOCOX_PAST, 0),
            HostMisuse::Number { next } => (LOCOX_WRONG_NUMBER, u64::from(next)),
            HostMisuse::NoPeriod => panic!("that is of a start"),
            other => panic!("{other:?} has no status"),
        };
        let heard = host_command_of(&command).map_err(|status| (status, 0)).and_then(|said| {
            twin.apply_drawn(Instant::from_ticks(time), said, ()).map_err(misused)
        });
        let expected = match heard {
            Err(why) => {
                assert_eq!(record, NO_RECORD);
                why
            }
            Ok(((), kept)) => {
                if !to_record.is_null() {
                    assert_eq!(record.words, kept.0);
                    assert_numbered_alike(kind, &record);
                }
                history.push(locox_record { words: kept.0 });
                next = match kind {
                    LOCOX_HOST_ASSIGN => number + 1,
                    LOCOX_HOST_ASSIGNMENTS_END => 0,
                    _ => next,
                };
                DONE
            }
        };
        assert_eq!(status, expected.0, "{command:?}");
        if status != LOCOX_OK && !to_detail.is_null() {
            assert_eq!(detail, expected.1);
        }
        loop {
            // SAFETY: zeros are an effect, and as the calls say.
            unsafe {
                let mut effect: locox_host_effect = zeroed();
                let status = locox_host_take_effect(good, &raw mut effect);
                let Some(told) = twin.take_effect() else {
                    assert_eq!(status, LOCOX_NONE);
                    break;
                };
                assert_eq!(effect, host_effect(told.effect));
            }
        }
    }
    let mut expected = Vec::new();
    twin.export(&mut |word| expected.push(word));
    assert_eq!(image_of(good, locox_host_export), expected);
    OF_HOST.replayed(good, &beginning, &history);
}
