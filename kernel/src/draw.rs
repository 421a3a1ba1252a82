//! Numbers from the caller's random source.

/// What is drawn for a command: nothing, or a number.
///
/// A coordinator whose decisions need no lots draws `()`, and its caller needs no random source.
/// One that shuffles cannot be run without: a constant draw would favour the same ones for ever.
///
/// ```
/// use locox::draw::Draw;
/// let dice = || 4;
/// assert_eq!(u32::from_source(dice), 4);
/// <()>::from_source(|| unreachable!("nothing is drawn"));
/// ```
pub trait Draw: Copy + core::fmt::Debug {
    /// What stands for a draw before the first one.
    const NOT_DRAWN: Self;

    /// Draws from `source` what is needed.
    fn from_source(source: impl FnMut() -> u32) -> Self;

    /// The number that was drawn; `None` if nothing was. Who orders equals by it takes them by
    /// rising number then.
    fn lot(self) -> Option<u32>;

    /// The number that was drawn, for [`Draw::from_source`] to be given again; zero for none.
    fn raw(self) -> u32 {
        self.lot().unwrap_or(0)
    }
}

impl Draw for () {
    const NOT_DRAWN: Self = ();

    fn from_source(_: impl FnMut() -> u32) -> Self {}

    fn lot(self) -> Option<u32> {
        None
    }
}

impl Draw for u32 {
    const NOT_DRAWN: Self = 0;

    fn from_source(mut source: impl FnMut() -> u32) -> Self {
        source()
    }

    fn lot(self) -> Option<u32> {
        Some(self)
    }
}
