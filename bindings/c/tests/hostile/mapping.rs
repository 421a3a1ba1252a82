//! Mappers over a caller's table, and what past runs took.

use crate::dice::{DONE, Dice, Spoiler, calls, is_wrong};
use locox::error::Error;
use locox::mapping::{
    BadSite, Basis, Best, BestAssignment, Cluster, Duplex, Experience, Genetic, Link, Mapper,
    MaxMin, MinMin, Misuse, Olb, Pjs, Plan, PlannedRun, Problem, Refusal, Runs, Site, Sufferage,
    Times, Traffic, UnplacedJob, Workspace, bound_workspace, genes, lower_bound, runs,
};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::mem::zeroed;
use std::ptr::{null, null_mut};

const MACHINES: usize = 3;
const CLUSTERS: usize = 2;
const JOBS: usize = 4;
const RESOURCES: usize = MACHINES + CLUSTERS;
/// No number of a mapper: it has a call of its own.
const GENETIC: u32 = 8;
const SEED: u32 = 5;
const BLANK: locox_mapped = locox_mapped { resource: 77, padding: 77, start: 77, end: 77 };

fn error(error: Error<Refusal, Misuse>) -> (locox_status, u64) {
    match error {
        Error::Refused(Refusal::NoMachine(job)) => (LOCOX_NO_MACHINE, job as u64),
        Error::Refused(Refusal::TooLong) => (LOCOX_TOO_LONG, 0),
        Error::Misused(misuse) => panic!("{misuse:?} is caught before"),
        other => panic!("{other:?} has no status"),
    }
}

fn mapper_of(mapper: u32, best: Best) -> Option<Box<dyn Mapper>> {
    Some(match mapper {
        0 => Box::new(Pjs { best }),
        1 => Box::new(Duplex { best }),
        2 => Box::new(Olb),
        3 => Box::new(BestAssignment { best }),
        4 => Box::new(MinMin { best }),
        5 => Box::new(MaxMin { best }),
        6 => Box::new(Sufferage),
        GENETIC => Box::new(Genetic { best, seed: SEED, generations: 3 }),
        _ => return None,
    })
}

/// A time, now and then none or one beyond all clocks.
fn a_time(dice: &mut Dice) -> u64 {
    match dice.below(30) {
        0 => LOCOX_NEVER,
        1 => LOCOX_NEVER - 1 - dice.below(9),
        _ => dice.below(100),
    }
}

struct Given {
    members: [Vec<u32>; CLUSTERS],
    least: [usize; CLUSTERS],
    links: [u32; CLUSTERS],
    times: Vec<u64>,
    row_of: Option<Vec<u32>>,
    free: Vec<u64>,
    down: Vec<u32>,
    levels: Option<Vec<u8>>,
    now: u64,
}

fn given(dice: &mut Dice) -> Given {
    let mut cluster = || -> Vec<u32> {
        let bound = MACHINES as u64 + u64::from(dice.one_in(30));
        let mut all: Vec<u32> = (0..2).map(|_| dice.number(bound)).collect();
        if !dice.one_in(30) {
            all.dedup();
        }
        all
    };
    let members = [cluster(), cluster()];
    let least = members.each_ref().map(|all| all.len() + usize::from(dice.one_in(40)));
    let links = [0, 1].map(|link| if dice.one_in(2) { LOCOX_NOBODY } else { link });
    let by_row = dice.one_in(2);
    let rows = if by_row { 2 } else { JOBS };
    let row_of = by_row.then(|| {
        let bound = 2 + u64::from(dice.one_in(30));
        (0..JOBS).map(|_| dice.number(bound)).collect()
    });
    let times = (0..rows * RESOURCES).map(|_| a_time(dice)).collect();
    let free = (0..MACHINES).map(|_| a_time(dice)).collect();
    let down = if dice.one_in(3) { vec![dice.number(3)] } else { vec![] };
    let levels = dice.one_in(3).then(|| (0..JOBS).map(|_| dice.number(3) as u8).collect());
    Given { members, least, links, times, row_of, free, down, levels, now: dice.below(50) }
}

impl Given {
    fn clusters(&self) -> [locox_machine_cluster; CLUSTERS] {
        [0, 1].map(|at: usize| locox_machine_cluster {
            members: self.members[at].as_ptr(),
            member_count: self.members[at].len(),
            least: self.least[at],
            link: self.links[at],
            padding: 0,
        })
    }

