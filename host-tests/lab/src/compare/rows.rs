//! A comparison as data: a row for each method under each load, in each metric. `docs/compare.md`
//! has the schema.

use super::{Effect, Metric, Reason, Setting};
use serde::Serialize;
use std::io::{self, Write};

/// The version of the schema; another one where a column changes its meaning or goes.
pub const ROW_SCHEMA: &str = "locox-compare/3";

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
    pub answer: &'static str,
    /// How the interval was found.
    pub interval: &'static str,
    /// How many draws it rests on.
    pub draws: usize,
    /// Why there is no interval of the difference.
    pub reason: Option<&'static str>,
    /// In how many draws it is better than the base line.
    pub better: usize,
    /// In how many it is worse.
    pub worse: usize,
    /// The least difference of a draw.
    pub least: Option<f64>,
    /// The greatest.
    pub greatest: Option<f64>,
    /// Of the whole weeks of a trace, or of a replication.
    pub jobs: usize,
    /// Of a trace, if they are drawn.
    pub weeks: Option<usize>,
}

/// All rows of a comparison.
pub fn rows(settings: &[Setting], metrics: &[Metric]) -> Vec<Row> {
    let mut rows = Vec::new();
    for setting in settings {
        let (jobs, weeks) = (setting.source.jobs_compared(), setting.source.weeks());
        for &metric in metrics {
            rows.extend(setting.found.iter().map(|found| {
                let baseline = setting.baseline();
                let effect = found.effect(metric, baseline);
                let Effect { value, difference, signs, range, answer } = effect;
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
                    answer: answer.name(),
                    interval: difference.rests_on(found.drawn),
                    draws: difference.draws,
                    reason: difference.interval.err().map(Reason::name),
                    better: signs.better,
                    worse: signs.worse,
                    least: range.map(|(least, _)| least),
                    greatest: range.map(|(_, greatest)| greatest),
                    jobs,
                    weeks,
                }
            }));
        }
    }
    rows
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
