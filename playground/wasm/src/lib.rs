//! What the playground's page calls, as one wasm: the C interface, which needs no heap, and the replay of recorded runs,
//! which does. The page replays in an instance of its own, whose memory is gone after it.

#![no_std]

use core::fmt::{self, Write};
use core::slice;
// Its functions are those of the page.
use locox_c as _;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static HEAP: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// Replays a recorded run. Writes the digest, or why there is none, as text: as much as there is room for. Answers how
/// many bytes it wrote.
///
/// # Safety
///
/// `run` has `length` bytes, and `answer` room for `room` others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_replay(
    run: *const u8,
    length: usize,
    answer: *mut u8,
    room: usize,
) -> usize {
    // SAFETY: the caller says so.
    let (run, answer) =
        unsafe { (slice::from_raw_parts(run, length), slice::from_raw_parts_mut(answer, room)) };
    let mut text = Text { room: answer, used: 0 };
    // What has no room is cut off.
    _ = match locox_recorded::replay(run) {
        Ok(digest) => writeln!(text, "{digest}mended {}", digest.mended()),
        Err(bad) => write!(text, "{bad}"),
    };
    text.used
}

struct Text<'a> {
    room: &'a mut [u8],
    used: usize,
}

impl Write for Text<'_> {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let to = self.room.get_mut(self.used..self.used + more.len()).ok_or(fmt::Error)?;
        to.copy_from_slice(more.as_bytes());
        self.used += more.len();
        Ok(())
    }
}
