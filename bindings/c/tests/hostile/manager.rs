//! The coordinator of a resource manager's machine.

use crate::dice::{DONE, Dice, Spoiler, calls, is_wrong};
use crate::history::{Functions, assert_numbered_alike, image_of};
use locox::dispatch::Entry;
use locox::error::Error;
use locox::fair::TimedRow;
use locox::handle::PoolId;
use locox::reserve::{Limits, Profile};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use locox_coordinators::coordinate::Durable;
use locox_coordinators::manager::{
    Columns, Command, Config, Coordinator, Effect, JobRow, Key, Misuse, NO_STAKE, NodeId, NodeRow,
    Places, Preemption, Ranking, Reason, Refusal, StopReason, UNPLANNED, UserId, UserRow,
    cube_words, index_len, place_words, sum_words,
};
use std::ffi::c_void;
use std::mem::zeroed;
use std::ptr::null_mut;

const JOBS: usize = 6;
const USERS: usize = 3;
const NODES: usize = 8;
const INDEX: usize = index_len(JOBS, USERS);
const WORDS: usize = cube_words(NODES);
const SUMS: usize = 4 * NODES;
const HISTORY: Functions<locox_manager, locox_manager_effect> = Functions {
    export: locox_manager_export,
    load: locox_manager_load,
    replay: locox_manager_replay,
    take: locox_manager_take_effect,
};
const NO_RECORD: locox_record = locox_record { words: [77; 16] };

/// Rows as C has them.
struct Storage {
    entries: [locox_backfill_row; JOBS],
    jobs: [locox_manager_job_row; JOBS],
    users: [locox_manager_user_row; USERS],
    ranks: [locox_timed_row; USERS],
    nodes: [locox_manager_node_row; NODES],
    index: [u32; INDEX],
    words: [usize; WORDS],
    plan: [locox_manager_plan_row; JOBS],
    stakes: [locox_manager_stake_row; JOBS],
    sums: [u64; SUMS],
}

impl Storage {
    fn rows(&mut self) -> locox_manager_rows {
        locox_manager_rows {
            entries: self.entries.as_mut_ptr(),
            jobs: self.jobs.as_mut_ptr(),
            job_count: JOBS,
            users: self.users.as_mut_ptr(),
            ranks: self.ranks.as_mut_ptr(),
            user_count: USERS,
            nodes: self.nodes.as_mut_ptr(),
            node_count: NODES,
            index: self.index.as_mut_ptr(),
            index_count: INDEX,
            words: self.words.as_mut_ptr(),
            word_count: WORDS,
            plan: self.plan.as_mut_ptr(),
            stakes: self.stakes.as_mut_ptr(),
            sums: self.sums.as_mut_ptr(),
            sum_count: SUMS,
        }
    }
}

fn config() -> (Config, locox_manager_config) {
    // SAFETY: zeros are a configuration, and as the call says.
    let mut ours = unsafe {
        let mut ours: locox_manager_config = zeroed();
        assert_eq!(locox_manager_standard(1, &raw mut ours), LOCOX_OK);
        ours
    };
    assert_eq!((ours.ranking, ours.places, ours.preempt), (0, 0, 0));
    ours.pool = 3;
    let theirs = Config { pool: PoolId(3), ..Config::standard(Duration::from_ticks(1)) };
    assert_eq!(ours.half_life, theirs.decay.half_life.ticks());
    assert_eq!(ours.quantum, theirs.decay.quantum.ticks());
    let Preemption { patience, least_run, protection, notice } =
        Preemption::standard(Duration::from_ticks(1));
    assert_eq!((ours.patience, ours.least_run), (patience.ticks(), least_run.ticks()));
    assert_eq!((ours.protection, ours.notice), (protection.ticks(), notice.ticks()));
    (theirs, ours)
}

