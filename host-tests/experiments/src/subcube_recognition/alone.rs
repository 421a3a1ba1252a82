//! Each subcube in turn is all that is free: which strategy sees it?

use super::occupied::{Machine, Occupied, subcubes};
use crate::Lab;
use locox::cube::Dim;
use locox_models::machine::StrategyKind;
use locox_models::streams::stream;
use locox_report::report::{Axis, Cell, Plot, Series, Shape, Table};
use rand::seq::SliceRandom;

/// How many k-subcubes of an n-cube a strategy recognised.
pub(super) struct Count {
    pub(super) kind: StrategyKind,
    pub(super) n: u8,
    pub(super) k: u8,
    /// Nodes freed in rising order.
    pub(super) in_order: u64,
    /// Nodes freed in an order drawn for each subcube.
    pub(super) shuffled: u64,
}

/// Counts for all strategies, also the free list of the literature, all n of 1 to `largest` and all k;
/// `machine` is what is run under the name of a strategy.
pub(super) fn count(lab: &Lab, largest: u8, machine: Machine) -> Vec<Count> {
    let sizes = (1..=largest).flat_map(|n| (0..=n).map(move |k| (n, k)));
    let items: Vec<_> =
        sizes.flat_map(|(n, k)| StrategyKind::NAMED.map(|kind| (kind, n, k))).collect();
    lab.parallel(&items, |&(kind, n, k)| count_one(kind, machine, n, k, lab.seed))
}

fn count_one(kind: StrategyKind, machine: Machine, n: u8, k: u8, seed: u64) -> Count {
    let (dims, dim) = (dim(n), dim(k));
    let mut machine = Occupied::new(machine(kind), dims);
    let mut order = stream(seed, "order of release", 0);
    let mut count = Count { kind, n, k, in_order: 0, shuffled: 0 };
    for cube in subcubes(dims, dim) {
        let mut nodes: Vec<_> = cube.nodes().collect();
        count.in_order += u64::from(machine.recognises(&cube, &nodes));
        nodes.shuffle(&mut order);
        count.shuffled += u64::from(machine.recognises(&cube, &nodes));
    }
    count
}

pub(super) fn dim(plain: u8) -> Dim {
    Dim::new(plain).expect("experiments use small cubes")
}

/// What the source states for buddy, Gray code and complete recognition.
pub(super) fn formula(kind: StrategyKind, n: u8, k: u8) -> u64 {
    let [n, k] = [u32::from(n), u32::from(k)];
    match kind {
        StrategyKind::Buddy => 1 << (n - k),
        StrategyKind::GrayCode => 1 << (n - k + 1),
        StrategyKind::FreeList | StrategyKind::FreeListPlain | StrategyKind::Complete => {
            choose(n, k) << (n - k)
        }
    }
}

fn choose(n: u32, k: u32) -> u64 {
    (0..u64::from(k)).fold(1, |product, at| product * (u64::from(n) - at) / (at + 1))
}

/// The counts of one n, a row for each k.
pub(super) fn table(counts: &[Count], n: u8) -> Table {
    let title = format!("k-subcubes of the {n}-cube that are recognised when nothing else is free");
    let mut columns = vec![("k", "k"), ("all", "all")];
    columns.extend(StrategyKind::NAMED.iter().map(|kind| (kind.name(), kind.name())));
    let mut table = Table::new(title, &columns);
    for k in 0..=n {
        let of = |kind| {
            let found = counts.iter().find(|count| (count.kind, count.n, count.k) == (kind, n, k));
            found.map_or(Cell::Missing, |count| Cell::Count(count.in_order))
        };
        let all = formula(StrategyKind::Complete, n, k);
        let mut row = vec![Cell::Count(k.into()), Cell::Count(all)];
        row.extend(StrategyKind::NAMED.map(of));
        table.push(row);
    }
    table
}

/// The same as curves over k, and the source's formula for the Gray code, which fails at both ends.
pub(super) fn plot(counts: &[Count], n: u8) -> Plot {
    let measured = StrategyKind::NAMED.map(|kind| {
        let mine = counts.iter().filter(|count| count.kind == kind && count.n == n);
        let points = mine.map(|count| (f64::from(count.k), count.in_order as f64));
        Series::exact(kind.name(), Shape::Line, points)
    });
    let points = (0..=n).map(|k| (f64::from(k), formula(StrategyKind::GrayCode, n, k) as f64));
    let stated = Series::exact("2^(n-k+1)", Shape::Dashed, points);
    Plot {
        title: format!("Subcubes of the {n}-cube that a strategy recognises."),
        caption: "Each k-subcube in turn was all that was free.".into(),
        x: Axis::linear("dimension k of the subcube"),
        y: Axis::log("k-subcubes recognised"),
        series: measured.into_iter().chain([stated]).collect(),
    }
}
