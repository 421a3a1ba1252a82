//! The report as text: tables and verdicts, no plots.

use super::{Block, Cell, Claim, Report, Table};
use crate::printable::printable;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ContentArrangement};
use std::io::{self, Write};

/// Writes the report as text.
///
/// # Errors
///
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    write_report(report, &mut text)?;
    out.write_all(printable(&String::from_utf8_lossy(&text)).as_bytes())
}

fn write_report(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n{}\n", report.title, report.lead)?;
    for section in &report.sections {
        if report.sections.len() > 1 {
            writeln!(out, "{}\n", section.title)?;
        }
        for block in &section.blocks {
            write_block(block, out)?;
        }
    }
    Ok(())
}

fn write_block(block: &Block, out: &mut dyn Write) -> io::Result<()> {
    match block {
        Block::Text(text) => writeln!(out, "{text}\n"),
        Block::Table(table) => write_table(table, out),
        Block::Claims(claims) => claims.iter().try_for_each(|claim| write_claim(claim, out)),
        Block::Files(files) => writeln!(out, "{} {}\n", files.about, files.names.join(", ")),
        // The page has them; a terminal has better use for its lines.
        Block::Facts(_)
        | Block::Plot(_)
        | Block::Forest(_)
        | Block::Gallery(_)
        | Block::Picture(_) => Ok(()),
    }
}

fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n{}", table.title, grid(table))?;
    if !table.note.is_empty() {
        writeln!(out, "{}", table.note)?;
    }
    writeln!(out)
}

fn write_claim(claim: &Claim, out: &mut dyn Write) -> io::Result<()> {
    let (answer, says, cited) =
        (claim.answer().to_uppercase(), claim.says(), claim.statement.cited());
    writeln!(out, "{answer}: {says} ({cited})")?;
    for found in claim.found() {
        writeln!(out, "  {found}")?;
    }
    writeln!(out)
}

/// Columns of a terminal for a table whose text is broken into lines.
const SENTENCES_WIDTH: u16 = 160;

/// Whether its lines would be longer than a terminal, since some cell holds sentences.
fn has_sentences(table: &Table) -> bool {
    const LONG: usize = 120;
    let is_long = |cell: &Cell| matches!(cell, Cell::Text(text) if text.len() > LONG);
    table.rows.iter().flatten().any(is_long)
}

fn grid(table: &Table) -> comfy_table::Table {
    let mut grid = comfy_table::Table::new();
    grid.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
    if has_sentences(table) {
        grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(SENTENCES_WIDTH);
    }
    let shown = table.columns.iter().filter(|column| !column.detail);
    grid.set_header(shown.map(|column| column.title.as_str()));
    for row in &table.rows {
        let cells = row.iter().zip(&table.columns).filter(|(_, column)| !column.detail);
        grid.add_row(cells.map(|(cell, _)| {
            let side = if cell.is_number() { CellAlignment::Right } else { CellAlignment::Left };
            comfy_table::Cell::new(cell.shown()).set_alignment(side)
        }));
    }
    grid
}
