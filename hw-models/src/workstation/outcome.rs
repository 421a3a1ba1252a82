//! What came of a run.

use std::ops::Range;

/// A pool over its span. Times are in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How long it ran.
    pub span: f64,
    /// What each station's user had.
    pub users: Vec<Use>,
    /// Time for which processors were available to others, of all processors together.
    pub available: f64,
    /// Jobs that waited for a processor, on average over time.
    pub mean_queue: f64,
    /// Times at which a run was ended for the sake of another station.
    pub preemptions: u64,
    /// Times at which a run was ended because the owner came back.
    pub evictions: u64,
    /// Runs killed before their checkpoint was done.
    pub kills: u64,
    /// The longest time for which some processor was free while some job waited.
    pub longest_spare: f64,
    /// Commands that the coordinator was given.
    pub commands: u64,
    /// Curves over time, as many as asked for.
    pub points: Vec<Point>,
}

/// What one user had, or several together. Times are in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Use {
    /// Execution on processors of others.
    pub remote: f64,
    /// Execution at home.
    pub local: f64,
    /// Execution that is in `remote` or `local` but was lost with a run that was killed.
    pub lost: f64,
    /// Time with a job that wants a processor of others, and no such processor.
    pub wait: f64,
    /// Jobs that arrived.
    pub submitted: u64,
    /// Jobs that are done.
    pub finished: u64,
    /// Service demand of these.
    pub demand: f64,
    /// From arrival to end, of these.
    pub turnaround: f64,
    /// Sum over these of waiting time by service demand.
    pub wait_ratios: f64,
    /// Jobs that ended on a processor of others.
    pub finished_remotely: u64,
    /// Service demand of these.
    pub remote_demand: f64,
    /// From arrival to end, of these.
    pub remote_turnaround: f64,
    /// Execution of jobs at the end that are not done, and not lost.
    pub unfinished: f64,
    /// Moves of jobs to processors of others.
    pub placements: u64,
    /// System calls from processors of others.
    pub calls: u64,
    /// Processor time of the home for placements, checkpoints, shadows and calls.
    pub support: f64,
}

/// What went on in one of the equal parts of a span, on average.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Begin of the part, in seconds.
    pub at: f64,
    /// Processors available to others.
    pub available: f64,
    /// Processors that run a job, or have one on its way.
    pub used: f64,
    /// Jobs that wait, by station.
    pub waiting: Vec<f64>,
    /// Processors of others that are held, by station.
    pub held: Vec<f64>,
}

impl Outcome {
    /// The users of some stations together.
    pub fn of(&self, stations: Range<usize>) -> Use {
        self.users[stations].iter().copied().fold(Use::default(), Use::plus)
    }

    /// All users together.
    pub fn all(&self) -> Use {
        self.of(0..self.users.len())
    }

    /// Execution as a share of what was available.
    pub fn utilisation(&self) -> f64 {
        let all = self.all();
        (all.remote + all.local) / self.available
    }

    /// Jobs done in a day.
    pub fn throughput(&self) -> f64 {
        self.all().finished as f64 / (self.span / 86_400.0)
    }
}

impl Use {
    /// Remote cycle wait ratio: remote execution by waiting time. Infinite without waiting.
    pub fn wait_ratio(&self) -> f64 {
        self.remote / self.wait
    }

    /// Remote cycle percentage, as a share of one: remote execution by all execution.
    pub fn remote_share(&self) -> f64 {
        self.remote / (self.remote + self.local)
    }

    /// Remote response ratio: turnaround by service demand, of jobs that ended remotely.
    pub fn response_ratio(&self) -> f64 {
        self.remote_turnaround / self.remote_demand
    }

    /// Mean over all jobs done of waiting time by service demand.
    pub fn job_wait_ratio(&self) -> f64 {
        self.wait_ratios / self.finished as f64
    }

    /// Leverage: remote execution for each second that the home spends on it.
    pub fn leverage(&self) -> f64 {
        self.remote / self.support
    }

    /// Two users as one.
    pub fn plus(self, other: Self) -> Self {
        Self {
            remote: self.remote + other.remote,
            local: self.local + other.local,
            lost: self.lost + other.lost,
            wait: self.wait + other.wait,
            submitted: self.submitted + other.submitted,
            finished: self.finished + other.finished,
            demand: self.demand + other.demand,
            turnaround: self.turnaround + other.turnaround,
            wait_ratios: self.wait_ratios + other.wait_ratios,
            finished_remotely: self.finished_remotely + other.finished_remotely,
            remote_demand: self.remote_demand + other.remote_demand,
            remote_turnaround: self.remote_turnaround + other.remote_turnaround,
            unfinished: self.unfinished + other.unfinished,
            placements: self.placements + other.placements,
            calls: self.calls + other.calls,
            support: self.support + other.support,
        }
    }
}
