//! The run of requests against a naive count, and what holds under every policy.

use locox::grid::Placement;
use locox::reserve::{Contiguous, Fit, Misuse, Refusal, Request};
use locox::time::{Duration, Instant};
use locox_models::machine::{
    GridMachine, Hypercube, Machine, Nearness, Pool, StrategyKind, tree_machine,
};
use locox_models::reservations::{Answer, Open, Options, Outcome, run, run_in_places};
use locox_models::streams::stream;
use locox_models::swf::Strictness;
use locox_models::workload::Job;
use locox_models::workload::reservations::{Asking, Flexibility, requests};
use locox_models::workload::{cm5, from_swf};
use rand::RngExt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

const PES: u32 = 8;
/// Nothing of the small cases reaches beyond it.
const HORIZON: usize = 600;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// Requests for a machine of eight PEs, about as many as it can do.
fn small_case(seed: u64) -> Vec<Asking> {
    let mut random = stream(seed, "small case", 0);
    let mut arrival = 0;
    let mut asking = |id| {
        arrival += random.random_range(0..6);
        let ready = arrival + random.random_range(0..20);
        let duration = random.random_range(1..15);
        let deadline = ready + duration + random.random_range(0..25);
        let request =
            Request::new(at(ready), Duration::from_ticks(duration), random.random_range(1..=PES));
        Asking { id, arrival: at(arrival), request: request.by(at(deadline)) }
    };
    (0..80).map(&mut asking).collect()
}

/// First fit by trying every start, with a set of busy PEs for every unit of time; lowest PEs.
fn naive_first_fit(requests: &[Asking]) -> Vec<Option<(u64, Vec<u32>)>> {
    let mut busy = vec![0u8; HORIZON];
    let place = |asking: &Asking| {
        let Request { ready, duration, deadline, pes } = asking.request;
        let (run, last) = (duration.ticks(), deadline.unwrap().ticks() - duration.ticks());
        (ready.ticks()..=last).find_map(|start| {
            let span = start as usize..(start + run) as usize;
            let union = busy[span.clone()].iter().fold(0, |union, set| union | set);
            let free: Vec<u32> = (0..PES).filter(|pe| union >> pe & 1 == 0).collect();
            let taken = free.get(..pes as usize)?.to_vec();
            let set = taken.iter().fold(0, |set, pe| set | 1 << pe);
            busy[span].iter_mut().for_each(|unit| *unit |= set);
            Some((start, taken))
        })
    };
    requests.iter().map(place).collect()
}

fn named(policy: Fit) -> Options<'static> {
    Options { name_pes: true, ..Options::new(PES, policy) }
}

fn places(outcome: &Outcome) -> Vec<Option<(u64, Vec<u32>)>> {
    let place = |answer: &Answer| {
        let placed = answer.placed.as_ref().ok()?;
        Some((placed.at.start.ticks(), placed.pes.iter().cloned().flatten().collect()))
    };
    outcome.answers.iter().map(place).collect()
}

#[test]
fn first_fit_answers_and_figures_are_those_of_a_naive_count() {
    for seed in 0..50 {
        let requests = small_case(seed);
        let outcome = run(&requests, &named(Fit::First)).unwrap();
        let naive = naive_first_fit(&requests);
        assert_eq!(places(&outcome), naive, "seed {seed}");

        let accepted: Vec<_> = requests
            .iter()
            .zip(&naive)
            .filter_map(|(asking, place)| Some((asking.request, place.as_ref()?.0)))
            .collect();
        let count = accepted.len() as f64;
        assert_eq!(outcome.acceptance(), count / 80.0);
        let wait = |(request, start): &(Request, u64)| (start - request.ready.ticks()) as f64;
        let run_time = |(request, _): &(Request, u64)| request.duration.ticks() as f64;
        let work = |request: &Request| f64::from(request.pes) * request.duration.ticks() as f64;
        let slowdowns = accepted.iter().map(|one| (wait(one) + run_time(one)) / run_time(one));
        assert!((outcome.mean_slowdown() - slowdowns.sum::<f64>() / count).abs() < 1e-12);
        assert!(
            (outcome.mean_wait() - accepted.iter().map(wait).sum::<f64>() / count).abs() < 1e-9
        );
        let done: f64 = accepted.iter().map(|(request, _)| work(request)).sum();
        let asked: f64 = requests.iter().map(|asking| work(&asking.request)).sum();
        assert!((outcome.accepted_work() - done / asked).abs() < 1e-12);
        let end = accepted.iter().map(|(request, start)| start + request.duration.ticks()).max();
        let span = (end.unwrap() - requests[0].arrival.ticks()) as f64;
        assert!((outcome.utilisation() - done / (span * 8.0)).abs() < 1e-12);
    }
}