/// The same where jobs are stopped for others, soon.
fn stopping((theirs, ours): (Config, locox_manager_config)) -> (Config, locox_manager_config) {
    let [patience, least_run, protection, notice] = [3, 2, 25, 4];
    let ours = locox_manager_config { preempt: 7, patience, least_run, protection, notice, ..ours };
    let preempt = Preemption {
        patience: Duration::from_ticks(patience),
        least_run: Duration::from_ticks(least_run),
        protection: Duration::from_ticks(protection),
        notice: Duration::from_ticks(notice),
    };
    (Config { preempt: Some(preempt), ..theirs }, ours)
}

fn misused(misuse: Misuse) -> (locox_status, u64) {
    match misuse {
        Misuse::TimeWentBack => (LOCOX_PAST, 0),
        Misuse::TimeTooLate => (LOCOX_BEYOND_TIME, 0),
        Misuse::Known => (LOCOX_KNOWN, 0),
        Misuse::NoSuchJob => (LOCOX_NO_SUCH_JOB, 0),
        Misuse::NoSuchUser => (LOCOX_NO_SUCH_USER, 0),
        Misuse::Waits => (LOCOX_WAITS, 0),
        Misuse::NoNodes => (LOCOX_NO_NODES, 0),
        Misuse::NoTime => (LOCOX_NO_TIME, 0),
        Misuse::NoSuchNode(NodeId(node)) => (LOCOX_NO_SUCH_NODE, node.into()),
        Misuse::Twice(NodeId(node)) => (LOCOX_TWICE, node.into()),
        Misuse::Ranking(_) => (LOCOX_ZERO, 0),
        other => panic!("{other:?} is of a start or of a question"),
    }
}

fn error(error: Error<Refusal, Misuse>) -> (locox_status, u64) {
    match error {
        Error::Refused(Refusal::JobsFull) => (LOCOX_FULL, 0),
        Error::Refused(Refusal::UsersFull) => (LOCOX_USERS_FULL, 0),
        Error::Refused(Refusal::Taken { node, .. }) => (LOCOX_NOT_FREE, node.0.into()),
        Error::Refused(Refusal::HasJobs { jobs, .. }) => (LOCOX_HAS_JOBS, jobs.into()),
        Error::Misused(misuse) => misused(misuse),
        other => panic!("{other:?} has no status"),
    }
}

fn key_of(it: locox_key) -> Key {
    Key { id: it.id, born: it.born }
}

fn name_of(Key { id, born }: Key) -> locox_key {
    locox_key { id, born, padding: 0 }
}

fn command_of(it: &locox_manager_command) -> Result<Command, locox_status> {
    let (key, user, first) = (key_of(it.key), UserId(it.user), NodeId(it.first));
    let (nodes, priority, limit) = (it.nodes, it.priority, Duration::from_ticks(it.time));
    let time = Instant::from_ticks(it.time);
    Ok(match it.kind {
        0 => Command::Seen { key, user, nodes, limit, priority },
        1 => Command::Changed { key, nodes, limit, priority },
        2 => Command::Held { key, held: it.number != 0 },
        3 => Command::Runs { key, since: time, first, nodes },
        4 => Command::RunsAlso { key, first, nodes },
        5 => Command::Waits { key },
        6 => Command::Left { key },
        7 => Command::NodeOut { first, nodes },
        8 => Command::NodeBack { first, nodes },
        9 => {
            let weight = u16::try_from(it.number).map_err(|_| LOCOX_BAD_ARGUMENT)?;
            Command::Weight { user, weight }
        }
        10 => Command::UserGone { user },
        11 => Command::Decide,
        12 => Command::Deadline { key, by: time },
        13 => Command::Shape { key, sides: [it.first, it.nodes, it.number] },
        18 => Command::Stoppable { key, stoppable: it.number != 0 },
        19 => Command::Saved { key, at: time },
        _ => return Err(LOCOX_BAD_ARGUMENT),
    })
}

