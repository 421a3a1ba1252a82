//! Images that were altered, with checksums that fit.

/// Where the contents of an image lie, but for the checksum at its end.
pub(crate) const fn contents() -> std::ops::RangeFrom<usize> {
    10..
}

/// CRC-32, a bit at a time.
fn crc(words: &[u32]) -> u32 {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    !bytes.fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ ((crc & 1) * 0xEDB8_8320))
    })
}

/// The image with the checksums of its head and of all of it made anew.
pub(crate) fn resealed(mut words: Vec<u32>) -> Vec<u32> {
    let (head, last) = (contents().start - 1, words.len() - 1);
    words[head] = crc(&words[..head]);
    words[last] = crc(&words[..last]);
    words
}
