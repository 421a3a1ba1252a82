//! What a caller is told: names, misuses by what does not fit, and what storage is enough.

use super::cases::{by_kernel, with_problem};
use core::sync::atomic::AtomicBool;
use locox::mapping::{
    Best, BestAssignment, Duplex, Error, Genetic, Mapper, MaxMin, MinMin, Misuse, Olb, Pjs, Plan,
    PlannedRun, Problem, Site, Sufferage, Times, UnplacedJob, Workspace, genes,
};
use locox::time::{Duration, Instant};
use locox_oracles::mapping::Case;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

#[test]
fn each_mapper_has_the_name_of_its_reading() {
    let names = |best| {
        let mappers: [&dyn Mapper; 6] = [
            &BestAssignment { best },
            &MinMin { best },
            &MaxMin { best },
            &Duplex { best },
            &Pjs { best },
            &Genetic { best, ..Genetic::default() },
        ];
        mappers.map(|mapper| mapper.name().to_string())
    };
    let plain = ["best-assignment", "min-min", "max-min", "duplex", "pjs", "genetic"];
    assert_eq!(names(Best::Completion), plain);
    assert_eq!(names(Best::Execution), plain.map(|name| format!("{name}-execution")));
    assert_eq!((Olb.name(), Sufferage.name()), ("olb", "sufferage"));
}

/// Three jobs on two machines.
fn case() -> Case {
    let times = [[2, 6], [2, 3], [5, 3]];
    Case {
        now: 0,
        machines: vec![Some(0), Some(0)],
        clusters: vec![],
        times: times.map(|row| row.map(Some).to_vec()).to_vec(),
    }
}

/// Lengths of a plan's two slices and of a workspace's three.
fn map_in(lengths: [usize; 5]) -> Result<Duration, Error> {
    let [placements, free, open, more, times] = lengths;
    let run = |length| vec![PlannedRun::EMPTY; length];
    let instants = |length| vec![Instant::ZERO; length];
    let (mut placements, mut free) = (run(placements), instants(free));
    let (mut open, mut more) = (vec![UnplacedJob::EMPTY; open], run(more));
    let mut times = instants(times);
    let mut plan = Plan::new(&mut placements, &mut free);
    let mut room = Workspace::new(&mut open, &mut more, &mut times);
    with_problem(&case(), |problem| Pjs::default().map(problem, &mut plan, &mut room))
}

#[test]
fn each_part_of_storage_is_for_all_jobs_and_exactly_the_machines() {
    let fits = [3, 2, 3, 6, 6];
    let merit = map_in(fits).unwrap();
    for longer in [[9, 2, 3, 6, 6], [3, 2, 9, 6, 6], [3, 2, 3, 99, 6]] {
        assert_eq!(map_in(longer), Ok(merit), "{longer:?}");
    }
    let shorter = (0..5).map(|at| {
        let mut lengths = fits;
        lengths[at] -= 1;
        lengths
    });
    let of_more_machines = [[3, 3, 3, 6, 6], [3, 2, 3, 6, 9]];
    for wrong in shorter.chain(of_more_machines) {
        let refused = map_in(wrong).unwrap_err();
        assert_eq!(refused.misuse(), Some(Misuse::Storage), "{wrong:?}");
    }
}

#[test]
fn a_class_that_has_no_row_is_refused() {
    let cells = [Duration::from_ticks(3); 4];
    let by = |class| Times::by_class(&cells, 2, &[0, class, 1]).map(|times| times.jobs());
    assert_eq!([0, 1, 2, 3].map(by), [Some(3), Some(3), None, None]);
}

#[test]
fn more_resources_than_placements_can_name_are_refused() {
    let check = |resources: usize| {
        let problem = Problem {
            now: Instant::ZERO,
            site: Site::new(resources, &[]).unwrap(),
            times: Times::new(&[], resources).unwrap(),
            free_from: &[],
            down: &[],
        };
        locox::mapping::lower_bound(&problem, &mut [])
    };
    let most = u32::MAX as usize;
    assert_eq!(check(most - 1), Err(Misuse::Machines));
    assert_eq!(check(most), Err(Misuse::Storage));
    assert_eq!(check(most + 1), Err(Misuse::Storage));
}

/// The merit of a genetic search for jobs with these times, with room for so many chromosomes.
fn genetic(times: &[[u64; 2]; 4], chromosomes: usize, stop: Option<&AtomicBool>) -> u64 {
    let times = times.map(|row| row.map(Some).to_vec()).to_vec();
    with_problem(&Case { times, ..case() }, |problem| {
        let (mut placements, mut free) = ([PlannedRun::EMPTY; 4], [Instant::ZERO; 2]);
        let mut plan = Plan::new(&mut placements, &mut free);
        let (mut open, mut more) = ([UnplacedJob::EMPTY; 4], [PlannedRun::EMPTY; 8]);
        let (mut times, mut words) = ([Instant::ZERO; 6], vec![0; genes(4, chromosomes)]);
        let room = Workspace::new(&mut open, &mut more, &mut times).with_genes(&mut words);
        let mut room = match stop {
            Some(stop) => room.until(stop),
            None => room,
        };
        let genetic = Genetic { seed: 1, generations: 200, ..Genetic::default() };
        genetic.map(problem, &mut plan, &mut room).unwrap().ticks()
    })
}

#[test]
fn a_search_needs_two_chromosomes_and_ends_when_it_is_told_to() {
    let times = [[2, 6], [2, 3], [5, 3], [6, 4]];
    assert_eq!([0, 1, 2, 10].map(|room| genetic(&times, room, None)), [19, 19, 17, 17]);
    let [on, off] = [true, false].map(AtomicBool::new);
    assert_eq!([&on, &off].map(|stop| genetic(&times, 10, Some(stop))), [19, 17]);
}

#[test]
fn one_chromosome_does_not_evolve() {
    for seed in 0..200 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let times = [(); 4].map(|()| [(); 2].map(|()| random.random_range(1..10)));
        assert_eq!(genetic(&times, 1, None), genetic(&times, 0, None), "{seed}");
    }
}

#[test]
fn the_makespan_is_the_end_of_the_last_job() {
    let (mut placements, mut free) = ([PlannedRun::EMPTY; 3], [Instant::ZERO; 2]);
    let mut plan = Plan::new(&mut placements, &mut free);
    assert_eq!(plan.makespan(), None);
    let (mut open, mut more) = ([UnplacedJob::EMPTY; 3], [PlannedRun::EMPTY; 6]);
    let mut times = [Instant::ZERO; 6];
    let mut room = Workspace::new(&mut open, &mut more, &mut times);
    with_problem(&case(), |problem| Olb.map(problem, &mut plan, &mut room)).unwrap();
    // Jobs end at 2, 3 and 2 + 5.
    assert_eq!(plan.makespan(), Some(Instant::from_ticks(7)));
    assert_eq!(by_kernel(&case(), &Olb, None).unwrap().1, 2 + 3 + 7);
}
