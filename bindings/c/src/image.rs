//! Images, word by word, in the caller's buffers.

use crate::prelude::*;

/// Writes an image as far as there is room, and says how many words it has.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn write(
    (image, len): (*mut u32, usize),
    export: impl FnOnce(&mut dyn FnMut(u32)),
) -> Answer<usize> {
    // SAFETY: the caller keeps the contract.
    let mut room = unsafe { outputs(image, len) }?.iter_mut();
    let mut words = 0usize;
    export(&mut |word| {
        words = words.saturating_add(1);
        if let Some(place) = room.next() {
            place.write(word);
        }
    });
    if words > len { Err(LOCOX_TOO_SHORT.with_len(words)) } else { Ok(words) }
}

/// Functions of what has names and goes on from an image in another epoch, or, with `$load`, in its own: `$it` is what
/// has the methods.
macro_rules! restarts {
    ($name:ident: $begin:ident, $export:ident, $restore:ident, $check:ident $(, $load:ident)?; |$body:ident| $it:expr) => {
        $crate::interface::methods! { structure: $name |$body| $it =>
            /// Begins another epoch, in one that is built anew after a restart. Names from before are stale then,
            /// but those of the last epoch for what is there already. `epoch` is never used twice.
            act fn $begin(epoch: u16) { $body.begin(locox::handle::Epoch(epoch)) }

            /// Writes an image, and how many words it has to `written`. `LOCOX_TOO_SHORT` says how many there
            /// must be; what is in `image` is of no use then.
            look fn $export(image: *mut u32, len: usize) -> (written: usize; detail) {
                $crate::image::write((image, len), |put| $body.export(put))?
            }

            /// Goes on from an image of the same kind, machine and rules, in an epoch that was never used. After
            /// `LOCOX_BAD_IMAGE` all is as new, but for the epoch.
            act fn $restore(image: *const u32, len: usize, epoch: u16) {
                let words = &mut inputs(image, len)?.iter().copied();
                $body.restore(words, locox::handle::Epoch(epoch))?
            }

            /// Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
            /// be seen.
            look fn $check() { $body.check_invariants()? }

            $(
                /// Takes the state of an image exactly, in the epoch in which it was made. It is for a journal of the caller's:
                /// whoever makes the calls again that followed gets the names that those gave. After `LOCOX_BAD_IMAGE` all is
                /// as new.
                act fn $load(image: *const u32, len: usize) {
                    $body.load(&mut inputs(image, len)?.iter().copied())?
                }
            )?
        }
    };
}
pub(crate) use restarts;

faults! {
    BadImage {
        NoImage => LOCOX_NO_IMAGE, TooShort => LOCOX_BAD_IMAGE, Damaged => LOCOX_BAD_IMAGE,
        Contradiction(_) => LOCOX_BAD_IMAGE, OtherKind => LOCOX_OTHER_IMAGE, OtherVersion => LOCOX_OTHER_IMAGE,
        OtherPool => LOCOX_OTHER_IMAGE, OtherConfiguration => LOCOX_OTHER_IMAGE, OtherSize => LOCOX_OTHER_IMAGE,
    }
}
