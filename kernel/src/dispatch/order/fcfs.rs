//! First come, first served.
//!
//! The oldest job is offered and no other. No job is ever overtaken, so nobody starves, and large
//! jobs leave nodes idle while they wait for room. Choose it where fairness is plainest, and as
//! the yardstick for the others.
//!
//! Cost: constant.

use super::{Discipline, Offers};
use crate::dispatch::SizeClass;

/// First come, first served.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fcfs;

impl Discipline for Fcfs {
    fn name(&self) -> &'static str {
        "fcfs"
    }

    fn choose(&mut self, offers: &mut Offers<'_>) {
        offers.offer(SizeClass::SMALLEST, 1);
    }
}
