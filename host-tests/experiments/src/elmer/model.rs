//! The equations of section 5.3 against the simulation.

use super::SOURCE;
use super::pairs::levels_that_stay;
use super::runs::{App, LEVELS, Layout, Machine, Os};
use crate::difference::{minus, percent_above};
use crate::sources::turner_elmer::{
    BETWEEN_EQUATIONS, EQUATION_ABOVE_BARRIER, EQUATION_ABOVE_EP, EQUATION_ALONE, EQUATION_DOUBLE,
    EQUATION_EQUAL, EQUATION_PREEMPTIVE, IF_LEVELS_DRIFT, ONLY_BY_DELAY,
};
use crate::thresholds::{NOW_EQUAL, NOW_NEAR, NOW_PRIMARILY};
use crate::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_models::timeshare::calibration::{QUANTUM, WORK};
use locox_models::timeshare::equations::Barrier;
use locox_models::timeshare::{Outcome, Program};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "now-model",
    title: "Shared processors: equations and simulation",
    source: SOURCE,
    about: "The source computes how long a barrier program takes alone, beside EP, and above another \
            barrier program. Here each equation stands beside the simulation of what it is about, on \
            two to six hosts, with computation, delay and quantum of the simulation put in. On the host of \
            the barrier the source takes the message delay for about 0 (pp. 88 and 90): there the \
            computation e of equations 5.3 and 5.5 is the whole phase alone, work on messages included. The \
            extra delay d of equations 5.2 and 5.4 is anything from 0 to a quantum (p. 88), and what suits \
            the simulation best is taken. The equations know EP as always there: it has work enough here to \
            outlast the program, and the EP of the printed times stands beside it. Equations 5.2 and 5.3 share \
            a processor out evenly while both compute; under multilevel feedback EP, which never waits, sinks \
            below a program that waits every few milliseconds. So what the equations say is judged where \
            levels stay, and of levels that drift it is asked as well. Equation 5.4 adds one delay for each \
            phase; in the simulation the process of the barrier may be delayed with each message, and any \
            other process once a phase.",
    statements: &[
        &EQUATION_ALONE,
        &EQUATION_PREEMPTIVE,
        &EQUATION_EQUAL,
        &EQUATION_DOUBLE,
        &EQUATION_ABOVE_EP,
        &ONLY_BY_DELAY,
        &EQUATION_ABOVE_BARRIER,
        &BETWEEN_EQUATIONS,
        &IF_LEVELS_DRIFT,
    ],
    run: |lab| Ok(run(lab, &Machine::CALIBRATED)),
    #[cfg(test)]
    planted: tests::planted,
};

/// Which EP is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ep {
    /// One that outlasts the barrier program, as the equations have it.
    Lasting,
    /// That of the printed times.
    Printed,
}

impl Ep {
    const BOTH: [Self; 2] = [Self::Lasting, Self::Printed];

    fn name(self) -> String {
        match self {
            Self::Lasting => "EP that lasts".into(),
            Self::Printed => format!("EP of {WORK} s"),
        }
    }
}

/// Work of an EP that lasts, in what all hosts do while the barrier program takes its time alone.
const LASTING: f64 = 3.0;

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum World {
    Alone,
    /// Above EP on the preemptive kernel.
    Preemptive,
    /// Beside EP at one level.
    Beside(Ep),
    AboveEp(Ep),
    /// Above version 3, barriers on one host.
    AboveBarrier,
    /// The same, barriers on different hosts.
    Apart,
}

/// What is simulated under these levels: the EP of the printed times only where the source is judged.
fn simulated(levels: Levels) -> Vec<World> {
    let eps = match levels {
        Levels::Stay => &Ep::BOTH[..],
        Levels::Drift => &Ep::BOTH[..1],
    };
    let with_ep = eps.iter().flat_map(|&ep| [World::Beside(ep), World::AboveEp(ep)]);
    with_ep.chain([World::AboveBarrier, World::Apart]).collect()
}

impl World {
    fn name(self) -> String {
        match self {
            Self::Alone => "alone".into(),
            Self::Preemptive => "above EP on the preemptive kernel".into(),
            Self::Beside(ep) => format!("beside {} at one level", ep.name()),
            Self::AboveEp(ep) => format!("above {}", ep.name()),
            Self::AboveBarrier => "above a barrier on one host".into(),
            Self::Apart => "above a barrier on another host".into(),
        }
    }

    const fn os(self) -> Os {
        match self {
            Self::Preemptive => Os::Preemptive,
            _ => Os::NonPreemptive,
        }
    }

