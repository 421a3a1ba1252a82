//! Tables and plots of the runs, laid out like the source's figures.

use super::grid::{Grid, Measure};
use locox::reserve::Fit;
use locox_report::report::{Axis, Block, Cell, Plot, Point, Series, Shape, Table};

/// One of the source's figures.
pub(super) struct Figure {
    /// `None` for what the source does not show; that is not drawn here either.
    pub(super) number: Option<&'static str>,
    pub(super) measure: Measure,
    /// What is measured, with its unit.
    pub(super) label: &'static str,
    /// Digits after the point.
    pub(super) digits: usize,
}

/// The tables and plots of one source of jobs.
pub(super) fn blocks(grid: &Grid, source: &str, axis: &str, figures: &[Figure]) -> Vec<Block> {
    let drawn = figures.iter().flat_map(|figure| {
        let plot = figure.number.map(|_| Block::Plot(plot(grid, source, axis, figure)));
        plot.into_iter().chain([Block::Table(table(grid, source, axis, figure))])
    });
    drawn.collect()
}

fn title(source: &str, figure: &Figure) -> String {
    let number =
        figure.number.map_or("not in the source".into(), |number| format!("figure {number}"));
    format!("{} ({number}), {source}", figure.label)
}

fn table(grid: &Grid, source: &str, axis: &str, figure: &Figure) -> Table {
    let mut columns = vec![("setting", axis), ("load", "load")];
    columns.extend(Fit::ALL.map(|fit| (fit.name(), fit.name())));
    let mut table = Table::new(title(source, figure), &columns);
    let all = Fit::ALL.map(|fit| grid.estimates(fit, figure.measure));
    for (at, &value) in grid.values.iter().enumerate() {
        let mut row = vec![Cell::text(value.to_string()), Cell::Number(grid.load[at], 2)];
        row.extend(all.iter().map(|estimates| Cell::Estimate(estimates[at], figure.digits)));
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
