//! The equations of section 5.3 against the simulation.

use super::SOURCE;
use super::runs::{App, LEVELS, Layout, Machine, Os};
use crate::sources::turner_elmer::{
    BETWEEN_EQUATIONS, EQUATION_ABOVE_BARRIER, EQUATION_ABOVE_EP, EQUATION_ALONE, EQUATION_DOUBLE,
    EQUATION_EQUAL, EQUATION_PREEMPTIVE, IF_LEVELS_DRIFT, TIME_DOUBLES,
};
use crate::thresholds::{NOW_EQUAL, NOW_NEAR};
use crate::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_models::timeshare::Program;
use locox_models::timeshare::calibration::QUANTUM;
use locox_models::timeshare::equations::Barrier;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Statement, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "now-model",
    title: "Shared processors: equations and simulation",
    source: SOURCE,
    about: "The source computes how long a barrier program takes alone, beside EP, and above another \
            barrier program. Here each equation stands beside the simulation of what it is about, on \
            two to six hosts, with computation, delay and quantum of the simulation put in. Equations 5.2 \
            and 5.3 share a processor out evenly while both compute; under multilevel feedback EP, which \
            never waits, sinks below a program that waits every few milliseconds. So what the equations \
            say is judged where levels stay, and of levels that drift it is asked as well. Equations 5.4 and 5.5 add one delay for each phase or message received; in the \
            simulation every process may be delayed in a phase, and the last one counts.",
    statements: &[
        &EQUATION_ALONE,
        &EQUATION_PREEMPTIVE,
        &EQUATION_EQUAL,
        &EQUATION_DOUBLE,
        &EQUATION_ABOVE_EP,
        &EQUATION_ABOVE_BARRIER,
        &TIME_DOUBLES,
        &BETWEEN_EQUATIONS,
        &IF_LEVELS_DRIFT,
    ],
    run: |lab| Ok(run(lab, &Machine::CALIBRATED)),
    #[cfg(test)]
    planted: tests::planted,
};

/// An equation and what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Equation {
    Alone,
    Preemptive,
    Equal,
    Double,
    AboveEp,
    AboveBarrier,
    /// The same beside what it is not about: barriers on different hosts.
    Apart,
}

/// Those about a program that nobody disturbs: what others do makes no difference.
const UNDISTURBED: [Equation; 2] = [Equation::Alone, Equation::Preemptive];

/// Those about one that shares its processors; 5.3 is about the same runs as 5.2.
const DISTURBED: [Equation; 4] =
    [Equation::Equal, Equation::AboveEp, Equation::AboveBarrier, Equation::Apart];

/// All that is simulated.
fn simulated() -> impl Iterator<Item = (Equation, Levels)> {
    let shared = Levels::BOTH.into_iter().flat_map(|levels| DISTURBED.map(|it| (it, levels)));
    UNDISTURBED.map(|it| (it, Levels::Drift)).into_iter().chain(shared)
}

impl Equation {
    const fn number(self) -> &'static str {
        match self {
            Self::Alone => "5.1, alone",
            Self::Preemptive => "5.1, above EP on the preemptive kernel",
            Self::Equal => "5.2, beside EP at one level",
            Self::Double => "5.3, beside EP at one level",
            Self::AboveEp => "5.4, above EP",
            Self::AboveBarrier => "5.5, above a barrier on one host",
            Self::Apart => "5.5, above a barrier on another host",
        }
    }

    /// What is said of it.
    const fn statement(self) -> &'static Statement {
        match self {
            Self::Alone => &EQUATION_ALONE,
            Self::Preemptive => &EQUATION_PREEMPTIVE,
            Self::Equal => &EQUATION_EQUAL,
            Self::Double => &EQUATION_DOUBLE,
            Self::AboveEp => &EQUATION_ABOVE_EP,
            Self::AboveBarrier => &EQUATION_ABOVE_BARRIER,
            Self::Apart => &BETWEEN_EQUATIONS,
        }
    }

    const fn os(self) -> Os {
        match self {
            Self::Preemptive => Os::Preemptive,
            _ => Os::NonPreemptive,
        }
    }

    /// Seconds by hand.
    fn computed(self, machine: &Machine, version: usize, hosts: usize) -> f64 {
        let os = self.os();
        let program = machine.program(App::Barrier(version), os);
        let Program::Barrier { work, phases, .. } = program else { return f64::NAN };
        let barrier = Barrier {
            start: machine.setup,
            phases: phases.into(),
            compute: work / hosts as f64 / 1e6,
            delay: (machine.network)(&machine.kernel(os)).delay(hosts) / 1e6,
        };
        let quantum = QUANTUM as f64 / 1e6;
        match self {
            Self::Alone | Self::Preemptive => barrier.alone(),
            // Half a quantum until it gets the processor back.
            Self::Equal => barrier.beside_equal(quantum / 2.0),
            Self::Double => barrier.doubled(),
            Self::AboveEp => barrier.above(quantum / 2.0),
            Self::AboveBarrier | Self::Apart => barrier.above_barrier(hosts as f64, quantum),
        }
    }

    /// Seconds in the simulation.
    fn simulated(
        self,
        machine: &Machine,
        version: usize,
        hosts: usize,
        seed: u64,
        run: u64,
    ) -> f64 {
        let (other, layout) = match self {
            Self::AboveBarrier => (App::Barrier(3), Layout::Same),
            Self::Apart => (App::Barrier(3), Layout::Different),
            _ => (App::Ep, Layout::Same),
        };
        let levels = if self == Self::Equal { [0, 0] } else { LEVELS };
        let [first, second] = layout.hosts(hosts);
        let jobs = [(App::Barrier(version), first, 0), (other, second, 1)];
        let jobs = if self == Self::Alone { &jobs[..1] } else { &jobs };
        machine.run(self.os(), jobs, &levels, seed, run).ends[0]
    }
}

