//! One or two jobs on a few hosts, and what came of them.

use super::super::Lab;
use locox_models::timeshare::calibration::{
    BALANCE, WORK, barrier, ep_of, network, non_preemptive, preemptive,
};
use locox_models::timeshare::{Job, Kernel, Network, Outcome, Program, SECOND, World, seconds};

/// A kernel of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Os {
    NonPreemptive,
    Preemptive,
}

impl Os {
    pub(super) const BOTH: [Self; 2] = [Self::NonPreemptive, Self::Preemptive];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::NonPreemptive => "non-preemptive",
            Self::Preemptive => "preemptive",
        }
    }

    pub(super) fn kernel(self) -> Kernel {
        match self {
            Self::NonPreemptive => non_preemptive(),
            Self::Preemptive => preemptive(),
        }
    }
}

/// A program of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum App {
    Barrier(usize),
    Ep,
}

impl App {
    pub(super) const ALL: [Self; 4] =
        [Self::Barrier(1), Self::Barrier(2), Self::Barrier(3), Self::Ep];

    pub(super) fn name(self) -> String {
        match self {
            Self::Barrier(version) => format!("v{version}"),
            Self::Ep => "EP".into(),
        }
    }
}

/// What programs run on, and the constants of these that no source gives.
#[derive(Clone, Copy)]
pub(super) struct Machine {
    pub(super) kernel: fn(Os) -> Kernel,
    /// Programs that never wait keep their levels, whatever the kernel.
    pub(super) levels_stay: bool,
    pub(super) network: fn(&Kernel) -> Network,
    /// Work of EP on one host, in seconds; its time alone on 5 hosts is as printed.
    pub(super) ep_work: f64,
    /// When EP shares its work out, in seconds after its start.
    pub(super) balance: f64,
    /// When barrier programs begin to compute.
    pub(super) setup: f64,
}

impl Machine {
    pub(super) const CALIBRATED: Self = Self {
        kernel: Os::kernel,
        levels_stay: false,
        network,
        ep_work: WORK,
        balance: BALANCE,
        setup: 0.0,
    };

    pub(super) fn kernel(&self, os: Os) -> Kernel {
        match (self.kernel)(os) {
            Kernel::NonPreemptive { quanta, .. } if self.levels_stay => {
                Kernel::NonPreemptive { quanta, sinks_after: None }
            }
            kernel => kernel,
        }
    }

    pub(super) fn program(&self, app: App, os: Os) -> Program {
        let version = match app {
            App::Barrier(version) => version,
            App::Ep => return ep_of(&self.kernel(os), self.ep_work, self.balance),
        };
        match barrier(version) {
            Program::Barrier { work, phases, .. } => {
                Program::Barrier { work, phases, setup: seconds(self.setup) }
            }
            other => other,
        }
    }

    /// The constants that nobody printed, in a line.
    pub(super) fn told(&self) -> String {
        let pause = |os| match self.program(App::Ep, os) {
            Program::Ep { sharing, .. } => sharing as f64 / SECOND,
            Program::Barrier { .. } => 0.0,
        };
        let [other, preemptive] = Os::BOTH.map(pause);
        let Self { ep_work, balance, setup, .. } = self;
        format!(
            "EP of {ep_work} s of work shares it out {balance} s after its start and pauses for \
             {other:.1} s then ({preemptive:.1} s under the preemptive kernel); barrier programs \
             compute after {setup} s"
        )
    }

    pub(super) const fn with_levels_that_stay(&self) -> Self {
        Self { levels_stay: true, ..*self }
    }

    /// The rule by which processes change their levels under the non-preemptive kernel, in a line.
    pub(super) fn levels_told(&self) -> String {
        match self.kernel(Os::NonPreemptive) {
            Kernel::NonPreemptive { sinks_after: Some(quanta), .. } => format!(
                "a process without a wait for {quanta} quanta of 1/1024 s sinks to the second level, until it \
                 waits; the source prints no number"
            ),
            _ => "no process changes its level".into(),
        }
    }

    pub(super) fn run(
        &self,
        os: Os,
        jobs: &[Started],
        levels: &[u8],
        seed: u64,
        run: u64,
    ) -> Outcome {
        let kernel = self.kernel(os);
        let job = |((app, hosts, number), &level): (&Started, &u8)| Job {
            program: self.program(*app, os),
            hosts: hosts.clone(),
            level,
            number: *number,
        };
        let jobs = jobs.iter().zip(levels).map(job).collect();
        World { kernel, network: (self.network)(&kernel), jobs, record: false }.run(seed, run)
    }

