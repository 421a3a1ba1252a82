//! What all coordinators do alike: commands in, effects out, images, and a history in records.

use crate::image::{Writer, reader};
use crate::memory::*;
use crate::status::locox_status::{self, *};
use core::ptr::null_mut;
use locox::broken::Broken;
use locox::coordinate::{BadImage, BadRecord, Coordinate, Draw, Durable, Place, Record, Told};
use locox::time::Instant;

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

/// A coordinator with its history, as the functions of C see it.
pub(crate) trait Kept {
    type Command;
    type Effect;
    type Reply;

    fn hear(
        &mut self,
        now: Instant,
        command: Self::Command,
        draw: u32,
    ) -> Answer<(Self::Reply, Record)>;
    fn peek(&self) -> Option<Self::Effect>;
    fn take(&mut self) -> Option<Self::Effect>;
    fn now(&self) -> Instant;
    fn wake_at(&self) -> Option<Instant>;
    fn place(&self) -> Place;
    fn export(&self, put: &mut dyn FnMut(u32));
    fn load(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage>;
    fn replay(
        &mut self,
        record: &Record,
        told: &mut dyn FnMut(Told<Self::Effect>),
    ) -> Result<bool, BadRecord>;
    fn tell_again(&mut self) -> Record;
    fn check_invariants(&self) -> Result<(), Broken>;
}

impl<T: Coordinate<Error: Into<Fault>>> Kept for Durable<T> {
    type Command = T::Command;
    type Effect = T::Effect;
    type Reply = T::Answer;

    fn hear(
        &mut self,
        now: Instant,
        command: T::Command,
        draw: u32,
    ) -> Answer<(T::Answer, Record)> {
        self.apply_drawn(now, command, T::Draw::from_source(|| draw)).map_err(Into::into)
    }

    fn peek(&self) -> Option<T::Effect> {
        self.coordinator().peek_effect()
    }

    fn take(&mut self) -> Option<T::Effect> {
        self.take_effect().map(|told| told.effect)
    }

    fn now(&self) -> Instant {
        self.now()
    }

    fn wake_at(&self) -> Option<Instant> {
        self.coordinator().wake_at()
    }

    fn place(&self) -> Place {
        self.place()
    }

    fn export(&self, put: &mut dyn FnMut(u32)) {
        self.export(put);
    }

    fn load(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
        self.load(words)
    }

    fn replay(
        &mut self,
        record: &Record,
        told: &mut dyn FnMut(Told<T::Effect>),
    ) -> Result<bool, BadRecord> {
        self.replay(record, told)
    }

    fn tell_again(&mut self) -> Record {
        self.tell_again()
    }

    fn check_invariants(&self) -> Result<(), Broken> {
        self.coordinator().check_invariants()
    }
}

/// A body that is a coordinator with its history, or one of several.
pub(crate) trait Keeps {
    type It: Kept + ?Sized;
    fn it(&mut self) -> &mut Self::It;
}

impl<T: Coordinate<Error: Into<Fault>>> Keeps for Durable<T> {
    type It = Self;

    fn it(&mut self) -> &mut Self {
        self
    }
}

impl<U, D: Kept + ?Sized> Keeps for Seen<U, D> {
    type It = D;

