//! The coordinator of stations, under Up-Down by time and under lots.

use crate::dice::{Dice, NOBODY, Spoiler, calls, handle_of, is_wrong, misnamed};
use crate::history::assert_numbered_alike;
use locox::draw::Draw;
use locox::error::Error;
use locox::fair::{
    Contender, DecayParams, Demand, Fairness, Random, StationId, TimedRow, TimedUpDown,
};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use locox_coordinators::coordinate::Durable;
use locox_coordinators::station::{
    Checkpoint, Columns, Command, Config, Coordinator, Effect, HomeRow, JobId, JobRow, Message,
    Misuse, NodeId, NodeRow, Nodes, Refusal, Run, Sender,
};
use std::ffi::c_void;
use std::mem::zeroed;
use std::ptr::{null, null_mut};

const STATIONS: usize = 3;
const NODES: usize = 5;
const JOBS: usize = 7;
const SCRATCH: usize = 6;
const NO_RECORD: locox_record = locox_record { words: [77; 16] };

type Rows = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

/// Rows as C has them.
struct Storage {
    demand: [locox_demand_row; STATIONS],
    homes: [locox_home_row; STATIONS],
    nodes: [locox_node_row; NODES],
    jobs: [locox_job_row; JOBS],
    scratch: [locox_contender; SCRATCH],
    ranking: [locox_timed_row; STATIONS],
}

impl Storage {
    fn rows(&mut self) -> locox_station_rows {
        locox_station_rows {
            demand: self.demand.as_mut_ptr(),
            homes: self.homes.as_mut_ptr(),
            stations: STATIONS,
            nodes: self.nodes.as_mut_ptr(),
            node_count: NODES,
            jobs: self.jobs.as_mut_ptr(),
            job_count: JOBS,
            scratch: self.scratch.as_mut_ptr(),
            scratch_count: SCRATCH,
        }
    }
}

fn twin_rows() -> Rows {
    Columns {
        demand: vec![Demand::NONE; STATIONS],
        homes: vec![HomeRow::EMPTY; STATIONS],
        nodes: vec![NodeRow::EMPTY; NODES],
        jobs: vec![JobRow::EMPTY; JOBS],
        scratch: vec![Contender::EMPTY; SCRATCH],
    }
}

fn misused(misuse: Misuse) -> (locox_status, u64) {
    match misuse {
        Misuse::TimeWentBack => (LOCOX_PAST, 0),
        Misuse::NoSuchStation(station) => (LOCOX_NO_SUCH_STATION, station.0.into()),
        Misuse::NoSuchNode(node) => (LOCOX_NO_SUCH_NODE, node.0.into()),
        Misuse::Serial { next } => (LOCOX_WRONG_SERIAL, next.into()),
        Misuse::Job(misuse) => (misnamed(misuse), 0),
        Misuse::RunOver => (LOCOX_RUN_OVER, 0),
        Misuse::Cancelled => (LOCOX_CANCELLED, 0),
        Misuse::NotStopped => (LOCOX_NOT_STOPPED, 0),
        Misuse::Unnumbered => (LOCOX_UNNUMBERED, 0),
        Misuse::NoReport => (LOCOX_NO_REPORT, 0),
        Misuse::Zero { .. } => (LOCOX_ZERO, 0),
        Misuse::Ranking(locox::fair::Misuse::NoWeights) => (LOCOX_BAD_ARGUMENT, 0),
        other => panic!("{other:?} is of a start"),
    }
}

fn error(error: Error<Refusal, Misuse>) -> (locox_status, u64) {
    match error {
        Error::Refused(Refusal::JobsFull) => (LOCOX_FULL, 0),
        Error::Refused(Refusal::StationFull(station)) => (LOCOX_FULL, station.0.into()),
        Error::Refused(Refusal::Old) => (LOCOX_OLD, 0),
        Error::Refused(Refusal::BootOver { next }) => (LOCOX_OLD, next.into()),
        Error::Refused(Refusal::Early { next }) => (LOCOX_EARLY, next.into()),
        Error::Misused(misuse) => misused(misuse),
        other => panic!("{other:?} has no status"),
    }
}

fn name_of(job: JobId) -> locox_handle {
    crate::dice::name_of(job.handle())
}