    fn run(self, machine: &Machine, version: usize, hosts: usize, seed: u64, run: u64) -> Outcome {
        let (other, layout) = match self {
            Self::AboveBarrier => (App::Barrier(3), Layout::Same),
            Self::Apart => (App::Barrier(3), Layout::Different),
            _ => (App::Ep, Layout::Same),
        };
        let machine = match self {
            Self::Beside(Ep::Lasting) | Self::AboveEp(Ep::Lasting) => {
                let alone = by_share(machine, self.os(), version, hosts).alone();
                Machine { ep_work: LASTING * alone * hosts as f64, ..*machine }
            }
            _ => *machine,
        };
        let levels = if matches!(self, Self::Beside(_)) { [0, 0] } else { LEVELS };
        let [first, second] = layout.hosts(hosts);
        let jobs = [(App::Barrier(version), first, 0), (other, second, 1)];
        let jobs = if self == Self::Alone { &jobs[..1] } else { &jobs };
        machine.run(self.os(), jobs, &levels, seed, run)
    }
}

/// A barrier program whose processes share its work, and wait for messages otherwise.
fn by_share(machine: &Machine, os: Os, version: usize, hosts: usize) -> Barrier {
    let program = machine.program(App::Barrier(version), os);
    let Program::Barrier { work, phases, .. } = program else { unreachable!("it is one") };
    Barrier {
        start: machine.setup,
        phases: phases.into(),
        compute: work / hosts as f64 / 1e6,
        delay: (machine.network)(&machine.kernel(os)).delay(hosts) / 1e6,
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
            Self::Stay => machine.with_levels_that_stay(),
        }
    }
}

/// An equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Equation {
    /// 5.1
    Alone,
    /// 5.2
    Beside,
    /// 5.3
    Doubled,
    /// 5.4
    AboveEp,
    /// 5.5, with this as the computation of a phase.
    AboveBarrier(Computation),
}

/// What e of equation 5.5 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Computation {
    /// That of the host of the barrier: the phase alone, in which it hardly waits.
    OfBarrier,
    /// What each process computes before it sends.
    Share,
}

impl World {
    /// What the source says of it.
    const fn equations(self) -> &'static [Equation] {
        use Computation::{OfBarrier, Share};
        match self {
            Self::Alone | Self::Preemptive => &[Equation::Alone],
            Self::Beside(_) => &[Equation::Beside, Equation::Doubled],
            Self::AboveEp(_) => &[Equation::AboveEp],
            Self::AboveBarrier => {
                &[Equation::AboveBarrier(OfBarrier), Equation::AboveBarrier(Share)]
            }
            Self::Apart => &[Equation::AboveBarrier(OfBarrier)],
        }
    }
}

impl Equation {
    const fn number(self) -> &'static str {
        match self {
            Self::Alone => "5.1",
            Self::Beside => "5.2",
            Self::Doubled => "5.3",
            Self::AboveEp => "5.4",
            Self::AboveBarrier(Computation::OfBarrier) => "5.5, e of the barrier's host",
            Self::AboveBarrier(Computation::Share) => "5.5, e of a process",
        }
    }

    /// Seconds by hand, at least and at most: d is anything from 0 to a quantum in 5.2 and 5.4.
    fn computed(self, share: &Barrier, alone: f64, hosts: usize) -> (f64, f64) {
        let quantum = QUANTUM as f64 / 1e6;
        let compute = (alone - share.start) / share.phases;
        let of_barrier = Barrier { compute, delay: 0.0, ..*share };
        let one = |seconds| (seconds, seconds);
        let above_barrier = |barrier: &Barrier| one(barrier.above_barrier(hosts as f64, quantum));
        match self {
            Self::Alone => one(share.alone()),
            Self::Beside => (share.beside_equal(0.0), share.beside_equal(quantum)),
            Self::Doubled => one(of_barrier.doubled()),
            Self::AboveEp => (share.above(0.0), share.above(quantum)),
            Self::AboveBarrier(Computation::OfBarrier) => above_barrier(&of_barrier),
            Self::AboveBarrier(Computation::Share) => above_barrier(share),
        }
    }
}

/// A version on so many hosts, replication by replication.
#[derive(Clone)]
struct Found {
    world: World,
    levels: Levels,
    version: usize,
    hosts: usize,
    share: Barrier,
    /// Seconds alone, on the non-preemptive kernel.
    alone: Vec<f64>,
    simulated: Vec<f64>,
}

