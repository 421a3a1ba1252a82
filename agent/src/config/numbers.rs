//! Numbers that are checked.

use super::error::{Fault, Wrong};
use std::ops::RangeInclusive;
use toml::{Spanned, Value};

/// A number that may be left out.
pub(super) fn number(
    field: &'static str,
    said: &Option<Spanned<Value>>,
    usual: u64,
    range: RangeInclusive<u64>,
) -> Result<u64, Wrong> {
    said.as_ref().map_or(Ok(usual), |said| in_range(field, said, range))
}

pub(super) fn in_range(
    field: &'static str,
    said: &Spanned<Value>,
    range: RangeInclusive<u64>,
) -> Result<u64, Wrong> {
    let (found, least, most) = (said.get_ref(), *range.start(), *range.end());
    let number = found.as_integer().and_then(|number| u64::try_from(number).ok());
    number.filter(|number| range.contains(number)).ok_or_else(|| {
        (said.span().start, Fault::Range { field, found: shown(found), least, most })
    })
}

/// A value as it is written; of those that are long, what they are.
fn shown(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(is) => is.to_string(),
        Value::String(text) => format!("{text:?}"),
        other => format!("({})", other.type_str()),
    }
}
