//! What is compared: a figure of a replay, its unit, and which way is better.

use crate::replay::Outcome;

/// A figure of a whole replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Mean time in the queue.
    Wait,
    /// 95 % of the jobs waited no longer.
    P95Wait,
    /// Mean time from arrival to end.
    Turnaround,
    /// Mean bounded slowdown.
    Slowdown,
    /// Processors asked for by running jobs, in per cent of all.
    Utilisation,
    /// [`waste`] in per cent.
    Waste,
    /// Attempts refused although enough processors were free.
    Fragmented,
    /// From the first arrival to the last end.
    Makespan,
    /// Jobs that a manager told to stop for others.
    Stops,
    /// Work that stops lost, in per cent of all.
    Lost,
    /// Mean time in the queue of the jobs of the half of the users who ask for least.
    LightWait,
    /// Of those of the other half.
    HeavyWait,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Wait,
        Self::P95Wait,
        Self::Turnaround,
        Self::Slowdown,
        Self::Utilisation,
        Self::Waste,
        Self::Fragmented,
        Self::Makespan,
        Self::Stops,
        Self::Lost,
        Self::LightWait,
        Self::HeavyWait,
    ];

    /// In options and data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::P95Wait => "p95-wait",
            Self::Turnaround => "turnaround",
            Self::Slowdown => "slowdown",
            Self::Utilisation => "utilisation",
            Self::Waste => "waste",
            Self::Fragmented => "fragmented",
            Self::Makespan => "makespan",
            Self::Stops => "stops",
            Self::Lost => "lost",
            Self::LightWait => "light-wait",
            Self::HeavyWait => "heavy-wait",
        }
    }

    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Wait => "mean wait",
            Self::P95Wait => "wait of 95 % of the jobs",
            Self::Turnaround => "mean turnaround",
            Self::Slowdown => "mean slowdown",
            Self::Utilisation => "utilisation",
            Self::Waste => "held but not asked for",
            Self::Fragmented => "refused although enough were free",
            Self::Makespan => "makespan",
            Self::Stops => "jobs stopped for others",
            Self::Lost => "work lost by stops",
            Self::LightWait => "mean wait of the lighter users",
            Self::HeavyWait => "mean wait of the heavier users",
        }
    }

    /// Empty for a ratio.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Wait | Self::P95Wait | Self::LightWait | Self::HeavyWait => "s",
            Self::Turnaround | Self::Makespan => "s",
            Self::Slowdown => "",
            Self::Utilisation | Self::Waste | Self::Lost => "%",
            Self::Fragmented => "attempts",
            Self::Stops => "jobs",
        }
    }

    /// Digits after the point for people.
    pub fn digits(self) -> usize {
        match self {
            Self::Slowdown | Self::Utilisation | Self::Waste | Self::Lost => 2,
            _ => 0,
        }
    }

    /// Whether the larger of two figures is the better one.
    pub fn more_is_better(self) -> bool {
        self == Self::Utilisation
    }

    /// The figure of a replay.
    pub fn of(self, outcome: &Outcome) -> f64 {
        match self {
            Self::Wait => outcome.mean_wait,
            Self::P95Wait => outcome.wait_p95,
            Self::Turnaround => outcome.mean_turnaround,
            Self::Slowdown => outcome.mean_bounded_slowdown,
            Self::Utilisation => outcome.utilisation * 100.0,
            Self::Waste => waste(outcome) * 100.0,
            Self::Fragmented => outcome.refusals.fragmented as f64,
            Self::Makespan => outcome.makespan.ticks() as f64,
            Self::Stops => outcome.stops.map_or(0, |stops| stops.all()) as f64,
            Self::Lost => outcome.stops.map_or(0.0, |stops| stops.work_lost * 100.0),
            // All are of one user.
            Self::LightWait => outcome.users.map_or(outcome.mean_wait, |users| users.lighter.mean),
            Self::HeavyWait => outcome.users.map_or(outcome.mean_wait, |users| users.heavier.mean),
        }
    }
}

/// The share of what was held that nobody had asked for: the price of rounding up.
pub fn waste(outcome: &Outcome) -> f64 {
    match outcome.held_utilisation {
        held if held > 0.0 => 1.0 - outcome.utilisation / held,
        _ => 0.0,
    }
}
