//! A comparison as data: a row for each method under each load, in each metric. `docs/compare.md`
//! has the schema.

use super::effect::{Answer, Effect, Figure};
use super::{Drawn, Metric, Reason, Setting};
use serde::Serialize;
use std::io::{self, Write};

/// The version of the schema; another one where a column changes its meaning or goes.
pub const ROW_SCHEMA: &str = "locox-compare/2";

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
    pub value_low: Option<f64>,
    pub value_high: Option<f64>,
    pub baseline: String,
    pub difference: f64,
    pub difference_low: Option<f64>,
    pub difference_high: Option<f64>,
    pub answer: Answer,
    /// How the interval was found.
    pub interval: &'static str,
    /// How many draws it rests on.
    pub draws: usize,
    /// Why there is no interval of the difference.
    pub reason: Option<Reason>,
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
                    value: value.value,
                    value_low: value.low(),
                    value_high: value.high(),
                    baseline: baseline.method.to_string(),
                    difference: difference.value,
                    difference_low: difference.low(),
                    difference_high: difference.high(),
                    answer,
                    interval: interval(found.drawn, &difference),
                    draws: difference.draws,
                    reason: difference.interval.err(),
                }
            }));
        }
    }
    rows
}

fn interval(drawn: Result<Drawn, Reason>, difference: &Figure) -> &'static str {
    match (difference.interval, drawn) {
        (Err(_), _) => "none",
        (Ok(_), Ok(Drawn::Replications)) => "replications-t",
        (Ok(_), _) => "week-bootstrap-percentile",
    }
}

impl Figure {
    fn low(&self) -> Option<f64> {
        self.interval.ok().map(|(low, _)| low)
    }

    fn high(&self) -> Option<f64> {
        self.interval.ok().map(|(_, high)| high)
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