fn command_of(it: &locox_station_command) -> Option<Command> {
    let (node, station) = (NodeId(it.node), StationId(it.node));
    let job = JobId::from_handle(handle_of(it.run.job));
    let run = Run { job, attempt: it.run.attempt };
    let nodes = if it.node == LOCOX_BANK { Nodes::Bank } else { Nodes::One { node } };
    Some(match it.kind {
        0 => Command::Submit { home: station, serial: it.number },
        1 => Command::NodeIdle { node },
        2 => Command::OwnerBack { station },
        3 => Command::Continued { run },
        4 => Command::Checkpointed { run, checkpoint: Checkpoint(it.number) },
        5 => Command::Vacated { run },
        6 => Command::Finished { run },
        7 => Command::NodeLost { node },
        8 => Command::Tick,
        9 => Command::Heard { run },
        10 => Command::Cancel { job },
        11 => Command::Hold { job },
        12 => Command::Release { job },
        13 => Command::Limit { job, limit: Duration::from_ticks(it.limit) },
        14 => Command::Drain { nodes },
        15 => Command::Restore { nodes },
        16 => Command::SetWeight { station, weight: u16::try_from(it.number).ok()? },
        _ => return None,
    })
}

/// Kind, processor, run, home, checkpoint and time of an effect.
type Plain = (u32, u32, Option<(locox_handle, u32)>, u32, u32, u64);

fn plain(effect: Effect) -> Plain {
    let run = |it: Run| Some((name_of(it.job), it.attempt));
    match effect {
        Effect::Poll => (0, LOCOX_NOBODY, None, LOCOX_NOBODY, 0, 0),
        Effect::Place { node, run: it, home, begins } => {
            (1, node.0, run(it), home.0, 0, begins.ticks())
        }
        Effect::Resume { node, run: it, home, checkpoint, begins } => {
            (2, node.0, run(it), home.0, checkpoint.0, begins.ticks())
        }
        Effect::Preempt { node, run: it, .. } => (3, node.0, run(it), LOCOX_NOBODY, 0, 0),
        Effect::Checkpoint { node, run: it } => (4, node.0, run(it), LOCOX_NOBODY, 0, 0),
        Effect::Ask { node, run: it } => (5, node.0, run(it), LOCOX_NOBODY, 0, 0),
        Effect::SetAside { node } => (6, node.0, None, LOCOX_NOBODY, 0, 0),
    }
}

fn plain_c(it: &locox_station_effect) -> Plain {
    let run = (1..=5).contains(&it.kind).then_some((it.run.job, it.run.attempt));
    (it.kind, it.node, run, it.home, it.number, it.begins)
}

struct World {
    now: u64,
    serials: [u32; STATIONS],
    runs: Vec<locox_run>,
    /// Since the start.
    history: Vec<locox_record>,
}

fn step<F: Fairness>(
    dice: &mut Dice,
    world: &mut World,
    station: &mut locox_station,
    twin: &mut Durable<Coordinator<F, Rows>>,
) {
    world.now += dice.below(200);
    let time = world.now.saturating_sub(u64::from(dice.one_in(30)));
    let at = dice.below(world.runs.len().max(1) as u64) as usize;
    let mut run = world.runs.get(at).copied().unwrap_or(locox_run { job: NOBODY, attempt: 1 });
    run.job = dice.name(&[run.job]);
    run.attempt = run.attempt.wrapping_add(u32::from(dice.one_in(30)));
    let kinds = if dice.one_in(30) { 20 } else { 17 };
    let kind = dice.number(kinds);
    let node = match dice.below(20) {
        0 => LOCOX_BANK,
        1 => dice.number(7),
        _ if kind == LOCOX_SUBMIT || kind == LOCOX_OWNER_BACK => dice.number(STATIONS as u64),
        _ => dice.number(NODES as u64),
    };
    let serial = world.serials.get(node as usize).map_or(1, |serial| serial + 1);
    let number =
        if kind == LOCOX_SUBMIT { serial + u32::from(dice.one_in(20)) } else { dice.number(9) };
    let mut command =
        locox_station_command { kind, node, run, number, padding: 0, limit: dice.below(5000) };
    let mut sender = locox_sender { node, boot: dice.number(3), number: dice.number(4) };
    let (draw, mut job, mut detail) = (dice.number(1 << 32), NOBODY, u64::MAX);
    let mut record = NO_RECORD;
    let is_numbered = dice.one_in(20);
    let mut spoiler = Spoiler::new(dice);
    let place = spoiler.pointer(station);
    let from = spoiler.pointer(&raw mut command);
    let to_job = spoiler.optional(&raw mut job);
    let to_record = spoiler.optional(&raw mut record);
    let to_detail = spoiler.optional(&raw mut detail);
    let by = if is_numbered { spoiler.optional(&raw mut sender) } else { null_mut() };
    let spoiled = spoiler.spoiled;

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status =
        unsafe { locox_station_apply(place, time, by, from, draw, to_job, to_record, to_detail) };
    if spoiled {
        assert!(is_wrong(status), "{status:?}");
        return;
    }
    let Some(command) = command_of(&command) else {
        assert_eq!(status, LOCOX_BAD_ARGUMENT);
        return;
    };
    let by = (!by.is_null()).then_some(Sender {
        node: NodeId(node),
        boot: sender.boot,
        number: sender.number,
    });
    let draw = F::Draw::from_source(|| draw);
    let message = Message { from: by, command };
    let answer = twin.apply_drawn(Instant::from_ticks(time), message, draw);
    match answer {
        Ok((name, expected)) => {
            assert_eq!(status, LOCOX_OK);
            if !to_record.is_null() {
                assert_eq!(record.words, expected.0);
                assert_numbered_alike(kind, &record);
            }
            world.history.push(locox_record { words: expected.0 });
            if !to_job.is_null() {
                assert_eq!(job, name.map_or(NOBODY, name_of));
            }
            if let (Command::Submit { .. }, Some(serial)) =
                (command, world.serials.get_mut(node as usize))
            {
                *serial = number;
            }
        }
        Err(why) => {
            let expected = error(why);
            assert_eq!(status, expected.0);
            assert_eq!((job, record), (NOBODY, NO_RECORD));
            if !to_detail.is_null() {
                assert_eq!(detail, expected.1);
            }
        }
    }
    take_effects(dice, world, station, twin);
}

