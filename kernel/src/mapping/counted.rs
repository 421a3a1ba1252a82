//! How many cells of the table, and jobs in line, mappers look at: no more than their documentation
//! says.

use super::{Cluster, Duplex, Mapper, MaxMin, MinMin, Pjs, Plan, PlannedRun, Problem, UnplacedJob};
use super::{Site, Sufferage, Times, Workspace};
use crate::bits::tally;
use crate::time::{Duration, Instant};
extern crate std;
use std::{vec, vec::Vec};

const MACHINES: u64 = 20;

/// Looks of a mapper at so many jobs, whose times are as `time` says by job and resource.
fn looks(mapper: &dyn Mapper, jobs: u64, clusters: &[Cluster], time: fn(u64, u64) -> u64) -> u64 {
    looks_at_classes(mapper, &(0..jobs as u32).collect::<Vec<_>>(), clusters, time)
}

/// As [`looks`], but `time` is by class, and these are the jobs'.
fn looks_at_classes(
    mapper: &dyn Mapper,
    class_of: &[u32],
    clusters: &[Cluster],
    time: fn(u64, u64) -> u64,
) -> u64 {
    let site = Site::new(MACHINES as usize, clusters).unwrap();
    let resources = site.resources() as u64;
    let row = |class| (0..resources).map(move |at| Duration::from_ticks(time(class, at)));
    let classes = class_of.iter().map(|&class| u64::from(class) + 1).max().unwrap_or(0);
    let cells: Vec<Duration> = (0..classes).flat_map(row).collect();
    let times = Times::by_class(&cells, resources as usize, class_of).unwrap();
    let free_from = [Instant::ZERO; MACHINES as usize];
    let problem = Problem { now: Instant::ZERO, site, times, free_from: &free_from, down: &[] };

    let jobs = class_of.len();
    let (mut placements, mut free) = (vec![PlannedRun::EMPTY; jobs], free_from);
    let mut plan = Plan::new(&mut placements, &mut free);
    let (mut open, mut more) = (vec![UnplacedJob::EMPTY; jobs], vec![PlannedRun::EMPTY; 2 * jobs]);
    let mut instants = [Instant::ZERO; 3 * MACHINES as usize];
    let mut room = Workspace::new(&mut open, &mut more, &mut instants);
    tally::during(|| mapper.map(&problem, &mut plan, &mut room).unwrap())
}

/// From 1 to 1000, in no order.
fn at_random(job: u64, resource: u64) -> u64 {
    let mixed = (job << 20 ^ resource).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    1 + (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) % 1000
}

/// All want the same machine.
fn alike(_: u64, resource: u64) -> u64 {
    100 + resource
}

const SIZES: [u64; 3] = [100, 300, 900];

#[test]
fn min_min_grows_with_the_jobs_squared_not_times_machines() {
    for jobs in SIZES {
        let looks = looks(&MinMin::default(), jobs, &[], at_random);
        // A glance at each of the others, and less than half as many cells again.
        let most = jobs * jobs / 2 + jobs * jobs / 2 + 2 * jobs * MACHINES;
        assert!(looks <= most, "{jobs}: {looks} > {most}");
    }
}

#[test]
fn max_min_grows_with_the_jobs_squared_not_times_machines() {
    for jobs in SIZES {
        let looks = looks(&MaxMin::default(), jobs, &[], at_random);
        let most = jobs * jobs / 2 + jobs * jobs * 3 / 4 + 2 * jobs * MACHINES;
        assert!(looks <= most, "{jobs}: {looks} > {most}");
    }
}

#[test]
fn sufferage_looks_at_the_rows_of_both_machines() {
    for jobs in SIZES {
        let looks = looks(&Sufferage, jobs, &[], at_random);
        let most = jobs * jobs / 2 + 2 * (jobs * jobs * 3 / 2 + 2 * jobs * MACHINES);
        assert!(looks <= most, "{jobs}: {looks} > {most}");
    }
}

#[test]
fn where_all_want_the_same_machine_the_stated_worst_is_kept() {
    for jobs in SIZES {
        let worst = jobs * (jobs + 1) / 2 * (MACHINES + 1) + jobs * MACHINES;
        for mapper in [&MinMin::default() as &dyn Mapper, &MaxMin::default()] {
            let looks = looks(mapper, jobs, &[], alike);
            assert!(looks <= worst, "{} {jobs}: {looks} > {worst}", mapper.name());
        }
    }
}

#[test]
fn of_jobs_of_a_class_one_look_serves_all() {
    for jobs in SIZES {
        let class_of: Vec<u32> = (0..jobs as u32).map(|job| job % 5).collect();
        for mapper in [&MinMin::default() as &dyn Mapper, &MaxMin::default()] {
            let looks = looks_at_classes(mapper, &class_of, &[], at_random);
            // A row of each class for each job that gets a place, and glances.
            let most = jobs * 5 * MACHINES + jobs * (jobs + 1) / 2;
            assert!(looks <= most, "{} {jobs}: {looks} > {most}", mapper.name());
        }
    }
}

/// Under heavy load little is run on clusters, and each trial is given up early.
#[test]
fn pjs_takes_a_few_times_what_duplex_does() {
    let groups: [[u32; 4]; 3] = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]];
    let clusters = groups.each_ref().map(|members| Cluster::of(members));
    for jobs in SIZES {
        let third =
            |job, resource| at_random(job, resource).div_ceil(1 + 2 * (resource / MACHINES));
        let [pjs, sjs] = [&Pjs::default() as &dyn Mapper, &Duplex::default()]
            .map(|mapper| looks(mapper, jobs, &clusters, third));
        assert!(pjs <= 4 * sjs, "{jobs}: {pjs} beside {sjs}");
    }
}
