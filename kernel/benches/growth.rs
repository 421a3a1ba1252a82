//! How the cost of an operation grows with the size of what it works on:
//! `cargo bench -p locox --bench growth [NAME]`.
//!
//! Prints a table in Markdown: the time of one operation at each size, and the exponent that fits
//! best, so that cost ~ size^exponent; 0 is flat, 1 is linear. Where operations differ much, a second
//! row has the 99.9th percentile. All storage is made for its size and filled before the clock runs.

use locox::bits::{BitSet, Word};
use locox::dispatch::{Backfill, Conservative, Easy, Entry, Job, Queue, Ticket};
use locox::handle::PoolId;
use locox::reserve::{Interval, Limits, Profile, Request, Timeline};
use locox::time::{Duration, Instant};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::time::Instant as Clock;

/// Nanoseconds of single operations, unsorted.
type Times = Vec<u64>;

/// One kind of operation at several sizes.
struct Case {
    name: &'static str,
    sizes: &'static [usize],
    measure: fn(usize) -> Times,
    tail: bool,
}

const fn case(name: &'static str, sizes: &'static [usize], measure: fn(usize) -> Times) -> Case {
    Case { name, sizes, measure, tail: false }
}

const LEDGERS: &[usize] = &[10_000, 100_000, 1_000_000];
const LINES: &[usize] = &[1_000, 10_000, 100_000];
const SHORT_LINES: &[usize] = &[1_000, 3_000, 10_000];
const LONG_LINES: &[usize] = &[10_000, 100_000, 1_000_000];

const CASES: &[Case] = &[
    case("add at a full ledger", LEDGERS, add_at_full_ledger),
    case("advance over half, counts", LEDGERS, advance_counts),
    case("advance over half, identity", LEDGERS, advance_identity),
    case("arrival beside jobs with deadlines, conservative", LINES, arrival_beside_reserved),
    case("early end, conservative", SHORT_LINES, |n| early_ends(conservative, n, 30)),
    case("early end, conservative:100", LINES, |n| early_ends(bounded, n, 300)),
    case("hold and release, conservative", SHORT_LINES, |n| held(conservative, n, 30)),
    case("hold and release, conservative:100", LINES, |n| held(bounded, n, 300)),
    case("cancel, conservative:100", LINES, |n| cancels(bounded, n, 300)),
    case("withdraw and repair, conservative", SHORT_LINES, |n| outages(conservative, n, 30)),
    case("withdraw and repair, conservative:100", LINES, |n| outages(bounded, n, 300)),
    Case { tail: true, ..case("end, easy", LONG_LINES, |n| early_ends(easy, n, 4_000)) },
    Case { tail: true, ..case(SMALL_BESIDE_LARGE, LONG_LINES, |n| adversarial([1, 513], n)) },
    Case { tail: true, ..case(OF_ONE_CLASS, LINES, |n| adversarial([257, 512], n)) },
];

const SMALL_BESIDE_LARGE: &str = "end, easy, small long jobs between large short ones";
/// What EASY's lines, one for each power of two, do not tell apart.
const OF_ONE_CLASS: &str = "the same, all of one size class, into which what is free comes";

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    println!("| operation | sizes | time of one | exponent |\n|---|---|---|---|");
    for case in CASES {
        if wanted.is_empty() || wanted.iter().any(|name| case.name.contains(name.as_str())) {
            print(case);
        }
    }
}

fn print(case: &Case) {
    let times: Vec<Times> = case.sizes.iter().map(|&size| (case.measure)(size)).collect();
    let mean = |times: &Times| times.iter().sum::<u64>() as f64 / times.len() as f64;
    row(case, "", times.iter().map(mean).collect());
    if case.tail {
        row(case, ", p99.9", times.iter().map(p999).collect());
    }
}

fn row(case: &Case, what: &str, times: Vec<f64>) {
    let sizes: Vec<String> = case.sizes.iter().map(usize::to_string).collect();
    let shown: Vec<String> = times.iter().map(|&time| shown(time)).collect();
    let exponent = exponent(case.sizes, &times);
    println!(
        "| {}{what} | {} | {} | {exponent:.2} |",
        case.name,
        sizes.join(" / "),
        shown.join(" / ")
    );
}

fn p999(times: &Times) -> f64 {
    let mut sorted = times.clone();
    sorted.sort_unstable();
    sorted[(sorted.len() * 999 / 1000).min(sorted.len() - 1)] as f64
}

