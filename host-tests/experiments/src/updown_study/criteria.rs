//! The criteria of the source.

use crate::pools::CLASSES;
use locox_models::workstation::{Outcome, Use};
use locox_report::report::Axis;

/// A criterion of the source.
#[derive(Clone, Copy)]
pub(super) struct Criterion {
    pub(super) name: &'static str,
    pub(super) key: &'static str,
    pub(super) of: fn(&Use) -> f64,
    /// Whether a user is better off when it is larger.
    pub(super) rises: bool,
    pub(super) digits: usize,
    /// Of the plots of all users.
    pub(super) axis: fn(String) -> Axis,
    pub(super) caption: &'static str,
}

pub(super) const CRITERIA: [Criterion; 3] = [
    Criterion {
        name: "remote cycle wait ratio",
        key: "wait_ratio",
        // A second of waiting keeps it finite.
        of: |user| user.remote / user.wait.max(1.0),
        rises: true,
        digits: 2,
        axis: Axis::log,
        caption: "Logarithmic: under the rivals the heavy user hardly ever waits.",
    },
    Criterion {
        name: "remote cycle percentage",
        key: "remote_percentage",
        of: |user| 100.0 * user.remote_share(),
        rises: true,
        digits: 1,
        axis: Axis::linear,
        caption: "The share of a user's own jobs that others' processors do.",
    },
    Criterion {
        name: "remote response ratio",
        key: "response_ratio",
        of: Use::response_ratio,
        rises: false,
        digits: 3,
        axis: Axis::linear,
        caption: "A user with more jobs than processors has to wait under any ranking.",
    },
];

impl Criterion {
    pub(super) fn light(self) -> impl Fn(&Outcome) -> f64 {
        move |outcome| (self.of)(&outcome.of(CLASSES[0].1.clone()))
    }

    /// A change as one for the better or, below zero, for the worse.
    pub(super) fn worth(self, change: f64) -> f64 {
        if self.rises { change } else { -change }
    }
}