/// What C is told of an effect.
fn plain(effect: Effect) -> locox_manager_effect {
    // SAFETY: zeros are an effect.
    let nothing = locox_manager_effect { user: LOCOX_NOBODY, ..unsafe { zeroed() } };
    let stopped = |kind, key, why| {
        let (why, of, job) = match why {
            StopReason::Turn { of, job } => (0, of, job),
            StopReason::Priority { of, job } => (1, of, job),
        };
        let (key, job) = (name_of(key), name_of(job));
        locox_manager_effect { kind, key, why, user: of.0, job, ..nothing }
    };
    let told = |kind, key| locox_manager_effect { kind, key: name_of(key), ..nothing };
    match effect {
        Effect::Start { key, nodes } => locox_manager_effect { nodes, ..told(0, key) },
        Effect::Stop { key, why } => stopped(1, key, why),
        Effect::Promise { key, from, to } => {
            locox_manager_effect { from: from.ticks(), to: to.ticks(), ..told(2, key) }
        }
        Effect::Never { key, nodes } => locox_manager_effect { nodes, ..told(3, key) },
        Effect::Late { key, finish } => locox_manager_effect { to: finish.ticks(), ..told(4, key) },
        Effect::Notice { key, at, why } => {
            locox_manager_effect { to: at.ticks(), ..stopped(5, key, why) }
        }
    }
}

type Twin<'a> = Durable<Coordinator<'a>>;

#[derive(Default)]
struct World {
    now: u64,
    history: Vec<locox_record>,
    /// How often each kind was taken, and each kind of effect told.
    taken: [u32; 20],
    told: [u32; 6],
    /// How often a job waited for others to stop.
    room: u32,
}

fn a_command(dice: &mut Dice, now: u64) -> locox_manager_command {
    let kinds = if dice.one_in(30) { 21 } else { 20 };
    // Most are jobs that come, decisions, and jobs that run.
    let kind = if dice.one_in(2) { [0, 11, 3][dice.below(3) as usize] } else { dice.number(kinds) };
    let time = match kind {
        3 | 19 => (now + 9).saturating_sub(dice.below(40)),
        12 if dice.one_in(4) => LOCOX_NEVER,
        12 => dice.below(1 << 15),
        _ if dice.one_in(30) => 0,
        _ => 1 + dice.below(400),
    };
    let number = if dice.one_in(30) { 1 << 16 } else { dice.number(3) };
    let first = dice.beyond(NODES as u64);
    let most =
        if dice.one_in(30) { 12 } else { (NODES as u64).saturating_sub(first.into()).max(1) };
    let nodes = if dice.one_in(40) { 0 } else { 1 + dice.number(most) };
    let key = a_key(dice);
    let (user, priority) = (dice.beyond(USERS as u64 + 1), dice.number(2));
    locox_manager_command { kind, user, key, first, nodes, priority, number, time }
}

fn a_key(dice: &mut Dice) -> locox_key {
    locox_key { id: 1 + dice.below(8), born: dice.number(40) / 39, padding: 5 }
}

