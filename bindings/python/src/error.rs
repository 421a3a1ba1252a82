//! Faults as exceptions of Python, each one sentence.

use locox::error::Error;
use locox::{accelerator, dispatch, fair, grid, handle, mapping, mesh, nodes, reserve, subcube};
use locox_models::machine::{BadCluster, BadClusterKind};
use locox_models::swf::{SwfError, SwfErrorKind};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::fmt::{Debug, Display};
use std::io;
use std::str::FromStr;

/// A `ValueError` in these words.
macro_rules! value {
    ($($text:tt)*) => {
        pyo3::exceptions::PyValueError::new_err(format!($($text)*))
    };
}
pub(crate) use value;

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
        None if cause.kind() == io::ErrorKind::InvalidInput => value!("{text}"),
        None => PyOSError::new_err(text),
    }
}

pub(crate) fn of_cluster(bad: &BadCluster) -> PyErr {
    match &bad.kind {
        BadClusterKind::Read(cause) => of_system(cause, bad.to_string()),
        _ => value!("{bad}"),
    }
}

pub(crate) fn of_replay(error: &locox_models::replay::ReplayError) -> PyErr {
    ReplayError::new_err(in_python(&error.to_string()))
}

/// The option of this name, as its own type reads it.
pub(crate) fn named<T: FromStr<Err: Display>>(name: &str) -> PyResult<T> {
    name.parse().map_err(|bad: T::Err| value!("{bad}"))
}

/// The option of this name, one of all these.
pub(crate) fn one_of<T: Copy>(
    (one, several): (&str, &str),
    name: &str,
    all: impl IntoIterator<Item = T, IntoIter: Clone>,
    name_of: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    let mut all = all.into_iter();
    let names = all.clone().map(&name_of).collect::<Vec<_>>().join(", ");
    let found = all.find(|&it| name_of(it) == name);
    found.ok_or_else(|| value!("unknown {one} {name:?}; the {several} are {names}"))
}

/// What a call raises: an exception, or a fault of the kernel as one.
pub(crate) struct Fault(PyErr);

pub(crate) type Result<T, E = Fault> = std::result::Result<T, E>;

impl Fault {
    pub(crate) fn is_refusal(&self, py: Python<'_>) -> bool {
        self.0.is_instance_of::<Refused>(py)
    }
}

impl From<PyErr> for Fault {
    fn from(raised: PyErr) -> Self {
        Self(raised)
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        fault.0
    }
}

impl<R: Debug + Display, M: Into<Fault>> From<Error<R, M>> for Fault {
    fn from(why: Error<R, M>) -> Self {
        match why {
            Error::Refused(refusal) => refused(&refusal).into(),
            Error::Misused(misuse) => misuse.into(),
        }
    }
}

macro_rules! faults {
    ($($raise:ident: $($kind:ty),*;)*) => {$($(
        impl From<$kind> for Fault {
            fn from(why: $kind) -> Self {
                $raise(&why).into()
            }
        }
    )*)*};
}

faults! {
    refused: accelerator::Refusal, dispatch::Refusal, grid::Refusal, nodes::Refusal, subcube::Refusal;
    misused: accelerator::NoSuchPlacement, accelerator::NoSuchSlice, fair::Misuse, grid::BadGrid, grid::BadSides,
        grid::StorageTooSmall, mapping::BadSite, mapping::Misuse, mesh::BadShape, mesh::ParseShapeError,
        nodes::BadNodes, subcube::NoSuchNode;
    of_lease: handle::Misuse;
    of_job: dispatch::Misuse;
    of_reservation: reserve::Misuse;
}

/// Why the kernel did nothing.
pub(crate) fn refused(why: &(impl Debug + Display)) -> PyErr {
    with_reason(Refused::new_err(why.to_string()), why)
}

/// What the caller did wrong, as the kernel says it.
fn misused(why: &(impl Debug + Display)) -> PyErr {
    with_reason(Misused::new_err(why.to_string()), why)
}

fn of_lease(why: &handle::Misuse) -> PyErr {
    of_handle("lease", "pool", why)
}

fn of_job(why: &dispatch::Misuse) -> PyErr {
    match why {
        dispatch::Misuse::Handle(bad) => of_handle("job", "queue", bad),
        other => misused(other),
    }
}

fn of_reservation(why: &reserve::Misuse) -> PyErr {
    match why {
        reserve::Misuse::Handle(bad) => of_handle("reservation", "timeline or profile", bad),
        other => misused(other),
    }
}

/// What is wrong with a handle, by what it is and whose.
fn of_handle(what: &str, whose: &str, why: &handle::Misuse) -> PyErr {
    let text = match why {
        handle::Misuse::Foreign => format!("the {what} belongs to another {whose}"),
        handle::Misuse::Stale => format!("the {what} has ended already"),
        other => other.to_string(),
    };
    with_reason(Misused::new_err(text), why)
}

fn with_reason(raised: PyErr, why: &impl Debug) -> PyErr {
    let reason = word(&format!("{why:?}"));
    let set = Python::attach(|py| raised.value(py).setattr("reason", reason));
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