/// Whatever the policy and the reading: in time, on as many PEs as asked for, and never two
/// reservations on a PE at once.
#[test]
fn no_policy_gives_a_pe_to_two_requests_or_misses_a_deadline() {
    for (seed, policy) in (0..10).flat_map(|seed| Fit::ALL.map(|policy| (seed, policy))) {
        for open in [Open::Endless, Open::Infinite, Open::LastRecord] {
            let requests = small_case(seed);
            let outcome = run(&requests, &Options { open, ..named(policy) }).unwrap();
            let mut busy = vec![0u8; HORIZON];
            for (answer, place) in outcome.answers.iter().zip(places(&outcome)) {
                let Some((start, pes)) = place else { continue };
                let Request { ready, duration, deadline, pes: count } = answer.asking.request;
                assert_eq!(pes.len(), count as usize);
                assert!(
                    start >= ready.ticks() && start + duration.ticks() <= deadline.unwrap().ticks()
                );
                let set = pes.iter().fold(0, |set, pe| set | 1 << pe);
                for unit in &mut busy[start as usize..(start + duration.ticks()) as usize] {
                    assert_eq!(*unit & set, 0, "{policy:?}, seed {seed}");
                    *unit |= set;
                }
            }
        }
    }
}

#[test]
fn what_arrives_first_is_answered_first_and_ties_keep_their_order() {
    let ask = |id, arrival| {
        let request = Request::new(at(10), Duration::from_ticks(5), 8).by(at(15));
        Asking { id, arrival: at(arrival), request }
    };
    let outcome = run(&[ask(1, 9), ask(2, 3), ask(3, 3)], &named(Fit::First)).unwrap();
    let told: Vec<_> =
        outcome.answers.iter().map(|answer| (answer.asking.id, answer.placed.is_ok())).collect();
    assert_eq!(told, [(2, true), (3, false), (1, false)]);
    assert_eq!(outcome.answers[1].placed, Err(Refusal::Late { finish: at(20) }.into()));
}

#[test]
fn a_request_that_makes_no_sense_is_refused_with_the_reason_and_the_others_go_on() {
    let ask = |id, ready, duration, deadline, pes| {
        let request = Request::new(at(ready), Duration::from_ticks(duration), pes).by(at(deadline));
        Asking { id, arrival: at(0), request }
    };
    let requests = [
        ask(1, 0, 10, 5, 1),
        ask(2, 0, 10, 50, 0),
        ask(3, 0, 10, 50, 9),
        ask(4, 0, 0, 50, 1),
        ask(5, u64::MAX, 10, u64::MAX, 1),
        ask(6, 0, 10, 50, 8),
    ];
    let outcome = run(&requests, &named(Fit::PeWorst)).unwrap();
    let refusals: Vec<_> =
        outcome.answers.iter().filter_map(|answer| answer.placed.clone().err()).collect();
    let expected = [
        Misuse::DeadlineTooEarly.into(),
        Misuse::NoPes.into(),
        Refusal::TooLarge { pes: 8 }.into(),
        Misuse::NoTime.into(),
        Misuse::Overflow.into(),
    ];
    assert_eq!((refusals, outcome.accepted()), (expected.to_vec(), 1));
}

#[test]
fn a_choice_of_consecutive_pes_gives_one_range_each() {
    let options = Options { choice: &Contiguous, ..named(Fit::PeBest) };
    let outcome = run(&small_case(4), &options).unwrap();
    let placed = outcome.answers.iter().filter_map(|answer| answer.placed.as_ref().ok());
    assert!(placed.clone().count() > 20 && placed.clone().all(|placed| placed.pes.len() == 1));
}

#[test]
fn no_request_and_no_machine_are_errors() {
    assert!(run(&[], &named(Fit::First)).is_err());
    assert!(run(&small_case(1), &Options::new(0, Fit::First)).is_err());
}

/// The situation of figure 1 of the source, with t_i = 10 i.
#[test]
fn the_example_of_the_source_starts_at_t3_under_pe_w_and_du_b() {
    let ask = |id, ready, duration, deadline, pes| {
        let request = Request::new(at(ready), Duration::from_ticks(duration), pes).by(at(deadline));
        Asking { id, arrival: at(0), request }
    };
    let requests =
        [ask(1, 0, 30, 30, 6), ask(2, 0, 10, 10, 4), ask(3, 80, 20, 100, 8), ask(4, 20, 20, 90, 6)];
    let start = |policy| {
        let outcome = run(&requests, &Options::new(16, policy)).unwrap();
        outcome.answers[3].placed.as_ref().unwrap().at.start
    };
    assert_eq!(start(Fit::First), at(20));
    assert_eq!(start(Fit::PeWorst), at(30));
    assert_eq!(start(Fit::DurationBest), at(30));
}