fn step(dice: &mut Dice, world: &mut World, manager: &mut locox_manager, twin: &mut Twin<'_>) {
    world.now += dice.below(8);
    let time = match dice.below(60) {
        0 => world.now.saturating_sub(1),
        1 => (u64::MAX >> 1) + 1,
        _ => world.now,
    };
    let mut command = a_command(dice, world.now);
    let (mut record, mut detail) = (NO_RECORD, u64::MAX);
    let mut spoiler = Spoiler::new(dice);
    let place = spoiler.pointer(manager);
    let from = spoiler.pointer(&raw mut command);
    let to_record = spoiler.optional(&raw mut record);
    let to_detail = spoiler.optional(&raw mut detail);
    let spoiled = spoiler.spoiled;

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe { locox_manager_apply(place, time, from, to_record, to_detail) };
    if spoiled {
        assert!(is_wrong(status), "{status:?}");
        return;
    }
    let expected = command_of(&command)
        .map_err(|status| (status, 0))
        .and_then(|said| twin.apply_drawn(Instant::from_ticks(time), said, ()).map_err(error));
    let expected = match expected {
        Err(why) => {
            assert_eq!(record, NO_RECORD);
            why
        }
        Ok(((), kept)) => {
            if !to_record.is_null() {
                assert_eq!(record.words, kept.0);
                assert_numbered_alike(command.kind, &record);
            }
            world.history.push(locox_record { words: kept.0 });
            world.taken[command.kind as usize] += 1;
            DONE
        }
    };
    assert_eq!(status, expected.0, "{command:?}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
    take_effects(dice, world, manager, twin);
    look(dice, manager, twin);
}

fn take_effects(
    dice: &mut Dice,
    world: &mut World,
    manager: &mut locox_manager,
    twin: &mut Twin<'_>,
) {
    // Now and then some are left for later.
    while !dice.one_in(20) {
        // SAFETY: zeros are an effect, and as the calls say.
        unsafe {
            let mut effect: locox_manager_effect = zeroed();
            let mut peeked: locox_manager_effect = zeroed();
            let status = locox_manager_peek_effect(manager, &raw mut peeked);
            assert_eq!(locox_manager_take_effect(manager, &raw mut effect), status);
            let Some(told) = twin.take_effect() else {
                assert_eq!(status, LOCOX_NONE);
                return;
            };
            assert_eq!((status, peeked), (LOCOX_OK, effect));
            assert_eq!(effect, plain(told.effect));
            world.told[effect.kind as usize] += 1;
        }
    }
}

/// Pushes what it is told of to a list.
unsafe extern "C" fn push<T: Copy>(one: *const T, user: *mut c_void) {
    // SAFETY: the tests pass a list of that type, the library a value.
    unsafe { (*user.cast::<Vec<T>>()).push(*one) };
}

fn list<T>(list: &mut Vec<T>) -> *mut c_void {
    (&raw mut *list).cast()
}

fn look(dice: &mut Dice, manager: &mut locox_manager, twin: &Twin<'_>) {
    let twin = twin.coordinator();
    look_at_a_job(dice, manager, twin);
    let node = dice.beyond(NODES as u64);
    // SAFETY: zeros are what they are taken for, and as the calls say.
    unsafe {
        let (mut known, mut detail): (locox_managed_node, _) = (zeroed(), 77);
        let status = locox_manager_node(manager, node, &raw mut known, &raw mut detail);
        match twin.node(NodeId(node)) {
            None => assert_eq!((status, detail), (LOCOX_NO_SUCH_NODE, node.into())),
            Some(it) => {
                assert_eq!((status, known.out != 0), (LOCOX_OK, it.out));
                let key = (known.has_job != 0).then(|| key_of(known.key));
                assert_eq!(key, it.job);
            }
        }
        let mut users = Vec::<locox_managed_user>::new();
        assert_eq!(locox_manager_users(manager, Some(push), list(&mut users)), LOCOX_OK);
        let seen =
            users.iter().map(|it| (it.id, it.jobs, it.waiting, it.nodes, it.weight, it.index));
        let expected = twin
            .users()
            .map(|it| (it.id.0, it.jobs, it.waiting, it.nodes, u32::from(it.weight), it.index));
        assert!(seen.eq(expected));
        let mut line = Vec::<locox_key>::new();
        assert_eq!(locox_manager_line(manager, Some(push), list(&mut line)), LOCOX_OK);
        assert!(twin.line().map(name_of).eq(line));
        let mut jobs = Vec::<locox_managed_job>::new();
        assert_eq!(locox_manager_jobs(manager, Some(push), list(&mut jobs)), LOCOX_OK);
        assert!(twin.jobs().map(|it| name_of(it.key)).eq(jobs.iter().map(|it| it.key)));
        let (mut count, mut free) = (77, 77);
        assert_eq!(locox_manager_count(manager, &raw mut count, &raw mut free), LOCOX_OK);
        assert_eq!((count, free), (twin.len(), twin.free()));
        let (mut key, mut at): (locox_key, locox_interval) = (zeroed(), zeroed());
        let status = locox_manager_promise(manager, &raw mut key, &raw mut at);
        match twin.promise() {
            None => assert_eq!(status, LOCOX_NONE),
            Some(it) => {
                assert_eq!((status, key_of(key)), (LOCOX_OK, it.key));
                assert_eq!((at.start, at.end), (it.from.ticks(), it.to.ticks()));
            }
        }
        let mut now = 77;
        assert_eq!(locox_manager_now(manager, &raw mut now), LOCOX_OK);
        assert_eq!(now, twin.now().ticks());
    }
}

fn look_at_a_job(dice: &mut Dice, manager: &mut locox_manager, twin: &Coordinator<'_>) {
    let mut name = a_key(dice);
    let key = key_of(name);
    let never = |time: Option<Instant>| time.map_or(LOCOX_NEVER, Instant::ticks);
    // SAFETY: zeros are what they are taken for, and as the calls say.
    unsafe {
        let mut job: locox_managed_job = zeroed();
        let mut spoiler = Spoiler::new(dice);
        let (place, from) = (spoiler.pointer(manager), spoiler.pointer(&raw mut name));
        let to = spoiler.pointer(&raw mut job);
        let spoiled = spoiler.spoiled;
        let status = locox_manager_job(place, from, to);
        match twin.job(key) {
            _ if spoiled => assert!(is_wrong(status), "{status:?}"),
            None => assert_eq!(status, LOCOX_NO_SUCH_JOB),
            Some(it) => {
                assert_eq!((status, key_of(job.key)), (LOCOX_OK, key));
                let terms = (it.user.0, it.nodes, it.limit.ticks(), it.priority);
                assert_eq!((job.user, job.nodes, job.limit, job.priority), terms);
                assert_eq!((job.needs, job.sides), (it.needs, it.sides));
                let states = (it.held, it.status as u32, it.attempt);
                assert_eq!((job.held != 0, job.status, job.attempt), states);
                let times = (never(it.since), never(it.deadline), never(it.late));
                assert_eq!((job.since, job.deadline, job.late), times);
            }
        }
        let mut ranges = Vec::<locox_node_range>::new();
        let status = locox_manager_nodes(manager, &raw const name, Some(push), list(&mut ranges));
        assert_eq!(status, if twin.job(key).is_some() { LOCOX_OK } else { LOCOX_NO_SUCH_JOB });
        let seen = ranges.iter().map(|it| (NodeId(it.first), it.nodes));
        assert!(seen.eq(twin.nodes(key).map(|it| (it.first, it.nodes))));

        let (mut ahead, mut reason): (u32, locox_manager_reason) = (77, zeroed());
        let status = locox_manager_ahead(manager, &raw const name, &raw mut ahead);
        assert_eq!(status, answer(twin.ahead(key)));
        assert_eq!(ahead, twin.ahead(key).ok().flatten().unwrap_or(77));
        let status = locox_manager_reason_of(manager, &raw const name, &raw mut reason);
        assert_eq!(status, answer(twin.reason(key)));
        if let Ok(Some(why)) = twin.reason(key) {
            let expected = match why {
                Reason::Held => (0, 0, 0),
                Reason::TooLarge { nodes } => (1, nodes, 0),
                Reason::Outage { serving } => (2, serving, 0),
                Reason::TooFewFree { free } => (3, free, 0),
                Reason::Divided { largest } => (4, largest, 0),
                Reason::Fragmented { largest } => (5, largest, 0),
                Reason::WouldDelay { first } => (6, 0, first.id),
                Reason::Undecided => (7, 0, 0),
                Reason::NoFreePlace => (8, 0, 0),
                Reason::Planned => (9, 0, 0),
                Reason::NoPlace => (10, 0, 0),
                Reason::Reserved { .. } => (11, 0, 0),
                Reason::Room => (12, 0, 0),
            };
            assert_eq!((reason.kind, reason.nodes, reason.first.id), expected);
        }
        estimates(manager, (name, key), twin);
    }
}

fn answer<T>(found: Result<Option<T>, Misuse>) -> locox_status {
    match found {
        Err(misuse) => misused(misuse).0,
        Ok(None) => LOCOX_NONE,
        Ok(Some(_)) => LOCOX_OK,
    }
}

/// # Safety
///
/// The coordinator was started.
unsafe fn estimates(
    manager: *mut locox_manager,
    (name, key): (locox_key, Key),
    twin: &Coordinator<'_>,
) {
    let limits = Limits { pes: NODES as u32, reservations: JOBS as u32 };
    let words = Profile::words(limits);
    let mut theirs = Profile::new(PoolId(9), limits, vec![0; words]).unwrap();
    // SAFETY: zeros are not started, and as the calls say.
    unsafe {
        let (mut scratch, mut at): (locox_profile, locox_interval) = (zeroed(), zeroed());
        let (ours, mut room) = (&raw mut scratch, vec![0usize; words]);
        let ask = |at| locox_manager_estimate(manager, &raw const name, ours, at);
        assert_eq!(ask(&raw mut at), LOCOX_NOT_STARTED);
        let (storage, pes) = (room.as_mut_ptr(), NODES as u32);
        let started = locox_profile_start(ours, 9, pes, JOBS as u32, storage, words, null_mut());
        assert_eq!(started, LOCOX_OK);
        let expected = twin.estimate(key, &mut theirs);
        assert_eq!(ask(&raw mut at), answer(expected));
        if let Ok(Some(planned)) = expected {
            assert_eq!((at.start, at.end), (planned.start.ticks(), planned.end.ticks()));
        }
        if twin.job(key).is_some_and(|job| job.since.is_none() && !job.held && job.nodes <= pes)
            && twin.reason(key) != Ok(Some(Reason::Room))
        {
            let few = locox_profile_start(ours, 9, pes - 1, 2, storage, words, null_mut());
            assert_eq!((few, ask(&raw mut at)), (LOCOX_OK, LOCOX_TOO_SHORT));
        }
    }
}

fn in_step(theirs: Config, ours: &locox_manager_config, seed: u64) -> World {
    let mut dice = Dice(seed);
    let (mut jobs, mut entries) = ([JobRow::EMPTY; JOBS], [Entry::EMPTY; JOBS]);
    let (mut users, mut ranks) = ([UserRow::EMPTY; USERS], [TimedRow::EMPTY; USERS]);
    let (mut nodes, mut index, mut words) = ([NodeRow::EMPTY; NODES], [0; INDEX], [0; WORDS]);
    let (mut plan, mut stakes) = ([UNPLANNED; JOBS], [NO_STAKE; JOBS]);
    let mut sums = vec![0; sum_words(theirs.places, NODES)];
    let columns = Columns {
        entries: &mut entries,
        jobs: &mut jobs,
        users: &mut users,
        ranks: &mut ranks,
        nodes: &mut nodes,
        index: &mut index,
        words: &mut words,
        plan: &mut plan,
        outages: &mut [],
        boxes: &mut [],
        stakes: &mut stakes,
        sums: &mut sums,
    };
    let mut twin = Durable::new(Coordinator::new(theirs, columns, Instant::ZERO).unwrap());
    let mut world = World::default();
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut storage: Box<Storage> = Box::new(zeroed());
        let mut manager: locox_manager = zeroed();
        let rows = storage.rows();
        let place = &raw mut manager;
        assert_eq!(locox_manager_check(place), LOCOX_NOT_STARTED);
        assert_eq!(locox_manager_start(place, ours, &raw const rows, 0, null_mut()), LOCOX_OK);
        let mut beginning = image_of(place, locox_manager_export);
        for call in 0..calls() {
            step(&mut dice, &mut world, &mut manager, &mut twin);
            let twin_jobs = twin.coordinator().jobs();
            let waits = |key| twin.coordinator().reason(key) == Ok(Some(Reason::Room));
            world.room += twin_jobs.filter(|job| waits(job.key)).count() as u32;
            if call % 64 == 0 {
                assert_eq!(locox_manager_check(&raw const manager), LOCOX_OK);
                let image = image_of(&raw const manager, locox_manager_export);
                let mut expected = vec![];
                twin.export(&mut |word| expected.push(word));
                assert_eq!(image, expected);
            }
            if call % 512 == 0 {
                HISTORY.replayed(&raw mut manager, &beginning, &world.history);
                while twin.take_effect().is_some() {}
                beginning = image_of(&raw const manager, locox_manager_export);
                world.history.clear();
            }
            if call % 1024 == 0 {
                // As after a restart without records: all is told again.
                let image = image_of(&raw const manager, locox_manager_export);
                let restored = locox_manager_restore(place, image.as_ptr(), image.len());
                assert_eq!(restored, LOCOX_OK);
                twin.load(&mut image.iter().copied()).unwrap();
                let _ = twin.resync();
                beginning = image_of(&raw const manager, locox_manager_export);
            }
        }
    }
    let is_taken = |kind: usize| matches!(kind, 14..18) || world.taken[kind] > 0;
    assert!((0..20).all(is_taken), "{:?}", world.taken);
    world
}

