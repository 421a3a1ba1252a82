//! The same jobs with their starts fixed, some of them left out: who takes what from whom.

use super::Arrival;
use super::rates::{Jobs, Progress, Use, set_rates};

/// A job as it started.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Its number in the order of submission.
    pub job: usize,
    /// When, in seconds.
    pub at: f64,
    /// Its hosts in rising order.
    pub places: Vec<Place>,
}

/// A host of a job as it started.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The host, and how it is used.
    pub used: Use,
    /// The jobs above it there.
    pub above: Vec<usize>,
}

/// Rates of a job: from when on which.
type Rates = Vec<(f64, f64)>;

/// Whether a job that starts ever lowers the share of a processor of one that started before it:
/// such a pair, the one that loses first. All starts stay as they are; each job is added to those
/// before it.
pub fn lowered(arrivals: &[Arrival], starts: &[Start], hosts: usize) -> Option<(usize, usize)> {
    let mut before = run(arrivals, &[], hosts);
    for count in 1..=starts.len() {
        let (newcomer, after) = (&starts[count - 1], run(arrivals, &starts[..count], hosts));
        let loses = |(without, with): (&Rates, &Rates)| is_lower(with, without);
        if let Some(at) = before.iter().zip(&after).position(loses) {
            return Some((starts[at].job, newcomer.job));
        }
        before = after;
    }
    None
}

/// Whether the first rate is the lower one for some time: longer than what times are rounded by.
fn is_lower(first: &Rates, second: &Rates) -> bool {
    const ROUNDED: f64 = 1e-6;
    let at = |rates: &Rates, time: f64| {
        let passed = rates.partition_point(|(from, _)| *from <= time);
        passed.checked_sub(1).map_or(0.0, |last| rates[last].1)
    };
    let mut times: Vec<f64> = first.iter().chain(second).map(|(from, _)| *from).collect();
    times.sort_by(f64::total_cmp);
    let is_lower_between = |pair: &[f64]| {
        let middle = (pair[0] + pair[1]) / 2.0;
        pair[1] - pair[0] > ROUNDED && at(first, middle) < at(second, middle) - 1e-9
    };
    times.windows(2).any(is_lower_between)
}

/// The rates of jobs with these starts; 0 from the end of each on.
fn run(arrivals: &[Arrival], starts: &[Start], hosts: usize) -> Vec<Rates> {
    let mut columns = vec![vec![]; hosts];
    let (mut jobs, mut now, mut begun) = (Jobs::new(), 0.0, 0);
    let mut rates: Vec<Rates> = vec![vec![]; starts.len()];
    while begun < starts.len() || !jobs.is_empty() {
        let start = starts.get(begun).map_or(f64::INFINITY, |start| start.at);
        let end = jobs.values().map(|job| now + job.left / job.rate).fold(f64::INFINITY, f64::min);
        let next = start.min(end).max(now);
        jobs.values_mut().for_each(|job| job.left -= (next - now) * job.rate);
        now = next;
        if end <= start {
            jobs.retain(|_, job| job.left > 1e-9);
            columns
                .iter_mut()
                .for_each(|it: &mut Vec<usize>| it.retain(|at| jobs.contains_key(at)));
        } else {
            enter(&mut jobs, &mut columns, &starts[begun], arrivals);
            begun += 1;
        }
        set_rates(&mut jobs, &columns);
        for (start, rates) in starts[..begun].iter().zip(&mut rates) {
            let rate = jobs.get(&start.job).map_or(0.0, |job| job.rate);
            if rates.last().is_none_or(|last| last.1 != rate) {
                rates.push((now, rate));
            }
        }
    }
    rates
}

fn enter(jobs: &mut Jobs, columns: &mut [Vec<usize>], start: &Start, arrivals: &[Arrival]) {
    let Arrival { alone, barrier, .. } = arrivals[start.job];
    for Place { used: Use { host, .. }, above } in &start.places {
        let last = columns[*host].iter().rposition(|other| above.contains(other));
        columns[*host].insert(last.map_or(0, |last| last + 1), start.job);
    }
    let uses = start.places.iter().map(|place| place.used).collect();
    jobs.insert(start.job, Progress { barrier, left: alone, rate: 1.0, uses });
}
