//! Where traces and requests come from: a file or, by the name `-`, standard input.

use locox_models::file;
use locox_models::machine::{BadDemands, Cluster, DemandFile};
use locox_models::outages::{self, OutageFile, OutageFileError};
use locox_models::sacct::{self, Accounting, SacctError, SacctErrorKind};
use locox_models::site::{FileError, Layout, SiteFile, TimesFile};
use locox_models::swf::{self, Header, Strictness, SwfError};
use locox_models::text;
use locox_models::workload::request_file::{
    RequestFile, RequestFileError, read_requests, read_requests_from,
};
use locox_models::workload::{Selection, Workload, name_of, select};
use locox_models::workstation::{Recording, RecordingError};
use locox_report::failure::Failure;
use std::io::{self, stdin};
use std::path::Path;

const STANDARD_INPUT: &str = "standard input";

/// Whether it is standard input, which can be read only once.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to call it.
pub fn shown(path: &Path) -> &Path {
    if is_standard_input(path) { Path::new(STANDARD_INPUT) } else { path }
}

/// The selected jobs of a trace, and its header.
///
/// # Errors
///
/// Those of [`select`].
pub fn trace(
    path: &Path,
    strictness: Strictness,
    selection: &Selection,
) -> Result<(Workload, Header), SwfError> {
    let (mut reader, name) = if is_standard_input(path) {
        (swf::read(STANDARD_INPUT, stdin(), strictness)?, STANDARD_INPUT.into())
    } else {
        (swf::open(path, strictness)?, name_of(path))
    };
    let workload = select(&mut reader, name, selection)?;
    Ok((workload, reader.header().clone()))
}

/// That the header does not say for how many processors the trace is.
pub fn no_size(path: &Path, header: &Header) -> Failure {
    let fault = match &header.unusable_size {
        Some(size) => format!("the header says {size}, which no machine has"),
        None => "the header names no number of processors".into(),
    };
    let trace = shown(path).display();
    Failure::Input(format!("{trace}: {fault}; add --machine cube:N or pool:P"))
}

/// When stations were available.
///
/// # Errors
///
/// Those of [`Recording::open`].
pub fn recording(path: &Path) -> Result<Recording, RecordingError> {
    if is_standard_input(path) {
        return Recording::read(shown(path), stdin().lock());
    }
    Recording::open(path)
}

/// When nodes of a machine of so many were out of service.
///
/// # Errors
///
/// Those of [`outages::open`].
pub fn outages(
    path: &Path,
    nodes: u32,
    strictness: Strictness,
) -> Result<OutageFile, OutageFileError> {
    if is_standard_input(path) {
        return outages::read(shown(path), stdin(), nodes, strictness);
    }
    outages::open(path, nodes, strictness)
}

/// What jobs ask for of the nodes of a cluster.
///
/// # Errors
///
/// Those of [`DemandFile::open`].
pub fn demands(path: &Path, cluster: Cluster) -> Result<DemandFile, BadDemands> {
    if is_standard_input(path) {
        return DemandFile::read(shown(path), stdin(), cluster);
    }
    DemandFile::open(path, cluster)
}

/// Requests for reservations.
///
/// # Errors
///
/// Those of [`read_requests`].
pub fn requests(path: &Path, strictness: Strictness) -> Result<RequestFile, RequestFileError> {
    if is_standard_input(path) {
        return read_requests_from(shown(path), stdin(), strictness);
    }
    read_requests(path, strictness)
}

/// A small text.
///
/// # Errors
///
/// Those of the system, that it is no text, and that it is too long.
pub fn text(path: &Path) -> io::Result<String> {
    if is_standard_input(path) {
        return text::bounded(stdin(), text::LONGEST);
    }
    text::bounded(file::open(path)?, text::LONGEST)
}

/// Expected times of jobs, and the site that they are for.
///
/// # Errors
///
/// Those of [`TimesFile::open`].
pub fn times(path: &Path, layout: Layout) -> Result<(TimesFile, SiteFile), FileError> {
    if is_standard_input(path) {
        return TimesFile::read(shown(path), stdin(), layout);
    }
    TimesFile::open(path, layout)
}

/// Jobs of Slurm's accounting.
///
/// # Errors
///
/// Those of [`sacct::import`], and that the file cannot be opened.
pub fn sacct(path: &Path, options: &sacct::Options) -> Result<Accounting, SacctError> {
    if is_standard_input(path) {
        return sacct::import(shown(path), stdin(), options);
    }
    let closed = |error| SacctError { path: path.into(), kind: SacctErrorKind::Read(error) };
    sacct::import(path, file::open(path).map_err(closed)?, options)
}
