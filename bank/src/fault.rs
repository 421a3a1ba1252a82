//! What is wrong with bytes.

use core::fmt;
use serde::{Deserialize, Serialize};

/// Why bytes are no request. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// More bytes than any request has; they were dropped up to the next end.
    Oversized,
    /// A frame or a line of words has no end: the line became quiet, or a zero cut the words. Also the rest of such a line.
    Cut,
    /// The frame is no COBS, or its CRC is another.
    Damaged,
    /// The frame is whole, but no request.
    Unknown,
    /// The line of words is no text.
    NoText,
    /// There is no such word to begin with.
    NoSuchWord,
    /// A word is missing.
    Missing,
    /// A word is no number, name or whatever is expected in its place.
    Unfit,
    /// There are words behind the last one.
    Excess,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Oversized => "longer than any request",
            Self::Cut => "it has no end: silence or a zero byte cut it",
            Self::Damaged => "the frame is damaged",
            Self::Unknown => "the frame is no request",
            Self::NoText => "the line is no text",
            Self::NoSuchWord => "no such word: try help",
            Self::Missing => "a word is missing: try help",
            Self::Unfit => "a word is not what is expected in its place: try help",
            Self::Excess => "too many words: try help",
        })
    }
}

impl core::error::Error for Fault {}
