//! Frames: a value in postcard with a CRC-32, in COBS, between two zeros.

use crate::Fault;
use crc::{CRC_32_ISO_HDLC, Crc};
use serde::{Deserialize, Serialize};

/// Bytes of the longest value with its CRC.
const CONTENTS: usize = 160;
/// Bytes between two zeros at the most.
pub(crate) const LONGEST: usize = cobs::max_encoding_length(CONTENTS);

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A frame, with both zeros.
pub type Frame = heapless::Vec<u8, { LONGEST + 2 }>;

/// The frame of a value; `None` if that is longer than any request or reply.
pub fn encode(value: &impl Serialize) -> Option<Frame> {
    let (mut contents, mut coded) = ([0; CONTENTS], [0; LONGEST]);
    let contents = postcard::to_slice_crc32(value, &mut contents, CRC.digest()).ok()?;
    let length = cobs::try_encode(contents, &mut coded).ok()?;
    let coded = coded.get(..length)?;
    let mut frame = Frame::new();
    frame.push(0).ok()?;
    frame.extend_from_slice(coded).ok()?;
    frame.push(0).ok()?;
    Some(frame)
}

/// The value of what stands between two zeros, which is decoded in place.
///
/// # Errors
///
/// [`Fault::Damaged`], [`Fault::Unknown`].
pub fn decode<'a, T: Deserialize<'a>>(coded: &'a mut [u8]) -> Result<T, Fault> {
    let length = cobs::decode_in_place(coded).map_err(|_| Fault::Damaged)?;
    let contents = coded.get(..length).ok_or(Fault::Damaged)?;
    let (value, seal) = contents.split_last_chunk().ok_or(Fault::Damaged)?;
    if CRC.checksum(value) != u32::from_le_bytes(*seal) {
        return Err(Fault::Damaged);
    }
    match postcard::take_from_bytes(value) {
        Ok((value, [])) => Ok(value),
        _ => Err(Fault::Unknown),
    }
}
