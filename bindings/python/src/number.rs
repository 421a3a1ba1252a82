//! Numbers and columns that Python gives, whatever holds them there.

use super::error::value;
use locox::bits::Word;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyIterator};
use std::fmt::{self, Display, Formatter};

/// A number that is unknown, in columns of whole numbers.
pub(crate) const UNKNOWN: i64 = -1;

/// A whole number from `least` to `most`.
///
/// # Errors
///
/// `TypeError` if it is no whole number, `ValueError` if it is another one.
pub(crate) fn whole(
    name: &str,
    given: &Bound<'_, PyAny>,
    (least, most): (u64, u64),
) -> PyResult<u64> {
    let found = u64::try_from(integer(name, given)?).ok();
    found
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| value!("{name} is {}, and must be {least} to {most}", shown(given)))
}

/// A number that the structure bounds which it is for: what is more than there is room for is as much as
/// there is.
///
/// # Errors
///
/// `TypeError` if it is no whole number, `ValueError` if it is negative.
pub(crate) fn count(name: &str, given: &Bound<'_, PyAny>) -> PyResult<u32> {
    let number = integer(name, given)?;
    if number < 0 {
        return Err(value!("{name} is {}, and must not be negative", shown(given)));
    }
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}

/// A number whose bounds are known later, with its text for messages.
pub(crate) struct Wide {
    number: i128,
    shown: String,
}

impl Wide {
    /// Itself if it is from 1 to `most`.
    pub(crate) fn up_to(&self, most: usize) -> Option<usize> {
        usize::try_from(self.number).ok().filter(|number| (1..=most).contains(number))
    }
}

impl From<u32> for Wide {
    fn from(number: u32) -> Self {
        Self { number: number.into(), shown: number.to_string() }
    }
}

impl Display for Wide {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown)
    }
}

/// # Errors
///
/// `TypeError` if it is no whole number.
pub(crate) fn wide(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Wide> {
    Ok(Wide { number: integer(name, given)?, shown: shown(given) })
}

/// Beyond 128 bits, the number with its sign that is nearest.
fn integer(name: &str, given: &Bound<'_, PyAny>) -> PyResult<i128> {
    let py = given.py();
    given.extract::<i128>().or_else(|raised| {
        if raised.is_instance_of::<PyOverflowError>(py) {
            return Ok(if given.lt(0)? { i128::MIN } else { i128::MAX });
        }
        if raised.is_instance_of::<PyTypeError>(py) && !given.hasattr("__index__")? {
            return Err(wrong(name, given, "a whole number"));
        }
        Err(raised)
    })
}

/// A `TypeError`: what was given is of another kind than `what`.
pub(crate) fn wrong(name: &str, given: &Bound<'_, PyAny>, what: &str) -> PyErr {
    PyTypeError::new_err(format!("{name} is {}, and must be {what}", shown(given)))
}

/// For messages: short, and one line.
pub(crate) fn shown(given: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let text = given.repr().map_or_else(|_| "something".into(), |it| it.to_string());
    let text = text.replace('\n', " ");
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain("...".chars()).collect()
}

/// A column of whole numbers, from whatever numpy makes an array of one dimension of. Where `unknown`
/// values may stand, `None`, `NaN` and `pandas.NA` are such.
///
/// # Errors
///
/// `TypeError` of what is no column of numbers, `ValueError` of what is not whole; they name the column
/// and the place.
pub(crate) fn column(name: &str, given: &Bound<'_, PyAny>, unknown: bool) -> PyResult<Vec<i64>> {
    let numpy = given.py().import("numpy")?;
    let no_column = |raised: PyErr| {
        // An interrupt, or no memory, is nothing about the column.
        if !raised.is_instance_of::<PyTypeError>(given.py())
            && !raised.is_instance_of::<PyValueError>(given.py())
        {
            return raised;
        }
        wrong(name, given, "a column of whole numbers")
    };
    let is_masked = numpy.getattr("ma")?.call_method1("isMaskedArray", (given,))?.extract()?;
    // A list has `None` for what is masked.
    let given = &if is_masked { given.call_method0("tolist")? } else { given.clone() };
    let mut array = numpy.call_method1("asarray", (given,)).map_err(no_column)?;
    let kind =
        |array: &Bound<'_, PyAny>| array.getattr("dtype")?.getattr("kind")?.extract::<String>();
    // Of a list with large numbers numpy makes floats, which are others.
    if !given.hasattr("dtype")? && kind(&array)? == "f" {
        array = numpy.call_method1("asarray", (given, "object")).map_err(no_column)?;
    }
    let dimensions: usize = array.getattr("ndim")?.extract()?;
    if dimensions != 1 {
        return Err(value!("{name} has {dimensions} dimensions, and a column has 1"));
    }
    let column = Column { name, unknown };
    let as_type = |name: &str| array.call_method1("astype", (name,));
    match &*kind(&array)? {
        "i" if array.cast::<PyArray1<i64>>().is_ok() => values(&array),
        "i" => values(&as_type("int64")?),
        "u" => {
            let numbers: Vec<u64> = values(&as_type("uint64")?)?;
            let fits = |(at, it)| i64::try_from(it).map_err(|_| column.large(at, it));
            given.py().detach(|| numbers.into_iter().enumerate().map(fits).collect())
        }
        "f" => {
            let numbers: Vec<f64> = values(&as_type("float64")?)?;
            let number = |(at, it)| column.of_float(at, it);
            given.py().detach(|| numbers.into_iter().enumerate().map(number).collect())
        }
        "O" => {
            let number = |(at, it): (usize, PyResult<_>)| {
                if at.is_multiple_of(OTHERS_TURN) {
                    given.py().check_signals()?;
                    given.py().detach(|| ());
                }
                column.of_any(at, &it?)
            };
            array.try_iter()?.enumerate().map(number).collect()
        }
        _ => {
            let holds = array.getattr("dtype")?;
            Err(PyTypeError::new_err(format!("{name} holds {holds}, and must hold whole numbers")))
        }
    }
}

/// Those of an array of just this type.
pub(crate) fn values<T: Element + Clone>(array: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    Ok(array.cast::<PyArray1<T>>()?.try_readonly()?.as_array().to_vec())
}

/// After so many objects other threads have their turn.
const OTHERS_TURN: usize = 1 << 14;

struct Column<'a> {
    name: &'a str,
    unknown: bool,
}

