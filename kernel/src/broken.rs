//! The answer of every `check_invariants`.

/// An invariant that does not hold: a defect of the kernel, or storage that somebody wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Broken(pub &'static str);

crate::shown::error! { Broken: it => "broken invariant: {}" (it.0) }

/// An invariant, and what is said if it does not hold.
pub(crate) fn ensure(holds: bool, invariant: &'static str) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken(invariant)) }
}
