//! What the suite needs of a subject before it judges answers.

use super::held::Held;
use super::run::Run;
use super::{Call, Subject, Wrong};

/// Units of which every state can be visited.
pub(super) const MOST_WALKED: u32 = 12;
/// Units among which each request still looks for room.
pub(super) const MOST_UNITS: u32 = 4096;

/// The sizes from the smallest on, each once, of a subject that can be tested.
pub(super) fn sizes(subject: &mut dyn Subject, most_units: u32) -> Result<Vec<u32>, Wrong> {
    let (units, named) = (subject.units(), subject.sizes());
    if let Some(what) = refusal(units, most_units, &named) {
        return Err(Wrong::before_calls(what));
    }
    let mut sizes = named.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let [mut first, mut second] = [Vec::new(), Vec::new()];
    for steps in [&mut first, &mut second] {
        // What is wrong in both is for others to name, after fewer calls.
        _ = run(subject, &sizes, steps);
        if (subject.units(), subject.sizes()) != (units, named.clone()) {
            return Err(Wrong::before_calls("units() or sizes() changes with the calls".into()));
        }
    }
    match first.iter().zip(&second).position(|(first, second)| first != second) {
        None => Ok(sizes),
        Some(at) => Err(Wrong {
            calls: first[..=at].iter().map(|step| step.0).collect(),
            what: "answered otherwise after another reset".into(),
        }),
    }
}

/// Why so many units, or such sizes, cannot be tested.
fn refusal(units: u32, most_units: u32, sizes: &[u32]) -> Option<String> {
    if !(1..=most_units).contains(&units) {
        return Some(format!("units() is {units}: it must be from 1 to {most_units} here"));
    }
    if sizes.is_empty() {
        return Some("sizes() is empty: nothing can be asked for".into());
    }
    let wrong = sizes.iter().find(|size| !(1..=units).contains(*size))?;
    Some(format!("sizes() has {wrong}: each must be from 1 to units(), which is {units}"))
}

/// A run from a reset on. `steps`: the calls, and what was held after each if it was answered rightly. Some blocks are held at
/// its end, so that the next reset has something to do.
fn run(
    subject: &mut dyn Subject,
    sizes: &[u32],
    steps: &mut Vec<(Call, Option<Held>)>,
) -> Result<(), Wrong> {
    let mut run = Run::after(subject, &[])?;
    let mut step = |run: &mut Run, call| {
        let answer = run.call(call);
        steps.push((call, answer.is_ok().then(|| run.held.clone())));
        answer
    };
    let asks = || sizes.iter().map(|&units| Call::Allocate(units));
    asks().chain(asks()).try_for_each(|call| step(&mut run, call))?;
    let releases = run.held.0.clone().into_iter().map(Call::Free);
    releases.chain(asks()).try_for_each(|call| step(&mut run, call))
}
