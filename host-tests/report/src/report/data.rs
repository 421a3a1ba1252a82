//! The report as data: JSON of all of it, CSV of its tables.

use super::table::Link;
use super::{Block, Cell, Report, Table};
use locox_models::stats::Estimate;
use std::io::{self, Write};

/// Writes everything that the report says as one JSON object; pictures by their captions only.
///
/// # Errors
///
/// Those of `out`.
pub fn write_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    writeln!(out)
}

/// Writes the tables with a header line each, an empty line between two of them.
///
/// # Errors
///
/// Those of `out`.
pub fn write_csv(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let tables = blocks.filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    for (at, table) in tables.enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write_table(table, out)?;
    }
    Ok(())
}

/// A column of estimates becomes two: the mean, and `…_half_width` of its confidence interval.
///
/// # Errors
///
/// Those of `out`.
pub fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let estimates: Vec<bool> = (0..table.columns.len())
        .map(|at| table.rows.iter().any(|row| matches!(row[at], Cell::Estimate(..))))
        .collect();
    let mut writer = csv::Writer::from_writer(out);
    for (column, &estimated) in table.columns.iter().zip(&estimates) {
        writer.write_field(&column.key)?;
        if estimated {
            writer.write_field(format!("{}_half_width", column.key))?;
        }
    }
    writer.write_record(None::<&[u8]>)?;
    for row in &table.rows {
        for (cell, &estimated) in row.iter().zip(&estimates) {
            let (value, half_width) = fields(cell);
            writer.write_field(value)?;
            if estimated {
                writer.write_field(half_width)?;
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}

/// The plain value, and half the width of its interval.
pub(super) fn fields(cell: &Cell) -> (String, String) {
    match cell {
        Cell::Text(text) | Cell::Link(Link { text, .. }) => (text.clone(), String::new()),
        Cell::Count(count) => (count.to_string(), String::new()),
        Cell::Number(value, _) | Cell::Share(value) => (value.to_string(), String::new()),
        Cell::Estimate(Estimate { mean, half_width, .. }, _) => {
            (mean.to_string(), half_width.map(|half| half.to_string()).unwrap_or_default())
        }
        Cell::Missing => (String::new(), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Section;

    fn report() -> Report {
        let mut first = Table::new("first", &[("name", "Name"), ("wait_s", "wait (s)")]);
        let estimate = Cell::Estimate(Estimate { mean: 2.5, half_width: Some(0.25), values: 3 }, 0);
        first.push(vec![Cell::text("a, b"), estimate]);
        first.push(vec![Cell::text("c"), Cell::Missing]);
        let mut second = Table::new("second", &[("n", "n")]);
        second.push(vec![Cell::Count(1000)]);
        let blocks = vec![Block::Table(first), Block::Text("between".into()), Block::Table(second)];
        let section = Section { id: "s".into(), title: "S".into(), blocks };
        Report { title: "T".into(), lead: "L".into(), provenance: vec![], sections: vec![section] }
    }

    #[test]
    fn csv_has_a_header_for_each_table_and_a_column_for_each_half_width() {
        let mut out = Vec::new();
        write_csv(&report(), &mut out).unwrap();
        let expected = "name,wait_s,wait_s_half_width\n\"a, b\",2.5,0.25\nc,,\n\nn\n1000\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn json_holds_unrounded_values() {
        let mut out = Vec::new();
        write_json(&report(), &mut out).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let rows = &value["sections"][0]["blocks"][0]["table"]["rows"];
        assert_eq!(rows[0][1]["mean"], 2.5);
        assert_eq!(rows[1][1], serde_json::Value::Null);
    }
}
