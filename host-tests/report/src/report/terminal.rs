//! The report as text: tables and verdicts, no plots.

use super::{Block, Cell, Claim, Link, Report, Table};
use crate::printable::printable;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width};
use std::io::{self, Write};

/// Writes the report as text, with tables for so many columns, or as wide as they are.
///
/// # Errors
///
/// Those of `out`.
pub fn write(report: &Report, width: Option<u16>, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    write_report(report, width, &mut text)?;
    out.write_all(printable(&String::from_utf8_lossy(&text)).as_bytes())
}

fn write_report(report: &Report, width: Option<u16>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n{}\n", report.title, report.lead)?;
    for section in &report.sections {
        if report.sections.len() > 1 {
            writeln!(out, "{}\n", section.title)?;
        }
        for block in &section.blocks {
            write_block(block, width, out)?;
        }
    }
    Ok(())
}

fn write_block(block: &Block, width: Option<u16>, out: &mut dyn Write) -> io::Result<()> {
    match block {
        Block::Text(text) => writeln!(out, "{text}\n"),
        Block::Table(table) => write_table(table, width, out),
        Block::Claims(claims) => claims.iter().try_for_each(|claim| write_claim(claim, out)),
        Block::Files(files) => writeln!(out, "{} {}\n", files.about, files.names.join(", ")),
        // The page has them; a terminal has better use for its lines.
        Block::Facts(_)
        | Block::Jobs(_)
        | Block::Plot(_)
        | Block::Forest(_)
        | Block::Gallery(_)
        | Block::Pages(_)
        | Block::Picture(_) => Ok(()),
    }
}

fn write_table(table: &Table, width: Option<u16>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", table.title)?;
    for part in parts(table, width) {
        writeln!(out, "{}", grid(table, &part, width))?;
    }
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
    let is_long = |cell: &Cell| matches!(cell, Cell::Text(text) | Cell::Link(Link { text, .. }) if text.len() > LONG);
    table.rows.iter().flatten().any(is_long)
}

/// Which columns stand beside each other. If all of them do not fit even with their words below each other,
/// there are several parts, each with the first column, which says what a row is about.
fn parts(table: &Table, width: Option<u16>) -> Vec<Vec<usize>> {
    let mut shown = (0..table.columns.len()).filter(|&at| !table.columns[at].detail);
    let (Some(width), Some(first)) = (width, shown.next()) else {
        return vec![(0..table.columns.len()).filter(|&at| !table.columns[at].detail).collect()];
    };
    let taken = |at| least(table, at) + BESIDE;
    let room = usize::from(width).saturating_sub(1 + taken(first));
    let (mut parts, mut left) = (vec![vec![first]], room);
    for at in shown {
        if taken(at) > left && parts.last().is_some_and(|part| part.len() > 1) {
            parts.push(vec![first]);
            left = room;
        }
        left = left.saturating_sub(taken(at));
        parts.last_mut().expect("there is a part").push(at);
    }
    parts
}

/// Columns that a column takes beside its content: a blank on each side and a line.
const BESIDE: usize = 3;

/// Columns that a column needs: for whole numbers, and for words of usual length.
fn least(table: &Table, at: usize) -> usize {
    const LONG: usize = 24;
    let length = |text: &str| text.chars().count();
    let longest_word = |text: &str| text.split(' ').map(length).max().unwrap_or(0).min(LONG);
    let of_cell = |cell: &Cell| match cell {
        Cell::Text(text) | Cell::Link(Link { text, .. }) => longest_word(text),
        number => length(&number.shown()),
    };
    let cells = table.rows.iter().map(|row| of_cell(&row[at]));
    cells.chain([longest_word(&table.columns[at].title)]).max().unwrap_or(0)
}

/// The columns `part` of the table.
fn grid(table: &Table, part: &[usize], width: Option<u16>) -> comfy_table::Table {
    let mut grid = comfy_table::Table::new();
    grid.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
    let sentences = has_sentences(table).then_some(SENTENCES_WIDTH);
    if let Some(width) = width.or(sentences) {
        grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    grid.set_header(part.iter().map(|&at| table.columns[at].title.as_str()));
    for row in &table.rows {
        grid.add_row(part.iter().map(|&at| {
            let side = if row[at].is_number() { CellAlignment::Right } else { CellAlignment::Left };
            comfy_table::Cell::new(row[at].shown()).set_alignment(side)
        }));
    }
    if width.is_some() {
        let needed = part.iter().map(|&at| least(table, at) as u16 + 2);
        grid.set_constraints(
            needed.map(|least| ColumnConstraint::LowerBoundary(Width::Fixed(least))),
        );
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let columns = [
            ("way", "way"),
            ("wait", "mean wait of all jobs (s)"),
            ("used", "used (%)"),
            ("count", "attempts refused"),
            ("why", "why"),
        ];
        let mut table = Table::new("Jobs", &columns);
        for way in ["buddy", "free-list"] {
            table.push(vec![
                Cell::text(way),
                Cell::Number(1_234_567.25, 2),
                Cell::Share(0.5),
                Cell::Count(98_765_432_109),
                Cell::text("the quick brown fox jumps over the lazy dog, again and again"),
            ]);
        }
        table
    }

    fn shown(width: Option<u16>) -> String {
        let mut out = Vec::new();
        write_table(&table(), width, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tables_fit_a_terminal_and_no_number_is_cut() {
        for width in 34..200 {
            let text = shown(Some(width));
            let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= usize::from(width), "{longest} > {width}\n{text}");
            for number in ["1,234,567.25", "50.0 %", "98,765,432,109", "free-list", "attempts"] {
                assert!(text.contains(number), "{width}: {number}\n{text}");
            }
        }
    }

    #[test]
    fn a_terminal_that_is_wide_enough_shows_what_a_pipe_gets() {
        assert_eq!(shown(Some(200)), shown(None));
    }

    #[test]
    fn parts_of_a_table_say_what_their_rows_are_about() {
        let text = shown(Some(40));
        assert!(text.matches("free-list").count() > 1, "{text}");
    }
}
