//! Faults as exceptions of Python, each one sentence.

use locox::error::Error;
use locox::handle;
use locox_models::swf::{SwfError, SwfErrorKind};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::fmt::{Debug, Display};
use std::io;

create_exception!(locox, TraceError, PyValueError, "A trace that cannot be read.");
create_exception!(locox, ReplayError, PyValueError, "A workload that cannot be run to its end.");

create_exception!(
    locox,
    Refused,
    PyException,
    "The call was right and there is no room now, or never: ``reason`` is a word for why. Nothing has changed."
);
create_exception!(
    locox,
    Misused,
    PyValueError,
    "The call makes no sense, or what it names is gone: ``reason`` is a word for why. Nothing has changed."
);

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

/// Why the kernel did nothing.
pub(crate) fn refused(py: Python<'_>, why: &(impl Debug + Display)) -> PyErr {
    with_reason(py, Refused::new_err(why.to_string()), why)
}

/// What the caller did wrong, as the kernel says it.
pub(crate) fn misused(py: Python<'_>, why: &(impl Debug + Display)) -> PyErr {
    with_reason(py, Misused::new_err(why.to_string()), why)
}

/// The same of a handle, by what it is and whose.
pub(crate) fn of_handle(py: Python<'_>, what: &str, whose: &str, why: &handle::Misuse) -> PyErr {
    let text = match why {
        handle::Misuse::Foreign => format!("the {what} belongs to another {whose}"),
        handle::Misuse::Stale => format!("the {what} has ended already"),
        other => other.to_string(),
    };
    with_reason(py, Misused::new_err(text), why)
}

/// Either.
pub(crate) fn fault<R, M>(py: Python<'_>, why: &Error<R, M>) -> PyErr
where
    R: Debug + Display,
    M: Debug + Display,
{
    match why {
        Error::Refused(refusal) => refused(py, refusal),
        Error::Misused(misuse) => misused(py, misuse),
    }
}

fn with_reason(py: Python<'_>, raised: PyErr, why: &impl Debug) -> PyErr {
    let set = raised.value(py).setattr("reason", word(&format!("{why:?}")));
    set.err().unwrap_or(raised)
}

/// The name of a case in the kernel, as `too-few-free`; of a handle's misuse what is wrong with it.
fn word(case: &str) -> String {
    let case = case.strip_prefix("Handle(").unwrap_or(case);
    let name = case.split(|it: char| !it.is_ascii_alphanumeric()).next().unwrap_or_default();
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}