impl Found {
    fn name(&self) -> String {
        format!("v{} on {} hosts", self.version, self.hosts)
    }

    /// How much more the equation says, in per cent; 0 if what the source leaves open makes it so.
    fn off(&self, equation: Equation) -> Vec<f64> {
        let off = |(&alone, &simulated): (&f64, &f64)| {
            let (least, most) = equation.computed(&self.share, alone, self.hosts);
            100.0 * (simulated.clamp(least, most) / simulated - 1.0)
        };
        self.alone.iter().zip(&self.simulated).map(off).collect()
    }

    /// What it takes beyond its time alone, in per cent of that.
    fn over_alone(&self) -> Vec<f64> {
        percent_above(&self.alone, &self.simulated)
    }

    /// The same in per cent of so many quanta for each phase.
    fn over_delays(&self, quanta: f64) -> Vec<f64> {
        let delays = self.share.phases * quanta * QUANTUM as f64 / 1e6;
        minus(&self.simulated, &self.alone).into_iter().map(|by| 100.0 * by / delays).collect()
    }
}

fn run(lab: &Lab, machine: &Machine) -> Findings {
    let replications = lab.either(3, 5);
    let hosts: &[usize] = lab.either(&[2, 6], &[2, 3, 4, 5, 6]);
    let of_each = |world: World, levels| {
        let versions = [1, 2, 3].into_iter();
        versions.flat_map(move |version| hosts.iter().map(move |&at| (world, levels, version, at)))
    };
    let simulate = |settings: Vec<(World, Levels, usize, usize)>| {
        lab.parallel(&settings, |&(world, levels, version, hosts)| {
            let machine = levels.on(machine);
            let one = |run| world.run(&machine, version, hosts, lab.seed, run).ends[0];
            let simulated: Vec<f64> = (0..replications).map(one).collect();
            let share = by_share(&machine, world.os(), version, hosts);
            Found { world, levels, version, hosts, share, alone: simulated.clone(), simulated }
        })
    };
    let mut found = simulate(of_each(World::Alone, Levels::Stay).collect());
    let shared = Levels::BOTH.into_iter().flat_map(|levels| {
        simulated(levels).into_iter().flat_map(move |world| of_each(world, levels))
    });
    let others = simulate(of_each(World::Preemptive, Levels::Stay).chain(shared).collect());
    let with_alone = |it: Found| {
        let alone = found.iter().find(|one| (one.version, one.hosts) == (it.version, it.hosts));
        Found { alone: alone.map_or(vec![], |one| one.simulated.clone()), ..it }
    };
    let others: Vec<Found> = others.into_iter().map(with_alone).collect();
    found.extend(others);
    Findings {
        parameters: vec![
            Fact::new("constants that nobody printed", machine.told()),
            Fact::new("levels that drift", machine.levels_told()),
            levels_that_stay(machine),
            Fact::new("EP that lasts", "3 times the work that all hosts do in the time alone"),
            Fact::new("quantum", "1/1024 s"),
            Fact::new("replications", replications),
        ],
        claims: claims(&found),
        results: vec![Block::Table(table(&found))],
    }
}

const PERCENT: Unit = Unit("%", 2);

fn of(found: &[Found], world: World, levels: Levels) -> impl Iterator<Item = &Found> {
    found.iter().filter(move |it| (it.world, it.levels) == (world, levels))
}

/// A case for each version and number of hosts.
fn every(
    found: &[Found],
    (world, levels): (World, Levels),
    figure: impl Fn(&Found) -> Vec<f64>,
    expected: Expected,
) -> Judged {
    let case = |it: &Found| Case::new(it.name(), figure(it), expected);
    judge::every(&of(found, world, levels).map(case).collect::<Vec<_>>(), PERCENT)
}

/// That the equation gives the time that is simulated.
fn agrees(found: &[Found], of: (World, Levels), equation: Equation) -> Judged {
    every(found, of, |it| it.off(equation), Expected::alike(NOW_NEAR))
}

const OFF: &str = "By how much the equation says more than the simulation.";
const OFF_BY_DELAY: &str = "By how much the equation says more than the simulation, with the d from 0 to a quantum \
                            that suits it best.";
const ALONE: &str = "By how much the simulation exceeds the time alone.";
const DELAYS: &str =
    "What it takes beyond its time alone, in per cent of a quantum for each phase.";

const DELAYS_OF_MESSAGES: &str = "What it takes beyond its time alone, in per cent of a quantum for each message to \
                                  the barrier.";

