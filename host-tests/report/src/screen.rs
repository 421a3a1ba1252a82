//! Who reads along: whether a person does, how wide the terminal is, and whether results are all that is wanted.

use console::Term;
use std::env;
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on nothing is said but results and errors.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether nothing is to be said but results and errors.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Whether a person reads standard output, and wants to be talked to.
pub fn is_read() -> bool {
    !is_quiet() && Term::stdout().is_term()
}

/// Whether a person sees standard error, and wants to see how far the work is.
pub fn is_watched() -> bool {
    !is_quiet() && Term::stderr().is_term()
}

/// Columns of the terminal that standard output is, of which the variable `COLUMNS` knows better; `None` if it
/// is no terminal, or one that does not say.
pub fn width() -> Option<u16> {
    let terminal = Term::stdout();
    if !terminal.is_term() {
        return None;
    }
    let said = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    said.filter(|&columns| columns > 0).or(terminal.size_checked().map(|(_, columns)| columns))
}
