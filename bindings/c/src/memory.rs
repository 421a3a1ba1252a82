//! The caller's memory: every pointer that comes in is checked and read here.
//!
//! What can be seen of a pointer is checked: null, alignment, length. What cannot is the *contract*
//! of every function, for which the caller answers:
//!
//! - a pointer that is not null points to so many values as the call says, which nobody else changes
//!   or reads while the call runs, and which may be written where the call writes;
//! - an opaque structure was zeroed, or started by this library, and lies where it was started or was
//!   moved there as a whole; its storage stays where it is and belongs to it until it is started anew
//!   or forgotten;
//! - a callback returns: it neither unwinds nor jumps.

use crate::fault::Answer;
use crate::status::locox_status::{self, *};
use crate::values::IntoC;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use locox::bits::Word;
use locox::cube::Dim;

/// Does what is asked and says how it went, to `detail` too if there is one.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn answer(detail: *mut u64, act: impl FnOnce() -> Answer) -> locox_status {
    if !detail.is_aligned() {
        return LOCOX_MISALIGNED;
    }
    let Err(fault) = act() else { return LOCOX_OK };
    if !detail.is_null() {
        // SAFETY: neither null nor misaligned; the caller lets it be written.
        unsafe { detail.write(fault.detail) };
    }
    fault.status
}

fn check<T>(pointer: *const T) -> Answer {
    if pointer.is_null() {
        return Err(LOCOX_NULL.into());
    }
    if !pointer.is_aligned() {
        return Err(LOCOX_MISALIGNED.into());
    }
    Ok(())
}

fn check_many<T>(pointer: *const T, len: usize) -> Answer {
    if len > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(LOCOX_BAD_ARGUMENT.into());
    }
    check(pointer)
}

/// Where a result goes.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Never fails, but is what a call ends with.
    pub(crate) fn put(self, value: impl IntoC<T>) -> Answer {
        if !self.0.is_null() {
            // SAFETY: `out` and `optional_out` checked it. By their contract it may be written. It may
            // hold anything before, so nothing is dropped.
            unsafe { self.0.write(value.into_c()) };
        }
        Ok(())
    }
}

/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn out<T>(pointer: *mut T) -> Answer<Out<T>> {
    check(pointer)?;
    Ok(Out(pointer))
}

/// One that may be null: then nothing is written.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn optional_out<T>(pointer: *mut T) -> Answer<Out<T>> {
    // SAFETY: the caller keeps the contract.
    if pointer.is_null() { Ok(Out(pointer)) } else { unsafe { out(pointer) } }
}

/// A copy of what comes in. `T` has no bit pattern that is not a value.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn input<T: Copy>(pointer: *const T) -> Answer<T> {
    check(pointer)?;
    // SAFETY: neither null nor misaligned, and by the contract it points to a value.
    Ok(unsafe { pointer.read() })
}

/// Values that come in; none if `len` is zero, whatever the pointer.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn inputs<'a, T>(pointer: *const T, len: usize) -> Answer<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    check_many(pointer, len)?;
    // SAFETY: neither null nor misaligned, not too long, and by the contract there are so many
    // values, which nobody changes during the call.
    Ok(unsafe { core::slice::from_raw_parts(pointer, len) })
}

/// Room for so many values, of any content.
pub(crate) type Room<'a, T> = &'a mut [MaybeUninit<T>];

/// Room for results, of any content until the call writes them.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn outputs<'a, T>(pointer: *mut T, len: usize) -> Answer<Room<'a, T>> {
    if len == 0 {
        return Ok(&mut []);
    }
    check_many(pointer, len)?;
    // SAFETY: as in `inputs`; what is there need not be a value.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer.cast(), len) })
}

/// Such room, all of one value.
pub(crate) fn filled<T: Copy>(room: &mut [MaybeUninit<T>], value: T) -> &mut [T] {
    for place in room.iter_mut() {
        place.write(value);
    }
    // SAFETY: all of them were just written.
    unsafe { room.assume_init_mut() }
}

/// Storage that will do, not touched yet.
pub(crate) struct Storage<T> {
    first: *mut T,
    len: usize,
}

