//! Random sets of free nodes: how much of what fits does a strategy see?

use super::alone::dim;
use super::occupied::{Machine, Occupied, subcubes};
use crate::Lab;
use locox::cube::Node;
use locox_models::machine::StrategyKind;
use locox_models::stats::Estimate;
use locox_models::streams::stream;
use locox_report::report::{Axis, Cell, Plot, Point, Series, Shape, Table};
use rand::RngExt;
use rand::seq::SliceRandom;

/// Maps of free nodes that a replication draws for each share.
pub(super) const MAPS: usize = 20;

/// Shares of the nodes that are free, on average.
pub(super) const SHARES: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

const KINDS: usize = StrategyKind::NAMED.len();

/// What came of the requests that fitted somewhere, at one share of free nodes.
pub(super) struct Rate {
    pub(super) kind: StrategyKind,
    pub(super) share: f64,
    /// Requests that the strategy would have granted, in per cent of these.
    pub(super) granted: Estimate,
    /// The same by replication.
    pub(super) values: Vec<f64>,
    /// Whether it would have granted all of them, in each replication.
    pub(super) complete: bool,
}

/// Rates of all strategies at all shares, on an n-cube; `machine` is what is run under the name of a
/// strategy.
pub(super) fn measure(lab: &Lab, n: u8, replications: u64, machine: Machine) -> Vec<Rate> {
    let items: Vec<u64> = (0..replications).collect();
    let runs = lab.parallel(&items, |&replication| replicate(n, lab.seed, replication, machine));
    let mut rates = Vec::new();
    for (at, share) in SHARES.into_iter().enumerate() {
        for (column, kind) in StrategyKind::NAMED.into_iter().enumerate() {
            let values: Vec<f64> = runs.iter().map(|run| run[at][column]).collect();
            let complete = values.iter().all(|&granted| granted == 100.0);
            rates.push(Rate { kind, share, granted: Estimate::of(&values), values, complete });
        }
    }
    rates
}

/// For each share, the fitting requests that each strategy grants, in per cent.
fn replicate(n: u8, seed: u64, replication: u64, machine: Machine) -> Vec<[f64; KINDS]> {
    let mut random = stream(seed, "free maps", replication);
    let mut machines = StrategyKind::NAMED.map(|kind| Occupied::new(machine(kind), dim(n)));
    let rate = |share| {
        let (mut fitting, mut granted) = (0, [0; KINDS]);
        for _ in 0..MAPS {
            let mut free: Vec<Node> =
                (0..dim(n).nodes()).map(Node).filter(|_| random.random_bool(share)).collect();
            let sizes = fitting_sizes(n, &free);
            free.shuffle(&mut random);
            fitting += sizes.len();
            for (machine, granted) in machines.iter_mut().zip(&mut granted) {
                machine.free(free.iter().copied());
                *granted += sizes.iter().filter(|&&k| machine.grants(dim(k))).count();
                machine.refill();
            }
        }
        // Without a single request that fits nothing was missed.
        granted.map(
            |granted| if fitting == 0 { 100.0 } else { 100.0 * granted as f64 / fitting as f64 },
        )
    };
    SHARES.into_iter().map(rate).collect()
}

/// The dimensions k, from 1 on, of which there is a subcube of free nodes, by looking at all.
fn fitting_sizes(n: u8, free: &[Node]) -> Vec<u8> {
    let mut map = vec![false; dim(n).nodes() as usize];
    free.iter().for_each(|node| map[node.0 as usize] = true);
    let fits = |&k: &u8| {
        subcubes(dim(n), dim(k)).any(|cube| cube.nodes().all(|node| map[node.0 as usize]))
    };
    (1..=n).take_while(fits).collect()
}

pub(super) fn table(rates: &[Rate], n: u8) -> Table {
    let mut columns = vec![("free", "nodes free")];
    columns.extend(StrategyKind::NAMED.iter().map(|kind| (kind.name(), kind.name())));
    let title =
        format!("Requests granted, in % of those that fit, random nodes of the {n}-cube free");
    let mut table = Table::new(title, &columns);
    for row in rates.chunks(StrategyKind::NAMED.len()) {
        let mut cells = vec![Cell::Share(row[0].share)];
        cells.extend(row.iter().map(|rate| Cell::Estimate(rate.granted, 1)));
        table.push(cells);
    }
    table
}

pub(super) fn plot(rates: &[Rate], n: u8) -> Plot {
    let series = StrategyKind::NAMED.map(|kind| {
        let mine = rates.iter().filter(|rate| rate.kind == kind);
        let points = mine.map(|rate| Point::estimated(rate.share * 100.0, &rate.granted));
        Series { name: kind.name().into(), shape: Shape::Line, points: points.collect() }
    });
    Plot {
        title: format!("What a strategy sees when random nodes of the {n}-cube are free."),
        caption: "Requests of every dimension from 1 on for which there is room; 95 % confidence \
                  intervals."
            .into(),
        x: Axis::linear("nodes free (%)"),
        y: Axis::linear("fitting requests granted (%)"),
        series: series.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_sizes_are_those_of_the_largest_free_subcube_and_below() {
        let nodes = |free: &[u32]| free.iter().copied().map(Node).collect::<Vec<_>>();
        assert!(fitting_sizes(3, &nodes(&[])).is_empty());
        assert!(fitting_sizes(3, &nodes(&[0, 3, 5])).is_empty());
        assert_eq!(fitting_sizes(3, &nodes(&[1, 3, 5, 7, 0])), [1, 2]);
        assert_eq!(fitting_sizes(3, &nodes(&[0, 1, 2, 3, 4, 5, 6, 7])), [1, 2, 3]);
    }
}
