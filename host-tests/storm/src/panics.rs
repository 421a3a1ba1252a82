//! What a panic said last, by thread: a world that panics is a finding, and no noise on the screen.

use std::cell::RefCell;
use std::panic;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Has panics be kept in place of being printed.
pub(crate) fn keep() {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string().replace('\n', " ");
        LAST.with(|last| *last.borrow_mut() = text);
    }));
}

/// The last one of this thread.
pub(crate) fn last() -> String {
    LAST.with(|last| last.borrow().clone())
}
