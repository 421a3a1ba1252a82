//! Fragmentation over the time of a replay.

use crate::machine::{Machine, Mix};
use crate::workload::Job;
use locox::time::Instant;

/// The levels of fragmentation, each with the instant from which on it is so.
///
/// - `changes` is what the machine had been through when it was looked at last.
#[derive(Clone)]
pub(super) struct Fragmentation {
    mix: Mix,
    changes: Option<u64>,
    pub(super) levels: Vec<(Instant, f64)>,
}

impl Fragmentation {
    /// For the mix of these jobs; `None` on a machine without places.
    pub(super) fn of(machine: &mut (impl Machine + ?Sized), jobs: &[Job]) -> Option<Self> {
        let mix = Mix::of(machine, jobs)?;
        Some(Self { mix, changes: None, levels: vec![] })
    }

    /// Looks at a machine after all that happens at an instant, if it has changed.
    pub(super) fn look(
        &mut self,
        now: Instant,
        machine: &mut (impl Machine + ?Sized),
        changes: u64,
    ) {
        if self.changes.replace(changes) != Some(changes) {
            self.levels.push((now, self.mix.fragmentation(machine)));
        }
    }
}

/// The mean of levels over the time between two instants.
pub(super) fn mean(levels: &[(Instant, f64)], (start, finish): (Instant, Instant)) -> f64 {
    let ends = levels.iter().skip(1).map(|&(at, _)| at).chain([finish]);
    let spans = levels.iter().zip(ends).map(|(&(from, level), to)| {
        let (from, to) = (from.max(start), to.min(finish));
        level * to.since(from).unwrap_or_default().ticks() as f64
    });
    let all = finish.since(start).unwrap_or_default().ticks() as f64;
    if all > 0.0 { spans.sum::<f64>() / all } else { 0.0 }
}
