//! What hangs on a question that the source leaves open: how long a rectangle lasts that nothing
//! follows.

use super::grid::{DEFAULT, Grid, Measure, Plan, Source};
use crate::experiments::Lab;
use crate::report::{Block, Cell, Table};
use locox::reserve::Fit;
use locox_models::reservations::Open;

/// Each reading, and what to call it.
const READINGS: [(Open, &str); 3] = [
    (Open::Endless, "to the end of time (the kernel)"),
    (Open::Infinite, "infinite, so all equal"),
    (Open::LastRecord, "to the last record"),
];

/// Figures of all policies under each reading, on the model, at the default setting.
pub(super) fn blocks(lab: &Lab, jobs: usize, replications: usize) -> Vec<Block> {
    let grids = READINGS.map(|(open, name)| {
        let plan = Plan {
            values: &[DEFAULT.med],
            setting: |_| DEFAULT,
            resize: false,
            jobs,
            replications,
            open,
        };
        (name, Grid::measure(lab, &Source::Model, &plan))
    });
    let measures: [(&str, Measure); 2] = [
        ("acceptance rate (%)", |measures| measures.acceptance),
        ("mean slowdown", |measures| measures.slowdown),
    ];
    let tables = measures.map(|(label, measure)| Block::Table(table(&grids, label, measure)));
    [Block::Text(EXPLANATION.into())].into_iter().chain(tables).collect()
}

const EXPLANATION: &str = "Why are PE_W and Du_B alike, and PE_B and Du_W? Most candidates can \
    hold their PEs for good: nothing is reserved behind them. Of rectangles that last to the end \
    of time the shortest is the one that begins last, and that is the one with the most PEs. If \
    they all count as equally long, Du_B loses most of its lead. The source does not say how it \
    counts them. Its third pair shows under that reading only, and with both of its marks: \
    PEDu_B and PEDu_W accept alike, yet their slowdowns differ. In the kernel the number of PEs \
    decides between two products of much the same duration, so PEDu_W follows PE_W. A simulator \
    whose product reaches the largest number that it knows, so that all such rectangles are \
    equal, but whose durations do not, would show all three pairs.";

fn table(grids: &[(&str, Grid)], label: &str, measure: Measure) -> Table {
    let mut columns = vec![("reading", "rectangles that nothing follows last")];
    columns.extend(Fit::ALL.map(|fit| (fit.name(), fit.name())));
    let mut table =
        Table::new(format!("{label} under three readings, model, default setting"), &columns);
    for (name, grid) in grids {
        let mut row = vec![Cell::text(*name)];
        row.extend(Fit::ALL.map(|fit| Cell::Estimate(grid.estimates(fit, measure)[0], 2)));
        table.push(row);
    }
    table
}
