//! Images of which a word was altered, under checksums that fit.

use crc::{CRC_32_ISO_HDLC, Crc};

/// Words of the envelope before the contents; the last of them seals the others.
const HEAD: usize = 10;

fn crc(words: &[u32]) -> u32 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(&bytes)
}

/// An image with another word among its contents, counted modulo how many there are.
pub(super) fn forged(mut image: Vec<u32>, at: usize, word: u32) -> Vec<u32> {
    let last = image.len() - 1;
    image[HEAD + at % (last - HEAD)] = word;
    image[last] = crc(&image[..last]);
    image
}
