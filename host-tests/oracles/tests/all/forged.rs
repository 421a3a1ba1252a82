//! Images of which words were altered, under checksums that fit: what is said of each.

use crc::{CRC_32_ISO_HDLC, Crc};
use locox::image::BadImage;
use std::collections::BTreeMap;

/// Words of the envelope before the contents; the last of them seals the others.
pub(crate) const HEAD: usize = 10;

fn crc(words: &[u32]) -> u32 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(&bytes)
}

/// Makes the checksums fit.
pub(crate) fn seal(mut image: Vec<u32>) -> Vec<u32> {
    image[HEAD - 1] = crc(&image[..HEAD - 1]);
    let last = image.len() - 1;
    image[last] = crc(&image[..last]);
    image
}

/// The images that differ from this one in a word of their contents.
pub(crate) fn of_one_word(image: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let changes: [fn(u32) -> u32; 7] = [
        |_| 0,
        |word| word.wrapping_add(1),
        |word| word.wrapping_sub(1),
        |word| word ^ 2,
        |word| word ^ 1 << 16,
        |word| word ^ 1 << 31,
        |word| !word,
    ];
    let places = HEAD..image.len() - 1;
    places.flat_map(move |at| changes.map(|change| (at, change(image[at])))).filter_map(|it| {
        let (at, word) = it;
        let mut forged = image.to_vec();
        forged[at] = word;
        (word != image[at]).then(|| seal(forged))
    })
}

/// Those in which a word of the contents is a small number, such as may count or name something.
pub(crate) fn of_small_words(image: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let places = HEAD..image.len() - 1;
    places.flat_map(|at| (1..12).map(move |word| (at, word))).filter_map(|(at, word)| {
        let mut forged = image.to_vec();
        forged[at] = word;
        (word != image[at]).then(|| seal(forged))
    })
}

/// The images that differ from this one in two words of their contents, each in the place of the other.
pub(crate) fn of_two_words(image: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let places = HEAD..image.len() - 1;
    let pairs = places.clone().flat_map(move |a| (a + 1..places.end).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| image[a] != image[b]).map(|(a, b)| {
        let mut forged = image.to_vec();
        forged.swap(a, b);
        seal(forged)
    })
}

/// Those in which two words of the contents are this number.
pub(crate) fn of_equal_words(image: &[u32], word: u32) -> impl Iterator<Item = Vec<u32>> {
    let places = HEAD..image.len() - 1;
    let pairs = places.clone().flat_map(move |a| (a + 1..places.end).map(move |b| (a, b)));
    pairs.map(move |(a, b)| {
        let mut forged = image.to_vec();
        (forged[a], forged[b]) = (word, word);
        seal(forged)
    })
}

/// How many images were taken, and how many refused, by what was said of them.
pub(crate) fn said(
    images: impl Iterator<Item = Vec<u32>>,
    mut load: impl FnMut(Vec<u32>) -> Result<(), BadImage>,
) -> Vec<(String, usize)> {
    let mut said = BTreeMap::new();
    for image in images {
        let what = match load(image) {
            Ok(()) => "taken".into(),
            Err(BadImage::Contradiction(what)) => what.into(),
            Err(bad) => bad.to_string(),
        };
        *said.entry(what).or_insert(0) += 1;
    }
    said.into_iter().collect()
}

/// Compares with what is known to be said.
pub(crate) fn agree(said: &[(String, usize)], known: &[(&str, usize)]) {
    let said: Vec<(&str, usize)> = said.iter().map(|(what, times)| (&**what, *times)).collect();
    assert_eq!(said, known, "\n{said:#?}");
}
