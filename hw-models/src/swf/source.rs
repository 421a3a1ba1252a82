//! Plain or compressed bytes, by what the content begins with.

use super::{Compression, SwfErrorKind};
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B];
const XZ_MAGIC: &[u8] = &[0xFD, b'7', b'z', b'X', b'Z', 0];

impl Compression {
    /// What a failure to read says about the file.
    pub(super) fn failure(self, error: io::Error) -> SwfErrorKind {
        // A decoder's own errors do not come from the operating system; not all have a kind.
        let from_decoder = self != Self::Plain && error.raw_os_error().is_none();
        match error.kind() {
            _ if !from_decoder => SwfErrorKind::Read(error),
            ErrorKind::UnexpectedEof => SwfErrorKind::Truncated(self),
            _ => SwfErrorKind::Damaged(self, error.to_string()),
        }
    }
}

/// What text in UTF-8 may begin with, and is no part of it.
const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

const UTF16: [&[u8]; 2] = [&[0xFF, 0xFE], &[0xFE, 0xFF]];

/// Formats that people keep traces in, by how their files begin.
const FOREIGN: [(&[u8], &str); 4] = [
    (b"BZh", "a bzip2 file"),
    (b"PK\x03\x04", "a zip archive"),
    (&[0x28, 0xB5, 0x2F, 0xFD], "a zstd file"),
    (&[b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
];

/// The format of a file that begins so, if it is one that is not read.
fn foreign(magic: &[u8]) -> Option<SwfErrorKind> {
    if UTF16.iter().any(|mark| magic.starts_with(mark)) {
        return Some(SwfErrorKind::Utf16);
    }
    let found = FOREIGN.iter().find(|(begin, _)| magic.starts_with(begin));
    found.map(|&(_, name)| SwfErrorKind::Foreign(name))
}

/// The uncompressed bytes of `input`, and how they were compressed.
///
/// # Errors
///
/// [`SwfErrorKind::Read`], or what else the file is.
pub(crate) fn uncompressed(
    mut input: impl Read + Send + 'static,
) -> Result<(Compression, Box<dyn BufRead + Send>), SwfErrorKind> {
    let mut magic = Vec::with_capacity(XZ_MAGIC.len());
    input
        .by_ref()
        .take(XZ_MAGIC.len() as u64)
        .read_to_end(&mut magic)
        .map_err(SwfErrorKind::Read)?;
    if let Some(kind) = foreign(&magic) {
        return Err(kind);
    }
    if magic.starts_with(BYTE_ORDER_MARK) {
        magic.drain(..BYTE_ORDER_MARK.len());
    }
    let gzip = magic.starts_with(GZIP_MAGIC);
    let xz = magic.starts_with(XZ_MAGIC);
    let whole = BufReader::new(Cursor::new(magic).chain(input));
    Ok(if gzip {
        (Compression::Gzip, Box::new(BufReader::new(MultiGzDecoder::new(whole))))
    } else if xz {
        (Compression::Xz, Box::new(BufReader::new(XzReader::new(whole, true))))
    } else {
        (Compression::Plain, Box::new(whole))
    })
}
