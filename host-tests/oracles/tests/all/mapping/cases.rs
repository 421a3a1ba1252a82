//! Random sites and jobs.

use locox::mapping::{
    Cluster, Error, Mapper, Plan, PlannedRun, Problem, Site, Times, UnplacedJob, Workspace, genes,
};
use locox::time::{Duration, Instant};
use locox_oracles::mapping::{Case, Group, Place};
use proptest::prelude::*;
use proptest::sample::subsequence;

/// How many chromosomes there is room for.
pub(crate) const CHROMOSOMES: usize = 4;

/// Small numbers, so that there are ties; some machines are away, some jobs run in few places.
pub(crate) fn cases(jobs: usize, machines: usize, longest: u64) -> impl Strategy<Value = Case> {
    (1..=machines, 0..=4_usize, 0..=jobs).prop_flat_map(move |(machines, clusters, jobs)| {
        let free = prop_oneof![6 => (0..20_u64).prop_map(Some), 1 => Just(None)];
        let all: Vec<u32> = (0..machines as u32).collect();
        let group = (subsequence(all, 1..=machines), any::<u8>(), prop::bool::weighted(0.9));
        let group = group.prop_map(|(members, least, is_up)| {
            let least = 1 + usize::from(least) % members.len();
            Group { members, least, is_up }
        });
        let time = prop_oneof![8 => (1..=longest).prop_map(Some), 1 => Just(None)];
        let row = prop::collection::vec(time, machines + clusters);
        (
            0..30_u64,
            prop::collection::vec(free, machines),
            prop::collection::vec(group, clusters),
            prop::collection::vec(row, jobs),
        )
            .prop_map(|(now, machines, clusters, times)| Case {
                now,
                machines,
                clusters,
                times,
            })
    })
}

/// What the kernel makes of it by levels; `None` if it refuses.
pub(crate) fn by_kernel(
    case: &Case,
    mapper: &dyn Mapper,
    levels: Option<&[u8]>,
) -> Option<(Vec<Option<Place>>, u64)> {
    with_problem(case, |problem| {
        with_room(case, |plan, room| match levels {
            None => mapper.map(problem, plan, room),
            Some(levels) => mapper.map_by_level(problem, levels, plan, room),
        })
    })
}

/// Places and merit of what is mapped; `None` if that is refused.
pub(crate) fn with_room(
    case: &Case,
    map: impl FnOnce(&mut Plan, &mut Workspace) -> Result<Duration, Error>,
) -> Option<(Vec<Option<Place>>, u64)> {
    let (jobs, machines) = (case.times.len(), case.machines.len());
    // What is in storage does not matter.
    let mut placements = vec![PlannedRun::EMPTY; jobs + 2];
    let mut free = vec![Instant::from_ticks(77); machines];
    let mut plan = Plan::new(&mut placements, &mut free);
    let mut open = vec![UnplacedJob::EMPTY; jobs + 1];
    let mut more = vec![PlannedRun::EMPTY; 2 * jobs];
    let mut times = vec![Instant::from_ticks(5); 3 * machines];
    // A few words more than whole chromosomes.
    let mut words = vec![77; genes(jobs, CHROMOSOMES) + 1];
    let mut room = Workspace::new(&mut open, &mut more, &mut times).with_genes(&mut words);
    let merit = map(&mut plan, &mut room).ok()?;
    assert_eq!(merit, plan.merit(Instant::from_ticks(case.now)));
    let place = |job| {
        let placement: PlannedRun = plan.placement(job)?;
        let (start, end) = (placement.start().ticks(), placement.end().ticks());
        Some(Place { resource: placement.resource()?, start, end })
    };
    Some(((0..jobs).map(place).collect(), merit.ticks()))
}

/// The table has a row for each class: jobs with the same times are of one.
pub(crate) fn with_problem<T>(case: &Case, then: impl FnOnce(&Problem) -> T) -> T {
    let clusters: Vec<Cluster> = (0..)
        .zip(&case.clusters)
        .map(|(at, group)| Cluster {
            members: &group.members,
            least: group.least,
            interconnect: Some(at),
        })
        .collect();
    let down: Vec<u32> =
        (0..).zip(&case.clusters).filter(|(_, group)| !group.is_up).map(|(at, _)| at).collect();
    let mut rows: Vec<&[Option<u64>]> = Vec::new();
    let class_of: Vec<u32> = case.times.iter().map(|row| class_of(row, &mut rows)).collect();
    let cells: Vec<Duration> = rows
        .iter()
        .copied()
        .flatten()
        .map(|time| time.map_or(Times::NEVER, Duration::from_ticks))
        .collect();
    let free: Vec<Instant> =
        case.machines.iter().map(|free| free.map_or(Instant::MAX, Instant::from_ticks)).collect();
    let site = Site::new(case.machines.len(), &clusters).unwrap();
    let times = Times::by_class(&cells, site.resources(), &class_of).unwrap();
    let now = Instant::from_ticks(case.now);
    then(&Problem { now, site, times, free_from: &free, down: &down })
}

fn class_of<'r>(row: &'r [Option<u64>], rows: &mut Vec<&'r [Option<u64>]>) -> u32 {
    let class = rows.iter().position(|other| *other == row).unwrap_or(rows.len());
    if class == rows.len() {
        rows.push(row);
    }
    class as u32
}
