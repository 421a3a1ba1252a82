//! How urgent a process is on its host.

/// A priority level of a host. Level 0 is the most urgent, and its job the host's *owner*.
///
/// There is no `Ord`, as the smaller level is the better one. The level of a job is a matter of the
/// job and the host, because promotion is a matter of the host.
///
/// ```
/// use locox::timeshare::Level;
/// let low = Level::new(2).unwrap();
/// assert!(Level::TOP.is_more_urgent_than(low));
/// assert_eq!(low.number(), 2);
/// assert_eq!(Level::new(8), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Level(u8);

crate::display::named! { Level: "" }

crate::data::read_as! { Level: u8, Self::new, "a level is below 8"; }

impl Level {
    /// How many levels there are at most.
    pub const COUNT: u8 = 8;

    /// The most urgent level.
    pub const TOP: Self = Self(0);

    /// The level of this number, if that is below [`Level::COUNT`].
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// Its number: 0 is the most urgent.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether a process at this level runs before one at `other`.
    pub const fn is_more_urgent_than(self, other: Self) -> bool {
        self.0 < other.0
    }
}
