//! Entries of `locox::coordinate`.

use core::fmt::Display;
use locox::coordinate::{
    BadImage, BadRecord, Coordinate, Draw, Durable, Reader, Record, Stored, Told, Writer, digest_of,
};

pub(crate) fn entries() {
    crate::keep![
        <BadImage as Display>::fmt,
        <BadRecord as Display>::fmt,
        from_source,
        <u32 as Draw>::raw,
        bytes,
        digest_of,
        Writer::<Put<'_>>::new,
        Writer::<Put<'_>>::put,
        Writer::<Put<'_>>::finish,
        Reader::<Words<'_>>::open,
        Reader::<Words<'_>>::word,
        Reader::<Words<'_>>::finish,
    ];
}

type Put<'a> = &'a mut dyn FnMut(u32);
type Words<'a> = &'a mut dyn Iterator<Item = u32>;

/// What every coordinator is.
pub(crate) fn coordinator<C: Coordinate>() {
    crate::keep![
        C::apply_drawn,
        C::peek_effect,
        C::take_effect,
        C::now,
        C::wake_at,
        C::identity,
        C::export_at,
        C::load,
        C::tell_again,
        C::export,
        C::restore,
        C::check_invariants,
        Durable::<C>::new,
        Durable::<C>::coordinator,
        Durable::<C>::place,
        Durable::<C>::now,
        Durable::<C>::apply_drawn,
        Durable::<C>::peek_effect,
        Durable::<C>::take_effect,
        Durable::<C>::record_of,
        Durable::<C>::export,
        Durable::<C>::load,
        Durable::<C>::tell_again,
        replay::<C>,
        Record::of_command::<C::Command, C::Draw>,
        Record::of_effect::<C::Effect>,
        Record::command::<C::Command, C::Draw>,
        Record::effect::<C::Effect>,
    ];
    stored::<C::Command>();
    stored::<C::Effect>();
}

fn stored<T: Stored>() {
    crate::keep![store::<T>, load::<T>];
}

fn store<T: Stored>(it: &T, put: &mut dyn FnMut(u32)) {
    T::store(it, &mut |word| put(word));
}

fn load<T: Stored>(take: &mut dyn FnMut() -> Result<u32, BadImage>) -> Result<T, BadImage> {
    T::load(&mut || take())
}

fn replay<C: Coordinate>(
    durable: &mut Durable<C>,
    record: &Record,
    effect: &mut dyn FnMut(Told<C::Effect>),
) -> Result<bool, BadRecord> {
    durable.replay(record, effect)
}

fn bytes(record: &Record, put: &mut dyn FnMut(u8)) {
    record.bytes().for_each(put);
}

fn from_source(source: &mut dyn FnMut() -> u32) -> u32 {
    u32::from_source(source)
}
