//! Who sees the calls of a load.

use core::convert::Infallible;
use core::fmt::Debug;

/// Sees the calls of a load.
pub trait Watch {
    /// Makes a call and returns what it answers.
    ///
    /// # Errors
    ///
    /// Those of the call.
    fn call<T: Debug, E: Debug>(
        &mut self,
        what: &'static str,
        call: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E>;

    /// The same of a call that cannot fail.
    fn see<T: Debug>(&mut self, what: &'static str, call: impl FnOnce() -> T) -> T {
        match self.call(what, || Ok::<_, Infallible>(call())) {
            Ok(answer) => answer,
        }
    }
}