    fn it(&mut self) -> &mut D {
        self.get()
    }
}

type Of<O> = <<O as Opaque>::Body as Keeps>::It;
type Command<O> = <Of<O> as Kept>::Command;
type Effect<O> = <Of<O> as Kept>::Effect;
type Reply<O> = <Of<O> as Kept>::Reply;

/// A callback that is told of an effect.
pub(crate) type TellFn<E> =
    Option<unsafe extern "C" fn(effect: *const E, user: *mut core::ffi::c_void)>;

/// Takes a command, and writes its record if that is wanted.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn hear<O: Opaque<Body: Keeps>>(
    coordinator: *mut O,
    now: u64,
    command: Command<O>,
    draw: u32,
    record: *mut locox_record,
) -> Answer<Reply<O>> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let result = optional_out(record)?;
        let now = crate::time::at(now);
        let (reply, record) = on(coordinator, |body| body.it().hear(now, command, draw))?;
        result.into_iter().for_each(|result| result.put(record.into()));
        Ok(reply)
    }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn take<O: Opaque<Body: Keeps>, E: From<Effect<O>>>(
    coordinator: *mut O,
    effect: *mut E,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe { get(coordinator, effect, |body| Ok(body.it().take().ok_or(LOCOX_NONE)?.into())) }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn peek<O: Opaque<Body: Keeps>, E: From<Effect<O>>>(
    coordinator: *const O,
    effect: *mut E,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe { get(coordinator, effect, |body| Ok(body.it().peek().ok_or(LOCOX_NONE)?.into())) }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn now<O: Opaque<Body: Keeps>>(
    coordinator: *const O,
    now: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe { get(coordinator, now, |body| Ok(body.it().now().ticks())) }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn wake_at<O: Opaque<Body: Keeps>>(
    coordinator: *const O,
    time: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe { get(coordinator, time, |body| Ok(body.it().wake_at().ok_or(LOCOX_NONE)?.ticks())) }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn place_of<O: Opaque<Body: Keeps>>(
    coordinator: *const O,
    place: *mut locox_place,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe { get(coordinator, place, |body| Ok(body.it().place().into())) }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn export<O: Opaque<Body: Keeps>>(
    coordinator: *const O,
    (image, len): (*mut u32, usize),
    written: *mut usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe {
        answer(detail, || {
            let (written, mut writer) = (out(written)?, Writer::new(outputs(image, len)?));
            of(coordinator, |body| {
                body.it().export(&mut |word| writer.put(word));
                Ok(())
            })?;
            written.put(writer.finish()?);
            Ok(())
        })
    }
}

/// Takes an image exactly, or, with `again`, has everybody told again besides.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn load<O: Opaque<Body: Keeps>>(
    coordinator: *mut O,
    (image, len): (*const u32, usize),
    again: bool,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe {
        answer(null_mut(), || {
            let image = inputs(image, len)?;
            on(coordinator, |body| {
                body.it().load(&mut reader(image))?;
                if again {
                    // Who has no history needs no record.
                    let _ = body.it().tell_again();
                }
                Ok(())
            })
        })
    }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn replay<O: Opaque<Body: Keeps>, E: From<Effect<O>>>(
    coordinator: *mut O,
    record: *const locox_record,
    told: TellFn<E>,
    user: User,
    is_new: *mut u32,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract; so does the callback, which takes an effect and what it
    // was given, and returns.
    unsafe {
        answer(detail, || {
            let (result, record) = (optional_out(is_new)?, Record(input(record)?.words));
            let mut tell = |one: Told<Effect<O>>| {
                if let Some(told) = told {
                    told(&one.effect.into(), user);
                }
            };
            let is_new = on(coordinator, |body| Ok(body.it().replay(&record, &mut tell)?))?;
            result.into_iter().for_each(|result| result.put(is_new.into()));
            Ok(())
        })
    }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn tell_again<O: Opaque<Body: Keeps>>(
    coordinator: *mut O,
    record: *mut locox_record,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe {
        answer(null_mut(), || {
            let result = optional_out(record)?;
            let record = on(coordinator, |body| Ok(body.it().tell_again()))?;
            result.into_iter().for_each(|result| result.put(record.into()));
            Ok(())
        })
    }
}

/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn check<O: Opaque<Body: Keeps>>(coordinator: *const O) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe { answer(null_mut(), || of(coordinator, |body| Ok(body.it().check_invariants()?))) }
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

impl From<BadRecord> for Fault {
    fn from(bad: BadRecord) -> Self {
        match bad {
            BadRecord::NoRecord => LOCOX_NO_RECORD.into(),
            BadRecord::OtherVersion => LOCOX_OTHER_RECORD.into(),
            BadRecord::Damaged => LOCOX_BAD_RECORD.into(),
            BadRecord::OutOfTurn { next } => LOCOX_OUT_OF_TURN.with(next),
            BadRecord::Contradiction(_) => LOCOX_CONTRADICTION.into(),
        }
    }
}