/// Storage for `needed` rows or words of which there are `len`. Its content does not matter. `U` is
/// what C calls them.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn storage<T, U>(at: *mut U, len: usize, least: usize) -> Answer<Storage<T>> {
    const { assert!(size_of::<U>() == size_of::<T>() && align_of::<U>() >= align_of::<T>()) };
    check_many(at, len)?;
    if len < least {
        return Err(LOCOX_TOO_SHORT.with_len(least));
    }
    Ok(Storage { first: at.cast(), len })
}

/// As many as are needed, which may be none: then the pointer is not looked at.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn any_storage<T, U>(at: *mut U, len: usize, least: usize) -> Answer<Storage<T>> {
    if least == 0 {
        return Ok(Storage { first: core::ptr::dangling_mut(), len: 0 });
    }
    // SAFETY: the caller keeps the contract.
    Ok(Storage { len: least, ..unsafe { storage(at, len, least) }? })
}

/// Words of 64 bits for rows that may be aligned to more than those.
pub(crate) const fn spaced_words<T>(rows: usize) -> usize {
    if rows == 0 {
        return 0;
    }
    let slack = align_of::<T>().div_ceil(align_of::<u64>()).saturating_sub(1);
    rows.saturating_mul(size_of::<T>().div_ceil(size_of::<u64>())).saturating_add(slack)
}

/// Storage for exactly so many rows in so many words of 64 bits, from the first at which one may lie.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn spaced<T>(pointer: *mut u64, len: usize, rows: usize) -> Answer<Storage<T>> {
    if rows == 0 {
        return Ok(Storage { first: core::ptr::dangling_mut(), len: 0 });
    }
    // SAFETY: the caller keeps the contract.
    let words: Storage<u64> = unsafe { storage(pointer, len, spaced_words::<T>(rows)) }?;
    // There are words for that.
    let skipped = words.first.align_offset(align_of::<T>());
    Ok(Storage { first: words.first.wrapping_add(skipped).cast(), len: rows })
}

/// Storage of words, of which no more than needed are touched.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn words_in(at: *mut Word, len: usize, least: usize) -> Answer<Storage<Word>> {
    // SAFETY: the caller keeps the contract.
    Ok(unsafe { storage(at, len, least) }?.first(least))
}

impl<T: Copy> Storage<T> {
    /// The first rows only.
    pub(crate) fn first(self, len: usize) -> Self {
        Self { len: self.len.min(len), ..self }
    }

    /// The rows, all of them empty.
    pub(crate) fn cleared(self, empty: T) -> &'static mut [T] {
        for at in 0..self.len {
            // SAFETY: `storage` checked pointer and length; by its contract all may be written.
            unsafe { self.first.add(at).write(empty) };
        }
        // SAFETY: each row is a value now. By the contract nobody else uses them until the structure
        // that is about to be started is started anew or forgotten.
        unsafe { core::slice::from_raw_parts_mut(self.first, self.len) }
    }
}

/// Words of what has no use for none: zero are needed where a number stands for nothing.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn known_words(at: *mut Word, len: usize, least: usize) -> Answer<Storage<Word>> {
    // SAFETY: the caller keeps the contract.
    if least == 0 { Err(LOCOX_BAD_ARGUMENT.into()) } else { unsafe { words_in(at, len, least) } }
}

/// Words that the kernel asks for; zero where it says by the largest number that there cannot be so many.
pub(crate) const fn if_any(words: usize) -> usize {
    if words == usize::MAX { 0 } else { words }
}

/// Rows that are all checked before any is touched: a function that clears them with what is behind `=>`.
macro_rules! columns {
    ($Columns:ident: $($column:ident: $checked:expr => $empty:expr,)*) => {{
        let ($($column,)*) = ($($checked,)*);
        move || $Columns { $($column: $column.cleared($empty),)* }
    }};
}
pub(crate) use columns;

/// What lies in an opaque structure of C.
///
/// - `mark` is `T::MARK` while `body` is a value that nobody uses, that and one while a call does.
#[repr(C)]
pub(crate) struct Header<T> {
    mark: u32,
    body: MaybeUninit<T>,
}