    fn problem(&self, clusters: &[locox_machine_cluster]) -> locox_problem {
        locox_problem {
            now: self.now,
            machines: MACHINES,
            clusters: clusters.as_ptr(),
            cluster_count: CLUSTERS,
            jobs: JOBS,
            row_of: self.row_of.as_ref().map_or(null(), Vec::as_ptr),
            times: self.times.as_ptr(),
            rows: self.times.len() / RESOURCES,
            free_from: self.free.as_ptr(),
            down: self.down.as_ptr(),
            down_count: self.down.len(),
        }
    }

    /// What the kernel says of it.
    fn with<T>(
        &self,
        act: impl FnOnce(&Problem<'_>) -> Result<T, (locox_status, u64)>,
    ) -> Result<T, (locox_status, u64)> {
        let clusters = [0, 1].map(|at: usize| Cluster {
            members: &self.members[at],
            least: self.least[at],
            interconnect: (self.links[at] != LOCOX_NOBODY).then_some(self.links[at]),
        });
        let wrong = |bad| match bad {
            BadSite::NoMachines => (LOCOX_WRONG_TABLE, 0),
            BadSite::Members(at) | BadSite::UnknownMachine(at, _) | BadSite::Twice(at, _) => {
                (LOCOX_WRONG_TABLE, at as u64)
            }
            other => panic!("{other:?} has no status"),
        };
        let site = Site::new(MACHINES, &clusters).map_err(wrong)?;
        let cells: Vec<_> = self.times.iter().copied().map(Duration::from_ticks).collect();
        let times = match &self.row_of {
            None => Times::new(&cells, RESOURCES),
            Some(row_of) => Times::by_class(&cells, RESOURCES, row_of),
        };
        let times = times.ok_or((LOCOX_WRONG_TABLE, 0))?;
        let free: Vec<_> = self.free.iter().copied().map(Instant::from_ticks).collect();
        let now = Instant::from_ticks(self.now);
        act(&Problem { now, site, times, free_from: &free, down: &self.down })
    }
}

fn plans(
    given: &Given,
    mapper: &dyn Mapper,
) -> Result<(Vec<locox_mapped>, u64), (locox_status, u64)> {
    given.with(|problem| {
        let (mut placements, mut free) = ([PlannedRun::EMPTY; JOBS], [Instant::ZERO; MACHINES]);
        let mut plan = Plan::new(&mut placements, &mut free);
        let mut open = [UnplacedJob::EMPTY; JOBS];
        let (mut more, mut times) = ([PlannedRun::EMPTY; 2 * JOBS], [Instant::ZERO; 3 * MACHINES]);
        let mut words = [1; genes(JOBS, 5)];
        let mut room = Workspace::new(&mut open, &mut more, &mut times).with_genes(&mut words);
        let merit = match &given.levels {
            None => mapper.map(problem, &mut plan, &mut room),
            Some(levels) => mapper.map_by_level(problem, levels, &mut plan, &mut room),
        };
        let merit = merit.map_err(error)?;
        let all = (0..JOBS).map(|job| {
            let place = plan.placement(job).expect("each job has a place");
            let (start, end) = (place.start().ticks(), place.end().ticks());
            locox_mapped { resource: place.resource().unwrap() as u32, padding: 0, start, end }
        });
        Ok((all.collect(), merit.ticks()))
    })
}

fn step(dice: &mut Dice) {
    let given = given(dice);
    let mut clusters = given.clusters();
    let mut problem = given.problem(&clusters);
    problem.clusters = clusters.as_mut_ptr();
    // SAFETY: zeros are rows.
    let (mut open, mut placements, mut rows): (
        [locox_unplaced_row; JOBS],
        [locox_mapped_row; 3 * JOBS],
        [locox_cluster_row; CLUSTERS],
    ) = unsafe { zeroed() };
    let mut instants = [77u64; 4 * MACHINES];
    let (mapper, best) = (dice.number(9), dice.number(2));
    let mut words = [77; genes(JOBS, 5)];
    assert_eq!(locox_map_genes(JOBS, 5), words.len());
    let (genes, gene_count) = (words.as_mut_ptr(), words.len());
    let mut genetic =
        locox_genetic { best, seed: SEED, generations: 3, padding: 0, genes, gene_count };
    let is_bound = dice.one_in(5);
    let (mut mapped, mut merit, mut detail) = ([BLANK; JOBS], 77u64, u64::MAX);
    let mut spoiler = Spoiler::new(dice);
    let (opens, short) = if is_bound { (JOBS, false) } else { spoiler.length(JOBS) };
    let mut room = locox_map_workspace {
        unplaced: open.as_mut_ptr(),
        unplaced_count: opens,
        placements: placements.as_mut_ptr(),
        placement_count: 3 * JOBS,
        instants: instants.as_mut_ptr(),
        instant_count: 4 * MACHINES,
        clusters: rows.as_mut_ptr(),
        cluster_count: CLUSTERS,
    };
    let ask = spoiler.pointer(&raw mut problem);
    let place = spoiler.pointer(&raw mut room);
    let to = if is_bound { mapped.as_mut_ptr() } else { spoiler.pointer(mapped.as_mut_ptr()) };
    let to_merit =
        if is_bound { spoiler.pointer(&raw mut merit) } else { spoiler.optional(&raw mut merit) };
    let to_detail = spoiler.optional(&raw mut detail);
    let search = match mapper {
        GENETIC if !is_bound => spoiler.pointer(&raw mut genetic),
        _ => &raw mut genetic,
    };
    let spoiled = spoiler.spoiled;
    let levels = given.levels.as_ref().map_or(null(), Vec::as_ptr);
    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match is_bound {
            true => locox_map_bound(ask, place, to_merit, to_detail),
            false if mapper == GENETIC => {
                locox_map_genetic(ask, search, levels, place, to, to_merit, to_detail)
            }
            false => locox_map(ask, mapper, best, levels, place, to, to_merit, to_detail),
        }
    };
    if status != LOCOX_OK {
        assert_eq!(merit, 77);
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?}");
        return;
    }
    let best = if best == 0 { Best::Completion } else { Best::Execution };
    let expected = if is_bound {
        given.with(|problem| {
            let mut room = vec![Instant::ZERO; bound_workspace(JOBS, MACHINES)];
            assert_eq!(lower_bound(problem, &mut room).unwrap().ticks(), merit);
            Ok(())
        })
    } else if let Some(mapper) = mapper_of(mapper, best) {
        // What is wrong with the tables comes before what is wrong with the room.
        given.with(|_| Ok(())).and_then(|()| {
            if short {
                return Err((LOCOX_TOO_SHORT, JOBS as u64));
            }
            let (places, expected) = plans(&given, &*mapper)?;
            if !to_merit.is_null() {
                assert_eq!(merit, expected);
            }
            assert_eq!(places, mapped);
            Ok(())
        })
    } else {
        let short = if short { (LOCOX_TOO_SHORT, JOBS as u64) } else { (LOCOX_BAD_ARGUMENT, 0) };
        given.with(|_| Err(short))
    };
    let expected = expected.map_or_else(|why| why, |()| DONE);
    assert_eq!(status, expected.0);
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
}

