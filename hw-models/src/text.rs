//! Texts that are read whole.

use crate::swf::uncompressed;
use std::io::{self, Read};

/// Bytes of the longest one: what its lines are made into fits into a gigabyte. A device, or a small
/// file that is large when it is unpacked, would otherwise take all memory.
pub const LONGEST: u64 = 1 << 27;

/// All of `input`, plain, gzip or xz, as its content says.
///
/// # Errors
///
/// Those of `input`; that it is no text, or longer than [`LONGEST`].
pub(crate) fn whole(input: impl Read + Send + 'static) -> io::Result<String> {
    let (_, source) = uncompressed(input)?;
    bounded(source, LONGEST)
}

/// All of `input`, of so many bytes at most.
///
/// # Errors
///
/// Those of `input`; that it is no text, or longer.
///
/// ```
/// use locox_models::text::bounded;
/// assert_eq!(bounded(&b"text"[..], 4).unwrap(), "text");
/// let error = bounded(std::io::repeat(b'0'), 1 << 20).unwrap_err();
/// assert_eq!(error.to_string(), "it has over 1048576 bytes, the most that is read");
/// ```
pub fn bounded(input: impl Read, most: u64) -> io::Result<String> {
    let text = String::from_utf8(bytes(input, most)?);
    text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// The same for what is no text.
///
/// # Errors
///
/// Those of `input`, and that it is longer.
pub fn bytes(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has over {most} bytes, the most that is read")));
    }
    Ok(bytes)
}