    /// The seconds that jobs take which start together, the first one the more urgent.
    pub(super) fn times(&self, os: Os, jobs: &[Started], seed: u64, run: u64) -> Vec<f64> {
        self.run(os, jobs, &LEVELS, seed, run).ends
    }

    /// The seconds that a job takes alone, one of each replication.
    pub(super) fn alone(
        &self,
        lab: &Lab,
        os: Os,
        app: App,
        hosts: usize,
        replications: u64,
    ) -> Vec<f64> {
        let runs: Vec<u64> = (0..replications).collect();
        let job = || (app, (0..hosts).collect(), 0);
        lab.parallel(&runs, |&run| self.times(os, &[job()], lab.seed, run)[0])
    }
}

/// A program, its hosts and the number of the job.
pub(super) type Started = (App, Vec<usize>, u64);

/// The levels of two jobs of which the first is the more urgent.
pub(super) const LEVELS: [u8; 2] = [0, 1];

/// Which hosts the less urgent job gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// The same, first processes on one host.
    Same,
    /// The same, first processes on different ones.
    Different,
    /// One host farther, so that the first process of each has its host to itself.
    Partial,
    /// Hosts of the more urgent one, which has six, without that of its first process.
    Subset,
}

impl Layout {
    /// The hosts of both, if the less urgent one gets so many.
    pub(super) fn hosts(self, count: usize) -> [Vec<usize>; 2] {
        let all: Vec<usize> = (0..count).collect();
        match self {
            Self::Same => [all.clone(), all],
            Self::Different => [all.clone(), (0..count).map(|at| (at + 1) % count).collect()],
            Self::Partial if count == 1 => [all.clone(), all],
            Self::Partial => [all, std::iter::once(count).chain(1..count).collect()],
            Self::Subset => [(0..6).collect(), (1..=count).collect()],
        }
    }
}

/// One run of two jobs, and of each alone; in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) high: f64,
    pub(super) low: f64,
    pub(super) high_alone: f64,
    pub(super) low_alone: f64,
    /// What the first process of the less urgent one computes, over the mean of its processes.
    pub(super) first_work: f64,
}

impl Run {
    /// What the more urgent job pays, in per cent of its time alone.
    pub(super) fn paid(&self) -> f64 {
        100.0 * (self.high / self.high_alone - 1.0)
    }

    /// The turnaround time of the less urgent job if the hosts are shared in space: after the
    /// other.
    pub(super) fn space_shared(&self) -> f64 {
        self.high_alone + self.low_alone
    }

    /// What the less urgent job gains, in per cent of that.
    pub(super) fn gained(&self) -> f64 {
        100.0 * (1.0 - self.low / self.space_shared())
    }
}

/// Two jobs on so many hosts under a kernel, replication by replication.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) os: Os,
    pub(super) hosts: usize,
    pub(super) runs: Vec<Run>,
}

impl Point {
    pub(super) fn of(&self, figure: impl Fn(&Run) -> f64) -> Vec<f64> {
        self.runs.iter().map(figure).collect()
    }
}

/// Runs two jobs for each number of hosts, under both kernels; where levels stay under the
/// non-preemptive one only, as they never drift under the other.
pub(super) fn points(
    lab: &Lab,
    machine: &Machine,
    [high, low]: [App; 2],
    layout: Layout,
    hosts: &[usize],
    replications: u64,
) -> Vec<Point> {
    let kernels = if machine.levels_stay { &Os::BOTH[..1] } else { &Os::BOTH[..] };
    let settings: Vec<(Os, usize)> =
        kernels.iter().flat_map(|&os| hosts.iter().map(move |&hosts| (os, hosts))).collect();
    let items: Vec<(Os, usize, u64)> = settings
        .iter()
        .flat_map(|&(os, hosts)| (0..replications).map(move |run| (os, hosts, run)))
        .collect();
    let runs = lab.parallel(&items, |&(os, hosts, run)| {
        let [first, second] = layout.hosts(hosts);
        let (first, second) = ((high, first, 0), (low, second, 1));
        let both = machine.run(os, &[first.clone(), second.clone()], &LEVELS, lab.seed, run);
        let worked = &both.worked[1];
        Run {
            first_work: worked[0] * worked.len() as f64 / worked.iter().sum::<f64>(),
            high: both.ends[0],
            low: both.ends[1],
            high_alone: machine.times(os, &[first], lab.seed, run)[0],
            low_alone: machine.times(os, &[second], lab.seed, run)[0],
        }
    });
    let runs = runs.chunks(replications as usize).map(<[_]>::to_vec);
    settings.into_iter().zip(runs).map(|((os, hosts), runs)| Point { os, hosts, runs }).collect()
}
