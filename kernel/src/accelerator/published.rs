//! Tables that makers publish.
//!
//! Source: NVIDIA, *Multi-Instance GPU User Guide*: the placements that `nvidia-smi mig -lgipp` lists in its
//! chapter *Getting Started with MIG*, as `{0,2,4}:2` for two memory slices from slice 0, 2 or 4 on, and its chapter
//! *Supported MIG Profiles*. Slices are memory slices. Profiles with media extensions lie where those
//! without do, and are left out.

use super::{Profile, SliceSet, Table};

/// Runs of so many slices from each of these on.
const fn runs<const N: usize>(starts: [u8; N], len: u8) -> [SliceSet; N] {
    let mut sets = [SliceSet::NONE; N];
    let mut at = 0;
    while at < N {
        sets[at] = SliceSet::run(starts[at], len);
        at += 1;
    }
    sets
}

const ONE: Profile<'_> = Profile { name: "1g", placements: &runs([0, 1, 2, 3, 4, 5, 6], 1) };
const ONE_PLUS: Profile<'_> = Profile { name: "1g+", placements: &runs([0, 2, 4, 6], 2) };
const TWO: Profile<'_> = Profile { name: "2g", placements: &runs([0, 2, 4], 2) };
const THREE: Profile<'_> = Profile { name: "3g", placements: &runs([0, 4], 4) };
const FOUR: Profile<'_> = Profile { name: "4g", placements: &runs([0], 4) };
const SEVEN: Profile<'_> = Profile { name: "7g", placements: &runs([0], 8) };

const fn of(slices: u8, profiles: &'static [Profile<'static>]) -> Table<'static> {
    match Table::new(slices, profiles) {
        Ok(table) => table,
        Err(_) => panic!("no table"),
    }
}

impl Table<'static> {
    /// An A100 of NVIDIA: eight memory slices, the last of which no small instance takes.
    ///
    /// ```
    /// use locox::accelerator::Table;
    /// let of = |name| Table::A100.profile(Table::A100.find(name)?);
    /// assert_eq!(of("3g").unwrap().placements.len(), 2);
    /// assert_eq!(of("7g").unwrap().slices(), 8);
    /// ```
    pub const A100: Self = of(8, &[ONE, TWO, THREE, FOUR, SEVEN]);

    /// An H100 of NVIDIA, and an A100 under a driver that knows the instance of one compute slice with the
    /// memory of two: `1g+`, as `1g.20gb` beside `1g.10gb`.
    pub const H100: Self = of(8, &[ONE, ONE_PLUS, TWO, THREE, FOUR, SEVEN]);

    /// An A30 of NVIDIA: four memory slices.
    pub const A30: Self = of(
        4,
        &[
            Profile { name: "1g", placements: &runs([0, 1, 2, 3], 1) },
            Profile { name: "2g", placements: &runs([0, 2], 2) },
            Profile { name: "4g", placements: &runs([0], 4) },
        ],
    );
}
