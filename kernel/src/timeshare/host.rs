//! What is known of a host from outside: how busy it is, and how fast.

use super::Misuse;

crate::data::data! {
    /// Utilisation of a host's processor by jobs, in thousandths: 0 to 1000.
    #[derive(Default, PartialOrd, Ord)]
    #[cfg_attr(feature = "serde", serde(try_from = "u16"))]
    pub struct Load(u16);

    /// The utilisation up to which a host takes one more job: above 0 and below 1.
    ///
    /// ```
    /// use locox::timeshare::{Misuse, Threshold};
    /// assert!(Threshold::from_thousandths(800).is_ok());
    /// assert_eq!(Threshold::from_thousandths(1000), Err(Misuse::Threshold { thousandths: 1000 }));
    /// assert_eq!(Threshold::from_thousandths(0), Err(Misuse::Threshold { thousandths: 0 }));
    /// ```
    #[cfg_attr(feature = "serde", serde(try_from = "u16"))]
    pub struct Threshold(Load);

    /// How fast a host is, in sixteenths of a nominal one.
    #[derive(PartialOrd, Ord)]
    pub struct Speed(pub u8);
}

// In thousandths.
crate::display::named! { Load: "" }

crate::data::read_as! {
    Load: u16, |it| (it <= Self::FULL.0).then_some(Self(it)), "a load is at most 1000 thousandths";
    Threshold: u16, |it| Self::from_thousandths(it).ok(),
        "a threshold is above 0 and below 1000 thousandths";
}

impl Load {
    /// Nothing to do.
    pub const IDLE: Self = Self(0);
    /// No time left.
    pub const FULL: Self = Self(1000);

    /// So many thousandths, at most 1000.
    pub const fn from_thousandths(thousandths: u16) -> Self {
        if thousandths > 1000 { Self::FULL } else { Self(thousandths) }
    }

    /// In thousandths.
    pub const fn thousandths(self) -> u16 {
        self.0
    }
}

impl Threshold {
    /// So many thousandths.
    ///
    /// # Errors
    ///
    /// [`Misuse::Threshold`] unless they are above 0 and below 1000.
    pub const fn from_thousandths(thousandths: u16) -> Result<Self, Misuse> {
        if thousandths == 0 || thousandths >= 1000 {
            return Err(Misuse::Threshold { thousandths });
        }
        Ok(Self(Load(thousandths)))
    }

    /// The highest utilisation that it allows.
    pub const fn load(self) -> Load {
        self.0
    }
}

// In sixteenths.
crate::display::named! { Speed: "" }

impl Speed {
    /// The speed of all hosts, if they are alike.
    pub const NOMINAL: Self = Self(16);
}

impl Default for Speed {
    fn default() -> Self {
        Self::NOMINAL
    }
}
