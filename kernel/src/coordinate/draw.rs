//! Numbers from the caller's random source.

/// What is drawn for a command: nothing, or a number.
///
/// A coordinator whose decisions need no lots draws `()`, and its caller needs no random source.
/// One that shuffles cannot be run without: a constant draw would favour the same ones for ever.
///
/// ```
/// use locox::coordinate::Draw;
/// let dice = || 4;
/// assert_eq!(u32::from_source(dice), 4);
/// <()>::from_source(|| unreachable!("nothing is drawn"));
/// ```
pub trait Draw: Copy + core::fmt::Debug {
    /// What stands for a draw before the first one.
    const NOT_DRAWN: Self;

    /// Draws from `source` what is needed.
    fn from_source(source: impl FnMut() -> u32) -> Self;

    /// The number that was drawn, for [`Draw::from_source`] to be given again; zero for none.
    fn raw(self) -> u32;
}

impl Draw for () {
    const NOT_DRAWN: Self = ();

    fn from_source(_: impl FnMut() -> u32) -> Self {}

    fn raw(self) -> u32 {
        0
    }
}

impl Draw for u32 {
    const NOT_DRAWN: Self = 0;

    fn from_source(mut source: impl FnMut() -> u32) -> Self {
        source()
    }

    fn raw(self) -> u32 {
        self
    }
}
