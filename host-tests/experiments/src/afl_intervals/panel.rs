//! The workloads of the study, and what is known of each.

use crate::load_sweep::{Cube, Curve, Limit, Method, Sweep};
use locox_models::workload::meshes::{Choice, Meshes, Service, Sides};

/// The probabilities of a small mesh.
pub(super) const SHARES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// One workload: a range of large sides, and a share of small meshes.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) small: u32,
    pub(super) large: u32,
    pub(super) share: f64,
    pub(super) choice: Choice,
}

impl Panel {
    pub(super) fn recipe(&self) -> Meshes {
        let sides = Sides::Interval {
            small: 1..=self.small,
            large: self.large..=32,
            share: self.share,
            choice: self.choice,
        };
        Meshes { name: self.name(), jobs: 0, load: 1.0, sides, service: Service::Exponential }
    }

    pub(super) fn name(&self) -> String {
        format!("[1,{}] and [{},32], A = {:.1}", self.small, self.large, self.share)
    }

    pub(super) fn sweep(&self, cube: Cube, loads: &[f64]) -> Sweep {
        let (recipe, loads) = (self.recipe(), loads.to_vec());
        Sweep { cube, recipe, loads, methods: Method::PAIR.to_vec() }
    }
}

/// What is known of a panel.
pub(super) struct Studied {
    pub(super) panel: Panel,
    pub(super) curves: Vec<Curve>,
    pub(super) limits: Vec<Limit>,
}
