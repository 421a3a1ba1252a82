//! Images that were altered, with checksums that fit.

use crc::{CRC_32_ISO_HDLC, Crc};

/// Makes the checksums of an image fit its altered words: that of the head, and that of all.
pub(crate) fn reseal(words: &mut [u32]) {
    let crc = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(&bytes)
    };
    words[9] = crc(&words[..9]);
    let last = words.len() - 1;
    words[last] = crc(&words[..last]);
}
