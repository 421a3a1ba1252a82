//! Tables and plots of the runs, laid out like the source's figures.

use super::grid::{Grid, Measure};
use crate::report::{Axis, Block, Cell, Plot, Point, Series, Shape, Table};
use locox::reserve::Fit;

/// One of the source's figures.
pub(super) struct Figure {
    pub(super) number: &'static str,
    pub(super) measure: Measure,
    /// What is measured, with its unit.
    pub(super) label: &'static str,
}

/// The tables and plots of one source of jobs.
pub(super) fn blocks(grid: &Grid, source: &str, axis: &str, figures: &[Figure]) -> Vec<Block> {
    let drawn = figures.iter().flat_map(|figure| {
        [
            Block::Plot(plot(grid, source, axis, figure)),
            Block::Table(table(grid, source, axis, figure)),
        ]
    });
    drawn.collect()
}

fn title(source: &str, figure: &Figure) -> String {
    match figure.number {
        "" => format!("{} (not in the source), {source}", figure.label),
        number => format!("{} (figure {number}), {source}", figure.label),
    }
}

fn table(grid: &Grid, source: &str, axis: &str, figure: &Figure) -> Table {
    let mut columns = vec![("setting", axis), ("load", "load")];
    columns.extend(Fit::ALL.map(|fit| (fit.name(), fit.name())));
    let mut table = Table::new(title(source, figure), &columns);
    let all = Fit::ALL.map(|fit| grid.estimates(fit, figure.measure));
    for (at, &value) in grid.values.iter().enumerate() {
        let mut row = vec![Cell::text(value.to_string()), Cell::Estimate(grid.load[at], 2)];
        row.extend(all.iter().map(|estimates| Cell::Estimate(estimates[at], 2)));
        table.push(row);
    }
    table
}

fn plot(grid: &Grid, source: &str, axis: &str, figure: &Figure) -> Plot {
    let series = Fit::ALL.map(|fit| {
        let estimates = grid.estimates(fit, figure.measure);
        let points = grid.values.iter().zip(&estimates);
        let points = points.map(|(&x, y)| Point::estimated(x, y)).collect();
        Series { name: fit.name().into(), shape: Shape::Line, points }
    });
    Plot {
        title: format!("{}.", title(source, figure)),
        caption: "95 % confidence intervals; all policies had the same requests.".into(),
        x: Axis::linear(axis),
        y: Axis::close(figure.label),
        series: series.into(),
    }
}
