//! An archive of a reproduction: the page, its data and figures, what they were made with, and the
//! checksums of all. The same code, options and logs make the same bytes.

use locox_models::swf::{compression_of, encode};
use locox_report::failure::Failure;
use locox_report::report::verdicts::{self, Row};
use locox_report::report::{Block, Book, Report, Section, Table, data, figure};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder that all of it lies in.
const ROOT: &str = "locox-reproduction";

const ABOUT: &str = "\
What `locox reproduce` found, and how.

index.html         the page: verdicts, tables, plots; of several experiments the index, with a page for each
                   beside it
verdicts.json      a row for each verdict; docs/evidence/verdicts.md in the sources describes the fields
report.json        all that the page says, as data, with unrounded numbers
tables/            each table as CSV, named by experiment and number on the page
figures/           each plot as SVG, named alike
environment.json   version, commit, compiler, command line, seed, and the checksums of the logs
SHA256SUMS         for `sha256sum --check SHA256SUMS`

Tables and figures are also of `claims` and `all-verdicts`, two sections of the index.

The command line in environment.json, run on that commit with those logs, makes this archive again,
byte by byte, whatever the name of the archive. A release build from a clone of the repository knows its commit and
compiler; others can be told: LOCOX_COMMIT=$(git rev-parse HEAD) LOCOX_COMPILER=$(rustc --version) cargo run -p locox-experiments -- ...
";

/// What the results depend on besides the code.
#[derive(Serialize)]
pub(crate) struct Environment<'a> {
    pub(crate) version: &'static str,
    /// Of the code and of what compiled it, if the build was told.
    pub(crate) commit: Option<&'static str>,
    pub(crate) compiler: Option<&'static str>,
    pub(crate) architecture: &'static str,
    pub(crate) command_line: &'a str,
    pub(crate) seed: u64,
    /// Logs of real machines that were read, with their SHA-256.
    pub(crate) logs: BTreeMap<String, String>,
}

impl<'a> Environment<'a> {
    /// # Errors
    ///
    /// [`Failure::Input`] if a log cannot be read any more.
    pub(crate) fn new(
        command_line: &'a str,
        seed: u64,
        logs: &BTreeSet<PathBuf>,
    ) -> Result<Self, Failure> {
        let sum = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let content = fs::read(path).map_err(|error| {
                Failure::Input(format!("{}: cannot be read: {error}", path.display()))
            })?;
            Ok((name, checksum(&content)))
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            commit: verdicts::COMMIT,
            compiler: verdicts::COMPILER,
            architecture: std::env::consts::ARCH,
            command_line,
            seed,
            logs: logs.iter().map(sum).collect::<Result<_, Failure>>()?,
        })
    }
}

/// Whether a file of this name has an ending that an archive can be compressed by.
///
/// # Errors
///
/// [`Failure::Input`] if it has not.
pub(crate) fn check_name(name: &Path) -> Result<(), Failure> {
    let known = is_zstd(name) || compression_of(name).is_ok();
    let unknown = "an archive ends in .tar, .tar.zst, .tar.gz or .tar.xz";
    if known { Ok(()) } else { Err(Failure::unwritable(name, &unknown)) }
}

fn is_zstd(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zst"))
}

/// Writes the archive, as a file of that name has it: compressed as it ends.
///
/// # Errors
///
/// Those of `out`.
pub(crate) fn write(
    name: &Path,
    report: &Report,
    rows: &[Row],
    environment: &Environment<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !is_zstd(name) {
        return encode(name, out, |out| write_plain(report, rows, environment, out));
    }
    let plain = filled(|out| write_plain(report, rows, environment, out))?;
    out.write_all(&compress_to_vec(&plain[..], CompressionLevel::Fastest))
}

/// Writes the archive as a tape archive, uncompressed.
///
/// # Errors
///
/// Those of `out`.
fn write_plain(
    report: &Report,
    rows: &[Row],
    environment: &Environment<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Book { index, pages } = Book::of(report);
    let mut files = BTreeMap::from([
        ("README.txt".into(), ABOUT.as_bytes().to_vec()),
        ("index.html".into(), index.into_bytes()),
        ("environment.json".into(), serde_json::to_vec_pretty(environment)?),
    ]);
    files.extend(pages.into_iter().map(|(name, page)| (name, page.into_bytes())));
    files.insert("verdicts.json".into(), filled(|out| verdicts::write_json(rows, out))?);
    files.insert("report.json".into(), filled(|out| data::write_json(report, out))?);
    for section in &report.sections {
        for (at, table) in tables(section).enumerate() {
            let name = format!("tables/{}-{}.csv", section.id, at + 1);
            files.insert(name, filled(|out| data::write_table(table, out))?);
        }
        for (at, svg) in figure::figures(section).into_iter().enumerate() {
            files.insert(format!("figures/{}-{}.svg", section.id, at + 1), svg.into_bytes());
        }
    }
    let sum = |(name, bytes): (&String, &Vec<u8>)| format!("{}  {name}\n", checksum(bytes));
    let sums: String = files.iter().map(sum).collect();
    files.insert("SHA256SUMS".into(), sums.into_bytes());
    let mut tape = tar::Builder::new(out);
    for (name, bytes) in &files {
        // Neither owner nor time of making.
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        tape.append_data(&mut header, format!("{ROOT}/{name}"), &bytes[..])?;
    }
    tape.into_inner()?.flush()
}

fn tables(section: &Section) -> impl Iterator<Item = &Table> {
    section.blocks.iter().filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    })
}

fn filled(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    Ok(bytes)
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