#[test]
fn mappers_answer_as_the_kernel_does_whatever_they_are_told() {
    let mut dice = Dice(31);
    for _ in 0..calls() / 2 {
        step(&mut dice);
    }
}

#[test]
fn nothing_to_map_needs_no_room() {
    let (times, free) = ([5u64, 6], [0u64; 2]);
    let mut problem = locox_problem {
        now: 0,
        machines: 2,
        clusters: null(),
        cluster_count: 0,
        jobs: 0,
        row_of: null(),
        times: times.as_ptr(),
        rows: 0,
        free_from: free.as_ptr(),
        down: null(),
        down_count: 0,
    };
    let mut instants = [0u64; 8];
    let room = locox_map_workspace {
        unplaced: null_mut(),
        unplaced_count: 0,
        placements: null_mut(),
        placement_count: 0,
        instants: instants.as_mut_ptr(),
        instant_count: 8,
        clusters: null_mut(),
        cluster_count: 0,
    };
    let mut merit = 77;
    let mut map = |problem: &locox_problem| {
        // SAFETY: as the call says.
        unsafe { locox_map(problem, 0, 0, null(), &room, null_mut(), &raw mut merit, null_mut()) }
    };
    assert_eq!(map(&problem), LOCOX_OK);
    problem.rows = usize::MAX;
    assert_eq!(map(&problem), LOCOX_BAD_ARGUMENT);
    problem.machines = 0;
    problem.rows = 0;
    assert_eq!(map(&problem), LOCOX_WRONG_TABLE);
    assert_eq!(merit, 0);
}