#[test]
fn any_nodes_by_users() {
    let (theirs, ours) = stopping(config());
    let world = in_step(theirs, &ours, 43);
    assert!(world.told.iter().all(|&times| times > 0), "{:?}", world.told);
    assert!(world.room > 0);
}

#[test]
fn subcubes_by_priority() {
    let (theirs, ours) = config();
    let theirs = Config { places: Places::Subcubes, ranking: Ranking::Priority, ..theirs };
    let (places, ranking) = (LOCOX_MANAGER_SUBCUBES, LOCOX_MANAGER_BY_PRIORITY);
    let world = in_step(theirs, &locox_manager_config { places, ranking, ..ours }, 44);
    assert!(world.told[4] > 0 && world.told[1] == 0, "{:?}", world.told);
}

#[test]
fn meshes_by_priority() {
    let (theirs, ours) = stopping(config());
    let theirs = Config { places: Places::Meshes, ranking: Ranking::Priority, ..theirs };
    let (places, ranking) = (LOCOX_MANAGER_MESHES, LOCOX_MANAGER_BY_PRIORITY);
    let world = in_step(theirs, &locox_manager_config { places, ranking, ..ours }, 45);
    assert!(world.told.iter().all(|&times| times > 0), "{:?}", world.told);
}

/// What calls back is busy until it returns.
unsafe extern "C" fn busy<T>(_: *const T, user: *mut c_void) {
    // SAFETY: the test passes the coordinator.
    unsafe { assert_eq!(locox_manager_check(user.cast()), LOCOX_REENTERED) };
}

