//! States that no call leads to: words of an image, or of storage, are altered one at a time. What is said of
//! them is counted, so that an invariant which is no longer looked at shows.

use crc::{CRC_32_ISO_HDLC, Crc};
use locox::coordinate::BadImage;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What was said, and of how many states.
pub(crate) type Said = BTreeMap<String, usize>;

/// Words of the head of an image, whose seal is the last one.
const HEAD: usize = 10;

/// The checksums of an altered image, made to fit.
fn reseal(words: &mut [u32]) {
    let crc = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(&bytes)
    };
    words[HEAD - 1] = crc(&words[..HEAD - 1]);
    let last = words.len() - 1;
    words[last] = crc(&words[..last]);
}

/// Each word of the contents of an image becomes each of some others: small numbers, those beside it, and
/// such that differ in a bit.
pub(crate) fn images(
    image: &[u32],
    mut load: impl FnMut(Vec<u32>) -> Result<(), BadImage>,
) -> Said {
    let mut said = Said::new();
    for at in HEAD..image.len() - 1 {
        let word = image[at];
        let bits = [8, 16, 17, 31].map(|bit| word ^ 1 << bit);
        let beside = [word.wrapping_add(1), word.wrapping_sub(1), !word];
        let mut others: Vec<u32> = (0..12).chain(bits).chain(beside).collect();
        others.sort_unstable();
        others.dedup();
        for other in others.into_iter().filter(|other| *other != word) {
            let mut altered = image.to_vec();
            altered[at] = other;
            reseal(&mut altered);
            let what = match load(altered) {
                Ok(()) => "taken".to_string(),
                Err(BadImage::Contradiction(what)) => what.to_string(),
                Err(other) => other.to_string(),
            };
            *said.entry(what).or_default() += 1;
        }
    }
    said
}

/// A change of a word: which one, and to what.
pub(crate) type Change = (usize, fn(usize) -> usize);

/// Storage of words, of which a change is seen in copies made from now on, but cannot be written to.
pub(crate) struct Storage {
    words: Vec<usize>,
    altered: OnceCell<Vec<usize>>,
    pub(crate) change: Rc<Cell<Option<Change>>>,
}

impl Storage {
    pub(crate) fn new(words: usize) -> Self {
        Self { words: vec![0; words], altered: OnceCell::new(), change: Rc::default() }
    }
}

impl Clone for Storage {
    fn clone(&self) -> Self {
        let (words, change) = (self.words.clone(), Rc::clone(&self.change));
        Self { words, altered: OnceCell::new(), change }
    }
}

impl AsRef<[usize]> for Storage {
    fn as_ref(&self) -> &[usize] {
        let Some((at, to)) = self.change.get() else { return &self.words };
        self.altered.get_or_init(|| {
            let mut words = self.words.clone();
            words[at] = to(words[at]);
            words
        })
    }
}

impl AsMut<[usize]> for Storage {
    fn as_mut(&mut self) -> &mut [usize] {
        &mut self.words
    }
}

/// Each of so many words becomes each of some others.
pub(crate) fn words(words: usize, mut look: impl FnMut(Change) -> Result<(), String>) -> Said {
    let others: [fn(usize) -> usize; 6] = [
        |_| 0,
        |_| 1,
        |it| it.wrapping_add(1),
        |it| it.wrapping_sub(1),
        |it| it ^ 1 << 40,
        |it| it ^ 4,
    ];
    let mut said = Said::new();
    for at in 0..words {
        for to in others {
            let what = look((at, to)).map_or_else(|what| what, |()| "nothing".into());
            *said.entry(what).or_default() += 1;
        }
    }
    said
}

/// What is expected to be said.
pub(crate) fn said<const N: usize>(counts: [(&str, usize); N]) -> Said {
    counts.map(|(what, count)| (what.to_string(), count)).into()
}
