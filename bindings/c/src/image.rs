//! Images, word by word, in the caller's buffers.

use crate::memory::*;
use crate::status::locox_status::*;
use locox::coordinate::BadImage;
use locox::error::Error;
use locox::invariant::InvariantViolation;

/// Writes the image of a structure as far as there is room, and how many words it has.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn write<O: Opaque>(
    pointer: *const O,
    (image, len): (*mut u32, usize),
    written: *mut usize,
    export: impl FnOnce(&mut O::Body, &mut dyn FnMut(u32)),
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (written, room) = (out(written)?, outputs(image, len)?);
        let (mut words, mut free) = (0usize, room.iter_mut());
        of(pointer, |it| {
            export(it, &mut |word| {
                words = words.saturating_add(1);
                if let Some(place) = free.next() {
                    place.write(word);
                }
            });
            Ok(())
        })?;
        if words > len {
            return Err(LOCOX_TOO_SHORT.with_len(words));
        }
        written.put(words)
    }
}

/// Functions of what has names and goes on from an image in another epoch: `$it` is what has the methods.
macro_rules! restarts {
    ($name:ident: $begin:ident, $export:ident, $restore:ident, $check:ident; |$body:ident| $it:expr) => {
        $crate::interface::interface! {
            /// Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
            /// but those of the last epoch for what is there already. `epoch` is never used twice.
            fn $begin(structure: *mut $name, epoch: u16) {
                on(structure, |$body| {
                    $it.begin(locox::handle::Epoch(epoch));
                    Ok(())
                })
            }

            /// Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
            /// must be; what is in `image` is of no use then.
            fn $export(
                structure: *const $name, image: *mut u32, len: usize, written: *mut usize; detail
            ) {
                $crate::image::write(structure, (image, len), written, |$body, put| $it.export(put))
            }

            /// Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
            /// `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
            fn $restore(structure: *mut $name, image: *const u32, len: usize, epoch: u16) {
                let image = inputs(image, len)?;
                on(structure, |$body| {
                    let words = &mut $crate::image::reader(image);
                    Ok($it.restore(words, locox::handle::Epoch(epoch))?)
                })
            }

            /// Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
            /// be seen.
            fn $check(structure: *const $name) {
                of(structure, |$body| Ok($it.check_invariants()?))
            }
        }
    };
}
pub(crate) use restarts;

/// A function of what can also go on in the epoch of an image.
macro_rules! loads {
    ($name:ident: $load:ident; |$body:ident| $it:expr) => {
        $crate::interface::interface! {
            /// Takes the state of an image exactly, in the epoch in which it was made. It is for a journal of the caller's:
            /// whoever makes the calls again that followed gets the names that those gave. After `LOCOX_BAD_IMAGE` all is
            /// as new.
            fn $load(structure: *mut $name, image: *const u32, len: usize) {
                let image = inputs(image, len)?;
                on(structure, |$body| Ok($it.load(&mut $crate::image::reader(image))?))
            }
        }
    };
}
pub(crate) use loads;

/// The words of an image.
pub(crate) fn reader(image: &[u32]) -> impl Iterator<Item = u32> + '_ {
    image.iter().copied()
}

impl From<BadImage> for Fault {
    fn from(bad: BadImage) -> Self {
        use BadImage::*;
        match bad {
            NoImage => LOCOX_NO_IMAGE.into(),
            TooShort | Damaged | Contradiction(_) => LOCOX_BAD_IMAGE.into(),
            OtherKind | OtherVersion | OtherPool | OtherConfiguration | OtherSize => {
                LOCOX_OTHER_IMAGE.into()
            }
            _ => LOCOX_UNKNOWN.into(),
        }
    }
}

impl From<InvariantViolation> for Fault {
    fn from(_: InvariantViolation) -> Self {
        LOCOX_INVARIANT_VIOLATION.into()
    }
}

impl<R: Into<Fault>, M: Into<Fault>> From<Error<R, M>> for Fault {
    fn from(error: Error<R, M>) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Misused(misuse) => misuse.into(),
        }
    }
}