#[test]
fn a_start_that_fails_touches_no_row_and_callbacks_come_back_in_vain() {
    let (_, good) = config();
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut storage: Box<Storage> = Box::new(zeroed());
        storage.index = [77; INDEX];
        let mut manager: locox_manager = zeroed();
        let rows = storage.rows();
        let place = &raw mut manager;
        let mut detail = 0;
        let mut start = |config: &locox_manager_config, rows: &locox_manager_rows| {
            let status = locox_manager_start(place, config, rows, 0, &raw mut detail);
            (status, detail)
        };
        let cubes = locox_manager_config { places: LOCOX_MANAGER_SUBCUBES, ..good };
        assert_eq!(start(&locox_manager_config { half_life: 0, ..good }, &rows).0, LOCOX_ZERO);
        assert_eq!(start(&locox_manager_config { quantum: 0, ..good }, &rows).0, LOCOX_ZERO);
        let odd = locox_manager_config { ranking: 2, ..good };
        assert_eq!(start(&odd, &rows).0, LOCOX_BAD_ARGUMENT);
        assert_eq!(start(&locox_manager_config { places: 3, ..good }, &rows).0, LOCOX_BAD_ARGUMENT);
        let seven = locox_manager_rows { node_count: 7, ..rows };
        assert_eq!(start(&cubes, &seven).0, LOCOX_BAD_ARGUMENT);
        let none = locox_manager_rows { node_count: 0, ..rows };
        assert_eq!(start(&good, &none).0, LOCOX_BAD_ARGUMENT);
        let short = locox_manager_rows { word_count: 1, ..rows };
        assert_eq!(start(&cubes, &short), (LOCOX_TOO_SHORT, WORDS as u64));
        let short = locox_manager_rows { index_count: INDEX - 1, ..rows };
        assert_eq!(start(&good, &short), (LOCOX_TOO_SHORT, INDEX as u64));
        let null = locox_manager_rows { ranks: null_mut(), ..rows };
        assert_eq!(start(&good, &null).0, LOCOX_NULL);
        let stops = locox_manager_config { preempt: 1, ..good };
        let few = place_words(NODES);
        let short = locox_manager_rows { word_count: few - 1, ..rows };
        assert_eq!(start(&stops, &short), (LOCOX_TOO_SHORT, few as u64));
        let short = locox_manager_rows { sum_count: 2 * NODES + 1, ..rows };
        assert_eq!(start(&stops, &short), (LOCOX_TOO_SHORT, 2 * NODES as u64 + 2));
        let null = locox_manager_rows { plan: null_mut(), ..rows };
        assert_eq!(start(&stops, &null).0, LOCOX_NULL);
        let alone = locox_manager_rows { stakes: null_mut(), sums: null_mut(), ..rows };
        assert_eq!(start(&stops, &alone).0, LOCOX_NULL);
        assert_eq!(storage.index, [77; INDEX]);
        assert_eq!(locox_manager_check(place), LOCOX_NOT_STARTED);
        assert_eq!(start(&stops, &rows).0, LOCOX_OK);
        assert_eq!(start(&good, &locox_manager_rows { node_count: 7, ..alone }).0, LOCOX_OK);

        let mut seen: locox_manager_command = zeroed();
        (seen.nodes, seen.time) = (2, 9);
        let decide = locox_manager_command { kind: LOCOX_MANAGER_DECIDE, ..seen };
        for command in [seen, decide] {
            let told = locox_manager_apply(place, 0, &raw const command, null_mut(), null_mut());
            assert_eq!(told, LOCOX_OK);
        }
        let (key, user) = (&raw const seen.key, place.cast());
        assert_eq!(locox_manager_jobs(place, Some(busy), user), LOCOX_OK);
        assert_eq!(locox_manager_users(place, Some(busy), user), LOCOX_OK);
        assert_eq!(locox_manager_nodes(place, key, Some(busy), user), LOCOX_OK);
        assert_eq!(locox_manager_line(place, None, user), LOCOX_OK);
        assert_eq!(locox_manager_nodes(place, key, None, null_mut()), LOCOX_OK);
    }
    for preempt in [0, 1] {
        assert_eq!(locox_manager_words(NODES, LOCOX_MANAGER_SUBCUBES, preempt), WORDS);
        assert_eq!(locox_manager_words(NODES, LOCOX_MANAGER_MESHES, preempt), WORDS);
        assert_eq!(locox_manager_words(NODES, 3, preempt), 0);
        assert_eq!(locox_manager_words(1 << 17, LOCOX_MANAGER_SUBCUBES, preempt), 0);
    }
    assert_eq!(locox_manager_sums(NODES, LOCOX_MANAGER_MESHES), SUMS);
    assert_eq!(locox_manager_sums(NODES, 3), 0);
    assert_eq!(locox_manager_sums(1 << 17, LOCOX_MANAGER_SUBCUBES), 0);
}
