//! A comparison as data: a row for each method under each load, in each metric. `docs/compare.md`
//! has the schema.

use super::effect::{Answer, Effect};
use super::{Metric, Setting};
use locox_models::stats::Estimate;
use serde::Serialize;
use std::io::{self, Write};

/// The version of the schema; another one where a column changes its meaning or goes.
pub const ROW_SCHEMA: &str = "locox-compare/1";

/// One figure of one method.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub schema: &'static str,
    pub source: String,
    pub machine: String,
    /// Offered, as a share of the machine; none: as the jobs come.
    pub load: Option<f64>,
    pub method: String,
    pub metric: &'static str,
    pub unit: &'static str,
    pub more_is_better: bool,
    pub value: f64,
    pub value_half_width: Option<f64>,
    pub baseline: String,
    pub difference: f64,
    pub difference_half_width: Option<f64>,
    pub answer: Answer,
    /// What the interval rests on.
    pub interval: &'static str,
    /// How many of them.
    pub draws: usize,
}

/// All rows of a comparison.
pub fn rows(settings: &[Setting], metrics: &[Metric]) -> Vec<Row> {
    let mut rows = Vec::new();
    for setting in settings {
        for &metric in metrics {
            rows.extend(setting.found.iter().map(|found| {
                let baseline = setting.baseline();
                let effect = Effect::of(metric, found, baseline);
                let Effect { value, difference, answer } = effect;
                Row {
                    schema: ROW_SCHEMA,
                    source: setting.source.name.clone(),
                    machine: setting.source.machine.to_string(),
                    load: setting.load,
                    method: found.method.to_string(),
                    metric: metric.name(),
                    unit: metric.unit(),
                    more_is_better: metric.more_is_better(),
                    value: value.mean,
                    value_half_width: value.half_width,
                    baseline: baseline.method.to_string(),
                    difference: difference.mean,
                    difference_half_width: difference.half_width,
                    answer,
                    interval: interval(found.of_trace, &difference),
                    draws: difference.values,
                }
            }));
        }
    }
    rows
}

fn interval(of_trace: bool, difference: &Estimate) -> &'static str {
    match (difference.half_width, of_trace) {
        (None, _) => "none",
        (Some(_), true) => "weeks",
        (Some(_), false) => "replications",
    }
}

/// # Errors
///
/// Those of `out`.
pub fn write_csv(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for row in rows {
        writer.serialize(row)?;
    }
    writer.flush()
}

/// # Errors
///
/// Those of `out`.
pub fn write_json(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, rows)?;
    writeln!(out)
}
