//! Why a call did nothing: refusals and misuses of the kernel's as a status with a number.

use crate::status::locox_status::{self, *};
use locox::error::Error;
use locox::invariant::InvariantViolation;

/// Why a call did nothing, and the number that says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) status: locox_status,
    pub(crate) detail: u64,
}

pub(crate) type Answer<T = ()> = Result<T, Fault>;

impl From<locox_status> for Fault {
    fn from(status: locox_status) -> Self {
        Self { status, detail: 0 }
    }
}

impl locox_status {
    pub(crate) fn with(self, detail: impl Into<u64>) -> Fault {
        Fault { status: self, detail: detail.into() }
    }

    pub(crate) fn with_len(self, detail: usize) -> Fault {
        Fault { status: self, detail: detail as u64 }
    }
}

/// Refusals and misuses of the kernel's as faults: a status, or one with a number, by the variants of an enum, or, with `=`,
/// by the pattern of a structure. The kernel may have more cases some day; `ci/bindings` says when one has no status here.
macro_rules! faults {
    ($($type:ty { $($case:ident $(($($inner:pat),*))? $({ $($field:tt)* })? => $fault:expr),* $(,)? })*) => {$(
        impl From<$type> for $crate::fault::Fault {
            fn from(it: $type) -> Self {
                type Of = $type;
                #[allow(unreachable_patterns)]
                match it {
                    $(Of::$case $(($($inner),*))? $({ $($field)* })? => $fault.into(),)*
                    _ => LOCOX_UNKNOWN.into(),
                }
            }
        }
    )*};
    ($($type:ty = $pattern:pat => $fault:expr;)*) => {$(
        impl From<$type> for $crate::fault::Fault {
            fn from($pattern: $type) -> Self {
                $fault.into()
            }
        }
    )*};
}
pub(crate) use faults;

impl From<InvariantViolation> for Fault {
    fn from(_: InvariantViolation) -> Self {
        LOCOX_INVARIANT_VIOLATION.into()
    }
}

impl<R: Into<Fault>, M: Into<Fault>> From<Error<R, M>> for Fault {
    fn from(error: Error<R, M>) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Misused(misuse) => misuse.into(),
        }
    }
}
