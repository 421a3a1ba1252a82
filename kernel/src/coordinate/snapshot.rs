//! The state of a coordinator as an image, and back: all of it, or as new.

use super::{BadImage, Coordinate, Identity, Place, Reader, Writer};
use crate::time::Instant;

/// Writes an image of what `store` stores. It does so twice: to count the words, and to write them.
pub(crate) fn write_image(
    identity: &Identity,
    place: Place,
    put: impl FnMut(u32),
    store: impl Fn(&mut dyn FnMut(u32)),
) {
    let mut length = 0u32;
    store(&mut |_| length = length.wrapping_add(1));
    let mut writer = Writer::new(identity, place, length, put);
    store(&mut |word| writer.put(word));
    writer.finish();
}

/// Gives the next word of an image.
pub(crate) type Take<'a> = dyn FnMut() -> Result<u32, BadImage> + 'a;

/// Has `load` take what lies in an image. If that is bad it is forgotten: all is as new, at the
/// present time.
pub(crate) fn read_image<T: Coordinate>(
    to: &mut T,
    words: impl Iterator<Item = u32>,
    load: impl FnOnce(&mut T, &mut Take<'_>) -> Result<(), BadImage>,
    forget: impl FnOnce(&mut T, Instant),
) -> Result<Place, BadImage> {
    let (mut reader, place) = Reader::open(words, &to.identity())?;
    let now = to.now();
    let contents = load(to, &mut || reader.word());
    let read = reader.finish(contents);
    let sound = |()| to.check_invariants().map_err(|broken| BadImage::Contradiction(broken.0));
    if let Err(bad) = read.and_then(sound) {
        forget(to, now);
        return Err(bad);
    }
    Ok(place)
}
