//! Texts that are read whole.

use crate::memory::{available, megabytes};
use crate::swf::uncompressed;
use std::io::{self, Read};

/// Bytes of the longest one. A pipe, or a small file that is large when it is unpacked, would otherwise take all memory.
pub const LONGEST: u64 = 1 << 27;

/// Bytes that what is made of a text takes for each of its bytes, and for each line, at most.
const OF_BYTE: u64 = 24;
const OF_LINE: u64 = 200;
/// Of shorter texts that is little.
const SHORT: u64 = 1 << 20;

/// All of `input`, plain, gzip or xz, as its content says.
///
/// # Errors
///
/// As of [`bounded`], with [`LONGEST`].
pub fn whole(input: impl Read + Send + 'static) -> io::Result<String> {
    let (_, source) = uncompressed(input)?;
    bounded(source, LONGEST)
}

/// All of `input`, of so many bytes at most.
///
/// # Errors
///
/// Those of `input`; that it is no text, or longer, or that there is no memory for what will be made of it.
///
/// ```
/// use locox_models::text::bounded;
/// assert_eq!(bounded(&b"text"[..], 4).unwrap(), "text");
/// let error = bounded(std::io::repeat(b'0'), 1 << 20).unwrap_err();
/// assert_eq!(error.to_string(), "it has over 1048576 bytes, the most that is read");
/// ```
pub fn bounded(input: impl Read, most: u64) -> io::Result<String> {
    let bytes = bytes(input, most)?;
    if bytes.len() as u64 > SHORT {
        has_room(&bytes)?;
    }
    let text = String::from_utf8(bytes);
    text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Whether there is memory for what will be made of a text.
fn has_room(text: &[u8]) -> io::Result<()> {
    let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let needed = text.len() as u64 * OF_BYTE + lines * OF_LINE;
    let Some(free) = available().filter(|&free| free < needed) else { return Ok(()) };
    let (needed, free) = (megabytes(needed), megabytes(free));
    Err(io::Error::other(format!("it takes up to {needed}, and {free} is free; split it")))
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
