//! Lines of a text, however long, in bounded memory.

use std::io::{self, BufRead, Read};

/// A line that is longer is passed over: a thousand fields of a kilobyte.
pub(super) const LONGEST: u64 = 1 << 20;

/// One line, or that it is too long.
pub(super) enum Line<'a> {
    Text(&'a [u8]),
    TooLong,
}

/// The next line without its end; `None` at the end.
///
/// # Errors
///
/// Those of the source.
pub(super) fn next<'a>(
    source: &mut dyn BufRead,
    buffer: &'a mut Vec<u8>,
) -> io::Result<Option<Line<'a>>> {
    buffer.clear();
    let read = source.take(LONGEST + 1).read_until(b'\n', buffer)?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 > LONGEST && buffer.last() != Some(&b'\n') {
        source.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    let text = buffer.strip_suffix(b"\n").unwrap_or(buffer);
    Ok(Some(Line::Text(text.strip_suffix(b"\r").unwrap_or(text))))
}
