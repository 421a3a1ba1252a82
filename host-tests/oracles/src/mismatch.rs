//! How a runner says that kernel and model differ.

use std::fmt::{self, Debug};

/// The kernel did not do what the model says; [`Display`](fmt::Display) tells all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Steps before this one.
    pub step: usize,
    /// What was asked.
    pub command: String,
    /// In which respect the two differ, and what each says.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}, {}: {}", self.step, self.command, self.what)
    }
}

impl std::error::Error for Mismatch {}

pub(crate) fn equal<T: PartialEq + Debug>(what: &str, got: T, expected: T) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    Err(format!("{what}: the kernel says {got:?}, the model {expected:?}"))
}

/// Takes the next steps, and says at which one the two began to differ.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps(usize);

impl Steps {
    pub(crate) fn taken(&self) -> usize {
        self.0
    }

    pub(crate) fn check<C: Debug, T>(
        &mut self,
        command: &C,
        compared: Result<T, String>,
    ) -> Result<T, Mismatch> {
        self.0 += 1;
        self.check_last(command, compared)
    }

    /// A further comparison after the step that was checked last.
    pub(crate) fn check_last<C: Debug, T>(
        &self,
        command: &C,
        compared: Result<T, String>,
    ) -> Result<T, Mismatch> {
        let step = self.0 - 1;
        compared.map_err(|what| Mismatch { step, command: format!("{command:?}"), what })
    }
}
