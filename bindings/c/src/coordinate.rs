//! What all coordinators do alike: commands in, effects out, images, and a history in records.

use crate::image;
use crate::interface::faults;
use crate::memory::*;
use crate::status::locox_status::*;
use locox::coordinate::{BadRecord, Coordinate, Durable, EffectRecord, Place, Record};

/// What a coordinator was told, sealed, to be stored: its words are the same on every target.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_record {
    /// In little-endian order behind those of an image they are a history as `locox-storage` keeps it.
    pub words: [u32; 16],
}

/// How far a coordinator is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_place {
    /// How many commands it took, restarts included.
    pub commands: u64,
    /// The number of the effect that was taken last. They rise; after a restart the upper half is one
    /// more.
    pub effects: u64,
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
pub(crate) unsafe fn hear<O: Opaque<Body = Durable<C>>, C: Coordinate<Error: Into<Fault>>>(
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
pub(crate) unsafe fn hear_of_job<O, C, J>(
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
        let name = hear(coordinator, now, command, draw, record)?;
        name.map_or(Ok(()), |name| job.put(name))
    }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn take<O: Opaque<Body = Durable<C>>, C: Coordinate, E: From<C::Effect>>(
    coordinator: *mut O,
    effect: *mut E,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe { obtain(coordinator, effect, |it| Ok(it.take_effect().ok_or(LOCOX_NONE)?.effect)) }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn peek<O: Opaque<Body = Durable<C>>, C: Coordinate, E: From<C::Effect>>(
    coordinator: *const O,
    effect: *mut E,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe { get(coordinator, effect, |it| Ok(it.peek_effect().ok_or(LOCOX_NONE)?.effect)) }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn wake_at<O: Opaque<Body = Durable<C>>, C: Coordinate>(
    coordinator: *const O,
    time: *mut u64,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        get(coordinator, time, |it| Ok(it.coordinator().wake_at().ok_or(LOCOX_NONE)?.ticks()))
    }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn export<O: Opaque<Body = Durable<C>>, C: Coordinate>(
    coordinator: *const O,
    image: (*mut u32, usize),
    written: *mut usize,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe { image::write(coordinator, image, written, |it, put| it.export(put)) }
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

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn resync<O: Opaque<Body = Durable<C>>, C: Coordinate>(
    coordinator: *mut O,
    record: *mut locox_record,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let result = optional_out(record)?;
        result.put(on(coordinator, |it| Ok(it.resync()))?)
    }
}

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
