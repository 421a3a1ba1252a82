//! Two jobs that start together, the first one the more urgent: what figures 6.13 to 6.26 have in
//! common.

use super::runs::{App, Layout, Machine, Os, Point, Run, points};
use crate::thresholds::NOW_EQUAL;
use crate::{Findings, Lab};
use locox_models::stats::Estimate;
use locox_models::timeshare::calibration::WORK;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Gallery, Judged, Plot, Point as Mark, Series, Shape, Table,
};

/// Two programs, and the figure that shows them.
pub(super) struct Pair {
    figure: &'static str,
    high: App,
    low: App,
    layout: Layout,
    /// The most hosts that the less urgent job gets.
    pub(super) most: usize,
}

pub(super) const fn pair(figure: &'static str, high: usize, low: App, layout: Layout) -> Pair {
    let most = match layout {
        Layout::Same | Layout::Different => 6,
        Layout::Partial | Layout::Subset => 5,
    };
    Pair { figure, high: App::Barrier(high), low, layout, most }
}

impl Pair {
    fn name(&self) -> String {
        let (high, low) = (self.high.name(), self.low.name());
        format!("figure {}, {high} above {low}", self.figure)
    }

    /// What came of it on so many hosts.
    pub(super) fn run(
        &'static self,
        lab: &Lab,
        machine: &Machine,
        hosts: &[usize],
        replications: u64,
    ) -> Found {
        let apps = [self.high, self.low];
        Found { pair: self, points: points(lab, machine, apps, self.layout, hosts, replications) }
    }
}

/// A pair, and what came of it.
pub(super) struct Found {
    pub(super) pair: &'static Pair,
    pub(super) points: Vec<Point>,
}

impl Found {
    pub(super) fn at(&self, os: Os, hosts: fn(usize) -> bool) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(move |point| point.os == os && hosts(point.hosts))
    }

    pub(super) fn case(&self, point: &Point, differences: Vec<f64>, expected: Expected) -> Case {
        let name = format!("{}, {} hosts, {}", self.pair.name(), point.hosts, point.os.name());
        Case::new(name, differences, expected)
    }
}

pub(super) const PERCENT: Unit = Unit("%", 2);

/// A case for each pair, kernel and number of hosts.
pub(super) fn cases(
    found: &[Found],
    kernels: &[Os],
    hosts: fn(usize) -> bool,
    figure: fn(&Run) -> f64,
    expected: Expected,
) -> Vec<Case> {
    let of_pair = |it: &Found| -> Vec<Case> {
        let points = kernels.iter().flat_map(|&os| it.at(os, hosts));
        points.map(|point| it.case(point, point.of(figure), expected)).collect()
    };
    found.iter().flat_map(of_pair).collect()
}

/// The verdict on all of these.
pub(super) fn every(
    found: &[Found],
    kernels: &[Os],
    hosts: fn(usize) -> bool,
    figure: fn(&Run) -> f64,
    expected: Expected,
) -> Judged {
    judge::every(&cases(found, kernels, hosts, figure, expected), PERCENT)
}

pub(super) const fn all(_: usize) -> bool {
    true
}

pub(super) const fn several(hosts: usize) -> bool {
    hosts > 1
}

/// More than so much.
pub(super) const fn above(margin: f64) -> Expected {
    Expected::Inside(margin, f64::INFINITY)
}

pub(super) const PAID: &str = "What the more urgent job pays, in per cent of its time alone.";
pub(super) const GAINED: &str =
    "What the less urgent job gains, in per cent of its turnaround time after the other.";

/// That the more urgent job takes as long as alone.
pub(super) fn as_alone(found: &[Found], os: Os, hosts: fn(usize) -> bool) -> Judged {
    every(found, &[os], hosts, Run::paid, Expected::alike(NOW_EQUAL))
}

/// That it pays.
pub(super) fn pays(found: &[Found], hosts: fn(usize) -> bool) -> Judged {
    every(found, &[Os::NonPreemptive], hosts, Run::paid, above(NOW_EQUAL))
}

/// Hosts on which a pair is run.
pub(super) fn hosts(lab: &Lab, most: usize) -> Vec<usize> {
    lab.either(vec![1, 2, most - 1, most], (1..=most).collect())
}

pub(super) fn replications(lab: &Lab) -> u64 {
    lab.either(3, 5)
}

