//! Preemption by its words.

use super::{Case, Heuristic, Place, map};

/// A job that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Its row.
    pub job: usize,
    /// Where it runs.
    pub resource: usize,
    /// When it would end.
    pub until: u64,
    /// How often it lost its place.
    pub preemptions: u32,
}

/// Who takes from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Levels up to this one take.
    pub takers: u8,
    /// Levels from this one on lose.
    pub losers: u8,
    /// So often at most.
    pub most: Option<u32>,
    /// For more than this for each that loses.
    pub gain: Option<u64>,
}

type Places = Vec<Option<Place>>;

/// Places of all jobs, each level `by` its heuristic, and who of those that run loses its own; `None`
/// if there is no place for one.
pub fn preempt(
    case: &Case,
    by: &dyn Fn(u8) -> Heuristic,
    levels: &[u8],
    running: &[Runs],
    rule: &Rule,
) -> Option<(Places, Vec<bool>)> {
    let may_lose = |one: &Runs| {
        levels[one.job] >= rule.losers && rule.most.is_none_or(|most| one.preemptions < most)
    };
    let takers = |places: Places| by_level(case, by, levels, 0..=rule.takers, places);
    let held = takers(stay(case, running, |_| true))?;
    let taken = takers(stay(case, running, |one| !may_lose(one)))?;
    let is_taker = |job: &usize| levels[*job] <= rule.takers;
    let ends = |places: &Places| -> u64 {
        let jobs = (0..places.len()).filter(is_taker);
        jobs.filter_map(|job| places[job]).map(|place| place.end).sum()
    };
    let mut loses: Vec<bool> = running
        .iter()
        .map(|one| {
            let mine = case.occupied_by(one.resource);
            let is_in_the_way = |place: Place| {
                let theirs = case.occupied_by(place.resource);
                place.start < one.until && mine.iter().any(|machine| theirs.contains(machine))
            };
            may_lose(one)
                && (0..levels.len())
                    .filter(is_taker)
                    .any(|job| taken[job].is_some_and(is_in_the_way))
        })
        .collect();
    let count = loses.iter().filter(|&&loses| loses).count() as u64;
    let is_worth_it = rule.gain.is_none_or(|gain| ends(&held) > ends(&taken) + gain * count);
    let mut places = if is_worth_it { taken } else { held };
    if !is_worth_it {
        loses.fill(false);
    }
    for ((job, place), _) in stays(case, running).zip(&loses).filter(|(_, loses)| !**loses) {
        places[job] = Some(place);
    }
    let later = rule.takers + 1..=levels.iter().copied().max().unwrap_or(0);
    Some((by_level(case, by, levels, later, places)?, loses))
}

fn stays(case: &Case, running: &[Runs]) -> impl Iterator<Item = (usize, Place)> {
    running.iter().map(|one| {
        let place = Place { resource: one.resource, start: case.now, end: one.until };
        (one.job, place)
    })
}

fn stay(case: &Case, running: &[Runs], does: impl Fn(&Runs) -> bool) -> Places {
    let mut places = vec![None; case.times.len()];
    for ((job, place), _) in stays(case, running).zip(running).filter(|(_, one)| does(one)) {
        places[job] = Some(place);
    }
    places
}

fn by_level(
    case: &Case,
    by: &dyn Fn(u8) -> Heuristic,
    levels: &[u8],
    which: std::ops::RangeInclusive<u8>,
    mut places: Places,
) -> Option<Places> {
    for level in which {
        let waits = |job: &usize| levels[*job] == level && places[*job].is_none();
        let chosen: Vec<usize> = (0..levels.len()).filter(waits).collect();
        places = map(case, by(level), &places, &chosen)?;
    }
    Some(places)
}
