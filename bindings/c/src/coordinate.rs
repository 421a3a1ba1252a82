//! What all coordinators do alike: commands in, effects out, images, and a history in records.

use crate::prelude::*;
use locox::image::Place;
use locox_coordinators::coordinate::{BadRecord, Coordinate, Durable, Record};

structures! {
    /// What a coordinator was told, sealed, to be stored: its words are the same on every target.
    pub struct locox_record {
        /// In little-endian order behind those of an image they are a history as `locox-storage` keeps it.
        pub words: [u32; 16],
    }

    /// How far a coordinator is.
    pub struct locox_place {
        /// How many commands it took, restarts included.
        pub commands: u64,
        /// The number of the effect that was taken last. They rise; after a restart the upper half is one
        /// more.
        pub effects: u64,
    }
}

const _: () = assert!(Record::WORDS == 16);

/// Takes a command whose answer may be the name of a job, and writes its record if that is wanted.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn apply_for_job<O, C, J: IntoC<locox_handle>>(
    coordinator: *mut O,
    now: u64,
    command: C::Command,
    draw: impl FnOnce(&C) -> C::Draw,
    (job, record): (*mut locox_handle, *mut locox_record),
) -> Answer
where
    O: Opaque<Body = Durable<C>>,
    C: Coordinate<Error: Into<Fault>, Answer = Option<J>>,
{
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (job, result) = (optional_out(job)?, optional_out(record)?);
        let (name, record) = on(coordinator, |it| {
            let draw = draw(it.coordinator());
            it.apply_drawn(at(now), command, draw).map_err(Into::into)
        })?;
        result.put(record)?;
        name.map_or(Ok(()), |name| job.put(name))
    }
}

/// What every coordinator can do besides: functions of C, by their names.
macro_rules! coordinator {
    (
        $coordinator:ident, $effect:ident, $effect_fn:ident:
        $take_effect:ident, $peek_effect:ident, $now:ident, $place:ident,
        $export:ident, $restore:ident, $load:ident, $replay:ident, $resync:ident, $check:ident
    ) => {$crate::interface::methods! { coordinator: $coordinator |it| it =>
        /// The next thing to be done, in the order in which it came up; `LOCOX_NONE` when everything is.
        /// To be called after each command until then.
        act fn $take_effect() -> (effect: $effect) {
            it.take_effect().ok_or(LOCOX_NONE)?.effect
        }

        #[doc = concat!(" The effect that `", stringify!($take_effect), "` will take, for callers that must find")]
        /// room first.
        look fn $peek_effect() -> (effect: $effect) {
            it.peek_effect().ok_or(LOCOX_NONE)?.effect
        }

        /// The latest time given.
        look fn $now() -> (now: u64) { it.now() }

        /// How far it is: how many commands it took, and the number of the effect that was taken last.
        look fn $place() -> (place: $crate::coordinate::locox_place) { it.place() }

        /// Writes an image of it, and how many words the image has to `written`. `LOCOX_TOO_SHORT` says
        /// how many there must be; what is in `image` is of no use then. The records before the image
        /// are of no use any more.
        look fn $export(image: *mut u32, len: usize) -> (written: usize; detail) {
            $crate::image::write((image, len), |put| it.export(put))?
        }

        /// Goes on from an image of one of the same configuration and as many rows, without records.
        /// Everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
        act fn $restore(image: *const u32, len: usize) {
            it.load(&mut inputs(image, len)?.iter().copied())?;
            // Who has no history needs no record.
            let _ = it.resync();
        }

        #[doc = concat!(" As `", stringify!($restore), "`, for a history: `", stringify!($replay), "` of the records")]
        #[doc = concat!(" behind the image follows, and then `", stringify!($resync), "`.")]
        act fn $load(image: *const u32, len: usize) {
            it.load(&mut inputs(image, len)?.iter().copied())?
        }

        /// Takes a command from its record. `taken`, which may be null, is called for each effect that
        /// was taken before it. `is_new`, which may be null, is 0 for a record from before the image,
        /// which changes nothing.
        ///
        /// `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may
        /// have been taken.
        /// While `taken` runs, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
        act fn $replay(record: *const $crate::coordinate::locox_record,
            taken: $effect_fn, user: *mut c_void
        ) -> (| is_new: u32; detail) {
            let mut told = |one: locox_coordinators::coordinate::EffectRecord<_>| tell(taken, one.effect, user);
            it.replay(&FromC::from_c(record)?, &mut told)?
        }

        /// After a restart: everybody is told again what he should be doing. `record`, which may be
        /// null, is to be stored before an effect is taken, by who keeps a history.
        act fn $resync() -> (| record: $crate::coordinate::locox_record) { it.resync() }

        /// Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should
        /// never be seen.
        look fn $check() { it.coordinator().check_invariants()? }
    }};
}
pub(crate) use coordinator;

values! { Record as locox_record: |it| locox_record { words: it.0 }, else Record(it.words); }
mirrors! { locox_place <- Place { commands, effects } }

faults! {
    BadRecord {
        NoRecord => LOCOX_NO_RECORD, OtherVersion => LOCOX_OTHER_RECORD, Damaged => LOCOX_BAD_RECORD,
        OutOfTurn { next } => LOCOX_OUT_OF_TURN.with(next), Contradiction(_) => LOCOX_CONTRADICTION,
    }
}