fn take_effects<F: Fairness>(
    dice: &mut Dice,
    world: &mut World,
    station: &mut locox_station,
    twin: &mut Durable<Coordinator<F, Rows>>,
) {
    // Now and then some are left for later.
    while !dice.one_in(20) {
        // SAFETY: zeros are an effect, and as the calls say.
        unsafe {
            let mut effect: locox_station_effect = zeroed();
            let mut peeked: locox_station_effect = zeroed();
            let status = locox_station_peek_effect(station, &raw mut peeked);
            assert_eq!(locox_station_take_effect(station, &raw mut effect), status);
            let Some(told) = twin.take_effect() else {
                assert_eq!(status, LOCOX_NONE);
                return;
            };
            assert_eq!(peeked, effect);
            assert_eq!(plain_c(&effect), plain(told.effect));
            if effect.run.attempt > 0 {
                world.runs.push(effect.run);
                world.runs.drain(..world.runs.len().saturating_sub(6));
            }
        }
    }
}

fn in_step<F: Fairness>(station: &mut locox_station, twin: Coordinator<F, Rows>, seed: u64) {
    let mut twin = Durable::new(twin);
    let beginning = image_of(station);
    let mut dice = Dice(seed);
    let mut world = World { now: 0, serials: [0; STATIONS], runs: Vec::new(), history: Vec::new() };
    for call in 0..calls() {
        step(&mut dice, &mut world, station, &mut twin);
        if call % 64 == 0 {
            let (mut free, mut now, mut wake) = (0, 0, 0);
            // SAFETY: as the calls say.
            unsafe {
                assert_eq!(locox_station_check(station), LOCOX_OK);
                assert_eq!(locox_station_free(station, &raw mut free), LOCOX_OK);
                assert_eq!(locox_station_now(station, &raw mut now), LOCOX_OK);
                assert_eq!(locox_station_wake_at(station, &raw mut wake), LOCOX_OK);
            }
            let coordinator = twin.coordinator();
            let wakes = coordinator.wake_at().map(Instant::ticks);
            assert_eq!((free, now, Some(wake)), (coordinator.free(), twin.now().ticks(), wakes));
        }
    }
    let mut expected = Vec::new();
    twin.export(&mut |word| expected.push(word));
    let image = image_of(station);
    assert_eq!(image, expected);
    history(station, &beginning, &world.history);
    let (len, mut image) = (image.len(), image);
    // SAFETY: as the calls say.
    unsafe {
        assert_eq!(locox_station_restore(station, image.as_ptr(), len - 1), LOCOX_BAD_IMAGE);
        assert_eq!(locox_station_restore(station, image.as_ptr(), len), LOCOX_OK);
        image[len / 2] ^= 1;
        assert_eq!(locox_station_restore(station, image.as_ptr(), len), LOCOX_BAD_IMAGE);
        assert_eq!(locox_station_check(station), LOCOX_OK);
    }
}

