//! The envelope of an image: of what it is, and that it is whole.

use super::{BadImage, Identity, Place, Stored};
use crc::{CRC_32_ISO_HDLC, Crc, Digest};

/// First word of every image: the letters `LXI` and the version of the envelope.
const MAGIC: u32 = u32::from_le_bytes(*b"LXI\x02");

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

impl Identity {
    const fn words(&self) -> [u32; 3] {
        let version = (self.pool.0 as u32) << 16 | self.version as u32;
        [u32::from_le_bytes(self.kind), version, self.configuration]
    }

    /// What an intact image of the words `of` has that is not this.
    fn compare(&self, [kind, version, configuration]: [u32; 3]) -> Result<(), BadImage> {
        let differs = [
            (kind != u32::from_le_bytes(self.kind), BadImage::OtherKind),
            (version as u16 != self.version, BadImage::OtherVersion),
            (version >> 16 != u32::from(self.pool.0), BadImage::OtherPool),
            (configuration != self.configuration, BadImage::OtherConfiguration),
        ];
        differs.into_iter().find(|(differs, _)| *differs).map_or(Ok(()), |(_, bad)| Err(bad))
    }
}

/// A number that tells one configuration, given by its numbers, from another: for an [`Identity`].
pub fn digest_of(configuration: &[u64]) -> u32 {
    digest_of_all(configuration.iter().copied())
}

/// The same of numbers that lie nowhere.
pub fn digest_of_all(numbers: impl Iterator<Item = u64>) -> u32 {
    let mut digest = CRC.digest();
    numbers.for_each(|number| digest.update(&number.to_le_bytes()));
    digest.finalize()
}

fn add(digest: &mut Digest<'static, u32>, word: u32) {
    digest.update(&word.to_le_bytes());
}

/// The last word of a record of such an identity: CRC-32 of its words and of these.
pub fn seal(identity: &Identity, words: &[u32]) -> u32 {
    let mut digest = CRC.digest();
    identity.words().iter().chain(words).for_each(|word| add(&mut digest, *word));
    digest.finalize()
}

/// Writes an image: the envelope, and in it the words that `store` passes, the same ones at each call.
pub(crate) fn write_image(
    identity: &Identity,
    place: Place,
    store: impl Fn(&mut dyn FnMut(u32)),
    put: &mut dyn FnMut(u32),
) {
    let mut length = 0u32;
    store(&mut |_| length = length.wrapping_add(1));
    let mut digest = CRC.digest();
    let mut head = |word| {
        add(&mut digest, word);
        put(word);
    };
    head(MAGIC);
    identity.words().into_iter().for_each(&mut head);
    head(length);
    place.store(&mut head);
    let seal = digest.clone().finalize();
    add(&mut digest, seal);
    put(seal);
    store(&mut |word| {
        add(&mut digest, word);
        put(word);
    });
    put(digest.finalize());
}

/// Reads an image. What it gives out is certain only when [`Reader::finish`] says so.
pub(crate) struct Reader<I> {
    words: I,
    digest: Digest<'static, u32>,
    /// Words of contents that are still to come.
    left: u32,
}

impl<I: Iterator<Item = u32>> Reader<I> {
    /// Reads the envelope up to the contents; also when it was taken.
    ///
    /// # Errors
    ///
    /// [`BadImage`] of something else than such an image, or of one that is cut or damaged before
    /// its contents.
    pub(crate) fn open(words: I, identity: &Identity) -> Result<(Self, Place), BadImage> {
        let mut reader = Self { words, digest: CRC.digest(), left: 0 };
        let magic = reader.take()?;
        let found = [reader.take()?, reader.take()?, reader.take()?];
        let length = reader.take()?;
        let place = Place::load(&mut || reader.take())?;
        if magic != MAGIC {
            return Err(BadImage::NoImage);
        }
        reader.check_seal()?;
        identity.compare(found)?;
        reader.left = length;
        Ok((reader, place))
    }

    /// `contents` if all that was written is there and intact, and nothing else. Damage goes
    /// before what was made of it.
    ///
    /// # Errors
    ///
    /// [`BadImage::TooShort`] or [`BadImage::Damaged`]; then those of `contents`.
    pub(crate) fn finish(mut self, contents: Result<(), BadImage>) -> Result<(), BadImage> {
        let has_more = self.left > 0;
        while self.left > 0 {
            self.word()?;
        }
        self.check_seal()?;
        contents?;
        if has_more { Err(BadImage::Contradiction("it has too many words")) } else { Ok(()) }
    }

    /// Compares the next word with the CRC of all before it.
    fn check_seal(&mut self) -> Result<(), BadImage> {
        let expected = self.digest.clone().finalize();
        if self.take()? == expected { Ok(()) } else { Err(BadImage::Damaged) }
    }

    fn take(&mut self) -> Result<u32, BadImage> {
        let word = self.words.next().ok_or(BadImage::TooShort)?;
        add(&mut self.digest, word);
        Ok(word)
    }

    /// The next word of the contents.
    ///
    /// # Errors
    ///
    /// [`BadImage::TooShort`], and [`BadImage::Contradiction`] behind the last one.
    pub(crate) fn word(&mut self) -> Result<u32, BadImage> {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or(BadImage::Contradiction("it has too few words"))?;
        self.take()
    }
}
