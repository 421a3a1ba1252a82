//! Fragmentation: how much of what is free is of no use to a mix of jobs.

use super::Machine;
use crate::workload::Job;
use std::collections::BTreeMap;

/// How many jobs need places of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mix {
    kinds: BTreeMap<u32, u64>,
}

impl Mix {
    /// That of these jobs; `None` on a machine without places. Jobs larger than the machine do not count.
    ///
    /// ```
    /// use locox::cube::Dim;
    /// use locox_models::machine::{Hypercube, Machine, Mix, StrategyKind};
    /// use locox_models::workload::synthetic::Synthetic;
    /// let day = Synthetic::cube_day().generate(1, 0)?;
    /// let mut cube = Hypercube::new(Dim::new(7).unwrap(), StrategyKind::Buddy);
    /// let mix = Mix::of(&mut cube, &day.jobs).unwrap();
    /// assert_eq!(mix.fragmentation(&mut cube), 0.0);
    /// for job in &day.jobs[..3] {
    ///     _ = cube.start(job);
    /// }
    /// let after = mix.fragmentation(&mut cube);
    /// assert!(after > 0.0 && after < 1.0, "{after}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<'a>(
        machine: &mut (impl Machine + ?Sized),
        jobs: impl IntoIterator<Item = &'a Job>,
    ) -> Option<Self> {
        let places = machine.places()?;
        let mut kinds = BTreeMap::new();
        for kind in jobs.into_iter().filter_map(|job| places.kind(job)) {
            *kinds.entry(kind).or_default() += 1;
        }
        Some(Self { kinds })
    }

    /// The stranded processors as a share of the free ones, in the mean over the jobs; 0 if none is free. Cost: what the
    /// machine takes for each kind.
    pub fn fragmentation(&self, machine: &mut (impl Machine + ?Sized)) -> f64 {
        let Some(places) = machine.places() else { return 0.0 };
        let free = f64::from(places.free());
        let jobs: u64 = self.kinds.values().sum();
        if free == 0.0 || jobs == 0 {
            return 0.0;
        }
        let of = |(&kind, &jobs): (&u32, &u64)| f64::from(places.stranded(kind)) * jobs as f64;
        self.kinds.iter().map(of).sum::<f64>() / (free * jobs as f64)
    }
}