fn image_of(station: &locox_station) -> Vec<u32> {
    crate::history::image_of(station, locox_station_export)
}

unsafe extern "C" fn count(_: *const locox_station_effect, user: *mut c_void) {
    // SAFETY: the test passes a number.
    unsafe { *user.cast::<u64>() += 1 };
}

fn place_of(station: &locox_station) -> locox_place {
    let mut place = locox_place { commands: 77, effects: 77 };
    // SAFETY: as the call says.
    assert_eq!(unsafe { locox_station_place(station, &raw mut place) }, LOCOX_OK);
    place
}

/// From the beginning and the records to the present again, bit for bit.
fn history(station: &mut locox_station, beginning: &[u32], records: &[locox_record]) {
    let take_all = |station: &mut locox_station| {
        // SAFETY: zeros are an effect, and as the call says.
        let mut effect: locox_station_effect = unsafe { zeroed() };
        // SAFETY: as the call says.
        while unsafe { locox_station_take_effect(station, &raw mut effect) } == LOCOX_OK {}
    };
    take_all(station);
    let (present, place) = (image_of(station), place_of(station));
    let (mut told, mut is_new, mut detail) = (0u64, 77, 0);
    let user = (&raw mut told).cast();
    // SAFETY: as the calls say.
    unsafe {
        let mut other = beginning.to_vec();
        other[0] ^= 1;
        let load = locox_station_load;
        assert_eq!(load(station, other.as_ptr(), other.len()), LOCOX_NO_IMAGE);
        assert_eq!(place_of(station), place);
        assert_eq!(load(station, beginning.as_ptr(), beginning.len()), LOCOX_OK);
        let mut replay = |record: &locox_record| {
            let status = locox_station_replay(
                &raw mut *station,
                record,
                Some(count),
                user,
                &raw mut is_new,
                &raw mut detail,
            );
            (status, is_new, detail)
        };
        assert_eq!(replay(&records[1]), (LOCOX_OUT_OF_TURN, 77, 1));
        let mut turned = records[0];
        turned.words[9] ^= 1 << 8;
        assert_eq!(replay(&turned).0, LOCOX_BAD_RECORD);
        assert_eq!(replay(&NO_RECORD).0, LOCOX_NO_RECORD);
        for record in records {
            let (status, is_new, _) = replay(record);
            assert_eq!((status, is_new), (LOCOX_OK, 1));
        }
        let (status, is_new, _) = replay(&records[0]);
        assert_eq!((status, is_new), (LOCOX_OK, 0));
        assert!(told > 0);
        take_all(station);
        assert_eq!((image_of(station), place_of(station)), (present, place));
        let mut record = NO_RECORD;
        assert_eq!(locox_station_resync(station, &raw mut record), LOCOX_OK);
        assert_ne!(record, NO_RECORD);
        assert_eq!(place_of(station).effects >> 32, (place.effects >> 32) + 1);
    }
}

fn config() -> (Config, locox_station_config) {
    // SAFETY: zeros are a configuration, and as the call says.
    unsafe {
        let mut ours: locox_station_config = zeroed();
        assert_eq!(locox_station_standard(60, &raw mut ours), LOCOX_OK);
        (Config::standard(Duration::from_ticks(60)), ours)
    }
}

#[test]
fn a_coordinator_answers_as_the_kernel_does_whatever_it_is_told() {
    let (theirs, ours) = config();
    let now = Instant::ZERO;
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut storage: Storage = zeroed();
        let mut station: locox_station = zeroed();
        let rows = storage.rows();
        let table = storage.ranking.as_mut_ptr();
        let status = locox_station_start_timed(
            &raw mut station,
            &raw const ours,
            &raw const rows,
            table,
            STATIONS,
            [1u16, 3, 2].as_ptr(),
            86_400,
            600,
            0,
            null_mut(),
        );
        assert_eq!(status, LOCOX_OK);
        let pace = DecayParams {
            half_life: Duration::from_ticks(86_400),
            quantum: Duration::from_ticks(600),
        };
        let mut ranking = TimedUpDown::new(vec![TimedRow::EMPTY; STATIONS], pace).unwrap();
        ranking.set_weight(StationId(1), 3).unwrap();
        ranking.set_weight(StationId(2), 2).unwrap();
        in_step(&mut station, Coordinator::new(theirs, twin_rows(), ranking, now).unwrap(), 7);

        let start = locox_station_start_random;
        let status = start(&raw mut station, &raw const ours, &raw const rows, 0, null_mut());
        assert_eq!(status, LOCOX_OK);
        in_step(
            &mut station,
            Coordinator::new(theirs, twin_rows(), Random::new(), now).unwrap(),
            8,
        );
    }
}

