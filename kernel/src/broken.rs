//! The answer of every `check_invariants`.

/// An invariant that does not hold: a defect of the kernel, or storage that somebody wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Broken(pub &'static str);

impl core::fmt::Display for Broken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "broken invariant: {}", self.0)
    }
}

impl core::error::Error for Broken {}