fn shown(nanos: f64) -> String {
    match nanos {
        ..1e3 => format!("{nanos:.0} ns"),
        ..1e6 => format!("{:.2} us", nanos / 1e3),
        _ => format!("{:.2} ms", nanos / 1e6),
    }
}

/// The slope of the logarithms by least squares.
fn exponent(sizes: &[usize], times: &[f64]) -> f64 {
    let xs: Vec<f64> = sizes.iter().map(|&size| (size as f64).ln()).collect();
    let ys: Vec<f64> = times.iter().map(|time| time.ln()).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (x, y) = (mean(&xs), mean(&ys));
    let rises: f64 = xs.iter().zip(&ys).map(|(a, b)| (a - x) * (b - y)).sum();
    rises / xs.iter().map(|a| (a - x).powi(2)).sum::<f64>()
}

fn timed(times: &mut Times, operation: impl FnOnce()) {
    let start = Clock::now();
    operation();
    times.push(u64::try_from(start.elapsed().as_nanos()).unwrap());
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

const PES: u32 = 1024;

/// How long a resident reservation lasts; one begins every other tick, and they end in the ticks
/// between, so that no two slots are the same.
const LASTS: u64 = 999;

fn resident(number: usize) -> Interval {
    let start = 2 * number as u64;
    Interval { start: at(start), end: at(start + LASTS) }
}

fn full_profile(size: usize) -> Profile<Vec<Word>> {
    let limits = Limits { pes: PES, reservations: size as u32 };
    let mut profile = Profile::new(PoolId(0), limits, vec![0; Profile::words(limits)]).unwrap();
    (0..size).for_each(|number| _ = profile.add(resident(number), 1).unwrap());
    profile
}

/// A reservation ends and another one comes.
fn add_at_full_ledger(size: usize) -> Times {
    let (mut profile, mut times) = (full_profile(size), vec![]);
    for number in size..size + 20_000 {
        profile.advance(resident(number - size).end).unwrap();
        timed(&mut times, || _ = profile.add(resident(number), 1).unwrap());
    }
    times
}

fn advance_counts(size: usize) -> Times {
    let (mut profile, mut times) = (full_profile(size), vec![]);
    timed(&mut times, || profile.advance(resident(size / 2).start).unwrap());
    times
}

fn advance_identity(size: usize) -> Times {
    const FEW: u32 = 64;
    let limits = Limits { pes: FEW, reservations: size as u32 };
    let words = vec![0; Timeline::words(limits)];
    let mut timeline = Timeline::new(PoolId(0), limits, words).unwrap();
    for number in 0..size {
        let start = resident(number).start;
        let mut pes = BitSet::empty([0], FEW).unwrap();
        pes.insert(number as u32 % FEW).unwrap();
        // A tick less than until the next one on this PE.
        let end = resident(number + FEW as usize).start.ticks() - 1;
        timeline.add(Interval { start, end: at(end) }, &pes).unwrap();
    }
    let mut times = vec![];
    timed(&mut times, || timeline.advance(resident(size / 2).start).unwrap());
    times
}

fn easy(entries: usize) -> Backfill<Easy, Vec<Entry>> {
    Backfill::easy(PoolId(0), PES, vec![Entry::EMPTY; entries])
}

fn conservative(entries: usize) -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    let words = vec![0; Backfill::words(PES, entries)];
    Backfill::conservative(PoolId(0), PES, words, vec![Entry::EMPTY; entries]).unwrap()
}

fn bounded(entries: usize) -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    conservative(entries).with_depth(100)
}

/// Starts all that may; the tickets of those that did.
fn start_all(queue: &mut dyn Queue, now: Instant, running: &mut Vec<Ticket>) {
    while let Some((ticket, _)) = queue.next(now, &mut |_| true) {
        running.push(ticket);
    }
}

fn push(queue: &mut dyn Queue, now: Instant, pes: u32, requested: u64) -> Ticket {
    let job = Job::new(0, pes).within(Duration::from_ticks(requested));
    queue.push(now, job).unwrap()
}

/// The head waits for a wide job, arrivals wait behind it, and jobs with deadlines are to come.
fn arrival_beside_reserved(size: usize) -> Times {
    const ARRIVALS: usize = 4_000;
    let mut queue = conservative(size + ARRIVALS + 2);
    let (now, mut times, mut running) = (at(0), vec![], vec![]);
    for number in 0..size as u64 {
        let request = Request::new(at(10_000 + 100 * number), Duration::from_ticks(50), 8);
        queue.reserve(now, 0, &request).unwrap();
    }
    push(&mut queue, now, PES - 4, 1_000);
    push(&mut queue, now, PES, 40);
    start_all(&mut queue, now, &mut running);
    for _ in 0..ARRIVALS {
        timed(&mut times, || {
            push(&mut queue, now, 8, 100);
            start_all(&mut queue, now, &mut running);
        });
    }
    times
}

