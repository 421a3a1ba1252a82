//! The answer of every `check_invariants`.

/// An invariant that does not hold: a defect of the kernel, or storage that somebody wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InvariantViolation(pub &'static str);

crate::display::error! { InvariantViolation: it => "broken invariant: {}" (it.0) }

/// An invariant, and what is said if it does not hold.
pub fn ensure(holds: bool, invariant: &'static str) -> Result<(), InvariantViolation> {
    if holds { Ok(()) } else { Err(InvariantViolation(invariant)) }
}
