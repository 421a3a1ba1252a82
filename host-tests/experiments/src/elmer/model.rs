//! The equations of section 5.3 against the simulation.

use super::SOURCE;
use super::runs::{App, Layout, Os, leveled, times};
use crate::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_models::timeshare::Program;
use locox_models::timeshare::calibration::{QUANTUM, barrier, network};
use locox_models::timeshare::equations::Barrier;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "now-model",
    title: "Shared processors: equations and simulation",
    source: SOURCE,
    about: "The source computes how long a barrier program takes alone, beside EP, and above another \
            barrier program. Here each equation stands beside the simulation of what it is about, on \
            two to six hosts, with computation, delay and quantum of the simulation put in. Equation 5.2 \
            shares a processor out evenly while both compute; under multilevel feedback EP, which never \
            waits, sinks below a program that waits every few milliseconds, and that one takes a third \
            less time. Equations 5.4 and 5.5 add one delay for each phase or message received; in the \
            simulation every process may be delayed in a phase, and the last one counts.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

/// How far equation and simulation may be apart, in per cent.
const TOLERANCE: f64 = 10.0;

/// An equation and what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Equation {
    Alone,
    Preemptive,
    Equal,
    AboveEp,
    AboveBarrier,
}

const ALL: [Equation; 5] = [
    Equation::Alone,
    Equation::Preemptive,
    Equation::Equal,
    Equation::AboveEp,
    Equation::AboveBarrier,
];

impl Equation {
    const fn number(self) -> &'static str {
        match self {
            Self::Alone => "5.1, alone",
            Self::Preemptive => "5.1, above EP on the preemptive kernel",
            Self::Equal => "5.2, beside EP at one level",
            Self::AboveEp => "5.4, above EP",
            Self::AboveBarrier => "5.5, above a barrier on one host",
        }
    }

    const fn os(self) -> Os {
        match self {
            Self::Preemptive => Os::Preemptive,
            _ => Os::NonPreemptive,
        }
    }

    /// Seconds by hand.
    fn computed(self, version: usize, hosts: usize) -> f64 {
        let Program::Barrier { work, phases } = barrier(version) else { return f64::NAN };
        let barrier = Barrier {
            start: 0.0,
            phases: phases.into(),
            compute: work / hosts as f64 / 1e6,
            delay: network(&self.os().kernel()).delay(hosts) / 1e6,
        };
        let quantum = QUANTUM as f64 / 1e6;
        match self {
            Self::Alone | Self::Preemptive => barrier.alone(),
            // Half a quantum until it gets the processor back.
            Self::Equal => barrier.beside_equal(quantum / 2.0),
            Self::AboveEp => barrier.above(quantum / 2.0),
            Self::AboveBarrier => barrier.above_barrier(hosts as f64, quantum),
        }
    }

    /// Seconds in the simulation.
    fn simulated(self, version: usize, hosts: usize, seed: u64, run: u64) -> f64 {
        let [first, second] = Layout::Same.hosts(hosts);
        let high = (App::Barrier(version), first, 0);
        let beside = |app| [high.clone(), (app, second.clone(), 1)];
        let os = self.os();
        match self {
            Self::Alone => times(os, std::slice::from_ref(&high), seed, run)[0],
            Self::Preemptive | Self::AboveEp => times(os, &beside(App::Ep), seed, run)[0],
            Self::Equal => leveled(os, &beside(App::Ep), &[0, 0], seed, run)[0],
            Self::AboveBarrier => times(os, &beside(App::Barrier(3)), seed, run)[0],
        }
    }
}

/// A version on so many hosts: seconds by hand, and simulated.
struct Found {
    equation: Equation,
    version: usize,
    hosts: usize,
    computed: f64,
    simulated: Vec<f64>,
}

impl Found {
    /// How much more the equation says, in per cent.
    fn off(&self) -> Vec<f64> {
        self.simulated.iter().map(|it| 100.0 * (self.computed / it - 1.0)).collect()
    }
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(3, 5);
    let hosts: &[usize] = lab.either(&[2, 6], &[2, 3, 4, 5, 6]);
    let settings: Vec<(Equation, usize, usize)> = ALL
        .into_iter()
        .flat_map(|it| [1, 2, 3].map(|version| (it, version)))
        .flat_map(|(it, version)| hosts.iter().map(move |&hosts| (it, version, hosts)))
        .collect();
    let found = lab.parallel(&settings, |&(equation, version, hosts)| {
        let one = |run| equation.simulated(version, hosts, lab.seed, run);
        let simulated = (0..replications).map(one).collect();
        let computed = equation.computed(version, hosts);
        Found { equation, version, hosts, computed, simulated }
    });
    Findings {
        parameters: vec![
            Fact::new("tolerance", format!("{TOLERANCE} %")),
            Fact::new("replications", replications),
        ],
        claims: claims(&found),
        results: vec![Block::Table(table(&found))],
    }
}

fn agrees(found: &[Found], equation: Equation) -> Judged {
    let of = found.iter().filter(|it| it.equation == equation);
    let case = |it: &Found| {
        let name = format!("v{} on {} hosts", it.version, it.hosts);
        Case::new(name, it.off(), Expected::alike(TOLERANCE))
    };
    judge::every(&of.map(case).collect::<Vec<_>>(), Unit("%", 2))
}

fn claims(found: &[Found]) -> Vec<Claim> {
    let claim = |equation: Equation| {
        agrees(found, equation).claim(
            format!("Equation {} gives the time that the program takes", equation.number()),
            "Turner 1995, section 5.3",
            format!(
                "By how much the equation says more than the simulation; at most {TOLERANCE} %. \
                 The delay until the processor is given back is taken as half a quantum of 1/1024 s."
            ),
        )
    };
    ALL.map(claim).into()
}

fn table(found: &[Found]) -> Table {
    let columns = [
        ("equation", "equation"),
        ("version", "version"),
        ("hosts", "hosts"),
        ("computed_s", "equation (s)"),
        ("simulated_s", "simulation (s)"),
        ("off_percent", "equation says more (%)"),
    ];
    let mut table = Table::new("Equations of section 5.3 and the simulation", &columns);
    for it in found {
        table.push(vec![
            Cell::text(it.equation.number()),
            Cell::text(format!("v{}", it.version)),
            Cell::Count(it.hosts as u64),
            Cell::Number(it.computed, 1),
            Cell::Estimate(Estimate::of(&it.simulated), 1),
            Cell::Estimate(Estimate::of(&it.off()), 1),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    fn made(factor: f64) -> Vec<Verdict> {
        let one = |equation| Found {
            equation,
            version: 1,
            hosts: 4,
            computed: 40.0 * factor,
            simulated: vec![39.9, 40.0, 40.1, 40.0],
        };
        claims(&ALL.map(one)).iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        assert_eq!(made(1.05), [Holds; 5]);
        assert_eq!(made(0.8), [DoesNotHold; 5]);
    }

    #[test]
    fn alone_and_under_preemption_they_agree() {
        for equation in [Equation::Alone, Equation::Preemptive] {
            let (computed, simulated) = (equation.computed(2, 4), equation.simulated(2, 4, 1, 0));
            assert!((computed / simulated - 1.0).abs() < 0.03, "{computed} s, {simulated} s");
        }
    }
}