/// An opaque structure of C. Zeroed, it is one that was not started.
///
/// # Safety
///
/// It is at least as large and as aligned as the header of its body, and any bytes are a value of it.
pub(crate) unsafe trait Opaque: Sized {
    type Body;
    /// Four letters; odd ones out, so that a mark and one is no other's mark.
    const MARK: u32;
}

/// How many words of 64 bits an opaque structure with such a body has.
pub(crate) const fn length_of<T>() -> usize {
    const { assert!(align_of::<Header<T>>() <= align_of::<u64>()) };
    size_of::<Header<T>>().div_ceil(size_of::<u64>())
}

/// An opaque structure that may be started.
pub(crate) struct Place<O>(*mut O);

/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn place<O: Opaque>(pointer: *mut O) -> Answer<Place<O>> {
    check(pointer)?;
    // SAFETY: neither null nor misaligned; by the contract it was zeroed or started.
    let mark = unsafe { (*pointer.cast::<Header<O::Body>>()).mark };
    if mark == O::MARK | 1 { Err(LOCOX_REENTERED.into()) } else { Ok(Place(pointer)) }
}

impl<O: Opaque> Place<O> {
    /// From now on it was never started: its rows are about to be written, and that may fail.
    pub(crate) fn stop(&self) {
        // SAFETY: `place` checked it, and an opaque structure is as large as its header.
        unsafe { (&raw mut (*self.0.cast::<Header<O::Body>>()).mark).write(0) };
    }

    /// Never fails, but is what a start ends with.
    pub(crate) fn start(self, body: O::Body) -> Answer {
        let header = self.0.cast::<Header<O::Body>>();
        // SAFETY: `place` checked it, and an opaque structure is large enough. What an earlier start
        // left there needs no drop.
        unsafe { header.write(Header { mark: O::MARK, body: MaybeUninit::new(body) }) };
        Ok(())
    }
}

/// Acts on a structure that was started. A callback that comes back to it meanwhile is turned away.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn on<O: Opaque, T>(
    pointer: *mut O,
    act: impl FnOnce(&mut O::Body) -> Answer<T>,
) -> Answer<T> {
    check(pointer)?;
    let header = pointer.cast::<Header<O::Body>>();
    // SAFETY: neither null nor misaligned, as large as its header, and by the contract zeroed or
    // started. The mark is used apart from the body, so a callback may look at it.
    let (mark, body) = unsafe { (&raw mut (*header).mark, &raw mut (*header).body) };
    // SAFETY: as above.
    match unsafe { mark.read() } {
        found if found == O::MARK => {}
        found if found == O::MARK | 1 => return Err(LOCOX_REENTERED.into()),
        _ => return Err(LOCOX_NOT_STARTED.into()),
    }
    // SAFETY: started, so the body is a value; the mark keeps every other call away from it, and
    // nothing below can leave this function early.
    unsafe {
        mark.write(O::MARK | 1);
        let answer = act((*body).assume_init_mut());
        mark.write(O::MARK);
        answer
    }
}

/// As [`on`], for calls that only look.
///
/// # Safety
///
/// The contract of this module.
pub(crate) unsafe fn of<O: Opaque, T>(
    pointer: *const O,
    look: impl FnOnce(&mut O::Body) -> Answer<T>,
) -> Answer<T> {
    // SAFETY: the caller keeps the contract. The structure is const for the caller of C only: its
    // mark is written, and what it points to may serve as scratch.
    unsafe { on(pointer.cast_mut(), look) }
}

/// An argument as the bodies of [`methods!`](crate::interface::methods) see it: a structure for a pointer to one, others as they are.
pub(crate) trait Given {
    type Value;

    /// # Safety
    ///
    /// The contract of this module.
    unsafe fn given(self) -> Answer<Self::Value>;
}

macro_rules! as_they_are {
    ($([$($generics:tt)*] $type:ty),*) => {$(
        impl<$($generics)*> Given for $type {
            type Value = Self;

            unsafe fn given(self) -> Answer<Self> {
                Ok(self)
            }
        }
    )*};
}
as_they_are!([] u8, [] u16, [] u32, [] u64, [] usize, [] *const u32, [] *const usize, [T] *mut T, [F] Option<F>);

