//! What all commands say beside their results, and where results go.

use crate::cli::{Format, MachineSpec, Results};
use crate::output::{Publication, Stdout, is_standard_output, unprintable};
use crate::way::Way;
use locox_models::machine::StrategyKind;
use locox_report::failure::Failure;
use locox_report::printable::printable;
use locox_report::progress::Progress;
use locox_report::report::{Block, Book, Fact, Report, data, html, terminal};
use locox_report::screen;
use std::io::{self, Write, stderr};
use std::path::{Path, PathBuf};

/// What lets somebody else run the same again.
pub fn provenance(command_line: &str, seed: Option<u64>) -> Vec<Fact> {
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

/// Publishes the report, prints it, says where it is. Beside data, that goes to standard error. Below a table
/// a person reads what to do next, such as a command that looks deeper.
pub(super) fn deliver(
    report: &Report,
    publication: Publication,
    format: Format,
    next: &str,
) -> Result<(), Failure> {
    let page = publication.publish(&html::page(report))?;
    say(report, page.as_deref(), format, next)
}

/// Publishes a page for each experiment of the report, and the index; says where that is, if anywhere.
pub fn publish_book(
    report: &Report,
    mut publication: Publication,
) -> Result<Option<PathBuf>, Failure> {
    let Book { index, pages } = Book::of(report);
    for (name, page) in pages {
        publication.add(&name, |out| out.write_all(page.as_bytes()))?;
    }
    publication.publish(&index)
}

/// Prints the report, and says where its page is.
pub fn say(
    report: &Report,
    page: Option<&Path>,
    format: Format,
    next: &str,
) -> Result<(), Failure> {
    let printed = match page {
        Some(page) => print(report, format, Some(page), next),
        None => print(&without_files(report), format, None, next),
    };
    printed.map_err(|error| unprintable(&error))
}

fn print(report: &Report, format: Format, page: Option<&Path>, next: &str) -> io::Result<()> {
    let mut out = Stdout::lock();
    let place = page.map(|page| format!("Report: {}\n", page.display())).unwrap_or_default();
    let place = printable(&place);
    match format {
        Format::Table if screen::is_quiet() => {}
        Format::Table => {
            terminal::write(report, screen::width(), &mut out)?;
            write!(out, "{place}")?;
            write_next(&opened(page, next), &mut out)?;
        }
        Format::Json => data::write_json(report, &mut out)?,
        Format::Csv => data::write_csv(report, &mut out)?,
    }
    out.flush()?;
    if format != Format::Table && !screen::is_quiet() {
        // Nobody may be listening there.
        let _ = write!(stderr(), "{place}");
    }
    Ok(())
}

/// The page, if there is one, is looked at first.
fn opened(page: Option<&Path>, next: &str) -> String {
    let open = page.map(|page| format!("open {}; ", page.display()));
    open.unwrap_or_default() + next
}

/// Tells a person what to do next. What reads a pipe knows.
fn write_next(next: &str, out: &mut dyn Write) -> io::Result<()> {
    if !screen::is_read() {
        return Ok(());
    }
    writeln!(out, "Next: {}", printable(next))
}

pub fn publication(results: &Results) -> Result<Publication, Failure> {
    leaves_something(is_standard_output(&results.out) && results.format == Format::Table)?;
    Publication::new(&results.out, results.force)
}

/// How far the work is; with `--watch` also how each simulation stands.
pub(super) fn progress(label: &str, watch: bool) -> Result<Progress, Failure> {
    can_watch(watch)?;
    Ok(Progress::watched(label).with_lines(watch))
}

/// Whoever asks to watch is told if he cannot.
pub(super) fn can_watch(watch: bool) -> Result<(), Failure> {
    if !watch || screen::is_watched() {
        return Ok(());
    }
    let fault =
        "--watch: it needs a terminal for standard error, and no --quiet; leave --watch out";
    Err(Failure::Usage(fault.into()))
}

/// A quiet command whose only result is a table would work for nothing.
pub(super) fn leaves_something(only_a_table: bool) -> Result<(), Failure> {
    if !(only_a_table && screen::is_quiet()) {
        return Ok(());
    }
    let fault = "--quiet: nothing would be left but a table, which is not printed; ask for --format csv, \
                 or leave --quiet out";
    Err(Failure::Usage(fault.into()))
}

/// Tells what the user should know before the work, if anybody listens.
pub fn notice(text: &str) {
    if screen::is_quiet() {
        return;
    }
    let _ = writeln!(stderr(), "locox: {}", printable(text));
}

/// Says what a single file holds that was written to this place, and what to do with it; beside data, on
/// standard error.
pub(super) fn tell(text: &str, next: &str, out: &Path) -> Result<(), Failure> {
    if is_standard_output(out) || screen::is_quiet() {
        notice(text);
        return Ok(());
    }
    let mut out = Stdout::lock();
    let told = writeln!(out, "{}", printable(text)).and_then(|()| write_next(next, &mut out));
    told.and_then(|()| out.flush()).map_err(|error| unprintable(&error))
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

/// From so many waiting jobs on conservative backfilling takes milliseconds for a decision.
pub(super) const LONG_LINE: usize = 2_000;

/// A replay under conservative backfilling takes long where many jobs wait.
pub(super) fn warn_of_long_line() {
    notice(&format!(
        "more than {LONG_LINE} jobs wait, and conservative plans each of them: that may take milliseconds for a \
         single decision; conservative:100 plans 100 at a time"
    ));
}