/// Whether a program that never waits sinks below others of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Levels {
    Drift,
    Stay,
}

impl Levels {
    const BOTH: [Self; 2] = [Self::Drift, Self::Stay];

    const fn name(self) -> &'static str {
        match self {
            Self::Drift => "levels that drift",
            Self::Stay => "levels that stay",
        }
    }

    fn on(self, machine: &Machine) -> Machine {
        match self {
            Self::Drift => *machine,
            Self::Stay => Machine { levels_stay: true, ..*machine },
        }
    }
}

/// A version on so many hosts: seconds by hand, and simulated.
#[derive(Clone)]
struct Found {
    equation: Equation,
    levels: Levels,
    version: usize,
    hosts: usize,
    computed: f64,
    simulated: Vec<f64>,
}

impl Found {
    fn name(&self) -> String {
        format!("v{} on {} hosts", self.version, self.hosts)
    }

    /// How much more the equation says, in per cent.
    fn off(&self) -> Vec<f64> {
        self.simulated.iter().map(|it| 100.0 * (self.computed / it - 1.0)).collect()
    }

    /// By how much the simulation exceeds that of the program alone, in per cent of it.
    fn over_alone(&self, found: &[Self]) -> Vec<f64> {
        let is_alone = |it: &&Self| {
            let same = (it.version, it.hosts) == (self.version, self.hosts);
            it.equation == Equation::Alone && same
        };
        let alone = found.iter().find(is_alone).map_or(&[][..], |it| &it.simulated);
        self.simulated.iter().zip(alone).map(|(it, alone)| 100.0 * (it / alone - 1.0)).collect()
    }
}

fn run(lab: &Lab, machine: &Machine) -> Findings {
    let replications = lab.either(3, 5);
    let hosts: &[usize] = lab.either(&[2, 6], &[2, 3, 4, 5, 6]);
    let settings: Vec<(Equation, Levels, usize, usize)> = simulated()
        .flat_map(|(it, levels)| [1, 2, 3].map(|version| (it, levels, version)))
        .flat_map(|(it, levels, version)| hosts.iter().map(move |&at| (it, levels, version, at)))
        .collect();
    let simulated = lab.parallel(&settings, |&(equation, levels, version, hosts)| {
        let machine = levels.on(machine);
        let one = |run| equation.simulated(&machine, version, hosts, lab.seed, run);
        let simulated = (0..replications).map(one).collect();
        let computed = equation.computed(&machine, version, hosts);
        Found { equation, levels, version, hosts, computed, simulated }
    });
    let found = with_doubled(simulated, machine);
    Findings {
        parameters: vec![
            Fact::new("constants that nobody printed", machine.told()),
            Fact::new("replications", replications),
        ],
        claims: claims(&found),
        results: vec![Block::Table(table(&found))],
    }
}

/// Equation 5.3 as well, which is about what equation 5.2 is about.
fn with_doubled(found: Vec<Found>, machine: &Machine) -> Vec<Found> {
    let double = |it: &Found| Found {
        equation: Equation::Double,
        computed: Equation::Double.computed(machine, it.version, it.hosts),
        ..it.clone()
    };
    let doubled: Vec<Found> =
        found.iter().filter(|it| it.equation == Equation::Equal).map(double).collect();
    [found, doubled].concat()
}

const PERCENT: Unit = Unit("%", 2);

fn of(found: &[Found], equation: Equation, levels: Levels) -> impl Iterator<Item = &Found> {
    found.iter().filter(move |it| (it.equation, it.levels) == (equation, levels))
}

fn agrees(found: &[Found], equation: Equation, levels: Levels) -> Judged {
    let case = |it: &Found| Case::new(it.name(), it.off(), Expected::alike(NOW_NEAR));
    judge::every(&of(found, equation, levels).map(case).collect::<Vec<_>>(), PERCENT)
}