impl Column<'_> {
    fn large(&self, at: usize, number: impl Display) -> PyErr {
        value!("{}[{at}] is {number}, beyond numbers of 64 bits", self.name)
    }

    fn not_whole(&self, at: usize, what: impl Display) -> PyErr {
        value!("{}[{at}] is {what}, and must be a whole number", self.name)
    }

    fn missing(&self, at: usize) -> PyResult<i64> {
        if self.unknown {
            return Ok(UNKNOWN);
        }
        Err(self.not_whole(at, "missing"))
    }

    fn of_float(&self, at: usize, number: f64) -> PyResult<i64> {
        const BEYOND: f64 = 9_223_372_036_854_775_808.0;
        if number.is_nan() {
            return self.missing(at);
        }
        if number.abs() >= BEYOND {
            return Err(self.large(at, number));
        }
        if number.fract() != 0.0 {
            return Err(self.not_whole(at, number));
        }
        Ok(number as i64)
    }

    fn of_any(&self, at: usize, item: &Bound<'_, PyAny>) -> PyResult<i64> {
        if item.is_none() || item.get_type().name()? == "NAType" {
            return self.missing(at);
        }
        match item.extract::<i64>() {
            Ok(number) => return Ok(number),
            Err(raised) if !raised.is_instance_of::<PyTypeError>(item.py()) => {
                return Err(self.large(at, shown(item)));
            }
            Err(_) => {}
        }
        match item.extract::<f64>() {
            Ok(number) => self.of_float(at, number),
            Err(_) => Err(self.not_whole(at, shown(item))),
        }
    }
}

/// A list of whole numbers, or a single one, each as [`count`] takes it.
///
/// # Errors
///
/// As those of [`column`] and of [`count`].
pub(crate) fn list(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if given.is_instance_of::<PyInt>() || given.extract::<i128>().is_ok() {
        return Ok(vec![count(name, given)?]);
    }
    each(name, given, "not be negative", |number| {
        Some(u32::try_from(u64::try_from(number).ok()?).unwrap_or(u32::MAX))
    })
}

/// A column whose numbers `of` takes; they must be as `what` says.
///
/// # Errors
///
/// As those of [`column`], and `ValueError` of the first number that it does not take.
pub(crate) fn each<T>(
    name: &str,
    given: &Bound<'_, PyAny>,
    what: &str,
    of: impl Fn(i64) -> Option<T>,
) -> PyResult<Vec<T>> {
    let sound = |(at, number)| {
        of(number).ok_or_else(|| value!("{name}[{at}] is {number}, and must {what}"))
    };
    column(name, given, false)?.into_iter().enumerate().map(sound).collect()
}

/// What an object yields one after the other; `None` if it is nothing to iterate over.
///
/// # Errors
///
/// What its own iteration raises.
pub(crate) fn items<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyIterator>>> {
    let iterates = given.hasattr("__iter__")? || given.hasattr("__getitem__")?;
    if iterates { given.try_iter().map(Some) } else { Ok(None) }
}

/// Storage of so many words, of zeros, which the system gives when they are first used.
///
/// # Errors
///
/// `ValueError` beyond a gigabyte.
pub(crate) fn words(count: usize) -> PyResult<Vec<Word>> {
    const MOST: usize = (1 << 30) / size_of::<Word>();
    if count > MOST {
        return Err(value!("that would take more than a gigabyte; ask for less room"));
    }
    Ok(vec![0; count])
}
