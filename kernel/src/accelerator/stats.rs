//! Figures of a pool.

crate::data::data! {
    /// Counts of slices and of free placements at one moment.
    pub struct SliceStats {
        /// Slices of the accelerator.
        pub slices: u32,
        /// Slices that a new lease may take.
        pub free: u32,
        /// Slices held by leases, those out of service among them included.
        pub leased: u32,
        /// Slices out of service, leased or not.
        pub out: u32,
        /// For each profile its free placements, which may overlap; 0 beyond the last profile.
        pub placements: [u8; Self::PROFILES],
    }
}

impl SliceStats {
    /// The most profiles that a table has.
    pub const PROFILES: usize = 16;
}

crate::display::display! { SliceStats:
    it => "free {} of {}, leased {}, out {}" (it.free, it.slices, it.leased, it.out),
}
