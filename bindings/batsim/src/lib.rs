//! locox as a decision component of Batsim 5: a library that Batsim loads and asks what to start.
//!
//! The three functions are those of `batsim_edc.h`, as it stands in Batsim 5.0.0-rc2. Messages are JSON texts
//! that end with a zero byte. docs/guide/batsim.md says how to use it.
//!
//! - An error changes nothing: the function returns 1, tells the reason on standard error in one line, and the
//!   buffers of the last reply stay as they are.
//! - A panic, which would be a fault of ours, does not leave the library: the function returns 2, and from then
//!   on 1 until the component is initialised again.

#![warn(missing_docs)]

mod component;
mod hosts;
mod message;
mod reply;
mod settings;

use component::Component;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

const DONE: u8 = 0;
const REFUSED: u8 = 1;
const PANICKED: u8 = 2;

/// `BATSIM_EDC_FORMAT_JSON` of `batsim_edc.h`.
const JSON: u32 = 0x2;

/// A component, and the reply that Batsim may read until the next call.
#[derive(Default)]
struct Loaded {
    component: Option<Component>,
    reply: CString,
}

static LOADED: Mutex<Option<Loaded>> = Mutex::new(None);

/// Runs a call so that no panic leaves the library, and says what it returns.
fn call(function: &str, work: impl FnOnce(&mut Loaded) -> Result<(), String>) -> u8 {
    let mut guard = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = guard.get_or_insert_default();
    match catch_unwind(AssertUnwindSafe(|| work(loaded))) {
        Ok(Ok(())) => DONE,
        Ok(Err(why)) => {
            eprintln!("locox: {function}: {}", why.replace(char::is_control, "?"));
            REFUSED
        }
        Err(_) => {
            loaded.component = None;
            PANICKED
        }
    }
}

/// The bytes of a message, without the zero byte at its end; an empty one may be null.
///
/// # Safety
///
/// `data` is null, or `size` bytes may be read there as long as the result is used.
#[allow(unsafe_code)]
unsafe fn text<'a>(data: *const u8, size: u32) -> Result<&'a str, String> {
    if data.is_null() || size == 0 {
        return if size == 0 { Ok("") } else { Err("the message is null".into()) };
    }
    // SAFETY: the caller says so.
    let bytes = unsafe { std::slice::from_raw_parts(data, size as usize) };
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).map_err(|_| "the message is not UTF-8".into())
}

/// Keeps the reply and says where it is.
///
/// # Safety
///
/// Both places may be written to.
#[allow(unsafe_code)]
unsafe fn answer(
    loaded: &mut Loaded,
    reply: String,
    data: *mut *mut u8,
    size: *mut u32,
) -> Result<(), String> {
    let long = |_| "the reply is longer than 4 GB".to_string();
    let bytes = u32::try_from(reply.len()).map_err(long)?;
    loaded.reply = CString::new(reply).map_err(|_| "a zero byte in the reply".to_string())?;
    // SAFETY: the caller says so.
    unsafe {
        data.write(loaded.reply.as_ptr().cast_mut().cast());
        size.write(bytes);
    }
    Ok(())
}

/// Starts a component. `init_data` is the text of its settings; `flags` says that messages are JSON, and the
/// reply says hello.
///
/// Returns 0 if it could be started.
///
/// # Safety
///
/// `init_data` is null or has `init_size` bytes; the other pointers are null or may be written to.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn batsim_edc_init(
    init_data: *const u8,
    init_size: u32,
    flags: *mut u32,
    reply_data: *mut *mut u8,
    reply_size: *mut u32,
) -> u8 {
    call("batsim_edc_init", |loaded| {
        if flags.is_null() || reply_data.is_null() || reply_size.is_null() {
            return Err("there is no place for the reply".into());
        }
        // SAFETY: Batsim says how long it is.
        let settings = unsafe { text(init_data, init_size) }?.parse()?;
        // SAFETY: they are not null.
        unsafe {
            answer(loaded, reply::hello(), reply_data, reply_size)?;
            flags.write(JSON);
        }
        loaded.component = Some(Component::new(settings));
        Ok(())
    })
}

/// Says what to do after what happened.
///
/// Returns 0 if a decision could be taken. The reply stays until the next call.
///
/// # Safety
///
/// `what_happened` is null or has `what_happened_size` bytes; the other pointers are null or may be written to.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn batsim_edc_take_decisions(
    what_happened: *const u8,
    what_happened_size: u32,
    decisions: *mut *mut u8,
    decisions_size: *mut u32,
) -> u8 {
    call("batsim_edc_take_decisions", |loaded| {
        if decisions.is_null() || decisions_size.is_null() {
            return Err("there is no place for the reply".into());
        }
        // SAFETY: Batsim says how long it is.
        let message = unsafe { text(what_happened, what_happened_size) }?;
        let component = loaded.component.as_mut().ok_or("no component was initialised")?;
        let reply = component.take(message)?;
        // SAFETY: they are not null.
        unsafe { answer(loaded, reply, decisions, decisions_size) }
    })
}

/// Ends a component; its last reply is gone. Returns 0, also if there is none.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn batsim_edc_deinit() -> u8 {
    call("batsim_edc_deinit", |loaded| {
        *loaded = Loaded::default();
        Ok(())
    })
}
