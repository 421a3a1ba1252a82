//! A bounded look-ahead: first come, first served among those that fit.
//!
//! The oldest jobs, as many as the window is wide, are offered in the order of arrival, and the
//! first that starts leaves. Without a bound of patience the oldest job starves if the window
//! always holds smaller ones that fit. Choose it for utilisation where sizes differ widely.
//!
//! Cost: the width of the window.

use super::{Discipline, Offers};
use crate::dispatch::SizeClass;

/// A look at the oldest few jobs.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    width: u32,
}

impl Window {
    /// A window on the `width` oldest jobs; 1 and 0 are first come, first served.
    pub const fn of(width: u32) -> Self {
        Self { width: if width == 0 { 1 } else { width } }
    }
}

impl Discipline for Window {
    fn name(&self) -> &'static str {
        "window"
    }

    fn choose(&mut self, offers: &mut Offers<'_>) {
        offers.offer(SizeClass::SMALLEST, self.width);
    }
}
