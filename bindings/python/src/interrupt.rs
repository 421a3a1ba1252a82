//! Interrupts in long calls, which do not hold the interpreter.

use pyo3::prelude::*;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks at signals.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

/// Looks at signals now and then, and ends the work when one raises an exception.
///
/// - Clones share `raised`.
#[derive(Clone)]
pub(crate) struct Watch {
    looked: Instant,
    raised: Arc<Mutex<Option<PyErr>>>,
}

/// Does work without the interpreter; it asks the watch, and what it returns after a break does not matter.
///
/// # Errors
///
/// What a signal's handler, or whoever else was asked, has raised.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Watch) -> T + Send,
) -> PyResult<T> {
    let mut watch = Watch { looked: Instant::now(), raised: Arc::default() };
    let done = py.detach(|| work(&mut watch));
    let raised = watch.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    raised.map_or(Ok(done), Err)
}

impl Watch {
    /// Whether to go on. Costs a look at the clock, and now and then one at the signals.
    pub(crate) fn look(&mut self) -> ControlFlow<()> {
        if self.looked.elapsed() < PAUSE {
            return ControlFlow::Continue(());
        }
        self.ask(|_| Ok(()))
    }

    /// Whether a pause is over.
    pub(crate) fn is_due(&self) -> bool {
        self.looked.elapsed() >= PAUSE
    }

    /// Whether to go on: looks at the signals now, and asks somebody else. Once it was not, it never is again.
    pub(crate) fn ask(
        &mut self,
        other: impl FnOnce(Python<'_>) -> PyResult<()>,
    ) -> ControlFlow<()> {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if raised.is_none() {
            let told = Python::attach(|py| py.check_signals().and_then(|()| other(py)));
            *raised = told.err();
            self.looked = Instant::now();
        }
        if raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// # Errors
    ///
    /// After a break.
    pub(crate) fn look_in_between(&mut self) -> io::Result<()> {
        match self.look() {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::Error::other("interrupted")),
        }
    }
}

/// Bytes on their way, between which the watch looks.
pub(crate) struct Watched<T> {
    pub(crate) it: T,
    pub(crate) watch: Watch,
    /// Until the next look.
    left: usize,
}

/// Bytes between two looks at the clock: xz takes milliseconds for so many.
const MANY: usize = 1 << 12;

impl<T> Watched<T> {
    pub(crate) fn new(it: T, watch: &Watch) -> Self {
        Self { it, watch: watch.clone(), left: 0 }
    }

    fn pass(&mut self, bytes: usize) -> io::Result<()> {
        if let Some(left) = self.left.checked_sub(bytes) {
            self.left = left;
            return Ok(());
        }
        self.left = MANY;
        self.watch.look_in_between()
    }
}

impl<T: Write> Write for Watched<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not more at once than between two looks.
        let bytes = &bytes[..bytes.len().min(MANY)];
        self.pass(bytes.len())?;
        self.it.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.it.flush()
    }
}

impl<T: Read> Read for Watched<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.it.read(bytes)?;
        self.pass(read)?;
        Ok(read)
    }
}