/// Runs all pairs of an experiment.
pub(super) fn run(
    lab: &Lab,
    machine: &Machine,
    pairs: &'static [Pair],
    claims: fn(&[Found]) -> Vec<Claim>,
) -> Findings {
    let replications = replications(lab);
    let find = |machine: &Machine| -> Vec<Found> {
        let run =
            |pair: &'static Pair| pair.run(lab, machine, &hosts(lab, pair.most), replications);
        pairs.iter().map(run).collect()
    };
    let [found, staying] = [find(machine), find(&machine.with_levels_that_stay())];
    let mut results: Vec<Block> = found.iter().map(|it| Block::Gallery(gallery(it))).collect();
    results.push(Block::Table(table("Turnaround times", &found)));
    results.push(Block::Table(table("Turnaround times if levels stay", &staying)));
    Findings {
        parameters: vec![
            Fact::new(
                "programs and kernels",
                format!(
                    "fitted to the printed times of programs that run alone; {WORK} s of work on one host"
                ),
            ),
            Fact::new("levels, non-preemptive kernel", machine.levels_told()),
            levels_that_stay(machine),
            Fact::new("replications", replications),
        ],
        claims: [claims(&found), if_levels_stay(claims(&staying))].concat(),
        results,
    }
}

/// Claims of runs in which levels stay, as variants. What the preemptive kernel decides is judged elsewhere.
pub(super) fn if_levels_stay(claims: Vec<Claim>) -> Vec<Claim> {
    let can_fail = claims.into_iter().filter(|claim| claim.statement.status.can_fail());
    let named = |claim: Claim| match &claim.variant[..] {
        "" => claim.variant(LEVELS_STAY),
        variant => {
            let variant = format!("{variant}, {LEVELS_STAY}");
            claim.variant(variant)
        }
    };
    can_fail.map(named).collect()
}

/// What the variants are run with whose levels stay.
pub(super) fn levels_that_stay(machine: &Machine) -> Fact {
    Fact::new(format!("levels, {LEVELS_STAY}"), machine.with_levels_that_stay().levels_told())
}

/// The variant in which no process changes its level; only the non-preemptive kernel is run.
pub(super) const LEVELS_STAY: &str = "levels that stay";

/// The curves of a figure, a plot for each kernel.
pub(super) fn gallery(found: &Found) -> Gallery {
    let plot = |os: Os| {
        let curve = |name: &str, shape, figure: fn(&Run) -> f64| {
            let mark = |point: &Point| {
                Mark::estimated(point.hosts as f64, &Estimate::of(&point.of(figure)))
            };
            let points = found.at(os, all).map(mark).collect();
            Series { name: name.into(), shape, points }
        };
        let (high, low) = (found.pair.high.name(), found.pair.low.name());
        Plot {
            title: format!("{} kernel", os.name()),
            caption: String::new(),
            x: Axis::linear("hosts of the less urgent job"),
            y: Axis::linear("turnaround time (s)"),
            series: vec![
                curve(&format!("{high} alone"), Shape::Dashed, |run| run.high_alone),
                curve(&format!("{low} after {high}"), Shape::Dashed, |run| run.space_shared()),
                curve(&high, Shape::Line, |run| run.high),
                curve(&format!("{low}, less urgent"), Shape::Line, |run| run.low),
            ],
        }
    };
    Gallery {
        title: found.pair.name(),
        caption: "Dashed: shared in space, the less urgent job after the other.".into(),
        plots: Os::BOTH.map(plot).into(),
    }
}

pub(super) fn table(title: &str, found: &[Found]) -> Table {
    let columns = [
        ("pair", "pair"),
        ("kernel", "kernel"),
        ("hosts", "hosts"),
        ("high_s", "more urgent (s)"),
        ("paid_percent", "pays (%)"),
        ("low_s", "less urgent (s)"),
        ("gained_percent", "gains over space sharing (%)"),
    ];
    let mut table = Table::new(title, &columns);
    for it in found {
        for point in &it.points {
            let estimate = |figure: fn(&Run) -> f64, digits| {
                Cell::Estimate(Estimate::of(&point.of(figure)), digits)
            };
            table.push(vec![
                Cell::text(it.pair.name()),
                Cell::text(point.os.name()),
                Cell::Count(point.hosts as u64),
                estimate(|run| run.high, 1),
                estimate(|run| run.paid(), 2),
                estimate(|run| run.low, 1),
                estimate(|run| run.gained(), 1),
            ]);
        }
    }
    table
}
