//! Lines of a text, however long, in bounded memory.

use super::error::SacctErrorKind;
use std::io::{BufRead, Read};

/// Bytes of the longest line: a thousand fields of a kilobyte.
const LONGEST: u64 = 1 << 20;

/// The next line, which has this number, without its end; `None` at the end.
///
/// # Errors
///
/// [`SacctErrorKind::Read`], [`SacctErrorKind::LongLine`].
pub(super) fn next<'a>(
    source: &mut dyn BufRead,
    number: u64,
    buffer: &'a mut Vec<u8>,
) -> Result<Option<&'a [u8]>, SacctErrorKind> {
    buffer.clear();
    let read = source.take(LONGEST + 1).read_until(b'\n', buffer);
    let read = read.map_err(SacctErrorKind::Read)?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 > LONGEST {
        return Err(SacctErrorKind::LongLine { line: number, most: LONGEST });
    }
    let text = buffer.strip_suffix(b"\n").unwrap_or(buffer);
    Ok(Some(text.strip_suffix(b"\r").unwrap_or(text)))
}
