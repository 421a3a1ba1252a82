//! What most public types derive.

/// Types that are plain data: they are copied, compared, hashed and shown, and pass through `serde`
/// and `defmt` where these are wanted.
macro_rules! data {
    ($($item:item)+) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        $item
    )+};
}

pub(crate) use data;