#[test]
fn a_start_that_fails_touches_no_row() {
    let (_, good) = config();
    let zero = locox_station_config { interval: 0, ..good };
    let odd = locox_station_config { trigger: 9, ..good };
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut storage: Storage = zeroed();
        let mut station: locox_station = zeroed();
        storage.jobs[JOBS - 1] = std::mem::transmute::<[u64; 8], locox_job_row>([7; 8]);
        let rows = storage.rows();
        let table = storage.ranking.as_mut_ptr();
        let few = locox_station_rows { node_count: STATIONS - 1, ..rows };
        let scratch = locox_station_rows { scratch_count: 3, ..rows };
        let null = locox_station_rows { homes: null_mut(), ..rows };
        let weights = std::cell::Cell::new(std::ptr::null());
        let mut start =
            |config: &locox_station_config, rows: &locox_station_rows, table, count, quantum| {
                locox_station_start_timed(
                    &raw mut station,
                    config,
                    rows,
                    table,
                    count,
                    weights.get(),
                    86_400,
                    quantum,
                    0,
                    null_mut(),
                )
            };
        assert_eq!(start(&zero, &rows, table, STATIONS, 600), LOCOX_ZERO);
        assert_eq!(start(&odd, &rows, table, STATIONS, 600), LOCOX_BAD_ARGUMENT);
        assert_eq!(start(&good, &few, table, STATIONS, 600), LOCOX_TOO_SHORT);
        assert_eq!(start(&good, &scratch, table, STATIONS, 600), LOCOX_TOO_SHORT);
        assert_eq!(start(&good, &null, table, STATIONS, 600), LOCOX_NULL);
        assert_eq!(start(&good, &rows, table, STATIONS - 1, 600), LOCOX_TOO_SHORT);
        assert_eq!(start(&good, &rows, table, STATIONS, 0), LOCOX_ZERO);
        let light = [1u16, 0, 1];
        weights.set(light.as_ptr());
        assert_eq!(start(&good, &rows, table, STATIONS, 600), LOCOX_ZERO);
        weights.set(light.as_ptr().wrapping_byte_add(1));
        assert_eq!(start(&good, &rows, table, STATIONS, 600), LOCOX_MISALIGNED);
        let (mut free, place) = (0, &raw const station);
        assert_eq!(locox_station_free(place, &raw mut free), LOCOX_NOT_STARTED);
        let row = std::mem::transmute_copy::<locox_job_row, [u64; 8]>(&storage.jobs[JOBS - 1]);
        assert_eq!(row, [7; 8]);
    }
}

/// What a C program stores is what the stores of the kernel read.
#[test]
fn a_history_kept_through_c_is_read_by_others() {
    let (theirs, ours) = config();
    // SAFETY: zeroed is not started, zeros are a command, and as the calls say.
    unsafe {
        let mut storage: Storage = zeroed();
        let mut station: locox_station = zeroed();
        let (place, rows) = (&raw mut station, storage.rows());
        let start = locox_station_start_round_robin;
        assert_eq!(start(place, &raw const ours, &raw const rows, 0, null_mut()), LOCOX_OK);
        let mut words = image_of(&*place);
        let mut command: locox_station_command = zeroed();
        for number in 1..=2 * JOBS as u32 {
            command.kind = if number % 2 == 0 { LOCOX_SUBMIT } else { LOCOX_NODE_IDLE };
            command.number = number / 2;
            let mut record = NO_RECORD;
            let (now, from) = (u64::from(number) * 60, &raw const command);
            let apply = locox_station_apply;
            let to = &raw mut record;
            let status = apply(place, now, null(), from, 0, null_mut(), to, null_mut());
            assert_eq!(status, LOCOX_OK);
            words.extend(record.words);
            let mut effect: locox_station_effect = zeroed();
            while locox_station_take_effect(place, &raw mut effect) == LOCOX_OK {}
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let ranking = locox::fair::RoundRobin::new();
        let twin = Coordinator::new(theirs, twin_rows(), ranking, Instant::ZERO).unwrap();
        let replayed = locox_storage::replay_history(&bytes, twin).unwrap();
        let far = place_of(&*place);
        assert_eq!((replayed.recovered.replayed, replayed.told), (far.commands, far.effects));
        assert!(far.effects > 0);
    }
}
