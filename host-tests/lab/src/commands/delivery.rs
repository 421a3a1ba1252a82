//! What all commands say beside their results, and where results go.

use crate::cli::{Format, MachineSpec, Results};
use crate::method::Way;
use crate::output::{Publication, Stdout, is_standard_output};
use locox_models::machine::StrategyKind;
use locox_report::failure::Failure;
use locox_report::printable::printable;
use locox_report::report::{Block, Fact, Report, data, html, terminal};
use std::io::{self, Write, stderr};
use std::path::Path;

/// What lets somebody else run the same again.
pub(super) fn provenance(command_line: &str, seed: Option<u64>) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new("version", concat!("locox ", env!("CARGO_PKG_VERSION"))),
        Fact::new("command line", command_line),
    ];
    facts.extend(seed.map(|seed| Fact::new("seed", seed)));
    facts
}

/// The report without mention of files that are not there.
fn without_files(report: &Report) -> Report {
    let mut report = report.clone();
    for section in &mut report.sections {
        section.blocks.retain(|block| !matches!(block, Block::Files(_)));
    }
    report
}

/// Publishes the report, prints it, says where it is. Beside data, that goes to standard error.
pub(super) fn deliver(
    report: &Report,
    publication: Publication,
    format: Format,
) -> Result<(), Failure> {
    let printed = match publication.publish(&html::page(report))? {
        Some(page) => print(report, format, Some(&page)),
        None => print(&without_files(report), format, None),
    };
    printed.map_err(unprintable)
}

pub(super) fn unprintable(error: io::Error) -> Failure {
    Failure::Input(format!("standard output: cannot be written: {error}; free some room"))
}

fn print(report: &Report, format: Format, page: Option<&Path>) -> io::Result<()> {
    let mut out = Stdout::lock();
    let place = page.map(|page| format!("Report: {}\n", page.display())).unwrap_or_default();
    let place = printable(&place);
    match format {
        Format::Table => {
            terminal::write(report, &mut out)?;
            write!(out, "{place}")?;
        }
        Format::Json => data::write_json(report, &mut out)?,
        Format::Csv => data::write_csv(report, &mut out)?,
    }
    out.flush()?;
    if format != Format::Table {
        // Nobody may be listening there.
        let _ = write!(stderr(), "{place}");
    }
    Ok(())
}

pub(super) fn publication(results: &Results) -> Result<Publication, Failure> {
    Publication::new(&results.out, results.force)
}

/// Tells what the user should know before the work, if anybody listens.
pub(super) fn notice(text: &str) {
    let _ = writeln!(stderr(), "locox: {}", printable(text));
}

/// Says what a single file holds that was written to this place; beside data, on standard error.
pub(super) fn tell(text: &str, out: &Path) -> Result<(), Failure> {
    if is_standard_output(out) {
        notice(text);
        return Ok(());
    }
    let mut out = Stdout::lock();
    writeln!(out, "{}", printable(text)).and_then(|()| out.flush()).map_err(unprintable)
}

/// Complete recognition takes up to 2^6 * 3^(n-6) operations on words for a decision on an n-cube:
/// from here on that can be a tenth of a second.
const LONG: u8 = 17;

pub(super) fn warn_of_complete(ways: impl IntoIterator<Item = Way>, machine: MachineSpec) {
    let complete = |way: Way| {
        matches!(
            way,
            Way::Subcubes(StrategyKind::Complete) | Way::Meshes(StrategyKind::Complete, _)
        )
    };
    let MachineSpec::Cube(dims) = machine else { return };
    if dims.get() < LONG || !ways.into_iter().any(complete) {
        return;
    }
    notice(&format!(
        "complete on a {machine} may take milliseconds for a single job and may give a search up, \
         undecided; for an answer sooner ask for --strategy free-list or buddy; replay --effort 1 gives \
         searches up at once"
    ));
}