/// Where the results of a call go.
pub(crate) trait Results<V> {
    /// Never fails, but is what a call ends with.
    fn put(self, given: V) -> Answer;
}

impl Results<()> for () {
    fn put(self, (): ()) -> Answer {
        Ok(())
    }
}

macro_rules! results {
    ($(($($T:ident, $V:ident, $out:ident, $given:ident);+) from $all:ty;)*) => {$(
        impl<$($T, $V: IntoC<$T>),+> Results<$all> for ($(Out<$T>,)+) {
            #[allow(unused_parens)]
            fn put(self, ($($given),+): $all) -> Answer {
                let ($($out,)+) = self;
                $($out.put($given)?;)+
                Ok(())
            }
        }
    )*};
}
results! {
    (T, V, out, given) from V;
    (T, V, out, given; S, W, second, found) from (V, W);
    (T, V, out, given; S, W, second, found; R, X, third, read) from (V, W, X);
}

/// Tells a callback of something, if there is one.
///
/// The callback must keep the contract of this module: it takes a pointer to a value and what the
/// caller named, and returns.
pub(crate) fn tell<T>(
    callback: Option<unsafe extern "C" fn(*const T, User)>,
    value: impl IntoC<T>,
    user: User,
) {
    if let Some(callback) = callback {
        // SAFETY: the callback keeps the contract.
        unsafe { callback(&value.into_c(), user) };
    }
}

/// As [`tell`], of what is a number.
pub(crate) fn tell_number(
    callback: Option<unsafe extern "C" fn(u32, User)>,
    number: u32,
    user: User,
) {
    if let Some(callback) = callback {
        // SAFETY: the callback keeps the contract.
        unsafe { callback(number, user) };
    }
}

/// Puts what is made of a value in its place. `make` does not unwind, as nothing here does.
pub(crate) fn replace<T>(place: &mut T, make: impl FnOnce(T) -> T) {
    let place: *mut T = place;
    // SAFETY: a reference may be read and written. The value that is read is not used again, as `make`
    // returns and another takes its place.
    unsafe { place.write(make(place.read())) };
}

/// A value of one of several types, behind a trait that all of them have. Only what starts a type names
/// its two functions, so a linker leaves out the types that are not started.
pub(crate) struct ErasedBody<U, D: ?Sized> {
    look: fn(&U) -> &D,
    act: fn(&mut U) -> &mut D,
    pub(crate) any: U,
}

impl<U, D: ?Sized> ErasedBody<U, D> {
    pub(crate) fn new(look: fn(&U) -> &D, act: fn(&mut U) -> &mut D, any: U) -> Self {
        Self { look, act, any }
    }

    pub(crate) fn look(&self) -> &D {
        (self.look)(&self.any)
    }

    pub(crate) fn get(&mut self) -> &mut D {
        (self.act)(&mut self.any)
    }
}

/// What makes a value an [`ErasedBody`]: takes a variant of an enum, and the trait.
macro_rules! erased {
    ($Any:ident::$Kind:ident as $Trait:ident) => {{
        fn look(any: &$Any) -> &(dyn $Trait + 'static) {
            match any {
                $Any::$Kind(it) => it,
                // SAFETY: that very variant is written below, and nobody writes another.
                _ => unsafe { core::hint::unreachable_unchecked() },
            }
        }
        fn act(any: &mut $Any) -> &mut (dyn $Trait + 'static) {
            match any {
                $Any::$Kind(it) => it,
                // SAFETY: as above.
                _ => unsafe { core::hint::unreachable_unchecked() },
            }
        }
        |it| $crate::memory::ErasedBody::<$Any, dyn $Trait>::new(look, act, $Any::$Kind(it))
    }};
}
pub(crate) use erased;

/// What a callback is given besides: whatever the caller named.
type User = *mut c_void;

/// Dimensions of a machine.
pub(crate) fn dims(dims: u32) -> Answer<Dim> {
    Dim::try_from(dims).map_err(|_| LOCOX_BAD_ARGUMENT.into())
}

/// Dimension of a request: beyond all machines there is none.
pub(crate) fn dim(dim: u32) -> Answer<Dim> {
    Dim::try_from(dim).map_err(|_| LOCOX_TOO_LARGE.into())
}
