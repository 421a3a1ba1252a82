//! The two ways in which a call does nothing: a refusal and a misuse.

/// Why a call did nothing; the state is as before.
///
/// A *refusal* (`No`) is a state of affairs: not now, or never on this machine; it says why, and
/// another call may succeed later. A *misuse* (`Wrong`) is a defect of the caller: an argument
/// that makes no sense, or a handle that is not live.
///
/// ```
/// use locox::error::Error;
/// let full: Result<(), Error<&str, &str>> = Err(Error::Refused("full"));
/// assert_eq!(full.unwrap_err().refusal(), Some("full"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error<R, M> {
    /// Not now, or never.
    Refused(R),
    /// The caller did something wrong.
    Misused(M),
}

impl<R, M> Error<R, M> {
    /// Why not, if the call was right.
    pub fn refusal(self) -> Option<R> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::Misused(_) => None,
        }
    }

    /// What the caller did wrong, if anything.
    pub fn misuse(self) -> Option<M> {
        match self {
            Self::Refused(_) => None,
            Self::Misused(misuse) => Some(misuse),
        }
    }
}

impl<R: core::fmt::Display, M: core::fmt::Display> core::fmt::Display for Error<R, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Misused(misuse) => misuse.fmt(f),
        }
    }
}

impl<R: core::error::Error, M: core::error::Error> core::error::Error for Error<R, M> {}

/// Makes the refusals and misuses of a system a [`Error`], and misused handles such a misuse where
/// it has handles.
#[doc(hidden)]
#[macro_export]
macro_rules! error_from {
    ($Refusal:ident, $Misuse:ident::$Handle:ident) => {
        $crate::error_from! { $Refusal, $Misuse }

        impl From<$crate::handle::Misuse> for $Misuse {
            fn from(misuse: $crate::handle::Misuse) -> Self {
                Self::$Handle(misuse)
            }
        }
    };
    ($Refusal:ident, $Misuse:ident) => {
        impl From<$Refusal> for $crate::error::Error<$Refusal, $Misuse> {
            fn from(refusal: $Refusal) -> Self {
                Self::Refused(refusal)
            }
        }

        impl From<$Misuse> for $crate::error::Error<$Refusal, $Misuse> {
            fn from(misuse: $Misuse) -> Self {
                Self::Misused(misuse)
            }
        }
    };
}
