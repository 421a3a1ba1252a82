//! What hangs on a question that the source leaves open: how long a rectangle lasts that nothing
//! follows.

use super::agreement::Agreement;
use super::claims::{self, Published};
use super::grid::{ACCEPTANCE, DEFAULT, Grid, Measure, Plan, SLOWDOWN, Source};
use crate::Lab;
use crate::sources::li;
use locox::reserve::Fit;
use locox_models::reservations::Open;
use locox_report::report::{Block, Cell, Claim, Statement, Table, counted};

/// Each reading, its name, and how long rectangles last by it.
const READINGS: [(Open, &str, &str); 3] = [
    (Open::Endless, "endless", "to the end of time (the kernel)"),
    (Open::Infinite, "infinite", "infinite, so all equal"),
    (Open::LastRecord, "last record", "to the last record"),
];

/// What does not hang on it, or is not of one setting.
const WHATEVER_THE_READING: [&Statement; 4] =
    [&li::FIG2_FALLS, &li::FIG2_PE_DIFFER, &li::FIG3_RISES, &li::FIG3_FF_LOWEST];

/// Runs under a reading, on the model, at the default setting.
pub(super) struct Reading {
    name: &'static str,
    lasts: &'static str,
    grid: Grid,
}

/// All policies under each reading.
pub(super) fn measure(lab: &Lab, jobs: usize, replications: usize) -> [Reading; 3] {
    READINGS.map(|(open, name, lasts)| {
        let plan = Plan {
            values: &[DEFAULT.med],
            setting: |_| DEFAULT,
            resize: false,
            jobs,
            replications,
            open,
            in_place_of: |fit| fit,
        };
        Reading { name, lasts, grid: Grid::measure(lab, &Source::Model, &plan) }
    })
}

/// What hangs on the reading, judged under each that is not the kernel's: that is judged at all
/// settings, of which this is one. `of_figures` are the statements on figures 2 and 3.
pub(super) fn claims(readings: &[Reading; 3], of_figures: Vec<Published>) -> Vec<Claim> {
    let figures = of_figures.into_iter();
    let figures = figures.filter(|one| !WHATEVER_THE_READING.contains(&one.statement));
    let published: Vec<Published> =
        figures.chain([claims::pe_w_highest(&li::PE_W_HIGHEST)]).collect();
    let under = |one: &Published, reading: &Reading| {
        let variant = format!("{}, UMed 7, on the model", reading.name);
        one.claim(&reading.grid, &variant, "UMed")
    };
    let [_, others @ ..] = readings;
    published.iter().flat_map(|one| others.iter().map(move |it| under(one, it))).collect()
}

/// Figures of all policies under each reading.
pub(super) fn blocks(readings: &[Reading; 3], agreement: &Agreement) -> Vec<Block> {
    let measures: [(&str, Measure, usize); 2] =
        [("Acceptance rate (%)", ACCEPTANCE, 1), ("Mean slowdown", SLOWDOWN, 2)];
    let tables = measures
        .map(|(label, measure, digits)| Block::Table(table(readings, label, measure, digits)));
    [Block::Text(explanation(agreement))].into_iter().chain(tables).collect()
}

fn explanation(agreement: &Agreement) -> String {
    let Agreement { choices, most_and_shortest, fewest_and_longest } = agreement;
    format!(
        "Why are PE_W and Du_B alike, and PE_B and Du_W? A rectangle lasts as long as all of its \
         PEs stay free: the more there are, the sooner one is taken. So the one with the most PEs \
         is nearly always the shortest. Of {} requests with several candidates PE_W and Du_B would \
         have given {:.1} % the same start, PE_B and Du_W {:.1} % (model, default setting, FF \
         decides). The third pair hangs on what the source leaves open: how long a rectangle lasts \
         that nothing follows. In the kernel it lasts to the end of time, and of two such the one \
         with more PEs has the larger product, so PEDu_W follows PE_W. If the products of all such \
         rectangles are equal, as infinite ones are, PEDu_W takes the earliest of them: then \
         PEDu_B and PEDu_W accept nearly alike while their slowdowns differ, which is what the \
         source reports. But durations must not be equal as well: that takes most of its lead from \
         Du_B. So no single reading below shows all that the source saw; the products alone may \
         have reached the largest number that its simulator knew.",
        counted(*choices as u64),
        100.0 * most_and_shortest,
        100.0 * fewest_and_longest
    )
}

fn table(readings: &[Reading], label: &str, measure: Measure, digits: usize) -> Table {
    let mut columns = vec![("reading", "rectangles that nothing follows last")];
    columns.extend(Fit::ALL.map(|fit| (fit.name(), fit.name())));
    let mut table =
        Table::new(format!("{label} under three readings, model, default setting"), &columns);
    for Reading { lasts, grid, .. } in readings {
        let mut row = vec![Cell::text(*lasts)];
        row.extend(Fit::ALL.map(|fit| Cell::Estimate(grid.estimates(fit, measure)[0], digits)));
        table.push(row);
    }
    table
}
