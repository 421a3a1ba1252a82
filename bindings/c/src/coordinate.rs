//! What all coordinators do alike: commands in, effects out, images, and a history in records.

use crate::image;
use crate::interface::{faults, structures};
use crate::memory::*;
use crate::status::locox_status::*;
use locox::coordinate::{BadRecord, Coordinate, Durable, EffectRecord, Place, Record};

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

/// A callback that is told of an effect.
pub(crate) type TellFn<E> =
    Option<unsafe extern "C" fn(effect: *const E, user: *mut core::ffi::c_void)>;

/// Takes a command, and writes its record if that is wanted.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn apply<O: Opaque<Body = Durable<C>>, C: Coordinate<Error: Into<Fault>>>(
    coordinator: *mut O,
    now: u64,
    command: C::Command,
    draw: impl FnOnce(&C) -> C::Draw,
    record: *mut locox_record,
) -> Answer<C::Answer> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let result = optional_out(record)?;
        let (reply, record) = on(coordinator, |it| {
            let draw = draw(it.coordinator());
            it.apply_drawn(crate::time::at(now), command, draw).map_err(Into::into)
        })?;
        result.put(record)?;
        Ok(reply)
    }
}

/// Takes a command whose answer may be the name of a job.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn apply_for_job<O, C, J>(
    coordinator: *mut O,
    now: u64,
    command: C::Command,
    draw: impl FnOnce(&C) -> C::Draw,
    (job, record): (*mut locox_handle, *mut locox_record),
) -> Answer
where
    O: Opaque<Body = Durable<C>>,
    C: Coordinate<Error: Into<Fault>, Answer = Option<J>>,
    J: Into<locox_handle>,
{
    // SAFETY: the caller keeps the contract.
    unsafe {
        let job = optional_out(job)?;
        let name = apply(coordinator, now, command, draw, record)?;
        name.map_or(Ok(()), |name| job.put(name))
    }
}

/// Takes an image exactly, or, with `again`, has everybody told again besides.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn load<O: Opaque<Body = Durable<C>>, C: Coordinate>(
    coordinator: *mut O,
    (image, len): (*const u32, usize),
    again: bool,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let image = inputs(image, len)?;
        on(coordinator, |it| {
            it.load(&mut image::reader(image))?;
            if again {
                // Who has no history needs no record.
                let _ = it.resync();
            }
            Ok(())
        })
    }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn replay<O: Opaque<Body = Durable<C>>, C: Coordinate, E: From<C::Effect>>(
    coordinator: *mut O,
    record: *const locox_record,
    told: TellFn<E>,
    user: User,
    is_new: *mut u32,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (result, record) = (optional_out(is_new)?, Record(input(record)?.words));
        let mut tell = |one: EffectRecord<C::Effect>| tell(told, one.effect, user);
        let is_new = on(coordinator, |it| Ok(it.replay(&record, &mut tell)?))?;
        result.put(is_new)
    }
}

/// What every coordinator can do besides: functions of C, by their names.
macro_rules! coordinator {
    (
        $coordinator:ident, $effect:ident, $effect_fn:ident:
        $take_effect:ident, $peek_effect:ident, $now:ident, $place:ident,
        $export:ident, $restore:ident, $load:ident, $replay:ident, $resync:ident, $check:ident
    ) => {$crate::interface::interface! {
        /// The next thing to be done, in the order in which it came up; `LOCOX_NONE` when everything is.
        /// To be called after each command until then.
        fn $take_effect(coordinator: *mut $coordinator, effect: *mut $effect) {
            $crate::memory::obtain(coordinator, effect, |it| {
                Ok(it.take_effect().ok_or($crate::status::locox_status::LOCOX_NONE)?.effect)
            })
        }

        #[doc = concat!(" The effect that `", stringify!($take_effect), "` will take, for callers that must find")]
        /// room first.
        fn $peek_effect(coordinator: *const $coordinator, effect: *mut $effect) {
            $crate::memory::get(coordinator, effect, |it| {
                Ok(it.peek_effect().ok_or($crate::status::locox_status::LOCOX_NONE)?.effect)
            })
        }

        /// The latest time given.
        fn $now(coordinator: *const $coordinator, now: *mut u64) {
            $crate::memory::get(coordinator, now, |it| Ok(it.now().ticks()))
        }

        /// How far it is: how many commands it took, and the number of the effect that was taken last.
        fn $place(coordinator: *const $coordinator, place: *mut $crate::coordinate::locox_place) {
            $crate::memory::get(coordinator, place, |it| Ok(it.place()))
        }

        /// Writes an image of it, and how many words the image has to `written`. `LOCOX_TOO_SHORT` says
        /// how many there must be; what is in `image` is of no use then. The records before the image
        /// are of no use any more.
        fn $export(
            coordinator: *const $coordinator, image: *mut u32, len: usize, written: *mut usize;
            detail
        ) {
            $crate::image::write(coordinator, (image, len), written, |it, put| it.export(put))
        }

        /// Goes on from an image of one of the same configuration and as many rows, without records.
        /// Everybody is told again what he should be doing. After `LOCOX_BAD_IMAGE` it is as new.
        fn $restore(coordinator: *mut $coordinator, image: *const u32, len: usize) {
            $crate::coordinate::load(coordinator, (image, len), true)
        }

        #[doc = concat!(" As `", stringify!($restore), "`, for a history: `", stringify!($replay), "` of the records")]
        #[doc = concat!(" behind the image follows, and then `", stringify!($resync), "`.")]
        fn $load(coordinator: *mut $coordinator, image: *const u32, len: usize) {
            $crate::coordinate::load(coordinator, (image, len), false)
        }

        /// Takes a command from its record. `taken`, which may be null, is called for each effect that
        /// was taken before it. `is_new`, which may be null, is 0 for a record from before the image,
        /// which changes nothing.
        ///
        /// `LOCOX_OUT_OF_TURN` if records are missing before it. After `LOCOX_CONTRADICTION` effects may
        /// have been taken.
        /// While `taken` runs, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
        fn $replay(
            coordinator: *mut $coordinator, record: *const $crate::coordinate::locox_record,
            taken: $effect_fn, user: *mut core::ffi::c_void, is_new: *mut u32; detail
        ) {
            $crate::coordinate::replay(coordinator, record, taken, user, is_new)
        }

        /// After a restart: everybody is told again what he should be doing. `record`, which may be
        /// null, is to be stored before an effect is taken, by who keeps a history.
        fn $resync(
            coordinator: *mut $coordinator, record: *mut $crate::coordinate::locox_record
        ) {
            let result = $crate::memory::optional_out(record)?;
            result.put($crate::memory::on(coordinator, |it| Ok(it.resync()))?)
        }

        /// Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should
        /// never be seen.
        fn $check(coordinator: *const $coordinator) {
            $crate::memory::of(coordinator, |it| Ok(it.coordinator().check_invariants()?))
        }
    }};
}
pub(crate) use coordinator;

impl From<Record> for locox_record {
    fn from(record: Record) -> Self {
        Self { words: record.0 }
    }
}

impl From<Place> for locox_place {
    fn from(Place { commands, effects }: Place) -> Self {
        Self { commands, effects }
    }
}

faults! {
    BadRecord {
        BadRecord::NoRecord => LOCOX_NO_RECORD,
        BadRecord::OtherVersion => LOCOX_OTHER_RECORD,
        BadRecord::Damaged => LOCOX_BAD_RECORD,
        BadRecord::OutOfTurn { next } => LOCOX_OUT_OF_TURN.with(next),
        BadRecord::Contradiction(_) => LOCOX_CONTRADICTION,
    }
}
