//! Which version this is.

use core::ffi::{CStr, c_char};

/// As the manifest of this crate says it, for the header too.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

const TEXT: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a zero in a version"),
    };

/// The version of this library, such as "0.1.0"; `LOCOX_VERSION` is that of the header. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn locox_version() -> *const c_char {
    TEXT.as_ptr()
}
