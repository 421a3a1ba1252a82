//! Faults as exceptions of Python, each one sentence.

use locox_models::swf::{SwfError, SwfErrorKind};
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::io;

create_exception!(locox, TraceError, PyValueError, "A trace that cannot be read.");
create_exception!(locox, ReplayError, PyValueError, "A workload that cannot be run to its end.");

/// Options by their names in Python.
const NAMES: [(&str, &str); 4] = [
    ("--lenient", "lenient=True"),
    ("--sort", "sort=True"),
    ("--jobs", "jobs=N"),
    ("--machine cube:N or pool:P", "machine="),
];

fn in_python(text: &str) -> String {
    NAMES.iter().fold(text.to_owned(), |text, (option, name)| text.replace(option, name))
}

pub(crate) fn of_trace(error: &SwfError) -> PyErr {
    let text = in_python(&error.to_string());
    match &error.kind {
        SwfErrorKind::Open(cause) | SwfErrorKind::Read(cause) => of_system(cause, text),
        _ => TraceError::new_err(text),
    }
}

/// As Python would say it, with the text that names the file.
pub(crate) fn of_system(cause: &io::Error, text: String) -> PyErr {
    match cause.raw_os_error() {
        // Python knows which of its exceptions that is.
        Some(number) => PyOSError::new_err((number, text)),
        None if cause.kind() == io::ErrorKind::InvalidInput => value(text),
        None => PyOSError::new_err(text),
    }
}

pub(crate) fn of_replay(error: &locox_models::replay::ReplayError) -> PyErr {
    ReplayError::new_err(in_python(&error.to_string()))
}

pub(crate) fn value(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}