/// A short run of the study: its main findings show already.
#[test]
fn pe_w_accepts_most_and_ff_waits_least() {
    let outcomes = Fit::ALL.map(|policy| {
        let jobs = cm5::generate(3_000, 7.0, 1, 0);
        let requests = requests(&jobs, Flexibility::default(), 1, 0);
        run(&requests, &Options::new(cm5::PROCESSORS, policy)).unwrap()
    });
    let [first, _, pe_worst, duration_best, ..] = &outcomes;
    for outcome in &outcomes[1..] {
        assert!(outcome.mean_slowdown() > first.mean_slowdown() + 0.1);
    }
    assert!(pe_worst.acceptance() > first.acceptance() + 0.03);
    assert!(duration_best.acceptance() > first.acceptance() + 0.03);
}

/// A request of each size gets what a job of that size gets on a machine that is idle.
fn gets_what_a_job_gets(mut machine: Box<dyn Machine>) {
    let (name, all) = (machine.name(), machine.processors());
    let rule = machine.rule().unwrap();
    for pes in 1..=all {
        let run = Duration::from_ticks(5);
        let request = Request::new(at(3), run, pes);
        let asked = [Asking { id: 1, arrival: at(0), request }];
        let options = Options { pes: all, ..named(Fit::First) };
        let outcome = run_in_places(&asked, rule, &options).unwrap();
        let placed = outcome.answers[0].placed.as_ref().unwrap();
        let job = Job {
            id: 1,
            line: None,
            submit: at(0),
            processors: pes,
            shape: None,
            memory: 0,
            demand: None,
            run,
            requested: None,
            user: None,
        };
        let placement = machine.start(&job).unwrap();
        let nodes = machine.allocated(placement);
        machine.finish(placement);
        let range = |range: &RangeInclusive<u32>| match range.start() == range.end() {
            true => range.start().to_string(),
            false => format!("{}-{}", range.start(), range.end()),
        };
        let held: Vec<String> = placed.pes.iter().map(range).collect();
        assert_eq!((placed.held, held.join(" ")), (placement.held, nodes), "{name}: {pes}");
        assert_eq!(placed.at.start, at(3), "{name}: {pes}");
        assert_eq!(outcome.utilisation(), f64::from(placed.held) * 5.0 / f64::from(8 * all));
    }
    let large = Request::new(at(0), Duration::from_ticks(1), all + 1);
    let asked = [Asking { id: 1, arrival: at(0), request: large }];
    let outcome = run_in_places(&asked, rule, &Options::new(all, Fit::First)).unwrap();
    assert_eq!(outcome.answers[0].placed, Err(Refusal::TooLarge { pes: all }.into()), "{name}");
}

#[test]
fn a_request_gets_the_place_of_a_job_of_as_many_nodes() {
    let cube = |kind| Box::new(Hypercube::new(4.try_into().unwrap(), kind));
    gets_what_a_job_gets(cube(StrategyKind::Buddy));
    gets_what_a_job_gets(cube(StrategyKind::GrayCode));
    gets_what_a_job_gets(cube(StrategyKind::Complete));
    for text in ["torus:3x4x2", "mesh:5x3", "blocks:3x4"] {
        for placement in Placement::ALL {
            gets_what_a_job_gets(Box::new(GridMachine::new(text.parse().unwrap(), placement)));
        }
    }
    for nearness in Nearness::ALL {
        gets_what_a_job_gets(tree_machine("tree:2x3x4".parse().unwrap(), nearness));
        // More nodes than a small place has words for.
        gets_what_a_job_gets(tree_machine("tree:3x350".parse().unwrap(), nearness));
    }
    gets_what_a_job_gets(Box::new(Pool::new(7)));
}

/// The log that the study's frequencies of run times were counted in.
#[test]
fn the_frequencies_of_run_times_are_those_of_the_log() {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        eprintln!("skipped: LOCOX_DATA is not set, so there is no LANL-CM5-1994-4.1-cln");
        return;
    };
    let path = PathBuf::from(data).join("traces/LANL-CM5-1994-4.1-cln.swf.xz");
    let log = from_swf(&path, Strictness::Strict, None).unwrap();
    for (row, shares) in cm5::SHARES.iter().enumerate() {
        let mut counts = [0u32; 6];
        for job in &log.jobs {
            let of_row = (job.processors.ilog2() as usize - 5).min(4) == row;
            let Some(requested) = job.requested.filter(|_| of_row) else { continue };
            let nearest = cm5::nearest_run_time(requested.ticks());
            counts[cm5::RUN_TIMES.iter().position(|&run| run == nearest).unwrap()] += 1;
        }
        let all = f64::from(counts.iter().sum::<u32>());
        for (count, &share) in counts.into_iter().zip(shares) {
            let found = 1000.0 * f64::from(count) / all;
            // Thousandths, up to one.
            assert!((found - f64::from(share)).abs() < 1.0, "row {row}: {found} is not {share}");
        }
    }
}