const ABOVE_ALONE: Expected = Expected::Inside(NOW_EQUAL, f64::INFINITY);
const PRIMARILY_DELAY: Expected = Expected::Inside(f64::NEG_INFINITY, NOW_PRIMARILY);

fn claims(found: &[Found]) -> Vec<Claim> {
    let undisturbed = [(World::Alone, &EQUATION_ALONE), (World::Preemptive, &EQUATION_PREEMPTIVE)];
    let undisturbed = undisturbed.map(|(world, statement)| {
        agrees(found, (world, Levels::Stay), Equation::Alone).on(statement, OFF)
    });
    undisturbed.into_iter().chain(of_the_source(found)).chain(if_levels_drift(found)).collect()
}

/// What the source says of programs that share their processors and keep their levels.
fn of_the_source(found: &[Found]) -> Vec<Claim> {
    use Computation::{OfBarrier, Share};
    let on = |world| (world, Levels::Stay);
    let with_ep = |ep: Ep| {
        let (beside, above) = (on(World::Beside(ep)), on(World::AboveEp(ep)));
        let claims = [
            agrees(found, beside, Equation::Beside).on(&EQUATION_EQUAL, OFF_BY_DELAY),
            agrees(found, beside, Equation::Doubled).on(&EQUATION_DOUBLE, OFF),
            agrees(found, above, Equation::AboveEp).on(&EQUATION_ABOVE_EP, OFF_BY_DELAY),
        ];
        claims.map(|claim| claim.variant(ep.name())).into_iter().chain(by_delay(found, ep))
    };
    let by_computation = [(OfBarrier, "e of the barrier's host"), (Share, "e of a process")];
    let above_barrier = by_computation.map(|(computation, name)| {
        agrees(found, on(World::AboveBarrier), Equation::AboveBarrier(computation))
            .on(&EQUATION_ABOVE_BARRIER, OFF)
            .variant(name)
    });
    let [below, above] = between(found, Levels::Stay);
    let between = [
        below.on(&BETWEEN_EQUATIONS, OFF).variant("below equation 5.5, levels that stay"),
        above.on(&BETWEEN_EQUATIONS, ALONE).variant("above alone, levels that stay"),
    ];
    Ep::BOTH.into_iter().flat_map(with_ep).chain(above_barrier).chain(between).collect()
}

/// That most of what a program pays above EP is the delay d, once a phase or with each message to the
/// barrier.
fn by_delay(found: &[Found], ep: Ep) -> [Claim; 2] {
    let above = (World::AboveEp(ep), Levels::Stay);
    let once = every(found, above, |it| it.over_delays(1.0), PRIMARILY_DELAY);
    let messages = |it: &Found| it.over_delays(it.hosts as f64 - 1.0);
    let each = every(found, above, messages, PRIMARILY_DELAY);
    [
        once.on(&ONLY_BY_DELAY, DELAYS).variant(format!("d once a phase, {}", ep.name())),
        each.on(&ONLY_BY_DELAY, DELAYS_OF_MESSAGES)
            .variant(format!("d with each message, {}", ep.name())),
    ]
}

/// That with barriers on different hosts it takes less than equation 5.5 says, and more than alone.
fn between(found: &[Found], levels: Levels) -> [Judged; 2] {
    let equation = Equation::AboveBarrier(Computation::OfBarrier);
    let apart = (World::Apart, levels);
    [
        every(found, apart, |it| it.off(equation), Expected::MORE),
        every(found, apart, Found::over_alone, ABOVE_ALONE),
    ]
}

/// The same of levels that drift.
fn if_levels_drift(found: &[Found]) -> Vec<Claim> {
    let on = |world| (world, Levels::Drift);
    let (beside, above) = (on(World::Beside(Ep::Lasting)), on(World::AboveEp(Ep::Lasting)));
    let [below_barrier, above_alone] = between(found, Levels::Drift);
    let of_barrier = Equation::AboveBarrier(Computation::OfBarrier);
    let judged = [
        (
            agrees(found, beside, Equation::Beside),
            OFF_BY_DELAY,
            "equation 5.2, beside EP at one level",
        ),
        (agrees(found, beside, Equation::Doubled), OFF, "equation 5.3, beside EP at one level"),
        (agrees(found, above, Equation::AboveEp), OFF_BY_DELAY, "equation 5.4, above EP"),
        (
            agrees(found, on(World::AboveBarrier), of_barrier),
            OFF,
            "equation 5.5, above a barrier on one host",
        ),
        (below_barrier, OFF, "below equation 5.5"),
        (above_alone, ALONE, "above alone"),
    ];
    judged.map(|(judged, told, what)| judged.on(&IF_LEVELS_DRIFT, told).variant(what)).into()
}