#[test]
fn experience_answers_as_the_kernel_does() {
    let class_of = [0u16, 0, 1];
    let needed = locox_experience_words(3, 2, 2);
    let mut words = vec![u64::MAX / 3; needed + 1];
    let mut dice = Dice(32);
    // Storage that is aligned to 8 bytes and no more will do.
    for skipped in [0, 1] {
        let mut twin = Experience::new(&class_of, 2, vec![Runs::EMPTY; runs(3, 2, 2)], 20).unwrap();
        // SAFETY: zeroed is not started, and as the calls say.
        unsafe {
            let mut experience: locox_experience = zeroed();
            let place = &raw mut experience;
            let mut detail = 0;
            let (storage, classes) = (words.as_mut_ptr().add(skipped), class_of.as_ptr());
            let mut start = |classes_of_resources, len| {
                let status = locox_experience_start(
                    place,
                    classes,
                    3,
                    classes_of_resources,
                    2,
                    20,
                    storage,
                    len,
                    &raw mut detail,
                );
                (status, detail)
            };
            assert_eq!(start(1, needed).0, LOCOX_WRONG_TABLE);
            assert_eq!(start(2, needed - 1), (LOCOX_TOO_SHORT, needed as u64));
            assert_eq!(locox_experience_ran(place, 0, 0, 1), LOCOX_NOT_STARTED);
            assert_eq!(start(2, needed).0, LOCOX_OK);
            for _ in 0..1000 {
                let (class, at) = (dice.below(3) as usize, dice.below(4) as usize);
                let took = dice.below(1000);
                let blank = locox_expected { mean: 77, deviation: 77, runs: 77, basis: 77 };
                let mut found = blank;
                let status = locox_experience_expected(place, class, at, &raw mut found);
                match twin.expected(class, at) {
                    Err(_) => assert_eq!((status, found), (LOCOX_BAD_ARGUMENT, blank)),
                    Ok(None) => assert_eq!((status, found), (LOCOX_NONE, blank)),
                    Ok(Some(it)) => {
                        assert_eq!(status, LOCOX_OK);
                        let basis = match it.basis {
                            Basis::Resource => LOCOX_BASIS_RESOURCE,
                            Basis::Class => LOCOX_BASIS_CLASS,
                            Basis::Anywhere => LOCOX_BASIS_ANYWHERE,
                        };
                        let (mean, deviation) = (it.mean.ticks(), it.deviation.ticks());
                        assert_eq!(found, locox_expected { mean, deviation, runs: it.runs, basis });
                    }
                }
                let ran = twin.ran(class, at, Duration::from_ticks(took));
                let status = locox_experience_ran(place, class, at, took);
                assert_eq!(status, if ran.is_ok() { LOCOX_OK } else { LOCOX_BAD_ARGUMENT });
            }
        }
    }
}

#[test]
fn the_time_of_a_link_is_the_kernels() {
    let mut dice = Dice(33);
    for _ in 0..calls() / 4 {
        let mut number = || if dice.one_in(9) { u64::MAX } else { dice.below(50) };
        let mut link =
            locox_link { latency: number(), bytes: number(), per: number(), taken: number() };
        let mut traffic = locox_traffic { messages: number(), bytes: number() };
        let sharing = number() as usize;
        let mut time = 77;
        let mut spoiler = Spoiler::new(&mut dice);
        let (of, with) = (spoiler.pointer(&raw mut link), spoiler.pointer(&raw mut traffic));
        let to = spoiler.pointer(&raw mut time);
        let spoiled = spoiler.spoiled;
        // SAFETY: every pointer that is not spoiled points to what the call says.
        let status = unsafe { locox_link_time(of, with, sharing, to) };
        if spoiled {
            assert!(is_wrong(status), "{status:?}");
            assert_eq!(time, 77);
            continue;
        }
        let [latency, per] = [link.latency, link.per].map(Duration::from_ticks);
        let theirs = Link { latency, bytes: link.bytes, per, taken: link.taken };
        let locox_traffic { messages, bytes } = traffic;
        let expected = theirs.time(&Traffic { messages, bytes }, sharing).ticks();
        assert_eq!((status, time), (LOCOX_OK, expected));
    }
}
