//! Frames: a number and a value in postcard with a CRC-32, in COBS behind a byte that no line of words begins with,
//! between two zeros.

use crate::Fault;
use crc::{CRC_32_ISO_HDLC, Crc};
use serde::{Deserialize, Serialize};

/// Bytes of the longest value with its number and CRC.
const CONTENTS: usize = 160;
/// What a frame begins with, and no line of words: nobody types it.
pub(crate) const START: u8 = 1;
/// Bytes between two zeros at the most.
pub(crate) const LONGEST: usize = 1 + cobs::max_encoding_length(CONTENTS);

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A frame, with both zeros.
pub type Frame = heapless::Vec<u8, { LONGEST + 2 }>;

/// The frame of a request with any number, or of the reply to that; `None` if the value is longer than any of these.
pub fn encode(number: u32, value: &impl Serialize) -> Option<Frame> {
    let (mut contents, mut coded) = ([0; CONTENTS], [0; LONGEST]);
    let contents = postcard::to_slice_crc32(&(number, value), &mut contents, CRC.digest()).ok()?;
    let length = cobs::try_encode(contents, &mut coded).ok()?;
    let coded = coded.get(..length)?;
    let mut frame = Frame::new();
    frame.extend_from_slice(&[0, START]).ok()?;
    frame.extend_from_slice(coded).ok()?;
    frame.push(0).ok()?;
    Some(frame)
}

/// The number and the value of the bytes between two zeros, which are decoded in place.
///
/// # Errors
///
/// [`Fault::Damaged`], [`Fault::Unknown`].
pub fn decode<'a, T: Deserialize<'a>>(coded: &'a mut [u8]) -> Result<(u32, T), Fault> {
    let (start, coded) = coded.split_first_mut().ok_or(Fault::Damaged)?;
    if *start != START {
        return Err(Fault::Damaged);
    }
    let length = decode_in_place(coded).ok_or(Fault::Damaged)?;
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

/// Undoes COBS; how many bytes are left. The one of `cobs` does the same and holds a panic, which a
/// line that says anything must not come near.
fn decode_in_place(coded: &mut [u8]) -> Option<usize> {
    let (mut from, mut to) = (0, 0);
    while let Some(&code) = coded.get(from) {
        // The code counts itself and a run of bytes; a zero follows, unless the run is the last or longest.
        let end = if code == 0 { return None } else { from + usize::from(code) };
        let is_followed = code != u8::MAX && end < coded.len();
        for at in from + 1..end {
            let byte = *coded.get(at)?;
            *coded.get_mut(to)? = byte;
            to += 1;
        }
        if is_followed {
            *coded.get_mut(to)? = 0;
            to += 1;
        }
        from = end;
    }
    Some(to)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, decode_in_place};

    #[test]
    fn frames_of_any_length_come_back() {
        for length in 0..=LONGEST {
            for zeros in 1..9 {
                let bytes: [u8; LONGEST] =
                    core::array::from_fn(|at| if at % zeros == 0 { 0 } else { at as u8 });
                let (bytes, mut coded) = (&bytes[..length], [0; 2 * LONGEST]);
                let end = cobs::encode(bytes, &mut coded);
                assert_eq!(decode_in_place(&mut coded[..end]), Some(length));
                assert_eq!(&coded[..length], bytes);
            }
        }
    }

    #[test]
    fn what_is_no_frame_is_decoded_as_by_cobs() {
        let mut number = 1u32;
        for length in 1..64 {
            for _ in 0..200 {
                let bytes: [u8; 64] = core::array::from_fn(|_| {
                    number = number.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                    1 + (number >> 24) as u8 % if number & 64 == 0 { 9 } else { 60 }
                });
                let (mut ours, mut theirs) = (bytes, bytes);
                let decoded = decode_in_place(&mut ours[..length]);
                assert_eq!(decoded, cobs::decode_in_place(&mut theirs[..length]).ok());
                let decoded = decoded.unwrap_or(0);
                assert_eq!(ours[..decoded], theirs[..decoded]);
            }
        }
    }
}