/// Jobs of all sizes and lengths in line; those that run end long before their time, at random.
fn early_ends<Q: Queue>(planner: fn(usize) -> Q, size: usize, ends: usize) -> Times {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut log_uniform = |most: f64| rng.random_range(0.0..most.ln()).exp() as u64;
    let mut queue = planner(size + 4 * PES as usize);
    let (mut running, mut times) = (vec![], vec![]);
    while queue.len() < size {
        push(&mut queue, at(0), log_uniform(f64::from(PES)) as u32, 60 * log_uniform(1440.0));
        if running.is_empty() || queue.len() == 1 {
            start_all(&mut queue, at(0), &mut running);
        }
    }
    start_all(&mut queue, at(0), &mut running);
    for now in 1..=ends as u64 {
        if running.is_empty() {
            break;
        }
        let ended = running.swap_remove(rng.random_range(0..running.len()));
        timed(&mut times, || {
            queue.finished(at(now), ended).unwrap();
            start_all(&mut queue, at(now), &mut running);
        });
    }
    times
}

/// A line as that of [`early_ends`], and its jobs.
fn long_line<Q: Queue>(planner: fn(usize) -> Q, size: usize) -> (Q, Vec<Ticket>) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut log_uniform = |most: f64| rng.random_range(0.0..most.ln()).exp() as u64;
    let mut queue = planner(size + PES as usize);
    push(&mut queue, at(0), PES, 1_000_000);
    start_all(&mut queue, at(0), &mut vec![]);
    let job = |_| {
        let pes = log_uniform(f64::from(PES)) as u32;
        push(&mut queue, at(0), pes, 60 * log_uniform(1440.0))
    };
    let line = (0..size).map(job).collect();
    (queue, line)
}

/// Jobs from the front on are held and released again.
fn held<Q: Queue>(planner: fn(usize) -> Q, size: usize, calls: usize) -> Times {
    let ((mut queue, line), mut times) = (long_line(planner, size), vec![]);
    for &ticket in line.iter().take(calls) {
        timed(&mut times, || {
            queue.hold(at(1), ticket).unwrap();
            queue.release(at(1), ticket).unwrap();
        });
    }
    times
}

/// Jobs from the front on are cancelled.
fn cancels<Q: Queue>(planner: fn(usize) -> Q, size: usize, calls: usize) -> Times {
    let ((mut queue, line), mut times) = (long_line(planner, size), vec![]);
    for &ticket in line.iter().take(calls) {
        timed(&mut times, || _ = queue.cancel(at(1), ticket).unwrap());
    }
    times
}

/// A queue with conservative backfilling.
type Planned = Backfill<Conservative<Vec<Word>>, Vec<Entry>>;

/// A PE goes out of service, and comes back.
fn outages(planner: fn(usize) -> Planned, size: usize, calls: usize) -> Times {
    let ((mut queue, _), mut times) = (long_line(planner, size), vec![]);
    for _ in 0..calls {
        timed(&mut times, || {
            queue.withdraw(at(1), 1).unwrap();
            queue.repair(at(1), 1).unwrap();
        });
    }
    times
}

/// Nobody in line may overtake: one half is too long, the other too large. Those that run are small
/// and end one after the other.
fn adversarial([small, large]: [u32; 2], size: usize) -> Times {
    const SMALL: u64 = 500;
    let mut easy = easy(size + PES as usize + 1);
    let (mut running, mut times) = (vec![], vec![]);
    for _ in 0..SMALL {
        push(&mut easy, at(0), 1, 10_000);
    }
    push(&mut easy, at(0), PES - SMALL as u32, 20_000);
    push(&mut easy, at(0), PES, 10);
    start_all(&mut easy, at(0), &mut running);
    for number in 0..size {
        match number % 2 {
            0 => push(&mut easy, at(0), small, 30_000),
            _ => push(&mut easy, at(0), large, 1),
        };
    }
    start_all(&mut easy, at(0), &mut running);
    for now in 1..SMALL {
        let ended = running.remove(0);
        timed(&mut times, || {
            easy.finished(at(now), ended).unwrap();
            start_all(&mut easy, at(now), &mut running);
        });
    }
    times
}