/// That beside EP it takes twice as long as alone.
fn doubles(found: &[Found], levels: Levels) -> Judged {
    let twice = |it: &Found| it.over_alone(found).iter().map(|by| by - 100.0).collect();
    let case = |it: &Found| Case::new(it.name(), twice(it), Expected::alike(NOW_NEAR));
    judge::every(&of(found, Equation::Equal, levels).map(case).collect::<Vec<_>>(), PERCENT)
}

/// That with barriers on different hosts it takes less than equation 5.5 says, and more than alone.
fn is_between(found: &[Found], levels: Levels) -> [Judged; 2] {
    let above = Expected::Inside(NOW_EQUAL, f64::INFINITY);
    let all: Vec<&Found> = of(found, Equation::Apart, levels).collect();
    let below_equation = |it: &&Found| Case::new(it.name(), it.off(), Expected::MORE);
    let above_alone = |it: &&Found| Case::new(it.name(), it.over_alone(found), above);
    [
        judge::every(&all.iter().map(below_equation).collect::<Vec<_>>(), PERCENT),
        judge::every(&all.iter().map(above_alone).collect::<Vec<_>>(), PERCENT),
    ]
}

fn claims(found: &[Found]) -> Vec<Claim> {
    let undisturbed =
        UNDISTURBED.map(|it| agrees(found, it, Levels::Drift).on(it.statement(), OFF));
    let shared = Levels::BOTH.into_iter().flat_map(|levels| shared(found, levels));
    undisturbed.into_iter().chain(shared).collect()
}

const OFF: &str = "By how much the equation says more than the simulation.";

/// What is said of programs that share their processors: of levels that stay by the source.
fn shared(found: &[Found], levels: Levels) -> Vec<Claim> {
    const TWICE: &str = "What it takes beyond twice its time alone, in per cent of that.";
    const ALONE: &str = "By how much the simulation exceeds the time alone.";
    let on = |judged: Judged, statement, told: &str, what: &str, is_one_of_two: bool| match levels {
        Levels::Drift => judged.on(&IF_LEVELS_DRIFT, told).variant(what),
        Levels::Stay if is_one_of_two => {
            judged.on(statement, told).variant(format!("{what}, {}", levels.name()))
        }
        Levels::Stay => judged.on(statement, told).variant(levels.name()),
    };
    let equations = [Equation::Equal, Equation::Double, Equation::AboveEp, Equation::AboveBarrier];
    let equations = equations.map(|it| {
        let name = format!("equation {}", it.number());
        on(agrees(found, it, levels), it.statement(), OFF, &name, false)
    });
    let [below, above] = is_between(found, levels);
    let times = [
        on(doubles(found, levels), &TIME_DOUBLES, TWICE, "twice the time alone", false),
        on(below, &BETWEEN_EQUATIONS, OFF, "below equation 5.5", true),
        on(above, &BETWEEN_EQUATIONS, ALONE, "above alone", true),
    ];
    equations.into_iter().chain(times).collect()
}

fn table(found: &[Found]) -> Table {
    let columns = [
        ("equation", "equation"),
        ("levels", "levels of programs that never wait"),
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
            Cell::text(it.levels.name()),
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
    use crate::Effort;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    /// Equations that say `factor` times what is simulated, which is `beside` times the time alone.
    fn made(factor: f64, beside: f64) -> Vec<Verdict> {
        let one = |(equation, levels)| {
            let times = if equation == Equation::Alone { 1.0 } else { beside };
            Found {
                equation,
                levels,
                version: 1,
                hosts: 4,
                computed: 40.0 * factor * times,
                simulated: [39.9, 40.0, 40.1, 40.0].map(|it| it * times).into(),
            }
        };
        let doubled = Levels::BOTH.map(|levels| (Equation::Double, levels));
        let found: Vec<Found> = simulated().chain(doubled).map(one).collect();
        claims(&found).iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        assert_eq!(made(1.05, 2.0), [Holds; 16]);
        assert_eq!(made(0.8, 0.9), [DoesNotHold; 16]);
    }

    #[test]
    fn alone_and_under_preemption_they_agree() {
        let machine = Machine::CALIBRATED;
        for equation in [Equation::Alone, Equation::Preemptive] {
            let computed = equation.computed(&machine, 2, 4);
            let simulated = equation.simulated(&machine, 2, 4, 1, 0);
            assert!((computed / simulated - 1.0).abs() < 0.03, "{computed} s, {simulated} s");
        }
    }

    /// The preemptive kernel where the other belongs.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let planted = Machine { kernel: |_| Os::Preemptive.kernel(), ..Machine::CALIBRATED };
        [Machine::CALIBRATED, planted].map(|machine| run(&lab, &machine).claims)
    }

    /// Nobody takes anything from the more urgent.
    #[test]
    fn under_preemption_times_are_not_between_the_equations() {
        let verdict = |claims: Vec<Claim>| {
            let is_it = |claim: &&Claim| claim.variant == "above alone, levels that stay";
            claims.iter().find(is_it).expect("it is judged").verdict
        };
        assert_eq!(planted().map(verdict), [Holds, DoesNotHold]);
    }
}