fn table(found: &[Found]) -> Table {
    let columns = [
        ("simulated", "simulated"),
        ("levels", "levels of programs that never wait"),
        ("version", "version"),
        ("hosts", "hosts"),
        ("simulated_s", "simulation (s)"),
        ("over_alone_percent", "more than alone (%)"),
        ("equation", "equation"),
        ("computed_least_s", "equation, at least (s)"),
        ("computed_most_s", "at most (s)"),
        ("off_percent", "equation says more (%)"),
    ];
    let mut table = Table::new("Equations of section 5.3 and the simulation", &columns);
    for it in found {
        let alone = Estimate::of(&it.alone).mean;
        for equation in it.world.equations() {
            let (least, most) = equation.computed(&it.share, alone, it.hosts);
            table.push(vec![
                Cell::text(it.world.name()),
                Cell::text(it.levels.name()),
                Cell::text(format!("v{}", it.version)),
                Cell::Count(it.hosts as u64),
                Cell::Estimate(Estimate::of(&it.simulated), 1),
                Cell::Estimate(Estimate::of(&it.over_alone()), 1),
                Cell::text(equation.number()),
                Cell::Number(least, 1),
                Cell::Number(most, 1),
                Cell::Estimate(Estimate::of(&it.off(*equation)), 1),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    /// Programs that take so many times as long as alone.
    fn made(times: impl Fn(World) -> f64) -> Vec<Verdict> {
        let share = by_share(&Machine::CALIBRATED, Os::NonPreemptive, 1, 4);
        let one = |world, levels| {
            let seconds =
                |times: f64| [0.999, 1.0, 1.001, 1.0].map(|it| it * times * share.alone());
            let (alone, simulated) = (seconds(1.0).into(), seconds(times(world)).into());
            Found { world, levels, version: 1, hosts: 4, share, alone, simulated }
        };
        let undisturbed = [World::Alone, World::Preemptive].map(|world| one(world, Levels::Stay));
        let shared = Levels::BOTH
            .into_iter()
            .flat_map(|levels| simulated(levels).into_iter().map(move |world| (world, levels)));
        let found: Vec<Found> = undisturbed
            .into_iter()
            .chain(shared.map(|(world, levels)| one(world, levels)))
            .collect();
        claims(&found).iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        let sound = made(|world| match world {
            World::Beside(_) => 1.9,
            World::Alone | World::Preemptive => 1.0,
            _ => 1.01,
        });
        // By the two readings of e equation 5.5 says different times.
        let differs = sound.iter().filter(|&&verdict| verdict != Holds).count();
        assert_eq!((differs, sound.len()), (1, 22), "{sound:?}");
        // Less than alone is less than any delay, and than what equation 5.5 says.
        let below = [5, 6, 10, 11, 14, 20];
        for (at, verdict) in made(|_| 0.8).into_iter().enumerate() {
            let expected = if below.contains(&at) { Holds } else { DoesNotHold };
            assert_eq!(verdict, expected, "claim {at}");
        }
        let longer = made(|_| 1.5);
        assert!(below.iter().all(|&at| longer[at] == DoesNotHold), "{longer:?}");
    }

    #[test]
    fn alone_and_under_preemption_they_agree() {
        let machine = Machine::CALIBRATED;
        for world in [World::Alone, World::Preemptive] {
            let computed = by_share(&machine, world.os(), 2, 4).alone();
            let simulated = world.run(&machine, 2, 4, 1, 0).ends[0];
            assert!((computed / simulated - 1.0).abs() < 0.03, "{computed} s, {simulated} s");
        }
    }

    /// The EP that the equations know is there until the barrier program ends.
    #[test]
    fn an_ep_that_lasts_outlasts_the_program_and_the_printed_one_does_not() {
        let machine = Levels::Stay.on(&Machine::CALIBRATED);
        for (world, hosts, lasts) in [
            (World::Beside(Ep::Lasting), 2, true),
            (World::Beside(Ep::Lasting), 6, true),
            (World::AboveEp(Ep::Lasting), 6, true),
            (World::Beside(Ep::Printed), 6, false),
        ] {
            let [program, ep] = world.run(&machine, 3, hosts, 1, 0).ends[..] else { panic!("two") };
            assert_eq!(ep > program, lasts, "{world:?}: {program} s, {ep} s");
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
